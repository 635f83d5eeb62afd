/* Going on with another backend, another precision, other threads; and with those of the run. */
#include "run_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Opens and runs to a step; what was remarked and on what it went. */
typedef struct {
    char remark[512], backend[112];
} Told;

static AmphiStatus go_on(Bench *b, AmphiRunOptions o, int64_t n_steps, Told *told)
{
    AmphiRun    *run = NULL;
    AmphiRunInfo info;

    o.n_steps = n_steps;
    AMPHI_TRY(amphi_run_open(b->job, &o, &run, &b->err));
    amphi_run_info(run, &info);
    snprintf(told->remark, sizeof told->remark, "%s", info.remark);
    snprintf(told->backend, sizeof told->backend, "%s", info.backend);
    const AmphiStatus status = amphi_run(run, &b->err);
    amphi_run_close(run);
    return status;
}

static AmphiRunOptions as_it_was(const char *dir)
{
    AmphiRunOptions o = options_of(dir, NULL, AMPHI_SINGLE);

    o.precision = -1;
    return o;
}

/* The positions of run.chk, and how far two of them lie apart at most, nm. */
static double apart(const char *one, const char *other)
{
    const char *const    dir[2] = { one, other };
    AmphiArena *const    arena  = amphi_arena_new();
    AmphiNotes *const    notes  = amphi_notes_new();
    const AmphiSnapshot *s[2];
    double               most = 0;

    for (int k = 0; k < 2; k++) {
        char path[128];

        snprintf(path, sizeof path, "%s/run.chk", dir[k]);
        s[k] = amphi_snapshot_read(path, "chk", arena, (AmphiWhere){ NULL, 0 }, notes);
        assert_non_null(s[k]);
    }
    assert_int_equal(s[0]->step, s[1]->step);
    for (int32_t i = 0; i < s[0]->n_beads; i++)
        for (int a = 0; a < 3; a++)
            most = fmax(most, fabs(s[0]->position_nm[i][a] - s[1]->position_nm[i][a]));
    amphi_notes_free(notes);
    amphi_arena_free(arena);
    return most;
}

/* Single, then double, then the reference, then back: the state goes along whole, so that ten steps
 * differ by the rounding of single forces, 1e-6 of 1e3 kJ/mol/nm over 18 u for 0.05 ps: 1e-7 nm. */
static void a_run_goes_on_with_another_backend_and_says_so(void **state)
{
    (void)state;
    static const struct {
        const char    *backend;
        AmphiPrecision precision;
        const char    *told, *after;
    } leg[] = { { "cpu", AMPHI_SINGLE, "cpu single", NULL },
                { "cpu", AMPHI_DOUBLE, "cpu double", "after cpu single" },
                { "reference", AMPHI_DOUBLE, "reference double", "after cpu double" },
                { "cpu", AMPHI_SINGLE, "cpu single", "after reference double" } };
    Bench b;
    Told  told;

    open_bench(&b, NULL, NULL);
    for (int k = 0; k < 4; k++) {
        const AmphiRunOptions o = options_of(b.dir[0], leg[k].backend, leg[k].precision);

        assert_int_equal(go_on(&b, o, 160 + 10 * k, &told), AMPHI_OK);
        assert_non_null(strstr(told.backend, leg[k].told));
        if (leg[k].after == NULL)
            assert_string_equal(told.remark, "");
        else
            assert_true(strstr(told.remark, leg[k].told) != NULL &&
                        strstr(told.remark, leg[k].after) != NULL &&
                        strstr(told.remark, "the bits may differ") != NULL);
    }
    assert_int_equal(run_to(&b, options_of(b.dir[1], "cpu", AMPHI_SINGLE), 160), AMPHI_OK);
    assert_true(apart(b.dir[1], b.dir[1]) == 0);
    assert_int_equal(run_to(&b, options_of(b.dir[1], "cpu", AMPHI_SINGLE), 190), AMPHI_OK);
    assert_true(apart(b.dir[0], b.dir[1]) < 1e-5);
    assert_true(apart(b.dir[0], b.dir[1]) > 0);
    close_bench(&b);
}

