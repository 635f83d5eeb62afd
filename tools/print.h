/* Text on the terminal: words broken into lines, and names from input made safe to print. */
#ifndef AMPHI_TOOLS_PRINT_H
#define AMPHI_TOOLS_PRINT_H

#include <stdio.h>

typedef struct {
    FILE *out;
    int   indent, column; /* column 0: beginning of a line */
} ToolLines;

/* Begins with "  label          "; words start at column `indent`. The label may be empty. */
ToolLines tool_lines_begin(FILE *out, int indent, const char *label);
/* Adds one word, which is never split, after a space or on a new line. */
void tool_lines_word(ToolLines *lines, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* Adds the words of a text. */
void tool_lines_text(ToolLines *lines, const char *text);
void tool_lines_end(ToolLines *lines);

/* Copies text, from a file, without control characters to safe[size], which is returned. */
const char *tool_harmless(const char *text, char *safe, size_t size);

/* Copies a word as one types it in a shell, in quotes where it needs them, to text[size], which is
 * returned. */
const char *tool_shell_word(const char *word, char *text, size_t size);

#endif
