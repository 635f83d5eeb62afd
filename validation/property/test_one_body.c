/* One body whose numbers are given, in double and in whole numbers. Of Langevin's step: a drift
 * without noise is a free one, friction takes what the heat says, noise has the scale of each
 * degree of freedom. And what leaves its range is found. Temperatures are in test_ensembles.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/fixed_motion.h"
#include "body_cases.h"

static const double dt = 0.002, box_nm[3] = { 3, 4, 5 };
static const double none[6] = { 0, 0, 0, 0, 0, 0 };
static const Noise  silence = { 1, 0 }, friction = { 0.9, 0 };

/* A body of a kind that moves and turns. */
typedef struct {
    Mover     m;
    double    x[3], v[3], q[4], l[3];
    double    stride[3]; /* of half a drift */
    FixedBody fixed;
} Body;

static Body body_of(int kind)
{
    Body     b    = { .m = mover_prepare(body_type[kind].mass_u, body_type[kind].inertia_u_nm2) };
    uint64_t seed = 3;

    draw_orientation(&seed, b.q);
    for (int k = 0; k < 4; k++) {
        b.fixed.q[k] = fixed_round(b.q[k] * FIXED_POWER(FIXED_ORIENTATION_BITS));
        b.q[k]       = (double)b.fixed.q[k] * FIXED_UNIT(ORIENTATION);
    }
    for (int a = 0; a < 3; a++) {
        b.x[a] = draw(&seed, 1, 2);
        b.v[a] = draw(&seed, -1, 1);
        b.l[a] = b.m.inertia[a] > 0 ? 3 * sqrt(b.m.inertia[a]) * draw(&seed, 0.5, 1) : 0;

        b.fixed.x[a] = fixed_place_of(b.x[a], box_nm[a], &b.fixed.image[a]);
        b.fixed.p[a] = fixed_round(b.v[a] * b.m.mass / FIXED_MOMENTUM_UNIT);
    }
    fixed_store_spin(&b.m, b.q, b.l, b.fixed.l);
    fixed_stride(&b.m, 0.5 * dt, box_nm, b.stride);
    return b;
}

static void a_drift_without_noise_is_a_free_one(void **state)
{
    (void)state;
    for (int kind = POINT; kind <= TOP; kind++) {
        Body       b = body_of(kind), free = b;
        FixedFault fault = FIXED_FAULTS;

        assert_true(drift_with_noise(&b.m, dt, &silence, NULL, none, b.x, b.v, b.q, b.l) == 0);
        assert_int_equal(
            fixed_drift_with_noise(&b.m, dt, b.stride, &silence, NULL, none, &b.fixed, &fault), 0);
        assert_int_equal(fault, FIXED_GOOD);
        for (int half = 0; half < 2; half++) {
            move_freely(0.5 * dt, free.v, free.x);
            turn_freely(&free.m, 0.5 * dt, free.q, free.l);
            fixed_go(free.stride, free.fixed.p, free.fixed.x, free.fixed.image);
            fixed_turn_freely(&free.m, 0.5 * dt, free.fixed.q, free.fixed.l);
        }
        assert_memory_equal(b.x, free.x, sizeof b.x);
        assert_memory_equal(b.v, free.v, sizeof b.v);
        assert_memory_equal(b.q, free.q, sizeof b.q);
        assert_memory_equal(b.l, free.l, sizeof b.l);
        assert_memory_equal(&b.fixed, &free.fixed, sizeof b.fixed);
        assert_int_equal(memcmp(b.q, body_of(kind).q, sizeof b.q) != 0, kind != POINT);
    }
}

/* (0.9^2 - 1) of all kinetic energy, that of rotation with the rest; in whole numbers to a few of
 * their units. A velocity that is left out goes with it. A top that tumbles keeps its energy to
 * second order in what it turns by in a step, 0.08. */
static void friction_takes_what_the_heat_says(void **state)
{
    (void)state;
    const double given[3] = { 0.1, -0.2, 0.3 };

    for (int kind = POINT; kind <= TOP; kind++)
        for (int leaves = 0; leaves < 2; leaves++) {
            Body         b       = body_of(kind);
            const Body   first   = b;
            const double before  = kinetic_of(&b.m, b.v) + rotation_of(&b.m, b.l);
            FixedFault   fault   = FIXED_FAULTS;
            const double tumbles = kind == TOP ? 0.01 * before : 0;
            double       after, v[3], l[3], heat, fixed_heat;

            heat = drift_with_noise(&b.m, dt, &friction, leaves ? given : NULL, none, b.x, b.v, b.q,
                                    b.l);
            fixed_heat = fixed_energy_kJ_mol(fixed_drift_with_noise(
                &b.m, dt, b.stride, &friction, leaves ? given : NULL, none, &b.fixed, &fault));
            after      = kinetic_of(&b.m, b.v) + rotation_of(&b.m, b.l);
            assert_int_equal(fault, FIXED_GOOD);
            assert_true(is_near(heat, after - before, 1e-9 + tumbles));
            assert_true(leaves || is_near(after, 0.81 * before, 1e-9 + tumbles));
            fixed_show_velocity(&b.m, b.fixed.p, v);
            fixed_show_spin(&b.m, b.fixed.q, b.fixed.l, l);
            assert_true(is_near(fixed_heat, kinetic_of(&b.m, v) + rotation_of(&b.m, l) - before,
                                1e-6 + tumbles));
            for (int a = 0; a < 3; a++) {
                const double wanted = 0.9 * first.v[a] - (leaves ? given[a] : 0);

                assert_true(is_near(b.v[a], wanted, 1e-12));
                assert_true(is_near(v[a], wanted, 1e-8));
            }
        }
}

