/* What befalls states of the backend `cuda`: lists that outgrow their room in the midst of steps,
 * others beside them, also of other threads, a close in the midst of steps. Without a device every
 * test is skipped, and says so.
 */
#include <pthread.h>
#include <string.h>

#include "../../engine/state_hash.h"
#include "../bench/replicate.h"
#include "membrane_job.h"
#include "steps.h"

#define WATER "<fill type=\"water\" count=\"1900\" density=\"1 g/cm^3\" seed=\"1\"/>"

/* ---- room ---- */

/* Returns what the state saves, behind a descent and steps of which one of so many is looked at;
 * *grown: bytes that it took in those steps. */
static AmphiBytes squeezed(const AmphiBackend *cuda, const AmphiSystem *system,
                           const AmphiStage stage[2], int every, int64_t *grown)
{
    AmphiState *state = open_state(cuda, system, 0);
    size_t      before, after, is_free;
    AmphiBytes  bytes;

    descend(cuda, state, &stage[0]);
    DO(cuda->begin_stage(state, &stage[1], &err));
    cuda->memory(state, &before, &is_free);
    walk(cuda, state, SQUEEZED_STEPS, every);
    bytes = saved(cuda, state);
    cuda->memory(state, &after, &is_free);
    *grown = (int64_t)after - (int64_t)before;
    cuda->close(state);
    return bytes;
}

/* In graphs the state stands still where the list found no room, until somebody asks. */
static void squeeze(AmphiPrecision precision, const AmphiSystem *system, const AmphiStage stage[2])
{
    const AmphiBackend *cuda = device_or_skip(precision);
    int64_t             grown[3];
    const AmphiBytes    looked_at = squeezed(cuda, system, stage, 1, &grown[0]);
    const AmphiBytes    at_once   = squeezed(cuda, system, stage, 0, &grown[1]);
    const AmphiBytes    at_times  = squeezed(cuda, system, stage, 70, &grown[2]);

    print_message("%s, %d beads: %lld, %lld and %lld bytes more\n", amphi_precision_name(precision),
                  (int)system->n_beads, (long long)grown[0], (long long)grown[1],
                  (long long)grown[2]);
    for (int k = 0; k < 3; k++)
        assert_true(grown[k] > 0);
    assert_int_equal(looked_at.n, at_once.n);
    assert_int_equal(looked_at.n, at_times.n);
    assert_memory_equal(looked_at.data, at_once.data, looked_at.n);
    assert_memory_equal(looked_at.data, at_times.data, looked_at.n);
    amphi_release(looked_at.data);
    amphi_release(at_once.data);
    amphi_release(at_times.data);
}

/* Rows of the small membrane have places, which the longest row outgrows; those of the large one
 * stand behind each other, and all of them together outgrow their room. */
static void a_list_that_outgrows_its_room_changes_no_bit(void **state)
{
    static const int32_t copies[3] = { 6, 5, 1 };
    AmphiJob            *job;
    AmphiArena          *arena;
    AmphiSystem          large;

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    job   = job_of_text(JOB, ELBA, MEMBRANE, SQUEEZE_BAR);
    arena = amphi_arena_new();
    assert_true(replicate(&job->system, NULL, copies, arena, &large));
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++) {
        squeeze(p, &job->system, job->stage);
        squeeze(p, &large, job->stage);
    }
    amphi_arena_free(arena);
    amphi_job_free(job);
}

static Text hash_of_squeezed(const AmphiBackend *backend, const AmphiJob *job)
{
    AmphiState *state = open_state(backend, &job->system, 0);
    Text        text;

    descend(backend, state, &job->stage[0]);
    DO(backend->begin_stage(state, &job->stage[1], &err));
    walk(backend, state, SQUEEZED_STEPS, 0);
    text = hash_of(backend, state);
    backend->close(state);
    return text;
}

static void it_has_the_bits_of_the_cpu(void **state)
{
    const AmphiBackend *cuda = device_or_skip(AMPHI_FIXED);
    AmphiJob           *job  = job_of_text(JOB, ELBA, MEMBRANE, SQUEEZE_BAR);
    const Text          a    = hash_of_squeezed(cuda, job);
    const Text          b    = hash_of_squeezed(amphi_backend_find("cpu", AMPHI_FIXED), job);

    (void)state;
    assert_string_equal(a.text, b.text);
    amphi_job_free(job);
}

