/* The laws of motion in whole numbers: exactly undone by turning round, momentum kept to the last
 * unit, the same for any number of threads and onlookers, and the motion of doubles otherwise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/state_hash.h"
#include "fixed_cases.h"

static Case the_case;

static AmphiBodies *begin_case(const AmphiStage *stage, Forces forces)
{
    AmphiBodies *b = NULL;

    assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
    assert_int_equal(amphi_fixed_open(b, NULL), AMPHI_OK);
    amphi_fixed_expect(b, stage);
    forces(b);
    assert_int_equal(amphi_bodies_begin_stage(b, stage, NULL), AMPHI_OK);
    return b;
}

static AmphiBodies *begin(int32_t n, int kind, const AmphiStage *stage, Forces forces)
{
    make_case(&the_case, n, kind, 3, 298);
    return begin_case(stage, forces);
}

static AmphiStage nve(double dt_ps)
{
    return (AmphiStage){ .name = "nve", .ensemble = AMPHI_NVE, .dt_ps = dt_ps };
}

static AmphiStateHash hash_of(AmphiBodies *b, int64_t step)
{
    AmphiBytes     bytes = saved(b);
    AmphiStateHash hash;

    assert_true(amphi_state_flip(&bytes, step) && amphi_state_flip(&bytes, step));
    assert_true(amphi_state_hash(&bytes, &hash));
    amphi_release(bytes.data);
    return hash;
}

static bool is_same(AmphiStateHash a, AmphiStateHash c)
{
    return a.high == c.high && a.low == c.low;
}

/* ---- backwards ---- */

/* The kick of this step, then the other way. */
static void turn_round(AmphiBodies *b, Forces forces)
{
    AmphiBytes bytes;
    size_t     at = 0;

    forces(b);
    amphi_bodies_kick(b, false);
    bytes = saved(b);
    assert_true(amphi_state_flip(&bytes, b->step));
    assert_true(amphi_bodies_unpack(b, &bytes, &at) && amphi_fixed_unpack(b, &bytes, &at));
    amphi_release(bytes.data);
}

static void walk_on(AmphiBodies *b, int n, Forces forces)
{
    for (int k = 0; k < n; k++) {
        forces(b);
        amphi_bodies_kick(b, k % 7 == 0);
        amphi_bodies_drift(b);
    }
    assert_int_equal(b->fixed->fault.what, FIXED_GOOD);
}

/* Through faces of the box, in forces that pull and turn: x, image, p, q and l. An odd number of
 * ticks a step, so that half a kick is no whole number. */
static void every_kind_of_body_comes_back_to_the_last_bit(void **state)
{
    (void)state;
    const AmphiStage stage = nve(0.001 * 317 / 64);

    for (int kind = 0; kind <= MIXED; kind++) {
        AmphiBodies         *b     = begin(60, kind, &stage, fixed_springs);
        const AmphiStateHash first = hash_of(b, 0);

        walk_on(b, 1000, fixed_springs);
        assert_false(is_same(first, hash_of(b, 0)));
        turn_round(b, fixed_springs);
        walk_on(b, 1000, fixed_springs);
        turn_round(b, fixed_springs);
        assert_true(is_same(first, hash_of(b, 0)));
        amphi_bodies_close(b);
    }
}

/* One unit of one number is not forgotten. */
static void a_disturbance_does_not_come_back(void **state)
{
    (void)state;
    const AmphiStage     stage = nve(0.005);
    AmphiBodies         *b     = begin(60, MIXED, &stage, fixed_springs);
    const AmphiStateHash first = hash_of(b, 0);

    walk_on(b, 100, fixed_springs);
    b->fixed->p[3][1]++;
    turn_round(b, fixed_springs);
    walk_on(b, 100, fixed_springs);
    turn_round(b, fixed_springs);
    assert_false(is_same(first, hash_of(b, 0)));
    amphi_bodies_close(b);
}

/* ---- momentum ---- */

