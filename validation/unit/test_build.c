/* Starts made from a composition: counts, densities, leaflets, distances, bits and refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../forcefield/spec.h"
#include "build_judge.h"
#include "toy_systems.h"

#define CLOSEST       0.7 /* the promise of build.h, in contact distances */
#define BOND          0.2
#define WATER_PER_NM3 33.4 /* 0.997 g/cm^3 */

static double worst_of_all = 10;

static void begin(Start *s, AmphiSystem (*types)(AmphiArena *))
{
    *s        = (Start){ .arena = amphi_arena_new() };
    s->system = types(s->arena);
}

static void end(Start *s)
{
    amphi_arena_free(s->arena);
}

static AmphiStatus make(Start *s, AmphiError *err)
{
    toy_populate_plan(&s->system, &s->plan, s->arena);
    return amphi_build(&s->system, &s->plan, s->arena, &s->built, err);
}

static void make_well(Start *s)
{
    AmphiError err = { 0 };

    if (make(s, &err) != AMPHI_OK)
        fail_msg("seed %llu: %s", (unsigned long long)s->plan.seed, err.text);
}

static void expect_good(const Start *s)
{
    const Verdict v = judge_start(s);

    worst_of_all = fmin(worst_of_all, v.closest);
    if (v.closest < CLOSEST || v.worst_bond > BOND)
        fail_msg("seed %llu: closest pair at %.3f sigma, a bond %.3f off",
                 (unsigned long long)s->plan.seed, v.closest, v.worst_bond);
    assert_true(judge_wrapping(s));
    assert_true(judge_quaternions(s));
}

static uint64_t n_seeds(void)
{
    return getenv("BRIEF") != NULL ? 2 : 20; /* sanitizers take ten times as long */
}

static void build_twenty_bilayers(const AmphiPortion *leaflet, int32_t n, double area_nm2)
{
    for (uint64_t seed = 1; seed <= n_seeds(); seed++) {
        Start s;

        begin(&s, toy_elba);
        s.plan = (AmphiBuildPlan){ .bilayer            = true,
                                   .seed               = seed,
                                   .n_leaflet          = { n, n },
                                   .leaflet            = { leaflet, leaflet },
                                   .water              = { TOY_WATER, 0 },
                                   .water_per_lipid    = 33,
                                   .area_per_lipid_nm2 = area_nm2 };
        make_well(&s);
        expect_good(&s);
        assert_int_equal(s.system.n_molecules, 128 + 33 * 128);
        assert_true(judge_leaflets(&s, 64, 64));
        assert_true(fabs(s.built.box_nm[0] * s.built.box_nm[1] / (64 * area_nm2) - 1) < 1e-12);
        end(&s);
    }
}

static void twenty_DMPC_bilayers_are_good(void **state)
{
    (void)state;
    build_twenty_bilayers((const AmphiPortion[]){ { TOY_DMPC, 64 } }, 1, 0.65);
}

static void twenty_DOPC_bilayers_are_good(void **state)
{
    (void)state;
    build_twenty_bilayers((const AmphiPortion[]){ { TOY_DOPC, 64 } }, 1, 0.72);
}

static void twenty_mixed_bilayers_are_good(void **state)
{
    (void)state;
    build_twenty_bilayers(
        (const AmphiPortion[]){ { TOY_DMPC, 30 }, { TOY_DOPC, 20 }, { TOY_DOPE, 14 } }, 3, 0.68);
}

static void build_twenty_boxes_of_water(int32_t n)
{
    const AmphiPortion water   = { TOY_WATER, n };
    const double       density = WATER_PER_NM3 * 40;

    for (uint64_t seed = 1; seed <= n_seeds(); seed++) {
        Start s;

        begin(&s, toy_elba);
        s.plan =
            (AmphiBuildPlan){ .seed = seed, .n_fill = 1, .fill = &water, .density_u_nm3 = density };
        make_well(&s);
        expect_good(&s);
        const double *box = s.built.box_nm;
        assert_int_equal(s.system.n_beads, n);
        assert_true(fabs(n * 40 / (box[0] * box[1] * box[2]) / density - 1) < 1e-9);
        end(&s);
    }
}

static void twenty_boxes_of_256_waters_are_good(void **state)
{
    (void)state;
    build_twenty_boxes_of_water(256);
}

static void twenty_boxes_of_2048_waters_are_good(void **state)
{
    (void)state;
    build_twenty_boxes_of_water(2048);
}

