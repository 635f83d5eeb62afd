/* Lines, words, columns and numbers out of bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../engine/formats/lines.h"
#include "format_cases.h"

static AmphiSlice slice(const char *text)
{
    return (AmphiSlice){ text, (int64_t)strlen(text) };
}

static void lines_end_with_a_feed_or_with_the_file(void **state)
{
    (void)state;
    static const char text[] = "one\r\n\n  \ntwo";
    AmphiLines        lines  = amphi_lines_of("f", text, (int64_t)strlen(text), NULL);

    assert_true(amphi_lines_next(&lines));
    assert_true(amphi_slice_is(lines.line, "one"));
    assert_int_equal(lines.number, 1);
    assert_true(amphi_lines_next_filled(&lines));
    assert_true(amphi_slice_is(lines.line, "two"));
    assert_int_equal(lines.number, 4);
    assert_false(amphi_lines_next(&lines));
    assert_int_equal(amphi_lines_where(&lines).line, 4);
    lines = amphi_lines_of("f", text, 0, NULL);
    assert_false(amphi_lines_next(&lines));
}

static void columns_beyond_the_line_are_empty(void **state)
{
    (void)state;
    assert_true(amphi_slice_is(amphi_slice_columns(slice("ab cd ef"), 2, 4), "cd"));
    assert_true(amphi_slice_is(amphi_slice_columns(slice("ab"), 1, 40), "b"));
    assert_int_equal(amphi_slice_columns(slice("ab"), 2, 4).length, 0);
    assert_int_equal(amphi_slice_columns(slice("ab"), 200, 4).length, 0);
}

static void words_are_counted_beyond_those_kept(void **state)
{
    (void)state;
    AmphiSlice word[2];

    assert_int_equal(amphi_slice_words(slice(" a\tbb  ccc "), word, 2), 3);
    assert_true(amphi_slice_is(word[1], "bb"));
    assert_int_equal(amphi_slice_words(slice(" \t "), word, 2), 0);
    assert_true(amphi_slice_begins(slice("abc"), "ab"));
    assert_false(amphi_slice_begins(slice("a"), "ab"));
}

static void whole_numbers_are_whole_and_fit(void **state)
{
    (void)state;
    static const char *const bad[] = { "",    "-",  "+",   "1.0", "1e3", "0x10",
                                       " 1",  "1 ", "--1", "1-",  "nan", "9223372036854775808",
                                       "1,5", "٣" };
    int64_t                  value = 0;

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(amphi_slice_whole(slice(bad[k]), &value));
    assert_true(amphi_slice_whole(slice("-0017"), &value) && value == -17);
    assert_true(amphi_slice_whole(slice("+999999999999999999"), &value) &&
                value == 999999999999999999);
}

static void numbers_are_whole_tokens_and_finite(void **state)
{
    (void)state;
    static const char *const bad[] = { "", "nan", "inf", "1e999", "1,5", "0x1p3", "1.5x", "1 2" };
    char                     longer[80];
    double                   value = 0;

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(amphi_slice_number(slice(bad[k]), &value));
    assert_false(amphi_slice_number((AmphiSlice){ "1\0002", 3 }, &value));
    memset(longer, '1', sizeof longer);
    assert_false(amphi_slice_number((AmphiSlice){ longer, 64 }, &value));
    assert_true(amphi_slice_number((AmphiSlice){ longer, 15 }, &value) && value == 111111111111111);
    assert_true(amphi_slice_number(slice("-2.5e-3"), &value) && value == -0.0025);
}

static void text_from_files_is_cut_and_made_harmless(void **state)
{
    (void)state;
    static const char bytes[] = "a\tb\033[31m and a long tail that goes on and on and on and on";
    const AmphiSlice  raw     = slice(bytes);
    AmphiArena *const arena   = amphi_arena_new();

    assert_string_equal(amphi_slice_name(raw).text, "a?b?[31m and a long tai");
    assert_string_equal(amphi_slice_short(raw).text,
                        "a?b?[31m and a long tail that goes on and on...");
    assert_string_equal(amphi_slice_short(slice("short")).text, "short");
    assert_int_equal(strlen(amphi_slice_copy(raw, arena)), strlen(bytes));
    assert_string_equal(amphi_digits(INT64_MIN).text, "-9223372036854775808");
    assert_string_equal(amphi_decimal(-0.125).text, "-0.125");

    /* what is behind the end of a name is zeros, for checkpoints */
    const AmphiName name = amphi_slice_name(slice("W"));
    for (size_t k = 1; k < sizeof name.text; k++)
        assert_int_equal(name.text[k], 0);
    amphi_arena_free(arena);
}

static void a_reader_has_enough_after_twenty_faults(void **state)
{
    (void)state;
    AmphiNotes *const notes = amphi_notes_new();
    AmphiLines        lines = amphi_lines_of("f", "x\n", 2, notes);
    double            value = 0;
    int64_t           whole = 0;

    assert_true(amphi_lines_next(&lines));
    assert_true(amphi_lines_whole(&lines, slice("5"), "count", 1, 5, &whole));
    assert_false(amphi_lines_whole(&lines, slice("6"), "count", 1, 5, &whole));
    assert_true(
        has_note(notes, &(const Fault){ "", AMPHI_MSG_FORMAT_NOT_WHOLE, 1,
                                        "count: \"6\" is not a whole number from 1 to 5", "" }));
    for (int k = 1; k < AMPHI_ENOUGH_FAULTS; k++) {
        assert_false(amphi_lines_enough(&lines));
        assert_false(amphi_lines_number(&lines, slice("x"), "mass", &value));
    }
    assert_true(amphi_lines_enough(&lines));
    amphi_notes_free(notes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_with_a_feed_or_with_the_file),
        cmocka_unit_test(columns_beyond_the_line_are_empty),
        cmocka_unit_test(words_are_counted_beyond_those_kept),
        cmocka_unit_test(whole_numbers_are_whole_and_fit),
        cmocka_unit_test(numbers_are_whole_tokens_and_finite),
        cmocka_unit_test(text_from_files_is_cut_and_made_harmless),
        cmocka_unit_test(a_reader_has_enough_after_twenty_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
