/* `amphi compare` as a user runs it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <time.h>

#include "hundred_waters.h"
#include "json_lines.h"
#include "run_amphi.h"

#define SYSTEM(plan)                                                                               \
    WATERS_JOB plan "<output><checkpoint every=\"1 h\"/></output>\n"                               \
                    "<compute threads=\"1\"/>\n"                                                   \
                    "</amphi>\n"
#define PLAN                                                                                       \
    "<plan timestep=\"5 fs\">\n"                                                                   \
    "<minimise name=\"relax\" steps=\"20\"/>\n"                                                    \
    "<run name=\"warm\" ensemble=\"nvt\" length=\"0.2 ps\"><thermostat temperature=\"298 "         \
    "K\"/></run>\n"                                                                                \
    "</plan>\n"

static void a_comparison_is_shown_and_written(void **state)
{
    (void)state;
    write_text("water.xml", SYSTEM(PLAN));
    const Run *r = amphi_form("compare %s --backend cpu --precision single,double --length 0.5ps "
                              "-o %s",
                              in_folder("water.xml"), in_folder("out"));

    check_code(r, 0);
    check_has(r->out, "relax (20 steps)\n");
    check_has(r->out, "cpu single    cpu double\n");
    check_has(r->out, "force error, relative rms");
    check_has(r->out, "dd: dipole-dipole.");
    assert_null(strstr(r->out, "qq: charge-charge")); /* none in this water */
    check_has(r->out, "too short to tell a drift");
    check_has(r->out, "rms distance passes 0.1 nm after, ps");
    check_has(r->out, "temperature of rotation, deviation, K");
    check_has(r->out, "gain over double of the same backend, %");
    check_has(r->eye, "compare.json");
    assert_null(strstr(r->out, "Fixed turns bodies"));
    assert_null(strchr(r->eye, '\r')); /* no terminal, no moving line */
    assert_true(exists(in_folder("out/compare.tsv")));
    assert_true(exists(in_folder("out/nve-conserved.tsv")));
    assert_true(exists(in_folder("out/nvt-temperature.tsv")));
}

/* Where there is no run to begin from. */
static void a_start_is_settled_as_long_as_asked(void **state)
{
    (void)state;
    write_text("settled.xml",
               SYSTEM("<plan timestep=\"5 fs\">\n"
                      "<minimise name=\"relax\" steps=\"20\"/>\n"
                      "<run name=\"warm\" ensemble=\"nvt\" length=\"0.2 ps\">"
                      "<thermostat temperature=\"298 K\"/></run>\n"
                      "<run name=\"measure\" ensemble=\"nve\" length=\"1 ps\"/>\n</plan>\n"));
    const Run *r = amphi_form("compare %s --backend cpu --precision double --alone --length 0.1ps "
                              "--settle 0.05ps",
                              in_folder("settled.xml"));

    check_code(r, 0);
    check_has(r->out, "warm (0.05 of 0.2 ps)");
}

static void why_fixed_parts_sooner_is_told(void **state)
{
    (void)state;
    const Run *r =
        amphi_form("compare %s --backend cpu --precision double,fixed --length 0.05ps -q",
                   in_folder("water.xml"));

    check_code(r, 0);
    check_has(r->out, "Fixed turns bodies");
}

/* Samples are 0.1 ps apart: the last is at the end of what was asked for or behind it, and a run
 * below that has one at its end. */
static void a_run_of_any_length_is_sampled_at_its_end(void **state)
{
    const struct {
        const char *length, *says;
    } cases[] = { { "0.03ps", "\n    0.03 ps at 5 fs without thermostat" },
                  { "0.1ps", "\n    0.1 ps at 5 fs without thermostat" },
                  { "0.15ps", "\n    0.2 ps at 5 fs without thermostat" } };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const Run *r = amphi_form("compare %s --backend cpu --precision double --alone "
                                  "--length %s --settle 0.05ps -q",
                                  in_folder("water.xml"), cases[k].length);

        check_code(r, 0);
        check_has(r->out, cases[k].says);
    }
}

