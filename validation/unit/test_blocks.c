/* Means and their errors from blocks: exact where it can be told, right on average where samples
 * are independent, larger where they are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include "../../engine/blocks.h"
#include "../property/draw.h"

static void set_up(AmphiBlocks *b, AmphiArena **arena, int32_t n)
{
    *arena = amphi_arena_new();
    assert_true(amphi_blocks_init(b, n, *arena));
}

static void the_mean_is_that_of_all_frames(void **state)
{
    (void)state;
    AmphiArena *arena;
    AmphiBlocks b;
    double      sum = 0, weight = 0;

    set_up(&b, &arena, 2);
    assert_true(isnan(amphi_blocks_mean(&b, 1)));
    for (int k = 1; k <= 1000; k++) {
        amphi_blocks_add(&b, 1, k, k % 3);
        amphi_blocks_next(&b);
        sum += k;
        weight += k % 3;
        assert_true(is_near(amphi_blocks_mean(&b, 1), sum / weight, 1e-9 * sum));
    }
    assert_true(isnan(amphi_blocks_mean(&b, 0)));
    assert_int_equal(b.count->frames, 1000);
    assert_int_equal(b.count->frames_a_block, 32);
    assert_int_equal(b.count->n_full, 31);
    amphi_arena_free(arena);
}

static void four_blocks_have_the_error_of_four_numbers(void **state)
{
    (void)state;
    static const double x[] = { 1, 2, 4, 9 };
    AmphiArena         *arena;
    AmphiBlocks         b;

    set_up(&b, &arena, 1);
    for (int k = 0; k < 4; k++) {
        assert_true(isnan(amphi_blocks_error(&b, 0)));
        amphi_blocks_add(&b, 0, x[k], 1);
        amphi_blocks_next(&b);
    }
    /* mean 4, squares 9 + 4 + 0 + 25 = 38, over 4 * 3 */
    assert_true(is_near(amphi_blocks_error(&b, 0), sqrt(38. / 12), 1e-12));
    assert_false(is_near(amphi_blocks_error(&b, 0), sqrt(38. / 4), 1e-3));
    amphi_arena_free(arena);
}

/* 300 series of 777 independent numbers from [0, 1): the means scatter by 1/12/777; their
 * correlation, which is none, is seen as some or none, never as less, so that the estimate is up to
 * 35 % more on average. */
static void independent_numbers_have_the_error_of_counting(void **state)
{
    (void)state;
    const double expected = 1. / 12 / 777;
    double       squares = 0, scatter = 0, independent = 0;
    uint64_t     seed = 1;

    for (int run = 0; run < 300; run++) {
        AmphiArena *arena;
        AmphiBlocks b;

        set_up(&b, &arena, 2);
        for (int k = 0; k < 777; k++) {
            const double x = draw(&seed, 0, 1);
            amphi_blocks_add(&b, 0, x, 1);
            amphi_blocks_add(&b, 1, x * x, 1);
            amphi_blocks_next(&b);
        }
        squares += amphi_blocks_error(&b, 0) * amphi_blocks_error(&b, 0) / 300;
        scatter += (amphi_blocks_mean(&b, 0) - 0.5) * (amphi_blocks_mean(&b, 0) - 0.5) / 300;
        independent += amphi_blocks_estimate(&b, 0, 1).independent / 300;
        amphi_arena_free(arena);
    }
    assert_true(squares > expected && squares < 1.35 * expected);
    assert_true(is_near(scatter, expected, 0.3 * expected)); /* 8 % over 300 runs */
    assert_true(independent > 0.7 * 777 && independent < 1.3 * 777);
}

/* ---- correlation ---- */

/* A series that relaxes as exp(-k/tau): its variance is 1 and that of its mean over n frames is
 * sum of (n - |k|) a^|k| / n^2, with a = exp(-1/tau). */
typedef struct {
    double tau;
    int    n;
    double ratio, rough; /* the error that is told over the true one, mean; how many are rough */
} Relaxing;

static double normal(uint64_t *seed)
{
    double sum = 0;

    for (int k = 0; k < 12; k++)
        sum += draw(seed, -0.5, 0.5);
    return sum;
}

static double true_error(const Relaxing *r)
{
    const double a = exp(-1 / r->tau), n = r->n;
    const double sum = n * (1 + a) / (1 - a) - 2 * a * (1 - pow(a, n)) / ((1 - a) * (1 - a));

    return sqrt(sum) / n;
}

