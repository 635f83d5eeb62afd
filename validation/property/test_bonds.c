/* Laws that every bonded term obeys: slopes, balance of forces and of angular momentum, symmetry
 * under rotation; straight angles; the angle function.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bond_cases.h"

enum { DRAWS = 400 };

/* As for pairs: differences leave 1e-11, roundings 1e-15 of the terms. An angle of 3 degrees
 * divides by its sine and so adds a factor 20. */
static const double slope_bound    = 1e-9;
static const double rounding_bound = 1e-13;

typedef struct {
    const AmphiBondRule *rule;
    AmphiBondPose        pose;
    bool                 anchored, turns;
    int                  bead, axis;
} Moved;

/* Positions are counted from bead 0, so when that moves the others go the other way. */
static double energy_moved(const void *context, double x)
{
    Moved m = *(const Moved *)context;

    if (m.turns)
        nudge_turn(m.pose.orientation[m.bead], m.axis, x);
    else if (m.bead > 0 || m.anchored)
        m.pose.x_nm[m.bead][m.axis] += x;
    else
        for (int k = 1; k < AMPHI_MAX_BOND_BEADS; k++)
            m.pose.x_nm[k][m.axis] -= x;
    return evaluate_bond(m.rule, &m.pose).energy;
}

static bool has_slopes(const AmphiPotential *p, const AmphiBondRule *rule,
                       const AmphiBondPose *pose, const AmphiBondForces *claim)
{
    const BondSize size = size_of_bond(p, rule);

    for (int bead = 0; bead < p->n_beads; bead++)
        for (int axis = 0; axis < 3; axis++) {
            const Moved  moved  = { rule, *pose, is_anchored(p), false, bead, axis };
            const Moved  turned = { rule, *pose, is_anchored(p), true, bead, axis };
            const double force  = -slope(energy_moved, &moved, 5e-4);
            const double torque = -slope(energy_moved, &turned, 2e-3);

            if (!is_near(claim->force[bead][axis], force, slope_bound * size.force) ||
                !is_near(claim->torque[bead][axis], torque, slope_bound * size.torque))
                return false;
        }
    return true;
}

/* Sum of f = 0 and sum of (t + x cross f) = 0. */
static bool keeps_momenta(const AmphiPotential *p, const AmphiBondRule *rule,
                          const AmphiBondPose *pose, const AmphiBondForces *claim)
{
    const BondSize size   = size_of_bond(p, rule);
    double         sum[3] = { 0 }, turn[3] = { 0 };

    for (int bead = 0; bead < p->n_beads; bead++) {
        double lever[3];

        cross(pose->x_nm[bead], claim->force[bead], lever);
        for (int a = 0; a < 3; a++) {
            sum[a] += claim->force[bead][a];
            turn[a] += claim->torque[bead][a] + lever[a];
        }
    }
    return length_of(sum) <= rounding_bound * size.force &&
           length_of(turn) <= rounding_bound * size.torque;
}

/* But for what is anchored: a box has no such symmetry. */
static bool turns_with_the_beads(const AmphiPotential *p, const AmphiBondRule *rule,
                                 const AmphiBondPose *pose, const AmphiBondForces *claim)
{
    const BondSize size   = size_of_bond(p, rule);
    AmphiBondPose  pose_q = *pose;
    uint64_t       seed   = 7;
    double         q[4];

    draw_orientation(&seed, q);
    for (int k = 0; k < p->n_beads; k++) {
        turn_vector(q, pose_q.x_nm[k], pose_q.x_nm[k]);
        multiply_turns(q, pose_q.orientation[k], pose_q.orientation[k]);
    }

    const AmphiBondForces got = evaluate_bond(rule, &pose_q);
    if (!is_near(got.energy, claim->energy, rounding_bound * size.energy))
        return false;
    for (int k = 0; k < p->n_beads; k++) {
        double force[3], torque[3];

        turn_vector(q, claim->force[k], force);
        turn_vector(q, claim->torque[k], torque);
        for (int a = 0; a < 3; a++)
            if (!is_near(got.force[k][a], force[a], rounding_bound * size.force) ||
                !is_near(got.torque[k][a], torque[a], rounding_bound * size.torque))
                return false;
    }
    return true;
}

