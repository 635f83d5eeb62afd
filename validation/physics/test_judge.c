/* The judge's arithmetic on numbers that can be told beforehand; each verdict fails when it
 * should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../property/draw.h"
#include "cases.h"

static FILE *quiet;

static bool passes(void (*say)(Tally *tally, const void *data), const void *data)
{
    Tally tally = { .out = quiet };

    say(&tally, data);
    assert_int_equal(tally.passed + tally.failed, 1);
    return tally.passed == 1;
}

static void say_within(Tally *tally, const void *data)
{
    judge_within(tally, "w", *(const Figure *)data, 1, 2);
}

static void say_small(Tally *tally, const void *data)
{
    judge_small(tally, "s", *(const Figure *)data, 1);
}

static void say_zero(Tally *tally, const void *data)
{
    judge_zero(tally, "z", *(const Figure *)data, 3, 0.5);
}

static void say_alike(Tally *tally, const void *data)
{
    judge_alike(tally, "a", *(const Figure *)data, (Figure){ 10, 0.3 }, 0.05);
}

static void say_near(Tally *tally, const void *data)
{
    judge_near(tally, "n", *(const Figure *)data, (Figure){ 10, 0.3 }, 0.05);
}

static void verdicts_fail_out_of_bounds(void **state)
{
    (void)state;
    const double nan = (double)NAN;

    assert_true(passes(say_within, &(Figure){ 1.9, 0.4 }));
    assert_false(passes(say_within, &(Figure){ 2.1, 0.1 }));
    assert_false(passes(say_within, &(Figure){ 0.9, 0.1 }));
    assert_false(passes(say_within, &(Figure){ 1.5, 0.6 }));
    assert_false(passes(say_within, &(Figure){ nan, 0 }));
    assert_false(passes(say_within, &(Figure){ 1.5, nan }));
    assert_true(passes(say_small, &(Figure){ -0.7, 0.1 }));
    assert_false(passes(say_small, &(Figure){ -0.9, 0.1 }));
    assert_false(passes(say_small, &(Figure){ 0, nan }));
    assert_true(passes(say_zero, &(Figure){ -1.2, 0.45 }));
    assert_false(passes(say_zero, &(Figure){ -1.2, 0.3 }));
    assert_false(passes(say_zero, &(Figure){ 0.1, 0.6 }));
    assert_true(passes(say_alike, &(Figure){ 10.4, 0.1 }));
    assert_false(passes(say_alike, &(Figure){ 10.6, 0.5 }));
    assert_false(passes(say_alike, &(Figure){ 9.05, 0.01 }));
    assert_true(passes(say_near, &(Figure){ 10.4, 0.01 }));
    assert_true(passes(say_near, &(Figure){ 11.4, 0.5 }));
    assert_false(passes(say_near, &(Figure){ 11.1, 0.01 }));
    assert_false(passes(say_near, &(Figure){ nan, 0.01 }));
}

/* White noise of a known size on a known slope: the slope comes back within 4 of its errors, and
 * the error is right within a third (20 residuals know it to 16 %). */
static void a_line_has_its_slope_and_its_error(void **state)
{
    (void)state;
    enum { N = 4000 };
    static double y[N];
    uint64_t      seed    = 7;
    const double  spacing = 0.1, true_error = sqrt(12. / N) / (N * spacing);

    for (int k = 0; k < N; k++) {
        double sum = -6;

        for (int j = 0; j < 12; j++)
            sum += draw(&seed, 0, 1);
        y[k] = 5 + 0.003 * k * spacing + sum;
    }
    const Line line = figure_line(y, N, spacing);

    assert_true(fabs(line.slope.value - 0.003) < 4 * true_error);
    assert_true(line.slope.error > true_error / 1.5 && line.slope.error < true_error * 2);
    assert_true(fabs(line.rms.value - 1) < 0.05);
    assert_true(line.rms.error > 0.005 && line.rms.error < 0.03);
    assert_true(isnan(figure_line(y, 20, spacing).slope.value));
}

