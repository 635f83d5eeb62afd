/* Going on with other outputs: what may change, and what is refused. */
#include "run_bench.h"

#include <stdlib.h>
#include <string.h>

#include "hundred_waters.h"

#define ENERGIES "<energies every=\"0.05 ps\"/>"
#define OUTPUTS  "</start></system>", GROUPS "</system>", ENERGIES
#define GROUPS                                                                                     \
    "</start><group name=\"some\" select=\"kind solvent\"/>"                                       \
    "<group name=\"same\" select=\"molecule water18\"/>"

/* The job with this in place of <energies>. */
static void open_with(Bench *b, const char *outputs)
{
    open_changed(b, (const char *const[]){ OUTPUTS, outputs, NULL });
}

/* ---- what is measured ---- */

static void an_output_that_measures_something_else_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *before, *now, *told;
    } cases[] = {
        { "<rdf every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.7 nm\"/>",
          "<rdf every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.6 nm\"/>",
          "<rdf>: measures something else than in this run so far\n"
          "    extent: 0.7 nm before, 0.6 nm now\n" },
        { "<rdf every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.7 nm\"/>",
          "<rdf every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.7 nm\" width=\"0.02 nm\"/>",
          "width: 0.01 nm before, 0.02 nm now\n" },
        { "<profile every=\"0.05 ps\" of=\"mass number\"/>",
          "<profile every=\"0.05 ps\" of=\"number mass\"/>",
          "of: mass number before, number mass now\n" },
        { "<profile every=\"0.05 ps\"/>", "<profile every=\"0.05 ps\" axis=\"x\"/>",
          "axis: z before, x now\n" },
        { "<profile every=\"0.05 ps\"/>", "<profile every=\"0.05 ps\" centre=\"some\"/>",
          "centre: all before, some (kind solvent) now\n" },
        { "<diffusion every=\"0.05 ps\" plane=\"xy\"/>", "<diffusion every=\"0.05 ps\"/>",
          "plane: xy before, xyz now\n" },
        { "<trajectory every=\"0.05 ps\" group=\"some\"/>",
          "<trajectory every=\"0.05 ps\" group=\"same\"/>",
          "group: some (kind solvent) before, same (molecule water18) now\n" },
        { "<trajectory every=\"0.05 ps\"/>",
          "<trajectory every=\"0.05 ps\" molecules=\"wrapped\"/>",
          "molecules: whole before, wrapped now\n" },
        { "<trajectory every=\"0.05 ps\"/>", "<trajectory every=\"0.05 ps\" format=\"xtc\"/>",
          "format: dcd before, xtc now\n" },
        { ENERGIES, "<energies every=\"0.05 ps\" conserved=\"mean\"/>",
          "conserved: the default before, mean now\n" },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Bench b, other;

        open_with(&b, cases[k].before);
        open_with(&other, cases[k].now);
        const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

        assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
        assert_int_equal(run_to(&other, o, 60), AMPHI_BAD_INPUT);
        if (strstr(other.err.text, cases[k].told) == NULL)
            fail_msg("got \"%s\", expected \"%s\"", other.err.text, cases[k].told);
        if (strstr(other.err.text, "job.xml:15: <") == NULL)
            fail_msg("no place in \"%s\"", other.err.text);
        assert_non_null(strstr(other.err.text, "--fresh to begin again"));
        assert_int_equal(run_to(&b, o, 60), AMPHI_OK);
        close_bench(&other);
        close_bench(&b);
    }
}

static void when_it_is_measured_and_how_that_is_written_may_change(void **state)
{
    (void)state;
    Bench b, other;

    open_with(&b, "<rdf every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.7 nm\"/>");
    open_with(&other, "<rdf every=\"3 steps\" from=\"press\" beads=\" water18  water18\" "
                      "extent=\"7 A\" width=\"10 pm\"/>");
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    assert_int_equal(run_to(&other, o, 90), AMPHI_OK);
    assert_int_equal(run_to(&b, o, 100), AMPHI_OK);
    close_bench(&other);
    close_bench(&b);
}

