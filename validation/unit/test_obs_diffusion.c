/* Mean-square displacements with known answers: free flight, random walks, leaflets that drift, a
 * box that breathes, frames that do not come evenly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "../property/draw.h"
#include "format_cases.h"
#include "hand_bench.h"

enum { MOVERS = 40, PER_LIPID = 13, LIPIDS = 4 };

static const double      edge[3]  = { 2, 2.5, 3 };
static const char *const no_old[] = { NULL };

static void set_up(HandBench *b, const AmphiPortion *portion)
{
    hand_bench(b, "diffusion", portion, 1, edge, folder());
}

static const char *table(void)
{
    return path_of("diffusion.tsv");
}

/* ---- free flight: MSD = v^2 t^2 ---- */

/* Pairs with opposite velocities, 0.1 to 0.4 nm a frame. */
static double speed(int32_t i, int a)
{
    return (i % 2 == 0 ? 1 : -1) * (0.1 + 0.1 * a + 0.001 * (i - i % 2));
}

static void fly(HandBench *b, int32_t k, const double box_nm[3], AmphiFrame *f)
{
    for (int32_t i = 0; i < MOVERS; i++)
        for (int a = 0; a < 3; a++)
            b->position[i][a] = 0.1 * i + speed(i, a) * k;
    hand_frame(b, k, box_nm, f);
}

static void flight_frame(void *user, int32_t k, AmphiFrame *f)
{
    fly(user, k, edge, f);
}

static void free_flight_grows_with_the_square_of_time(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, MOVERS };
    HandBench          b;

    for (int plane = 0; plane < 2; plane++) {
        double v2 = 0;

        set_up(&b, &portion);
        b.plan.in_plane          = plane == 1;
        const FrameSource source = { &b.system, 600, flight_frame, &b };
        hand_watch(&b, &source, no_old);
        for (int32_t i = 0; i < MOVERS; i++)
            for (int a = 0; a < (plane == 1 ? 2 : 3); a++)
                v2 += speed(i, a) * speed(i, a) / MOVERS;
        /* 16 lags, then 8 a level up to 16 * 32 */
        assert_int_equal(table_lines(table()), 16 + 5 * 8 + 1);
        for (int32_t line = 0; line < table_lines(table()); line++) {
            const double frames = table_value(table(), "lag_ps", line) / 0.01;

            assert_true(is_near(table_value(table(), "msd_nm2", line), v2 * frames * frames,
                                1e-7 * v2 * frames * frames));
        }
        assert_true(is_near(table_value(table(), "lag_ps", 24), 0.36, 1e-9));
        assert_true(is_near(table_note(table(), "exponent:"), 2, 1e-2));
        hand_bench_end(&b);
    }
}

static void single_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b = user;

    for (int a = 0; a < 3; a++)
        b->position[0][a] = speed(0, a) * k;
    hand_frame(b, k, edge, f);
}

/* Its own drift would be all that it does. */
static void a_molecule_that_is_alone_in_the_system_keeps_its_way(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, 1 };
    double             v2      = 0;
    HandBench          b;

    set_up(&b, &portion);
    const FrameSource source = { &b.system, 20, single_frame, &b };
    hand_watch(&b, &source, no_old);
    for (int a = 0; a < 3; a++)
        v2 += speed(0, a) * speed(0, a);
    assert_true(is_near(table_value(table(), "msd_nm2", 1), 4 * v2, 1e-7 * v2));
    hand_bench_end(&b);
}

/* Straight flight that is twice as fast in every other window of 16 frames. */
static void hasty_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b     = user;
    const int32_t    whole = k / 16, rest = k % 16;
    const int32_t    way = 24 * whole - 8 * (whole % 2) + rest * (whole % 2 == 0 ? 1 : 2);

    for (int32_t i = 0; i < MOVERS; i++)
        for (int a = 0; a < 3; a++)
            b->position[i][a] = 0.1 * i + 0.1 * speed(i, a) * way;
    hand_frame(b, k, edge, f);
}

