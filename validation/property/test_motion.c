/* The laws that the motion of bodies keeps: order, reversal, exact rotations, means of a harmonic
 * well. Forces are made here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/bodies_work.h"
#include "../../engine/motion.h"
#include "body_cases.h"

static Case the_case;

/* Bodies of the_case. */
static AmphiBodies *begin_case(const AmphiStage *stage, Forces forces)
{
    AmphiBodies *b = NULL;

    assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
    forces(b);
    assert_int_equal(amphi_bodies_begin_stage(b, stage, NULL), AMPHI_OK);
    return b;
}

static AmphiBodies *begin(int32_t n, int kind, const AmphiStage *stage, Forces forces)
{
    make_case(&the_case, n, kind, 3, 298);
    return begin_case(stage, forces);
}

static void wells_and_field(AmphiBodies *b)
{
    clear_forces(b);
    add_wells(b, 10000);
    add_field(b, 20);
}

static double well_stiffness;

static void wells(AmphiBodies *b)
{
    clear_forces(b);
    add_wells(b, well_stiffness);
}

static AmphiStage nve(double dt_ps)
{
    return (AmphiStage){ .name = "nve", .ensemble = AMPHI_NVE, .dt_ps = dt_ps };
}

/* ---- tops ---- */

/* u = -20 e1.z - 11 (e2.x)^2, e the body axes in space. */
static void top_forces(AmphiBodies *b)
{
    clear_forces(b);
    for (int32_t i = 0; i < b->n; i++) {
        double e1[3], e2[3], t1[3], t2[3];

        turn_vector(b->orientation[i], (double[3]){ 1, 0, 0 }, e1);
        turn_vector(b->orientation[i], (double[3]){ 0, 1, 0 }, e2);
        cross(e1, (double[3]){ 0, 0, 20 }, t1);
        cross(e2, (double[3]){ 22 * e2[0], 0, 0 }, t2);
        b->potential_kJ_mol += -20 * e1[2] - 11 * e2[0] * e2[0];
        for (int a = 0; a < 3; a++)
            b->torque_kJ_mol[i][a] = t1[a] + t2[a];
    }
}

typedef struct {
    double axis[3][3]; /* body axes in space */
    double energy;     /* the largest deviation of U + K_full */
} TopRun;

static TopRun run_top(int n_steps)
{
    const AmphiStage stage = nve(0.4 / n_steps);
    TopRun           run   = { .energy = 0 };
    double           first = 0;

    make_case(&the_case, 1, TOP, 3, 100);
    AmphiBodies *b = begin_case(&stage, top_forces);

    for (int k = 0; k < n_steps; k++) {
        step(b, top_forces);
        const double energy = b->potential_kJ_mol + b->translation.full + b->rotation.full;

        first      = k == 0 ? energy : first;
        run.energy = worse(run.energy, fabs(energy - first));
    }
    for (int k = 0; k < 3; k++)
        turn_vector(b->orientation[0], (double[3]){ k == 0, k == 1, k == 2 }, run.axis[k]);
    amphi_bodies_close(b);
    return run;
}

static double axes_apart(const TopRun *a, const TopRun *b)
{
    double most = 0;

    for (int k = 0; k < 9; k++)
        most = worse(most, fabs(a->axis[k / 3][k % 3] - b->axis[k / 3][k % 3]));
    return most;
}

/* The published error of this splitting over 0.4 ps at 3.12 fs is 8.8e-3 in the axes and 1.1e-2
 * kJ/mol, a quarter for each halving: of one trajectory, as ours is of another, so a factor 4 is
 * allowed. The ratio of errors differs from 4 by the next order, 4 % at most here. */
static void a_torqued_top_is_followed_to_second_order(void **state)
{
    (void)state;
    const TopRun exact = run_top(1 << 15);
    TopRun       last  = run_top(128);

    assert_true(fabs(log(axes_apart(&last, &exact) / 8.8e-3)) < log(4));
    assert_true(fabs(log(last.energy / 1.1e-2)) < log(4));
    for (int n = 256; n <= 1024; n *= 2) {
        const TopRun next = run_top(n);

        assert_true(is_near(axes_apart(&last, &exact) / axes_apart(&next, &exact), 4, 0.2));
        assert_true(is_near(last.energy / next.energy, 4, 0.2));
        last = next;
    }
}

/* The quaternion gains 1e-16 a turn, at random. */
static void free_tops_keep_their_norms_and_their_angular_momentum(void **state)
{
    (void)state;
    const AmphiStage stage = nve(0.002);
    AmphiBodies     *b     = begin(64, MIXED, &stage, no_forces);
    double           before[64][3];

    for (int i = 0; i < 64; i++)
        turn_vector(b->orientation[i], b->spin_u_nm2_ps[i], before[i]);
    for (int k = 0; k < 20000; k++)
        step(b, no_forces);
    for (int i = 0; i < 64; i++) {
        const double *q = b->orientation[i];
        double        now[3];

        turn_vector(q, b->spin_u_nm2_ps[i], now);
        assert_true(
            is_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 20000 * 1e-15));
        for (int a = 0; a < 3; a++)
            assert_true(is_near(now[a], before[i][a], 20000 * 1e-15 * length_of(before[i])));
    }
    amphi_bodies_close(b);
}

