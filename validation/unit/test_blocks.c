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

/* 300 series of 777 independent numbers from [0, 1): the means scatter by 1/12/777; the larger of
 * two estimates of that, from 24 blocks and from 12 pairs, is 5 to 30 % more on average. */
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
        independent += amphi_blocks_independent(&b, 0, 1) / 300;
        amphi_arena_free(arena);
    }
    assert_true(squares > 1.05 * expected && squares < 1.3 * expected);
    assert_true(is_near(scatter, expected, 0.3 * expected)); /* 8 % over 300 runs */
    assert_true(independent > 0.7 * 777 && independent < 1.3 * 777);
}

/* A walk that wanders for a 20th of the run: blocks of a 25th are too short, pairs tell. */
static void pairs_of_blocks_tell_where_blocks_are_too_short(void **state)
{
    (void)state;
    double    squares = 0, scatter = 0;
    uint64_t  seed = 3;
    const int runs = 300, n = 800;

    for (int run = 0; run < runs; run++) {
        AmphiArena *arena;
        AmphiBlocks b;
        double      x = 0;

        set_up(&b, &arena, 1);
        for (int k = -200; k < n; k++) {
            x += draw(&seed, -1, 1) - x / 20; /* correlates over 20 frames, blocks have 32 */
            if (k < 0)
                continue;
            amphi_blocks_add(&b, 0, x, 1);
            amphi_blocks_next(&b);
        }
        squares += amphi_blocks_error(&b, 0) * amphi_blocks_error(&b, 0) / runs;
        scatter += amphi_blocks_mean(&b, 0) * amphi_blocks_mean(&b, 0) / runs;
        amphi_arena_free(arena);
    }
    /* single blocks alone would give 0.6 of it */
    assert_true(squares > 0.75 * scatter && squares < 1.4 * scatter);
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
            assert_true(isnan(amphi_blocks_independent(&b, 0, 1)));
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
    const double n = amphi_blocks_independent(&b, 0, 1);
    assert_true(n > 1000 && n < 6000); /* its error is known to 15 % */
    amphi_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_that_of_all_frames),
        cmocka_unit_test(four_blocks_have_the_error_of_four_numbers),
        cmocka_unit_test(independent_numbers_have_the_error_of_counting),
        cmocka_unit_test(pairs_of_blocks_tell_where_blocks_are_too_short),
        cmocka_unit_test(correlated_numbers_have_a_larger_error),
        cmocka_unit_test(what_does_not_vary_has_no_error_and_no_number_of_samples),
        cmocka_unit_test(what_varies_little_is_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