/* The number behind the sign in the line that begins with `# name`. */
static double error_note(const char *name)
{
    int64_t           n     = 0;
    char *const       bytes = bytes_of_file(table(), &n);
    const char *const line  = strstr(bytes, name);
    const char *const sign  = line == NULL ? NULL : strstr(line, "+- ");

    assert_non_null(sign);
    const double value = strtod(sign + 3, NULL);
    free(bytes);
    return value;
}

/* The line through j^2 at j from 4 to 16 has a slope of 20. Of windows in turn at once and four
 * times that, the mean is at 2.5 and its error 1.5/sqrt(n - 1). Units of both lines. */
static void the_coefficient_is_that_of_straight_lines_and_its_error_that_of_windows(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, MOVERS };

    for (int32_t windows = 1; windows <= 10; windows += 9) {
        double    once = 0;
        HandBench b;

        set_up(&b, &portion);
        const FrameSource source = { &b.system, 16 * windows + 1, hasty_frame, &b };
        hand_watch(&b, &source, no_old);
        for (int32_t i = 0; i < MOVERS; i++)
            for (int a = 0; a < 3; a++)
                once += 0.01 * speed(i, a) * speed(i, a) / MOVERS * 20 / 0.01 / 6;

        const double mean = (windows == 1 ? 1 : 2.5) * once, error = 0.5 * once;
        assert_true(is_near(table_note(table(), "D_nm2_ps:"), mean, 1e-6 * mean));
        assert_true(is_near(table_note(table(), "D_1e-5_cm2_s:"), 1000 * mean, 1e-3 * mean));
        if (windows > 1) { /* three digits */
            assert_true(is_near(error_note("D_nm2_ps:"), error, 0.01 * error));
            assert_true(is_near(error_note("D_1e-5_cm2_s:"), 1000 * error, 10 * error));
        }
        hand_bench_end(&b);
    }
}

/* Along x the steps are 0.100 to 0.138 nm, in pairs 0.002 nm apart. */
static void steps_beyond_a_quarter_of_the_box_are_told(void **state)
{
    const double       narrow[3] = { 4 * 0.113, 2.5, 3 };
    const AmphiPortion portion   = { TOY_WATER, MOVERS };
    HandBench          b;
    (void)state;

    for (int is_narrow = 0; is_narrow < 2; is_narrow++) {
        Watch      w;
        AmphiFrame f;

        set_up(&b, &portion);
        unlink(table());
        watch_open(&w, &b.place, &b.plan);
        for (int32_t k = 0; k < 3; k++) {
            fly(&b, k, is_narrow == 1 ? narrow : edge, &f);
            watch_see(&w, &f);
        }
        const char *const told = amphi_observer_remark(w.observer);
        if (is_narrow == 0)
            assert_string_equal(told, "");
        else /* 13 of the 20 pairs, in two steps */
            assert_non_null(strstr(told, "diffusion.tsv: 52 of 80 steps of molecules"));
        watch_end(&w);
        hand_bench_end(&b);
    }
}

/* ---- random walks: MSD = 2 d D t ---- */

typedef struct {
    HandBench bench;
    uint64_t  seed;
    double    at[MOVERS * 4][3]; /* unwrapped */
    double    drift;             /* of all, nm a frame */
} Walk;

/* Even steps of variance s^2 = (0.2 nm)^2/12 an axis and frame. */
static void walk_frame(void *user, int32_t k, AmphiFrame *f)
{
    Walk *const      w = user;
    HandBench *const b = &w->bench;

    if (k == 0) {
        memset(w->at, 0, sizeof w->at);
        w->seed = 42;
    }
    for (int32_t i = 0; i < b->system.n_beads; i++)
        for (int a = 0; a < 3; a++) {
            w->at[i][a] += draw(&w->seed, -0.1, 0.1) + (a == 0 ? w->drift : 0);
            b->position[i][a] = w->at[i][a];
        }
    hand_frame(b, k, edge, f);
}

