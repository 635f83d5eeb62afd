/* Microseconds a step of whole steps on the device: membranes and liquids at several sizes, in each
 * precision, with list builds and a frame read every 1000 steps; the median of five runs.
 *
 *   bench_device SYSTEM.xml [precision] [beads,beads] [steps] [ensemble] [margin in nm]
 *
 * beads: 5888, or 5888*8 for eight systems of that size at once, a thread of this process each; the
 * time is then that of all over their number of steps.
 *
 * ensemble: nve with the mean of the conserved energy over every step, nvt, langevin, npt; nvt1 and
 * npt1: thermostat or barostat act in every step and not in every tenth.
 *
 * The system is minimised, warmed up for 800 steps, and replicated to about so many beads. Time
 * step and temperature are those of the last stage of its plan. With AMPHI_BENCH_LOOP set, steps go
 * one by one and not in graphs, for profilers. Prints one line a size.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/amphi.h"
#include "../../engine/clock.h"
#include "prepare.h"

enum { RUNS = 5, MOST_AT_ONCE = 64 };

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* One of the systems that go at once. */
typedef struct {
    const AmphiBackend *b;
    AmphiState         *state;
    int64_t             n_steps;
} Walker;

static void *walk_on(void *walker)
{
    const Walker *const w = walker;

    bench_walk(w->b, w->state, w->n_steps, AMPHI_NEED_ENERGY);
    return NULL;
}

static void walk_all(Walker *walker, int n)
{
    pthread_t thread[MOST_AT_ONCE];

    for (int k = 1; k < n; k++)
        if (pthread_create(&thread[k], NULL, walk_on, &walker[k]) != 0) {
            fprintf(stderr, "no thread\n");
            exit(1);
        }
    walk_on(&walker[0]);
    for (int k = 1; k < n; k++)
        pthread_join(thread[k], NULL);
}

static void time_it(const AmphiBackend *b, const AmphiSystem *s, const AmphiStage *stage,
                    const char *ensemble, int64_t n_steps, double margin_nm, int n_systems)
{
    const AmphiCompute compute = { .margin_nm = margin_nm };
    const double       dt_ps   = stage->dt_ps;
    Walker             walker[MOST_AT_ONCE];
    AmphiError         err = { AMPHI_OK, "" };
    double             us[RUNS];

    for (int k = 0; k < n_systems; k++) {
        walker[k] = (Walker){ .b = b, .n_steps = n_steps };
        bench_check(b->open(s, &compute, &walker[k].state, &err), &err);
        bench_check(b->begin_stage(walker[k].state, stage, &err), &err);
        bench_walk(b, walker[k].state, n_steps < 1000 ? n_steps : 1000, AMPHI_NEED_ENERGY);
    }
    for (int k = 0; k < RUNS; k++) {
        const double began = amphi_clock_s();

        walk_all(walker, n_systems);
        us[k] = 1e6 * (amphi_clock_s() - began) / ((double)n_steps * n_systems);
    }
    qsort(us, RUNS, sizeof us[0], by_size);
    printf("%-5s %8d beads", ensemble, (int)s->n_beads);
    if (n_systems > 1)
        printf(" * %d", n_systems);
    printf(" %s %5.1f fs %9.2f us/step (%.2f to %.2f) %8.3g bead-steps/s %7.1f ns/day  %s\n",
           amphi_precision_name(b->precision), 1e3 * dt_ps, us[RUNS / 2], us[0], us[RUNS - 1],
           1e6 * s->n_beads / us[RUNS / 2], 86400e6 * dt_ps * 1e-3 / us[RUNS / 2],
           b->about(walker[0].state));
    fflush(stdout);
    for (int k = 0; k < n_systems; k++)
        b->close(walker[k].state);
}

int main(int argc, char **argv)
{
    const char *precision = argc > 2 ? argv[2] : "single", *ensemble = argc > 5 ? argv[5] : "nvt";
    const char *name = getenv("AMPHI_BACKEND") != NULL ? getenv("AMPHI_BACKEND") : "cuda";
    const AmphiBackend *b =
        amphi_backend_find(name, strcmp(precision, "double") == 0  ? AMPHI_DOUBLE
                                 : strcmp(precision, "fixed") == 0 ? AMPHI_FIXED
                                                                   : AMPHI_SINGLE);
    AmphiArena *arena = amphi_arena_new();
    AmphiJob   *job;
    AmphiSystem system;
    int32_t     copies[3];
    char       *list;
    double      dt_ps = 0.010, temperature_K = 300;

    if (argc < 2 || b == NULL || arena == NULL) {
        fprintf(stderr,
                "bench_device SYSTEM.xml [precision] [beads,beads] [steps] [ensemble] "
                "[margin]: no backend %s %s\n",
                name, precision);
        return 2;
    }
    job = bench_load(argv[1]);
    if (job == NULL)
        return 3;
    if (job->n_stages > 0) {
        const AmphiStage *last = &job->stage[job->n_stages - 1];

        dt_ps         = last->dt_ps;
        temperature_K = last->thermostat.temperature_K > 0 ? last->thermostat.temperature_K : 300;
    }
    list = argc > 3 ? argv[3] : "0";
    (void)setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0); /* as tools/run_several.c does */
    for (char *at = strtok(list, ","); at != NULL; at = strtok(NULL, ",")) {
        const AmphiStage  stage = bench_stage(ensemble, dt_ps, temperature_K);
        const char *const times = strchr(at, '*');
        const int         n     = times != NULL ? atoi(times + 1) : 1;

        bench_copies(job->system.n_beads, atof(at), copies);
        bench_prepare(b, &job->system, bench_stage("nvt", dt_ps, temperature_K), copies, arena,
                      &system);
        time_it(b, &system, &stage, ensemble, argc > 4 ? atoll(argv[4]) : 5000,
                argc > 6 ? atof(argv[6]) : 0,
                n < 1              ? 1
                : n > MOST_AT_ONCE ? MOST_AT_ONCE
                                   : n);
    }
    amphi_job_free(job);
    amphi_arena_free(arena);
    return 0;
}
