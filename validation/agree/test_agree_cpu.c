/* The backend `cpu` against the reference: single and double, both instruction sets, one thread and
 * two, on every shipped system that the judge can look at in seconds and on the peer's membrane;
 * and a list whose box shrinks.
 */
#include <math.h>
#include <string.h>

#include "../../engine/bodies_show.h"
#include "../../engine/cpu_pairs.h"
#include "../../engine/stage.h"
#include "../../forcefield/spec.h"
#include "backends.h"

/* The same forces, bit by bit, whatever else is asked for. */
static void check_looking(const AmphiBackend *backend, AmphiState *state, const Vectors force,
                          int32_t n)
{
    static const uint32_t needs[] = { AMPHI_NEED_POTENTIAL,
                                      AMPHI_NEED_POTENTIAL | AMPHI_NEED_VIRIAL, AMPHI_NEED_ENERGY };
    AmphiError            err     = { AMPHI_OK, "" };
    AmphiFrame            frame;

    for (size_t k = 0; k < sizeof needs / sizeof needs[0]; k++) {
        if (backend->compute_forces(state, needs[k], &err) != AMPHI_OK ||
            backend->read_frame(state, needs[k], &frame, &err) != AMPHI_OK)
            fail_msg("%s", err.text);
        assert_memory_equal(force, frame.force_kJ_mol_nm, (size_t)n * sizeof *force);
    }
}

static const Bound wide_bound = { "two beads in a box of 1024 nm", 2e-6, 1e-6 };

static void compute_pairs(const AmphiCpuPairsTable *table, AmphiCpuPairs *pairs,
                          AmphiBodies *bodies, uint32_t needs, AmphiSums *sums)
{
    table->begin(pairs, bodies);
#pragma omp parallel num_threads(2)
    {
        table->write(pairs, bodies);
        table->visit(pairs, bodies, needs);
    }
    table->add_sums(pairs, bodies, needs, sums);
}

/* What the motion is told, against what observers are; the largest is 1. The potential has the same
 * bits at every level. */
static void check_totals(const AmphiSystem *system, const AmphiCpuPairsTable *table, double bound)
{
    AmphiSums      sums[2] = { { .potential_kJ_mol = 0 } };
    AmphiBodies   *bodies  = NULL;
    AmphiCpuList  *list    = NULL;
    AmphiCpuPairs *pairs   = NULL;
    double         energy = 0, virial[3] = { 0 };

    if (amphi_bodies_open(system, &bodies, NULL) != AMPHI_OK ||
        amphi_cpu_list_open(system, 0.1, table->lanes, &list, NULL) != AMPHI_OK ||
        amphi_cpu_list_build(list, bodies->box_nm, (const double(*)[3])bodies->position_nm, 2,
                             NULL) != AMPHI_OK ||
        table->open(system, list, &pairs, NULL) != AMPHI_OK)
        fail_msg("no memory");
    compute_pairs(table, pairs, bodies, AMPHI_NEED_VIRIAL | AMPHI_NEED_ENERGY, &sums[0]);
    compute_pairs(table, pairs, bodies, AMPHI_NEED_POTENTIAL, &sums[1]);
    for (int k = 0; k < AMPHI_TERMS; k++) {
        energy += sums[0].energy_kJ_mol[k];
        for (int a = 0; a < 3; a++)
            virial[a] += sums[0].virial_kJ_mol[k][a][a];
    }
    assert_true(sums[0].potential_kJ_mol == sums[1].potential_kJ_mol);
    HOLD("total energy",
         fabs(sums[0].potential_kJ_mol - energy) / largest(sums[0].energy_kJ_mol, AMPHI_TERMS),
         bound);
    for (int a = 0; a < 3; a++)
        HOLD("total virial",
             fabs(sums[0].total_virial_kJ_mol[a] - virial[a]) /
                 largest(&sums[0].virial_kJ_mol[0][0][0], 9 * AMPHI_TERMS),
             bound);
    table->close(pairs);
    amphi_cpu_list_close(list);
    amphi_bodies_close(bodies);
}

