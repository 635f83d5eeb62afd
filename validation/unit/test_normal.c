/* The elementary functions against the C library in long double, and the deviates made of them
 * against their distributions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../../engine/num/normal.h"
#include "../property/draw.h"

enum { POINTS = 200000 };

static double relative(double got, long double wanted)
{
    return (double)(fabsl((long double)got - wanted) / fabsl(wanted));
}

/* Half a unit in the last place is 1.1e-16; a few roundings of the sum add to it. */
static const double bound = 1e-15;

static void logarithms_are_right_to_the_last_digits(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double   most = 0;

    for (int k = 0; k < POINTS; k++) {
        const double wide = ldexp(draw(&seed, 1, 2), (int)draw(&seed, -1000, 1000));
        const double near = 1 + draw(&seed, -1, 1) * ldexp(1, (int)draw(&seed, -40, -1));

        most = worse(most, relative(log_of(wide), logl((long double)wide)));
        if (near != 1)
            most = worse(most, relative(log_of(near), logl((long double)near)));
    }
    assert_true(most < bound);
    assert_true(log_of(1) == 0);
    assert_true(relative(log_of(0x1p-53), logl(0x1p-53L)) < bound);
}

static void exponentials_are_right_to_the_last_digits(void **state)
{
    (void)state;
    uint64_t seed = 2;
    double   most = 0;

    for (int k = 0; k < POINTS; k++) {
        const double wide = draw(&seed, -708, 709), small = draw(&seed, -1, 1);

        most = worse(most, relative(exp_of(wide), expl((long double)wide)));
        most = worse(most, relative(exp_of(small), expl((long double)small)));
    }
    assert_true(most < bound);
    assert_true(exp_of(0) == 1);
    assert_true(exp_of(-1000) == 0);
    assert_true(exp_of(-(double)INFINITY) == 0);
    assert_true(isnan(exp_of(710)));
    assert_true(isnan(exp_of((double)NAN)));
}

/* Absolute: near a zero of the sine, an angle that is itself rounded has no more to give. */
static void sines_and_cosines_are_right_and_lie_on_the_circle(void **state)
{
    (void)state;
    uint64_t seed = 3;
    double   most = 0, radius = 0;

    for (int k = 0; k < POINTS; k++) {
        const double     size  = k % 2 == 0 ? 4 : 9e4;
        const double     angle = draw(&seed, -size, size);
        const SineCosine a     = sine_cosine(angle);

        most   = worse(most, (double)fabsl((long double)a.sine - sinl((long double)angle)));
        most   = worse(most, (double)fabsl((long double)a.cosine - cosl((long double)angle)));
        radius = worse(radius, fabs(a.sine * a.sine + a.cosine * a.cosine - 1));
    }
    assert_true(most < bound);
    assert_true(radius < bound);
    assert_true(sine_cosine(0).sine == 0);
    assert_true(isnan(sine_cosine(2e5).sine));
    assert_true(isnan(sine_cosine((double)NAN).cosine));
}

static void small_angles_keep_their_relative_precision(void **state)
{
    (void)state;
    double most = 0;

    for (double angle = 0.7; angle > 1e-12; angle *= 0.93)
        most = worse(most, relative(sine_cosine(angle).sine, sinl((long double)angle)));
    assert_true(most < bound);
}

static void the_short_series_of_a_small_angle_are_as_right(void **state)
{
    (void)state;
    const double widest = sqrt(SMALL_ANGLE2);
    double       most   = 0;

    for (double angle = widest; angle > 1e-12; angle *= 0.99) {
        const SineCosine a = sine_over_small_angle(angle * angle);

        most = worse(most, relative(a.sine * angle, sinl((long double)angle)));
        most = worse(most, relative(a.cosine, cosl((long double)angle)));
    }
    assert_true(most < bound);
    assert_true(sine_over_small_angle(0).sine == 1 && sine_over_small_angle(0).cosine == 1);
}

static void the_check_of_precision_sees_a_wrong_digit(void **state)
{
    (void)state;
    assert_false(relative(log_of(3) * (1 + 2e-15), logl(3)) < bound);
    assert_false(worse(0, relative((double)NAN, 1)) < bound);
}

/* ---- distributions ---- */

typedef struct {
    double mean, variance;
    int    n;
} Sample;

/* Mean and variance within four standard errors; the variance's own by the kurtosis of the
 * distribution (3: normal). Seeds are fixed, so a failure is a fault and no bad luck. */
static bool fits(Sample s, double mean, double variance, double kurtosis)
{
    return fabs(s.mean - mean) < 4 * sqrt(variance / s.n) &&
           fabs(s.variance - variance) < 4 * variance * sqrt((kurtosis - 1) / s.n);
}

static Sample sample(double (*draw_one)(uint64_t id, double parameter), double parameter, int n)
{
    double sum = 0, sum2 = 0, shift = draw_one(0, parameter);

    for (int k = 0; k < n; k++) {
        const double x = draw_one((uint64_t)k, parameter) - shift;

        sum += x;
        sum2 += x * x;
    }
    return (Sample){ shift + sum / n, sum2 / n - sum / n * sum / n, n };
}

