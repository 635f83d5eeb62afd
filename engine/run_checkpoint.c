/* Writing checkpoints: the section `run` that a CHK file has besides the snapshot, and the order in
 * which files are replaced.
 *
 * The section is a row of blocks, each an i64 length and so many bytes: AmphiRunFront, AmphiPlace,
 * the state, the marks of all files, for each observer its name and what amphi_observer_save gives,
 * for each text of the physics an i32 stage, its key and its value, each closed by a zero, and
 * when each stage so far began.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/sink.h"
#include "host.h"
#include "run_checkpoint.h"
#include "run_parts.h"

/* ---- the section, written ---- */

static bool put_block(AmphiBytes *bytes, const void *from, size_t n)
{
    const int64_t length = (int64_t)n;

    return amphi_bytes_add(bytes, &length, sizeof length) &&
           (n == 0 || amphi_bytes_add(bytes, from, n));
}

static bool put_text(AmphiBytes *bytes, const AmphiPhysicsText *text)
{
    const size_t  n_key = strlen(text->key) + 1, n_value = strlen(text->value) + 1;
    const int64_t length = (int64_t)(sizeof text->stage + n_key + n_value);

    return amphi_bytes_add(bytes, &length, sizeof length) &&
           amphi_bytes_add(bytes, &text->stage, sizeof text->stage) &&
           amphi_bytes_add(bytes, text->key, n_key) && amphi_bytes_add(bytes, text->value, n_value);
}

static AmphiStatus put_observers(const AmphiRun *run, AmphiBytes *bytes, bool *done,
                                 AmphiError *err)
{
    for (int32_t k = 0; *done && k < run->n_observers; k++) {
        const AmphiRunObserver  *o      = &run->observer[k];
        const AmphiObserverNames names  = amphi_observer_names(o->kind, o->plan);
        AmphiBytes               sums   = { .data = NULL };
        const AmphiStatus        status = amphi_observer_save(o->observer, &sums, err);

        if (status == AMPHI_OK)
            *done = put_block(bytes, names.key, strlen(names.key) + 1) &&
                    put_block(bytes, sums.data, sums.n);
        amphi_release(sums.data);
        AMPHI_TRY(status);
    }
    return AMPHI_OK;
}

/* The dump of a fault has no marks of files, because no run continues from it. */
static AmphiStatus put_section(const AmphiRun *run, const AmphiBytes *state,
                               const AmphiOutfileMark *marks, int32_t n_marks, bool has_observers,
                               AmphiBytes *bytes, AmphiError *err)
{
    const AmphiJob *job   = run->job;
    AmphiRunFront   front = { .version     = AMPHI_RUN_SECTION,
                              .n_marks     = n_marks,
                              .n_observers = has_observers ? run->n_observers : 0,
                              .n_physics   = job->n_physics };
    bool            done;

    snprintf(front.backend, sizeof front.backend, "%s", run->backend->name);
    snprintf(front.about, sizeof front.about, "%s", run->backend->about(run->state));
    done = put_block(bytes, &front, sizeof front) && put_block(bytes, &run->at, sizeof run->at) &&
           put_block(bytes, state->data, state->n) &&
           put_block(bytes, marks, (size_t)n_marks * sizeof *marks);
    if (has_observers)
        AMPHI_TRY(put_observers(run, bytes, &done, err));
    for (int32_t k = 0; done && k < job->n_physics; k++)
        done = put_text(bytes, &job->physics[k]);
    done = done && put_block(bytes, run->began, (size_t)(run->at.stage + 1) * sizeof *run->began);
    return done ? AMPHI_OK : amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a checkpoint");
}

/* ---- the snapshot ---- */

static bool are_finite(const double *value, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        if (!isfinite(value[k]))
            return false;
    return true;
}

static void fill_snapshot(AmphiRun *run, const AmphiFrame *frame)
{
    AmphiSnapshot *s = run->snapshot;
    const size_t   n = (size_t)s->n_beads;

    s->step         = run->at.step;
    s->time_ps      = run->at.time_ps;
    s->precision    = (int32_t)run->backend->precision;
    s->physics_hash = run->job->physics_hash;
    s->has_box      = true;
    memcpy(s->box_nm, frame->box_nm, sizeof s->box_nm);
    for (size_t i = 0; i < n; i++)
        for (int a = 0; a < 3; a++)
            s->position_nm[i][a] = frame->position_nm[i][a] + frame->image[i][a] * frame->box_nm[a];
    memcpy(s->velocity_nm_ps, frame->velocity_nm_ps, n * sizeof *s->velocity_nm_ps);
    memcpy(s->orientation, frame->orientation, n * sizeof *s->orientation);
    memcpy(s->spin_u_nm2_ps, frame->spin_u_nm2_ps, n * sizeof *s->spin_u_nm2_ps);
}

