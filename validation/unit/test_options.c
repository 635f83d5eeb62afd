/* Command lines: what is taken, what is refused and with which words, and the help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "../../tools/options.h"

static const ToolOption options[] = { { "output", 'o', "DIR", NULL, "where to" },
                                      { "precision", 0, "NAME", "single double", "how exact" },
                                      { "frame", 0, "N", NULL, "which" },
                                      { "room", 0, "SIZE", NULL, "how much" },
                                      { "strict", 0, NULL, NULL, "no mercy" },
                                      TOOL_COMMON_OPTIONS };

static const ToolCommand command = {
    "judge", "A [B]", "Judges.", { "amphi judge a", "amphi judge a b" }, 1, 2, options, NULL
};

enum { MOST_WORDS = 16 };

typedef struct {
    ToolCall    call;
    AmphiError  err;
    AmphiStatus status;
    char        bytes[256];
    char       *argv[MOST_WORDS];
} Parsed;

/* Words of a line, split at blanks; `_` stands for an empty word. */
static Parsed *parse(const char *line)
{
    static Parsed p;
    int           argc = 0;

    memset(&p, 0, sizeof p);
    snprintf(p.bytes, sizeof p.bytes, "%s", line);
    for (char *rest = p.bytes, *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        assert_true(argc < MOST_WORDS);
        p.argv[argc++] = strcmp(word, "_") == 0 ? word + 1 : word;
    }
    p.status = tool_parse(&command, argc, p.argv, &p.call, &p.err);
    return &p;
}

static void check_refused(const char *line, const char *words)
{
    const Parsed *const p = parse(line);

    assert_int_equal(p->status, AMPHI_BAD_COMMAND);
    if (strstr(p->err.text, words) == NULL)
        fail_msg("%s\n%s\n    has not: %s", line, p->err.text, words);
}

static void values_come_in_three_forms(void **state)
{
    static const char *const lines[] = { "a -o there", "a --output there", "a --output=there",
                                         "--output there a", "-o there a" };
    (void)state;

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        const Parsed *const p = parse(lines[k]);

        assert_int_equal(p->status, AMPHI_OK);
        assert_string_equal(tool_value(&p->call, "output"), "there");
        assert_int_equal(p->call.n_arguments, 1);
        assert_string_equal(p->call.argument[0], "a");
    }
}

static void what_is_not_given_has_no_value(void **state)
{
    const Parsed *const p = parse("a --strict b");
    (void)state;

    assert_int_equal(p->status, AMPHI_OK);
    assert_null(tool_value(&p->call, "output"));
    assert_false(tool_has(&p->call, "json"));
    assert_true(tool_has(&p->call, "strict"));
    assert_int_equal(p->call.n_arguments, 2);
    assert_string_equal(p->call.argument[1], "b");
}

static void a_lone_dash_and_what_follows_two_are_arguments(void **state)
{
    const Parsed *p = parse("- -- --strict");
    (void)state;

    assert_int_equal(p->status, AMPHI_OK);
    assert_int_equal(p->call.n_arguments, 2);
    assert_string_equal(p->call.argument[0], "-");
    assert_string_equal(p->call.argument[1], "--strict");
    assert_false(tool_has(&p->call, "strict"));
}

static void an_unknown_option_is_refused_with_the_nearest(void **state)
{
    (void)state;
    check_refused("a --stict", "did you mean --strict?");
    check_refused("a --stict", "amphi judge has no option --stict");
    check_refused("a --ouput=there", "did you mean --output?");
    check_refused("a --zzzzzzzz", "`amphi judge --help` lists them");
    check_refused("a -x", "no option -x");
    check_refused("a -output there", "no option -output");
    check_refused("a -v", "no option -v"); /* of other commands only */
}

static void wrong_values_and_counts_are_refused(void **state)
{
    (void)state;
    check_refused("a --output", "--output needs a value");
    check_refused("a --output _", "--output needs a value");
    check_refused("a --output=", "--output needs a value");
    check_refused("a --strict=yes", "--strict takes no value");
    check_refused("a --strict --strict", "--strict is given twice");
    check_refused("a -o x --output y", "--output is given twice");
    check_refused("a --precision triple", "write: single double");
    check_refused("a --precision sing", "write: single double");
    check_refused("--strict", "something is missing");
    check_refused("--strict", "write: amphi judge A [B]");
    check_refused("a b c", "\"c\" is one argument too many");
    check_refused("a -o -", "--output -: - is no folder\n    write: the name of one");
    check_refused("a --output=-", "- is no folder");
    assert_int_equal(parse("a --precision double")->status, AMPHI_OK);
}

