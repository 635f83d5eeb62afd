/* Every message of the list, triggered: its id, severity, file, line, text and hint. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static char *text_of_job(const MessageCase *c)
{
    char *first = c->from == NULL ? strdup(c->to) : replaced(job_base, c->from, c->to);

    assert_non_null(first);
    if (c->from2 == NULL)
        return first;

    char *const second = replaced(first, c->from2, c->to2);
    free(first);
    return second;
}

/* Where the fault is expected: in which file of the folder (NULL: in none), at which line. */
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
        place.name = c->file[0] != '\0' ? c->file : NULL;
    else if (!take_mark(job, &place.line)) {
        place.name = c->name;
        if (!take_mark(other, &place.line))
            fail_msg("%s: no @", name_of[c->id]);
    }
    folder_write_text(folder, "job.xml", job);
    if (c->name != NULL)
        folder_write_text(folder, c->name, other);
    assert_int_equal(mkfifo(folder_path(folder, "pipe"), 0600), 0);
    free(job);
    free(other);
    return place;
}

/* ---- notes ---- */

static bool is_at(const AmphiNote *note, const char *folder, Place place)
{
    if (place.name == NULL || note->where.file == NULL)
        return place.name == NULL && note->where.file == NULL;
    return strcmp(note->where.file, folder_path(folder, place.name)) == 0 &&
           note->where.line == place.line;
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

/* Reads the files of a case; does the note come? */
static bool comes(const MessageCase *c, bool is_loud)
{
    char *const      folder = folder_make();
    const Place      place  = write_files(c, folder);
    JobReading       r      = read_job_file(folder, "job.xml");
    const bool       is_bad = amphi_notes_count(r.notes, AMPHI_NOTE_ERROR) > 0;
    const bool       found  = has_note(&r, c, folder, place);
    int64_t          n      = 0;
    const AmphiNote *list   = amphi_notes_sorted(r.notes, &n);

    assert_true((r.job == NULL) == is_bad);
    assert_int_equal(amphi_notes_status(r.notes, false), is_bad ? AMPHI_BAD_INPUT : AMPHI_OK);
    if (!found && is_loud) {
        print_message("expected %s:%lld: %s: %s | %s\n", place.name, (long long)place.line,
                      name_of[c->id], c->text, c->hint);
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
    wrong.file = "";
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_job_that_the_cases_change_has_no_fault),
        cmocka_unit_test(the_checker_sees_each_difference),
        cmocka_unit_test(faults_of_xml_elements_and_attributes_are_told),
        cmocka_unit_test(faults_of_a_force_field_are_told),
        cmocka_unit_test(faults_of_a_system_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
