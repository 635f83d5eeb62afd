/* The margin that the backend `cpu` chooses: where it goes, that it stays there, and that it hangs
 * on nothing but the trajectory. And the points that a list is built around: lists last longer.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../../engine/list_ahead.h"
#include "../../engine/list_margin.h"
#include "../../engine/stage.h"
#include "../../engine/timings.h"
#include "job_folder.h"

enum { WATERS = 512, STEPS = 280, HALF = 137 };

typedef double Places[WATERS][3];

static const char *const water =
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield><system>"
    "<start><fill type=\"water\" count=\"512\" density=\"2.2 g/cm^3\" seed=\"1\"/>"
    "<velocities temperature=\"298 K\" seed=\"1\"/></start></system>"
    "<plan timestep=\"10 fs\"><run name=\"a\" ensemble=\"nve\" length=\"1 ps\"/></plan></amphi>";

/* Lists of a system whose beads fly so fast, the scatter of their lasting included; the margin. */
static double fly(AmphiMargin *m, double speed, double cost, int n_builds, int64_t *step)
{
    for (int k = 0; k < n_builds; k++) {
        const int64_t lasts = (int64_t)ceil(m->margin_nm / speed) + k % 2;

        *step += lasts > 1 ? lasts : 1;
        amphi_margin_built(m, 1.2, cost, *step);
    }
    return m->margin_nm;
}

static void check_least(double cutoff, double margin, double speed, double cost)
{
    const double at = amphi_margin_cost(cutoff, margin, speed, cost);

    for (double other = 0.02; other < 0.3; other += 0.005)
        assert_true(at * 0.995 <= amphi_margin_cost(cutoff, other, speed, cost));
}

static void the_margin_is_where_a_step_costs_least(void **state)
{
    (void)state;
    for (double speed = 0.001; speed < 0.05; speed *= 2)
        for (double cost = 0.3; cost < 2; cost *= 2)
            check_least(1.2, amphi_margin_choose(1.2, 0.1, 0.1 / speed, cost), speed, cost);
    /* no more than one list a step, however fast beads are */
    assert_true(amphi_margin_cost(1.2, 0.1, 0.5, 1) == amphi_margin_cost(1.2, 0.1, 0.1, 1));
    /* faster beads and dearer lists widen it */
    assert_true(amphi_margin_choose(1.2, 0.1, 40, 1) + 0.02 < amphi_margin_choose(1.2, 0.1, 4, 1));
    assert_true(amphi_margin_choose(1.2, 0.1, 6, 0.5) + 0.02 < amphi_margin_choose(1.2, 0.1, 6, 2));
}

static void the_margin_moves_once_and_stays(void **state)
{
    AmphiMargin  m     = amphi_margin_begin();
    const double first = m.margin_nm;
    int64_t      step  = 0;

    (void)state;
    assert_true(fabs(fly(&m, 0.004, 1, AMPHI_MARGIN_BUILDS, &step) - first) < 1e-12);

    const double chosen = fly(&m, 0.004, 1, 1, &step); /* the first build ended no interval */

    assert_true(chosen < first - 0.02);
    for (int k = 0; k < 20; k++)
        assert_true(fabs(fly(&m, 0.004, 1, AMPHI_MARGIN_BUILDS, &step) - chosen) < 0.011);
    /* another time step: it follows */
    assert_true(fly(&m, 0.020, 1, 3 * AMPHI_MARGIN_BUILDS, &step) > chosen + 0.02);
}

/* Neither before the first step nor between two of them, which no step parts; nor does the time
 * before the first list. */
static void a_descent_says_nothing(void **state)
{
    (void)state;
    for (int64_t step = -1; step < 80; step += 40) {
        AmphiMargin m = amphi_margin_begin();

        for (int k = 0; k < 5 * AMPHI_MARGIN_BUILDS; k++)
            amphi_margin_built(&m, 1.2, 1, step);
        assert_int_equal(m.n_builds, 0);
        assert_int_equal(m.n_steps, 0);
    }
}

/* The mean of the intervals since the last choice, not of all; a margin that promises less than
 * half a per cent is left as it is. */
