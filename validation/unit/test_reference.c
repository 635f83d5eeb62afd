/* The reference backend against its own energy, against single pairs summed here, and against
 * numbers worked out by hand, on a small mixture in which every term of the lists acts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/arena.h"
#include "../../engine/backend.h"
#include "../../engine/stage.h"
#include "../../engine/typed/probe.h"
#include "mixture.h"

typedef struct {
    double energy, term[AMPHI_TERMS], virial[AMPHI_TERMS][3][3];
    double force[BEADS][3], torque[BEADS][3], kinetic[3][3], rotation;

    int64_t count[AMPHI_TERMS];
} Answer;

static const AmphiBackend *reference(void)
{
    return amphi_backend_find("reference", AMPHI_DOUBLE);
}

static Answer ask(const AmphiSystem *system)
{
    const uint32_t needs = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;
    AmphiState    *state = NULL;
    AmphiFrame     frame;
    Answer         out = { 0 };

    assert_int_equal(reference()->open(system, NULL, &state, NULL), AMPHI_OK);
    assert_int_equal(reference()->compute_forces(state, needs, NULL), AMPHI_OK);
    assert_int_equal(reference()->read_frame(state, needs, &frame, NULL), AMPHI_OK);
    assert_int_equal(frame.has, needs);
    for (int k = 0; k < AMPHI_TERMS; k++)
        out.energy += frame.term_kJ_mol[k];
    memcpy(out.term, frame.term_kJ_mol, sizeof out.term);
    memcpy(out.virial, frame.term_virial_kJ_mol, sizeof out.virial);
    memcpy(out.count, frame.term_count, sizeof out.count);
    memcpy(out.kinetic, frame.kinetic_kJ_mol, sizeof out.kinetic);
    memcpy(out.force, frame.force_kJ_mol_nm, sizeof(double[3]) * (size_t)system->n_beads);
    memcpy(out.torque, frame.torque_kJ_mol, sizeof(double[3]) * (size_t)system->n_beads);
    out.rotation = frame.rotation_kJ_mol;
    reference()->close(state);
    return out;
}

/* ---- forces ---- */

typedef struct {
    const Mixture *mixture;
    int            bead, axis;
    bool           turns;
} Moved;

static double energy_moved(const void *context, double x)
{
    static Mixture m;
    const Moved   *moved = context;

    memcpy(&m, moved->mixture, sizeof m);
    m.system.position_nm = (const double(*)[3])m.position;
    m.system.orientation = (const double(*)[4])m.orientation;
    if (moved->turns)
        nudge_turn(m.orientation[moved->bead], moved->axis, x);
    else
        m.position[moved->bead][moved->axis] += x;
    return ask(&m.system).energy;
}

/* Steps of 1e-5: at the cut-offs second derivatives jump. The energy, some 1e3, is rounded to
 * 1e-13, which leaves 1e-7; forces and torques are some 100 and 10. */
static const double step = 1e-5, slope_bound = 1e-6;

static bool has_slopes(const Mixture *m, const Answer *claim)
{
    for (int i = 0; i < BEADS; i++)
        for (int axis = 0; axis < 3; axis++) {
            const Moved  moved = { m, i, axis, false }, turned = { m, i, axis, true };
            const double force  = -slope(energy_moved, &moved, step);
            const double torque = -slope(energy_moved, &turned, step);

            if (!is_near(claim->force[i][axis], force, slope_bound * (10 + fabs(force))) ||
                !is_near(claim->torque[i][axis], torque, slope_bound * (10 + fabs(torque))))
                return false;
        }
    return true;
}

static void forces_and_torques_are_slopes_of_the_total_energy(void **state)
{
    static Mixture m;

    (void)state;
    make_dense(&m);

    const Answer good = ask(&m.system);
    Answer       bad  = good;

    assert_true(has_slopes(&m, &good));
    bad.force[BEADS - 1][1] += 1e-4;
    assert_false(has_slopes(&m, &bad));
    bad = good;
    bad.torque[1][2] += 1e-4;
    assert_false(has_slopes(&m, &bad));
}