static void forty_lipids_in_water_fill_a_box(void **state)
{
    const AmphiPortion fill[]  = { { TOY_DMPC, 40 }, { TOY_WATER, 1320 } };
    const double       mass    = 40 * 702.0 + 1320 * 40.0; /* 3 x 90 - 28 + 3 x 62 + 8 x 42 */
    const double       density = 880;
    Start              s;

    (void)state;
    begin(&s, toy_elba);
    s.plan = (AmphiBuildPlan){ .seed = 3, .n_fill = 2, .fill = fill, .density_u_nm3 = density };
    make_well(&s);
    expect_good(&s);
    const double *box = s.built.box_nm;
    assert_int_equal(s.system.n_molecules, 1360);
    assert_true(fabs(mass / (box[0] * box[1] * box[2]) / density - 1) < 1e-9);

    double mean[3] = { 0 }; /* of the directions from the end of a tail to the head */
    for (int32_t m = 0; m < 40; m++) {
        double d[3], r = 0;

        for (int k = 0; k < 3; k++) {
            d[k] = s.built.position_nm[13 * m][k] - s.built.position_nm[13 * m + 7][k];
            r += d[k] * d[k];
        }
        for (int k = 0; k < 3; k++)
            mean[k] += d[k] / sqrt(r) / 40;
    }
    /* random directions: each component 0 +- sqrt(1/120) = 0.09; five times that */
    for (int k = 0; k < 3; k++)
        assert_true(fabs(mean[k]) < 0.46);
    end(&s);
}

static AmphiSystem three_to_one(AmphiArena *arena)
{
    return toy_gay_berne(arena, 1, 3);
}

static void a_fluid_of_ellipsoids_is_good(void **state)
{
    const AmphiPortion fill = { 0, 512 };
    Start              s;

    (void)state;
    begin(&s, three_to_one);
    s.plan = (AmphiBuildPlan){ .seed = 4, .n_fill = 1, .fill = &fill, .density_u_nm3 = 0.30 };
    make_well(&s);
    expect_good(&s);

    double zz = 0; /* <u_z^2>, 1/3 +- 0.298/sqrt(512) = 0.013 for random axes; five times that */
    for (int32_t b = 0; b < 512; b++) {
        double u[3];

        judge_axis(s.built.orientation[b], u);
        zz += u[2] * u[2] / 512;
    }
    assert_true(fabs(zz - 1.0 / 3) < 0.066);
    end(&s);
}

static void a_bilayer_with_ellipsoid_tails_is_good_and_aimed(void **state)
{
    const AmphiPortion lipids = { TOY_DMPC, 36 };
    Start              s;

    (void)state;
    begin(&s, toy_ellipsoid_tails);
    s.plan = (AmphiBuildPlan){ .bilayer            = true,
                               .seed               = 5,
                               .n_leaflet          = { 1, 1 },
                               .leaflet            = { &lipids, &lipids },
                               .water              = { TOY_WATER, 0 },
                               .water_per_lipid    = 30,
                               .area_per_lipid_nm2 = 0.65 };
    make_well(&s);
    expect_good(&s);
    assert_true(judge_leaflets(&s, 36, 36));

    const int32_t dipole = amphi_spec_find("orientation", "dipole-restraint")->kind;
    const int32_t axis   = amphi_spec_find("orientation", "bond-axis")->kind;
    int32_t       n      = 0;

    for (int32_t k = 0; k < s.system.n_bonds; k++) {
        const AmphiBond *b    = &s.system.bond[k];
        const int32_t    kind = s.system.bond_rule[b->rule].kind;
        const int32_t    from = kind == dipole ? b->bead[0] : b->bead[1];
        const int32_t    to   = kind == dipole ? b->bead[1] : b->bead[2];
        double           u[3], d[3], along = 0;

        if (kind != dipole && kind != axis)
            continue;
        const double r = judge_distance(&s, to, from, d);
        judge_axis(s.built.orientation[b->bead[0]], u);
        for (int a = 0; a < 3; a++)
            along += u[a] * d[a] / r;
        assert_true(along > 1 - 1e-9);
        n++;
    }
    assert_int_equal(n, 72 * (3 + 8));
    end(&s);
}

static void plan_small_bilayer(Start *s, uint64_t seed)
{
    static const AmphiPortion upper   = { TOY_DMPC, 20 },
                              lower[] = { { TOY_DOPC, 9 }, { TOY_DOPE, 7 } };

    begin(s, toy_elba);
    s->plan = (AmphiBuildPlan){ .bilayer            = true,
                                .seed               = seed,
                                .n_leaflet          = { 1, 2 },
                                .leaflet            = { &upper, lower },
                                .water              = { TOY_WATER, 0 },
                                .water_thickness_nm = 2,
                                .area_per_lipid_nm2 = 0.7 };
}

