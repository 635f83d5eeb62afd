/* Gay-Berne: two uniaxial ellipsoids, alike or not, or an ellipsoid and a sphere.
 *
 *   u = 4 eps (rho^-12 - rho^-6),  rho = (r - sigma + dw sigma0) / (dw sigma0)
 *   sigma = sigma0 (1 - H)^(-1/2),  eps = eps0 (1 - X2 z^2)^(-nu/2) (1 - H')^mu
 *   H = [X_i x^2 + X_j y^2 - 2 X2 x y z] / (1 - X2 z^2),  H' the same with Y,  X2 = X_i X_j;
 *   x = u_i.n, y = u_j.n, z = u_i.u_j;
 *   sigma0^2 = (D_i^2 + D_j^2)/2,  X_i = (L_i^2 - D_i^2)/(L_i^2 + D_j^2),
 *   Y_i = (S_i^m - E_i^m)/(S_i^m + E_j^m) with m = 1/mu, side and end depths S and E.
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

/* X_i and X_j (or Y_i and Y_j), and 1 minus each and 1 minus their product, computed to the last
 * digit: they are small differences where two ellipsoids meet end to end. */
typedef struct {
    scalar i, j, left_i, left_j, left_both;
} GayBerneLengths;

struct pair_gay_berne {
    scalar          eps4, sigma0, inv_width0;
    GayBerneLengths range, depth;
    int32_t         mu, nu;
};
struct pair_gay_berne_shifted {
    struct pair_gay_berne bare;
    scalar                r_cut, inv_r_cut;
};

/* x^n, with the same bits on every machine. */
static inline double gay_berne_power(double x, double n)
{
    return n == 1 ? x : exp_of(n * log_of(x));
}

static inline double gay_berne_well(const struct pair_gay_berne_input *in, double side, double end,
                                    double other_side, double other_end)
{
    const double m = 1 / in->mu;

    if (in->harmonic_wells != 0)
        return (gay_berne_power(end, -m) - gay_berne_power(side, -m)) /
               (gay_berne_power(end, -m) + gay_berne_power(other_side, -m));
    return (gay_berne_power(side, m) - gay_berne_power(end, m)) /
           (gay_berne_power(side, m) + gay_berne_power(other_end, m));
}

static inline GayBerneLengths gay_berne_lengths(double i, double j)
{
    return (GayBerneLengths){ (scalar)i, (scalar)j, (scalar)(1 - i), (scalar)(1 - j),
                              (scalar)(1 - i * j) };
}

static inline struct pair_gay_berne pair_gay_berne_prepare(const struct pair_gay_berne_input *in,
                                                           const AmphiTreatment              *t)
{
    const double Di = in->breadth_i, Li = in->length_i, Dj = in->breadth_j, Lj = in->length_j;
    const double sigma0 = sqrt((Di * Di + Dj * Dj) / 2);
    const double xi     = (Li - Di) * (Li + Di) / (Li * Li + Dj * Dj); /* exactly 0 for a sphere */
    const double xj     = (Lj - Dj) * (Lj + Dj) / (Lj * Lj + Di * Di);
    const double yi     = gay_berne_well(in, in->side_i, in->end_i, in->side_j, in->end_j);
    const double yj     = gay_berne_well(in, in->side_j, in->end_j, in->side_i, in->end_i);

    (void)t;
    return (struct pair_gay_berne){
        .eps4       = (scalar)(4 * in->epsilon),
        .sigma0     = (scalar)sigma0,
        .inv_width0 = (scalar)(1 / (in->width * sigma0)),
        .range      = gay_berne_lengths(xi, xj),
        .depth      = gay_berne_lengths(yi, yj),
        .mu         = (int32_t)in->mu,
        .nu         = (int32_t)in->nu,
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
        .bare      = pair_gay_berne_prepare(&same, t),
        .r_cut     = (scalar)t->cutoff_nm,
        .inv_r_cut = (scalar)(1 / t->cutoff_nm),
    };
}

