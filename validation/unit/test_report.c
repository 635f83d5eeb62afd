/* The report of a run: what is read back of a run folder, what it says of fits and verdicts, and
 * the page that the program makes of finished, stopped, faulty and nearly empty runs.
 */
#include <math.h>

#include "../../tools/report.h"
#include "../../tools/report_stages.h"
#include "../../tools/report_table.h"
#include "hundred_waters.h"
#include "run_amphi.h"
#include "skipping.h"

static AmphiArena *arena;

/* ---- folders of runs, made by hand ---- */

static const char *make_run(const char *name)
{
    char input[128];

    snprintf(input, sizeof input, "%s/input", name);
    assert_int_equal(mkdir(in_folder(name), 0777), 0);
    assert_int_equal(mkdir(in_folder(input), 0777), 0);
    return name;
}

static void put(const char *run, const char *file, const char *text)
{
    char name[256];

    snprintf(name, sizeof name, "%s/%s", run, file);
    write_text(name, text);
}

static const char heading[] =
    "# a test\nstep\ttime_ps\tstage\tlj\tpotential\tkinetic_half\ttemperature\t"
    "temperature_translation\ttemperature_rotation\tpressure\tconserved\n";

/* From 0 to 1, the same in every call. */
static double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* n lines, 0.1 ps apart: conserved energy 5000 + slope t + noise of deviation `sigma`. */
static void write_energies(const char *run, int n, double slope, double sigma)
{
    uint64_t seed = 7;
    char     name[256];

    snprintf(name, sizeof name, "%s/energy.tsv", run);
    FILE *const out = fopen(in_folder(name), "w");

    assert_non_null(out);
    fputs(heading, out);
    for (int k = 0; k < n; k++) {
        const double t = 0.1 * k, u = sqrt(12.0) * (noise(&seed) - 0.5);

        fprintf(out, "%d\t%.10g\t2\t-100\t-90\t1000\t300\t%.10g\t%.10g\t1\t%.15g\n", 10 * k, t,
                300 + 2 * u, 301 - u, 5000 + slope * t + sigma * u);
    }
    assert_int_equal(fclose(out), 0);
}

static ReportStages read_stages(const char *run)
{
    ReportStages s;

    report_stages(in_folder(run), arena, &s);
    return s;
}

/* ---- energy.tsv ---- */

/* The error of a slope through white noise is sigma / sqrt(sum of (t - mean)^2); that of blocks is
 * good to a quarter. */
static void a_slope_is_found_with_the_error_of_its_noise(void **state)
{
    (void)state;
    const int    n     = 1600;
    const double tt    = 0.01 * n * ((double)n * n - 1) / 12;
    const double exact = 0.3 / sqrt(tt);

    make_run("slope.run");
    write_energies("slope.run", n, 0.02, 0.3);
    const ReportStages s = read_stages("slope.run");
    const ReportDrift  d = report_drift(&s, 0);

    assert_int_equal(s.n, 1);
    assert_int_equal(d.n, n);
    assert_true(fabs(d.slope_kJ_mol_ps - 0.02) < 4 * exact);
    assert_true(d.slope_error > 0.6 * exact && d.slope_error < 1.7 * exact);
    assert_true(fabs(d.drift_kT_ns_dof - d.slope_kJ_mol_ps * 1000 / 2000) < 1e-12);
    assert_true(fabs(d.at_ps - 0.05 * (n - 1)) < 1e-9);
}

static void few_lines_have_a_slope_without_an_error_and_two_have_none(void **state)
{
    (void)state;
    make_run("few.run");
    write_energies("few.run", 5, 2, 0);
    ReportStages s = read_stages("few.run");

    assert_true(fabs(report_drift(&s, 0).slope_kJ_mol_ps - 2) < 1e-9);
    assert_true(isnan(report_drift(&s, 0).slope_error));
    write_energies("few.run", 2, 2, 0);
    s = read_stages("few.run");
    assert_true(isnan(report_drift(&s, 0).slope_kJ_mol_ps));
    assert_true(isnan(report_drift(&s, 7).slope_kJ_mol_ps));
}

