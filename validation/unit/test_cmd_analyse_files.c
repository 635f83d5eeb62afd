/* The files of `amphi analyse`: that it leaves the run as it was, and never half a table; faults of
 * what it reads; and the stages, steps and times that it finds for frames.
 */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <time.h>

#include "../../engine/formats/formats.h"
#include "analyse_run.h"
#include "watching.h"

/* ---- the folder of the run ---- */

/* Names, sizes, times of the last change and sums of the bytes of all files, but those of
 * analysis/. */
static void describe(const char *dir, char *text, size_t size)
{
    struct dirent **entry = NULL;
    const int       n     = scandir(dir, &entry, NULL, alphasort);

    for (int k = 0; k < n; k++) {
        char        path[AMPHI_PATH_SIZE];
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
    assert_int_equal(mkdir(run_of("analysis/unfinished"), 0777), 0);
    write_text("m.run/analysis/unfinished/too.txt", "mine\n");
    check_code(amphi_form("analyse %s -q", in_folder("m.run")), 0);
    assert_true(exists(run_of("analysis/unfinished/too.txt")));
    read_into(run_of("analysis/mine.txt"), text);
    assert_string_equal(text, "mine\n");
    assert_false(exists(run_of("analysis/.amphi-unfinished")));
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

static void check_column(const char *name, const char *column, double tolerance)
{
    char          own[64], there[64];
    const int32_t n =
        (snprintf(own, sizeof own, "x.run/%s", name),
         snprintf(there, sizeof there, "x.run/analysis/%s", name), table_lines(in_folder(own)));

    assert_true(n > 0);
    assert_int_equal(table_lines(in_folder(there)), n);
    for (int32_t k = 0; k < n; k++)
        assert_true(fabs(table_value(in_folder(own), column, k) -
                         table_value(in_folder(there), column, k)) <= tolerance);
}

/* Frames of an XTC file tell them; boxes are in single precision, positions to 0.0005 nm. */
static void frames_of_xtc_have_steps_and_times_of_their_own(void **state)
{
    static const char *const until[] = { "0.2ps", "0.35ps", "0.6ps", "2.35ps", "2.7ps" };
    (void)state;

    write_text("x.xml", MEMBRANE(ELBA, "<trajectory every=\"0.05 ps\" format=\"xtc\"/>"
                                       "<area every=\"0.05 ps\"/><thickness every=\"0.05 ps\"/>"));
    for (size_t k = 0; k < sizeof until / sizeof *until; k++) {
        check_code(amphi_form("run %s -o %s -q --no-report --until %s", in_folder("x.xml"),
                              in_folder("x.run"), until[k]),
                   0);
        const Run *const run = amphi_form("analyse %s", in_folder("x.run"));
        check_code(run, 0);
        assert_string_equal(run->eye, "");
        check_column("area.tsv", "step", 1e-9);
        check_column("area.tsv", "time_ps", 1e-9);
        check_column("area.tsv", "box_area_nm2", 1e-4);
        check_column("thickness.tsv", "step", 1e-9);
        check_column("thickness.tsv", "thickness_nm", 5e-4);
    }
    assert_false(exists(in_folder("x.run/trajectory.dcd")));

    /* another interval is no fault: of the frames before, those that fit it are seen */
    write_text("x.xml", MEMBRANE(ELBA, "<trajectory every=\"0.1 ps\" format=\"xtc\"/>"
                                       "<area every=\"0.05 ps\"/><thickness every=\"0.05 ps\"/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 3.05ps", in_folder("x.xml"),
                          in_folder("x.run")),
               0);
    check_code(amphi_form("analyse %s", in_folder("x.run")), 0);
    const int32_t n_own   = table_lines(in_folder("x.run/area.tsv"));
    const int32_t n_there = table_lines(in_folder("x.run/analysis/area.tsv"));
    assert_true(n_there < n_own && n_there > 25);
    assert_true(table_value(in_folder("x.run/area.tsv"), "step", n_own - 1) ==
                table_value(in_folder("x.run/analysis/area.tsv"), "step", n_there - 1));

    /* cut: the rest is told, as of DCD */
    const long n = size_of(in_folder("x.run/trajectory.xtc"));
    assert_int_equal(truncate(in_folder("x.run/trajectory.xtc"), n - 5), 0);
    check_has(amphi_form("analyse %s", in_folder("x.run"))->eye,
              "x.run/trajectory.xtc: behind its ");

    /* a frame of another time is none of this run */
    assert_int_equal(rename(in_folder("x.run/analysis"), in_folder("x.analysis")), 0);
    FILE *const file = fopen(in_folder("x.run/trajectory.xtc"), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 12, SEEK_SET), 0);
    assert_int_equal(fwrite("\x3F\x80\x00\x00", 1, 4, file), 4); /* 1 ps */
    assert_int_equal(fclose(file), 0);
    check_fault("x.run", 3, "and 1 ps is in no stage of its plan");
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

/* Stages that are over and have other lengths in the file now: frames keep their times. */
static void a_plan_that_was_changed_behind_a_run_leaves_its_times(void **state)
{
    static const char *const format[] = { "dcd", "xtc" };
    (void)state;

    for (int k = 0; k < 2; k++)
        for (int is_longer = 0; is_longer < 2; is_longer++) {
            const char *const now = is_longer ? "0.45 ps" : "0.15 ps";
            char              text[4096], outputs[160], told[2][100];

            snprintf(outputs, sizeof outputs,
                     "<trajectory every=\"0.05 ps\" format=\"%s\"/><area every=\"0.05 ps\"/>",
                     format[k]);
            snprintf(text, sizeof text, MEMBRANE(ELBA, "%s"), outputs);
            write_text("p.xml", text);
            check_code(amphi_form("run %s -o %s -q --no-report --fresh --yes --until 1.05ps",
                                  in_folder("p.xml"), in_folder("p.run")),
                       0);
            char *const length = strstr(text, "\"0.35 ps");
            assert_non_null(length);
            memcpy(length + 1, now, strlen(now));
            write_text("p.xml", text);
            snprintf(told[0], sizeof told[0],
                     "stage warm is over: it ran 0.35 ps, and %s in the file changes nothing", now);
            snprintf(told[1], sizeof told[1], "stage warm ran 0.35 ps, and has %s in the plan now",
                     now);
            const Run *run = amphi_form("run %s -o %s --no-report --until 1.25ps",
                                        in_folder("p.xml"), in_folder("p.run"));
            check_code(run, 0);
            check_has(run->eye, told[0]);
            run = amphi_form("analyse %s", in_folder("p.run"));
            check_code(run, 0);
            check_has(run->eye, told[1]);
            const char *const own   = in_folder("p.run/area.tsv");
            const char *const there = in_folder("p.run/analysis/area.tsv");
            const int32_t     n     = table_lines(own);
            assert_true(n == 26 && table_lines(there) == n);
            for (int32_t i = 0; i < n; i++)
                assert_true(
                    fabs(table_value(own, "step", i) - table_value(there, "step", i)) < 0.5 &&
                    fabs(table_value(own, "time_ps", i) - table_value(there, "time_ps", i)) < 1e-9);
        }
}

/* As an amphi saved it that did not keep when stages began; three have. */
static void forget_beginnings(const char *path)
{
    AmphiArena *const    arena = amphi_arena_new();
    AmphiNotes *const    notes = amphi_notes_new();
    const AmphiWhere     where = { NULL, 0 };
    AmphiError           err   = { .status = AMPHI_OK };
    AmphiSnapshot *const s     = amphi_snapshot_read(path, "chk", arena, where, notes);

    assert_non_null(s);
    s->n_run_bytes -= 8 + 3 * 16; /* a block of three steps and times */
    assert_int_equal(amphi_format_find("chk")->write(path, s, &err), AMPHI_OK);
    amphi_notes_free(notes);
    amphi_arena_free(arena);
}

static void an_earlier_form_of_checkpoint_tells_of_its_own_stage_only(void **state)
{
    const char *const text =
        MEMBRANE(ELBA, "<trajectory every=\"0.05 ps\"/><area every=\"0.05 ps\"/>");
    char changed[4096];
    (void)state;

    write_text("e.xml", text);
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.6ps", in_folder("e.xml"),
                          in_folder("e.run")),
               0);
    forget_beginnings(in_folder("e.run/run.chk"));
    check_code(amphi_form("analyse %s", in_folder("e.run")), 0);
    assert_true(is_same_text(in_folder("e.run/area.tsv"), in_folder("e.run/analysis/area.tsv")));

    /* the run goes on from it, and another length is refused */
    snprintf(changed, sizeof changed, "%s", text);
    memcpy(strstr(changed, "\"0.35 ps"), "\"0.15 ps", 8);
    write_text("e.xml", changed);
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.8ps", in_folder("e.xml"),
                          in_folder("e.run")),
               0);
    assert_int_equal(rename(in_folder("e.run/analysis"), in_folder("e.analysis")), 0);
    check_fault("e.run", 3, "stage measure began at 0.35 ps, and by the plan in input/ at 0.15 ps");
}