/* x, y and z, and the quantities that are small where ellipsoids meet end to end, computed without
 * cancellation: p = |u_i - x n|^2 = 1 - x^2, q likewise, w = z - x y, v = |u_i x u_j|^2 = 1 - z^2,
 * t = n.(u_i x u_j). As differences of rounded squares they would move the contact by more than the
 * rounding of r does. */
typedef struct {
    real x, y, z, p, q, w, v, t2;
} GayBerneAngles;

AMPHI_BOTH GayBerneAngles gay_berne_angles(const PairGeometry *g)
{
    const real3 n = scale3(g->inv_r, g->d), cross = cross3(g->axis_i, g->axis_j);
    const real  t = dot3(n, cross);

    GayBerneAngles a;
    a.x = dot3(g->axis_i, n);
    a.y = dot3(g->axis_j, n);
    a.z = dot3(g->axis_i, g->axis_j);

    const real3 p = sub3(g->axis_i, scale3(a.x, n)), q = sub3(g->axis_j, scale3(a.y, n));

    a.p  = dot3(p, p);
    a.q  = dot3(q, q);
    a.w  = dot3(p, q);
    a.v  = dot3(cross, cross);
    a.t2 = t * t;
    return a;
}

/* The energy and its derivatives with respect to r, x, y, z. */
typedef struct {
    real u, r, x, y, z;
} GayBerneSlopes;

/* 1 - H = N / Q = [(1 - X_i)(1 - X_j) + (1 - X_i) X_j q + (1 - X_j) X_i p + X2 t^2] / (1 - X2 z^2),
 * a sum of non-negative terms for two prolate ellipsoids; and minus half its derivatives with
 * respect to x, y and z. */
typedef struct {
    Fine N, Q;
    real inv_Q, left, x, y, z;
} GayBerneShape;

AMPHI_BOTH GayBerneShape gay_berne_shape(const GayBerneLengths *l, const GayBerneAngles *a)
{
    const scalar ij    = l->i * l->j;
    const Fine   Q     = fine_sum(spread(l->left_both), spread(ij), a->v);
    const real   inv_Q = quotient(spread(R(1)), Q.sum);
    const real   qp    = (l->left_i * l->j) * a->q + (l->left_j * l->i) * a->p;
    const Fine   both  = fine_sum(spread(l->left_i * l->left_j), qp, spread(R(1)));

    GayBerneShape out;
    out.Q     = Q;
    out.N     = fine_add(both, spread(ij), a->t2);
    out.inv_Q = inv_Q;
    out.left  = out.N.sum * inv_Q;
    out.x     = l->i * (a->x * (l->left_j + l->j * a->q) - l->j * (a->y * a->w)) * inv_Q;
    out.y     = l->j * (a->y * (l->left_i + l->i * a->p) - l->i * (a->x * a->w)) * inv_Q;
    out.z     = ij * (a->w - a->z * out.left) * inv_Q;
    return out;
}

/* The distance r + r_rest (nm) and the contact distance s sigma0; s, rho and far = max(rho, 0.3)
 * are pure numbers. End to end both distances are thrice sigma0, and the power of rho multiplies
 * the rounding error of their difference by forty. */
typedef struct {
    real r, r_rest, s, rho, far, inv_far;
} GayBerneGap;

/* The relative error of inv_far to first order, by which it has to grow (ours). The exact s obeys
 * s^2 N = Q, so that what is left of Q - s^2 N tells the error of s by one step of Newton. Where
 * rho < 0.3, far is exact. */
AMPHI_BOTH real gay_berne_rest(const struct pair_gay_berne *p, const GayBerneShape *range,
                               const GayBerneGap *g)
{
    const real s2 = rounded_once(g->s, g->s, spread(R(0)));
    const real more =
        range->Q.rest - range->N.rest * s2 - range->N.sum * rounded_once(g->s, g->s, -s2);
    const real left = rounded_once(-range->N.sum, s2, range->Q.sum) + more;
    const real gap  = rounded_once(spread(-p->sigma0), g->s, g->r);
    const real rest =
        rounded_once(gap, spread(p->inv_width0), R(1) - g->rho) +
        (g->r_rest - (R(0.5) * p->sigma0) * (g->s * range->inv_Q) * left) * p->inv_width0;

    return rounded_once(-g->far, g->inv_far, spread(R(1))) -
           keep(g->rho > R(0.3), rest) * g->inv_far;
}

