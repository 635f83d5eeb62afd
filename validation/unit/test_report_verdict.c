/* What the report says of a run, on both sides of each of its bounds. */
#include <math.h>

#include "../../tools/report.h"
#include "job_folder.h"
#include "run_amphi.h"
#include "skipping.h"

static void put(const char *run, const char *file, const char *text)
{
    char name[256];

    if (!exists(in_folder(run)))
        assert_int_equal(mkdir(in_folder(run), 0777), 0);
    snprintf(name, sizeof name, "%s/%s", run, file);
    write_text(name, text);
}

/* The body of the page that is made with this job. */
static const char *report_of(const char *run, const char *job)
{
    static char page[RUN_MOST_BYTES];
    AmphiError  err = { .status = AMPHI_OK };
    JobReading  r   = read_job_text(job);
    char        name[256];

    assert_non_null(r.job);
    assert_int_equal(tool_report_write(in_folder(run), r.job, NULL, &err), AMPHI_OK);
    reading_free(&r);
    snprintf(name, sizeof name, "%s/report.html", run);
    read_into(in_folder(name), page);
    assert_non_null(strstr(page, "<body>"));
    return strstr(page, "<body>");
}

/* The tile of that label, up to its end. */
static const char *tile_of(const char *page, const char *label)
{
    static char tile[1024];
    char        name[128];

    snprintf(name, sizeof name, "<b>%s</b>", label);
    const char *at = strstr(page, name);
    assert_non_null(at);
    const char *const end = strstr(at, "</div>");
    while (strncmp(at, "<div", 4) != 0)
        at--;
    assert_true(end - at < (long)sizeof tile);
    snprintf(tile, sizeof tile, "%.*s", (int)(end - at), at);
    return tile;
}

#define JOB(target, watch)                                                                         \
    "<amphi version=\"1\"><forcefield>\n"                                                          \
    "<beadtype name=\"dip\" mass=\"20 u\" dipole=\"2 D\" inertia=\"1 u*nm^2\"/>\n"                 \
    "<pair types=\"dip dip\" potential=\"lennard-jones\" epsilon=\"2 kJ/mol\" sigma=\"0.2 "        \
    "nm\"/>\n"                                                                                     \
    "<moleculetype name=\"w\" kind=\"solvent\"><bead id=\"1\" type=\"dip\" name=\"W\"/>"           \
    "</moleculetype></forcefield>\n"                                                               \
    "<system><box x=\"3 nm\" y=\"3 nm\" z=\"3 nm\"/><molecule type=\"w\" count=\"1\"/>\n"          \
    "<start><beads length=\"nm\">\ndip 1  1.0 1 1  1 0 0 0\n</beads></start></system>\n"           \
    "<interactions><cutoff distance=\"1.2 nm\"/>"                                                  \
    "<treatment of=\"lennard-jones dipoles\" type=\"truncated\"/></interactions>\n"                \
    "<plan timestep=\"1 fs\"><run name=\"hot\" ensemble=\"nvt\" length=\"1 ps\">"                  \
    "<thermostat temperature=\"" target "\"/></run></plan>\n"                                      \
    "<output><energies/><report snapshot=\"no\"/></output>\n"                                      \
    "<compute><watch max-drift=\"" watch "\"/></compute></amphi>\n"

/* ---- temperature ---- */

/* 32 lines of 300 - swing, 300 + swing K in turn. */
static void write_temperatures(const char *run, double swing)
{
    char text[4096];
    int  n = snprintf(text, sizeof text, "step\ttime_ps\tstage\ttemperature\tconserved\n");

    for (int k = 0; k < 32; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%d\t%d\t1\t%g\t5\n", k, k,
                      300 + (k % 4 < 2 ? -swing : swing));
    put(run, "energy.tsv", text);
}

static void check_temperature(const char *job, const char *class)
{
    char tile[64];

    snprintf(tile, sizeof tile, "<div class=\"tile%s\"><b>", class);
    const char *const found = tile_of(report_of("t.run", job), "Temperature");
    if (strstr(found, tile) == NULL)
        fail_msg("not %s: %s", tile, found);
}

