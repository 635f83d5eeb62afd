/* JSON lines: escapes, numbers and the shape of a line; and the reader that other tests use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "../../tools/json.h"
#include "json_lines.h"

/* A line with one text in it, as written. */
static void write_text(const char *text, char *line, size_t size)
{
    FILE *const out = fmemopen(line, size, "w");

    assert_non_null(out);
    ToolJson json = tool_json_begin(out, "t");
    tool_json_text(&json, "x", text);
    tool_json_end(&json);
    assert_int_equal(fclose(out), 0);
}

static void a_line_is_one_flat_object(void **state)
{
    char         line[256] = "";
    FILE *const  out       = fmemopen(line, sizeof line, "w");
    const double v[2]      = { 0.1, -2 };
    const char  *words[2]  = { "a", "b" };
    (void)state;

    ToolJson json = tool_json_begin(out, "thing");
    tool_json_whole(&json, "n", -7);
    tool_json_flag(&json, "yes", true);
    tool_json_numbers(&json, "v", v, 2);
    tool_json_texts(&json, "w", words, 2);
    tool_json_end(&json);
    fclose(out);
    assert_string_equal(line, "{\"kind\":\"thing\",\"n\":-7,\"yes\":true,"
                              "\"v\":[0.10000000000000001,-2],\"w\":[\"a\",\"b\"]}\n");
    assert_true(is_json_line(line));
}

static void what_is_not_finite_becomes_null(void **state)
{
    char        line[256] = "";
    FILE *const out       = fmemopen(line, sizeof line, "w");
    (void)state;

    ToolJson json = tool_json_begin(out, "t");
    tool_json_number(&json, "a", (double)NAN);
    tool_json_number(&json, "b", HUGE_VAL);
    tool_json_text(&json, "c", NULL);
    tool_json_end(&json);
    fclose(out);
    assert_string_equal(line, "{\"kind\":\"t\",\"a\":null,\"b\":null,\"c\":null}\n");
}

static void quotes_and_control_characters_are_escaped(void **state)
{
    char line[256] = "";
    (void)state;

    write_text("a\"b\\c\nd\te\x1b\x7f", line, sizeof line);
    assert_string_equal(line, "{\"kind\":\"t\",\"x\":\"a\\\"b\\\\c\\nd\\te\\u001b\\u007f\"}\n");
    assert_true(is_json_line(line));
}

static void utf8_stays_and_other_bytes_are_replaced(void **state)
{
    static const struct {
        const char *given, *written;
    } cases[] = {
        { "\xc3\xa9", "\xc3\xa9" },                             /* e acute */
        { "\xf0\x9f\xa7\xaa", "\xf0\x9f\xa7\xaa" },             /* beyond the basic plane */
        { "\xff", "\\ufffd" },                                  /* never in UTF-8 */
        { "\xc0\x80", "\\ufffd\\ufffd" },                       /* overlong zero */
        { "\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd" },            /* a surrogate */
        { "\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd" }, /* above U+10FFFF */
        { "\xe2\x82", "\\ufffd\\ufffd" },                       /* cut short */
    };
    (void)state;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char line[256] = "", expected[256];

        write_text(cases[k].given, line, sizeof line);
        snprintf(expected, sizeof expected, "{\"kind\":\"t\",\"x\":\"%s\"}\n", cases[k].written);
        assert_string_equal(line, expected);
    }
}

static void the_reader_of_tests_refuses_what_is_no_line(void **state)
{
    static const char *const bad[] = { "",
                                       "{\"kind\":\"a\"}", /* no end of line */
                                       "{\"kind\":\"a\"}}\n",
                                       "{\"kind\":\"a\",}\n",
                                       "{\"kind\" \"a\"}\n",
                                       "{\"kind\":nan}\n",
                                       "{\"kind\":\"a\n\"}\n",
                                       "{\"kind\":\"\\x\"}\n",
                                       "{\"kind\":[1,]}\n",
                                       "{\"kind\":01}\n",
                                       "[1]\n" };
    (void)state;

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        if (is_json_line(bad[k]))
            fail_msg("taken for a line: %s", bad[k]);
    assert_true(is_json_line("{\"kind\":\"a\",\"b\":[1,-2.5e+3,null],\"c\":true}\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_one_flat_object),
        cmocka_unit_test(what_is_not_finite_becomes_null),
        cmocka_unit_test(quotes_and_control_characters_are_escaped),
        cmocka_unit_test(utf8_stays_and_other_bytes_are_replaced),
        cmocka_unit_test(the_reader_of_tests_refuses_what_is_no_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