static void what_is_not_asked_for_stays_as_it_was(void **state)
{
    (void)state;
    Bench b;
    Told  told;

    open_bench(&b, NULL, NULL);
    for (int k = 0; k < 2; k++) {
        const char *const     backend = k == 0 ? "reference" : "cpu";
        const AmphiRunOptions begins  = options_of(b.dir[2 * k], backend, AMPHI_DOUBLE);
        const AmphiRunOptions whole   = options_of(b.dir[2 * k + 1], backend, AMPHI_DOUBLE);

        assert_int_equal(run_to(&b, begins, 40), AMPHI_OK);
        assert_int_equal(go_on(&b, as_it_was(b.dir[2 * k]), -1, &told), AMPHI_OK);
        assert_string_equal(told.remark, "");
        assert_int_equal(run_once(&b, &whole, NULL), AMPHI_OK);
        check_same_run(b.dir[2 * k], b.dir[2 * k + 1]);
    }

    /* a precision alone leaves the backend, a backend alone brings its own precision */
    AmphiRunOptions o = as_it_was(b.dir[4]);
    assert_int_equal(run_to(&b, options_of(b.dir[4], "cpu", AMPHI_SINGLE), 40), AMPHI_OK);
    o.precision = AMPHI_DOUBLE;
    assert_int_equal(go_on(&b, o, 50, &told), AMPHI_OK);
    assert_non_null(strstr(told.backend, "cpu double"));
    o         = as_it_was(b.dir[4]);
    o.backend = "reference";
    assert_int_equal(go_on(&b, o, 60, &told), AMPHI_OK);
    assert_non_null(strstr(told.backend, "reference double"));
    close_bench(&b);
}

/* The file is changed between two processes; what the run has goes before it, and that is told. */
static void what_the_file_names_later_does_not_count_and_that_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *compute, *told;
    } leg[] = {
        { "<compute precision=\"double\">",
          "stays with cpu single, as so far, and not double of <compute>: write --precision double "
          "to change" },
        { "<compute backend=\"reference\">",
          "stays with cpu single, as so far, and not reference of <compute>: write --backend "
          "reference to change" },
        { "<compute backend=\"cuda\" precision=\"fixed\">",
          "stays with cpu single, as so far, and not cuda fixed of <compute>: write --backend cuda "
          "--precision fixed to change" },
        { "<compute backend=\"cpu\" precision=\"single\">", "" },
        { "<compute backend=\"auto\">", "" },
    };
    Bench               first, b;
    const AmphiBackend *backend = NULL;
    Told                told;
    char                remark[512] = "not set";

    open_bench(&first, NULL, NULL);
    assert_int_equal(run_to(&first, options_of(first.dir[0], "cpu", AMPHI_SINGLE), 40), AMPHI_OK);
    for (size_t k = 0; k < sizeof leg / sizeof *leg; k++) {
        AmphiRunOptions o = as_it_was(first.dir[0]);

        open_bench(&b, "<compute>", leg[k].compute);
        assert_int_equal(go_on(&b, o, 50 + 10 * (int)k, &told), AMPHI_OK);
        assert_string_equal(told.remark, leg[k].told);
        assert_non_null(strstr(told.backend, "cpu single"));
        assert_int_equal(amphi_run_choose_there(b.job, &o, &backend, remark, sizeof remark, &b.err),
                         AMPHI_OK);
        assert_string_equal(remark, leg[k].told);
        assert_ptr_equal(backend, amphi_backend_find("cpu", AMPHI_SINGLE));
        close_bench(&b);
    }

    /* what is asked for counts, and so does the file for a run that begins */
    open_bench(&b, "<compute>", "<compute backend=\"cpu\" precision=\"double\">");
    AmphiRunOptions o = as_it_was(first.dir[0]);
    o.fresh           = true;
    assert_int_equal(amphi_run_choose_there(b.job, &o, &backend, remark, sizeof remark, &b.err),
                     AMPHI_OK);
    assert_string_equal(remark, "");
    assert_ptr_equal(backend, amphi_backend_find("cpu", AMPHI_DOUBLE));
    o.fresh     = false;
    o.precision = AMPHI_DOUBLE;
    assert_int_equal(go_on(&b, o, 110, &told), AMPHI_OK);
    assert_null(strstr(told.remark, "stays with"));
    assert_non_null(strstr(told.backend, "cpu double"));
    assert_int_equal(go_on(&b, as_it_was(first.dir[0]), 120, &told), AMPHI_OK);
    assert_string_equal(told.remark, "");
    close_bench(&b);
    close_bench(&first);
}

