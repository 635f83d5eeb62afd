/* Profiles along each axis of a box whose edges all differ, and the area of leaflets that do: what
 * they are divided by. And leaflets of a run that goes on. More of these is in test_obs_bilayer.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../engine/turn.h"
#include "../property/draw.h"
#include "format_cases.h"
#include "hand_bench.h"

enum { WATERS = 80, FRAMES = 8 };

static const double box[3] = { 2, 3, 5 };

/* ---- profiles ---- */

static void fluid_frame(void *user, int32_t k, AmphiFrame *f)
{
    static const double about[3] = { 0.6, 0, 0.8 };
    HandBench *const    b        = user;
    uint64_t            seed     = (uint64_t)k;

    for (int32_t i = 0; i < b->system.n_beads; i++) {
        for (int a = 0; a < 3; a++)
            b->position[i][a] = draw(&seed, 0, box[a]);
        turn_about(about, 1, b->orientation[i]);
    }
    hand_frame(b, k, box, f);
}

/* Slabs of a tenth of the edge, which fill the box: whatever is in them is all that there is. */
static double total_of(const char *column)
{
    const char *const path   = path_of("profile.tsv");
    const double      volume = box[0] * box[1] * box[2] / 10;
    double            total  = 0;

    for (int32_t line = 0; line < table_lines(path); line++)
        total += table_value(path, column, line) * volume;
    return total;
}

static void a_profile_along_any_axis_has_all_there_is(void **state)
{
    (void)state;
    static const char *const names[] = { "number", "dipole" };
    static const char *const files[] = { "profile.tsv", NULL };
    const AmphiPortion       portion = { TOY_WATER, WATERS };

    for (int axis = 0; axis < 3; axis++) {
        HandBench b;
        double    of_axis[3], dipole = 0;

        hand_bench(&b, "profile", &portion, 1, box, folder());
        const FrameSource source = { &b.system, FRAMES, fluid_frame, &b };
        b.plan.axis              = axis;
        b.plan.name              = names;
        b.plan.n_names           = 2;
        b.plan.width_nm          = box[axis] / 10;
        hand_watch(&b, &source, files);
        amphi_axis_of(b.orientation[0], of_axis);
        for (int32_t i = 0; i < b.system.n_beads; i++)
            dipole += b.dipole[i] * of_axis[axis];
        assert_true(fabs(of_axis[axis]) > 0.1);
        assert_true(fabs(total_of("number_nm3") - b.system.n_beads) < 1e-6);
        assert_true(fabs(total_of("dipole_e_nm2") - dipole) < 1e-6);
        hand_bench_end(&b);
    }
}

/* All just above half of each edge. */
static void middle_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b = user;

    for (int32_t i = 0; i < b->system.n_beads; i++)
        for (int a = 0; a < 3; a++)
            b->position[i][a] = 0.51 * box[a];
    hand_frame(b, k, box, f);
}

static void without_lipids_the_middle_is_half_of_the_edge(void **state)
{
    (void)state;
    static const char *const names[]  = { "number" };
    static const char *const files[]  = { "profile.tsv", NULL };
    static const char *const places[] = { "x_nm", "y_nm", "z_nm" };
    const AmphiPortion       portion  = { TOY_WATER, WATERS };

    for (int axis = 0; axis < 3; axis++) {
        const char *const path = path_of("profile.tsv");
        HandBench         b;

        hand_bench(&b, "profile", &portion, 1, box, folder());
        const FrameSource source = { &b.system, FRAMES, middle_frame, &b };
        b.plan.axis              = axis;
        b.plan.name              = names;
        b.plan.n_names           = 1;
        b.plan.width_nm          = box[axis] / 10;
        hand_watch(&b, &source, files);
        assert_int_equal(table_lines(path), 10);
        for (int32_t line = 0; line < 10; line++) {
            const double at = table_value(path, places[axis], line) / box[axis];

            assert_true(fabs(at - (0.1 * line - 0.45)) < 1e-5);
            assert_int_equal(table_value(path, "number_nm3", line) > 0, line == 5);
        }
        hand_bench_end(&b);
    }
}

/* ---- area ---- */

enum { LIPIDS = 9, PER_LIPID = 13 };

/* Straight lipids, heads outwards; the first `n_upper` of them above. */
static int32_t n_upper;

