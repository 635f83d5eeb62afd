/* The shape of every pair potential: geometry in; energy, force and torques out, whole or in parts.
 *
 * A potential is a header with a list of input fields, a struct of kernel constants, a function
 * that prepares them once a run in double, and the formula. It has no loop, no cut-off test, no
 * sum and no branch on a `real`. Conventions: d points from j to i; the force acts on i, its
 * opposite on j; t_i + t_j + d x f = 0.
 */
#ifndef AMPHI_FORCEFIELD_PAIR_H
#define AMPHI_FORCEFIELD_PAIR_H

#include <math.h>

#include "../engine/num/math.h"
#include "../engine/num/vector.h"
#include "treatment.h"

typedef struct {
    real3 d;              /* nm, from bead j to bead i, nearest image */
    real  r2, inv_r;      /* nm^2, 1/nm */
    real3 axis_i, axis_j; /* e nm: dipole vectors; or unit symmetry axes (Gay-Berne); space frame */
    real  charge_i, charge_j; /* e */
} PairGeometry;

/* Beside the geometry, only for potentials that need whole body frames. */
typedef struct {
    quat qi, qj;
} PairFrames;

typedef struct {
    real  u;      /* kJ/mol */
    real3 f;      /* kJ/mol/nm, on i; j receives -f */
    real3 ti, tj; /* kJ/mol, space frame */
} PairResult;

/* What a potential that feels axes alone gives. An energy u(r, p.d, q.d, p.q) between the axes p of
 * i and q of j has
 *
 *   f = fd d + fp p + fq q,   g_i = fp d + fz q,   g_j = fq d + fz p,   t_i = p x g_i,  t_j = q x g_j
 *
 * with fd = -(du/dr)/r, fp = -du/d(p.d), fq = -du/d(q.d), fz = -du/d(p.q). Torques balance whatever
 * the parts are. A loop over many j adds up f and the field g_i, and turns once. */
typedef struct {
    real u;      /* kJ/mol */
    real fd;     /* kJ/mol/nm^2 */
    real fp, fq; /* kJ/mol/nm over the axis' unit */
    real fz;     /* kJ/mol over both axes' units */
} PairParts;

/* has_i, has_j: does axis i, axis j, change the energy? Zeros where it does not. */
AMPHI_BOTH PairResult pair_whole(const PairParts *w, const PairGeometry *g, int has_i, int has_j)
{
    PairResult out = { 0 };

    out.u = w->u;
    out.f = scale3(w->fd, g->d);
    if (has_i) {
        out.f  = add3(out.f, scale3(w->fp, g->axis_i));
        out.ti = scale3(w->fp, g->d);
    }
    if (has_j) {
        out.f  = add3(out.f, scale3(w->fq, g->axis_j));
        out.tj = scale3(w->fq, g->d);
    }
    if (has_i && has_j) {
        out.ti = add3(out.ti, scale3(w->fz, g->axis_j));
        out.tj = add3(out.tj, scale3(w->fz, g->axis_i));
    }
    if (has_i)
        out.ti = cross3(g->axis_i, out.ti);
    if (has_j)
        out.tj = cross3(g->axis_j, out.tj);
    return out;
}

/* A struct of doubles, one a field, so that a reader may fill it as an array. */
#define PAIR_FIELD_MEMBER(name, dimension, range, standard, meaning) double name;
#define PAIR_INPUT(pair)                                                                           \
    struct pair##_input {                                                                          \
        pair##_fields(PAIR_FIELD_MEMBER)                                                           \
    }

/* The cubic switch, 1 up to `from`, 0 from `to` on: s = 1 - 3 x^2 + 2 x^3. */
typedef struct {
    scalar from, inv_width;
} PairSwitch;

typedef struct {
    real s, ds; /* ds = d s / d r */
} SwitchValue;

static inline PairSwitch pair_switch_prepare(double from_nm, double to_nm)
{
    return (PairSwitch){ (scalar)from_nm, (scalar)(1 / (to_nm - from_nm)) };
}

AMPHI_BOTH SwitchValue pair_switch(const PairSwitch *p, real r)
{
    const real low = (r - p->from) * p->inv_width;
    const real cut = choose(low > R(0), low, spread(R(0)));
    const real x   = choose(cut < R(1), cut, spread(R(1)));

    SwitchValue out;
    out.s  = fused(-(x * x), fused(spread(R(-2)), x, spread(R(3))), spread(R(1)));
    out.ds = R(-6) * x * (R(1) - x) * p->inv_width;
    return out;
}

/* Finished parts times the switch: u S, f S - S' u n, t S. */
AMPHI_BOTH PairParts pair_switched(const PairSwitch *p, const PairGeometry *g, PairParts bare)
{
    const SwitchValue w = pair_switch(p, g->r2 * g->inv_r);

    PairParts out;
    out.u  = w.s * bare.u;
    out.fd = fused(w.s, bare.fd, -(w.ds * bare.u * g->inv_r));
    out.fp = w.s * bare.fp;
    out.fq = w.s * bare.fq;
    out.fz = w.s * bare.fz;
    return out;
}

#endif
