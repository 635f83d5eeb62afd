/* Fixed precision on the device has the bits of the cpu: forces on every shipped system, the state
 * after a thousand steps in every ensemble, whatever the margin, whoever looks, stopped or not; it
 * goes back the way it came, keeps its momentum, and stops where a number leaves its range.
 *
 * Without a device every test is skipped, and says so.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/fixed.h"
#include "device_roots.h"
#include "steps.h"

static const AmphiBackend *cpu_fixed(void)
{
    return amphi_backend_find("cpu", AMPHI_FIXED);
}

/* ---- forces ---- */

static void equal_energies(const AmphiFrame *a, const AmphiFrame *b)
{
    for (int k = 0; k < AMPHI_TERMS; k++) {
        assert_int_equal(a->term_count[k], b->term_count[k]);
        if (a->term_kJ_mol[k] != b->term_kJ_mol[k])
            print_message("%s: %.17g and %.17g kJ/mol\n", amphi_term_name((AmphiTermSlot)k),
                          a->term_kJ_mol[k], b->term_kJ_mol[k]);
        assert_memory_equal(&a->term_kJ_mol[k], &b->term_kJ_mol[k], sizeof a->term_kJ_mol[k]);
        assert_memory_equal(a->term_virial_kJ_mol[k], b->term_virial_kJ_mol[k],
                            sizeof a->term_virial_kJ_mol[k]);
    }
}

static int count_others(const double (*a)[3], const double (*b)[3], int32_t n, const char *what)
{
    int others = 0;

    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            if (a[i][k] != b[i][k] && others++ < 3)
                print_message("%s of bead %d: %.17g and %.17g\n", what, (int)i + 1, a[i][k],
                              b[i][k]);
    return others;
}

static void forces_have_the_bits_of_the_cpu_on_every_shipped_system(void **state)
{
    const AmphiBackend *cuda = device_or_skip(AMPHI_FIXED);

    (void)state;
    for (int k = 0; k < n_single_bounds; k++) {
        AmphiJob        *job = job_of(".", single_bounds[k].name);
        const int32_t    n   = job->system.n_beads;
        AmphiState      *a   = open_state(cuda, &job->system, 0);
        AmphiState      *b   = open_state(cpu_fixed(), &job->system, 0);
        const AmphiFrame fa = forces_of(cuda, a), fb = forces_of(cpu_fixed(), b);
        int              others;

        print_message("%s\n", single_bounds[k].name);
        others = count_others(fa.force_kJ_mol_nm, fb.force_kJ_mol_nm, n, "force") +
                 count_others(fa.torque_kJ_mol, fb.torque_kJ_mol, n, "torque");
        assert_int_equal(others, 0);
        equal_energies(&fa, &fb);
        cuda->close(a);
        cpu_fixed()->close(b);
        amphi_job_free(job);
    }
}

/* ---- motion ---- */

static const char *const jobs[] = { "elba-nve.xml",  "elba-npt.xml", "ssd-nvt.xml",
                                    "gay-berne.xml", "ions.xml",     "b08o.xml" };
enum { N_JOBS = (int)(sizeof jobs / sizeof jobs[0]), STEPS = 1000 };

static AmphiJob *job_number(int k)
{
    return job_of("validation/agree/determinism", jobs[k]);
}

/* A way of going: margin, who looks, where it is handed over to another state. */
typedef struct {
    const char         *what;
    const AmphiBackend *first, *second;
    double              margin_nm;
    int                 every, stops_at;
} Way;

static Text go(const AmphiJob *job, const Way *way)
{
    AmphiState *state = open_state(way->first, &job->system, way->margin_nm), *next;
    AmphiBytes  bytes;
    Text        text;

    descend(way->first, state, &job->stage[0]);
    DO(way->first->begin_stage(state, &job->stage[1], &err));
    walk(way->first, state, way->stops_at, way->every);
    if (way->stops_at < STEPS) {
        bytes = saved(way->first, state);
        next  = open_state(way->second, &job->system, way->margin_nm);
        DO(way->second->begin_stage(next, &job->stage[1], &err));
        DO(way->second->restore(next, &bytes, &err));
        amphi_release(bytes.data);
        way->first->close(state);
        state = next;
        walk(way->second, state, STEPS - way->stops_at, way->every);
    }
    text = hash_of(way->second, state);
    way->second->close(state);
    return text;
}