static void stages_are_apart_and_an_incomplete_line_is_left_out(void **state)
{
    (void)state;
    char text[2048];

    snprintf(text, sizeof text, "%s%s", heading,
             "0\t0\t1\t-5\t-90\t10\t100\t1\t1\t1\t7\n"
             "1\t1\t1\t-7\t-90\t10\t200\t1\tnan\t1\t8\n"
             "2\t2\t3\t-9\t-90\t10\t300\t1\t5\t1\t9\n"
             "3\t3\t3\t-9\t-90\t10\t500\t1");
    make_run("parts.run");
    put("parts.run", "energy.tsv", text);
    const ReportStages s = read_stages("parts.run");

    assert_int_equal(s.n, 2);
    assert_int_equal(s.stage[0].number, 1);
    assert_int_equal(s.stage[1].number, 3);
    assert_int_equal(s.stage[1].n_lines, 1);
    assert_true(fabs(report_mean(&s, 0, "temperature").mean - 150) < 1e-9);
    assert_true(fabs(report_mean(&s, 0, "temperature_rotation").mean - 1) < 1e-9);
    assert_true(fabs(report_mean(&s, 1, "lj").mean + 9) < 1e-9);
    assert_true(isnan(report_mean(&s, 1, "lj").error));
    assert_true(isnan(report_mean(&s, 1, "no such column").mean));
}

/* A plan may have 256. */
static void each_of_many_stages_has_its_own_mean(void **state)
{
    enum { STAGES = 256 };

    (void)state;
    make_run("many.run");
    FILE *const out = fopen(in_folder("many.run/energy.tsv"), "w");

    assert_non_null(out);
    fputs(heading, out);
    for (int k = 0; k < 2 * STAGES; k++)
        fprintf(out, "%d\t%d\t%d\t-5\t-90\t10\t%d\t1\t1\t1\t7\n", k, k, 1 + k / 2, 100 + k / 2);
    assert_int_equal(fclose(out), 0);
    const ReportStages s = read_stages("many.run");

    assert_int_equal(s.n, STAGES);
    for (int k = 0; k < STAGES; k++) {
        assert_int_equal(s.stage[k].number, k + 1);
        assert_true(fabs(report_mean(&s, k, "temperature").mean - (100 + k)) < 1e-9);
    }
}

/* Tables of Student's distribution. */
static void the_band_is_as_wide_as_students_distribution(void **state)
{
    (void)state;
    assert_true(fabs(report_student(6) - 2.447) < 0.003);
    assert_true(fabs(report_student(14) - 2.145) < 0.001);
    assert_true(fabs(report_student(1e9) - 1.960) < 0.001);
}

/* ---- small files ---- */

static void the_last_beginning_of_a_log_counts_with_all_lines_of_its_error(void **state)
{
    (void)state;
    make_run("log.run");
    put("log.run", "run.log",
        "2026-01-02 03:04:05  amphi 0.0.9, input aa\n"
        "2026-01-02 03:04:05  command amphi run old.xml\n"
        "2026-01-02 03:04:06  error: an old one\n"
        "2026-01-03 03:04:05  amphi 0.1.0, input bb\n"
        "2026-01-03 03:04:05  command amphi run new.xml\n"
        "2026-01-03 03:04:05  stage warm, seed 7\n"
        "2026-01-03 03:04:05  override water tail: epsilon x 0.95: why\n"
        "2026-01-03 03:05:05  error: fault at step 5\n"
        "    bead 3\n"
        "2026-01-03 03:05:06  later\n"
        "  length 5\n");
    const ReportLog log = report_log(in_folder("log.run"), arena);

    assert_int_equal(log.n_beginnings, 2);
    assert_string_equal(log.version, "amphi 0.1.0");
    assert_string_equal(log.input, "bb");
    assert_string_equal(log.command, "amphi run new.xml");
    assert_string_equal(log.began, "2026-01-03 03:04:05");
    assert_string_equal(log.error, "fault at step 5\n    bead 3");
    assert_int_equal(log.n_seeds, 1);
    assert_string_equal(log.seed[0], "warm, seed 7");
    assert_string_equal(log.override[0], "water tail: epsilon x 0.95: why");
    assert_string_equal(report_log(in_folder("none.run"), arena).version, "");
}

/* Behind more progress than the tables of a page may have; and a line that nobody can have written
 * is one line. */
static void the_end_of_a_long_log_is_read_too(void **state)
{
    (void)state;
    make_run("long.run");
    FILE *const out = fopen(in_folder("long.run/run.log"), "w");

    assert_non_null(out);
    fputs("2026-01-02 03:04:05  amphi 0.0.9, input aa\n", out);
    for (int k = 0; k < 100000; k++)
        fputs("2026-01-02 03:04:06  step 10000 of 2000000, 12 h 30 min left\n", out);
    for (int k = 0; k < 300000; k++)
        fputs(" error: x", out);
    fputs("\n2026-01-03 03:04:05  amphi 0.1.0, input bb\n"
          "2026-01-03 03:05:05  error: fault at step 5",
          out);
    assert_int_equal(fclose(out), 0);
    const ReportLog log = report_log(in_folder("long.run"), arena);

    assert_int_equal(log.n_beginnings, 2);
    assert_string_equal(log.version, "amphi 0.1.0");
    assert_string_equal(log.error, "fault at step 5");
}

