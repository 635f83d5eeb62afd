/* Chooses the margin of a neighbour list: a wide margin makes every step more expensive, a narrow
 * one needs more frequent builds. On the CPU it is tuned during a run; on a device it is chosen
 * once a stage, from the thermal velocity of the lightest bead (amphi_margin_choose).
 *
 * The choice follows from the number of steps between builds, never from a clock. The margin
 * decides the order of the rows and with it the last bits of the forces, and a run must have the
 * same bits for any number of threads, interrupted or not.
 */
#ifndef AMPHI_ENGINE_LIST_MARGIN_H
#define AMPHI_ENGINE_LIST_MARGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "backend.h"
#include "on_disk.h"

/* Builds averaged for one choice: their mean interval is then known to about 5 %. */
enum { AMPHI_MARGIN_BUILDS = 16 };

/* The state of the tuning; saved in checkpoints as these bytes. */
typedef struct {
    double  margin_nm;
    int64_t built_step; /* step of the last build; negative: none yet */
    int64_t n_steps;    /* sum of the intervals between builds since the last choice */
    int64_t n_builds;   /* number of these intervals */
} AmphiMargin;

AMPHI_ON_DISK_AT(AmphiMargin, built_step, 8);
AMPHI_ON_DISK_AT(AmphiMargin, n_steps, 16);
AMPHI_ON_DISK_AT(AmphiMargin, n_builds, 24);
AMPHI_ON_DISK(AmphiMargin, 32);

AmphiMargin amphi_margin_begin(void);

/* To be called before a list is built in this step. After AMPHI_MARGIN_BUILDS intervals it chooses
 * a new margin, which the list about to be built takes. */
void amphi_margin_built(AmphiMargin *margin, double cutoff_nm, double build_cost, int64_t step);

/* The margin in nm, a multiple of 0.005, at which builds and forces together take the least time,
 * if a list of margin_nm lasts for `steps` steps. build_cost: time of a build over that of one
 * computation of forces with the same list. */
double amphi_margin_choose(double cutoff_nm, double margin_nm, double steps, double build_cost);

/* The function that is minimised: the time of a step, in units of forces without a margin, if the
 * beads use up the margin at this speed. */
double amphi_margin_cost(double cutoff_nm, double margin_nm, double speed_nm_step,
                         double build_cost);

/* build_cost as measured for the kernels of a precision with AVX-512 (is_v4) or AVX2. */
double amphi_margin_build_cost(AmphiPrecision precision, bool is_v4);

#endif
