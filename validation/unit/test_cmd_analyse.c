/* `amphi analyse`: its tables are those that the run itself wrote at the same frames, as far as the
 * single precision of a DCD file allows; which frames and observers it takes. Its files, and those
 * that it reads, are in test_cmd_analyse_files.c.
 *
 * A coordinate x is stored in angstrom with a relative error of at most 2^-24, which is
 * e = 2^-24 X nm with X the largest coordinate. Edges of the box are stored in double. Bounds below
 * are multiples of e.
 */
#include <math.h>

#include "analyse_run.h"
#include "job_folder.h"
#include "watching.h"

/* ---- the tables ---- */

/* The largest difference in a column, after as many lines in both. */
static double difference(const char *table, const char *column)
{
    char          there[128];
    const int32_t n    = table_lines(run_of(table));
    double        most = 0;

    snprintf(there, sizeof there, "analysis/%s", table);
    assert_int_equal(table_lines(run_of(there)), n);
    assert_true(n > 0);
    for (int32_t k = 0; k < n; k++)
        most = fmax(most, fabs(table_value(run_of(table), column, k) -
                               table_value(run_of(there), column, k)));
    return most;
}

static double worst; /* of all differences, over their bounds */

static void check_below(const char *what, double value, double bound)
{
    worst = fmax(worst, value / bound);
    if (!(value <= bound))
        fail_msg("%s: %g, more than %g", what, value, bound);
}

static double mean_of(const char *path, const char *column, int32_t from, int32_t to)
{
    double sum = 0;

    for (int32_t k = from; k <= to; k++)
        sum += table_value(path, column, k) / (to - from + 1);
    return sum;
}

/* Molecules in one piece may stand out of the box by their length, 2 nm. */
static double error_of_coordinates(double *volume)
{
    const double area   = mean_of(run_of("area.tsv"), "box_area_nm2", 0, FRAMES - 1);
    const double lipid  = mean_of(run_of("area.tsv"), "volume_per_lipid_nm3", 0, FRAMES - 1);
    const double height = (LIPIDS * lipid + 0.030 * WATERS) / area;

    *volume = area * height;
    return ldexp(fmax(sqrt(area), height) + 2, -24);
}

/* How many beads stand in another slab, all frames together. */
static double moved_beads(double volume)
{
    const int32_t n   = table_lines(run_of("profile.tsv"));
    double        sum = 0;

    assert_int_equal(table_lines(run_of("analysis/profile.tsv")), n);
    for (int32_t k = 0; k < n; k++)
        sum += fabs(table_value(run_of("profile.tsv"), "number_nm3", k) -
                    table_value(run_of("analysis/profile.tsv"), "number_nm3", k));
    return 0.5 * sum * FRAMES * 0.05 * mean_of(run_of("area.tsv"), "box_area_nm2", 0, FRAMES - 1) *
           (volume > 0);
}

/* Pairs that stand in another shell, and all of them within 1 nm. */
static double moved_pairs(double volume, double *all)
{
    const int32_t n     = table_lines(run_of("rdf.tsv"));
    const double  pairs = (double)WATERS * (WATERS - 1);
    double        sum   = 0;

    *all = 0;
    assert_int_equal(table_lines(run_of("analysis/rdf.tsv")), n);
    for (int32_t k = 0; k < n; k++) {
        const double r     = table_value(run_of("rdf.tsv"), "r_nm", k);
        const double g     = table_value(run_of("rdf.tsv"), "g", k);
        const double count = 4 * 3.141592653589793 * r * r * 0.01 * pairs / volume * FRAMES;

        *all += g * count;
        sum += 0.5 * fabs(g - table_value(run_of("analysis/rdf.tsv"), "g", k)) * count;
    }
    return sum;
}

