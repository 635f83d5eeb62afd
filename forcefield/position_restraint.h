/* A bead held near a place in the box: u = sum over axes of k_a x_a^2, without 1/2, with x the
 * displacement from the anchor (nearest image).
 *
 * The one bonded term whose forces do not sum to zero. Its virial x f is that of a bond to the
 * anchor: anchors move with the box.
 */
#ifndef AMPHI_FORCEFIELD_POSITION_RESTRAINT_H
#define AMPHI_FORCEFIELD_POSITION_RESTRAINT_H

#include "bond.h"

/* element, name, formula, source: for the reader and `amphi describe`. */
#define position_restraint_about                                                                   \
    "restrain", "position", "u = k_x x^2 + k_y y^2 + k_z z^2, without 1/2", "ours"

#define position_restraint_fields(FIELD)                                                           \
    FIELD(k_x, ENERGY_PER_AREA, NON_NEGATIVE, NULL, "E = k_x x^2, without 1/2")                    \
    FIELD(k_y, ENERGY_PER_AREA, NON_NEGATIVE, NULL, "E = k_y y^2, without 1/2")                    \
    FIELD(k_z, ENERGY_PER_AREA, NON_NEGATIVE, NULL, "E = k_z z^2, without 1/2")

BOND_INPUT(position_restraint);

struct position_restraint {
    scalar kx, ky, kz;
};

static inline struct position_restraint
position_restraint_prepare(const struct position_restraint_input *in)
{
    return (struct position_restraint){ (scalar)in->k_x, (scalar)in->k_y, (scalar)in->k_z };
}

AMPHI_BOTH BondResult position_restraint(const struct position_restraint *p, const BondGeometry *g)
{
    const real3 x = g->x[0];
    const real3 f = { R(-2) * p->kx * x.x, R(-2) * p->ky * x.y, R(-2) * p->kz * x.z };

    BondResult out = { 0 };
    out.u          = R(-0.5) * dot3(f, x);
    out.f[0]       = f;
    return out;
}

#endif
