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
 * 27; 20 000 Gay-Berne ellipsoids, 0.1 nm, at 2 fs 7.9 and 8.5, the last two. */
#define AHEAD_PS 0.04
/* The largest part of the margin by which a point is ahead, so that nothing, however wild, makes a
 * list stale at once; and the part of that by force, for a collision is over sooner: without this
 * lists of Gay-Berne ellipsoids last 6.3 steps. */
#define AHEAD_MOST          0.4
#define AHEAD_MOST_BY_FORCE 0.2

/* What keeps a way within a length: a factor, 0 if the square of the way is not finite. */
AMPHI_BOTH double part_within(const double way_nm[3], double most_nm)
{
    const double way2 = way_nm[0] * way_nm[0] + way_nm[1] * way_nm[1] + way_nm[2] * way_nm[2];

    if (way2 <= most_nm * most_nm)
        return 1;
    return way2 < HUGE_VAL ? most_nm / sqrt(way2) : 0;
}

/* The point for a bead at x with velocity v (nm/ps) and acceleration a (nm/ps^2), both as its last
 * step had them: v of the middle of that step and a of its beginning. dt_ps: the time step; with 0,
 * and where the square of the way is not finite, the point is x. It is not wrapped into the box. */
AMPHI_BOTH void expected_nm(const double x_nm[3], const double v_nm_ps[3], const double a_nm_ps2[3],
                            double dt_ps, double margin_nm, double point_nm[3])
{
    double way_nm[3], by_force_nm[3], part;

    for (int a = 0; a < 3; a++)
        by_force_nm[a] = 0.5 * AHEAD_PS * (dt_ps + AHEAD_PS) * a_nm_ps2[a];
    part = part_within(by_force_nm, AHEAD_MOST_BY_FORCE * margin_nm);
    for (int a = 0; a < 3; a++)
        way_nm[a] = AHEAD_PS * v_nm_ps[a] + part * by_force_nm[a];
    part = part_within(way_nm, AHEAD_MOST * margin_nm);
    for (int a = 0; a < 3; a++)
        point_nm[a] = dt_ps > 0 && part > 0 ? x_nm[a] + part * way_nm[a] : x_nm[a];
}

#endif
