/* The program: the table of commands, where its data are, and exit codes. Results go to standard
 * output, which is checked at the end; everything for a person goes to standard error, without
 * colours.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "../engine/backend.h"
#include "../engine/version.h"
#include "../engine/xml.h"
#include "command.h"

#define STRICT_OPTION                                                                              \
    {                                                                                              \
        "strict", 0, NULL, NULL, "warnings count as errors"                                        \
    }

static const ToolOption check_options[] = {
    STRICT_OPTION,
    { "verbose", 'v', NULL, NULL, "every pair of bead types on its own line, with its numbers" },
    TOOL_COMMON_OPTIONS
};
static const ToolOption evaluate_options[] = {
    { "output", 'o', "DIR", NULL, "write energies.tsv, pressure.tsv and forces.tsv into DIR" },
    { "backend", 0, "NAME", NULL, "who computes; default: reference" },
    { "precision", 0, "NAME", "single double fixed", "default: double" },
    STRICT_OPTION,
    TOOL_COMMON_OPTIONS
};
static const ToolOption run_options[] = {
    { "output", 'o', "DIR", NULL, "run directory; default: the name of the system file with .run" },
    { "steps", 'n', "STEPS", NULL, "length of the whole run, from step 0; default: the plan's" },
    { "until", 0, "TIME", NULL, "the same as simulated time: 50ns" },
    { "max-hours", 0, "H", NULL, "save and stop in time for the queue" },
    { "checkpoint-every", 0, "T", NULL, "time on the clock, 5min, or 10000steps" },
    { "precision", 0, "NAME", "single double fixed", "default: that of <compute>" },
    { "backend", 0, "NAME", NULL, "who computes; default: that of <compute>" },
    { "threads", 0, "N", NULL, "default: that of <compute>" },
    { "fresh", 0, NULL, NULL, "throw away an earlier run in DIR" },
    { "yes", 0, NULL, NULL, "do not ask about that" },
    { "dry-run", 0, NULL, NULL, "set up, estimate memory and time, and stop" },
    { "picture", 0, NULL, NULL, "also final.png, by the ray tracer tachyon" },
    STRICT_OPTION,
    TOOL_COMMON_OPTIONS
};
static const ToolOption build_options[] = {
    { "output", 'o', "DIR", NULL, "where to; default: the name of the system file with .start" },
    { "picture", 0, NULL, NULL, "also start.png, by the ray tracer tachyon" },
    STRICT_OPTION,
    TOOL_COMMON_OPTIONS
};
static const ToolOption convert_options[] = {
    { "topology", 0, "T", NULL, "a file that has what A has not: names, masses, bonds" },
    { "frame", 0, "N", NULL, "of a trajectory, from 0, or last; default: all, or the first" },
    { "from", 0, "FORMAT", NULL, "of A; default: by its ending" },
    { "to", 0, "FORMAT", NULL, "of B; default: by its ending" },
    TOOL_COMMON_OPTIONS
};
static const ToolOption describe_options[] = {
    { "all", 0, NULL, NULL, "everything" },
    { "xsd", 0, "ROOT", "amphi forcefield", "the XML schema of system files or of force fields" },
    TOOL_COMMON_OPTIONS
};

static const ToolCommand commands[] = {
    { "check",
      "SYSTEM.xml",
      "Reads a system, and says everything that is wrong or what holds. Runs nothing.",
      { "amphi check bilayer.xml", "amphi check bilayer.xml --strict -v" },
      1,
      1,
      check_options,
      cmd_check },
    { "evaluate",
      "SYSTEM.xml",
      "Energies by term, the pressure, and the force and torque on every bead.",
      { "amphi evaluate bilayer.xml", "amphi evaluate bilayer.xml -o forces" },
      1,
      1,
      evaluate_options,
      cmd_evaluate },
    { "run",
      "SYSTEM.xml",
      "Runs the plan of a system, or goes on where it stopped.",
      { "amphi run bilayer.xml",
        "amphi run bilayer.xml -o long.run --until 200ns --max-hours 23.5" },
      1,
      1,
      run_options,
      cmd_run },
    { "build",
      "SYSTEM.xml",
      "Makes the start that <bilayer> or <fill> describes, and writes it for other programs.",
      { "amphi build bilayer.xml", "amphi build bilayer.xml -o start --picture" },
      1,
      1,
      build_options,
      cmd_build },
    { "convert",
      "A B",
      "Coordinates from one format to another.",
      { "amphi convert start.gro start.pdb",
        "amphi convert run.dcd last.gro --topology run.psf --frame 10" },
      2,
      2,
      convert_options,
      cmd_convert },
    { "describe",
      "[NAME...]",
      "The reference: elements, potentials, treatments, units, files, exit codes, messages.",
      { "amphi describe", "amphi describe bilayer lennard-jones length" },
      0,
      -1,
      describe_options,
      cmd_describe },
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void print_usage(FILE *out)
{
    fprintf(out, "    amphi check bilayer.xml\n    amphi evaluate bilayer.xml -o forces\n\n"
                 "usage: amphi COMMAND ... [options]     (amphi COMMAND --help)\n\n");
    for (int k = 0; k < N_COMMANDS; k++)
        fprintf(out, "  %-10s %-12s %s\n", commands[k].name, commands[k].arguments,
                commands[k].meaning);
    fprintf(out, "\n  --version  versions, builds and backends\n  --help     this text\n");
}

static void print_version(FILE *out)
{
    const AmphiBackend *b        = NULL;
    bool                has_cuda = false;
    const unsigned      xxhash   = XXH_versionNumber();

    fprintf(out, "amphi %s\nprecisions:", AMPHI_VERSION);
    for (int p = 0; p < AMPHI_PRECISIONS; p++)
        fprintf(out, " %s", amphi_precision_name((AmphiPrecision)p));
    fprintf(out, "\nbackends:");
    for (int32_t k = 0; (b = amphi_backend_at(k)) != NULL; k++) {
        fprintf(out, "%s %s (%s)", k > 0 ? "," : "", b->name, amphi_precision_name(b->precision));
        has_cuda |= strcmp(b->name, "cuda") == 0;
    }
    fprintf(out, "\ncuda: %s\n", has_cuda ? "yes" : "no");
    fprintf(out, "libraries: libxml2 %s, xxHash %u.%u.%u\n", amphi_xml_version(), xxhash / 10000,
            xxhash / 100 % 100, xxhash % 100);
    fprintf(out, "compiler: %s\n", __VERSION__);
}

static const ToolCommand *find_command(const char *name)
{
    for (int k = 0; k < N_COMMANDS; k++)
        if (strcmp(commands[k].name, name) == 0)
            return &commands[k];
    return NULL;
}

static AmphiStatus fail_command(const char *name, AmphiError *err)
{
    const char *known[N_COMMANDS];
    char        text[160];

    for (int k = 0; k < N_COMMANDS; k++)
        known[k] = commands[k].name;
    snprintf(text, sizeof text, "amphi has no command \"%.80s\"", name);
    return tool_fail_near(err, text, name, known, N_COMMANDS, "(`amphi --help` lists them)");
}

/* The file of this program; without /proc: nothing, and then AMPHI_DATA tells where the data are. */
static void find_program(char path[TOOL_PATH_SIZE])
{
    const ssize_t n = readlink("/proc/self/exe", path, TOOL_PATH_SIZE - 1);

    path[n > 0 ? n : 0] = '\0';
}

