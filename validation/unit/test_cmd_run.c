/* `amphi run` as a user runs it: what it prints, what it leaves, and that signals, kills and a full
 * disk cost nothing that was saved.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "hundred_waters.h"
#include "run_amphi.h"

#define PLAN(length, temperature)                                                                  \
    "<plan timestep=\"5 fs\">\n"                                                                   \
    "<minimise name=\"relax\" steps=\"20\"/>\n"                                                    \
    "<run name=\"warm\" ensemble=\"nvt\" length=\"" length "\">"                                   \
    "<thermostat temperature=\"" temperature "\"/></run>\n"                                        \
    "<run name=\"free\" ensemble=\"nve\" length=\"0.5 ps\"/>\n"                                    \
    "</plan>\n"                                                                                    \
    "<output><energies every=\"0.05 ps\"/><checkpoint every=\"40 steps\"/></output>\n"             \
    "<compute threads=\"1\"/>\n"                                                                   \
    "</amphi>\n"

/* Long enough to be met by signals: a second or two. */
#define LONG_PLAN PLAN("20 ps", "298 K")

static void check_same(const char *one, const char *other)
{
    static char bytes[2][RUN_MOST_BYTES];
    struct stat about[2];

    assert_int_equal(stat(in_folder(one), &about[0]), 0);
    assert_int_equal(stat(in_folder(other), &about[1]), 0);
    assert_int_equal(about[0].st_size, about[1].st_size);
    read_into(in_folder(one), bytes[0]);
    read_into(in_folder(other), bytes[1]);
    assert_memory_equal(bytes[0], bytes[1], (size_t)about[0].st_size);
}

static void check_same_run(const char *one, const char *other)
{
    char name[2][64];

    for (int k = 0; k < 2; k++) {
        snprintf(name[0], sizeof name[0], "%s/%s", one, k == 0 ? "run.chk" : "energy.tsv");
        snprintf(name[1], sizeof name[1], "%s/%s", other, k == 0 ? "run.chk" : "energy.tsv");
        check_same(name[0], name[1]);
    }
}

/* The program with an end to come: a signal after some time, or a limit for its files. Its exit
 * code; -1: ended by a signal. */
