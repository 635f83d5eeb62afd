/* Laws that every pair potential obeys, with every treatment at its cut-off: slopes, balance of
 * angular momentum, symmetry, continuity. Evaluated in double, through the formulas of forcefield/.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "pair_cases.h"

enum { DRAWS = 400 };

/* Differences over 5e-4 nm and 2e-3 rad, extrapolated, leave 1e-11 of the terms; a wrong sign or
 * factor in any term leaves far more than 1e-10. */
static const double slope_bound = 1e-10;
/* Sums of products of a dozen roundings, 1e-16 each. */
static const double rounding_bound = 3e-14;

typedef struct {
    const AmphiPairTerm *rule;
    AmphiPairPose        pose;
    int                  mover; /* -1: the distance; else the bead that turns */
    int                  axis;
} Moved;

static double energy_moved(const void *context, double x)
{
    Moved m = *(const Moved *)context;

    if (m.mover < 0)
        m.pose.d_nm[m.axis] += x;
    else
        nudge_turn(m.pose.orientation[m.mover], m.axis, x);
    return evaluate(m.rule, &m.pose).energy;
}

/* Are force and torques minus the slopes of the energy? */
static bool has_slopes(const PairCase *c, const AmphiPairTerm *rule, const AmphiPairPose *pose,
                       const AmphiPairForces *claim)
{
    const TermSize size = size_of_terms(c, rule, pose);

    for (int axis = 0; axis < 3; axis++) {
        const Moved  at     = { rule, *pose, -1, axis };
        const double wanted = -slope(energy_moved, &at, 5e-4);

        if (!(fabs(claim->force[axis] - wanted) <= slope_bound * size.force))
            return false;
        for (int bead = 0; bead < 2; bead++) {
            const Moved  turned = { rule, *pose, bead, axis };
            const double torque = -slope(energy_moved, &turned, 2e-3);

            if (!(fabs(claim->torque[bead][axis] - torque) <= slope_bound * size.torque))
                return false;
        }
    }
    return true;
}

/* t_i + t_j + d x f = 0. */
static bool keeps_angular_momentum(const PairCase *c, const AmphiPairTerm *rule,
                                   const AmphiPairPose *pose, const AmphiPairForces *claim)
{
    const TermSize size = size_of_terms(c, rule, pose);
    double         lever[3];

    cross(pose->d_nm, claim->force, lever);
    for (int a = 0; a < 3; a++)
        if (!(fabs(claim->torque[0][a] + claim->torque[1][a] + lever[a]) <=
              rounding_bound * size.torque * 12))
            return false;
    return true;
}

static bool are_near(const AmphiPairForces *a, const AmphiPairForces *b, TermSize size,
                     double bound)
{
    bool near = fabs(a->energy - b->energy) <= bound * size.energy;

    for (int k = 0; k < 3; k++) {
        near = near && fabs(a->force[k] - b->force[k]) <= bound * size.force;
        for (int bead = 0; bead < 2; bead++)
            near = near && fabs(a->torque[bead][k] - b->torque[bead][k]) <= bound * size.torque;
    }
    return near;
}

static AmphiPairForces turned_forces(const AmphiPairForces *forces, const double q[4])
{
    AmphiPairForces out = { .energy = forces->energy };

    turn_vector(q, forces->force, out.force);
    turn_vector(q, forces->torque[0], out.torque[0]);
    turn_vector(q, forces->torque[1], out.torque[1]);
    return out;
}

static AmphiPairPose turned_pose(AmphiPairPose pose, const double q[4])
{
    turn_vector(q, pose.d_nm, pose.d_nm);
    multiply_turns(q, pose.orientation[0], pose.orientation[0]);
    multiply_turns(q, pose.orientation[1], pose.orientation[1]);
    return pose;
}

static AmphiPairForces swapped_forces(const AmphiPairForces *forces)
{
    AmphiPairForces out = { .energy = forces->energy };

    for (int a = 0; a < 3; a++) {
        out.force[a]     = -forces->force[a];
        out.torque[0][a] = forces->torque[1][a];
        out.torque[1][a] = forces->torque[0][a];
    }
    return out;
}

