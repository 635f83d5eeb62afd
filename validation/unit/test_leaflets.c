/* Which leaflet a lipid belongs to, where it stands and where it lies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../engine/leaflets.h"
#include "format_cases.h"
#include "hand_bench.h"

enum { PER_LIPID = 13, UPPER = 5, LIPIDS = 9, LYING = 7 };

/* Of the upper leaflet: head, phosphate, glycerol, ester and tail, twice. */
static const double height[PER_LIPID] = { 1.9, 1.6, 1.3, 1.0, 0.8, 0.6, 0.4,
                                          0.2, 1.0, 0.8, 0.6, 0.4, 0.2 };

/* Lipids of both leaflets, whose lower half is beyond a face of the box; of one of the lower ones
 * everything is at the height of heads, the phosphate `above` the rest. */
static void make_frame(HandBench *b, double above, AmphiFrame *f)
{
    const double box[3] = { 3, 3, 7 };

    for (int32_t i = 0; i < b->system.n_beads; i++) {
        const int32_t m = i / PER_LIPID, at = i % PER_LIPID;

        b->position[i][0] = 0.61 * m;
        b->position[i][1] = 0.37 * m * m;
        b->position[i][2] = 0.5 + (m < UPPER ? height[at] : -height[at]);
        if (m == LYING) {
            b->position[i][0] += 0.3 * at;
            b->position[i][2] = 0.5 - height[1] + (at == 1 ? above : 0);
        }
    }
    hand_frame(b, 0, box, f);
}

/* Lipids alone, of no frame yet. */
static void begin(HandBench *b, AmphiLeaflets *l)
{
    const AmphiPortion portion = { TOY_DMPC, LIPIDS };
    const double       box[3]  = { 3, 3, 7 };

    hand_bench(b, "area", &portion, 1, box, folder());
    assert_true(amphi_leaflets_init(l, &b->system, b->arena));
}

static int32_t side_of_lying(double above)
{
    AmphiLeaflets l;
    AmphiFrame    f;
    HandBench     b;
    int32_t       side;

    begin(&b, &l);
    make_frame(&b, above, &f);
    amphi_leaflets_find(&l, &f);
    for (int32_t k = 0; k < LIPIDS; k++)
        if (k != LYING)
            assert_int_equal(l.side[k], k < UPPER ? 1 : -1);
    side = l.side[LYING];
    hand_bench_end(&b);
    return side;
}

static void a_lipid_that_lies_is_of_the_leaflet_where_it_lies(void **state)
{
    (void)state;
    assert_int_equal(side_of_lying(-0.1), -1);
    assert_int_equal(side_of_lying(0), -1);
    assert_int_equal(side_of_lying(0.1), -1);
}

/* Wherever it is. */
static void a_lipid_that_stands_is_of_the_leaflet_that_its_head_points_to(void **state)
{
    (void)state;
    assert_int_equal(side_of_lying(-1.5), -1);
    assert_int_equal(side_of_lying(1.5), 1);
}

static void it_is_decided_at_the_first_frame(void **state)
{
    (void)state;
    AmphiLeaflets l;
    AmphiFrame    f;
    HandBench     b;

    begin(&b, &l);
    make_frame(&b, -1.5, &f);
    amphi_leaflets_find(&l, &f);
    make_frame(&b, 1.5, &f);
    amphi_leaflets_find(&l, &f);
    assert_int_equal(l.side[LYING], -1);
    assert_int_equal(amphi_leaflets_count(&l, 1), UPPER);
    hand_bench_end(&b);
}

/* Two lower lipids with so much room that they lie half, beneath seven that stand. */
static void lipids_with_much_room_are_of_their_own_leaflet(void **state)
{
    (void)state;
    const double  box[3] = { 3, 3, 7 };
    AmphiLeaflets l;
    AmphiFrame    f;
    HandBench     b;

    begin(&b, &l);
    make_frame(&b, 0, &f);
    for (int32_t i = 0; i < b.system.n_beads; i++)
        b.position[i][2] =
            0.5 + (i / PER_LIPID < 7 ? height[i % PER_LIPID] : -0.35 * height[i % PER_LIPID]);
    hand_frame(&b, 0, box, &f);
    amphi_leaflets_find(&l, &f);
    for (int32_t k = 0; k < LIPIDS; k++)
        assert_int_equal(l.side[k], k < 7 ? 1 : -1);
    hand_bench_end(&b);
}