/* Beside that a machine without gnuplot has no picture. */
static void check_only_left_out(const char *eye)
{
    static const char left_out[]   = "<energies>: left out: frames of a trajectory lack energies; "
                                     "the run itself measures it\n";
    static const char no_picture[] = "no picture: the program gnuplot is missing; ";
    const char       *rest, *end;

    assert_true(strncmp(eye, left_out, strlen(left_out)) == 0);
    rest = eye + strlen(left_out);
    end  = strchr(rest, '\n');
    assert_true(*rest == '\0' || (strncmp(rest, no_picture, strlen(no_picture)) == 0 &&
                                  end != NULL && end[1] == '\0'));
}

static void tables_are_those_of_the_run(void **state)
{
    double       volume = 0, all = 0;
    const double e = error_of_coordinates(&volume);
    (void)state;

    const Run *const run = analyse("");
    check_code(run, 0);
    check_has(run->out, "frames       25, 0 to 2.35 ps\n");
    check_has(run->out, "area         0.");
    check_has(run->out, "thickness    3.");
    check_has(run->out, "/m.run/analysis/area.tsv\n");
    check_only_left_out(run->eye);
    /* edges are stored in double, and multiplied and divided by ten: 12 digits are the same */
    assert_true(is_same_text(run_of("area.tsv"), run_of("analysis/area.tsv")));
    assert_true(is_same_text(run_of("area-mean.tsv"), run_of("analysis/area-mean.tsv")));
    /* two means of coordinates; heights are from the middle, which is one more */
    check_below("thickness, nm", difference("thickness.tsv", "thickness_nm"), 2 * e);
    check_below("upper height, nm", difference("thickness.tsv", "upper_nm"), 2 * e);
    assert_true(difference("thickness.tsv", "step") < 0.5);
    /* 3 |cos| times the change of a unit vector, 2 sqrt(3) e over a bond of at least 0.3 nm */
    check_below("order", difference("order.tsv", "order"), 3 * 2 * sqrt(3.) * e / 0.3);
    /* paths are the difference of two coordinates, less a drift that is one, too: 4 e an axis */
    const double msd =
        table_value(run_of("diffusion.tsv"), "msd_nm2", table_lines(run_of("diffusion.tsv")) - 1);
    check_below("msd, nm^2", difference("diffusion.tsv", "msd_nm2"), 2 * sqrt(3 * msd) * 4 * e);
    assert_true(difference("diffusion.tsv", "windows") < 0.5);
    /* a bead counts in another slab if it is nearer to its border than the errors of coordinate and
     * middle, 2 e: so many are expected, and five standard deviations more allowed */
    const double beads = (double)BEADS * FRAMES * 2 * 2 * e / 0.05;
    check_below("beads in slabs", moved_beads(volume), beads + 5 * sqrt(beads) + 1);
    /* likewise pairs in shells, whose distance has an error of 2 sqrt(3) e */
    const double pairs = moved_pairs(volume, &all);
    check_below("pairs in shells", pairs, all * 2 * 2 * sqrt(3.) * e / 0.01);
    printf("note: analyse: tables differ from those of the run by at most %.2g of their bounds\n",
           worst);
}

static void the_checker_of_tables_sees_a_difference(void **state)
{
    static char text[RUN_MOST_BYTES];
    (void)state;

    check_code(analyse("--observe thickness"), 0);
    assert_true(difference("thickness.tsv", "thickness_nm") < 1e-5);
    read_into(run_of("analysis/thickness.tsv"), text);
    char *const last = strrchr(text, '\t'); /* of the last line: lower_nm */
    last[1]          = last[1] == '-' ? '+' : '-';
    write_text("m.run/analysis/thickness.tsv", text);
    assert_true(difference("thickness.tsv", "lower_nm") > 1);
    assert_false(is_same_text(run_of("thickness.tsv"), run_of("analysis/thickness.tsv")));
}

/* ---- which frames ---- */

