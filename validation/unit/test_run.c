/* Runs from the library's side: one state in pieces or in one go, checkpoints that are damaged or
 * of another physics, faults, limits.
 */
#include "run_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../engine/formats/dcd.h"

/* ---- pieces ---- */

static void check_pieces(const char *backend, AmphiPrecision precision)
{
    Bench        b;
    AmphiRunInfo info;

    open_bench(&b, NULL, NULL);
    const AmphiRunOptions whole  = options_of(b.dir[0], backend, precision);
    const AmphiRunOptions pieces = options_of(b.dir[1], backend, precision);

    assert_int_equal(run_once(&b, &whole, &info), AMPHI_OK);
    assert_true(info.finished);
    assert_int_equal(info.step, ALL_STEPS);
    assert_int_equal(info.n_steps, ALL_STEPS);
    assert_true(fabs(info.time_ps - 1) < 1e-12); /* sums of thousands of steps round to this */

    /* in NVT, where it ends, in NPT beside a move of the box, in NVE */
    assert_int_equal(run_to(&b, pieces, 33), AMPHI_OK);
    assert_int_equal(run_to(&b, pieces, 70), AMPHI_OK);
    assert_int_equal(run_to(&b, pieces, 81), AMPHI_OK);
    assert_int_equal(run_to(&b, pieces, 151), AMPHI_OK);
    assert_int_equal(run_once(&b, &pieces, NULL), AMPHI_OK);
    check_same_run(b.dir[0], b.dir[1]);
    close_bench(&b);
}

static void a_run_in_pieces_ends_with_the_same_bytes_on_the_reference(void **state)
{
    (void)state;
    check_pieces("reference", AMPHI_DOUBLE);
}

static void a_run_in_pieces_ends_with_the_same_bytes_on_the_cpu(void **state)
{
    (void)state;
    check_pieces("cpu", AMPHI_DOUBLE);
    check_pieces("cpu", AMPHI_SINGLE);
}

static void how_often_it_is_saved_changes_nothing(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, NULL, NULL);
    AmphiRunOptions often = options_of(b.dir[0], "cpu", AMPHI_SINGLE);
    AmphiRunOptions never = options_of(b.dir[1], "cpu", AMPHI_SINGLE);

    often.checkpoint_every_steps = 3;
    never.checkpoint_every_steps = 1000000;
    assert_int_equal(run_once(&b, &often, NULL), AMPHI_OK);
    assert_int_equal(run_once(&b, &never, NULL), AMPHI_OK);
    check_same_run(b.dir[0], b.dir[1]);
    close_bench(&b);
}

static void a_finished_run_goes_on_to_a_larger_length(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, NULL, NULL);
    const AmphiRunOptions first = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);
    const AmphiRunOptions long_ = options_of(b.dir[1], "cpu", AMPHI_DOUBLE);
    AmphiRunInfo          info;
    AmphiRunOptions       until = first;

    assert_int_equal(run_once(&b, &first, NULL), AMPHI_OK);
    until.until_ps = 1.2;
    assert_int_equal(run_once(&b, &until, &info), AMPHI_OK);
    assert_int_equal(info.step, ALL_STEPS + 40);
    assert_int_equal(info.first_step, ALL_STEPS);
    assert_int_equal(run_to(&b, long_, ALL_STEPS + 40), AMPHI_OK);
    check_same_run(b.dir[0], b.dir[1]);
    close_bench(&b);
}

static void a_minimisation_ends_at_the_steps_that_are_allowed_and_begins_anew(void **state)
{
    (void)state;
    Bench     b;
    AmphiRun *run = NULL;

    open_bench(&b, NULL, NULL);
    AmphiRunOptions       o     = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);
    const AmphiRunOptions whole = options_of(b.dir[1], "cpu", AMPHI_DOUBLE);
    AmphiRunInfo          info;

    o.n_steps = 7;
    assert_int_equal(amphi_run_steps(b.job, &o), 7);
    assert_int_equal(run_once(&b, &o, &info), AMPHI_OK);
    assert_int_equal(info.step, 7);
    assert_int_equal(info.n_steps, 7);
    assert_true(info.finished);
    o.n_steps = 20; /* all of its own steps: it is done */
    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    assert_int_equal(run->at.step, 0);
    assert_int_equal(amphi_run(run, &b.err), AMPHI_OK);
    assert_int_equal(run->at.step, 20);
    assert_true(run->at.is_done != 0);
    amphi_run_close(run);
    o.n_steps = -1;
    assert_int_equal(run_once(&b, &o, NULL), AMPHI_OK);
    assert_int_equal(run_once(&b, &whole, NULL), AMPHI_OK);
    check_same_run(b.dir[0], b.dir[1]);
    close_bench(&b);
}

