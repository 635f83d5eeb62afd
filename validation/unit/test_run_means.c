/* What a run found, read back from its tables: means, errors, and published values beside them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/run_means.h"
#include "../../tools/run_show.h"
#include "job_folder.h"

#define NEAR(value, wanted)                                                                        \
    (fabs((value) - (wanted)) <= 1e-12 * fabs((double)(wanted))) /* text and back */

#define ENERGY_HEAD                                                                                \
    "# amphi of a test\nstep\ttime_ps\tstage\ttemperature\ttemperature_translation\t"              \
    "temperature_rotation\tbox_x\tbox_y\tbox_z\n"
#define AREA                                                                                       \
    "# amphi of a test\n# rough errors: box_area_nm2 area_per_lipid_nm2: too few frames\n"         \
    "quantity\tmean\terror\tindependent\n"                                                         \
    "area_per_lipid_nm2\t0.65\t0.002\t9\nbox_area_nm2\t41.6\t0.1\t9\n"                             \
    "volume_per_lipid_nm3\t1.2\tnan\t9\n"

/* 190 u in a nm^3, and in 2 nm^3: four ions and the two dipoles of job_base. */
static const double u_nm3_in_g_cm3 = 602.214076;

#define ALL_OUTPUTS "<energies/><area/><thickness/>"

/* The base with lipids of both leaflets: one salt looks down, another one up. */
static char *membrane(void)
{
    char *const salt =
        replaced(job_base, "\"salt\">", "\"salt\" kind=\"lipid\"><head bead=\"1\"/>");
    char *const down = replaced(salt,
                                "cl  1  1.4 1 1  1 0 0 0\n"
                                "dip 2  2.0 2 1  1 0 0 0\ndip 3 ",
                                "cl  1  1.4 1 1.1  1 0 0 0\n"
                                "ion 2  1.0 2 2  1 0 0 0\ncl  2  1.4 2 1.9  1 0 0 0\n"
                                "dip 3  2.0 2 1  1 0 0 0\ndip 4 ");
    char *const two  = replaced(down, "\"salt\" count=\"1\"", "\"salt\" count=\"2\"");
    char *const both = replaced(two, "kind=\"solvent\">", "kind=\"lipid\"><head bead=\"1\"/>");

    free(salt);
    free(down);
    free(two);
    return both;
}

/* The means of a job with these outputs, read as of its run; the stage is a name of that job. */
static ToolMeans read_for(const char *outputs, const char *folder, char stage[32])
{
    char line[512];

    snprintf(line, sizeof line,
             "<plan timestep=\"1 fs\"><run name=\"warm\" ensemble=\"nve\" length=\"1 ps\"/>"
             "<run name=\"long\" ensemble=\"nve\" length=\"1 ps\"/></plan>\n"
             "<output>%s</output>\n</amphi>\n",
             outputs);
    char *const base = membrane();
    char *const text = replaced(base, "</amphi>\n", line);
    JobReading  r    = read_job_text(text);
    ToolMeans   m;

    assert_non_null(r.job);
    tool_means_read(folder, r.job, &m);
    snprintf(stage, 32, "%s", m.stage != NULL ? m.stage : "");
    m.stage = stage;
    reading_free(&r);
    free(base);
    free(text);
    return m;
}

static ToolMeans read_from(const char *folder)
{
    static char stage[32];

    return read_for(ALL_OUTPUTS, folder, stage);
}

static bool is_unknown(const ToolMeans *m)
{
    return isnan(m->area_nm2.value) && isnan(m->volume_nm3.value) && isnan(m->thickness_nm.value) &&
           isnan(m->density_g_cm3.value) && isnan(m->temperature_K.value) &&
           isnan(m->translation_K.value) && isnan(m->rotation_K.value) && m->stage[0] == '\0';
}

