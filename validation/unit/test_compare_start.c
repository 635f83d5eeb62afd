/* The state that a comparison starts from: which checkpoint is taken, what is said of it, and what
 * becomes of the stages of the plan.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "../../engine/formats/formats.h"
#include "compare_bench.h"
#include "hundred_waters.h"

/* ---- from a checkpoint ---- */

/* The start of the job as a checkpoint, of a box and a motion of its own. */
static AmphiSnapshot *snapshot_of(const AmphiJob *job, AmphiArena *arena)
{
    AmphiSnapshot *const s = amphi_snapshot_of_system(&job->system, arena);
    const int32_t        n = job->system.n_beads;

    assert_non_null(s);
    s->physics_hash   = job->physics_hash;
    s->step           = 40;
    s->time_ps        = 0.2;
    s->box_nm[1]      = job->system.box_nm[1] * 1.25;
    s->velocity_nm_ps = amphi_arena_take(arena, n, sizeof *s->velocity_nm_ps);
    s->spin_u_nm2_ps  = amphi_arena_take(arena, n, sizeof *s->spin_u_nm2_ps);
    assert_false(amphi_arena_failed(arena));
    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            s->position_nm[i][k] += 0.01 * k;
            s->velocity_nm_ps[i][k] = 0.1 * k + 0.001 * i;
            s->spin_u_nm2_ps[i][k]  = k < 2 ? 0.2 * k + 0.002 * i : 0;
        }
    return s;
}

typedef struct {
    CompareBench   b;
    AmphiArena    *arena;
    AmphiSnapshot *s;
    char          *folder;
} Start;

static void open_start(Start *t)
{
    bench_open(&t->b, amphi_backend_there("cpu", AMPHI_DOUBLE), 0.5);
    t->arena  = amphi_arena_new();
    t->s      = snapshot_of(t->b.c.job, t->arena);
    t->folder = folder_make();
}

static AmphiStatus find_start(Start *t, bool is_guess)
{
    const char *const path = folder_path(t->folder, "run.chk");

    assert_int_equal(amphi_format_chk.write(path, t->s, &t->b.err), AMPHI_OK);
    t->b.c.from     = path;
    t->b.c.is_guess = is_guess;
    return compare_find_start(&t->b.c, &t->b.err);
}

static void close_start(Start *t)
{
    folder_remove(t->folder);
    amphi_arena_free(t->arena);
    bench_close(&t->b);
}

static bool is_remarked(const Start *t, const char *text)
{
    const CompareReport *const r = t->b.c.report;

    for (int32_t k = 0; k < r->n_remarks; k++)
        if (strstr(r->remark[k], text) != NULL)
            return true;
    return false;
}

static bool is_taken(const Start *t)
{
    const AmphiSystem *const   s = &t->b.c.system;
    const AmphiSnapshot *const c = t->s;
    const size_t               n = (size_t)s->n_beads;

    return memcmp(s->position_nm, c->position_nm, n * sizeof *c->position_nm) == 0 &&
           memcmp(s->velocity_nm_ps, c->velocity_nm_ps, n * sizeof *c->velocity_nm_ps) == 0 &&
           memcmp(s->orientation, c->orientation, n * sizeof *c->orientation) == 0 &&
           memcmp(s->spin_u_nm2_ps, c->spin_u_nm2_ps, n * sizeof *c->spin_u_nm2_ps) == 0 &&
           memcmp(s->box_nm, c->box_nm, sizeof c->box_nm) == 0 &&
           strstr(t->b.c.report->start, "run.chk, step 40, 0.2 ps") != NULL;
}

static void a_checkpoint_of_this_job_is_taken_without_a_remark(void **state)
{
    (void)state;
    for (int guess = 0; guess < 2; guess++) {
        Start t;

        open_start(&t);
        assert_int_equal(find_start(&t, guess), AMPHI_OK);
        assert_true(is_taken(&t));
        assert_int_equal(t.b.c.report->n_remarks, 0);
        close_start(&t);
    }
}

/* One that is named is taken all the same, one that was only found is not. */
static void a_checkpoint_of_other_physics_is_remarked_on(void **state)
{
    (void)state;
    for (int guess = 0; guess < 2; guess++) {
        Start t;

        open_start(&t);
        t.s->physics_hash ^= 1;
        assert_int_equal(find_start(&t, guess), AMPHI_OK);
        assert_int_equal(is_taken(&t), !guess);
        assert_true(is_remarked(&t, guess ? "is no state of this job as it stands: left alone"
                                          : "is of a run whose physics differs"));
        assert_int_equal(strstr(t.b.c.report->start, "relax (20 steps)") != NULL, guess);
        close_start(&t);
    }
}

/* The system file alone is younger by no step, and goes through the stages. */
static void a_checkpoint_of_step_0_is_taken_only_where_it_is_named(void **state)
{
    (void)state;
    for (int guess = 0; guess < 2; guess++) {
        Start t;

        open_start(&t);
        t.s->step = 0;
        assert_int_equal(find_start(&t, guess), AMPHI_OK);
        assert_int_equal(is_remarked(&t, "is of before the first step: left alone"), guess);
        assert_int_equal(strstr(t.b.c.report->start, "relax (20 steps)") != NULL, guess);
        close_start(&t);
    }
}

/* As many beads as the job has, neither fewer nor more. */
static void a_checkpoint_of_another_number_of_beads_is_refused(void **state)
{
    (void)state;
    for (int more = -1; more <= 1; more += 2) {
        Start    t;
        AmphiJob job;

        open_start(&t);
        job = *t.b.c.job;
        job.system.n_beads += more;
        t.b.c.job = &job;
        assert_int_equal(find_start(&t, false), AMPHI_BAD_INPUT);
        assert_non_null(strstr(t.b.err.text, "run.chk has 100 beads, and water.xml has "));
        close_start(&t);
    }
}

