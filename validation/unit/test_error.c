/* Notes: their order, what is printed of them, harmless text, no memory; exit codes; near names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../../engine/arena.h"
#include "../../engine/error.h"

static AmphiWhere at(const char *file, int64_t line)
{
    return (AmphiWhere){ file, line };
}

/* What is printed, compared whole. */
static bool prints(AmphiNotes *notes, bool strict, const char *expected)
{
    char  *text   = NULL;
    size_t length = 0;
    FILE  *out    = open_memstream(&text, &length);

    assert_non_null(out);
    amphi_notes_print(notes, out, strict);
    assert_int_equal(fclose(out), 0);
    const bool is_same = strcmp(text, expected) == 0;
    if (!is_same)
        print_message("printed:\n%s\nexpected:\n%s\n", text, expected);
    free(text);
    return is_same;
}

static const char *text_of(AmphiNotes *notes, int64_t k)
{
    int64_t          n    = 0;
    const AmphiNote *list = amphi_notes_sorted(notes, &n);

    assert_true(k < n);
    return list[k].text;
}

/* Any message of this severity, or -1: not every list has one. */
static int message_of(AmphiSeverity severity)
{
#define SEVERITY_ENTRY(id, severity, text, hint) AMPHI_NOTE_##severity,
    static const AmphiSeverity all[] = { MESSAGE_LIST(SEVERITY_ENTRY) };

    for (int id = 0; id < AMPHI_MESSAGES; id++)
        if (all[id] == severity)
            return id;
    return -1;
}

static const char *const any_arguments[] = { "a", "b", "c", "d", "e", "f", "g", "h", NULL };

static void the_printing_checker_sees_a_difference(void **state)
{
    (void)state;
    AmphiNotes *notes = amphi_notes_new();

    assert_true(prints(notes, false, ""));
    amphi_note(notes, XML_DOCTYPE, at("a.xml", 1), "");
    assert_false(prints(notes, false, ""));
    amphi_notes_free(notes);
}

static void a_note_is_printed_like_a_compiler_does(void **state)
{
    (void)state;
    AmphiNotes *notes = amphi_notes_new();

    amphi_note(notes, NOT_POSITIVE, at("bilayer.xml", 14), "box", "x", "-1 nm");
    assert_true(prints(notes, false,
                       "bilayer.xml:14: error: <box x=\"-1 nm\">: must be above zero\n"
                       "1 error; nothing was run.\n"));
    amphi_note(notes, UNKNOWN_NAME, at("bilayer.xml", 15), "molecule", "type", "DMCP",
               "molecule type", "DMPC DOPC", "    (did you mean \"DMPC\"?)");
    amphi_note(notes, XML_SCHEMA, at("bilayer.xml", 0), "of the whole file");
    amphi_note(notes, XML_SCHEMA, at(NULL, 0), "of the job");
    assert_true(
        prints(notes, false,
               "bilayer.xml: error: of the whole file\n"
               "bilayer.xml:14: error: <box x=\"-1 nm\">: must be above zero\n"
               "bilayer.xml:15: error: <molecule type=\"DMCP\">: no molecule type of that name\n"
               "    write one of: DMPC DOPC    (did you mean \"DMPC\"?)\n"
               "error: of the job\n"
               "4 errors; nothing was run.\n"));
    amphi_notes_free(notes);
}

static void notes_come_by_file_then_line_then_as_added(void **state)
{
    (void)state;
    AmphiNotes *notes = amphi_notes_new();
    int64_t     n     = 0;

    amphi_notes_included(notes, "main.xml", at(NULL, 0));
    amphi_notes_included(notes, "inner.xml", at("main.xml", 3));
    amphi_note(notes, XML_SCHEMA, at("late.xml", 1), "6");
    amphi_note(notes, XML_SCHEMA, at("inner.xml", 2), "5");
    amphi_note(notes, XML_SCHEMA, at("main.xml", 9), "3");
    amphi_note(notes, XML_SCHEMA, at("main.xml", 4), "1");
    amphi_note(notes, XML_SCHEMA, at("main.xml", 9), "4");
    amphi_note(notes, XML_SCHEMA, at("main.xml", 4), "2");

    const AmphiNote *list = amphi_notes_sorted(notes, &n);
    assert_int_equal(n, 6);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(list[k].text[0], '1' + k);
        assert_int_equal(list[k].id, AMPHI_MSG_XML_SCHEMA);
        assert_int_equal(list[k].severity, AMPHI_NOTE_ERROR);
    }
    assert_int_equal(list[4].order, 1);
    assert_string_equal(list[4].where.file, "inner.xml");
    amphi_notes_free(notes);
}

