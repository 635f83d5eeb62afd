/* The arithmetic of the laws on numbers whose law is known: right ones pass, each kind of wrong one
 * fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../property/draw.h"
#include "laws.h"

enum { MOST = 20000 };

static double a[MOST], b[MOST];

/* Gamma(shape, scale) of a whole shape. */
static double draw_gamma(uint64_t *seed, int shape, double scale)
{
    double sum = 0;

    for (int k = 0; k < shape; k++)
        sum -= log(1 - draw(seed, 0, 1));
    return sum * scale;
}

static double draw_normal(uint64_t *seed)
{
    const double r = sqrt(-2 * log(1 - draw(seed, 0, 1)));

    return r * cos(6.283185307179586 * draw(seed, 0, 1));
}

/* 200 sets of 500: the chance itself is even, so that 1e-2 comes about twice and 0.5 about 100
 * times. */
static void the_chance_of_gamma_samples_is_even(void **state)
{
    (void)state;
    uint64_t seed       = 1;
    int      below_half = 0, rare = 0;

    for (int set = 0; set < 200; set++) {
        double p;

        for (int k = 0; k < 500; k++)
            a[k] = draw_gamma(&seed, 20, 2.5);
        law_gamma(a, 500, 40, 2.5, &p);
        below_half += p < 0.5;
        rare += p < 0.01;
    }
    assert_in_range(below_half, 75, 125);
    assert_in_range(rare, 0, 8);
}

static void another_temperature_or_count_of_freedom_is_no_gamma_law(void **state)
{
    (void)state;
    uint64_t seed = 2;
    double   p;

    for (int k = 0; k < 2000; k++)
        a[k] = draw_gamma(&seed, 20, 2.5);
    memcpy(b, a, sizeof b);
    law_gamma(b, 2000, 40, 2.5, &p);
    assert_true(p > LAW_LEAST_P);
    law_gamma(b, 2000, 40, 2.5 * 1.04, &p);
    assert_true(p < LAW_LEAST_P);
    law_gamma(b, 2000, 43, 2.5, &p);
    assert_true(p < LAW_LEAST_P);
    for (int k = 0; k < 2000; k++)
        b[k] = 50 + 0.8 * (a[k] - 50);
    law_gamma(b, 2000, 40, 2.5, &p);
    assert_true(p < LAW_LEAST_P);
    assert_true(isnan(law_gamma(b, 19, 40, 2.5, &p).value) && isnan(p));
}

/* x' = 0.9 x + noise forgets in (1 + 0.9)/(1 - 0.9) = 19 samples. */
static void the_stride_is_what_memory_asks_for(void **state)
{
    (void)state;
    uint64_t seed = 3;

    a[0] = 0;
    for (int k = 1; k < MOST; k++) {
        a[k] = 0.9 * a[k - 1] + draw(&seed, -1, 1);
        b[k] = draw(&seed, -1, 1);
    }
    assert_in_range(law_stride(a, MOST), 14, 26);
    assert_in_range(law_stride(b, MOST), 1, 2);
    assert_int_equal(law_thin(a, 10, 3), 4);
    for (int k = 0; k < 10; k++)
        a[k] = 7;
    assert_int_equal(law_stride(a, 10), 1);
}

/* Normal numbers of the same width s and means d apart: the log ratio has the slope d/s^2. Over 200
 * sets the slope is right, and so is its error: of the spread of what came, to 15 %. */
static void the_slope_of_the_log_ratio_has_its_error(void **state)
{
    (void)state;
    uint64_t seed = 4;
    double   sum = 0, square = 0, told = 0;

    for (int set = 0; set < 200; set++) {
        for (int k = 0; k < 400; k++)
            a[k] = -1000 + 30 * draw_normal(&seed);
        for (int k = 0; k < 600; k++)
            b[k] = -960 + 30 * draw_normal(&seed);
        const Figure f = law_log_slope(a, 400, b, 600);
        const double d = f.value - 40. / 900;

        sum += d / 200;
        square += d * d / 200;
        told += f.error / 200;
    }
    assert_true(fabs(sum) < 3 * sqrt(square / 200));
    assert_true(is_near(told, sqrt(square), 0.15 * sqrt(square)));
}

