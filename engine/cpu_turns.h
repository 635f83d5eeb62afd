/* Free rotation of many bodies at once in fixed precision, compiled for each instruction set. The
 * bits are those of fixed_turn_freely. Private to bodies_fixed_motion.c.
 */
#ifndef AMPHI_ENGINE_CPU_TURNS_H
#define AMPHI_ENGINE_CPU_TURNS_H

#include <stdint.h>

enum { AMPHI_TURNED = 64 }; /* bodies at once; a multiple of lanes */

/* Body k is entry k of each array. A body that does not turn has rates of 0. */
typedef struct {
    int64_t q[4][AMPHI_TURNED], l[3][AMPHI_TURNED];
    double  rate[3][AMPHI_TURNED]; /* fixed_turn_rate */
    double  sense[AMPHI_TURNED];   /* as fixed_turn_by has it */
    int64_t is_good[AMPHI_TURNED]; /* set: 0 where an angle was too large for one step */
} AmphiTurned;

/* Rotates bodies [0, n) for dt. Entries up to a whole group of lanes are changed. */
typedef void AmphiTurnBodies(AmphiTurned *bodies, int32_t n, double dt_ps);

AmphiTurnBodies amphi_cpu_turns_v3, amphi_cpu_turns_v4;

#endif
