/* Cosine-squared angle of beads 1, 2 (vertex), 3: u = k (cos t - cos t0)^2, without 1/2.
 *
 * With arms a = x1 - x2, b = x3 - x2, c = cos t and D = c - c0:
 *   f1 = -2 k D (b/(|a||b|) - c a/|a|^2),  f3 = -2 k D (a/(|a||b|) - c b/|b|^2),  f2 = -(f1 + f3).
 * ELBA: Orsi & Essex, PLoS ONE 6, e28637 (2011).
 */
#ifndef AMPHI_FORCEFIELD_ANGLE_COSINE_SQUARED_H
#define AMPHI_FORCEFIELD_ANGLE_COSINE_SQUARED_H

#include "../engine/num/elementary.h"
#include "bond.h"

/* element, name, formula, source: for the reader and `amphi describe`. */
#define angle_cosine_squared_about                                                                 \
    "angle", "cosine-squared", "u = k (cos t - cos angle)^2, without 1/2",                         \
        "Orsi & Essex, PLoS ONE 6, e28637 (2011)"

#define angle_cosine_squared_fields(FIELD)                                                         \
    FIELD(k, ENERGY, NON_NEGATIVE, NULL, "E = k (cos t - cos angle)^2, without 1/2")               \
    FIELD(angle, ANGLE, HALF_TURN, NULL, "angle at rest")

BOND_INPUT(angle_cosine_squared);

struct angle_cosine_squared {
    scalar k, cos0;
};

static inline struct angle_cosine_squared
angle_cosine_squared_prepare(const struct angle_cosine_squared_input *in)
{
    return (struct angle_cosine_squared){ (scalar)in->k, (scalar)sine_cosine(in->angle).cosine };
}

AMPHI_BOTH BondResult angle_cosine_squared(const struct angle_cosine_squared *p,
                                           const BondGeometry                *g)
{
    const real3 a = neg3(g->x[1]), b = sub3(g->x[2], g->x[1]);
    const real  inv_a = inv_sqrt(dot3(a, a)), inv_b = inv_sqrt(dot3(b, b));
    const real  c  = dot3(a, b) * inv_a * inv_b;
    const real  D  = c - p->cos0;
    const real  k2 = R(-2) * p->k * D;

    BondResult out = { 0 };
    out.u          = p->k * D * D;
    out.f[0]       = sub3(scale3(k2 * inv_a * inv_b, b), scale3(k2 * c * inv_a * inv_a, a));
    out.f[2]       = sub3(scale3(k2 * inv_a * inv_b, a), scale3(k2 * c * inv_b * inv_b, b));
    out.f[1]       = neg3(add3(out.f[0], out.f[2]));
    return out;
}

#endif