/* Two equal moments make no sphere: its axis goes round its angular momentum. */
static void symmetric_tops_keep_their_angular_momentum(void **state)
{
    (void)state;
    static const double inertia[][3] = { { 1, 1, 2 }, { 2, 1, 1 }, { 1, 2, 1 } };

    for (int k = 0; k < 3; k++) {
        const Mover  m    = mover_prepare(40, inertia[k]);
        double       q[4] = { 1, 0, 0, 0 }, l[3] = { 1, 0.5, 0.8 }, now[3];
        const double energy = rotation_of(&m, l);

        for (int n = 0; n < 1000; n++)
            turn_freely(&m, 1e-3, q, l);
        turn_vector(q, l, now);
        assert_true(is_near(now[0], 1, 1e-9) && is_near(now[1], 0.5, 1e-9) &&
                    is_near(now[2], 0.8, 1e-9));
        assert_true(is_near(rotation_of(&m, l), energy, 1e-6));
        assert_false(is_near(l[0], 1, 1e-2) && is_near(l[1], 0.5, 1e-2) &&
                     is_near(l[2], 0.8, 1e-2));
    }
}

/* u(t) = cos(w t) u + sin(w t) du/dt / w for any t, with du/dt = omega x u and omega along the
 * angular momentum in space; also for a spherical top once u is split along and across it. */
static void rotors_and_spherical_tops_turn_exactly_in_one_long_step(void **state)
{
    (void)state;
    const AmphiStage stage = nve(1.7);

    for (int kind = LINEAR; kind <= SPHERE; kind++) {
        AmphiBodies *b = begin(32, kind, &stage, no_forces);
        double       q[32][4];

        memcpy(q, b->orientation, sizeof q);
        step(b, no_forces);
        for (int i = 0; i < 32; i++) {
            const double *l = b->spin_u_nm2_ps[i], inertia = body_type[kind].inertia_u_nm2[0];
            const double  w = length_of(l) / inertia;
            double        axis[3], turn[4], wanted[4], got[3], u[3];

            turn_vector(q[i], l, axis);
            for (int a = 0; a < 3; a++)
                axis[a] /= length_of(l);
            turn_about(axis, 1.7 * w, turn);
            multiply_turns(turn, q[i], wanted);
            turn_vector(wanted, (double[3]){ 0, 0, 1 }, u);
            turn_vector(b->orientation[i], (double[3]){ 0, 0, 1 }, got);
            for (int a = 0; a < 3; a++)
                assert_true(is_near(got[a], u[a], 1e-13));
            if (kind == LINEAR)
                assert_true(l[2] == 0);
        }
        amphi_bodies_close(b);
    }
}

/* ---- reversal ---- */

static void flip(AmphiBodies *b)
{
    for (int32_t i = 0; i < b->n; i++)
        for (int a = 0; a < 3; a++) {
            b->velocity_nm_ps[i][a] *= -1;
            b->spin_u_nm2_ps[i][a] *= -1;
        }
}

static double way_back(AmphiBodies *b, int n_steps, bool flipped)
{
    static double x[MOST_BODIES][3], q[MOST_BODIES][4], v[MOST_BODIES][3], l[MOST_BODIES][3];
    double        most = 0;

    for (int32_t i = 0; i < b->n; i++) {
        for (int a = 0; a < 3; a++)
            x[i][a] = b->position_nm[i][a] + b->image[i][a] * b->box_nm[a];
        memcpy(q[i], b->orientation[i], sizeof q[i]);
        memcpy(v[i], b->velocity_nm_ps[i], sizeof v[i]);
        memcpy(l[i], b->spin_u_nm2_ps[i], sizeof l[i]);
    }
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; k < n_steps; k++)
            step(b, wells_and_field);
        wells_and_field(b);
        amphi_bodies_kick(b, false);
        if (flipped)
            flip(b);
    }
    for (int32_t i = 0; i < b->n; i++) {
        for (int a = 0; a < 3; a++) {
            const double at = b->position_nm[i][a] + b->image[i][a] * b->box_nm[a];

            most = worse(most, fabs(at - x[i][a]));
            most = worse(most, fabs(b->velocity_nm_ps[i][a] - v[i][a]));
            most = worse(most, fabs(b->spin_u_nm2_ps[i][a] - l[i][a]));
        }
        for (int a = 0; a < 4; a++)
            most = worse(most, fabs(b->orientation[i][a] - q[i][a]));
    }
    return most;
}

