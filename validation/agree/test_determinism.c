/* Fixed precision has the same bits whatever it runs on: hashes of the state after runs of
 * validation/agree/determinism, compared with each other and with those that are stored.
 *
 * A build for another instruction set, compiler or machine meets the stored ones. Who changes the
 * physics on purpose stores new ones: the test prints them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../engine/run.h"
#include "backends.h"

#define FOLDER "validation/agree/determinism"

static const char *const systems[] = { "elba-nve",  "elba-npt", "ssd-nvt",
                                       "gay-berne", "ions",     "b08o" };
enum { N_SYSTEMS = sizeof systems / sizeof systems[0] };

/* One way to run a system. */
typedef struct {
    const char *name, *cpu; /* "v3": AVX2; NULL: the best there is */
    int32_t     threads, watch_every;
    double      margin_nm;
    bool        is_unseen; /* without output */
    int64_t     stop_at;   /* and goes on; 0: in one piece */
} Way;

typedef struct {
    char text[40];
} Hash;

static AmphiJob *load(const char *system)
{
    char name[64];

    snprintf(name, sizeof name, "%s.xml", system);
    return job_of(FOLDER, name);
}

static AmphiRunOptions options_of(const char *dir, const Way *way, int64_t n_steps)
{
    AmphiRunOptions o = amphi_run_options_default();

    o.dir       = dir;
    o.backend   = "cpu";
    o.precision = AMPHI_FIXED;
    o.compute   = (AmphiCompute){ .threads = way->threads, .margin_nm = way->margin_nm };
    o.n_steps   = n_steps;
    return o;
}

static AmphiRun *run_to(const AmphiJob *job, const AmphiRunOptions *o)
{
    AmphiError err = { .status = AMPHI_OK };
    AmphiRun  *run = NULL;

    if (amphi_run_open(job, o, &run, &err) != AMPHI_OK || amphi_run(run, &err) != AMPHI_OK)
        fail_msg("%s", err.text);
    return run;
}

static Hash hash_of(const char *system, const Way *way, int64_t n_steps)
{
    AmphiJob    *job = load(system);
    char         folder[PATH_SIZE];
    AmphiRunInfo info;
    Hash         hash;

    folder_make(folder);
    take_cpu_set(way->cpu);
    if (way->is_unseen)
        job->n_observers = 0;
    if (way->watch_every > 0)
        job->compute.watch_every = way->watch_every;
    if (way->stop_at > 0) {
        const AmphiRunOptions first = options_of(folder, way, way->stop_at);

        amphi_run_close(run_to(job, &first));
    }
    const AmphiRunOptions o   = options_of(folder, way, n_steps);
    AmphiRun             *run = run_to(job, &o);

    amphi_run_info(run, &info);
    assert_int_equal(info.step, n_steps);
    assert_true(names_cpu_set(info.backend));
    snprintf(hash.text, sizeof hash.text, "%s", info.state_hash);
    assert_int_equal(strlen(hash.text), 32);
    amphi_run_close(run);
    take_cpu_set(NULL);
    folder_remove(folder);
    amphi_job_free(job);
    return hash;
}

/* Steps of all runs: a hundred down, then forward. */
enum { SHORT = 130, LONG = 1100, THERE = 60 };

static const Way plain = { .name = "one thread", .threads = 1 };

static void no_way_to_run_a_system_changes_a_bit(void **state)
{
    static const Way ways[] = {
        { .name = "two threads, wide margin", .threads = 2, .margin_nm = 0.25 },
        { .name = "three threads, narrow margin", .threads = 3, .margin_nm = 0.03 },
        { .name = "avx2, watched often", .cpu = "v3", .threads = 1, .watch_every = 3 },
        { .name      = "unseen, stopped and continued",
          .threads   = 1,
          .is_unseen = true,
          .stop_at   = 113 },
    };
    const size_t every = getenv("BRIEF") != NULL ? 2 : 1; /* sanitizers would take a minute */

    (void)state;
    for (int k = 0; k < N_SYSTEMS; k++) {
        const Hash first = hash_of(systems[k], &plain, SHORT);

        for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w += every) {
            const Hash other = hash_of(systems[k], &ways[w], SHORT);

            if (strcmp(first.text, other.text) != 0)
                fail_msg("%s: %s with %s, but %s with %s", systems[k], first.text, plain.name,
                         other.text, ways[w].name);
        }
    }
}

