/* Bonded terms, position restraints of the system among them: the loop over them that all backends
 * on the host share, in double. Untyped.
 */
#ifndef AMPHI_TYPED_BONDED_H
#define AMPHI_TYPED_BONDED_H

#include "../host.h"

typedef struct AmphiBonded AmphiBonded;

/* Kernel constants of the system's bond rules, in the arena. NULL when there is no memory. */
AmphiBonded *amphi_bonded_new(const AmphiSystem *system, AmphiArena *arena);

/* Adds forces and torques to the bodies, energies, virials and counts to the sums. */
void amphi_bonded_add(const AmphiBonded *bonded, AmphiBodies *bodies, AmphiSums *sums);

/* kJ/mol of the terms that bead is in, with that bead alone moved and turned. */
double amphi_bonded_energy_with(const AmphiBonded *bonded, const AmphiBodies *bodies, int32_t bead,
                                const double position[3], const double orientation[4]);

#endif