static double first_normal(uint64_t id, double parameter)
{
    (void)parameter;
    return draw_normals(7, id, 3, AMPHI_STREAM_LANGEVIN, 0).first;
}

static double second_normal(uint64_t id, double parameter)
{
    (void)parameter;
    return draw_normals(7, id, 3, AMPHI_STREAM_LANGEVIN, 0).second;
}

static double both_normals(uint64_t id, double parameter)
{
    (void)parameter;
    const TwoNormals x = draw_normals(7, id, 3, AMPHI_STREAM_LANGEVIN, 0);

    return x.first * x.second;
}

static double squares(uint64_t id, double n)
{
    return draw_squares((int64_t)n, 11, id, 5, AMPHI_STREAM_RESCALE, 1);
}

static void normals_have_mean_0_and_variance_1_and_are_independent(void **state)
{
    (void)state;
    assert_true(fits(sample(first_normal, 0, POINTS), 0, 1, 3));
    assert_true(fits(sample(second_normal, 0, POINTS), 0, 1, 3));
    assert_true(fits(sample(both_normals, 0, POINTS), 0, 1, 9)); /* fourth moment 3 x 3 */
}

/* The share below x against the error function: standard error sqrt(p (1 - p)/n). */
static void normals_follow_the_error_function(void **state)
{
    (void)state;
    for (double x = -3; x <= 3; x += 0.5) {
        const double p = 0.5 * erfc(-x / sqrt(2.0));
        int          n = 0;

        for (int k = 0; k < POINTS; k++)
            n += first_normal((uint64_t)k, 0) < x;
        assert_true(fabs((double)n / POINTS - p) < 4 * sqrt(p * (1 - p) / POINTS));
    }
}

static void the_edges_of_the_uniform_numbers_give_finite_normals(void **state)
{
    (void)state;
    const double     last = 1 - 0x1p-53;
    const TwoNormals far = normals_of(last, 0), near = normals_of(0, last);

    assert_true(is_near(far.first, 8.571674348652905, 1e-14)); /* sqrt(2 * 53 ln 2) */
    assert_true(far.second == 0);
    assert_true(near.first == 0 && near.second == 0);
    for (int quarter = 0; quarter < 4; quarter++) {
        const TwoNormals x = normals_of(0.5, 0.25 * quarter);

        assert_true(is_near(hypot(x.first, x.second), sqrt(2 * log(2.0)), 1e-15));
    }
}

/* A sum of n squares has mean n, variance 2 n and kurtosis 3 + 12/n. */
static void sums_of_squares_have_their_mean_and_variance(void **state)
{
    (void)state;
    const double n[] = { 1, 2, 3, 4, 7, 61, 20000 };

    for (size_t k = 0; k < sizeof n / sizeof *n; k++)
        assert_true(fits(sample(squares, n[k], POINTS), n[k], 2 * n[k], 3 + 12 / n[k]));
    assert_true(squares(1, 0) == 0);
}

static void the_check_of_distributions_sees_what_is_wrong(void **state)
{
    (void)state;
    Sample s = sample(squares, 7, POINTS);

    assert_false(fits(s, 7.1, 14, 3 + 12.0 / 7));
    assert_false(fits(s, 7, 14.5, 3 + 12.0 / 7));
    s.mean = (double)NAN;
    assert_false(fits(s, 7, 14, 3 + 12.0 / 7));
}

static void a_draw_depends_on_its_address_alone(void **state)
{
    (void)state;
    const double once = squares(9, 5), other = squares(10, 5);

    assert_true(squares(9, 5) == once);
    assert_true(other != once);
    assert_true(draw_squares(5, 11, 9, 6, AMPHI_STREAM_RESCALE, 1) != once);
    assert_true(draw_squares(5, 11, 9, 5, AMPHI_STREAM_CELL, 1) != once);
    assert_true(draw_squares(5, 12, 9, 5, AMPHI_STREAM_RESCALE, 1) != once);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_are_right_to_the_last_digits),
        cmocka_unit_test(exponentials_are_right_to_the_last_digits),
        cmocka_unit_test(sines_and_cosines_are_right_and_lie_on_the_circle),
        cmocka_unit_test(small_angles_keep_their_relative_precision),
        cmocka_unit_test(the_short_series_of_a_small_angle_are_as_right),
        cmocka_unit_test(the_check_of_precision_sees_a_wrong_digit),
        cmocka_unit_test(normals_have_mean_0_and_variance_1_and_are_independent),
        cmocka_unit_test(normals_follow_the_error_function),
        cmocka_unit_test(the_edges_of_the_uniform_numbers_give_finite_normals),
        cmocka_unit_test(sums_of_squares_have_their_mean_and_variance),
        cmocka_unit_test(the_check_of_distributions_sees_what_is_wrong),
        cmocka_unit_test(a_draw_depends_on_its_address_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
