/* Text from input files made safe to print: without control characters and invalid UTF-8, and of
 * bounded length. And text made of numbers, alike in every locale.
 */
#ifndef AMPHI_ENGINE_TEXT_H
#define AMPHI_ENGINE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* A buffer of bounded size that is always terminated by a zero; what does not fit is dropped.
 * Initialise it with { bytes, 0, room } and an empty string in bytes. */
typedef struct {
    char  *bytes;
    size_t n, room; /* room includes the terminating zero */
} AmphiText;

void amphi_text_put(AmphiText *out, const char *bytes, size_t n);

/* Appends a text with unsafe characters escaped; ends it with "..." once `most` bytes are
 * written. */
void amphi_text_harmless(AmphiText *out, const char *text, size_t most);

/* Appends one character, escaped if it is unsafe ("\n", "\xFF"). Returns the bytes of text used. */
int amphi_text_character(AmphiText *out, const char *text);
/* The same in exactly one column, for lines with carets below: a tab becomes a blank, any other
 * unsafe character a "?". */
int amphi_text_column(AmphiText *out, const char *text);

/* snprintf and vsnprintf whose numbers have a point, whatever the locale of the calling program:
 * for text that is compared, hashed or read again. */
int amphi_text_print(char *out, size_t size, const char *form, ...)
    __attribute__((format(printf, 3, 4)));
int amphi_text_vprint(char *out, size_t size, const char *form, va_list values);

#endif
