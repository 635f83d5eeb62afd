/* Fixed precision on the cpu: forces, torques, energies and virials against the reference, the same
 * numbers whatever the instruction set, threads, margin and question, no net force, and a fault
 * where a pair leaves the range and not one step before.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/fixed.h"
#include "../../engine/stage.h"
#include "backends.h"

static AmphiState *open_fixed(const AmphiSystem *system, const AmphiCompute *choice)
{
    AmphiState *state = NULL;
    AmphiError  err   = { AMPHI_OK, "" };

    if (amphi_backend_find("cpu", AMPHI_FIXED)->open(system, choice, &state, &err) != AMPHI_OK)
        fail_msg("%s", err.text);
    return state;
}

static void close_state(AmphiState *state)
{
    amphi_backend_find("cpu", AMPHI_FIXED)->close(state);
}

static AmphiFrame compute(AmphiState *state, uint32_t needs)
{
    const AmphiBackend *backend = amphi_backend_find("cpu", AMPHI_FIXED);
    AmphiError          err     = { AMPHI_OK, "" };
    AmphiFrame          frame   = { .step = 0 };

    if (backend->find_neighbours(state, &err) != AMPHI_OK ||
        backend->compute_forces(state, needs, &err) != AMPHI_OK ||
        backend->read_frame(state, needs, &frame, &err) != AMPHI_OK)
        fail_msg("%s", err.text);
    return frame;
}

static void copy_out(const AmphiFrame *frame, int32_t n, Vectors force, Vectors torque)
{
    memcpy(force, frame->force_kJ_mol_nm, (size_t)n * sizeof *force);
    memcpy(torque, frame->torque_kJ_mol, (size_t)n * sizeof *torque);
}

static bool is_same(const AmphiFrame *frame, int32_t n, const Vectors force, const Vectors torque)
{
    return memcmp(force, frame->force_kJ_mol_nm, (size_t)n * sizeof *force) == 0 &&
           memcmp(torque, frame->torque_kJ_mol, (size_t)n * sizeof *torque) == 0;
}

/* Forces are whole numbers of their unit, which doubles show exactly; whatever acts within the
 * system leaves none. */
static bool has_no_net_force(const AmphiFrame *frame, int32_t n)
{
    int64_t sum[3] = { 0, 0, 0 };

    for (int32_t i = 0; i < n; i++)
        for (int a = 0; a < 3; a++) {
            const double units = frame->force_kJ_mol_nm[i][a] / FIXED_UNIT(FORCE);

            if (units != rint(units))
                return false;
            sum[a] += llrint(units);
        }
    return sum[0] == 0 && sum[1] == 0 && sum[2] == 0;
}

/* One way of computing; the first fills in force and torque, all others must have their bits. */
static void check_way(const AmphiSystem *system, const AmphiCompute *choice, bool is_first,
                      Vectors force, Vectors torque)
{
    static const uint32_t needs[] = { AMPHI_NEED_FORCES, AMPHI_NEED_POTENTIAL,
                                      AMPHI_NEED_POTENTIAL | AMPHI_NEED_VIRIAL, AMPHI_NEED_ENERGY };
    AmphiState           *state   = open_fixed(system, choice);

    assert_true(names_cpu_set(amphi_backend_find("cpu", AMPHI_FIXED)->about(state)));
    for (size_t k = 0; k < sizeof needs / sizeof needs[0]; k++) {
        const AmphiFrame frame = compute(state, needs[k]);

        if (is_first && k == 0)
            copy_out(&frame, system->n_beads, force, torque);
        assert_true(is_same(&frame, system->n_beads, force, torque));
        assert_true(system->anchor_nm != NULL || has_no_net_force(&frame, system->n_beads));
    }
    close_state(state);
}

static void check_ways(const AmphiSystem *system)
{
    static const AmphiCompute ways[] = { { .threads = 1 },
                                         { .threads = 2 },
                                         { .threads = 3, .margin_nm = 0.25 },
                                         { .threads = 1, .margin_nm = 0.04 } };
    Vectors force = vectors_new(system->n_beads), torque = vectors_new(system->n_beads);

    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        take_cpu_set("v3");
        check_way(system, &ways[k], k == 0, force, torque);
        take_cpu_set(NULL);
        check_way(system, &ways[k], false, force, torque);
    }
    amphi_release(force);
    amphi_release(torque);
}

