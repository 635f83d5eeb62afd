/* Reads command lines by their table, and prints the table as help. */
#include "options.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/backend.h"
#include "../engine/schema.h"
#include "../engine/units.h"

static int count_options(const ToolCommand *command)
{
    int n = 0;

    while (command->option[n].name != NULL)
        n++;
    assert(n <= TOOL_MOST_OPTIONS);
    return n;
}

AmphiStatus tool_fail_near(AmphiError *err, const char *text, const char *word,
                           const char *const *known, int32_t n_known, const char *all)
{
    const char *const near = amphi_nearest(word, known, n_known);

    if (near != NULL)
        return amphi_fail(err, AMPHI_BAD_COMMAND, "%s\n    did you mean %s?   %s", text, near, all);
    return amphi_fail(err, AMPHI_BAD_COMMAND, "%s\n    %s", text, all);
}

/* Long names are written with both dashes in every message. */
static AmphiStatus fail_unknown(const ToolCommand *command, const char *given, AmphiError *err)
{
    char        names[TOOL_MOST_OPTIONS][40], word[64], text[160], all[80];
    const char *known[TOOL_MOST_OPTIONS];
    const int   n = count_options(command);

    for (int k = 0; k < n; k++) {
        snprintf(names[k], sizeof names[k], "--%s", command->option[k].name);
        known[k] = names[k];
    }
    snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
    snprintf(text, sizeof text, "amphi %s has no option %s", command->name, word);
    snprintf(all, sizeof all, "(`amphi %s --help` lists them)", command->name);
    return tool_fail_near(err, text, word, known, n, all);
}

/* The place of an option in the table; -1: none. `-o` or `--output` or `--output=...`. */
static int find_option(const ToolCommand *command, const char *given)
{
    const int n = count_options(command);

    if (given[1] != '-') {
        for (int k = 0; k < n; k++)
            if (given[1] != '\0' && given[2] == '\0' && command->option[k].letter == given[1])
                return k;
        return -1;
    }
    const size_t length = strcspn(given + 2, "=");
    for (int k = 0; k < n; k++)
        if (strlen(command->option[k].name) == length &&
            memcmp(command->option[k].name, given + 2, length) == 0)
            return k;
    return -1;
}

/* Takes the option at argv[*at]; *at ends on its last word. */
static AmphiStatus take_option(ToolCall *call, int argc, char **argv, int *at, AmphiError *err)
{
    const char *const given = argv[*at];
    const int         k     = find_option(call->command, given);

    if (k < 0)
        return fail_unknown(call->command, given, err);

    const ToolOption *const option = &call->command->option[k];
    const char *const       equals = given[1] == '-' ? strchr(given, '=') : NULL;
    const char             *value  = "";

    if (call->value[k] != NULL)
        return amphi_fail(err, AMPHI_BAD_COMMAND, "--%s is given twice", option->name);
    if (option->value == NULL && equals != NULL)
        return amphi_fail(err, AMPHI_BAD_COMMAND, "--%s takes no value", option->name);
    if (option->value != NULL) {
        value = equals != NULL ? equals + 1 : *at + 1 < argc ? argv[++*at] : "";
        if (*value == '\0')
            return amphi_fail(err, AMPHI_BAD_COMMAND,
                              "--%s needs a value\n    write: --%s %s     (%s)", option->name,
                              option->name, option->value, option->meaning);
    }
    if (strcmp(option->name, "output") == 0 && strcmp(value, "-") == 0)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--output -: - is no %s\n    write: the name of one",
                          strcmp(option->value, "DIR") == 0 ? "folder" : "file");
    if (option->choices != NULL && !amphi_schema_is_word(option->choices, value))
        return amphi_fail(err, AMPHI_BAD_COMMAND, "--%s %s: not one of its values\n    write: %s",
                          option->name, value, option->choices);
    call->value[k] = value;
    return AMPHI_OK;
}

static AmphiStatus check_count(const ToolCall *call, AmphiError *err)
{
    const ToolCommand *const command = call->command;

    if (call->n_arguments < command->least)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "amphi %s: something is missing\n    write: amphi %s %s", command->name,
                          command->name, command->arguments);
    if (command->most >= 0 && call->n_arguments > command->most)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "amphi %s: \"%s\" is one argument too many\n    write: amphi %s %s",
                          command->name, call->argument[command->most], command->name,
                          command->arguments);
    return AMPHI_OK;
}

AmphiStatus tool_parse(const ToolCommand *command, int argc, char **argv, ToolCall *call,
                       AmphiError *err)
{
    bool options_end = false;
    int  n           = 0;

    call->command     = command;
    call->n_arguments = 0;
    call->argument    = argv;
    for (int k = 0; k < argc; k++) {
        const bool is_option = !options_end && argv[k][0] == '-' && argv[k][1] != '\0';

        if (is_option && strcmp(argv[k], "--") == 0)
            options_end = true;
        else if (is_option)
            AMPHI_TRY(take_option(call, argc, argv, &k, err));
        else
            argv[n++] = argv[k];
    }
    call->n_arguments = n;
    return tool_has(call, "help") ? AMPHI_OK : check_count(call, err);
}

static int place_of(const ToolCall *call, const char *name)
{
    int k = 0;

    while (call->command->option[k].name != NULL &&
           strcmp(call->command->option[k].name, name) != 0)
        k++;
    assert(call->command->option[k].name != NULL && "not in the table of the command");
    return k;
}

const char *tool_value(const ToolCall *call, const char *name)
{
    return call->value[place_of(call, name)];
}