static void a_plan_without_a_bath_is_compared_without_nvt(void **state)
{
    (void)state;
    write_text("free.xml",
               SYSTEM("<plan timestep=\"5 fs\">"
                      "<run name=\"free\" ensemble=\"nve\" length=\"1 ps\"/></plan>\n"));
    const Run *r =
        amphi_form("compare %s --backend cpu --precision single,double --length 0.05ps --device 3",
                   in_folder("free.xml"));

    check_code(r, 0);
    check_has(r->out, "nothing is run in NVT");
    check_has(r->out, "without thermostat");
    check_has(r->out, "speed over the base");
    check_has(r->eye, "--device 3: not used, as nothing here is computed on a GPU\n");
}

static void a_mode_alone_has_its_own_figures(void **state)
{
    static char page[RUN_MOST_BYTES];
    const Run  *r = amphi_form("compare %s --backend cpu --precision single --alone --length 0.5ps "
                                "-o %s -q",
                               in_folder("water.xml"), in_folder("alone"));
    (void)state;

    check_code(r, 0);
    assert_null(strstr(r->out, "cpu double"));
    assert_null(strstr(r->out, "When trajectories part"));
    check_has(r->out, "force error, relative rms");
    check_has(r->out, "potential energy a bead, mean");
    read_into(in_folder("alone/compare.html"), page);
    check_has(page, " ms a step");
}

static void what_is_no_checkpoint_is_named(void **state)
{
    (void)state;
    const Run *r =
        amphi_form("compare %s --from %s -q", in_folder("water.xml"), in_folder("water.xml"));

    check_code(r, 4);
    check_has(r->eye, "water.xml: not a checkpoint of amphi");
}

static void a_folder_that_cannot_be_made_is_told_before_anything_is_measured(void **state)
{
    (void)state;
    const Run *r = amphi_form("compare %s --backend cpu --length 0.1ps -o %s",
                              in_folder("water.xml"), in_folder("water.xml"));

    check_code(r, 4);
    check_has(r->eye, "water.xml: Not a directory");
    assert_null(strstr(r->eye, "nve"));
    assert_string_equal(r->out, "");
}

static void results_as_json_are_lines_of_it(void **state)
{
    (void)state;
    const Run *r = amphi_form("compare %s --backend cpu --precision double --length 0.1ps --json",
                              in_folder("water.xml"));

    check_code(r, 0);
    assert_true(are_json_lines(r->out));
    check_has(r->out, "{\"kind\":\"compare\",\"system\":");
    check_has(r->out, "\"quantity\":\"drift of the conserved energy\"");
    assert_string_equal(r->eye, "");
}

static void what_is_not_there_is_left_out_with_a_reason(void **state)
{
    (void)state;
    const Run *r = amphi_form("compare %s --backend reference,cpu --precision single,double "
                              "--length 0.05ps -q",
                              in_folder("water.xml"));

    check_code(r, 0);
    check_has(r->out, "reference single is left out: this program has no such backend");
    check_has(r->out, "reference double    cpu single    cpu double\n");
    assert_string_equal(r->eye, "");
}

static void a_run_gives_the_start(void **state)
{
    (void)state;
    const Run *r = amphi_form("run %s -o %s -q", in_folder("water.xml"), in_folder("water.run"));

    check_code(r, 0);
    r = amphi_form("compare %s --from %s --backend cpu --precision double --length 0.05ps -q",
                   in_folder("water.xml"), in_folder("water.run"));
    check_code(r, 0);
    check_has(r->out, "water.run/run.chk, step ");
    r = amphi_form("compare %s --from %s -q", in_folder("water.xml"), in_folder("none.chk"));
    check_code(r, 4);
    check_has(r->eye, "none.chk");
    write_text("few.xml", SYSTEM(PLAN));
    r = amphi_form("compare %s --from %s -q", "systems/pair.xml", in_folder("water.run"));
    check_code(r, 3);
}