static void every_term_of_the_lists_acts_in_the_mixture(void **state)
{
    static Mixture m;

    (void)state;
    make_dense(&m);

    const Answer got = ask(&m.system);
    for (int k = 0; k < AMPHI_TERMS; k++)
        if (got.count[k] == 0 || got.term[k] == 0)
            fail_msg("mixture.h has no term %s", amphi_term_name((AmphiTermSlot)k));
    assert_int_equal(got.count[AMPHI_BOND], 2 * CHAINS);
    assert_int_equal(got.count[AMPHI_ANGLE], CHAINS);
    assert_int_equal(got.count[AMPHI_POSITION_RESTRAINT], CHAINS);
}

/* ---- every pair, summed here by another loop ---- */

static bool is_excluded(const Mixture *m, int i, int j)
{
    for (int32_t k = 0; k < m->system.n_exclusions; k++)
        if (m->exclusion[k][0] == i && m->exclusion[k][1] == j)
            return true;
    return false;
}

/* From bead 1 to bead 0: i and j. */
static AmphiPairPose pose_of(const Mixture *m, int i, int j)
{
    AmphiPairPose pose = { .charge_e    = { m->charge[i], m->charge[j] },
                           .dipole_e_nm = { m->dipole[i], m->dipole[j] } };

    for (int a = 0; a < 3; a++)
        pose.d_nm[a] = remainder(m->position[i][a] - m->position[j][a], m->system.box_nm[a]);
    memcpy(pose.orientation[0], m->orientation[i], sizeof pose.orientation[0]);
    memcpy(pose.orientation[1], m->orientation[j], sizeof pose.orientation[1]);
    return pose;
}

/* From the far end, so that i > j: the other of the two mirror rules. */
static void sum_pairs(const Mixture *m, double term[AMPHI_TERMS], int64_t count[AMPHI_TERMS])
{
    for (int i = BEADS - 1; i >= 0; i--)
        for (int j = i - 1; j >= 0; j--) {
            const AmphiPairPose  pose = pose_of(m, i, j);
            const AmphiPairRule *rule = &m->pair_rule[m->bead_type[i]][m->bead_type[j]];

            for (int32_t k = 0; k < rule->n_terms && !is_excluded(m, j, i); k++) {
                const AmphiTermSlot slot = amphi_potential_of_kind(rule->term[k].kind, false)->slot;
                AmphiPairForces     one;

                probe_pairs_double(&rule->term[k], 1, &pose, &one);
                term[slot] += one.energy;
                count[slot] += length_of(pose.d_nm) < rule->term[k].treatment.cutoff_nm;
            }
        }
}

static void energies_are_the_sums_over_all_pairs(void **state)
{
    static Mixture m;
    double         term[AMPHI_TERMS]  = { 0 };
    int64_t        count[AMPHI_TERMS] = { 0 };

    (void)state;
    make_dense(&m);
    sum_pairs(&m, term, count);

    const Answer got = ask(&m.system);
    for (int k = 0; k < AMPHI_PAIR_TERMS; k++) {
        assert_true(is_near(got.term[k], term[k], 1e-12 * (100 + fabs(term[k]))));
        assert_int_equal(got.count[k], count[k]);
    }
}

static void excluded_pairs_do_not_act(void **state)
{
    static Mixture m;
    double         term[AMPHI_TERMS]  = { 0 };
    int64_t        count[AMPHI_TERMS] = { 0 };

    (void)state;
    make_dense(&m);
    const Answer with     = ask(&m.system);
    m.system.n_exclusions = 0;
    const Answer without  = ask(&m.system);

    sum_pairs(&m, term, count);
    assert_true(is_near(without.term[AMPHI_QQ], term[AMPHI_QQ], 1e-10));
    assert_int_equal(without.count[AMPHI_QQ], with.count[AMPHI_QQ] + CHAINS); /* phos, ester */
    assert_true(fabs(without.term[AMPHI_QQ] - with.term[AMPHI_QQ]) > 1);
}

/* ---- one bead ---- */

