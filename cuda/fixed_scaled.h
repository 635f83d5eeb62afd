/* Constants of pair terms in units of force: every formula is of the first degree in them, and the
 * factor is a power of two, so that what comes out is that much larger to the last bit, and no pair
 * need be multiplied.
 */
#ifndef AMPHI_CUDA_FIXED_SCALED_H
#define AMPHI_CUDA_FIXED_SCALED_H

#include "../forcefield/pairs.h"

__device__ static inline void scale_dipoles(struct pair_dipole_dipole *p, scalar s)
{
    p->k3 *= s;
    p->k9 *= s;
    p->e0 *= s;
    p->e1 *= s;
    p->rf *= s;
    p->e1_third *= s;
    p->k1 *= s;
    p->k_third *= s;
    p->rf_third *= s;
}

__device__ static inline void scale_lj(struct pair_lj *p, scalar s)
{
    p->A *= s;
    p->B *= s;
    p->D *= s;
    p->c0 *= s;
    p->c1 *= s;
}

/* Constants of a kind that is not named here would go into forces without the factor. */
static_assert((int)PAIR_KINDS == 8, "another pair potential: let scaled_term scale it, count it");

/* Of any kind but the sticky one. */
template <int KIND> __device__ static inline PairTerm scaled_term(PairTerm term, scalar s)
{
    if (KIND == PAIR_lj)
        scale_lj(&term.as.lj, s);
    if (KIND == PAIR_charge_charge)
        term.as.charge_charge.k *= s;
    if (KIND == PAIR_charge_dipole)
        term.as.charge_dipole.k *= s;
    if (KIND == PAIR_dipole_charge)
        term.as.dipole_charge.mirror.k *= s;
    if (KIND == PAIR_dipole_dipole)
        scale_dipoles(&term.as.dipole_dipole, s);
    if (KIND == PAIR_gay_berne)
        term.as.gay_berne.eps4 *= s;
    if (KIND == PAIR_gay_berne_shifted)
        term.as.gay_berne_shifted.bare.eps4 *= s;
    return term;
}

#endif