static void run_relaxing(Relaxing *r, int runs)
{
    const double a    = exp(-1 / r->tau);
    uint64_t     seed = 11;

    for (int run = 0; run < runs; run++) {
        AmphiArena *arena;
        AmphiBlocks b;
        double      x = normal(&seed);

        set_up(&b, &arena, 1);
        for (int k = 0; k < r->n; k++) {
            amphi_blocks_add(&b, 0, 3 + x, 1);
            amphi_blocks_next(&b);
            x = a * x + sqrt(1 - a * a) * normal(&seed);
        }
        r->ratio += amphi_blocks_error(&b, 0) / true_error(r) / runs;
        r->rough += (amphi_blocks_is_rough(&b, 0) ? 1.0 : 0) / runs;
        amphi_arena_free(arena);
    }
}

/* From tau of a 1000th to a 5th of the run, with 17, 24 and 31 blocks. The larger of the errors of
 * blocks and of pairs of blocks would give 0.7 of it at a 20th, and 0.4 at a 5th. */
static void the_error_is_right_up_to_correlation_over_a_20th_of_the_run(void **state)
{
    (void)state;
    static const double part[] = { 1000, 200, 64, 32, 20, 10, 5 };
    static const int    n[]    = { 1100, 1570, 2030 };

    for (int p = 0; p < 7; p++)
        for (int k = 0; k < 3; k++) {
            Relaxing r = { .tau = n[k] / part[p], .n = n[k] };

            run_relaxing(&r, 400);
            assert_true(r.ratio > 0.85 && r.ratio < 1.8);
            if (part[p] > 50)
                assert_true(r.ratio < 1.25);
            if (part[p] > 500)
                assert_true(r.rough < 0.08);
            if (part[p] < 15)
                assert_true(r.rough > 0.4);
            if (part[p] < 8)
                assert_true(r.rough > 0.6);
        }
}

/* What only grows has no mean that it returns to. */
static void where_no_block_is_long_enough_the_error_is_a_rough_one(void **state)
{
    (void)state;
    AmphiArena *arena;
    AmphiBlocks b;

    set_up(&b, &arena, 2);
    for (int k = 0; k < 1000; k++) {
        assert_int_equal(amphi_blocks_is_rough(&b, 0), k >= 4);
        assert_int_equal(amphi_blocks_is_rough(&b, 1), false); /* does not vary */
        amphi_blocks_add(&b, 0, k, 1);
        amphi_blocks_add(&b, 1, 0.1, 1);
        amphi_blocks_next(&b);
    }
    /* half of its spread and more: 1000/sqrt(12)/2 */
    assert_true(amphi_blocks_error(&b, 0) > 144);
    amphi_arena_free(arena);
}

/* Each number ten times over: the error is that of a tenth of the frames, up to 30 % more. */
static void correlated_numbers_have_a_larger_error(void **state)
{
    (void)state;
    const double expected = 1. / 12 / 400;
    double       squares  = 0;
    uint64_t     seed     = 1;

    for (int run = 0; run < 200; run++) {
        AmphiArena *arena;
        AmphiBlocks b;
        double      x = 0;

        set_up(&b, &arena, 1);
        for (int k = 0; k < 4000; k++) {
            x = k % 10 == 0 ? draw(&seed, 0, 1) : x;
            amphi_blocks_add(&b, 0, x, 1);
            amphi_blocks_next(&b);
        }
        squares += amphi_blocks_error(&b, 0) * amphi_blocks_error(&b, 0) / 200;
        amphi_arena_free(arena);
    }
    assert_true(squares > expected && squares < 1.3 * expected);
}

/* The box of a run at constant volume, exactly and with noise in the last bit: 0.1 is no binary
 * number, so that sums of different length round differently. */
static void what_does_not_vary_has_no_error_and_no_number_of_samples(void **state)
{
    (void)state;
    uint64_t seed = 1;

    for (int n = 1; n <= 100000; n = 1 + 3 * n) {
        for (int noise = 0; noise < 2; noise++) {
            AmphiArena *arena;
            AmphiBlocks b;

            set_up(&b, &arena, 2);
            for (int k = 0; k < n; k++) {
                const double x = 0.1 * (1 + noise * draw(&seed, -DBL_EPSILON, DBL_EPSILON));

                amphi_blocks_add(&b, 0, x, 1);
                amphi_blocks_add(&b, 1, x * x, 1);
                amphi_blocks_next(&b);
            }
            if (n >= AMPHI_BLOCKS_FOR_ERROR)
                assert_true(amphi_blocks_error(&b, 0) == 0);
            assert_true(isnan(amphi_blocks_estimate(&b, 0, 1).independent));
            amphi_arena_free(arena);
        }
    }
}

