/* The formulas in their other builds: single and fixed against double, groups of lanes against one
 * lane. Errors are relative to the parts that a result is the sum of.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bond_cases.h"
#include "pair_cases.h"

enum { DRAWS = 200, BATCH = 37 }; /* no multiple of a group: the last one is not full */

static double pair_error(const AmphiPairForces *got, const AmphiPairForces *wanted, TermSize size)
{
    double most = fabs(got->energy - wanted->energy) / size.energy;

    for (int a = 0; a < 3; a++) {
        most = worse(most, fabs(got->force[a] - wanted->force[a]) / size.force);
        for (int k = 0; k < 2; k++)
            most = worse(most, fabs(got->torque[k][a] - wanted->torque[k][a]) / size.torque);
    }
    return most;
}

static double bond_error(const AmphiBondForces *got, const AmphiBondForces *wanted, BondSize size)
{
    double most = fabs(got->energy - wanted->energy) / size.energy;

    for (int k = 0; k < AMPHI_MAX_BOND_BEADS; k++)
        for (int a = 0; a < 3; a++) {
            most = worse(most, fabs(got->force[k][a] - wanted->force[k][a]) / size.force);
            most = worse(most, fabs(got->torque[k][a] - wanted->torque[k][a]) / size.torque);
        }
    return most;
}

/* The largest error of one probe against another over all poses of a case. */
static double largest_pair_error(const PairCase *c, AmphiProbePairs *probe, AmphiProbePairs *judge)
{
    uint64_t seed = 60;
    double   most = 0;

    for (int i = 0; i < DRAWS; i++) {
        const AmphiPairTerm rule = draw_rule(c, &seed);
        AmphiPairPose       pose[BATCH];
        AmphiPairForces     got[BATCH], wanted[BATCH];

        for (int k = 0; k < BATCH; k++)
            pose[k] = draw_pose(c, &rule, &seed);
        probe(&rule, BATCH, pose, got);
        judge(&rule, BATCH, pose, wanted);
        for (int k = 0; k < BATCH; k++)
            most = worse(most, pair_error(&got[k], &wanted[k], size_of_terms(c, &rule, &pose[k])));
    }
    return most;
}

static double largest_bond_error(const AmphiPotential *p, AmphiProbeBonds *probe,
                                 AmphiProbeBonds *judge)
{
    uint64_t seed = 61;
    double   most = 0;

    for (int i = 0; i < DRAWS; i++) {
        const AmphiBondRule rule = draw_bond_rule(p, &seed);
        AmphiBondPose       pose[BATCH];
        AmphiBondForces     got[BATCH], wanted[BATCH];

        for (int k = 0; k < BATCH; k++)
            pose[k] = draw_bond_pose(p, &seed);
        probe(&rule, BATCH, pose, got);
        judge(&rule, BATCH, pose, wanted);
        for (int k = 0; k < BATCH; k++)
            most = worse(most, bond_error(&got[k], &wanted[k], size_of_bond(p, &rule)));
    }
    return most;
}

/* What a rounding of the distance is multiplied with beside the powers that all potentials
 * have: the slope of a switch of 0.06 nm in the sticky term; 12 (r + sigma) / (rho sigma0) in
 * Gay-Berne. */
static double amplification(const AmphiPotential *p)
{
    switch (p->slot) {
    case AMPHI_STICKY:
        return 3;
    case AMPHI_GAY_BERNE:
        return 6;
    default:
        return 1;
    }
}

typedef struct {
    AmphiProbePairs *pairs;
    AmphiProbeBonds *bonds;
} Build;

static const Build single       = { probe_pairs_single, probe_bonds_single };
static const Build twofold      = { probe_pairs_double, probe_bonds_double };
static const Build fixed        = { probe_pairs_fixed, probe_bonds_fixed };
static const Build lanes_single = { probe_pairs_lanes_single, probe_bonds_lanes_single };
static const Build lanes_double = { probe_pairs_lanes_double, probe_bonds_lanes_double };
static const Build lanes_fixed  = { probe_pairs_lanes_fixed, probe_bonds_lanes_fixed };

/* Every pair case and every bonded term within `bound`. */
static void check_builds(Build build, Build judge, double bound)
{
    const AmphiPotential *p;
    PairCase              cases[MOST_CASES];
    const int             n = all_cases(cases);
    char                  name[128];

    for (int k = 0; k < n; k++) {
        const double limit = bound * amplification(cases[k].potential);
        const double error = largest_pair_error(&cases[k], build.pairs, judge.pairs);

        if (!(error <= limit))
            fail_msg("%s: error %.2g, bound %.2g", case_name(&cases[k], name), error, limit);
    }
    for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++) {
        const double error =
            amphi_potential_is_bonded(p) ? largest_bond_error(p, build.bonds, judge.bonds) : 0;

        if (!(error <= bound))
            fail_msg("%s %s: error %.2g, bound %.2g", p->element, p->name, error, bound);
    }
}

/* Poses and fields are rounded to 32 bits, 6e-8, and powers up to 14 multiply that; measured are
 * 2.5e-6, and 5e-6 and 1.4e-5 for the two that amplify. */
static void single_agrees_with_double(void **state)
{
    (void)state;
    check_builds(single, twofold, 4e-6);
}

static void fixed_agrees_with_double(void **state)
{
    (void)state;
    check_builds(fixed, twofold, 4e-6);
}

/* The compiler may contract a product and a sum in one form and not in the other. */
static void lanes_agree_with_one_lane_to_contraction(void **state)
{
    (void)state;
    check_builds(lanes_single, single, 4e-6);
    check_builds(lanes_double, twofold, 1e-14);
}

static void lanes_of_fixed_have_the_bits_of_one_lane(void **state)
{
    (void)state;
    check_builds(lanes_fixed, fixed, 0);
}

static void probe_with_a_small_error(const AmphiPairTerm *rule, int32_t n,
                                     const AmphiPairPose *pose, AmphiPairForces *out)
{
    probe_pairs_double(rule, n, pose, out);
    out[n - 1].energy *= 1 + 1e-5;
}

static void probe_with_no_number(const AmphiBondRule *rule, int32_t n, const AmphiBondPose *pose,
                                 AmphiBondForces *out)
{
    probe_bonds_double(rule, n, pose, out);
    out[0].force[1][2] = (double)NAN;
}

static void errors_are_noticed(void **state)
{
    const PairCase        lj = { amphi_spec_find("pair", "lennard-jones"), AMPHI_TRUNCATED, false };
    const AmphiPotential *bond = amphi_spec_find("bond", "harmonic");

    (void)state;
    assert_true(largest_pair_error(&lj, probe_pairs_double, probe_pairs_double) == 0);
    assert_true(largest_pair_error(&lj, probe_with_a_small_error, probe_pairs_double) > 4e-6);
    assert_true(largest_pair_error(&lj, probe_pairs_single, probe_pairs_double) > 1e-8);
    assert_true(isnan(largest_bond_error(bond, probe_with_no_number, probe_bonds_double)));
    assert_true(largest_bond_error(bond, probe_bonds_single, probe_bonds_double) > 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_agrees_with_double),
        cmocka_unit_test(fixed_agrees_with_double),
        cmocka_unit_test(lanes_agree_with_one_lane_to_contraction),
        cmocka_unit_test(lanes_of_fixed_have_the_bits_of_one_lane),
        cmocka_unit_test(errors_are_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
