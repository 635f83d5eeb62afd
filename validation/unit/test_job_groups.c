/* Which beads a group selects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "job_folder.h"

#define GROUP "<group name=\"ions\" select=\"bead ion cl\"/>\n"

static bool group_is(const JobReading *r, int32_t k, const char *name, int32_t n,
                     const int32_t *bead)
{
    const AmphiGroup *const g = &r->job->system.group[k];

    return strcmp(g->name, name) == 0 && g->n_beads == n &&
           memcmp(g->bead, bead, (size_t)n * sizeof *bead) == 0;
}

static void groups_are_selected_by_bead_molecule_and_kind(void **state)
{
    (void)state;
    JobReading r =
        read_changed(GROUP, GROUP "<group name=\"w\" select=\"molecule water\"/>\n"
                                  "<group name=\"s\" select=\"kind solvent molecule\"/>\n"
                                  "<group name=\"x\" select=\"bead dip ion dip\"/>\n");
    const int32_t all[] = { 0, 1, 2, 3 }, x[] = { 0, 2, 3 };

    assert_int_equal(r.job->system.n_groups, 5);
    assert_true(group_is(&r, 0, "all", 4, all));
    assert_true(group_is(&r, 1, "ions", 2, all));
    assert_true(group_is(&r, 2, "w", 2, all + 2));
    assert_true(group_is(&r, 3, "s", 4, all));
    assert_true(group_is(&r, 4, "x", 3, x));
    assert_false(group_is(&r, 4, "x", 3, all));
    reading_free(&r);
}

/* What the parts have in common. */
static void a_group_is_what_all_parts_of_its_selection_name(void **state)
{
    (void)state;
    static const char more[] =
        GROUP "<group name=\"c\" select=\"molecule salt and bead dip cl\"/>\n"
              "<group name=\"d\" select=\"kind solvent and bead dip\"/>\n"
              "<group name=\"i\" select=\"bead dip ion and molecule salt water and "
              "kind molecule and bead ion cl\"/>\n";
    static const int32_t all[] = { 0, 1, 2, 3 };
    JobReading           r     = read_changed(GROUP, more);

    assert_true(group_is(&r, 2, "c", 1, all + 1));
    assert_true(group_is(&r, 3, "d", 2, all + 2));
    assert_true(group_is(&r, 4, "i", 1, all));
    reading_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_selected_by_bead_molecule_and_kind),
        cmocka_unit_test(a_group_is_what_all_parts_of_its_selection_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
