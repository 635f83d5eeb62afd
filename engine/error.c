/* Failures and notes: keeps notes in order and prints them the way compilers do.
 *
 * Notes are sorted as they are added, so that reading the list needs no memory. Text from input is
 * made safe here: without control characters, invalid UTF-8, or marks that reverse its direction.
 */
#include "error.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "arena.h"
#include "text.h"

enum {
    MOST_STORED       = 1000, /* of each severity; more are counted only */
    MOST_PRINTED      = 20,   /* of each severity */
    MOST_ARGUMENT     = 200,  /* bytes of an argument of a text, then "..." */
    MOST_LIST         = 1500, /* the same of a hint, which may list all names that are known */
    MOST_EXCERPT      = 100,  /* characters of a source line */
    MOST_TEXT         = 4096, /* bytes of a text or hint with its arguments */
    MOST_INCLUDES     = 32,   /* files named in a chain of `included from` */
    N_SEVERITIES      = 3,
    NOTE_OF_NO_SOURCE = INT32_MAX /* the order of notes on the job as a whole: behind all files */
};

typedef struct {
    AmphiSeverity severity;
    const char   *text, *hint;
} Message;

#define MESSAGE_ENTRY(id, severity, text, hint) { AMPHI_NOTE_##severity, text, hint },
static const Message messages[] = { MESSAGE_LIST(MESSAGE_ENTRY) };

typedef struct {
    const char *name;
    AmphiWhere  from; /* file NULL: not included */
} Source;

struct AmphiNotes {
    AmphiArena *arena;
    AmphiNote  *list;          /* [n], by order of file, then by line, then as added */
    int64_t     n, room, last; /* last: the note added last, -1 when it was there already */
    Source     *sources;       /* [n_sources]; the order of a file is its index */
    int32_t     n_sources, sources_room;
    int64_t     stored[N_SEVERITIES], count[N_SEVERITIES];
    bool        failed; /* some note was lost for want of memory */
};

/* ---- forms ---- */

/* "a {0}" is written "an energy" when the argument begins with a vowel. */
static void mend_article(AmphiText *out, const char *argument)
{
    const bool is_article = out->n >= 3 && memcmp(out->bytes + out->n - 3, " a ", 3) == 0;

    if (is_article && argument[0] != '\0' && strchr("aeio", argument[0]) != NULL) {
        out->n--;
        amphi_text_put(out, "n ", 2);
    }
}

/* The form with its {0} to {9} replaced. */
static void fill_form(AmphiText *out, const char *form, const char *const *arguments, size_t most)
{
    int n_arguments = 0;

    while (arguments[n_arguments] != NULL)
        n_arguments++;
    while (*form != '\0') {
        const bool is_place = form[0] == '{' && form[1] >= '0' && form[1] <= '9' && form[2] == '}';
        const int  k        = is_place ? form[1] - '0' : n_arguments;

        if (!is_place) {
            amphi_text_put(out, form++, 1);
            continue;
        }
        assert(k < n_arguments && "a message got too few arguments");
        if (k < n_arguments) {
            mend_article(out, arguments[k]);
            amphi_text_harmless(out, arguments[k], most);
        }
        form += 3;
    }
}

/* ---- failures ---- */

AmphiStatus amphi_fail(AmphiError *err, AmphiStatus status, const char *form, ...)
{
    char    raw[sizeof err->text];
    va_list values;

    if (err == NULL)
        return status;
    va_start(values, form);
    const int length = vsnprintf(raw, sizeof raw, form, values);
    va_end(values);
    if (length < 0)
        raw[0] = '\0';

    AmphiText out = { err->text, 0, sizeof err->text };
    err->status   = status;
    out.bytes[0]  = '\0';
    for (const char *line = raw; *line != '\0';) {
        if (*line == '\n')
            amphi_text_put(&out, line++, 1); /* a failure may have several lines */
        else
            line += amphi_text_character(&out, line);
    }
    return status;
}

int amphi_exit_code(AmphiStatus status)
{
    switch (status) {
    case AMPHI_OK:
        return 0;
    case AMPHI_DEFECT:
        return 1;
    case AMPHI_BAD_COMMAND:
        return 2;
    case AMPHI_BAD_INPUT:
        return 3;
    case AMPHI_BAD_FILE:
        return 4;
    case AMPHI_UNSTABLE:
        return 5;
    case AMPHI_NO_DEVICE:
    case AMPHI_NO_MEMORY:
        return 6;
    case AMPHI_NOT_HELD:
        return 7;
    case AMPHI_STOPPED:
        return 8;
    }
    return 1;
}

