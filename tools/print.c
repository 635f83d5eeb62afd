/* Words in lines of at most 96 columns. */
#include "print.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "../engine/text.h"

enum { WIDTH = 96 };

ToolLines tool_lines_begin(FILE *out, int indent, const char *label)
{
    char      safe[512];
    const int length = fprintf(out, "  %s", tool_harmless(label, safe, sizeof safe));

    fprintf(out, "%*s", length < indent ? indent - length : 1, "");
    return (ToolLines){ out, indent, length < indent ? indent : length + 1 };
}

/* Characters, not bytes: UTF-8 goes on with 10xxxxxx. */
static int count_columns(const char *word)
{
    int n = 0;

    for (; *word != '\0'; word++)
        n += ((unsigned char)*word & 0xC0) != 0x80;
    return n;
}

static void put_word(ToolLines *lines, const char *word)
{
    const int length = count_columns(word);

    if (lines->column > lines->indent && lines->column + 1 + length > WIDTH) {
        fprintf(lines->out, "\n%*s", lines->indent, "");
        lines->column = lines->indent;
    } else if (lines->column > lines->indent) {
        fputc(' ', lines->out);
        lines->column++;
    }
    fputs(word, lines->out);
    lines->column += length;
}

void tool_lines_word(ToolLines *lines, const char *form, ...)
{
    char    word[512], safe[2048];
    va_list values;

    va_start(values, form);
    vsnprintf(word, sizeof word, form, values);
    va_end(values);
    put_word(lines, tool_harmless(word, safe, sizeof safe));
}

void tool_lines_text(ToolLines *lines, const char *text)
{
    while (*text != '\0') {
        const int length = (int)strcspn(text, " \n");

        if (length > 0)
            tool_lines_word(lines, "%.*s", length, text);
        text += length + (text[length] != '\0');
    }
}

const char *tool_harmless(const char *text, char *safe, size_t size)
{
    AmphiText out = { safe, 0, size };

    safe[0] = '\0';
    amphi_text_harmless(&out, text, size);
    return safe;
}

const char *tool_shell_word(const char *word, char *text, size_t size)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "%+,-./:=@_";
    const bool        quoted  = word[0] == '\0' || word[strspn(word, plain)] != '\0';
    AmphiText         out     = { text, 0, size };

    text[0] = '\0';
    amphi_text_put(&out, "'", quoted);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            amphi_text_put(&out, "'\\''", 4);
        else
            amphi_text_put(&out, word, 1);
    amphi_text_put(&out, "'", quoted);
    return text;
}

void tool_lines_end(ToolLines *lines)
{
    fputc('\n', lines->out);
    lines->column = 0;
}
