/* Text for people: lists of words, broken into lines, and names from input made safe to show. */
#ifndef AMPHI_TOOLS_PRINT_H
#define AMPHI_TOOLS_PRINT_H

#include <stdio.h>

typedef struct {
    FILE *out;
    int   indent, column; /* column 0: at the beginning of a line */
} ToolLines;

/* "  label          " and then words from `indent` on; an empty label: only the blanks. */
ToolLines tool_lines_begin(FILE *out, int indent, const char *label);
/* One word, which is never broken, behind a blank or on a new line. */
void tool_lines_word(ToolLines *lines, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* Every word of a text. */
void tool_lines_text(ToolLines *lines, const char *text);
void tool_lines_end(ToolLines *lines);

/* Without control characters, for titles and names out of files. Into safe[size]; gives it back. */
const char *tool_harmless(const char *text, char *safe, size_t size);

#endif