static void times_and_every_choose_frames(void **state)
{
    const char *const area = "area_per_lipid_nm2";
    (void)state;

    /* of measure, which begins at 0.35 ps: 0.55 to 1.05 ps are its frames 2 to 7 */
    check_code(analyse("--observe area --from 0.55ps --to 1.05ps"), 0);
    assert_int_equal(table_lines(run_of("analysis/area.tsv")), 6);
    for (int32_t k = 0; k < 6; k++) {
        const int32_t at = WARM_FRAMES + 2 + k;

        assert_true(fabs(table_value(run_of("analysis/area.tsv"), area, k) -
                         table_value(run_of("area.tsv"), area, at)) < 1e-11);
        assert_true(fabs(table_value(run_of("analysis/area.tsv"), "step", k) -
                         table_value(run_of("area.tsv"), "step", at)) < 0.5);
    }
    assert_true(fabs(table_value(run_of("analysis/area-mean.tsv"), "mean", 0) -
                     mean_of(run_of("area.tsv"), area, WARM_FRAMES + 2, WARM_FRAMES + 7)) < 1e-9);

    /* of each stage: 0 and 0.2 ps of warm, 11 of measure */
    check_code(analyse("--observe area,order --every 2"), 0);
    assert_int_equal(table_lines(run_of("analysis/area.tsv")), 2 + 11);
    assert_true(fabs(table_value(run_of("analysis/area.tsv"), "time_ps", 1) - 0.2) < 1e-9);
    assert_true(fabs(table_value(run_of("analysis/area.tsv"), "time_ps", 2) - 0.35) < 1e-9);
    assert_true(fabs(table_note(run_of("analysis/order.tsv"), "frames:") - 11) < 0.5);

    static char text[RUN_MOST_BYTES];
    read_into(run_of("analysis/area.tsv"), text);
    check_has(text, ", trajectory.dcd: 13 of the frames 0 to 24, 0 to 2.35 ps\n");
    read_into(run_of("analysis/order.tsv"), text); /* which begins with measure */
    check_has(text, ", trajectory.dcd: 11 of the frames 4 to 24, 0.35 to 2.35 ps\n");
}

static void frames_that_are_not_there_are_refused(void **state)
{
    (void)state;
    check_code(analyse("--from 3ps"), 3);
    check_has(analyse("--from 3ps")->eye, "wanted were those from 3 ps on, of stages from warm on");
    check_has(analyse("--observe order --to 0.2ps")->eye,
              "none of 25 frames is left: they go from 0 ps in stage warm to 2.35 ps");
    check_code(analyse("--from 20"), 2);
    check_has(analyse("--from 20")->eye, "write: --from 20ns");
    check_code(analyse("--from 2ps --to 1ps"), 2);
    check_code(analyse("--every 0"), 2);
    check_code(analyse("--every 26"), 3);
    /* what is measured from a later stage is left out, the rest is not */
    const Run *const run = analyse("--to 0.2ps --json");
    check_code(run, 0);
    check_has(run->out, "<order>: left out: no frame of the stages from measure on");
    check_has(run->out, "\"frames\":3,\"first_ps\":0,");
}

/* Of the run's own observers, thickness, order and diffusion begin with measure, at 0.35 ps: frames
 * 0 to 3 are of warm. */
static void a_first_time_counts_instead_of_a_first_stage(void **state)
{
    const Run *run = analyse("--from 0.2ps");
    (void)state;

    check_code(run, 0);
    check_has(run->out, "frames       23, 0.2 to 2.35 ps\n");
    check_has(run->eye, "frames from 0.2 ps on, as --from says; from=\"...\" does not count of "
                        "<thickness> <order> <diffusion>\n");
    assert_int_equal(table_lines(run_of("analysis/thickness.tsv")), FRAMES - 2);
    assert_true(fabs(table_value(run_of("analysis/thickness.tsv"), "time_ps", 0) - 0.2) < 1e-9);
    assert_int_equal((int)table_note(run_of("analysis/order.tsv"), "frames:"), FRAMES - 2);
    assert_int_equal((int)table_note(run_of("analysis/diffusion.tsv"), "frames:"), FRAMES - 2);
    assert_int_equal((int)table_note(run_of("analysis/profile.tsv"), "frames:"), FRAMES - 2);
    /* likewise of a file */
    run = amphi_form("analyse %s --from 0.2ps --observe %s", in_folder("m.run"),
                     write_text("later.xml", "<output><area from=\"measure\"/></output>\n"));
    check_code(run, 0);
    assert_int_equal(table_lines(run_of("analysis/area.tsv")), FRAMES - 2);
    /* a time that is no earlier changes nothing and needs no word */
    run = analyse("--from 1ps");
    check_code(run, 0);
    assert_null(strstr(run->eye, "--from"));
    assert_int_equal(table_lines(run_of("analysis/thickness.tsv")), 14);
    /* without one a stage is kept to */
    run = analyse("--observe order --to 0.2ps");
    check_code(run, 3);
    check_has(run->eye, "of stages from measure on; --from 0ps takes those of earlier ones\n");
    check_code(analyse("--observe order --from 0ps --to 0.2ps"), 0);
    assert_int_equal((int)table_note(run_of("analysis/order.tsv"), "frames:"), 3);
}

