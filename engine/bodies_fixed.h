/* Bodies in whole numbers: the state of record of the precision `fixed`, and its motion.
 *
 * The double arrays of AmphiBodies are derived from it: positions and orientations whenever they
 * change, velocities, spins and forces where somebody asks for them. Never the other way, but where a
 * state is first filled in, minimised, or taken from another precision. Forces, torques, potential
 * and virial are added to by whoever computes them, in any order.
 */
#ifndef AMPHI_ENGINE_BODIES_FIXED_H
#define AMPHI_ENGINE_BODIES_FIXED_H

#include <stdbool.h>

#include "bodies.h"
#include "bodies_show.h"
#include "fixed_motion.h"

/* The first bead, in the order of the file, for which something left its range. */
typedef struct {
    FixedFault what; /* FIXED_GOOD: nothing did */
    int32_t    bead;
} AmphiFixedFault;

/* The name of x, p, q and l, [n] each and one after the other, in a saved state. */
#define AMPHI_FIXED_MEMORY "fixed"

/* [n] by bead; scales of fixed.h, those of momenta and spins as fixed_motion.h has them. */
struct AmphiFixed {
    uint64_t (*x)[3];
    int64_t (*p)[3], (*q)[4], (*l)[3];
    /* Cleared by the host, added to by the backend: FORCE and TORQUE units. Coarse: the parts of
     * pairs and bonds are rounded to units 2^FIXED_COARSE_BITS larger; the sums stand in the same. */
    int64_t (*force)[3], (*torque)[3];
    bool            is_coarse;
    int64_t         potential, virial[3]; /* ENERGY units; likewise cleared and added to */
    AmphiFixedFault fault;                /* likewise */
    int64_t         ticks; /* of a step; 0 before the first stage, and while minimising */

    struct AmphiFixedWork *work; /* of the loops, none of it state */
};

/* Of two faults the one of the lower bead stays, of two of a bead the lower number. */
static inline void amphi_fixed_fault(AmphiFixedFault *have, FixedFault what, int32_t bead)
{
    if (what != FIXED_GOOD && (have->what == FIXED_GOOD || bead < have->bead ||
                               (bead == have->bead && what < have->what)))
        *have = (AmphiFixedFault){ what, bead };
}

/* The same from any thread. */
void amphi_fixed_note(struct AmphiFixed *fixed, FixedFault what, int32_t bead);
/* AMPHI_UNSTABLE tells the quantity, the bead, the scale and its range. Bodies without whole numbers
 * are good, and so is a step of a minimisation that can be taken back: it leads uphill without end. */
AmphiStatus amphi_fixed_check(const AmphiBodies *bodies, AmphiError *err);

/* Gives whole numbers to bodies that were just opened. AMPHI_NO_MEMORY. */
AmphiStatus amphi_fixed_open(AmphiBodies *bodies, AmphiError *err);
/* In which units pairs will be counted: the next stage is this one. */
void amphi_fixed_expect(AmphiBodies *bodies, const AmphiStage *stage);
/* Zero forces, torques, potential, virial; no fault. */
void amphi_fixed_clear(AmphiBodies *bodies);

/* Doubles from whole numbers: positions and orientations; velocities and spins; forces and torques,
 * potential and virial; those two alone. */
void amphi_fixed_show_places(AmphiBodies *bodies);
void amphi_fixed_show_motion(AmphiBodies *bodies);
void amphi_fixed_show_forces(AmphiBodies *bodies);
void amphi_fixed_show_totals(AmphiBodies *bodies);
/* Whole numbers from doubles, and those from them again. */
void amphi_fixed_take_places(AmphiBodies *bodies);
void amphi_fixed_take_motion(AmphiBodies *bodies);

/* The sum of all momenta, FIXED_MOMENTUM_UNIT. */
void amphi_fixed_momentum(const AmphiBodies *bodies, int64_t p[3]);

/* x, p, q and l as the last part of a saved state; false when there is no memory. And back, into
 * bodies that were unpacked so far; from a state without them, by its doubles. False: of other
 * bodies. */
bool amphi_fixed_pack(const AmphiBodies *bodies, AmphiBytes *bytes);
bool amphi_fixed_unpack(AmphiBodies *bodies, const AmphiBytes *bytes, size_t *at);

#endif
