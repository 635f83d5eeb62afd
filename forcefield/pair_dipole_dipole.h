/* Two point dipoles p (on i) and q (on j) with any of their treatments.
 *
 *   u  = K [ (p.q) h(r) - 3 (p.d)(q.d) w(r) / r^2 ],   w = 1/r^3 + e0 + e1 r,   h = w - k_rf
 *   f  = K { [(p.q) H - 3 (p.d)(q.d) W / r^2] d + 3 (w/r^2) [(q.d) p + (p.d) q] }
 *        with H = 3/r^5 - e1/r,  W = 2 w/r^2 + H
 *   ti = K [ 3 (w/r^2) (q.d) p x d - h p x q ]
 *
 * h and 3 w are the radial functions -v21 and v22. Energy and force shift act on each of them; the
 * force shift is ELBA's factor B = 1 - 4 x^3 + 3 x^4, x = r/r_c (Orsi & Essex, PLoS ONE 6, e28637
 * (2011)). Reaction field: k_rf, no self term (Barker & Watts, Mol. Phys. 26, 789 (1973)).
 *
 * The kernel constants contain the factors 3 K and 9 K.
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
    scalar k3, k9, e0, e1, rf;
    scalar e1_third;              /* of pair_dipoles_shifted and _alike */
    scalar k1, k_third, rf_third; /* of pair_dipoles_switched */
};

static inline struct pair_dipole_dipole
pair_dipole_dipole_prepare(const struct pair_dipole_dipole_input *in, const AmphiTreatment *t)
{
    const double     K  = in->coulomb;
    const double     i3 = 1 / (t->cutoff_nm * t->cutoff_nm * t->cutoff_nm);
    const AmphiShift c  = amphi_shift(t, i3, -3 * i3 / t->cutoff_nm);

    return (struct pair_dipole_dipole){
        .k3       = (scalar)(3 * K),
        .k9       = (scalar)(9 * K),
        .e0       = (scalar)(3 * K * c.c0),
        .e1       = (scalar)(3 * K * c.c1),
        .rf       = (scalar)(K * amphi_reaction_field(t)),
        .e1_third = (scalar)(K * c.c1),
        .k1       = (scalar)K,
        .k_third  = (scalar)(K / 3),
        .rf_third = (scalar)(K * amphi_reaction_field(t) / 3),
    };
}

AMPHI_BOTH PairParts pair_dipole_dipole(const struct pair_dipole_dipole *p, const PairGeometry *g)
{
    const real r  = g->r2 * g->inv_r;
    const real i2 = g->inv_r * g->inv_r;
    const real i3 = i2 * g->inv_r;
    const real pd = dot3(g->axis_i, g->d);
    const real qd = dot3(g->axis_j, g->d);
    const real pq = dot3(g->axis_i, g->axis_j);
    const real w3 = fused(spread(p->k3), i3, fused(spread(p->e1), r, spread(p->e0)));
    const real H3 = fused(spread(p->k9), i2 * i3, -(p->e1 * g->inv_r));
    const real wi = w3 * i2;
    const real W3 = fused(spread(R(2)), wi, H3);
    const real mh = fused(spread(R(-1.0 / 3)), w3, spread(p->rf)); /* -h */

    PairParts out;
    out.u  = -fused(pq, mh, pd * qd * wi);
    out.fd = fused(R(1.0 / 3) * H3, pq, -(pd * qd * (W3 * i2)));
    out.fp = wi * qd;
    out.fq = wi * pd;
    out.fz = mh;
    return out;
}

/* The same without a reaction field, and a force along d besides, in other parts: for a loop over
 * many j whose instructions count. What the field of q does is, with q' = q - 3 (q.d) d / r^2,
 *
 *   f = { (p.q') H + t3 (p.d) (q.d) / r^2 } d + t3 [(q.d) p + (p.d) q'],   -3 g_i = t3 r^2 q'
 *       with t3 = 3 w / r^2 and H as above
 *
 *   f = fd d + t3 (q.d) p + fq q',  -3 g_i = fz q',  q' = q + m d */
typedef struct {
    real  fd, fq, fz, t3, qd, m;
    real3 turned; /* q' */
} DipoleParts;