static void only_what_was_seen_since_the_last_choice_counts(void **state)
{
    AmphiMargin m    = amphi_margin_begin();
    int64_t     step = 0;

    (void)state;
    amphi_margin_built(&m, 1.2, 1, step);
    for (int k = 0; k < AMPHI_MARGIN_BUILDS; k++)
        amphi_margin_built(&m, 1.2, 1, step += 10);
    assert_int_equal(m.n_builds, 0);
    assert_int_equal(m.n_steps, 0);
    assert_true(m.margin_nm == amphi_margin_choose(1.2, amphi_margin_begin().margin_nm, 10, 1));
    for (double margin = 0.02; margin < 0.3; margin += 0.005)
        for (double speed = 0.002; speed < 0.02; speed *= 1.5) {
            const double other = amphi_margin_choose(1.2, margin, margin / speed, 1);

            assert_true(other == margin || amphi_margin_cost(1.2, other, speed, 1) <
                                               0.995 * amphi_margin_cost(1.2, margin, speed, 1));
        }
}

static void walk(const AmphiBackend *b, AmphiState *state, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        assert_int_equal(b->find_neighbours(state, NULL), AMPHI_OK);
        assert_int_equal(b->compute_forces(state, 0, NULL), AMPHI_OK);
        assert_int_equal(b->kick(state, 0, NULL), AMPHI_OK);
        assert_int_equal(b->drift(state, NULL), AMPHI_OK);
    }
}

static AmphiState *opened(const AmphiBackend *b, const AmphiSystem *s, AmphiCompute compute)
{
    static const AmphiStage nve = {
        .name = "nve", .ensemble = AMPHI_NVE, .n_steps = STEPS, .dt_ps = 0.005
    };
    AmphiState *state = NULL;

    assert_int_equal(b->open(s, &compute, &state, NULL), AMPHI_OK);
    assert_int_equal(b->find_neighbours(state, NULL), AMPHI_OK);
    assert_int_equal(b->compute_forces(state, AMPHI_NEED_ENERGY, NULL), AMPHI_OK);
    assert_int_equal(b->begin_stage(state, &nve, NULL), AMPHI_OK);
    return state;
}

static void read_places(const AmphiBackend *b, AmphiState *state, Places out)
{
    AmphiFrame frame;

    assert_int_equal(b->read_frame(state, AMPHI_NEED_POSITIONS, &frame, NULL), AMPHI_OK);
    memcpy(out, frame.position_nm, sizeof(Places));
}

/* Where the water is in the end; saved and read again half way where `breaks`. */
static void go(const AmphiBackend *b, const AmphiSystem *s, AmphiCompute compute, bool breaks,
               Places out)
{
    AmphiState *state = opened(b, s, compute);

    walk(b, state, HALF);
    if (breaks) {
        AmphiBytes bytes = { .data = NULL };

        assert_int_equal(b->save(state, &bytes, NULL), AMPHI_OK);
        b->close(state);
        state = opened(b, s, compute);
        assert_int_equal(b->restore(state, &bytes, NULL), AMPHI_OK);
        amphi_release(bytes.data);
    }
    walk(b, state, STEPS - HALF);
    read_places(b, state, out);
    b->close(state);
}

static void a_chosen_margin_changes_no_bit_with_threads_or_a_break(void **state)
{
    const AmphiCompute one = { .threads = 1 }, two = { .threads = 2 };
    const AmphiCompute fixed   = { .threads = 1, .margin_nm = amphi_margin_begin().margin_nm };
    JobReading         reading = read_job_text(water);

    (void)state;
    assert_non_null(reading.job);
    assert_int_equal(reading.job->system.n_beads, WATERS);
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_DOUBLE; p++) {
        const AmphiBackend *b = amphi_backend_find("cpu", p);
        const AmphiSystem  *s = &reading.job->system;
        Places              here, there;

        go(b, s, one, false, here);
        go(b, s, two, false, there);
        assert_memory_equal(here, there, sizeof here);
        go(b, s, one, true, there);
        assert_memory_equal(here, there, sizeof here);
        /* and it has moved: rows in another order, and other last bits */
        go(b, s, fixed, false, there);
        assert_memory_not_equal(here, there, sizeof here);
        go(b, s, fixed, true, here);
        assert_memory_equal(here, there, sizeof here);
    }
    reading_free(&reading);
}

