/* The shape of every pair potential: geometry in, energy, force and torques out.
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
    out.s  = R(1) - x * x * (R(3) - R(2) * x);
    out.ds = R(-6) * x * (R(1) - x) * p->inv_width;
    return out;
}

/* A finished result times the switch: u S, f S - S' u n, t S. */
AMPHI_BOTH PairResult pair_switched(const PairSwitch *p, const PairGeometry *g, PairResult bare)
{
    const SwitchValue w = pair_switch(p, g->r2 * g->inv_r);

    PairResult out;
    out.u  = w.s * bare.u;
    out.f  = sub3(scale3(w.s, bare.f), scale3(w.ds * bare.u * g->inv_r, g->d));
    out.ti = scale3(w.s, bare.ti);
    out.tj = scale3(w.s, bare.tj);
    return out;
}

#endif