static void a_changed_interval_leaves_no_times(void **state)
{
    (void)state;
    write_text("i.xml", MEMBRANE(ELBA, "<trajectory every=\"0.05 ps\"/><area/>"));
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.2ps", in_folder("i.xml"),
                          in_folder("i.run")),
               0);
    write_text("i.run/input/i.xml", MEMBRANE(ELBA, "<trajectory every=\"0.1 ps\"/><area/>"));
    check_fault("i.run", 3, "frames were 0.05 ps apart at first, and are 0.1 ps by its plan");
    check_fault("i.run", 3, "<trajectory> was changed on the way");
}

static void run_from(const char *to, const char *format, const char *from, const char *until)
{
    char outputs[160], text[4096];

    snprintf(outputs, sizeof outputs,
             "<trajectory every=\"0.05 ps\" format=\"%s\" from=\"%s\"/><area every=\"0.05 ps\"/>",
             format, from);
    snprintf(text, sizeof text, MEMBRANE(ELBA, "%s"), outputs);
    write_text("b.xml", text);
    check_code(amphi_form("run %s -o %s -q --no-report --until %s", in_folder("b.xml"),
                          in_folder(to), until),
               0);
}

static void cut_frame(const char *name)
{
    const long frame = 3 * (4 * BEADS + 8) + 56;

    assert_int_equal(truncate(in_folder(name), size_of(in_folder(name)) - frame), 0);
}

