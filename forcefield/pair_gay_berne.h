/* Gay-Berne: two uniaxial ellipsoids, alike or not, or an ellipsoid and a sphere.
 *
 *   u = 4 eps (rho^-12 - rho^-6),  rho = (r - sigma + dw sigma0) / (dw sigma0)
 *   sigma = sigma0 (1 - H)^(-1/2),  eps = eps0 (1 - X2 z^2)^(-nu/2) (1 - H')^mu
 *   H = [X_i x^2 + X_j y^2 - 2 X2 x y z] / (1 - X2 z^2),  H' the same with Y,  X2 = X_i X_j;
 *   x = u_i.n, y = u_j.n, z = u_i.u_j;
 *   sigma0^2 = (D_i^2 + D_j^2)/2,  X_i = (L_i^2 - D_i^2)/(L_i^2 + D_j^2),
 *   Y_i = (S_i^m - E_i^m)/(S_i^m + E_j^m) with m = 1/mu, side and end depths S and E.
 *
 * How it is computed (ours): with k = X/(1 - X) and G = 1 + k_i u_i u_i + k_j u_j u_j, a matrix,
 * 1 - H is n.w where G w = n. Of w = n - A_i u_i - A_j u_j only two numbers are unknown, A = k u.w;
 * and as |w|^2 + A_i^2/k_i + A_j^2/k_j, 1 - H has the least value at the true A, so that errors of
 * A hardly matter.
 *
 * Gay & Berne, J. Chem. Phys. 74, 3316 (1981); unlike pairs Cleaver et al., Phys. Rev. E 54, 559
 * (1996). A sphere has L = D and S = E = 1. With `harmonic_wells` Y_i = (E_i^-m - S_i^-m)/(E_i^-m +
 * S_j^-m): the unlike wells of the matrix form (Everaers & Ejtehadi, Phys. Rev. E 67, 041710
 * (2003)) for equal breadths and side depths 1. mu and nu are whole numbers. The energy shift takes
 * away the same expression at r_c with the same orientations.
 *
 * The formula has a pole at rho = 0 and a false well behind it. Below rho = 0.3, where u is above
 * 7e6 eps, it goes on as its tangent in rho (ours), so that overlapping beads push each other
 * apart.
 */
#ifndef AMPHI_FORCEFIELD_PAIR_GAY_BERNE_H
#define AMPHI_FORCEFIELD_PAIR_GAY_BERNE_H

#include "../engine/num/elementary.h"
#include "pair.h"

#define pair_gay_berne_about                                                                       \
    "pair", "gay-berne",                                                                           \
        "u = 4 eps (rho^-12 - rho^-6), rho = (r - sigma + width sigma0) / (width sigma0)",         \
        "Gay & Berne, J. Chem. Phys. 74, 3316 (1981); Cleaver et al., Phys. Rev. E 54, 559 "       \
        "(1996)",                                                                                  \
        "truncated energy-shift switched"
#define pair_gay_berne_shifted_about                                                               \
    "shifted", "gay-berne", "u(r, x, y, z) - u(r_c, x, y, z)",                                     \
        "Gay & Berne, J. Chem. Phys. 74, 3316 (1981)", "energy-shift"

