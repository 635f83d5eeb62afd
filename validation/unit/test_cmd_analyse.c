/* `amphi analyse`: its tables are those that the run itself wrote at the same frames, as far as the
 * single precision of a DCD file allows; which frames and observers it takes; what it refuses; and
 * that it leaves the run as it was.
 *
 * A coordinate x is stored in angstrom with a relative error of at most 2^-24, which is
 * e = 2^-24 X nm with X the largest coordinate. Edges of the box are stored in double. Bounds below
 * are multiples of e.
 */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <time.h>

#include "run_amphi.h"
#include "watching.h"

#define OUTPUTS(trajectory)                                                                        \
    "<energies every=\"0.5 ps\"/>\n"                                                               \
    "<trajectory every=\"" trajectory "\"/>\n"                                                     \
    "<profile every=\"0.1 ps\" centre=\"lipids\" of=\"mass number\"/>\n"                           \
    "<area every=\"0.1 ps\"/>\n"                                                                   \
    "<thickness every=\"0.1 ps\" from=\"measure\"/>\n"                                             \
    "<order every=\"0.1 ps\" from=\"measure\"/>\n"                                                 \
    "<rdf every=\"0.1 ps\" beads=\"water water\" extent=\"1 nm\"/>\n"                              \
    "<diffusion every=\"0.1 ps\" from=\"measure\"/>\n"

/* The minimisation ends before its last step, so that steps are not those of the plan. */
#define MEMBRANE(include, outputs)                                                                 \
    "<amphi version=\"1\">\n"                                                                      \
    "<forcefield><include href=\"" include "\"/></forcefield>\n"                                   \
    "<system><start>\n"                                                                            \
    "<bilayer water-per-lipid=\"20\" seed=\"1\">"                                                  \
    "<leaflet side=\"upper\"><lipid type=\"DMPC\" count=\"12\"/></leaflet>"                        \
    "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"12\"/></leaflet>"                        \
    "</bilayer>\n"                                                                                 \
    "<velocities temperature=\"303 K\" seed=\"1\"/></start>\n"                                     \
    "<group name=\"lipids\" select=\"kind lipid\"/></system>\n"                                    \
    "<plan timestep=\"10 fs\">\n"                                                                  \
    "<minimise name=\"relax\" steps=\"200\" stop-force=\"3000 kJ/mol/nm\"/>\n"                     \
    "<run name=\"warm\" ensemble=\"nvt\" length=\"0.35 ps\" timestep=\"5 fs\">"                    \
    "<thermostat temperature=\"303 K\"/></run>\n"                                                  \
    "<run name=\"measure\" ensemble=\"npt\" length=\"2 ps\">"                                      \
    "<thermostat temperature=\"303 K\"/>"                                                          \
    "<barostat coupling=\"semi-isotropic\" pressure=\"1 bar\" time=\"0.5 ps\"/></run></plan>\n"    \
    "<output>" outputs "</output>\n<compute threads=\"1\"/>\n</amphi>\n"
#define ELBA "forcefield:elba"

enum { WARM_FRAMES = 4, MEASURE_FRAMES = 21, FRAMES = WARM_FRAMES + MEASURE_FRAMES };
enum { LIPIDS = 24, WATERS = 20 * LIPIDS, BEADS = 13 * LIPIDS + WATERS };

static int set_up(void **state)
{
    if (make_run_folder(state) != 0)
        return 1;
    write_text("m.xml", MEMBRANE(ELBA, OUTPUTS("0.1 ps")));
    return amphi_form("run %s -o %s -q --no-report", in_folder("m.xml"), in_folder("m.run"))->code;
}

static const char *run_of(const char *name)
{
    static char path[4][RUN_PATH];
    static int  which = 0;

    which = (which + 1) % 4;
    snprintf(path[which], RUN_PATH, "m.run/%s", name);
    return in_folder(path[which]);
}

static const Run *analyse(const char *words)
{
    return amphi_form("analyse %s %s", in_folder("m.run"), words);
}

/* ---- the tables ---- */

/* Everything behind the first line, which says what was read. */
static const char *body_of(const char *path, char *bytes)
{
    read_into(path, bytes);
    assert_non_null(strchr(bytes, '\n'));
    return strchr(bytes, '\n');
}