static AmphiPairPose swapped_pose(const AmphiPairPose *pose)
{
    AmphiPairPose out = *pose;

    for (int k = 0; k < 2; k++) {
        memcpy(out.orientation[k], pose->orientation[1 - k], sizeof out.orientation[k]);
        out.charge_e[k]    = pose->charge_e[1 - k];
        out.dipole_e_nm[k] = pose->dipole_e_nm[1 - k];
    }
    for (int a = 0; a < 3; a++)
        out.d_nm[a] = -pose->d_nm[a];
    return out;
}

static bool is_name(const AmphiPotential *potential, const char *name)
{
    return strcmp(potential->name, name) == 0;
}

/* The same potential seen from the other bead: NAME_i and NAME_j change places, and
 * charge-dipole is dipole-charge. */
static AmphiPairTerm swapped_rule(const PairCase *c, const AmphiPairTerm *rule)
{
    const AmphiPotential *p   = c->potential;
    AmphiPairTerm         out = *rule;

    if (is_name(p, "charge-dipole"))
        out.kind = amphi_spec_find(p->element, "dipole-charge")->kind;
    if (is_name(p, "dipole-charge"))
        out.kind = amphi_spec_find(p->element, "charge-dipole")->kind;
    for (int32_t k = 0; k < p->n_fields; k++)
        for (int32_t m = 0; m < p->n_fields; m++) {
            const char  *from = p->field[k].name, *to = p->field[m].name;
            const size_t n = strlen(from);

            if (ends_with(from, "_i") && ends_with(to, "_j") && strlen(to) == n &&
                strncmp(from, to, n - 1) == 0) {
                out.field[k] = rule->field[m];
                out.field[m] = rule->field[k];
            }
        }
    return out;
}

typedef bool Law(const PairCase *c, const AmphiPairTerm *rule, const AmphiPairPose *pose,
                 const AmphiPairForces *claim);

/* Over all cases and draws; the message of a failure names the case and the draw. */
static void check_law(Law *law)
{
    PairCase  cases[MOST_CASES];
    const int n = all_cases(cases);
    char      name[128];

    assert_true(n > 0);
    for (int k = 0; k < n; k++) {
        uint64_t seed = (uint64_t)k;

        for (int i = 0; i < DRAWS; i++) {
            const AmphiPairTerm   rule   = draw_rule(&cases[k], &seed);
            const AmphiPairPose   pose   = draw_pose(&cases[k], &rule, &seed);
            const AmphiPairForces forces = evaluate(&rule, &pose);

            if (!law(&cases[k], &rule, &pose, &forces))
                fail_msg("%s: seed %d, draw %d", case_name(&cases[k], name), k, i);
        }
    }
}

static bool turns_with_the_pair(const PairCase *c, const AmphiPairTerm *rule,
                                const AmphiPairPose *pose, const AmphiPairForces *claim)
{
    uint64_t seed = 7;
    double   q[4];

    draw_orientation(&seed, q);
    const AmphiPairPose   pose_q = turned_pose(*pose, q);
    const AmphiPairForces wanted = turned_forces(claim, q), got = evaluate(rule, &pose_q);

    /* Near a core a distance that is rounded otherwise changes u by 12 roundings. */
    return are_near(&got, &wanted, size_of_terms(c, rule, pose), 30 * rounding_bound);
}

static bool is_the_same_from_the_other_bead(const PairCase *c, const AmphiPairTerm *rule,
                                            const AmphiPairPose *pose, const AmphiPairForces *claim)
{
    const AmphiPairTerm   rule_s = swapped_rule(c, rule);
    const AmphiPairPose   pose_s = swapped_pose(pose);
    const AmphiPairForces wanted = swapped_forces(claim), got = evaluate(&rule_s, &pose_s);

    return are_near(&got, &wanted, size_of_terms(c, rule, pose), rounding_bound);
}

static void forces_and_torques_are_slopes_of_the_energy(void **state)
{
    (void)state;
    check_law(has_slopes);
}