static void total_momentum_stays_the_same_whole_number(void **state)
{
    (void)state;
    const AmphiStage stage = nve(0.005);
    AmphiBodies     *b     = begin(700, MIXED, &stage, fixed_springs);
    int64_t          first[3], last[3];

    amphi_fixed_momentum(b, first);
    assert_true(first[0] != 0);
    walk_on(b, 500, fixed_springs);
    amphi_fixed_momentum(b, last);
    assert_memory_equal(first, last, sizeof first);
    walk_on(b, 1, fixed_pulls); /* the check sees forces that are not mutual */
    amphi_fixed_momentum(b, last);
    assert_memory_not_equal(first, last, sizeof first);
    amphi_bodies_close(b);
}

/* ---- the motion of doubles ---- */

/* Rounding differs by 1e-10 nm/ps a step; steadily turning bodies do so by steps of second order,
 * which those of doubles do exactly, and 0.2 ps of them are compared at two steps: the difference
 * of axes falls by 4. */
static double axes_apart(double dt_ps)
{
    const AmphiStage stage = nve(dt_ps);
    AmphiBodies     *b = begin(64, MIXED, &stage, fixed_pulls), *other = NULL;
    double           most = 0;

    assert_int_equal(amphi_bodies_open(&the_case.system, &other, NULL), AMPHI_OK);
    fixed_pulls(b);
    memcpy(other->force_kJ_mol_nm, b->force_kJ_mol_nm, sizeof(double[64][3]));
    memcpy(other->torque_kJ_mol, b->torque_kJ_mol, sizeof(double[64][3]));
    assert_int_equal(amphi_bodies_begin_stage(other, &stage, NULL), AMPHI_OK);
    for (int k = 0; k < (int)(0.2 / dt_ps + 0.5); k++) {
        step(b, fixed_pulls);
        clear_forces(other);
        add_wells(other, 1000);
        add_field(other, 20);
        amphi_bodies_kick(other, true);
        amphi_bodies_drift(other);
    }
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < 3; k++) {
            double here[3], there[3];

            turn_vector(b->orientation[i], (double[3]){ k == 0, k == 1, k == 2 }, here);
            turn_vector(other->orientation[i], (double[3]){ k == 0, k == 1, k == 2 }, there);
            for (int a = 0; a < 3; a++) {
                most = i % KINDS == POINT ? most : worse(most, fabs(here[a] - there[a]));
                assert_true(is_near(b->position_nm[i][a], other->position_nm[i][a], 1e-8));
                assert_int_equal(b->image[i][a], other->image[i][a]);
            }
        }
    amphi_bodies_close(b);
    amphi_bodies_close(other);
    return most;
}

static void it_is_the_motion_of_doubles_to_second_order(void **state)
{
    (void)state;
    const double coarse = axes_apart(0.001), fine = axes_apart(0.0005);

    assert_true(coarse < 1e-2);
    assert_true(is_near(coarse / fine, 4, 0.3)); /* and the next order */
}

/* Lengths of quaternions wander by 2^-61 a turn, at random. Tops keep their angular momentum in
 * space; what turns steadily, about the axes of space in turn, keeps its length alone, and the
 * direction to second order. */
static void free_bodies_keep_their_norms_and_their_angular_momentum(void **state)
{
    (void)state;
    const AmphiStage stage = nve(0.002);
    AmphiBodies     *b     = begin(64, MIXED, &stage, fixed_nothing);
    double           before[64][3];

    amphi_fixed_show_motion(b);
    for (int i = 0; i < 64; i++)
        turn_vector(b->orientation[i], b->spin_u_nm2_ps[i], before[i]);
    walk_on(b, 20000, fixed_nothing);
    amphi_fixed_show_motion(b);
    for (int i = 0; i < 64; i++) {
        const double *q = b->orientation[i];
        double        after[3];

        assert_true(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-14);
        turn_vector(q, b->spin_u_nm2_ps[i], after);
        assert_true(is_near(length_of(after), length_of(before[i]), 1e-9));
        for (int a = 0; i % KINDS == TOP && a < 3; a++)
            assert_true(is_near(after[a], before[i][a], 1e-9));
    }
    amphi_bodies_close(b);
}

/* ---- books ---- */