/* ---- what is observed ---- */

static void what_frames_lack_is_left_out_by_name(void **state)
{
    static const char lack[]    = "<energies>: left out: frames of a trajectory lack energies; the "
                                  "run itself measures it\n";
    static const char nothing[] = "amphi: error: --observe asks for nothing that frames have\n"
                                  "    write: --observe area,order or --observe FILE.xml\n";
    const Run        *run       = analyse("--observe area,energies");
    (void)state;

    check_code(run, 0);
    check_has(run->eye, lack);
    assert_int_equal(table_lines(run_of("analysis/area.tsv")), FRAMES);
    run = analyse("--observe energies");
    check_code(run, 3);
    assert_true(strncmp(run->eye, lack, strlen(lack)) == 0);
    assert_string_equal(run->eye + strlen(lack), nothing);
    run = analyse("--observe trajectory");
    check_code(run, 3);
    check_has(run->eye, "<trajectory>: left out: frames of a trajectory lack the velocities");
    run = analyse("--observe area,ordr");
    check_code(run, 2);
    check_has(run->eye, "did you mean order?");
    check_code(analyse("--observe ,"), 2);
}

/* Frames have no orientations: of the densities only the one of dipoles goes. */
static void densities_that_frames_have_are_measured_without_the_others(void **state)
{
    static char       text[RUN_MOST_BYTES];
    const char *const file = write_text(
        "dipole.xml", "<output>\n<area/>\n<energies/>\n"
                      "<profile of=\"mass dipole number\" centre=\"lipids\"/>\n</output>\n");
    const Run *run = amphi_form("analyse %s --observe %s", in_folder("m.run"), file);
    (void)state;

    check_code(run, 0);
    check_has(run->eye, "dipole.xml:4: <profile>: dipole left out: frames of a trajectory lack the "
                        "orientations");
    check_has(run->eye, "dipole.xml:3: <energies>: left out: frames");
    read_into(run_of("analysis/profile.tsv"), text);
    check_has(text, "\nz_nm\tmass_g_cm3\tmass_error\tnumber_nm3\tnumber_error\n");
    assert_int_equal(table_lines(run_of("analysis/profile.tsv")),
                     table_lines(run_of("profile.tsv")));
    assert_int_equal(table_lines(run_of("analysis/area.tsv")), FRAMES);
    run = amphi_form("analyse %s --observe %s", in_folder("m.run"),
                     write_text("alone.xml", "<output><profile of=\"dipole\"/><area/></output>\n"));
    check_code(run, 0);
    check_has(run->eye, "alone.xml:1: <profile>: left out: frames of a trajectory lack the");

    /* and by a run's own outputs */
    write_text("own.xml", MEMBRANE(ELBA, "<trajectory every=\"0.1 ps\"/>"
                                         "<profile every=\"0.1 ps\" of=\"dipole charge\"/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.2ps", in_folder("own.xml"),
                          in_folder("own.run")),
               0);
    run = amphi_form("analyse %s", in_folder("own.run"));
    check_code(run, 0);
    check_has(run->eye, "<profile>: dipole left out: frames");
    read_into(in_folder("own.run/analysis/profile.tsv"), text);
    check_has(text, "\nz_nm\tcharge_e_nm3\tcharge_error\n");
}

