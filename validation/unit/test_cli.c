/* The program seen from outside: exit codes, which stream, help, versions, JSON, failing outputs,
 * and where the force fields are found. What commands compute is in test_cli_results.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hundred_waters.h"
#include "json_lines.h"
#include "run_amphi.h"

static const char *const commands[] = { "check",   "evaluate", "run",    "compare", "build",
                                        "convert", "describe", "report", "analyse" };

enum { N_COMMANDS = sizeof commands / sizeof *commands };

static const char faulty[] = "<amphi version=\"1\">\n"
                             "  <forcefield><include href=\"forcefield:elba\"/></forcefield>\n"
                             "  <system>\n"
                             "    <box x=\"3\" y=\"3 nm\" z=\"3 nm\"/>\n"
                             "    <start><fill type=\"watr\" density=\"1 g/cm^3\"/></start>\n"
                             "  </system>\n"
                             "</amphi>\n";

static int count(const char *text, const char *part)
{
    int n = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        n++;
    return n;
}

/* ---- words on the command line ---- */

static void without_a_command_the_usage_goes_to_standard_error(void **state)
{
    const Run *const run = amphi("");
    (void)state;

    check_code(run, 2);
    assert_string_equal(run->out, "");
    check_has(run->eye, "usage: amphi COMMAND");
}

static void help_begins_with_two_examples(void **state)
{
    (void)state;
    for (int k = -1; k < N_COMMANDS; k++) {
        const char *const help = k % 2 == 0 ? "-h" : "--help";
        const Run *const  run  = k < 0 ? amphi("--help") : amphi_form("%s %s", commands[k], help);
        char              start[64] = "    amphi ";

        check_code(run, 0);
        assert_string_equal(run->eye, "");
        if (k >= 0)
            snprintf(start, sizeof start, "    amphi %s", commands[k]);
        assert_int_equal(strncmp(run->out, start, strlen(start)), 0);
        assert_int_equal(strncmp(strchr(run->out, '\n') + 1, start, strlen(start)), 0);
        check_has(run->out, "usage: amphi ");
    }
}

static void help_may_be_asked_for_as_a_command(void **state)
{
    (void)state;
    for (int k = -1; k < N_COMMANDS; k++) {
        const Run *const run  = k < 0 ? amphi("--help") : amphi_form("%s --help", commands[k]);
        char *const      text = strdup(run->out);

        check_code(k < 0 ? amphi("help") : amphi_form("help %s", commands[k]), 0);
        assert_string_equal(run->out, text);
        free(text);
    }
    check_code(amphi("help rum"), 2);
    check_has(amphi("help rum")->eye, "did you mean run?");
    check_code(amphi("help run check"), 2);
}

static void commands_that_do_not_exist_are_neither_listed_nor_taken(void **state)
{
    static const char *const later[] = { "map", "ions", "associate" };
    (void)state;

    for (size_t k = 0; k < sizeof later / sizeof *later; k++) {
        char word[32];

        snprintf(word, sizeof word, "\n  %s ", later[k]);
        assert_int_equal(count(amphi("--help")->out, word), 0);
        check_code(amphi(later[k]), 2);
    }
}

static void an_unknown_command_is_refused_with_the_nearest(void **state)
{
    const Run *const run = amphi("evalute x.xml");
    (void)state;

    check_code(run, 2);
    assert_string_equal(run->out, "");
    check_has(run->eye, "amphi: error: amphi has no command \"evalute\"");
    check_has(run->eye, "did you mean evaluate?");
}

static void an_unknown_option_is_refused_by_every_command(void **state)
{
    (void)state;
    for (int k = 0; k < N_COMMANDS; k++) {
        const Run *run = amphi_form("%s a b --quite", commands[k]);

        check_code(run, 2);
        assert_string_equal(run->out, "");
        check_has(run->eye, "has no option --quite");
        check_has(run->eye, "did you mean --quiet?");

        run = amphi_form("%s a b --quite --json", commands[k]);
        check_code(run, 2);
        assert_string_equal(run->eye, "");
        assert_true(is_json_line(run->out));
        check_has(run->out, "{\"kind\":\"error\",\"exit_code\":2,\"text\":\"");
    }
}

static void missing_arguments_are_told(void **state)
{
    (void)state;
    for (int k = 0; k < N_COMMANDS - 3; k++) { /* describe, report, analyse need none */
        const Run *const run = amphi(commands[k]);

        check_code(run, 2);
        check_has(run->eye, "something is missing");
    }
}

