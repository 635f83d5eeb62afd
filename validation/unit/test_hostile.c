/* Jobs made to harm: cut, random, explosive, endless, too large, or reaching for other files. Each
 * is read or refused, in good time and memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job_folder.h"

#define MIXING_LINE "<mixing potential=\"lennard-jones\" rule=\"lorentz-berthelot\"/>\n"

/* A hang ends the program; the whole takes seconds. */
enum { LONGEST_S = 250 };

/* Read or refused, but nothing in between. */
static bool is_answered(const JobReading *r)
{
    const AmphiStatus status = amphi_notes_status(r->notes, false);

    return r->err.status == AMPHI_OK && status == (r->job != NULL ? AMPHI_OK : AMPHI_BAD_INPUT);
}

/* Refused as it should be; false: read. From memory that ends with the last byte, so that the
 * sanitizer sees any step beyond it. */
static bool is_refused(const char *bytes, int64_t n)
{
    const AmphiLoadOptions options = { .data_dir = data_folder(), .max_memory = 1e6 };
    JobReading             r       = { .notes = amphi_notes_new() };
    char *const            exact   = malloc(n > 0 ? (size_t)n : 1);

    assert_non_null(r.notes);
    assert_non_null(exact);
    memcpy(exact, bytes, (size_t)n);
    r.job = amphi_job_parse("/nowhere/job.xml", exact, n, &options, r.notes, &r.err);
    assert_true(is_answered(&r));
    assert_true(r.job == NULL || r.job->system.n_beads > 0);

    const bool refused = r.job == NULL;
    reading_free(&r);
    free(exact);
    return refused;
}

static bool refuses(const char *from, const char *to)
{
    char *const job     = replaced(job_base, from, to);
    const bool  refused = is_refused(job, (int64_t)strlen(job));

    free(job);
    return refused;
}

static void the_checker_knows_a_good_job(void **state)
{
    (void)state;
    assert_false(is_refused(job_base, (int64_t)strlen(job_base)));
    assert_false(refuses("A test", "Another"));
    assert_true(refuses("A test", "A <test"));
}

static void a_job_cut_anywhere_is_refused(void **state)
{
    (void)state;
    char        path[256];
    int64_t     n = 0;
    char *const bytes =
        (snprintf(path, sizeof path, "%s/systems/pair.xml", data_folder()), file_bytes(path, &n));

    assert_true(n > 1000);
    assert_false(is_refused(bytes, n));
    for (int64_t k = 0; k < n - 1; k++)
        assert_true(is_refused(bytes, k));
    assert_false(is_refused(bytes, n - 1)); /* the last line's end */
    free(bytes);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's */
    return *seed >> 33;
}

static void random_bytes_are_refused(void **state)
{
    (void)state;
    uint64_t seed = 20260401;
    char     bytes[4096];

    for (int round = 0; round < 200; round++) {
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (char)next_random(&seed);
        assert_true(is_refused(bytes, (int64_t)(next_random(&seed) % sizeof bytes)));
    }
}

/* Any few bytes of a good job changed. */
static void mutated_jobs_are_answered(void **state)
{
    (void)state;
    static const char letters[] = "<>/=\"' \n0-9.eE&;x\xC3\xFF\x01";
    char *const       copy      = strdup(job_base);
    const size_t      n         = strlen(job_base);
    uint64_t          seed      = 20260402;

    assert_non_null(copy);
    for (int round = 0; round < 3000; round++) {
        strcpy(copy, job_base);
        for (int change = 0; change < 1 + round % 4; change++)
            copy[next_random(&seed) % n] = letters[next_random(&seed) % (sizeof letters - 1)];
        is_refused(copy, (int64_t)n);
    }
    free(copy);
}

static void other_encodings_are_refused(void **state)
{
    (void)state;
    char wide[2 * 4096] = { '\xFF', '\xFE' };

    for (size_t k = 0; k <= strlen(job_base) && 2 * k + 3 < sizeof wide; k++)
        wide[2 + 2 * k] = job_base[k];
    assert_true(is_refused(wide, (int64_t)(2 + 2 * strlen(job_base))));
    assert_true(refuses("A test", "A t\xE9st")); /* Latin 1 */
    assert_true(
        refuses("<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"UTF-7\"?>+ADw-"));
    assert_false(
        refuses("<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"));
    assert_false(refuses("<?xml version=\"1.0\"?>", "\xEF\xBB\xBF<?xml version=\"1.0\"?>"));
}

/* ---- nothing else is opened ---- */

/* A pipe without a writer keeps everyone waiting who opens it: the limit of time would end the
 * test. */
