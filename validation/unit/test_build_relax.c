/* Pushing apart: what is on top of each other, tangled, or aimed at an angle; and many beads, by
 * any number of threads.
 */
#include "../../engine/build_relax.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "build_judge.h"
#include "toy_systems.h"

/* Molecules of two tail beads, all in the origin. */
typedef struct {
    AmphiArena *arena;
    Start       start;
    AmphiShape  shape;
    AmphiCrowd  crowd;
    double (*x)[3], (*axis)[3]; /* [n_beads] */
} Dimers;

static const int32_t           tails[2] = { TOY_TAIL, TOY_TAIL };
static const AmphiBond         bond[1]  = { { 5, { 0, 1, 0 } } };
static const AmphiMoleculeType dimer    = { .name      = "dimer",
                                            .kind      = "molecule",
                                            .n_beads   = 2,
                                            .n_bonds   = 1,
                                            .bead_type = tails,
                                            .bond      = bond };

static void begin(Dimers *t, int32_t n, double edge_nm)
{
    const AmphiPortion all = { 0, n };

    *t                               = (Dimers){ .arena = amphi_arena_new() };
    t->start.arena                   = t->arena;
    t->start.system                  = toy_elba(t->arena);
    t->start.system.molecule_type    = &dimer;
    t->start.system.n_molecule_types = 1;
    toy_populate(&t->start.system, &all, 1, t->arena);
    t->x     = amphi_arena_take(t->arena, 2 * n, sizeof *t->x);
    t->axis  = amphi_arena_take(t->arena, 2 * n, sizeof *t->axis);
    t->crowd = (AmphiCrowd){ .system   = &t->start.system,
                             .contacts = amphi_contacts_make(&t->start.system, t->arena),
                             .shape    = &t->shape,
                             .seed     = 1,
                             .box_nm   = { edge_nm, edge_nm, edge_nm },
                             .x        = t->x,
                             .axis     = t->axis };
    assert_false(amphi_arena_failed(t->arena));
    t->start.built = (AmphiBuilt){ .box_nm = { edge_nm, edge_nm, edge_nm }, .position_nm = t->x };
    for (int32_t b = 0; b < 2 * n; b++)
        t->axis[b][2] = 1;
    assert_int_equal(
        amphi_shape_make(&t->start.system, t->crowd.contacts, &dimer, t->arena, &t->shape, NULL),
        AMPHI_OK);
}

static void three_bonds_that_cross_in_a_point_are_untangled(void **state)
{
    AmphiRelaxed relaxed;
    Dimers       t;

    (void)state;
    begin(&t, 3, 4);
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
    Dimers       t;

    (void)state;
    begin(&t, 3, 4);
    assert_true(judge_start(&t.start).closest == 0);
    assert_int_equal(amphi_crowd_relax(&t.crowd, &relaxed, NULL), AMPHI_OK);
    assert_true(judge_start(&t.start).closest > 0.8);
    amphi_arena_free(t.arena);
}

static void what_the_relaxer_reports_is_what_the_judge_finds(void **state)
{
    AmphiRelaxed relaxed;
    Dimers       t;

    (void)state;
    begin(&t, 3, 4);
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
            Dimers   t;

            begin(&t, 3, 4);
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

/* Each anywhere in the box, its beads side by side. */
static void scatter(Dimers *t)
{
    AmphiDraws draws = { .seed = 1, .stream = AMPHI_STREAM_BUILD };

    for (int32_t b = 0; b < t->start.system.n_beads; b += 2)
        for (int k = 0; k < 3; k++) {
            t->x[b][k]     = t->crowd.box_nm[k] * amphi_draw(&draws);
            t->x[b + 1][k] = t->x[b][k] + (k == 0 ? 0.4 : 0);
        }
}

static void many_beads_end_in_the_same_places_by_any_number_of_threads(void **state)
{
    enum { THREE_THREADS = 3, N = AMPHI_CROWD_OF_THREADS / 2 };
    const int    before = omp_get_max_threads();
    AmphiRelaxed relaxed[2];
    Dimers       t[2];

    (void)state;
    for (int k = 0; k < 2; k++) {
        begin(&t[k], N, 14);
        scatter(&t[k]);
        omp_set_num_threads(k == 0 ? 1 : THREE_THREADS);
        assert_int_equal(amphi_crowd_relax(&t[k].crowd, &relaxed[k], NULL), AMPHI_OK);
    }
    omp_set_num_threads(before);
    assert_true(relaxed[0].n_steps > 10 && relaxed[0].closest > 0.9);
    assert_int_equal(relaxed[1].n_steps, relaxed[0].n_steps);
    assert_memory_equal(t[1].x, t[0].x, 2 * N * sizeof *t[0].x);
    for (int k = 0; k < 2; k++)
        amphi_arena_free(t[k].arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_bonds_that_cross_in_a_point_are_untangled),
        cmocka_unit_test(beads_on_top_of_each_other_come_apart),
        cmocka_unit_test(what_the_relaxer_reports_is_what_the_judge_finds),
        cmocka_unit_test(axes_are_aimed_at_any_angle_and_from_any_side),
        cmocka_unit_test(many_beads_end_in_the_same_places_by_any_number_of_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
