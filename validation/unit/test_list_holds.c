/* A neighbour list lasts longer than its beads stay within half of the margin, and still no pair is
 * missing: it is stale just when one is, and as many are in range in any step as there are.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../engine/cpu_list.h"
#include "../../engine/stage.h"
#include "../property/draw.h"
#include "job_folder.h"
#include "skipping.h"

enum { FEW = 512, MANY = 62500 /* from 50 000 beads on a device has another rule */ };

typedef double Places[FEW][3];

static JobReading read_fluid(const char *forcefield, const char *type, int32_t n, double g_cm3,
                             double temperature_K)
{
    char text[800];

    snprintf(text, sizeof text,
             "<amphi version=\"1\"><forcefield><include href=\"forcefield:%s\"/></forcefield>"
             "<system><start><fill type=\"%s\" count=\"%d\" density=\"%g g/cm^3\" seed=\"1\"/>"
             "<velocities temperature=\"%g K\" seed=\"1\"/></start></system>"
             "<plan timestep=\"10 fs\"><run name=\"a\" ensemble=\"nve\" length=\"1 ps\"/></plan>"
             "</amphi>",
             forcefield, type, (int)n, g_cm3, temperature_K);
    return read_job_text(text);
}

/* Hot, so that beads go far in a step. */
static JobReading read_water(int32_t n, double g_cm3)
{
    return read_fluid("elba", "water", n, g_cm3, 400);
}

/* ---- by itself ---- */

static double nearest2(const double x[3], const double y[3], const double box_nm[3])
{
    double r2 = 0;

    for (int a = 0; a < 3; a++) {
        const double d = x[a] - y[a], e = d - box_nm[a] * nearbyint(d / box_nm[a]);

        r2 += e * e;
    }
    return r2;
}

/* A way of a length from least to most, in any direction. */
static void draw_way(uint64_t *seed, double least, double most, double way[3])
{
    const double length = draw(seed, least, most);

    draw_direction(seed, way);
    for (int a = 0; a < 3; a++)
        way[a] *= length;
}

static void build(AmphiCpuList *list, const double box_nm[3], Places x)
{
    assert_int_equal(amphi_cpu_list_build(list, box_nm, (const double(*)[3])x, 1, NULL), AMPHI_OK);
}

static bool is_stale(AmphiCpuList *list, const double box_nm[3], Places x, int32_t threads)
{
    return amphi_cpu_list_is_stale(list, box_nm, (const double(*)[3])x, threads);
}

/* Is a pair within the cut-off, or nearly, that was not within cut-off and margin? */
static bool is_missing_any(const AmphiSystem *s, Places then, Places now, double margin_nm)
{
    const double near = s->cutoff_nm * (1 + 1e-5), reach = s->cutoff_nm + margin_nm;

    for (int i = 0; i < FEW; i++)
        for (int j = 0; j < i; j++)
            if (nearest2(now[i], now[j], s->box_nm) < near * near &&
                nearest2(then[i], then[j], s->box_nm) > reach * reach)
                return true;
    return false;
}

/* The first bead goes towards one that it was just too far from, and that one as far towards it,
 * or as far away; if there is one. */
static void lead_on(const AmphiSystem *s, double margin_nm, double length, Places then, Places now)
{
    const double least = s->cutoff_nm + margin_nm, most = least + 0.2 * margin_nm;

    for (int j = 1; j < FEW; j++) {
        const double r2 = nearest2(then[0], then[j], s->box_nm);

        if (r2 <= least * least || r2 >= most * most)
            continue;
        for (int a = 0; a < 3; a++) {
            const double d    = then[j][a] - then[0][a];
            const double unit = (d - s->box_nm[a] * nearbyint(d / s->box_nm[a])) / sqrt(r2);

            now[0][a] = then[0][a] + fabs(length) * unit;
            now[j][a] = then[j][a] - length * unit;
        }
        return;
    }
}

/* Beads anywhere, also outside the box, of which one in 20 has gone further than half of the
 * margin. */