static void an_output_that_has_seen_nothing_yet_may_change(void **state)
{
    (void)state;
    static const char before[] =
        "<rdf from=\"free\" every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.7 nm\"/>";
    static const char now[] =
        "<rdf from=\"free\" every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.6 nm\"/>";
    Bench b, other;

    open_with(&b, before);
    open_with(&other, now);
    const AmphiRunOptions o     = options_of(b.dir[0], "cpu", AMPHI_SINGLE);
    const AmphiRunOptions whole = options_of(b.dir[1], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 60), AMPHI_OK);
    assert_int_equal(run_once(&other, &o, NULL), AMPHI_OK);
    assert_int_equal(run_once(&other, &whole, NULL), AMPHI_OK);
    check_same_file(b.dir[0], b.dir[1], "rdf.tsv");
    close_bench(&other);
    close_bench(&b);
}

/* ---- columns ---- */

#define PARTS                                                                                      \
    "<fill density=\"0.9 g/cm^3\" seed=\"1\"><part type=\"water18\" count=\"60\"/>"                \
    "<part type=\"water\" count=\"40\"/></fill>"
#define FIRST  "<group name=\"first\" select=\"molecule water18\"/>"
#define SECOND "<group name=\"second\" select=\"molecule water\"/>"
#define LAST                                                                                       \
    "<run name=\"last\" ensemble=\"nvt\" length=\"0.25 ps\" seed=\"1\">"                           \
    "<thermostat temperature=\"298 K\" groups=\"first second\"/>"                                  \
    "<restrain group=\"first\" k=\"1 kJ/mol/nm^2\"/></run></plan>"

static char *energies_in(const char *dir)
{
    char    path[128];
    int64_t n = 0;

    snprintf(path, sizeof path, "%s/energy.tsv", dir);
    return file_bytes(path, &n);
}

/* Has every line as many columns as the heading? Their number in *n. */
static bool is_even(const char *table, int *n)
{
    bool is_same = true;

    *n = 0;
    for (const char *line = table; *line != '\0'; line += strcspn(line, "\n") + 1) {
        int columns = 1;

        for (const char *c = line; *c != '\n'; c++)
            columns += *c == '\t';
        if (*line == '#')
            continue;
        is_same = is_same && (*n == 0 || columns == *n);
        *n      = columns;
    }
    return is_same;
}

static AmphiStatus go_on(Bench *b, const char *dir, char remark[512])
{
    const AmphiRunOptions o   = options_of(dir, "cpu", AMPHI_SINGLE);
    AmphiRun             *run = NULL;
    AmphiRunInfo          info;

    AMPHI_TRY(amphi_run_open(b->job, &o, &run, &b->err));
    amphi_run_info(run, &info);
    snprintf(remark, 512, "%s", info.remark);
    const AmphiStatus status = amphi_run(run, &b->err);
    amphi_run_close(run);
    return status;
}

static void a_counting_of_columns_that_differ_is_noticed(void **state)
{
    (void)state;
    int n = 0;

    assert_true(is_even("# a\nx\ty\n1\t2\n", &n));
    assert_int_equal(n, 2);
    assert_false(is_even("x\ty\n1\t2\t3\n1\t2\n", &n));
}

static void energies_keep_their_columns_when_a_stage_joins(void **state)
{
    (void)state;
    Bench b, more;
    char  remark[512];
    int   columns[2];

    open_changed(&b, (const char *const[]){ HUNDRED_WATERS, PARTS, NULL });
    open_changed(&more, (const char *const[]){ HUNDRED_WATERS, PARTS, "</start>",
                                               "</start>" FIRST SECOND, "</plan>", LAST, NULL });
    assert_int_equal(go_on(&b, b.dir[0], remark), AMPHI_OK);
    assert_string_equal(remark, "");
    char *const before = energies_in(b.dir[0]);

    assert_int_equal(go_on(&more, b.dir[0], remark), AMPHI_OK);
    assert_string_equal(remark, "energy.tsv keeps the columns of its heading: none for "
                                "position-restraint, temperature_first, temperature_second");
    char *const after = energies_in(b.dir[0]);

    assert_true(is_even(before, &columns[0]));
    assert_true(is_even(after, &columns[1]));
    assert_int_equal(columns[0], columns[1]);
    assert_non_null(strstr(after, "\t5\t")); /* lines of the new stage */
    free(before);
    free(after);

    assert_int_equal(go_on(&more, b.dir[1], remark), AMPHI_OK);
    char *const whole = energies_in(b.dir[1]);
    assert_non_null(strstr(whole, "\ttemperature_second\t"));
    assert_true(is_even(whole, &columns[1]));
    assert_int_equal(columns[1], columns[0] + 3);
    free(whole);
    close_bench(&more);
    close_bench(&b);
}

