/* Rotation of vectors by quaternions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

#include "../../engine/turn.h"
#include "../property/draw.h"

/* Some dozen roundings, 2e-16 each for numbers up to 2. */
static const double bound = 4e-15;

static void check_near(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        assert_true(fabs(a[k] - b[k]) <= bound);
}

static void a_quarter_about_z_takes_x_to_y(void **state)
{
    (void)state;
    const double q[4] = { sqrt(0.5), 0, 0, sqrt(0.5) };
    const double x[3] = { 1, 0, 0 }, y[3] = { 0, 1, 0 }, z[3] = { 0, 0, 1 };
    double       out[3];

    amphi_turn(q, x, out);
    check_near(out, y);
    amphi_turn(q, z, out);
    check_near(out, z);
    amphi_turn_back(q, y, out);
    check_near(out, x);
}

static void the_axis_is_z_turned_and_back_undoes_it(void **state)
{
    (void)state;
    const double z[3] = { 0, 0, 1 };
    uint64_t     seed = 3;

    for (int n = 0; n < 100; n++) {
        const double v[3] = { draw(&seed, -1, 1), draw(&seed, -1, 1), draw(&seed, -1, 1) };
        double       q[4], axis[3], out[3], back[3];

        draw_orientation(&seed, q);
        amphi_turn(q, z, out);
        amphi_axis_of(q, axis);
        check_near(out, axis);
        amphi_turn(q, v, out);
        amphi_turn_back(q, out, back);
        check_near(back, v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quarter_about_z_takes_x_to_y),
        cmocka_unit_test(the_axis_is_z_turned_and_back_undoes_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
