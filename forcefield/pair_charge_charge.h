/* Two point charges with any of their treatments.
 *
 *   u(r) = K q_i q_j v(r),  v = 1/r + c0 + c1 r + c2 r^2
 *   f    = K q_i q_j [1/r^3 - c1 / r - 2 c2] d
 *
 * K = coulomb / relative permittivity. ELBA's (1/r)(1 - r/r_c)^2 is 1/r - 2/r_c + r/r_c^2, the
 * force shift (Orsi & Essex, PLoS ONE 6, e28637 (2011)). Reaction field: c2 = k_rf/2 and c0 such
 * that v(r_c) = 0 (Tironi et al., J. Chem. Phys. 102, 5451 (1995)).
 */
#ifndef AMPHI_FORCEFIELD_PAIR_CHARGE_CHARGE_H
#define AMPHI_FORCEFIELD_PAIR_CHARGE_CHARGE_H

#include "pair.h"

#define pair_charge_charge_about                                                                   \
    "charges", "charge-charge", "u = K q_i q_j / r", "Orsi & Essex, PLoS ONE 6, e28637 (2011)",    \
        "truncated energy-shift force-shift shifted-factors reaction-field switched"

#define pair_charge_charge_fields(FIELD)                                                           \
    FIELD(coulomb, COULOMB, POSITIVE, NULL, "Coulomb constant over relative permittivity")

PAIR_INPUT(pair_charge_charge);

struct pair_charge_charge {
    scalar k, c0, c1, c2;
};

static inline struct pair_charge_charge
pair_charge_charge_prepare(const struct pair_charge_charge_input *in, const AmphiTreatment *t)
{
    const double rc = t->cutoff_nm;
    const double k2 = 0.5 * amphi_reaction_field(t);
    AmphiShift   c  = amphi_shift(t, 1 / rc, -1 / (rc * rc));

    if (t->type == AMPHI_REACTION_FIELD)
        c = (AmphiShift){ -1 / rc - k2 * rc * rc, 0, k2 };
    return (struct pair_charge_charge){
        .k  = (scalar)in->coulomb,
        .c0 = (scalar)c.c0,
        .c1 = (scalar)c.c1,
        .c2 = (scalar)c.c2,
    };
}

AMPHI_BOTH PairParts pair_charge_charge(const struct pair_charge_charge *p, const PairGeometry *g)
{
    const real r  = g->r2 * g->inv_r;
    const real kq = p->k * (g->charge_i * g->charge_j);
    const real i2 = fused(g->inv_r, g->inv_r, spread(-p->c1));
    const real f  = fused(g->inv_r, i2, spread(R(-2) * p->c2));

    PairParts out = { 0 };
    out.u  = kq * (g->inv_r + fused(fused(spread(p->c2), r, spread(p->c1)), r, spread(p->c0)));
    out.fd = kq * f;
    return out;
}

#endif