static void torques_and_force_balance(void **state)
{
    (void)state;
    check_law(keeps_angular_momentum);
}

static void a_turned_pair_has_the_same_energy_and_turned_forces(void **state)
{
    (void)state;
    check_law(turns_with_the_pair);
}

static void a_pair_is_the_same_seen_from_either_bead(void **state)
{
    (void)state;
    check_law(is_the_same_from_the_other_bead);
}

/* Each law is broken in turn by a force or torque that is wrong by a millionth of its terms. */
static void the_laws_notice_a_millionth(void **state)
{
    static Law *const laws[] = { has_slopes, keeps_angular_momentum, turns_with_the_pair,
                                 is_the_same_from_the_other_bead };
    PairCase          cases[MOST_CASES];
    const int         n = all_cases(cases);

    (void)state;
    for (int k = 0; k < n; k++) {
        uint64_t              seed   = 1000 + (uint64_t)k;
        const AmphiPairTerm   rule   = draw_rule(&cases[k], &seed);
        const AmphiPairPose   pose   = draw_pose(&cases[k], &rule, &seed);
        const AmphiPairForces good   = evaluate(&rule, &pose);
        const TermSize        size   = size_of_terms(&cases[k], &rule, &pose);
        AmphiPairForces       pushed = good, twisted = good;

        pushed.force[1] += 1e-6 * size.force;
        twisted.torque[1][2] += 1e-6 * size.torque;
        for (size_t law = 0; law < sizeof laws / sizeof laws[0]; law++) {
            assert_true(laws[law](&cases[k], &rule, &pose, &good));
            assert_false(laws[law](&cases[k], &rule, &pose, &pushed));
            assert_false(laws[law](&cases[k], &rule, &pose, &twisted));
        }
    }
}

static void a_swap_without_its_parameters_is_noticed(void **state)
{
    const AmphiPotential *p    = amphi_spec_find("pair", "gay-berne");
    const PairCase        c    = { p, AMPHI_TRUNCATED, false };
    uint64_t              seed = 3;
    const AmphiPairTerm   rule = draw_rule(&c, &seed);
    const AmphiPairPose   pose = draw_pose(&c, &rule, &seed), pose_s = swapped_pose(&pose);
    const AmphiPairForces there = evaluate(&rule, &pose), back = evaluate(&rule, &pose_s);
    const AmphiPairForces wanted = swapped_forces(&there);

    (void)state;
    assert_false(are_near(&back, &wanted, size_of_terms(&c, &rule, &pose), 1e-6));
}

/* ---- at the cut-off ---- */

/* How far energy and force are from zero just inside the cut-off, relative to their terms. */
static TermSize step_at_cutoff(const PairCase *c, const AmphiPairTerm *rule, uint64_t *seed)
{
    const AmphiPairPose   pose = draw_pose_at(rule->treatment.cutoff_nm * (1 - 1e-9), seed);
    const TermSize        size = size_of_terms(c, rule, &pose);
    const AmphiPairForces in   = evaluate(rule, &pose);

    return (TermSize){ fabs(in.energy) / size.energy, length_of(in.force) / size.force,
                       (length_of(in.torque[0]) + length_of(in.torque[1])) / size.torque };
}

static TermSize largest_step(const PairCase *c, uint64_t seed)
{
    TermSize most = { 0, 0, 0 };

    for (int i = 0; i < DRAWS; i++) {
        const AmphiPairTerm rule = draw_rule(c, &seed);
        const TermSize      step = step_at_cutoff(c, &rule, &seed);

        most.energy = worse(most.energy, step.energy);
        most.force  = worse(most.force, step.force);
        most.torque = worse(most.torque, step.torque);
    }
    return most;
}

static bool promises_energy(const PairCase *c)
{
    const bool is_charges = is_name(c->potential, "charge-charge");

    if (c->potential->treatments[0] == '\0' || c->has_switch)
        return true;
    return c->type != AMPHI_TRUNCATED && (c->type != AMPHI_REACTION_FIELD || is_charges);
}

