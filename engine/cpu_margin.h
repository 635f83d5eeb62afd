/* The margin of the CPU's neighbour list, chosen while a run goes on: a wide one makes every step
 * dearer, a narrow one builds more often.
 *
 * What it chooses from is part of the trajectory, the steps from one build to the next, and never a
 * clock: the order of the rows, and with it the last bits of the forces, follows from the margin, and
 * the same command shall give the same bits on any number of threads, stopped or not.
 */
#ifndef AMPHI_ENGINE_CPU_MARGIN_H
#define AMPHI_ENGINE_CPU_MARGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "backend.h"

/* Builds that a choice rests on: their mean is good to a twentieth. */
enum { AMPHI_MARGIN_BUILDS = 16 };

/* The state of it, but for the cut-off and the cost, which are the run's. Saved as it is. */
typedef struct {
    double  margin_nm;
    int64_t built_step; /* when the list was last built; negative: never */
    int64_t n_steps;    /* between the builds since the last choice */
    int64_t n_builds;   /* of those */
} AmphiMargin;

AmphiMargin amphi_margin_begin(void);

/* A list is built in this step: counts, and chooses after AMPHI_MARGIN_BUILDS; the new margin holds
 * for the list about to be built. */
void amphi_margin_built(AmphiMargin *margin, double cutoff_nm, double build_cost, int64_t step);

/* The margin, in nm and steps of 5 pm, that makes builds and forces together cheapest where a list
 * of margin_nm lasts so many steps. build_cost: of a list, in units of the forces over it. */
double amphi_margin_choose(double cutoff_nm, double margin_nm, double steps, double build_cost);

/* What that minimises: the time of a step in units of forces without a margin. */
double amphi_margin_cost(double cutoff_nm, double margin_nm, double speed_nm_step,
                         double build_cost);

/* That cost on this code: its rows and pairs of two sets of instructions. */
double amphi_margin_build_cost(AmphiPrecision precision, bool is_v4);

#endif
