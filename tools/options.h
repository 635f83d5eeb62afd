/* Command lines: a table of options for each command, one parser, one form of complaint and of
 * help.
 *
 * Options are `--name`, `--name value` or `--name=value`; -o -n -q -v -h are the only letters.
 * Options and arguments may be mixed; everything behind `--` is an argument.
 */
#ifndef AMPHI_TOOLS_OPTIONS_H
#define AMPHI_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../engine/error.h"

enum { TOOL_MOST_OPTIONS = 24 };

typedef struct {
    const char *name;    /* "output" for --output */
    char        letter;  /* one of "onqvh"; 0: none */
    const char *value;   /* what the help calls its value: "DIR"; NULL: a switch */
    const char *choices; /* "single double fixed"; NULL: any text */
    const char *meaning;
} ToolOption;

/* At the end of every table. */
#define TOOL_COMMON_OPTIONS                                                                        \
    { "json", 0, NULL, NULL, "results and errors as JSON lines on standard output" },              \
        { "quiet", 'q', NULL, NULL, "no warnings and no remarks, only errors" },                   \
        { "help", 'h', NULL, NULL, "this text" },                                                  \
    {                                                                                              \
        .name = NULL                                                                               \
    }

typedef struct ToolCall ToolCall;

typedef struct {
    const char       *name;
    const char       *arguments; /* "SYSTEM.xml" in the help */
    const char       *meaning;   /* one line */
    const char       *example[2];
    int               least, most; /* arguments; most -1: any number */
    const ToolOption *option;      /* ends with name NULL; at most TOOL_MOST_OPTIONS */
    AmphiStatus (*run)(const ToolCall *call, AmphiError *err);
} ToolCommand;

struct ToolCall {
    const ToolCommand *command;
    const char        *value[TOOL_MOST_OPTIONS]; /* [option] NULL: not given; "": a switch */
    int                n_arguments;
    char *const       *argument; /* [n_arguments] of argv, borrowed */
    const char        *data_dir; /* holds forcefield/; NULL: there is none */
    FILE              *out;      /* results */
    FILE              *eye;      /* everything for a person */
};

/* Reads argv behind the command's name; argv is reordered in place. AMPHI_BAD_COMMAND with the
 * nearest option, or with what is missing. The counts of arguments are not checked with --help. */
AmphiStatus tool_parse(const ToolCommand *command, int argc, char **argv, ToolCall *call,
                       AmphiError *err);

/* Of an option in the command's own table (anything else is a defect). */
bool        tool_has(const ToolCall *call, const char *name);
const char *tool_value(const ToolCall *call, const char *name); /* NULL: not given */
/* A whole number from 0; AMPHI_BAD_COMMAND when the value is something else. Not given: unchanged.
 */
AmphiStatus tool_whole(const ToolCall *call, const char *name, int64_t *value, AmphiError *err);

void tool_print_help(const ToolCommand *command, FILE *out);

/* Fails with the nearest of the known words: "{what} {word}: {problem}", then what to write. */
AmphiStatus tool_fail_near(AmphiError *err, const char *text, const char *word,
                           const char *const *known, int32_t n_known, const char *all);

#endif