/* Two layers, one on each side of a middle that the face of the box cuts or does not. */
static void lipids_of_one_bead_are_of_the_leaflet_where_they_are(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, 6 };
    const double       box[3]  = { 3, 3, 6 };

    for (int cut = 0; cut < 2; cut++) {
        AmphiLeaflets     l;
        AmphiMoleculeType lipid;
        AmphiFrame        f;
        HandBench         b;

        hand_bench(&b, "area", &portion, 1, box, folder());
        lipid                     = b.system.molecule_type[TOY_WATER];
        lipid.kind                = "lipid";
        b.system.molecule_type    = &lipid;
        b.system.n_molecule_types = 1;
        for (int32_t i = 0; i < 6; i++)
            b.position[i][2] = (cut ? 0 : 3) + (i < 2 ? 0.9 + 0.1 * i : -1.1);
        hand_frame(&b, 0, box, &f);
        assert_true(amphi_leaflets_init(&l, &b.system, b.arena));
        amphi_leaflets_find(&l, &f);
        for (int32_t k = 0; k < 6; k++)
            assert_int_equal(l.side[k], k < 2 ? 1 : -1);
        hand_bench_end(&b);
    }
}

/* Two of one bead, at the height of the heads of either leaflet: the first of the upper one. */
static void lipids_of_one_bead_among_others_are_of_the_leaflet_of_their_neighbours(void **state)
{
    (void)state;
    enum { BEADS = PER_LIPID * LIPIDS, SMALL = 2 };
    const AmphiPortion portion[] = { { TOY_DMPC, LIPIDS }, { TOY_WATER, SMALL } };
    const double       box[3]    = { 3, 3, 7 };
    AmphiMoleculeType  type[8];
    AmphiLeaflets      l;
    AmphiFrame         f;
    HandBench          b;

    hand_bench(&b, "area", portion, 2, box, folder());
    assert_in_range(b.system.n_molecule_types, 1, 8);
    memcpy(type, b.system.molecule_type, (size_t)b.system.n_molecule_types * sizeof *type);
    type[TOY_WATER].kind   = "lipid";
    b.system.molecule_type = type;
    for (int32_t i = 0; i < BEADS; i++) {
        const bool is_up = i / PER_LIPID < UPPER;

        b.position[i][0] = 0.61 * (i / PER_LIPID);
        b.position[i][1] = 0.37 * (i / PER_LIPID) * (i / PER_LIPID);
        b.position[i][2] = 0.5 + (is_up ? height[i % PER_LIPID] : -height[i % PER_LIPID]);
    }
    for (int32_t k = 0; k < SMALL; k++) {
        b.position[BEADS + k][0] = b.position[BEADS + k][1] = 1.5;
        b.position[BEADS + k][2] = 0.5 + (k == 0 ? height[0] : -height[0]);
    }
    hand_frame(&b, 0, box, &f);
    assert_true(amphi_leaflets_init(&l, &b.system, b.arena));
    amphi_leaflets_find(&l, &f);
    assert_int_equal(l.n_lipids, LIPIDS + SMALL);
    for (int32_t k = 0; k < LIPIDS; k++)
        assert_int_equal(l.side[k], k < UPPER ? 1 : -1);
    assert_int_equal(l.side[LIPIDS], 1);
    assert_int_equal(l.side[LIPIDS + 1], -1);
    hand_bench_end(&b);
}

/* The lying lipid of a bilayer looks down at first and up later; leaflets go opposite ways. */
static void turning_frame(void *user, int32_t k, AmphiFrame *f)
{
    const double     box[3] = { 3, 3, 7 };
    HandBench *const b      = user;

    make_frame(b, k < 4 ? -1.5 : 1.5, f);
    for (int32_t i = 0; i < b->system.n_beads; i++)
        b->position[i][0] += (i / PER_LIPID < UPPER ? 0.02 : -0.02) * k;
    hand_frame(b, k, box, f);
}