/* The number of ways that lead elsewhere than the first. */
static int compare_ways(const AmphiBackend *cuda, const AmphiJob *job, const char *name)
{
    const AmphiBackend *cpu    = cpu_fixed();
    const Way           ways[] = {
                  { "cpu", cpu, cpu, 0, 0, STEPS },
                  { "cuda", cuda, cuda, 0, 0, STEPS },
                  { "cuda, margin 0.05", cuda, cuda, 0.05, 0, STEPS },
                  { "cuda, margin 0.3, looked at", cuda, cuda, 0.3, 7, STEPS },
                  { "cuda, stopped", cuda, cuda, 0, 0, 333 },
                  { "cuda, then cpu", cuda, cpu, 0, 0, 701 },
                  { "cpu, then cuda, looked at", cpu, cuda, 0, 50, 299 },
    };
    Text first;
    int  others = 0;

    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        const Text text = go(job, &ways[w]);

        if (w == 0)
            first = text;
        print_message("%-14s %-28s %s%s\n", name, ways[w].what, text.text,
                      strcmp(first.text, text.text) == 0 ? "" : "  OTHER");
        others += strcmp(first.text, text.text) != 0;
    }
    return others;
}

static void every_way_has_the_bits_of_the_cpu(void **state)
{
    const AmphiBackend *cuda   = device_or_skip(AMPHI_FIXED);
    int                 others = 0;

    (void)state;
    for (int k = 0; k < N_JOBS; k++) {
        AmphiJob *job = job_number(k);

        others += compare_ways(cuda, job, jobs[k]);
        amphi_job_free(job);
    }
    assert_int_equal(others, 0);
}

/* Two groups whose drift is removed, in a box that moves. */
static void noise_that_leaves_groups_alone_has_the_bits_of_the_cpu(void **state)
{
    const AmphiBackend *cuda = device_or_skip(AMPHI_FIXED);
    AmphiJob           *job  = job_number(1);
    AmphiStage         *stage;

    (void)state;
    memcpy(&stage, &job->stage, sizeof stage);
    assert_true(stage[1].remove_drift && stage[1].thermostat.n_groups == 2);
    stage[1].thermostat.type = AMPHI_LANGEVIN;
    assert_int_equal(compare_ways(cuda, job, "elba, noise"), 0);
    amphi_job_free(job);
}

static Text end_of_descent(const AmphiBackend *backend, const AmphiJob *job, int64_t n_steps)
{
    AmphiState *state = open_state(backend, &job->system, 0);
    AmphiStage  stage = job->stage[0];
    Text        text;

    stage.n_steps = n_steps;
    descend(backend, state, &stage);
    text = hash_of(backend, state);
    backend->close(state);
    return text;
}

/* Returns the number of lengths after which the two differ; frees the job. */
static int compare_descents(const AmphiBackend *cuda, AmphiJob *job, const char *name)
{
    static const int n_steps[] = { 1, 2, 5, 20, 100 };
    int              others    = 0;

    for (size_t m = 0; m < sizeof n_steps / sizeof n_steps[0]; m++) {
        const Text a = end_of_descent(cuda, job, n_steps[m]);
        const Text b = end_of_descent(cpu_fixed(), job, n_steps[m]);

        print_message("%-16s %3d %s %s\n", name, n_steps[m], a.text, b.text);
        others += strcmp(a.text, b.text) != 0;
    }
    amphi_job_free(job);
    return others;
}

static void a_descent_has_the_bits_of_the_cpu(void **state)
{
    static const char *const edges[] = {
        "falling-ions.xml",     /* a step too far leaves the range */
        "overlapping-beads.xml" /* a virial larger than those that lanes add up */
    };
    const AmphiBackend *cuda   = device_or_skip(AMPHI_FIXED);
    int                 others = 0;

    (void)state;
    for (int k = 0; k < 2; k++)
        others += compare_descents(cuda, job_of("validation/agree", edges[k]), edges[k]);
    for (int k = 0; k < N_JOBS; k++)
        others += compare_descents(cuda, job_number(k), jobs[k]);
    assert_int_equal(others, 0);
}

/* ---- what one state keeps ---- */