static bool reads_no_pipe(const char *from, const char *to)
{
    char *const folder = folder_make();
    char *const job    = replaced(job_base, from, to);

    assert_int_equal(mkfifo(folder_path(folder, "pipe"), 0600), 0);
    folder_write_text(folder, "job.xml", job);
    alarm(20);
    JobReading r = read_job_file(folder, "job.xml");
    alarm(LONGEST_S);
    const bool is_held = r.job == NULL && is_answered(&r);
    reading_free(&r);
    free(job);
    folder_remove(folder);
    return is_held;
}

static void entities_and_doctypes_open_nothing(void **state)
{
    (void)state;
    static const char *const heads[] = {
        "<!DOCTYPE amphi SYSTEM \"pipe\">",
        "<!DOCTYPE amphi PUBLIC \"a\" \"pipe\">",
        "<!DOCTYPE amphi [<!ENTITY a SYSTEM \"pipe\">]>",
        "<!DOCTYPE amphi [<!ENTITY % a SYSTEM \"pipe\"> %a;]>",
        "<!DOCTYPE amphi [<!ENTITY a \"b\">]>",
    };
    char text[256];

    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        snprintf(text, sizeof text, "%s\n<title>&a;A test", heads[k]);
        assert_true(reads_no_pipe("<title>A test", text));
        snprintf(text, sizeof text, "%s\n<amphi version", heads[k]);
        assert_true(reads_no_pipe("<amphi version", text));
    }
}

static void xinclude_and_schema_hints_open_nothing(void **state)
{
    (void)state;
    assert_true(reads_no_pipe(
        "<forcefield>", "<forcefield><xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" "
                        "href=\"pipe\" parse=\"text\"/>"));
    assert_true(reads_no_pipe("<forcefield>",
                              "<forcefield><include xmlns=\"http://www.w3.org/2001/XInclude\" "
                              "href=\"pipe\"/>"));
    assert_true(reads_no_pipe("<amphi version",
                              "<amphi xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                              "xsi:noNamespaceSchemaLocation=\"pipe\" xsi:nil=\"true\" version"));
    assert_true(reads_no_pipe("<?xml version=\"1.0\"?>",
                              "<?xml version=\"1.0\"?><?xml-model href=\"pipe\"?><a/>"));
    assert_true(reads_no_pipe("<forcefield>", "<forcefield><include href=\"pipe\"/>"));
    assert_true(reads_no_pipe(JOB_BEADS, "<coordinates file=\"pipe\" format=\"gro\"/>"));
}

/* The classic: ten entities of ten entities each. */
static void entity_bombs_do_not_explode(void **state)
{
    (void)state;
    char  *head = NULL;
    size_t n    = 0;
    FILE  *out  = open_memstream(&head, &n);

    assert_non_null(out);
    fprintf(out, "<!DOCTYPE amphi [<!ENTITY a0 \"lol\">");
    for (int k = 1; k < 12; k++) {
        fprintf(out, "<!ENTITY a%d \"", k);
        for (int j = 0; j < 10; j++)
            fprintf(out, "&a%d;", k - 1);
        fprintf(out, "\">");
    }
    fprintf(out, "]>\n<amphi a=\"&a11;\" version");
    assert_int_equal(fclose(out), 0);
    assert_true(refuses("<amphi version", head));
    free(head);
}

static void links_do_not_lead_outside(void **state)
{
    (void)state;
    static const char ff[] = "<forcefield version=\"1\" name=\"f\"/>";
    char *const inside = folder_make(), *const outside = folder_make();
    char *const job =
        replaced(job_base, "<forcefield>", "<forcefield><include href=\"link.xml\"/>");

    folder_write_text(inside, "job.xml", job);
    folder_write_text(outside, "ff.xml", ff);
    assert_int_equal(symlink(folder_path(outside, "ff.xml"), folder_path(inside, "link.xml")), 0);
    JobReading       r    = read_job_file(inside, "job.xml");
    int64_t          n    = 0;
    const AmphiNote *list = amphi_notes_sorted(r.notes, &n);
    assert_int_equal(n, 1);
    assert_int_equal(list[0].id, AMPHI_MSG_FILE_OUTSIDE);
    reading_free(&r);

    /* a link that stays inside is a file like others */
    assert_int_equal(unlink(folder_path(inside, "link.xml")), 0);
    folder_write_text(inside, "ff.xml", ff);
    assert_int_equal(symlink("ff.xml", folder_path(inside, "link.xml")), 0);
    r = read_job_file(inside, "job.xml");
    assert_non_null(r.job);
    assert_int_equal(r.job->n_files, 2);
    reading_free(&r);
    free(job);
    folder_remove(inside);
    folder_remove(outside);
}