/* Fields that end in _i and _j are those of the two bead types, without the ending. */
#define pair_gay_berne_fields(FIELD)                                                               \
    FIELD(epsilon, ENERGY, NON_NEGATIVE, NULL, "eps0: for identical beads the crossed well depth") \
    FIELD(mu, WHOLE, POSITIVE, "2", "power of the orientation factor with H'")                     \
    FIELD(nu, WHOLE, NON_NEGATIVE, "1", "power of the orientation factor with z")                  \
    FIELD(width, NUMBER, POSITIVE, "1", "dw: width of the well in units of sigma0")                \
    FIELD(harmonic_wells, FLAG, ANY, "no", "unlike wells of the matrix form")                      \
    FIELD(breadth_i, LENGTH, POSITIVE, NULL, "D of the first type: full diameter across")          \
    FIELD(length_i, LENGTH, POSITIVE, NULL, "L of the first type: full diameter along")            \
    FIELD(side_i, NUMBER, POSITIVE, NULL, "relative side-by-side well depth of the first type")    \
    FIELD(end_i, NUMBER, POSITIVE, NULL, "relative end-to-end well depth of the first type")       \
    FIELD(breadth_j, LENGTH, POSITIVE, NULL, "D of the second type")                               \
    FIELD(length_j, LENGTH, POSITIVE, NULL, "L of the second type")                                \
    FIELD(side_j, NUMBER, POSITIVE, NULL, "side-by-side well depth of the second type")            \
    FIELD(end_j, NUMBER, POSITIVE, NULL, "end-to-end well depth of the second type")
#define pair_gay_berne_shifted_fields pair_gay_berne_fields

PAIR_INPUT(pair_gay_berne);
PAIR_INPUT(pair_gay_berne_shifted);

/* k = X/(1 - X) of both beads (or Y/(1 - Y)), their product, and (1 + k_i)(1 + k_j). */
typedef struct {
    scalar i, j, both, most;
} GayBerneLengths;

/* origin, origin2: of the lattices of w and of its square (fine_product); w has 8 bits below
 * sigma0, and sums of squares 16. */
struct pair_gay_berne {
    scalar          eps4, inv_width0;
    scalar          sigma0, sigma2, sigma2_rest; /* sigma2: sigma0^2 on its lattice */
    scalar          origin, origin2;
    GayBerneLengths range, depth;
    int32_t         mu, nu;
};
struct pair_gay_berne_shifted {
    struct pair_gay_berne bare;
    scalar                r_cut;
};

/* x^n, with the same bits on every machine. */
static inline double gay_berne_power(double x, double n)
{
    return n == 1 ? x : exp_of(n * log_of(x));
}

/* Y_i / (1 - Y_i). */
static inline double gay_berne_well(const struct pair_gay_berne_input *in, double side, double end,
                                    double other_side, double other_end)
{
    const double m = in->harmonic_wells != 0 ? -1 / in->mu : 1 / in->mu;
    const double S = gay_berne_power(side, m), E = gay_berne_power(end, m);

    return in->harmonic_wells != 0 ? (E - S) / (S + gay_berne_power(other_side, m))
                                   : (S - E) / (E + gay_berne_power(other_end, m));
}

static inline GayBerneLengths gay_berne_lengths(double i, double j)
{
    return (GayBerneLengths){ (scalar)i, (scalar)j, (scalar)(i * j), (scalar)((1 + i) * (1 + j)) };
}

/* The largest power of two that is not above x. */
static inline double gay_berne_binade(double x)
{
    DoubleBits b = { x };

    b.bits &= (uint64_t)0x7FF << 52;
    return b.number;
}

static inline struct pair_gay_berne pair_gay_berne_prepare(const struct pair_gay_berne_input *in,
                                                           const AmphiTreatment              *t)
{
    const double Di = in->breadth_i, Li = in->length_i, Dj = in->breadth_j, Lj = in->length_j;
    const double sigma2 = (Di * Di + Dj * Dj) / 2, sigma0 = sqrt(sigma2);
    const double ki   = (Li - Di) * (Li + Di) / (2 * sigma2); /* exactly 0 for a sphere */
    const double kj   = (Lj - Dj) * (Lj + Dj) / (2 * sigma2);
    const double li   = gay_berne_well(in, in->side_i, in->end_i, in->side_j, in->end_j);
    const double lj   = gay_berne_well(in, in->side_j, in->end_j, in->side_i, in->end_i);
    const double step = gay_berne_binade(sigma0) / 256;
    const double on   = whole_of(sigma2 / (step * step)) * (step * step);

    (void)t;
    return (struct pair_gay_berne){
        .eps4        = (scalar)(4 * in->epsilon * gay_berne_power((1 + ki) * (1 + kj), in->nu / 2)),
        .inv_width0  = (scalar)(1 / (in->width * sigma0)),
        .sigma0      = (scalar)sigma0,
        .sigma2      = (scalar)on,
        .sigma2_rest = (scalar)(sigma2 - on),
        .origin      = (scalar)(0x1.8p23 * step),
        .origin2     = (scalar)(0x1.8p23 * step * step),
        .range       = gay_berne_lengths(ki, kj),
        .depth       = gay_berne_lengths(li, lj),
        .mu          = (int32_t)in->mu,
        .nu          = (int32_t)in->nu,
    };
}