static AmphiStatus run_command(const ToolCommand *command, int argc, char **argv, AmphiError *err)
{
    char     program[TOOL_PATH_SIZE], data[TOOL_PATH_SIZE];
    ToolCall call = { .out = stdout, .eye = stderr };

    AMPHI_TRY(tool_parse(command, argc, argv, &call, err));
    if (tool_has(&call, "help")) {
        tool_print_help(command, stdout);
        return AMPHI_OK;
    }
    find_program(program);
    AMPHI_TRY(tool_find_data(program, data, err));
    call.data_dir = data[0] != '\0' ? data : NULL;
    return command->run(&call, err);
}

static AmphiStatus run(int argc, char **argv, AmphiError *err)
{
    if (argc < 2) {
        print_usage(stderr);
        return AMPHI_BAD_COMMAND;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_usage(stdout);
        return AMPHI_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        print_version(stdout);
        return AMPHI_OK;
    }
    const ToolCommand *const command = find_command(argv[1]);
    return command != NULL ? run_command(command, argc - 2, argv + 2, err)
                           : fail_command(argv[1], err);
}

/* Asked before the command line is parsed, for that may fail. */
static bool wants_json(int argc, char **argv)
{
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++)
        if (strcmp(argv[k], "--json") == 0)
            return true;
    return false;
}

static void show_failure(const AmphiError *err, AmphiStatus status, bool as_json)
{
    if (err->text[0] == '\0')
        return;
    if (!as_json) {
        fprintf(stderr, "amphi: error: %s\n", err->text);
        return;
    }
    ToolJson json = tool_json_begin(stdout, "error");
    tool_json_whole(&json, "exit_code", amphi_exit_code(status));
    tool_json_text(&json, "text", err->text);
    tool_json_end(&json);
}

/* A result that did not arrive is no result, whatever the command says. */
static AmphiStatus check_output(AmphiStatus status)
{
    const bool was_lost = ferror(stdout) != 0;

    errno = 0;
    if (fflush(stdout) == 0 && !was_lost)
        return status;
    fprintf(stderr, "amphi: error: standard output: %s\n",
            errno != 0 ? strerror(errno) : "a write failed");
    return AMPHI_BAD_FILE;
}

int main(int argc, char **argv)
{
    AmphiError err = { .status = AMPHI_OK };

    /* a closed pipe is a failed write, not a silent end */
    signal(SIGPIPE, SIG_IGN);
    const bool        as_json = wants_json(argc, argv); /* parsing reorders argv */
    const AmphiStatus status  = run(argc, argv, &err);
    show_failure(&err, status, as_json);
    return amphi_exit_code(check_output(status));
}