static AmphiStatus write_file(AmphiRun *run, const AmphiBytes *section, const char *path,
                              AmphiError *err)
{
    AmphiStatus status;

    run->snapshot->run         = section->data;
    run->snapshot->n_run_bytes = (int64_t)section->n;
    status                     = amphi_format_find("chk")->write(path, run->snapshot, err);
    run->snapshot->run         = NULL;
    return status;
}

/* v(t) is known only after a kick: this begins the step, and the caller must restore the state. */
static AmphiStatus look_at_state(AmphiRun *run, AmphiFrame *frame, AmphiError *err)
{
    const uint32_t      all = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;
    const AmphiBackend *be  = run->backend;

    AMPHI_TRY(be->find_neighbours(run->state, err));
    AMPHI_TRY(be->compute_forces(run->state, all, err));
    if (run->at.stage >= 0)
        AMPHI_TRY(be->kick(run->state, all, err));
    return be->read_frame(run->state, all, frame, err);
}

/* ---- saving ---- */

static AmphiStatus fail_path(AmphiError *err, const char *path)
{
    return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", path, strerror(errno));
}

/* The new checkpoint must read back from the disk as it was written; else the old one is kept. */
static AmphiStatus read_back(const char *path, AmphiError *err)
{
    AmphiArena *const arena  = amphi_arena_new();
    AmphiSnapshot    *s      = NULL;
    const AmphiStatus status = amphi_run_read_file(path, arena, &s, err);

    amphi_arena_free(arena);
    return status;
}