static void the_same_fault_is_told_once(void **state)
{
    (void)state;
    AmphiNotes *notes = amphi_notes_new();

    for (int k = 0; k < 3; k++) {
        amphi_note(notes, XML_SCHEMA, at("a.xml", 1), "same");
        amphi_note(notes, XML_SCHEMA, at("a.xml", 1), "other");
        amphi_note(notes, XML_SCHEMA, at("a.xml", 2), "same");
        amphi_note(notes, XML_SCHEMA, at("b.xml", 1), "same");
    }
    assert_int_equal(amphi_notes_count(notes, AMPHI_NOTE_ERROR), 4);
    amphi_notes_free(notes);
}

static void the_file_of_a_note_is_named_once(void **state)
{
    (void)state;
    AmphiNotes *notes = amphi_notes_new();

    amphi_note(notes, FILE_EMPTY, at("a.gro", 0), "a.gro");
    amphi_note(notes, CONVERT_FRAMES, at("a.gro", 0), "a.gro", "3");
    amphi_note(notes, FILE_EMPTY, at("a.gro", 0), "a.gro.gz");
    amphi_note(notes, FILE_EMPTY, at("a.gro", 2), "a.gro");
    amphi_note(notes, FILE_EMPTY, at(NULL, 0), "a.gro");
    assert_string_equal(text_of(notes, 0), "the file is empty");
    assert_string_equal(text_of(notes, 1), "has 3 frames; the first is written");
    assert_string_equal(text_of(notes, 2), "a.gro.gz: the file is empty");
    assert_string_equal(text_of(notes, 3), "a.gro: the file is empty");
    assert_string_equal(text_of(notes, 4), "a.gro: the file is empty");
    amphi_notes_free(notes);
}

static void names_of_files_are_copied(void **state)
{
    (void)state;
    AmphiNotes *notes  = amphi_notes_new();
    char        name[] = "a.xml";

    amphi_note(notes, XML_SCHEMA, at(name, 1), "fault");
    name[0] = 'b';
    assert_true(amphi_notes_has(notes, at("a.xml", 1)));
    assert_false(amphi_notes_has(notes, at(name, 1)));
    assert_false(amphi_notes_has(notes, at("a.xml", 2)));
    assert_false(amphi_notes_has(notes, at(NULL, 0)));
    amphi_note(notes, XML_SCHEMA, at(NULL, 0), "fault");
    assert_true(amphi_notes_has(notes, at(NULL, 0)));
    amphi_notes_free(notes);
}

static void notes_of_included_files_name_the_files_above(void **state)
{
    (void)state;
    AmphiNotes *notes = amphi_notes_new();

    amphi_notes_included(notes, "main.xml", at(NULL, 0));
    amphi_notes_included(notes, "ff.xml", at("main.xml", 8));
    amphi_notes_included(notes, "lipids.xml", at("ff.xml", 2));
    amphi_note(notes, XML_DOCTYPE, at("lipids.xml", 5), "");
    assert_true(prints(notes, false,
                       "lipids.xml:5: error: a DOCTYPE is not allowed\n"
                       "    remove it; files are joined by <include>\n"
                       "    included from ff.xml:2\n"
                       "    included from main.xml:8\n"
                       "1 error; nothing was run.\n"));
    amphi_notes_free(notes);
}

