/* Passes over pair terms: each potential has a class with each treatment that it takes. */
#define AMPHI_BUILD_DOUBLE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "../../forcefield/classes.h"
#include "../../forcefield/spec.h"

static const char *const treatment_names[AMPHI_TREATMENTS] = { "truncated",       "energy-shift",
                                                               "force-shift",     "quadratic-shift",
                                                               "shifted-factors", "reaction-field",
                                                               "switched" };

static AmphiPairTerm term_of(int32_t kind, int32_t treatment)
{
    const AmphiPairTerm term = { .kind      = kind,
                                 .treatment = { treatment, 1.2, 0.9, 80, 1 },
                                 .field     = { 1, 1, 1, 1, 1, 1, 1, 1 } };

    return term;
}

static bool has_class(int32_t kind, int32_t treatment)
{
    const AmphiPairTerm rule = term_of(kind, treatment);
    const PairTerm      term = pair_prepare(&rule);

    return find_class(&term, NULL) != CLASS_NONE;
}

static void every_potential_has_a_class_with_each_treatment_that_it_takes(void **state)
{
    const AmphiPotential *p;
    int                   n = 0, n_switched = 0;

    (void)state;
    for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++)
        for (int32_t t = 0; t < AMPHI_TREATMENTS; t++) {
            if (p->treatments[0] == '\0' || strstr(p->treatments, treatment_names[t]) == NULL)
                continue;
            if (!has_class(p->kind, t))
                fail_msg("%s %s has no class", p->name, treatment_names[t]);
            n++;
            n_switched += t == AMPHI_SWITCHED;
        }
    assert_in_range(n, 20, 64);
    assert_in_range(n_switched, 5, 16);
}

static void a_treatment_that_a_potential_does_not_take_has_no_class(void **state)
{
    (void)state;
    assert_true(has_class(PAIR_gay_berne_shifted, AMPHI_ENERGY_SHIFT));
    assert_false(has_class(PAIR_gay_berne_shifted, AMPHI_SWITCHED));
    assert_false(has_class(PAIR_sticky, AMPHI_TRUNCATED));
}

static void terms_are_divided_into_passes_each_once(void **state)
{
    bool          done[AMPHI_MAX_PAIR_TERMS] = { false };
    AmphiPairRule rule                       = { .n_terms = 3 };

    rule.term[0] = term_of(PAIR_sticky, AMPHI_TRUNCATED);
    rule.term[1] = term_of(PAIR_lj, AMPHI_TRUNCATED);
    rule.term[2] = term_of(PAIR_dipole_dipole, AMPHI_SWITCHED);

    (void)state;
    assert_int_equal(take_visit(&rule, 0, done).is, CLASS_NONE);
    assert_true(done[0] && !done[1] && !done[2]);
    const PairVisit both = take_visit(&rule, 1, done);
    assert_int_equal(both.is, CLASS_lj_dipole_dipole_switched);
    assert_int_equal(both.n_terms, 2);
    assert_true(done[1] && done[2]);

    /* not with another cut-off */
    done[1] = done[2]                = false;
    rule.term[2].treatment.cutoff_nm = 1.1;
    assert_int_equal(take_visit(&rule, 1, done).is, CLASS_lj);
    assert_int_equal(take_visit(&rule, 2, done).is, CLASS_dipole_dipole_switched);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_potential_has_a_class_with_each_treatment_that_it_takes),
        cmocka_unit_test(a_treatment_that_a_potential_does_not_take_has_no_class),
        cmocka_unit_test(terms_are_divided_into_passes_each_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