static bool is_same_text(const char *one, const char *other)
{
    static char a[RUN_MOST_BYTES], b[RUN_MOST_BYTES];

    return strcmp(body_of(one, a), body_of(other, b)) == 0;
}

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

static void check_below(const char *what, double value, double bound)
{
    printf("note: analyse: %s differs by %.2g, bound %.2g\n", what, value, bound);
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
    assert_string_equal(run->eye, "<energies>: left out: frames of a trajectory lack energies; the "
                                  "run itself measures it\n");
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
    check_has(text, ", trajectory.dcd: frames 0 to 24 by 2, 0 to 2.35 ps\n");
}

static void frames_that_are_not_there_are_refused(void **state)
{
    (void)state;
    check_code(analyse("--from 3ps"), 3);
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

/* ---- what is observed ---- */

static void what_frames_lack_is_refused_by_name(void **state)
{
    const char *const file = write_text("dipole.xml", "<output>\n<area/>\n"
                                                      "<profile of=\"mass dipole\"/>\n</output>\n");
    const Run        *run  = analyse("--observe area,energies");
    (void)state;

    check_code(run, 3);
    assert_string_equal(run->eye, "amphi: error: <energies>: frames of a trajectory lack energies; "
                                  "the run itself measures it\n");
    check_code(analyse("--observe trajectory"), 3);
    run = amphi_form("analyse %s --observe %s", in_folder("m.run"), file);
    check_code(run, 3);
    check_has(run->eye, "dipole.xml:3: <profile>: frames of a trajectory lack the orientations");
    run = analyse("--observe area,ordr");
    check_code(run, 2);
    check_has(run->eye, "did you mean order?");
    check_code(analyse("--observe ,"), 2);
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

static void names_alone_take_the_defaults(void **state)
{
    (void)state;
    write_text("few.xml", MEMBRANE(ELBA, "<trajectory every=\"0.1 ps\"/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.2ps", in_folder("few.xml"),
                          in_folder("few.run")),
               0);
    const Run *run = amphi_form("analyse %s", in_folder("few.run"));
    check_code(run, 3);
    check_has(run->eye, "measures nothing that frames have\n    write: --observe area,order");

    run = amphi_form("analyse %s --observe profile,area", in_folder("few.run"));
    check_code(run, 0);
    assert_true(table_lines(in_folder("few.run/analysis/profile.tsv")) > 50);
    assert_int_equal(table_lines(in_folder("few.run/analysis/area.tsv")), 3);

    run = amphi_form("analyse %s --observe rdf", in_folder("few.run"));
    check_code(run, 3);
    check_has(run->eye, "<rdf>: the attribute beads is missing");
    check_has(run->eye, "write: --observe FILE.xml");
}

/* ---- the folder of the run ---- */

/* Names, sizes, times of the last change and sums of the bytes of all files, but those of
 * analysis/. */
static void describe(const char *dir, char *text, size_t size)
{
    struct dirent **entry = NULL;
    const int       n     = scandir(dir, &entry, NULL, alphasort);

    for (int k = 0; k < n; k++) {
        char        path[RUN_PATH];
        struct stat about;

        snprintf(path, sizeof path, "%s/%s", dir, entry[k]->d_name);
        assert_int_equal(lstat(path, &about), 0);
        if (S_ISREG(about.st_mode)) {
            FILE *const  in  = fopen(path, "rb");
            uint64_t     sum = 0;
            const size_t at  = strlen(text);

            assert_non_null(in);
            for (int c; (c = fgetc(in)) != EOF;)
                sum = 31 * sum + (uint64_t)c;
            fclose(in);
            snprintf(text + at, size - at, "%s %lld %lld.%09ld %llx\n", path,
                     (long long)about.st_size, (long long)about.st_mtim.tv_sec,
                     about.st_mtim.tv_nsec, (unsigned long long)sum);
        }
        free(entry[k]);
    }
    free(entry);
    assert_true(n > 2);
}

static void files_of_the_run_and_of_others_stay_as_they_are(void **state)
{
    static char before[1 << 16], after[1 << 16], text[RUN_MOST_BYTES];
    (void)state;

    check_code(analyse("--observe area"), 0);
    write_text("m.run/analysis/mine.txt", "mine\n");
    check_code(amphi_form("analyse %s -q", in_folder("m.run")), 0);
    read_into(run_of("analysis/mine.txt"), text);
    assert_string_equal(text, "mine\n");
    assert_false(exists(run_of("analysis/unfinished")));
    assert_false(exists(run_of("analysis/energy.tsv")));

    before[0] = after[0] = '\0';
    describe(in_folder("m.run"), before, sizeof before);
    describe(in_folder("m.run/input"), before, sizeof before);
    check_code(analyse("--observe area,rdf --every 3"), 0);
    check_code(analyse("--observe energies"), 3);
    describe(in_folder("m.run"), after, sizeof after);
    describe(in_folder("m.run/input"), after, sizeof after);
    check_has(before, "/trajectory.dcd ");
    check_has(before, "/run.chk ");
    assert_string_equal(before, after);

    const Run *const run = amphi_form("analyse %s -o %s", in_folder("m.run"), in_folder("m.run"));
    check_code(run, 2);
    check_has(run->eye, "the folder of a run, whose own tables have the same names");
}

/* ---- trajectories with faults ---- */

/* A copy of the run with so many bytes of its trajectory. */
static void copy_run(const char *name, long n_bytes)
{
    static const char *const files[] = { "run.log",          "run.chk",     "trajectory.dcd",
                                         "input/SHA256SUMS", "input/m.xml", "input/elba.xml" };
    char                     path[256];

    mkdir(in_folder(name), 0777);
    snprintf(path, sizeof path, "%s/input", name);
    mkdir(in_folder(path), 0777);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        snprintf(path, sizeof path, "%s/%s", name, files[k]);
        FILE *const in = fopen(run_of(files[k]), "rb"), *const out = fopen(in_folder(path), "wb");
        const bool is_cut = strcmp(files[k], "trajectory.dcd") == 0 && n_bytes >= 0;

        assert_non_null(in);
        assert_non_null(out);
        for (long n = 0, c; (!is_cut || n < n_bytes) && (c = fgetc(in)) != EOF; n++)
            fputc((int)c, out);
        fclose(in);
        assert_int_equal(fclose(out), 0);
    }
}

static long size_of(const char *path)
{
    struct stat about;

    assert_int_equal(stat(path, &about), 0);
    return (long)about.st_size;
}

static void a_cut_frame_is_left_out_and_told(void **state)
{
    (void)state;
    copy_run("cut.run", size_of(run_of("trajectory.dcd")) - 5);
    const Run *const run = amphi_form("analyse %s --observe area", in_folder("cut.run"));
    check_code(run, 0);
    check_has(run->eye, "cut.run/trajectory.dcd: behind its 24 whole frames are ");
    assert_int_equal(table_lines(in_folder("cut.run/analysis/area.tsv")), FRAMES - 1);
}

static void check_fault(const char *name, int code, const char *told)
{
    const Run *const run = amphi_form("analyse %s --observe area", in_folder(name));
    char             path[256];

    check_code(run, code);
    check_has(run->eye, told);
    snprintf(path, sizeof path, "%s/analysis", name);
    assert_false(exists(in_folder(path)));
}

static void damaged_and_missing_files_are_refused(void **state)
{
    static const unsigned char wrong[4] = { 1, 2, 3, 4 };
    (void)state;

    copy_run("none.run", 0);
    check_fault("none.run", 4, "none.run/trajectory.dcd: ");
    unlink(in_folder("none.run/trajectory.dcd"));
    check_fault("none.run", 4, "trajectory.dcd: No such file or directory");
    unlink(in_folder("none.run/input/SHA256SUMS"));
    check_fault("none.run", 4, "none.run/input: no copy of the system that was run");
    check_code(amphi_form("analyse %s", in_folder("nowhere.run")), 4);
    check_has(amphi_form("analyse %s", in_folder("none.run/input"))->eye,
              "not the folder of a run: it has no run.log");

    /* the length in front of the last record of x */
    copy_run("bad.run", -1);
    FILE *const file = fopen(in_folder("bad.run/trajectory.dcd"), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -3 * (4 * BEADS + 8), SEEK_END), 0);
    assert_int_equal(fwrite(wrong, 1, sizeof wrong, file), sizeof wrong);
    assert_int_equal(fclose(file), 0);
    check_fault("bad.run", 4, "bad.run/trajectory.dcd: ");
}