/* The number in a column, from 0, of the last line of a table. */
static double last_value(const char *path, int column)
{
    static char text[RUN_MOST_BYTES];

    read_into(path, text);
    text[strlen(text) - 1] = '\0';

    const char *at = strrchr(text, '\n') + 1;
    for (int k = 0; k < column; k++)
        at = strchr(at, '\t') + 1;
    return strtod(at, NULL);
}

#define HELD(last)                                                                                 \
    "<amphi version=\"1\">\n"                                                                      \
    "<forcefield><include href=\"forcefield:elba\"/></forcefield>\n"                               \
    "<system><start><fill type=\"water18\" count=\"100\" density=\"0.997 g/cm^3\" "                \
    "seed=\"1\"/><velocities temperature=\"298 K\" seed=\"1\"/></start></system>\n"                \
    "<interactions><cutoff distance=\"0.6 nm\"/>"                                                  \
    "<restrain group=\"all\" k=\"20 kJ/mol/nm^2\"/></interactions>\n"                              \
    "<plan timestep=\"5 fs\"><minimise name=\"down\" steps=\"50\"/>\n"                             \
    "<run name=\"squeeze\" ensemble=\"npt\" length=\"1 ps\">"                                      \
    "<thermostat temperature=\"298 K\"/><barostat coupling=\"isotropic\" time=\"1 ps\" "           \
    "pressure=\"8000 bar\"/></run>" last "</plan>\n"                                               \
    "<output><energies every=\"0.1 ps\"/></output>\n"                                              \
    "<compute backend=\"cpu\" threads=\"1\"/></amphi>\n"

/* A pressure has made the box smaller, and anchors have moved with it. */
static void restraints_are_those_of_the_run(void **state)
{
    enum { POSITION_RESTRAINT = 5 };

    (void)state;

    write_text("held.xml", HELD(""));
    const Run *r = amphi_form("run %s -o %s -q", in_folder("held.xml"), in_folder("held.run"));

    check_code(r, 0);
    r = amphi_form("compare %s --from %s --backend cpu --precision double --length 0.05ps -q",
                   in_folder("held.xml"), in_folder("held.run"));
    check_code(r, 0);
    const char *const row = strstr(r->out, "position-restraint: energy, kJ/mol ");

    assert_non_null(row);
    assert_true(fabs(strtod(strchr(row, '/') + strlen("/mol"), NULL) -
                     last_value(in_folder("held.run/energy.tsv"), POSITION_RESTRAINT)) < 1e-4);
}

/* The rows of what is simulated, which are the same wherever it is fast. */
static void read_rows(const char *path, char *rows)
{
    static char text[RUN_MOST_BYTES];

    read_into(path, text);
    rows[0] = '\0';
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (line[0] != '#' && strncmp(line, "speed", 5) != 0) {
            strcat(rows, line);
            strcat(rows, "\n");
        }
}

/* Positions, axes, motion, box and anchors: what they move like afterwards has the same bits. */
static void the_start_by_stages_is_that_of_the_run_that_had_them(void **state)
{
    static char rows[2][RUN_MOST_BYTES];

    (void)state;
    write_text("longer.xml", HELD("<run name=\"free\" ensemble=\"nve\" length=\"1 ps\"/>"));
    for (int k = 0; k < 2; k++) {
        const Run *r =
            amphi_form("compare %s %s %s --backend cpu --precision double --length 0.2ps -q -o %s",
                       in_folder("longer.xml"), k == 0 ? "--from" : "--settle",
                       k == 0 ? in_folder("held.run") : "1ps", in_folder("rows"));

        check_code(r, 0);
        check_has(r->out, k == 0 ? "held.run/run.chk, step 250" : "squeeze (1 of 1 ps)");
        read_rows(in_folder("rows/compare.tsv"), rows[k]);
        check_has(rows[k], "\nnve\ttemperature, mean\t");
        check_has(rows[k], "\nforces\tposition-restraint: energy\t");
    }
    assert_string_equal(rows[0], rows[1]);
}