static void files_that_include_each_other_do_not_hang_the_print(void **state)
{
    (void)state;
    AmphiNotes *notes  = amphi_notes_new();
    char       *text   = NULL;
    size_t      length = 0;
    FILE       *out    = open_memstream(&text, &length);

    amphi_notes_included(notes, "a.xml", at("b.xml", 1));
    amphi_notes_included(notes, "b.xml", at("a.xml", 1));
    amphi_note(notes, XML_DOCTYPE, at("a.xml", 5), "");
    amphi_notes_print(notes, out, false);
    fclose(out);
    assert_true(length < 2000);
    free(text);
    amphi_notes_free(notes);
}

static void after_twenty_errors_the_rest_is_counted(void **state)
{
    (void)state;
    AmphiNotes *notes           = amphi_notes_new();
    char        expected[10000] = "", number[32];

    for (int k = 1; k <= 23; k++) {
        snprintf(number, sizeof number, "fault %d", k);
        amphi_note(notes, XML_SCHEMA, at("a.xml", k), number);
        if (k <= 20)
            snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
                     "a.xml:%d: error: fault %d\n", k, k);
    }
    strcat(expected, "and 3 more\n23 errors; nothing was run.\n");
    assert_true(prints(notes, false, expected));
    amphi_notes_free(notes);
}

static void a_flood_of_faults_is_counted_not_kept(void **state)
{
    (void)state;
    AmphiNotes *notes = amphi_notes_new();
    int64_t     n     = 0;

    for (int k = 0; k < 5000; k++)
        amphi_note(notes, XML_DOCTYPE, at("a.xml", 5000 - k), "");
    amphi_notes_sorted(notes, &n);
    assert_int_equal(n, 1000);
    assert_int_equal(amphi_notes_count(notes, AMPHI_NOTE_ERROR), 5000);
    amphi_notes_free(notes);
}

static void control_characters_and_broken_text_are_escaped(void **state)
{
    (void)state;
    const struct {
        const char *given, *shown;
    } cases[] = {
        { "two\nlines\tand\r", "two\\nlines\\tand\\r" },
        { "\x1b[31mred", "\\x1B[31mred" },
        { "\x7f", "\\x7F" },
        { "Gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\xa7\xaa", "Gr\xc3\xbc\xc3\x9f \xe2\x82\xac "
                                                              "\xf0\x9f\xa7\xaa" },
        { "\xc2\x85", "\\xC2\\x85" },                   /* a control character of two bytes */
        { "\xe2\x80\xae", "\\xE2\\x80\\xAE" },          /* right-to-left override */
        { "\xff\xc3", "\\xFF\\xC3" },                   /* no UTF-8; cut in a character */
        { "\xc0\x8a", "\\xC0\\x8A" },                   /* a line end written too long */
        { "\xed\xa0\x80", "\\xED\\xA0\\x80" },          /* half a surrogate pair */
        { "\xf4\x90\x80\x80", "\\xF4\\x90\\x80\\x80" }, /* above U+10FFFF */
        { "{0}{1}%s", "{0}{1}%s" },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        AmphiNotes *notes = amphi_notes_new();
        amphi_note(notes, XML_SCHEMA, at("a.xml", 1), cases[k].given);
        assert_string_equal(text_of(notes, 0), cases[k].shown);
        amphi_notes_free(notes);
    }
    AmphiNotes *notes = amphi_notes_new();
    amphi_note(notes, XML_SCHEMA, at("a\x1b\n.xml", 1), "x");
    assert_true(prints(notes, false, "a\\x1B\\n.xml:1: error: x\n1 error; nothing was run.\n"));
    amphi_notes_free(notes);
}

static void long_arguments_are_cut(void **state)
{
    (void)state;
    AmphiNotes *notes = amphi_notes_new();
    char        text[302];

    memset(text, 'x', 301);
    text[301] = '\0';
    amphi_note(notes, XML_SCHEMA, at("a.xml", 1), text);
    assert_int_equal(strlen(text_of(notes, 0)), 203);
    assert_string_equal(text_of(notes, 0) + 199, "x...");

    text[200] = '\0';
    amphi_note(notes, XML_SCHEMA, at("a.xml", 2), text);
    assert_string_equal(text_of(notes, 1), text);
    amphi_notes_free(notes);
}