/* Frames from before the stage of `from` keep their times; those of a DCD file only where none is
 * missing. */
static void a_first_stage_that_was_changed_leaves_frames_where_they_were(void **state)
{
    static const char *const format[] = { "dcd", "xtc" };
    static const char *const whole[] = { "w0.run", "w1.run" }, *const gap[] = { "g0.run",
                                                                                "g1.run" };
    (void)state;

    for (int k = 0; k < 2; k++) {
        char own[64], there[64];

        run_from(whole[k], format[k], "warm", "0.6ps");
        run_from(whole[k], format[k], "measure", "1ps");
        check_code(amphi_form("analyse %s", in_folder(whole[k])), 0);
        snprintf(own, sizeof own, "%s/area.tsv", whole[k]);
        snprintf(there, sizeof there, "%s/analysis/area.tsv", whole[k]);
        const int32_t n = table_lines(in_folder(own));
        assert_int_equal(table_lines(in_folder(there)), n);
        for (int32_t line = 0; line < n; line++)
            assert_true(fabs(table_value(in_folder(own), "time_ps", line) -
                             table_value(in_folder(there), "time_ps", line)) < 1e-9);

        /* those from 0.25 to 0.3 ps are missing */
        run_from(gap[k], format[k], "warm", "0.2ps");
        run_from(gap[k], format[k], "measure", "0.6ps");
        if (k == 0)
            check_fault(gap[k], 3, "<trajectory> was changed on the way");
        else
            check_code(amphi_form("analyse %s", in_folder(gap[k])), 0);
    }

    /* stopped before the frame of the checkpoint was written, which so cannot tell */
    cut_frame("w0.run/trajectory.dcd");
    check_code(amphi_form("analyse %s", in_folder("w0.run")), 0);
    cut_frame("g0.run/trajectory.dcd");
    check_fault("g0.run", 3, "<trajectory> was changed on the way");
}