/* A millionth of the mean is not rounding. */
static void what_varies_little_is_counted(void **state)
{
    (void)state;
    AmphiArena *arena;
    AmphiBlocks b;
    uint64_t    seed = 1;

    set_up(&b, &arena, 2);
    for (int k = 0; k < 3000; k++) {
        const double x = 0.1 * (1 + draw(&seed, -1e-6, 1e-6));

        amphi_blocks_add(&b, 0, x, 1);
        amphi_blocks_add(&b, 1, x * x, 1);
        amphi_blocks_next(&b);
    }
    const double n = amphi_blocks_estimate(&b, 0, 1).independent;
    assert_true(n > 1000 && n < 6000); /* its error is known to 15 % */
    amphi_arena_free(arena);
}

/* ---- stretches in which nothing varies ---- */

static void add_with_square(AmphiBlocks *b, double x)
{
    amphi_blocks_add(b, 0, x, 1);
    amphi_blocks_add(b, 1, x * x, 1);
    amphi_blocks_next(b);
}

/* n frames of a box that moves, or by turns stands still for so many of them, then n_rest frames of
 * the box as it was left. Returns the error; *independent: the number of samples. */
static double error_at_rest(int n, int each, int n_rest, double *independent, bool *is_rough)
{
    AmphiArena *arena;
    AmphiBlocks b;
    uint64_t    seed = 3;
    double      x    = 0;

    set_up(&b, &arena, 2);
    for (int k = 0; k < n; k++) {
        x = k % each == 0 ? 0.66 + draw(&seed, -0.01, 0.01) : x;
        add_with_square(&b, x);
    }
    for (int k = 0; k < n_rest; k++)
        add_with_square(&b, x);
    const AmphiBlockEstimate e = amphi_blocks_estimate(&b, 0, 1);
    *independent               = e.independent;
    *is_rough                  = e.is_rough;
    amphi_arena_free(arena);
    return e.error;
}

/* The deviation of a frame is 0.01/sqrt(3) = 0.0058. The mean of 20 frames and 1201 like the last
 * one is that one, known to 0.0058; the block in which the box came to rest has 44 frames of rest,
 * which count as frames that vary. From blocks alone the error would be 3.6e-5, for they see one
 * that is a little off the others. Of a half at rest the mean is known to half of it at best. */
static void a_box_that_moves_and_then_stands_still_is_known_as_its_last_frame(void **state)
{
    (void)state;
    double n;
    bool   is_rough;

    const double long_rest = error_at_rest(20, 1, 1201, &n, &is_rough);
    assert_true(long_rest > 0.4 * 0.0058 && long_rest < 1.5 * 0.0058);
    assert_true(is_rough && n > 0.9 && n < 1.3);
    const double half = error_at_rest(640, 1, 640, &n, &is_rough);
    assert_true(half > 0.4 * 0.0058 && half < 1.5 * 0.0058);
    assert_true(is_rough && n > 0.9 && n < 5);
}

/* A barostat moves the box in every tenth step: frames of every step are ten times over, of which
 * blocks of one frame see no correlation. */
static void frames_between_two_moves_of_the_box_are_one_sample(void **state)
{
    (void)state;
    double n;
    bool   is_rough;

    (void)error_at_rest(30, 10, 0, &n, &is_rough);
    assert_true(is_rough && n <= 3);
    (void)error_at_rest(310, 10, 0, &n, &is_rough); /* the stretches are longer than a block */
    assert_true(n <= 62);
}

/* Up and down by turns they undo each other, so that blocks vary little. */
static void there_are_no_more_samples_than_frames(void **state)
{
    (void)state;
    for (int n = 5; n < 3000; n = 2 * n + 1) {
        AmphiArena *arena;
        AmphiBlocks b;

        set_up(&b, &arena, 2);
        for (int k = 0; k < n; k++)
            add_with_square(&b, 0.66 + (k % 2 == 0 ? 0.01 : -0.01) * (1 + 1e-3 * k * k / n / n));
        const double samples = amphi_blocks_estimate(&b, 0, 1).independent;
        assert_true(samples > 0 && samples <= n * (1 + 1e-12));
        amphi_arena_free(arena);
    }
}

