/* The loop over bonded terms in fixed precision, which the cpu backend uses instead of bonded.h. */
#ifndef AMPHI_TYPED_BONDED_FIXED_H
#define AMPHI_TYPED_BONDED_FIXED_H

#include "../host.h"

typedef struct AmphiBondedFixed AmphiBondedFixed;

/* Kernel constants of the system's bond rules, in the arena. NULL when there is no memory. */
AmphiBondedFixed *amphi_bonded_fixed_new(const AmphiSystem *system, AmphiArena *arena);

/* Adds forces, torques, potential, virial and a fault to the integers of the bodies
 * (bodies_fixed.h), and their totals to the sums; if needs has AMPHI_NEED_ENERGY, energies, virials
 * and counts by term too. */
void amphi_bonded_fixed_add(const AmphiBondedFixed *bonded, AmphiBodies *bodies, uint32_t needs,
                            AmphiSums *sums);

#endif