static void the_energy_of_a_bead_changes_as_the_total_energy(void **state)
{
    static Mixture m;
    uint64_t       seed  = 90;
    AmphiState    *judge = NULL;

    (void)state;
    make_dense(&m);
    const double before = ask(&m.system).energy;

    for (int i = 0; i < BEADS; i++) {
        double x[3], q[4], old_x[3], old_q[4];

        memcpy(old_x, m.position[i], sizeof x);
        memcpy(old_q, m.orientation[i], sizeof q);
        assert_int_equal(reference()->open(&m.system, NULL, &judge, NULL), AMPHI_OK);
        const double here = amphi_reference_bead_energy(judge, i, old_x, old_q);

        for (int a = 0; a < 3; a++)
            x[a] = old_x[a] + draw(&seed, -0.03, 0.03) + m.system.box_nm[a];
        draw_orientation(&seed, q);
        const double there = amphi_reference_bead_energy(judge, i, x, q);
        reference()->close(judge);

        memcpy(m.position[i], x, sizeof x);
        memcpy(m.orientation[i], q, sizeof q);
        const double after = ask(&m.system).energy;
        memcpy(m.position[i], old_x, sizeof x);
        memcpy(m.orientation[i], old_q, sizeof q);
        assert_true(fabs(after - before) > 1e-3);
        assert_true(is_near(there - here, after - before, 1e-10 * (1e3 + fabs(after))));
    }
}

/* ---- the virial ---- */

typedef struct {
    const Mixture *mixture;
    int            term, along, to; /* x_to grows by h x_along; along == to: with the box */
} Strain;

static double term_strained(const void *context, double h)
{
    static Mixture m;
    const Strain  *s = context;

    memcpy(&m, s->mixture, sizeof m);
    m.system.position_nm = (const double(*)[3])m.position;
    m.system.anchor_nm   = (const double(*)[3])m.anchor;
    for (int i = 0; i < BEADS; i++)
        m.position[i][s->to] += h * m.position[i][s->along];
    for (int k = 0; k < BONDS; k++)
        m.anchor[k][s->to] += h * m.anchor[k][s->along];
    if (s->along == s->to)
        m.system.box_nm[s->to] *= 1 + h;
    return ask(&m.system).term[s->term];
}

static bool virial_is_slope(const Mixture *m, const Answer *claim, int along, int to)
{
    for (int term = 0; term < AMPHI_TERMS; term++) {
        const Strain strain = { m, term, along, to };
        const double wanted = -slope(term_strained, &strain, step);

        if (!is_near(claim->virial[term][along][to], wanted, slope_bound * (100 + fabs(wanted))))
            return false;
    }
    return true;
}

/* -dU/dln(edge) with fixed orientations, edge by edge. */
static void the_diagonal_of_the_virial_is_the_slope_with_the_box(void **state)
{
    static Mixture m;

    (void)state;
    make_dense(&m);

    const Answer good = ask(&m.system);
    Answer       bad  = good;

    for (int a = 0; a < 3; a++)
        assert_true(virial_is_slope(&m, &good, a, a));
    bad.virial[AMPHI_DD][1][1] += 1e-2;
    assert_false(virial_is_slope(&m, &bad, 1, 1));
}

/* W_ab = sum d_a F_b is minus the slope under x_b += h x_a: all nine, so its two indices cannot be
 * exchanged unseen. A cluster, whose anchors are made its own images first. */
static void all_nine_of_the_virial_are_slopes_under_strain(void **state)
{
    static Mixture m;

    (void)state;
    make_cluster(&m);
    for (int k = 0; k < BONDS; k++)
        for (int a = 0; a < 3; a++)
            m.anchor[k][a] =
                m.position[m.bond[k].bead[0]][a] +
                remainder(m.anchor[k][a] - m.position[m.bond[k].bead[0]][a], m.system.box_nm[a]);

    const Answer good       = ask(&m.system);
    Answer       transposed = good;

    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (a != b)
                assert_true(virial_is_slope(&m, &good, a, b));
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            transposed.virial[AMPHI_DD][a][b] = good.virial[AMPHI_DD][b][a];
    assert_false(virial_is_slope(&m, &transposed, 0, 1));
}

/* ---- the box, motion, faults ---- */

static void images_of_a_bead_are_the_same_bead(void **state)
{
    static Mixture m;
    uint64_t       seed = 91;

    (void)state;
    make_dense(&m);
    const Answer before = ask(&m.system);

    for (int i = 0; i < BEADS; i++)
        for (int a = 0; a < 3; a++)
            m.position[i][a] += m.system.box_nm[a] * floor(draw(&seed, -2, 3));
    const Answer after = ask(&m.system);

    for (int k = 0; k < AMPHI_TERMS; k++) {
        assert_true(is_near(after.term[k], before.term[k], 1e-11 * (100 + fabs(before.term[k]))));
        assert_int_equal(after.count[k], before.count[k]);
    }
    for (int i = 0; i < BEADS; i++)
        for (int a = 0; a < 3; a++)
            assert_true(is_near(after.force[i][a], before.force[i][a],
                                1e-11 * (1e3 + fabs(before.force[i][a]))));
}