static void a_trajectory_of_something_else_is_refused(void **state)
{
    static char text[RUN_MOST_BYTES];
    (void)state;

    copy_run("other.run", -1);
    read_into(in_folder("other.run/input/m.xml"), text);
    for (char *at; (at = strstr(text, "water-per-lipid=\"20\"")) != NULL;)
        memcpy(at, "water-per-lipid=\"21\"", strlen("water-per-lipid=\"20\""));
    write_text("other.run/input/m.xml", text);
    check_fault("other.run", 3, "frames of 792 beads, and the system in input/ has 816");
    check_fault("other.run", 3, "the system is read from other files than those of the run");

    write_text("group.xml",
               MEMBRANE(ELBA, "<trajectory every=\"0.1 ps\" group=\"lipids\"/><area/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.2ps", in_folder("group.xml"),
                          in_folder("group.run")),
               0);
    check_fault("group.run", 3, "only the beads of the group lipids");
    write_text("no.xml", MEMBRANE(ELBA, "<area/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.1ps", in_folder("no.xml"),
                          in_folder("no.run")),
               0);
    check_fault("no.run", 3, "the run has no <trajectory>");
}

/* ---- stages ---- */

/* Stopped in the first stage, at its end, in the second and behind it, where step and time of each
 * frame are those of the run's own table. */
