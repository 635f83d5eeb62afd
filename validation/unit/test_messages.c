/* Every message of the list, triggered: its id, severity, file, line, text and hint. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../engine/formats/convert.h"
#include "../../engine/formats/dcd.h"
#include "../../engine/formats/formats.h"
#include "message_cases.h"

#define NAME_ENTRY(id, severity, text, hint)     #id,
#define SEVERITY_ENTRY(id, severity, text, hint) AMPHI_NOTE_##severity,
static const char *const   name_of[]     = { MESSAGE_LIST(NAME_ENTRY) };
static const AmphiSeverity severity_of[] = { MESSAGE_LIST(SEVERITY_ENTRY) };

/* Which messages some test has met. */
static bool is_met[AMPHI_MESSAGES];

/* ---- inputs ---- */

/* Takes the @ out of a text, and tells its line; false when it has none. */
static bool take_mark(char *text, int64_t *line)
{
    char *const mark = strchr(text, '@');

    if (mark == NULL)
        return false;
    *line = 1;
    for (const char *c = text; c < mark; c++)
        *line += *c == '\n';
    memmove(mark, mark + 1, strlen(mark));
    return true;
}

/* The text with its $ replaced by the pieces of the case. */
static char *expanded(const MessageCase *c, char *text)
{
    char *const dollar = c->piece != NULL ? strchr(text, '$') : NULL;
    char       *all    = NULL;
    size_t      n      = 0;

    if (dollar == NULL)
        return text;

    FILE *const out = open_memstream(&all, &n);
    assert_non_null(out);
    fprintf(out, "%.*s", (int)(dollar - text), text);
    for (int k = 1; k <= c->times; k++)
        fprintf(out, c->piece, k);
    fprintf(out, "%s", dollar + 1);
    assert_int_equal(fclose(out), 0);
    free(text);
    return all;
}

static char *text_of_job(const MessageCase *c)
{
    char *first = c->from == NULL ? strdup(c->to) : replaced(job_base, c->from, c->to);

    assert_non_null(first);
    if (c->from2 == NULL)
        return expanded(c, first);

    char *const second = replaced(first, c->from2, c->to2);
    free(first);
    return expanded(c, second);
}

/* Where the fault is expected: in which file of the folder, at which line. */
typedef struct {
    const char *name;
    int64_t     line;
} Place;

static Place write_files(const MessageCase *c, const char *folder)
{
    Place       place = { "job.xml", 0 };
    char *const job   = text_of_job(c);
    char *const other = strdup(c->content != NULL ? c->content : "");

    assert_non_null(other);
    if (c->file != NULL)
        place = (Place){ c->file, c->line };
    else if (!take_mark(job, &place.line)) {
        place.name = c->name;
        if (!take_mark(other, &place.line))
            fail_msg("%s: no @", name_of[c->id]);
    }
    assert_int_equal(mkfifo(folder_path(folder, "pipe"), 0600), 0);
    if (c->make != NULL)
        c->make(folder);
    folder_write_text(folder, "job.xml", job);
    if (c->name != NULL)
        folder_write_text(folder, c->name, other);
    free(job);
    free(other);
    return place;
}

/* ---- notes ---- */

static bool is_at(const AmphiNote *note, const char *folder, Place place)
{
    return note->where.file != NULL && note->where.line == place.line &&
           strcmp(note->where.file, folder_path(folder, place.name)) == 0;
}

static bool is_note_of(const AmphiNote *note, const MessageCase *c)
{
    const bool has_hint =
        c->hint[0] != '\0' ? strstr(note->hint, c->hint) != NULL : note->hint[0] == '\0';

    return note->id == c->id && note->severity == c->severity && has_hint &&
           strstr(note->text, c->text) != NULL;
}

static bool has_note(const JobReading *r, const MessageCase *c, const char *folder, Place place)
{
    int64_t          n    = 0;
    const AmphiNote *list = amphi_notes_sorted(r->notes, &n);

    for (int64_t k = 0; k < n; k++)
        if (is_note_of(&list[k], c) && is_at(&list[k], folder, place))
            return true;
    return false;
}

