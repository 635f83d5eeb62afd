/* Pushing apart: what is on top of each other, tangled, or aimed at an angle. */
#include "../../engine/build_relax.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "build_judge.h"
#include "toy_systems.h"

/* Three molecules of two tail beads. */
typedef struct {
    AmphiArena *arena;
    Start       start;
    AmphiShape  shape;
    AmphiCrowd  crowd;
    double      x[6][3], axis[6][3];
} Trio;

static const int32_t           tails[2] = { TOY_TAIL, TOY_TAIL };
static const AmphiBond         bond[1]  = { { 5, { 0, 1, 0 } } };
static const AmphiMoleculeType dimer    = { .name      = "dimer",
                                            .kind      = "molecule",
                                            .n_beads   = 2,
                                            .n_bonds   = 1,
                                            .bead_type = tails,
                                            .bond      = bond };

static void begin(Trio *t)
{
    const AmphiPortion three = { 0, 3 };

    *t                               = (Trio){ .arena = amphi_arena_new() };
    t->start.arena                   = t->arena;
    t->start.system                  = toy_elba(t->arena);
    t->start.system.molecule_type    = &dimer;
    t->start.system.n_molecule_types = 1;
    toy_populate(&t->start.system, &three, 1, t->arena);
    t->crowd       = (AmphiCrowd){ .system   = &t->start.system,
                                   .contacts = amphi_contacts_make(&t->start.system, t->arena),
                                   .shape    = &t->shape,
                                   .seed     = 1,
                                   .box_nm   = { 4, 4, 4 },
                                   .x        = t->x,
                                   .axis     = t->axis };
    t->start.built = (AmphiBuilt){ .box_nm = { 4, 4, 4 }, .position_nm = t->x };
    for (int32_t b = 0; b < 6; b++)
        t->axis[b][2] = 1;
    assert_int_equal(
        amphi_shape_make(&t->start.system, t->crowd.contacts, &dimer, t->arena, &t->shape, NULL),
        AMPHI_OK);
}

static void three_bonds_that_cross_in_a_point_are_untangled(void **state)
{
    AmphiRelaxed relaxed;
    Trio         t;

    (void)state;
    begin(&t);
    for (int32_t m = 0; m < 3; m++) /* the ends of an octahedron */
        for (int k = 0; k < 3; k++) {
            t.x[2 * m][k]     = 2 + (k == m ? 0.2025 : 0);
            t.x[2 * m + 1][k] = 2 - (k == m ? 0.2025 : 0);
        }
    assert_true(judge_start(&t.start).closest < 0.7);
    assert_int_equal(amphi_crowd_relax(&t.crowd, &relaxed, NULL), AMPHI_OK);
    assert_true(relaxed.n_steps > 120); /* it was stuck */
    assert_true(judge_start(&t.start).closest > 0.9);
    assert_true(relaxed.worst_bond < 0.05);
    amphi_arena_free(t.arena);
}

static void beads_on_top_of_each_other_come_apart(void **state)
{
    AmphiRelaxed relaxed;
    Trio         t;

    (void)state;
    begin(&t);
    assert_true(judge_start(&t.start).closest == 0);
    assert_int_equal(amphi_crowd_relax(&t.crowd, &relaxed, NULL), AMPHI_OK);
    assert_true(judge_start(&t.start).closest > 0.8);
    amphi_arena_free(t.arena);
}

static void what_the_relaxer_reports_is_what_the_judge_finds(void **state)
{
    AmphiRelaxed relaxed;
    Trio         t;

    (void)state;
    begin(&t);
    for (int32_t b = 0; b < 6; b++) {
        t.x[b][0] = 0.42 * b;
        t.x[b][1] = 4; /* on the edge */
    }
    assert_int_equal(amphi_crowd_relax(&t.crowd, &relaxed, NULL), AMPHI_OK);
    assert_true(relaxed.closest < 1);
    assert_true(fabs(judge_start(&t.start).closest - relaxed.closest) < 1e-12);
    amphi_arena_free(t.arena);
}

static void axes_are_aimed_at_any_angle_and_from_any_side(void **state)
{
    const double cosines[] = { 1, -1, 0.5, 0, -0.3 };

    (void)state;
    for (size_t k = 0; k < sizeof cosines / sizeof cosines[0]; k++)
        for (int side = 0; side < 3; side++) {
            AmphiAim aim = { 0, 0, 1, cosines[k] };
            Trio     t;

            begin(&t);
            t.shape.links.n_aims = 1;
            t.shape.links.aim    = &aim;
            for (int32_t b = 0; b < 6; b++) {
                t.x[b][side] = 0.4 * b; /* the old axis, z, is along the bond for one side */
                t.axis[b][2] = 1;
            }
            amphi_crowd_aim(&t.crowd);
            for (int32_t b = 0; b < 6; b += 2) {
                assert_true(fabs(t.axis[b][side] - cosines[k]) < 1e-14);
                assert_true(fabs(amphi_dot(t.axis[b], t.axis[b]) - 1) < 1e-14);
            }
            amphi_arena_free(t.arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_bonds_that_cross_in_a_point_are_untangled),
        cmocka_unit_test(beads_on_top_of_each_other_come_apart),
        cmocka_unit_test(what_the_relaxer_reports_is_what_the_judge_finds),
        cmocka_unit_test(axes_are_aimed_at_any_angle_and_from_any_side),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