static void frames_have_the_steps_and_times_of_the_run(void **state)
{
    static const char *const until[] = { "0.2ps", "0.35ps", "0.6ps", "2.35ps", "2.7ps" };
    (void)state;

    write_text("s.xml", MEMBRANE(ELBA, "<trajectory every=\"0.05 ps\"/><area every=\"0.05 ps\"/>"));
    for (size_t k = 0; k < sizeof until / sizeof *until; k++) {
        check_code(amphi_form("run %s -o %s -q --no-report --until %s", in_folder("s.xml"),
                              in_folder("s.run"), until[k]),
                   0);
        check_code(amphi_form("analyse %s", in_folder("s.run")), 0);
        if (!is_same_text(in_folder("s.run/area.tsv"), in_folder("s.run/analysis/area.tsv")))
            fail_msg("other steps or times until %s", until[k]);
    }
    /* the minimisation did end early, or this shows little */
    const double last = table_value(in_folder("s.run/area.tsv"), "step",
                                    table_lines(in_folder("s.run/area.tsv")) - 1);
    assert_true(last < 200 + 70 + 235);
}

/* The checkpoint before the last is that of the end of the minimisation. */
static void an_older_checkpoint_gives_the_same_steps(void **state)
{
    (void)state;
    write_text("o.xml", MEMBRANE(ELBA, "<trajectory every=\"0.05 ps\"/><area every=\"0.05 ps\"/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.2ps", in_folder("o.xml"),
                          in_folder("o.run")),
               0);
    assert_int_equal(unlink(in_folder("o.run/run.chk")), 0);
    check_code(amphi_form("analyse %s", in_folder("o.run")), 0);
    assert_true(is_same_text(in_folder("o.run/area.tsv"), in_folder("o.run/analysis/area.tsv")));

    /* without any, a minimisation counts with all of its steps */
    assert_int_equal(unlink(in_folder("o.run/run.chk.prev")), 0);
    const Run *const run = amphi_form("analyse %s", in_folder("o.run"));
    check_code(run, 0);
    check_has(run->eye,
              "there is no checkpoint of this run: stages and times are those of the plan");
    assert_true(fabs(table_value(in_folder("o.run/analysis/area.tsv"), "step", 0) - 200) < 0.5);
    assert_true(fabs(table_value(in_folder("o.run/analysis/area.tsv"), "time_ps", 1) - 0.05) <
                1e-9);
}

static void a_changed_interval_leaves_no_times(void **state)
{
    (void)state;
    write_text("i.xml", MEMBRANE(ELBA, "<trajectory every=\"0.05 ps\"/><area/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.2ps", in_folder("i.xml"),
                          in_folder("i.run")),
               0);
    write_text("i.xml", MEMBRANE(ELBA, "<trajectory every=\"0.1 ps\"/><area/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.5ps", in_folder("i.xml"),
                          in_folder("i.run")),
               0);
    check_fault("i.run", 3, "frames were 0.05 ps apart at first, and are 0.1 ps by its plan");
    write_text("i.xml", MEMBRANE(ELBA, "<trajectory every=\"0.05 ps\"/><area/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.6ps", in_folder("i.xml"),
                          in_folder("i.run")),
               0);
    check_fault("i.run", 3, "<trajectory> was changed on the way");
}

