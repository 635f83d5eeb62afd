/* How fast a run ends when it is asked to: of a system whose steps take their time, as those of the
 * larger membranes do on a CPU. That it goes on to the same bytes is shown at more instants, of a
 * smaller system, in test_cmd_run.c and test_kill.sh.
 */
#include <signal.h>
#include <time.h>

#include <math.h>

#include "../../tools/stop.h"
#include "run_amphi.h"

/* 23 000 beads, or under sanitizers, where a step takes twenty times as long, 1472. Nothing is due
 * but what a signal asks for. */
#define JOB                                                                                        \
    "<amphi version=\"1\">\n"                                                                      \
    "<forcefield><include href=\"forcefield:elba\"/></forcefield>\n"                               \
    "<system><start><bilayer water-per-lipid=\"33\" seed=\"1\">\n"                                 \
    "<leaflet side=\"upper\"><lipid type=\"DMPC\" count=\"%d\"/></leaflet>\n"                      \
    "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"%d\"/></leaflet>\n"                      \
    "</bilayer><velocities temperature=\"303 K\" seed=\"1\"/></start></system>\n"                  \
    "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"20\"/>\n"                            \
    "<run name=\"free\" ensemble=\"nve\" length=\"1 us\"/></plan>\n"                               \
    "<output><energies every=\"0.05 ps\"/><checkpoint every=\"9 h\"/></output>\n"                  \
    "<compute backend=\"cpu\" threads=\"1\"/>\n"                                                   \
    "</amphi>\n"

enum { ROUNDS = 3, FIRST_STEPS = 21 };

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void wait_s(double s)
{
    const long ns = (long)(1e9 * s);

    nanosleep(&(struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 }, NULL);
}

static void run_to(const char *dir, int64_t steps)
{
    check_code(amphi_form("run %s -o %s --steps %lld -q --no-report", in_folder("job.xml"),
                          in_folder(dir), (long long)steps),
               0);
}

static pid_t start_run_with(const char *dir, void (*on_interrupt)(int))
{
    const char *const program = find_program();
    char              system[AMPHI_PATH_SIZE], folder[AMPHI_PATH_SIZE], eye[AMPHI_PATH_SIZE];

    snprintf(system, sizeof system, "%s", in_folder("job.xml"));
    snprintf(folder, sizeof folder, "%s", in_folder(dir));
    snprintf(eye, sizeof eye, "%s", in_folder("eye"));
    unlink(eye);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), 1);
        dup2(open(eye, O_WRONLY | O_CREAT | O_TRUNC, 0666), 2);
        signal(SIGINT, on_interrupt);
        execl(program, program, "run", system, "-o", folder, (char *)NULL);
        _exit(127);
    }
    return child;
}

static pid_t start_run(const char *dir)
{
    return start_run_with(dir, SIG_DFL);
}

/* Waits until a run that goes on makes steps: it has said from where by then. */
static void wait_for_steps(pid_t child)
{
    static char bytes[RUN_MOST_BYTES];

    for (int k = 0; k < 6000; k++) {
        bytes[0] = '\0';
        if (exists(in_folder("eye")))
            read_into(in_folder("eye"), bytes);
        if (strstr(bytes, "goes on from step ") != NULL) {
            wait_s(0.1);
            return;
        }
        wait_s(0.01);
    }
    kill(child, SIGKILL);
    fail_msg("no step within a minute");
}

