/* What a kick shows of its moment, and whom the removal of drift leaves alone, in double and in
 * fixed precision. More of the motion is in test_bodies.c and test_fixed.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../property/fixed_cases.h"

static Case the_case;

/* Strong, so that a kick changes velocities by per cents. */
static void pull(AmphiBodies *b)
{
    clear_forces(b);
    add_wells(b, 40000);
    add_field(b, 400);
    if (b->fixed != NULL)
        round_forces(b);
}

static AmphiBodies *opened(bool is_fixed, int32_t n, int kind, const AmphiStage *stage)
{
    AmphiBodies *b = NULL;

    make_case(&the_case, n, kind, 3, 298);
    assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
    for (int32_t i = 0; i < n; i++)
        b->position_nm[i][0] += i % 2 == 0 ? 0.01 : -0.02; /* out of its well */
    if (is_fixed) {
        assert_int_equal(amphi_fixed_open(b, NULL), AMPHI_OK);
        amphi_fixed_expect(b, stage);
    }
    pull(b);
    assert_int_equal(amphi_bodies_begin_stage(b, stage, NULL), AMPHI_OK);
    return b;
}

static void copy_velocities(AmphiBodies *b, double v[][3])
{
    if (b->fixed != NULL)
        amphi_fixed_show_motion(b);
    memcpy(v, b->velocity_nm_ps, (size_t)b->n * sizeof *v);
}

/* Of t - dt/2 and t + dt/2: v(t) is their mean, and the kinetic tensor the mean of both of theirs,
 * which is not that of v(t). */
static void a_kick_shows_the_moment_between_its_halves(void **state)
{
    enum { N = 60 };
    static const AmphiStage nve = { .name = "nve", .ensemble = AMPHI_NVE, .dt_ps = 0.004 };
    (void)state;

    for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
        AmphiBodies *b = opened(is_fixed, N, MIXED, &nve);
        double       before[N][3], after[N][3], tensor[3][3] = { { 0 } }, of_now = 0;

        pull(b);
        copy_velocities(b, before);
        amphi_bodies_kick(b, true);
        copy_velocities(b, after);
        for (int i = 0; i < N; i++) {
            const double mass = the_case.system.type[the_case.bead_type[i]].mass_u;

            for (int a = 0; a < 3; a++) {
                const double now = b->velocity_now_nm_ps[i][a];

                assert_true(is_near(now, 0.5 * (before[i][a] + after[i][a]), 1e-8));
                of_now += 0.5 * mass * now * now;
                for (int c = 0; c < 3; c++)
                    tensor[a][c] +=
                        0.25 * mass * (before[i][a] * before[i][c] + after[i][a] * after[i][c]);
            }
        }
        for (int a = 0; a < 3; a++)
            for (int c = 0; c < 3; c++)
                assert_true(is_near(b->kinetic_half_kJ_mol[a][c], tensor[a][c], 1e-4));
        assert_true(is_near(b->translation.half, tensor[0][0] + tensor[1][1] + tensor[2][2], 1e-4));
        assert_true(is_near(b->translation.full, of_now, 1e-4));
        assert_true(b->translation.half - of_now > 0.1); /* forces make a difference */
        amphi_bodies_close(b);
    }
}

/* A group of one bead would be stopped for good; the others lose the momentum of theirs. */
static void a_group_of_one_bead_keeps_its_drift(void **state)
{
    static const int32_t groups[] = { 0, 1 };
    const AmphiStage     stage    = { .name         = "run",
                                      .ensemble     = AMPHI_NVT,
                                      .dt_ps        = 0.002,
                                      .remove_drift = true,
                                      .thermostat   = { .n_groups = 2, .group = groups } };
    (void)state;

    for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
        AmphiBodies *b = opened(is_fixed, 3, POINT, &stage); /* beads 0 and 2, and bead 1 */
        double       v[3][3];
        int64_t      freedom[2];

        copy_velocities(b, v);
        for (int a = 0; a < 3; a++) {
            assert_true(is_near(v[0][a] + v[2][a], 0, 1e-8));
            assert_true(fabs(v[1][a]) > 1e-3);
        }
        amphi_bodies_freedom(b, 0, freedom);
        assert_int_equal(freedom[0], 3);
        amphi_bodies_freedom(b, 1, freedom);
        assert_int_equal(freedom[0], 3);
        amphi_bodies_close(b);
    }
}

