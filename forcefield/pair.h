/* The interface of pair potentials: from the geometry of a pair to energy, force and torques.
 *
 * A potential is a header with a list of input fields, a struct of kernel constants, a function
 * that computes these constants in double at the beginning of a run, and the formula. The formula
 * has no loop, no cut-off test and no branch on a `real`, so that it can be compiled for one number
 * or for a vector of lanes (num/lanes.h). Conventions: d points from j to i; the force acts on i,
 * and its opposite on j; t_i + t_j + d x f = 0.
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
    real3 d_rest;             /* nm: what rounding has taken from d; read where KEEPS_RESTS */
} PairGeometry;

/* Orientations of both beads, for potentials that need more than one axis of each. */
typedef struct {
    quat qi, qj; /* unit, body to space */
} PairFrames;

typedef struct {
    real  u;      /* kJ/mol */
    real3 f;      /* kJ/mol/nm, on i; j receives -f */
    real3 ti, tj; /* kJ/mol, space frame */
} PairResult;

/* The result of a potential that depends on one axis of each bead, before force and torques are put
 * together. An energy u(r, p.d, q.d, p.q), with p the axis of i and q that of j, has
 *
 *   f = fd d + fp p + fq q,  g_i = fp d + fz q,  g_j = fq d + fz p,  t_i = p x g_i,  t_j = q x g_j
 *
 * with fd = -(du/dr)/r, fp = -du/d(p.d), fq = -du/d(q.d), fz = -du/d(p.q). Force and torques
 * balance for any values of these. A loop over many j sums f and the field g_i, and takes the cross
 * product once. Units are those of the axes (e nm for dipoles, 1 for unit axes). */
typedef struct {
    real u;      /* kJ/mol */
    real fd;     /* kJ/mol/nm^2 */
    real fp, fq; /* kJ/mol/nm over the unit of the axis */
    real fz;     /* kJ/mol over the units of both axes */
} PairParts;

/* Force and torques from parts. has_i, has_j: does the energy depend on the axis of i, of j? Terms
 * with the other axis are left out. */
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

/* struct NAME_input: one double for each field, in the order of the list. */
#define PAIR_FIELD_MEMBER(name, dimension, range, standard, meaning) double name;
#define PAIR_INPUT(pair)                                                                           \
    struct pair##_input {                                                                          \
        pair##_fields(PAIR_FIELD_MEMBER)                                                           \
    }

/* The cubic switch s = 1 - 3 x^2 + 2 x^3, x = (r - from) / (to - from): 1 up to `from`, 0 beyond
 * `to`. */
typedef struct {
    scalar from, inv_width;
} PairSwitch;

typedef struct {
    real s, ds; /* ds/dr, 1/nm */
} SwitchValue;

static inline PairSwitch pair_switch_prepare(double from_nm, double to_nm)
{
    return (PairSwitch){ (scalar)from_nm, (scalar)(1 / (to_nm - from_nm)) };
}

/* To what is from 0 to 1. */
AMPHI_BOTH real pair_clamped(real x)
{
    const real cut = choose(x > R(0), x, spread(R(0)));

    return choose(cut < R(1), cut, spread(R(1)));
}

AMPHI_BOTH SwitchValue pair_switch(const PairSwitch *p, real r)
{
    const real x = pair_clamped((r - p->from) * p->inv_width);

    SwitchValue out;
    out.s  = fused(-(x * x), fused(spread(R(-2)), x, spread(R(3))), spread(R(1)));
    out.ds = R(-6) * x * (R(1) - x) * p->inv_width;
    return out;
}

/* Multiplies a potential by the switch S: u S, f S - S' u n, t S. */
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