AMPHI_BOTH GayBerneSlopes gay_berne_slopes(const struct pair_gay_berne *p, real r, real r_rest,
                                           const GayBerneAngles *a)
{
    const GayBerneShape range   = gay_berne_shape(&p->range, a);
    const GayBerneShape depth   = gay_berne_shape(&p->depth, a);
    const real          s       = inv_sqrt(range.left);
    const real          rho     = (r - p->sigma0 * s) * p->inv_width0 + R(1);
    const real          far     = choose(rho > R(0.3), rho, spread(R(0.3)));
    real                inv_far = quotient(spread(R(1)), far);
    const real          i2      = inv_far * inv_far;
    real                i6      = i2 * i2 * i2;

    if (KEEPS_RESTS) {
        const GayBerneGap gap  = { r, r_rest, s, rho, far, inv_far };
        const real        rest = gay_berne_rest(p, &range, &gap);

        i6      = i6 + R(6) * rest * i6;
        inv_far = inv_far + rest * inv_far;
    }

    const real eps   = p->eps4 * power(square_root(range.inv_Q), p->nu) * power(depth.left, p->mu);
    const real slope = R(-6) * i6 * (R(2) * i6 - R(1)) * inv_far;
    const real u     = eps * (i6 * (i6 - R(1)) + slope * (rho - far));
    const real ur    = eps * slope * p->inv_width0;
    const real uh    = -ur * p->sigma0 * (s * s * s);
    const real uh1   = quotient(R(-2) * (scalar)p->mu * u, depth.left);

    GayBerneSlopes out;
    out.u = u;
    out.r = ur;
    out.x = uh * range.x + uh1 * depth.x;
    out.y = uh * range.y + uh1 * depth.y;
    out.z = (uh * range.z + uh1 * depth.z) +
            u * ((scalar)p->nu * (p->range.i * p->range.j)) * (a->z * range.inv_Q);
    return out;
}

/* From derivatives to parts: f = -[u_r n + (u_x (u_i - x n) + u_y (u_j - y n))/r]. */
AMPHI_BOTH PairParts gay_berne_parts(const GayBerneSlopes *s, const PairGeometry *g, real x, real y)
{
    PairParts out;
    out.u  = s->u;
    out.fd = ((s->x * x + s->y * y) * g->inv_r - s->r) * g->inv_r;
    out.fp = -s->x * g->inv_r;
    out.fq = -s->y * g->inv_r;
    out.fz = -s->z;
    return out;
}

AMPHI_BOTH PairParts pair_gay_berne(const struct pair_gay_berne *p, const PairGeometry *g)
{
    const GayBerneAngles a = gay_berne_angles(g);
    const GayBerneSlopes s = gay_berne_slopes(p, pair_distance(g), g->r_rest, &a);

    return gay_berne_parts(&s, g, a.x, a.y);
}

AMPHI_BOTH PairParts pair_gay_berne_shifted(const struct pair_gay_berne_shifted *p,
                                            const PairGeometry                  *g)
{
    const GayBerneAngles a   = gay_berne_angles(g);
    const GayBerneSlopes cut = gay_berne_slopes(&p->bare, spread(p->r_cut), spread(R(0)), &a);
    GayBerneSlopes       s   = gay_berne_slopes(&p->bare, pair_distance(g), g->r_rest, &a);

    s.u = s.u - cut.u;
    s.x = s.x - cut.x;
    s.y = s.y - cut.y;
    s.z = s.z - cut.z;
    return gay_berne_parts(&s, g, a.x, a.y);
}

#endif