/* A bead in the middle of a sheet of 4 x 28 x 28 nm reaches all layers, and with that more beads
 * than 16 bits tell; a state that was opened for a longer box finds that out when it meets them. */
#define SHEET                                                                                      \
    "<amphi version=\"1\"><forcefield>" ELBA                                                       \
    "<moleculetype name=\"plus\"><bead id=\"1\" type=\"chol\"/></moleculetype>"                    \
    "<moleculetype name=\"minus\"><bead id=\"1\" type=\"phos\"/></moleculetype>"                   \
    "</forcefield><system><box x=\"4 nm\" y=\"28 nm\" z=\"28 nm\"/><start><fill seed=\"3\">"       \
    "<part type=\"water\" count=\"%d\"/>%s</fill>"                                                 \
    "<velocities temperature=\"303 K\" seed=\"1\"/></start></system>"                              \
    "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"30\"/>"                              \
    "<run name=\"a\" ensemble=\"npt\" length=\"10 ps\"><thermostat temperature=\"303 K\"/>"        \
    "<barostat every=\"1\"/></run></plan></amphi>\n"
#define IONS "<part type=\"plus\" count=\"3000\"/><part type=\"minus\" count=\"3000\"/>"

static void become_wide(AmphiPrecision precision, const AmphiJob *job)
{
    enum { STEPS = 30 };
    const AmphiBackend *cuda  = device_or_skip(precision);
    AmphiSystem         loose = job->system;
    AmphiState         *a, *b;
    AmphiBytes          start, end[2];
    size_t              taken[2], is_free;

    loose.box_nm[0] *= 4;
    a = open_state(cuda, &job->system, 0);
    b = open_state(cuda, &loose, 0);
    cuda->memory(b, &taken[0], &is_free);
    descend(cuda, a, &job->stage[0]);
    DO(cuda->begin_stage(a, &job->stage[1], &err));
    start = saved(cuda, a);
    DO(cuda->begin_stage(b, &job->stage[1], &err));
    DO(cuda->restore(b, &start, &err));
    walk(cuda, a, STEPS, 0);
    walk(cuda, b, STEPS, 0);
    end[0] = saved(cuda, a);
    end[1] = saved(cuda, b);
    cuda->memory(b, &taken[1], &is_free);
    print_message("%s, %d beads: %lld bytes more\n", amphi_precision_name(precision),
                  (int)job->system.n_beads, (long long)taken[1] - (long long)taken[0]);
    assert_true(taken[1] > taken[0]);
    assert_int_equal(end[0].n, end[1].n);
    assert_memory_equal(end[0].data, end[1].data, end[0].n);
    amphi_release(start.data);
    amphi_release(end[0].data);
    amphi_release(end[1].data);
    cuda->close(a);
    cuda->close(b);
}

/* Rows of one stretch, and of several, each of which begins with a round of entries. */
static void
a_state_that_needs_wider_entries_in_its_time_has_the_bits_of_one_that_has_them(void **state)
{
    AmphiJob *water, *salt;

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    water = job_of_text(SHEET, 69000, "");
    salt  = job_of_text(SHEET, 63000, IONS);
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++) {
        become_wide(p, water);
        become_wide(p, salt);
    }
    amphi_job_free(water);
    amphi_job_free(salt);
}

/* ---- other states ---- */

/* Ions and dipoles of so many types that their table of pairs wants more shared memory than a
 * kernel has unasked: 48 kB. */
enum { MANY = 72, TYPE_SIZE = 400 }; /* characters of one */

