/* JSON lines, RFC 8259: escapes, numbers, flat objects. */
#include "json.h"

#include <math.h>

#include "utf8.h"

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
        const int length = tool_utf8_length(at);

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