static AmphiStage everything(const int32_t groups[2])
{
    AmphiStage stage = { .name         = "all",
                         .ensemble     = AMPHI_NPT,
                         .dt_ps        = 0.004,
                         .seed         = 77,
                         .remove_drift = true,
                         .thermostat   = { AMPHI_VELOCITY_RESCALE, 310, 0.1, 1, 2, groups } };

    stage.barostat = (AmphiBarostat){ .type                       = AMPHI_CELL_RESCALE,
                                      .coupling                   = AMPHI_SEMI_ISOTROPIC,
                                      .pressure_kJ_mol_nm3        = AMPHI_BAR,
                                      .time_ps                    = 1,
                                      .compressibility_nm3_mol_kJ = 1e-3,
                                      .every                      = 2 };
    return stage;
}

/* Every ensemble, as doubles book it: 1500 beads, each rounded to 6e-8 kJ/mol, for 40 steps; noise
 * and factors are the same because they come from the same numbers. */
static void the_books_are_those_of_doubles(void **state)
{
    (void)state;
    const int32_t groups[2] = { 0, 1 };

    for (int k = 0; k < 4; k++) {
        AmphiStage   stage = everything(groups);
        AmphiBodies *other = NULL;

        if (k == 1)
            stage.thermostat = (AmphiThermostat){ AMPHI_LANGEVIN, 310, 0.1, 1, 2, groups };
        if (k == 2)
            stage.thermostat.type = AMPHI_BERENDSEN_T;
        if (k == 3)
            stage.barostat.type = AMPHI_BERENDSEN_P;
        stage.dt_ps    = 0.0005;
        AmphiBodies *b = begin(1500, MIXED, &stage, fixed_nothing);
        assert_int_equal(amphi_bodies_open(&the_case.system, &other, NULL), AMPHI_OK);
        assert_int_equal(amphi_bodies_begin_stage(other, &stage, NULL), AMPHI_OK);
        for (int n = 0; n < 40; n++) {
            step(b, fixed_nothing);
            step(other, no_forces);
            assert_true(is_near(b->translation.full, other->translation.full, 1e-3));
            assert_true(is_near(b->rotation.half, other->rotation.half, 2e-2));
            assert_true(is_near(b->heat_kJ_mol, other->heat_kJ_mol, 2e-2));
            assert_true(is_near(b->work_kJ_mol, other->work_kJ_mol, 2e-2));
            for (int a = 0; a < 3; a++) {
                assert_true(is_near(b->box_nm[a], other->box_nm[a], 1e-8));
                for (int c = 0; c < 3; c++) {
                    assert_true(is_near(b->kinetic_half_kJ_mol[a][c],
                                        other->kinetic_half_kJ_mol[a][c], 1e-3));
                    assert_true(b->kinetic_half_kJ_mol[a][c] == b->kinetic_half_kJ_mol[c][a]);
                }
                assert_true(b->kinetic_half_kJ_mol[a][(a + 1) % 3] != 0);
            }
        }
        assert_true(b->heat_kJ_mol != 0);
        assert_true((b->work_kJ_mol != 0) == (k != 3)); /* Berendsen's works on forces alone */
        amphi_bodies_close(b);
        amphi_bodies_close(other);
    }
}

/* Only how often the box edge fits is changed by a move of the box. */
static void a_move_of_the_box_leaves_fractions_alone(void **state)
{
    (void)state;
    const int32_t    groups[2] = { 0, 1 };
    const AmphiStage stage     = everything(groups);
    AmphiBodies     *b         = begin(40, MIXED, &stage, fixed_pulls);
    const double     edge      = b->box_nm[0];
    uint64_t         x[40][3];

    for (int k = 0; k < AMPHI_MOVE_LAG; k++) { /* until a move is due */
        fixed_pulls(b);
        amphi_bodies_kick(b, false);
        amphi_bodies_drift(b);
        assert_true(b->box_nm[0] == edge);
    }
    memset(b->fixed->p, 0, 40 * sizeof *b->fixed->p);
    fixed_nothing(b);
    amphi_bodies_kick(b, false);
    memcpy(x, b->fixed->x, sizeof x);
    amphi_bodies_drift(b);
    assert_memory_equal(x, b->fixed->x, sizeof x);
    assert_true(b->box_nm[0] != edge);
    for (int i = 0; i < 40; i++)
        assert_true(b->position_nm[i][0] == fixed_place_nm(x[i][0], b->box_nm[0]));
    amphi_bodies_close(b);
}

