/* Contact distances against the matrix form, an independent expression of the same overlap. */
#include "../../engine/build_contact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/build_space.h"
#include "../../forcefield/spec.h"
#include "build_judge.h"
#include "toy_systems.h"

static AmphiPairRule rule_of(const double shape[4])
{
    AmphiPairRule rule = { .n_terms = 1, .sigma_nm = 0.1 };

    rule.term[0] = (AmphiPairTerm){ .kind  = amphi_spec_find("pair", "gay-berne")->kind,
                                    .field = { 1, 2, 1, 1, 0, shape[0], shape[1], 1, 1, shape[2],
                                               shape[3], 1, 1 } };
    return rule;
}

/* The worst relative difference over random directions; infinite when the bound is broken. */
static double compare(AmphiContact c, const double shape[4])
{
    AmphiDraws draws = { .seed = 1, .stream = AMPHI_STREAM_BUILD };
    double     worst = 0;

    for (int k = 0; k < 1000; k++) {
        double u[3], v[3], n[3], d[3];

        amphi_draw_direction(&draws, u);
        amphi_draw_direction(&draws, v);
        amphi_draw_direction(&draws, n);
        for (int a = 0; a < 3; a++)
            d[a] = 0.7 * n[a];
        const double contact = amphi_contact_nm(&c, u, v, d, 0.7);
        if (contact > c.widest_nm * (1 + 1e-12))
            return HUGE_VAL;
        worst = fmax(worst, fabs(contact / judge_contact(shape, u, v, n) - 1));
    }
    return worst;
}

static void ellipsoids_touch_where_their_matrices_say(void **state)
{
    const double shapes[][4] = { { 1, 3, 1, 3 },
                                 { 0.405, 0.63, 0.405, 0.63 },
                                 { 0.405, 0.63, 0.54, 0.54 },
                                 { 0.3, 0.3, 0.405, 0.63 },
                                 { 1, 0.4, 1, 0.4 },
                                 { 1, 0.4, 0.7, 2 } };

    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const AmphiPairRule rule  = rule_of(shapes[k]);
        const AmphiSystem   types = { .n_types = 1, .pair_rule = &rule };
        AmphiArena         *arena = amphi_arena_new();
        const AmphiContact *c     = amphi_contacts_make(&types, arena);

        assert_true(compare(*c, shapes[k]) < 1e-13);
        amphi_arena_free(arena);
    }
}

static void the_comparison_sees_a_wrong_shape_and_a_broken_bound(void **state)
{
    const double        shape[4] = { 1, 3, 1, 3 }, other[4] = { 1, 3.001, 1, 3 };
    const AmphiPairRule rule  = rule_of(shape);
    const AmphiSystem   types = { .n_types = 1, .pair_rule = &rule };
    AmphiArena         *arena = amphi_arena_new();
    AmphiContact       *c     = amphi_contacts_make(&types, arena);

    (void)state;
    assert_true(compare(*c, other) > 1e-5);
    c->widest_nm *= 0.9;
    assert_true(isinf(compare(*c, shape)));
    amphi_arena_free(arena);
}

static void spheres_touch_at_the_distance_of_their_rule(void **state)
{
    AmphiArena         *arena = amphi_arena_new();
    const AmphiSystem   types = toy_elba(arena);
    const AmphiContact *c     = amphi_contacts_make(&types, arena);
    const double        d[3] = { 0.2, 0, 0 }, z[3] = { 0, 0, 1 };

    (void)state;
    for (int32_t k = 0; k < TOY_TYPES * TOY_TYPES; k++) {
        assert_true(amphi_contact_nm(&c[k], z, z, d, 0.2) == types.pair_rule[k].sigma_nm);
        assert_true(c[k].widest_nm == types.pair_rule[k].sigma_nm);
    }
    amphi_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ellipsoids_touch_where_their_matrices_say),
        cmocka_unit_test(the_comparison_sees_a_wrong_shape_and_a_broken_bound),
        cmocka_unit_test(spheres_touch_at_the_distance_of_their_rule),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
