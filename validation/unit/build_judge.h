/* Checks of starts that share no code with the builder: all pairs of beads, contact distances of
 * ellipsoids from their matrices, leaflets from means.
 */
#ifndef AMPHI_VALIDATION_UNIT_BUILD_JUDGE_H
#define AMPHI_VALIDATION_UNIT_BUILD_JUDGE_H

#include "../../engine/build.h"

typedef struct {
    AmphiArena    *arena;
    AmphiSystem    system;
    AmphiBuildPlan plan;
    AmphiBuilt     built;
} Start;

typedef struct {
    double closest;    /* distance over contact distance */
    double worst_bond; /* largest |length / length at rest - 1| */
} Verdict;

Verdict judge_start(const Start *s);

/* Middles of molecules, and the beads of molecules of one bead, are in [0, L). */
bool judge_wrapping(const Start *s);
bool judge_quaternions(const Start *s);

/* For the toys of ELBA: the first n_upper molecules stand up, the next n_lower down, heads beyond
 * tails, and no water is in the tails. */
bool   judge_leaflets(const Start *s, int32_t n_upper, int32_t n_lower);
double judge_middle_plane(const Start *s); /* the mean height of the tails, nm */

/* Contact distance of two ellipsoids with { D_i, L_i, D_j, L_j }, unit axes u and v, along n. */
double judge_contact(const double shape[4], const double u[3], const double v[3],
                     const double n[3]);
/* The nearest image of i - j into d; its length, nm. */
double judge_distance(const Start *s, int32_t i, int32_t j, double d[3]);
void   judge_axis(const double q[4], double u[3]);

#endif