static void distributions_that_do_not_overlap_have_no_slope(void **state)
{
    (void)state;
    uint64_t seed = 5;

    for (int k = 0; k < 100; k++) {
        a[k] = draw(&seed, 0, 1);
        b[k] = draw(&seed, 5, 6);
    }
    const Figure f = law_log_slope(a, 100, b, 100);
    assert_true(!(f.error < 0.5 * fabs(f.value)));
    assert_true(isnan(law_log_slope(a, 19, b, 100).value));
}

static void many_checks_make_a_small_chance_likely(void **state)
{
    (void)state;
    Finding f[4] = { { .p = 0.5 }, { .p = (double)NAN }, { .p = 0.01 }, { .p = 0.7 } };

    assert_true(is_near(law_bonferroni(f, 4), 0.03, 1e-12));
    f[2].p = 0.9;
    assert_true(is_near(law_bonferroni(f, 4), 1, 0));
    assert_true(is_near(law_bonferroni(f + 1, 1), 1, 0));
    assert_true(is_near(law_two_sided(-LAW_ERRORS), LAW_ERRORS_P, 1e-15));
}

/* ---- checks of tables ---- */

enum { ROWS = 4000, COLUMNS = 14 };

/* Two stages of a system of its own: U of 60 quadratic degrees of freedom, K+ of 40 and V of an
 * ideal gas of 29; kinetic energy of type X is where the temperature says. */
static Table *make_samples(void)
{
    static const char *const name[COLUMNS] = {
        "stage",
        "kT",
        "pressure",
        "potential",
        "volume",
        "freedom_translation",
        "translation_plus",
        "kinetic_full",
        "temperature",
        "shift_X",
        "momentum_x",
        "momentum_y",
        "momentum_z",
        "momentum_scale",
    };
    Table *const t    = calloc(1, sizeof *t);
    uint64_t     seed = 6;

    assert_non_null(t);
    t->n_columns = COLUMNS;
    t->n_rows    = ROWS;
    t->name      = calloc(COLUMNS, sizeof *t->name);
    t->cell      = calloc((size_t)ROWS * COLUMNS, sizeof *t->cell);
    assert_true(t->name != NULL && t->cell != NULL);
    for (int c = 0; c < COLUMNS; c++)
        t->name[c] = strdup(name[c]);
    for (int r = 0; r < ROWS; r++) {
        const bool   is_b = r >= ROWS / 2;
        const double kT = is_b ? 2.7 : 2.5, p = is_b ? 11 : 10, hot = 300 + draw_normal(&seed);
        const double row[COLUMNS] = { is_b ? 2 : 1,
                                      kT,
                                      p,
                                      draw_gamma(&seed, 30, kT),
                                      draw_gamma(&seed, 30, 2.5 / p),
                                      40,
                                      draw_gamma(&seed, 20, kT),
                                      (is_b ? 1 : 4) * draw_normal(&seed),
                                      hot,
                                      hot + draw_normal(&seed),
                                      1e-14 * draw(&seed, -1, 1),
                                      0,
                                      5,
                                      10 };

        memcpy(t->cell + (size_t)r * COLUMNS, row, sizeof row);
    }
    return t;
}

static void change(const Table *t, const char *column, int stage, double factor, double more)
{
    const int32_t c = table_column(t, column);

    for (int64_t r = 0; r < t->n_rows; r++) {
        double *const row = t->cell + r * t->n_columns;

        if ((int)row[0] == stage)
            row[c] = row[c] * factor + more;
    }
}

static void a_distribution_fails_by_its_temperature(void **state)
{
    (void)state;
    Table *const t = make_samples();

    assert_true(law_kinetic(t, 1, "translation", "_plus").holds);
    assert_true(law_kinetic(t, 2, "translation", "_plus").holds);
    assert_false(law_kinetic(t, 3, "translation", "_plus").holds);
    assert_false(law_kinetic(t, 1, "rotation", "_plus").holds);
    change(t, "kT", 2, 2.5 / 2.7, 0);
    assert_false(law_kinetic(t, 2, "translation", "_plus").holds);
    table_free(t);
}