static void another_step_has_another_hash(void **state)
{
    const Hash one = hash_of("ssd-nvt", &plain, SHORT), two = hash_of("ssd-nvt", &plain, SHORT + 1);

    (void)state;
    assert_string_not_equal(one.text, two.text);
}

/* "" where none is stored. */
static Hash stored(const char *system, int64_t n_steps)
{
    FILE *const file = fopen(FOLDER "/hashes.tsv", "r");
    Hash        hash = { "" };
    char        line[200], name[64], text[40];
    long long   steps;

    if (file == NULL)
        fail_msg("no " FOLDER "/hashes.tsv");
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%63s %lld %39s", name, &steps, text) == 3 && steps == n_steps &&
            strcmp(name, system) == 0)
            memcpy(hash.text, text, sizeof hash.text);
    fclose(file);
    return hash;
}

static void states_after_a_thousand_steps_are_those_that_are_stored(void **state)
{
    const int steps   = getenv("BRIEF") != NULL ? SHORT : LONG; /* sanitizers would take minutes */
    int       n_other = 0;

    (void)state;
    for (int k = 0; k < N_SYSTEMS; k++) {
        const Hash now = hash_of(systems[k], &plain, steps), before = stored(systems[k], steps);

        n_other += strcmp(now.text, before.text) != 0;
        print_message("%s\t%d\t%s%s\n", systems[k], steps, now.text,
                      strcmp(now.text, before.text) != 0 ? "\tnot the stored one" : "");
    }
    assert_int_equal(n_other, 0);
}

/* The same system without what draws numbers or scales. */
static void let_alone(AmphiJob *job)
{
    AmphiStage *stage = NULL;

    memcpy(&stage, &job->stage, sizeof stage);
    stage                  = &stage[job->n_stages - 1];
    stage->ensemble        = AMPHI_NVE;
    stage->barostat        = (AmphiBarostat){ .type = AMPHI_NO_BAROSTAT };
    stage->thermostat.type = AMPHI_NO_THERMOSTAT;
    stage->remove_drift    = false;
}

static void every_system_comes_back_to_its_first_state(void **state)
{
    (void)state;
    for (int k = 0; k < N_SYSTEMS; k++) {
        AmphiJob      *job = load(systems[k]);
        AmphiError     err = { .status = AMPHI_OK };
        char           folder[PATH_SIZE];
        AmphiRunReturn back;

        folder_make(folder);
        let_alone(job);
        const AmphiRunOptions o   = options_of(folder, &plain, 100 + THERE);
        AmphiRun             *run = run_to(job, &o);

        if (amphi_run_reverse(run, &back, &err) != AMPHI_OK)
            fail_msg("%s: %s", systems[k], err.text);
        assert_int_equal(back.n_steps, THERE);
        assert_string_equal(back.first, back.last);
        assert_true(back.came_back);
        amphi_run_close(run);
        folder_remove(folder);
        amphi_job_free(job);
    }
}

static void noise_cannot_be_turned_round(void **state)
{
    AmphiJob      *job = load("gay-berne");
    AmphiError     err = { .status = AMPHI_OK };
    char           folder[PATH_SIZE];
    AmphiRunReturn back;

    (void)state;
    folder_make(folder);
    const AmphiRunOptions o   = options_of(folder, &plain, 110);
    AmphiRun             *run = run_to(job, &o);

    assert_int_equal(amphi_run_reverse(run, &back, &err), AMPHI_BAD_COMMAND);
    assert_string_equal(err.text,
                        "--reverse: stage move, the last one, is not NVE, and its steps cannot be "
                        "undone\n    write: a last stage with ensemble=\"nve\" and no "
                        "<thermostat>");
    amphi_run_close(run);
    folder_remove(folder);
    amphi_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_way_to_run_a_system_changes_a_bit),
        cmocka_unit_test(another_step_has_another_hash),
        cmocka_unit_test(states_after_a_thousand_steps_are_those_that_are_stored),
        cmocka_unit_test(every_system_comes_back_to_its_first_state),
        cmocka_unit_test(noise_cannot_be_turned_round),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