/* The last step is no multiple of 7: it is looked at, and is no sample of the drift. */
static void a_finished_run_called_again_tells_the_same(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, "<watch every=\"10 steps\"/>", "<watch every=\"7 steps\"/>");
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);
    AmphiRunInfo          info, again;

    assert_int_equal(run_once(&b, &o, &info), AMPHI_OK);
    assert_int_equal(run_once(&b, &o, &again), AMPHI_OK);
    assert_true(info.drift_error > 0);
    assert_true(again.drift_kT_ns_dof == info.drift_kT_ns_dof);
    assert_true(again.drift_error == info.drift_error);
    assert_true(again.temperature_K == info.temperature_K);
    close_bench(&b);
}

/* But for a minimisation on its way, which begins anew when it is interrupted: where 20 steps take
 * a quarter of a second there would be no end. */
static void stop_at_once(void *user, const AmphiRun *run)
{
    if (amphi_run_stage(run)->ensemble != AMPHI_MINIMISE || run->at.is_done != 0)
        *(volatile sig_atomic_t *)user = 1;
}

static void a_run_that_is_asked_to_stop_is_saved_and_goes_on(void **state)
{
    (void)state;
    Bench                 b;
    volatile sig_atomic_t stop = 1;

    open_bench(&b, NULL, NULL);
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);
    AmphiRunInfo    info;

    o.stop_requested = &stop;
    assert_int_equal(run_once(&b, &o, &info), AMPHI_STOPPED);
    assert_int_equal(info.step, 0);
    assert_false(info.finished);
    assert_string_equal(b.err.text, "");

    /* told at the end of each stage: one stage a call, then nothing is left */
    int n      = 0;
    o.progress = stop_at_once;
    o.user     = (void *)(uintptr_t)&stop;
    do {
        stop = 0;
        n++;
    } while (run_once(&b, &o, NULL) == AMPHI_STOPPED && n < 100);
    assert_true(n >= 4 && n < 100);
    const AmphiRunOptions whole = options_of(b.dir[1], "cpu", AMPHI_SINGLE);
    assert_int_equal(run_once(&b, &whole, NULL), AMPHI_OK);
    check_same_run(b.dir[0], b.dir[1]);
    close_bench(&b);
}

static void no_time_left_is_a_reason_to_stop(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, NULL, NULL);
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    o.max_hours = 1e-9;
    assert_int_equal(run_once(&b, &o, NULL), AMPHI_STOPPED);
    o.max_hours = 1;
    assert_int_equal(run_once(&b, &o, NULL), AMPHI_OK);
    close_bench(&b);
}

/* ---- what went before ---- */

static void a_damaged_checkpoint_gives_way_to_the_one_before(void **state)
{
    (void)state;
    Bench     b;
    AmphiRun *run = NULL;

    open_bench(&b, NULL, NULL);
    const AmphiRunOptions o     = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);
    const AmphiRunOptions whole = options_of(b.dir[1], "cpu", AMPHI_DOUBLE);
    AmphiRunInfo          info;

    assert_int_equal(run_to(&b, o, 100), AMPHI_OK);
    damage(b.dir[0], "run.chk");
    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    amphi_run_info(run, &info);
    assert_non_null(strstr(info.remark, "the checksum does not hold"));
    assert_non_null(strstr(info.remark, "run.chk.prev is used, step 95"));
    assert_int_equal(info.step, 95);
    assert_int_equal(amphi_run(run, &b.err), AMPHI_OK);
    amphi_run_close(run);
    assert_int_equal(run_once(&b, &whole, NULL), AMPHI_OK);
    check_same_run(b.dir[0], b.dir[1]);
    close_bench(&b);
}

