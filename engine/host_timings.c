/* Timings of the backends on the host. */
#include "clock.h"
#include "host.h"
#include "timings.h"

enum { LIST, FORCES, KICK, DRIFT, PARTS };

typedef struct {
    double part_s[PARTS], pairs_s, bonded_s;
} Spent;

static AmphiStatus time_step(AmphiState *h, Spent *to, AmphiError *err)
{
    const AmphiForcesKind *kind = amphi_host_kind(h);
    AmphiForcesSpent       last = { .pairs_s = 0 };
    double                 at[PARTS + 1];

    at[LIST] = amphi_clock_s();
    AMPHI_TRY(amphi_host_find_neighbours(h, err));
    at[FORCES] = amphi_clock_s();
    AMPHI_TRY(amphi_host_compute_forces(h, 0, err));
    at[KICK] = amphi_clock_s();
    if (kind->spent != NULL)
        kind->spent(amphi_host_forces(h), &last);
    to->pairs_s += last.pairs_s;
    to->bonded_s += last.bonded_s;
    AMPHI_TRY(amphi_host_kick(h, 0, err));
    at[DRIFT] = amphi_clock_s();
    AMPHI_TRY(amphi_host_drift(h, err));
    at[PARTS] = amphi_clock_s();
    for (int k = 0; k < PARTS; k++)
        to->part_s[k] += at[k + 1] - at[k];
    return AMPHI_OK;
}

static void add_part(AmphiTimings *t, const char *name, double s, double calls)
{
    AmphiTiming *part = amphi_timings_part(t, name);

    part->us    = 1e6 * s / (double)t->n_steps;
    part->calls = calls;
}

static int64_t look_at_list(AmphiState *h, AmphiTimings *t)
{
    const AmphiForcesKind *kind = amphi_host_kind(h);
    AmphiForcesSpent       now  = { .pairs_s = 0 };

    if (kind->spent != NULL)
        kind->spent(amphi_host_forces(h), &now);
    t->neighbours = now.neighbours;
    t->room       = now.room;
    return now.n_builds;
}

AmphiStatus amphi_host_timings(AmphiState *h, int64_t n_steps, AmphiTimings *t, AmphiError *err)
{
    const int64_t n_builds = look_at_list(h, t);
    Spent         s        = { .pairs_s = 0 };

    t->n_steps = n_steps;
    for (int64_t k = 0; k < n_steps; k++)
        AMPHI_TRY(time_step(h, &s, err));
    t->builds = (double)(look_at_list(h, t) - n_builds) / (double)n_steps;
    if (amphi_host_kind(h)->spent != NULL) {
        add_part(t, "pairs", s.pairs_s, 1);
        add_part(t, "bonded", s.bonded_s, 1);
        add_part(t, "sums and restraints", s.part_s[FORCES] - s.pairs_s - s.bonded_s, 1);
        add_part(t, "list", s.part_s[LIST], t->builds);
    } else {
        add_part(t, "forces", s.part_s[FORCES], 1);
    }
    add_part(t, "kick", s.part_s[KICK], 1);
    add_part(t, "drift", s.part_s[DRIFT], 1);
    return AMPHI_OK;
}