static void an_ensemble_fails_by_its_temperature_or_its_error(void **state)
{
    (void)state;
    Table *const  t        = make_samples();
    const int32_t stage[2] = { 1, 2 };

    assert_true(law_ensemble(t, stage, "potential", 0.15).holds);
    assert_true(law_ensemble(t, stage, "potential", 0.15).is_sharp);
    assert_false(law_ensemble(t, stage, "potential", 0.001).is_sharp);
    change(t, "kT", 2, 2.9 / 2.7, 0);
    assert_false(law_ensemble(t, stage, "potential", 0.15).holds);
    change(t, "kT", 2, 2.5 / 2.9, 0);
    change(t, "pressure", 2, 1, 0);
    assert_true(law_ensemble(t, stage, "volume", 0.15).holds);
    change(t, "pressure", 2, 1, 1);
    assert_false(law_ensemble(t, stage, "volume", 0.15).holds);
    table_free(t);
}

static void a_partition_fails_by_half_a_kelvin(void **state)
{
    (void)state;
    Table *const t = make_samples();

    assert_true(law_partition(t, 1, "shift_X", 0.1).holds);
    assert_true(law_partition(t, 1, "shift_X", 0.1).is_sharp);
    assert_false(law_partition(t, 1, "shift_X", 0.001).is_sharp);
    assert_false(law_partition(t, 1, "shift_Y", 0.1).holds);
    change(t, "shift_X", 1, 1, 0.5);
    assert_false(law_partition(t, 1, "shift_X", 0.1).holds);
    table_free(t);
}

static void what_is_not_kept_fails(void **state)
{
    (void)state;
    Table *const t = make_samples();

    assert_true(law_kept(t, 1, "momentum", 1e-14).holds);
    assert_false(law_kept(t, 1, "momentum", 0).holds);
    assert_false(law_kept(t, 1, "turning", 1e-14).holds);
    t->cell[7 * COLUMNS + 12] += 1e-9;
    assert_false(law_kept(t, 1, "momentum", 1e-14).holds);
    t->cell[7 * COLUMNS + 12] = (double)NAN;
    assert_false(law_kept(t, 1, "momentum", 1e-14).holds);
    table_free(t);
}

static void a_fluctuation_that_does_not_fall_by_four_fails(void **state)
{
    (void)state;
    Table *const  t        = make_samples();
    const int32_t stage[2] = { 1, 2 }, same[2] = { 1, 1 };

    change(t, "potential", 1, 0, 1);
    change(t, "potential", 2, 0, 1);
    assert_true(law_second_order(t, stage, 3.6, 4.4).holds);
    assert_true(law_second_order(t, stage, 3.6, 4.4).is_sharp);
    assert_false(law_second_order(t, stage, 3.999, 4.001).is_sharp);
    assert_false(law_second_order(t, same, 3.6, 4.4).holds);
    change(t, "kinetic_full", 1, 0.5, 0);
    assert_false(law_second_order(t, stage, 3.6, 4.4).holds);
    table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chance_of_gamma_samples_is_even),
        cmocka_unit_test(another_temperature_or_count_of_freedom_is_no_gamma_law),
        cmocka_unit_test(the_stride_is_what_memory_asks_for),
        cmocka_unit_test(the_slope_of_the_log_ratio_has_its_error),
        cmocka_unit_test(distributions_that_do_not_overlap_have_no_slope),
        cmocka_unit_test(many_checks_make_a_small_chance_likely),
        cmocka_unit_test(a_distribution_fails_by_its_temperature),
        cmocka_unit_test(an_ensemble_fails_by_its_temperature_or_its_error),
        cmocka_unit_test(a_partition_fails_by_half_a_kelvin),
        cmocka_unit_test(what_is_not_kept_fails),
        cmocka_unit_test(a_fluctuation_that_does_not_fall_by_four_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