static void a_checkpoint_without_motion_is_refused(void **state)
{
    (void)state;
    for (int lacks = 0; lacks < 4; lacks++) {
        Start t;

        open_start(&t);
        if (lacks == 0)
            t.s->velocity_nm_ps = NULL;
        else if (lacks == 1)
            t.s->spin_u_nm2_ps = NULL;
        else if (lacks == 2)
            t.s->orientation = NULL;
        else
            t.s->has_box = false;
        assert_int_equal(find_start(&t, false), AMPHI_BAD_INPUT);
        assert_non_null(strstr(t.b.err.text, "velocities, orientations or the box are missing"));
        close_start(&t);
    }
}

/* ---- by the stages ---- */

#define PLAN(stages)                                                                               \
    WATERS_JOB                                                                                     \
    "<plan timestep=\"5 fs\">\n" stages "</plan>\n"                                                \
    "<compute threads=\"1\"/></amphi>\n"
#define BATH       "<thermostat temperature=\"298 K\"/>"
#define STILL_BATH "<thermostat temperature=\"298 K\" remove-drift=\"yes\"/>"

static void find_start_of(CompareBench *b, const char *text)
{
    bench_open(b, amphi_backend_there("cpu", AMPHI_DOUBLE), 0.5);
    reading_free(&b->reading);
    b->reading = read_job_text(text);
    b->c.job   = b->reading.job;
    assert_non_null(b->c.job);
    assert_int_equal(compare_find_start(&b->c, &b->err), AMPHI_OK);
}

/* Any of the stages, not only the last. */
static void a_start_that_was_cut_short_is_remarked_on(void **state)
{
    static const struct {
        const char *plan;
        bool        is_cut; /* by 0.1 ps for each */
    } cases[] = {
        { PLAN("<run name=\"a\" ensemble=\"nvt\" length=\"0.2 ps\">" BATH "</run>"
               "<run name=\"b\" ensemble=\"nve\" length=\"0.05 ps\"/>"
               "<run name=\"c\" ensemble=\"nve\" length=\"1 ps\"/>"),
          true },
        { PLAN("<run name=\"a\" ensemble=\"nvt\" length=\"0.1 ps\">" BATH "</run>"
               "<run name=\"c\" ensemble=\"nve\" length=\"1 ps\"/>"),
          false },
        { PLAN("<run name=\"c\" ensemble=\"nve\" length=\"1 ps\"/>"), false },
    };
    (void)state;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CompareBench b;

        find_start_of(&b, cases[k].plan);
        assert_int_equal(b.c.report->n_remarks, cases[k].is_cut);
        assert_true(!cases[k].is_cut ||
                    strstr(b.c.report->remark[0], "the start is younger than the plan wants it"));
        bench_close(&b);
    }
}

/* Nothing of the last stage is left of it that would change the conserved energy. */
static void the_stages_that_are_compared_are_made_of_the_last_one(void **state)
{
    CompareBench b;
    (void)state;

    find_start_of(&b, PLAN("<run name=\"a\" ensemble=\"npt\" length=\"0.2 ps\">" STILL_BATH
                           "<barostat coupling=\"isotropic\" time=\"1 ps\" pressure=\"1 bar\"/>"
                           "</run>"));
    assert_int_equal(b.c.nve.ensemble, AMPHI_NVE);
    assert_int_equal(b.c.nve.thermostat.type, AMPHI_NO_THERMOSTAT);
    assert_int_equal(b.c.nve.barostat.type, AMPHI_NO_BAROSTAT);
    assert_false(b.c.nve.remove_drift);
    assert_true(b.c.nve.conserved_mean);
    assert_int_equal(b.c.nvt.ensemble, AMPHI_NVT);
    assert_int_equal(b.c.nvt.thermostat.type, AMPHI_VELOCITY_RESCALE);
    assert_int_equal(b.c.nvt.barostat.type, AMPHI_NO_BAROSTAT);
    assert_true(b.c.nvt.remove_drift);
    assert_false(b.c.nvt.conserved_mean);
    bench_close(&b);

    /* the bath of the first stage is that of the nearest one that has any */
    find_start_of(&b, PLAN("<run name=\"a\" ensemble=\"nvt\" length=\"0.1 ps\">" STILL_BATH "</run>"
                           "<run name=\"b\" ensemble=\"nve\" length=\"0.05 ps\"/>"));
    assert_true(b.c.has_bath && b.c.nvt.remove_drift);
    assert_int_equal(b.c.nvt.thermostat.type, AMPHI_VELOCITY_RESCALE);
    bench_close(&b);
    find_start_of(&b, PLAN("<run name=\"b\" ensemble=\"nve\" length=\"0.05 ps\"/>"));
    assert_false(b.c.has_bath);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_checkpoint_of_this_job_is_taken_without_a_remark),
        cmocka_unit_test(a_checkpoint_of_other_physics_is_remarked_on),
        cmocka_unit_test(a_checkpoint_of_step_0_is_taken_only_where_it_is_named),
        cmocka_unit_test(a_checkpoint_of_another_number_of_beads_is_refused),
        cmocka_unit_test(a_checkpoint_without_motion_is_refused),
        cmocka_unit_test(a_start_that_was_cut_short_is_remarked_on),
        cmocka_unit_test(the_stages_that_are_compared_are_made_of_the_last_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