void tool_set_value(ToolCall *call, const char *name, const char *value)
{
    call->value[place_of(call, name)] = value;
}

bool tool_has(const ToolCall *call, const char *name)
{
    return tool_value(call, name) != NULL;
}

/* 1e6, as files may have it; *end is left where it is for what is not whole or not exact. */
static long long whole_of(const char *text, char **end)
{
    char        *behind = NULL;
    const double read   = strtod(text, &behind);

    if (read == floor(read) && read <= 9007199254740992.0)
        *end = behind;
    return (long long)fmin(read, 9007199254740992.0);
}

AmphiStatus tool_whole(const ToolCall *call, const char *name, int64_t *value, AmphiError *err)
{
    const char *const text = tool_value(call, name);
    char             *end  = NULL;

    if (text == NULL)
        return AMPHI_OK;
    errno          = 0;
    long long read = strtoll(text, &end, 10);
    if (*end == 'e' || *end == 'E')
        read = whole_of(text, &end);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--%s %s: a whole number is wanted, 0 or larger\n    write: --%s 1", name,
                          text, name);
    *value = read;
    return AMPHI_OK;
}

AmphiStatus tool_device(const ToolCall *call, int32_t *device, AmphiError *err)
{
    int64_t number = *device;

    AMPHI_TRY(tool_whole(call, "device", &number, err));
    *device = number > INT32_MAX ? INT32_MAX : (int32_t)number;
    return AMPHI_OK;
}

AmphiStatus tool_threads(const ToolCall *call, int32_t *threads, AmphiError *err)
{
    const int64_t most   = AMPHI_MOST_THREADS;
    int64_t       number = *threads;

    AMPHI_TRY(tool_whole(call, "threads", &number, err));
    if (number == 0 && tool_has(call, "threads"))
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--threads 0: must be above zero\n    write: --threads 2");
    if (number > most)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--threads %.80s: %d at most\n    write: --threads 2",
                          tool_value(call, "threads"), (int)most);
    *threads = (int32_t)number;
    return AMPHI_OK;
}

static const char *time_fault(AmphiUnitFault fault)
{
    switch (fault) {
    case AMPHI_UNIT_MISSING:
        return "a time has a unit";
    case AMPHI_UNIT_UNKNOWN:
        return "there is no such unit";
    case AMPHI_UNIT_WRONG:
        return "that is no time";
    default:
        return "a time begins with a number";
    }
}

AmphiStatus tool_time(const ToolCall *call, const char *name, double least_ps, const char *example,
                      double *time_ps, AmphiError *err)
{
    const char *const text  = tool_value(call, name);
    double            value = 0;

    if (text == NULL)
        return AMPHI_OK;

    const AmphiUnitFault fault = amphi_units_parse(text, AMPHI_DIM_TIME, &value);

    if (fault != AMPHI_UNIT_OK || !(value >= least_ps))
        return amphi_fail(err, AMPHI_BAD_COMMAND, "--%s %.80s: %s\n    write: --%s %s", name, text,
                          fault != AMPHI_UNIT_OK ? time_fault(fault) : "too short", name, example);
    *time_ps = value;
    return AMPHI_OK;
}

/* Reads "8 GB", "1.5e3MB"; false: no number, or no unit of bytes behind it. */
static bool read_bytes(const char *text, double *bytes)
{
    static const struct {
        const char *name;
        double      bytes;
    } unit[] = { { "kB", 1e3 },     { "MB", 1e6 },     { "GB", 1e9 },     { "TB", 1e12 },
                 { "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 }, { "TiB", 0x1p40 } };
    char   number[40];
    double value = 0;
    size_t end   = strlen(text);

    while (end > 0 && isalpha((unsigned char)text[end - 1]))
        end--;

    const char *const behind = text + end;
    while (end > 0 && text[end - 1] == ' ')
        end--;
    if (end >= sizeof number)
        return false;
    memcpy(number, text, end);
    number[end] = '\0';
    if (!amphi_units_number(number, &value))
        return false;
    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++)
        if (strcmp(unit[k].name, behind) == 0) {
            *bytes = value * unit[k].bytes;
            return true;
        }
    return false;
}

AmphiStatus tool_bytes(const ToolCall *call, const char *name, double *bytes, AmphiError *err)
{
    const char *const text = tool_value(call, name);
    double            read = 0;

    if (text == NULL)
        return AMPHI_OK;
    if (!read_bytes(text, &read) || !(read > 0) || !isfinite(read))
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--%s %.80s: a size larger than 0 is wanted, with its unit\n"
                          "    write: --%s 8GB     (known: kB MB GB TB KiB MiB GiB TiB)",
                          name, text, name);
    *bytes = read;
    return AMPHI_OK;
}

void tool_print_help(const ToolCommand *command, FILE *out)
{
    for (int k = 0; k < 2; k++)
        fprintf(out, "    %s\n", command->example[k]);
    fprintf(out, "\n%s\n\nusage: amphi %s %s [options]\n\n", command->meaning, command->name,
            command->arguments);
    for (const ToolOption *o = command->option; o->name != NULL; o++) {
        char left[60];

        snprintf(left, sizeof left, "%s%c%s--%s%s%s", o->letter != '\0' ? "-" : " ",
                 o->letter != '\0' ? o->letter : ' ', o->letter != '\0' ? ", " : "  ", o->name,
                 o->value != NULL ? " " : "", o->value != NULL ? o->value : "");
        fprintf(out, "  %-26s %s\n", left, o->meaning);
        if (o->choices != NULL)
            fprintf(out, "  %-26s one of: %s\n", "", o->choices);
    }
}