static AmphiJob *job_of_many_types(void)
{
    static const char *const what[3] = { "charge=\"0.25 e\"", "charge=\"-0.25 e\"",
                                         "dipole=\"1 D\" inertia=\"1 u*nm^2\"" };
    static char              types[(MANY + 2) * TYPE_SIZE], fill[(MANY + 2) * TYPE_SIZE];
    int                      n_types, n_fill;

    n_types = snprintf(types, sizeof types,
                       "<cutoff distance=\"1.2 nm\"/>"
                       "<treatment of=\"lennard-jones\" type=\"quadratic-shift\"/>"
                       "<treatment of=\"charges dipoles\" type=\"shifted-factors\"/>"
                       "<mixing potential=\"lennard-jones\" rule=\"lorentz-berthelot\"/>");
    n_fill  = snprintf(fill, sizeof fill, "<fill density=\"0.9 g/cm^3\" seed=\"1\">");
    for (int k = 0; k < MANY; k++) {
        n_types +=
            snprintf(&types[n_types], TYPE_SIZE,
                     "<beadtype name=\"b%d\" mass=\"%d u\" %s/>"
                     "<pair types=\"b%d b%d\" potential=\"lennard-jones\" "
                     "epsilon=\"%d J/mol\" sigma=\"0.35 nm\"/>"
                     "<moleculetype name=\"M%d\"><bead id=\"1\" type=\"b%d\"/></moleculetype>",
                     k, 40 + k % 5, what[k % 3], k, k, 2000 + 10 * k, k, k);
        n_fill += snprintf(&fill[n_fill], TYPE_SIZE, "<part type=\"M%d\" count=\"25\"/>", k);
    }
    snprintf(&fill[n_fill], TYPE_SIZE, "</fill>");
    return job_of_text(JOB, types, fill, CALM_BAR);
}

enum { N_BESIDE = 3, ROUNDS = 5, STEPS_OF_ROUND = 30 };

/* Steps of several states in turn; NULL: that one is not there. Fills in what those that are there
 * save. */
static void go_beside(const AmphiBackend *cuda, AmphiJob *const job[N_BESIDE],
                      AmphiBytes bytes[N_BESIDE])
{
    AmphiState *state[N_BESIDE] = { NULL };

    for (int k = 0; k < N_BESIDE; k++)
        if (job[k] != NULL)
            state[k] = open_state(cuda, &job[k]->system, 0);
    for (int k = 0; k < N_BESIDE; k++)
        if (job[k] != NULL) {
            descend(cuda, state[k], &job[k]->stage[0]);
            DO(cuda->begin_stage(state[k], &job[k]->stage[1], &err));
        }
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < N_BESIDE; k++)
            if (job[k] != NULL)
                walk(cuda, state[k], STEPS_OF_ROUND, round % 2 == 0 ? 0 : 7);
    for (int k = 0; k < N_BESIDE; k++)
        if (job[k] != NULL) {
            bytes[k] = saved(cuda, state[k]);
            cuda->close(state[k]);
        }
}

static void states_of_other_types_side_by_side_go_as_alone(void **state)
{
    AmphiJob *job[N_BESIDE];

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    job[0] = job_of_many_types();
    job[1] = job_of_text(JOB, ELBA, MEMBRANE, CALM_BAR);
    job[2] = job_of_text(JOB, ELBA, WATER, CALM_BAR);
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++) {
        const AmphiBackend *cuda = device_or_skip(p);
        AmphiBytes          together[N_BESIDE], alone[N_BESIDE];

        go_beside(cuda, job, together);
        for (int k = 0; k < N_BESIDE; k++) {
            AmphiJob *one[N_BESIDE] = { NULL };

            one[k] = job[k];
            go_beside(cuda, one, alone);
            assert_int_equal(together[k].n, alone[k].n);
            assert_memory_equal(together[k].data, alone[k].data, alone[k].n);
            amphi_release(together[k].data);
            amphi_release(alone[k].data);
        }
    }
    for (int k = 0; k < N_BESIDE; k++)
        amphi_job_free(job[k]);
}

/* ---- other threads ---- */

typedef struct {
    const AmphiBackend *cuda;
    const AmphiSystem  *system;
    const AmphiStage   *stage; /* [2] */
    AmphiBytes          end;
} Thread;

static void *open_and_go(void *thread)
{
    Thread *const t     = thread;
    AmphiState   *state = open_state(t->cuda, t->system, 0);

    descend(t->cuda, state, &t->stage[0]);
    DO(t->cuda->begin_stage(state, &t->stage[1], &err));
    for (int round = 0; round < ROUNDS; round++)
        walk(t->cuda, state, STEPS_OF_ROUND, round % 2 == 0 ? 0 : 7);
    t->end = saved(t->cuda, state);
    t->cuda->close(state);
    return NULL;
}

