/* Factors of thermostats where there is nothing to scale: a group without motion, or none of a kind
 * of it, must not become infinite. Their distributions are in property/test_ensembles.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/thermostat.h"

static const double kT = 2.5;

static void what_does_not_move_is_not_scaled(void **state)
{
    (void)state;
    const RescaleDraw draw    = { .keep = 0.9, .normal = 0.3, .squares = 5 };
    const Heat        still[] = {
               { .kinetic = 0, .kT = kT, .freedom = 6, .share = 0.1 },
               { .kinetic = 4, .kT = kT, .freedom = 0, .share = 0.1 },
               { .kinetic = 4, .kT = kT, .freedom = -3, .share = 0.1 }, /* less than its drift */
               { .kinetic = 0, .kT = kT, .freedom = 0, .share = 0.1 },
    };
    const Heat moving = { .kinetic = 4, .kT = kT, .freedom = 6, .share = 0.1 };

    for (size_t k = 0; k < sizeof still / sizeof *still; k++) {
        assert_true(velocity_rescale(&still[k], &draw) == 1);
        assert_true(berendsen_rescale(&still[k]) == 1);
    }
    assert_true(velocity_rescale(&moving, &draw) != 1);
    assert_true(berendsen_rescale(&moving) > 1);
}

/* Berendsen's factor is one for each kind of motion, the other one that of both. */
static void each_kind_of_motion_has_the_factor_that_is_its(void **state)
{
    (void)state;
    const RescaleDraw  draw       = { .keep = 0.9, .normal = 0.3, .squares = 5 };
    const AmphiKinetic kinetic[2] = { { 3.8, 3.9, 4 }, { 1.9, 1.95, 2 } };
    const AmphiKinetic points[2]  = { { 3.8, 3.9, 4 }, { 0, 0, 0 } };
    const int64_t      freedom[2] = { 6, 4 }, of_points[2] = { 6, 0 };
    const Heat         bath = { .kT = kT, .share = 0.1 };
    double             factor[2], heat;

    rescale_group(AMPHI_BERENDSEN_T, bath, kinetic, freedom, &draw, factor);
    for (int k = 0; k < 2; k++) {
        const double goal = 0.5 * (double)freedom[k] * kT, plus = k == 0 ? 4 : 2;

        assert_true(fabs(factor[k] * factor[k] - (1 + 0.1 * (goal / plus - 1))) < 1e-14);
    }
    heat = rescale_group(AMPHI_BERENDSEN_T, bath, points, of_points, &draw, factor);
    assert_true(factor[1] == 1);
    assert_true(heat == heat_of_rescale(factor[0], &points[0]));
    rescale_group(AMPHI_VELOCITY_RESCALE, bath, kinetic, freedom, &draw, factor);

    const Heat both = { .kinetic = 6, .kT = kT, .freedom = 10, .share = 0.1 };
    assert_true(factor[0] == factor[1] && factor[0] == velocity_rescale(&both, &draw));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_move_is_not_scaled),
        cmocka_unit_test(each_kind_of_motion_has_the_factor_that_is_its),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