static void a_list_is_stale_just_when_a_pair_is_missing(void **state)
{
    enum { DRAWS = 200 };
    const double  margin_nm = 0.2, half_nm = margin_nm / 2;
    JobReading    reading = read_water(FEW, 0.3);
    AmphiCpuList *list;
    uint64_t      seed = 7;
    int           n[2] = { 0, 0 };

    (void)state;
    assert_non_null(reading.job);
    const AmphiSystem *s = &reading.job->system;

    assert_int_equal(amphi_cpu_list_open(s, margin_nm, 16, &list, NULL), AMPHI_OK);
    for (int k = 0; k < DRAWS; k++) {
        Places then, now;
        bool   is_missing;

        for (int i = 0; i < FEW; i++) {
            const bool strays = i % 20 == 0;
            double     way[3];

            draw_way(&seed, strays ? 1.01 * half_nm : 0, (strays ? 1.49 : 0.99) * half_nm, way);
            for (int a = 0; a < 3; a++) {
                then[i][a] = draw(&seed, -1, 2) * s->box_nm[a];
                now[i][a]  = then[i][a] + way[a];
            }
        }
        lead_on(s, margin_nm, (k % 2 ? -1 : 1) * draw(&seed, half_nm, 1.49 * half_nm), then, now);
        build(list, s->box_nm, then);
        assert_false(is_stale(list, s->box_nm, then, 1));
        is_missing = is_missing_any(s, then, now, margin_nm);
        for (int threads = 1; threads <= 2; threads++)
            assert_int_equal(is_stale(list, s->box_nm, now, threads), is_missing);
        n[is_missing]++;
    }
    assert_true(n[0] >= DRAWS / 4 && n[1] >= DRAWS / 4);
    amphi_cpu_list_close(list);
    reading_free(&reading);
}

/* Of a bead that is further than anybody looks, of many that have gone far, of a box that has
 * shrunk by more than the margin, and of a bead that is nowhere. */
static void a_list_is_stale_where_nobody_looks(void **state)
{
    JobReading    reading = read_water(FEW, 0.3);
    AmphiCpuList *list;
    Places        then, now;
    uint64_t      seed = 8;

    (void)state;
    assert_non_null(reading.job);
    const AmphiSystem *s         = &reading.job->system;
    const double       shrunk[3] = { s->box_nm[0], s->box_nm[1] * 0.85, s->box_nm[2] };

    for (int i = 0; i < FEW; i++)
        for (int a = 0; a < 3; a++)
            then[i][a] = draw(&seed, 0, 1) * s->box_nm[a];
    assert_int_equal(amphi_cpu_list_open(s, 0.2, 16, &list, NULL), AMPHI_OK);
    assert_true(is_stale(list, s->box_nm, then, 1)); /* there is none yet */
    build(list, s->box_nm, then);
    assert_true(is_stale(list, shrunk, then, 1));
    for (int i = 0; i < FEW; i++) /* all go with the box, so that nobody has moved in it */
        for (int a = 0; a < 3; a++)
            now[i][a] = then[i][a] * (a == 1 ? 0.85 : 1);
    assert_true((s->cutoff_nm + 0.2) * 0.85 < s->cutoff_nm);
    assert_true(is_stale(list, shrunk, now, 1));

    memcpy(now, then, sizeof now);
    now[FEW - 1][1] += 0.16;
    assert_true(is_stale(list, s->box_nm, now, 1));
    now[FEW - 1][1] = (double)NAN;
    assert_true(is_stale(list, s->box_nm, now, 1));
    now[FEW - 1][1] = (double)INFINITY;
    assert_true(is_stale(list, s->box_nm, now, 1));
    assert_int_equal(amphi_cpu_list_build(list, s->box_nm, (const double(*)[3])now, 1, NULL),
                     AMPHI_UNSTABLE);
    build(list, s->box_nm, then);
    for (int i = 0; i < FEW; i++) /* nobody comes nearer to anybody */
        for (int a = 0; a < 3; a++)
            now[i][a] = then[i][a] + (a == 2 ? 0.12 : 0);
    assert_true(is_stale(list, s->box_nm, now, 1));
    amphi_cpu_list_close(list);
    reading_free(&reading);
}

/* Two beads that are just too far from each other along one axis meet, or nearly, while that edge
 * shrinks or not: the one goes as far as anybody is looked at, the other less than half of the
 * margin. They are anywhere, so that cells end between them, too. */