typedef bool Law(const AmphiPotential *p, const AmphiBondRule *rule, const AmphiBondPose *pose,
                 const AmphiBondForces *claim);

static void check_law(Law *law, bool also_anchored)
{
    const AmphiPotential *p;
    int                   n_checked = 0;

    for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++) {
        uint64_t seed = (uint64_t)k;

        if (!amphi_potential_is_bonded(p) || (is_anchored(p) && !also_anchored))
            continue;
        for (int i = 0; i < DRAWS; i++) {
            const AmphiBondRule   rule   = draw_bond_rule(p, &seed);
            const AmphiBondPose   pose   = draw_bond_pose(p, &seed);
            const AmphiBondForces forces = evaluate_bond(&rule, &pose);

            if (!law(p, &rule, &pose, &forces))
                fail_msg("%s %s: seed %d, draw %d", p->element, p->name, (int)k, i);
        }
        n_checked++;
    }
    assert_true(n_checked >= 5);
}

static void forces_and_torques_are_slopes_of_the_energy(void **state)
{
    (void)state;
    check_law(has_slopes, true);
}

static void forces_sum_to_zero_and_torques_balance(void **state)
{
    (void)state;
    check_law(keeps_momenta, false);
}

static void a_turned_molecule_has_the_same_energy_and_turned_forces(void **state)
{
    (void)state;
    check_law(turns_with_the_beads, false);
}

static void the_laws_notice_a_millionth(void **state)
{
    static Law *const     laws[] = { has_slopes, keeps_momenta, turns_with_the_beads };
    const AmphiPotential *p;

    (void)state;
    for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++) {
        uint64_t seed = 300 + (uint64_t)k;

        if (!amphi_potential_is_bonded(p) || is_anchored(p))
            continue;
        const AmphiBondRule   rule   = draw_bond_rule(p, &seed);
        const AmphiBondPose   pose   = draw_bond_pose(p, &seed);
        const AmphiBondForces good   = evaluate_bond(&rule, &pose);
        AmphiBondForces       pushed = good, twisted = good;

        pushed.force[1][0] += 1e-6 * size_of_bond(p, &rule).force;
        twisted.torque[0][1] += 1e-6 * size_of_bond(p, &rule).torque;
        for (size_t law = 0; law < sizeof laws / sizeof laws[0]; law++) {
            assert_true(laws[law](p, &rule, &pose, &good));
            assert_false(laws[law](p, &rule, &pose, &pushed));
            assert_false(laws[law](p, &rule, &pose, &twisted));
        }
    }
}

static void a_position_restraint_is_tied_to_the_box(void **state)
{
    const AmphiPotential *p    = amphi_spec_find("restrain", "position");
    const AmphiBondRule   rule = { .kind = p->kind, .field = { 100, 20, 3 } };
    const AmphiBondPose   pose = { .x_nm = { { 0.1, -0.2, 0.3 } } };

    (void)state;
    const AmphiBondForces got = evaluate_bond(&rule, &pose);
    assert_true(is_near(got.energy, 1 + 0.8 + 0.27, 1e-14));
    assert_true(is_near(got.force[0][0], -20, 1e-13));
    assert_true(is_near(got.force[0][1], 8, 1e-13));
    assert_true(is_near(got.force[0][2], -1.8, 1e-13));
    assert_false(keeps_momenta(p, &rule, &pose, &got));
    assert_false(turns_with_the_beads(p, &rule, &pose, &got));
}