static bool promises_force(const PairCase *c)
{
    return c->potential->treatments[0] == '\0' || c->has_switch || c->type == AMPHI_FORCE_SHIFT ||
           c->type == AMPHI_QUADRATIC_SHIFT || c->type == AMPHI_SHIFTED_FACTORS;
}

/* 1e-9 of the way inside, the bare force times that way is 1e-8 of the terms; a plain cut-off
 * leaves a percent and more. A promise that is not made must be seen to be broken. */
static void energy_and_force_end_at_the_cutoff_where_the_treatment_promises_it(void **state)
{
    PairCase  cases[MOST_CASES];
    const int n = all_cases(cases);
    char      name[128];

    (void)state;
    for (int k = 0; k < n; k++) {
        const TermSize step = largest_step(&cases[k], 500 + (uint64_t)k);

        if ((step.energy < 1e-7) != promises_energy(&cases[k]))
            fail_msg("%s: energy steps by %g", case_name(&cases[k], name), step.energy);
        if ((step.force < 1e-7) != promises_force(&cases[k]))
            fail_msg("%s: force steps by %g", case_name(&cases[k], name), step.force);
        if (promises_energy(&cases[k]) && !(step.torque < 1e-7))
            fail_msg("%s: torque steps by %g", case_name(&cases[k], name), step.torque);
        if (!promises_energy(&cases[k]))
            assert_true(step.energy > 1e-3);
        if (!promises_force(&cases[k]))
            assert_true(step.force > 1e-3);
    }
}

static void nothing_acts_from_the_cutoff_on(void **state)
{
    static const AmphiPairForces nothing = { 0 };
    PairCase                     cases[MOST_CASES];
    const int                    n = all_cases(cases);

    (void)state;
    for (int k = 0; k < n; k++) {
        uint64_t              seed = (uint64_t)k;
        const AmphiPairTerm   rule = draw_rule(&cases[k], &seed);
        const AmphiPairPose   pose = draw_pose_at(rule.treatment.cutoff_nm * (1 + 1e-9), &seed);
        const AmphiPairForces out  = evaluate(&rule, &pose);

        assert_memory_equal(&out, &nothing, sizeof out);
    }
}

static AmphiPairForces with_treatment(AmphiPairTerm rule, int32_t type, double from,
                                      const AmphiPairPose *pose)
{
    rule.treatment.type    = type;
    rule.treatment.from_nm = from;
    return evaluate(&rule, pose);
}

/* ELBA's factors are the force shift of the radial functions, to rounding. */
static void shifted_factors_are_the_force_shift(void **state)
{
    static const char *const names[][2] = { { "charges", "charge-charge" },
                                            { "dipoles", "charge-dipole" },
                                            { "dipoles", "dipole-dipole" } };

    (void)state;
    for (int k = 0; k < 3; k++) {
        const PairCase c = { amphi_spec_find(names[k][0], names[k][1]), AMPHI_FORCE_SHIFT, false };
        uint64_t       seed = 40;

        for (int i = 0; i < DRAWS; i++) {
            const AmphiPairTerm   rule = draw_rule(&c, &seed);
            const AmphiPairPose   pose = draw_pose(&c, &rule, &seed);
            const AmphiPairForces a    = evaluate(&rule, &pose);
            const AmphiPairForces b    = with_treatment(rule, AMPHI_SHIFTED_FACTORS, 0, &pose);

            assert_memory_equal(&a, &b, sizeof a);
        }
    }
}

/* In front of a conductor a charge and a dipole at the cut-off do not feel each other, since its
 * image field is 1/r_c^3 there; where the permittivity is the same beyond the cut-off as within it,
 * nothing is added. Only their ratio counts. */