void amphi_run_keep_spare(AmphiRun *run)
{
    char        now[AMPHI_PATH_SIZE], spare[AMPHI_PATH_SIZE];
    struct stat about;

    if (run->has_spare || amphi_run_path(run, "run.chk", now, NULL) != AMPHI_OK ||
        amphi_run_path(run, "run.spare", spare, NULL) != AMPHI_OK || stat(now, &about) != 0)
        return;

    const int handle = open(spare, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (handle < 0)
        return;
    run->has_spare = true;
    if (posix_fallocate(handle, 0, about.st_size + about.st_size / 4) != 0)
        amphi_run_spend_spare(run);
    close(handle);
}

bool amphi_run_spend_spare(AmphiRun *run)
{
    char       spare[AMPHI_PATH_SIZE];
    const bool had = run->has_spare;

    run->has_spare = false;
    return had && amphi_run_path(run, "run.spare", spare, NULL) == AMPHI_OK && unlink(spare) == 0;
}

/* run.chk becomes run.chk.prev; at every instant one of them exists. A damaged run.chk must not
 * replace an intact run.chk.prev. */
static AmphiStatus replace(AmphiRun *run, const char *fresh, AmphiError *err)
{
    char now[AMPHI_PATH_SIZE], prev[AMPHI_PATH_SIZE], between[AMPHI_PATH_SIZE];

    AMPHI_TRY(amphi_run_path(run, "run.chk", now, err));
    AMPHI_TRY(amphi_run_path(run, "run.chk.prev", prev, err));
    AMPHI_TRY(amphi_run_path(run, "run.chk.prev.tmp", between, err));
    if (run->last_is_bad) {
        AMPHI_TRY(amphi_rename_file(fresh, now, err));
        run->last_is_bad = false;
        return AMPHI_OK;
    }
    if (unlink(between) != 0 && errno != ENOENT)
        return fail_path(err, between);
    if (link(now, between) == 0) {
        if (rename(between, prev) != 0)
            return fail_path(err, prev);
        /* where both were names of one file already, since a run was killed right here, rename has
         * left both */
        if (unlink(between) != 0 && errno != ENOENT)
            return fail_path(err, between);
    } else if (errno != ENOENT) {
        return fail_path(err, between);
    }
    return amphi_rename_file(fresh, now, err);
}

static AmphiStatus write_checkpoint(AmphiRun *run, const AmphiBytes *state, AmphiError *err)
{
    AmphiOutfileMark *marks   = NULL;
    AmphiBytes        section = { .data = NULL };
    int32_t           n_marks = 0;
    char              fresh[AMPHI_PATH_SIZE];
    AmphiStatus       status = amphi_run_path(run, "run.chk.new", fresh, err);

    if (status == AMPHI_OK)
        status = amphi_outfiles_sync(run->files, &marks, &n_marks, err);
    if (status == AMPHI_OK)
        status = put_section(run, state, marks, n_marks, true, &section, err);
    if (status == AMPHI_OK) {
        status = write_file(run, &section, fresh, err);
        if (status == AMPHI_BAD_FILE && amphi_run_spend_spare(run)) {
            if (err != NULL)
                *err = (AmphiError){ .status = AMPHI_OK };
            status = write_file(run, &section, fresh, err);
        }
    }
    amphi_release(section.data); /* reading back needs as much memory */
    if (status == AMPHI_OK)
        status = read_back(fresh, err);
    if (status == AMPHI_OK)
        status = replace(run, fresh, err);
    if (status == AMPHI_OK)
        amphi_run_keep_spare(run);
    amphi_release(marks);
    return status;
}

void amphi_run_note_hash(AmphiRun *run, const AmphiBytes *state)
{
    AmphiStateHash hash;

    run->state_hash[0] = '\0';
    if (amphi_state_hash(state, &hash))
        amphi_state_hash_write(&hash, run->state_hash);
}

AmphiStatus amphi_run_save(AmphiRun *run, AmphiError *err)
{
    const double began = amphi_clock_s();
    AmphiBytes   state = { .data = NULL };
    AmphiFrame   frame;
    bool         is_written = false;
    AmphiStatus  status     = AMPHI_OK;

    if (run->at.stage >= 0)
        status = run->backend->save(run->state, &state, err);
    if (status == AMPHI_OK)
        amphi_run_note_hash(run, &state);
    if (status == AMPHI_OK)
        status = look_at_state(run, &frame, err);
    if (status == AMPHI_OK)
        status = amphi_run_look(run, &frame, err);
    if (status == AMPHI_OK)
        status = amphi_run_check_momentum(run, &frame, err);
    if (status == AMPHI_OK && run->at.is_done != 0)
        amphi_run_note_minimum(run, &frame);
    if (status == AMPHI_OK) {
        fill_snapshot(run, &frame);
        status     = write_checkpoint(run, &state, err);
        is_written = status == AMPHI_OK;
    }
    if (status == AMPHI_OK && run->at.stage >= 0)
        status = run->backend->restore(run->state, &state, err);
    amphi_release(state.data);
    if (!is_written)
        return status;
    run->saved_s     = amphi_clock_s();
    run->saved_step  = run->at.step;
    run->saved_stage = run->at.stage;
    run->save_took_s = run->saved_s - began;
    return status;
}

AmphiStatus amphi_run_dump(AmphiRun *run, const AmphiBytes *state, const char *path,
                           AmphiError *err)
{
    const AmphiPlace now     = run->at;
    AmphiBytes       section = { .data = NULL };
    AmphiFrame       frame;
    AmphiStatus      status = run->backend->restore(run->state, state, err);

    if (status != AMPHI_OK)
        return status;
    if (look_at_state(run, &frame, NULL) != AMPHI_OK)
        status = run->backend->read_frame(run->state, AMPHI_NEED_POSITIONS, &frame, err);
    run->at.step    = frame.step;
    run->at.time_ps = frame.time_ps;
    if (status == AMPHI_OK) {
        double(*const velocity)[3] = run->snapshot->velocity_nm_ps;
        double(*const spin)[3]     = run->snapshot->spin_u_nm2_ps;

        fill_snapshot(run, &frame);
        if (!are_finite(velocity[0], 3 * (int64_t)run->snapshot->n_beads) ||
            !are_finite(spin[0], 3 * (int64_t)run->snapshot->n_beads)) {
            run->snapshot->velocity_nm_ps = NULL;
            run->snapshot->spin_u_nm2_ps  = NULL;
        }
        status = put_section(run, state, NULL, 0, false, &section, err);
        if (status == AMPHI_OK)
            status = write_file(run, &section, path, err);
        run->snapshot->velocity_nm_ps = velocity;
        run->snapshot->spin_u_nm2_ps  = spin;
    }
    amphi_release(section.data);
    run->at = now;
    return status;
}