static void check_errors(const AmphiSystem *system, const char *name, const Bound *bound)
{
    AmphiState      *state = open_fixed(system, NULL);
    const AmphiFrame frame = compute(state, AMPHI_NEED_ENERGY);
    Evaluation       exact = evaluate(system);
    const Errors     e     = errors_of(&frame, &exact);

    hold_errors(name, AMPHI_FIXED, &e, bound);
    for (int slot = 0; slot < AMPHI_TERMS; slot++) /* a pair may be at the cut-off */
        assert_true(llabs(frame.term_count[slot] - exact.count[slot]) <=
                    1 + exact.count[slot] / 100000);
    evaluation_free(&exact);
    close_state(state);
}

static const Bound *bound_named(const char *name)
{
    for (int k = 0; k < n_single_bounds; k++)
        if (strcmp(single_bounds[k].name, name) == 0)
            return &single_bounds[k];
    fail_msg("no bound for %s", name);
    return NULL;
}

static void every_shipped_system_agrees_and_has_one_set_of_bits(void **state)
{
    (void)state;
    for (int k = 0; k < n_single_bounds; k++) {
        if (is_left_out(single_bounds[k].name))
            continue;
        AmphiJob *job = job_of(".", single_bounds[k].name);

        check_errors(&job->system, single_bounds[k].name, &single_bounds[k]);
        check_ways(&job->system);
        amphi_job_free(job);
    }
}

static void the_peers_membrane_agrees_and_has_one_set_of_bits(void **state)
{
    char      data[PATH_SIZE], folder[PATH_SIZE];
    AmphiJob *job;

    (void)state;
    PEER_OR_SKIP("elba/dmpc", data);
    job = peer_membrane(data, folder);
    check_errors(&job->system, "the peer's DMPC membrane", &peer_bound);
    check_ways(&job->system);
    amphi_job_free(job);
    folder_remove(folder);
}

/* Without AVX-512 the ways above compare AVX2 with itself. */
static void avx_512_is_taken_where_it_is(void **state)
{
    AmphiJob   *job;
    AmphiState *cpu;

    (void)state;
    AVX_512_OR_SKIP();
    job = job_of(".", "systems/pair.xml");
    cpu = open_fixed(&job->system, NULL);
    take_cpu_set("v4");
    assert_true(names_cpu_set(amphi_backend_find("cpu", AMPHI_FIXED)->about(cpu)));
    close_state(cpu);
    amphi_job_free(job);
}

static void a_net_force_of_one_unit_is_noticed(void **state)
{
    double     force[2][3] = { { 1.5, -3, 0 }, { -1.5, 3, 0 } };
    AmphiFrame frame       = { .force_kJ_mol_nm = (const double(*)[3])force };

    (void)state;
    assert_true(has_no_net_force(&frame, 2));
    force[1][2] += FIXED_UNIT(FORCE);
    assert_false(has_no_net_force(&frame, 2));
    force[0][2] -= 0.5 * FIXED_UNIT(FORCE);
    force[1][2] -= 0.5 * FIXED_UNIT(FORCE);
    assert_false(has_no_net_force(&frame, 2));
}

/* ---- a warm fluid ---- */

/* So many steps of a stage, downhill or in time. */
static void go(AmphiState *state, const AmphiStage *stage, int n_steps)
{
    const AmphiBackend *backend   = amphi_backend_find("cpu", AMPHI_FIXED);
    AmphiError          err       = { AMPHI_OK, "" };
    bool                converged = false;

    assert_int_equal(backend->begin_stage(state, stage, &err), AMPHI_OK);
    for (int k = 0; k < n_steps && !converged; k++) {
        compute(state, AMPHI_NEED_POTENTIAL);
        if (stage->ensemble == AMPHI_MINIMISE)
            assert_int_equal(backend->descend(state, &converged, &err), AMPHI_OK);
        else if (backend->kick(state, 0, &err) != AMPHI_OK ||
                 backend->drift(state, &err) != AMPHI_OK)
            fail_msg("%s", err.text);
    }
}