/* R sqrt(kT/m) and R sqrt(kT I), in the frame of the body, which turns meanwhile by nothing. */
static void noise_has_the_scale_of_each_degree_of_freedom(void **state)
{
    (void)state;
    const Noise  noise     = { 0, 1.5 };
    const double normal[6] = { 0.5, -1, 1.5, 0.7, -0.3, 1.1 };

    for (int kind = POINT; kind <= TOP; kind++) {
        Body    b        = body_of(kind);
        int64_t given[3] = { 0, 0, 0 };
        double  v[3], l[3], momentum[3];

        fixed_add_noise(&b.m, &noise, normal, b.fixed.q, b.fixed.p, b.fixed.l);
        add_friction_and_noise(&b.m, &noise, normal, b.v, b.l);
        fixed_show_velocity(&b.m, b.fixed.p, v);
        fixed_show_spin(&b.m, b.fixed.q, b.fixed.l, l);
        momentum_of_noise(&b.m, &noise, normal, momentum);
        fixed_momentum_of_noise(&b.m, &noise, normal, given);
        for (int a = 0; a < 3; a++) {
            const double of_v = 1.5 * normal[a] / sqrt(b.m.mass);
            const double of_l = 1.5 * normal[3 + a] * sqrt(b.m.inertia[a]);

            assert_true(is_near(b.v[a], of_v, 1e-14) && is_near(v[a], of_v, 1e-8));
            assert_true(is_near(b.l[a], of_l, 1e-14) && is_near(l[a], of_l, 1e-8));
            assert_true(is_near(momentum[a], b.m.mass * of_v, 1e-12));
            assert_int_equal(given[a], fixed_round(momentum[a] / FIXED_MOMENTUM_UNIT));
        }
    }
}

/* Half of what is there stays, so that both halves of l are seen. */
static void friction_slows_what_turns(void **state)
{
    (void)state;
    const Noise half = { 0.5, 0 };

    for (int kind = LINEAR; kind <= TOP; kind++) {
        Body   b = body_of(kind);
        double l[3];

        fixed_add_noise(&b.m, &half, none, b.fixed.q, b.fixed.p, b.fixed.l);
        fixed_show_spin(&b.m, b.fixed.q, b.fixed.l, l);
        for (int a = 0; a < 3; a++)
            assert_true(is_near(l[a], 0.5 * b.l[a], 1e-8));
    }
}

/* ---- ranges ---- */

static FixedFault fault_after(Body *b, const Noise *noise, const double normal[6])
{
    FixedFault fault = FIXED_FAULTS;

    fixed_drift_with_noise(&b->m, dt, b->stride, noise, NULL, normal, &b->fixed, &fault);
    return fault;
}

/* Too fast before the noise, which stops it; or only behind it. */
static void either_half_of_a_drift_finds_what_is_too_fast(void **state)
{
    (void)state;
    const Noise  stop = { 0, 0 }, kick = { 1, 1 };
    const double far[6] = { 1e6, 0, 0, 0, 0, 0 }, turned[6] = { 0, 0, 0, 1e5, 1e5, 1e5 };

    for (int kind = LINEAR; kind <= TOP; kind++) {
        Body b = body_of(kind);

        assert_int_equal(fault_after(&b, &stop, none), FIXED_GOOD);
        b            = body_of(kind);
        b.fixed.p[1] = fixed_round(1e6 / FIXED_MOMENTUM_UNIT);
        assert_int_equal(fault_after(&b, &stop, none), FIXED_DISPLACEMENT);
        b = body_of(kind);
        assert_int_equal(fault_after(&b, &kick, far), FIXED_DISPLACEMENT);

        b = body_of(kind);
        for (int a = 0; a < 3; a++)
            b.fixed.l[a] = fixed_round(1e4 * b.m.inertia[1] / FIXED_SPIN_UNIT);
        assert_int_equal(fault_after(&b, &stop, none), FIXED_TURN);
        b = body_of(kind);
        assert_int_equal(fault_after(&b, &kick, turned), FIXED_TURN);
    }
}