/* Along y, of a bead at 2 nm. */
static double ahead_of(double v_nm_ps, double a_nm_ps2, double dt_ps)
{
    const double x[3] = { 1, 2, 3 }, v[3] = { 0, v_nm_ps, 0 }, a[3] = { 0, a_nm_ps2, 0 };
    double       point[3];

    expected_nm(x, v, a, dt_ps, 0.1, point);
    assert_true(point[0] == 1 && point[2] == 3);
    return point[1] - 2;
}

static void a_list_expects_beads_where_they_go_and_never_far(void **state)
{
    const double dt = 0.01, v = -0.3, a = 7, t = AHEAD_PS;

    (void)state;
    assert_true(fabs(ahead_of(v, 0, dt) - v * t) < 1e-14);
    /* from the middle of a step to its end, and on from there */
    assert_true(fabs(ahead_of(v, a, dt) - ((v + a * dt / 2) * t + a * t * t / 2)) < 1e-14);
    for (double wild = 1; wild < 1e150; wild *= 1e10) { /* at most a part of the margin */
        assert_true(fabs(ahead_of(wild, 0, 0.1) - AHEAD_MOST * 0.1) < 1e-14);
        assert_true(fabs(ahead_of(0, -1e3 * wild, 0.1) + AHEAD_MOST_BY_FORCE * 0.1) < 1e-14);
    }
    assert_true(ahead_of(1, 0, 0) == 0);
    assert_true(ahead_of((double)NAN, 0, 0.01) == 0);
    assert_true(ahead_of(0, (double)NAN, 0.01) == 0);
    assert_true(ahead_of((double)INFINITY, 0, 0.01) == 0);
}

/* Is any bead farther than half the margin from where it was? */
static bool is_far(const AmphiSystem *s, Places then, Places now, double margin_nm)
{
    double most = 0;

    for (int i = 0; i < WATERS; i++) {
        double r2 = 0;

        for (int a = 0; a < 3; a++) {
            const double d = now[i][a] - then[i][a];
            const double n = d - s->box_nm[a] * nearbyint(d / s->box_nm[a]);

            r2 += n * n;
        }
        most = fmax(most, r2);
    }
    return most > 0.25 * margin_nm * margin_nm;
}

/* How many lists the trajectory takes if each is built around the beads as they are, and holds
 * while these stay within half of the margin. */
static int count_lists(const AmphiBackend *b, const AmphiSystem *s, AmphiCompute compute)
{
    AmphiState *state = opened(b, s, compute);
    Places      then, now;
    int         n = 0;

    read_places(b, state, then);
    for (int k = 0; k < STEPS; k++) {
        walk(b, state, 1);
        read_places(b, state, now);
        if (!is_far(s, then, now, compute.margin_nm))
            continue;
        memcpy(then, now, sizeof then);
        n++;
    }
    b->close(state);
    return n;
}

static void lists_are_half_as_many_as_around_where_beads_are(void **state)
{
    const AmphiCompute compute = { .threads = 1, .margin_nm = 0.1 };
    JobReading         reading = read_job_text(water);

    (void)state;
    assert_non_null(reading.job);
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++) {
        const AmphiBackend *b       = amphi_backend_find("cpu", p);
        const int           n       = count_lists(b, &reading.job->system, compute);
        AmphiState         *s       = opened(b, &reading.job->system, compute);
        AmphiTimings        timings = { .n = 0 };

        assert_int_equal(b->timings(s, STEPS, &timings, NULL), AMPHI_OK);
        assert_true(n >= 20);
        assert_true(timings.builds * STEPS <= n * 0.55);
        b->close(s);
    }
    reading_free(&reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_margin_is_where_a_step_costs_least),
        cmocka_unit_test(the_margin_moves_once_and_stays),
        cmocka_unit_test(a_descent_says_nothing),
        cmocka_unit_test(only_what_was_seen_since_the_last_choice_counts),
        cmocka_unit_test(a_chosen_margin_changes_no_bit_with_threads_or_a_break),
        cmocka_unit_test(a_list_expects_beads_where_they_go_and_never_far),
        cmocka_unit_test(lists_are_half_as_many_as_around_where_beads_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