static void check_approach(AmphiCpuList *list, const AmphiSystem *s, int axis, double shrink)
{
    const double margin_nm = 0.2, gap = s->cutoff_nm + margin_nm + 0.005;
    const double left = (s->cutoff_nm + margin_nm) * shrink - s->cutoff_nm;
    const double far = 0.74 * left, rest = gap * shrink - s->cutoff_nm - far;
    double       box[3] = { s->box_nm[0], s->box_nm[1], s->box_nm[2] };
    uint64_t     seed   = 9;
    Places       then, now;

    box[axis] *= shrink;
    for (int i = 0; i < FEW; i++)
        for (int a = 0; a < 3; a++)
            then[i][a] = draw(&seed, 0, 1) * s->box_nm[a];
    assert_true(rest > left - far && rest < 0.5 * left);
    for (int k = 0; k < 100; k++) {
        then[0][axis] = 0.01 * k * s->box_nm[axis];
        memcpy(then[1], then[0], sizeof then[1]);
        then[1][axis] += gap;
        build(list, s->box_nm, then);
        for (int meet = 0; meet < 2; meet++) {
            memcpy(now, then, sizeof now);
            for (int i = 0; i < FEW; i++)
                now[i][axis] *= shrink;
            now[0][axis] += far;
            now[1][axis] -= rest + (meet ? 0.002 : -0.002);
            assert_int_equal(is_stale(list, box, now, 1), meet);
        }
    }
}

static void cells_and_a_box_that_shrinks_hide_no_pair(void **state)
{
    JobReading    reading = read_water(FEW, 0.3);
    AmphiCpuList *list;

    (void)state;
    assert_non_null(reading.job);
    assert_int_equal(amphi_cpu_list_open(&reading.job->system, 0.2, 16, &list, NULL), AMPHI_OK);
    for (int axis = 0; axis < 3; axis++) {
        check_approach(list, &reading.job->system, axis, 1);
        check_approach(list, &reading.job->system, axis, 0.97);
    }
    amphi_cpu_list_close(list);
    reading_free(&reading);
}

/* ---- in steps ---- */

/* From one margin to the next. Sanitizers take ten times as long: one is enough for them. */
static double factor_of_margins(double usual)
{
    return getenv("BRIEF") != NULL ? 16 : usual;
}

static const AmphiStage nve = {
    .name = "nve", .ensemble = AMPHI_NVE, .n_steps = 10000, .dt_ps = 0.005
};
static const AmphiStage short_steps = {
    .name = "nve", .ensemble = AMPHI_NVE, .n_steps = 10000, .dt_ps = 0.001
};

static AmphiState *opened(const AmphiBackend *b, const AmphiSystem *s, double margin_nm,
                          const AmphiStage *stage)
{
    const AmphiCompute compute = { .margin_nm = margin_nm };
    AmphiState        *state   = NULL;

    assert_int_equal(b->open(s, &compute, &state, NULL), AMPHI_OK);
    assert_int_equal(b->find_neighbours(state, NULL), AMPHI_OK);
    assert_int_equal(b->compute_forces(state, AMPHI_NEED_ENERGY, NULL), AMPHI_OK);
    assert_int_equal(b->begin_stage(state, stage, NULL), AMPHI_OK);
    return state;
}

/* The first half of a step, and the frame from which it begins. */
static void begin_step(const AmphiBackend *b, AmphiState *state, AmphiFrame *frame)
{
    const uint32_t needs = AMPHI_NEED_ENERGY | AMPHI_NEED_POSITIONS;

    assert_int_equal(b->find_neighbours(state, NULL), AMPHI_OK);
    assert_int_equal(b->compute_forces(state, needs, NULL), AMPHI_OK);
    assert_int_equal(b->kick(state, needs, NULL), AMPHI_OK);
    assert_int_equal(b->read_frame(state, needs, frame, NULL), AMPHI_OK);
}

/* Pairs nearer than that, by looking at all. */
static int64_t count_pairs(const AmphiFrame *f, int32_t n, double nm)
{
    int64_t count = 0;

    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++)
            count += nearest2(f->position_nm[i], f->position_nm[j], f->box_nm) < nm * nm;
    return count;
}

static void check_steps(const AmphiBackend *b, const AmphiSystem *s, double margin_nm)
{
    AmphiState *state = opened(b, s, margin_nm, &nve);

    for (int k = 0; k < 40; k++) {
        AmphiFrame frame;

        begin_step(b, state, &frame);
        /* positions may be told in 32 bits, and squares of distances */
        assert_in_range(frame.term_count[AMPHI_DD],
                        count_pairs(&frame, s->n_beads, s->cutoff_nm * (1 - 1e-6)),
                        count_pairs(&frame, s->n_beads, s->cutoff_nm * (1 + 1e-6)));
        assert_int_equal(b->drift(state, NULL), AMPHI_OK);
    }
    b->close(state);
}