/* D = s^2/(2 dt) = 0.04/12/0.02 nm^2/ps, less a 160th for the drift that is taken away. */
static void a_random_walk_has_its_diffusion_coefficient_within_its_error(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, MOVERS * 4 };
    const double       D       = 0.04 / 12 / 0.02 * (1 - 1. / 160);
    static Walk        w;

    for (int plane = 0; plane < 2; plane++) {
        set_up(&w.bench, &portion);
        w.bench.plan.in_plane    = plane == 1;
        w.drift                  = 0.05;
        const FrameSource source = { &w.bench.system, 1000, walk_frame, &w };
        hand_watch(&w.bench, &source, no_old);
        const double found = table_note(table(), "D_nm2_ps:");
        const double small = table_note(table(), "D_1e-5_cm2_s:");

        /* a line over 16 lags of 160 walkers in 8 or more windows is good to about 3 % */
        assert_true(is_near(found, D, 0.12 * D));
        assert_false(is_near(found, 1.2 * D, 0.12 * D));
        assert_true(is_near(small, 1000 * found, 1e-4 * small));
        assert_true(is_near(table_note(table(), "exponent:"), 1, 0.1));
        for (int32_t line = 0; line < 10; line++) {
            const double t        = table_value(table(), "lag_ps", line);
            const double expected = (plane == 1 ? 4 : 6) * D * t;
            const double error    = table_value(table(), "error", line);

            assert_true(is_near(table_value(table(), "msd_nm2", line), expected, 5 * error));
            assert_true(error > 0 && error < 0.05 * expected);
        }
        hand_bench_end(&w.bench);
    }
}

/* Two of the walkers alone: their own drift would take half of D, that of all takes a 160th. From
 * one window there is no error of D, and the table says what it takes. */
static void a_small_group_moves_against_all_and_not_against_itself(void **state)
{
    (void)state;
    static const int32_t two[]   = { 7, 57 };
    const AmphiPortion   portion = { TOY_WATER, MOVERS * 4 };
    const double         D       = 0.04 / 12 / 0.02 * (1 - 1. / 160);
    static Walk          w;

    set_up(&w.bench, &portion);
    w.bench.group[1]         = (AmphiGroup){ "two", 2, two };
    w.bench.plan.group       = 1;
    w.drift                  = 0.05;
    const FrameSource source = { &w.bench.system, 4000, walk_frame, &w };
    hand_watch(&w.bench, &source, no_old);
    assert_int_equal((int)table_note(table(), "molecules:"), 2);
    /* 250 windows, two walkers, three axes: good to 4 % */
    assert_true(is_near(table_value(table(), "msd_nm2", 0) / 0.06, D, 0.15 * D));
    hand_bench_end(&w.bench);
}

static void from_one_window_there_is_no_error_but_what_it_takes(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, MOVERS };
    HandBench          b;

    set_up(&b, &portion);
    const FrameSource source = { &b.system, 20, flight_frame, &b };
    hand_watch(&b, &source, no_old);
    assert_true(table_note(table(), "D_nm2_ps:") > 0);
    assert_int_equal((int)table_note(table(), "error of D: not known from one window: it takes"),
                     33);
    hand_bench_end(&b);
}

/* ---- leaflets ---- */

/* Lipids 0 and 1 look up and 2 and 3 down. The leaflets go opposite ways, 0.3 nm a frame; within
 * each the two lipids part by 0.02 nm a frame along y, and all of their beads shake. */
static void leaflet_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b = user;

    for (int32_t i = 0; i < LIPIDS * PER_LIPID; i++) {
        const int32_t m = i / PER_LIPID, at = i % PER_LIPID;
        const double  up = m < 2 ? 1 : -1;

        b->position[i][0] = 0.5 * m + up * 0.3 * k;
        b->position[i][1] = 0.2 * m + (m % 2 == 0 ? 0.01 : -0.01) * k;
        b->position[i][2] = 1 + up * (1 - 0.1 * at);
    }
    hand_frame(b, k, edge, f);
}

