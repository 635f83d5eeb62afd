/* A point charge and a point dipole, either way round, with any of their treatments.
 *
 *   charge i, dipole q on j:  u = + K c_i (q.d) D(r)
 *   dipole p on i, charge j:  u = - K c_j (p.d) D(r),      D = 1/r^3 + a/r + b
 *   f   = K c_i [(q.d) (3/r^5 + a/r^3) d - D q],  t_j = - K c_i D q x d      (first form)
 *
 * Energy shift: of the radial function v11 = 1/r^2, D = (v11 - v11(r_c)) / r. Force shift: of v11
 * too, which is ELBA's A/r^3 with A = 1 - 3 x^2 + 2 x^3, x = r/r_c (Orsi & Essex, PLoS ONE 6,
 * e28637 (2011)). Reaction field: b = -k_rf.
 */
#ifndef AMPHI_FORCEFIELD_PAIR_CHARGE_DIPOLE_H
#define AMPHI_FORCEFIELD_PAIR_CHARGE_DIPOLE_H

#include "pair.h"

#define pair_charge_dipole_about                                                                   \
    "dipoles", "charge-dipole", "u = K q_i (mu_j.d) / r^3",                                        \
        "Orsi & Essex, PLoS ONE 6, e28637 (2011)",                                                 \
        "truncated energy-shift force-shift shifted-factors reaction-field switched"
#define pair_dipole_charge_about                                                                   \
    "dipoles", "dipole-charge", "u = -K q_j (mu_i.d) / r^3",                                       \
        "Orsi & Essex, PLoS ONE 6, e28637 (2011)",                                                 \
        "truncated energy-shift force-shift shifted-factors reaction-field switched"

#define pair_charge_dipole_fields(FIELD)                                                           \
    FIELD(coulomb, COULOMB, POSITIVE, NULL, "Coulomb constant over relative permittivity")
#define pair_dipole_charge_fields pair_charge_dipole_fields

PAIR_INPUT(pair_charge_dipole);
PAIR_INPUT(pair_dipole_charge);

struct pair_charge_dipole {
    scalar k, a, b;
};
struct pair_dipole_charge {
    struct pair_charge_dipole mirror;
};

static inline struct pair_charge_dipole
pair_charge_dipole_prepare(const struct pair_charge_dipole_input *in, const AmphiTreatment *t)
{
    const double     rc = t->cutoff_nm;
    const AmphiShift c  = amphi_shift(t, 1 / (rc * rc), -2 / (rc * rc * rc));

    return (struct pair_charge_dipole){
        .k = (scalar)in->coulomb,
        .a = (scalar)c.c0,
        .b = (scalar)(c.c1 - amphi_reaction_field(t)),
    };
}

static inline struct pair_dipole_charge
pair_dipole_charge_prepare(const struct pair_dipole_charge_input *in, const AmphiTreatment *t)
{
    const struct pair_charge_dipole_input same = { in->coulomb };

    return (struct pair_dipole_charge){ pair_charge_dipole_prepare(&same, t) };
}

/* u = K c (dipole.d) D and its slopes, with d from the dipole to the charge if c is the charge. */
typedef struct {
    real u, fd, fe; /* fe: -du/d(dipole.d) */
} ChargeDipole;

AMPHI_BOTH ChargeDipole charge_dipole(const struct pair_charge_dipole *p, real inv_r, real charge,
                                      real3 dipole, real3 d)
{
    const real i2 = inv_r * inv_r;
    const real kc = p->k * charge;
    const real D  = kc * fused(inv_r, i2 + p->a, spread(p->b));
    const real D1 = kc * (i2 * inv_r * fused(spread(R(3)), i2, spread(p->a)));
    const real qd = dot3(dipole, d);

    const ChargeDipole out = { D * qd, D1 * qd, -D };
    return out;
}

AMPHI_BOTH PairParts pair_dipole_charge(const struct pair_dipole_charge *p, const PairGeometry *g)
{
    const ChargeDipole c = charge_dipole(&p->mirror, g->inv_r, -g->charge_j, g->axis_i, g->d);

    PairParts out = { 0 };
    out.u         = c.u;
    out.fd        = c.fd;
    out.fp        = c.fe;
    return out;
}

AMPHI_BOTH PairParts pair_charge_dipole(const struct pair_charge_dipole *p, const PairGeometry *g)
{
    const ChargeDipole c = charge_dipole(p, g->inv_r, g->charge_i, g->axis_j, g->d);

    PairParts out = { 0 };
    out.u         = c.u;
    out.fd        = c.fd;
    out.fq        = c.fe;
    return out;
}

#endif