/* ---- notes ---- */

AmphiNotes *amphi_notes_new(void)
{
    AmphiNotes *const notes = amphi_alloc(1, sizeof *notes);

    if (notes == NULL)
        return NULL;
    notes->last  = -1;
    notes->arena = amphi_arena_new();
    if (notes->arena == NULL) {
        amphi_release(notes);
        return NULL;
    }
    return notes;
}

void amphi_notes_free(AmphiNotes *notes)
{
    if (notes == NULL)
        return;
    amphi_arena_free(notes->arena);
    amphi_release(notes);
}

/* The index of a file among those known, or -1. */
static int32_t find_source(const AmphiNotes *notes, const char *file)
{
    for (int32_t k = 0; k < notes->n_sources; k++)
        if (strcmp(notes->sources[k].name, file) == 0)
            return k;
    return -1;
}

/* The index of a file, which is added when it is new; -1 when there is no memory. */
static int32_t source_of(AmphiNotes *notes, const char *file)
{
    const int32_t known = find_source(notes, file);

    if (known >= 0)
        return known;
    if (notes->n_sources == notes->sources_room) {
        const int32_t room = 2 * notes->sources_room + 8;
        Source *const grown =
            amphi_arena_grow(notes->arena, notes->sources, notes->n_sources, room, sizeof *grown);
        if (grown == NULL)
            return -1;
        notes->sources      = grown;
        notes->sources_room = room;
    }
    char *const name = amphi_arena_text(notes->arena, file);
    if (name == NULL)
        return -1;
    notes->sources[notes->n_sources] = (Source){ .name = name };
    return notes->n_sources++;
}

void amphi_notes_included(AmphiNotes *notes, const char *file, AmphiWhere from)
{
    if (notes == NULL)
        return;

    const int32_t parent = from.file == NULL ? -1 : source_of(notes, from.file);
    const int32_t k      = source_of(notes, file);

    if (k < 0 || (from.file != NULL && parent < 0))
        notes->failed = true;
    else if (parent >= 0 && notes->sources[k].from.file == NULL)
        notes->sources[k].from = (AmphiWhere){ notes->sources[parent].name, from.line };
}

static bool stands_before(const AmphiNote *note, int32_t order, int64_t line)
{
    return note->order != order ? note->order < order : note->where.line < line;
}

