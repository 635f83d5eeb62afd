/* Drifts whose error is not known, and precisions as backends name them. On which side of its
 * bounds a drift is, is in test_report_verdict.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../../tools/drift.h"

/* Neither is good or bad, however large it is. */
static void what_has_no_error_is_not_judged(void **state)
{
    (void)state;
    static const double none[]    = { (double)NAN, (double)INFINITY };
    static const double samples[] = { 10, 1000 };

    for (int k = 0; k < 2; k++)
        for (int few = 0; few < 2; few++) {
            const ToolDrift d[] = { tool_drift(1, none[k], samples[few], 1e-3, "cpu double v4"),
                                    tool_drift(none[k], 1e-6, samples[few], 1e-3, "cpu double") };

            for (int which = 0; which < 2; which++) {
                assert_int_equal(tool_drift_verdict(&d[which]), TOOL_PLAIN);
                assert_string_equal(tool_drift_words(&d[which]), "too short to tell");
                assert_false(tool_drift_means(&d[which]));
            }
        }
}

static void a_drift_means_something_from_enough_samples_or_far_beyond_its_error(void **state)
{
    (void)state;
    static const struct {
        double drift, error, n;
        bool   means;
    } cases[] = {
        { 1e-4, 2e-4, 1000, true }, { 1e-4, 2e-4, 10, false }, { 7e-4, 2e-4, 10, true },
        { -7e-4, 2e-4, 10, true },  { 5e-4, 2e-4, 10, false }, { 0, 0.9e-4, 10, true },
        { 0, 1.1e-4, 10, false },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const ToolDrift d = tool_drift(cases[k].drift, cases[k].error, cases[k].n, 1e-3, "cpu");

        assert_int_equal(tool_drift_means(&d), cases[k].means);
    }
}

static void the_precision_is_the_whole_second_word(void **state)
{
    (void)state;
    static const struct {
        const char *about, *precision;
    } cases[] = { { "cpu single v4, 16 lanes", "single" },
                  { "reference double: every pair", "double" },
                  { "cuda fixed, NVIDIA", "fixed" },
                  { "cpu double", "double" },
                  { "cpu doubled v4", "" },
                  { "double", "" },
                  { "", "" } };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const ToolDrift d = tool_drift(0, 1, 1000, 1e-3, cases[k].about);

        assert_string_equal(d.precision, cases[k].precision);
        assert_int_equal(isnan(d.good), cases[k].precision[0] == '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_error_is_not_judged),
        cmocka_unit_test(a_drift_means_something_from_enough_samples_or_far_beyond_its_error),
        cmocka_unit_test(the_precision_is_the_whole_second_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