/* 1 % of the target either way. */
static void a_temperature_is_good_within_a_per_cent_of_its_target(void **state)
{
    (void)state;
    write_temperatures("t.run", 0);
    check_temperature(JOB("297.1 K", "1e-3 kT/ns/dof"), " good");
    check_temperature(JOB("297.0 K", "1e-3 kT/ns/dof"), " doubt");
    check_temperature(JOB("303.0 K", "1e-3 kT/ns/dof"), " good");
    check_temperature(JOB("303.1 K", "1e-3 kT/ns/dof"), " doubt");
}

/* 16 blocks of two lines, at 240 K and 360 K in turn: an error of 60 K / sqrt(15) = 15.5 K, more
 * than a per cent. Three of them are 46.5 K. */
static void a_temperature_that_is_not_known_to_a_per_cent_is_judged_by_three_errors(void **state)
{
    (void)state;
    write_temperatures("t.run", 60);
    check_temperature(JOB("346 K", "1e-3 kT/ns/dof"), "");
    check_temperature(JOB("347 K", "1e-3 kT/ns/dof"), " doubt");
}

/* Errors of 6 K / sqrt(15) = 1.55 K, of which five are 7.7 K, and of 8 K / sqrt(15) = 2.07 K, of
 * which five are 10.3 K. */
static void a_temperature_is_bad_from_three_per_cent_and_five_errors_on(void **state)
{
    (void)state;
    write_temperatures("t.run", 6);
    check_temperature(JOB("291.3 K", "1e-3 kT/ns/dof"), " doubt");
    check_temperature(JOB("291.2 K", "1e-3 kT/ns/dof"), " bad");
    check_temperature(JOB("309.2 K", "1e-3 kT/ns/dof"), " doubt");
    check_temperature(JOB("309.3 K", "1e-3 kT/ns/dof"), " bad");
    check_has(report_of("t.run", JOB("309.3 K", "1e-3 kT/ns/dof")), "309.3 K: much too cold.");
    write_temperatures("t.run", 8);
    check_temperature(JOB("289.8 K", "1e-3 kT/ns/dof"), " doubt");
    check_temperature(JOB("289.5 K", "1e-3 kT/ns/dof"), " bad");
}

/* ---- drift ---- */

static void check_drift_of(const char *more, double drift, double error, const char *sign,
                           const char *text)
{
    char status[512], class[64];

    snprintf(status, sizeof status,
             "{\"kind\":\"status\",\"state\":\"done\",\"drift_kT_ns_dof\":%.6g,"
             "\"drift_error\":%.6g%s}\n",
             drift, error, more);
    put("d.run", "status.json", status);
    snprintf(class, sizeof class, "<div class=\"tile%s\"><b>", sign);
    const char *const tile = tile_of(report_of("d.run", JOB("300 K", "1e-3 kT/ns/dof")),
                                     "Drift of the conserved energy");
    if (strstr(tile, class) == NULL || strstr(tile, text) == NULL)
        fail_msg("%g(%g): not %s with %s: %s", drift, error, class, text, tile);
}

static void check_drift(double drift, double error, const char *sign, const char *text)
{
    check_drift_of("", drift, error, sign, text);
}

/* The bound is 1e-3. */
static void a_drift_is_judged_with_two_of_its_errors_on_either_side_of_the_bound(void **state)
{
    (void)state;
    check_drift(0.6e-3, 0.199e-3, " good",
                ": within what is allowed; allowed by &lt;watch&gt;: 0.001");
    check_drift(0.6e-3, 0.201e-3, "", ": too uncertain to judge");
    check_drift(-0.6e-3, 0.199e-3, " good", ": within what is allowed");
    check_drift(0.2e-3, 0.41e-3, "", ": none within two errors, too uncertain to judge");

    check_drift(1.1e-3, 0.549e-3, " bad", ": more than allowed");
    check_drift(-1.1e-3, 0.549e-3, " bad", ": more than allowed");
    check_drift(1.1e-3, 0.551e-3, "", ": none within two errors, too uncertain to judge");
    check_drift(0.99e-3, 1e-6, " good", ": within what is allowed");
    check_drift(1.01e-3, 1e-6, " bad", ": more than allowed");
}