/* Several in a file, and all of them where the run has several; groups are those of the run. */
static void several_of_a_kind_are_observed(void **state)
{
    const char *const good =
        write_text("several.xml", "<output>\n<rdf beads=\"phos chol\" extent=\"1 nm\"/>\n"
                                  "<rdf name=\"tails\" beads=\"tail tail\" extent=\"1 nm\"/>\n"
                                  "<profile/>\n<profile group=\"lipids\"/>\n</output>\n");
    const Run *run =
        amphi_form("analyse %s --observe %s -o %s", in_folder("m.run"), good, in_folder("several"));
    (void)state;

    check_code(run, 0);
    check_has(run->out, "several/profile-lipids.tsv\n");
    check_has(run->out, "several/rdf-tails.tsv\n");
    assert_true(table_lines(in_folder("several/rdf.tsv")) > 0);
    assert_true(table_lines(in_folder("several/profile-lipids.tsv")) > 0);
    assert_true(table_value(in_folder("several/profile.tsv"), "mass_g_cm3", 2) >
                table_value(in_folder("several/profile-lipids.tsv"), "mass_g_cm3", 2));
    run = amphi_form(
        "analyse %s --observe %s", in_folder("m.run"),
        write_text("twice.xml", "<output>\n<profile/>\n<profile of=\"number\"/>\n</output>\n"));
    check_code(run, 3);
    check_has(run->eye, "twice.xml:3: error: <profile>: a second one that writes profile.tsv");

    write_text("groups.xml", MEMBRANE(ELBA, "<trajectory every=\"0.1 ps\"/>"
                                            "<profile every=\"0.1 ps\"/>"
                                            "<profile every=\"0.1 ps\" group=\"lipids\"/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.2ps", in_folder("groups.xml"),
                          in_folder("groups.run")),
               0);
    check_code(amphi_form("analyse %s --observe profile", in_folder("groups.run")), 0);
    assert_true(table_lines(in_folder("groups.run/analysis/profile.tsv")) > 0);
    assert_true(table_lines(in_folder("groups.run/analysis/profile-lipids.tsv")) > 0);
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.2ps --fresh --yes",
                          in_folder("groups.xml"), in_folder("groups.run")),
               0);
    assert_int_equal(access(in_folder("groups.run/analysis"), F_OK), -1);
}

static void a_file_says_what_to_observe(void **state)
{
    static char       text[RUN_MOST_BYTES];
    const char *const good = write_text(
        "good.xml", "<output>\n<rdf beads=\"phos chol\" width=\"0.1 nm\" extent=\"1 nm\"/>\n"
                    "<profile from=\"measure\" width=\"0.2 nm\"/>\n</output>\n");
    const Run *run =
        amphi_form("analyse %s --observe %s -o %s", in_folder("m.run"), good, in_folder("asked"));
    (void)state;

    check_code(run, 0);
    assert_int_equal(table_lines(in_folder("asked/rdf.tsv")), 10);
    assert_true(fabs(table_value(in_folder("asked/profile.tsv"), "z_nm", 1) -
                     table_value(in_folder("asked/profile.tsv"), "z_nm", 0) - 0.2) < 1e-6);
    assert_true(fabs(table_note(in_folder("asked/profile.tsv"), "frames:") - MEASURE_FRAMES) < 0.5);
    read_into(in_folder("asked/rdf.tsv"), text);
    check_has(text, "# beads: phos chol\n");
    assert_false(exists(in_folder("asked/area.tsv")));

    run = amphi_form("analyse %s --observe %s", in_folder("m.run"),
                     write_text("empty.xml", "<output/>"));
    check_code(run, 3);
    check_has(run->eye, "--observe asks for nothing that frames have");

    const char *const bad =
        write_text("bad.xml", "<output>\n<rdf beads=\"phos chl\"/>\n<order width=\"1 nm\"/>\n"
                              "</output>\n");
    run = amphi_form("analyse %s --observe %s", in_folder("m.run"), bad);
    check_code(run, 3);
    check_has(run->eye, "bad.xml:2: error: <rdf beads=\"phos chl\">: no bead type of that name");
    check_has(run->eye, "did you mean \"chol\"?");
    check_has(run->eye, "bad.xml:3: error: <order");
    check_has(run->eye, "2 errors");
}