/* ---- times ---- */

static void another_interval_of_frames_is_refused(void **state)
{
    (void)state;
    Bench b, same, other;
    char  remark[512];

    open_with(&b, "<trajectory every=\"0.05 ps\"/>");
    open_with(&same, "<trajectory every=\"10 steps\"/>");
    open_with(&other, "<trajectory every=\"0.025 ps\"/>");
    assert_int_equal(run_to(&b, options_of(b.dir[0], "cpu", AMPHI_SINGLE), 40), AMPHI_OK);
    assert_int_equal(run_to(&same, options_of(b.dir[0], "cpu", AMPHI_SINGLE), 60), AMPHI_OK);
    assert_int_equal(go_on(&other, b.dir[0], remark), AMPHI_BAD_INPUT);
    assert_non_null(strstr(other.err.text, "job.xml:"));
    assert_non_null(
        strstr(other.err.text, "are 0.05 ps apart, and would be 0.025 ps from here on"));
    assert_non_null(strstr(other.err.text, "write: every=\"0.05 ps\" as it was"));
    assert_int_equal(go_on(&same, b.dir[0], remark), AMPHI_OK); /* as if nothing had been tried */
    assert_string_equal(remark, "");
    close_bench(&other);
    close_bench(&same);
    close_bench(&b);
}

static void frames_of_xtc_may_have_another(void **state)
{
    (void)state;
    Bench b, other;
    char  remark[512];

    open_with(&b, "<trajectory every=\"0.05 ps\" format=\"xtc\"/>");
    open_with(&other, "<trajectory every=\"0.025 ps\" format=\"xtc\"/>");
    assert_int_equal(run_to(&b, options_of(b.dir[0], "cpu", AMPHI_SINGLE), 40), AMPHI_OK);
    assert_int_equal(go_on(&other, b.dir[0], remark), AMPHI_OK);
    assert_string_equal(remark, "");
    close_bench(&other);
    close_bench(&b);
}

/* ---- files of an earlier run ---- */

#define LIPIDS                                                                                     \
    "<fill density=\"0.6 g/cm^3\" seed=\"1\"><part type=\"DMPC\" count=\"6\"/>"                    \
    "<part type=\"water\" count=\"60\"/></fill>"

static void open_with_lipids(Bench *b, const char *outputs)
{
    open_changed(b, (const char *const[]){ HUNDRED_WATERS, LIPIDS, ENERGIES, outputs, NULL });
}

static void a_fresh_run_has_no_means_of_the_one_before(void **state)
{
    (void)state;
    static const char *const files[] = { "area.tsv", "area-mean.tsv", "thickness-mean.tsv",
                                         "final.data" };
    Bench                    b, without, later;

    open_with_lipids(&b, "<area every=\"0.05 ps\"/><thickness every=\"0.05 ps\"/>"
                         "<trajectory every=\"0.05 ps\"/>");
    open_with_lipids(&without, "<energies every=\"0.05 ps\"/>");
    open_with_lipids(&later, "<area from=\"free\" every=\"0.05 ps\"/>");
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        assert_true(is_there(b.dir[0], files[k]));
    o.fresh = true;
    assert_int_equal(run_to(&without, o, 40), AMPHI_OK);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        assert_false(is_there(b.dir[0], files[k]));

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    assert_int_equal(run_to(&later, o, 40), AMPHI_OK);
    assert_false(is_there(b.dir[0], "area-mean.tsv"));
    close_bench(&later);
    close_bench(&without);
    close_bench(&b);
}

