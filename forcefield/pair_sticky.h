/* The sticky term of soft-sticky-dipole water: tetrahedral, short-ranged, between two body frames.
 *
 *   u = (v0/2) [ s(r) (w(a) + w(b)) + s'(r) (w'(a) + w'(b)) ]
 *   w = 2 c (nx^2 - ny^2),  w' = (c - 0.6)^2 (c + 0.8)^2 - w0,  n = a/r = (nx, ny, c)
 *
 * a is the vector to j in the frame of i, b the vector to i in the frame of j; body z is the
 * dipole, the molecular plane is y-z. s and s' are cubic switches. Liu & Ichiye, J. Phys. Chem.
 * 100, 2723 (1996); with the 1/2 as in Fennell & Gezelter, J. Chem. Phys. 120, 9175 (2004). The
 * gradient, with p = (c - 0.6)(c + 0.8) and h = (4 nx c, -4 ny c, 2 (nx^2 - ny^2)):
 *
 *   g(a) = n [s_r w + s'_r w'] + (s/r) (h - 3 w n) + (s'/r) 2 p (2 c + 0.2) (z - c n)
 *
 * Its cut-off is the larger end of the two switches; it takes no treatment.
 */
#ifndef AMPHI_FORCEFIELD_PAIR_STICKY_H
#define AMPHI_FORCEFIELD_PAIR_STICKY_H

#include "pair.h"

#define pair_sticky_about                                                                          \
    "pair", "sticky", "u = (v0/2) [s (w(a) + w(b)) + s' (w'(a) + w'(b))]",                         \
        "Liu & Ichiye, J. Phys. Chem. 100, 2723 (1996); Fennell & Gezelter, J. Chem. Phys. 120, "  \
        "9175 (2004)",                                                                             \
        ""

#define pair_sticky_fields(FIELD)                                                                  \
    FIELD(v0, ENERGY, NON_NEGATIVE, NULL, "strength; one hydrogen bond is about 0.77 v0")          \
    FIELD(w0, NUMBER, ANY, NULL, "constant taken from w' of each molecule")                        \
    FIELD(s_from, LENGTH, POSITIVE, NULL, "where the switch of w begins")                          \
    FIELD(s_to, LENGTH, POSITIVE, NULL, "where the switch of w ends")                              \
    FIELD(s_prime_from, LENGTH, POSITIVE, NULL, "where the switch of w' begins")                   \
    FIELD(s_prime_to, LENGTH, POSITIVE, NULL, "where the switch of w' ends")

PAIR_INPUT(pair_sticky);

struct pair_sticky {
    scalar     v_half, w0;
    PairSwitch s, s_prime;
};

static inline struct pair_sticky pair_sticky_prepare(const struct pair_sticky_input *in,
                                                     const AmphiTreatment           *t)
{
    (void)t;
    return (struct pair_sticky){
        .v_half  = (scalar)(0.5 * in->v0),
        .w0      = (scalar)in->w0,
        .s       = pair_switch_prepare(in->s_from, in->s_to),
        .s_prime = pair_switch_prepare(in->s_prime_from, in->s_prime_to),
    };
}

/* One molecule's half: W(a) and its gradient g(a) in that molecule's frame. */
typedef struct {
    real  W;
    real3 g;
} StickySide;

AMPHI_BOTH StickySide sticky_side(const struct pair_sticky *p, real3 n, real inv_r, SwitchValue s,
                                  SwitchValue s_prime)
{
    const real  c      = n.z;
    const real  sides  = joined(n.x, n.x, -(n.y * n.y));
    const real  w      = R(2) * c * sides;
    const real  q      = (c - R(0.6)) * (c + R(0.8));
    const real  w1     = joined(q, q, spread(-p->w0));
    const real  k      = s_prime.s * inv_r * R(2) * q * joined(spread(R(2)), c, spread(R(0.2)));
    const real3 h      = { R(4) * n.x * c, R(-4) * n.y * c, R(2) * sides };
    const real  slopes = joined(s.ds, w, s_prime.ds * w1);
    const real  along  = joined(-k, c, joined(R(-3) * s.s * inv_r, w, slopes));

    StickySide out;
    out.W = joined(s.s, w, s_prime.s * w1);
    out.g = joined3(along, n, scale3(s.s * inv_r, h));
    out.g.z += k;
    return out;
}

AMPHI_BOTH PairResult pair_sticky(const struct pair_sticky *p, const PairGeometry *g,
                                  const PairFrames *frames)
{
    const real        r       = g->r2 * g->inv_r;
    const SwitchValue s       = pair_switch(&p->s, r);
    const SwitchValue s_prime = pair_switch(&p->s_prime, r);
    const real3       n       = scale3(g->inv_r, g->d);
    const StickySide  a  = sticky_side(p, rotate_back(frames->qi, neg3(n)), g->inv_r, s, s_prime);
    const StickySide  b  = sticky_side(p, rotate_back(frames->qj, n), g->inv_r, s, s_prime);
    const real3       Gi = scale3(spread(p->v_half), rotate(frames->qi, a.g));
    const real3       gj = rotate(frames->qj, b.g);
    const real3       Gj = scale3(spread(p->v_half), gj);

    PairResult out;
    out.u  = p->v_half * (a.W + b.W);
    out.f  = joined3(spread(-p->v_half), gj, Gi);
    out.ti = cross3(Gi, g->d);
    out.tj = cross3(g->d, Gj);
    return out;
}

#endif
