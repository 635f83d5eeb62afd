/* Bonded terms in fixed precision: what the cpu backend has instead of bonded.h. Untyped. */
#ifndef AMPHI_TYPED_BONDED_FIXED_H
#define AMPHI_TYPED_BONDED_FIXED_H

#include "../host.h"

typedef struct AmphiBondedFixed AmphiBondedFixed;

/* Kernel constants of the system's bond rules, in the arena. NULL when there is no memory. */
AmphiBondedFixed *amphi_bonded_fixed_new(const AmphiSystem *system, AmphiArena *arena);

/* Adds to the bodies' whole numbers (bodies_fixed.h): forces, torques, potential, virial, a fault;
 * energies, virials and counts by term to the sums. */
void amphi_bonded_fixed_add(const AmphiBondedFixed *bonded, AmphiBodies *bodies, AmphiSums *sums);

#endif
