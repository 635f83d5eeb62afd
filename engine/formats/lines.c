/* Lines, words, columns and numbers out of bytes in memory. */
#include "lines.h"

#include <inttypes.h>
#include <string.h>

#include "../units.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

AmphiLines amphi_lines_of(const char *path, const char *bytes, int64_t n_bytes, AmphiNotes *notes)
{
    return (AmphiLines){ .path = path, .at = bytes, .end = bytes + n_bytes, .notes = notes };
}

bool amphi_lines_next(AmphiLines *lines)
{
    const char *const begin = lines->at;

    if (begin >= lines->end)
        return false;

    const char *const feed = memchr(begin, '\n', (size_t)(lines->end - begin));
    const char       *stop = feed == NULL ? lines->end : feed;

    lines->at = feed == NULL ? lines->end : feed + 1;
    if (stop > begin && stop[-1] == '\r')
        stop--;
    lines->line = (AmphiSlice){ begin, stop - begin };
    lines->number++;
    return true;
}

bool amphi_lines_next_filled(AmphiLines *lines)
{
    while (amphi_lines_next(lines))
        if (amphi_slice_trim(lines->line).length > 0)
            return true;
    return false;
}

bool amphi_lines_enough(const AmphiLines *lines)
{
    return lines->n_faults >= AMPHI_ENOUGH_FAULTS;
}

AmphiWhere amphi_lines_where(const AmphiLines *lines)
{
    return (AmphiWhere){ lines->path, lines->number };
}

AmphiSlice amphi_slice_trim(AmphiSlice slice)
{
    while (slice.length > 0 && is_blank(slice.at[0])) {
        slice.at++;
        slice.length--;
    }
    while (slice.length > 0 && is_blank(slice.at[slice.length - 1]))
        slice.length--;
    return slice;
}

AmphiSlice amphi_slice_columns(AmphiSlice line, int64_t from, int64_t width)
{
    const int64_t begin = from < line.length ? from : line.length;
    const int64_t left  = line.length - begin;

    return amphi_slice_trim((AmphiSlice){ line.at + begin, width < left ? width : left });
}

bool amphi_slice_word(AmphiSlice *rest, AmphiSlice *word)
{
    const AmphiSlice line   = amphi_slice_trim(*rest);
    int64_t          length = 0;

    while (length < line.length && !is_blank(line.at[length]))
        length++;
    *word = (AmphiSlice){ line.at, length };
    *rest = (AmphiSlice){ line.at + length, line.length - length };
    return length > 0;
}

int32_t amphi_slice_words(AmphiSlice line, AmphiSlice *word, int32_t most)
{
    AmphiSlice next;
    int32_t    n = 0;

    while (n < INT32_MAX && amphi_slice_word(&line, &next)) {
        if (n < most)
            word[n] = next;
        n++;
    }
    return n;
}

bool amphi_slice_is(AmphiSlice slice, const char *text)
{
    return slice.length == (int64_t)strlen(text) && amphi_slice_begins(slice, text);
}

bool amphi_slice_begins(AmphiSlice slice, const char *text)
{
    const size_t length = strlen(text);

    return slice.length >= (int64_t)length && memcmp(slice.at, text, length) == 0;
}

bool amphi_slice_number(AmphiSlice slice, double *value)
{
    char token[64]; /* longer than any number that a double can tell apart */

    if (slice.length <= 0 || slice.length >= (int64_t)sizeof token)
        return false;
    memcpy(token, slice.at, (size_t)slice.length);
    token[slice.length] = '\0';
    if (strlen(token) != (size_t)slice.length || strpbrk(token, "xX") != NULL)
        return false; /* no format has numbers to the base 16, which strtod takes */
    return amphi_units_number(token, value);
}

bool amphi_slice_whole(AmphiSlice slice, int64_t *value)
{
    const bool is_signed = slice.length > 0 && (slice.at[0] == '-' || slice.at[0] == '+');
    int64_t    sum       = 0;

    /* 18 digits are always below 2^63 */
    if (slice.length <= is_signed || slice.length > 18 + is_signed)
        return false;
    for (int64_t k = is_signed; k < slice.length; k++) {
        if (slice.at[k] < '0' || slice.at[k] > '9')
            return false;
        sum = 10 * sum + (slice.at[k] - '0');
    }
    *value = slice.at[0] == '-' ? -sum : sum;
    return true;
}

/* Copies at most size - 1 bytes and closes them. */
static void copy_harmless(char *to, int64_t size, AmphiSlice slice)
{
    const int64_t n = slice.length < size - 1 ? slice.length : size - 1;

    for (int64_t k = 0; k < n; k++) {
        const unsigned char byte = (unsigned char)slice.at[k];
        to[k]                    = slice.at[k];
        if (byte < 0x20 || byte == 0x7F)
            to[k] = '?';
    }
    to[n] = '\0';
}

AmphiName amphi_slice_name(AmphiSlice slice)
{
    AmphiName name = { "" }; /* whole, because checkpoints keep all its bytes */

    copy_harmless(name.text, (int64_t)sizeof name.text, slice);
    return name;
}

AmphiShort amphi_slice_short(AmphiSlice slice)
{
    AmphiShort out = { "" };

    copy_harmless(out.text, (int64_t)sizeof out.text, slice);
    if (slice.length >= (int64_t)sizeof out.text)
        memcpy(out.text + sizeof out.text - 4, "...", 4);
    return out;
}

AmphiShort amphi_digits(int64_t value)
{
    AmphiShort out;

    snprintf(out.text, sizeof out.text, "%" PRId64, value);
    return out;
}

AmphiShort amphi_decimal(double value)
{
    AmphiShort out;

    snprintf(out.text, sizeof out.text, "%.6g", value);
    return out;
}

char *amphi_slice_copy(AmphiSlice slice, AmphiArena *arena)
{
    char *const copy = AMPHI_TAKE(arena, char, slice.length + 1);

    if (copy != NULL)
        copy_harmless(copy, slice.length + 1, slice);
    return copy;
}

bool amphi_lines_number(AmphiLines *lines, AmphiSlice slice, const char *what, double *value)
{
    if (amphi_slice_number(slice, value))
        return true;
    amphi_lines_note(lines, FORMAT_NOT_NUMBER, what, amphi_slice_short(slice).text);
    return false;
}

bool amphi_lines_whole(AmphiLines *lines, AmphiSlice slice, const char *what, int64_t from,
                       int64_t to, int64_t *value)
{
    if (amphi_slice_whole(slice, value) && *value >= from && *value <= to)
        return true;
    amphi_lines_note(lines, FORMAT_NOT_WHOLE, what, amphi_slice_short(slice).text,
                     amphi_digits(from).text, amphi_digits(to).text);
    return false;
}
