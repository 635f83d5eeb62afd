/* Random numbers on the device are those of the host, and Philox is cuRAND's. Skipped without a
 * device, and says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../engine/num/normal.h"

#ifdef AMPHI_CUDA
#include "philox_device.h"

enum { CASES = 4096, EDGES = 64 };

static PhiloxCase cases[CASES];

/* Every choice of first and last words, then words from the host's own generator. */
static void fill_cases(void)
{
    memset(cases, 0, sizeof cases);
    for (int k = 0; k < CASES; k++) {
        const Philox a = philox(1, (uint64_t)k, 0, (AmphiStream)0, 0);
        const Philox b = philox(2, (uint64_t)k, 0, (AmphiStream)0, 0);

        for (int m = 0; m < 4; m++)
            cases[k].counter[m] = k < EDGES ? (k >> m & 1 ? UINT32_MAX : 0) : a.word[m];
        for (int m = 0; m < 2; m++)
            cases[k].key[m] = k < EDGES ? (k >> (4 + m) & 1 ? UINT32_MAX : 0) : b.word[m];
    }
}

static void ask_device(void)
{
    fill_cases();
    if (!philox_device_is_there()) {
        print_message("SKIPPED: no NVIDIA device\n");
        skip();
    }
    assert_true(philox_device_fill(cases, CASES));
}

static Philox on_the_host(const PhiloxCase *c)
{
    const Philox in = { { c->counter[0], c->counter[1], c->counter[2], c->counter[3] } };

    return philox_mix(in, c->key[0], c->key[1]);
}

static void philox_is_that_of_curand_word_for_word(void **state)
{
    (void)state;
    ask_device();
    for (int k = 0; k < CASES; k++) {
        const Philox host = on_the_host(&cases[k]);

        assert_memory_equal(cases[k].ours, host.word, sizeof host.word);
        assert_memory_equal(cases[k].theirs, host.word, sizeof host.word);
    }
}

/* Its generator counts in 64 bits of words: no more than 2^60 blocks are asked of it. */
static void the_generator_of_curand_draws_the_same_words(void **state)
{
    (void)state;
    ask_device();
    for (int k = 0; k < CASES; k++) {
        PhiloxCase c = cases[k];

        c.counter[1] &= 0x3fffffffu;
        assert_memory_equal(c.generator, on_the_host(&c).word, sizeof c.generator);
    }
}

static void deviates_have_the_bits_of_the_host(void **state)
{
    (void)state;
    ask_device();
    for (int k = 0; k < CASES; k++) {
        const PhiloxCase *c    = &cases[k];
        const uint64_t    seed = (uint64_t)c->key[1] << 32 | c->key[0];
        const TwoNormals  n = draw_normals(seed, c->counter[0], c->counter[2], (AmphiStream)1, 0);
        const double      s = draw_squares(c->counter[3] % 5000, seed, c->counter[0], c->counter[2],
                                           (AmphiStream)2, 0);

        assert_memory_equal(&c->normal[0], &n.first, sizeof n.first);
        assert_memory_equal(&c->normal[1], &n.second, sizeof n.second);
        assert_memory_equal(&c->squares, &s, sizeof s);
    }
}

#else

static void philox_is_that_of_curand_word_for_word(void **state)
{
    (void)state;
    print_message("SKIPPED: built without CUDA\n");
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_is_that_of_curand_word_for_word),
#ifdef AMPHI_CUDA
        cmocka_unit_test(the_generator_of_curand_draws_the_same_words),
        cmocka_unit_test(deviates_have_the_bits_of_the_host),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