/* The forces, copied out, with and without energies: looking must not change a bit. */
static Errors cpu_errors(const AmphiSystem *system, AmphiPrecision precision, int32_t threads,
                         const Evaluation *exact, Vectors force)
{
    const AmphiBackend *backend = amphi_backend_find("cpu", precision);
    const AmphiCompute  compute = { .threads = threads };
    AmphiState         *state   = NULL;
    AmphiError          err     = { AMPHI_OK, "" };
    AmphiFrame          frame;
    Errors              errors;

    if (backend->open(system, &compute, &state, &err) != AMPHI_OK ||
        backend->compute_forces(state, 0, &err) != AMPHI_OK ||
        backend->read_frame(state, AMPHI_NEED_FORCES, &frame, &err) != AMPHI_OK)
        fail_msg("%s", err.text);
    assert_true(names_cpu_set(backend->about(state)));
    memcpy(force, frame.force_kJ_mol_nm, (size_t)system->n_beads * sizeof *force);
    check_looking(backend, state, force, system->n_beads);
    if (backend->read_frame(state, AMPHI_NEED_ENERGY, &frame, &err) != AMPHI_OK)
        fail_msg("%s", err.text);
    errors = errors_of(&frame, exact);
    backend->close(state);
    return errors;
}

/* Kernels of one instruction set. */
typedef struct {
    const char               *set, *name;
    const AmphiCpuPairsTable *table[2]; /* single, double */
} Kernels;

static const Kernels avx2    = { "v3",
                                 "avx2",
                                 { &amphi_cpu_pairs_single_v3, &amphi_cpu_pairs_double_v3 } };
static const Kernels avx_512 = { "v4",
                                 "avx-512",
                                 { &amphi_cpu_pairs_single_v4, &amphi_cpu_pairs_double_v4 } };

static void check(const AmphiSystem *system, const Kernels *kernels, const Bound *bound,
                  const Evaluation *exact)
{
    Vectors one = vectors_new(system->n_beads), two = vectors_new(system->n_beads);

    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_DOUBLE; p++) {
        const Errors e = cpu_errors(system, p, 1, exact, one);

        hold_errors(kernels->name, p, &e, bound);
        cpu_errors(system, p, 2, exact, two);
        assert_memory_equal(one, two, (size_t)system->n_beads * sizeof *one);
        check_totals(system, kernels->table[p == AMPHI_DOUBLE], energy_bound_of(p));
    }
    amphi_release(one);
    amphi_release(two);
}

static void check_job(AmphiJob *job, const Kernels *kernels, const Bound *bound)
{
    Evaluation exact = evaluate(&job->system);

    print_message("%s, %d beads\n", bound->name, (int)job->system.n_beads);
    take_cpu_set(kernels->set);
    check(&job->system, kernels, bound, &exact);
    take_cpu_set(NULL);
    evaluation_free(&exact);
    amphi_job_free(job);
}

static void check_shipped_systems(const Kernels *kernels)
{
    for (int k = 0; k < n_single_bounds; k++)
        if (!is_left_out(single_bounds[k].name))
            check_job(job_of(".", single_bounds[k].name), kernels, &single_bounds[k]);
}

static void forces_by_avx2_are_those_of_the_reference_on_every_shipped_system(void **state)
{
    (void)state;
    check_shipped_systems(&avx2);
}

static void forces_by_avx_512_are_those_of_the_reference_on_every_shipped_system(void **state)
{
    (void)state;
    AVX_512_OR_SKIP();
    check_shipped_systems(&avx_512);
}

static bool has_potential(const AmphiSystem *s, const AmphiPotential *p)
{
    if (amphi_potential_is_bonded(p)) {
        for (int32_t k = 0; k < s->n_bonds; k++)
            if (s->bond_rule[s->bond[k].rule].kind == p->kind)
                return true;
        return false;
    }
    for (int32_t r = 0; r < s->n_types * s->n_types; r++)
        for (int32_t k = 0; k < s->pair_rule[r].n_terms; k++)
            if (s->pair_rule[r].term[k].kind == p->kind)
                return true;
    return false;
}

