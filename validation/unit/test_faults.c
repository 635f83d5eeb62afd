/* How the faults of a job are told: all at once, in the order of lines, each with its line and
 * carets, those of included files under their own names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "job_folder.h"

/* What amphi prints for this reading; the caller frees it. */
static char *printed(const JobReading *r)
{
    char  *text = NULL;
    size_t n    = 0;
    FILE  *out  = open_memstream(&text, &n);

    assert_non_null(out);
    amphi_notes_print(r->notes, out, false);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* The same of the text of a job, which is freed. */
static char *told_of(char *job)
{
    JobReading  r    = read_job_text(job);
    char *const text = printed(&r);

    print_message("%s", text);
    free(job);
    reading_free(&r);
    return text;
}

/* Does the job print just this? */
static bool prints(const char *job, const char *expected)
{
    JobReading  r       = read_job_text(job);
    char *const text    = printed(&r);
    const bool  is_same = strcmp(text, expected) == 0;

    if (!is_same)
        print_message("printed:\n%s\nexpected:\n%s\n", text, expected);
    free(text);
    reading_free(&r);
    return is_same;
}

static int count_of(const char *text, const char *piece)
{
    int n = 0;

    while ((text = strstr(text, piece)) != NULL) {
        text++;
        n++;
    }
    return n;
}

static void the_printing_checker_sees_a_difference(void **state)
{
    (void)state;
    assert_true(prints(job_base, ""));
    assert_false(prints(job_base, "1 error; nothing was run.\n"));
    assert_int_equal(count_of("abcabc", "bc"), 2);
}

static void all_faults_of_a_file_come_at_once_in_the_order_of_lines(void **state)
{
    (void)state;
    assert_true(
        prints("<amphi version=\"1\">\n"
               "  <forcefield>\n"
               "    <beadtype name=\"a\" mass=\"1\"/>\n"
               "    <moleculetype name=\"a\"><bead id=\"1\" type=\"b\"/></moleculetype>\n"
               "  </forcefield>\n"
               "  <system>\n"
               "    <box x=\"3 nm\" y=\"3 ps\"\n"
               "         z=\"-3 nm\"/>\n"
               "    <molecule type=\"a\" count=\"2\"/>\n"
               "    <start><beads length=\"nm\">\n"
               "a 1 1 1 1 1 0 0 0\n"
               "b 2 1 1 1 1 0 0 0\n"
               "</beads></start>\n"
               "  </system>\n"
               "</amphi>\n",
               "/nowhere/job.xml:3: error: <beadtype mass=\"1\">: a mass needs a unit\n"
               "    <beadtype name=\"a\" mass=\"1\"/>\n"
               "                       ^^^^^^^^\n"
               "    write one behind the number: u g/mol kg/mol\n"
               "/nowhere/job.xml:4: error: <bead type=\"b\">: no bead type of that name\n"
               "    <moleculetype name=\"a\"><bead id=\"1\" type=\"b\"/></moleculetype>\n"
               "                                        ^^^^^^^^\n"
               "    write one of: a\n"
               "/nowhere/job.xml:7: error: <box y=\"3 ps\">: the unit is not that of a length\n"
               "    <box x=\"3 nm\" y=\"3 ps\"\n"
               "                  ^^^^^^^^\n"
               "    known for a length: nm pm A um mm cm m\n"
               "/nowhere/job.xml:8: error: <box z=\"-3 nm\">: must be above zero\n"
               "    z=\"-3 nm\"/>\n"
               "    ^^^^^^^^^\n"
               "4 errors; nothing was run.\n"));
}

/* And no end of the reader, where an output goes by names of tails. */
static void a_tail_without_a_name_is_one_fault(void **state)
{
    (void)state;
    char *const kind = replaced(job_base, "<moleculetype name=\"salt\">",
                                "<moleculetype name=\"salt\" kind=\"lipid\">");
    char *const with = replaced(kind, "</moleculetype>\n<moleculetype name=\"water\"",
                                "<tail beads=\"1 2\"/></moleculetype>\n"
                                "<moleculetype name=\"water\"");
    char *const text = told_of(
        replaced(with, "</amphi>",
                 "<plan timestep=\"5 fs\"><run name=\"a\" ensemble=\"nve\" length=\"1 ps\"/></plan>"
                 "<output><order bonds=\"A\"/></output></amphi>"));

    assert_int_equal(count_of(text, "<tail>: the attribute name is missing"), 1);
    assert_int_equal(count_of(text, "error: "), 1);
    free(text);
    free(with);
    free(kind);
}

/* What would go with another choice is not told of one that is mistyped. */
static void a_mistyped_choice_is_one_fault(void **state)
{
    static const char *const outputs[] = {
        "<trajectory format=\"xct\" precision=\"0.01 nm\"/>",
        "<trajectory format=\"dcd\" precision=\"0.01 nm\"/>",
    };
    static const char *const pushes[] = {
        "<barostat coupling=\"semi\" tension=\"5 mN/m\"/>",
        "<barostat coupling=\"isotropic\" tension=\"5 mN/m\"/>",
    };

    (void)state;
    for (int is_known = 0; is_known < 2; is_known++) {
        char *const with = replaced(job_base, "</amphi>",
                                    "<plan timestep=\"5 fs\"><run name=\"a\" ensemble=\"npt\" "
                                    "length=\"1 ps\"><thermostat temperature=\"300 K\"/>@"
                                    "</run></plan><output>#</output></amphi>");
        char *const half = replaced(with, "@", pushes[is_known]);
        char *const text = told_of(replaced(half, "#", outputs[is_known]));

        assert_int_equal(count_of(text, "not one of its values"), 2 * !is_known);
        assert_int_equal(count_of(text, "has no meaning with"), 2 * is_known);
        free(text);
        free(half);
        free(with);
    }
}

static void at_most_twenty_errors_are_printed_and_all_are_counted(void **state)
{
    (void)state;
    char *const job  = replaced(job_base, "<system>\n",
                                "<system>\n<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n"
                                 "<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n"
                                 "<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n<a/>\n");
    JobReading  r    = read_job_text(job);
    char *const text = printed(&r);

    assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_ERROR), 25);
    assert_int_equal(count_of(text, ": error: "), 20);
    assert_non_null(strstr(text, "and 5 more\n25 errors; nothing was run.\n"));
    free(text);
    reading_free(&r);
    free(job);
}