typedef struct {
    const char *element, *name;
    double      k, rest;
    double      x[2][3], turn_about_x; /* of beads 1 and 2; of the axis of bead 0, from z; rad */
    double      energy, force_1[3];    /* on bead 1 */
} Worked;

static bool has_worked_numbers(const Worked *w)
{
    const AmphiBondRule rule = { .kind  = amphi_spec_find(w->element, w->name)->kind,
                                 .field = { w->k, w->rest } };
    AmphiBondPose       pose = { .orientation = { { 1, 0, 0, 0 } } };

    nudge_turn(pose.orientation[0], 0, w->turn_about_x);
    memcpy(pose.x_nm[1], w->x, sizeof w->x);

    const AmphiBondForces got = evaluate_bond(&rule, &pose);
    return is_near(got.energy, w->energy, 1e-12) &&
           is_near(got.force[1][0], w->force_1[0], 1e-11) &&
           is_near(got.force[1][1], w->force_1[1], 1e-11) &&
           is_near(got.force[1][2], w->force_1[2], 1e-11);
}

/* A stretched bond, right angles that rest at 60 degrees, axes along and across: by hand. The laws
 * cannot see where a term is at rest, nor a constant. */
static void terms_have_the_energies_that_their_formulas_say(void **state)
{
    static const double sixty = 1.0471975511965976, thirty = 0.52359877559829887;

    const Worked rows[] = {
        { "bond", "harmonic", 100, 0.4, { { 0.5, 0, 0 } }, 0, 1, { -20, 0, 0 } },
        { "bond", "harmonic", 100, 0.6, { { 0.5, 0, 0 } }, 0, 1, { 20, 0, 0 } },
        { "angle",
          "cosine-squared",
          8,
          sixty,
          { { 0.5, 0, 0 }, { 0.5, 0.5, 0 } },
          0,
          2,
          { 16, -16, 0 } },
        { "angle",
          "harmonic",
          8,
          sixty,
          { { 0.5, 0, 0 }, { 0.5, 0.5, 0 } },
          0,
          8 * thirty * thirty,
          { 32 * thirty, -32 * thirty, 0 } },
        { "orientation", "dipole-restraint", 8, sixty, { { 0.5, 0, 0 } }, 0, 2, { 0, 0, 16 } },
        { "orientation", "dipole-restraint", 8, sixty, { { 0, 0, 0.5 } }, sixty, 0, { 0 } },
        { "orientation", "bond-axis", 8, 0, { { 0, 0, 0.5 }, { 0, 0, 0.9 } }, 0, 0, { 0 } },
        { "orientation", "bond-axis", 8, 0, { { 0.5, 0, 0 }, { 0.9, 0, 0 } }, 0, 8, { 0 } },
    };

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        Worked off = rows[k];

        if (!has_worked_numbers(&rows[k]))
            fail_msg("%s %s, row %d", rows[k].element, rows[k].name, (int)k);
        off.energy += 1e-9;
        assert_false(has_worked_numbers(&off));
        off = rows[k];
        off.force_1[2] += 1e-9;
        assert_false(has_worked_numbers(&off));
    }
}

/* Beads 1 and 3 at 0.4 nm from the vertex, bent by `bend` from straight. */
static AmphiBondPose bent(double bend)
{
    return (AmphiBondPose){
        .x_nm = { { 0 }, { 0.4, 0, 0 }, { 0.4 + 0.4 * cos(bend), 0.4 * sin(bend), 0 } }
    };
}

/* u = k b^2 with the bend b, so the force on bead 3 is -2 k b / 0.4 across its arm. Below 1e-6 rad
 * the sine is held, and the force is 2 k 1e-6 / 0.4 at most. */