static void the_reaction_field_lies_between_nothing_and_a_conductor(void **state)
{
    static const char *const names[] = { "charge-dipole", "dipole-charge" };

    (void)state;
    for (int k = 0; k < 2; k++) {
        const PairCase c    = { amphi_spec_find("dipoles", names[k]), AMPHI_REACTION_FIELD, false };
        uint64_t       seed = 41;

        for (int i = 0; i < DRAWS; i++) {
            AmphiPairTerm       rule = draw_rule(&c, &seed);
            const AmphiPairPose at   = draw_pose_at(rule.treatment.cutoff_nm * (1 - 1e-9), &seed);
            const double        size = size_of_terms(&c, &rule, &at).energy;

            rule.treatment.permittivity = 1e12;
            assert_true(is_near(evaluate(&rule, &at).energy, 0, 1e-8 * size));
            rule.treatment.permittivity = 1;
            const AmphiPairForces bare  = with_treatment(rule, AMPHI_TRUNCATED, 0, &at);
            assert_true(is_near(evaluate(&rule, &at).energy, bare.energy, 1e-15 * size));
            rule.treatment.permittivity = rule.treatment.permittivity_within = 15;
            assert_true(is_near(evaluate(&rule, &at).energy, bare.energy, 1e-15 * size));
            rule.treatment.permittivity  = 80;
            const AmphiPairForces within = evaluate(&rule, &at);
            rule.treatment.permittivity /= rule.treatment.permittivity_within;
            rule.treatment.permittivity_within = 1;
            assert_true(is_near(within.energy, evaluate(&rule, &at).energy, 1e-15 * size));
            /* 2 (80 - 15) / (2 x 80 + 15) of the bare field is taken back at the cut-off */
            assert_true(is_near(within.energy, bare.energy * (1 - 130. / 175), 1e-8 * size));
        }
    }
}

static void only_switched_treatments_read_where_the_switch_begins(void **state)
{
    PairCase  cases[MOST_CASES];
    const int n = all_cases(cases);

    (void)state;
    for (int k = 0; k < n; k++) {
        const bool may_switch =
            cases[k].type == AMPHI_SWITCHED || cases[k].type == AMPHI_REACTION_FIELD;
        uint64_t              seed = (uint64_t)k;
        const AmphiPairTerm   rule = draw_rule(&cases[k], &seed);
        const double          rc   = rule.treatment.cutoff_nm;
        const AmphiPairPose   pose = draw_pose_at(0.95 * rc, &seed);
        const AmphiPairForces none = with_treatment(rule, cases[k].type, 0, &pose);
        const AmphiPairForces late = with_treatment(rule, cases[k].type, rc, &pose);
        const AmphiPairForces soon = with_treatment(rule, cases[k].type, 0.8 * rc, &pose);

        assert_memory_equal(&none, &late, sizeof none);
        assert_int_equal(memcmp(&none, &soon, sizeof none) != 0, may_switch);
    }
}

static void nearness_has_a_bound_and_refuses_what_is_no_number(void **state)
{
    (void)state;
    assert_true(is_near(1, 1.09, 0.1));
    assert_false(is_near(1, 1.11, 0.1));
    assert_false(is_near((double)NAN, 1, 0.1));
    assert_true(worse(1, 2) == 2 && worse(2, 1) == 2);
    assert_true(isnan(worse(1, (double)NAN)) && isnan(worse((double)NAN, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_and_torques_are_slopes_of_the_energy),
        cmocka_unit_test(torques_and_force_balance),
        cmocka_unit_test(a_turned_pair_has_the_same_energy_and_turned_forces),
        cmocka_unit_test(a_pair_is_the_same_seen_from_either_bead),
        cmocka_unit_test(the_laws_notice_a_millionth),
        cmocka_unit_test(a_swap_without_its_parameters_is_noticed),
        cmocka_unit_test(energy_and_force_end_at_the_cutoff_where_the_treatment_promises_it),
        cmocka_unit_test(nothing_acts_from_the_cutoff_on),
        cmocka_unit_test(shifted_factors_are_the_force_shift),
        cmocka_unit_test(the_reaction_field_lies_between_nothing_and_a_conductor),
        cmocka_unit_test(only_switched_treatments_read_where_the_switch_begins),
        cmocka_unit_test(nearness_has_a_bound_and_refuses_what_is_no_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