/* A table as rdf.tsv of a peak (sign 1) or a trough at `top`, in shells of 0.0025 nm. */
static Table *table_of_peak(double top, int sign, double error)
{
    char  path[] = "/tmp/amphi-rdf-XXXXXX";
    FILE *file   = fdopen(mkstemp(path), "w");

    assert_non_null(file);
    fprintf(file, "r_nm\tg\terror\n");
    for (int k = 160; k < 240; k++) {
        const double r = (k + 0.5) * 0.0025;

        fprintf(file, "%.5f\t%.9f\t%.9f\n", r, 1.1 - sign * 63 * (r - top) * (r - top), error);
    }
    fclose(file);
    Table *const t = table_read(path);

    unlink(path);
    assert_non_null(t);
    return t;
}

static double shell_of_peak(double top, int sign, double error)
{
    Table *const t     = table_of_peak(top, sign, error);
    const double place = water_extreme_shell(t, 0.505, sign);

    table_free(t);
    return place;
}

/* The peak of 63 /nm^2 is as high 0.0035 nm below a shell's middle as within its errors, and 0.0125
 * nm below it is not. */
static void a_flat_peak_is_in_the_shells_that_are_as_high(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_true(fabs(shell_of_peak(0.505, sign, 0) - 0.505) < 1e-9);
        assert_true(fabs(shell_of_peak(0.4985, sign, 0) - 0.505) < 1e-9);
        assert_true(fabs(shell_of_peak(0.4925, sign, 0) - 0.495) < 1e-9);
        assert_true(fabs(shell_of_peak(0.4925, sign, 0.005) - 0.505) < 1e-9);
        assert_true(fabs(shell_of_peak(0.5265, sign, 0) - 0.525) < 1e-9);
    }
}

/* A step of +-1 each: mean square 1 a step. Increments over 20 blocks know it to a factor of about
 * 2. */
static void a_random_walk_is_seen(void **state)
{
    (void)state;
    enum { N = 20000, TIMES = 10 };
    static double y[N];
    uint64_t      seed = 11;
    double        walk = 0;

    for (int t = 0; t < TIMES; t++) {
        for (int k = 1; k < N; k++)
            y[k] = y[k - 1] + (draw(&seed, 0, 1) < 0.5 ? -1 : 1);
        walk += figure_line(y, N, 1).walk / TIMES;
    }
    assert_true(walk > 0.3 && walk < 2);
}

static void a_parabola_finds_its_top(void **state)
{
    (void)state;
    double x[60], y[60], place = 0, height = 0;

    for (int k = 0; k < 60; k++) {
        x[k] = 0.1 * k;
        y[k] = 7 - 2 * (x[k] - 3.03) * (x[k] - 3.03);
    }
    assert_true(figure_peak(x, y, 60, (double[2]){ 2, 4 }, 1, 0.3, &place, &height));
    assert_true(is_near(place, 3.03, 1e-9) && is_near(height, 7, 1e-9));
    assert_false(figure_peak(x, y, 60, (double[2]){ 2, 4 }, -1, 0.3, &place, &height));
    assert_false(figure_peak(x, y, 60, (double[2]){ 7, 8 }, 1, 0.3, &place, &height));
}

/* ---- files ---- */

static char folder[] = "/tmp/amphi-judge-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    quiet = fopen("/dev/null", "w");
    return quiet == NULL || mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path_in(folder, "starts.tsv"));
    unlink(path_in(folder, "a.tsv"));
    fclose(quiet);
    return rmdir(folder);
}