/* Forth, half a step's push, turned round, and the same way back. */
static void it_goes_back_the_way_it_came(void **state)
{
    const AmphiBackend *cuda  = device_or_skip(AMPHI_FIXED);
    AmphiJob           *job   = job_number(0);
    AmphiState         *a     = open_state(cuda, &job->system, 0);
    AmphiBytes          bytes = { .data = NULL }, start;
    AmphiStateHash      hash[2];

    (void)state;
    descend(cuda, a, &job->stage[0]);
    DO(cuda->begin_stage(a, &job->stage[1], &err));
    walk(cuda, a, 10, 0);
    start = saved(cuda, a);
    assert_true(amphi_state_flip(&start, 10) && amphi_state_flip(&start, 10)); /* its step is 10 */
    walk(cuda, a, STEPS, 0);
    kick(cuda, a, 0);
    DO(cuda->save(a, &bytes, &err));
    assert_true(amphi_state_flip(&bytes, 10));
    DO(cuda->restore(a, &bytes, &err));
    amphi_release(bytes.data);
    bytes = (AmphiBytes){ .data = NULL };
    walk(cuda, a, STEPS, 0);
    kick(cuda, a, 0);
    DO(cuda->save(a, &bytes, &err));
    assert_true(amphi_state_flip(&bytes, 10));
    assert_true(amphi_state_hash(&start, &hash[0]) && amphi_state_hash(&bytes, &hash[1]));
    assert_true(hash[0].high == hash[1].high && hash[0].low == hash[1].low);
    amphi_release(start.data);
    amphi_release(bytes.data);
    cuda->close(a);
    amphi_job_free(job);
}

static void the_momentum_stays_what_it_was(void **state)
{
    const uint32_t      needs = AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;
    const AmphiBackend *cuda  = device_or_skip(AMPHI_FIXED);
    AmphiJob           *job   = job_number(0);
    AmphiState         *a     = open_state(cuda, &job->system, 0);
    AmphiFrame          frame;
    int64_t             first[3];

    (void)state;
    descend(cuda, a, &job->stage[0]);
    DO(cuda->begin_stage(a, &job->stage[1], &err));
    kick(cuda, a, needs);
    DO(cuda->read_frame(a, needs, &frame, &err));
    memcpy(first, frame.momentum, sizeof first);
    assert_true(first[0] != 0 && first[1] != 0 && first[2] != 0); /* rounding leaves some */
    DO(cuda->drift(a, &err));
    walk(cuda, a, STEPS, 0);
    kick(cuda, a, needs);
    DO(cuda->read_frame(a, needs, &frame, &err));
    assert_memory_equal(first, frame.momentum, sizeof first);
    cuda->close(a);
    amphi_job_free(job);
}

static AmphiFrame look_behind(const AmphiBackend *backend, AmphiState *state, int n_steps)
{
    AmphiFrame frame;

    walk(backend, state, n_steps, 0);
    kick(backend, state, AMPHI_NEED_POSITIONS);
    DO(backend->read_frame(state, AMPHI_NEED_POSITIONS, &frame, &err));
    return frame;
}

static void same_frames(const AmphiFrame *a, const AmphiFrame *b, size_t n)
{
    assert_memory_equal(a->box_nm, b->box_nm, sizeof a->box_nm);
    assert_memory_equal(a->position_nm, b->position_nm, n * sizeof *a->position_nm);
    assert_memory_equal(a->image, b->image, n * sizeof *a->image);
    assert_memory_equal(a->orientation, b->orientation, n * sizeof *a->orientation);
    assert_memory_equal(a->velocity_nm_ps, b->velocity_nm_ps, n * sizeof *a->velocity_nm_ps);
    assert_memory_equal(a->spin_u_nm2_ps, b->spin_u_nm2_ps, n * sizeof *a->spin_u_nm2_ps);
}

/* Also where the box has moved with the last drift: every fifth or tenth, from the second on. */
static void frames_have_the_bits_of_the_cpu(void **state)
{
    const AmphiBackend *cuda = device_or_skip(AMPHI_FIXED);

    (void)state;
    for (int k = 0; k < N_JOBS; k++) {
        static const int steps[] = { 101, 1, 7 };
        AmphiJob        *job     = job_number(k);
        AmphiState      *a       = open_state(cuda, &job->system, 0);
        AmphiState      *b       = open_state(cpu_fixed(), &job->system, 0);

        print_message("%s\n", jobs[k]);
        descend(cuda, a, &job->stage[0]);
        descend(cpu_fixed(), b, &job->stage[0]);
        DO(cuda->begin_stage(a, &job->stage[1], &err));
        DO(cpu_fixed()->begin_stage(b, &job->stage[1], &err));
        for (int j = 0; j < 3; j++) {
            const AmphiFrame fa = look_behind(cuda, a, steps[j]);
            const AmphiFrame fb = look_behind(cpu_fixed(), b, steps[j]);

            same_frames(&fa, &fb, (size_t)job->system.n_beads);
            DO(cuda->drift(a, &err));
            DO(cpu_fixed()->drift(b, &err));
        }
        cuda->close(a);
        cpu_fixed()->close(b);
        amphi_job_free(job);
    }
}

