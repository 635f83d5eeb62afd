/* JSON lines, RFC 8259: escapes, numbers, flat objects. */
#include "json.h"

#include <math.h>

/* Bytes of the UTF-8 sequence that text begins with; 0 when it is ill-formed (RFC 3629: no
 * surrogates, no overlong forms, nothing above U+10FFFF). */
static int utf8_length(const unsigned char *text)
{
    static const struct {
        unsigned char low, high, second_low, second_high;
        int           length;
    } forms[] = {
        { 0x00, 0x7F, 0, 0, 1 },       { 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 },
        { 0xE1, 0xEC, 0x80, 0xBF, 3 }, { 0xED, 0xED, 0x80, 0x9F, 3 }, { 0xEE, 0xEF, 0x80, 0xBF, 3 },
        { 0xF0, 0xF0, 0x90, 0xBF, 4 }, { 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 },
    };

    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        if (text[0] < forms[k].low || text[0] > forms[k].high)
            continue;
        if (forms[k].length > 1 &&
            (text[1] < forms[k].second_low || text[1] > forms[k].second_high))
            return 0;
        for (int byte = 2; byte < forms[k].length; byte++)
            if ((text[byte] & 0xC0) != 0x80)
                return 0;
        return forms[k].length;
    }
    return 0;
}

static void write_character(FILE *out, const unsigned char *at, int length)
{
    if (length == 0)
        fputs("\\ufffd", out);
    else if (*at == '"' || *at == '\\')
        fprintf(out, "\\%c", *at);
    else if (*at == '\n')
        fputs("\\n", out);
    else if (*at == '\t')
        fputs("\\t", out);
    else if (*at < 0x20 || *at == 0x7F)
        fprintf(out, "\\u%04x", (unsigned)*at);
    else
        fwrite(at, 1, (size_t)length, out);
}

static void write_string(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    if (text == NULL) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    while (*at != '\0') {
        const int length = utf8_length(at);

        write_character(out, at, length);
        at += length > 0 ? length : 1;
    }
    fputc('"', out);
}

static void write_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.17g", value);
    else
        fputs("null", out);
}

static void write_key(ToolJson *json, const char *key)
{
    if (json->has_member)
        fputc(',', json->out);
    json->has_member = true;
    write_string(json->out, key);
    fputc(':', json->out);
}

ToolJson tool_json_begin(FILE *out, const char *kind)
{
    ToolJson json = { .out = out };

    fputc('{', out);
    tool_json_text(&json, "kind", kind);
    return json;
}

void tool_json_text(ToolJson *json, const char *key, const char *text)
{
    write_key(json, key);
    write_string(json->out, text);
}

void tool_json_whole(ToolJson *json, const char *key, int64_t value)
{
    write_key(json, key);
    fprintf(json->out, "%lld", (long long)value);
}

void tool_json_flag(ToolJson *json, const char *key, bool value)
{
    write_key(json, key);
    fputs(value ? "true" : "false", json->out);
}

void tool_json_number(ToolJson *json, const char *key, double value)
{
    write_key(json, key);
    write_number(json->out, value);
}

void tool_json_numbers(ToolJson *json, const char *key, const double *value, int32_t n)
{
    write_key(json, key);
    fputc('[', json->out);
    for (int32_t k = 0; k < n; k++) {
        if (k > 0)
            fputc(',', json->out);
        write_number(json->out, value[k]);
    }
    fputc(']', json->out);
}

void tool_json_texts(ToolJson *json, const char *key, const char *const *text, int32_t n)
{
    write_key(json, key);
    fputc('[', json->out);
    for (int32_t k = 0; k < n; k++) {
        if (k > 0)
            fputc(',', json->out);
        write_string(json->out, text[k]);
    }
    fputc(']', json->out);
}

void tool_json_end(ToolJson *json)
{
    fputs("}\n", json->out);
}