static void the_version_tells_builds_and_libraries(void **state)
{
    const Run *const run = amphi("--version");
    (void)state;

    check_code(run, 0);
    assert_int_equal(strncmp(run->out, "amphi 0.", 8), 0);
    check_has(run->out, "\nprecisions: single double fixed\n");
    check_has(run->out, "reference (double)");
    check_has(run->out, "\ncuda: ");
    check_has(run->out, "libxml2 2.");
    check_has(run->out, "xxHash ");
}

/* ---- faults of the input ---- */

static void every_fault_of_a_file_is_told_at_once(void **state)
{
    const char *const path = write_text("faulty.xml", faulty);
    char              line[AMPHI_PATH_SIZE + 32];
    (void)state;

    for (int k = 0; k < 3; k++) {
        const Run *const run = amphi_form("%s %s", commands[k], path);

        check_code(run, 3);
        assert_string_equal(run->out, "");
        snprintf(line, sizeof line, "%s:4: error: <box", path);
        check_has(run->eye, line);
        snprintf(line, sizeof line, "%s:5: error: <fill", path);
        check_has(run->eye, line);
        check_has(run->eye, "errors; nothing was run.");
        assert_int_equal(count(run->eye, "amphi: error"), 0);
    }
}

static void faults_as_json_carry_id_file_and_line(void **state)
{
    const Run *const run = amphi_form("check --json %s", write_text("faulty.xml", faulty));
    (void)state;

    check_code(run, 3);
    assert_string_equal(run->eye, "");
    assert_true(are_json_lines(run->out));
    check_has(run->out,
              "{\"kind\":\"note\",\"severity\":\"error\",\"id\":\"UNIT_MISSING\",\"file\":");
    check_has(run->out, ",\"line\":4,");
    check_has(run->out, "{\"kind\":\"notes\",\"errors\":");
}

static void a_missing_file_is_a_wrong_input(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const Run *const run = amphi_form("%s %s", commands[k], in_folder("none.xml"));

        check_code(run, 3);
        check_has(run->eye, "none.xml: No such file or directory");
    }
    check_code(amphi_form("convert %s %s", in_folder("none.gro"), in_folder("b.gro")), 3);
}

/* systems/pair.xml is an ion and a dipole: a net charge, which is a warning. */
static void warnings_are_errors_only_when_strict_and_silent_when_quiet(void **state)
{
    const Run *run = amphi("check systems/pair.xml");
    (void)state;

    check_code(run, 0);
    check_has(run->eye, "warning: ");
    check_has(run->out, "An ion and a dipole");

    run = amphi("check systems/pair.xml -q");
    check_code(run, 0);
    assert_string_equal(run->eye, "");

    run = amphi("check systems/pair.xml -q --strict");
    check_code(run, 3);
    assert_string_equal(run->out, "");
    check_has(run->eye, "nothing was run");

    run = amphi("check systems/pair.xml --strict --json");
    check_code(run, 3);
    check_has(run->out, "\"severity\":\"error\",\"id\":\"NET_CHARGE\"");
}

static void check_shows_the_plan_with_its_defaults(void **state)
{
    static const char job[] =
        "<amphi version=\"1\"><forcefield><include "
        "href=\"forcefield:elba\"/></forcefield><system><start>" HUNDRED_WATERS
        "<velocities temperature=\"298 K\" seed=\"1\"/></start>"
        "<group name=\"some\" select=\"bead water18\"/></system>"
        "<interactions><cutoff distance=\"0.6 nm\"/></interactions>"
        "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"20\"/>"
        "<run name=\"free\" ensemble=\"nve\" length=\"1 ps\"/>"
        "<run name=\"noise\" ensemble=\"nvt\" length=\"1 ps\" timestep=\"2 fs\">"
        "<thermostat type=\"langevin\" temperature=\"298 K\" groups=\"some\"/>"
        "<restrain group=\"some\" axes=\"xz\" k=\"5 kJ/mol/nm^2\"/></run>"
        "<run name=\"pressed\" ensemble=\"npt\" length=\"1 ps\">"
        "<thermostat temperature=\"303 K\" every=\"1\" remove-drift=\"yes\"/>"
        "<barostat tension=\"40 mN/m\"/></run></plan><output><energies every=\"0.1 "
        "ps\"/></output></amphi>";
    const Run *const run = amphi_form("check %s -q", write_text("plan.xml", job));
    (void)state;

    check_code(run, 0);
#define BELOW "                  "
    check_has(
        run->out,
        "\nthe plan\n"
        "  relax           minimise: at most 20 steps, until no force is above 100 kJ/mol/nm\n"
        "  free            nve: 1 ps, 200 steps of 5 fs\n"
        "  noise           nvt: 1 ps, 500 steps of 2 fs\n" BELOW
        "thermostat langevin: 298 K, time 1 ps, every step, of some\n" BELOW
        "restraint of some along xz: 5 kJ/mol/nm^2\n"
        "  pressed         npt: 1 ps, 200 steps of 5 fs\n" BELOW
        "thermostat velocity-rescale: 303 K, time 1 ps, every step, without drift,\n" BELOW
        "of all\n" BELOW
        "barostat cell-rescale: semi-isotropic, 1 bar, tension 40 mN/m, time 2 ps,\n" BELOW
        "every 10 steps, compressibility 4.6e-05 1/bar\n\n");
#undef BELOW
}