static void a_warm_fluid_of_ellipsoids_agrees_and_has_one_set_of_bits(void **state)
{
    AmphiJob    *job   = job_of(".", "systems/gay-berne.xml");
    AmphiState  *cpu   = open_fixed(&job->system, NULL);
    AmphiSystem  warm  = job->system;
    const Bound *bound = bound_named("systems/gay-berne.xml");
    const size_t n     = (size_t)warm.n_beads;
    double(*x)[3]      = amphi_alloc(warm.n_beads, sizeof *x);
    double(*q)[4]      = amphi_alloc(warm.n_beads, sizeof *q);
    AmphiFrame frame;

    (void)state;
    go(cpu, &job->stage[0], 500);
    go(cpu, &job->stage[1], 2000);
    frame = compute(cpu, AMPHI_NEED_FORCES);
    memcpy(x, frame.position_nm, n * sizeof *x);
    memcpy(q, frame.orientation, n * sizeof *q);
    warm.position_nm = (const double(*)[3])x;
    warm.orientation = (const double(*)[4])q;
    close_state(cpu);
    check_errors(&warm, bound->name, bound);
    check_ways(&warm);
    amphi_release(x);
    amphi_release(q);
    amphi_job_free(job);
}

/* Those that its state has, and not those of the start or of the last look. */
static void a_frame_of_a_descent_has_the_velocities_of_the_steps_before_it(void **state)
{
    const AmphiBackend *backend = amphi_backend_find("cpu", AMPHI_FIXED);
    AmphiJob           *job     = job_of(".", "systems/gay-berne.xml");
    const size_t        bytes   = (size_t)job->system.n_beads * sizeof(double[3]);
    AmphiState         *a = open_fixed(&job->system, NULL), *b = open_fixed(&job->system, NULL);
    AmphiBytes          kept = { .data = NULL };
    AmphiError          err  = { AMPHI_OK, "" };
    AmphiFrame          shown, restored;

    (void)state;
    go(a, &job->stage[0], 200);
    go(a, &job->stage[1], 20);
    assert_int_equal(backend->begin_stage(a, &job->stage[0], &err), AMPHI_OK);
    shown = compute(a, AMPHI_NEED_FORCES);
    assert_memory_not_equal(shown.velocity_nm_ps, job->system.velocity_nm_ps, bytes);
    assert_int_equal(backend->save(a, &kept, &err), AMPHI_OK);
    assert_int_equal(backend->begin_stage(b, &job->stage[0], &err), AMPHI_OK);
    assert_int_equal(backend->restore(b, &kept, &err), AMPHI_OK);
    restored = compute(b, AMPHI_NEED_FORCES);
    assert_memory_equal(shown.velocity_nm_ps, restored.velocity_nm_ps, bytes);
    assert_memory_equal(shown.spin_u_nm2_ps, restored.spin_u_nm2_ps, bytes);
    amphi_release(kept.data);
    close_state(a);
    close_state(b);
    amphi_job_free(job);
}

/* ---- saturation ---- */

/* systems/pair.xml with the ion at 1 nm and the dipole r away along x; of the terms of these
 * slots. */
typedef struct {
    Pair        pair;
    AmphiArena *arena;
    AmphiSystem system;
} Two;

static void open_two(Two *two, uint32_t slots, double dipole_e_nm)
{
    pair_open(job_of(".", "systems/pair.xml"), &two->pair);
    two->arena          = amphi_arena_new();
    two->system         = only_terms(&two->pair.system, slots, two->arena);
    two->pair.dipole[1] = dipole_e_nm;
    for (int a = 0; a < 3; a++)
        two->pair.position[0][a] = two->pair.position[1][a] = 1;
}

static void close_two(Two *two)
{
    amphi_arena_free(two->arena);
    pair_close(&two->pair);
}