static void an_article_fits_its_noun(void **state)
{
    (void)state;
    AmphiNotes *notes = amphi_notes_new();

    amphi_note(notes, UNIT_MISSING, at("a.xml", 1), "b", "t", "2", "time", "ps");
    amphi_note(notes, UNIT_MISSING, at("a.xml", 2), "b", "e", "2", "energy", "eV");
    assert_string_equal(text_of(notes, 0), "<b t=\"2\">: a time needs a unit");
    assert_string_equal(text_of(notes, 1), "<b e=\"2\">: an energy needs a unit");
    amphi_notes_free(notes);
}

static void an_excerpt_has_carets_below_the_fault(void **state)
{
    (void)state;
    AmphiNotes *notes = amphi_notes_new();

    amphi_note(notes, XML_DOCTYPE, at("a.xml", 1), "");
    amphi_note_excerpt(notes, "\t <run n=\"\xc3\xbc\tb\" e=\"ntp\"/>\r\n", 17, 7);
    assert_true(prints(notes, false,
                       "a.xml:1: error: a DOCTYPE is not allowed\n"
                       "    <run n=\"\xc3\xbc b\" e=\"ntp\"/>\n"
                       "                 ^^^^^^^\n"
                       "    remove it; files are joined by <include>\n"
                       "1 error; nothing was run.\n"));
    amphi_note(notes, XML_DOCTYPE, at("a.xml", 1), ""); /* known: no note to hang anything on */
    amphi_note_excerpt(notes, "other", 1, 1);
    int64_t n = 0;
    assert_null(strstr(amphi_notes_sorted(notes, &n)->excerpt, "other"));
    amphi_notes_free(notes);
}

static void an_excerpt_of_a_very_long_line_shows_the_fault(void **state)
{
    (void)state;
    AmphiNotes *notes = amphi_notes_new();
    char        line[5001];
    int64_t     n = 0;

    memset(line, '.', 5000);
    line[5000] = '\0';
    line[3000] = '#';
    amphi_note(notes, XML_DOCTYPE, at("a.xml", 1), "");
    amphi_note_excerpt(notes, line, 3001, 1);

    const char *excerpt = amphi_notes_sorted(notes, &n)->excerpt;
    const char *below   = strchr(excerpt, '\n') + 1;
    assert_int_equal(below - excerpt, 101);
    assert_int_equal(strchr(excerpt, '#') - excerpt, strchr(below, '^') - below);
    amphi_note(notes, XML_DOCTYPE, at("a.xml", 2), "");
    amphi_note_excerpt(notes, "short", 100000, 5); /* behind the end: the caret stands there */
    assert_string_equal(amphi_notes_sorted(notes, &n)[1].excerpt, "short\n     ^");
    amphi_notes_free(notes);
}

static void warnings_count_as_errors_only_when_strict(void **state)
{
    (void)state;
    const int   id    = message_of(AMPHI_NOTE_WARNING);
    AmphiNotes *notes = amphi_notes_new();

    if (id < 0) {
        amphi_notes_free(notes);
        skip();
    }
    amphi_note_strings(notes, (AmphiMessageId)id, at("a.xml", 1), any_arguments);
    assert_int_equal(amphi_notes_count(notes, AMPHI_NOTE_WARNING), 1);
    assert_int_equal(amphi_notes_status(notes, false), AMPHI_OK);
    assert_int_equal(amphi_notes_status(notes, true), AMPHI_BAD_INPUT);

    char  *text   = NULL;
    size_t length = 0;
    FILE  *out    = open_memstream(&text, &length);
    amphi_notes_print(notes, out, false);
    amphi_note(notes, XML_DOCTYPE, at("a.xml", 2), "");
    amphi_notes_print(notes, out, false);
    amphi_notes_print(notes, out, true);
    fclose(out);
    assert_int_equal(strncmp(text, "a.xml:1: warning: ", 18), 0);
    const char *first = strstr(text, "\n1 warning.\n");
    assert_non_null(first);
    const char *second = strstr(first, "\n1 error, 1 warning; nothing was run.\na.xml:1: error: ");
    assert_non_null(second);
    assert_non_null(strstr(second, "\n2 errors; nothing was run.\n"));
    free(text);
    amphi_notes_free(notes);
}