/* The copies in input/ lie side by side. */
static void files_of_subfolders_are_found_among_the_copies(void **state)
{
    static char text[RUN_MOST_BYTES];
    char        elba[AMPHI_PATH_SIZE];
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
    char                  run[AMPHI_PATH_SIZE];
    int                   status = 0;
    (void)state;

    snprintf(run, sizeof run, "%s", in_folder("long.run"));
    copy_run("long.run", -1);
    lengthen("long.run/trajectory.dcd", 10000);
    const pid_t child = fork();
    if (child == 0) {
        const char *const program = find_program();

        signal(SIGINT, SIG_DFL); /* a shell may have it ignored */
        execl(program, program, "analyse", run, "--observe", "rdf,order", "-q", (char *)NULL);
        _exit(99);
    }
    for (int k = 0; k < 500 && !exists(in_folder("long.run/analysis/.amphi-unfinished")); k++)
        nanosleep(&pause, NULL);
    assert_true(exists(in_folder("long.run/analysis/.amphi-unfinished")));
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

/* They would be taken for those of the new run, which has the same name. */
static void a_fresh_run_has_no_analysis_of_the_one_before(void **state)
{
    (void)state;
    const Run *r = amphi_form("run %s -o %s -q --no-report --until 0.2ps", in_folder("m.xml"),
                              in_folder("old.run"));

    check_code(r, 0);
    check_code(amphi_form("analyse %s -q", in_folder("old.run")), 0);
    assert_true(exists(in_folder("old.run/analysis/area-mean.tsv")));
    write_text("old.run/analysis/mine.tsv", "mine\n");
    r = amphi_form("run %s -o %s -q --no-report --until 0.1ps --fresh --yes", in_folder("m.xml"),
                   in_folder("old.run"));
    check_code(r, 0);
    assert_false(exists(in_folder("old.run/analysis/area.tsv")));
    assert_false(exists(in_folder("old.run/analysis/area-mean.tsv")));
    assert_false(exists(in_folder("old.run/analysis/profile.gp")));
    assert_true(exists(in_folder("old.run/analysis/mine.tsv")));
    unlink(in_folder("old.run/analysis/mine.tsv"));

    /* what lies elsewhere, behind a link, is not the run's */
    assert_int_equal(rmdir(in_folder("old.run/analysis")), 0);
    assert_int_equal(mkdir(in_folder("kept"), 0777), 0);
    write_text("kept/area.tsv", "mine\n");
    assert_int_equal(symlink(in_folder("kept"), in_folder("old.run/analysis")), 0);
    r = amphi_form("run %s -o %s -q --no-report --until 0.1ps --fresh --yes", in_folder("m.xml"),
                   in_folder("old.run"));
    check_code(r, 0);
    assert_true(exists(in_folder("kept/area.tsv")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_the_run_and_of_others_stay_as_they_are),
        cmocka_unit_test(a_cut_frame_is_left_out_and_told),
        cmocka_unit_test(damaged_and_missing_files_are_refused),
        cmocka_unit_test(a_trajectory_of_something_else_is_refused),
        cmocka_unit_test(frames_have_the_steps_and_times_of_the_run),
        cmocka_unit_test(frames_of_xtc_have_steps_and_times_of_their_own),
        cmocka_unit_test(an_older_checkpoint_gives_the_same_steps),
        cmocka_unit_test(a_plan_that_was_changed_behind_a_run_leaves_its_times),
        cmocka_unit_test(an_earlier_form_of_checkpoint_tells_of_its_own_stage_only),
        cmocka_unit_test(a_changed_interval_leaves_no_times),
        cmocka_unit_test(a_first_stage_that_was_changed_leaves_frames_where_they_were),
        cmocka_unit_test(files_of_subfolders_are_found_among_the_copies),
        cmocka_unit_test(an_interrupted_analysis_leaves_nothing),
        cmocka_unit_test(a_fresh_run_has_no_analysis_of_the_one_before),
    };

    return cmocka_run_group_tests(tests, make_run, remove_run_folder);
}