static void leaflets_may_differ_and_water_may_be_given_as_a_thickness(void **state)
{
    AmphiPortion *portion;
    int32_t       n;
    Start         s;

    (void)state;
    plan_small_bilayer(&s, 6);
    assert_int_equal(amphi_build_count(&s.system, &s.plan, s.arena, &portion, &n, NULL), AMPHI_OK);
    assert_int_equal(n, 4);
    assert_int_equal(portion[0].count, 20);
    assert_int_equal(portion[1].molecule_type, TOY_DOPC);
    assert_int_equal(portion[2].count, 7);
    assert_int_equal(portion[3].molecule_type, TOY_WATER);
    assert_int_equal(portion[3].count, 933); /* 2 nm x 20 x 0.7 nm^2 / 0.0300 nm^3 */
    make_well(&s);
    expect_good(&s);
    assert_true(judge_leaflets(&s, 20, 16));
    end(&s);
}

static void a_bilayer_needs_no_water(void **state)
{
    Start s;

    (void)state;
    plan_small_bilayer(&s, 7);
    s.plan.water_thickness_nm  = 0;
    s.plan.water.molecule_type = -1;
    make_well(&s);
    expect_good(&s);
    assert_int_equal(s.system.n_molecules, 36);
    end(&s);
}

static void the_same_seed_gives_the_same_bits_and_another_seed_others(void **state)
{
    Start a, b, c;

    (void)state;
    plan_small_bilayer(&a, 11);
    plan_small_bilayer(&b, 11);
    plan_small_bilayer(&c, 12);
    make_well(&a);
    make_well(&b);
    make_well(&c);
    const size_t n = (size_t)a.system.n_beads;

    assert_memory_equal(a.built.position_nm, b.built.position_nm, n * sizeof(double[3]));
    assert_memory_equal(a.built.orientation, b.built.orientation, n * sizeof(double[4]));
    assert_memory_equal(a.built.box_nm, b.built.box_nm, sizeof a.built.box_nm);
    assert_memory_not_equal(a.built.position_nm, c.built.position_nm, n * sizeof(double[3]));
    assert_memory_not_equal(a.built.orientation, c.built.orientation, n * sizeof(double[4]));
    end(&a);
    end(&b);
    end(&c);
}

static void the_judges_find_every_fault(void **state)
{
    Start s;

    (void)state;
    plan_small_bilayer(&s, 13);
    make_well(&s);
    expect_good(&s);
    assert_true(judge_leaflets(&s, 20, 16));
    double(*x)[3] = s.built.position_nm;

    double keep[3]; /* a water put at 0.69 of its contact distance from the last one */
    memcpy(keep, x[s.system.n_beads - 1], sizeof keep);
    memcpy(x[s.system.n_beads - 1], x[s.system.n_beads - 2], sizeof keep);
    x[s.system.n_beads - 1][0] += 0.69 * 0.305 - s.built.box_nm[0]; /* by way of an image */
    assert_true(judge_start(&s).closest < CLOSEST);
    memcpy(x[s.system.n_beads - 1], keep, sizeof keep);
    assert_true(judge_start(&s).closest > CLOSEST);

    const double edge = s.built.box_nm[0]; /* a broken lipid */
    x[12][0] += edge;
    assert_true(judge_start(&s).worst_bond > BOND);
    assert_true(judge_start(&s).closest > CLOSEST);
    x[12][0] -= edge;

    for (int32_t b = 0; b < 13; b++) /* a lipid upside down */
        x[b][2] = 2 * judge_middle_plane(&s) - x[b][2];
    assert_false(judge_leaflets(&s, 20, 16));
    for (int32_t b = 0; b < 13; b++)
        x[b][2] = 2 * judge_middle_plane(&s) - x[b][2];

    const double height        = x[s.system.n_beads - 1][2]; /* a water in the tails */
    x[s.system.n_beads - 1][2] = judge_middle_plane(&s);
    assert_false(judge_leaflets(&s, 20, 16));
    x[s.system.n_beads - 1][2] = height - s.built.box_nm[2];
    assert_false(judge_wrapping(&s));
    s.built.orientation[5][0] *= 1.001;
    assert_false(judge_quaternions(&s));
    end(&s);
}

