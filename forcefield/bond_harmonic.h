/* Harmonic bond: u = k (r - r0)^2, without 1/2.  ELBA: Orsi & Essex, PLoS ONE 6, e28637 (2011). */
#ifndef AMPHI_FORCEFIELD_BOND_HARMONIC_H
#define AMPHI_FORCEFIELD_BOND_HARMONIC_H

#include "bond.h"

/* element, name, formula, source: for the reader and `amphi describe`. */
#define bond_harmonic_about                                                                        \
    "bond", "harmonic", "u = k (r - length)^2, without 1/2",                                       \
        "Orsi & Essex, PLoS ONE 6, e28637 (2011)"

#define bond_harmonic_fields(FIELD)                                                                \
    FIELD(k, ENERGY_PER_AREA, NON_NEGATIVE, NULL, "E = k (r - length)^2, without 1/2")             \
    FIELD(length, LENGTH, POSITIVE, NULL, "length at rest")

BOND_INPUT(bond_harmonic);

struct bond_harmonic {
    scalar k, length;
};

static inline struct bond_harmonic bond_harmonic_prepare(const struct bond_harmonic_input *in)
{
    return (struct bond_harmonic){ (scalar)in->k, (scalar)in->length };
}

AMPHI_BOTH BondResult bond_harmonic(const struct bond_harmonic *p, const BondGeometry *g)
{
    const real3 d = g->x[1];
    const real  r = square_root(dot3(d, d));
    const real  x = r - p->length;

    BondResult out = { 0 };
    out.u          = p->k * x * x;
    out.f[0]       = scale3(R(2) * p->k * x / r, d);
    out.f[1]       = neg3(out.f[0]);
    return out;
}

#endif