/* Reads the files of a case; does the note come, with as many other errors as it says? */
static bool comes(const MessageCase *c, bool is_loud)
{
    char *const      folder   = folder_make();
    const Place      place    = write_files(c, folder);
    JobReading       r        = read_job_file(folder, "job.xml");
    const int64_t    n_errors = amphi_notes_count(r.notes, AMPHI_NOTE_ERROR);
    const int64_t    expected = c->n_others + (c->severity == AMPHI_NOTE_ERROR ? 1 : 0);
    const bool       is_bad   = n_errors > 0;
    const bool       found    = has_note(&r, c, folder, place) && n_errors == expected;
    int64_t          n        = 0;
    const AmphiNote *list     = amphi_notes_sorted(r.notes, &n);

    assert_true((r.job == NULL) == is_bad);
    assert_int_equal(amphi_notes_status(r.notes, false), is_bad ? AMPHI_BAD_INPUT : AMPHI_OK);
    if (!found && is_loud) {
        print_message("expected %s:%lld: %s: %s | %s\nand %d errors in all, not %d\n", place.name,
                      (long long)place.line, name_of[c->id], c->text, c->hint, (int)expected,
                      (int)n_errors);
        for (int64_t k = 0; k < n; k++)
            print_message("     got %s:%lld: %s: %s | %s\n", list[k].where.file,
                          (long long)list[k].where.line, name_of[list[k].id], list[k].text,
                          list[k].hint);
    }
    is_met[c->id] = is_met[c->id] || found;
    reading_free(&r);
    folder_remove(folder);
    return found;
}

static void check_cases(const MessageCase *cases)
{
    int n_missed = 0;

    for (int k = 0; cases[k].text != NULL; k++) {
        assert_int_equal(cases[k].severity, severity_of[cases[k].id]);
        n_missed += !comes(&cases[k], true);
    }
    assert_int_equal(n_missed, 0);
}

/* ---- tests ---- */

static void the_job_that_the_cases_change_has_no_fault(void **state)
{
    (void)state;
    JobReading r = read_job_text(job_base);
    int64_t    n = 0;

    assert_non_null(r.job);
    amphi_notes_sorted(r.notes, &n);
    assert_int_equal(n, 0);
    reading_free(&r);
}

static void the_checker_sees_each_difference(void **state)
{
    (void)state;
    const MessageCase right = { CASE(NOT_POSITIVE, "must be above zero", "", "x=\"3 nm\"",
                                     "x=\"-3 nm\"@") };
    MessageCase       wrong = right;

    assert_true(comes(&right, false));
    wrong.id = AMPHI_MSG_NEGATIVE;
    assert_false(comes(&wrong, false));
    wrong      = right;
    wrong.text = "below zero";
    assert_false(comes(&wrong, false));
    wrong      = right;
    wrong.hint = "some hint";
    assert_false(comes(&wrong, false));
    wrong    = right;
    wrong.to = "x=\"-3 nm\"\n@";
    assert_false(comes(&wrong, false));
    wrong      = right;
    wrong.to   = "x=\"-3 nm\"";
    wrong.file = "f.xml";
    wrong.line = 20;
    assert_false(comes(&wrong, false));
    wrong.file = "job.xml";
    assert_true(comes(&wrong, false));
    wrong.line = 21;
    assert_false(comes(&wrong, false));
    wrong          = right;
    wrong.severity = AMPHI_NOTE_WARNING;
    assert_false(comes(&wrong, false));
    wrong = (MessageCase){ CASE(UNIT_MISSING, "needs a unit", "", "x=\"3 nm\"", "x=\"3\"@") };
    assert_false(comes(&wrong, false)); /* it has a hint */
}

static void faults_of_xml_elements_and_attributes_are_told(void **state)
{
    (void)state;
    check_cases(message_cases_xml);
}

static void faults_of_a_force_field_are_told(void **state)
{
    (void)state;
    check_cases(message_cases_types);
}

static void faults_of_a_system_are_told(void **state)
{
    (void)state;
    check_cases(message_cases_system);
}

static void faults_of_a_plan_are_told(void **state)
{
    (void)state;
    check_cases(message_cases_plan);
}

static void faults_between_a_job_and_its_coordinates_are_told(void **state)
{
    (void)state;
    check_cases(message_cases_files);
}

static void faults_of_coordinate_files_are_told(void **state)
{
    (void)state;
    check_cases(message_cases_formats);
}

static void what_is_too_much_or_damaged_is_told(void **state)
{
    (void)state;
    check_cases(message_cases_limits);
}

/* ---- messages of calls that read no job ---- */

/* Is this note there, wherever it stands? Marks it as met. */
static bool is_among(AmphiNotes *notes, const MessageCase *c)
{
    int64_t          n     = 0;
    const AmphiNote *list  = amphi_notes_sorted(notes, &n);
    bool             found = false;

    for (int64_t k = 0; k < n; k++)
        found = found || is_note_of(&list[k], c);
    for (int64_t k = 0; !found && k < n; k++)
        print_message("got %s: %s | %s\n", name_of[list[k].id], list[k].text, list[k].hint);
    is_met[c->id] = is_met[c->id] || found;
    return found;
}

