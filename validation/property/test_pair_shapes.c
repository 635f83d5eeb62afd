/* What single potentials are known for: where the sticky term ends and whom it attracts, ellipsoids
 * that are alike, unlike, spheres, or inside each other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "pair_cases.h"

enum { DRAWS = 100 };

static void the_sticky_term_ends_with_its_switches(void **state)
{
    static const AmphiPairForces nothing = { 0 };
    const PairCase               c = { amphi_spec_find("pair", "sticky"), AMPHI_TRUNCATED, false };
    uint64_t                     seed = 11;

    (void)state;
    for (int i = 0; i < DRAWS; i++) {
        AmphiPairTerm rule = draw_rule(&c, &seed);
        const double  end  = rule.treatment.cutoff_nm;

        rule.treatment.cutoff_nm  = 2; /* the formula itself ends, not the cut-off test */
        const AmphiPairPose   in  = draw_pose_at(end - 0.02, &seed);
        const AmphiPairPose   at  = draw_pose_at(end + 1e-6, &seed);
        const AmphiPairForces out = evaluate(&rule, &at);

        assert_true(evaluate(&rule, &in).energy != 0);
        assert_true(fabs(out.energy) == nothing.energy);
        assert_true(length_of(out.force) == 0 && length_of(out.torque[0]) == 0);
    }
}

