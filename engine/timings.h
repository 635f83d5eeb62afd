/* Where the time of a step goes, operation by operation: what a backend tells of itself.
 *
 * Timing moves the state on by whole steps, to the bits that it would have had without a clock.
 */
#ifndef AMPHI_ENGINE_TIMINGS_H
#define AMPHI_ENGINE_TIMINGS_H

#include "backend.h"

enum { AMPHI_MOST_TIMINGS = 32 };

typedef struct {
    char   name[64];  /* "pairs", or with the kernel behind it: "list: fill_rows" */
    double us;        /* a step: what it took in all, over the steps */
    double calls;     /* a step */
    double occupancy; /* of a device: warps that it holds, over those that it could; 0: the host */
} AmphiTiming;

typedef struct AmphiTimings {
    int32_t     n;
    AmphiTiming part[AMPHI_MOST_TIMINGS];
    int64_t     n_steps;    /* that were timed in parts */
    double      step_us;    /* of whole steps, as a run takes those that nobody looks at */
    double      builds;     /* of the neighbour list, a step */
    double      neighbours; /* a bead in the list, each pair from both sides; 0: there is no list */
    int32_t     room;       /* for so many neighbours a bead */
} AmphiTimings;

double amphi_timings_clock(void); /* s, of no particular beginning */

/* A name's part, a new one if need be; the last one when there is no room. */
AmphiTiming *amphi_timings_part(AmphiTimings *t, const char *name);

/* About a second of whole steps by the clock, then steps in parts. The state stands at the top of a
 * step of a stage that moves, and is spent. Fails as steps do. */
AmphiStatus amphi_timings_measure(const AmphiBackend *backend, AmphiState *state, AmphiTimings *t,
                                  AmphiError *err);

#endif
