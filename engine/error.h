/* Errors. A function that can fail returns an AmphiStatus and describes the failure in an
 * AmphiError.
 *
 * Readers of input do it differently: they add every fault to an AmphiNotes and go on, so that a
 * user sees all faults of a file at once. The texts of notes are in messages.h.
 */
#ifndef AMPHI_ENGINE_ERROR_H
#define AMPHI_ENGINE_ERROR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "messages.h"

typedef enum {
    AMPHI_OK,
    AMPHI_DEFECT,      /* exit 1: a fault of amphi itself */
    AMPHI_BAD_COMMAND, /* exit 2: wrong command line, or a needed program is missing */
    AMPHI_BAD_INPUT,   /* exit 3: the input is wrong */
    AMPHI_BAD_FILE,    /* exit 4: reading or writing failed */
    AMPHI_UNSTABLE,    /* exit 5: not finite, out of range */
    AMPHI_NO_DEVICE,   /* exit 6: not there, lost, or computing wrongly */
    AMPHI_NO_MEMORY,   /* exit 6 */
    AMPHI_NOT_HELD,    /* exit 7: a check or comparison did not hold */
    AMPHI_STOPPED      /* exit 8: on request, resumable */
} AmphiStatus;

typedef struct {
    AmphiStatus status;
    char        text[512];
} AmphiError;

/* Fills in err (NULL is allowed) from a printf format, and returns status. */
AmphiStatus amphi_fail(AmphiError *err, AmphiStatus status, const char *form, ...)
    __attribute__((format(printf, 3, 4)));

/* The exit code of the program for a status: 0 to 8. */
int amphi_exit_code(AmphiStatus status);

/* Returns from the calling function if the status of a call is not AMPHI_OK. */

#define AMPHI_TRY(call)                                                                            \
    do {                                                                                           \
        const AmphiStatus try_status = (call);                                                     \
        if (try_status != AMPHI_OK)                                                                \
            return try_status;                                                                     \
    } while (0)

typedef enum { AMPHI_NOTE_ERROR, AMPHI_NOTE_WARNING, AMPHI_NOTE_INFO } AmphiSeverity;

#define MESSAGE_ID(id, severity, text, hint) AMPHI_MSG_##id,
typedef enum { MESSAGE_LIST(MESSAGE_ID) AMPHI_MESSAGES } AmphiMessageId;

/* A place in the input. file NULL: the job as a whole; line 0: the file as a whole. */
typedef struct {
    const char *file;
    int64_t     line;
} AmphiWhere;

typedef struct {
    AmphiMessageId id;
    AmphiSeverity  severity;
    AmphiWhere     where;
    int32_t        order;   /* index of the file; notes are sorted by it, then by line */
    char          *text;    /* one line, control characters escaped */
    char          *hint;    /* may be several lines; empty: none */
    char          *excerpt; /* the source line and a line of carets below the fault; NULL: none */
} AmphiNote;

typedef struct AmphiNotes AmphiNotes;

/* NULL when there is no memory. */
AmphiNotes *amphi_notes_new(void);
void        amphi_notes_free(AmphiNotes *notes);

/* Adds the message `id` of messages.h. {0} {1} ... in its text and hint are replaced by the
 * arguments: strings, none of them NULL; "" for a message without arguments. Everything is copied.
 * All functions accept notes that are NULL, which count as an error that was lost. */
#define amphi_note(notes, id, where, ...)                                                          \
    amphi_note_strings((notes), AMPHI_MSG_##id, (where), (const char *const[]){ __VA_ARGS__, NULL })
void amphi_note_strings(AmphiNotes *notes, AmphiMessageId id, AmphiWhere where,
                        const char *const *arguments);
/* Adds to the last note the line of input that it is about, with `width` carets below it from
 * `column` (from 1) on; both in bytes. */
void amphi_note_excerpt(AmphiNotes *notes, const char *line, int column, int width);
/* Says where a file was included, which notes about it will show. Files are ordered as they are
 * first mentioned, here or in a note. from.file NULL: the main file. */
void amphi_notes_included(AmphiNotes *notes, const char *file, AmphiWhere from);

int64_t amphi_notes_count(const AmphiNotes *notes, AmphiSeverity severity);
/* All notes [*n] by file and line, without repetitions. */
const AmphiNote *amphi_notes_sorted(AmphiNotes *notes, int64_t *n);
/* Is there already a note about this place? */
bool amphi_notes_has(const AmphiNotes *notes, AmphiWhere where);
/* AMPHI_NO_MEMORY if notes were lost, AMPHI_BAD_INPUT if there are errors (with `strict`: or
 * warnings), else AMPHI_OK. */
AmphiStatus amphi_notes_status(const AmphiNotes *notes, bool strict);
/* Prints notes in the form of compilers' messages: at most 20 errors, then their number. */
void amphi_notes_print(AmphiNotes *notes, FILE *out, bool strict);

/* The name that `word` is probably a misspelling of ("DMPC" for "DMCP"), or the only one that
 * begins with its three letters or more; NULL: none is similar. */
const char *amphi_nearest(const char *word, const char *const *known, int32_t n_known);

#endif
