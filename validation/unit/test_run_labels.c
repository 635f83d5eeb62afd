/* Several profiles and radial distributions in one run: what is in their files, and that each of
 * them goes on as if its run had never stopped.
 */
#include "run_bench.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "hundred_waters.h"
#include "watching.h"

#define LIPIDS                                                                                     \
    "<fill density=\"0.6 g/cm^3\" seed=\"1\"><part type=\"DMPC\" count=\"6\"/>"                    \
    "<part type=\"water\" count=\"60\"/></fill>"
#define GROUPS                                                                                     \
    "</start><group name=\"lipids\" select=\"kind lipid\"/>"                                       \
    "<group name=\"rest\" select=\"kind solvent\"/>"                                               \
    "<group name=\"other\" select=\"bead phos\"/>"
#define PROFILE(more) "<profile every=\"0.05 ps\" of=\"mass number charge\"" more "/>"
#define RDF(more)     "<rdf every=\"0.05 ps\" extent=\"0.7 nm\" " more "/>"
#define WATER         "beads=\"water water\""
#define OF_ALL        PROFILE("") RDF(WATER)
#define OF_GROUPS                                                                                  \
    PROFILE(" group=\"lipids\"")                                                                   \
    PROFILE(" group=\"rest\"") RDF("name=\"head-water\" beads=\"phos water\"")

static void open_with(Bench *b, const char *outputs)
{
    open_changed(b, (const char *const[]){ HUNDRED_WATERS, LIPIDS, "</start>", GROUPS,
                                           "<energies every=\"0.05 ps\"/>", outputs, NULL });
}

static const char *path_in(const char *dir, const char *name)
{
    static char path[3][160];
    static int  which = 0;

    which = (which + 1) % 3;
    snprintf(path[which], sizeof path[which], "%s/%s", dir, name);
    return path[which];
}

/* ---- what is in the files ---- */

static void profiles_of_groups_add_up_to_that_of_all(void **state)
{
    (void)state;
    static const char *const columns[] = { "mass_g_cm3", "number_nm3", "charge_e_nm3" };
    Bench                    b;
    bool                     is_any = false;

    open_with(&b, OF_ALL OF_GROUPS);
    assert_int_equal(run_to(&b, options_of(b.dir[0], "cpu", AMPHI_SINGLE), 90), AMPHI_OK);
    const char *const all = path_in(b.dir[0], "profile.tsv");
    const char *const one = path_in(b.dir[0], "profile-lipids.tsv");
    const char *const two = path_in(b.dir[0], "profile-rest.tsv");
    const int32_t     n   = table_lines(all);

    assert_true(n > 10);
    assert_int_equal(table_lines(one), n);
    assert_int_equal(table_lines(two), n);
    for (int32_t k = 0; k < n; k++)
        for (int c = 0; c < 3; c++) {
            const double a = table_value(one, columns[c], k), w = table_value(two, columns[c], k);

            assert_true(fabs(a + w - table_value(all, columns[c], k)) < 1e-8 * (1 + fabs(a + w)));
            is_any = is_any || (a != 0 && w != 0);
        }
    assert_true(is_any);
    close_bench(&b);
}

static void outputs_without_a_label_are_what_they_are_alone(void **state)
{
    (void)state;
    Bench several, alone;

    open_with(&several, OF_GROUPS OF_ALL);
    open_with(&alone, OF_ALL);
    AmphiRunOptions o = options_of(several.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&several, o, 90), AMPHI_OK);
    o.dir = alone.dir[0];
    assert_int_equal(run_to(&alone, o, 90), AMPHI_OK);
    check_same_file(several.dir[0], alone.dir[0], "profile.tsv");
    check_same_file(several.dir[0], alone.dir[0], "rdf.tsv");
    assert_true(is_there(several.dir[0], "rdf-head-water.tsv"));
    close_bench(&alone);
    close_bench(&several);
}

/* The text that a checkpoint keeps of them: that of an amphi that knew no labels. */
static void what_is_measured_without_a_label_has_the_text_of_old_checkpoints(void **state)
{
    (void)state;
    Bench b;

    open_with(&b, PROFILE(" group=\"rest\"") OF_ALL);
    assert_int_equal(b.job->n_observers, 3);
    assert_string_equal(b.job->observer[0].measures,
                        "axis: z\ncentre: all\ngroup: rest (kind solvent)\nwidth: 0.05 nm\n"
                        "of: mass number charge\n");
    assert_string_equal(b.job->observer[1].measures,
                        "axis: z\ncentre: all\nwidth: 0.05 nm\nof: mass number charge\n");
    assert_string_equal(b.job->observer[2].measures,
                        "beads: water water\nwidth: 0.01 nm\nextent: 0.7 nm\n");
    close_bench(&b);
}