/* The turn that takes one unit vector to another; opposite ones by half a turn across `a`. */
static void turn_onto(const double a[3], const double b[3], const double other[3], double q[4])
{
    double axis[3], angle = acos(-1.);

    cross(a, b, axis);
    if (length_of(axis) < 1e-9)
        cross(a, other, axis);
    else
        angle = acos(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    const double size = length_of(axis);

    for (int k = 0; k < 3; k++)
        axis[k] /= size;
    turn_about(axis, angle, q);
}

/* Two hydrogens and two lone pairs: w = -4 / (3 sqrt 3) along each of them, so two molecules that
 * look at each other so have u = v0 w where s' has ended. */
static void the_four_bond_directions_of_water_attract(void **state)
{
    const double  s = sqrt(2. / 3), c = sqrt(1. / 3);
    const double  n[4][3] = { { 0, s, c }, { 0, -s, c }, { s, 0, -c }, { -s, 0, -c } };
    AmphiPairTerm rule    = { .kind      = amphi_spec_find("pair", "sticky")->kind,
                              .treatment = { .cutoff_nm = 1 },
                              .field     = { 2, 0, 0.5, 0.6, 0.1, 0.2 } };

    (void)state;
    for (int k = 0; k < 4; k++)
        for (int m = 0; m < 4; m++) {
            const double  back[3] = { -n[k][0], -n[k][1], -n[k][2] };
            AmphiPairPose pose    = { .orientation = { { 1, 0, 0, 0 } } };

            for (int a = 0; a < 3; a++)
                pose.d_nm[a] = 0.3 * back[a];
            turn_onto(n[m], back, n[(m + 1) % 4], pose.orientation[1]);
            assert_true(is_near(evaluate(&rule, &pose).energy, -2 * 4 / (3 * sqrt(3.)), 1e-12));
        }
}

static AmphiPairTerm gay_berne(const double field[13])
{
    AmphiPairTerm rule = { .kind      = amphi_spec_find("pair", "gay-berne")->kind,
                           .treatment = { .type = AMPHI_TRUNCATED, .cutoff_nm = 20 } };

    memcpy(rule.field, field, 13 * sizeof field[0]);
    return rule;
}

/* Alike, the two forms of the wells are one. */
static void identical_ellipsoids_do_not_know_the_form_of_the_wells(void **state)
{
    const AmphiPairTerm plain =
        gay_berne((const double[13]){ 1, 2, 1, 1, 0, 1, 3, 1, 0.2, 1, 3, 1, 0.2 });
    AmphiPairTerm harmonic = plain;
    uint64_t      seed     = 21;

    (void)state;
    harmonic.field[4] = 1;
    for (int i = 0; i < DRAWS; i++) {
        const AmphiPairPose pose = draw_pose_at(3.5, &seed);

        assert_true(
            is_near(evaluate(&harmonic, &pose).energy, evaluate(&plain, &pose).energy, 1e-14));
    }
}

/* End to end: arithmetic against harmonic mean of the end depths 0.2 and 0.5, mu = 2. */
static void unlike_wells_have_the_mean_that_their_form_says(void **state)
{
    AmphiPairTerm rule = gay_berne((const double[13]){ 1, 2, 0, 1, 0, 1, 3, 1, 0.2, 1, 3, 1, 0.5 });
    const double  well = 3 + pow(2, 1. / 6) - 1;
    const AmphiPairPose pose = { .d_nm        = { 0, 0, well },
                                 .orientation = { { 1, 0, 0, 0 }, { 1, 0, 0, 0 } } };

    (void)state;
    assert_true(
        is_near(evaluate(&rule, &pose).energy, -pow((sqrt(0.2) + sqrt(0.5)) / 2, 2), 1e-12));
    rule.field[4] = 1;
    assert_true(is_near(evaluate(&rule, &pose).energy, -pow(2 / (1 / sqrt(0.2) + 1 / sqrt(0.5)), 2),
                        1e-12));
}

static void two_spheres_of_gay_berne_are_lennard_jones(void **state)
{
    const AmphiPairTerm spheres =
        gay_berne((const double[13]){ 1.7, 2, 1, 1, 0, 0.4, 0.4, 1, 1, 0.4, 0.4, 1, 1 });
    const AmphiPairTerm lj   = { .kind      = amphi_spec_find("pair", "lennard-jones")->kind,
                                 .treatment = { .type = AMPHI_TRUNCATED, .cutoff_nm = 20 },
                                 .field     = { 1.7, 0.4 } };
    uint64_t            seed = 22;

    (void)state;
    for (int i = 0; i < DRAWS; i++) {
        const AmphiPairPose   pose = draw_pose_at(draw(&seed, 0.35, 0.9), &seed);
        const AmphiPairForces a = evaluate(&spheres, &pose), b = evaluate(&lj, &pose);

        assert_true(is_near(a.energy, b.energy, 1e-12));
        for (int k = 0; k < 3; k++)
            assert_true(is_near(a.force[k], b.force[k], 1e-10));
        assert_true(length_of(a.torque[0]) == 0 && length_of(a.torque[1]) == 0);
    }
}

static void a_sphere_beside_an_ellipsoid_has_no_axis(void **state)
{
    const AmphiPairTerm rule =
        gay_berne((const double[13]){ 3, 2, 1, 1, 0, 0.405, 0.63, 1, 0.37, 0.46, 0.46, 1, 1 });
    uint64_t seed = 23;

    (void)state;
    for (int i = 0; i < DRAWS; i++) {
        AmphiPairPose         pose   = draw_pose_at(draw(&seed, 0.5, 0.9), &seed);
        const AmphiPairForces before = evaluate(&rule, &pose);

        draw_orientation(&seed, pose.orientation[1]);
        const AmphiPairForces after = evaluate(&rule, &pose);
        assert_true(length_of(before.torque[1]) == 0);
        assert_true(is_near(after.energy, before.energy, 1e-12));
        assert_true(length_of(before.torque[0]) > 0);
    }
}

/* The bare formula has a pole where rho = 0 and a well behind it: end to end below 2 sigma0. */
static void overlapping_ellipsoids_are_pushed_apart_at_any_distance(void **state)
{
    const AmphiPairTerm rule =
        gay_berne((const double[13]){ 1, 2, 1, 1, 0, 1, 3, 1, 0.2, 1, 3, 1, 0.2 });
    double before = 0;

    (void)state;
    for (double r = 2.9; r > 0.1; r -= 0.1) {
        const AmphiPairPose   pose   = { .d_nm        = { 0, 0, r },
                                         .orientation = { { 1, 0, 0, 0 }, { 1, 0, 0, 0 } } };
        const AmphiPairForces forces = evaluate(&rule, &pose);

        assert_true(forces.energy > before && forces.force[2] > 0);
        before = forces.energy;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sticky_term_ends_with_its_switches),
        cmocka_unit_test(the_four_bond_directions_of_water_attract),
        cmocka_unit_test(identical_ellipsoids_do_not_know_the_form_of_the_wells),
        cmocka_unit_test(unlike_wells_have_the_mean_that_their_form_says),
        cmocka_unit_test(two_spheres_of_gay_berne_are_lennard_jones),
        cmocka_unit_test(a_sphere_beside_an_ellipsoid_has_no_axis),
        cmocka_unit_test(overlapping_ellipsoids_are_pushed_apart_at_any_distance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