static void no_pair_is_missing_in_any_step(void **state)
{
    JobReading reading = read_water(FEW, 2.2);
    int        n       = 0;

    (void)state;
    assert_non_null(reading.job);
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++)
        for (int device = 0; device < 2; device++) {
            const AmphiBackend *b = amphi_backend_there(device ? "cuda" : "cpu", p);

            if (b == NULL)
                continue;
            for (double margin_nm = 0.02; margin_nm < 0.2; margin_nm *= factor_of_margins(4))
                check_steps(b, &reading.job->system, margin_nm);
            n++;
        }
    assert_true(n >= 3);
    reading_free(&reading);
}

/* Side by side with a list that is far from its end in every step. In these precisions both have
 * the same pairs in range, to the last. */
static void check_beside(const AmphiBackend *b, const AmphiSystem *s, double margin_nm)
{
    AmphiState *state[2] = { opened(b, s, margin_nm, &nve), opened(b, s, 0.4, &nve) };

    for (int k = 0; k < 16; k++) {
        AmphiFrame frame[2];

        for (int side = 0; side < 2; side++) {
            assert_int_equal(b->advance(state[side], 3, NULL), AMPHI_OK);
            begin_step(b, state[side], &frame[side]);
        }
        assert_int_equal(frame[0].term_count[AMPHI_DD], frame[1].term_count[AMPHI_DD]);
        for (int side = 0; side < 2; side++)
            assert_int_equal(b->drift(state[side], NULL), AMPHI_OK);
    }
    for (int side = 0; side < 2; side++)
        b->close(state[side]);
}

static void no_pair_is_missing_in_a_large_system(void **state)
{
    JobReading reading;

    (void)state;
    if (amphi_backend_there("cuda", AMPHI_DOUBLE) == NULL)
        SKIP("no NVIDIA device");
    reading = read_water(MANY, 2.2);
    assert_non_null(reading.job);
    for (AmphiPrecision p = AMPHI_DOUBLE; p <= AMPHI_FIXED; p++)
        for (double margin_nm = 0.06; margin_nm < 0.2; margin_nm *= factor_of_margins(2))
            check_beside(amphi_backend_there("cuda", p), &reading.job->system, margin_nm);
    reading_free(&reading);
}

/* A state after a descent and steps of 1 fs, as it is saved. */
static AmphiBytes state_after(const AmphiBackend *b, const AmphiSystem *s, double margin_nm,
                              int64_t n_steps)
{
    static const AmphiStage rest  = { .name = "rest", .ensemble = AMPHI_MINIMISE, .n_steps = 100 };
    AmphiState             *state = opened(b, s, margin_nm, &rest);
    AmphiBytes              bytes = { .data = NULL };
    bool                    is_down = false;

    for (int k = 0; k < 100 && !is_down; k++)
        assert_int_equal(b->descend(state, &is_down, NULL), AMPHI_OK);
    assert_int_equal(b->begin_stage(state, &short_steps, NULL), AMPHI_OK);
    assert_int_equal(b->advance(state, n_steps, NULL), AMPHI_OK);
    assert_int_equal(b->save(state, &bytes, NULL), AMPHI_OK);
    b->close(state);
    return bytes;
}

/* Water that sticks, from a start far from rest, which heats it: some molecules come within reach
 * of that from far away while a list lasts. In fixed precision no margin changes a bit. */
static void no_sticky_pair_is_missing_in_a_large_system(void **state)
{
    const AmphiBackend *const b          = amphi_backend_there("cuda", AMPHI_FIXED);
    static const double       margins[2] = { 0.03, 0.3 };
    const int64_t             n_steps    = getenv("BRIEF") != NULL ? 100 : 4000;
    AmphiBytes                bytes[2];
    JobReading                reading;

    (void)state;
    if (b == NULL)
        SKIP("no NVIDIA device");
    reading = read_fluid("ssd", "SSDRF", MANY, 0.997, 100);
    assert_non_null(reading.job);
    for (int k = 0; k < 2; k++)
        bytes[k] = state_after(b, &reading.job->system, margins[k], n_steps);
    assert_int_equal(bytes[0].n, bytes[1].n);
    assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].n);
    for (int k = 0; k < 2; k++)
        amphi_release(bytes[k].data);
    reading_free(&reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_is_stale_just_when_a_pair_is_missing),
        cmocka_unit_test(a_list_is_stale_where_nobody_looks),
        cmocka_unit_test(cells_and_a_box_that_shrinks_hide_no_pair),
        cmocka_unit_test(no_pair_is_missing_in_any_step),
        cmocka_unit_test(no_pair_is_missing_in_a_large_system),
        cmocka_unit_test(no_sticky_pair_is_missing_in_a_large_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