/* Leaflets slide on each other; one lipid turns over later, and stays so. */
enum { FLIPS_AT = 15 };
static void flipping_frame(void *user, int32_t k, AmphiFrame *f)
{
    const double     box[3] = { 3, 3, 7 };
    HandBench *const b      = user;

    for (int32_t i = 0; i < b->system.n_beads; i++) {
        const int32_t m        = i / PER_LIPID;
        const bool    is_above = m < UPPER && !(m == 0 && k >= FLIPS_AT);

        b->position[i][0] = 0.2 * m + (m < UPPER ? 0.05 : -0.03) * k;
        b->position[i][1] = 0.3 * m + 0.01 * m * k;
        b->position[i][2] = 2.5 + (is_above ? 1 : -1) * (1.8 - 0.14 * (i % PER_LIPID));
    }
    hand_frame(b, k, box, f);
}

/* Sides are as the first frame had them, also where the run was broken behind a turn. */
static void a_run_that_goes_on_has_not_decided_anew(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *files[3];
    } cases[]                  = { { "area", { "area.tsv", "area-mean.tsv", NULL } },
                                   { "thickness", { "thickness.tsv", "thickness-mean.tsv", NULL } },
                                   { "undulations", { "undulations.tsv", NULL } },
                                   { "diffusion", { "diffusion.tsv", NULL } } };
    const AmphiPortion portion = { TOY_DMPC, LIPIDS };
    const double       box[3]  = { 3, 3, 7 };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int is_flipping = 0; is_flipping < 2; is_flipping++) {
            HandBench b;

            hand_bench(&b, cases[k].kind, &portion, 1, box, folder());
            const FrameSource source = { &b.system, 40,
                                         is_flipping ? flipping_frame : turning_frame, &b };
            assert_true(broken_is_the_same(&source, &b.place, &b.plan, folder(),
                                           is_flipping ? FLIPS_AT + 10 : 20, 3, cases[k].files));
            hand_bench_end(&b);
        }
}

/* With x and z exchanged, sides as they were saved. */
static void a_run_that_goes_on_tells_along_which_axis_lipids_stand(void **state)
{
    (void)state;
    for (int is_turned = 0; is_turned < 2; is_turned++) {
        char          remark[200] = "";
        AmphiLeaflets l;
        AmphiFrame    f;
        HandBench     b;

        begin(&b, &l);
        make_frame(&b, -1.5, &f);
        for (int32_t k = 0; k < LIPIDS; k++)
            l.side[k] = 1;
        for (int32_t i = 0; is_turned && i < b.system.n_beads; i++) {
            const double x = b.position[i][0];

            b.position[i][0] = b.position[i][2];
            b.position[i][2] = x;
        }
        amphi_leaflets_find(&l, &f);
        amphi_leaflets_remark(&l, "area.tsv", remark, sizeof remark);
        assert_int_equal(amphi_leaflets_count(&l, 1), LIPIDS);
        assert_int_equal(strstr(remark, "lipids stand along x") != NULL, is_turned);
        hand_bench_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lipid_that_lies_is_of_the_leaflet_where_it_lies),
        cmocka_unit_test(a_lipid_that_stands_is_of_the_leaflet_that_its_head_points_to),
        cmocka_unit_test(it_is_decided_at_the_first_frame),
        cmocka_unit_test(lipids_with_much_room_are_of_their_own_leaflet),
        cmocka_unit_test(lipids_of_one_bead_are_of_the_leaflet_where_they_are),
        cmocka_unit_test(lipids_of_one_bead_among_others_are_of_the_leaflet_of_their_neighbours),
        cmocka_unit_test(a_run_that_goes_on_has_not_decided_anew),
        cmocka_unit_test(a_run_that_goes_on_tells_along_which_axis_lipids_stand),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