/* Else kernels would have it, and no backend be held to the reference with it. */
static void every_potential_is_in_a_shipped_system(void **state)
{
    const AmphiPotential *p;
    int32_t               found[64] = { 0 }, n = 0;

    (void)state;
    for (int k = 0; k < n_single_bounds; k++) {
        AmphiJob *job = job_of(".", single_bounds[k].name);

        for (n = 0; (p = amphi_spec_at(n)) != NULL; n++)
            found[n] += has_potential(&job->system, p);
        amphi_job_free(job);
    }
    for (n = 0; (p = amphi_spec_at(n)) != NULL; n++)
        if (found[n] == 0)
            fail_msg("%s %s: no system of backends.c has it", p->element, p->name);
}

static void forces_are_those_of_the_reference_on_the_peers_membrane(void **state)
{
    char data[PATH_SIZE], folder[PATH_SIZE];

    (void)state;
    PEER_OR_SKIP("elba/dmpc", data);
    check_job(peer_membrane(data, folder), &avx2, &peer_bound);
    if (amphi_cpu_has_v4())
        check_job(job_of(folder, "dmpc.xml"), &avx_512, &peer_bound);
    folder_remove(folder);
}

static void kernels_of_another_set_are_noticed(void **state)
{
    (void)state;
    take_cpu_set("v3");
    assert_true(names_cpu_set("cpu single v3, 8 lanes, margin chosen by itself, 1 thread"));
    assert_false(names_cpu_set("cpu single v4, 16 lanes, margin chosen by itself, 1 thread"));
    take_cpu_set(NULL);
}

/* ---- a box that shrinks under its list ---- */

static const double shrinkage = 0.95;

/* The system with all places nearer together, which it borrows. */
static AmphiSystem squeezed(const AmphiSystem *system, Vectors places)
{
    AmphiSystem s = *system;

    for (int32_t i = 0; i < s.n_beads; i++)
        for (int a = 0; a < 3; a++)
            places[i][a] = shrinkage * system->position_nm[i][a];
    for (int a = 0; a < 3; a++)
        s.box_nm[a] *= shrinkage;
    s.position_nm = (const double(*)[3])places;
    return s;
}

/* The same in the bytes of a state, whose list stays that of the larger box. */
static void squeeze(AmphiBytes *state)
{
    AmphiSavedNumbers numbers;
    double            place[3];

    memcpy(&numbers, state->data, sizeof numbers);
    for (int a = 0; a < 3; a++)
        numbers.box_nm[a] *= shrinkage;
    memcpy(state->data, &numbers, sizeof numbers);
    for (int64_t i = 0; i < numbers.n; i++) {
        unsigned char *const at = state->data + sizeof numbers + (size_t)i * sizeof place;

        memcpy(place, at, sizeof place);
        for (int a = 0; a < 3; a++)
            place[a] *= shrinkage;
        memcpy(at, place, sizeof place);
    }
}

static Errors errors_of_squeezed(const AmphiSystem *system, AmphiPrecision precision,
                                 const Evaluation *exact)
{
    const AmphiBackend *backend = amphi_backend_find("cpu", precision);
    const AmphiCompute  compute = { .threads = 1, .margin_nm = 0.02 };
    const AmphiStage    stage   = { .name = "s", .ensemble = AMPHI_NVE, .dt_ps = 0.001 };
    const uint32_t      needs   = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES;
    AmphiState         *state   = NULL;
    AmphiBytes          bytes   = { .data = NULL };
    AmphiError          err     = { AMPHI_OK, "" };
    AmphiFrame          frame;

    if (backend->open(system, &compute, &state, &err) != AMPHI_OK ||
        backend->find_neighbours(state, &err) != AMPHI_OK ||
        backend->begin_stage(state, &stage, &err) != AMPHI_OK ||
        backend->save(state, &bytes, &err) != AMPHI_OK)
        fail_msg("%s", err.text);
    squeeze(&bytes);
    if (backend->restore(state, &bytes, &err) != AMPHI_OK ||
        backend->find_neighbours(state, &err) != AMPHI_OK ||
        backend->compute_forces(state, needs, &err) != AMPHI_OK ||
        backend->read_frame(state, needs, &frame, &err) != AMPHI_OK)
        fail_msg("%s", err.text);

    const Errors errors = errors_of(&frame, exact);
    amphi_release(bytes.data);
    backend->close(state);
    return errors;
}

