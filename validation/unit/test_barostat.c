/* The formulas of barostat.h, each by itself: the strain of a move as published, when moves come,
 * and what they do to velocities; and the books of moves that come between two looks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/barostat.h"
#include "../property/fixed_cases.h"

static const Squeeze squeeze = { .box_nm          = { 3, 4, 5 },
                                 .pressure        = { 0.02, 0.05, -0.03 },
                                 .target          = 0.01,
                                 .tension         = 0.2,
                                 .kT              = 2.5,
                                 .compressibility = 0.3,
                                 .share           = 0.05 };

static const double rate   = 0.3 * 0.05; /* kappa dt/tau */
static const double volume = 3 * 4 * 5;

/* Bernetti & Bussi: d ln V; a third of it for each edge. */
static void isotropic_rescaling_moves_as_published(void **state)
{
    (void)state;
    const double mean = (0.02 + 0.05 - 0.03) / 3, normal = 0.7;
    const double volume_strain = -rate * (0.01 - mean) + sqrt(2 * 2.5 * rate / volume) * normal;
    double       strain[3];

    cell_rescale_isotropic(&squeeze, normal, strain);
    for (int a = 0; a < 3; a++)
        assert_true(is_near(strain[a], volume_strain / 3, 1e-15));
}

/* The same in d ln A, half of it for each lateral edge, and d ln L, of another deviate each. */
static void semi_isotropic_rescaling_moves_as_published(void **state)
{
    (void)state;
    const double normal[2] = { 0.7, -1.3 }, lateral = 0.5 * (0.02 + 0.05);
    const double area = -2 * rate / 3 * (0.01 - 0.2 / 5 - lateral) +
                        sqrt(4 * 2.5 * rate / (3 * volume)) * normal[0];
    const double edge = -rate / 3 * (0.01 + 0.03) + sqrt(2 * 2.5 * rate / (3 * volume)) * normal[1];
    double       strain[3];

    cell_rescale_semi_isotropic(&squeeze, normal, strain);
    assert_true(is_near(strain[0], 0.5 * area, 1e-15));
    assert_true(strain[1] == strain[0]);
    assert_true(is_near(strain[2], edge, 1e-15));
}

/* An edge is multiplied by (1 - kappa dt/tau lack)^(1/3), the lateral ones by that of both, which
 * a tension makes larger. */
static void berendsen_moves_as_published(void **state)
{
    (void)state;
    const double lateral = 0.01 - 0.2 / 5 - 0.5 * (0.02 + 0.05), mean = 0.01 - 0.04 / 3;
    double       strain[3];

    berendsen_semi_isotropic(&squeeze, strain);
    assert_true(is_near(exp(3 * strain[0]), 1 - rate * lateral, 1e-15));
    assert_true(strain[1] == strain[0]);
    assert_true(is_near(exp(3 * strain[2]), 1 - rate * (0.01 + 0.03), 1e-15));
    berendsen_isotropic(&squeeze, strain);
    for (int a = 0; a < 3; a++)
        assert_true(is_near(exp(3 * strain[a]), 1 - rate * mean, 1e-15));
}

static AmphiBarostat barostat(AmphiBarostatType type, AmphiCoupling coupling, int32_t every)
{
    return (AmphiBarostat){ .type                       = type,
                            .coupling                   = coupling,
                            .pressure_kJ_mol_nm3        = 0.01,
                            .tension_kJ_mol_nm2         = 0.2,
                            .time_ps                    = 2,
                            .compressibility_nm3_mol_kJ = 0.3,
                            .every                      = every };
}

/* Of the methods, the one that is asked for; at a constant area what it does to the height. */
static void each_method_has_its_own_strain(void **state)
{
    (void)state;
    const double normal[2] = { 0.7, -1.3 };

    for (int coupling = AMPHI_ISOTROPIC; coupling <= AMPHI_CONSTANT_AREA; coupling++)
        for (int type = AMPHI_BERENDSEN_P; type <= AMPHI_CELL_RESCALE; type++) {
            const AmphiBarostat p = barostat((AmphiBarostatType)type, (AmphiCoupling)coupling, 1);
            double              strain[3], wanted[3];

            find_strain(&p, &squeeze, normal, strain);
            if (type == AMPHI_BERENDSEN_P && coupling == AMPHI_ISOTROPIC)
                berendsen_isotropic(&squeeze, wanted);
            else if (type == AMPHI_BERENDSEN_P)
                berendsen_semi_isotropic(&squeeze, wanted);
            else if (coupling == AMPHI_ISOTROPIC)
                cell_rescale_isotropic(&squeeze, normal[0], wanted);
            else
                cell_rescale_semi_isotropic(&squeeze, normal, wanted);
            for (int a = 0; coupling == AMPHI_CONSTANT_AREA && a < 2; a++)
                wanted[a] = 0;
            assert_memory_equal(strain, wanted, sizeof strain);
        }
}