/* The copies in input/ lie side by side. */
static void files_of_subfolders_are_found_among_the_copies(void **state)
{
    static char text[RUN_MOST_BYTES];
    char        elba[RUN_PATH];
    const char *data = getenv("AMPHI_DATA");
    (void)state;

    snprintf(elba, sizeof elba, "%s/forcefield/elba.xml", data != NULL ? data : ".");
    read_into(elba, text);
    mkdir(in_folder("ff"), 0777);
    write_text("ff/own.xml", text);
    write_text("f.xml", MEMBRANE("ff/own.xml", "<trajectory every=\"0.1 ps\"/><area/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.1ps", in_folder("f.xml"),
                          in_folder("f.run")),
               0);
    const Run *const run = amphi_form("analyse %s", in_folder("f.run"));
    check_code(run, 0);
    assert_string_equal(run->eye, "");
}

/* ---- interrupted ---- */

/* The same frames again and again: the last stage may be of any length. */
static void lengthen(const char *name, long n_more)
{
    static char bytes[RUN_MOST_BYTES];
    const long  frame = 3 * (4 * BEADS + 8) + 56;
    FILE *const file  = fopen(in_folder(name), "r+b");

    assert_non_null(file);
    assert_true(frame < (long)sizeof bytes);
    assert_int_equal(fseek(file, -frame, SEEK_END), 0);
    assert_int_equal(fread(bytes, 1, (size_t)frame, file), frame);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    for (long k = 0; k < n_more; k++)
        assert_int_equal(fwrite(bytes, 1, (size_t)frame, file), frame);
    assert_int_equal(fclose(file), 0);
}

static void an_interrupted_analysis_leaves_nothing(void **state)
{
    const struct timespec pause = { .tv_nsec = 20000000 };
    char                  run[RUN_PATH];
    int                   status = 0;
    (void)state;

    snprintf(run, sizeof run, "%s", in_folder("long.run"));
    copy_run("long.run", -1);
    lengthen("long.run/trajectory.dcd", 10000);
    const pid_t child = fork();
    if (child == 0) {
        const char *const program = find_program();

        execl(program, program, "analyse", run, "--observe", "rdf,order", "-q", (char *)NULL);
        _exit(99);
    }
    for (int k = 0; k < 500 && !exists(in_folder("long.run/analysis/unfinished")); k++)
        nanosleep(&pause, NULL);
    assert_true(exists(in_folder("long.run/analysis/unfinished")));
    /* two at once would mix their files */
    check_has(amphi_form("analyse %s --observe area", run)->eye,
              "another amphi analyse is at work");
    assert_int_equal(kill(child, SIGINT), 0);
    while (waitpid(child, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 8);
    assert_false(exists(in_folder("long.run/analysis")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_those_of_the_run),
        cmocka_unit_test(the_checker_of_tables_sees_a_difference),
        cmocka_unit_test(times_and_every_choose_frames),
        cmocka_unit_test(frames_that_are_not_there_are_refused),
        cmocka_unit_test(what_frames_lack_is_refused_by_name),
        cmocka_unit_test(a_file_says_what_to_observe),
        cmocka_unit_test(names_alone_take_the_defaults),
        cmocka_unit_test(files_of_the_run_and_of_others_stay_as_they_are),
        cmocka_unit_test(a_cut_frame_is_left_out_and_told),
        cmocka_unit_test(damaged_and_missing_files_are_refused),
        cmocka_unit_test(a_trajectory_of_something_else_is_refused),
        cmocka_unit_test(frames_have_the_steps_and_times_of_the_run),
        cmocka_unit_test(an_older_checkpoint_gives_the_same_steps),
        cmocka_unit_test(a_changed_interval_leaves_no_times),
        cmocka_unit_test(files_of_subfolders_are_found_among_the_copies),
        cmocka_unit_test(an_interrupted_analysis_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, set_up, remove_run_folder);
}
