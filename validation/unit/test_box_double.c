/* Nearest images and wrapping, in the double build. */
#define AMPHI_BUILD_DOUBLE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/typed/box.h"
#include "../../forcefield/bonds.h"
#include "../../forcefield/spec.h"
#include "../property/draw.h"

static const double edge[3] = { 3, 5, 7 };

static void nearest_images_lie_within_half_an_edge(void **state)
{
    const Box box  = box_prepare(edge);
    uint64_t  seed = 1;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        const real3 d    = { draw(&seed, -30, 30), draw(&seed, -30, 30), draw(&seed, -30, 30) };
        const real3 near = nearest_image(&box, d);

        assert_true(is_near(near.x, remainder(d.x, 3), 1e-14));
        assert_true(is_near(near.y, remainder(d.y, 5), 1e-14));
        assert_true(is_near(near.z, remainder(d.z, 7), 1e-14));
    }
}

static void wrapped_positions_lie_in_the_box(void **state)
{
    static const double edges[] = { 0, -0.0, -1e-300, -1e-17, 3, -3, 1.5, -1.5, 4.5, 2.9999999999 };
    const Box           box     = box_prepare(edge);
    uint64_t            seed    = 2;

    (void)state;
    for (size_t i = 0; i < 10000; i++) {
        const double x  = i < sizeof edges / sizeof edges[0] ? edges[i] : draw(&seed, -30, 30);
        const real3  at = { x, x, x }, in = wrap(&box, at);

        assert_true(in.x >= 0 && in.x < 3 && in.y >= 0 && in.y < 5 && in.z >= 0 && in.z < 7);
        assert_true(fabs(remainder(in.x - x, 3)) < 1e-14 && fabs(remainder(in.y - x, 5)) < 1e-14);
        if (x >= 0 && x < 3)
            assert_true(is_near(in.x, x, 1e-15));
    }
}

/* Of their third beads the images are those nearest to the second (nearer_image). */
static void angles_are_the_terms_of_their_element(void **state)
{
    const AmphiPotential *p;

    (void)state;
    for (int32_t kind = 0; (p = amphi_potential_of_kind(kind, true)) != NULL; kind++)
        if (bond_is_angle(kind) != (strcmp(p->element, "angle") == 0))
            fail_msg("%s %s: is it an angle? bond_is_angle in bonds.h", p->element, p->name);
    assert_true(bond_is_angle(BOND_angle_harmonic));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_images_lie_within_half_an_edge),
        cmocka_unit_test(wrapped_positions_lie_in_the_box),
        cmocka_unit_test(angles_are_the_terms_of_their_element),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