/* P_aa = (2 K_aa + W_aa)/V; a move stands for all steps since the last one. */
static void a_move_depends_on_pressures_and_on_the_time_between_moves(void **state)
{
    (void)state;
    const AmphiBarostat p      = barostat(AMPHI_CELL_RESCALE, AMPHI_ISOTROPIC, 5);
    const double        box[3] = { 3, 4, 5 };
    const double        k[3] = { 1, 2, 3 }, w[3] = { 30, -20, 10 };
    const Squeeze       s         = squeeze_of(&p, 2.5, 0.004, box, k, w);
    const double        wanted[3] = { 32.0 / 60, -16.0 / 60, 16.0 / 60 };

    for (int a = 0; a < 3; a++) {
        assert_true(s.box_nm[a] == box[a]);
        assert_true(is_near(s.pressure[a], wanted[a], 1e-15));
    }
    assert_true(s.target == 0.01 && s.tension == 0.2 && s.kT == 2.5 && s.compressibility == 0.3);
    assert_true(is_near(s.share, 5 * 0.004 / 2, 1e-15));
}

/* Each AMPHI_MOVE_LAG steps behind the question for its pressure, none of a question that was never
 * asked; forces with virials for both, and for the step behind a move. */
static void a_move_follows_its_question(void **state)
{
    (void)state;
    for (int every = 1; every <= 4; every++) {
        const AmphiBarostat p     = barostat(AMPHI_CELL_RESCALE, AMPHI_ISOTROPIC, every);
        const AmphiBarostat none  = { .type = AMPHI_NO_BAROSTAT };
        bool                moved = false;

        for (int k = 0; k < 12; k++) {
            const bool asks  = k % every == 0;
            const bool moves = k >= AMPHI_MOVE_LAG && (k - AMPHI_MOVE_LAG) % every == 0;

            assert_int_equal(asks_pressure(&p, k) != 0, asks);
            assert_int_equal(moves_box(&p, k) != 0, moves);
            assert_int_equal(has_moved_box(&p, k) != 0, moved);
            assert_int_equal(wants_virial(&p, k) != 0, asks || moves || moved);
            assert_false(wants_virial(&none, k) || moves_box(&none, k));
            moved = moves;
        }
    }
}

static void berendsen_leaves_velocities_alone(void **state)
{
    (void)state;
    const double        e[3] = { 0.01, -0.02, 0.03 };
    const AmphiBarostat weak = barostat(AMPHI_BERENDSEN_P, AMPHI_ISOTROPIC, 1);
    const AmphiBarostat cell = barostat(AMPHI_CELL_RESCALE, AMPHI_ISOTROPIC, 1);
    double              stretch[3], slow[3];

    find_stretch(&weak, e, stretch, slow);
    for (int a = 0; a < 3; a++)
        assert_true(is_near(stretch[a], exp(e[a]), 1e-15) && slow[a] == 1);
    find_stretch(&cell, e, stretch, slow);
    for (int a = 0; a < 3; a++)
        assert_true(is_near(stretch[a], exp(e[a]), 1e-15) && is_near(slow[a], exp(-e[a]), 1e-15));
}

/* ---- moves between looks ---- */

static Case the_case;

/* After some steps in which nobody, or somebody, has looked at the bodies. */
static AmphiBodies *after_steps(bool is_fixed, bool looked_at, int every)
{
    AmphiStage   stage = { .name     = "npt",
                           .ensemble = AMPHI_NPT,
                           .dt_ps    = 0.004,
                           .seed     = 5,
                           .barostat = barostat(AMPHI_CELL_RESCALE, AMPHI_SEMI_ISOTROPIC, every) };
    AmphiBodies *b     = NULL;

    stage.barostat.compressibility_nm3_mol_kJ = 1e-3;
    make_case(&the_case, 200, MIXED, 3, 298);
    assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
    if (is_fixed) {
        assert_int_equal(amphi_fixed_open(b, NULL), AMPHI_OK);
        fixed_pulls(b);
        amphi_fixed_expect(b, &stage);
    } else {
        clear_forces(b);
        add_wells(b, 1000);
    }
    assert_int_equal(amphi_bodies_begin_stage(b, &stage, NULL), AMPHI_OK);
    for (int k = 0; k < 20; k++) {
        if (is_fixed) {
            fixed_pulls(b);
        } else {
            clear_forces(b);
            add_wells(b, 1000);
        }
        amphi_bodies_kick(b, looked_at);
        amphi_bodies_drift(b);
    }
    b->stage = NULL; /* ends with this function */
    return b;
}

/* Three steps apart, so that a move is made in a step that does not ask for the next one. */
static void a_move_that_nobody_looks_at_is_booked_all_the_same(void **state)
{
    (void)state;
    for (int is_fixed = 0; is_fixed < 2; is_fixed++)
        for (int every = 1; every <= 3; every++) {
            AmphiBodies *alone = after_steps(is_fixed, false, every);
            AmphiBodies *seen  = after_steps(is_fixed, true, every);

            assert_true(fabs(seen->work_kJ_mol) > 1e-3);
            assert_true(alone->work_kJ_mol == seen->work_kJ_mol);
            assert_memory_equal(alone->box_nm, seen->box_nm, sizeof seen->box_nm);
            amphi_bodies_close(alone);
            amphi_bodies_close(seen);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(isotropic_rescaling_moves_as_published),
        cmocka_unit_test(semi_isotropic_rescaling_moves_as_published),
        cmocka_unit_test(berendsen_moves_as_published),
        cmocka_unit_test(each_method_has_its_own_strain),
        cmocka_unit_test(a_move_depends_on_pressures_and_on_the_time_between_moves),
        cmocka_unit_test(a_move_follows_its_question),
        cmocka_unit_test(berendsen_leaves_velocities_alone),
        cmocka_unit_test(a_move_that_nobody_looks_at_is_booked_all_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