static void without_anchors_the_forces_sum_to_zero(void **state)
{
    static Mixture m;

    (void)state;
    make_dense(&m);
    m.bond_rule[2] = bond_rule("restrain", "position", 0, 0, 0);

    const Answer got    = ask(&m.system);
    double       sum[3] = { 0 };
    for (int i = 0; i < BEADS; i++)
        for (int a = 0; a < 3; a++)
            sum[a] += got.force[i][a];
    assert_true(length_of(sum) < 1e-10);
    assert_true(length_of(got.force[0]) > 1);
}

/* Two beads: 4 u at (1, 2, 0) nm/ps, a linear rotor; 2 u at (0, 0, 3), a top. */
static void kinetic_energies_count_what_a_bead_has(void **state)
{
    static Mixture m;

    (void)state;
    make_cluster(&m);
    m.system.n_beads = 2;
    m.system.n_bonds = m.system.n_exclusions = 0;
    m.bead_type[0]                           = TAIL;
    m.bead_type[1]                           = WATER;
    m.type[TAIL].mass_u                      = 4;
    m.type[WATER].mass_u                     = 2;
    memcpy(m.type[TAIL].inertia_u_nm2, (double[3]){ 2, 2, 0 }, sizeof(double[3]));
    memcpy(m.type[WATER].inertia_u_nm2, (double[3]){ 1, 2, 4 }, sizeof(double[3]));
    memcpy(m.velocity[0], (double[3]){ 1, 2, 0 }, sizeof m.velocity[0]);
    memcpy(m.velocity[1], (double[3]){ 0, 0, 3 }, sizeof m.velocity[1]);
    memcpy(m.spin[0], (double[3]){ 2, 4, 7 }, sizeof m.spin[0]);
    memcpy(m.spin[1], (double[3]){ 2, 4, 8 }, sizeof m.spin[1]);

    const double wanted[3][3] = { { 2, 4, 0 }, { 4, 8, 0 }, { 0, 0, 9 } };
    const Answer got          = ask(&m.system);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            assert_true(is_near(got.kinetic[a][b], wanted[a][b], 1e-14));
    assert_true(is_near(got.rotation, (1 + 4) + (2 + 4 + 8), 1e-14));
    m.type[WATER].rotor = AMPHI_POINT;
    assert_true(is_near(ask(&m.system).rotation, 1 + 4, 1e-14));
}

static void beads_on_one_spot_are_reported(void **state)
{
    static Mixture m;
    AmphiState    *judge = NULL;
    AmphiError     err   = { 0 };

    (void)state;
    make_dense(&m);
    memcpy(m.position[BEADS - 1], m.position[BEADS - 2], sizeof m.position[0]);
    assert_int_equal(reference()->open(&m.system, NULL, &judge, &err), AMPHI_OK);
    assert_int_equal(reference()->compute_forces(judge, AMPHI_NEED_ENERGY, &err), AMPHI_UNSTABLE);
    assert_non_null(strstr(err.text, "not finite"));
    reference()->close(judge);
}

static void a_lack_of_memory_is_reported(void **state)
{
    static Mixture m;
    AmphiStatus    status = AMPHI_NO_MEMORY;
    int            failed = 0;

    (void)state;
    make_dense(&m);
    for (int64_t n = 1; status != AMPHI_OK; n++) {
        AmphiState *judge = NULL;
        AmphiError  err   = { 0 };

        amphi_arena_fail_at(n);
        status = reference()->open(&m.system, NULL, &judge, &err);
        amphi_arena_fail_at(0);
        if (status == AMPHI_OK) {
            reference()->close(judge);
            break;
        }
        assert_int_equal(status, AMPHI_NO_MEMORY);
        assert_null(judge);
        assert_true(err.text[0] != '\0');
        failed++;
    }
    assert_true(failed >= 2);
    reference()->close(NULL);
}

