/* Two point dipoles p (on i) and q (on j) with any of their treatments.
 *
 *   u  = K [ (p.q) h(r) - 3 (p.d)(q.d) w(r) / r^2 ],   h = 1/r^3 + b0 + b1 r,  w = 1/r^3 + e0 + e1 r
 *   f  = K { [3 (p.q) (1/r^5 - b1/(3 r)) - 3 (p.d)(q.d) W] d + 3 (w/r^2) [(q.d) p + (p.d) q] }
 *        with W = 5/r^7 + 2 e0/r^4 + e1/r^3
 *   ti = K [ 3 (w/r^2) (q.d) p x d - h p x q ]
 *
 * h and 3 w are the radial functions -v21 and v22. Energy and force shift act on each of them; the
 * force shift is ELBA's factor B = 1 - 4 x^3 + 3 x^4, x = r/r_c (Orsi & Essex, PLoS ONE 6, e28637
 * (2011)). Reaction field: b0 = -k_rf, no self term (Barker & Watts, Mol. Phys. 26, 789 (1973)).
 */
#ifndef AMPHI_FORCEFIELD_PAIR_DIPOLE_DIPOLE_H
#define AMPHI_FORCEFIELD_PAIR_DIPOLE_DIPOLE_H

#include "pair.h"

#define pair_dipole_dipole_about                                                                   \
    "dipoles", "dipole-dipole", "u = K [mu_i.mu_j / r^3 - 3 (mu_i.d)(mu_j.d) / r^5]",              \
        "Orsi & Essex, PLoS ONE 6, e28637 (2011)",                                                 \
        "truncated energy-shift force-shift shifted-factors reaction-field switched"

#define pair_dipole_dipole_fields(FIELD)                                                           \
    FIELD(coulomb, COULOMB, POSITIVE, NULL, "Coulomb constant over relative permittivity")

PAIR_INPUT(pair_dipole_dipole);

struct pair_dipole_dipole {
    scalar k, b0, b1, e0, e1;
};

static inline struct pair_dipole_dipole
pair_dipole_dipole_prepare(const struct pair_dipole_dipole_input *in, const AmphiTreatment *t)
{
    const double     i3 = 1 / (t->cutoff_nm * t->cutoff_nm * t->cutoff_nm);
    const AmphiShift c  = amphi_shift(t, i3, -3 * i3 / t->cutoff_nm);

    return (struct pair_dipole_dipole){
        .k  = (scalar)in->coulomb,
        .b0 = (scalar)(c.c0 - amphi_reaction_field(t)),
        .b1 = (scalar)c.c1,
        .e0 = (scalar)c.c0,
        .e1 = (scalar)c.c1,
    };
}

AMPHI_BOTH PairResult pair_dipole_dipole(const struct pair_dipole_dipole *p, const PairGeometry *g)
{
    const real  r  = g->r2 * g->inv_r;
    const real  i2 = g->inv_r * g->inv_r;
    const real  i3 = i2 * g->inv_r;
    const real  pd = dot3(g->axis_i, g->d);
    const real  qd = dot3(g->axis_j, g->d);
    const real  pq = dot3(g->axis_i, g->axis_j);
    const real  h  = p->k * (i3 + (p->b0 + p->b1 * r));
    const real  w  = p->k * (R(3) * i2) * (i3 + (p->e0 + p->e1 * r));
    const real  h1 = p->k * (R(3) * i2 * i3 - p->b1 * g->inv_r);
    const real  w1 = p->k * (R(3) * i2) * (R(5) * i2 * i3 + R(2) * p->e0 * i2 + p->e1 * g->inv_r);
    const real3 px = cross3(g->axis_i, g->axis_j);
    const real3 pd_cross = cross3(g->axis_i, g->d);
    const real3 qd_cross = cross3(g->axis_j, g->d);

    PairResult out;
    out.u  = pq * h - pd * qd * w;
    out.f  = add3(scale3(pq * h1 - pd * qd * w1, g->d),
                  add3(scale3(w * qd, g->axis_i), scale3(w * pd, g->axis_j)));
    out.ti = sub3(scale3(w * qd, pd_cross), scale3(h, px));
    out.tj = add3(scale3(w * pd, qd_cross), scale3(h, px));
    return out;
}

#endif