static void a_damaged_checkpoint_never_replaces_the_good_one_before(void **state)
{
    (void)state;
    Bench     b;
    AmphiRun *run = NULL;

    open_bench(&b, NULL, NULL);
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);

    assert_int_equal(run_to(&b, o, 100), AMPHI_OK);
    damage(b.dir[0], "run.chk");
    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK); /* which saves */
    amphi_run_close(run);
    damage(b.dir[0], "run.chk");
    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    amphi_run_close(run);
    close_bench(&b);
}

static void two_damaged_checkpoints_are_told_and_left_alone(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, NULL, NULL);
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);

    assert_int_equal(run_to(&b, o, 100), AMPHI_OK);
    damage(b.dir[0], "run.chk");
    damage(b.dir[0], "run.chk.prev");
    assert_int_equal(run_once(&b, &o, NULL), AMPHI_BAD_FILE);
    assert_non_null(strstr(b.err.text, "run.chk.prev is no better"));
    o.fresh = true;
    assert_int_equal(run_once(&b, &o, NULL), AMPHI_OK);
    close_bench(&b);
}

static void a_changed_physics_is_refused_with_what_differs(void **state)
{
    (void)state;
    Bench b, other;

    open_bench(&b, NULL, NULL);
    open_bench(&other, "type=\"langevin\"/>", "type=\"langevin\" time=\"3 ps\"/>");
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    /* a stage that has not begun may change, one that has may not */
    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    assert_int_equal(run_to(&other, o, 60), AMPHI_OK);
    assert_int_equal(run_to(&other, o, 80), AMPHI_OK);
    assert_int_equal(run_to(&b, o, 90), AMPHI_BAD_INPUT);
    assert_non_null(
        strstr(b.err.text, "run press thermostat langevin time: 3 ps before, 1 ps now"));
    assert_non_null(strstr(b.err.text, "--fresh"));
    close_bench(&other);
    close_bench(&b);
}

static void an_output_may_join_a_run_on_its_way(void **state)
{
    (void)state;
    Bench b, more;

    open_bench(&b, NULL, NULL);
    open_bench(&more, "<energies every=\"0.05 ps\"/>",
               "<energies every=\"0.05 ps\"/><trajectory every=\"0.05 ps\"/>");
    const AmphiRunOptions o     = options_of(b.dir[0], "cpu", AMPHI_SINGLE);
    const AmphiRunOptions whole = options_of(b.dir[1], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 60), AMPHI_OK);
    assert_false(is_there(b.dir[0], "trajectory.dcd"));
    assert_int_equal(run_to(&more, o, 120), AMPHI_OK);
    assert_int_equal(run_once(&more, &o, NULL), AMPHI_OK);
    assert_true(is_there(b.dir[0], "trajectory.dcd"));
    assert_int_equal(run_once(&b, &whole, NULL), AMPHI_OK);
    check_same_file(b.dir[0], b.dir[1], "energy.tsv");
    close_bench(&more);
    close_bench(&b);
}

static void files_without_a_checkpoint_are_not_touched(void **state)
{
    (void)state;
    Bench b;
    char  path[128];

    open_bench(&b, NULL, NULL);
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    snprintf(path, sizeof path, "%s/run.chk", b.dir[0]);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/run.chk.prev", b.dir[0]);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(run_to(&b, o, 60), AMPHI_BAD_FILE);
    assert_non_null(strstr(b.err.text, "energy.tsv is there, but no checkpoint"));
    o.fresh = true;
    assert_int_equal(run_to(&b, o, 60), AMPHI_OK);
    close_bench(&b);
}