static void backends_are_found_by_name_and_precision(void **state)
{
    (void)state;
    assert_non_null(reference());
    assert_string_equal(reference()->name, "reference");
    assert_null(amphi_backend_find("reference", AMPHI_FIXED));
    assert_null(amphi_backend_find("abacus", AMPHI_DOUBLE));
    assert_null(amphi_backend_at(-1));
    assert_null(amphi_backend_at(1000));
    assert_true(amphi_backend_at(0) != NULL);
    assert_string_equal(amphi_precision_name(AMPHI_SINGLE), "single");
    assert_string_equal(amphi_precision_name(AMPHI_DOUBLE), "double");
    assert_string_equal(amphi_precision_name(AMPHI_FIXED), "fixed");
}

/* In a box that a pressure has made smaller, forces are those of a system that is read with that
 * box and with anchors that have moved as it did. */
static void check_anchors(const AmphiBackend *be, double tolerance)
{
    static Mixture   m;
    const uint32_t   needs = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;
    const AmphiStage stage = { .name     = "press",
                               .ensemble = AMPHI_NPT,
                               .dt_ps    = 1.25e-4,
                               .barostat = { .type                       = AMPHI_BERENDSEN_P,
                                             .coupling                   = AMPHI_ISOTROPIC,
                                             .pressure_kJ_mol_nm3        = 1e9,
                                             .compressibility_nm3_mol_kJ = 1e-9,
                                             .time_ps                    = 1.25e-2 } };
    AmphiState      *now   = NULL;
    AmphiFrame       frame;

    make_dense(&m);
    assert_int_equal(be->open(&m.system, NULL, &now, NULL), AMPHI_OK);
    assert_int_equal(be->begin_stage(now, &stage, NULL), AMPHI_OK);
    for (int k = 0; k < 12; k++) {
        assert_int_equal(be->find_neighbours(now, NULL), AMPHI_OK);
        assert_int_equal(be->compute_forces(now, needs, NULL), AMPHI_OK);
        assert_int_equal(be->kick(now, 0, NULL), AMPHI_OK);
        assert_int_equal(be->drift(now, NULL), AMPHI_OK);
    }
    assert_int_equal(be->find_neighbours(now, NULL), AMPHI_OK);
    assert_int_equal(be->compute_forces(now, needs, NULL), AMPHI_OK);
    assert_int_equal(be->read_frame(now, needs, &frame, NULL), AMPHI_OK);

    const double shrunk = frame.box_nm[0] / m.system.box_nm[0];
    assert_true(shrunk < 0.99);
    for (int k = 0; k < BONDS; k++)
        for (int a = 0; a < 3; a++)
            m.anchor[k][a] *= shrunk;
    memcpy(m.position, frame.position_nm, sizeof m.position);
    memcpy(m.orientation, frame.orientation, sizeof m.orientation);
    memcpy(m.system.box_nm, frame.box_nm, sizeof m.system.box_nm);
    const double wanted = ask(&m.system).term[AMPHI_POSITION_RESTRAINT];
    assert_true(wanted > 1);
    assert_true(is_near(frame.term_kJ_mol[AMPHI_POSITION_RESTRAINT], wanted, tolerance * wanted));
    be->close(now);
}

static void anchors_go_with_a_box_that_moves(void **state)
{
    (void)state;
    check_anchors(reference(), 1e-9);
    check_anchors(amphi_backend_find("cpu", AMPHI_FIXED), 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_and_torques_are_slopes_of_the_total_energy),
        cmocka_unit_test(every_term_of_the_lists_acts_in_the_mixture),
        cmocka_unit_test(energies_are_the_sums_over_all_pairs),
        cmocka_unit_test(excluded_pairs_do_not_act),
        cmocka_unit_test(the_energy_of_a_bead_changes_as_the_total_energy),
        cmocka_unit_test(the_diagonal_of_the_virial_is_the_slope_with_the_box),
        cmocka_unit_test(all_nine_of_the_virial_are_slopes_under_strain),
        cmocka_unit_test(images_of_a_bead_are_the_same_bead),
        cmocka_unit_test(without_anchors_the_forces_sum_to_zero),
        cmocka_unit_test(anchors_go_with_a_box_that_moves),
        cmocka_unit_test(kinetic_energies_count_what_a_bead_has),
        cmocka_unit_test(beads_on_one_spot_are_reported),
        cmocka_unit_test(a_lack_of_memory_is_reported),
        cmocka_unit_test(backends_are_found_by_name_and_precision),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