static void a_status_is_read_and_what_it_has_not_is_not_known(void **state)
{
    (void)state;
    make_run("status.run");
    put("status.run", "status.json",
        "{\"kind\":\"status\",\"state\":\"done\",\"stage\":\"a \\\"b\\\"\",\"step\":12,"
        "\"drift_kT_ns_dof\":null,\"drift_error\":2e-6}\n");
    const ReportStatus s = report_status(in_folder("status.run"), arena);

    assert_true(s.is_there);
    assert_string_equal(s.state, "done");
    assert_string_equal(s.stage, "a \"b\"");
    assert_true(s.step > 11.9 && s.step < 12.1);
    assert_true(s.drift_error > 1.9e-6 && s.drift_error < 2.1e-6);
    assert_true(isnan(s.drift));
    assert_true(isnan(s.wall_s));
    assert_false(report_status(in_folder("none.run"), arena).is_there);
}

static void a_table_is_read_by_names_and_lines_of_another_length_are_left_out(void **state)
{
    (void)state;
    ReportTable t;

    make_run("table.run");
    put("table.run", "a.tsv",
        "# frames: 12\n# D: 0.5 +- 0.1\nquantity\tmean\terror\n"
        "x\t1.5\tnan\ny\t2\nz\t3\t0.25\t7\nw\t-4\t0.5\n");
    assert_true(report_table(in_folder("table.run"), "a.tsv", arena, &t));
    assert_int_equal(t.n_rows, 2);
    assert_string_equal(report_comment(&t, "frames"), "12");
    assert_null(report_comment(&t, "frame"));
    assert_int_equal(report_row(&t, "w"), 1);
    assert_int_equal(report_row(&t, "z"), -1);
    assert_true(fabs(report_number(&t, 1, "error") - 0.5) < 1e-12);
    assert_true(isnan(report_number(&t, 0, "error")));
    assert_true(isnan(report_number(&t, -1, "error")));
    assert_null(report_cell(&t, 0, "no such column"));
    assert_false(report_table(in_folder("table.run"), "none.tsv", arena, &t));
}

/* ---- pages ---- */

static char page[4 << 20];

static const char *page_of(const char *run)
{
    char   name[256];
    FILE  *in;
    size_t n;

    snprintf(name, sizeof name, "%s/report.html", run);
    in = fopen(in_folder(name), "rb");
    assert_non_null(in);
    n = fread(page, 1, sizeof page - 1, in);
    assert_int_equal(fclose(in), 0);
    assert_true(n < 3000000); /* what a page may take */
    page[n] = '\0';
    assert_non_null(strstr(page, "<body>"));
    return strstr(page, "<body>");
}

/* Without the system: what the tables tell. */
static const char *report_of(const char *run)
{
    AmphiError err = { .status = AMPHI_OK };

    assert_int_equal(tool_report_write(in_folder(run), NULL, NULL, &err), AMPHI_OK);
    return page_of(run);
}

static void check_has_not(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        fail_msg("in it: %s", part);
}

static void an_empty_folder_still_has_a_page(void **state)
{
    (void)state;
    make_run("empty.run");
    const char *const text = report_of("empty.run");

    check_has(text, "state not known");
    check_has(text, "No energies were written");
    check_has(text, "No snapshot");
    check_has_not(text, "<figure");
}

static void a_fault_is_shown_with_its_message(void **state)
{
    (void)state;
    make_run("fault.run");
    put("fault.run", "status.json",
        "{\"kind\":\"status\",\"state\":\"failed\",\"stage\":\"warm\",\"step\":45,\"steps\":90,"
        "\"time_ps\":2.5}\n");
    put("fault.run", "run.log",
        "2026-01-03 03:04:05  amphi 0.1.0, input bb\n"
        "2026-01-03 03:05:05  error: fault at step 45: <bead 3> & more\n    in <b>\n");
    const char *const text = report_of("fault.run");

    check_has(text, "stopped by a fault");
    check_has(text, "45 of 90 steps, 2.5 ps, in stage warm");
    check_has(text, "fault at step 45: &lt;bead 3&gt; &amp; more\n    in &lt;b&gt;");
}