/* Momentum that is kept is no thermal motion: that of all, without a drift that is removed; that of
 * each group, where it is. Neither along an axis of restraints nor where noise changes it. */
static void freedom_lacks_the_momentum_that_is_kept(void **state)
{
    enum { N = 12 };
    static const int32_t             groups[] = { 0, 1 };
    static const AmphiStageRestraint along_x  = { .group = 0, .axis = { true }, .k_kJ_mol_nm2 = 1 };
    static const struct {
        AmphiThermostatType type;
        int32_t             n_groups, n_restraints;
        bool                remove_drift;
        int64_t             freedom; /* of the first group, or of all */
    } cases[] = { { AMPHI_VELOCITY_RESCALE, 0, 0, false, 3 * N - 3 },
                  { AMPHI_NO_THERMOSTAT, 0, 0, false, 3 * N - 3 },
                  { AMPHI_VELOCITY_RESCALE, 0, 0, true, 3 * N - 3 },
                  { AMPHI_LANGEVIN, 0, 0, false, 3 * N },
                  { AMPHI_LANGEVIN, 0, 0, true, 3 * N - 3 },
                  { AMPHI_VELOCITY_RESCALE, 2, 0, false, 3 * N / 2 },
                  { AMPHI_VELOCITY_RESCALE, 2, 0, true, 3 * N / 2 - 3 },
                  { AMPHI_LANGEVIN, 2, 0, true, 3 * N / 2 - 3 },
                  { AMPHI_VELOCITY_RESCALE, 0, 1, false, 3 * N - 2 } };
    (void)state;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const AmphiStage stage = { .name         = "run",
                                   .ensemble     = AMPHI_NVT,
                                   .dt_ps        = 0.002,
                                   .remove_drift = cases[k].remove_drift,
                                   .thermostat   = { cases[k].type, 298, 1, 1, cases[k].n_groups,
                                                     groups },
                                   .n_restraints = cases[k].n_restraints,
                                   .restraint    = &along_x };
        AmphiBodies     *b     = opened(false, N, LINEAR, &stage);
        int64_t          freedom[2];

        amphi_bodies_freedom(b, 0, freedom);
        assert_int_equal(freedom[0], cases[k].freedom);
        assert_int_equal(freedom[1], cases[k].n_groups == 2 ? N : 2 * N);
        amphi_bodies_close(b);
    }
}

/* It turns with the body. One descent of a body goes too far at first and comes back. */
static void a_descent_keeps_angular_momenta_in_the_body(void **state)
{
    enum { N = 8, STEPS = 30 };
    static const AmphiStage rest = { .name = "rest", .ensemble = AMPHI_MINIMISE, .n_steps = STEPS };
    (void)state;

    for (int is_fixed = 0; is_fixed < 2; is_fixed++)
        for (int kind = LINEAR; kind < KINDS; kind++) {
            AmphiBodies *b = opened(is_fixed, N, kind, &rest);
            double       before[N][3], axis[N][4];
            int          n_back = 0;

            memcpy(before, b->spin_u_nm2_ps, sizeof before);
            memcpy(axis, b->orientation, sizeof axis);
            b->step_length_nm = 0.3;
            for (int k = 0; k < STEPS; k++) {
                const double last = b->last_potential_kJ_mol;

                pull(b);
                n_back += k > 0 && b->potential_kJ_mol > last;
                amphi_bodies_descend(b);
            }
            if (is_fixed)
                amphi_fixed_show_motion(b);
            assert_true(n_back > 0);
            for (int i = 0; i < N; i++) {
                for (int a = 0; a < 3; a++)
                    assert_true(is_near(b->spin_u_nm2_ps[i][a], before[i][a], 1e-7));
                assert_true(fabs(b->orientation[i][0] - axis[i][0]) > 1e-3 ||
                            fabs(b->orientation[i][1] - axis[i][1]) > 1e-3);
            }
            amphi_bodies_close(b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kick_shows_the_moment_between_its_halves),
        cmocka_unit_test(a_group_of_one_bead_keeps_its_drift),
        cmocka_unit_test(freedom_lacks_the_momentum_that_is_kept),
        cmocka_unit_test(a_descent_keeps_angular_momenta_in_the_body),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