/* The reference has double alone; a file that wants both is not run in another precision. */
static void a_precision_that_the_backend_lacks_is_refused(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, "<compute>", "<compute backend=\"reference\" precision=\"fixed\">");
    const AmphiRunOptions o = { .precision = -1 };

    assert_null(amphi_run_choose(b.job, &o, &b.err));
    assert_non_null(strstr(b.err.text, "there is no backend reference in fixed precision"));
    close_bench(&b);
}

static void a_backend_that_is_not_there_leaves_no_directory(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, NULL, NULL);
    assert_int_equal(run_to(&b, options_of(b.dir[0], "reference", AMPHI_FIXED), 40),
                     AMPHI_BAD_COMMAND);
    assert_non_null(strstr(b.err.text, "--backend cpu --precision single"));
    assert_int_equal(access(b.dir[0], F_OK), -1);
    assert_int_equal(run_to(&b, options_of(b.dir[0], "cpu", AMPHI_DOUBLE), 40), AMPHI_OK);
    assert_int_equal(run_to(&b, options_of(b.dir[0], "reference", AMPHI_FIXED), 60),
                     AMPHI_BAD_COMMAND);
    close_bench(&b);
}

/* Forward in double, on in fixed, and back in double; the hash is told in fixed alone, and whole
 * numbers go on without a remark on any number of threads. */
static void a_run_goes_on_in_another_precision(void **state)
{
    (void)state;
    Bench        b;
    AmphiRunInfo info;
    Told         told;

    open_bench(&b, NULL, NULL);
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);

    assert_int_equal(run_to(&b, o, 60), AMPHI_OK);
    o.precision = AMPHI_FIXED;
    o.n_steps   = 150;
    assert_int_equal(run_once(&b, &o, &info), AMPHI_OK);
    o.compute.threads = 3;
    assert_int_equal(go_on(&b, o, 170, &told), AMPHI_OK);
    assert_string_equal(told.remark, "");
    o.precision = AMPHI_DOUBLE;
    assert_int_equal(go_on(&b, o, 170, &told), AMPHI_OK);
    assert_string_equal(told.remark, ""); /* with no step left nothing goes on */
    assert_int_equal(go_on(&b, o, ALL_STEPS, &told), AMPHI_OK);
    assert_non_null(strstr(told.remark, "the bits may differ"));
    close_bench(&b);
}

static void other_threads_are_told(void **state)
{
    (void)state;
    Bench b;
    Told  told;

    open_bench(&b, NULL, NULL);
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    o.compute.threads = 2;
    assert_int_equal(go_on(&b, o, 60, &told), AMPHI_OK);
    assert_non_null(strstr(told.remark, "2 threads, after cpu single"));
    close_bench(&b);
}

static void default_options_leave_precision_and_length_to_the_job(void **state)
{
    (void)state;
    const AmphiRunOptions zero = { .dir = NULL }, o = amphi_run_options_default();
    Bench                 b;

    open_bench(&b, "<compute>", "<compute precision=\"double\">");
    assert_int_equal(amphi_run_choose(b.job, &o, NULL)->precision, AMPHI_DOUBLE);
    assert_int_equal(amphi_run_steps(b.job, &o), ALL_STEPS);
    assert_int_equal(amphi_run_choose(b.job, &zero, NULL)->precision, AMPHI_SINGLE);
    assert_int_equal(amphi_run_steps(b.job, &zero), 0);
    close_bench(&b);
}

static void a_device_that_is_asked_for_goes_before_that_of_the_job(void **state)
{
    (void)state;
    AmphiRunOptions o = amphi_run_options_default();
    AmphiRunInfo    info;
    AmphiRun       *run;
    Bench           b;

    open_bench(&b, "<compute>", "<compute device=\"2\">");
    assert_int_equal(amphi_run_compute(b.job, &o).device, 2);
    for (int32_t k = 0; k < 4; k++) {
        o.compute.device = k;
        assert_int_equal(amphi_run_compute(b.job, &o).device, k);
    }
    o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);
    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    amphi_run_info(run, &info);
    assert_int_equal(info.device, -1); /* it runs on none */
    amphi_run_close(run);
    close_bench(&b);
}