static void no_notes_is_no_memory_and_counts_as_an_error(void **state)
{
    (void)state;
    int64_t n = 5;

    amphi_note(NULL, XML_DOCTYPE, at("a.xml", 1), "");
    amphi_note_excerpt(NULL, "line", 1, 1);
    amphi_notes_included(NULL, "a.xml", at(NULL, 0));
    assert_int_equal(amphi_notes_count(NULL, AMPHI_NOTE_ERROR), 1);
    assert_int_equal(amphi_notes_count(NULL, AMPHI_NOTE_WARNING), 0);
    assert_int_equal(amphi_notes_status(NULL, false), AMPHI_NO_MEMORY);
    assert_null(amphi_notes_sorted(NULL, &n));
    assert_int_equal(n, 0);
    assert_false(amphi_notes_has(NULL, at("a.xml", 1)));
    assert_true(
        prints(NULL, false, "error: no memory to list every error\n1 error; nothing was run.\n"));
    amphi_notes_free(NULL);
}

/* Every call once, as a reader would make them. */
static void note_something(AmphiNotes *notes)
{
    char name[] = "file00.xml";

    amphi_notes_included(notes, "main.xml", at(NULL, 0));
    for (int k = 0; k < 40; k++) { /* enough for every array to grow */
        name[4] = (char)('0' + k / 10);
        name[5] = (char)('0' + k % 10);
        amphi_notes_included(notes, name, at("main.xml", k));
        amphi_note(notes, XML_SCHEMA, at(name, k), "fault");
        amphi_note_excerpt(notes, "<run>", 2, 3);
    }
}

static void every_failing_allocation_leaves_an_error_to_be_seen(void **state)
{
    (void)state;
    int n_failed = 0;

    for (int64_t n = 1;; n++) {
        amphi_arena_fail_at(n);
        AmphiNotes *notes = amphi_notes_new();
        note_something(notes);
        amphi_arena_fail_at(0);

        const AmphiStatus status = amphi_notes_status(notes, false);
        FILE             *out    = fopen("/dev/null", "w");
        amphi_notes_print(notes, out, false);
        fclose(out);
        assert_true(amphi_notes_count(notes, AMPHI_NOTE_ERROR) > 0);
        amphi_notes_free(notes);
        if (status == AMPHI_BAD_INPUT)
            break;
        assert_int_equal(status, AMPHI_NO_MEMORY);
        n_failed++;
    }
    assert_true(n_failed > 160); /* a name, a text, a hint, an excerpt for each of 40 files */
}