#define SINGLE ",\"backend\":\"cpu single v4, 16 lanes\""

/* Good is below 4e-5 in single, below 2e-6 in the others. */
static void a_drift_that_is_allowed_has_no_tick_where_it_is_more_than_good(void **state)
{
    (void)state;
    check_drift_of(SINGLE, 5.5e-4, 4.6e-5, "",
                   ": more than is good, though allowed; good in single");
    check_drift_of(SINGLE, 6.1e-5, 1.06e-5, " good", ": good within two errors; good in single");
    check_drift_of(SINGLE, 6.1e-5, 1.04e-5, "", ": more than is good, though allowed");
    check_drift_of(SINGLE, 9e-4, 9e-5, "", ": more than is good, perhaps more than allowed");
    check_drift_of(SINGLE, 1e-5, 1e-5, " good", ": none within two errors; good in single");
    check_drift_of(",\"backend\":\"reference double: every pair\"", 3e-5, 1e-6, "",
                   ": more than is good, though allowed; good in double");
    check_drift_of(",\"backend\":\"cuda fixed, NVIDIA\"", 1e-6, 1e-7, " good",
                   ": good within two errors; good in fixed");
    check_drift_of(",\"backend\":\"cuda fixed, NVIDIA\"", 3e-5, 1e-6, "",
                   ": more than is good, though allowed; good in fixed");
}

/* And it takes eight of its errors. */
static void a_drift_beyond_the_bound_is_doubtful_from_few_samples(void **state)
{
    (void)state;
    check_drift_of(",\"drift_samples\":36", -3.4e-3, 1.4e-3, "",
                   ": none within eight errors, too uncertain to judge, from few samples");
    check_drift_of(",\"drift_samples\":36", -3.4e-3, 0.42e-3, " doubt",
                   ": more than allowed, from few samples");
    check_drift_of(",\"drift_samples\":1000", -3.4e-3, 1.4e-3, " bad", ": more than allowed;");
    check_drift_of(",\"drift_samples\":36", 0.6e-3, 0.0505e-3, "", ": too uncertain to judge");
    check_drift_of(",\"drift_samples\":36", 0.6e-3, 0.0495e-3, " good", ": within what is allowed");
    check_drift_of(SINGLE ",\"drift_samples\":36", 8e-5, 0.505e-5, " good",
                   ": good within eight errors");
    check_drift_of(SINGLE ",\"drift_samples\":36", 8e-5, 0.495e-5, "", ": more than is good");
    check_drift_of(",\"drift_samples\":999", 2e-3, 1e-5, " doubt",
                   ": more than allowed, from few samples");
    check_drift_of(",\"drift_samples\":1000", 2e-3, 1e-5, " bad", ": more than allowed; allowed");
}

/* The run's own drift is of the stage that the run was in, lines of the table or none. */
static void a_drift_is_told_of_its_stage(void **state)
{
    (void)state;
    put("d.run", "status.json",
        "{\"kind\":\"status\",\"state\":\"done\",\"stage\":\"cool\","
        "\"drift_kT_ns_dof\":1e-4,\"drift_error\":1e-5}\n");
    check_has(tile_of(report_of("d.run", JOB("300 K", "1e-3 kT/ns/dof")),
                      "Drift of the conserved energy"),
              ". Stage cool.");
}

/* ---- profiles ---- */

#define MEMBRANE(upper)                                                                            \
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield>\n"          \
    "<system><start><bilayer water-per-lipid=\"20\" seed=\"1\">"                                   \
    "<leaflet side=\"upper\">" upper "</leaflet>"                                                  \
    "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"16\"/></leaflet>"                        \
    "</bilayer></start></system>\n"                                                                \
    "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"1\"/>"                               \
    "<run name=\"m\" ensemble=\"nve\" length=\"1 ps\"/></plan>\n"                                  \
    "<output><profile of=\"mass\"/><report snapshot=\"no\"/></output></amphi>\n"