AMPHI_BOTH DipoleParts pair_dipoles_shifted(const struct pair_dipole_dipole *p,
                                            const PairGeometry *g, real more_fd)
{
    const real  i2 = g->inv_r * g->inv_r;
    const real  i5 = p->k3 * (i2 * (i2 * g->inv_r));
    const real  H  = fused(spread(-p->e1_third), g->inv_r, i5);
    const real  t3 = fused(spread(p->e0), i2, fused(spread(p->e1), g->inv_r, i5));
    const real  qd = dot3(g->axis_j, g->d);
    const real  qi = i2 * qd, m = R(-3) * qi;
    const real3 q = { fused(m, g->d.x, g->axis_j.x), fused(m, g->d.y, g->axis_j.y),
                      fused(m, g->d.z, g->axis_j.z) };
    DipoleParts out;

    out.fq     = t3 * dot3(g->axis_i, g->d);
    out.fd     = fused(H, dot3(g->axis_i, q), fused(out.fq, qi, more_fd));
    out.fz     = t3 * g->r2;
    out.t3     = t3;
    out.qd     = qd;
    out.m      = m;
    out.turned = q;
    return out;
}

/* The formulas at the top, and a force along d besides, in fewer operations, for the same loops;
 * also for those of fixed precision, as all round alike when i and j are exchanged. With t3 and H
 * as above
 *
 *   fd = H [p.q - 3 (p.d)(q.d)/r^2] - 2 t3 (p.d)(q.d)/r^2,   fz = k_rf - t3 r^2 / 3 */
AMPHI_BOTH PairParts pair_dipoles_alike(const struct pair_dipole_dipole *p, const PairGeometry *g,
                                        real more_fd)
{
    const real i2    = g->inv_r * g->inv_r;
    const real i5    = p->k3 * (i2 * (i2 * g->inv_r));
    const real H     = fused(spread(-p->e1_third), g->inv_r, i5);
    const real t3    = fused(spread(p->e0), i2, fused(spread(p->e1), g->inv_r, i5));
    const real pd    = dot3(g->axis_i, g->d);
    const real qd    = dot3(g->axis_j, g->d);
    const real pq    = dot3(g->axis_i, g->axis_j);
    const real along = pd * qd * (R(-2) * i2);
    const real w3    = t3 * g->r2;
    PairParts  out;

    out.fd = fused(H, fused(spread(R(1.5)), along, pq), fused(t3, along, more_fd));
    out.fp = t3 * qd;
    out.fq = t3 * pd;
    out.fz = fused(spread(R(-1.0 / 3)), w3, spread(p->rf));
    out.u  = -fused(pq, out.fz, R(-0.5) * along * w3);
    return out;
}

/* The formulas at the top times the switch S of pair.h, and so without shifts (e0 = e1 = 0), and a
 * force along d besides. For the same loops, of fixed precision, too:
 *
 *   fd = S (3 K/r^5) [p.q - 5 (p.d)(q.d)/r^2] - S' u/r,   fp = S (3 K/r^5) q.d,   fz = -S K h
 *        with S = 1 - 3 x^2 + 2 x^3 and S' = 6 (x^2 - x) inv_width
 *
 * s3 and t3 have 3 S, mh and mu a third of -K h and of -u before the switch. */
AMPHI_BOTH PairParts pair_dipoles_switched(const struct pair_dipole_dipole *p,
                                           const PairSwitch *at_cutoff, const PairGeometry *g,
                                           real more_fd)
{
    const scalar width = at_cutoff->inv_width;
    const real   i2    = g->inv_r * g->inv_r;
    const real   i3    = i2 * g->inv_r;
    const real   pd    = dot3(g->axis_i, g->d);
    const real   qd    = dot3(g->axis_j, g->d);
    const real   pq    = dot3(g->axis_i, g->axis_j);
    const real   along = pd * qd * i2;
    const real   x =
        pair_clamped(fused(g->r2 * g->inv_r, spread(width), spread(-(at_cutoff->from * width))));
    const real x2 = x * x;
    const real s3 = fused(x2, fused(spread(R(6)), x, spread(R(-9))), spread(R(3)));
    const real mh = fused(spread(-p->k_third), i3, spread(p->rf_third)); /* -K h / 3 */
    const real w  = p->k1 * i3;
    const real mu = fused(mh, pq, w * along); /* -u / 3 */
    const real t3 = s3 * (w * i2);
    PairParts  out;

    out.fd = fused(t3, fused(spread(R(-5)), along, pq),
                   fused((x2 - x) * g->inv_r, spread(R(18) * width) * mu, more_fd));
    out.fp = t3 * qd;
    out.fq = t3 * pd;
    out.fz = s3 * mh;
    out.u  = -(s3 * mu);
    return out;
}

#endif