/* run.chk with another number of its form, which stands behind the length of its block. */
static void change_form(const char *dir, int64_t form)
{
    AmphiArena *const arena = amphi_arena_new();
    AmphiNotes *const notes = amphi_notes_new();
    AmphiError        err   = { .status = AMPHI_OK };
    char              path[128];

    snprintf(path, sizeof path, "%s/run.chk", dir);
    AmphiSnapshot *const s =
        amphi_snapshot_read(path, "chk", arena, (AmphiWhere){ NULL, 0 }, notes);
    assert_non_null(s);
    unsigned char *const run = amphi_arena_take(arena, s->n_run_bytes, 1);
    memcpy(run, s->run, (size_t)s->n_run_bytes);
    memcpy(run + sizeof(int64_t), &form, sizeof form);
    s->run = run;
    assert_int_equal(amphi_format_find("chk")->write(path, s, &err), AMPHI_OK);
    amphi_notes_free(notes);
    amphi_arena_free(arena);
}

static void a_run_of_another_amphi_is_refused_with_what_to_do(void **state)
{
    (void)state;
    Bench b;
    Told  told;
    char  prev[128];

    open_bench(&b, NULL, NULL);
    assert_int_equal(go_on(&b, options_of(b.dir[0], "cpu", AMPHI_SINGLE), 200, &told), AMPHI_OK);
    snprintf(prev, sizeof prev, "%s/run.chk.prev", b.dir[0]);
    (void)unlink(prev);
    change_form(b.dir[0], 4);
    assert_int_equal(go_on(&b, as_it_was(b.dir[0]), 400, &told), AMPHI_BAD_FILE);
    assert_non_null(strstr(b.err.text, "saved in form 4; here it is "));
    assert_non_null(strstr(b.err.text, "-o with a new directory"));
    close_bench(&b);
}

/* Four beads in a box that their file tells; n_steps of it. `forgets`: the run saves the texts that
 * runs had before they saved the box. */
static AmphiStatus run_in_box(Bench *b, const char *edges, bool forgets, int64_t n_steps)
{
    char       *job = replaced(job_base, JOB_BOX, "");
    AmphiRun   *run = NULL;
    AmphiStatus status;
    char        gro[512];

    for (int k = 0; k < 2; k++) {
        char *const before = job;

        job = k == 0 ? replaced(before, JOB_BEADS,
                                "<coordinates file=\"a.gro\"/>\n<orientations seed=\"1\"/>\n")
                     : replaced(before, "</amphi>",
                                "<plan timestep=\"1 fs\"><run name=\"go\" ensemble=\"nve\""
                                " length=\"1 ps\"/></plan></amphi>");
        free(before);
    }
    snprintf(gro, sizeof gro,
             "Salt\n4\n    1ALL     NA    1   1.000   1.000   1.000\n"
             "    1ALL     CL    2   1.400   1.000   1.000\n"
             "    1ALL      W    3   2.000   2.000   1.000\n"
             "    1ALL      W    4   2.000   1.000   2.000\n%s\n",
             edges);
    folder_write_text(b->folder, "job.xml", job);
    folder_write_text(b->folder, "a.gro", gro);
    free(job);

    JobReading       r = read_job_file(b->folder, "job.xml");
    AmphiRunOptions  o = options_of(b->dir[0], "cpu", AMPHI_DOUBLE);
    AmphiPhysicsText text[256];
    int32_t          n = 0;

    assert_non_null(r.job);
    for (int32_t k = 0; k < r.job->n_physics; k++)
        if (!forgets || strncmp(r.job->physics[k].key, "coordinates box", 15) != 0)
            text[n++] = r.job->physics[k];
    assert_int_equal(n, r.job->n_physics - (forgets ? 3 : 0));
    r.job->physics   = text;
    r.job->n_physics = n;
    o.n_steps        = n_steps;
    b->err.text[0]   = '\0';
    status           = amphi_run_open(r.job, &o, &run, &b->err);
    if (status == AMPHI_OK)
        status = amphi_run(run, &b->err);
    amphi_run_close(run);
    reading_free(&r);
    return status;
}