/* Frames are 0.1 ps apart; 0.4 ps are 4 of them, and in warm only its first. The interval of the
 * second element is none of theirs. */
static void an_interval_in_a_file_is_kept_or_told(void **state)
{
    char file[AMPHI_PATH_SIZE];

    snprintf(file, sizeof file, "%s",
             write_text("every.xml",
                        "<output>\n<area every=\"0.4 ps\"/>\n<order every=\"0.25 ps\"/>\n"
                        "<thickness every=\"0.2 ps\" from=\"measure\"/>\n</output>\n"));
    const Run *run =
        amphi_form("analyse %s --observe %s -o %s", in_folder("m.run"), file, in_folder("own"));
    (void)state;

    check_code(run, 0);
    check_has(run->eye, "every.xml:3: <order>: its every is no multiple of the interval of the "
                        "frames, and is left out: each of them counts\n");
    assert_null(strstr(run->eye, "<area>"));
    assert_int_equal(table_lines(in_folder("own/area.tsv")), 1 + 6);
    for (int32_t k = 1; k < 7; k++)
        assert_true(fabs(table_value(in_folder("own/area.tsv"), "time_ps", k) - 0.35 -
                         0.4 * (k - 1)) < 1e-9);
    assert_int_equal(table_lines(in_folder("own/thickness.tsv")), 11);
    assert_int_equal((int)table_note(in_folder("own/order.tsv"), "frames:"), FRAMES);

    /* of every second frame, 0.4 ps are 2 */
    run = amphi_form("analyse %s --observe %s -o %s --every 2", in_folder("m.run"), file,
                     in_folder("own"));
    check_code(run, 0);
    assert_int_equal(table_lines(in_folder("own/area.tsv")), 1 + 6);
    assert_int_equal((int)table_note(in_folder("own/order.tsv"), "frames:"), 2 + 11);
    /* and of every third none */
    run = amphi_form("analyse %s --observe %s -o %s --every 3", in_folder("m.run"), file,
                     in_folder("own"));
    check_has(run->eye, "every.xml:2: <area>: its every is no multiple");
}

static void names_alone_take_the_defaults(void **state)
{
    (void)state;
    write_text("few.xml", MEMBRANE(ELBA, "<trajectory every=\"0.1 ps\"/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.2ps", in_folder("few.xml"),
                          in_folder("few.run")),
               0);
    const Run *run = amphi_form("analyse %s", in_folder("few.run"));
    check_code(run, 3);
    check_has(run->eye,
              "<output> asks for nothing that frames have\n    write: --observe area,order");

    run = amphi_form("analyse %s --observe profile,area", in_folder("few.run"));
    check_code(run, 0);
    assert_true(table_lines(in_folder("few.run/analysis/profile.tsv")) > 50);
    assert_int_equal(table_lines(in_folder("few.run/analysis/area.tsv")), 3);

    /* what needs attributes takes nothing else with it */
    run = amphi_form("analyse %s --observe rdf,thickness -o %s", in_folder("few.run"),
                     in_folder("few.out"));
    check_code(run, 0);
    check_has(run->eye,
              "<rdf>: left out: needs attributes, and this run has no <rdf> of its own\n");
    check_has(run->eye, "write: --observe FILE.xml");
    assert_int_equal(table_lines(in_folder("few.out/thickness.tsv")), 3);
    assert_false(exists(in_folder("few.out/rdf.tsv")));
    run = amphi_form("analyse %s --observe rdf", in_folder("few.run"));
    check_code(run, 3);
    check_has(run->eye, "error: <rdf>: needs attributes, and this run has no <rdf> of its own\n"
                        "    write: --observe FILE.xml, and <output> in that file");
}