/* So many that the blocks which sort beads and wait for each other have no room together: three
 * kernels sort those of the last ones. */
enum { N_LARGE = 6, N_THREADS = 24 };

static void go_in_threads(const AmphiBackend *cuda, const AmphiSystem *const system[2],
                          const AmphiStage *stage)
{
    Thread    alone[2], beside[N_THREADS];
    pthread_t id[N_THREADS];

    for (int k = 0; k < 2; k++) {
        alone[k] = (Thread){ .cuda = cuda, .system = system[k], .stage = stage };
        open_and_go(&alone[k]);
    }
    for (int k = 0; k < N_THREADS; k++) {
        beside[k] = (Thread){ .cuda = cuda, .system = system[k < N_LARGE], .stage = stage };
        assert_int_equal(pthread_create(&id[k], NULL, open_and_go, &beside[k]), 0);
    }
    for (int k = 0; k < N_THREADS; k++)
        assert_int_equal(pthread_join(id[k], NULL), 0);
    for (int k = 0; k < N_THREADS; k++) {
        const AmphiBytes *const wanted = &alone[k < N_LARGE].end;

        assert_int_equal(beside[k].end.n, wanted->n);
        assert_memory_equal(beside[k].end.data, wanted->data, wanted->n);
        amphi_release(beside[k].end.data);
    }
    for (int k = 0; k < 2; k++)
        amphi_release(alone[k].end.data);
}

static void states_of_many_threads_go_as_alone(void **state)
{
    static const int32_t copies[3] = { 4, 4, 1 };
    AmphiJob            *job;
    AmphiArena          *arena;
    AmphiSystem          large;

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    job   = job_of_text(JOB, ELBA, MEMBRANE, CALM_BAR);
    arena = amphi_arena_new();
    assert_true(replicate(&job->system, NULL, copies, arena, &large));
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++)
        go_in_threads(device_or_skip(p), (const AmphiSystem *const[2]){ &job->system, &large },
                      job->stage);
    amphi_arena_free(arena);
    amphi_job_free(job);
}

/* ---- the end ---- */

static AmphiBytes after_a_walk(const AmphiBackend *cuda, const AmphiJob *job)
{
    AmphiState *state = open_state(cuda, &job->system, 0);
    AmphiBytes  bytes;

    DO(cuda->begin_stage(state, &job->stage[1], &err));
    walk(cuda, state, STEPS_OF_ROUND, 0);
    bytes = saved(cuda, state);
    cuda->close(state);
    return bytes;
}

/* Steps are launched, and the host does not wait for them. What memory the state had goes to the
 * next one, which must not find anybody at work there. */
static void a_state_closes_with_steps_under_way(void **state)
{
    enum { MANY_STEPS = 2000, TIMES = 3 };
    AmphiJob *job;

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    job = job_of_text(JOB, ELBA, WATER, CALM_BAR);
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++) {
        const AmphiBackend *cuda  = device_or_skip(p);
        const AmphiBytes    first = after_a_walk(cuda, job);

        for (int k = 0; k < TIMES; k++) {
            AmphiState *busy = open_state(cuda, &job->system, 0);
            AmphiBytes  next;

            DO(cuda->begin_stage(busy, &job->stage[1], &err));
            DO(cuda->advance(busy, MANY_STEPS, &err));
            cuda->close(busy);
            next = after_a_walk(cuda, job);
            assert_int_equal(first.n, next.n);
            assert_memory_equal(first.data, next.data, first.n);
            amphi_release(next.data);
        }
        amphi_release(first.data);
    }
    amphi_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_that_outgrows_its_room_changes_no_bit),
        cmocka_unit_test(it_has_the_bits_of_the_cpu),
        cmocka_unit_test(
            a_state_that_needs_wider_entries_in_its_time_has_the_bits_of_one_that_has_them),
        cmocka_unit_test(states_of_other_types_side_by_side_go_as_alone),
        cmocka_unit_test(states_of_many_threads_go_as_alone),
        cmocka_unit_test(a_state_closes_with_steps_under_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
