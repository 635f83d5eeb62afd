/* Groups whose drift is removed in every step: whatever pushes them, they stay where they are, and
 * the books are right to what they are without thermostat and removal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fixed_cases.h"

enum { N = 60, STEPS = 20000 };

static const double kT = 300 * AMPHI_BOLTZMANN;
static const double dt = 0.01, w = 30;

static Case the_case;

/* Two groups, each bead of one tied to a bead of the other by a spring with w dt = 0.3. */
static void springs(AmphiBodies *b)
{
    const double k = 0.5 * w * w * body_type[SPHERE].mass_u;

    clear_forces(b);
    for (int32_t i = 0; i < b->n; i += 2)
        for (int a = 0; a < 3; a++) {
            const double apart = b->position_nm[i][a] - b->position_nm[i + 1][a] +
                                 (b->image[i][a] - b->image[i + 1][a]) * b->box_nm[a];
            const double x =
                apart - b->system->position_nm[i][a] + b->system->position_nm[i + 1][a];

            b->potential_kJ_mol += 0.5 * k * x * x;
            b->force_kJ_mol_nm[i][a] -= k * x;
            b->force_kJ_mol_nm[i + 1][a] += k * x;
        }
    if (b->fixed != NULL)
        round_forces(b);
}

static AmphiBodies *begin(bool is_fixed, const AmphiStage *stage)
{
    AmphiBodies *b = NULL;

    make_case(&the_case, N, SPHERE, 3, 300);
    assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
    if (is_fixed) {
        assert_int_equal(amphi_fixed_open(b, NULL), AMPHI_OK);
        amphi_fixed_expect(b, stage);
    }
    springs(b);
    assert_int_equal(amphi_bodies_begin_stage(b, stage, NULL), AMPHI_OK);
    return b;
}

/* How far the centre of mass of even or odd beads came from where it began, nm; all beads are
 * equal. */
static double wandered(const AmphiBodies *b, int group)
{
    double far = 0;

    for (int a = 0; a < 3; a++) {
        double sum = 0;

        for (int32_t i = group; i < b->n; i += 2)
            sum +=
                b->position_nm[i][a] + b->image[i][a] * b->box_nm[a] - b->system->position_nm[i][a];
        far = worse(far, fabs(sum) / (0.5 * b->n));
    }
    return far;
}

/* Over the run: the largest change of the conserved quantity and what was heat, in kT; how far
 * groups came; the mean kinetic energy for each degree of freedom, in kT/2. */
typedef struct {
    double spread, heat, wandered, temperature;
} Still;

static Still run_of(AmphiThermostatType type, bool is_fixed)
{
    static const int32_t groups[] = { 0, 1 };
    const AmphiStage     stage    = { .name         = "still",
                                      .ensemble     = AMPHI_NVT,
                                      .dt_ps        = dt,
                                      .seed         = 12,
                                      .remove_drift = true,
                                      .thermostat   = { type, 300, 5 * dt, 1, 2, groups } };
    AmphiBodies         *b        = begin(is_fixed, &stage);
    Still                s        = { 0, 0, 0, 0 };
    double               first    = 0;
    int64_t              f[2][2];

    for (int g = 0; g < 2; g++)
        amphi_bodies_freedom(b, g, f[g]);
    assert_int_equal(f[0][0] + f[1][0], 3 * N - 6);
    for (int k = -200; k < STEPS; k++) {
        step(b, springs);
        if (k < 0)
            continue;
        first    = k == 0 ? b->conserved_kJ_mol : first;
        s.spread = worse(s.spread, fabs(b->conserved_kJ_mol - first) / kT);
        s.heat   = worse(s.heat, fabs(b->heat_kJ_mol) / kT);
        s.temperature += 2 * b->translation.half / ((3 * N - 6) * kT * STEPS);
    }
    s.wandered = worse(wandered(b, 0), wandered(b, 1));
    amphi_bodies_close(b);
    return s;
}

/* Noise is strong, dt/tau = 0.2. If what it gives a group stayed until the next kick, 200 kT would
 * be lost, groups would be 0.02 nm away, and the temperature 5 % high; removed in the middle of the
 * drift, just before the noise, it would leave groups as far away, and the temperature 1 % high. */
static void no_group_gets_anywhere_and_no_heat_is_lost(void **state)
{
    (void)state;
    static const AmphiThermostatType type[] = { AMPHI_NO_THERMOSTAT, AMPHI_VELOCITY_RESCALE,
                                                AMPHI_LANGEVIN };

    for (int k = 0; k < 3; k++)
        for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
            const Still s = run_of(type[k], is_fixed != 0);

            assert_true(s.spread < 2);
            assert_true(s.wandered < 1e-9);
            if (type[k] == AMPHI_NO_THERMOSTAT) /* what holds groups takes no heat */
                assert_true(s.heat < 1e-9);
            else
                assert_true(s.heat > 20);
            if (type[k] == AMPHI_LANGEVIN)
                assert_true(is_near(s.temperature, 1, 0.006));
        }
}

/* It has all of its degrees of freedom. */
static void a_group_of_one_body_keeps_its_momentum(void **state)
{
    (void)state;
    static const int32_t groups[] = { 0, 1 };
    const AmphiStage     stage    = { .name         = "two",
                                      .ensemble     = AMPHI_NVT,
                                      .dt_ps        = dt,
                                      .remove_drift = true,
                                      .thermostat   = { AMPHI_NO_THERMOSTAT, 0, 0, 1, 2, groups } };

    for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
        AmphiBodies *b = NULL;
        double       v[3];

        make_case(&the_case, 2, SPHERE, 3, 300);
        assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
        memcpy(v, b->velocity_nm_ps[1], sizeof v);
        if (is_fixed) {
            assert_int_equal(amphi_fixed_open(b, NULL), AMPHI_OK);
            fixed_nothing(b);
        }
        assert_int_equal(amphi_bodies_begin_stage(b, &stage, NULL), AMPHI_OK);
        for (int k = 0; k < 5; k++)
            step(b, is_fixed ? fixed_nothing : no_forces);
        if (is_fixed)
            amphi_fixed_show_motion(b);
        for (int a = 0; a < 3; a++)
            assert_true(is_near(b->velocity_nm_ps[1][a], v[a], 1e-9));
        assert_true(b->heat_kJ_mol == 0);
        amphi_bodies_close(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_group_gets_anywhere_and_no_heat_is_lost),
        cmocka_unit_test(a_group_of_one_body_keeps_its_momentum),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
