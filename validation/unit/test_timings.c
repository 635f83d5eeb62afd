/* Timings: parts and their sums, and that a clock changes no bit, on every backend that is
 * there. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../engine/amphi.h"
#include "../../engine/arena.h"
#include "../../engine/stage.h"
#include "../../engine/timings.h"
#include "../../engine/units.h"

static AmphiJob *load(const char *path)
{
    const AmphiLoadOptions options = { .data_dir = "." };
    AmphiNotes            *notes   = amphi_notes_new();
    AmphiError             err     = { AMPHI_OK, "" };
    AmphiJob              *job     = amphi_job_load(path, &options, notes, &err);

    amphi_notes_free(notes);
    assert_non_null(job);
    return job;
}

#define DO(call)                                                                                   \
    do {                                                                                           \
        AmphiError err = { AMPHI_OK, "" };                                                         \
        if ((call) != AMPHI_OK)                                                                    \
            fail_msg("%s: %s", #call, err.text);                                                   \
    } while (0)

/* A bath that draws numbers in every step or, as by default, in every tenth, between which kick and
 * drift may be one operation; and a box that moves at every third step. */
typedef enum { BATH, RARE_BATH, MOVING_BOX, CASES } Case;

static AmphiStage stage_of(Case which)
{
    const bool moves_box = which == MOVING_BOX;

    AmphiStage s = { .name       = "timed",
                     .ensemble   = moves_box ? AMPHI_NPT : AMPHI_NVT,
                     .n_steps    = 1000,
                     .dt_ps      = 0.0005,
                     .seed       = 5,
                     .thermostat = { .type          = AMPHI_VELOCITY_RESCALE,
                                     .temperature_K = 300,
                                     .time_ps       = 1,
                                     .every         = which == RARE_BATH ? 10 : 1 } };

    if (moves_box)
        s.barostat = (AmphiBarostat){ .type                       = AMPHI_CELL_RESCALE,
                                      .coupling                   = AMPHI_ISOTROPIC,
                                      .pressure_kJ_mol_nm3        = AMPHI_BAR,
                                      .time_ps                    = 50,
                                      .compressibility_nm3_mol_kJ = 4.6e-5 / AMPHI_BAR,
                                      .every                      = 3 };
    return s;
}

static void step(const AmphiBackend *b, AmphiState *state)
{
    DO(b->find_neighbours(state, &err));
    DO(b->compute_forces(state, 0, &err));
    DO(b->kick(state, 0, &err));
    DO(b->drift(state, &err));
}

static void settle(const AmphiBackend *b, AmphiState *state)
{
    static const AmphiStage down = { /* borrowed until the next stage has begun */
                                     .name                 = "relax",
                                     .ensemble             = AMPHI_MINIMISE,
                                     .n_steps              = 60,
                                     .stop_force_kJ_mol_nm = 100
    };
    bool converged = false;

    DO(b->begin_stage(state, &down, &err));
    while (!converged) {
        DO(b->find_neighbours(state, &err));
        DO(b->compute_forces(state, AMPHI_NEED_ENERGY, &err));
        DO(b->descend(state, &converged, &err));
    }
}

static AmphiState *open_at(const AmphiBackend *b, const AmphiJob *job, const AmphiStage *stage)
{
    AmphiState *state = NULL;

    DO(b->open(&job->system, NULL, &state, &err));
    settle(b, state);
    DO(b->begin_stage(state, stage, &err));
    return state;
}

static void hold_parts(const AmphiTimings *t, int32_t n_steps)
{
    double sum_us = 0;

    assert_true(t->n >= 3);
    assert_int_equal(t->n_steps, n_steps);
    for (int32_t k = 0; k < t->n; k++) {
        assert_true(t->part[k].us >= 0 && t->part[k].us < 1e6);
        assert_true(t->part[k].name[0] != '\0');
        assert_true(t->part[k].occupancy >= 0 && t->part[k].occupancy <= 1);
        sum_us += t->part[k].us;
    }
    assert_true(sum_us > 0);
    assert_true(t->builds >= 0 && t->builds <= 2);
    assert_true(t->neighbours <= t->room);
}