static int run_ended(const char *dir, int signal_number, double after_s, rlim_t most_bytes)
{
    const char *const program = find_program();
    char              system[AMPHI_PATH_SIZE], folder[AMPHI_PATH_SIZE];
    int               status = 0;

    snprintf(system, sizeof system, "%s", in_folder("long.xml"));
    snprintf(folder, sizeof folder, "%s", in_folder(dir));
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit limit = { most_bytes, most_bytes };
        const int           none  = open("/dev/null", O_WRONLY);

        dup2(none, 1);
        dup2(none, 2);
        if (most_bytes != RLIM_INFINITY)
            setrlimit(RLIMIT_FSIZE, &limit);
        execl(program, program, "run", system, "-o", folder, "-q", "--no-report", (char *)NULL);
        _exit(127);
    }
    if (signal_number != 0) {
        const long            ms   = (long)(1e3 * after_s);
        const struct timespec wait = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

        nanosleep(&wait, NULL);
        kill(child, signal_number);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- what it says and leaves ---- */

static void a_run_ends_with_a_block_of_lines_and_its_files(void **state)
{
    (void)state;
    write_text("short.xml", WATERS_JOB PLAN("0.5 ps", "298 K"));
    const Run *r = amphi_form("run %s -o %s", in_folder("short.xml"), in_folder("a.run"));

    check_code(r, 0);
    check_has(r->out, "length       220 steps, 1 ps\n");
    check_has(r->out, "ns/day");
    check_has(r->out, "drift        not known yet");
    check_has(r->out, "temperature  ");
    check_has(r->out, "faults       0\n");
    check_has(r->out, "a.run\n");
    assert_null(strchr(r->eye, '\r')); /* no terminal, no moving line */
    assert_true(exists(in_folder("a.run/energy.tsv")));
    assert_true(exists(in_folder("a.run/run.chk")));
    assert_true(exists(in_folder("a.run/input/short.xml")));
    assert_true(exists(in_folder("a.run/input/elba.xml")));
}

static void a_doubt_about_the_input_stays_in_the_log(void **state)
{
    static char log[RUN_MOST_BYTES];

    (void)state;
    write_text("rare.xml",
               WATERS_JOB "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"5\"/>\n"
                          "<run name=\"free\" ensemble=\"nve\" length=\"0.05 ps\"/></plan>\n"
                          "<output><energies every=\"9 ps\"/></output></amphi>\n");
    const Run *r =
        amphi_form("run %s -o %s -q --no-report", in_folder("rare.xml"), in_folder("rare.run"));

    check_code(r, 0);
    assert_null(strstr(r->eye, "warning"));
    read_into(in_folder("rare.run/run.log"), log);
    check_has(log, "warning: line ");
    check_has(log, "<energies every=\"9 ps\">");
}

static void a_membrane_is_drawn_and_told_about(void **state)
{
    (void)state;
    write_text("membrane.xml",
               "<amphi version=\"1\">\n"
               "<forcefield><include href=\"forcefield:elba\"/></forcefield>\n"
               "<system><start>\n"
               "<bilayer water-per-lipid=\"30\" seed=\"1\">"
               "<leaflet side=\"upper\"><lipid type=\"DMPC\" count=\"16\"/></leaflet>"
               "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"16\"/></leaflet>"
               "</bilayer>\n"
               "<velocities temperature=\"303 K\" seed=\"1\"/></start></system>\n"
               "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"20\"/>\n"
               "<run name=\"warm\" ensemble=\"nvt\" length=\"0.1 ps\">"
               "<thermostat temperature=\"303 K\"/></run></plan>\n"
               "<output><energies every=\"10 steps\"/><area every=\"10 steps\"/>"
               "<thickness every=\"10 steps\"/></output>\n"
               "<compute threads=\"1\"/>\n</amphi>\n");
    const Run *r =
        amphi_form("run %s -o %s --picture", in_folder("membrane.xml"), in_folder("m.run"));

    check_code(r, 0);
    check_has(r->out, " K in warm; translation ");
    check_has(r->out, " K, rotation ");
    check_has(r->out, " K\n");
    check_has(r->out, "\n  area         0.");
    check_has(r->out, "0.606 nm^2 at 303 K: experiment\n");
    check_has(r->out, "\n  thickness    ");
    if (system("command -v tachyon >/dev/null 2>&1") == 0)
        assert_true(exists(in_folder("m.run/final.png")));
    else
        check_has(r->eye, "install the Debian package tachyon");
    r = amphi_form("run %s -o %s --json", in_folder("membrane.xml"), in_folder("m.run"));
    check_code(r, 0);
    check_has(r->out, "\"area_nm2\":0.");
    check_has(r->out, "\"density_g_cm3\":");
}

static void the_record_says_how_it_was_made(void **state)
{
    (void)state;
    static char text[RUN_MOST_BYTES];
    Run         sums;
    char        words[AMPHI_PATH_SIZE];

    read_into(in_folder("a.run/run.log"), text);
    check_has(text, "amphi ");
    check_has(text, "input ");
    check_has(text, "stage warm, seed 1");
    assert_true(strstr(text, "cpu single") != NULL || strstr(text, "cuda single") != NULL);
    check_has(text, "done");
    read_into(in_folder("a.run/status.json"), text);
    check_has(text, "{\"kind\":\"status\"");
    check_has(text, "\"state\":\"done\"");
    check_has(text, "\"step\":220");

    /* another program agrees with the hashes */
    snprintf(words, sizeof words, "-c cd${IFS}%s/a.run/input&&sha256sum${IFS}-c${IFS}SHA256SUMS",
             run_folder);
    run_program(&sums, "/bin/sh", words, NULL, -1);
    check_code(&sums, 0);
    check_has(sums.out, "short.xml: OK");
    check_has(sums.out, "elba.xml: OK");
}

static void the_same_command_again_says_that_it_is_done(void **state)
{
    (void)state;
    static char status[2][RUN_MOST_BYTES], log[2][RUN_MOST_BYTES];
    const char *end[] = { "", "-n 100", "--until 0.3ps" };

    read_into(in_folder("a.run/status.json"), status[0]);
    read_into(in_folder("a.run/run.log"), log[0]);
    for (int k = 0; k < 3; k++) {
        const Run *r =
            amphi_form("run %s -o %s %s", in_folder("short.xml"), in_folder("a.run"), end[k]);

        check_code(r, 0);
        check_has(r->eye, "a.run: done already, step 220, 1 ps; --until makes it longer\n");
        check_has(r->out, "length       220 steps, 1 ps\n");
        check_has(r->out, " ns/day (");
        assert_null(strstr(r->eye, "goes on"));
        read_into(in_folder("a.run/status.json"), status[1]);
        read_into(in_folder("a.run/run.log"), log[1]);
        assert_string_equal(status[0], status[1]);
        assert_string_equal(log[0], log[1]);
    }
}

static void a_longer_command_goes_on(void **state)
{
    (void)state;
    const Run *r =
        amphi_form("run %s -o %s -n 300 --json", in_folder("short.xml"), in_folder("a.run"));

    check_code(r, 0);
    check_has(r->out, "{\"kind\":\"run\"");
    check_has(r->out, "\"finished\":true,\"step\":300");
}

static void a_changed_temperature_is_refused(void **state)
{
    (void)state;
    write_text("warm.xml", WATERS_JOB PLAN("0.5 ps", "310 K"));
    const Run *r = amphi_form("run %s -o %s", in_folder("warm.xml"), in_folder("a.run"));

    check_code(r, 3);
    check_has(r->eye, "run warm thermostat temperature: 298 K before, 310 K now");
    check_has(r->eye, "--fresh");

    /* 298.10000000000002 in the checkpoint */
    write_text("warm.xml", WATERS_JOB PLAN("0.5 ps", "298.1 K"));
    r = amphi_form("run %s -o %s", in_folder("warm.xml"), in_folder("a.run"));
    check_code(r, 3);
    check_has(r->eye, "run warm thermostat temperature: 298 K before, 298.1 K now");
}

static void the_folder_of_another_system_is_refused_as_such(void **state)
{
    (void)state;
    write_text("other.xml",
               "<amphi version=\"1\">\n"
               "<forcefield><include href=\"forcefield:ssd\"/></forcefield>\n"
               "<system><start><fill type=\"SSD\" count=\"256\" "
               "density=\"0.997 g/cm^3\"/></start></system>\n"
               "<interactions><cutoff distance=\"0.9 nm\"/></interactions>\n"
               "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"3\"/></plan>\n"
               "<output/></amphi>\n");
    const Run *r = amphi_form("run %s -o %s", in_folder("other.xml"), in_folder("a.run"));

    check_code(r, 3);
    check_has(r->eye, "a.run: holds the run of another system\n    write: -o with a new directory");
}

static void a_plan_that_moves_nothing_tells_of_no_drift(void **state)
{
    (void)state;
    const Run *r =
        amphi_form("run %s -o %s --timings", in_folder("other.xml"), in_folder("down.run"));

    check_code(r, 0);
    check_has(r->out, "length       3 steps, 0 ps\n");
    check_has(r->out, "no timings: the last stage moves nothing");
    assert_null(strstr(r->out, "drift"));
    assert_null(strstr(r->out, "temperature"));
}

/* A thin gas that crosses a quarter of its box between two frames of <diffusion>. */
#define FAST_GAS                                                                                   \
    "<amphi version=\"1\">\n"                                                                      \
    "<forcefield><beadtype name=\"a\" mass=\"20 u\"/>\n"                                           \
    "<pair types=\"a a\" potential=\"lennard-jones\" epsilon=\"1 kJ/mol\" sigma=\"0.2 nm\"/>\n"    \
    "<moleculetype name=\"m\"><bead id=\"1\" type=\"a\" "                                          \
    "name=\"A\"/></moleculetype></forcefield>\n"                                                   \
    "<system><box x=\"3 nm\" y=\"3 nm\" z=\"3 nm\"/><start>\n"                                     \
    "<fill type=\"m\" count=\"20\" seed=\"1\"/><velocities temperature=\"9000 K\" seed=\"1\"/>\n"  \
    "</start></system>\n"                                                                          \
    "<interactions><cutoff distance=\"1 nm\"/>"                                                    \
    "<treatment of=\"lennard-jones\" type=\"force-shift\"/></interactions>\n"                      \
    "<plan timestep=\"1 fs\"><run name=\"a\" ensemble=\"nve\" length=\"2 ps\"/></plan>\n"          \
    "<output><diffusion every=\"1 ps\"/></output></amphi>\n"

static void what_an_output_has_to_say_of_its_frames_is_told_at_the_end(void **state)
{
    (void)state;
    static char log[RUN_MOST_BYTES];

    write_text("gas.xml", FAST_GAS);
    const Run *r = amphi_form("run %s -o %s", in_folder("gas.xml"), in_folder("gas.run"));

    check_code(r, 0);
    check_has(r->eye, "of 40 steps of molecules from frame to frame are longer than a quarter");
    read_into(in_folder("gas.run/run.log"), log);
    check_has(log, "of 40 steps of molecules from frame to frame are longer than a quarter");
}

static void a_dry_run_leaves_nothing(void **state)
{
    (void)state;
    const Run *r =
        amphi_form("run %s -o %s --dry-run", in_folder("short.xml"), in_folder("dry.run"));

    check_code(r, 0);
    check_has(r->out, "steps        220, about ");
    check_has(r->out, "memory       ");
    r = amphi_form("run %s -o %s --dry-run --until 3ps", in_folder("short.xml"),
                   in_folder("dry.run"));
    check_has(r->out, "steps        620, about ");
    assert_false(exists(in_folder("dry.run")));
}

/* Behind the run's own result; the files of the run are those of one without. */
static void timings_tell_the_parts_of_a_step(void **state)
{
    (void)state;
    const Run *r = amphi_form("run %s -o %s --timings --backend cpu", in_folder("short.xml"),
                              in_folder("timed.run"));

    check_code(r, 0);
    check_has(r->out, "length       220 steps");
    check_has(r->out, "\n  pairs ");
    check_has(r->out, "\n  whole step ");
    check_has(r->out, "\n  builds of the list ");
    r = amphi_form("run %s -o %s --dry-run --timings --json --backend cpu", in_folder("short.xml"),
                   in_folder("dry.run"));
    check_code(r, 0);
    check_has(r->out, "{\"kind\":\"timing\",\"part\":\"kick\",\"us_per_step\":");
    check_has(r->out, "{\"kind\":\"timings\",\"steps\":");
}

static void wrong_options_are_told(void **state)
{
    (void)state;
    check_code(amphi_form("run %s --until soon", in_folder("short.xml")), 2);
    check_code(amphi_form("run %s --until 5", in_folder("short.xml")), 2);
    for (int dry = 0; dry < 2; dry++) { /* more steps than doubles count */
        const char *const how = dry ? "--dry-run" : "";

        check_code(amphi_form("run %s -o %s --until 1e30ns %s", in_folder("short.xml"),
                              in_folder("x.run"), how),
                   2);
        check_code(amphi_form("run %s -o %s --until 5e13ps %s", in_folder("short.xml"),
                              in_folder("x.run"), how),
                   2);
        check_code(amphi_form("run %s -o %s -n 9007199254740993 %s", in_folder("short.xml"),
                              in_folder("x.run"), how),
                   2);
    }
    assert_false(exists(in_folder("x.run")));
    const Run *run = amphi_form("run %s --max-hours 0", in_folder("short.xml"));
    check_code(run, 2);
    check_has(run->eye, "--max-hours 0: leaves no time; without it a run takes what it needs\n");
    run = amphi_form("run %s --max-hours 1d", in_folder("short.xml"));
    check_code(run, 2);
    check_has(run->eye, "--max-hours 1d: not understood\n    write: --max-hours 23.5\n");
    check_code(amphi_form("run %s --checkpoint-every 5nm", in_folder("short.xml")), 2);
    const Run *const both = amphi_form("run %s --steps 5 --until 1ps", in_folder("short.xml"));
    check_code(both, 2);
    check_has(both->eye, "--steps and --until both say how long the run is");
    check_code(amphi_form("run %s -n -5", in_folder("short.xml")), 2);
    check_code(amphi_form("run %s -n 1e", in_folder("short.xml")), 2);
    check_code(amphi_form("run %s -n 15e-1", in_folder("short.xml")), 2);
    check_code(amphi_form("run %s -n 1e16", in_folder("short.xml")), 2);
    check_code(amphi_form("run %s -n 1e400", in_folder("short.xml")), 2);
    check_code(
        amphi_form("run %s -o %s -n 1e1 --no-report", in_folder("short.xml"), in_folder("ten.run")),
        0);
    check_code(amphi_form("run %s --backend gpu -o %s", in_folder("short.xml"), in_folder("x.run")),
               2);
    check_code(amphi_form("run %s -o %s", in_folder("missing.xml"), in_folder("x.run")), 3);
    const Run *r = amphi_form("run %s --device first", in_folder("short.xml"));
    check_code(r, 2);
    check_has(r->eye, "--device first: a whole number is wanted");
    for (int dry = 0; dry < 2; dry++) {
        r = amphi_form("run %s -o %s --backend cpu --device 3 -n 10 --no-report%s",
                       in_folder("short.xml"), in_folder("three.run"), dry ? " --dry-run" : "");
        check_code(r, 0);
        check_has(r->eye, "--device 3: not used, as nothing here is computed on a GPU\n");
    }
}

/* And before --fresh throws anything away. */
static void what_cannot_be_turned_round_is_refused_before_anything_is_made(void **state)
{
    (void)state;
    write_text("bath.xml", WATERS_JOB "<plan timestep=\"5 fs\">"
                                      "<run name=\"bath\" ensemble=\"nvt\" length=\"10 fs\">"
                                      "<thermostat temperature=\"298 K\"/></run></plan>\n"
                                      "<output><energies/></output></amphi>\n");
    const Run *r = amphi_form("run %s -o %s --reverse --precision single", in_folder("short.xml"),
                              in_folder("back.run"));

    check_code(r, 2);
    check_has(r->eye, "write: --precision fixed");
    r = amphi_form("run %s -o %s --reverse --precision fixed", in_folder("bath.xml"),
                   in_folder("back.run"));
    check_code(r, 2);
    check_has(r->eye, "stage bath, the last one, is not NVE");
    write_text("warm.xml", WATERS_JOB "<plan timestep=\"5 fs\">"
                                      "<run name=\"warm\" ensemble=\"nve\" length=\"10 fs\">"
                                      "<thermostat temperature=\"298 K\"/></run></plan>\n"
                                      "<output><energies/></output></amphi>\n");
    r = amphi_form("run %s -o %s --reverse --precision fixed", in_folder("warm.xml"),
                   in_folder("back.run"));
    check_code(r, 2);
    check_has(r->eye, "stage warm, the last one, is with a thermostat");
    assert_false(exists(in_folder("back.run")));

    check_code(amphi_form("run %s -o %s", in_folder("bath.xml"), in_folder("bath.run")), 0);
    r = amphi_form("run %s -o %s --reverse --precision fixed --fresh --yes", in_folder("bath.xml"),
                   in_folder("bath.run"));
    check_code(r, 2);
    assert_true(exists(in_folder("bath.run/run.chk")));
    r = amphi_form("run %s -o %s --reverse", in_folder("bath.xml"), in_folder("bath.run"));
    check_code(r, 2);
}

static void a_run_comes_back_to_the_first_state_of_its_last_stage(void **state)
{
    (void)state;
    const Run *r = amphi_form("run %s -o %s --reverse --precision fixed", in_folder("short.xml"),
                              in_folder("back.run"));

    check_code(r, 0);
    check_has(r->out, "turned round: 100 steps back through free\n");
    check_has(r->out, "  the same, bit for bit\n");
}

static void a_system_without_a_plan_has_nothing_to_run(void **state)
{
    (void)state;
    write_text("still.xml", WATERS_JOB "</amphi>\n");
    const Run *r = amphi_form("run %s -o %s", in_folder("still.xml"), in_folder("still.run"));

    check_code(r, 3);
    check_has(r->eye, "there is no <plan>");
    assert_false(exists(in_folder("still.run")));
}

static void an_explosion_has_its_own_exit_code(void **state)
{
    (void)state;
    write_text("hot.xml", "<amphi version=\"1\">\n"
                          "<forcefield><include href=\"forcefield:elba\"/></forcefield>\n"
                          "<system><start>\n"
                          "<fill type=\"water18\" count=\"100\" density=\"0.997 g/cm^3\"/>\n"
                          "<velocities temperature=\"1e9 K\" seed=\"1\"/>\n"
                          "</start></system>\n"
                          "<interactions><cutoff distance=\"0.6 nm\"/></interactions>\n"
                          "<plan timestep=\"5 fs\">\n"
                          "<run name=\"hot\" ensemble=\"nve\" length=\"1 ps\"/></plan>\n"
                          "<output><energies/></output>\n"
                          "</amphi>\n");
    const Run *r = amphi_form("run %s -o %s", in_folder("hot.xml"), in_folder("hot.run"));

    check_code(r, 5);
    check_has(r->eye, "fault at step 0 (0 ps)");
    check_has(r->eye, "kept in fault-0.chk");
    assert_true(exists(in_folder("hot.run/fault-0.chk")));
}

/* ---- ends that nobody planned ---- */

static void a_run_that_was_told_to_stop_goes_on_to_the_same_bytes(void **state)
{
    (void)state;
    int n_stopped = 0, code = 8;

    write_text("long.xml", WATERS_JOB LONG_PLAN);
    assert_int_equal(run_ended("whole.run", 0, 0, RLIM_INFINITY), 0);
    for (int k = 0; code == 8 && k < 100; k++) {
        code = run_ended("term.run", SIGTERM, 0.12 + 0.02 * k, RLIM_INFINITY);
        n_stopped += code == 8;
        /* before the handlers stand, a signal ends the program, and nothing has begun */
        code = code == -1 ? 8 : code;
    }
    assert_int_equal(code, 0);
    assert_true(n_stopped > 0);
    check_same_run("whole.run", "term.run");
}

static void a_run_that_was_killed_goes_on_to_the_same_bytes(void **state)
{
    (void)state;
    int n_killed = 0, code = -1;

    for (int k = 0; code == -1 && k < 100; k++) {
        code = run_ended("kill.run", SIGKILL, 0.07 + 0.023 * k, RLIM_INFINITY);
        n_killed += code == -1;
    }
    assert_int_equal(code, 0);
    assert_true(n_killed > 0);
    check_same_run("whole.run", "kill.run");
}

static void a_full_disk_costs_nothing_that_was_saved(void **state)
{
    (void)state;
    struct stat about;

#if defined __has_feature
#if __has_feature(thread_sanitizer)
    skip(); /* that sanitizer has files of its own, which the limit would cut */
#endif
#endif
    /* room for the checkpoint, and not for all lines of the table */
    assert_int_equal(stat(in_folder("whole.run/run.chk"), &about), 0);
    const rlim_t room = (rlim_t)about.st_size + 100;
    assert_int_equal(stat(in_folder("whole.run/energy.tsv"), &about), 0);
    assert_true((rlim_t)about.st_size > room);
    assert_int_equal(run_ended("full.run", 0, 0, room), 4);
    assert_true(exists(in_folder("full.run/run.chk")));
    assert_int_equal(run_ended("full.run", 0, 0, room), 4);

    /* no room for a checkpoint: the one before it stands */
    assert_int_equal(run_ended("full.run", 0, 0, 4096), 4);
    assert_int_equal(run_ended("full.run", 0, 0, RLIM_INFINITY), 0);
    check_same_run("whole.run", "full.run");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_ends_with_a_block_of_lines_and_its_files),
        cmocka_unit_test(a_doubt_about_the_input_stays_in_the_log),
        cmocka_unit_test(a_membrane_is_drawn_and_told_about),
        cmocka_unit_test(the_record_says_how_it_was_made),
        cmocka_unit_test(the_same_command_again_says_that_it_is_done),
        cmocka_unit_test(a_longer_command_goes_on),
        cmocka_unit_test(a_changed_temperature_is_refused),
        cmocka_unit_test(the_folder_of_another_system_is_refused_as_such),
        cmocka_unit_test(a_plan_that_moves_nothing_tells_of_no_drift),
        cmocka_unit_test(what_an_output_has_to_say_of_its_frames_is_told_at_the_end),
        cmocka_unit_test(a_dry_run_leaves_nothing),
        cmocka_unit_test(timings_tell_the_parts_of_a_step),
        cmocka_unit_test(wrong_options_are_told),
        cmocka_unit_test(what_cannot_be_turned_round_is_refused_before_anything_is_made),
        cmocka_unit_test(a_run_comes_back_to_the_first_state_of_its_last_stage),
        cmocka_unit_test(a_system_without_a_plan_has_nothing_to_run),
        cmocka_unit_test(an_explosion_has_its_own_exit_code),
        cmocka_unit_test(a_run_that_was_told_to_stop_goes_on_to_the_same_bytes),
        cmocka_unit_test(a_run_that_was_killed_goes_on_to_the_same_bytes),
        cmocka_unit_test(a_full_disk_costs_nothing_that_was_saved),
    };

    return cmocka_run_group_tests(tests, make_run_folder, remove_run_folder);
}
