/* Who looks at a state of the backend `cuda` behind steps that nobody has waited for: at a list
 * that had no room in them, at a fault; and what is set aside. Without a device every test is
 * skipped, and says so.
 */
#include <string.h>

#include "../bench/replicate.h"
#include "membrane_job.h"
#include "steps.h"

#define HELD_JOB                                                                                   \
    JOB_WITH("<group name=\"heads\" select=\"bead phos\"/>",                                       \
             "<restrain group=\"heads\" axes=\"z\" k=\"100 kJ/mol/nm^2\"/>")

/* ---- room ---- */

/* What a look shows, and sets aside. */
typedef struct {
    int64_t    step;
    double     conserved_kJ_mol, term_kJ_mol[AMPHI_TERMS], virial_kJ_mol[AMPHI_TERMS][3][3];
    AmphiBytes kept;
} Sight;

/* As a run looks: it waits for nothing but the frame. */
static Sight see(const AmphiBackend *cuda, AmphiState *state)
{
    const uint32_t needs = AMPHI_NEED_NUMBERS | AMPHI_NEED_ENERGY;
    AmphiFrame     frame;
    Sight          sight = { .step = 0 };

    DO(cuda->find_neighbours(state, &err));
    DO(cuda->keep(state, 0, &err));
    DO(cuda->compute_forces(state, needs, &err));
    DO(cuda->kick(state, needs, &err));
    DO(cuda->read_frame(state, needs, &frame, &err));
    sight.step             = frame.step;
    sight.conserved_kJ_mol = frame.conserved_kJ_mol;
    memcpy(sight.term_kJ_mol, frame.term_kJ_mol, sizeof sight.term_kJ_mol);
    memcpy(sight.virial_kJ_mol, frame.term_virial_kJ_mol, sizeof sight.virial_kJ_mol);
    return sight;
}

static size_t bytes_of(const AmphiBackend *cuda, const AmphiState *state)
{
    size_t taken, is_free;

    cuda->memory(state, &taken, &is_free);
    return taken;
}

/* As a run turns round (run_reverse.c): it saves between kick and drift. */
static Sight kick_and_save(const AmphiBackend *cuda, AmphiState *state)
{
    Sight      sight = { .step = 0 };
    AmphiFrame frame;

    DO(cuda->find_neighbours(state, &err));
    DO(cuda->compute_forces(state, 0, &err));
    DO(cuda->kick(state, 0, &err));
    DO(cuda->save(state, &sight.kept, &err));
    DO(cuda->read_frame(state, 0, &frame, &err));
    sight.step = frame.step;
    return sight;
}

/* Does so at every so many steps of a squeezed membrane, until that has given the list of the steps
 * before it room; or until step `last`, if that is not 0. */
static Sight see_squeezed(const AmphiBackend *cuda, const AmphiSystem *system,
                          const AmphiStage stage[2], bool saves, int every, int64_t last)
{
    AmphiState *state = open_state(cuda, system, 0);
    size_t      before;
    Sight       sight;

    descend(cuda, state, &stage[0]);
    DO(cuda->begin_stage(state, &stage[1], &err));
    for (;;) {
        if (every > 1)
            DO(cuda->advance(state, every - 1, &err));
        before = bytes_of(cuda, state);
        sight  = saves ? kick_and_save(cuda, state) : see(cuda, state);
        assert_true(sight.step <= 2 * SQUEEZED_STEPS);
        if (last > 0 ? sight.step == last : bytes_of(cuda, state) > before)
            break;
        amphi_release(sight.kept.data);
        DO(cuda->drift(state, &err));
    }
    if (!saves)
        DO(cuda->kept(state, 0, &sight.kept, &err));
    cuda->close(state);
    return sight;
}

static void see_alike(const AmphiBackend *cuda, const AmphiSystem *system,
                      const AmphiStage stage[2], bool saves)
{
    const Sight grown = see_squeezed(cuda, system, stage, saves, 30, 0);
    const Sight plain = see_squeezed(cuda, system, stage, saves, 1, grown.step);

    print_message("%s, %d beads, %s at step %lld\n", amphi_precision_name(cuda->precision),
                  (int)system->n_beads, saves ? "saved" : "seen", (long long)grown.step);
    assert_memory_equal(&grown.conserved_kJ_mol, &plain.conserved_kJ_mol, sizeof(double));
    assert_memory_equal(grown.term_kJ_mol, plain.term_kJ_mol, sizeof plain.term_kJ_mol);
    assert_memory_equal(grown.virial_kJ_mol, plain.virial_kJ_mol, sizeof plain.virial_kJ_mol);
    assert_int_equal(grown.kept.n, plain.kept.n);
    assert_memory_equal(grown.kept.data, plain.kept.data, grown.kept.n);
    amphi_release(grown.kept.data);
    amphi_release(plain.kept.data);
}

static void who_looks_behind_a_list_without_room_sees_the_same(void **state)
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
        see_alike(device_or_skip(p), &job->system, job->stage, false);
        see_alike(device_or_skip(p), &job->system, job->stage, true);
        see_alike(device_or_skip(p), &large, job->stage, false);
    }
    amphi_arena_free(arena);
    amphi_job_free(job);
}

/* ---- aside ---- */