static void two_runs_do_not_share_a_directory(void **state)
{
    (void)state;
    Bench     b;
    AmphiRun *first = NULL, *second = NULL;

    open_bench(&b, NULL, NULL);
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(amphi_run_open(b.job, &o, &first, &b.err), AMPHI_OK);
    assert_int_equal(amphi_run_open(b.job, &o, &second, &b.err), AMPHI_BAD_FILE);
    assert_null(second);
    assert_non_null(strstr(b.err.text, "another run is at work here"));
    amphi_run_close(first);
    assert_int_equal(amphi_run_open(b.job, &o, &first, &b.err), AMPHI_OK);
    amphi_run_close(first);
    close_bench(&b);
}

/* ---- faults ---- */

/* The steps from the state that was kept, one frame each; a state before the faulty step itself has
 * no way to it. */
static void check_way(const char *path, int64_t step, bool has_way, const char *text,
                      AmphiNotes *notes)
{
    AmphiDcdReader r = { .n_beads = 0 };
    char           way[160];

    snprintf(way, sizeof way, "%.*s.dcd", (int)strlen(path) - 4, path);
    assert_int_equal(has_way, strstr(text, ".dcd") != NULL);
    assert_int_equal(has_way, access(way, F_OK) == 0);
    if (!has_way)
        return;
    assert_true(amphi_dcd_open(&r, way, (AmphiWhere){ NULL, 0 }, notes));
    assert_int_equal(r.n_beads, 100);
    assert_int_equal(r.first_step, step);
    assert_int_equal(r.steps_between, 1);
    assert_true(r.n_frames > 1 && r.n_frames <= 11); /* it is looked at every tenth step */
    amphi_dcd_close(&r);
}

static void check_forces(const char *text)
{
    const char *const line = strstr(text, "\n    largest forces in kJ/mol/nm");
    double            size[2];
    int               bead[2];

    if (line == NULL || sscanf(strchr(line, ':'), ": %lg on bead %d", &size[0], &bead[0]) != 2 ||
        sscanf(strchr(line, ','), ", %lg on bead %d", &size[1], &bead[1]) != 2)
        fail_msg("%s", text);
    assert_true(size[0] >= size[1] && size[1] > 0);
    assert_int_not_equal(bead[0], bead[1]);
}

static void check_fault(const char *from, const char *to, bool has_way, const char *text)
{
    Bench     b;
    char      path[128], dump[64] = "";
    long long fault = 0;

    open_bench(&b, from, to);
    const AmphiRunOptions o     = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);
    AmphiNotes *const     notes = amphi_notes_new();
    AmphiArena *const     arena = amphi_arena_new();

    assert_int_equal(run_once(&b, &o, NULL), AMPHI_UNSTABLE);
    if (strstr(b.err.text, text) == NULL || strstr(b.err.text, "bead ") == NULL)
        fail_msg("%s", b.err.text);
    /* by what is left of a system, some compilers' beads have gone too far to have a neighbour */
    if (strstr(b.err.text, "nearest is bead") == NULL &&
        (!has_way || strstr(b.err.text, "more than a million boxes away") == NULL))
        fail_msg("%s", b.err.text);
    check_forces(b.err.text);
    assert_non_null(strstr(b.err.text, "kept in fault-"));
    assert_int_equal(sscanf(strstr(b.err.text, "kept in "), "kept in %63s", dump), 1);
    snprintf(path, sizeof path, "%s/%s", b.dir[0], dump);
    const AmphiSnapshot *s =
        amphi_snapshot_read(path, "chk", arena, (AmphiWhere){ NULL, 0 }, notes);
    assert_non_null(s);
    assert_int_equal(s->n_beads, 100);
    assert_int_equal(sscanf(b.err.text, "fault at step %lld", &fault), 1);
    assert_int_equal(has_way, s->step < fault);
    check_way(path, s->step, has_way, b.err.text, notes);

    /* the checkpoint that stands is a good one: going on finds the same fault */
    assert_true(is_there(b.dir[0], "run.chk"));
    assert_int_equal(run_once(&b, &o, NULL), AMPHI_UNSTABLE);
    assert_non_null(strstr(b.err.text, dump));
    amphi_arena_free(arena);
    amphi_notes_free(notes);
    close_bench(&b);
}

static void a_start_that_is_far_too_hot_is_a_fault_at_once(void **state)
{
    (void)state;
    check_fault("<velocities temperature=\"298 K\"", "<velocities temperature=\"1e9 K\"", false,
                "fault at step 20 (0 ps): it goes further than 0.5 nm in one step");
}

