/* Fixed precision: the bodies as integers, from which the double arrays of AmphiBodies are derived.
 *
 * Positions and orientations in double follow every change of the integers; velocities, angular
 * momenta (`spin`) and forces are converted on request. The opposite conversion is made only when a
 * state is opened, minimised, or taken over from another precision. Forces, torques, potential and
 * virial may be added to in any order.
 */
#ifndef AMPHI_ENGINE_BODIES_FIXED_H
#define AMPHI_ENGINE_BODIES_FIXED_H

#include <stdbool.h>

#include "bodies.h"
#include "bodies_show.h"
#include "fixed_motion.h"

/* The first bead, in the order of the system, for which a quantity left its range. */
typedef struct {
    FixedFault what; /* FIXED_GOOD: nothing did */
    int32_t    bead;
} AmphiFixedFault;

/* The name of the part of a saved state that holds positions x, momenta p, quaternions q and
 * angular momenta l, [n] each, in this order. */
#define AMPHI_FIXED_MEMORY "fixed"

/* Arrays are [n] by bead, in the units of fixed.h and fixed_motion.h. */
struct AmphiFixed {
    uint64_t (*x)[3];
    int64_t (*p)[3], (*q)[4], (*l)[3];
    /* Cleared by the host, added to by the backend; FORCE and TORQUE units. With is_coarse the
     * contributions are multiples of 2^FIXED_COARSE_BITS such units. */
    int64_t (*force)[3], (*torque)[3];
    bool            is_coarse;
    int64_t         potential, virial[3]; /* ENERGY units; also cleared and added to */
    AmphiFixedFault fault;                /* also cleared and set */
    int64_t         ticks; /* of a time step; 0 before the first stage and during minimisation */

    struct AmphiFixedWork *work; /* scratch memory, not part of the state */
};

/* Keeps one of two faults: that of the lower bead, for the same bead the lower FixedFault. */
static inline void amphi_fixed_fault(AmphiFixedFault *have, FixedFault what, int32_t bead)
{
    if (what != FIXED_GOOD && (have->what == FIXED_GOOD || bead < have->bead ||
                               (bead == have->bead && what < have->what)))
        *have = (AmphiFixedFault){ what, bead };
}

/* The same, safe to call from several threads. */
void amphi_fixed_note(struct AmphiFixed *fixed, FixedFault what, int32_t bead);
/* AMPHI_UNSTABLE if a quantity left its range; err names it, its bead and the range. AMPHI_OK for
 * other precisions, and for a step of a minimisation that can be taken back: there it counts as an
 * energy of infinity. */
AmphiStatus amphi_fixed_check(const AmphiBodies *bodies, AmphiError *err);

/* Adds the integers to bodies that have just been opened. AMPHI_NO_MEMORY. AMPHI_BAD_INPUT: a
 * position is not finite, or millions of boxes away. */
AmphiStatus amphi_fixed_open(AmphiBodies *bodies, AmphiError *err);
/* Sets is_coarse for the stage that begins next. */
void amphi_fixed_expect(AmphiBodies *bodies, const AmphiStage *stage);
/* Sets forces, torques, potential and virial to zero, and removes the fault. */
void amphi_fixed_clear(AmphiBodies *bodies);

/* Doubles from integers. */
void amphi_fixed_show_places(AmphiBodies *bodies); /* positions, orientations */
void amphi_fixed_show_motion(AmphiBodies *bodies); /* velocities, angular momenta */
void amphi_fixed_show_forces(AmphiBodies *bodies); /* forces, torques, potential, virial */
void amphi_fixed_show_totals(AmphiBodies *bodies); /* potential, virial */
/* Integers from doubles; the doubles are then replaced by their rounded values. Positions must be
 * finite and at most millions of boxes away. */
void amphi_fixed_take_places(AmphiBodies *bodies);
void amphi_fixed_take_motion(AmphiBodies *bodies);

/* The total momentum in FIXED_MOMENTUM_UNIT. */
void amphi_fixed_momentum(const AmphiBodies *bodies, int64_t p[3]);

/* Appends x, p, q and l, which must be the last part of a saved state; false: no memory. Reads them
 * back after amphi_bodies_unpack, or, from a state of another precision, rounds its doubles; false:
 * the bytes are not of these bodies, or a position is one that amphi_fixed_open refuses. */
bool amphi_fixed_pack(const AmphiBodies *bodies, AmphiBytes *bytes);
bool amphi_fixed_unpack(AmphiBodies *bodies, const AmphiBytes *bytes, size_t *at);

#endif
