/* Harmonic angle of beads 1, 2 (vertex), 3: u = k (t - t0)^2, without 1/2.
 *
 * du/d(cos t) = -2 k (t - t0)/sin t. At a straight angle the ratio (t - t0)/sin t is a limit when
 * t0 is 180 degrees, and the term has a kink for every other t0 (as any function of t has): sin t
 * is kept above 1e-6 of one, which bounds the force there. Allen & Tildesley, Computer Simulation
 * of Liquids, 2nd ed. (2017), appendix C.
 */
#ifndef AMPHI_FORCEFIELD_ANGLE_HARMONIC_H
#define AMPHI_FORCEFIELD_ANGLE_HARMONIC_H

#include "bond.h"

/* element, name, formula, source: for the reader and `amphi describe`. */
#define angle_harmonic_about                                                                       \
    "angle", "harmonic", "u = k (t - angle)^2, without 1/2",                                       \
        "Allen & Tildesley, Computer Simulation of Liquids (2017)"

#define angle_harmonic_fields(FIELD)                                                               \
    FIELD(k, ENERGY_PER_ANGLE2, NON_NEGATIVE, NULL, "E = k (t - angle)^2, without 1/2")            \
    FIELD(angle, ANGLE, HALF_TURN, NULL, "angle at rest")

BOND_INPUT(angle_harmonic);

struct angle_harmonic {
    scalar k, angle;
};

static inline struct angle_harmonic angle_harmonic_prepare(const struct angle_harmonic_input *in)
{
    return (struct angle_harmonic){ (scalar)in->k, (scalar)in->angle };
}

AMPHI_BOTH BondResult angle_harmonic(const struct angle_harmonic *p, const BondGeometry *g)
{
    const real3 a = neg3(g->x[1]), b = sub3(g->x[2], g->x[1]);
    const real3 n     = cross3(a, b);
    const real  inv_a = inv_sqrt(dot3(a, a)), inv_b = inv_sqrt(dot3(b, b));
    const real  c     = dot3(a, b) * inv_a * inv_b;
    const real  s     = square_root(dot3(n, n)) * inv_a * inv_b;
    const real  floor = choose(s > R(1e-6), s, spread(R(1e-6)));
    const real  D     = angle_of(s, c) - p->angle;
    const real  k2    = R(2) * p->k * D / floor;

    BondResult out = { 0 };
    out.u          = p->k * D * D;
    out.f[0]       = sub3(scale3(k2 * inv_a * inv_b, b), scale3(k2 * c * inv_a * inv_a, a));
    out.f[2]       = sub3(scale3(k2 * inv_a * inv_b, a), scale3(k2 * c * inv_b * inv_b, b));
    out.f[1]       = neg3(add3(out.f[0], out.f[2]));
    return out;
}

#endif