/* The status at r; what acts on the first bead, and the message. */
static AmphiStatus status_at(Two *two, double r, double force[3], AmphiError *err)
{
    const AmphiBackend *backend = amphi_backend_find("cpu", AMPHI_FIXED);
    const AmphiStage    stage   = { .name = "run", .ensemble = AMPHI_NVE, .dt_ps = 0.001 };
    AmphiState         *state;
    AmphiFrame          frame;
    AmphiStatus         status;

    *err                     = (AmphiError){ AMPHI_OK, "" };
    two->pair.position[1][0] = 1 + r;
    state                    = open_fixed(&two->system, NULL);
    assert_int_equal(backend->begin_stage(state, &stage, err), AMPHI_OK);
    status = backend->compute_forces(state, AMPHI_NEED_FORCES, err);
    if (status == AMPHI_OK) {
        assert_int_equal(backend->read_frame(state, AMPHI_NEED_FORCES, &frame, err), AMPHI_OK);
        memcpy(force, frame.force_kJ_mol_nm[0], 3 * sizeof *force);
    }
    close_state(state);
    return status;
}

/* The two nearest distances, apart by no more than a unit of place, of which the farther is
 * good. */
static double last_good(Two *two, double bad, double good)
{
    AmphiError err;
    double     force[3];

    assert_int_equal(status_at(two, good, force, &err), AMPHI_OK);
    assert_int_equal(status_at(two, bad, force, &err), AMPHI_UNSTABLE);
    while (good - bad > 1e-9) {
        const double r = 0.5 * (good + bad);

        if (status_at(two, r, force, &err) == AMPHI_OK)
            good = r;
        else
            bad = r;
    }
    return good;
}

/* A force grows by 13/r a nm, and single precision has steps of 2^-24: within 1e-7 of the range. */
static void a_pair_force_saturates_at_its_range_and_not_before(void **state)
{
    Two        two;
    AmphiError err;
    double     force[3], r;

    (void)state;
    open_two(&two, 1U << AMPHI_LJ, 0.05);
    r = last_good(&two, 0.2, 0.4);
    assert_int_equal(status_at(&two, r, force, &err), AMPHI_OK);
    print_message("  %.9f nm: %.6f of %g kJ/mol/nm\n", r, fabs(force[0]), FIXED_RANGE(FORCE));
    assert_true(fabs(force[0]) < FIXED_RANGE(FORCE));
    assert_true(fabs(force[0]) > FIXED_RANGE(FORCE) * (1 - 3e-7));
    assert_int_equal(status_at(&two, r - 2e-9, force, &err), AMPHI_UNSTABLE);
    assert_non_null(strstr(err.text, "the force of a pair or a bond of bead 1"));
    assert_non_null(strstr(err.text, "8.19e+03 kJ/mol/nm, in units of 1.53e-05"));
    close_two(&two);
}

static void a_field_saturates_too(void **state)
{
    Two        two;
    AmphiError err;
    double     force[3];

    (void)state;
    open_two(&two, 1U << AMPHI_QD, 1e-4);
    last_good(&two, 0.05, 0.4);
    assert_int_equal(status_at(&two, 0.05, force, &err), AMPHI_UNSTABLE);
    assert_non_null(strstr(err.text, "the field of a pair on the dipole of bead 2"));
    close_two(&two);
}

/* No number must not pass for a small one. */
static void beads_in_one_place_are_a_fault(void **state)
{
    Two        two;
    AmphiError err;
    double     force[3];

    (void)state;
    open_two(&two, 1U << AMPHI_LJ | 1U << AMPHI_QD, 0.05);
    assert_int_equal(status_at(&two, 0, force, &err), AMPHI_UNSTABLE);
    take_cpu_set("v3");
    assert_int_equal(status_at(&two, 0, force, &err), AMPHI_UNSTABLE);
    take_cpu_set(NULL);
    close_two(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_system_agrees_and_has_one_set_of_bits),
        cmocka_unit_test(the_peers_membrane_agrees_and_has_one_set_of_bits),
        cmocka_unit_test(avx_512_is_taken_where_it_is),
        cmocka_unit_test(a_net_force_of_one_unit_is_noticed),
        cmocka_unit_test(a_warm_fluid_of_ellipsoids_agrees_and_has_one_set_of_bits),
        cmocka_unit_test(a_frame_of_a_descent_has_the_velocities_of_the_steps_before_it),
        cmocka_unit_test(a_pair_force_saturates_at_its_range_and_not_before),
        cmocka_unit_test(a_field_saturates_too),
        cmocka_unit_test(beads_in_one_place_are_a_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