static void an_explosion_stops_the_run_and_keeps_the_state_before(void **state)
{
    (void)state;
    /* 80 fs is far beyond what ELBA bears; how it ends is found at the second or a later look */
    check_fault("<run name=\"free\" ensemble=\"nve\" length=\"0.5 ps\"/>",
                "<run name=\"free\" ensemble=\"nve\" length=\"80 ps\" timestep=\"80 fs\"/>", true,
                "fault at step 1");
}

/* The last look before it was in another stage, whose dynamics lead elsewhere. */
static void a_fault_at_the_first_step_of_a_stage_has_no_way_to_it(void **state)
{
    (void)state;
    check_fault("<run name=\"free\" ensemble=\"nve\" length=\"0.5 ps\"/>",
                "<run name=\"free\" ensemble=\"nve\" length=\"20 ps\" timestep=\"2 ps\"/>", false,
                "fault at step 120 (0.5 ps): the first step would give it ");
}

/* ---- observers beside a device ---- */

/* The backend cpu as a device: frames are copies, which are spoilt when it goes on if a test wants
 * to know who still reads them. */
enum { BEADS = 100 };
static struct {
    const AmphiBackend *cpu;
    AmphiBackend        table;
    bool                spoils;
    int64_t             fails_in; /* the step of those that it makes by itself; 0: none */
    int64_t             stood_at;
    double              position[BEADS][3], force[BEADS][3], torque[BEADS][3], velocity[BEADS][3];
    double              orientation[BEADS][4], spin[BEADS][3];
    int32_t             image[BEADS][3];
} device;

static AmphiStatus read_copies(AmphiState *state, uint32_t needs, AmphiFrame *f, AmphiError *err)
{
    const AmphiStatus status = device.cpu->read_frame(state, needs, f, err);

    memcpy(device.position, f->position_nm, sizeof device.position);
    memcpy(device.force, f->force_kJ_mol_nm, sizeof device.force);
    memcpy(device.torque, f->torque_kJ_mol, sizeof device.torque);
    memcpy(device.velocity, f->velocity_nm_ps, sizeof device.velocity);
    memcpy(device.orientation, f->orientation, sizeof device.orientation);
    memcpy(device.spin, f->spin_u_nm2_ps, sizeof device.spin);
    memcpy(device.image, f->image, sizeof device.image);
    f->position_nm     = (const double(*)[3])device.position;
    f->force_kJ_mol_nm = (const double(*)[3])device.force;
    f->torque_kJ_mol   = (const double(*)[3])device.torque;
    f->velocity_nm_ps  = (const double(*)[3])device.velocity;
    f->orientation     = (const double(*)[4])device.orientation;
    f->spin_u_nm2_ps   = (const double(*)[3])device.spin;
    f->image           = (const int32_t(*)[3])device.image;
    return status;
}

static AmphiStatus fail_here(AmphiState *state, AmphiError *err)
{
    AmphiFrame frame;

    assert_int_equal(device.cpu->read_frame(state, 0, &frame, err), AMPHI_OK);
    device.stood_at = frame.step;
    return amphi_fail(err, AMPHI_UNSTABLE, "the device says so");
}

static AmphiStatus advance_by_steps(AmphiState *state, int64_t n_steps, AmphiError *err)
{
    AmphiStatus status = AMPHI_OK;

    if (device.spoils)
        memset(device.position, 0, sizeof device.position);
    for (int64_t k = 0; k < n_steps && status == AMPHI_OK; k++) {
        if (device.fails_in > 0 && --device.fails_in == 0)
            return fail_here(state, err);
        status = device.cpu->find_neighbours(state, err);
        if (status == AMPHI_OK)
            status = device.cpu->compute_forces(state, 0, err);
        if (status == AMPHI_OK)
            status = device.cpu->kick(state, 0, err);
        if (status == AMPHI_OK)
            status = device.cpu->drift(state, err);
    }
    return status;
}

