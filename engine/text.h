/* Text from input made safe to show: no control characters, no broken UTF-8, a bounded length. */
#ifndef AMPHI_ENGINE_TEXT_H
#define AMPHI_ENGINE_TEXT_H

#include <stddef.h>

/* Bounded text, always closed by a zero; what does not fit is dropped. Begin with
 * { bytes, 0, room } and an empty string in bytes. */
typedef struct {
    char  *bytes;
    size_t n, room; /* room for the closing zero included */
} AmphiText;

void amphi_text_put(AmphiText *out, const char *bytes, size_t n);

/* All of a text, cut with "..." once `most` bytes are written. */
void amphi_text_harmless(AmphiText *out, const char *text, size_t most);

/* One character, escaped when it is not harmless ("\n", "\xFF"); how many bytes of text it took. */
int amphi_text_character(AmphiText *out, const char *text);
/* The same in exactly one column, for lines with carets below: a tab is a blank, the rest a "?". */
int amphi_text_column(AmphiText *out, const char *text);

#endif