static void only_the_last_stage_counts(void **state)
{
    char *const folder = folder_make();
    (void)state;

    folder_write_text(folder, "energy.tsv",
                      ENERGY_HEAD
                      "0\t0\t1\t99\t100\t100\t1\t1\t1\n1\t1\t1\t99\t900\t900\t1\t1\t1\n"
                      "2\t2\t2\t306\t300\t310\t1\t1\t1\n3\t3\t2\t307\t304\t312\t1\t1\t2\n");
    const ToolMeans m = read_from(folder);

    assert_string_equal(m.stage, "long");
    assert_true(NEAR(m.temperature_K.value, 306.5));
    assert_true(NEAR(m.translation_K.value, 302));
    assert_true(NEAR(m.rotation_K.value, 311));
    assert_true(NEAR(m.density_g_cm3.value, 0.75 * 190 / u_nm3_in_g_cm3));
    assert_true(isnan(m.translation_K.error)); /* two lines give none */
    folder_remove(folder);
}

static void means_of_a_membrane_come_with_their_errors(void **state)
{
    char *const folder = folder_make();
    (void)state;

    folder_write_text(folder, "area-mean.tsv", AREA);
    folder_write_text(folder, "thickness-mean.tsv", "quantity\tmean\nthickness_nm\t3.2\t0.1\t4\n");
    const ToolMeans m = read_from(folder);

    assert_true(NEAR(m.area_nm2.value, 0.65));
    assert_true(NEAR(m.area_nm2.error, 0.002) && m.area_nm2.is_rough);
    assert_true(NEAR(m.volume_nm3.value, 1.2) && !m.volume_nm3.is_rough);
    assert_true(isnan(m.volume_nm3.error));
    assert_true(NEAR(m.thickness_nm.value, 3.2));
    assert_true(isnan(m.density_g_cm3.value));
    folder_remove(folder);
}

static void tables_that_are_missing_or_broken_leave_means_unknown(void **state)
{
    static const char *const broken[] = { "", "\n\n", "step\ttime_ps\tstage\n0\t0\t1\n",
                                          ENERGY_HEAD, "\x01\xff\t\t\t\n\t\n" };
    char *const              folder   = folder_make();
    ToolMeans                m        = read_from(folder);
    (void)state;

    assert_true(is_unknown(&m));
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        folder_write_text(folder, "energy.tsv", broken[k]);
        folder_write_text(folder, "area-mean.tsv", broken[k]);
        m = read_from(folder);
        assert_true(is_unknown(&m));
    }
    folder_write_text(folder, "area-mean.tsv", AREA);
    m = read_from(folder);
    assert_false(is_unknown(&m)); /* the check can fail */
    folder_remove(folder);
}

static void tables_of_outputs_that_the_job_no_longer_has_are_none_of_its_results(void **state)
{
    char *const folder = folder_make();
    char        stage[32];
    ToolMeans   m;
    (void)state;

    folder_write_text(folder, "area-mean.tsv", AREA);
    folder_write_text(folder, "thickness-mean.tsv", "quantity\tmean\nthickness_nm\t3.2\t0.1\t4\n");
    folder_write_text(folder, "energy.tsv", ENERGY_HEAD "0\t0\t1\t99\t100\t100\t1\t1\t1\n");
    m = read_for("", folder, stage);
    assert_true(is_unknown(&m));
    m = read_for("<thickness/>", folder, stage);
    assert_true(isnan(m.area_nm2.value) && NEAR(m.thickness_nm.value, 3.2));
    m = read_for("<area/>", folder, stage);
    assert_true(NEAR(m.area_nm2.value, 0.65) && isnan(m.thickness_nm.value));
    assert_true(isnan(m.temperature_K.value));
    assert_true(tool_is_written(NULL, "area.tsv"));
    folder_remove(folder);
}

static void a_mean_is_shown_to_two_digits_of_its_error(void **state)
{
    static const struct {
        ToolMean    mean;
        const char *text;
    } cases[] = {
        { { 0.65123, 0.0021, false }, "0.6512 +- 0.0021" },
        { { 303.234, 0.39, false }, "303.23 +- 0.39" },
        { { 303.234, 12.3, false }, "303 +- 12" },
        { { 0.997, (double)NAN, false }, "0.9970" },
        { { 0.997, 0, false }, "0.9970" },
        { { 1, 1e-10, false }, "1.00000000 +- 0.00000000" },
        { { 1, 1e-16, false }, "1.0000" }, /* rounding of a constant */
    };
    char text[64];
    (void)state;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(tool_mean_text(&cases[k].mean, text), cases[k].text);
}