static void a_job_that_is_not_there_is_told(void **state)
{
    (void)state;
    const MessageCase c      = { CASE(FILE_MISSING, "No such file or directory", "", NULL, "") };
    char *const       folder = folder_make();
    JobReading        r      = read_job_file(folder, "job.xml");

    assert_null(r.job);
    assert_true(is_among(r.notes, &c));
    reading_free(&r);
    folder_remove(folder);
}

/* The one frame of a.xtc three times, at 0, 1 and 4 ps. */
static void write_uneven(const char *folder)
{
    static const char time[3][4] = { "\x00", "\x3F\x80", "\x40\x80" };
    int64_t           n          = 0;
    char *const       one        = file_bytes(folder_path(folder, "a.xtc"), &n);
    char *const       all        = malloc((size_t)(3 * n));

    assert_non_null(all);
    for (int k = 0; k < 3; k++) {
        memcpy(all + k * n, one, (size_t)n);
        memcpy(all + k * n + 12, time[k], 4);
    }
    folder_write(folder, "uneven.xtc", all, 3 * n);
    free(all);
    free(one);
}

/* a.dcd of two frames, 10 steps of 2 fs apart, and of none, so that they have no times. */
static void write_two_frames(const char *folder)
{
    static const double position[1][3] = { { 0 } };

    for (int k = 0; k < 2; k++) {
        AmphiDcdWriter w;

        assert_int_equal(amphi_dcd_create(&w, folder_path(folder, k == 0 ? "ten.dcd" : "none.dcd"),
                                          1, 0, k == 0 ? 10 : 0, 0.002, NULL),
                         AMPHI_OK);
        for (int frame = 0; frame < 2; frame++)
            assert_int_equal(amphi_dcd_append(&w, (const double[3]){ 3, 3, 3 }, position, NULL),
                             AMPHI_OK);
        assert_int_equal(amphi_dcd_finish(&w, NULL), AMPHI_OK);
    }
}

/* The start of job_base in all formats, in files a.gro, a.pdb ... */
static void write_all_formats(const char *folder)
{
    JobReading        r     = read_job_text(job_base);
    AmphiArena *const arena = amphi_arena_new();

    assert_non_null(r.job);
    for (int32_t k = 0; amphi_format_at(k) != NULL; k++) {
        char name[32];

        snprintf(name, sizeof name, "a%s", amphi_format_at(k)->ending);
        assert_int_equal(amphi_format_at(k)->write(folder_path(folder, name),
                                                   amphi_snapshot_of_system(&r.job->system, arena),
                                                   NULL),
                         AMPHI_OK);
    }
    write_uneven(folder);
    write_two_frames(folder);
    folder_write_text(folder, "one.gro",
                      "A bead\n1\n    1salt    NA    1   1.000   1.000   1.000\n3 3 3\n");
    folder_write_text(folder, "two.gro",
                      "A\n1\n    1salt    NA    1   1.000   1.000   1.000\n3 3 3\n"
                      "B\n1\n    1salt    NA    1   2.000   1.000   1.000\n3 3 3\n");
    folder_write_text(folder, "long.psf",
                      "PSF\n\n1 !NTITLE\n a\n\n4 !NATOM\n 1 S 1 SALT SODIUMION t 1 40\n"
                      " 2 S 1 SALT CL t -1 35\n 3 W 2 WAT W t 0 20\n 4 W 3 WAT W t 0 20\n\n"
                      "0 !NBOND\n");
    amphi_arena_free(arena);
    reading_free(&r);
}