static void circles_of_includes_end(void **state)
{
    (void)state;
    char *const folder = folder_make();
    char *const job    = replaced(job_base, "<forcefield>",
                                  "<forcefield><include href=\"a.xml\"/>"
                                     "<include href=\"./a.xml\"/>");

    folder_write_text(folder, "job.xml", job);
    folder_write_text(folder, "a.xml",
                      "<forcefield version=\"1\" name=\"a\"><include href=\"b.xml\"/>"
                      "<include href=\"a.xml\"/><beadtype name=\"once\" mass=\"1 u\"/>"
                      "</forcefield>");
    folder_write_text(
        folder, "b.xml",
        "<forcefield version=\"1\" name=\"b\"><include href=\"a.xml\"/></forcefield>");
    JobReading r = read_job_file(folder, "job.xml");
    assert_non_null(r.job);
    assert_int_equal(r.job->n_files, 3);
    reading_free(&r);
    free(job);
    folder_remove(folder);
}

/* ---- sizes ---- */

static void huge_numbers_and_counts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } rows[] = {
        { "count=\"2\"", "count=\"1e18\"" },
        { "count=\"2\"", "count=\"9007199254740993\"" },
        { "count=\"2\"", "count=\"4294967297\"" },
        { "count=\"2\"", "count=\"2147483648\"" },
        { "count=\"2\"", "count=\"-2147483648\"" },
        { "count=\"2\"", "count=\"18446744073709551618\"" },
        { "count=\"2\"", "count=\"1e999\"" },
        { "x=\"3 nm\"", "x=\"1e308 nm\"" },
        { "x=\"3 nm\"", "x=\"1e301 m\"" },
        { "x=\"3 nm\"", "x=\"1e-400 nm\"" },
        { "x=\"3 nm\"", "x=\"inf nm\"" },
        { "x=\"3 nm\"", "x=\"nan nm\"" },
        { "mass=\"20 u\"", "mass=\"1e300 u\"" },
        { "mass=\"20 u\"", "mass=\"1e-300 u\"" },
        { "charge=\"1 e\"", "charge=\"1e200 e\"" },
        { "inertia=\"1 u*nm^2\"", "moments=\"1 1e300 1 u*nm^2\"" },
        { "epsilon=\"1 kJ/mol\"", "epsilon=\"1e307 eV\"" },
        { "sigma=\"0.3 nm\"", "sigma=\"1e-200 nm\"" },
        { "id=\"2\"", "id=\"1e300\"" },
        { "beads=\"1 2\"", "beads=\"1 4294967298\"" },
        { "beads=\"1 2\"", "beads=\"1 -1e300\"" },
        { "ion 1  1.0 1 1", "ion 1  1e200 1 1" },
        { "ion 1  1.0 1 1  1 0 0 0", "ion 1  1.0 1 1  1e300 0 0 0" },
        { "ion 1  1.0 1 1  1 0 0 0", "ion 99999999999999999999  1.0 1 1  1 0 0 0" },
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (!refuses(rows[k].from, rows[k].to))
            fail_msg("%s was read", rows[k].to);
}

/* A molecule type without beads costs nothing, but many of it do. */
static void counts_of_empty_molecules_are_limited_too(void **state)
{
    (void)state;
    char *const job =
        replaced(job_base, "</forcefield>", "<moleculetype name=\"empty\"/></forcefield>");
    char *const all = replaced(job, JOB_MOLECULES, "<molecule type=\"empty\" count=\"2e9\"/>\n");

    assert_true(is_refused(all, (int64_t)strlen(all)));
    free(all);
    free(job);
}

static void restraints_are_limited_by_memory_too(void **state)
{
    (void)state;
    char  *many = NULL;
    size_t n    = 0;
    FILE  *out  = open_memstream(&many, &n);

    assert_non_null(out);
    for (int k = 0; k < 2000; k++)
        fprintf(out, "<restrain group=\"all\" k=\"%d kJ/mol/nm^2\"/>\n", k);
    fprintf(out, "</interactions>");
    assert_int_equal(fclose(out), 0);
    assert_true(refuses("</interactions>", many));
    free(many);
}

/* n pieces, with their number for %d, in place of a piece of the base; read within the time that
 * something linear needs. */
static void read_many(const char *from, const char *form, int n, const char *end)
{
    char  *many   = NULL;
    size_t length = 0;
    FILE  *out    = open_memstream(&many, &length);

    assert_non_null(out);
    for (int k = 0; k < n; k++)
        fprintf(out, form, k, k);
    fprintf(out, "%s", end);
    assert_int_equal(fclose(out), 0);
    char *const job = replaced(job_base, from, many);
    is_refused(job, (int64_t)strlen(job));
    free(job);
    free(many);
}

