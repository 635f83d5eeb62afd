/* Reading text formats: lines, words, columns and numbers from bytes in memory. No function here
 * allocates, or reads beyond the end, whatever the bytes are.
 */
#ifndef AMPHI_ENGINE_FORMATS_LINES_H
#define AMPHI_ENGINE_FORMATS_LINES_H

#include "snapshot.h"

/* A piece of the file, not terminated by a zero. */
typedef struct {
    const char *at;
    int64_t     length;
} AmphiSlice;

/* Short text by value, as an argument of a message. */
typedef struct {
    char text[48];
} AmphiShort;

typedef struct {
    const char *path;
    const char *at, *end; /* what is not yet read */
    AmphiSlice  line;     /* the present line without its end */
    int64_t     number;   /* of the present line, from 1 */
    AmphiNotes *notes;
    int32_t     n_faults;
} AmphiLines;

/* Readers stop after so many faults in a file; no more are shown. */
enum { AMPHI_ENOUGH_FAULTS = 20 };

AmphiLines amphi_lines_of(const char *path, const char *bytes, int64_t n_bytes, AmphiNotes *notes);
/* The next line; false at the end of the file. A carriage return belongs to the line's end. */
bool amphi_lines_next(AmphiLines *lines);
/* The next line that is not blank. */
bool amphi_lines_next_filled(AmphiLines *lines);
bool amphi_lines_enough(const AmphiLines *lines);

/* Notes a fault in the present line. */
#define amphi_lines_note(lines, id, ...)                                                           \
    ((lines)->n_faults++, amphi_note((lines)->notes, id, amphi_lines_where(lines), __VA_ARGS__))
AmphiWhere amphi_lines_where(const AmphiLines *lines);

/* The slice without blanks at both ends. */
AmphiSlice amphi_slice_trim(AmphiSlice slice);
/* The columns from, from + 1, ... (counted from 0) of a line, as far as it has them, trimmed. */
AmphiSlice amphi_slice_columns(AmphiSlice line, int64_t from, int64_t width);
/* Takes the next word off the front; false when there is none. */
bool amphi_slice_word(AmphiSlice *rest, AmphiSlice *word);
/* How many words there are; the first `most` go to word[]. */
int32_t amphi_slice_words(AmphiSlice line, AmphiSlice *word, int32_t most);
bool    amphi_slice_is(AmphiSlice slice, const char *text);
bool    amphi_slice_begins(AmphiSlice slice, const char *text);
/* A whole slice as a finite number, as a whole number. */
bool amphi_slice_number(AmphiSlice slice, double *value);
bool amphi_slice_whole(AmphiSlice slice, int64_t *value);

/* Cut to its size; control characters become '?'. */
AmphiName  amphi_slice_name(AmphiSlice slice);
AmphiShort amphi_slice_short(AmphiSlice slice);
AmphiShort amphi_digits(int64_t value);
AmphiShort amphi_decimal(double value);
char      *amphi_slice_copy(AmphiSlice slice, AmphiArena *arena);

/* The same, with a note on failure, in which `what` names the value: "x of bead 12". */
bool amphi_lines_number(AmphiLines *lines, AmphiSlice slice, const char *what, double *value);
bool amphi_lines_whole(AmphiLines *lines, AmphiSlice slice, const char *what, int64_t from,
                       int64_t to, int64_t *value);

#endif