/* As the watch of a run does: steps go on by the forces that were under way beside the copies. */
static void keep_and_step(const AmphiBackend *cuda, AmphiState *state, int slot)
{
    AmphiFrame frame;

    DO(cuda->keep(state, slot, &err));
    DO(cuda->compute_forces(state, AMPHI_NEED_NUMBERS, &err));
    DO(cuda->kick(state, AMPHI_NEED_NUMBERS, &err));
    DO(cuda->read_frame(state, AMPHI_NEED_NUMBERS, &frame, &err));
    DO(cuda->drift(state, &err));
}

/* Before the first step of a descent, too. */
static void keep_in_a_descent(const AmphiBackend *cuda, AmphiState *state, const AmphiStage *stage)
{
    AmphiBytes then, kept = { .data = NULL };

    DO(cuda->begin_stage(state, stage, &err));
    then = saved(cuda, state);
    DO(cuda->keep(state, 1, &err));
    DO(cuda->kept(state, 1, &kept, &err));
    assert_int_equal(kept.n, then.n);
    assert_memory_equal(kept.data, then.data, kept.n);
    DO(cuda->restore(state, &then, &err));
    amphi_release(kept.data);
    amphi_release(then.data);
}

/* Copies of a large state take longer than the steps that follow at once. */
static void keep_and_go_on(AmphiPrecision precision, const AmphiSystem *system,
                           const AmphiStage stage[2])
{
    enum { STEPS = 20 };
    const AmphiBackend *cuda    = device_or_skip(precision);
    AmphiState         *state   = open_state(cuda, system, 0);
    AmphiBytes          then[2] = { { .data = NULL }, { .data = NULL } };

    keep_in_a_descent(cuda, state, &stage[0]);
    descend(cuda, state, &stage[0]);
    DO(cuda->begin_stage(state, &stage[1], &err));
    for (int slot = 0; slot < 2; slot++) {
        walk(cuda, state, STEPS, slot);
        then[slot] = saved(cuda, state);
        keep_and_step(cuda, state, slot);
    }
    walk(cuda, state, STEPS, 0);
    assert_int_equal(then[0].n, then[1].n);
    assert_memory_not_equal(then[0].data, then[1].data, then[0].n);
    for (int slot = 0; slot < 2; slot++) {
        AmphiBytes kept = { .data = NULL };

        DO(cuda->kept(state, slot, &kept, &err));
        assert_int_equal(kept.n, then[slot].n);
        assert_memory_equal(kept.data, then[slot].data, kept.n);
        amphi_release(kept.data);
        amphi_release(then[slot].data);
    }
    cuda->close(state);
}

static void a_state_aside_is_that_of_its_moment(void **state)
{
    static const int32_t copies[3] = { 6, 5, 1 };

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    for (int held = 0; held < 2; held++) {
        AmphiJob   *job   = held ? job_of_text(HELD_JOB, ELBA, MEMBRANE, CALM_BAR)
                                 : job_of_text(JOB, ELBA, MEMBRANE, CALM_BAR);
        AmphiArena *arena = amphi_arena_new();
        AmphiSystem large;

        assert_true(replicate(&job->system, NULL, copies, arena, &large));
        for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++)
            keep_and_go_on(p, &large, job->stage);
        amphi_arena_free(arena);
        amphi_job_free(job);
    }
}

/* ---- faults ---- */

/* Steps of 2 ps: beads fly. Nobody has waited for these when forces are asked for, which are then
 * not computed: what is shown of the fault are no older ones. */
static void forces_of_steps_before_a_fault_are_not_shown_for_its_own(void **state)
{
    const uint32_t needs = AMPHI_NEED_FORCES;
    AmphiJob      *job;

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    job = job_of_text(JOB, ELBA, MEMBRANE, CALM_BAR);
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++) {
        const AmphiBackend *cuda   = device_or_skip(p);
        AmphiState         *flying = open_state(cuda, &job->system, 0);
        AmphiStage          stage  = job->stage[1];
        AmphiError          told   = { AMPHI_OK, "" };
        AmphiFrame          frame;

        stage.dt_ps    = 2;
        stage.barostat = (AmphiBarostat){ .type = AMPHI_NO_BAROSTAT };
        descend(cuda, flying, &job->stage[0]);
        DO(cuda->begin_stage(flying, &stage, &err));
        DO(cuda->compute_forces(flying, needs, &err)); /* older ones are there */
        DO(cuda->advance(flying, 50, &err));
        DO(cuda->find_neighbours(flying, &err));
        DO(cuda->compute_forces(flying, needs, &err));
        DO(cuda->kick(flying, needs, &err));
        assert_int_equal(cuda->read_frame(flying, needs, &frame, &told), AMPHI_UNSTABLE);
        print_message("%s: %s\n", amphi_precision_name(p), told.text);
        DO(cuda->read_frame(flying, needs, &frame, &err));
        assert_int_equal(frame.has & AMPHI_NEED_FORCES, 0);
        assert_in_range(frame.stage_step, 0, 50);
        cuda->close(flying);
    }
    amphi_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_looks_behind_a_list_without_room_sees_the_same),
        cmocka_unit_test(a_state_aside_is_that_of_its_moment),
        cmocka_unit_test(forces_of_steps_before_a_fault_are_not_shown_for_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