/* Two beads in one place are out of any range; what is told is what the cpu tells. */
static void a_number_out_of_range_stops_the_state(void **state)
{
    const AmphiBackend *cuda = device_or_skip(AMPHI_FIXED);
    AmphiJob           *job  = job_number(4);
    AmphiState         *a, *b;
    AmphiError          told[2] = { { AMPHI_OK, "" }, { AMPHI_OK, "" } };
    AmphiFrame          frame;
    double(*x)[3] = malloc((size_t)job->system.n_beads * sizeof *x);

    (void)state;
    assert_non_null(x);
    memcpy(x, job->system.position_nm, (size_t)job->system.n_beads * sizeof *x);
    job->system.position_nm = (const double(*)[3])x;
    x[7][0]                 = x[5][0] + 0.03;
    x[7][1]                 = x[5][1];
    x[7][2]                 = x[5][2];
    a                       = open_state(cuda, &job->system, 0);
    b                       = open_state(cpu_fixed(), &job->system, 0);
    DO(cuda->find_neighbours(a, &err));
    DO(cpu_fixed()->find_neighbours(b, &err));
    if (cuda->compute_forces(a, AMPHI_NEED_FORCES, &told[0]) == AMPHI_OK)
        (void)cuda->read_frame(a, AMPHI_NEED_FORCES, &frame, &told[0]);
    (void)cpu_fixed()->compute_forces(b, AMPHI_NEED_FORCES, &told[1]);
    print_message("%s\n", told[0].text);
    assert_int_equal(told[0].status, AMPHI_UNSTABLE);
    assert_int_equal(told[1].status, AMPHI_UNSTABLE);
    assert_string_equal(told[0].text, told[1].text);
    cuda->close(a);
    cpu_fixed()->close(b);
    amphi_job_free(job);
    free(x);
}

/* Forces of the first state of a system, or what is told of one that leaves its range. */
static AmphiError forces_or_fault(const AmphiBackend *backend, AmphiState *state, AmphiFrame *frame)
{
    AmphiError told = { AMPHI_OK, "" };

    DO(backend->find_neighbours(state, &err));
    if (backend->compute_forces(state, AMPHI_NEED_FORCES, &told) == AMPHI_OK)
        (void)backend->read_frame(state, AMPHI_NEED_FORCES, frame, &told);
    return told;
}

static double largest_of(const double (*f)[3], int32_t n)
{
    double most = 0;

    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(f[i][k]));
    return most;
}

/* Two beads that come nearer and nearer: short of the range a lane cannot know whether it is out,
 * and goes over its row once more. Returns the largest force of all that have not left it. */
static double approach(const AmphiBackend *cuda, AmphiJob *job, double (*x)[3])
{
    double most   = 0;
    int    n_left = 0;

    for (double nm = 0.2; n_left < 3; nm /= 1.005) {
        AmphiState *a, *b;
        AmphiFrame  fa, fb;
        AmphiError  told[2];

        x[1][0] = x[0][0] + nm;
        a       = open_state(cuda, &job->system, 0);
        b       = open_state(cpu_fixed(), &job->system, 0);
        told[0] = forces_or_fault(cuda, a, &fa);
        told[1] = forces_or_fault(cpu_fixed(), b, &fb);
        assert_int_equal(told[0].status, told[1].status);
        assert_string_equal(told[0].text, told[1].text);
        if (told[1].status == AMPHI_OK) {
            assert_int_equal(count_others(fa.force_kJ_mol_nm, fb.force_kJ_mol_nm, 2, "force"), 0);
            assert_int_equal(count_others(fa.torque_kJ_mol, fb.torque_kJ_mol, 2, "torque"), 0);
            most = fmax(most, largest_of(fb.force_kJ_mol_nm, 2));
        }
        n_left += told[1].status != AMPHI_OK;
        cuda->close(a);
        cpu_fixed()->close(b);
    }
    return most;
}