static void one_line_of_energies_is_enough_for_a_table(void **state)
{
    (void)state;
    make_run("one.run");
    write_energies("one.run", 1, 0, 0);
    const char *const text = report_of("one.run");

    check_has(text, "Lennard-Jones");
    check_has(text, "too few lines in energy.tsv");
    check_has_not(text, "failed to draw");
}

/* Its last line is before its end. */
static void a_stage_ends_where_the_next_one_begins(void **state)
{
    (void)state;
    char lines[2048];

    snprintf(lines, sizeof lines, "%s%s", heading,
             "0\t0\t1\t-5\t-90\t10\t100\t1\t1\t1\t7\n"
             "1\t1.5\t1\t-7\t-90\t10\t200\t1\t1\t1\t8\n"
             "2\t2.25\t2\t-9\t-90\t10\t300\t1\t5\t1\t9\n"
             "3\t3.75\t2\t-9\t-90\t10\t300\t1\t5\t1\t9\n");
    make_run("ends.run");
    put("ends.run", "energy.tsv", lines);
    const char *const text = report_of("ends.run");

    check_has(text, ">2.25</td>");
    check_has_not(text, ">1.5</td>");
    check_has(text, ">3.75</td>");
}

static void missing_programs_are_named_with_their_packages(void **state)
{
    (void)state;
    char path[AMPHI_PATH_SIZE];

    make_run("bare.run");
    write_energies("bare.run", 50, 0.1, 0.1);
    snprintf(path, sizeof path, "%s", getenv("PATH") != NULL ? getenv("PATH") : "");
    setenv("PATH", "/nowhere", 1);
    const char *const text = report_of("bare.run");
    setenv("PATH", path, 1);
    check_has(text, "install the Debian package gnuplot-nox");
    check_has(text, "Lennard-Jones");
    check_has_not(text, "<figure");
    assert_true(exists(in_folder("bare.run/figures/terms.gp"))); /* for another machine */
    assert_true(exists(in_folder("bare.run/figures/temperature.gp")));
}

static void curves_are_drawn_where_gnuplot_is(void **state)
{
    (void)state;
    if (system("gnuplot --version >/dev/null 2>&1") != 0)
        SKIP("no gnuplot (Debian: gnuplot-nox)");
    make_run("curves.run");
    write_energies("curves.run", 300, 0.1, 0.1);
    put("curves.run", "profile.tsv",
        "# frames: 12\nz_nm\tmass_g_cm3\tmass_error\tdipole_e_nm2\tdipole_error\n"
        "-0.5\t1\t0.1\t2\t0.1\n0.5\t1.3\t0.1\t-2\t0.1\n");
    put("curves.run", "order.tsv",
        "molecule\ttail\tbond\torder\terror\nA'b\tx\t1-2\t0.3\t0.01\n"
        "A'b\ty\t1-2\t0.2\tnan\nall\tall\tall\t0.25\t0.01\n");
    put("curves.run", "diffusion.tsv",
        "# group: heads\n# plane: xy\n# D_1e-5_cm2_s: 0.217 +- "
        "0.046\nlag_ps\tmsd_nm2\terror\twindows\n"
        "1\t0.1\t0.01\t3\n2\t0.2\tnan\t1\n");
    put("curves.run", "lateral-pressure.tsv",
        "# frames: 7\n# tension of the whole: 1.5 +- 0.5 mN/m\n"
        "z_nm\tnormal_bar\tnormal_error\tlateral_bar\tlateral_error\tdifference_bar\t"
        "difference_error\tkinetic_bar\tlj_bar\tdd_bar\n"
        "-0.5\t1\t2\t300\t20\t299\t20\t-1\t310\t0\n"
        "0.5\t5\t2\t290\t20\t285\t20\t2\t283\t0\n");
    put("curves.run", "undulations.tsv",
        "# bending modulus, of waves longer than 6.28 nm: 17.2345 +- 0.412 kT\n"
        "n_x\tn_y\tq_1_nm\tundulation_nm4\tundulation_error\tthickness_nm4\tthickness_error\t"
        "modulus_kT\tmodulus_error\n"
        "0\t1\t0.5\t0.9\t0.1\t0.05\t0.01\t17\t2\n1\t1\t0.7\t0.24\t0.1\t0.05\t0.01\t17\t3\n");
    put("curves.run", "rdf.tsv", "r_nm\tg\terror\n0.1\t0\t0\n0.2\t1.5\t0.1\n");
    put("curves.run", "timings.tsv",
        "part\tus_per_step\tcalls_per_step\toccupancy\nkick\t1\t1\t0\npairs\t3\t1\t0\n");
    put("curves.run", "area-mean.tsv",
        "quantity\tmean\terror\tindependent\narea_per_lipid_nm2\t0.65\t0.01\t15.4\n");
    const char *const text = report_of("curves.run");

    check_has(text, "Conserved energy in stage 2");
    check_has(text, "differ by 2.1 standard errors"); /* 0.3 / (0.1 sqrt 2) */
    check_has(text, "(root mean square). Masses are those of the model's beads");
    check_has(text, "differ by 0.0 standard errors"); /* odd: the same with the other sign */
    check_has(text, "Over 7 frames; tension of the whole: 1.50\xC2\xA0\xC2\xB1\xC2\xA0"
                    "0.50\xC2\xA0mN/m.");
    check_has(text, "here it differs by 1.4 standard errors"); /* (1 and 5) +- 2 */
    check_has(text, "What it consists of");
    check_has(text, ">Lennard-Jones</");
    check_has_not(text, ">dipole-dipole</");
    check_has(text, "(0.217\xC2\xA0\xC2\xB1\xC2\xA0"
                    "0.046)\xC2\xB7"
                    "10");
    check_has(text, "0.650\xC2\xA0\xC2\xB1\xC2\xA0"
                    "0.010 nm\xC2\xB2");
    check_has(text, "<tr><td>pairs</td><td class=\"r\">3.00</td><td class=\"r\">75.0 %</td><td "
                    "class=\"r\">1</td></tr>\n<tr><td>kick</td>");
    check_has(text, "longer than 6.28 nm: 17.23\xC2\xA0\xC2\xB1\xC2\xA0"
                    "0.41\xC2\xA0kT.");
    check_has(text, "<figcaption>Radial distribution function.");
    check_has(text, "<figcaption>Order of the bonds");
    check_has(text, "<figcaption>Mean-square displacement");
    check_has(text, "<figcaption>Temperature of translation and of rotation");
    check_has_not(text, "failed to draw");
    check_has_not(text, "id=\"gp");
}

