/* What a step costs that somebody looks at: microseconds beyond a step that nobody does, as the
 * watch of a run takes one (numbers, and now and then a state set aside) and as observers
 * do; and of each call on the way, where the host waits for the device between all of them.
 *
 *   bench_frames SYSTEM.xml [precision] [beads,beads] [steps from frame to frame]
 *
 * Prints a line for each look, the median of five runs of a hundred frames.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/amphi.h"
#include "../../engine/clock.h"
#include "../../engine/run_parts.h"
#include "prepare.h"

enum { RUNS = 5, FRAMES = 100, CALLS = 5 };

typedef struct {
    const char *name;
    uint32_t    needs;
    bool        keeps;
} Look;

static const Look looks[] = {
    { "nothing", 0, false },
    { "watch", AMPHI_NEED_NUMBERS, true },
    { "energies", AMPHI_NEED_ENERGY, false },
    { "positions", AMPHI_NEED_POSITIONS, false },
    { "all", AMPHI_NEED_NUMBERS | AMPHI_NEED_ENERGY | AMPHI_NEED_POSITIONS, true },
};

static const char *const names[CALLS] = { "find_neighbours", "compute_forces", "kick", "read_frame",
                                          "drift" };

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void wait(const AmphiBackend *b, AmphiState *state)
{
    AmphiError err = { AMPHI_OK, "" };
    AmphiFrame frame;

    bench_check(b->read_frame(state, 0, &frame, &err), &err);
}

/* The same between two steps, where a list that found no room may get it. */
static void catch_up(const AmphiBackend *b, AmphiState *state)
{
    AmphiError err = { AMPHI_OK, "" };

    bench_check(b->wait(state, &err), &err);
}

/* As a run stores states. */
static bool stores(const Look *at, int k, int64_t n_steps)
{
    return at->keeps && k * n_steps % AMPHI_STEPS_A_STATE < n_steps;
}

/* Adds to us[] what each call takes, if it is there: then the host waits behind each. */
static void look(const AmphiBackend *b, AmphiState *state, const Look *at, int k_look,
                 int64_t n_steps, double us[])
{
    AmphiError err = { AMPHI_OK, "" };
    AmphiFrame frame;

    for (int k = 0; k < CALLS; k++) {
        const double began = amphi_clock_s();

        if (k == 0)
            bench_check(b->find_neighbours(state, &err), &err);
        if (k == 0 && b->keep != NULL && stores(at, k_look, n_steps))
            bench_check(b->keep(state, k_look % 2, &err), &err);
        if (k == 1)
            bench_check(b->compute_forces(state, at->needs, &err), &err);
        if (k == 2)
            bench_check(b->kick(state, at->needs, &err), &err);
        if (k == 3)
            bench_check(b->read_frame(state, at->needs, &frame, &err), &err);
        if (k == 4)
            bench_check(b->drift(state, &err), &err);
        if (us != NULL && k != 3)
            wait(b, state);
        if (us != NULL)
            us[k] += 1e6 * (amphi_clock_s() - began);
    }
}

/* Microseconds from frame to frame. */
static double walk(const AmphiBackend *b, AmphiState *state, int64_t n_steps, const Look *at,
                   double us[])
{
    const double began = amphi_clock_s();
    AmphiError   err   = { AMPHI_OK, "" };

    for (int k = 0; k < FRAMES; k++) {
        if (at->needs == 0) {
            bench_check(b->advance(state, n_steps, &err), &err);
            continue;
        }
        if (n_steps > 1)
            bench_check(b->advance(state, n_steps - 1, &err), &err);
        if (us != NULL)
            catch_up(b, state);
        look(b, state, at, k, n_steps, us);
    }
    catch_up(b, state);
    return 1e6 * (amphi_clock_s() - began) / FRAMES;
}

static double waited(const AmphiBackend *b, AmphiState *state)
{
    const double began = amphi_clock_s();

    for (int k = 0; k < FRAMES; k++)
        wait(b, state);
    return 1e6 * (amphi_clock_s() - began) / FRAMES;
}

static double median(const AmphiBackend *b, AmphiState *state, int64_t n_steps, const Look *at)
{
    double us[RUNS];

    walk(b, state, n_steps, at, NULL);
    for (int k = 0; k < RUNS; k++)
        us[k] = walk(b, state, n_steps, at, NULL);
    qsort(us, RUNS, sizeof us[0], by_size);
    return us[RUNS / 2];
}

static void time_it(const AmphiBackend *b, const AmphiSystem *s, const AmphiStage *stage,
                    int64_t n_steps)
{
    AmphiError  err = { AMPHI_OK, "" };
    AmphiState *state;
    double      plain = 0;

    bench_check(b->open(s, NULL, &state, &err), &err);
    bench_check(b->begin_stage(state, stage, &err), &err);
    bench_walk(b, state, 1000, AMPHI_NEED_ENERGY);
    for (size_t k = 0; k < sizeof looks / sizeof looks[0]; k++) {
        const double all       = median(b, state, n_steps, &looks[k]);
        double       us[CALLS] = { 0 };

        plain = k == 0 ? all : plain;
        printf("%8d beads %s every %d steps, %-9s %9.2f us/step, %8.1f us a look", (int)s->n_beads,
               amphi_precision_name(b->precision), (int)n_steps, looks[k].name,
               all / (double)n_steps, all - plain);
        if (looks[k].needs != 0)
            walk(b, state, n_steps, &looks[k], us);
        for (int call = 0; call < CALLS && looks[k].needs != 0; call++)
            printf(" %s %.1f", names[call], us[call] / FRAMES);
        if (looks[k].needs != 0)
            printf(" a wait %.1f", waited(b, state));
        printf("\n");
        fflush(stdout);
    }
    b->close(state);
}

int main(int argc, char **argv)
{
    const char         *precision = argc > 2 ? argv[2] : "single";
    const AmphiBackend *b =
        amphi_backend_find("cuda", strcmp(precision, "double") == 0  ? AMPHI_DOUBLE
                                   : strcmp(precision, "fixed") == 0 ? AMPHI_FIXED
                                                                     : AMPHI_SINGLE);
    AmphiArena *arena = amphi_arena_new();
    AmphiJob   *job;

    if (argc < 2 || b == NULL || arena == NULL) {
        fprintf(stderr, "bench_frames SYSTEM.xml [precision] [beads,beads] [steps]: no backend "
                        "cuda\n");
        return 2;
    }
    job = bench_load(argv[1]);
    if (job == NULL || job->n_stages == 0)
        return 3;

    const AmphiStage *last  = &job->stage[job->n_stages - 1];
    const AmphiStage  stage = bench_stage("nvt", last->dt_ps, last->thermostat.temperature_K);
    const int64_t     every = argc > 4 ? atoll(argv[4]) : 100;

    for (char *at = strtok(argc > 3 ? argv[3] : (char[]){ "0" }, ","); at != NULL;
         at       = strtok(NULL, ",")) {
        AmphiSystem system;
        int32_t     copies[3];

        bench_copies(job->system.n_beads, atof(at), copies);
        bench_prepare(b, &job->system, stage, copies, arena, &system);
        time_it(b, &system, &stage, every);
    }
    amphi_job_free(job);
    amphi_arena_free(arena);
    return 0;
}
