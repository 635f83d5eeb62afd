/* Orientation of a dipole (bead 1) towards a reference bead 2: u = k (cos g - cos g0)^2, without
 * 1/2; cos g = u.e with e the direction from the dipole to the reference, D = cos g - cos g0:
 *
 *   t1 = 2 k D e x u,  f2 = -2 k D (u - (u.e) e)/|d|,  f1 = -f2.
 *
 * f2 is across d: no trace in the virial. Shkurti, Orsi et al. and ELBA: Orsi & Essex, PLoS ONE 6,
 * e28637 (2011).
 */
#ifndef AMPHI_FORCEFIELD_DIPOLE_RESTRAINT_H
#define AMPHI_FORCEFIELD_DIPOLE_RESTRAINT_H

#include "../engine/num/elementary.h"
#include "bond.h"

/* element, name, formula, source: for the reader and `amphi describe`. */
#define dipole_restraint_about                                                                     \
    "orientation", "dipole-restraint", "u = k (cos g - cos angle)^2, without 1/2",                 \
        "Orsi & Essex, PLoS ONE 6, e28637 (2011)"

#define dipole_restraint_fields(FIELD)                                                             \
    FIELD(k, ENERGY, NON_NEGATIVE, NULL, "E = k (cos g - cos angle)^2, without 1/2")               \
    FIELD(angle, ANGLE, HALF_TURN, "0 deg", "angle at rest between the dipole and the bond")

BOND_INPUT(dipole_restraint);

struct dipole_restraint {
    scalar k, cos0;
};

static inline struct dipole_restraint
dipole_restraint_prepare(const struct dipole_restraint_input *in)
{
    return (struct dipole_restraint){ (scalar)in->k, (scalar)sine_cosine(in->angle).cosine };
}

AMPHI_BOTH BondResult dipole_restraint(const struct dipole_restraint *p, const BondGeometry *g)
{
    const real3 d     = g->x[1];
    const real  inv_d = inv_sqrt(dot3(d, d));
    const real3 e     = scale3(inv_d, d);
    const real  c     = dot3(g->u[0], e);
    const real  k2    = R(2) * p->k * (c - p->cos0);

    BondResult out = { 0 };
    out.u          = p->k * (c - p->cos0) * (c - p->cos0);
    out.t[0]       = scale3(k2, cross3(e, g->u[0]));
    out.f[0]       = scale3(k2 * inv_d, sub3(g->u[0], scale3(c, e)));
    out.f[1]       = neg3(out.f[0]);
    return out;
}

#endif
