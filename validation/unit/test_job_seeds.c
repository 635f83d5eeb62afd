/* Seeds of the noise of stages: their own, or one that another start does not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "job_folder.h"

#define PLAN                                                                                       \
    "<plan timestep=\"2 fs\">\n"                                                                   \
    "<run name=\"a\" ensemble=\"nvt\" length=\"1 ps\"><thermostat temperature=\"300 K\"/></run>\n" \
    "<run name=\"b\" ensemble=\"nvt\" length=\"1 ps\" seed=\"7\">"                                 \
    "<thermostat temperature=\"300 K\"/></run>\n"                                                  \
    "</plan>\n</amphi>\n"

/* The seed of the first stage, which has none of its own; the second always has its own. */
static uint64_t seed_of_text(const char *molecules, const char *start)
{
    char *const with_plan = replaced(job_base, "</amphi>\n", PLAN);
    char *const started   = replaced(with_plan, JOB_BEADS, start);
    char *const text      = replaced(started, JOB_MOLECULES, molecules);
    JobReading  r         = read_job_text(text);

    if (r.job == NULL)
        amphi_notes_print(r.notes, stderr, false);
    assert_non_null(r.job);
    assert_int_equal(r.job->stage[1].seed, 7);
    const uint64_t seed = r.job->stage[0].seed;
    reading_free(&r);
    free(with_plan);
    free(started);
    free(text);
    return seed;
}

static uint64_t seed_of_built(int fill, int velocities)
{
    char text[256];

    snprintf(text, sizeof text,
             "<fill seed=\"%d\"><part type=\"salt\" count=\"2\"/><part type=\"water\" "
             "count=\"3\"/></fill><velocities temperature=\"300 K\" seed=\"%d\"/>\n",
             fill, velocities);
    return seed_of_text("", text);
}

static void a_built_start_has_a_seed_by_its_seeds(void **state)
{
    enum { N = 4 };
    uint64_t seed[N * N];

    (void)state;
    for (int k = 0; k < N * N; k++) {
        seed[k] = seed_of_built(1 + k / N, 1 + k % N);
        assert_true(seed[k] >= 1 && seed[k] <= UINT64_C(1) << 31);
        assert_true(seed[k] == seed_of_built(1 + k / N, 1 + k % N));
        for (int other = 0; other < k; other++)
            assert_true(seed[k] != seed[other]);
    }
    assert_int_equal(seed[0], 1);
}

/* Places, velocities and how they are drawn count; how the same numbers are written does not. */
static void a_start_that_is_told_has_a_seed_by_its_numbers(void **state)
{
    (void)state;
    char *const moved     = replaced(JOB_BEADS, "dip 3  2.0 1 2", "dip 3  2.0 1 2.001");
    char *const written   = replaced(JOB_BEADS, "dip 3  2.0 1 2", "dip 3  2 1.0 2.00");
    const char *starts[4] = { JOB_BEADS, moved,
                              JOB_BEADS "<velocities temperature=\"300 K\" seed=\"1\"/>\n",
                              JOB_BEADS "<velocities temperature=\"300 K\" seed=\"2\"/>\n" };
    uint64_t    seed[4];

    for (int k = 0; k < 4; k++) {
        seed[k] = seed_of_text(JOB_MOLECULES, starts[k]);
        assert_true(seed[k] >= 1 && seed[k] <= UINT64_C(1) << 31);
        for (int other = 0; other < k; other++)
            assert_true(seed[k] != seed[other]);
    }
    assert_true(seed_of_text(JOB_MOLECULES, written) == seed[0]);
    free(moved);
    free(written);
}

/* Its physics are those of a run that says the same seed. */
static void a_seed_by_default_is_a_seed_that_one_might_write(void **state)
{
    (void)state;
    char *const silent = replaced(job_base, "</amphi>\n", PLAN);
    JobReading  r      = read_job_text(silent);
    char        own[80];

    assert_non_null(r.job);
    snprintf(own, sizeof own, "<run name=\"a\" seed=\"%llu\"",
             (unsigned long long)r.job->stage[0].seed);
    char *const said = replaced(silent, "<run name=\"a\"", own);
    JobReading  s    = read_job_text(said);
    assert_non_null(s.job);
    assert_true(r.job->physics_hash == s.job->physics_hash);
    reading_free(&r);
    reading_free(&s);
    free(silent);
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_built_start_has_a_seed_by_its_seeds),
        cmocka_unit_test(a_start_that_is_told_has_a_seed_by_its_numbers),
        cmocka_unit_test(a_seed_by_default_is_a_seed_that_one_might_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
