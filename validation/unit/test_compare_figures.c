/* Lines, random walks and means of series with known answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../../tools/compare_figures.h"

enum { N = 4000, SEEDS = 20 };
static const double spacing = 0.1, slope = 0.25;

static double y[N], rest[N];

/* Normal numbers from a sum of twelve: good to the third moment, which is all that is used. */
static double noise_of(uint32_t *seed)
{
    double sum = -6;

    for (int k = 0; k < 12; k++) {
        *seed = *seed * 1664525u + 1013904223u;
        sum += *seed / 4294967296.0;
    }
    return sum;
}

/* A line with white noise of variance 1, and a random walk that gains `walk` in each unit of
 * time. */
static CompareLine line_of(uint32_t seed, double walk)
{
    double at = 0;

    for (int i = 0; i < N; i++) {
        at += sqrt(walk * spacing) * noise_of(&seed);
        y[i] = slope * i * spacing + at + noise_of(&seed);
    }
    return compare_line(y, N, spacing, rest);
}

static void a_straight_line_has_its_slope_and_no_error(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++)
        y[i] = 3 - slope * i * spacing;
    const CompareLine l = compare_line(y, N, spacing, rest);

    assert_true(fabs(l.slope + slope) < 1e-12);
    assert_true(l.error < 1e-12 && l.rms < 1e-10 && l.walk < 1e-10);
}

/* The slope of white noise has the variance 12 s^2/(n T^2). Of twenty seeds, nineteen lie within
 * three errors, which from 20 blocks scatter by a fifth, and more when c seems to be above zero. */
static void a_slope_in_noise_lies_within_its_error(void **state)
{
    const double exact  = sqrt(12.0 / N) / (N * spacing);
    int          inside = 0, sized = 0;
    (void)state;

    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        const CompareLine l = line_of(seed, 0);

        inside += fabs(l.slope - slope) < 3 * l.error;
        sized += l.error > 0.5 * exact && l.error < 2.5 * exact;
        assert_true(fabs(l.rms - 1) < 0.1);
    }
    assert_true(inside >= SEEDS - 1);
    assert_true(sized >= SEEDS - 1);
}

/* Its slope has the variance 6 D/(5 T), a hundred times that of the noise alone. Blocks know that
 * error to a factor of two, because a walk outlives them: nine of ten lie within three errors. */
static void a_random_walk_is_seen_and_widens_the_error(void **state)
{
    const double walk = 2, exact = sqrt(1.2 * walk / (N * spacing));
    double       mean = 0, error = 0;
    int          inside = 0;
    (void)state;

    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        const CompareLine l = line_of(seed, walk);

        inside += fabs(l.slope - slope) < 3 * l.error;
        mean += l.walk / SEEDS;
        error += l.error / SEEDS;
    }
    assert_true(inside >= SEEDS - 2);
    assert_true(error > 0.5 * exact && error < 2 * exact);
    /* the line takes some of the walk away; twenty of them know it to a fifth */
    assert_true(mean > 0.5 * walk && mean < 1.3 * walk);
}

static void noise_alone_is_no_walk(void **state)
{
    double mean = 0;
    (void)state;

    for (uint32_t seed = 1; seed <= SEEDS; seed++)
        mean += line_of(seed, 0).walk / SEEDS;
    assert_true(mean < 0.01); /* of a variance of 1 a sample, 10 in each unit of time */
}

static void too_few_samples_give_no_numbers(void **state)
{
    CompareLine l;
    (void)state;

    for (int i = 0; i < N; i++)
        y[i] = i;
    l = compare_line(y, COMPARE_LEAST_SAMPLES - 1, spacing, rest);
    assert_true(isnan(l.slope) && isnan(l.error) && isnan(l.walk));
    l = compare_line(y, COMPARE_LEAST_SAMPLES, spacing, rest);
    assert_true(isfinite(l.slope) && isfinite(l.error));
    l = compare_line(y, 0, spacing, rest);
    assert_true(isnan(l.slope));
    assert_true(isnan(compare_mean(y, 0).mean) && isnan(compare_mean(y, 1).deviation));
}

static void increments_are_those_of_the_lag(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++)
        y[i] = 2 * i;
    assert_true(fabs(compare_increment(y, N, 1) - 4) < 1e-12);
    assert_true(fabs(compare_increment(y, N, 10) - 400) < 1e-9);
    assert_true(isnan(compare_increment(y, N, 0)) && isnan(compare_increment(y, N, N)));
}

static void a_mean_has_its_error_and_deviation(void **state)
{
    CompareMean m;
    uint32_t    seed = 7;
    (void)state;

    for (int i = 0; i < N; i++)
        y[i] = 5 + 2 * noise_of(&seed);
    m = compare_mean(y, N);
    assert_true(fabs(m.deviation - 2) < 0.1);
    assert_true(m.error > 0.015 && m.error < 0.08); /* 2/sqrt(4000) = 0.032, good to a quarter */
    assert_true(fabs(m.mean - 5) < 4 * m.error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_line_has_its_slope_and_no_error),
        cmocka_unit_test(a_slope_in_noise_lies_within_its_error),
        cmocka_unit_test(a_random_walk_is_seen_and_widens_the_error),
        cmocka_unit_test(noise_alone_is_no_walk),
        cmocka_unit_test(too_few_samples_give_no_numbers),
        cmocka_unit_test(increments_are_those_of_the_lag),
        cmocka_unit_test(a_mean_has_its_error_and_deviation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