static void flipped_momenta_lead_back_to_the_start(void **state)
{
    (void)state;
    const AmphiStage stage = nve(0.002);
    AmphiBodies     *b     = begin(16, MIXED, &stage, wells_and_field);

    assert_true(way_back(b, 300, true) < 1e-12);
    assert_false(way_back(b, 300, false) < 1e-2); /* the check sees a way that is not back */
    amphi_bodies_close(b);
}

/* ---- a harmonic well ---- */

/* w dt = 2 sin(pi/20): the motion has a period of 20 steps exactly, so that means over periods have
 * no rest. */
static void half_step_kinetic_energy_is_unbiased_and_the_full_one_low(void **state)
{
    (void)state;
    const double     w_dt = 2 * sin(M_PI / 20), dt = 0.01;
    const AmphiStage stage = nve(dt);

    well_stiffness         = body_type[POINT].mass_u * w_dt * w_dt / (dt * dt);
    AmphiBodies *b         = begin(8, POINT, &stage, wells);
    double       potential = 0, half = 0, full = 0, plus = 0;

    for (int k = 0; k < 200; k++) {
        step(b, wells);
        potential += b->potential_kJ_mol;
        half += b->translation.half;
        full += b->translation.full;
        plus += b->translation.plus;
    }
    assert_true(is_near(half / potential, 1, 1e-12));
    assert_true(is_near(plus / potential, 1, 1e-12));
    assert_true(is_near(full / potential, 1 - w_dt * w_dt / 4, 1e-12));
    amphi_bodies_close(b);
}

/* x(t) of a well that starts at its centre with velocity v0: v0 sin(w t)/w. The time step is halved
 * half-way when `changes`. */
static double well_error(int n_steps, bool changes)
{
    const double     w = 8, time = 1;
    const AmphiStage stage = nve(time / n_steps), finer = nve(0.5 * time / n_steps);
    double           most = 0;

    well_stiffness = w * w * body_type[POINT].mass_u;
    AmphiBodies *b = begin(2, POINT, &stage, wells);
    for (int k = 0; k < n_steps / 2; k++)
        step(b, wells);
    if (changes) {
        wells(b);
        assert_int_equal(amphi_bodies_begin_stage(b, &finer, NULL), AMPHI_OK);
    }
    for (int k = 0; k < (changes ? n_steps : n_steps / 2); k++)
        step(b, wells);
    assert_true(is_near(b->time_ps, time, 1e-12));
    for (int i = 0; i < 2; i++)
        for (int a = 0; a < 3; a++) {
            const double x = b->position_nm[i][a] + b->image[i][a] * b->box_nm[a];
            const double wanted =
                the_case.position[i][a] + the_case.velocity[i][a] * sin(w * time) / w;

            most = worse(most, fabs(x - wanted));
        }
    amphi_bodies_close(b);
    return most;
}

/* A wrong start, or a wrong shift at the change, is an error of first order: a ratio of 2. */
static void start_and_change_of_time_step_keep_the_second_order(void **state)
{
    (void)state;
    for (int changes = 0; changes < 2; changes++)
        for (int n = 64; n <= 256; n *= 2)
            assert_true(is_near(well_error(n, changes) / well_error(2 * n, changes), 4, 0.1));
}

/* As of a body that a minimisation finds without a torque, or that is at rest. */
static void a_turn_by_nothing_changes_nothing(void **state)
{
    (void)state;
    const double none[3] = { 0, 0, 0 }, about_z[3] = { 0, 0, 1 };
    AmphiStage   stage = nve(0.01);

    for (int kind = LINEAR; kind <= TOP; kind++) {
        AmphiBodies *b = begin(1, kind, &stage, no_forces);
        double       q[4], before[4], l[3] = { 0, 0, 0 };

        memcpy(before, b->orientation[0], sizeof before);
        memcpy(q, before, sizeof q);
        turn_in_space(none, q);
        assert_memory_equal(q, before, sizeof q);
        turn_freely(amphi_mover_of(b, 0), 0.01, q, l);
        assert_memory_equal(q, before, sizeof q);
        turn_in_space(about_z, q);
        assert_true(fabs(q[0] - before[0]) > 1e-3 || fabs(q[3] - before[3]) > 1e-3);
        amphi_bodies_close(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_torqued_top_is_followed_to_second_order),
        cmocka_unit_test(free_tops_keep_their_norms_and_their_angular_momentum),
        cmocka_unit_test(symmetric_tops_keep_their_angular_momentum),
        cmocka_unit_test(rotors_and_spherical_tops_turn_exactly_in_one_long_step),
        cmocka_unit_test(flipped_momenta_lead_back_to_the_start),
        cmocka_unit_test(half_step_kinetic_energy_is_unbiased_and_the_full_one_low),
        cmocka_unit_test(start_and_change_of_time_step_keep_the_second_order),
        cmocka_unit_test(a_turn_by_nothing_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