static void the_drift_of_a_leaflet_is_no_diffusion(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_DMPC, LIPIDS };
    HandBench          b;

    set_up(&b, &portion);
    b.plan.in_plane          = true;
    b.plan.group             = 1;
    const FrameSource source = { &b.system, 40, leaflet_frame, &b };
    hand_watch(&b, &source, no_old);
    for (int32_t line = 0; line < 20; line++) {
        const double frames = table_value(table(), "lag_ps", line) / 0.01;
        assert_true(is_near(table_value(table(), "msd_nm2", line), 1e-4 * frames * frames, 1e-9));
    }
    assert_int_equal((int)table_note(table(), "molecules:"), LIPIDS);
    hand_bench_end(&b);
}

/* One lipid looks up and one down; they go 0.02 nm a frame along y, each another way, and
 * both 0.1 nm along x. */
static void lone_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b = user;

    for (int32_t i = 0; i < 2 * PER_LIPID; i++) {
        const double up = i < PER_LIPID ? 1 : -1;

        b->position[i][0] = 0.5 + 0.1 * k;
        b->position[i][1] = up * 0.02 * k;
        b->position[i][2] = 1 + up * (1 - 0.1 * (i % PER_LIPID));
    }
    hand_frame(b, k, edge, f);
}

/* Its leaflet's path would be its own: it moves against the system. */
static void a_lipid_that_is_alone_in_its_leaflet_moves(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_DMPC, 2 };
    HandBench          b;

    set_up(&b, &portion);
    b.plan.in_plane          = true;
    const FrameSource source = { &b.system, 20, lone_frame, &b };
    hand_watch(&b, &source, no_old);
    for (int32_t line = 0; line < 16; line++) {
        const double frames = table_value(table(), "lag_ps", line) / 0.01;
        assert_true(is_near(table_value(table(), "msd_nm2", line), 4e-4 * frames * frames, 1e-9));
    }
    hand_bench_end(&b);
}

/* Two lipids of one leaflet, DMPC of 702 u and DOPE of 738 u. The choline of DMPC, 90 u, goes 0.02
 * nm a frame along y, the amine of DOPE, 42 u, as much the other way; nothing else moves. */
static void unequal_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b = user;

    for (int32_t i = 0; i < b->system.n_beads; i++) {
        const int32_t m = b->system.bead_molecule[i], at = i - b->system.molecule[m].first_bead;

        b->position[i][0] = 0.5 * m;
        b->position[i][1] = at > 0 ? 0 : m == 0 ? 0.02 * k : -0.02 * k;
        b->position[i][2] = 2 - 0.1 * at;
    }
    hand_frame(b, k, edge, f);
}

/* The centre of mass of DMPC goes 90/702 = 5/39 of these ways, that of DOPE -42/738 = -7/123, and
 * that of both lipids (90 - 42)/1440 = 1/30. */
static void centres_and_drifts_of_unequal_lipids_are_weighted_by_mass(void **state)
{
    (void)state;
    static const int32_t one[]      = { 1 }; /* the phosphate of DMPC, which rests */
    const AmphiPortion   portion[2] = { { TOY_DMPC, 1 }, { TOY_DOPE, 1 } };
    const double         dmpc = 0.02 * (5. / 39 - 1. / 30), dope = 0.02 * (-7. / 123 - 1. / 30);
    HandBench            b;

    for (int is_part = 0; is_part < 2; is_part++) {
        hand_bench(&b, "diffusion", portion, 2, edge, folder());
        b.plan.in_plane = true;
        b.plan.group    = 1;
        if (is_part == 1)
            b.group[1] = (AmphiGroup){ "part", 1, one };
        const FrameSource source = { &b.system, 40, unequal_frame, &b };
        hand_watch(&b, &source, no_old);
        for (int32_t line = 0; line < 20; line++) {
            const double frames  = table_value(table(), "lag_ps", line) / 0.01;
            const double leaflet = 0.02 / 30;
            const double v2 = is_part == 1 ? leaflet * leaflet : 0.5 * (dmpc * dmpc + dope * dope);
            const double expected = v2 * frames * frames;

            assert_true(is_near(table_value(table(), "msd_nm2", line), expected, 1e-8 * expected));
        }
        hand_bench_end(&b);
    }
}