/* ---- going on ---- */

static void each_goes_on_to_the_same_bytes(void **state)
{
    (void)state;
    static const char *const files[] = { "profile.tsv", "profile-lipids.tsv", "profile-rest.tsv",
                                         "rdf.tsv", "rdf-head-water.tsv" };
    Bench                    b;

    open_with(&b, OF_ALL OF_GROUPS);
    const AmphiRunOptions o     = options_of(b.dir[0], "cpu", AMPHI_SINGLE);
    const AmphiRunOptions whole = options_of(b.dir[1], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 45), AMPHI_OK);
    assert_int_equal(run_to(&b, o, 80), AMPHI_OK);
    assert_int_equal(run_once(&b, &o, NULL), AMPHI_OK);
    assert_int_equal(run_once(&b, &whole, NULL), AMPHI_OK);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        check_same_file(b.dir[0], b.dir[1], files[k]);
    close_bench(&b);
}

static void groups_may_join_a_run_and_one_that_selects_others_is_refused(void **state)
{
    (void)state;
    Bench b, more, changed;

    open_with(&b, OF_ALL);
    open_with(&more, OF_ALL OF_GROUPS);
    open_changed(&changed,
                 (const char *const[]){ HUNDRED_WATERS, LIPIDS, "</start>",
                                        "</start><group name=\"lipids\" select=\"bead phos\"/>",
                                        "<energies every=\"0.05 ps\"/>",
                                        PROFILE(" group=\"lipids\""), NULL });
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 45), AMPHI_OK);
    assert_int_equal(run_to(&more, o, 80), AMPHI_OK);
    assert_true(is_there(b.dir[0], "profile-rest.tsv"));
    assert_int_equal(run_to(&changed, o, 90), AMPHI_BAD_INPUT);
    assert_non_null(
        strstr(changed.err.text, "group: lipids (kind lipid) before, lipids (bead phos) now"));
    close_bench(&changed);
    close_bench(&more);
    close_bench(&b);
}

/* ---- beginning again ---- */

static void a_fresh_run_has_no_tables_of_other_groups(void **state)
{
    (void)state;
    Bench b, other;

    open_with(&b, OF_GROUPS);
    open_with(&other, PROFILE(" group=\"other\""));
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 45), AMPHI_OK);
    FILE *const own = fopen(path_in(b.dir[0], "profile-notes.tsv"), "w");
    assert_non_null(own);
    assert_true(fprintf(own, "of my own\n") > 0);
    assert_int_equal(fclose(own), 0);
    o.fresh = true;
    assert_int_equal(run_to(&other, o, 45), AMPHI_OK);
    assert_true(is_there(b.dir[0], "profile-other.tsv"));
    assert_false(is_there(b.dir[0], "profile-rest.tsv"));
    assert_false(is_there(b.dir[0], "rdf-head-water.tsv"));
    assert_true(is_there(b.dir[0], "profile-notes.tsv"));

    /* without a checkpoint nothing is written over */
    o.fresh = false;
    assert_int_equal(unlink(path_in(b.dir[0], "run.chk")), 0);
    unlink(path_in(b.dir[0], "run.chk.prev"));
    unlink(path_in(b.dir[0], "run.chk.new"));
    assert_int_equal(run_to(&other, o, 45), AMPHI_BAD_FILE);
    assert_non_null(strstr(other.err.text, "/profile-other.tsv is there, but no checkpoint"));
    close_bench(&other);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_of_groups_add_up_to_that_of_all),
        cmocka_unit_test(outputs_without_a_label_are_what_they_are_alone),
        cmocka_unit_test(what_is_measured_without_a_label_has_the_text_of_old_checkpoints),
        cmocka_unit_test(each_goes_on_to_the_same_bytes),
        cmocka_unit_test(groups_may_join_a_run_and_one_that_selects_others_is_refused),
        cmocka_unit_test(a_fresh_run_has_no_tables_of_other_groups),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
