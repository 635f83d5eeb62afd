/* Lennard-Jones with any of its shifts.
 *
 *   u(r) = 4 e [(s/r)^12 - (s/r)^6] + c0 + c1 r + c2 r^2
 *   f    = [24 e (2 (s/r)^12 - (s/r)^6) / r^2 - c1 / r - 2 c2] d
 *
 * The kernel constants are those of the force: A = 48 e s^12, B = 24 e s^6 and D = 2 c2.
 *
 * c0, c1, c2 belong to the treatment (treatment.h). Isotropic: no torque. The quadratic shift is
 * ELBA's: Orsi & Essex, PLoS ONE 6, e28637 (2011), with the form of Stoddard & Ford (1973).
 */
#ifndef AMPHI_FORCEFIELD_PAIR_LJ_H
#define AMPHI_FORCEFIELD_PAIR_LJ_H

#include "pair.h"

/* element, name, formula, source, treatments: for the reader and `amphi describe`. */
#define pair_lj_about                                                                              \
    "pair", "lennard-jones", "u = 4 epsilon [(sigma/r)^12 - (sigma/r)^6]",                         \
        "Orsi & Essex, PLoS ONE 6, e28637 (2011)",                                                 \
        "truncated energy-shift force-shift quadratic-shift switched"

#define pair_lj_fields(FIELD)                                                                      \
    FIELD(epsilon, ENERGY, NON_NEGATIVE, NULL, "depth of the bare well")                           \
    FIELD(sigma, LENGTH, POSITIVE, NULL, "distance where the bare energy is zero")

PAIR_INPUT(pair_lj);

struct pair_lj {
    scalar A, B, D, c0, c1;
};

static inline struct pair_lj pair_lj_prepare(const struct pair_lj_input *in,
                                             const AmphiTreatment       *t)
{
    const double     s3 = in->sigma * in->sigma * in->sigma;
    const double     x3 = s3 / (t->cutoff_nm * t->cutoff_nm * t->cutoff_nm);
    const double     B  = 24 * in->epsilon * (s3 * s3);
    const double     s6 = x3 * x3;
    const double     u  = 4 * in->epsilon * s6 * (s6 - 1);
    const double     du = -24 * in->epsilon * s6 * (2 * s6 - 1) / t->cutoff_nm;
    const AmphiShift c  = amphi_shift(t, u, du);

    return (struct pair_lj){
        .A  = (scalar)(2 * B * (s3 * s3)),
        .B  = (scalar)B,
        .D  = (scalar)(2 * c.c2),
        .c0 = (scalar)c.c0,
        .c1 = (scalar)c.c1,
    };
}

AMPHI_BOTH PairParts pair_lj(const struct pair_lj *p, const PairGeometry *g)
{
    const real r  = g->r2 * g->inv_r;
    const real i2 = g->inv_r * g->inv_r;
    const real i3 = i2 * g->inv_r;
    const real i6 = i3 * i3;

    PairParts out = { 0 };
    out.u         = fused(i6, fused(spread(R(1.0 / 12) * p->A), i6, spread(R(-1.0 / 6) * p->B)),
                          fused(fused(spread(R(0.5) * p->D), r, spread(p->c1)), r, spread(p->c0)));
    out.fd        = fused(i6 * i2, fused(spread(p->A), i6, spread(-p->B)),
                          -fused(spread(p->c1), g->inv_r, spread(p->D)));
    return out;
}

#endif
