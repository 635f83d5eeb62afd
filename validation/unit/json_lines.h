/* A checker of JSON lines as amphi writes them: an object of strings, numbers, literals and flat
 * arrays, then a line end (RFC 8259). It shares no code with the writer.
 */
#ifndef AMPHI_VALIDATION_JSON_LINES_H
#define AMPHI_VALIDATION_JSON_LINES_H

#include <stdbool.h>
#include <string.h>

/* Each reader gives the place behind what it took, or NULL. */
static inline const char *json_take_text(const char *at)
{
    if (*at++ != '"')
        return NULL;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20)
            return NULL; /* the closing zero too */
        if (*at != '\\')
            continue;
        at++;
        if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") >= 4)
            at += 4;
        else if (*at == '\0' || strchr("\"\\/bfnrt", *at) == NULL)
            return NULL;
    }
    return at + 1;
}

static inline const char *json_take_number(const char *at)
{
    static const char digits[] = "0123456789";

    at += *at == '-';
    if (at[0] == '0' && strspn(at, digits) > 1)
        return NULL;
    if (strspn(at, digits) == 0)
        return NULL;
    at += strspn(at, digits);
    if (*at == '.') {
        if (strspn(at + 1, digits) == 0)
            return NULL;
        at += 1 + strspn(at + 1, digits);
    }
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '+' || at[1] == '-');
        if (strspn(at, digits) == 0)
            return NULL;
        at += strspn(at, digits);
    }
    return at;
}

static inline const char *json_take_scalar(const char *at)
{
    static const char *const words[] = { "null", "true", "false" };

    for (int k = 0; k < 3; k++)
        if (strncmp(at, words[k], strlen(words[k])) == 0)
            return at + strlen(words[k]);
    return *at == '"' ? json_take_text(at) : json_take_number(at);
}

static inline const char *json_take_value(const char *at)
{
    if (*at != '[')
        return json_take_scalar(at);
    at++;
    if (*at == ']')
        return at + 1;
    while ((at = json_take_scalar(at)) != NULL && *at == ',')
        at++;
    return at != NULL && *at == ']' ? at + 1 : NULL;
}

/* One line with its end; the rest of the text, or NULL. */
static inline const char *json_take_line(const char *at)
{
    if (*at++ != '{')
        return NULL;
    for (;;) {
        at = json_take_text(at);
        if (at == NULL || *at != ':')
            return NULL;
        at = json_take_value(at + 1);
        if (at == NULL || (*at != ',' && *at != '}'))
            return NULL;
        if (*at++ == '}')
            return *at == '\n' ? at + 1 : NULL;
    }
}

static inline bool is_json_line(const char *text)
{
    const char *const rest = json_take_line(text);

    return rest != NULL && *rest == '\0';
}

/* One line or more, and nothing else. */
static inline bool are_json_lines(const char *text)
{
    if (*text == '\0')
        return false;
    while (text != NULL && *text != '\0')
        text = json_take_line(text);
    return text != NULL;
}

#endif