/* Options and what is said of them. */
static const char *const refused[][2] = {
    { "--precision quad",
      "there is no precision \"quad\"\n    write a list of: single,double,fixed" },
    { "--length 5", "--length 5: a time has a unit\n    write: --length 20ps" },
    { "--length soon", "--length soon: a time begins with a number" },
    { "--length 5parsec", "--length 5parsec: there is no such unit" },
    { "--length 5nm", "--length 5nm: that is no time" },
    { "--device first", "--device first: a whole number is wanted" },
    { "--threads 0", "--threads 0: must be above zero" },
    { "--timestep 0fs", "--timestep 0fs: too short" },
};

static void a_command_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    const Run *r;

    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        r = amphi_form("compare %s %s", in_folder("water.xml"), refused[k][0]);
        check_code(r, 2);
        check_has(r->eye, refused[k][1]);
    }
    write_text("plan.xml", SYSTEM(""));
    r = amphi_form("compare %s -q", in_folder("plan.xml"));
    check_code(r, 3);
    check_has(r->eye, "its <plan> has no <run>");
}

/* Until the child has begun with the steps of NVE, behind the forces; a minute at most. */
static void wait_for_nve(pid_t child, const char *eye)
{
    const struct timespec a_while = { .tv_nsec = 10000000 };
    static char           text[RUN_MOST_BYTES];

    for (int k = 0; k < 6000; k++) {
        text[0] = '\0';
        if (access(eye, R_OK) == 0)
            read_into(eye, text);
        if (strstr(text, "nve ") != NULL)
            return;
        nanosleep(&a_while, NULL);
    }
    kill(child, SIGKILL);
    fail_msg("no step within a minute");
}

/* An hour of work is stopped in the midst of it, and what there is is told. */
static void a_signal_ends_it_with_what_there_is(void **state)
{
    const struct timespec a_moment = { .tv_nsec = 1000000 };
    const char *const     program  = find_program();
    const char *const     out      = in_folder("stopped.txt");
    const char *const     eye      = in_folder("stopped.eye");
    static char           text[RUN_MOST_BYTES];
    int                   status = 0;
    (void)state;

    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666), 1);
        dup2(open(eye, O_WRONLY | O_CREAT | O_TRUNC, 0666), 2);
        signal(SIGINT, SIG_DFL); /* a shell may have it ignored */
        execl(program, program, "compare", in_folder("water.xml"), "--length", "1us", "--backend",
              "cpu", (char *)NULL);
        _exit(127);
    }
    wait_for_nve(child, eye);
    kill(child, SIGINT);
    nanosleep(&a_moment, NULL);
    kill(child, SIGTERM); /* as timeout(1) does */
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 8);
    read_into(out, text);
    check_has(text, "stopped early on request");
    check_has(text, "force error, relative rms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comparison_is_shown_and_written),
        cmocka_unit_test(a_start_is_settled_as_long_as_asked),
        cmocka_unit_test(why_fixed_parts_sooner_is_told),
        cmocka_unit_test(a_run_of_any_length_is_sampled_at_its_end),
        cmocka_unit_test(a_plan_without_a_bath_is_compared_without_nvt),
        cmocka_unit_test(a_mode_alone_has_its_own_figures),
        cmocka_unit_test(what_is_no_checkpoint_is_named),
        cmocka_unit_test(a_folder_that_cannot_be_made_is_told_before_anything_is_measured),
        cmocka_unit_test(results_as_json_are_lines_of_it),
        cmocka_unit_test(what_is_not_there_is_left_out_with_a_reason),
        cmocka_unit_test(a_run_gives_the_start),
        cmocka_unit_test(restraints_are_those_of_the_run),
        cmocka_unit_test(the_start_by_stages_is_that_of_the_run_that_had_them),
        cmocka_unit_test(a_command_that_makes_no_sense_is_refused),
        cmocka_unit_test(a_signal_ends_it_with_what_there_is),
    };

    return cmocka_run_group_tests(tests, make_run_folder, remove_run_folder);
}