/* systems/pair.xml is two beads and two molecules, 600 bytes each: 2.4 kB. */
static void a_system_that_needs_more_memory_than_it_may_is_refused(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        const Run *run = amphi_form("%s systems/pair.xml --max-memory 2kB", commands[k]);

        check_code(run, 3);
        check_has(run->eye, "error: 4 beads, bonds and molecules need about ");
        check_has(run->eye, "write fewer molecules, or a larger --max-memory");
        run = amphi_form("%s systems/pair.xml --max-memory 2", commands[k]);
        check_code(run, 2);
        assert_string_equal(run->out, "");
        check_has(run->eye, "write: --max-memory 8GB");
    }
    check_code(amphi("check systems/pair.xml --max-memory 3kB"), 0);
    check_code(amphi("report --max-memory much"), 2);
    check_has(amphi("check --help")->out, "--max-memory SIZE");
}

/* ---- outputs that fail ---- */

static const char *const talkative[] = { "--help",
                                         "--version",
                                         "describe --all",
                                         "describe --xsd amphi",
                                         "check systems/pair.xml",
                                         "evaluate systems/pair.xml --json" };

static void a_full_standard_output_is_a_failure(void **state)
{
    static Run run;
    (void)state;

    for (size_t k = 0; k < sizeof talkative / sizeof *talkative; k++) {
        run_program(&run, find_program(), talkative[k], "/dev/full", -1);
        check_code(&run, 4);
        check_has(run.eye, "amphi: error: ");
    }
}

static void a_closed_pipe_is_a_failure_and_not_a_signal(void **state)
{
    static Run run;
    (void)state;

    for (size_t k = 0; k < sizeof talkative / sizeof *talkative; k++) {
        int ends[2];

        assert_int_equal(pipe(ends), 0);
        close(ends[0]);
        run_program(&run, find_program(), talkative[k], NULL, ends[1]);
        close(ends[1]);
        check_code(&run, 4);
    }
}

static void nothing_is_coloured(void **state)
{
    static const char *const lines[] = { "--help", "check systems/pair.xml", "evalute",
                                         "describe box" };
    (void)state;

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        const Run *const run = amphi(lines[k]);

        assert_null(strchr(run->out, '\x1b'));
        assert_null(strchr(run->eye, '\x1b'));
    }
}

/* ---- where the force fields are ---- */

static void copy_program(const char *to)
{
    char        bytes[65536];
    size_t      n   = 0;
    FILE *const in  = fopen(find_program(), "rb");
    FILE *const out = fopen(to, "wb");

    assert_non_null(in);
    assert_non_null(out);
    while ((n = fread(bytes, 1, sizeof bytes, in)) > 0)
        assert_int_equal(fwrite(bytes, 1, n, out), n);
    fclose(in);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(chmod(to, 0755), 0);
}

static const char needs_elba[] = "<amphi version=\"1\">\n"
                                 "  <forcefield><include href=\"forcefield:elba\"/></forcefield>\n"
                                 "  <system>\n"
                                 "    <box x=\"3 nm\" y=\"3 nm\" z=\"3 nm\"/>\n"
                                 "    <start><fill type=\"water\" count=\"20\"/></start>\n"
                                 "  </system>\n"
                                 "</amphi>\n";

/* The program in FOLDER/place; the force fields, if any, where `data` says. */
static int check_from(const char *place, const char *data)
{
    static Run  run;
    char        line[AMPHI_PATH_SIZE + 16], real[AMPHI_PATH_SIZE];
    const char *program = NULL;

    mkdir(in_folder("tree"), 0777);
    mkdir(in_folder("tree/bin"), 0777);
    mkdir(in_folder("tree/share"), 0777);
    mkdir(in_folder("tree/share/amphi"), 0777);
    program = in_folder(place);
    copy_program(program);
    if (data != NULL) {
        assert_non_null(realpath("forcefield", real));
        assert_int_equal(symlink(real, in_folder(data)), 0);
    }
    snprintf(line, sizeof line, "check -q %s", write_text("needs.xml", needs_elba));
    run_program(&run, program, line, NULL, -1);
    if (data != NULL)
        assert_int_equal(unlink(in_folder(data)), 0);
    unlink(program);
    if (run.code != 0)
        check_has(run.eye, "AMPHI_DATA may name the folder that holds forcefield/");
    return run.code;
}

