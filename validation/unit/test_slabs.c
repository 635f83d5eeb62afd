/* The middle that slabs are counted from, by what is centred. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../../engine/slabs.h"
#include "../property/draw.h"
#include "format_cases.h"
#include "hand_bench.h"

enum { PER_LIPID = 13, LIPIDS = 6, UPPER = 4, WATERS = 20 };

/* Of the upper leaflet: head, phosphate, glycerol, ester and tail, twice. */
static const double height[PER_LIPID] = { 1.9, 1.6, 1.3, 1.0, 0.8, 0.6, 0.4,
                                          0.2, 1.0, 0.8, 0.6, 0.4, 0.2 };

/* Six lipids whose tails end 0.2 nm above and below `middle` along an axis, four of them above; the
 * water lies on the far side. */
static void make_frame(HandBench *b, int axis, double edge, double middle, AmphiFrame *f)
{
    double box[3] = { 3, 3, 3 };

    box[axis] = edge;
    for (int32_t i = 0; i < b->system.n_beads; i++) {
        const int32_t m = i / PER_LIPID, at = i % PER_LIPID;
        const double  z = m >= LIPIDS ? 0.5 * edge : m < UPPER ? height[at] : -height[at];

        for (int a = 0; a < 3; a++)
            b->position[i][a] = 0.3 * (i % 7);
        b->position[i][axis] = middle + z;
    }
    hand_frame(b, 0, box, f);
}

/* The middle of this group less that of the membrane, its nearest image. */
static double middle_of(HandBench *b, AmphiGroup group, int axis, double edge, double at)
{
    AmphiLeaflets leaflets;
    AmphiSlabs    slabs;
    AmphiFrame    f;

    b->group[1]      = group;
    b->plan.group    = 1;
    b->plan.axis     = axis;
    b->plan.width_nm = 0.1;
    make_frame(b, axis, edge, at, &f);
    assert_true(amphi_leaflets_init(&leaflets, &b->system, b->arena));
    assert_true(amphi_slabs_init(&slabs, &b->plan, &leaflets, b->arena));
    return remainder(amphi_slabs_middle(&slabs, &leaflets, &f) - at, edge);
}

static void set_up(HandBench *b, double edge)
{
    const AmphiPortion portion[2] = { { TOY_DMPC, LIPIDS }, { TOY_WATER, WATERS } };

    hand_bench(b, "profile", portion, 2, (const double[3]){ 3, 3, edge }, folder());
}

/* The circular mean of four ends of tails at 0.2 and two at -0.2. */
static double middle_of_ends(double edge)
{
    const double turn = 2 * 3.14159265358979324 / edge;

    return atan2(2 * sin(0.2 * turn), 6 * cos(0.2 * turn)) / turn;
}

/* With twice as many lipids above, the mean of mass is some 0.3 nm above that of the ends; in a box
 * of 4.2 nm it is among the heads. */
static void lipids_by_name_have_the_middle_of_the_membrane(void **state)
{
    (void)state;
    static const double edges[] = { 8, 4.2 };
    int32_t             bead[LIPIDS * PER_LIPID];

    for (int32_t i = 0; i < LIPIDS * PER_LIPID; i++)
        bead[i] = i;
    const AmphiGroup lipids = { "lipids", LIPIDS * PER_LIPID, bead };
    for (int k = 0; k < 2; k++)
        for (int axis = 0; axis < 3; axis++)
            for (double at = 0.1; at < edges[k]; at += 0.7) {
                HandBench b;

                set_up(&b, edges[k]);
                assert_true(is_near(middle_of(&b, lipids, axis, edges[k], at),
                                    middle_of_ends(edges[k]), 1e-9));
                hand_bench_end(&b);
            }
}

/* Phosphates 3.2 nm apart in 5 nm: the circular mean of their places alone would be in the water.
 */
static void the_middle_of_heads_is_between_them_not_in_the_water(void **state)
{
    (void)state;
    int32_t bead[LIPIDS];

    for (int32_t m = 0; m < LIPIDS; m++)
        bead[m] = m * PER_LIPID + 1;
    const AmphiGroup both = { "heads", LIPIDS, bead }, upper = { "heads", UPPER, bead };
    for (double at = 0.1; at < 5; at += 0.7) {
        HandBench b;

        set_up(&b, 5);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(is_near(middle_of(&b, both, axis, 5, at), (4 * 1.6 - 2 * 1.6) / 6, 1e-9));
            assert_true(is_near(middle_of(&b, upper, axis, 5, at), 1.6, 1e-9));
        }
        hand_bench_end(&b);
    }
}

/* Water lies half an edge away, wherever that is; with a lipid beside it, its ends count. */
static void what_is_not_of_lipids_has_the_middle_of_its_mass(void **state)
{
    (void)state;
    int32_t bead[WATERS + PER_LIPID];

    for (int32_t i = 0; i < PER_LIPID; i++)
        bead[i] = i;
    for (int32_t i = 0; i < WATERS; i++)
        bead[PER_LIPID + i] = LIPIDS * PER_LIPID + i;
    const AmphiGroup water = { "water", WATERS, bead + PER_LIPID };
    const AmphiGroup mixed = { "mixed", WATERS + PER_LIPID, bead };
    HandBench        b;

    set_up(&b, 8);
    assert_true(is_near(fabs(middle_of(&b, water, 2, 8, 7)), 4, 1e-9));
    assert_true(is_near(middle_of(&b, mixed, 2, 8, 7), 0.2, 1e-9));
    hand_bench_end(&b);
}

static void profile_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b = user;

    make_frame(b, b->plan.axis, 8, 0.1 * k, f);
    f->step = k;
}

/* Slabs are as large as the faces of the box across the axis. */
static void a_profile_along_any_axis_has_all_beads(void **state)
{
    (void)state;
    static const char *const files[] = { NULL }, *const name[] = { "number" };
    static const char *const column[] = { "x_nm", "y_nm", "z_nm" };
    const char *const        path     = path_of("profile.tsv");

    for (int axis = 0; axis < 3; axis++) {
        HandBench b;
        double    sum = 0;

        set_up(&b, 8);
        b.plan.axis        = axis;
        b.plan.width_nm    = 0.1;
        b.plan.name        = name;
        b.plan.n_names     = 1;
        b.system.box_nm[0] = b.system.box_nm[1] = b.system.box_nm[2] = 8;
        const FrameSource source = { &b.system, 4, profile_frame, &b };
        hand_watch(&b, &source, files);
        for (int32_t line = 0; line < table_lines(path); line++) {
            assert_true(fabs(table_value(path, column[axis], line)) < 4);
            sum += table_value(path, "number_nm3", line) * 3 * 3 * 0.1;
        }
        assert_true(is_near(sum, b.system.n_beads, 1e-6));
        hand_bench_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lipids_by_name_have_the_middle_of_the_membrane),
        cmocka_unit_test(the_middle_of_heads_is_between_them_not_in_the_water),
        cmocka_unit_test(what_is_not_of_lipids_has_the_middle_of_its_mass),
        cmocka_unit_test(a_profile_along_any_axis_has_all_beads),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