/* ---- boxes and times ---- */

/* Fractional places stay, the box breathes by 10 %: no bead moves more than its box. Nearest-image
 * steps see 0.05 nm at most; images times the present edge would see whole edges. */
static void breathing_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b      = user;
    const double     swell  = 1 + 0.1 * sin(0.2 * k);
    const double     box[3] = { 2 * swell, 2.5 * swell, 3 * swell };
    uint64_t         seed   = 7;

    for (int32_t i = 0; i < MOVERS; i++)
        for (int a = 0; a < 3; a++)
            b->position[i][a] = box[a] * draw(&seed, 0, 1);
    hand_frame(b, k, box, f);
}

static void a_breathing_box_moves_nothing_by_an_edge(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, MOVERS };
    HandBench          b;

    set_up(&b, &portion);
    const FrameSource source = { &b.system, 200, breathing_frame, &b };
    hand_watch(&b, &source, no_old);
    for (int32_t line = 0; line < table_lines(table()); line++)
        assert_true(table_value(table(), "msd_nm2", line) < 0.2);
    hand_bench_end(&b);
}

/* From frame 50 on, frames are twice as far apart as the plan has it: they never fit the lags, and
 * spoil none. */
static void uneven_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b = user;

    flight_frame(user, k < 50 ? k : 2 * k - 50, f);
    f->time_ps       = 0.01 * (k < 50 ? k : 2 * k - 50);
    b->stage.n_steps = 1000;
}

static void uneven_frames_begin_all_windows_anew(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, MOVERS };
    double             v2      = 0;
    HandBench          b;

    set_up(&b, &portion);
    const FrameSource source = { &b.system, 80, uneven_frame, &b };
    hand_watch(&b, &source, no_old);
    for (int32_t i = 0; i < MOVERS; i++)
        for (int a = 0; a < 3; a++)
            v2 += speed(i, a) * speed(i, a) / MOVERS;
    for (int32_t line = 0; line < table_lines(table()); line++) {
        const double frames = table_value(table(), "lag_ps", line) / 0.01;
        assert_true(
            is_near(table_value(table(), "msd_nm2", line), v2 * frames * frames, 1e-6 * frames));
    }
    assert_true(is_near(table_value(table(), "windows", 0), 4, 0));
    hand_bench_end(&b);
}

/* A second stage with steps, and frames, that are twice as long. The first frame of it is where one
 * of the first stage would have been. */
static void two_stage_frame(void *user, int32_t k, AmphiFrame *f)
{
    static AmphiStage later;
    HandBench *const  b = user;

    flight_frame(user, k < 50 ? k : 2 * k - 50, f);
    if (k < 50)
        return;
    later         = b->stage;
    later.dt_ps   = 2 * b->stage.dt_ps;
    f->stage      = &later;
    f->stage_step = k - 50;
    f->time_ps    = 0.5 + later.dt_ps * (k - 50);
}

/* Lags are multiples of `spacing` flights, all as long as they should be. */
static void check_flight(int32_t spacing, int32_t n_frames, int32_t n_windows, double anew_ps)
{
    double v2 = 0;

    for (int32_t i = 0; i < MOVERS; i++)
        for (int a = 0; a < 3; a++)
            v2 += speed(i, a) * speed(i, a) / MOVERS;
    assert_true(is_near(table_value(table(), "lag_ps", 0), 0.01 * spacing, 1e-9));
    for (int32_t line = 0; line < table_lines(table()); line++) {
        const double flown = table_value(table(), "lag_ps", line) / 0.01;

        assert_true(
            is_near(table_value(table(), "msd_nm2", line), v2 * flown * flown, 1e-6 * flown));
    }
    assert_true(is_near(table_value(table(), "windows", 0), n_windows, 0));
    assert_int_equal((int)table_note(table(), "frames:"), n_frames);
    assert_true(is_near(table_note(table(), "began anew at"), anew_ps, 1e-9));
}

