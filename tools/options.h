/* Command lines: each command has a table of options, from which they are parsed and the help is
 * printed.
 *
 * Options are `--name`, `--name value` or `--name=value`; the only short ones are -o -n -q -v -h.
 * Options and arguments may be mixed; everything after `--` is an argument.
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
    const char *value;   /* name of its value in the help, "DIR"; NULL: a switch */
    const char *choices; /* "single double fixed"; NULL: any text */
    const char *meaning;
} ToolOption;

/* At the end of every table. */
#define TOOL_COMMON_OPTIONS                                                                        \
    { "json", 0, NULL, NULL, "results and errors as JSON lines on standard output" },              \
        { "quiet", 'q', NULL, NULL, "only errors and results: no warnings, no remarks" },          \
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
    FILE              *eye;      /* messages to the user */
};

/* Parses argv after the command's name; argv is reordered in place. AMPHI_BAD_COMMAND: an unknown
 * option (err suggests the nearest), or a missing or extra argument; with --help the number of
 * arguments is not checked. */
AmphiStatus tool_parse(const ToolCommand *command, int argc, char **argv, ToolCall *call,
                       AmphiError *err);

/* The option must be in the command's table. */
bool        tool_has(const ToolCall *call, const char *name);
const char *tool_value(const ToolCall *call, const char *name); /* NULL: not given */
void        tool_set_value(ToolCall *call, const char *name, const char *value); /* borrowed */
/* A whole number >= 0; unchanged if the option is not given. AMPHI_BAD_COMMAND: another value. */
AmphiStatus tool_whole(const ToolCall *call, const char *name, int64_t *value, AmphiError *err);
/* The same of --device, and of --threads, of which there are 4096 at most. */
AmphiStatus tool_device(const ToolCall *call, int32_t *device, AmphiError *err);
AmphiStatus tool_threads(const ToolCall *call, int32_t *threads, AmphiError *err);

/* A time >= `least_ps`, which is 0 or more; unchanged if the option is not given. example: what an
 * error says to write. AMPHI_BAD_COMMAND: another value, with what is wrong about it. */
AmphiStatus tool_time(const ToolCall *call, const char *name, double least_ps, const char *example,
                      double *time_ps, AmphiError *err);

/* A number of bytes with its unit, "8 GB", larger than zero; unchanged if the option is not given.
 * AMPHI_BAD_COMMAND: another value. */
AmphiStatus tool_bytes(const ToolCall *call, const char *name, double *bytes, AmphiError *err);

void tool_print_help(const ToolCommand *command, FILE *out);

/* Fails with AMPHI_BAD_COMMAND: `text`, and then the known word that is nearest to `word`, or `all`
 * if none is near. */
AmphiStatus tool_fail_near(AmphiError *err, const char *text, const char *word,
                           const char *const *known, int32_t n_known, const char *all);

#endif
