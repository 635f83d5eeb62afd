/* Philox4x32-10 against the vectors that its authors publish, and how uses are kept apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "../../engine/num/philox.h"

static bool is_same(Philox a, Philox b)
{
    return memcmp(a.word, b.word, sizeof a.word) == 0;
}

/* File kat_vectors of Random123, lines philox4x32 10. */
static void the_published_vectors_come_out(void **state)
{
    (void)state;
    const struct {
        Philox   counter;
        uint32_t key[2];
        Philox   expected;
    } cases[] = {
        { { { 0, 0, 0, 0 } }, { 0, 0 }, { { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } } },
        { { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff } },
          { 0xffffffff, 0xffffffff },
          { { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } } },
        { { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 } },
          { 0xa4093822, 0x299f31d0 },
          { { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } } },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_true(is_same(philox_mix(cases[k].counter, cases[k].key[0], cases[k].key[1]),
                            cases[k].expected));
    assert_false(is_same(philox_mix(cases[0].counter, 0, 1), cases[0].expected));
}

static void the_layout_of_the_counter_is_fixed(void **state)
{
    (void)state;
    const Philox counter = { { 0x55667788, 0xcdef3344, 0xddeeff00, 0x02aabbcc } };

    assert_true(is_same(philox(0x0123456789abcdef, 0x334455667788, 0xaabbccddeeff00,
                               AMPHI_STREAM_ORIENTATION, 0xcdef),
                        philox_mix(counter, 0x89abcdef, 0x01234567)));
}

static void every_argument_matters_up_to_its_last_bit(void **state)
{
    (void)state;
    const Philox zero = philox(0, 0, 0, AMPHI_STREAM_VELOCITY, 0);

    for (int bit = 0; bit < 64; bit++)
        assert_false(is_same(zero, philox((uint64_t)1 << bit, 0, 0, AMPHI_STREAM_VELOCITY, 0)));
    for (int bit = 0; bit < 48; bit++)
        assert_false(is_same(zero, philox(0, (uint64_t)1 << bit, 0, AMPHI_STREAM_VELOCITY, 0)));
    for (int bit = 0; bit < 56; bit++)
        assert_false(is_same(zero, philox(0, 0, (uint64_t)1 << bit, AMPHI_STREAM_VELOCITY, 0)));
    for (int bit = 0; bit < 16; bit++)
        assert_false(is_same(zero, philox(0, 0, 0, AMPHI_STREAM_VELOCITY, 1u << bit)));
    assert_false(is_same(zero, philox(0, 0, 0, AMPHI_STREAM_BUILD, 0)));
}

static void uniforms_use_53_bits_and_never_reach_one(void **state)
{
    (void)state;
    const Philox least = { { 0, 0x7ff, 0, 0x800 } };
    const Philox most  = { { 0xffffffff, 0xffffffff, 0x80000000, 0 } };

    assert_true(philox_uniform(least, 0) == 0);
    assert_true(philox_uniform(least, 1) == 0x1p-53);
    assert_true(philox_uniform(most, 0) == 1 - 0x1p-53);
    assert_true(philox_uniform(most, 1) == 0.5);
}

/* Mean and variance of n uniforms have standard errors sqrt(1/12n) and sqrt(1/180n); five of them
 * are a bound that a fixed seed either holds for ever or never. */
static void uniforms_have_the_right_mean_and_variance(void **state)
{
    (void)state;
    const int n   = 100000;
    double    sum = 0, squares = 0;

    for (int k = 0; k < n; k++) {
        const Philox p = philox(1, (uint64_t)(k / 2), 3, AMPHI_STREAM_BUILD, 0);
        const double x = philox_uniform(p, k % 2) - 0.5;
        sum += x;
        squares += x * x;
    }
    assert_true(sum / n < 5 * 9.2e-4 && sum / n > -5 * 9.2e-4);
    assert_true(squares / n - 1. / 12 < 5 * 2.4e-4 && squares / n - 1. / 12 > -5 * 2.4e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_vectors_come_out),
        cmocka_unit_test(the_layout_of_the_counter_is_fixed),
        cmocka_unit_test(every_argument_matters_up_to_its_last_bit),
        cmocka_unit_test(uniforms_use_53_bits_and_never_reach_one),
        cmocka_unit_test(uniforms_have_the_right_mean_and_variance),
    };
    return cmocka_run_group_tests_name("philox", tests, NULL, NULL);
}