static AmphiStatus run_as_device(Bench *b, const char *dir, bool works_beside, bool spoils)
{
    const AmphiRunOptions o   = options_of(dir, "cpu", AMPHI_DOUBLE);
    AmphiRun             *run = NULL;

    assert_int_equal(amphi_run_open(b->job, &o, &run, &b->err), AMPHI_OK);
    assert_int_equal(run->job->system.n_beads, BEADS);
    device.cpu                = run->backend;
    device.spoils             = spoils;
    device.table              = *run->backend;
    device.table.advance      = advance_by_steps;
    device.table.read_frame   = read_copies;
    device.table.works_beside = works_beside;
    run->backend              = &device.table;

    const AmphiStatus status = amphi_run(run, &b->err);

    run->backend = device.cpu;
    amphi_run_close(run);
    return status;
}

static void observers_look_while_a_device_goes_on(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, "<energies every=\"0.05 ps\"/>",
               "<energies every=\"0.05 ps\"/><trajectory every=\"0.1 ps\"/>");
    const AmphiRunOptions plain = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);

    assert_int_equal(run_once(&b, &plain, NULL), AMPHI_OK);
    assert_int_equal(run_as_device(&b, b.dir[1], true, false), AMPHI_OK);
    check_same_run(b.dir[0], b.dir[1]);
    assert_int_equal(run_as_device(&b, b.dir[2], false, true), AMPHI_OK);
    check_same_run(b.dir[0], b.dir[2]);
    assert_int_equal(run_as_device(&b, b.dir[3], true, true), AMPHI_OK);
    check_same_file(b.dir[0], b.dir[3], "energy.tsv"); /* which has no positions */
    assert_false(is_same_file(b.dir[0], b.dir[3], "trajectory.dcd"));
    close_bench(&b);
}

/* The run has asked for more steps by then. */
static void a_fault_on_a_device_is_at_the_step_where_that_stands(void **state)
{
    long long fault = 0;
    Bench     b;

    (void)state;
    open_bench(&b, NULL, NULL);
    device.fails_in = 5;
    assert_int_equal(run_as_device(&b, b.dir[0], false, false), AMPHI_UNSTABLE);
    assert_int_equal(sscanf(b.err.text, "fault at step %lld", &fault), 1);
    assert_true(fault > 0);
    assert_int_equal(fault, device.stood_at);
    assert_non_null(strstr(b.err.text, "the device says so"));
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_in_pieces_ends_with_the_same_bytes_on_the_reference),
        cmocka_unit_test(a_run_in_pieces_ends_with_the_same_bytes_on_the_cpu),
        cmocka_unit_test(how_often_it_is_saved_changes_nothing),
        cmocka_unit_test(observers_look_while_a_device_goes_on),
        cmocka_unit_test(a_finished_run_goes_on_to_a_larger_length),
        cmocka_unit_test(a_minimisation_ends_at_the_steps_that_are_allowed_and_begins_anew),
        cmocka_unit_test(a_finished_run_called_again_tells_the_same),
        cmocka_unit_test(a_run_that_is_asked_to_stop_is_saved_and_goes_on),
        cmocka_unit_test(no_time_left_is_a_reason_to_stop),
        cmocka_unit_test(a_damaged_checkpoint_gives_way_to_the_one_before),
        cmocka_unit_test(a_damaged_checkpoint_never_replaces_the_good_one_before),
        cmocka_unit_test(two_damaged_checkpoints_are_told_and_left_alone),
        cmocka_unit_test(a_changed_physics_is_refused_with_what_differs),
        cmocka_unit_test(an_output_may_join_a_run_on_its_way),
        cmocka_unit_test(files_without_a_checkpoint_are_not_touched),
        cmocka_unit_test(two_runs_do_not_share_a_directory),
        cmocka_unit_test(a_start_that_is_far_too_hot_is_a_fault_at_once),
        cmocka_unit_test(an_explosion_stops_the_run_and_keeps_the_state_before),
        cmocka_unit_test(a_fault_at_the_first_step_of_a_stage_has_no_way_to_it),
        cmocka_unit_test(a_fault_on_a_device_is_at_the_step_where_that_stands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