static inline struct pair_gay_berne_shifted
pair_gay_berne_shifted_prepare(const struct pair_gay_berne_shifted_input *in,
                               const AmphiTreatment                      *t)
{
    const struct pair_gay_berne_input same = {
        in->epsilon,   in->mu,       in->nu,     in->width, in->harmonic_wells,
        in->breadth_i, in->length_i, in->side_i, in->end_i, in->breadth_j,
        in->length_j,  in->side_j,   in->end_j
    };

    return (struct pair_gay_berne_shifted){
        .bare  = pair_gay_berne_prepare(&same, t),
        .r_cut = (scalar)t->cutoff_nm,
    };
}

/* u_i.d and u_j.d (nm), u_i.u_j. */
typedef struct {
    real x, y, z;
} GayBerneAngles;

AMPHI_BOTH GayBerneAngles gay_berne_angles(const PairGeometry *g)
{
    return (GayBerneAngles){ dot3(g->axis_i, g->d), dot3(g->axis_j, g->d),
                             dot3(g->axis_i, g->axis_j) };
}

/* The determinant of G: 1 - X2 z^2 over (1 - X_i)(1 - X_j). */
AMPHI_BOTH real gay_berne_determinant(const GayBerneLengths *k, const GayBerneAngles *a)
{
    return fused(-(k->both * a->z), a->z, spread(k->most));
}

/* Of r w = d - A_i u_i - A_j u_j, with G w = n: u_i.w and u_j.w, and A = k times these, all in nm
 * and times the determinant of G and `factor`. */
typedef struct {
    real i, j, Ai, Aj;
} GayBerneSolution;

AMPHI_BOTH GayBerneSolution gay_berne_solve(const GayBerneLengths *k, const GayBerneAngles *a,
                                            real factor)
{
    GayBerneSolution out;

    out.i  = fused(spread(k->j), fused(-a->z, a->y, a->x), a->x) * factor;
    out.j  = fused(spread(k->i), fused(-a->z, a->x, a->y), a->y) * factor;
    out.Ai = k->i * out.i;
    out.Aj = k->j * out.j;
    return out;
}

/* r^2 (1 - H), nm^2. */
AMPHI_BOTH real gay_berne_square(const GayBerneSolution *s, const PairGeometry *g)
{
    const real3 w = sub3(g->d, joined3(s->Ai, g->axis_i, scale3(s->Aj, g->axis_j)));

    return dot3(w, w) + joined(s->Ai, s->i, s->Aj * s->j);
}

/* A component of r w. */
AMPHI_BOTH Fine gay_berne_along(const struct pair_gay_berne *p, const GayBerneSolution *s, real d,
                                real d_rest, real axis_i, real axis_j)
{
    const Fine i    = fine_product(s->Ai, axis_i, p->origin);
    const Fine j    = fine_product(s->Aj, axis_j, p->origin);
    const real most = (d + p->origin) - p->origin;

    Fine out;
    out.sum  = most - (i.sum + j.sum);
    out.rest = ((d - most) + d_rest) - (i.rest + j.rest);
    return out;
}

AMPHI_BOTH Fine gay_berne_add_square(Fine to, Fine a)
{
    return (Fine){ rounded_once(a.sum, a.sum, to.sum),
                   rounded_once(rounded_once(spread(R(2)), a.sum, a.rest), a.rest, to.rest) };
}

