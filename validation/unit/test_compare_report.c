/* The table of a comparison: text, TSV and JSON are of the same numbers, whatever the numbers
 * are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/compare_report.h"
#include "job_folder.h"
#include "json_lines.h"

static CompareReport *small_report(void)
{
    CompareReport *const r                    = compare_report_new();
    const double         first                = 1.0 / 3;
    double               value[COMPARE_MODES] = { 0 };
    const char          *word[COMPARE_MODES]  = { "DMPC 93 bead C2A", NULL };
    CompareCurve        *curve;

    assert_non_null(r);
    r->system = r->title = "water \"<&\"\n.xml";
    r->start             = "its own";
    r->input             = "1 ps";
    r->judge = r->base = "cpu double";
    r->n_modes         = 2;
    r->mode[0] = r->about[0] = "cpu single";
    r->mode[1] = r->about[1] = "cpu double";
    compare_add_part(r, "nve", "Energy", "in two modes");
    value[0] = -1.5e-5;
    value[1] = first;
    compare_add_row(r, "drift", "kT/ns/dof", COMPARE_SIGNED, 2, value);
    value[0] = (double)NAN;
    compare_add_row(r, "error", "", COMPARE_POWER, 1, value);
    value[1] = 0;
    compare_add_row(r, "nothing", "", COMPARE_POWER, 1, value);
    compare_add_words(r, "worst", word);
    compare_add_remark(r, "%s is left out", "cuda");
    curve = compare_add_curve(r, "parting", "how far", "time_ps", "distance", "nm", 2);
    assert_non_null(curve);
    curve->x[1]    = 0.5;
    curve->y[0][1] = first;
    return r;
}

/* What a printer writes; the caller frees it. */
static char *printed(void (*print)(const CompareReport *, FILE *), const CompareReport *r)
{
    char       *text = NULL;
    size_t      n    = 0;
    FILE *const out  = open_memstream(&text, &n);

    assert_non_null(out);
    print(r, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void check_in(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("not in it: %s\n%s", part, text);
}

static void text_has_a_column_for_each_mode(void **state)
{
    CompareReport *const r    = small_report();
    char *const          text = printed(compare_print, r);
    (void)state;

    check_in(text, "cpu single    cpu double\n");
    check_in(text, "-1.50e-05     +3.33e-01\n");
    check_in(text, "DMPC 93 bead C2A             -\n");
    check_in(text, "cuda is left out");
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "\n.xml")); /* a title in one line */
    free(text);
    compare_report_free(r);
}

static void json_lines_have_the_same_numbers_in_full(void **state)
{
    CompareReport *const r    = small_report();
    char *const          text = printed(compare_print_json, r);
    (void)state;

    assert_true(are_json_lines(text));
    check_in(text, "\"modes\":[\"cpu single\",\"cpu double\"]");
    check_in(text, "{\"kind\":\"row\",\"part\":\"nve\",\"quantity\":\"drift\",\"unit\":"
                   "\"kT/ns/dof\",\"value\":[-1.5");
    check_in(text, ",0.33333333333333331]}\n");
    check_in(text, "\"value\":[null,0]}\n");
    check_in(text, "\"value\":[\"DMPC 93 bead C2A\",null]}\n");
    free(text);
    compare_report_free(r);
}

static void cells_are_written_as_their_row_says(void **state)
{
    CompareRow row = { .style  = COMPARE_POINT,
                       .digits = 3,
                       .value  = { -2.5, (double)INFINITY, 0 } };
    char       text[96];
    (void)state;

    assert_string_equal(compare_cell(&row, 0, text), "-2.500");
    assert_string_equal(compare_cell(&row, 1, text), "-");
    row.value[2] = 408914100406307976963330341171363840.0;
    assert_string_equal(compare_cell(&row, 2, text), "4.089e+35");
    row.value[2] = -9999999999;
    assert_string_equal(compare_cell(&row, 2, text), "-9999999999.000");
    row.value[2] = 0;
    row.style    = COMPARE_SHORT;
    assert_string_equal(compare_cell(&row, 0, text), "-2.5");
    row.style = COMPARE_POWER;
    assert_string_equal(compare_cell(&row, 2, text), "0");
    row.has_text = true;
    assert_string_equal(compare_cell(&row, 0, text), "-");
}

static void files_have_the_table_and_every_curve(void **state)
{
    CompareReport *const r      = small_report();
    char *const          folder = folder_make();
    AmphiError           err    = { .status = AMPHI_OK };
    char                *text;
    int64_t              n;
    (void)state;

    assert_int_equal(compare_write(r, folder, &err), AMPHI_OK);
    text = file_bytes(folder_path(folder, "compare.tsv"), &n);
    check_in(text, "part\tquantity\tunit\tcpu_single\tcpu_double\n");
    check_in(text, "nve\tdrift\tkT/ns/dof\t-1.5");
    check_in(text, "nve\tnothing\t\tnan\t0\n");
    check_in(text, "nve\tworst\t\tDMPC 93 bead C2A\tnan\n");
    free(text);
    text = file_bytes(folder_path(folder, "parting.tsv"), &n);
    check_in(text, "time_ps\tcpu_single\tcpu_double\n0\tnan\tnan\n0.5\t0.33333333333333331\tnan\n");
    free(text);
    text = file_bytes(folder_path(folder, "compare.json"), &n);
    assert_true(n > 4 && text[0] == '[' && strcmp(text + n - 4, "}\n]\n") == 0);
    free(text);
    folder_remove(folder);
    compare_report_free(r);
}

static void a_folder_that_cannot_be_made_is_told(void **state)
{
    CompareReport *const r   = small_report();
    AmphiError           err = { .status = AMPHI_OK };
    (void)state;

    assert_int_equal(compare_write(r, "/nowhere/at/all", &err), AMPHI_BAD_FILE);
    check_in(err.text, "/nowhere/at/all");
    compare_report_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_has_a_column_for_each_mode),
        cmocka_unit_test(json_lines_have_the_same_numbers_in_full),
        cmocka_unit_test(cells_are_written_as_their_row_says),
        cmocka_unit_test(files_have_the_table_and_every_curve),
        cmocka_unit_test(a_folder_that_cannot_be_made_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