static void check_bits(const AmphiBackend *b, const AmphiJob *job, Case which)
{
    enum { STEPS = 31 };
    const AmphiStage stage = stage_of(which);
    AmphiState      *timed = open_at(b, job, &stage), *plain = open_at(b, job, &stage);
    AmphiBytes       bytes[2] = { { .data = NULL }, { .data = NULL } };
    AmphiTimings     t        = { .n = 0 };

    DO(b->timings(timed, STEPS, &t, &err));
    hold_parts(&t, STEPS);
    for (int k = 0; k < STEPS; k++)
        step(b, plain);
    DO(b->find_neighbours(timed, &err)); /* one may have built what the last step asked for */
    DO(b->find_neighbours(plain, &err));
    DO(b->save(timed, &bytes[0], &err));
    DO(b->save(plain, &bytes[1], &err));
    assert_int_equal(bytes[0].n, bytes[1].n);
    assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].n);
    step(b, plain); /* and one step more is another state */
    amphi_release(bytes[1].data);
    bytes[1] = (AmphiBytes){ .data = NULL };
    DO(b->save(plain, &bytes[1], &err));
    assert_memory_not_equal(bytes[0].data, bytes[1].data, bytes[0].n);
    amphi_release(bytes[0].data);
    amphi_release(bytes[1].data);
    b->close(timed);
    b->close(plain);
}

static void a_clock_changes_no_bit(void **state)
{
    const AmphiBackend *b;
    AmphiJob           *job = load("systems/mixture.xml");

    (void)state;
    for (int32_t k = 0; (b = amphi_backend_at(k)) != NULL; k++) {
        if (b->timings == NULL || (b->is_there != NULL && !b->is_there()))
            continue;
        print_message("%s %s\n", b->name, amphi_precision_name(b->precision));
        for (int which = BATH; which < CASES; which++) /* sanitizers take ten times as long */
            if (getenv("BRIEF") == NULL || which == k % CASES)
                check_bits(b, job, (Case)which);
    }
    amphi_job_free(job);
}

/* Of some measurements the least: a machine that others use takes either aside, and never makes it
 * faster. */
typedef struct {
    double parts_us, steps_us;
} Least;

static void add_timings(const AmphiTimings *t, Least *least)
{
    double sum_us = 0;

    for (int32_t k = 0; k < t->n; k++)
        sum_us += t->part[k].us;
    print_message("parts %g us, steps %g us\n", sum_us, t->step_us);
    least->parts_us = fmin(least->parts_us, sum_us);
    least->steps_us = fmin(least->steps_us, t->step_us);
}

static void whole_steps_take_about_what_their_parts_take(void **state)
{
    enum { TRIES = 30 };

    const AmphiBackend *b     = amphi_backend_find("cpu", AMPHI_DOUBLE);
    const AmphiStage    stage = stage_of(RARE_BATH);
    AmphiJob           *job   = load("systems/mixture.xml");
    AmphiState         *s     = open_at(b, job, &stage);
    Least               least = { (double)INFINITY, (double)INFINITY };
    bool                holds = false;
    AmphiTimings        t;

    (void)state;
    for (int k = 0; k < TRIES && !holds; k++) {
        DO(amphi_timings_measure(b, s, &t, &err));
        add_timings(&t, &least);
        holds = least.parts_us > least.steps_us / 1.5 && least.parts_us < 1.5 * least.steps_us;
    }
    assert_true(holds);
    b->close(s);
    amphi_job_free(job);
}

static void a_name_stands_once_and_too_many_share_the_last(void **state)
{
    AmphiTimings t = { .n = 0 };
    char         name[16];

    (void)state;
    for (int k = 0; k < 2 * AMPHI_MOST_TIMINGS; k++) {
        snprintf(name, sizeof name, "part %d", k / 2);
        amphi_timings_part(&t, name)->calls++;
    }
    assert_int_equal(t.n, AMPHI_MOST_TIMINGS);
    for (int k = 0; k < t.n; k++)
        assert_true(t.part[k].calls == 2);
    amphi_timings_part(&t, "one more")->calls++;
    assert_int_equal(t.n, AMPHI_MOST_TIMINGS);
    assert_true(t.part[AMPHI_MOST_TIMINGS - 1].calls == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_changes_no_bit),
        cmocka_unit_test(whole_steps_take_about_what_their_parts_take),
        cmocka_unit_test(a_name_stands_once_and_too_many_share_the_last),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