/* Thousands of faults cost no more than their counting. */
static void the_table_is_not_asked_behind_a_thousand_faults(void **state)
{
    (void)state;
    const size_t n   = 200000;
    char *const  job = calloc(8 * n, 1);
    size_t       at  = 0;

    assert_non_null(job);
    at += (size_t)sprintf(job, "<amphi version=\"1\">");
    for (size_t k = 0; k < n; k++)
        memcpy(job + at + 5 * k, "<a/>\n", 5);
    strcpy(job + at + 5 * n, "</amphi>");

    JobReading r = read_job_text(job);
    assert_null(r.job);
    assert_in_range(amphi_notes_count(r.notes, AMPHI_NOTE_ERROR), 1000, 1010);
    reading_free(&r);
    free(job);
}

static void included_files_name_themselves_and_who_includes_them(void **state)
{
    (void)state;
    char *const folder = folder_make();
    char *const job =
        replaced(job_base, "<forcefield>\n", "<forcefield>\n<include href=\"outer.xml\"/>\n");
    char expected[1024];

    folder_write_text(folder, "job.xml", job);
    folder_write_text(folder, "outer.xml",
                      "<forcefield version=\"1\" name=\"outer\">\n\n"
                      "<include href=\"inner.xml\"/>\n</forcefield>\n");
    folder_write_text(folder, "inner.xml",
                      "<forcefield version=\"1\" name=\"inner\">\n"
                      "<beadtype name=\"x\" mass=\"heavy\"/>\n</forcefield>\n");
    JobReading  r    = read_job_file(folder, "job.xml");
    char *const text = printed(&r);

    snprintf(expected, sizeof expected,
             "%s/inner.xml:2: error: <beadtype mass=\"heavy\">: not a number\n"
             "    <beadtype name=\"x\" mass=\"heavy\"/>\n"
             "                       ^^^^^^^^^^^^\n"
             "    write mass=\"1.5 u\"\n"
             "    included from %s/outer.xml:3\n"
             "    included from %s/job.xml:5\n"
             "1 error; nothing was run.\n",
             folder, folder, folder);
    assert_string_equal(text, expected);
    free(text);
    reading_free(&r);
    free(job);
    folder_remove(folder);
}

static void faults_of_the_job_come_before_those_of_its_files(void **state)
{
    (void)state;
    char *const folder = folder_make();
    char *const one =
        replaced(job_base, "<forcefield>\n", "<forcefield>\n<include href=\"f.xml\"/>\n");
    char *const job = replaced(one, "y=\"3 nm\"", "y=\"3\"");
    int64_t     n   = 0;

    folder_write_text(folder, "job.xml", job);
    folder_write_text(folder, "f.xml", "<forcefield version=\"1\" name=\"f\"><a/></forcefield>\n");
    JobReading       r    = read_job_file(folder, "job.xml");
    const AmphiNote *list = amphi_notes_sorted(r.notes, &n);
    assert_int_equal(n, 2);
    assert_int_equal(list[0].id, AMPHI_MSG_UNIT_MISSING);
    assert_int_equal(list[1].id, AMPHI_MSG_UNKNOWN_ELEMENT);
    assert_string_equal(list[1].where.file, folder_path(folder, "f.xml"));
    reading_free(&r);
    free(one);
    free(job);
    folder_remove(folder);
}

