/* Coupling of an ellipsoid's axis u (bead 1) to the direction t from bead 2 to bead 3 of its chain:
 *
 *   u = k [1 - (u.t)^2],  c = u.t,  t1 = 2 k c u x t,  f3 = 2 k c (u - c t)/L,  f2 = -f3.
 *
 * The ellipsoid may itself be bead 2 or 3 (ends of a chain): the results are added. Ours, for the
 * B08o model (forcefield/brahms-style.xml).
 */
#ifndef AMPHI_FORCEFIELD_BOND_AXIS_H
#define AMPHI_FORCEFIELD_BOND_AXIS_H

#include "bond.h"

/* element, name, formula, source: for the reader and `amphi describe`. */
#define bond_axis_about                                                                            \
    "orientation", "bond-axis", "u = k [1 - (u.t)^2], without 1/2", "ours: the B08o model"

#define bond_axis_fields(FIELD)                                                                    \
    FIELD(k, ENERGY, NON_NEGATIVE, NULL, "E = k [1 - (u.t)^2], without 1/2")

BOND_INPUT(bond_axis);

struct bond_axis {
    scalar k;
};

static inline struct bond_axis bond_axis_prepare(const struct bond_axis_input *in)
{
    return (struct bond_axis){ (scalar)in->k };
}

AMPHI_BOTH BondResult bond_axis(const struct bond_axis *p, const BondGeometry *g)
{
    const real3 d     = sub3(g->x[2], g->x[1]);
    const real  inv_d = inv_sqrt(dot3(d, d));
    const real3 t     = scale3(inv_d, d);
    const real  c     = dot3(g->u[0], t);
    const real  k2    = R(2) * p->k * c;

    BondResult out = { 0 };
    out.u          = p->k * (R(1) - c * c);
    out.t[0]       = scale3(k2, cross3(g->u[0], t));
    out.f[2]       = scale3(k2 * inv_d, sub3(g->u[0], scale3(c, t)));
    out.f[1]       = neg3(out.f[2]);
    return out;
}

#endif