/* No bead moves in fractions of the edges, and those beyond the margin of the list come into
 * reach: 1.2 nm are 1.26 nm of the larger box. */
static void a_box_that_shrinks_makes_the_list_stale(void **state)
{
    (void)state;
    AmphiJob *const   job    = job_of(".", "systems/water-elba.xml");
    const Vectors     places = vectors_new(job->system.n_beads);
    const AmphiSystem small  = squeezed(&job->system, places);
    Evaluation        exact  = evaluate(&small);

    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_DOUBLE; p++) {
        const Errors e = errors_of_squeezed(&job->system, p, &exact);

        hold_errors("squeezed", p, &e, &single_bounds[0]);
    }
    evaluation_free(&exact);
    amphi_release(places);
    amphi_job_free(job);
}

/* Two beads on either side of the border of a box of 1024 nm, at multiples of 1/8 nm, which have no
 * rounding error there: the number of cells follows that of beads, not the volume. */
static void a_box_that_is_nearly_empty_has_few_cells_and_the_same_forces(void **state)
{
    static const double bead[2][3] = { { 0.125, 1023.875, 3 }, { 1023.75, 0, 2.875 } };
    AmphiJob           *job        = job_of(".", "systems/pair.xml");
    AmphiCpuList       *list       = NULL;

    (void)state;
    for (int a = 0; a < 3; a++)
        job->system.box_nm[a] = 1024;
    assert_int_equal(job->system.n_beads, 2);
    job->system.position_nm = bead;
    assert_int_equal(amphi_cpu_list_open(&job->system, 0.1, 8, &list, NULL), AMPHI_OK);
    assert_int_equal(amphi_cpu_list_build(list, job->system.box_nm, bead, 1, NULL), AMPHI_OK);
    assert_true((int64_t)list->n_cells[0] * list->n_cells[1] * list->n_cells[2] <= 4096 + 2 * 32);
    assert_int_equal(list->n_neighbours, 2);
    amphi_cpu_list_close(list);
    check_job(job, &avx2, &wide_bound);
}

/* Is it nearer than a part of the cut-off of its types and the margin? Never where nothing acts. */
static bool is_in_reach(const AmphiSystem *s, int32_t i, int32_t j, double margin_nm, double part)
{
    const AmphiPairRule *rule  = &s->pair_rule[s->bead_type[i] * s->n_types + s->bead_type[j]];
    const double         reach = (rule->cutoff_nm + margin_nm) * part;
    double               r2    = 0;

    for (int a = 0; a < 3; a++) {
        const double d = s->position_nm[i][a] - s->position_nm[j][a];
        const double n = d - s->box_nm[a] * nearbyint(d / s->box_nm[a]);

        r2 += n * n;
    }
    return rule->n_terms > 0 && r2 < reach * reach;
}

/* Each pair twice. */
static int64_t count_in_reach(const AmphiSystem *s, double margin_nm, double part)
{
    int64_t n = 0;

    for (int32_t i = 0; i < s->n_beads; i++)
        for (int32_t j = 0; j < i; j++)
            n += is_in_reach(s, i, j, margin_nm, part);
    for (int32_t k = 0; k < s->n_exclusions; k++)
        n -= is_in_reach(s, s->exclusion[k][0], s->exclusion[k][1], margin_nm, part);
    return 2 * n;
}