static void another_box_in_the_file_of_the_start_is_refused(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, NULL, NULL);
    assert_int_equal(run_in_box(&b, "3.0 3.0 3.0", false, 10), AMPHI_OK);
    assert_int_equal(run_in_box(&b, "3.0 3.0 3.0", false, 20), AMPHI_OK);
    assert_int_equal(run_in_box(&b, "3.0 3.0 3.2", false, 30), AMPHI_BAD_INPUT);
    assert_non_null(strstr(b.err.text, "coordinates box z: 3 nm before, 3.2"));
    assert_null(strstr(b.err.text, "coordinates box y"));
    close_bench(&b);
}

/* It says nothing about its box, goes on, and knows it from then on. */
static void a_run_from_before_boxes_were_saved_goes_on(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, NULL, NULL);
    assert_int_equal(run_in_box(&b, "3.0 3.0 3.0", true, 10), AMPHI_OK);
    assert_int_equal(run_in_box(&b, "3.0 3.0 3.0", false, 20), AMPHI_OK);
    assert_int_equal(run_in_box(&b, "3.2 3.0 3.0", false, 30), AMPHI_BAD_INPUT);
    close_bench(&b);
}

/* Makes the first text of the physics another one: of the stages, or of the system. */
static bool is_hinted_to_another_stage(bool is_of_stage)
{
    bool    is_hinted;
    Bench   b;
    int32_t k = 0;

    open_bench(&b, NULL, NULL);
    const AmphiRunOptions         o    = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);
    const AmphiPhysicsText *const mine = b.job->physics;
    const size_t                  size = (size_t)b.job->n_physics * sizeof *mine;
    AmphiPhysicsText *const       text = malloc(size);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    assert_non_null(text);
    memcpy(text, mine, size);
    while (k < b.job->n_physics && text[k].stage != (is_of_stage ? 0 : -1))
        k++;
    assert_true(k < b.job->n_physics);
    text[k].value  = "another";
    b.job->physics = text;
    assert_int_equal(run_to(&b, o, 60), AMPHI_BAD_INPUT);
    assert_non_null(strstr(b.err.text, " before, another now"));
    assert_non_null(strstr(b.err.text, "-o with a new directory"));
    is_hinted      = strstr(b.err.text, "write: a further stage with it, -o") != NULL;
    b.job->physics = mine;
    free(text);
    close_bench(&b);
    return is_hinted;
}

static void what_changes_in_a_stage_may_become_a_further_one(void **state)
{
    (void)state;
    assert_true(is_hinted_to_another_stage(true));
    assert_false(is_hinted_to_another_stage(false));
}

/* The first ones, the number of the others, and what to do about them. */
static void as_many_changes_are_told_as_there_is_room_for(void **state)
{
    (void)state;
    Bench   b;
    int32_t n_told = 0, n_more = 0;

    open_bench(&b, NULL, NULL);
    const AmphiRunOptions         o         = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);
    const AmphiPhysicsText *const mine      = b.job->physics;
    const int32_t                 n_changed = b.job->n_physics / 2;
    const size_t                  size      = (size_t)b.job->n_physics * sizeof *mine;
    AmphiPhysicsText *const       text      = malloc(size);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    assert_non_null(text);
    assert_true(n_changed > 6);
    memcpy(text, mine, size);
    for (int32_t k = 0; k < n_changed; k++)
        text[k].value = "as long as what is shown of a value is";
    b.job->physics = text;
    assert_int_equal(run_to(&b, o, 60), AMPHI_BAD_INPUT);
    for (const char *at = b.err.text; (at = strstr(at, " now\n")) != NULL; at++)
        n_told++;
    const char *const more = strstr(b.err.text, "\n    and ");
    assert_non_null(more);
    assert_int_equal(sscanf(more, " and %d more\n", &n_more), 1);
    assert_true(n_told >= 2);
    assert_int_equal(n_told + n_more, n_changed);
    assert_non_null(strstr(b.err.text, "-o with a new directory, or --fresh to begin again"));
    b.job->physics = mine;
    free(text);
    close_bench(&b);
}

