/* Pictures of a run: drawn where gnuplot is, one line that names the package where it is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <sys/stat.h>

#include "../../tools/plots.h"
#include "format_cases.h"
#include "skipping.h"

#define HEADING                                                                                    \
    "# amphi of a test\n# energies kJ/mol\n"                                                       \
    "step\ttime_ps\tstage\tlj\tbond\tpotential\tkinetic_half\ttemperature\t"                       \
    "temperature_translation\ttemperature_rotation\tpressure\tbox_x\theat\twork\tconserved\n"

static const char energies[] =
    HEADING "0\t0\t1\t-100\t10\t-90\t50\t300\t301\t299\t1\t2\t0\t0\t-40\n"
            "10\t0.1\t1\t-101\t11\t-90\t51\t302\t300\t304\t1\t2\t0\t0\t-39.9\n"
            "20\t0.2\t2\t-102\t12\t-90\t52\t303\t302\tnan\t1\t2\t0\t0\t-39\n"
            "30\t0.3\t2\t-103\t13\t-90\t50\t301\t301\t301\t1\t2\t0\t0\t-39.1\n";

static const char one_in_each_stage[] =
    HEADING "0\t0\t1\t-100\t10\t-90\t50\t300\t301\t299\t1\t2\t0\t0\t-40\n"
            "20\t0.2\t2\t-102\t12\t-90\t52\t303\t302\t304\t1\t2\t0\t0\t-39\n";

static const char profile[] = "# amphi of a test\n"
                              "z_nm\tmass_g_cm3\tmass_error\tcharge_e_nm3\tcharge_error\n"
                              "-0.5\t1\t0.1\t0\t0.01\n0.5\t1.1\t0.1\t0.2\tnan\n";

static void write_text(const char *name, const char *text)
{
    write_file(path_of(name), text, (int64_t)strlen(text));
}

static bool is_there(const char *name, const char *start)
{
    int64_t n = 0;

    if (access(path_of(name), F_OK) != 0)
        return false;
    char *const bytes = bytes_of_file(path_of(name), &n);
    const bool  is    = n > (int64_t)strlen(start) && memcmp(bytes, start, strlen(start)) == 0;
    free(bytes);
    return is;
}

static bool script_has(const char *name, const char *text)
{
    int64_t     n     = 0;
    char *const bytes = bytes_of_file(path_of(name), &n);
    const bool  has   = strstr(bytes, text) != NULL;

    free(bytes);
    return has;
}

static void remove_pictures(void)
{
    static const char *const names[] = { "energies.png", "energies.svg", "energies.gp",
                                         "profile.png",  "profile.svg",  "profile.gp",
                                         "energy.tsv",   "profile.tsv" };

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        unlink(path_of(names[k]));
}

static void want_gnuplot(void)
{
    if (system("gnuplot --version >/dev/null 2>&1") == 0)
        return;
    SKIP("no gnuplot (Debian: gnuplot-nox)");
}

static void every_table_gets_its_picture(void **state)
{
    (void)state;
    AmphiError err = { 0 };

    want_gnuplot();
    remove_pictures();
    write_text("energy.tsv", energies);
    write_text("profile.tsv", profile);
    assert_int_equal(tool_plot_run(folder(), &err), AMPHI_OK);
    assert_true(is_there("energies.png", "\x89PNG"));
    assert_true(is_there("profile.png", "\x89PNG"));
    assert_true(is_there("energies.svg", "<?xml"));
    assert_true(is_there("profile.svg", "<?xml"));
    assert_false(is_there("profile.svg", "\x89PNG"));
}

/* As a run has them that was stopped soon. */
static void a_value_in_each_stage_is_enough_for_a_picture(void **state)
{
    (void)state;
    AmphiError err = { 0 };

    want_gnuplot();
    remove_pictures();
    write_text("energy.tsv", one_in_each_stage);
    assert_int_equal(tool_plot_run(folder(), &err), AMPHI_OK);
    assert_true(is_there("energies.png", "\x89PNG"));
}

static void terms_are_curves_and_what_is_no_term_is_not(void **state)
{
    (void)state;
    AmphiError err = { 0 };

    remove_pictures();
    write_text("energy.tsv", energies);
    write_text("profile.tsv", profile);
    tool_plot_run(folder(), &err);
    assert_true(script_has("energies.gp", "column('lj')"));
    assert_true(script_has("energies.gp", "column('temperature_rotation')"));
    assert_true(script_has("energies.gp", "time (ps)"));
    assert_false(script_has("energies.gp", "column('box_x')"));
    assert_false(script_has("energies.gp", "time (ns)"));
}