/* Water of this membrane has a cut-off of 0.9 nm, lipids have 1.2 nm; and with a force field that
 * has nothing between two types, neither has a row. */
static void rows_reach_as_far_as_pairs_of_their_types(void **state)
{
    AmphiJob          *job    = job_of(".", "systems/bilayer-b08o.xml");
    const AmphiSystem *s      = &job->system;
    const int32_t      rules  = s->n_types * s->n_types;
    AmphiPairRule     *rule   = amphi_alloc(rules, sizeof *rule);
    const double       margin = 0.1, rounding = 3e-5;
    AmphiCpuList      *list = NULL;

    (void)state;
    assert_non_null(rule);
    memcpy(rule, s->pair_rule, (size_t)rules * sizeof *rule);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(amphi_cpu_list_open(s, margin, 8, &list, NULL), AMPHI_OK);
        assert_int_equal(amphi_cpu_list_build(list, s->box_nm, s->position_nm, 2, NULL), AMPHI_OK);
        assert_true(list->n_neighbours >= count_in_reach(s, margin, 1));
        assert_true(list->n_neighbours <= count_in_reach(s, margin, 1 + rounding));
        amphi_cpu_list_close(list);
        rule[0]               = (AmphiPairRule){ .n_terms = 0 };
        job->system.pair_rule = rule;
    }
    amphi_release(rule);
    amphi_job_free(job);
}

/* Sticky terms pack what is near in a row, 512 entries at a time: these rows have some 700. */
static void long_rows_of_sticky_water_are_gone_over_to_their_ends(void **state)
{
    static const char text[] = "<amphi version=\"1\"><forcefield><include href=\"forcefield:ssd\"/>"
                               "</forcefield><system><box x=\"4.2 nm\" y=\"4.2 nm\" z=\"4.2 nm\"/>"
                               "<start><fill type=\"SSDRF\" count=\"2400\" seed=\"5\"/></start>"
                               "</system></amphi>\n";
    static const double margin_nm[] = { 0.8, 0.1 };
    AmphiJob           *job         = job_of_text("%s", text);
    const size_t        bytes       = (size_t)job->system.n_beads * sizeof(double[3]);
    Vectors             first       = vectors_new(job->system.n_beads);
    Evaluation          exact       = evaluate(&job->system);

    (void)state;
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_DOUBLE; p++) {
        const AmphiBackend *backend = amphi_backend_find("cpu", p);
        AmphiState         *s       = open_state(backend, &job->system, margin_nm[0]);
        const AmphiFrame    frame   = forces_of(backend, s);
        const Errors        e       = errors_of(&frame, &exact);

        hold_errors("long rows", p, &e, &peer_bound);
        backend->close(s);
    }
    for (int k = 0; k < 2; k++) {
        const AmphiBackend *backend = amphi_backend_find("cpu", AMPHI_FIXED);
        AmphiState         *s       = open_state(backend, &job->system, margin_nm[k]);
        const AmphiFrame    frame   = forces_of(backend, s);

        if (k == 0)
            memcpy(first, frame.force_kJ_mol_nm, bytes);
        assert_memory_equal(first, frame.force_kJ_mol_nm, bytes);
        backend->close(s);
    }
    evaluation_free(&exact);
    amphi_release(first);
    amphi_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_by_avx2_are_those_of_the_reference_on_every_shipped_system),
        cmocka_unit_test(forces_by_avx_512_are_those_of_the_reference_on_every_shipped_system),
        cmocka_unit_test(every_potential_is_in_a_shipped_system),
        cmocka_unit_test(forces_are_those_of_the_reference_on_the_peers_membrane),
        cmocka_unit_test(kernels_of_another_set_are_noticed),
        cmocka_unit_test(a_box_that_shrinks_makes_the_list_stale),
        cmocka_unit_test(a_box_that_is_nearly_empty_has_few_cells_and_the_same_forces),
        cmocka_unit_test(rows_reach_as_far_as_pairs_of_their_types),
        cmocka_unit_test(long_rows_of_sticky_water_are_gone_over_to_their_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
