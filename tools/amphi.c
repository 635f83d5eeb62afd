/* The program: dispatches commands, finds its data, and sets the exit code. Results are written to
 * standard output, which is checked for errors at the end, messages to standard error.
 */
#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "../engine/backend.h"
#include "../engine/version.h"
#include "../engine/xml.h"
#include "command.h"
#include "commands.h"

static void print_usage(FILE *out)
{
    const ToolCommand *c = NULL;

    fprintf(out, "    amphi check bilayer.xml\n    amphi run bilayer.xml\n\n"
                 "usage: amphi COMMAND ... [options]     (amphi COMMAND --help)\n\n");
    for (int k = 0; (c = tool_command_at(k)) != NULL; k++)
        fprintf(out, "  %-10s %-12s %s\n", c->name, c->arguments, c->meaning);
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
    fprintf(out, "libraries: libxml2 %s, xxHash %u.%u.%u, %s\n", amphi_xml_version(),
            xxhash / 10000, xxhash / 100 % 100, xxhash % 100, OpenSSL_version(OPENSSL_VERSION));
    fprintf(out, "compiler: %s\n", __VERSION__);
}

static const ToolCommand *find_command(const char *name)
{
    const ToolCommand *c = NULL;

    for (int k = 0; (c = tool_command_at(k)) != NULL; k++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

enum { MOST_COMMANDS = 32 };

static AmphiStatus fail_command(const char *name, AmphiError *err)
{
    const char *known[MOST_COMMANDS];
    char        text[160];
    int32_t     n = 0;

    for (; n < MOST_COMMANDS && tool_command_at(n) != NULL; n++)
        known[n] = tool_command_at(n)->name;
    snprintf(text, sizeof text, "amphi has no command \"%.80s\"", name);
    return tool_fail_near(err, text, name, known, n, "(`amphi --help` lists them)");
}

/* The path of this program; "" without /proc, where AMPHI_DATA must say where the data are. */
static void find_program(char path[AMPHI_PATH_SIZE])
{
    const ssize_t n = readlink("/proc/self/exe", path, AMPHI_PATH_SIZE - 1);

    path[n > 0 ? n : 0] = '\0';
}

static AmphiStatus run_command(const ToolCommand *command, int argc, char **argv, AmphiError *err)
{
    char     program[AMPHI_PATH_SIZE], data[AMPHI_PATH_SIZE];
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

/* `amphi help`, and `amphi help run` for `amphi run --help`. */
static AmphiStatus show_help(int argc, char **argv, AmphiError *err)
{
    const ToolCommand *const command = argc > 2 ? find_command(argv[2]) : NULL;

    if (argc > 3)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "amphi help: \"%.80s\" is one argument too many\n"
                          "    write: amphi help COMMAND",
                          argv[3]);
    if (argc > 2 && command == NULL)
        return fail_command(argv[2], err);
    if (command != NULL)
        tool_print_help(command, stdout);
    else
        print_usage(stdout);
    return AMPHI_OK;
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
    if (strcmp(argv[1], "help") == 0)
        return show_help(argc, argv, err);
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

/* Threads that wait for others are to give their processor away soon, or a run is slow where other
 * programs are at work (validation/bench/README.md). The OpenMP library reads how long they may
 * wait when it is loaded, so the program begins once more. Whoever has said it is heeded, and who
 * binds threads to processors: the library has bound the first one by now, and a program that
 * begins again would have that one's processor alone. Where it cannot begin again, it goes on as it
 * is. */
static void begin_calmly(int argc, char **argv)
{
#ifdef __clang__
    static const char wait[] = "KMP_BLOCKTIME", most[] = "0"; /* ms */
#else
    static const char wait[] = "GOMP_SPINCOUNT", most[] = "1000"; /* some 40 us */
#endif
    const char *const heeded[] = { wait, "OMP_WAIT_POLICY", "OMP_PROC_BIND", "OMP_PLACES",
                                   "GOMP_CPU_AFFINITY" };
    bool begins = argc > 1 && (strcmp(argv[1], "run") == 0 || strcmp(argv[1], "compare") == 0);

    for (size_t k = 0; k < sizeof heeded / sizeof *heeded; k++)
        begins = begins && getenv(heeded[k]) == NULL;
    if (begins && setenv(wait, most, 0) == 0)
        (void)execv("/proc/self/exe", argv);
}

/* A file that is opened takes the place of whichever of these is closed, and messages would be
 * written into it. Before anything else is opened. */
static void open_standard_streams(void)
{
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", stream == 0 ? O_RDONLY : O_WRONLY); /* the lowest: this one */
}

int main(int argc, char **argv)
{
    AmphiError err = { .status = AMPHI_OK };

    open_standard_streams();
    begin_calmly(argc, argv);
    /* a closed pipe, and a file that may not grow, are failed writes, not silent ends */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    const bool        as_json = wants_json(argc, argv); /* parsing reorders argv */
    const AmphiStatus status  = run(argc, argv, &err);
    show_failure(&err, status, as_json);
    return amphi_exit_code(check_output(status));
}
