/* Arenas: alignment, zeroes, overflow, and every way to run out of memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "../../engine/arena.h"

static bool is_zero(const char *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (bytes[k] != 0)
            return false;
    return true;
}

static void the_zero_checker_sees_a_byte(void **state)
{
    (void)state;
    assert_true(is_zero("\0\0\0", 3));
    assert_false(is_zero("\0\0\1", 3));
}

static void pieces_are_aligned_zeroed_and_apart(void **state)
{
    (void)state;
    enum { PIECES = 300 }; /* more than one block of 64 KiB */
    AmphiArena *arena = amphi_arena_new();
    char       *piece[PIECES];

    for (int k = 0; k < PIECES; k++) {
        piece[k] = amphi_arena_take(arena, k + 1, 3);
        assert_non_null(piece[k]);
        assert_int_equal((uintptr_t)piece[k] % 64, 0);
        assert_true(is_zero(piece[k], 3 * ((size_t)k + 1)));
        memset(piece[k], k % 251 + 1, 3 * ((size_t)k + 1));
    }
    for (int k = 0; k < PIECES; k++)
        for (int byte = 0; byte < 3 * (k + 1); byte++)
            assert_int_equal((unsigned char)piece[k][byte], k % 251 + 1);
    assert_true(amphi_arena_bytes(arena) >= 3 * PIECES * (PIECES + 1) / 2);
    assert_false(amphi_arena_failed(arena));
    amphi_arena_free(arena);
}

static void a_piece_may_be_larger_than_a_block(void **state)
{
    (void)state;
    AmphiArena *arena = amphi_arena_new();
    double     *large = AMPHI_TAKE(arena, double, 100000);

    assert_non_null(large);
    large[99999] = 1;
    assert_true(amphi_arena_bytes(arena) >= 800000);
    assert_non_null(amphi_arena_take(arena, 1, 1));
    amphi_arena_free(arena);
}

static void nothing_is_not_a_failure(void **state)
{
    (void)state;
    AmphiArena *arena = amphi_arena_new();

    assert_non_null(amphi_arena_take(arena, 0, 8));
    assert_false(amphi_arena_failed(arena));
    amphi_arena_free(arena);
    amphi_arena_free(NULL);
}

static void sizes_that_overflow_are_failures(void **state)
{
    (void)state;
    const struct {
        int64_t count;
        size_t  size;
    } cases[] = { { -1, 1 },        { INT64_MAX, 1 },      { INT64_MAX, 8 },
                  { 1, SIZE_MAX },  { 2, SIZE_MAX / 2 },   { (int64_t)1 << 62, 4 },
                  { INT64_MIN, 0 }, { INT64_MAX, 1 << 20 } };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        AmphiArena *arena = amphi_arena_new();
        assert_null(amphi_arena_take(arena, cases[k].count, cases[k].size));
        assert_true(amphi_arena_failed(arena));
        assert_non_null(amphi_arena_take(arena, 1, 1)); /* and it goes on, */
        assert_true(amphi_arena_failed(arena));         /* but remembers */
        amphi_arena_free(arena);
        assert_null(amphi_alloc(cases[k].count, cases[k].size));
        assert_null(amphi_resize(NULL, cases[k].count, cases[k].size));
    }
}

static void growing_copies_and_zeroes_the_rest(void **state)
{
    (void)state;
    AmphiArena *arena  = amphi_arena_new();
    int32_t    *little = AMPHI_TAKE(arena, int32_t, 3);

    little[0]      = 7;
    little[2]      = 9;
    int32_t *large = amphi_arena_grow(arena, little, 3, 100, sizeof *large);
    assert_int_equal(large[0], 7);
    assert_int_equal(large[2], 9);
    assert_true(is_zero((const char *)(large + 3), 97 * sizeof *large));
    assert_int_equal(little[2], 9);

    assert_true(is_zero(amphi_arena_grow(arena, NULL, 0, 5, 1), 5));
    const int32_t *one = amphi_arena_grow(arena, large, 100, 1, sizeof *one);
    assert_int_equal(one[0], 7);
    amphi_arena_free(arena);
}

static void texts_are_copied_and_printed(void **state)
{
    (void)state;
    AmphiArena *arena  = amphi_arena_new();
    char        text[] = "DMPC";
    const char *copy   = amphi_arena_text(arena, text);

    text[0] = 'X';
    assert_string_equal(copy, "DMPC");
    assert_string_equal(amphi_arena_text(arena, ""), "");
    assert_string_equal(amphi_arena_print(arena, "%s of %d", copy, 128), "DMPC of 128");
    amphi_arena_free(arena);
}

static void the_nth_allocation_fails_and_only_that(void **state)
{
    (void)state;
    AmphiArena *arena = amphi_arena_new();

    amphi_arena_fail_at(2);
    assert_non_null(amphi_arena_take(arena, 1, 1));
    assert_null(amphi_arena_take(arena, 1, 1));
    assert_true(amphi_arena_failed(arena));
    assert_non_null(amphi_arena_take(arena, 1, 1));
    amphi_arena_fail_at(1);
    assert_null(amphi_arena_text(arena, "text"));
    amphi_arena_fail_at(1);
    assert_null(amphi_arena_print(arena, "%d", 1));
    amphi_arena_fail_at(1);
    assert_null(amphi_arena_grow(arena, NULL, 0, 1, 1));
    amphi_arena_free(arena);

    amphi_arena_fail_at(1);
    assert_null(amphi_arena_new());
    amphi_arena_fail_at(1);
    assert_null(amphi_alloc(1, 1));
    amphi_arena_fail_at(1);
    assert_null(amphi_resize(NULL, 1, 1));
    amphi_arena_fail_at(1);
    amphi_arena_fail_at(0);
    arena = amphi_arena_new();
    assert_non_null(arena);
    amphi_arena_free(arena);
}

static void no_arena_is_a_failed_arena(void **state)
{
    (void)state;
    assert_true(amphi_arena_failed(NULL));
    assert_null(amphi_arena_take(NULL, 1, 1));
    assert_null(amphi_arena_text(NULL, "text"));
    assert_null(amphi_arena_print(NULL, "%d", 1));
    assert_int_equal(amphi_arena_bytes(NULL), 0);
}

static void plain_memory_is_zeroed_and_resized(void **state)
{
    (void)state;
    char *memory = amphi_alloc(10, 4);

    assert_true(is_zero(memory, 40));
    memory[39]  = 5;
    char *after = amphi_resize(memory, 1000, 4);
    assert_int_equal(after[39], 5);
    amphi_release(after);
    amphi_release(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_zero_checker_sees_a_byte),
        cmocka_unit_test(pieces_are_aligned_zeroed_and_apart),
        cmocka_unit_test(a_piece_may_be_larger_than_a_block),
        cmocka_unit_test(nothing_is_not_a_failure),
        cmocka_unit_test(sizes_that_overflow_are_failures),
        cmocka_unit_test(growing_copies_and_zeroes_the_rest),
        cmocka_unit_test(texts_are_copied_and_printed),
        cmocka_unit_test(the_nth_allocation_fails_and_only_that),
        cmocka_unit_test(no_arena_is_a_failed_arena),
        cmocka_unit_test(plain_memory_is_zeroed_and_resized),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
