/* The loop over bonded terms, including position restraints of the system, in double; shared by the
 * backends on the host.
 */
#ifndef AMPHI_TYPED_BONDED_H
#define AMPHI_TYPED_BONDED_H

#include "../host.h"

typedef struct AmphiBonded AmphiBonded;

/* Kernel constants of the system's bond rules, in the arena. NULL when there is no memory. */
AmphiBonded *amphi_bonded_new(const AmphiSystem *system, AmphiArena *arena);

/* Adds forces and torques to the bodies, energies, virials and counts to the sums. */
void amphi_bonded_add(const AmphiBonded *bonded, AmphiBodies *bodies, AmphiSums *sums);

/* The same in three parts. The first two are shared among the threads of a parallel region: all of
 * them must be through with the first, and forces have been set, when the second begins. */
void amphi_bonded_visit(const AmphiBonded *bonded, const AmphiBodies *bodies);
void amphi_bonded_add_forces(const AmphiBonded *bonded, AmphiBodies *bodies);
void amphi_bonded_add_sums(const AmphiBonded *bonded, AmphiSums *sums);

/* The energy in kJ/mol of all terms that a bead takes part in, with this bead at another position
 * and orientation. */
double amphi_bonded_energy_with(const AmphiBonded *bonded, const AmphiBodies *bodies, int32_t bead,
                                const double position[3], const double orientation[4]);

#endif