static void write_file(const char *name, const char *text)
{
    FILE *const file = fopen(path_in(folder, name), "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void tables_keep_rows_of_numbers(void **state)
{
    (void)state;
    int64_t n;

    write_file("a.tsv", "# said\nstep\ta\tb\n0\t1\tnan\n10\t2\t3.5\n20\t4\n30\tx\t1\n40\t8\t9\n");
    Table *const t = table_read(path_in(folder, "a.tsv"));
    assert_non_null(t);
    assert_int_equal(t->n_rows, 3);
    double *const a = table_take(t, "a", "step", 10, &n);
    assert_int_equal(n, 2);
    assert_true(is_near(a[0], 2, 0) && is_near(a[1], 8, 0));
    double *const none = table_take(t, "c", "step", 0, &n);
    assert_true(n == 3 && isnan(none[0]));
    free(a);
    free(none);
    table_free(t);
    assert_null(table_read(path_in(folder, "missing.tsv")));
}

static void the_log_of_lammps_gives_its_table(void **state)
{
    (void)state;

    write_file("a.tsv",
               "run 20\nStep PotEng v_total \n  0 -1.5 2\n 10 -1.25 3\nLoop time of 1\n 1 2 3\n");
    Table *const t = table_read_lammps(path_in(folder, "a.tsv"));
    assert_non_null(t);
    assert_int_equal(t->n_rows, 2);
    assert_int_equal(table_column(t, "v_total"), 2);
    assert_true(is_near(t->cell[5], 3, 0));
    table_free(t);
}

static Tally tally_starts(const char *broken)
{
    Tally tally = { .out = quiet };
    FILE *file  = fopen(path_in(folder, "starts.tsv"), "w");

    assert_non_null(file);
    for (int seed = 1; seed < 20; seed++)
        fprintf(file, "box\t%d\t0\t%d\t0\t300\n", seed, 1000 + seed);
    assert_true(fputs(broken, file) >= 0);
    assert_int_equal(fclose(file), 0);
    judge_starts(&tally, folder);
    return tally;
}

static void starts_fail_by_one_seed(void **state)
{
    (void)state;

    assert_int_equal(tally_starts("box\t20\t0\t900\t0\t300\n").failed, 0);
    assert_int_equal(tally_starts("").failed, 1);
    assert_int_equal(tally_starts("box\t20\t0\t5001\t0\t300\n").failed, 1);
    assert_int_equal(tally_starts("box\t20\t5\tnan\tnone\tnan\n").failed, 1);
    assert_int_equal(tally_starts("box\t20\t0\t900\t5\tnan\n").failed, 1);
}

/* 7 ns of a membrane as published, but for its area: heads at +-1.6 nm, water beyond, a thin
 * middle. */
static void write_membrane(double area)
{
    uint64_t    seed  = 3;
    FILE *const areas = fopen(path_in(folder, "dopc.run/area.tsv"), "w");
    FILE *const apart = fopen(path_in(folder, "dopc.run/thickness.tsv"), "w");
    FILE *const dense = fopen(path_in(folder, "dopc.run/profile.tsv"), "w");

    assert_true(areas != NULL && apart != NULL && dense != NULL);
    fprintf(areas, "time_ps\tarea_per_lipid_nm2\tvolume_per_lipid_nm3\n");
    fprintf(apart, "time_ps\tthickness_nm\n");
    fprintf(dense, "z_nm\telectrons_nm3\n");
    for (int t = 0; t <= 10000; t += 20) {
        fprintf(areas, "%d\t%g\t%g\n", t, area + draw(&seed, -0.01, 0.01),
                1.3236 + draw(&seed, -0.003, 0.003));
        fprintf(apart, "%d\t%g\n", t, 3.3 + draw(&seed, -0.1, 0.1));
    }
    for (int k = -60; k < 60; k++) {
        const double z = 0.05 * (k + 0.5), d = fabs(z) - 1.6;

        fprintf(dense, "%g\t%g\n", z, 333 - 53 * exp(-z * z / 0.5) + 53 * exp(-d * d / 0.08));
    }
    assert_true(fclose(areas) == 0 && fclose(apart) == 0 && fclose(dense) == 0);
}

static void a_membrane_fails_by_its_area(void **state)
{
    (void)state;
    Tally good = { .out = quiet }, bad = { .out = quiet };

    assert_int_equal(mkdir(path_in(folder, "dopc.run"), 0777), 0);
    write_membrane(0.731);
    judge_dopc(&good, folder);
    write_membrane(0.70);
    judge_dopc(&bad, folder);
    unlink(path_in(folder, "dopc.run/area.tsv"));
    unlink(path_in(folder, "dopc.run/thickness.tsv"));
    unlink(path_in(folder, "dopc.run/profile.tsv"));
    assert_int_equal(rmdir(path_in(folder, "dopc.run")), 0);
    assert_true(good.passed == 6 && good.failed == 0 && good.skipped == 0);
    assert_true(bad.passed == 5 && bad.failed == 1);
}

static void write_b08o(const char *order)
{
    FILE *const areas = fopen(path_in(folder, "b08o.run/area.tsv"), "w");
    FILE *const apart = fopen(path_in(folder, "b08o.run/thickness.tsv"), "w");
    FILE *const dense = fopen(path_in(folder, "b08o.run/profile.tsv"), "w");

    assert_true(areas != NULL && apart != NULL && dense != NULL);
    fprintf(areas, "time_ps\tarea_per_lipid_nm2\tvolume_per_lipid_nm3\n");
    fprintf(apart, "time_ps\tthickness_nm\n");
    fprintf(dense, "z_nm\telectrons_nm3\n");
    for (int t = 0; t <= 50000; t += 100) {
        fprintf(areas, "%d\t%g\t1.1\n", t, t < 5000 ? 0.7 : 0.61);
        fprintf(apart, "%d\t3.4\n", t);
    }
    for (int k = -60; k < 60; k++) {
        const double z = 0.05 * (k + 0.5), d = fabs(z) - 1.7;

        fprintf(dense, "%g\t%g\n", z, 333 - 53 * exp(-z * z / 0.5) + 80 * exp(-d * d / 0.08));
    }
    assert_true(fclose(areas) == 0 && fclose(apart) == 0 && fclose(dense) == 0);
    write_file("b08o.run/order.tsv", order);
}

static void b08o_fails_by_the_order_of_its_tails(void **state)
{
    (void)state;
    static const char falls[] = "DMPC\tA\tC1A-C2A\t0.4\t0.01\nDMPC\tA\tC2A-C3A\t0.2\t0.01\n"
                                "DMPC\tB\tC1B-C2B\t0.4\t0.01\nDMPC\tB\tC2B-C3B\t0.2\t0.01\n";
    static const char rises[] = "DMPC\tA\tC1A-C2A\t0.4\t0.01\nDMPC\tA\tC2A-C3A\t0.2\t0.01\n"
                                "DMPC\tB\tC1B-C2B\t0.2\t0.01\nDMPC\tB\tC2B-C3B\t0.4\t0.01\n";
    Tally             good = { .out = quiet }, bad = { .out = quiet };

    assert_int_equal(mkdir(path_in(folder, "b08o.run"), 0777), 0);
    write_b08o(falls);
    judge_b08o(&good, folder);
    write_b08o(rises);
    judge_b08o(&bad, folder);
    unlink(path_in(folder, "b08o.run/area.tsv"));
    unlink(path_in(folder, "b08o.run/thickness.tsv"));
    unlink(path_in(folder, "b08o.run/profile.tsv"));
    unlink(path_in(folder, "b08o.run/order.tsv"));
    assert_int_equal(rmdir(path_in(folder, "b08o.run")), 0);
    assert_true(good.passed == 6 && good.failed == 0 && good.skipped == 0);
    assert_true(bad.passed == 5 && bad.failed == 1);
}

/* Chains in a cube of this edge, and a slab with so much more pressure across; 500 looks. */
static Tally tally_parts(double edge_nm, double across_bar, double apart_ps)
{
    Tally       tally = { .out = quiet };
    FILE *const chain = fopen(path_in(folder, "b08o-chains.run/energy.tsv"), "w");
    FILE *const slab  = fopen(path_in(folder, "b08o-slab.run/energy.tsv"), "w");

    assert_true(chain != NULL && slab != NULL);
    fprintf(chain, "stage\ttime_ps\ttemperature\tbox_x\n");
    fprintf(slab, "stage\ttime_ps\ttemperature\tpressure_xx\tpressure_yy\tpressure_zz\tbox_z\n");
    for (int k = 0; k < 600; k++) {
        fprintf(chain, "%d\t%g\t298\t%g\n", k < 100 ? 3 : 4, apart_ps * k,
                edge_nm + 0.001 * (k % 3));
        fprintf(slab, "%d\t%g\t298\t%d\t%d\t%g\t6.5\n", k < 100 ? 3 : 4, apart_ps * k, k % 7,
                -(k % 7), across_bar);
    }
    assert_true(fclose(chain) == 0 && fclose(slab) == 0);
    judge_b08o_parts(&tally, folder);
    return tally;
}

static void parts_of_b08o_fail_by_density_or_tension(void **state)
{
    (void)state;
    assert_int_equal(mkdir(path_in(folder, "b08o-chains.run"), 0777), 0);
    assert_int_equal(mkdir(path_in(folder, "b08o-slab.run"), 0777), 0);

    /* 84 000 u at 0.77 g/cm^3; 160 bar by 6.5 nm, a half for each face */
    const Tally good = tally_parts(5.658, 160, 1.25), light = tally_parts(5.75, 160, 1.25);
    const Tally weak = tally_parts(5.658, 100, 1.25), brief = tally_parts(5.658, 160, 1);

    unlink(path_in(folder, "b08o-chains.run/energy.tsv"));
    unlink(path_in(folder, "b08o-slab.run/energy.tsv"));
    assert_int_equal(rmdir(path_in(folder, "b08o-chains.run")), 0);
    assert_int_equal(rmdir(path_in(folder, "b08o-slab.run")), 0);
    assert_true(good.passed == 4 && good.failed == 0);
    assert_true(light.passed == 3 && light.failed == 1);
    assert_true(weak.passed == 3 && weak.failed == 1);
    assert_true(brief.passed == 3 && brief.failed == 1); /* the slab wants 600 ps */
}

/* ---- precisions ---- */

enum { DOF = 1000, ROWS = 401, ROW_PS = 5 };

/* A run of four: its conserved energy has this slope in kT/ns/dof and, for water, walks at
 * random. */
static void write_energies(const char *path, int seed, double slope, double noise, double step)
{
    const double kT    = 0.00831446261815324 * 300;
    uint64_t     draws = (uint64_t)seed * 97 + 5;
    FILE *const  file  = fopen(path_in(folder, path), "w");
    double       walk  = 0;

    assert_non_null(file);
    fprintf(file,
            "stage\ttime_ps\tpotential\tkinetic_full\tkinetic_half\ttemperature\tconserved\n");
    for (int k = 0; k < ROWS; k++) {
        walk += draw(&draws, 0, 1) < 0.5 ? -step : step;
        fprintf(file, "1\t%d\t%.9g\t0\t%.9g\t300\t%.9g\n", ROW_PS * k, draw(&draws, -noise, noise),
                DOF * kT / 2,
                slope * ROW_PS * k * kT * DOF / 1000 + walk + draw(&draws, -noise, noise) / 1000);
    }
    assert_int_equal(fclose(file), 0);
}

static const struct {
    const char *name;
    double      noise, step;
} precision_run[] = {
    { "membrane-5fs-double", 1, 0 },  { "membrane-5fs-fixed", 1, 0 },
    { "membrane-5fs-single", 1, 0 },  { "membrane-10fs-double", 4, 0 },
    { "membrane-10fs-fixed", 4, 0 },  { "membrane-14fs-double", 8, 0 },
    { "membrane-14fs-fixed", 8, 0 },  { "water-1fs-double", 0.1, 0.01 },
    { "water-1fs-fixed", 0.1, 0.01 }, { "water-2fs-double", 0.1, 0.01 },
    { "water-2fs-fixed", 0.1, 0.01 }, { "water-4fs-double", 0.1, 0.01 },
    { "water-4fs-fixed", 0.1, 0.01 },
};

enum { PRECISION_RUNS = sizeof precision_run / sizeof *precision_run };

/* All four starts of each mode; those whose name begins so drift by `slope` and walk `longer`. */
static Tally tally_precisions(const char *which, double slope, double longer)
{
    Tally tally = { .out = quiet };
    char  path[96];

    for (int k = 0; k < 4 * PRECISION_RUNS; k++) {
        const char *const name    = precision_run[k / 4].name;
        const bool        is_this = strcmp(name, which) == 0;

        snprintf(path, sizeof path, "%s-%d.run", name, k % 4 + 1);
        mkdir(path_in(folder, path), 0777);
        snprintf(path, sizeof path, "%s-%d.run/energy.tsv", name, k % 4 + 1);
        write_energies(path, k % 4, is_this ? slope : 1e-7, precision_run[k / 4].noise,
                       precision_run[k / 4].step * (is_this ? longer : 1));
    }
    judge_precisions(&tally, folder);
    for (int k = 0; k < 4 * PRECISION_RUNS; k++) {
        snprintf(path, sizeof path, "%s-%d.run/energy.tsv", precision_run[k / 4].name, k % 4 + 1);
        unlink(path_in(folder, path));
        snprintf(path, sizeof path, "%s-%d.run", precision_run[k / 4].name, k % 4 + 1);
        assert_int_equal(rmdir(path_in(folder, path)), 0);
    }
    return tally;
}

/* Thirteen lengths, three slopes at 5 fs, five times fixed against double, three walks, one ratio
 * of time steps. */
static void precisions_fail_by_a_slope_or_a_walk(void **state)
{
    (void)state;
    const Tally good = tally_precisions("", 0, 1);

    assert_true(good.passed == 25 && good.failed == 0 && good.skipped == 0);
    assert_int_equal(tally_precisions("membrane-5fs-double", 1e-5, 1).failed, 1);
    assert_int_equal(tally_precisions("membrane-5fs-single", 1e-5, 1).failed, 0);
    assert_int_equal(tally_precisions("membrane-5fs-single", 1e-4, 1).failed, 1);
    assert_int_equal(tally_precisions("membrane-14fs-fixed", 1e-4, 1).failed, 1);
    assert_int_equal(tally_precisions("water-2fs-fixed", 0.1, 1).failed, 1);
    assert_true(tally_precisions("water-2fs-fixed", 0, 10).failed >= 1);
}

/* U + K_full of three stages that each fluctuate less than the one before by this factor. */
static Tally tally_steps(double factor)
{
    Tally       tally = { .out = quiet };
    uint64_t    seed  = 5;
    FILE *const file  = fopen(path_in(folder, "laws-steps-fixed.samples"), "w");

    assert_non_null(file);
    fprintf(file, "stage\tpotential\tkinetic_full\n");
    for (int k = 0; k < 6000; k++)
        fprintf(file, "%d\t%.9g\t7\n", 3 + k / 2000, draw(&seed, -1, 1) * pow(factor, -(k / 2000)));
    assert_int_equal(fclose(file), 0);
    judge_laws(&tally, folder);
    unlink(path_in(folder, "laws-steps-fixed.samples"));
    return tally;
}

static void laws_fail_by_the_order_of_the_step_and_leave_their_page(void **state)
{
    (void)state;
    const Tally  good = tally_steps(4), bad = tally_steps(2);
    Table *const page = table_read(path_in(folder, "laws-fixed-chances.tsv"));
    struct stat  about;

    assert_true(good.passed == 3 && good.failed == 0 && good.skipped == 5);
    assert_true(bad.passed == 1 && bad.failed == 2);
    assert_null(page); /* of these checks none has a chance */
    assert_int_equal(stat(path_in(folder, "laws-fixed-page.tsv"), &about), 0);
    assert_true(about.st_size > 100);
    unlink(path_in(folder, "laws-fixed-page.tsv"));
    unlink(path_in(folder, "laws-fixed-chances.tsv"));
}

static void what_was_not_run_is_skipped(void **state)
{
    (void)state;
    Tally tally = { .out = quiet };

    judge_drift(&tally, folder);
    judge_gayberne(&tally, folder);
    judge_water(&tally, folder);
    judge_elba_water(&tally, folder);
    judge_dopc(&tally, folder);
    judge_laws(&tally, folder);
    judge_b08o(&tally, folder);
    judge_b08o_parts(&tally, folder);
    judge_precisions(&tally, folder);
    assert_int_equal(tally.passed + tally.failed, 0);
    assert_true(tally.skipped >= 33);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_fail_out_of_bounds),
        cmocka_unit_test(a_line_has_its_slope_and_its_error),
        cmocka_unit_test(a_flat_peak_is_in_the_shells_that_are_as_high),
        cmocka_unit_test(a_random_walk_is_seen),
        cmocka_unit_test(a_parabola_finds_its_top),
        cmocka_unit_test(tables_keep_rows_of_numbers),
        cmocka_unit_test(the_log_of_lammps_gives_its_table),
        cmocka_unit_test(starts_fail_by_one_seed),
        cmocka_unit_test(a_membrane_fails_by_its_area),
        cmocka_unit_test(b08o_fails_by_the_order_of_its_tails),
        cmocka_unit_test(parts_of_b08o_fail_by_density_or_tension),
        cmocka_unit_test(precisions_fail_by_a_slope_or_a_walk),
        cmocka_unit_test(laws_fail_by_the_order_of_the_step_and_leave_their_page),
        cmocka_unit_test(what_was_not_run_is_skipped),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