/* What is printed of these means for job_base with one more line in its force field. */
static char *printed(const ToolMeans *m, const char *literature, char text[4096])
{
    char       line[512];
    JobReading r;
    FILE      *out = fmemopen(text, 4096, "w");

    snprintf(line, sizeof line, "%s</forcefield>\n", literature);
    char *const job = replaced(job_base, "</forcefield>\n", line);
    r               = read_job_text(job);
    assert_non_null(r.job);
    assert_non_null(out);
    text[0] = '\0';
    tool_means_print(m, r.job, out);
    assert_int_equal(fclose(out), 0);
    reading_free(&r);
    free(job);
    return text;
}

static void published_values_stand_below_those_of_the_run(void **state)
{
    const ToolMean none = { (double)NAN, (double)NAN, false };
    ToolMeans      m    = { NULL, none, none, none, { 0.9, 0.01, true }, none, none, none, false };
    char           text[4096];
    (void)state;

    assert_string_equal(printed(&m, "", text),
                        "  density      0.900 +- 0.010 g/cm^3; the run is short for this "
                        "error, which is a rough one\n");
    m.density_g_cm3.is_rough = false;

    assert_string_equal(
        printed(&m,
                "<literature of=\"water salt\" source=\"a paper\" temperature=\"300 K\" "
                "density=\"0.95 g/cm^3\" area=\"1 nm^2\"/>\n",
                text),
        "  density      0.900 +- 0.010 g/cm^3\n                 0.95 g/cm^3 at 300 K: a paper\n");
    /* about other molecules */
    assert_string_equal(printed(&m,
                                "<literature of=\"water\" source=\"a paper\" "
                                "density=\"0.95 g/cm^3\"/>\n",
                                text),
                        "  density      0.900 +- 0.010 g/cm^3\n");
}

/* Of the four lipids of the membrane two are in the larger leaflet, or three. */
static void the_area_of_leaflets_that_differ_is_told_as_that_of_the_larger(void **state)
{
    static const struct {
        const char *rows, *text;
    } cases[] = {
        { "area_per_lipid_nm2\t0.6\t0.02\nbox_area_nm2\t1.2\t0.04\n",
          "  area         0.600 +- 0.020 nm^2 a lipid\n" },
        { "area_per_lipid_nm2\t0.4\t0.02\nbox_area_nm2\t1.2\t0.06\n",
          "  area         0.400 +- 0.020 nm^2 a lipid of the larger leaflet\n" },
        { "area_per_lipid_nm2\t0.4\t0.02\n", "  area         0.400 +- 0.020 nm^2 a lipid\n" },
    };
    char *const folder = folder_make();
    char        text[4096];
    (void)state;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        folder_write_text(folder, "area-mean.tsv", cases[k].rows);
        const ToolMeans m = read_from(folder);

        assert_string_equal(printed(&m, "", text), cases[k].text);
    }
    folder_remove(folder);
}

/* A line of the block at the end of a run. */
static bool tells(const AmphiRunInfo *info, const char *expected)
{
    const ToolMean   none  = { (double)NAN, (double)NAN, false };
    const ToolMeans  means = { NULL, none, none, none, none, none, none, none, false };
    const AmphiStage stage = { .ensemble = AMPHI_NVE };
    const AmphiJob   job   = { .n_stages = 1,
                               .stage    = &stage,
                               .compute  = { .watch_every = 100, .max_drift_kT_ns_dof = 1e-3 } };
    char             text[4096];
    FILE *const      out = fmemopen(text, sizeof text, "w");

    assert_non_null(out);
    tool_run_block(info, 1, &means, &job, "a.run", out);
    assert_int_equal(fclose(out), 0);
    return strstr(text, expected) != NULL;
}

static AmphiRunInfo with_drift(int64_t n, double drift, double error)
{
    return (AmphiRunInfo){ .backend         = "cpu single v4",
                           .stage           = "free",
                           .state_hash      = "",
                           .n_drift         = n,
                           .drift_kT_ns_dof = drift,
                           .drift_error     = error,
                           .drift_bound     = 1e-3 };
}

static bool tells_drift(int64_t n, double drift, double error, const char *expected)
{
    const AmphiRunInfo info = with_drift(n, drift, error);

    return tells(&info, expected);
}