static void the_judge_knows_the_contacts_of_ellipsoids(void **state)
{
    const double shape[4] = { 1, 3, 1, 3 }, mixed[4] = { 1, 3, 2, 2 };
    const double x[3] = { 1, 0, 0 }, z[3] = { 0, 0, 1 };

    (void)state;
    assert_true(fabs(judge_contact(shape, z, z, z) - 3) < 1e-12);
    assert_true(fabs(judge_contact(shape, z, z, x) - 1) < 1e-12);
    assert_true(fabs(judge_contact(shape, z, x, x) - sqrt(5)) < 1e-12);
    assert_true(fabs(judge_contact(mixed, z, x, z) - sqrt(6.5)) < 1e-12);
}

static void a_given_box_is_kept_and_with_a_density_sets_the_counts(void **state)
{
    const AmphiPortion fill[] = { { TOY_WATER, 9 }, { TOY_DMPC, 1 } };
    Start              s;

    (void)state;
    begin(&s, toy_elba);
    s.plan = (AmphiBuildPlan){ .seed = 8, .n_fill = 2, .fill = fill, .box_nm = { 4, 5, 6 } };
    make_well(&s);
    expect_good(&s);
    assert_int_equal(s.system.n_molecules, 10);
    assert_true(s.built.box_nm[0] == 4 && s.built.box_nm[1] == 5 && s.built.box_nm[2] == 6);
    end(&s);

    begin(&s, toy_elba); /* 900 u/nm^3 x 120 nm^3 / (9 x 40 + 702) u = 101.69 times nine and one */
    s.plan = (AmphiBuildPlan){
        .seed = 8, .n_fill = 2, .fill = fill, .box_nm = { 4, 5, 6 }, .density_u_nm3 = 900
    };
    make_well(&s);
    expect_good(&s);
    assert_int_equal(s.system.n_molecules, 915 + 102);
    end(&s);

    begin(&s, toy_elba); /* two edges given: the third from the density */
    s.plan = (AmphiBuildPlan){
        .seed = 8, .n_fill = 1, .fill = fill, .box_nm = { 0.7, 0.7, 0 }, .density_u_nm3 = 1000
    };
    make_well(&s);
    assert_true(fabs(s.built.box_nm[2] * 0.49 * 1000 / 360 - 1) < 1e-12);
    end(&s);
}

