/* Around which points a neighbour list is built. A list is exact while every bead is within half
 * the margin of the point it was built around. That point need not be where the bead is: a bead
 * comes farther from where it was than from where it was expected to be some time later.
 */
#ifndef AMPHI_ENGINE_LIST_AHEAD_H
#define AMPHI_ENGINE_LIST_AHEAD_H

#include <math.h>

#include "num/both.h"

/* How long a bead is expected to keep its acceleration. Steps that a list lasts around where beads
 * are, where their velocity takes them, and where velocity and force do: DMPC membrane, margin 0.12
 * nm, at 10 fs 5.9, 7.8 and 9.1, at 5 fs 11.6, 16 and 18; SSD water, 0.08 nm, at 2 fs 13.7, 22 and
 * 27. 0.03 and 0.045 ps give a little less. */
#define AHEAD_PS 0.04
/* The largest part of the margin by which a point is ahead, so that nothing, however wild, makes a
 * list stale at once. */
#define AHEAD_MOST 0.4

/* The point for a bead at x with velocity v (nm/ps) and acceleration a (nm/ps^2), both as its last
 * step had them: v of the middle of that step and a of its beginning. dt_ps: the time step; with 0,
 * and where the square of the way is not finite, the point is x. It is not wrapped into the box. */
AMPHI_BOTH void expected_nm(const double x_nm[3], const double v_nm_ps[3], const double a_nm_ps2[3],
                            double dt_ps, double margin_nm, double point_nm[3])
{
    const double most = AHEAD_MOST * margin_nm;
    double       way_nm[3], way2 = 0, part = 1;

    for (int a = 0; a < 3; a++) {
        way_nm[a] = AHEAD_PS * (v_nm_ps[a] + 0.5 * (dt_ps + AHEAD_PS) * a_nm_ps2[a]);
        way2 += way_nm[a] * way_nm[a];
    }
    if (!(way2 <= most * most))
        part = way2 < HUGE_VAL ? most / sqrt(way2) : 0;
    for (int a = 0; a < 3; a++)
        point_nm[a] = dt_ps > 0 && part > 0 ? x_nm[a] + part * way_nm[a] : x_nm[a];
}

#endif