/* ---- a minimisation between two stages ---- */

/* With a second minimisation in MEMBRANE, of five steps or less. */
static void write_parted(const char *format, const char *stop_force)
{
    char outputs[160], again[160];

    snprintf(outputs, sizeof outputs,
             "<trajectory every=\"0.05 ps\" format=\"%s\"/><area every=\"0.05 ps\"/></output>",
             format);
    snprintf(again, sizeof again,
             "<minimise name=\"again\" steps=\"5\" stop-force=\"%s\"/><run name=\"measure\"",
             stop_force);
    char *const parted = replaced(MEMBRANE(ELBA, ""), "<run name=\"measure\"", again);
    char *const text   = replaced(parted, "</output>", outputs);

    write_text("two.xml", text);
    free(parted);
    free(text);
}

/* An XTC file has boxes in single precision. */
static void check_same_lines(const char *own, const char *there, int32_t n)
{
    static const char *const column[] = { "step", "time_ps", "box_area_nm2" };

    assert_int_equal(table_lines(own), n);
    assert_int_equal(table_lines(there), n);
    for (int32_t k = 0; k < n; k++)
        for (int c = 0; c < 3; c++)
            assert_true(fabs(table_value(own, column[c], k) - table_value(there, column[c], k)) <
                        1e-5);
}

/* Before it and behind it there is a frame of one time, and of one step where it made none. Stopped
 * in the first stage, at its end, and behind it. */
static void frames_before_and_behind_a_minimisation_are_told_apart(void **state)
{
    static const char *const until[]  = { "0.2ps", "0.35ps", "0.4ps", "0.6ps" };
    static const int32_t     frames[] = { 5, 8, 10, 14 };
    static const char *const format[] = { "dcd", "xtc" };
    static const char *const force[]  = { "1 kJ/mol/nm", "1e9 kJ/mol/nm" };
    (void)state;

    for (int k = 0; k < 4; k++) {
        char folder[16], own[64], there[64];

        write_parted(format[k % 2], force[k / 2]);
        snprintf(folder, sizeof folder, "two%d.run", k);
        snprintf(own, sizeof own, "%s/area.tsv", folder);
        snprintf(there, sizeof there, "%s/analysis/area.tsv", folder);
        for (size_t u = 0; u < sizeof until / sizeof *until; u++) {
            check_code(amphi_form("run %s -o %s -q --no-report --until %s", in_folder("two.xml"),
                                  in_folder(folder), until[u]),
                       0);
            check_code(amphi_form("analyse %s", in_folder(folder)), 0);
            check_same_lines(in_folder(own), in_folder(there), frames[u]);
        }
        assert_true(fabs(table_value(in_folder(own), "time_ps", 7) - 0.35) < 1e-9);
        assert_true(fabs(table_value(in_folder(own), "time_ps", 8) - 0.35) < 1e-9);
        assert_true(fabs(table_value(in_folder(own), "step", 8) -
                         table_value(in_folder(own), "step", 7) - (k < 2 ? 5 : 0)) < 0.5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_those_of_the_run),
        cmocka_unit_test(the_checker_of_tables_sees_a_difference),
        cmocka_unit_test(times_and_every_choose_frames),
        cmocka_unit_test(frames_that_are_not_there_are_refused),
        cmocka_unit_test(a_first_time_counts_instead_of_a_first_stage),
        cmocka_unit_test(what_frames_lack_is_left_out_by_name),
        cmocka_unit_test(densities_that_frames_have_are_measured_without_the_others),
        cmocka_unit_test(several_of_a_kind_are_observed),
        cmocka_unit_test(a_file_says_what_to_observe),
        cmocka_unit_test(an_interval_in_a_file_is_kept_or_told),
        cmocka_unit_test(names_alone_take_the_defaults),
        cmocka_unit_test(frames_before_and_behind_a_minimisation_are_told_apart),
    };

    return cmocka_run_group_tests(tests, make_run, remove_run_folder);
}