static void control_characters_of_a_file_do_not_reach_the_screen(void **state)
{
    (void)state;
    char *const job  = replaced(job_base, "x=\"3 nm\"", "x=\"3&#10;&#9;\xE2\x80\xAEnm&#x7F;\"");
    JobReading  r    = read_job_text(job);
    char *const text = printed(&r);

    assert_non_null(strstr(text, "<box x=\"3\\n\\t\\xE2\\x80\\xAEnm\\x7F\">"));
    for (const char *c = text; *c != '\0'; c++)
        assert_true(*c == '\n' || ((unsigned char)*c >= ' ' && (unsigned char)*c != 0x7F));
    free(text);
    reading_free(&r);
    free(job);
}

/* The carets are as wide as what they point at, also behind other letters than ASCII. */
static void the_excerpt_points_at_the_attribute_as_it_is_written(void **state)
{
    (void)state;
    static const struct {
        const char *box, *shown;
    } rows[] = {
        { "<box x = '3' y=\"3 nm\" z=\"3 nm\"/>\n", "    <box x = '3' y=\"3 nm\" z=\"3 nm\"/>\n"
                                                    "         ^^^^^^^\n" },
        { "<!-- x=\"3\" --><box y=\"3 nm\" z=\"3 nm\" x=\"3\"/>\n",
          "    <!-- x=\"3\" --><box y=\"3 nm\" z=\"3 nm\" x=\"3\"/>\n"
          "                                         ^^^^^\n" },
        { "\t <!-- \xC3\xBC\xC3\xBC --> <box y=\"3 nm\" z=\"3 nm\" x=\"3\"/>\n",
          "    <!-- \xC3\xBC\xC3\xBC --> <box y=\"3 nm\" z=\"3 nm\" x=\"3\"/>\n"
          "                                       ^^^^^\n" },
        { "<box y=\"3 nm\"\r\n  z=\"3 nm\"\r\n  x=\"3\"/>\r\n", "    x=\"3\"/>\n"
                                                                "    ^^^^^\n" },
        { "<box y=\"3 nm\" z=\"3 nm\" x=\"&#51;\"/>\n",
          "    <box y=\"3 nm\" z=\"3 nm\" x=\"&#51;\"/>\n"
          "                           ^^^^^^^^^\n" },
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char *const job  = replaced(job_base, JOB_BOX, rows[k].box);
        JobReading  r    = read_job_text(job);
        char *const text = printed(&r);

        if (strstr(text, rows[k].shown) == NULL)
            fail_msg("%s\nis not in\n%s", rows[k].shown, text);
        free(text);
        reading_free(&r);
        free(job);
    }
}

/* An element of several lines is where it begins; its text is counted from where its tag ends. */
static void lines_are_right_in_tags_of_several_lines(void **state)
{
    (void)state;
    static const char beads[] = "<!-- a\n b --><beads\n  length=\"nm\"\n>\n"
                                "ion 1  1.0 1 1  1 0 0 0\n"
                                "<!-- a\ncomment -->\n"
                                "<?and an\ninstruction?>\n"
                                "cl  2  1.4 1 1  1 0 0 0\n"
                                "dip 2  2.0 2 1  1 0 0 0\n"
                                "</beads>\n";
    char *const       job     = replaced(job_base, JOB_BEADS, beads);
    JobReading        r       = read_job_text(job);
    int64_t           n       = 0;
    const AmphiNote  *list    = amphi_notes_sorted(r.notes, &n);
    const int64_t     line    = 24; /* where the comment begins */

    assert_int_equal(n, 2);
    assert_int_equal(list[0].id, AMPHI_MSG_BEAD_COUNT);
    assert_int_equal(list[0].where.line, line + 1);
    assert_int_equal(list[1].id, AMPHI_MSG_BEAD_MOLECULE);
    assert_int_equal(list[1].where.line, line + 9);
    reading_free(&r);
    free(job);
}

/* Beyond 65535 lines libxml2 no longer keeps them exactly. */
static void lines_are_right_in_long_files(void **state)
{
    (void)state;
    enum { MANY = 70000 };
    char *const lines = calloc(MANY + 64, 1);

    assert_non_null(lines);
    memset(lines, '\n', MANY);
    strcat(lines, "<box x=\"3\" y=\"3 nm\" z=\"3 nm\"/>\n");
    char *const      job  = replaced(job_base, JOB_BOX, lines);
    JobReading       r    = read_job_text(job);
    int64_t          n    = 0;
    const AmphiNote *list = amphi_notes_sorted(r.notes, &n);

    assert_int_equal(n, 1);
    assert_int_equal(list[0].where.line, 20 + MANY);
    reading_free(&r);
    free(job);
    free(lines);
}