static void straight_angles_at_rest_are_harmonic_to_the_end(void **state)
{
    static const double bends[] = { 0.3, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9, 0 };
    const AmphiBondRule rule    = { .kind  = amphi_spec_find("angle", "harmonic")->kind,
                                    .field = { 50, acos(-1.) } };

    (void)state;
    for (size_t k = 0; k < sizeof bends / sizeof bends[0]; k++) {
        const double          b    = bends[k];
        const AmphiBondPose   pose = bent(b);
        const AmphiBondForces got  = evaluate_bond(&rule, &pose);
        const double          size = 2 * 50 * b / 0.4;

        assert_true(is_near(got.energy, 50 * b * b, 1e-13));
        assert_true(
            is_near(got.force[2][1], -size * cos(b), b > 2e-6 ? 1e-9 * size + 1e-11 : 3e-4));
        assert_true(is_near(got.force[2][0], size * sin(b), 1e-9 * size + 1e-11));
    }
}

/* A kink: another rest angle pulls with 2 k |t - t0| / 0.4 however small the bend, not beyond. */
static void straight_angles_not_at_rest_have_a_bounded_force(void **state)
{
    const AmphiBondRule rule = { .kind  = amphi_spec_find("angle", "harmonic")->kind,
                                 .field = { 50, 2 } };

    (void)state;
    for (double b = 1e-3; b > 1e-12; b /= 10) {
        const AmphiBondPose   pose = bent(b);
        const AmphiBondForces got  = evaluate_bond(&rule, &pose);

        assert_true(length_of(got.force[2]) <= 2 * 50 * (acos(-1.) - 2) / 0.4 * (1 + 1e-9));
        assert_true(length_of(got.force[1]) <= 4 * 50 * (acos(-1.) - 2) / 0.4 * (1 + 1e-9));
    }
}

/* The largest error of sqrt(u / k) at rest angle 0 against the angle of libm, over the half
 * turn. */
static double largest_angle_error(AmphiProbeBonds *probe)
{
    const AmphiBondRule rule = { .kind  = amphi_spec_find("angle", "harmonic")->kind,
                                 .field = { 1, 0 } };
    double              most = 0;

    for (int i = 0; i <= 20000; i++) {
        const double    t    = acos(-1.) * i / 20000;
        AmphiBondPose   pose = { .x_nm = { { 0 }, { -1, 0, 0 }, { cos(t) - 1, sin(t), 0 } } };
        AmphiBondForces got;

        for (int a = 0; a < 2; a++) /* what every precision can hold */
            pose.x_nm[2][a] = ldexp(nearbyint(ldexp(pose.x_nm[2][a], 20)), -20);
        probe(&rule, 1, &pose, &got);
        most = fmax(most, fabs(sqrt(got.energy) - atan2(pose.x_nm[2][1], pose.x_nm[2][0] + 1)));
    }
    return most;
}

/* The result is as large as pi, so one rounding of it is 4.4e-16, or 2.4e-7 in 32 bits; a few of
 * them meet. A series that is a term too short is off by 1e-14. */
static void angles_are_those_of_the_mathematical_library(void **state)
{
    (void)state;
    assert_true(largest_angle_error(probe_bonds_double) < 2e-15);
    assert_true(largest_angle_error(probe_bonds_single) < 1e-6);
    assert_true(largest_angle_error(probe_bonds_fixed) < 1e-6);
    assert_false(largest_angle_error(probe_bonds_single) < 2e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_and_torques_are_slopes_of_the_energy),
        cmocka_unit_test(forces_sum_to_zero_and_torques_balance),
        cmocka_unit_test(a_turned_molecule_has_the_same_energy_and_turned_forces),
        cmocka_unit_test(the_laws_notice_a_millionth),
        cmocka_unit_test(a_position_restraint_is_tied_to_the_box),
        cmocka_unit_test(terms_have_the_energies_that_their_formulas_say),
        cmocka_unit_test(straight_angles_at_rest_are_harmonic_to_the_end),
        cmocka_unit_test(straight_angles_not_at_rest_have_a_bounded_force),
        cmocka_unit_test(angles_are_those_of_the_mathematical_library),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