static void help_needs_no_arguments(void **state)
{
    (void)state;
    assert_int_equal(parse("--help")->status, AMPHI_OK);
    assert_int_equal(parse("-h")->status, AMPHI_OK);
    assert_int_equal(parse("a b c --help")->status, AMPHI_OK);
}

static void whole_numbers_are_read_or_refused(void **state)
{
    static const char *const bad[] = { "a --frame -1", "a --frame 1.5", "a --frame 1x",
                                       "a --frame 99999999999999999999", "a --frame +1" };
    int64_t                  frame = -1;
    AmphiError               err;
    (void)state;

    assert_int_equal(tool_whole(&parse("a --frame 12")->call, "frame", &frame, &err), AMPHI_OK);
    assert_int_equal(frame, 12);
    assert_int_equal(tool_whole(&parse("a")->call, "frame", &frame, &err), AMPHI_OK);
    assert_int_equal(frame, 12);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(tool_whole(&parse(bad[k])->call, "frame", &frame, &err),
                         AMPHI_BAD_COMMAND);
        assert_non_null(strstr(err.text, "whole number"));
        assert_int_equal(frame, 12);
    }
}

static void sizes_are_read_with_their_unit_or_refused(void **state)
{
    static const struct {
        const char *text;
        double      bytes;
    } good[] = { { "8 GB", 8e9 },     { "8GB", 8e9 },           { "0.5 TB", 5e11 },
                 { "2kB", 2e3 },      { "1.5e3MB", 1.5e9 },     { "2 KiB", 2048 },
                 { "1MiB", 1048576 }, { "4GiB", 4294967296.0 }, { "1TiB", 1099511627776.0 } };
    static const char *const bad[] = { "8",     "GB",     "8 gb",  "8G",      "0 GB",
                                       "-1 GB", "nanGB",  "infGB", "1e308TB", "8 nm",
                                       " ",     "8,5 GB", "8 G B", "1e400 B", "8 GB GB" };
    double                   bytes = -1;
    AmphiError               err;
    ToolCall                 call = { .command = &command };
    (void)state;

    assert_int_equal(tool_bytes(&call, "room", &bytes, &err), AMPHI_OK);
    assert_true(bytes < 0); /* not given */
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        call.value[3] = good[k].text;
        assert_int_equal(tool_bytes(&call, "room", &bytes, &err), AMPHI_OK);
        assert_true(fabs(bytes - good[k].bytes) <= 1e-15 * bytes);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        call.value[3] = bad[k];
        bytes         = -1;
        if (tool_bytes(&call, "room", &bytes, &err) != AMPHI_BAD_COMMAND)
            fail_msg("%s is taken", bad[k]);
        assert_non_null(strstr(err.text, "write: --room 8GB"));
        assert_true(bytes < 0);
    }
}

static void help_begins_with_two_examples_and_tells_every_option(void **state)
{
    char        text[4096] = "";
    FILE *const out        = fmemopen(text, sizeof text, "w");
    (void)state;

    tool_print_help(&command, out);
    assert_int_equal(fclose(out), 0);
    assert_ptr_equal(strstr(text, "    amphi judge a\n    amphi judge a b\n"), text);
    assert_non_null(strstr(text, "usage: amphi judge A [B] [options]"));
    assert_non_null(strstr(text, "one of: single double"));
    for (const ToolOption *o = options; o->name != NULL; o++) {
        char line[80];

        snprintf(line, sizeof line, "--%s", o->name);
        assert_non_null(strstr(text, line));
        assert_non_null(strstr(text, o->meaning));
    }
}

static void only_five_letters_are_options(void **state)
{
    (void)state;
    for (const ToolOption *o = options; o->name != NULL; o++)
        assert_true(o->letter == '\0' || strchr("onqvh", o->letter) != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_in_three_forms),
        cmocka_unit_test(what_is_not_given_has_no_value),
        cmocka_unit_test(a_lone_dash_and_what_follows_two_are_arguments),
        cmocka_unit_test(an_unknown_option_is_refused_with_the_nearest),
        cmocka_unit_test(wrong_values_and_counts_are_refused),
        cmocka_unit_test(help_needs_no_arguments),
        cmocka_unit_test(whole_numbers_are_read_or_refused),
        cmocka_unit_test(sizes_are_read_with_their_unit_or_refused),
        cmocka_unit_test(help_begins_with_two_examples_and_tells_every_option),
        cmocka_unit_test(only_five_letters_are_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
