/* Around which points a neighbour list is built. A list is exact while every bead is within half
 * the margin of the point it was built around. That point need not be where the bead is: a bead
 * comes farther from where it was than from where it was expected to be some time later.
 */
#ifndef AMPHI_ENGINE_LIST_AHEAD_H
#define AMPHI_ENGINE_LIST_AHEAD_H

#include <math.h>

#include "num/both.h"

/* How long a bead is expected to keep its velocity. Steps that a list lasts, without and with it:
 * DMPC membrane, margin 0.12 nm, at 10 fs 5.9 and 7.9, at 5 fs 11.6 and 15.8; SSD water, 0.08 nm,
 * at 2 fs 13.7 and 20. Half of it gives half of that. */
#define AHEAD_PS 0.03
/* The largest part of the margin by which a point is ahead, so that no velocity, however wild,
 * makes a list stale at once. */
#define AHEAD_MOST 0.3

/* The point for a bead at x with velocity v (nm/ps). dt_ps: the time step; with 0, and where
 * the square of v is not finite, the point is x. It is not wrapped into the box. */
AMPHI_BOTH void expected_nm(const double x_nm[3], const double v_nm_ps[3], double dt_ps,
                            double margin_nm, double point_nm[3])
{
    const double most     = AHEAD_MOST * margin_nm;
    const double far      = AHEAD_PS * sqrt(v_nm_ps[0] * v_nm_ps[0] + v_nm_ps[1] * v_nm_ps[1] +
                                            v_nm_ps[2] * v_nm_ps[2]);
    const double ahead_ps = far <= most ? AHEAD_PS : far < HUGE_VAL ? AHEAD_PS * (most / far) : 0;

    for (int a = 0; a < 3; a++)
        point_nm[a] = dt_ps > 0 && ahead_ps > 0 ? x_nm[a] + ahead_ps * v_nm_ps[a] : x_nm[a];
}

#endif