static void a_stage_of_another_spacing_is_measured_in_place_of_the_one_before(void **state)
{
    (void)state;
    static const char *const files[] = { "diffusion.tsv", NULL };
    const AmphiPortion       portion = { TOY_WATER, MOVERS };
    HandBench                b;

    set_up(&b, &portion);
    const FrameSource source = { &b.system, 100, two_stage_frame, &b };
    hand_watch(&b, &source, no_old);
    /* frames 50 to 99 are 49 steps: lags of one frame in four windows */
    check_flight(2, 50, 4, 0.5);
    for (int32_t at = 46; at < 60; at += 3)
        assert_true(broken_is_the_same(&source, &b.place, &b.plan, folder(), at, 3, files));
    hand_bench_end(&b);
}

static void an_interval_that_was_changed_between_runs_is_taken(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, MOVERS };
    HandBench          b;
    Watch              w;
    AmphiFrame         f;

    set_up(&b, &portion);
    unlink(table());
    watch_open(&w, &b.place, &b.plan);
    for (int32_t k = 0; k < 40; k++) {
        flight_frame(&b, k, &f);
        watch_see(&w, &f);
    }
    watch_save(&w);
    watch_stop(&w);
    w.plan.every = 3;
    watch_resume(&w);
    for (int32_t k = 40; k < 150; k++) {
        flight_frame(&b, k, &f);
        watch_see(&w, &f);
    }
    watch_end(&w);
    /* step 39 is the last of the old interval, and due by the new one: 39, 42 to 147 */
    check_flight(3, 37, 3, 0.39);
    hand_bench_end(&b);
}

static void broken_and_continued_the_table_has_the_same_bytes(void **state)
{
    (void)state;
    static const char *const files[] = { "diffusion.tsv", NULL };
    const AmphiPortion       portion = { TOY_WATER, MOVERS };
    HandBench                b;

    set_up(&b, &portion);
    const FrameSource source = { &b.system, 150, flight_frame, &b };
    for (int32_t at = 0; at < 150; at += 37)
        assert_true(broken_is_the_same(&source, &b.place, &b.plan, folder(), at, at / 2, files));
    hand_bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight_grows_with_the_square_of_time),
        cmocka_unit_test(the_coefficient_is_that_of_straight_lines_and_its_error_that_of_windows),
        cmocka_unit_test(a_molecule_that_is_alone_in_the_system_keeps_its_way),
        cmocka_unit_test(steps_beyond_a_quarter_of_the_box_are_told),
        cmocka_unit_test(a_random_walk_has_its_diffusion_coefficient_within_its_error),
        cmocka_unit_test(a_small_group_moves_against_all_and_not_against_itself),
        cmocka_unit_test(from_one_window_there_is_no_error_but_what_it_takes),
        cmocka_unit_test(the_drift_of_a_leaflet_is_no_diffusion),
        cmocka_unit_test(a_lipid_that_is_alone_in_its_leaflet_moves),
        cmocka_unit_test(centres_and_drifts_of_unequal_lipids_are_weighted_by_mass),
        cmocka_unit_test(a_breathing_box_moves_nothing_by_an_edge),
        cmocka_unit_test(uneven_frames_begin_all_windows_anew),
        cmocka_unit_test(a_stage_of_another_spacing_is_measured_in_place_of_the_one_before),
        cmocka_unit_test(an_interval_that_was_changed_between_runs_is_taken),
        cmocka_unit_test(broken_and_continued_the_table_has_the_same_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