/* A checkpoint from before the first frame, beside tables that were written after it. */
static void a_table_without_frames_is_deleted(void **state)
{
    (void)state;
    static const char *const files[] = { "area-mean.tsv", "profile.tsv", "rdf.tsv", "order.tsv",
                                         "diffusion.tsv" };
    Bench                    b;
    char                     path[128];

    open_with_lipids(&b, "<area from=\"free\"/><profile from=\"free\"/><order from=\"free\"/>"
                         "<rdf beads=\"water water\" extent=\"1 nm\" from=\"free\"/>"
                         "<diffusion from=\"free\"/>");
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        snprintf(path, sizeof path, "%s/%s", b.dir[0], files[k]);
        FILE *const file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fclose(file), 0);
    }
    assert_int_equal(run_to(&b, o, 50), AMPHI_OK);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        assert_false(is_there(b.dir[0], files[k]));
    close_bench(&b);
}

static void check_remark(const Bench *b, AmphiRunOptions o, const char *text)
{
    AmphiRun    *run = NULL;
    AmphiRunInfo info;
    AmphiError   err = { AMPHI_OK, "" };

    assert_int_equal(amphi_run_open(b->job, &o, &run, &err), AMPHI_OK);
    amphi_run_info(run, &info);
    assert_string_equal(info.remark, text);
    amphi_run_close(run);
}

/* ---- what joins and what comes back ---- */

static void an_output_that_comes_back_is_refused_with_a_way_out(void **state)
{
    (void)state;
    Bench b, without;
    char  path[2][128];

    open_with_lipids(&b, "<area every=\"0.05 ps\"/>");
    open_with_lipids(&without, "<energies every=\"0.05 ps\"/>");
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    assert_int_equal(run_to(&without, o, 60), AMPHI_OK);
    assert_int_equal(run_to(&b, o, 80), AMPHI_BAD_FILE);
    assert_non_null(strstr(b.err.text, "area.tsv: it is there already"));
    assert_non_null(strstr(b.err.text, "move it away; or write: -o with a new directory"));
    snprintf(path[0], sizeof path[0], "%s/area.tsv", b.dir[0]);
    snprintf(path[1], sizeof path[1], "%s/area-before.tsv", b.dir[0]);
    assert_int_equal(rename(path[0], path[1]), 0);
    o.n_steps = 80;
    check_remark(&b, o,
                 "area-mean.tsv: begins anew: what was measured before it was left out is not in "
                 "it");
    assert_int_equal(run_to(&b, o, 80), AMPHI_OK);
    close_bench(&without);
    close_bench(&b);
}

/* With the table of the first steps still there, which is written over. */
static void sums_that_were_left_out_begin_anew_and_that_is_told(void **state)
{
    (void)state;
    static const char *const told =
        "order.tsv: begins anew: what was measured before it was left out is not in it";
    Bench        b, without;
    AmphiRun    *run = NULL;
    AmphiRunInfo info;

    open_with_lipids(&b, "<energies every=\"0.05 ps\"/><order every=\"0.05 ps\"/>");
    open_with_lipids(&without, "<energies every=\"0.05 ps\"/>");
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&without, o, 30), AMPHI_OK);
    for (int k = 0; k < 4; k++) { /* new, known, left out and back, known again */
        if (k == 2)
            assert_int_equal(run_to(&without, o, 80), AMPHI_OK);
        o.n_steps = 40 + 20 * k;
        assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
        amphi_run_info(run, &info);
        assert_string_equal(info.remark, k == 2 ? told : "");
        assert_int_equal(amphi_run(run, &b.err), AMPHI_OK);
        amphi_run_close(run);
        assert_true(is_there(b.dir[0], "order.tsv"));
    }
    close_bench(&without);
    close_bench(&b);
}

#define EARLY(file)                                                                                \
    file ": has frames from before \"free\", with which it begins now; to leave them out write: "  \
         "--fresh, or -o with a new directory"

/* Moved while the run is stopped: before that stage has begun, and in it. */
static void sums_of_before_the_stage_that_an_output_begins_with_are_told(void **state)
{
    (void)state;
    Bench b, later;

    open_with_lipids(&b, "<area every=\"0.05 ps\"/><order every=\"0.05 ps\"/>");
    open_with_lipids(&later, "<area every=\"0.05 ps\" from=\"free\"/>"
                             "<order every=\"0.05 ps\" from=\"free\"/>");
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    check_remark(&later, o, EARLY("area-mean.tsv") "; " EARLY("order.tsv"));
    assert_int_equal(run_to(&b, o, 150), AMPHI_OK);
    check_remark(&later, o, EARLY("area-mean.tsv") "; " EARLY("order.tsv"));
    check_remark(&b, o, "");
    o.fresh = true;
    check_remark(&later, o, "");
    assert_int_equal(run_to(&later, o, 150), AMPHI_OK);
    o.fresh = false;
    check_remark(&later, o, "");
    close_bench(&later);
    close_bench(&b);
}