static const struct {
    const char *from, *to, *topology;
    int64_t     frame;
    MessageCase c;
} conversions[] = {
    { "a.gro",
      "b.gro",
      NULL,
      7,
      { CASE(FORMAT_FRAME, "frame 7 was asked for, and the file has 1",
             "write a number from 0 on, or last", NULL, "") } },
    { "a.gro",
      "b.chk",
      NULL,
      0,
      { CASE(CONVERT_MISSING, "chk needs bead types, which ", "files that can have them: ", NULL,
             "") } },
    { "a.dcd",
      "b.gro",
      "one.gro",
      0,
      { CASE(CONVERT_TOPOLOGY, "has 1 beads, and ", "name the topology", NULL, "") } },
    { "a.dcd",
      "b.gro",
      "a.dcd",
      0,
      { CASE(CONVERT_TOPOLOGY_KIND, "nothing in this file is topology",
             "names, charges, masses and bonds are in: ", NULL, "") } },
    { "a.dcd",
      "b.gro",
      NULL,
      0,
      { CASE(CONVERT_NAMES_MADE, "a.dcd has no names", "give names with a topology", NULL, ""),
        .severity = AMPHI_NOTE_WARNING } },
    { "two.gro",
      "b.dcd",
      NULL,
      AMPHI_FRAMES_ALL,
      { CASE(CONVERT_FRAMES, "has 2 frames; the first is written", "write --frame last", NULL, ""),
        .severity = AMPHI_NOTE_WARNING } },
    { "uneven.xtc",
      "b.dcd",
      NULL,
      AMPHI_FRAMES_ALL,
      { CASE(CONVERT_UNEVEN,
             "frame 2 is at 4 ps; by the one interval that a DCD file has it is at 2",
             "write an XTC file", NULL, ""),
        .severity = AMPHI_NOTE_WARNING } },
    { "uneven.xtc",
      "b.dcd",
      NULL,
      AMPHI_FRAMES_ALL,
      { CASE(CONVERT_STEPS_LOST,
             "frame 1 is of step 0; by the one interval that a DCD file has it is of step ",
             "an XTC file has the step of every frame", NULL, ""),
        .severity = AMPHI_NOTE_INFO } },
    { "ten.dcd",
      "b.xtc",
      NULL,
      AMPHI_FRAMES_ALL,
      { CASE(CONVERT_STEPS, "steps are counted from time 0, 0.002 ps each: a DCD file lacks those",
             "a run with <trajectory format=\"xtc\"/> writes them", NULL, ""),
        .severity = AMPHI_NOTE_INFO } },
    { "none.dcd",
      "b.gro",
      NULL,
      0,
      { CASE(CONVERT_NO_TIMES,
             "the header has no steps between frames: frames are numbered from 0 instead", "", NULL,
             ""),
        .severity = AMPHI_NOTE_WARNING } },
    { "a.dcd",
      "b.gro",
      "long.psf",
      0,
      { CASE(CONVERT_NAMES_CUT, "SODIUMION does not fit: written as SODIU", "has 5 columns for it",
             NULL, ""),
        .severity = AMPHI_NOTE_WARNING } },
};

static void faults_of_conversions_are_told(void **state)
{
    (void)state;
    char *const folder = folder_make();

    write_all_formats(folder);
    for (size_t k = 0; k < sizeof conversions / sizeof *conversions; k++) {
        const AmphiConvertOptions options = { .frame = conversions[k].frame,
                                              .topology =
                                                  conversions[k].topology != NULL
                                                      ? folder_path(folder, conversions[k].topology)
                                                      : NULL };
        AmphiNotes *const         notes   = amphi_notes_new();

        amphi_convert(folder_path(folder, conversions[k].from),
                      folder_path(folder, conversions[k].to), &options, notes, NULL);
        if (!is_among(notes, &conversions[k].c))
            fail_msg("expected %s: %s", name_of[conversions[k].c.id], conversions[k].c.text);
        amphi_notes_free(notes);
    }
    folder_remove(folder);
}

/* The last test: it looks back at the others. */
static void every_message_of_the_list_was_triggered(void **state)
{
    (void)state;
    int n_missed = 0;

    for (int id = 0; id < AMPHI_MESSAGES; id++)
        if (!is_met[id]) {
            print_message("never triggered: %s\n", name_of[id]);
            n_missed++;
        }
    assert_int_equal(n_missed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_job_that_the_cases_change_has_no_fault),
        cmocka_unit_test(the_checker_sees_each_difference),
        cmocka_unit_test(faults_of_xml_elements_and_attributes_are_told),
        cmocka_unit_test(faults_of_a_force_field_are_told),
        cmocka_unit_test(faults_of_a_system_are_told),
        cmocka_unit_test(faults_of_a_plan_are_told),
        cmocka_unit_test(faults_between_a_job_and_its_coordinates_are_told),
        cmocka_unit_test(faults_of_coordinate_files_are_told),
        cmocka_unit_test(what_is_too_much_or_damaged_is_told),
        cmocka_unit_test(a_job_that_is_not_there_is_told),
        cmocka_unit_test(faults_of_conversions_are_told),
        cmocka_unit_test(every_message_of_the_list_was_triggered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