/* ---- by the program ---- */

#define JOB(output)                                                                                \
    "<amphi version=\"1\">\n<title>A &lt;i&gt; title</title>\n" WATERS_UP_TO_PLAN                  \
    "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"20\"/>"                              \
    "<run name=\"warm\" ensemble=\"nvt\" length=\"1 ps\"><thermostat temperature=\"298 K\"/>"      \
    "</run></plan>\n<output>" output "</output>\n<compute threads=\"1\"/>\n</amphi>\n"

static void a_run_ends_with_a_report_that_can_be_made_again(void **state)
{
    (void)state;
    static char first[sizeof page];
    const Run  *run;

    write_text("water.xml", JOB("<energies every=\"0.05 ps\"/><report snapshot=\"no\"/>"));
    check_code(amphi_form("run %s -o %s -q", in_folder("water.xml"), in_folder("water.run")), 0);
    memcpy(first, page_of("water.run"), strlen(page_of("water.run")) + 1);
    check_has(first, "<h1>A &lt;i&gt; title</h1>");
    check_has(first, "finished");
    check_has(first, "target 298 K");
    check_has(first, "Stage warm");
    check_has(first, "amphi run ");
    check_has(first, "&lt;fill type=&quot;water18&quot;");
    check_has(first, "SHA-256");
    check_has_not(first, "Snapshot");

    run = amphi_form("report %s", in_folder("water.run"));
    check_code(run, 0);
    check_has(run->out, "water.run/report.html\n");
    assert_string_equal(page_of("water.run"), first);

    run = amphi_form("report %s -o %s --json", in_folder("water.run"), in_folder("other.html"));
    check_code(run, 0);
    check_has(run->out, "{\"kind\":\"report\",\"file\":\"");
    check_has(run->out, "\"has_system\":true}");
    assert_true(exists(in_folder("other.html")));
}