/* r^2 (1 - H) - sigma0^2, nm^2. Near contact it is a small difference, which rho^-13 multiplies;
 * there squares of lattice points are exact, and so are their sums. */
AMPHI_BOTH real gay_berne_beyond(const struct pair_gay_berne *p, const GayBerneSolution *s,
                                 const PairGeometry *g)
{
    if (!KEEPS_RESTS)
        return gay_berne_square(s, g) - (p->sigma2 + p->sigma2_rest);

    const Fine x = gay_berne_along(p, s, g->d.x, g->d_rest.x, g->axis_i.x, g->axis_j.x);
    const Fine y = gay_berne_along(p, s, g->d.y, g->d_rest.y, g->axis_i.y, g->axis_j.y);
    const Fine z = gay_berne_along(p, s, g->d.z, g->d_rest.z, g->axis_i.z, g->axis_j.z);
    const Fine i = fine_product(s->Ai, s->i, p->origin2);
    const Fine j = fine_product(s->Aj, s->j, p->origin2);

    Fine out = { (i.sum + j.sum) - p->sigma2, (i.rest + j.rest) - p->sigma2_rest };

    out = gay_berne_add_square(out, x);
    out = gay_berne_add_square(out, y);
    out = gay_berne_add_square(out, z);
    return out.sum + out.rest;
}

/* The depth of the well: L is the A of G with Y in the place of X, q its determinant. */
typedef struct {
    real Li, Lj;       /* nm, times q */
    real left;         /* 1 - H' */
    real across;       /* q H' */
    real inv_q, inv_N; /* N = q (1 - H') */
} GayBerneDepth;

AMPHI_BOTH GayBerneDepth gay_berne_depth(const GayBerneLengths *k, const GayBerneAngles *a,
                                         real inv_r2)
{
    const GayBerneSolution s   = gay_berne_solve(k, a, spread(R(1)));
    const real             q   = gay_berne_determinant(k, a);
    const real             H   = joined(s.Ai, a->x, s.Aj * a->y) * inv_r2;
    const real             N   = q - H;
    const real             inv = reciprocal(q * N);

    GayBerneDepth out;
    out.Li     = s.Ai;
    out.Lj     = s.Aj;
    out.inv_q  = N * inv;
    out.left   = N * out.inv_q;
    out.inv_N  = q * inv;
    out.across = H;
    return out;
}

typedef struct {
    GayBerneSolution range;
    GayBerneDepth    depth;
    real             beyond, f2, inv_f; /* f^2 = r^2 (1 - H), nm^2; and what is beyond sigma0^2 */
    real             inv_q;             /* of the determinant of G */
    real             z;
} GayBerneShape;

AMPHI_BOTH GayBerneShape gay_berne_shape(const struct pair_gay_berne *p, const PairGeometry *g)
{
    const GayBerneAngles a = gay_berne_angles(g);

    GayBerneShape out;
    out.inv_q  = reciprocal(gay_berne_determinant(&p->range, &a));
    out.range  = gay_berne_solve(&p->range, &a, out.inv_q);
    out.depth  = gay_berne_depth(&p->depth, &a, g->inv_r * g->inv_r);
    out.beyond = gay_berne_beyond(p, &out.range, g);
    out.f2     = out.beyond + (p->sigma2 + p->sigma2_rest);
    out.inv_f  = inv_sqrt(out.f2);
    out.z      = a.z;
    return out;
}

/* rho^-6, 1/rho, and by how much rho is below its bound. */
typedef struct {
    real i6, i1, below;
} GayBernePowers;