/* Until it has saved, the time of its opening, which reads a checkpoint, stands for that. */
static void a_run_that_goes_on_keeps_time_for_its_last_save(void **state)
{
    (void)state;
    Bench     b;
    AmphiRun *run = NULL;

    open_bench(&b, NULL, NULL);
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    o.max_hours = 1;
    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    assert_true(run->save_took_s > 0);
    run->save_took_s = 1000; /* of which the last needs five */
    assert_int_equal(amphi_run(run, &b.err), AMPHI_STOPPED);
    assert_int_equal(run->at.step, 40);
    amphi_run_close(run);
    close_bench(&b);
}

/* ---- behind a process that was killed ---- */

#define ENERGIES "<energies every=\"0.05 ps\"/>"

typedef struct {
    char now[128], kept[128];
} Checkpoint;

/* The next save replaces the file, not what is in it. */
static Checkpoint keep_checkpoint(const char *dir)
{
    Checkpoint c;

    snprintf(c.now, sizeof c.now, "%s/run.chk", dir);
    snprintf(c.kept, sizeof c.kept, "%s/kept.chk", dir);
    assert_int_equal(link(c.now, c.kept), 0);
    return c;
}

static void go_back_to(const Checkpoint *c)
{
    assert_int_equal(rename(c->kept, c->now), 0);
}

static void a_trajectory_of_another_format_is_known_before_its_first_frame(void **state)
{
    (void)state;
    AmphiRun *run = NULL;
    Bench     b, other;

    open_bench(&b, ENERGIES, "<trajectory every=\"0.05 ps\" from=\"free\"/>");
    open_bench(&other, ENERGIES, "<trajectory every=\"0.05 ps\" from=\"free\" format=\"xtc\"/>");
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    assert_int_equal(amphi_run_open(other.job, &o, &run, &b.err), AMPHI_OK);
    amphi_run_close(run);
    const Checkpoint c = keep_checkpoint(b.dir[0]);
    assert_int_equal(run_to(&other, o, 160), AMPHI_OK);
    go_back_to(&c);
    assert_int_equal(run_to(&other, o, 160), AMPHI_OK);
    close_bench(&other);
    close_bench(&b);
}

/* Also where no step is left. */
static void files_end_where_the_run_does(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, ENERGIES, ENERGIES "<trajectory every=\"0.05 ps\" from=\"warm\"/>");
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 120), AMPHI_OK);
    const Checkpoint c = keep_checkpoint(b.dir[0]);
    assert_int_equal(run_to(&b, o, 200), AMPHI_OK);
    go_back_to(&c);
    assert_int_equal(run_to(&b, o, 120), AMPHI_OK);
    assert_int_equal(run_to(&b, options_of(b.dir[1], "cpu", AMPHI_SINGLE), 120), AMPHI_OK);
    check_same_file(b.dir[0], b.dir[1], "energy.tsv");
    check_same_file(b.dir[0], b.dir[1], "trajectory.dcd");
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_options_leave_precision_and_length_to_the_job),
        cmocka_unit_test(a_run_that_goes_on_keeps_time_for_its_last_save),
        cmocka_unit_test(a_run_goes_on_with_another_backend_and_says_so),
        cmocka_unit_test(what_is_not_asked_for_stays_as_it_was),
        cmocka_unit_test(what_the_file_names_later_does_not_count_and_that_is_told),
        cmocka_unit_test(a_precision_that_the_backend_lacks_is_refused),
        cmocka_unit_test(a_backend_that_is_not_there_leaves_no_directory),
        cmocka_unit_test(a_run_goes_on_in_another_precision),
        cmocka_unit_test(other_threads_are_told),
        cmocka_unit_test(a_device_that_is_asked_for_goes_before_that_of_the_job),
        cmocka_unit_test(a_run_of_another_amphi_is_refused_with_what_to_do),
        cmocka_unit_test(another_box_in_the_file_of_the_start_is_refused),
        cmocka_unit_test(a_run_from_before_boxes_were_saved_goes_on),
        cmocka_unit_test(what_changes_in_a_stage_may_become_a_further_one),
        cmocka_unit_test(as_many_changes_are_told_as_there_is_room_for),
        cmocka_unit_test(a_trajectory_of_another_format_is_known_before_its_first_frame),
        cmocka_unit_test(files_end_where_the_run_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