/* Before the others and behind them: a group has another number then. */
static void a_group_that_only_an_output_or_a_new_stage_needs_may_join_and_leave(void **state)
{
    (void)state;
    static const char bath[]  = "<thermostat temperature=\"298 K\"/></run>";
    static const char baths[] = "<thermostat temperature=\"298 K\" groups=\"first second\"/></run>";
    Bench             b, more, other;

    open_changed(&b, (const char *const[]){ HUNDRED_WATERS, PARTS, "</start>",
                                            "</start>" FIRST SECOND, bath, baths, NULL });
    open_changed(&more, (const char *const[]){
                            HUNDRED_WATERS, PARTS, "</start>",
                            "</start><group name=\"seen\" select=\"molecule water\"/>" FIRST SECOND,
                            bath, baths, ENERGIES,
                            ENERGIES "<diffusion group=\"seen\" every=\"0.05 ps\"/>", NULL });
    open_changed(&other,
                 (const char *const[]){ HUNDRED_WATERS, PARTS, "</start>",
                                        "</start><group name=\"first\" select=\"molecule water\"/>"
                                        "<group name=\"second\" select=\"molecule water18\"/>",
                                        bath, baths, NULL });
    const AmphiRunOptions o     = options_of(b.dir[0], "cpu", AMPHI_SINGLE);
    const AmphiRunOptions whole = options_of(b.dir[1], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    assert_int_equal(run_to(&more, o, 60), AMPHI_OK);
    assert_int_equal(run_to(&other, o, 80), AMPHI_BAD_INPUT);
    assert_non_null(strstr(other.err.text, "group first select: molecule water18 before"));
    assert_int_equal(run_to(&b, o, ALL_STEPS), AMPHI_OK);
    assert_int_equal(run_to(&b, whole, ALL_STEPS), AMPHI_OK);
    check_same_run(b.dir[0], b.dir[1]);
    close_bench(&other);
    close_bench(&more);
    close_bench(&b);
}

static void what_joins_or_leaves_a_stage_that_has_begun_is_refused(void **state)
{
    (void)state;
    static const char held[] = "</run>\n<run name=\"press\" ensemble=\"npt\" length=\"0.25 ps\">"
                               "<restrain group=\"all\" k=\"1 kJ/mol/nm^2\"/>";
    static const char free[] = "</run>\n<run name=\"press\" ensemble=\"npt\" length=\"0.25 ps\">";
    Bench             b, more;

    open_bench(&b, NULL, NULL);
    open_bench(&more, free, held);
    const AmphiRunOptions o     = options_of(b.dir[0], "cpu", AMPHI_SINGLE);
    const AmphiRunOptions other = options_of(b.dir[1], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 90), AMPHI_OK);
    assert_int_equal(run_to(&more, o, 100), AMPHI_BAD_INPUT);
    assert_non_null(strstr(more.err.text, "run press restrain all axes: nothing before, xyz now"));
    assert_int_equal(run_to(&more, other, 90), AMPHI_OK);
    assert_int_equal(run_to(&b, other, 100), AMPHI_BAD_INPUT);
    assert_non_null(strstr(b.err.text, "run press restrain all axes: xyz before, nothing now"));
    close_bench(&more);
    close_bench(&b);
}

/* ---- before a minimisation ---- */

#define PRESS      "<run name=\"press\""
#define ONCE_MORE  "<minimise name=\"once-more\" steps=\"5\"/>"
#define TRAJECTORY "<trajectory every=\"0.05 ps\" format=\"xtc\"/>"

/* The line of that step in energy.tsv, to be freed; NULL: there is none. */
static char *line_of_step(const char *dir, const char *step)
{
    char *const table = energies_in(dir), *line = table, *found = NULL;

    for (; *line != '\0' && found == NULL; line += strcspn(line, "\n") + 1)
        if (strncmp(line, step, strlen(step)) == 0 && line[strlen(step)] == '\t')
            found = strndup(line, strcspn(line, "\n"));
    free(table);
    return found;
}

