/* Speed of the modes and memory of their states, as in table 8 of Shkurti et al. (2013).
 * Modes are measured in turn, several times, so that changes of the machine's speed affect all of
 * them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "../engine/clock.h"
#include "compare.h"

enum { ROUNDS = 5, LEAST_STEPS = 20, MOST_STEPS = 20000 };
static const double round_s = 0.3;

double compare_heap(void)
{
#ifdef __GLIBC__
    const struct mallinfo2 info = mallinfo2();

    return (double)info.uordblks + (double)info.hblkhd;
#else
    return 0;
#endif
}

/* Seconds a step; the last of them is looked at, which waits for a device. */
static AmphiStatus time_round(CompareMode *m, int64_t n_steps, double *each_s, AmphiError *err)
{
    const double began = amphi_clock_s();

    AMPHI_TRY(compare_go(m, n_steps - 1, err));
    AMPHI_TRY(compare_look(m, AMPHI_NEED_NUMBERS | AMPHI_NEED_POTENTIAL, err));
    AMPHI_TRY(m->backend->drift(m->state, err));
    *each_s = (amphi_clock_s() - began) / (double)n_steps;
    return AMPHI_OK;
}

typedef struct {
    double  each_s[COMPARE_MODES][ROUNDS];
    int32_t n_rounds;
} Times;

/* Two rounds do not count: the first, of few steps, builds lists and fills caches, and both
 * determine the number of steps of the next. */
static AmphiStatus time_all(Compare *c, Times *t)
{
    int64_t n_steps[COMPARE_MODES];

    for (int32_t k = 0; k < COMPARE_MODES; k++)
        n_steps[k] = LEAST_STEPS;
    for (int32_t round = -2; round < ROUNDS && !compare_stops(c); round++) {
        for (int32_t k = 0; k < c->n_modes; k++) {
            CompareMode *const m      = &c->mode[k];
            AmphiError         why    = { .status = AMPHI_OK };
            double             each_s = (double)NAN;

            if (m->is_lost)
                continue;
            AMPHI_TRY(compare_lose(m, time_round(m, n_steps[k], &each_s, &why), &why));
            if (round >= 0)
                t->each_s[k][round] = each_s;
            else if (each_s > 0)
                n_steps[k] = (int64_t)fmin(fmax(round_s / each_s, LEAST_STEPS), MOST_STEPS);
        }
        t->n_rounds = round >= 0 ? round + 1 : 0;
        if (c->tell != NULL)
            c->tell(c->user, "speed", t->n_rounds, ROUNDS);
    }
    return AMPHI_OK;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The double mode of the same backend; -1: none is compared. */
static int32_t twin_of(const Compare *c, int32_t mode)
{
    for (int32_t k = 0; k < c->n_modes; k++)
        if (c->mode[k].backend->precision == AMPHI_DOUBLE &&
            strcmp(c->mode[k].backend->name, c->mode[mode].backend->name) == 0)
            return k;
    return -1;
}

static void add_times(Compare *c, Times *t)
{
    const double s_in_day = 86400, ps_in_ns = 1e3;
    double       ms[COMPARE_MODES], spread[COMPARE_MODES], rate[COMPARE_MODES], days[COMPARE_MODES];
    double       gain[COMPARE_MODES], more[COMPARE_MODES];

    compare_unknown(ms);
    compare_unknown(spread);
    compare_unknown(rate);
    compare_unknown(days);
    compare_unknown(gain);
    compare_unknown(more);
    for (int32_t k = 0; k < c->n_modes && t->n_rounds > 0; k++) {
        double *const each = t->each_s[k];

        if (c->mode[k].is_lost)
            continue;
        qsort(each, (size_t)t->n_rounds, sizeof *each, by_size);
        ms[k]     = 1e3 * each[t->n_rounds / 2];
        spread[k] = 100 * (each[t->n_rounds - 1] - each[0]) / each[t->n_rounds / 2];
        rate[k]   = 1e3 / ms[k];
        days[k]   = rate[k] * c->dt_ps * s_in_day / ps_in_ns;
    }
    for (int32_t k = 0; k < c->n_modes; k++) {
        const int32_t twin = twin_of(c, k);

        gain[k] = c->base >= 0 ? ms[c->base] / ms[k] : (double)NAN;
        more[k] = twin >= 0 ? 100 * (ms[twin] / ms[k] - 1) : (double)NAN;
    }
    compare_add_row(c->report, "a step, median", "ms", COMPARE_SHORT, 4, ms);
    compare_add_row(c->report, "a step, largest less smallest", "%", COMPARE_POINT, 0, spread);
    compare_add_row(c->report, "steps a second", "1/s", COMPARE_SHORT, 4, rate);
    compare_add_row(c->report, "simulated in a day", "ns", COMPARE_SHORT, 4, days);
    compare_add_row(c->report, "speed over the base", "", COMPARE_POINT, 2, gain);
    compare_add_row(c->report, "gain over double of the same backend", "%", COMPARE_POINT, 1, more);
}

static void add_memory(Compare *c)
{
    const double MB = 1e6;
    double       host[COMPARE_MODES], device[COMPARE_MODES];
    bool         any = false;

    compare_unknown(host);
    compare_unknown(device);
    for (int32_t k = 0; k < c->n_modes; k++) {
        const AmphiBackend *const be    = c->mode[k].backend;
        size_t                    taken = 0, is_free = 0;

        if (c->mode[k].heap_bytes > 0)
            host[k] = c->mode[k].heap_bytes / MB;
        if (be->memory == NULL || c->mode[k].state == NULL)
            continue;
        be->memory(c->mode[k].state, &taken, &is_free);
        device[k] = (double)taken / MB;
        any       = true;
    }
    compare_add_row(c->report, "memory of the state, host", "MB", COMPARE_SHORT, 3, host);
    if (any)
        compare_add_row(c->report, "memory of the state, device", "MB", COMPARE_SHORT, 3, device);
}

/* Without NVT before, the states are as they were opened. */
static AmphiStatus begin_without_bath(Compare *c)
{
    for (int32_t k = 0; k < c->n_modes; k++) {
        CompareMode *const m   = &c->mode[k];
        AmphiError         why = { .status = AMPHI_OK };

        if (m->is_lost)
            continue;
        AMPHI_TRY(compare_lose(m, m->backend->begin_stage(m->state, &c->nve, &why), &why));
    }
    return AMPHI_OK;
}

AmphiStatus compare_speed(Compare *c, AmphiError *err)
{
    Times times = { .n_rounds = 0 };
    char  about[320];

    (void)err;
    if (!c->has_bath)
        AMPHI_TRY(begin_without_bath(c));
    AMPHI_TRY(time_all(c, &times));
    snprintf(about, sizeof about,
             "Median of %d rounds in turns, of steps without output, %s, at %g fs. Largest less "
             "smallest: of the rounds, over the median. The base: %s.",
             (int)times.n_rounds, c->has_bath ? "with the thermostat" : "without thermostat",
             1e3 * c->dt_ps, c->base >= 0 ? c->mode[c->base].name : "none");
    compare_add_part(c->report, "speed", "Speed and memory", about);
    add_times(c, &times);
    add_memory(c);
    return AMPHI_OK;
}