static void bilayer_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b = user;

    for (int32_t m = 0; m < LIPIDS; m++)
        for (int32_t i = 0; i < PER_LIPID; i++) {
            double *const to = b->position[m * PER_LIPID + i];

            to[0] = 0.2 * m;
            to[1] = 0.3 * m;
            to[2] = 2.5 + (m < n_upper ? 1 : -1) * (1.8 - 0.14 * i);
        }
    hand_frame(b, k, box, f);
}

static void the_area_is_that_of_the_larger_leaflet_whichever_it_is(void **state)
{
    (void)state;
    static const char *const files[] = { "area.tsv", NULL };
    const AmphiPortion       portion = { TOY_DMPC, LIPIDS };
    const char              *path    = NULL;

    for (n_upper = 3; n_upper <= 6; n_upper++) {
        const int32_t larger = n_upper > LIPIDS - n_upper ? n_upper : LIPIDS - n_upper;
        HandBench     b;

        hand_bench(&b, "area", &portion, 1, box, folder());
        const FrameSource source = { &b.system, FRAMES, bilayer_frame, &b };
        hand_watch(&b, &source, files);
        path = path_of("area.tsv");
        assert_true(fabs(table_value(path, "area_per_lipid_nm2", 1) - 6.0 / larger) < 1e-9);
        assert_true(fabs(table_value(path, "box_area_nm2", 1) - 6) < 1e-9);
        assert_true(fabs(table_value(path, "volume_per_lipid_nm3", 1) - 30.0 / LIPIDS) < 1e-9);
        hand_bench_end(&b);
    }
}

/* Waters of kind solvent take 0.030 nm^3 each; molecules of another kind count with the lipids,
 * which is told. */
static void the_volume_of_a_lipid_is_without_solvent_alone(void **state)
{
    (void)state;
    const AmphiPortion portion[] = { { TOY_DMPC, LIPIDS }, { TOY_WATER, 4 } };

    for (int is_solvent = 0; is_solvent < 2; is_solvent++) {
        const char *const path = path_of("area.tsv");
        AmphiMoleculeType type[8];
        AmphiFrame        f;
        HandBench         b;
        Watch             w;

        n_upper = 5;
        hand_bench(&b, "area", portion, 2, box, folder());
        assert_in_range(b.system.n_molecule_types, 1, 8);
        memcpy(type, b.system.molecule_type, (size_t)b.system.n_molecule_types * sizeof *type);
        type[TOY_WATER].kind   = is_solvent ? "solvent" : "molecule";
        b.system.molecule_type = type;
        unlink(path);
        watch_open(&w, &b.place, &b.plan);
        bilayer_frame(&b, 0, &f);
        watch_see(&w, &f);
        assert_int_equal(strstr(amphi_observer_remark(w.observer), "the volume of 4 molecules") ==
                             NULL,
                         is_solvent);
        watch_end(&w);
        assert_true(fabs(table_value(path, "volume_per_lipid_nm3", 0) -
                         (30 - (is_solvent ? 4 * 0.03 : 0)) / LIPIDS) < 1e-9);
        hand_bench_end(&b);
    }
}

/* Slabs are there for boxes of up to one and a half of the first edge. */
static void what_is_beyond_all_slabs_is_told(void **state)
{
    (void)state;
    static const char *const names[] = { "number" };
    const AmphiPortion       portion = { TOY_WATER, WATERS };

    for (int grown = 0; grown < 2; grown++) {
        const double now[3] = { box[0], box[1], (grown ? 1.7 : 1.4) * box[2] };
        AmphiFrame   f;
        HandBench    b;
        Watch        w;

        hand_bench(&b, "profile", &portion, 1, box, folder());
        b.plan.axis     = 2;
        b.plan.name     = names;
        b.plan.n_names  = 1;
        b.plan.width_nm = box[2] / 10;
        unlink(path_of("profile.tsv"));
        watch_open(&w, &b.place, &b.plan);
        for (int32_t i = 0; i < WATERS; i++)
            b.position[i][0] = b.position[i][1] = b.position[i][2] = 1;
        hand_frame(&b, 0, now, &f);
        watch_see(&w, &f);
        assert_int_equal(strstr(amphi_observer_remark(w.observer), "beyond the last slabs") != NULL,
                         grown);
        watch_end(&w);
        hand_bench_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_volume_of_a_lipid_is_without_solvent_alone),
        cmocka_unit_test(what_is_beyond_all_slabs_is_told),
        cmocka_unit_test(a_profile_along_any_axis_has_all_there_is),
        cmocka_unit_test(without_lipids_the_middle_is_half_of_the_edge),
        cmocka_unit_test(the_area_is_that_of_the_larger_leaflet_whichever_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