static void force_fields_are_found_beside_the_program(void **state)
{
    const char *const before = getenv("AMPHI_DATA");
    char              kept[AMPHI_PATH_SIZE];
    (void)state;

    snprintf(kept, sizeof kept, "%s", before != NULL ? before : ".");
    unsetenv("AMPHI_DATA");
    assert_int_equal(check_from("tree/bin/amphi", "tree/bin/forcefield"), 0);
    assert_int_equal(check_from("tree/bin/amphi", "tree/forcefield"), 0);
    assert_int_equal(check_from("tree/bin/amphi", "tree/share/amphi/forcefield"), 0);
    /* as of build/host/amphi, and one folder deeper */
    assert_int_equal(check_from("tree/share/amphi/amphi", "tree/forcefield"), 0);
    assert_int_equal(check_from("tree/share/amphi/amphi", "forcefield"), 0);
    assert_int_equal(check_from("tree/bin/amphi", NULL), 3);
    setenv("AMPHI_DATA", kept, 1);
    assert_int_equal(check_from("tree/bin/amphi", NULL), 0);
}

static void a_wrong_data_folder_is_told(void **state)
{
    char kept[AMPHI_PATH_SIZE];
    (void)state;

    snprintf(kept, sizeof kept, "%s", getenv("AMPHI_DATA"));
    setenv("AMPHI_DATA", "/nowhere", 1);
    const Run *const run = amphi("check systems/pair.xml");
    setenv("AMPHI_DATA", kept, 1);
    check_code(run, 2);
    check_has(run->eye, "AMPHI_DATA=/nowhere: no folder forcefield/ in it");
}

/* ---- the judges themselves ---- */

static void the_runner_tells_codes_signals_and_streams_apart(void **state)
{
    static Run run;
    (void)state;

    write_text("fails.sh", "echo one; echo two >&2; exit 5\n");
    write_text("dies.sh", "kill -TERM $$\n");
    run_program(&run, "/bin/sh", in_folder("fails.sh"), NULL, -1);
    assert_int_equal(run.code, 5);
    assert_string_equal(run.out, "one\n");
    assert_string_equal(run.eye, "two\n");
    run_program(&run, "/bin/sh", in_folder("dies.sh"), NULL, -1);
    assert_int_equal(run.code, -1);
}

/* The makefile says where the data are; by hand it is the present folder. */
static int prepare(void **state)
{
    setenv("AMPHI_DATA", ".", 0);
    return make_run_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_command_the_usage_goes_to_standard_error),
        cmocka_unit_test(help_begins_with_two_examples),
        cmocka_unit_test(help_may_be_asked_for_as_a_command),
        cmocka_unit_test(commands_that_do_not_exist_are_neither_listed_nor_taken),
        cmocka_unit_test(an_unknown_command_is_refused_with_the_nearest),
        cmocka_unit_test(an_unknown_option_is_refused_by_every_command),
        cmocka_unit_test(missing_arguments_are_told),
        cmocka_unit_test(the_version_tells_builds_and_libraries),
        cmocka_unit_test(every_fault_of_a_file_is_told_at_once),
        cmocka_unit_test(faults_as_json_carry_id_file_and_line),
        cmocka_unit_test(a_missing_file_is_a_wrong_input),
        cmocka_unit_test(warnings_are_errors_only_when_strict_and_silent_when_quiet),
        cmocka_unit_test(check_shows_the_plan_with_its_defaults),
        cmocka_unit_test(a_system_that_needs_more_memory_than_it_may_is_refused),
        cmocka_unit_test(a_full_standard_output_is_a_failure),
        cmocka_unit_test(a_closed_pipe_is_a_failure_and_not_a_signal),
        cmocka_unit_test(nothing_is_coloured),
        cmocka_unit_test(force_fields_are_found_beside_the_program),
        cmocka_unit_test(a_wrong_data_folder_is_told),
        cmocka_unit_test(the_runner_tells_codes_signals_and_streams_apart),
    };

    return cmocka_run_group_tests(tests, prepare, remove_run_folder);
}
