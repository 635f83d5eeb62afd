/* Gay-Berne: two uniaxial ellipsoids, alike or not, or an ellipsoid and a sphere.
 *
 *   u = 4 eps (rho^-12 - rho^-6),  rho = (r - sigma + dw sigma0) / (dw sigma0)
 *   sigma = sigma0 (1 - H)^(-1/2),  eps = eps0 (1 - X2 z^2)^(-nu/2) (1 - H')^mu
 *   H = [X_i x^2 + X_j y^2 - 2 X2 x y z] / (1 - X2 z^2),  H' the same with Y;  x = u_i.n, y = u_j.n,
 *   z = u_i.u_j;  sigma0^2 = (D_i^2 + D_j^2)/2,  X_i = (L_i^2 - D_i^2)/(L_i^2 + D_j^2),
 *   Y_i = (S_i^m - E_i^m)/(S_i^m + E_j^m) with m = 1/mu, side and end depths S and E.
 *
 * Gay & Berne, J. Chem. Phys. 74, 3316 (1981); unlike pairs Cleaver et al., Phys. Rev. E 54, 559
 * (1996). A sphere has L = D and S = E = 1. With `harmonic_wells` Y_i = (E_i^-m - S_i^-m)/(E_i^-m +
 * S_j^-m): the unlike wells of the matrix form (Everaers & Ejtehadi, Phys. Rev. E 67, 041710
 * (2003)) for equal breadths and side depths 1. mu and nu are whole numbers. The energy shift takes
 * away the same expression at r_c with the same orientations.
 *
 * The formula has a pole at rho = 0 and a false well behind it. Below rho = 0.3, where u is above
 * 7e6 eps, it goes on as its tangent in rho (ours), so that overlapping beads push each other apart.
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

struct pair_gay_berne {
    scalar  eps4, sigma0, inv_width0, xi, xj, x2, yi, yj, y2;
    int32_t mu, nu;
};
struct pair_gay_berne_shifted {
    struct pair_gay_berne bare;
    scalar                r_cut, inv_r_cut;
};

/* x^n, the same bits everywhere. */
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
        .xi         = (scalar)xi,
        .xj         = (scalar)xj,
        .x2         = (scalar)(xi * xj),
        .yi         = (scalar)yi,
        .yj         = (scalar)yj,
        .y2         = (scalar)(yi * yj),
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

/* Energy and its derivatives with r, x, y, z. */
typedef struct {
    real u, r, x, y, z;
} GayBerneSlopes;

AMPHI_BOTH GayBerneSlopes gay_berne_slopes(const struct pair_gay_berne *p, real r, real x, real y,
                                           real z)
{
    const real inv_Q   = R(1) / (R(1) - p->x2 * z * z);
    const real inv_Q1  = R(1) / (R(1) - p->y2 * z * z);
    const real H       = (p->xi * x * x + p->xj * y * y - R(2) * p->x2 * (x * y * z)) * inv_Q;
    const real H1      = (p->yi * x * x + p->yj * y * y - R(2) * p->y2 * (x * y * z)) * inv_Q1;
    const real s       = inv_sqrt(R(1) - H);
    const real rho     = (r - p->sigma0 * s) * p->inv_width0 + R(1);
    const real far     = choose(rho > R(0.3), rho, spread(R(0.3)));
    const real inv_far = R(1) / far;
    const real i2 = inv_far * inv_far, i6 = i2 * i2 * i2;
    const real eps   = p->eps4 * power(square_root(inv_Q), p->nu) * power(R(1) - H1, p->mu);
    const real slope = R(-6) * i6 * (R(2) * i6 - R(1)) * inv_far;
    const real u     = eps * (i6 * (i6 - R(1)) + slope * (rho - far));
    const real ur    = eps * slope * p->inv_width0;
    const real uh    = R(-0.5) * ur * p->sigma0 * (s * s * s);
    const real uh1   = -(scalar)p->mu * u / (R(1) - H1);

    GayBerneSlopes out;
    out.u = u;
    out.r = ur;
    out.x = R(2) *
            (uh * (p->xi * x - p->x2 * y * z) * inv_Q + uh1 * (p->yi * x - p->y2 * y * z) * inv_Q1);
    out.y = R(2) *
            (uh * (p->xj * y - p->x2 * x * z) * inv_Q + uh1 * (p->yj * y - p->y2 * x * z) * inv_Q1);
    out.z =
        R(2) * (uh * p->x2 * (z * H - x * y) * inv_Q + uh1 * p->y2 * (z * H1 - x * y) * inv_Q1) +
        u * (scalar)p->nu * p->x2 * z * inv_Q;
    return out;
}

/* The slopes with r, x, y are those at a fixed n: f = -[u_r n + (u_x (u_i - x n) + u_y (u_j - y n))/r].
 */
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
    const real3 n = scale3(g->inv_r, g->d);
    const real  x = dot3(g->axis_i, n), y = dot3(g->axis_j, n), z = dot3(g->axis_i, g->axis_j);
    const GayBerneSlopes s = gay_berne_slopes(p, g->r2 * g->inv_r, x, y, z);

    return gay_berne_parts(&s, g, x, y);
}

AMPHI_BOTH PairParts pair_gay_berne_shifted(const struct pair_gay_berne_shifted *p,
                                            const PairGeometry                  *g)
{
    const real3 n = scale3(g->inv_r, g->d);
    const real  x = dot3(g->axis_i, n), y = dot3(g->axis_j, n), z = dot3(g->axis_i, g->axis_j);
    const GayBerneSlopes cut = gay_berne_slopes(&p->bare, spread(p->r_cut), x, y, z);
    GayBerneSlopes       s   = gay_berne_slopes(&p->bare, g->r2 * g->inv_r, x, y, z);

    s.u = s.u - cut.u;
    s.x = s.x - cut.x;
    s.y = s.y - cut.y;
    s.z = s.z - cut.z;
    return gay_berne_parts(&s, g, x, y);
}

#endif
