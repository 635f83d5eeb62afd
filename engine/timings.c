/* The time of whole steps, for every backend; then steps timed in parts. */
#include "timings.h"

#include <string.h>

#include "clock.h"

enum { FIRST_STEPS = 20, LEAST_STEPS = 20, MOST_STEPS = 5000, MOST_IN_PARTS = 400 };
static const double enough_s = 1;

AmphiTiming *amphi_timings_part(AmphiTimings *t, const char *name)
{
    AmphiTiming *part = t->part;

    for (int32_t k = 0; k < t->n; k++, part++)
        if (strcmp(part->name, name) == 0)
            return part;
    if (t->n == AMPHI_MOST_TIMINGS)
        return &t->part[t->n - 1];
    t->n++;
    *part = (AmphiTiming){ .us = 0 };
    strncat(part->name, name, sizeof part->name - 1);
    return part;
}

static AmphiStatus take_steps(const AmphiBackend *b, AmphiState *state, int64_t n, AmphiError *err)
{
    if (b->advance != NULL) {
        AMPHI_TRY(b->advance(state, n, err));
        return b->wait != NULL ? b->wait(state, err) : AMPHI_OK;
    }
    for (int64_t k = 0; k < n; k++) {
        AMPHI_TRY(b->find_neighbours(state, err));
        AMPHI_TRY(b->compute_forces(state, 0, err));
        AMPHI_TRY(b->kick(state, 0, err));
        AMPHI_TRY(b->drift(state, err));
    }
    return AMPHI_OK;
}

static AmphiStatus time_steps(const AmphiBackend *b, AmphiState *state, int64_t n, double *us,
                              AmphiError *err)
{
    const double began = amphi_clock_s();

    AMPHI_TRY(take_steps(b, state, n, err));
    *us = 1e6 * (amphi_clock_s() - began) / (double)n;
    return AMPHI_OK;
}

AmphiStatus amphi_timings_measure(const AmphiBackend *b, AmphiState *state, AmphiTimings *t,
                                  AmphiError *err)
{
    double  us, n;
    int64_t n_steps;

    *t = (AmphiTimings){ .n = 0 };
    AMPHI_TRY(time_steps(b, state, FIRST_STEPS, &us, err)); /* lists, caches, graphs */
    AMPHI_TRY(time_steps(b, state, FIRST_STEPS, &us, err));
    n       = 1e6 * enough_s / us;
    n_steps = n < LEAST_STEPS ? LEAST_STEPS : n > MOST_STEPS ? MOST_STEPS : (int64_t)n;
    AMPHI_TRY(time_steps(b, state, n_steps, &t->step_us, err));
    t->n_steps = n_steps < MOST_IN_PARTS ? n_steps : MOST_IN_PARTS;
    return b->timings != NULL ? b->timings(state, t->n_steps, t, err) : AMPHI_OK;
}