static void a_long_line_is_shown_around_the_fault(void **state)
{
    (void)state;
    char long_line[2100];

    memset(long_line, ' ', 2000);
    strcpy(long_line + 2000, "<box x=\"3\" y=\"3 nm\" z=\"3 nm\"/>\n");
    memcpy(long_line, "<!--", 4);
    memcpy(long_line + 1990, "-->", 3);
    char *const job  = replaced(job_base, JOB_BOX, long_line);
    JobReading  r    = read_job_text(job);
    char *const text = printed(&r);

    assert_non_null(strstr(text, "<box x=\"3\" y=\"3 nm\" z=\"3 nm\"/>\n"));
    assert_non_null(strstr(text, " ^^^^^\n"));
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") < 130);
    free(text);
    reading_free(&r);
    free(job);
}

/* A list of what is known is no use when it is cut. */
static void long_lists_of_names_are_told_whole(void **state)
{
    (void)state;
    char *const job  = replaced(job_base, "<forcefield>\n",
                                "<forcefield>\n<include href=\"forcefield:elba\"/>\n"
                                 "<treatment of=\"chargs\" type=\"truncated\"/>\n"
                                 "<pair types=\"water watr\" potential=\"none\"/>\n<beadtipe/>\n");
    JobReading  r    = read_job_text(job);
    char *const text = printed(&r);

    assert_non_null(strstr(text, "write one of: ami chol cl dip est gly ion phos tail water water18"
                                 "        (did you mean \"water\"?)\n"));
    assert_non_null(strstr(text, "write one of: title include beadtype pair mixing override "
                                 "moleculetype literature cutoff treatment"));
    assert_null(strstr(text, "..."));
    free(text);
    reading_free(&r);
    free(job);
}

/* More names than a person reads are counted. */
static void very_long_lists_are_cut_with_their_number(void **state)
{
    (void)state;
    char  *many = NULL;
    size_t n    = 0;
    FILE  *out  = open_memstream(&many, &n);

    assert_non_null(out);
    fprintf(out, "<forcefield>\n<pair types=\"b0 ion\" potential=\"none\"/>\n");
    for (int k = 1; k < 100; k++)
        fprintf(out, "<beadtype name=\"b%02d\" mass=\"1 u\"/>\n", k);
    assert_int_equal(fclose(out), 0);
    char *const job  = replaced(job_base, "<forcefield>\n", many);
    JobReading  r    = read_job_text(job);
    char *const text = printed(&r);

    assert_non_null(strstr(text, "write one of: b01 b02 "));
    assert_non_null(strstr(text, " b40 ... (102 in all)        (did you mean \"b01\"?)"));
    free(text);
    reading_free(&r);
    free(job);
    free(many);
}

static void warnings_alone_do_not_refuse_a_job(void **state)
{
    (void)state;
    char *const job = replaced(job_base, "charge=\"1 e\"", "charge=\"0.5 e\"");
    JobReading  r   = read_job_text(job);

    assert_non_null(r.job);
    assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_WARNING), 1);
    assert_int_equal(amphi_notes_status(r.notes, false), AMPHI_OK);
    assert_int_equal(amphi_notes_status(r.notes, true), AMPHI_BAD_INPUT);
    reading_free(&r);
    free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_printing_checker_sees_a_difference),
        cmocka_unit_test(all_faults_of_a_file_come_at_once_in_the_order_of_lines),
        cmocka_unit_test(a_tail_without_a_name_is_one_fault),
        cmocka_unit_test(a_mistyped_choice_is_one_fault),
        cmocka_unit_test(at_most_twenty_errors_are_printed_and_all_are_counted),
        cmocka_unit_test(the_table_is_not_asked_behind_a_thousand_faults),
        cmocka_unit_test(included_files_name_themselves_and_who_includes_them),
        cmocka_unit_test(faults_of_the_job_come_before_those_of_its_files),
        cmocka_unit_test(control_characters_of_a_file_do_not_reach_the_screen),
        cmocka_unit_test(the_excerpt_points_at_the_attribute_as_it_is_written),
        cmocka_unit_test(lines_are_right_in_tags_of_several_lines),
        cmocka_unit_test(lines_are_right_in_long_files),
        cmocka_unit_test(a_long_line_is_shown_around_the_fault),
        cmocka_unit_test(long_lists_of_names_are_told_whole),
        cmocka_unit_test(very_long_lists_are_cut_with_their_number),
        cmocka_unit_test(warnings_alone_do_not_refuse_a_job),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