static int code_of(pid_t child)
{
    int status = 0;

    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static ino_t checkpoint_of(const char *dir)
{
    char        name[64];
    struct stat about;

    snprintf(name, sizeof name, "%s/run.chk", dir);
    assert_int_equal(stat(in_folder(name), &about), 0);
    return about.st_ino;
}

/* A number that a run has told at its end: "step", "wall_s". */
static double told_of(const char *dir, const char *key)
{
    static char bytes[RUN_MOST_BYTES];
    char        name[64], quoted[32];

    snprintf(name, sizeof name, "%s/status.json", dir);
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    read_into(in_folder(name), bytes);
    const char *const at = strstr(bytes, quoted);
    assert_non_null(at);
    return strtod(at + strlen(quoted), NULL);
}

static int64_t step_of(const char *dir)
{
    return (int64_t)told_of(dir, "step");
}

static void check_same(const char *one, const char *other, const char *name)
{
    char  *bytes[2];
    size_t n[2];

    for (int k = 0; k < 2; k++) {
        char path[64];

        snprintf(path, sizeof path, "%s/%s", k == 0 ? one : other, name);
        FILE *const file = fopen(in_folder(path), "rb");
        assert_non_null(file);
        bytes[k] = malloc(1 << 24);
        assert_non_null(bytes[k]);
        n[k] = fread(bytes[k], 1, 1 << 24, file);
        fclose(file);
    }
    assert_true(n[0] > 0 && n[0] < 1 << 24);
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(bytes[0], bytes[1], n[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/* Goes on a little, and compares with a run that nobody has stopped. */
static void check_goes_on(const char *dir, const char *unbroken)
{
    const int64_t steps = step_of(dir) + 5;

    run_to(dir, steps);
    run_to(unbroken, steps);
    check_same(dir, unbroken, "run.chk");
    check_same(dir, unbroken, "energy.tsv");
}

/* ---- threads ---- */

/* Has a process this word in its environment, up to its `=`? */
static bool has_word(pid_t child, const char *word)
{
    static char words[1 << 16];
    char        path[64];
    size_t      n;
    bool        has = false;

    snprintf(path, sizeof path, "/proc/%d/environ", (int)child);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    n = fread(words, 1, sizeof words - 1, file);
    fclose(file);
    for (size_t k = 0; k < n; k += strlen(words + k) + 1)
        has = has || strncmp(words + k, word, strlen(word)) == 0;
    return has;
}

/* By the word with which the program has begun once more; it does not where OpenMP has bound its
 * first thread to a processor, which would be all that it has then. */
static void waiting_threads_give_their_processor_away(void **state)
{
    (void)state;
    unsetenv("OMP_WAIT_POLICY"); /* who sets it is heeded */
    run_to("calm.run", FIRST_STEPS);
    for (int is_bound = 0; is_bound < 2; is_bound++) {
        if (is_bound)
            setenv("OMP_PROC_BIND", "true", 1);
        const pid_t child = start_run("calm.run");

        unsetenv("OMP_PROC_BIND");
        wait_for_steps(child);
        const bool has = has_word(child, "GOMP_SPINCOUNT=") || has_word(child, "KMP_BLOCKTIME=");
        kill(child, SIGTERM);
        assert_int_equal(code_of(child), 8);
        assert_int_equal(has, !is_bound);
    }
}

/* ---- the first signal ---- */

/* The time of a run that goes on for one step: a step and a save are in it, and all else that
 * belongs to the beginning and the end of the program. */
static double time_of_a_step_and_a_save(void)
{
    run_to("one.run", FIRST_STEPS);

    const double began = now_s();
    run_to("one.run", FIRST_STEPS + 1);
    return now_s() - began;
}

/* From the signal to the end of the program; it goes on where it stopped before. */
static double time_to_end(const char *dir, int signal_number)
{
    const pid_t child = start_run(dir);

    wait_for_steps(child);
    const double began = now_s();
    kill(child, signal_number);
    const int code = code_of(child);
    assert_int_equal(code, 8);
    return now_s() - began;
}

/* Within a second and the time of one save. What a save takes on this machine is measured, together
 * with a step, which has to be finished. Others may be at work here and delay one end, but not each
 * of three. */
static void a_run_ends_within_a_second_and_a_save(void **state)
{
    (void)state;
    const double allowed  = 1 + time_of_a_step_and_a_save();
    double       shortest = 1e9;

    run_to("term.run", FIRST_STEPS);
    for (int k = 0; k < ROUNDS; k++) {
        const ino_t  before = checkpoint_of("term.run");
        const double s      = time_to_end("term.run", k % 3 == 0   ? SIGTERM
                                                      : k % 3 == 1 ? SIGINT
                                                                   : SIGHUP);

        assert_true(checkpoint_of("term.run") != before);
        assert_false(exists(in_folder("term.run/report.html"))); /* which takes seconds */
        shortest = s < shortest ? s : shortest;
    }
    if (shortest > allowed)
        fail_msg("it took %.3g s to end, and %.3g s are allowed", shortest, allowed);
    check_goes_on("term.run", "whole.run");
}

/* As a script has it of what it starts in the background: Ctrl-C is not for that. */
static void an_interrupt_that_is_ignored_stays_ignored(void **state)
{
    (void)state;
    pid_t child;
    int   how;

    run_to("deaf.run", FIRST_STEPS);
    child = start_run_with("deaf.run", SIG_IGN);
    wait_for_steps(child);
    kill(child, SIGINT);
    wait_s(1.5);
    assert_int_equal(waitpid(child, &how, WNOHANG), 0);
    kill(child, SIGTERM);
    assert_int_equal(code_of(child), 8);
}

/* ---- the second ---- */

/* Stands still from behind the first signal until the second counts as another one, which takes a
 * second, and that much longer. */
static int end_twice(const char *dir, int second, double later_s)
{
    const pid_t child = start_run(dir);

    wait_for_steps(child);
    kill(child, SIGTERM);
    wait_s(0.002);
    kill(child, SIGSTOP);
    wait_s(1.1);
    if (later_s > 0) {
        kill(child, SIGCONT);
        wait_s(later_s);
        kill(child, second);
    } else {
        kill(child, second);
        kill(child, SIGCONT);
    }
    return code_of(child);
}

/* The first time the second signal is there before the program goes on, so that it is in the middle
 * of a step or of its save; then it comes on the way to the end. */
static void a_second_signal_ends_at_once_and_damages_nothing(void **state)
{
    (void)state;
    int n_unsaved = 0;

    run_to("twice.run", FIRST_STEPS);
    for (int k = 0; k < 2 * ROUNDS && (k < ROUNDS || n_unsaved == 0); k++) {
        const ino_t before = checkpoint_of("twice.run");

        assert_int_equal(end_twice("twice.run", k % 2 == 0 ? SIGTERM : SIGINT, 0.01 * (k % ROUNDS)),
                         8);
        n_unsaved += checkpoint_of("twice.run") == before;
    }
    assert_true(n_unsaved > 0); /* it did not wait for the save */
    time_to_end("twice.run", SIGTERM);
    check_goes_on("twice.run", "also-whole.run");
}

static int prepare(void **state)
{
    const int lipids = getenv("BRIEF") != NULL ? 16 : 250;
    char      text[2048];

    setenv("AMPHI_DATA", ".", 0);
    if (make_run_folder(state) != 0)
        return 1;
    snprintf(text, sizeof text, JOB, lipids, lipids);
    write_text("job.xml", text);
    return 0;
}

/* ---- time that is over ---- */

/* Of four seconds a quarter; most of that is for what a busy machine does between two steps. */
static void hours_have_time_for_the_report_in_them(void **state)
{
    (void)state;
    const double seconds = 4;
    char         text[2048];

    snprintf(text, sizeof text, JOB, 16, 16);
    write_text("hours.xml", text);
    check_code(amphi_form("run %s -o %s -q --max-hours %.9f", in_folder("hours.xml"),
                          in_folder("hours.run"), seconds / 3600),
               8);
    assert_true(exists(in_folder("hours.run/report.html")));
    assert_true(told_of("hours.run", "wall_s") < 0.95 * seconds);
}

static void what_is_kept_of_hours_is_what_the_manual_says(void **state)
{
    (void)state;
    /* 10 s, 0.2 s for each thousand beads, a thousandth */
    assert_true(fabs(tool_report_s(10, 100000) - (10 + 20 + 36)) < 1e-9);
    assert_true(fabs(3600 * tool_hours_left(1, 100, 30) - (3600 - 100 - 30)) < 1e-6);
    assert_true(fabs(3600 * tool_hours_left(1, 100, 3000) - (3600 - 100 - 900)) < 1e-6);
    assert_true(tool_hours_left(1, 5000, 0) > 0); /* 0 is no limit */
    assert_true(3600 * tool_hours_left(1, 5000, 0) < 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_threads_give_their_processor_away),
        cmocka_unit_test(a_run_ends_within_a_second_and_a_save),
        cmocka_unit_test(an_interrupt_that_is_ignored_stays_ignored),
        cmocka_unit_test(a_second_signal_ends_at_once_and_damages_nothing),
        cmocka_unit_test(hours_have_time_for_the_report_in_them),
        cmocka_unit_test(what_is_kept_of_hours_is_what_the_manual_says),
    };

    return cmocka_run_group_tests(tests, prepare, remove_run_folder);
}