static void expect_refusal(Start *s, const char *text)
{
    AmphiPortion *portion;
    int32_t       n;
    AmphiError    err    = { 0 };
    AmphiStatus   status = amphi_build_count(&s->system, &s->plan, s->arena, &portion, &n, &err);

    if (status == AMPHI_OK)
        status = make(s, &err);
    assert_int_equal(status, AMPHI_BAD_INPUT);
    if (strstr(err.text, text) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", text, err.text);
    end(s);
}

static void what_cannot_be_packed_is_refused_with_a_way_out(void **state)
{
    const AmphiPortion water = { TOY_WATER, 300 }, ellipsoids = { 0, 200 };
    Start              s;

    (void)state;
    begin(&s, toy_elba); /* 140 per nm^3: beads of 0.72 sigma fill more than any packing */
    s.plan = (AmphiBuildPlan){ .seed = 9, .n_fill = 1, .fill = &water, .density_u_nm3 = 5600 };
    expect_refusal(&s, "cannot pack 300 water: beads of 0.72 sigma would fill");

    begin(&s, toy_elba); /* 0.69 of the box: above what disordered spheres reach */
    s.plan = (AmphiBuildPlan){ .seed = 9, .n_fill = 1, .fill = &water, .density_u_nm3 = 5000 };
    expect_refusal(&s, "lower the density");

    begin(&s, three_to_one); /* random axes do not pack as parallel ones do */
    s.plan = (AmphiBuildPlan){ .seed = 9, .n_fill = 1, .fill = &ellipsoids, .density_u_nm3 = 0.9 };
    expect_refusal(&s, "steps; lower the density");

    plan_small_bilayer(&s, 9);
    s.plan.area_per_lipid_nm2 = 0.12;
    expect_refusal(&s, "give a larger area per lipid");

    begin(&s, toy_elba);
    s.plan = (AmphiBuildPlan){ .seed = 9, .n_fill = 1, .fill = &water, .box_nm = { 9, 9, 0.5 } };
    expect_refusal(&s, "the widest bead is 0.305 nm");
}

static void plans_that_make_nothing_are_refused(void **state)
{
    const AmphiPortion none = { TOY_WATER, 0 }, water = { TOY_WATER, INT32_MAX };
    const AmphiPortion lipids = { TOY_DMPC, INT32_MAX };
    Start              s;

    (void)state;
    begin(&s, toy_elba);
    s.plan = (AmphiBuildPlan){ .n_fill = 1, .fill = &none, .box_nm = { 1, 1, 1 } };
    expect_refusal(&s, "no molecules");
    begin(&s, toy_elba);
    s.plan = (AmphiBuildPlan){ .n_fill = 1, .fill = &none, .density_u_nm3 = 1 };
    expect_refusal(&s, "has no mass");
    begin(&s, toy_elba);
    s.plan = (AmphiBuildPlan){ .n_fill = 1, .fill = &water, .box_nm = { 1, 1, 0 } };
    expect_refusal(&s, "a fill needs a density");
    begin(&s, toy_elba);
    s.plan = (AmphiBuildPlan){
        .n_fill = 1, .fill = &water, .density_u_nm3 = 1e9, .box_nm = { 1e3, 1e3, 1e3 }
    };
    expect_refusal(&s, "molecules of one kind");
    begin(&s, toy_elba);
    s.plan = (AmphiBuildPlan){ .n_fill = 1, .fill = &lipids, .density_u_nm3 = 1 };
    expect_refusal(&s, "at most 2147483647");

    plan_small_bilayer(&s, 9);
    s.plan.n_leaflet[0] = s.plan.n_leaflet[1] = 0;
    expect_refusal(&s, "no lipids");
    plan_small_bilayer(&s, 9);
    s.plan.area_per_lipid_nm2 = 0;
    expect_refusal(&s, "area per lipid must be above zero");
    plan_small_bilayer(&s, 9);
    s.plan.water_thickness_nm = 0;
    s.plan.water_per_lipid    = 1e12;
    expect_refusal(&s, "molecules of one kind");
}

static void a_system_that_is_not_of_its_plan_is_a_defect(void **state)
{
    AmphiError err = { 0 };
    Start      s;

    (void)state;
    plan_small_bilayer(&s, 9);
    toy_populate_plan(&s.system, &s.plan, s.arena);
    s.plan.water_thickness_nm = 1;
    assert_int_equal(amphi_build(&s.system, &s.plan, s.arena, &s.built, &err), AMPHI_DEFECT);
    end(&s);
}

/* Every allocation of a build fails once; the last round has fewer than n. */
static void short_memory_ends_a_build_in_good_order(void **state)
{
    AmphiStatus status = AMPHI_NO_MEMORY;
    int64_t     n;

    (void)state;
    for (n = 1; status == AMPHI_NO_MEMORY && n < 1000; n++) {
        AmphiError err = { 0 };
        Start      s;

        plan_small_bilayer(&s, 9);
        s.plan.water_thickness_nm = 0.5;
        toy_populate_plan(&s.system, &s.plan, s.arena);
        amphi_arena_fail_at(n);
        status = amphi_build(&s.system, &s.plan, s.arena, &s.built, &err);
        amphi_arena_fail_at(0);
        assert_true(status == AMPHI_OK || (status == AMPHI_NO_MEMORY && err.text[0] != '\0'));
        end(&s);
    }
    assert_int_equal(status, AMPHI_OK);
    assert_true(n > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_judge_knows_the_contacts_of_ellipsoids),
        cmocka_unit_test(the_judges_find_every_fault),
        cmocka_unit_test(twenty_DMPC_bilayers_are_good),
        cmocka_unit_test(twenty_DOPC_bilayers_are_good),
        cmocka_unit_test(twenty_mixed_bilayers_are_good),
        cmocka_unit_test(twenty_boxes_of_256_waters_are_good),
        cmocka_unit_test(twenty_boxes_of_2048_waters_are_good),
        cmocka_unit_test(forty_lipids_in_water_fill_a_box),
        cmocka_unit_test(a_fluid_of_ellipsoids_is_good),
        cmocka_unit_test(a_bilayer_with_ellipsoid_tails_is_good_and_aimed),
        cmocka_unit_test(leaflets_may_differ_and_water_may_be_given_as_a_thickness),
        cmocka_unit_test(a_bilayer_needs_no_water),
        cmocka_unit_test(the_same_seed_gives_the_same_bits_and_another_seed_others),
        cmocka_unit_test(a_given_box_is_kept_and_with_a_density_sets_the_counts),
        cmocka_unit_test(what_cannot_be_packed_is_refused_with_a_way_out),
        cmocka_unit_test(plans_that_make_nothing_are_refused),
        cmocka_unit_test(a_system_that_is_not_of_its_plan_is_a_defect),
        cmocka_unit_test(short_memory_ends_a_build_in_good_order),
    };
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);

    print_message("the closest unbonded pair of all starts: %.4f of the contact distance\n",
                  worst_of_all);
    return failures;
}
