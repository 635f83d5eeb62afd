/* Text that is safe to show, and the nearest of several names. */
#include "text.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

enum { LONGEST_NAME = 63 };      /* bytes of a word that amphi_nearest still compares */
enum { SHORTEST_BEGINNING = 3 }; /* of a word that is taken for one cut short */

void amphi_text_put(AmphiText *out, const char *bytes, size_t n)
{
    const size_t left = out->room - 1 - out->n;

    n = n < left ? n : left;
    memcpy(out->bytes + out->n, bytes, n);
    out->n += n;
    out->bytes[out->n] = '\0';
}

/* Bytes of the UTF-8 character at `text` when it is one: 1 to 4, else 0 (RFC 3629). */
static int utf8_length(const unsigned char *text, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const int             n       = text[0] < 0x80   ? 1
                                    : text[0] < 0xC0 ? 0
                                    : text[0] < 0xE0 ? 2
                                    : text[0] < 0xF0 ? 3
                                    : text[0] < 0xF8 ? 4
                                                     : 0;

    *code = n <= 1 ? text[0] : text[0] & (0x7Fu >> n);
    for (int k = 1; k < n; k++) {
        if ((text[k] & 0xC0u) != 0x80)
            return 0;
        *code = *code << 6 | (text[k] & 0x3Fu);
    }
    if (n > 1 && (*code < least[n] || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000)))
        return 0;
    return n;
}

/* Control characters, line separators and marks that reverse the order of text on a screen. */
static bool is_harmless(uint32_t code)
{
    return code >= 0x20 && (code < 0x7F || code > 0x9F) && (code < 0x2028 || code > 0x202E) &&
           (code < 0x2066 || code > 0x2069) && code != 0x200E && code != 0x200F;
}

int amphi_text_character(AmphiText *out, const char *text)
{
    static const char hex[] = "0123456789ABCDEF";
    uint32_t          code  = 0;
    const int         n     = utf8_length((const unsigned char *)text, &code);

    if (n > 0 && is_harmless(code)) {
        amphi_text_put(out, text, (size_t)n);
        return n;
    }
    if (n > 0 && (code == '\n' || code == '\t' || code == '\r')) {
        amphi_text_put(out, code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r", 2);
        return n;
    }
    const int taken = n > 0 ? n : 1;
    for (int k = 0; k < taken; k++) {
        const unsigned char byte      = (unsigned char)text[k];
        const char          escape[4] = { '\\', 'x', hex[byte >> 4], hex[byte & 15] };
        amphi_text_put(out, escape, sizeof escape);
    }
    return taken;
}

void amphi_text_harmless(AmphiText *out, const char *text, size_t most)
{
    const size_t begin = out->n;

    while (*text != '\0') {
        if (out->n - begin >= most) {
            amphi_text_put(out, "...", 3);
            return;
        }
        text += amphi_text_character(out, text);
    }
}

int amphi_text_column(AmphiText *out, const char *text)
{
    uint32_t  code = 0;
    const int n    = utf8_length((const unsigned char *)text, &code);

    if (n > 0 && is_harmless(code))
        amphi_text_put(out, text, (size_t)n);
    else
        amphi_text_put(out, *text == '\t' ? " " : "?", 1);
    return n > 0 ? n : 1;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* How many letters to insert, drop, change, or swap with their neighbour, upper case being lower
 * case: optimal string alignment, by rows of the table of prefixes. Both up to LONGEST_NAME. */
static int distance(const char *a, int n_a, const char *b, int n_b)
{
    int rows[3][LONGEST_NAME + 1];

    for (int j = 0; j <= n_b; j++)
        rows[0][j] = j;
    for (int i = 1; i <= n_a; i++) {
        int *const row = rows[i % 3], *const above = rows[(i + 2) % 3];
        int *const twice_above = rows[(i + 1) % 3];

        row[0] = i;
        for (int j = 1; j <= n_b; j++) {
            const bool is_same = lower(a[i - 1]) == lower(b[j - 1]);

            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + !is_same);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], twice_above[j - 2] + 1);
        }
    }
    return rows[n_a % 3][n_b];
}

/* The one that begins so; NULL: none does, or several do. */
static const char *begun_by(const char *word, size_t length, const char *const *known, int32_t n)
{
    const char *found = NULL;

    for (int32_t k = 0; k < n; k++) {
        if (known[k] == NULL || strlen(known[k]) > LONGEST_NAME ||
            strncmp(known[k], word, length) != 0)
            continue;
        if (found != NULL)
            return NULL;
        found = known[k];
    }
    return found;
}

const char *amphi_nearest(const char *word, const char *const *known, int32_t n_known)
{
    const size_t length = strlen(word);
    const char  *best   = NULL;

    if (length == 0 || length > LONGEST_NAME)
        return NULL;

    /* a third of the letters may be wrong, but never all of them */
    int limit = ((int)length >= 6 ? (int)length / 3 : 1) + 1;

    for (int32_t k = 0; k < n_known; k++) {
        const size_t n = known[k] == NULL ? 0 : strlen(known[k]);
        if (n == 0 || n > LONGEST_NAME)
            continue;

        const int d = distance(word, (int)length, known[k], (int)n);
        if (d < limit && d < (int)(n > length ? n : length)) {
            limit = d;
            best  = known[k];
        }
    }
    return best == NULL && length >= SHORTEST_BEGINNING ? begun_by(word, length, known, n_known)
                                                        : best;
}

/* ---- the same in every locale ---- */

int amphi_text_vprint(char *out, size_t size, const char *form, va_list values)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    if (plain == (locale_t)0)
        return -1;
    const locale_t before = uselocale(plain);
    const int      n      = vsnprintf(out, size, form, values);

    uselocale(before);
    freelocale(plain);
    return n;
}

int amphi_text_print(char *out, size_t size, const char *form, ...)
{
    va_list values;

    va_start(values, form);
    const int n = amphi_text_vprint(out, size, form, values);
    va_end(values);
    return n;
}