static void tables_that_are_missing_or_short_are_left_out(void **state)
{
    (void)state;
    AmphiError err = { 0 };

    remove_pictures();
    assert_int_equal(tool_plot_run(folder(), &err), AMPHI_OK);
    write_text("energy.tsv", "# nothing yet\nstep\ttime_ps\tstage\n0\t0\t1\n");
    assert_int_equal(tool_plot_run(folder(), &err), AMPHI_OK);
    assert_int_equal(access(path_of("energies.gp"), F_OK), -1);
}

static void without_gnuplot_one_line_names_the_package(void **state)
{
    (void)state;
    char       path[4096];
    AmphiError err = { 0 };

    remove_pictures();
    write_text("energy.tsv", energies);
    snprintf(path, sizeof path, "%s", getenv("PATH") != NULL ? getenv("PATH") : "");
    setenv("PATH", folder(), 1);
    const AmphiStatus status = tool_plot_run(folder(), &err);
    setenv("PATH", path, 1);
    assert_int_equal(status, AMPHI_BAD_COMMAND);
    assert_string_equal(err.text, "no picture: the program gnuplot is missing; install the Debian "
                                  "package gnuplot-nox");
}

/* A program of that name that does this. */
static void check_fault(const char *script, const char *text)
{
    char       path[4096];
    AmphiError err = { 0 };

    remove_pictures();
    write_text("energy.tsv", energies);
    write_text("gnuplot", script);
    assert_int_equal(chmod(path_of("gnuplot"), 0755), 0);
    snprintf(path, sizeof path, "%s", getenv("PATH") != NULL ? getenv("PATH") : "");
    setenv("PATH", folder(), 1);
    const AmphiStatus status = tool_plot_run(folder(), &err);
    setenv("PATH", path, 1);
    assert_int_equal(status, AMPHI_BAD_FILE);
    assert_non_null(strstr(err.text, text));
    unlink(path_of("gnuplot"));
}

static void a_picture_that_could_not_be_drawn_is_said(void **state)
{
    (void)state;
    check_fault("#!/bin/sh\nexit 3\n", "energies.gp: gnuplot failed to draw it");
}

static void a_picture_without_its_end_is_removed_and_said(void **state)
{
    (void)state;
    check_fault("#!/bin/sh\nprintf '\\211PNG and so on' >energies.png\n",
                "energies.png: not all of it was written: is the disk full?");
    assert_false(is_there("energies.png", ""));
    check_fault("#!/bin/sh\nprintf '<svg></sv' >energies.svg\n",
                "energies.svg: not all of it was written: is the disk full?");
}

/* To gnuplot a name of a file that begins with | is a program. */
static void gnuplot_is_told_names_without_their_folder(void **state)
{
    (void)state;
    char       path[4096];
    AmphiError err = { 0 };

    remove_pictures();
    assert_int_equal(mkdir(path_of("| two words"), 0777), 0);
    write_text("| two words/energy.tsv", energies);
    write_text("gnuplot", "#!/bin/sh\ncase $2 in */*) exit 3 ;; esac\ntest -f $2\n");
    assert_int_equal(chmod(path_of("gnuplot"), 0755), 0);
    snprintf(path, sizeof path, "%s", getenv("PATH") != NULL ? getenv("PATH") : "");
    setenv("PATH", folder(), 1);
    const AmphiStatus status = tool_plot_run(path_of("| two words"), &err);
    setenv("PATH", path, 1);
    assert_int_equal(status, AMPHI_OK);
    unlink(path_of("gnuplot"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_gets_its_picture),
        cmocka_unit_test(a_value_in_each_stage_is_enough_for_a_picture),
        cmocka_unit_test(terms_are_curves_and_what_is_no_term_is_not),
        cmocka_unit_test(tables_that_are_missing_or_short_are_left_out),
        cmocka_unit_test(without_gnuplot_one_line_names_the_package),
        cmocka_unit_test(a_picture_that_could_not_be_drawn_is_said),
        cmocka_unit_test(a_picture_without_its_end_is_removed_and_said),
        cmocka_unit_test(gnuplot_is_told_names_without_their_folder),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