static void a_failure_fills_its_error(void **state)
{
    (void)state;
    AmphiError err = { 0 };
    char       long_text[1000];

    assert_int_equal(amphi_fail(&err, AMPHI_BAD_FILE, "%s: %d", "a\x1b.gro", 7), AMPHI_BAD_FILE);
    assert_int_equal(err.status, AMPHI_BAD_FILE);
    assert_string_equal(err.text, "a\\x1B.gro: 7");
    assert_int_equal(amphi_fail(NULL, AMPHI_UNSTABLE, "%d", 7), AMPHI_UNSTABLE);
    amphi_fail(&err, AMPHI_UNSTABLE, "again: %s\nnext line", err.text);
    assert_string_equal(err.text, "again: a\\x1B.gro: 7\nnext line");

    memset(long_text, '\x01', sizeof long_text);
    long_text[sizeof long_text - 1] = '\0';
    amphi_fail(&err, AMPHI_UNSTABLE, "%s", long_text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void each_status_has_its_exit_code(void **state)
{
    (void)state;
    const int expected[] = {
        [AMPHI_OK] = 0,       [AMPHI_DEFECT] = 1,   [AMPHI_BAD_COMMAND] = 2, [AMPHI_BAD_INPUT] = 3,
        [AMPHI_BAD_FILE] = 4, [AMPHI_UNSTABLE] = 5, [AMPHI_NO_DEVICE] = 6,   [AMPHI_NO_MEMORY] = 6,
        [AMPHI_NOT_HELD] = 7, [AMPHI_STOPPED] = 8
    };

    for (int status = 0; status <= AMPHI_STOPPED; status++)
        assert_int_equal(amphi_exit_code((AmphiStatus)status), expected[status]);
    assert_int_equal(amphi_exit_code((AmphiStatus)99), 1);
}

static void the_nearest_name_is_found(void **state)
{
    (void)state;
    const char *const known[] = {
        "DMPC", "DOPC", NULL, "water", "cholesterol",  "timestep",    "nve",         "nvt",
        "npt",  "x",    "",   "DPPC",  "temperatures", "temperature", "remove-drift"
    };
    const struct {
        const char *word, *nearest;
    } cases[] = {
        { "DMCP", "DMPC" },             /* a swap is one change */
        { "dmpc", "DMPC" },             /* case does not count */
        { "DPPc", "DPPC" },             /* equal but for case is nearer than one letter off */
        { "watr", "water" },            /* a letter lost */
        { "waterr", "water" },          /* a letter too many */
        { "ntp", "npt" },               /* */
        { "timstp", "timestep" },       /* two of six */
        { "tmestp", "timestep" },       /* */
        { "cholestrl", "cholesterol" }, /* two of nine */
        { "temperature", "temperature" },
        { "remove", "remove-drift" }, /* the beginning of one */
        { "rem", "remove-drift" },
        { "re", NULL },
        { "temp", NULL }, /* the beginning of two */
        { "tstp", NULL }, /* too far */
        { "y", NULL },    /* no letter in common */
        { "", NULL },
        { "salt", NULL },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *found = amphi_nearest(cases[k].word, known, sizeof known / sizeof *known);
        if (cases[k].nearest == NULL)
            assert_null(found);
        else if (found == NULL || strcmp(found, cases[k].nearest) != 0)
            fail_msg("%s: %s", cases[k].word, found == NULL ? "nothing" : found);
    }
}

static void very_long_names_have_no_nearest(void **state)
{
    (void)state;
    char        word[65];
    const char *known[1] = { word };

    memset(word, 'a', 64);
    word[64] = '\0';
    assert_null(amphi_nearest(word, known, 1));
    assert_null(amphi_nearest("a", known, 1));
    word[63] = '\0';
    assert_ptr_equal(amphi_nearest(word, known, 1), word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_printing_checker_sees_a_difference),
        cmocka_unit_test(a_note_is_printed_like_a_compiler_does),
        cmocka_unit_test(notes_come_by_file_then_line_then_as_added),
        cmocka_unit_test(the_same_fault_is_told_once),
        cmocka_unit_test(the_file_of_a_note_is_named_once),
        cmocka_unit_test(names_of_files_are_copied),
        cmocka_unit_test(notes_of_included_files_name_the_files_above),
        cmocka_unit_test(files_that_include_each_other_do_not_hang_the_print),
        cmocka_unit_test(after_twenty_errors_the_rest_is_counted),
        cmocka_unit_test(a_flood_of_faults_is_counted_not_kept),
        cmocka_unit_test(control_characters_and_broken_text_are_escaped),
        cmocka_unit_test(long_arguments_are_cut),
        cmocka_unit_test(an_article_fits_its_noun),
        cmocka_unit_test(an_excerpt_has_carets_below_the_fault),
        cmocka_unit_test(an_excerpt_of_a_very_long_line_shows_the_fault),
        cmocka_unit_test(warnings_count_as_errors_only_when_strict),
        cmocka_unit_test(no_notes_is_no_memory_and_counts_as_an_error),
        cmocka_unit_test(every_failing_allocation_leaves_an_error_to_be_seen),
        cmocka_unit_test(a_failure_fills_its_error),
        cmocka_unit_test(each_status_has_its_exit_code),
        cmocka_unit_test(the_nearest_name_is_found),
        cmocka_unit_test(very_long_names_have_no_nearest),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
