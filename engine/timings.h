/* Timings: how long each operation of a step takes, as a backend measures it.
 *
 * Measuring advances the state by whole steps, which give the same bits as without measuring.
 */
#ifndef AMPHI_ENGINE_TIMINGS_H
#define AMPHI_ENGINE_TIMINGS_H

#include "backend.h"

enum { AMPHI_MOST_TIMINGS = 32 };

typedef struct {
    char   name[64];  /* "pairs", or with the name of a kernel: "list: fill_rows" */
    double us;        /* microseconds for one step, mean */
    double calls;     /* for one step, mean */
    double occupancy; /* of a kernel: warps that fit on a multiprocessor over its limit; host: 0 */
} AmphiTiming;

typedef struct AmphiTimings {
    int32_t     n;
    AmphiTiming part[AMPHI_MOST_TIMINGS];
    int64_t     n_steps;    /* timed in parts */
    double      step_us;    /* microseconds for a whole step without output, not timed in parts */
    double      builds;     /* of the neighbour list, for one step */
    double      neighbours; /* mean for a bead, each pair counted twice; 0: there is no list */
    int32_t     room;       /* neighbours of a bead that the list has room for */
} AmphiTimings;

/* The part of that name, added if it is new; the last part when there is no room for it. */
AmphiTiming *amphi_timings_part(AmphiTimings *t, const char *name);

/* Makes whole steps for about a second, then steps that are timed in parts. The state must be
 * between two steps of a stage with time steps. Fails as steps do. */
AmphiStatus amphi_timings_measure(const AmphiBackend *backend, AmphiState *state, AmphiTimings *t,
                                  AmphiError *err);

#endif