static void a_report_says_why_it_has_no_system(void **state)
{
    (void)state;
    const Run *run;

    write_text("lost.xml", JOB("<energies every=\"0.05 ps\"/>"));
    check_code(
        amphi_form("run %s -o %s -q --no-report", in_folder("lost.xml"), in_folder("lost.run")), 0);
    write_text("lost.run/input/lost.xml", "<amphi version=\"1\">\n<forcefield/>\n<sytem/></amphi>");
    run = amphi_form("report %s", in_folder("lost.run"));
    check_code(run, 0);
    check_has(run->eye, "the system in input/ could not be read");
    check_has(run->eye, "lost.xml:1: <amphi>: the element <system> is missing");
    run = amphi_form("report %s --json", in_folder("lost.run"));
    check_code(run, 0);
    check_has(run->out, "lost.xml:1: ");
    check_has(run->out, "\"has_system\":false}");
}

static void a_report_is_left_out_when_it_is_not_wanted(void **state)
{
    (void)state;
    write_text("plain.xml", JOB("<energies every=\"0.05 ps\"/>"));
    check_code(
        amphi_form("run %s -o %s -q --no-report", in_folder("plain.xml"), in_folder("plain.run")),
        0);
    assert_false(exists(in_folder("plain.run/report.html")));
    assert_false(exists(in_folder("plain.run/energies.gp")));
    assert_true(exists(in_folder("plain.run/energy.tsv")));
}

static void a_snapshot_is_on_the_page_where_tachyon_is(void **state)
{
    (void)state;
    if (system("command -v tachyon >/dev/null 2>&1") != 0)
        SKIP("no tachyon (Debian: tachyon)");
    assert_true(exists(in_folder("plain.run"))); /* of a test before */
    check_code(amphi_form("report %s", in_folder("plain.run")), 0);
    const char *const text = page_of("plain.run");

    check_has(text, "src=\"data:image/png;base64,iVBOR");
    check_has(text, "From above: x to the right, y up.");
    check_has(text, "water18");
}

static void a_folder_that_is_no_run_is_refused(void **state)
{
    (void)state;
    const Run *run = amphi_form("report %s", in_folder("nothing.run"));

    check_code(run, 4);
    check_has(run->eye, "nothing.run: No such file or directory");
    run = amphi_form("report %s", in_folder(""));
    check_code(run, 4);
    check_has(run->eye, "not the folder of a run: it has no run.log");
}

/* The present folder is looked at when none is named. */
static void of_several_runs_one_must_be_named(void **state)
{
    (void)state;
    static Run run;
    char       program[AMPHI_PATH_SIZE], here[AMPHI_PATH_SIZE];

    assert_non_null(realpath(find_program(), program));
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(run_folder), 0);
    run_program(&run, program, "report", NULL, -1);
    assert_int_equal(chdir(here), 0);
    check_code(&run, 2);
    check_has(run.eye, "several runs here");
}

static int begin(void **state)
{
    arena = amphi_arena_new();
    return arena == NULL ? 1 : make_run_folder(state);
}

static int end(void **state)
{
    amphi_arena_free(arena);
    return remove_run_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slope_is_found_with_the_error_of_its_noise),
        cmocka_unit_test(few_lines_have_a_slope_without_an_error_and_two_have_none),
        cmocka_unit_test(stages_are_apart_and_an_incomplete_line_is_left_out),
        cmocka_unit_test(each_of_many_stages_has_its_own_mean),
        cmocka_unit_test(the_band_is_as_wide_as_students_distribution),
        cmocka_unit_test(the_last_beginning_of_a_log_counts_with_all_lines_of_its_error),
        cmocka_unit_test(the_end_of_a_long_log_is_read_too),
        cmocka_unit_test(a_status_is_read_and_what_it_has_not_is_not_known),
        cmocka_unit_test(a_table_is_read_by_names_and_lines_of_another_length_are_left_out),
        cmocka_unit_test(an_empty_folder_still_has_a_page),
        cmocka_unit_test(a_fault_is_shown_with_its_message),
        cmocka_unit_test(one_line_of_energies_is_enough_for_a_table),
        cmocka_unit_test(a_stage_ends_where_the_next_one_begins),
        cmocka_unit_test(missing_programs_are_named_with_their_packages),
        cmocka_unit_test(curves_are_drawn_where_gnuplot_is),
        cmocka_unit_test(a_run_ends_with_a_report_that_can_be_made_again),
        cmocka_unit_test(a_report_says_why_it_has_no_system),
        cmocka_unit_test(a_report_is_left_out_when_it_is_not_wanted),
        cmocka_unit_test(a_snapshot_is_on_the_page_where_tachyon_is),
        cmocka_unit_test(a_folder_that_is_no_run_is_refused),
        cmocka_unit_test(of_several_runs_one_must_be_named),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