static void nothing_costs_a_square_of_time(void **state)
{
    (void)state;
    enum { MANY = 20000 };

    read_many("</system>", "<a%d b='c'/>", MANY, "</system>");
    read_many("</system>", "<box x='%d' y='1' z='1'/>", MANY, "</system>");
    read_many("<forcefield>", "<!--%d-->", MANY, "<forcefield>");
    read_many("</moleculetype>\n<moleculetype", "<bead id='%d' type='x%d'/>", MANY,
              "</moleculetype>\n<moleculetype");
    read_many("</moleculetype>\n<moleculetype",
              "<bond beads='%d %d' potential='harmonic' k='1 kJ/mol/nm^2' length='1 nm'/>", MANY,
              "</moleculetype>\n<moleculetype");
    read_many("<mixing ", "<pair types='ion dip' potential='none' source='%d'/>", MANY, "<mixing ");
    read_many("<mixing ", "<pair types='x%d y%d' potential='none'/>", MANY, "<mixing ");
    read_many("</interactions>", "<treatment of='charges' type='truncated' pair='ion cl'/>", MANY,
              "</interactions>");
    read_many("</forcefield>\n<system>",
              "<override pair='ion cl' scale-epsilon='1' why='number %d'/>", MANY,
              "</forcefield>\n<system>");
    read_many("</interactions>", "<restrain group='a%d' k='1 kJ/mol/nm^2'/>", MANY,
              "</interactions>");
    read_many("<forcefield>", "<include href='%d.xml'/>", MANY / 10, "<forcefield>");
    read_many(JOB_BEADS, "x", MANY, "");
}

/* Plans that would take hours, among them one huge bead in a crowd of small ones. */
static void starts_that_cannot_be_built_in_time_are_refused(void **state)
{
    (void)state;
    static const char *const starts[] = {
        "<fill><part type=\"wide\" count=\"1\"/><part type=\"water\" count=\"60000\"/></fill>\n",
        "<fill type=\"water\" count=\"800000\"/>\n",
        "<fill type=\"salt\" count=\"1\"/>\n<beads length=\"nm\"/>\n",
        "<bilayer water-per-lipid=\"1e9\"><leaflet side=\"upper\"/><leaflet side=\"lower\">"
        "<lipid type=\"salt\" count=\"1\"/></leaflet></bilayer>\n",
        "<bilayer water-thickness=\"1e9 nm\"><leaflet side=\"upper\"/><leaflet side=\"lower\">"
        "<lipid type=\"salt\" count=\"1\"/></leaflet></bilayer>\n",
    };
    const AmphiLoadOptions options = { .max_memory = 600e6 };

    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        char text[512];

        snprintf(text, sizeof text, "%s<start>\n%s",
                 k < 3 ? "<box x=\"20 nm\" y=\"20 nm\" z=\"20 nm\"/>\n" : "", starts[k]);
        char *const one = replaced(job_base, JOB_BOX JOB_MOLECULES "<start>\n" JOB_BEADS, text);
        char *const two =
            replaced(one, "select=\"bead ion cl\"", "select=\"kind solvent molecule\"");
        char *const job =
            replaced(two, MIXING_LINE,
                     MIXING_LINE "<beadtype name=\"wide\" mass=\"9 u\"/>\n"
                                 "<pair types=\"wide wide\" potential=\"lennard-jones\" "
                                 "epsilon=\"1 kJ/mol\" sigma=\"6 nm\"/>\n"
                                 "<moleculetype name=\"wide\"><bead id=\"1\" type=\"wide\"/>"
                                 "</moleculetype>\n");
        JobReading r = { .notes = amphi_notes_new() };

        assert_non_null(r.notes);
        r.job = amphi_job_parse("job.xml", job, (int64_t)strlen(job), &options, r.notes, &r.err);
        assert_null(r.job);
        assert_true(is_answered(&r));
        reading_free(&r);
        free(one);
        free(two);
        free(job);
    }
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    read_many("</system>", "<a>", 100000, "</system>");
    read_many("</system>", "<group name='a%d' select='bead ion'>", 300, "</system>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_knows_a_good_job),
        cmocka_unit_test(a_job_cut_anywhere_is_refused),
        cmocka_unit_test(random_bytes_are_refused),
        cmocka_unit_test(mutated_jobs_are_answered),
        cmocka_unit_test(other_encodings_are_refused),
        cmocka_unit_test(entities_and_doctypes_open_nothing),
        cmocka_unit_test(xinclude_and_schema_hints_open_nothing),
        cmocka_unit_test(entity_bombs_do_not_explode),
        cmocka_unit_test(links_do_not_lead_outside),
        cmocka_unit_test(circles_of_includes_end),
        cmocka_unit_test(huge_numbers_and_counts_are_refused),
        cmocka_unit_test(counts_of_empty_molecules_are_limited_too),
        cmocka_unit_test(restraints_are_limited_by_memory_too),
        cmocka_unit_test(nothing_costs_a_square_of_time),
        cmocka_unit_test(starts_that_cannot_be_built_in_time_are_refused),
        cmocka_unit_test(deep_nesting_is_refused),
    };

    alarm(LONGEST_S);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