static void forces_that_all_but_leave_the_range_have_the_bits_of_the_cpu(void **state)
{
    const AmphiBackend *cuda    = device_or_skip(AMPHI_FIXED);
    AmphiJob           *job     = job_of(".", "systems/pair.xml");
    const double        ends    = FIXED_RANGE(FORCE) * (1 << FIXED_COARSE_BITS);
    double              x[2][3] = { { 1, 1, 1 }, { 1, 1, 1 } }, most;

    (void)state;
    assert_int_equal(job->system.n_beads, 2);
    job->system.position_nm = (const double(*)[3])x;
    most                    = approach(cuda, job, x);
    print_message("%.3g of %.3g kJ/mol/nm\n", most, ends);
    assert_true(most > 0.9 * ends && most < ends);
    amphi_job_free(job);
}

/* What a step tells, of a state that may stop in it. */
static AmphiError told_of_step(const AmphiBackend *backend, AmphiState *state)
{
    AmphiError told = { AMPHI_OK, "" };
    AmphiFrame frame;

    kick(backend, state, 0);
    if (backend->drift(state, &told) == AMPHI_OK &&
        backend->find_neighbours(state, &told) == AMPHI_OK &&
        backend->compute_forces(state, AMPHI_NEED_ENERGY, &told) == AMPHI_OK)
        (void)backend->read_frame(state, AMPHI_NEED_ENERGY, &frame, &told);
    return told;
}

/* Further than integers hold for every processor alike. */
static void a_bead_that_goes_too_far_stops_the_state(void **state)
{
    const AmphiBackend *cuda = device_or_skip(AMPHI_FIXED);
    AmphiJob           *job  = job_number(0);
    AmphiStage         *stage;
    AmphiState         *a, *b;
    AmphiError          told[2];
    double(*v)[3] = malloc((size_t)job->system.n_beads * sizeof *v);

    (void)state;
    assert_non_null(v);
    memcpy(&stage, &job->stage, sizeof stage);
    memcpy(v, job->system.velocity_nm_ps, (size_t)job->system.n_beads * sizeof *v);
    stage[1].dt_ps             = 0.1; /* or its energy would be too much */
    v[7][1]                    = 0.3 * job->system.box_nm[1] / stage[1].dt_ps;
    job->system.velocity_nm_ps = (const double(*)[3])v;

    a = open_state(cuda, &job->system, 0);
    b = open_state(cpu_fixed(), &job->system, 0);
    descend(cuda, a, &stage[0]);
    descend(cpu_fixed(), b, &stage[0]);
    DO(cuda->begin_stage(a, &stage[1], &err));
    DO(cpu_fixed()->begin_stage(b, &stage[1], &err));
    told[0] = told_of_step(cuda, a);
    told[1] = told_of_step(cpu_fixed(), b);
    print_message("%s\n", told[0].text);
    assert_int_equal(told[0].status, AMPHI_UNSTABLE);
    assert_non_null(strstr(told[1].text, "the displacement in one step of bead 8 "));
    assert_string_equal(told[0].text, told[1].text);
    cuda->close(a);
    cpu_fixed()->close(b);
    amphi_job_free(job);
    free(v);
}

/* Every mantissa, of even and odd exponents. */
static void roots_are_rounded_correctly_on_the_device(void **state)
{
    (void)state;
    device_or_skip(AMPHI_FIXED);
#ifdef AMPHI_CUDA
    assert_int_equal(device_wrong_roots(), 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_are_rounded_correctly_on_the_device),
        cmocka_unit_test(forces_have_the_bits_of_the_cpu_on_every_shipped_system),
        cmocka_unit_test(a_descent_has_the_bits_of_the_cpu),
        cmocka_unit_test(every_way_has_the_bits_of_the_cpu),
        cmocka_unit_test(noise_that_leaves_groups_alone_has_the_bits_of_the_cpu),
        cmocka_unit_test(it_goes_back_the_way_it_came),
        cmocka_unit_test(the_momentum_stays_what_it_was),
        cmocka_unit_test(frames_have_the_bits_of_the_cpu),
        cmocka_unit_test(forces_that_all_but_leave_the_range_have_the_bits_of_the_cpu),
        cmocka_unit_test(a_number_out_of_range_stops_the_state),
        cmocka_unit_test(a_bead_that_goes_too_far_stops_the_state),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