/* Up and down by turns about a level: s^2 = n/(n - 2), over the squares of n times. */
static void the_error_of_a_slope_is_that_of_its_rests(void **state)
{
    (void)state;
    enum { N = 12 };
    AmphiArena *arena;
    AmphiBlocks b;

    set_up(&b, &arena, 2);
    for (int k = 0; k < N; k++) {
        amphi_blocks_add(&b, 0, k, 1);
        amphi_blocks_add(&b, 1, k % 2 == 0 ? 1 : -1, 1);
        amphi_blocks_next(&b);
    }
    const double wanted = sqrt(12. / ((N - 2) * (N * N - 1.)));
    assert_true(is_near(amphi_blocks_slope_error(&b, 0, 1, 0), wanted, 1e-12));
    amphi_arena_free(arena);
}

/* However often they were joined. */
static void full_blocks_have_the_same_number_of_frames(void **state)
{
    (void)state;
    AmphiArena *arena;
    AmphiBlocks b;

    set_up(&b, &arena, 1);
    for (int k = 0; k < 1000; k++) {
        amphi_blocks_add(&b, 0, 1, 1);
        amphi_blocks_next(&b);
        for (int64_t block = 0; block < b.count->n_full; block++)
            assert_true(b.weight[block] == (double)b.count->frames_a_block);
    }
    amphi_arena_free(arena);
}

/* ---- variances ---- */

/* 400 series of numbers of variance 0.04 that relax within tau frames. The sample's own mean would
 * take 1 in n_ind off, 5 % with tau of a 40th of the run; the error that is told is that by which
 * variances scatter, or up to the root of 2 more, as of so many samples that are independent. */
static void the_variance_of_what_relaxes_is_told_with_its_error(void **state)
{
    (void)state;
    enum { N = 2030, RUNS = 400 };
    static const double part[] = { 1000, 100, 40 };

    for (int p = 0; p < 3; p++) {
        const double a    = exp(-part[p] / N);
        uint64_t     seed = 5;
        double       mean = 0, squares = 0, told = 0;
        int          n = 0;

        for (int run = 0; run < RUNS; run++) {
            AmphiArena *arena;
            AmphiBlocks b;
            double      x = normal(&seed);

            set_up(&b, &arena, 2);
            for (int k = 0; k < N; k++) {
                add_with_square(&b, 40 + 0.2 * x);
                x = a * x + sqrt(1 - a * a) * normal(&seed);
            }
            const AmphiBlockVariance v = amphi_blocks_variance(&b, 0, 1);
            amphi_arena_free(arena);
            if (isnan(v.value)) /* too few samples */
                continue;
            mean += v.value / 0.04;
            squares += v.value * v.value / (0.04 * 0.04);
            told += v.error / 0.04;
            n++;
        }
        mean /= n;
        const double scatter = sqrt(squares / n - mean * mean);

        assert_true(n > 0.98 * RUNS);
        assert_true(fabs(mean - 1) < 3 * scatter / sqrt(n) + (part[p] < 50 ? 0.02 : 0));
        assert_true(told / n > 0.9 * scatter && told / n < 1.8 * scatter);
    }
}

static void too_few_frames_have_no_variance(void **state)
{
    (void)state;
    AmphiArena *arena;
    AmphiBlocks b;

    set_up(&b, &arena, 2);
    for (int k = 0; k < 3; k++)
        add_with_square(&b, k % 2);
    assert_true(isnan(amphi_blocks_variance(&b, 0, 1).value));
    amphi_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_that_of_all_frames),
        cmocka_unit_test(four_blocks_have_the_error_of_four_numbers),
        cmocka_unit_test(independent_numbers_have_the_error_of_counting),
        cmocka_unit_test(the_error_is_right_up_to_correlation_over_a_20th_of_the_run),
        cmocka_unit_test(where_no_block_is_long_enough_the_error_is_a_rough_one),
        cmocka_unit_test(correlated_numbers_have_a_larger_error),
        cmocka_unit_test(what_does_not_vary_has_no_error_and_no_number_of_samples),
        cmocka_unit_test(what_varies_little_is_counted),
        cmocka_unit_test(a_box_that_moves_and_then_stands_still_is_known_as_its_last_frame),
        cmocka_unit_test(frames_between_two_moves_of_the_box_are_one_sample),
        cmocka_unit_test(there_are_no_more_samples_than_frames),
        cmocka_unit_test(the_error_of_a_slope_is_that_of_its_rests),
        cmocka_unit_test(full_blocks_have_the_same_number_of_frames),
        cmocka_unit_test(the_variance_of_what_relaxes_is_told_with_its_error),
        cmocka_unit_test(too_few_frames_have_no_variance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