static void anchors_go_with_the_box(void **state)
{
    (void)state;
    const int32_t       groups[2] = { 0, 1 };
    AmphiStage          stage     = everything(groups);
    AmphiStageRestraint restraint[2];

    hold_all(&stage, restraint, 10);
    AmphiBodies *b    = begin(40, MIXED, &stage, fixed_pulls);
    const double edge = b->box_nm[0], x = b->anchor_nm[3][0];

    for (int k = 0; k <= AMPHI_MOVE_LAG; k++) {
        fixed_pulls(b);
        amphi_bodies_kick(b, false);
        amphi_bodies_drift(b);
    }
    assert_true(b->box_nm[0] != edge);
    assert_true(is_near(b->anchor_nm[3][0], x * b->box_nm[0] / edge, 1e-12));
    amphi_bodies_close(b);
}

/* ---- threads and onlookers ---- */

static AmphiStateHash walk(const AmphiStage *stage, int threads, bool looked_at)
{
    AmphiBodies *b = begin(1500, MIXED, stage, fixed_pulls);

    b->threads = threads;
    for (int k = 0; k < 10; k++) {
        fixed_pulls(b);
        amphi_bodies_kick(b, looked_at);
        amphi_bodies_drift(b);
    }
    const AmphiStateHash hash = hash_of(b, 10);
    amphi_bodies_close(b);
    return hash;
}

static void neither_threads_nor_onlookers_change_a_bit(void **state)
{
    (void)state;
    const int32_t groups[2] = { 0, 1 };
    AmphiStage    stage     = everything(groups);

    for (int k = 0; k < 2; k++) {
        const AmphiStateHash one = walk(&stage, 1, false);

        assert_true(is_same(one, walk(&stage, 2, false)));
        assert_true(is_same(one, walk(&stage, 3, true)));
        stage.seed++;
        assert_false(is_same(one, walk(&stage, 1, false)));
        stage.thermostat = (AmphiThermostat){ AMPHI_LANGEVIN, 310, 0.1, 1, 0, NULL };
    }
}

/* ---- range ---- */

/* A bead that goes nearly a quarter of the box along an axis, and one that goes more, and so stays
 * there along it. */
static void go_a_share(const AmphiStage *stage, double share, bool is_far)
{
    AmphiBodies *b     = begin(4, POINT, stage, fixed_nothing);
    const double mass  = the_case.system.type[the_case.system.bead_type[2]].mass_u;
    const double nm_ps = share * b->box_nm[1] / stage->dt_ps;
    uint64_t     before;

    fixed_nothing(b);
    b->fixed->p[2][1] = fixed_round(-nm_ps * mass / FIXED_MOMENTUM_UNIT);
    before            = b->fixed->x[2][1];
    amphi_bodies_drift(b);
    assert_int_equal(b->fixed->fault.what, is_far ? FIXED_DISPLACEMENT : FIXED_GOOD);
    assert_int_equal(b->fixed->fault.bead, is_far ? 2 : 0);
    assert_int_equal(before == b->fixed->x[2][1], is_far);
    amphi_bodies_close(b);
}

/* Noise goes in two half steps. */
static void a_displacement_that_no_integer_holds_is_found(void **state)
{
    AmphiStage stage = nve(0.01);

    (void)state;
    go_a_share(&stage, 0.2499, false);
    go_a_share(&stage, 0.2501, true);
    stage.ensemble   = AMPHI_NVT;
    stage.thermostat = (AmphiThermostat){ AMPHI_LANGEVIN, 1e-9, 1e9, 1, 0, NULL };
    go_a_share(&stage, 0.4998, false);
    go_a_share(&stage, 0.5002, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_body_comes_back_to_the_last_bit),
        cmocka_unit_test(a_disturbance_does_not_come_back),
        cmocka_unit_test(total_momentum_stays_the_same_whole_number),
        cmocka_unit_test(it_is_the_motion_of_doubles_to_second_order),
        cmocka_unit_test(free_bodies_keep_their_norms_and_their_angular_momentum),
        cmocka_unit_test(the_books_are_those_of_doubles),
        cmocka_unit_test(a_move_of_the_box_leaves_fractions_alone),
        cmocka_unit_test(anchors_go_with_the_box),
        cmocka_unit_test(neither_threads_nor_onlookers_change_a_bit),
        cmocka_unit_test(a_displacement_that_no_integer_holds_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
