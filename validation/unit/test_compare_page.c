/* compare.html: every mode and number of the table, escaped, with figures where gnuplot is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/compare_report.h"
#include "job_folder.h"

static CompareReport *report_of(double drift, double error)
{
    CompareReport *const r                    = compare_report_new();
    double               value[COMPARE_MODES] = { drift, (double)NAN };
    CompareCurve        *c;

    assert_non_null(r);
    r->system = r->title = "<script>water";
    r->start = r->input = "its own";
    r->judge = r->base = "cpu double";
    r->n_modes         = 2;
    r->mode[0] = r->about[0] = "cpu single";
    r->mode[1] = r->about[1] = "cpu double";
    compare_add_part(r, "nve", "Energy & drift", "");
    compare_add_row(r, "drift of the conserved energy", "kT/ns/dof", COMPARE_SIGNED, 2, value);
    value[0] = error;
    compare_add_row(r, "drift, standard error", "kT/ns/dof", COMPARE_POWER, 1, value);
    value[0] = -2.5;
    value[1] = 0;
    compare_add_row(r, "total", "kJ/mol", COMPARE_POINT, 3, value);
    value[0] = 1.25;
    value[1] = (double)NAN;
    compare_add_row(r, "speed over the base", "", COMPARE_POINT, 2, value);
    value[0] = 44;
    compare_add_row(r, "a step, largest less smallest", "%", COMPARE_POINT, 0, value);
    compare_add_remark(r, "cpu fixed was lost: saturated");
    c = compare_add_curve(r, "nve-total", "its caption", "time_ps", "total", "kJ/mol", 3);
    assert_non_null(c);
    for (int i = 0; i < 3; i++) {
        c->x[i]    = i;
        c->y[0][i] = i;
    }
    c = compare_add_curve(r, "nve-lone", "a point alone", "time_ps", "total", "kJ/mol", 2);
    assert_non_null(c);
    c->y[0][0] = 1;
    return r;
}

/* The page; the caller frees it. */
static char *page_of(const CompareReport *r, const char *folder)
{
    AmphiError err = { .status = AMPHI_OK };
    int64_t    n;

    assert_int_equal(compare_write(r, folder, &err), AMPHI_OK);
    assert_int_equal(compare_write_page(r, folder, "amphi compare x.xml", &err), AMPHI_OK);
    return file_bytes(folder_path(folder, "compare.html"), &n);
}

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

static void a_page_has_the_modes_and_their_numbers(void **state)
{
    CompareReport *const r      = report_of(-1.5e-6, 2.5e-7);
    char *const          folder = folder_make();
    char *const          page   = page_of(r, folder);
    (void)state;

    assert_true(has(page, "&lt;script&gt;water") && !has(page, "<script"));
    assert_true(has(page, "Energy &amp; drift"));
    assert_true(has(page, "<th class=\"r\">cpu double</th>"));
    assert_true(has(page, "\xE2\x88\x92"
                          "1.50\xC2\xA0\xC2\xB1\xC2\xA0"
                          "0.25)\xC2\xB7"
                          "10"));
    assert_false(has(page, "<td>drift, standard error"));
    assert_true(has(page, "\xE2\x88\x92"
                          "2.500</td>"));
    assert_true(has(page, "alarm bad\">cpu fixed was lost: saturated"));
    assert_true(has(page, "amphi compare x.xml"));
    if (system("command -v gnuplot >/dev/null 2>&1") == 0)
        assert_true(has(page, "<svg") && has(page, "its caption"));
    assert_false(has(page, "a point alone"));
    assert_true(has(page, "1.25 \xC3\x97 the speed") &&
                has(page, "of cpu double, uncertain: its rounds"));
    assert_true(has(page, "uncertain: its rounds differ by 44 %"));
    assert_true(has(page, "speed not measured"));
    free(page);
    folder_remove(folder);
    compare_report_free(r);
}

static void a_run_too_short_to_drift_says_so(void **state)
{
    CompareReport *const r      = report_of((double)NAN, (double)NAN);
    char *const          folder = folder_make();
    char *const          page   = page_of(r, folder);
    (void)state;

    assert_true(has(page, "drift not known: too short a run"));
    assert_false(has(page, "kT/ns/dof</i>"));
    free(page);
    folder_remove(folder);
    compare_report_free(r);
}

static void without_gnuplot_a_line_names_its_package(void **state)
{
    CompareReport *const r      = report_of(1, (double)NAN);
    char *const          folder = folder_make();
    const char *const    given  = getenv("PATH");
    char *const          path   = strdup(given != NULL ? given : "");
    char                *page;
    (void)state;

    assert_non_null(path);
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    page = page_of(r, folder);
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_true(has(page, "gnuplot-nox") && !has(page, "<svg"));
    free(page);
    free(path);
    folder_remove(folder);
    compare_report_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_has_the_modes_and_their_numbers),
        cmocka_unit_test(a_run_too_short_to_drift_says_so),
        cmocka_unit_test(without_gnuplot_a_line_names_its_package),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