/* The first note at this place or behind it. */
static int64_t lower_bound(const AmphiNotes *notes, int32_t order, int64_t line)
{
    int64_t low = 0, high = notes->n;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (stands_before(&notes->list[middle], order, line))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool make_room(AmphiNotes *notes)
{
    if (notes->n < notes->room)
        return true;

    const int64_t    room = 2 * notes->room + 16;
    AmphiNote *const grown =
        amphi_arena_grow(notes->arena, notes->list, notes->n, room, sizeof *grown);
    if (grown == NULL)
        return false;
    notes->list = grown;
    notes->room = room;
    return true;
}

/* Inserts a note after those of the same place; false when there is no memory. The same text at the
 * same place is not added again. */
static bool add_note(AmphiNotes *notes, AmphiNote note, const char *text, const char *hint)
{
    int64_t at = lower_bound(notes, note.order, note.where.line);

    for (; at < notes->n && notes->list[at].order == note.order &&
           notes->list[at].where.line == note.where.line;
         at++)
        if (strcmp(notes->list[at].text, text) == 0)
            return true;

    if (notes->stored[note.severity] == MOST_STORED) {
        notes->count[note.severity]++;
        return true;
    }
    note.text = amphi_arena_text(notes->arena, text);
    note.hint = amphi_arena_text(notes->arena, hint);
    if (note.text == NULL || note.hint == NULL || !make_room(notes))
        return false;

    memmove(&notes->list[at + 1], &notes->list[at], (size_t)(notes->n - at) * sizeof *notes->list);
    notes->list[at] = note;
    notes->last     = at;
    notes->n++;
    notes->stored[note.severity]++;
    notes->count[note.severity]++;
    return true;
}

/* A text that begins with its file, whose name is shown before it: what stands behind the name. */
static const char *behind_name(const char *text, AmphiWhere where)
{
    const size_t      n    = where.file != NULL && where.line == 0 ? strlen(where.file) : 0;
    const bool        is   = n > 0 && strncmp(text, where.file, n) == 0;
    const char *const rest = is ? text + n + (text[n] == ':') : text;

    return is && rest[0] == ' ' ? rest + 1 : text;
}

void amphi_note_strings(AmphiNotes *notes, AmphiMessageId id, AmphiWhere where,
                        const char *const *arguments)
{
    assert((int)id >= 0 && id < AMPHI_MESSAGES);
    if (notes == NULL)
        return;

    char          text_bytes[MOST_TEXT] = "", hint_bytes[MOST_TEXT] = "";
    AmphiText     text = { text_bytes, 0, MOST_TEXT }, hint = { hint_bytes, 0, MOST_TEXT };
    const int32_t order = where.file == NULL ? NOTE_OF_NO_SOURCE : source_of(notes, where.file);

    fill_form(&text, messages[id].text, arguments, MOST_ARGUMENT);
    fill_form(&hint, messages[id].hint, arguments, MOST_LIST);
    notes->last = -1;
    if (order < 0) {
        notes->failed = true;
        return;
    }
    if (where.file != NULL)
        where.file = notes->sources[order].name;

    const AmphiNote note = {
        .id = id, .severity = messages[id].severity, .where = where, .order = order
    };
    if (!add_note(notes, note, behind_name(text_bytes, where), hint_bytes))
        notes->failed = true;
}

/* Where the excerpt of a line begins: at its first character that is not a blank, or, in a very
 * long line, shortly before the fault. */
static const char *excerpt_begin(const char *line, const char *fault)
{
    const char *begin = line;

    while (begin < fault && (*begin == ' ' || *begin == '\t'))
        begin++;
    if (fault - begin > MOST_EXCERPT / 2)
        begin = fault - MOST_EXCERPT / 2;
    while (begin < fault && ((unsigned char)*begin & 0xC0u) == 0x80)
        begin++;
    return begin;
}

void amphi_note_excerpt(AmphiNotes *notes, const char *line, int column, int width)
{
    if (notes == NULL || notes->last < 0 || line == NULL || column < 1)
        return;

    char              top_bytes[4 * MOST_EXCERPT + 1] = "", carets_bytes[MOST_EXCERPT + 1] = "";
    AmphiText         top    = { top_bytes, 0, sizeof top_bytes };
    AmphiText         carets = { carets_bytes, 0, sizeof carets_bytes };
    const size_t      length = strcspn(line, "\r\n");
    const size_t      offset = (size_t)column - 1 < length ? (size_t)column - 1 : length;
    const char *const fault  = line + offset;
    const char *const end    = line + length;
    const char       *at     = excerpt_begin(line, fault);

    for (int k = 0; k < MOST_EXCERPT && at < end; k++) {
        const bool is_before = at < fault;
        const bool is_fault  = !is_before && at - fault < (width > 1 ? width : 1);

        if (is_before || is_fault)
            amphi_text_put(&carets, is_before ? " " : "^", 1);
        at += amphi_text_column(&top, at);
    }
    if (fault == end)
        amphi_text_put(&carets, "^", 1);

    AmphiNote *const note = &notes->list[notes->last];
    note->excerpt         = amphi_arena_print(notes->arena, "%s\n%s", top_bytes, carets_bytes);
    if (note->excerpt == NULL)
        notes->failed = true;
}

int64_t amphi_notes_count(const AmphiNotes *notes, AmphiSeverity severity)
{
    const int64_t lost = notes == NULL || notes->failed;

    return (notes == NULL ? 0 : notes->count[severity]) + (severity == AMPHI_NOTE_ERROR ? lost : 0);
}

const AmphiNote *amphi_notes_sorted(AmphiNotes *notes, int64_t *n)
{
    *n = notes == NULL ? 0 : notes->n;
    return notes == NULL ? NULL : notes->list;
}

bool amphi_notes_has(const AmphiNotes *notes, AmphiWhere where)
{
    if (notes == NULL)
        return false;

    const int32_t order = where.file == NULL ? NOTE_OF_NO_SOURCE : find_source(notes, where.file);
    if (order < 0)
        return false;

    const int64_t at = lower_bound(notes, order, where.line);
    return at < notes->n && notes->list[at].order == order &&
           notes->list[at].where.line == where.line;
}

AmphiStatus amphi_notes_status(const AmphiNotes *notes, bool strict)
{
    if (notes == NULL || notes->failed)
        return AMPHI_NO_MEMORY;
    if (notes->count[AMPHI_NOTE_ERROR] > 0 || (strict && notes->count[AMPHI_NOTE_WARNING] > 0))
        return AMPHI_BAD_INPUT;
    return AMPHI_OK;
}

/* ---- printing ---- */

static void print_place(FILE *out, AmphiWhere where)
{
    char      bytes[MOST_TEXT] = "";
    AmphiText name             = { bytes, 0, sizeof bytes };

    if (where.file == NULL)
        return;
    amphi_text_harmless(&name, where.file, MOST_TEXT);
    fprintf(out, "%s", bytes);
    if (where.line > 0)
        fprintf(out, ":%" PRId64, where.line);
}

static void print_indented(FILE *out, const char *lines)
{
    while (lines != NULL && *lines != '\0') {
        const int length = (int)strcspn(lines, "\n");
        fprintf(out, "    %.*s\n", length, lines);
        lines += length + (lines[length] == '\n');
    }
}

static void print_includes(FILE *out, const AmphiNotes *notes, int32_t order)
{
    const int32_t first = order;

    for (int k = 0; k < MOST_INCLUDES && order >= 0 && order < notes->n_sources; k++) {
        const AmphiWhere from = notes->sources[order].from;

        if (k > 0 && order == first) {
            fprintf(out, "    which goes round in a circle\n");
            return;
        }

        if (from.file == NULL)
            return;
        fprintf(out, "    included from ");
        print_place(out, from);
        fprintf(out, "\n");
        order = find_source(notes, from.file);
    }
}

static AmphiSeverity judged(AmphiSeverity severity, bool strict)
{
    return strict && severity == AMPHI_NOTE_WARNING ? AMPHI_NOTE_ERROR : severity;
}

static void print_note(FILE *out, const AmphiNotes *notes, const AmphiNote *note, bool strict)
{
    static const char *const words[N_SEVERITIES] = { "error", "warning", "note" };

    print_place(out, note->where);
    fprintf(out, "%s%s: %s\n", note->where.file == NULL ? "" : ": ",
            words[judged(note->severity, strict)], note->text);
    print_indented(out, note->excerpt);
    print_indented(out, note->hint);
    print_includes(out, notes, note->order);
}

/* "4 errors, 1 warning; nothing was run." */
static void print_count(FILE *out, int64_t errors, int64_t warnings)
{
    if (errors > 0)
        fprintf(out, "%" PRId64 " error%s", errors, errors == 1 ? "" : "s");
    if (warnings > 0)
        fprintf(out, "%s%" PRId64 " warning%s", errors > 0 ? ", " : "", warnings,
                warnings == 1 ? "" : "s");
    if (errors + warnings > 0)
        fprintf(out, "%s.\n", errors > 0 ? "; nothing was run" : "");
}

void amphi_notes_print(AmphiNotes *notes, FILE *out, bool strict)
{
    int64_t count[N_SEVERITIES] = { 0 }, printed[N_SEVERITIES] = { 0 }, left = 0;

    for (int s = 0; s < N_SEVERITIES; s++)
        count[judged((AmphiSeverity)s, strict)] += amphi_notes_count(notes, (AmphiSeverity)s);
    for (int64_t k = 0; notes != NULL && k < notes->n; k++) {
        const AmphiSeverity severity = judged(notes->list[k].severity, strict);
        if (printed[severity] == MOST_PRINTED)
            continue;
        printed[severity]++;
        print_note(out, notes, &notes->list[k], strict);
    }
    if (notes == NULL || notes->failed) {
        fprintf(out, "error: no memory to list every error\n");
        printed[AMPHI_NOTE_ERROR]++;
    }
    for (int s = 0; s < N_SEVERITIES; s++)
        left += count[s] - printed[s];
    if (left > 0)
        fprintf(out, "and %" PRId64 " more\n", left);
    print_count(out, count[AMPHI_NOTE_ERROR], count[AMPHI_NOTE_WARNING]);
}