/* By dt l/I of two radians, which are 1.85 in the form without a sine. */
static void a_turn_is_too_far_either_way_round(void **state)
{
    (void)state;
    for (int kind = LINEAR; kind <= TOP; kind++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int axis = 0; axis < 2; axis++) {
                Body         b    = body_of(kind);
                const double unit = fixed_turn_rate(&b.m, axis); /* rad/ps of one of l */

                b.fixed.l[axis] = (int64_t)(sign * 1.99 / unit / dt);
                assert_true(fixed_turn_about(&b.m, axis, dt, b.fixed.q, b.fixed.l));
                b.fixed.l[axis] = (int64_t)(sign * 2.01 / unit / dt);
                assert_false(fixed_turn_about(&b.m, axis, dt, b.fixed.q, b.fixed.l));
            }
}

/* Of translation or rotation alone, or of both together; then nothing is booked. */
static void the_energy_of_any_motion_may_leave_its_range(void **state)
{
    static const struct {
        double nm_ps, spin;
        bool   is_in;
    } cases[]             = { { 55, 0, true },   { 60, 0, false },  { 0, 350, true },
                              { 0, 370, false }, { 45, 200, true }, { 45, 250, false } };
    const Mover   m       = mover_prepare(40, (const double[3]){ 1, 1, 1 });
    const int64_t calm[3] = { 0, 0, 0 }, q[4] = { (int64_t)FIXED_POWER(FIXED_ORIENTATION_BITS) };
    (void)state;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int64_t p[3] = { 0, fixed_round(cases[k].nm_ps * 40 / FIXED_MOMENTUM_UNIT), 0 };
        const int64_t l[3] = { fixed_round(cases[k].spin / FIXED_SPIN_UNIT), 0, 0 };
        const double  sum =
            20 * cases[k].nm_ps * cases[k].nm_ps + 0.5 * cases[k].spin * cases[k].spin;
        FixedBooks books;
        double     v[3], s[3];

        assert_int_equal(sum < FIXED_MOST_KINETIC, cases[k].is_in);
        assert_int_equal(fixed_book(&m, 256, calm, calm, p, q, l, &books, v, s),
                         cases[k].is_in ? FIXED_GOOD : FIXED_ENERGY);
        for (int at = 0; at < 3; at++) {
            const double booked = fixed_energy_kJ_mol(books.kinetic[0][at] + books.kinetic[1][at]);

            assert_true(is_near(booked, cases[k].is_in ? sum : 0, 1e-3));
        }
        assert_int_equal(books.tensor[3] != 0, cases[k].is_in && cases[k].nm_ps > 0);
    }
}

/* Only the kick takes it out of its range, and what was booked before goes as well. */
static void an_energy_that_a_kick_makes_too_large_leaves_no_books(void **state)
{
    const Mover   m       = mover_prepare(40, (const double[3]){ 1, 1, 1 });
    const int64_t calm[3] = { 0, 0, 0 }, q[4] = { (int64_t)FIXED_POWER(FIXED_ORIENTATION_BITS) };
    const int64_t ticks = 256;
    (void)state;

    for (int more = 0; more <= 20; more += 5) { /* from 50 nm/ps on; 57.2 are too many */
        const int64_t p[3]     = { fixed_round(50.0 * 40 / FIXED_MOMENTUM_UNIT), 0, 0 };
        const int64_t force[3] = { fixed_round(more * 40 / FIXED_MOMENTUM_UNIT / (double)ticks), 0,
                                   0 };
        FixedBooks    books;
        double        v[3], l[3], sum = 0;
        const bool    is_in = more <= 5;

        assert_int_equal(fixed_book(&m, ticks, force, calm, p, q, calm, &books, v, l),
                         is_in ? FIXED_GOOD : FIXED_ENERGY);
        for (int at = 0; at < 3; at++)
            sum += fixed_energy_kJ_mol(books.kinetic[0][at]);
        for (int k = 0; k < 6; k++)
            sum += fixed_energy_kJ_mol(books.tensor[k]);
        assert_int_equal(sum > 0, is_in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drift_without_noise_is_a_free_one),
        cmocka_unit_test(friction_takes_what_the_heat_says),
        cmocka_unit_test(noise_has_the_scale_of_each_degree_of_freedom),
        cmocka_unit_test(friction_slows_what_turns),
        cmocka_unit_test(either_half_of_a_drift_finds_what_is_too_fast),
        cmocka_unit_test(a_turn_is_too_far_either_way_round),
        cmocka_unit_test(the_energy_of_any_motion_may_leave_its_range),
        cmocka_unit_test(an_energy_that_a_kick_makes_too_large_leaves_no_books),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