static void sides_are_expected_to_be_alike_only_where_the_leaflets_are(void **state)
{
    (void)state;
    if (system("gnuplot --version >/dev/null 2>&1") != 0)
        SKIP("no gnuplot (Debian: gnuplot-nox)");
    put("p.run", "profile.tsv",
        "# frames: 12\nz_nm\tmass_g_cm3\tmass_error\n-0.5\t1\t0.1\n0.5\t1.3\t0.1\n");
    check_has(report_of("p.run", MEMBRANE("<lipid type=\"DMPC\" count=\"16\"/>")),
              "differ by 2.1 standard errors (root mean square; 1 is expected).");
    check_has(report_of("p.run", MEMBRANE("<lipid type=\"DMPC\" count=\"15\"/>"
                                          "<lipid type=\"DOPC\" count=\"1\"/>")),
              "differ by 2.1 standard errors (root mean square).");
}

/* Of 60 characters. */
#define LONGEST "water-and-water-with-a-name-that-is-as-long-as-a-name-may-be"
#define BOX                                                                                        \
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield>\n"          \
    "<system><start><fill type=\"water\" count=\"400\" density=\"1 g/cm^3\"/></start>\n"           \
    "<group name=\"some\" select=\"kind solvent\"/></system>\n"                                    \
    "<plan timestep=\"5 fs\"><run name=\"m\" ensemble=\"nve\" length=\"1 ps\"/></plan>\n"          \
    "<output><profile group=\"some\"/><rdf name=\"" LONGEST                                        \
    "\" beads=\"water water\" extent=\"0.5 nm\"/>"                                                 \
    "<report snapshot=\"no\"/></output></amphi>\n"

static void profiles_of_groups_and_all_distributions_are_drawn(void **state)
{
    (void)state;
    if (system("gnuplot --version >/dev/null 2>&1") != 0)
        SKIP("no gnuplot (Debian: gnuplot-nox)");
    put("g.run", "profile-some.tsv",
        "# frames: 12\nz_nm\tmass_g_cm3\tmass_error\n-0.5\t1\t0.1\n0.5\t1.3\t0.1\n");
    put("g.run", "rdf-" LONGEST ".tsv",
        "# beads: water water\nr_nm\tg\terror\n0.1\t0\t0\n0.2\t1.5\t0.1\n");
    put("g.run", "profile.tsv", /* of another job */
        "# frames: 12\nz_nm\tmass_g_cm3\tmass_error\n-0.5\t1\t0.1\n0.5\t1.3\t0.1\n");
    const char *const text = report_of("g.run", BOX);

    check_has(text, "<figcaption>Mass of groups: means. Numbers: profile-GROUP.tsv.");
    check_has(text, "<figcaption>Radial distribution function " LONGEST ": water water.");
    assert_true(exists(in_folder("g.run/figures/rdf-" LONGEST ".svg")));
    assert_null(strstr(text, "mirrored"));
    assert_null(strstr(text, "failed to draw"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_temperature_is_good_within_a_per_cent_of_its_target),
        cmocka_unit_test(a_temperature_that_is_not_known_to_a_per_cent_is_judged_by_three_errors),
        cmocka_unit_test(a_temperature_is_bad_from_three_per_cent_and_five_errors_on),
        cmocka_unit_test(a_drift_is_judged_with_two_of_its_errors_on_either_side_of_the_bound),
        cmocka_unit_test(a_drift_that_is_allowed_has_no_tick_where_it_is_more_than_good),
        cmocka_unit_test(a_drift_beyond_the_bound_is_doubtful_from_few_samples),
        cmocka_unit_test(a_drift_is_told_of_its_stage),
        cmocka_unit_test(sides_are_expected_to_be_alike_only_where_the_leaflets_are),
        cmocka_unit_test(profiles_of_groups_and_all_distributions_are_drawn),
    };

    return cmocka_run_group_tests(tests, make_run_folder, remove_run_folder);
}