/* For rho = 1 + gap / unit. */
AMPHI_BOTH GayBernePowers gay_berne_powers(real gap, real unit)
{
    const real far   = choose(gap > R(-0.7) * unit, gap, R(-0.7) * unit);
    const real inv   = reciprocal(unit + far);
    const real i1    = unit * inv;
    const real i2    = i1 * i1;
    const real i4    = i2 * i2;
    const real below = R(0.3) * (gap - far) * inv;

    if (!KEEPS_RESTS)
        return (GayBernePowers){ i4 * i2, i1, below };
    const real of_inv = rounded_once(-inv, far, rounded_once(-inv, unit, spread(R(1))));
    const real rest   = rounded_once(of_inv, i1, rounded_once(unit, inv, -i1));
    return (GayBernePowers){ joined(R(6) * rest, i4 * i1, i4 * i2), i1 + rest, below };
}

/* Energy and forces where rho = 1 + gap / unit; radial: how many times dw sigma0 rho grows with r
 * while sigma stays, 1, or 0 at the cut-off. */
AMPHI_BOTH PairParts gay_berne_parts(const struct pair_gay_berne *p, const PairGeometry *g,
                                     const GayBerneShape *s, real gap, real unit, scalar radial)
{
    const GayBernePowers rho = gay_berne_powers(gap, unit);
    const GayBerneDepth *l   = &s->depth;
    const real eps   = p->eps4 * power(positive_root(s->inv_q), p->nu) * power(l->left, p->mu);
    const real slope = R(-6) * rho.i6 * joined(spread(R(2)), rho.i6, spread(R(-1))) * rho.i1;
    const real u     = eps * joined(slope, rho.below, rho.i6 * (rho.i6 - R(1)));
    const real ur    = eps * slope * p->inv_width0;
    const real size  = p->sigma0 * s->inv_f; /* sigma / r */
    const real turn  = ur * (size * (g->r2 * g->inv_r) * (s->inv_f * s->inv_f));
    const real well  = (R(2) * (scalar)p->mu) * (u * l->inv_N) * (g->inv_r * g->inv_r);

    PairParts out;
    out.u  = u;
    out.fd = joined(-well, l->across, -joined(ur, (radial - size) * g->inv_r, turn));
    out.fp = joined(turn, s->range.Ai, well * l->Li);
    out.fq = joined(turn, s->range.Aj, well * l->Lj);
    out.fz = -joined(u * ((scalar)p->nu * p->range.both), s->z * s->inv_q,
                     joined(turn, s->range.Ai * s->range.Aj, well * l->inv_q * (l->Li * l->Lj)));
    return out;
}

/* r - sigma = r (f^2 - sigma0^2) / (f^2 + sigma0 f). */
AMPHI_BOTH PairParts gay_berne_here(const struct pair_gay_berne *p, const PairGeometry *g,
                                    const GayBerneShape *s)
{
    const real unit = joined(spread(p->sigma0), s->f2 * s->inv_f, s->f2);
    const real gap  = (g->r2 * g->inv_r) * s->beyond * p->inv_width0;

    return gay_berne_parts(p, g, s, gap, unit, R(1));
}

AMPHI_BOTH PairParts pair_gay_berne(const struct pair_gay_berne *p, const PairGeometry *g)
{
    const GayBerneShape s = gay_berne_shape(p, g);

    return gay_berne_here(p, g, &s);
}

AMPHI_BOTH PairParts pair_gay_berne_shifted(const struct pair_gay_berne_shifted *p,
                                            const PairGeometry                  *g)
{
    const GayBerneShape s     = gay_berne_shape(&p->bare, g);
    const real          sigma = p->bare.sigma0 * (g->r2 * g->inv_r) * s.inv_f;
    const real          gap   = (p->r_cut - sigma) * p->bare.inv_width0;
    const PairParts     cut   = gay_berne_parts(&p->bare, g, &s, gap, spread(R(1)), R(0));
    PairParts           w     = gay_berne_here(&p->bare, g, &s);

    w.u  = w.u - cut.u;
    w.fd = w.fd - cut.fd;
    w.fp = w.fp - cut.fp;
    w.fq = w.fq - cut.fq;
    w.fz = w.fz - cut.fz;
    return w;
}

#endif