static void a_drift_that_is_not_known_is_no_verdict(void **state)
{
    const double none = (double)NAN;
    (void)state;

    assert_true(tells_drift(7, none, none,
                            "drift        not known yet: 7 of 8 samples, one in 100 steps\n"));
    assert_true(tells_drift(5000, none, none, "drift        not known\n"));
    assert_true(tells_drift(5000, 0, none, "drift        not known\n"));
    assert_true(tells_drift(5000, 1e-4, 1e-4,
                            "1.0e-04 kT/ns/dof: none within two errors (good in "
                            "single: below 4e-05; allowed: 0.001)\n"));
}

static void a_drift_is_told_with_both_bounds_and_whether_samples_are_few(void **state)
{
    (void)state;
    assert_true(
        tells_drift(5000, 5.54e-4, 4.6e-5,
                    "drift        +5.54e-04 +- 4.6e-05 kT/ns/dof: more than is good, though "
                    "allowed (good in single: below 4e-05; allowed: 0.001)\n"));
    assert_true(tells_drift(5000, 2e-3, 1e-4, ": more than allowed (good"));
    assert_true(tells_drift(999, 2e-3, 1e-4, "allowed: 0.001); from few samples, 999\n"));
    assert_true(tells_drift(1000, 2e-3, 1e-4, "allowed: 0.001)\n"));
}

static void a_drift_of_noise_is_told_and_not_judged(void **state)
{
    (void)state;
    AmphiRunInfo info = with_drift(5000, 2e-2, 1e-3);

    info.drift_bound = (double)INFINITY;
    assert_true(tells(&info, "+2.00e-02 +- 1.0e-03 kT/ns/dof: not judged, for Langevin noise walks "
                             "in it\n"));
}

static bool shows_drift(int64_t n, double drift, double error, const char *expected)
{
    const AmphiRunInfo info = with_drift(n, drift, error);
    char               line[TOOL_LINE_SIZE];

    tool_run_line(&info, 0, line);
    return expected != NULL ? strstr(line, expected) != NULL : strstr(line, "drift") == NULL;
}

/* 12 errors of 701 samples; less than 3; and an error of at most a tenth of the bound. */
static void the_line_shows_a_drift_as_soon_as_it_means_something(void **state)
{
    (void)state;
    assert_true(shows_drift(701, 5.6e-4, 4.6e-5, "   drift +6e-04(1), few samples"));
    assert_true(shows_drift(701, 5.6e-3, 1.86e-3, "   drift +6e-03(2), few samples"));
    assert_true(shows_drift(701, 5.6e-3, 1.87e-3, NULL));
    assert_true(shows_drift(701, 1e-5, 1.01e-4, NULL));
    assert_true(shows_drift(701, 1e-5, 0.99e-4, "   drift +1e-05("));
    assert_true(shows_drift(1000, 5.6e-3, 1.87e-3, "   drift +6e-03(2)"));
    assert_true(shows_drift(1000, 5.5e-3, (double)NAN, NULL));
}

static void moves_that_were_cut_short_are_told_where_there_are_any(void **state)
{
    (void)state;
    AmphiRunInfo info = { .backend = "cpu", .stage = "free", .state_hash = "" };

    assert_false(tells(&info, "cut short"));
    info.n_limited = 12;
    assert_true(tells(&info, "  box          12 moves were cut short, at a tenth of an edge\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_last_stage_counts),
        cmocka_unit_test(means_of_a_membrane_come_with_their_errors),
        cmocka_unit_test(tables_that_are_missing_or_broken_leave_means_unknown),
        cmocka_unit_test(tables_of_outputs_that_the_job_no_longer_has_are_none_of_its_results),
        cmocka_unit_test(a_mean_is_shown_to_two_digits_of_its_error),
        cmocka_unit_test(published_values_stand_below_those_of_the_run),
        cmocka_unit_test(the_area_of_leaflets_that_differ_is_told_as_that_of_the_larger),
        cmocka_unit_test(a_drift_that_is_not_known_is_no_verdict),
        cmocka_unit_test(a_drift_is_told_with_both_bounds_and_whether_samples_are_few),
        cmocka_unit_test(a_drift_of_noise_is_told_and_not_judged),
        cmocka_unit_test(the_line_shows_a_drift_as_soon_as_it_means_something),
        cmocka_unit_test(moves_that_were_cut_short_are_told_where_there_are_any),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