/* Also where it is stopped at that step, in the minimisation behind it, and at the end of that. */
static void the_end_of_a_stage_is_seen_before_a_minimisation(void **state)
{
    (void)state;
    static const int64_t stops[] = { 70, 73, 75, 90 };
    Bench                b;

    open_changed(
        &b, (const char *const[]){ PRESS, ONCE_MORE PRESS, ENERGIES, ENERGIES TRAJECTORY, NULL });
    const AmphiRunOptions whole  = options_of(b.dir[0], "cpu", AMPHI_SINGLE);
    const AmphiRunOptions pieces = options_of(b.dir[1], "cpu", AMPHI_SINGLE);
    const AmphiRunOptions ended  = options_of(b.dir[2], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_once(&b, &whole, NULL), AMPHI_OK);
    assert_int_equal(run_to(&b, ended, 70), AMPHI_OK);
    char *const here = line_of_step(b.dir[0], "70"), *const last = line_of_step(b.dir[2], "70");
    assert_non_null(here);
    assert_non_null(last);
    assert_string_equal(here, last);
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++)
        assert_int_equal(run_to(&b, pieces, stops[k]), AMPHI_OK);
    assert_int_equal(run_once(&b, &pieces, NULL), AMPHI_OK);
    check_same_run(b.dir[0], b.dir[1]);
    check_same_file(b.dir[0], b.dir[1], "trajectory.xtc");
    free(here);
    free(last);
    close_bench(&b);
}

/* The minimisation begins as if it followed the checkpoint at the end of the stage. */
static void that_it_is_seen_changes_nothing(void **state)
{
    (void)state;
    Bench          b;
    AmphiRun      *run   = NULL;
    AmphiBytes     bytes = { .data = NULL };
    AmphiStateHash hash;

    open_changed(&b, (const char *const[]){ PRESS, ONCE_MORE PRESS, NULL });
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_FIXED);

    assert_int_equal(run_to(&b, o, 70), AMPHI_OK);
    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    assert_int_equal(run->at.step, 70);
    assert_int_equal(run->backend->begin_stage(run->state, &b.job->stage[2], &b.err), AMPHI_OK);
    assert_int_equal(run->backend->save(run->state, &bytes, &b.err), AMPHI_OK);
    assert_true(amphi_state_hash(&bytes, &hash));
    amphi_release(bytes.data);
    amphi_run_close(run);

    o.n_steps = 72;
    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    assert_int_equal(amphi_run(run, &b.err), AMPHI_OK);
    assert_int_equal(run->at.stage, 2);
    assert_true(run->at.first_hash[0] == hash.high && run->at.first_hash[1] == hash.low);
    amphi_run_close(run);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_output_that_measures_something_else_is_refused),
        cmocka_unit_test(when_it_is_measured_and_how_that_is_written_may_change),
        cmocka_unit_test(an_output_that_has_seen_nothing_yet_may_change),
        cmocka_unit_test(a_counting_of_columns_that_differ_is_noticed),
        cmocka_unit_test(energies_keep_their_columns_when_a_stage_joins),
        cmocka_unit_test(another_interval_of_frames_is_refused),
        cmocka_unit_test(frames_of_xtc_may_have_another),
        cmocka_unit_test(a_fresh_run_has_no_means_of_the_one_before),
        cmocka_unit_test(a_table_without_frames_is_deleted),
        cmocka_unit_test(an_output_that_comes_back_is_refused_with_a_way_out),
        cmocka_unit_test(sums_that_were_left_out_begin_anew_and_that_is_told),
        cmocka_unit_test(sums_of_before_the_stage_that_an_output_begins_with_are_told),
        cmocka_unit_test(a_group_that_only_an_output_or_a_new_stage_needs_may_join_and_leave),
        cmocka_unit_test(what_joins_or_leaves_a_stage_that_has_begun_is_refused),
        cmocka_unit_test(the_end_of_a_stage_is_seen_before_a_minimisation),
        cmocka_unit_test(that_it_is_seen_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
