/* Frames of a run, from its trajectory: when each of them was, and what it holds. */
#include "run_replay.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "build_space.h"
#include "formats/formats.h"
#include "formats/trajectory.h"
#include "run_spans.h"

/* When a frame was that tells its step and time. */
typedef struct {
    int64_t step, stage_step;
    int32_t stage;
} Moment;

struct AmphiReplay {
    AmphiArena              *arena;
    const AmphiJob          *job;
    const AmphiObserverPlan *plan; /* of the trajectory */
    AmphiTrajectory          file;
    AmphiReplayInfo          info;
    char                     path[AMPHI_PATH_SIZE], remark[240];
    bool                     is_certain; /* at which step stages began */
    AmphiSpan               *span;       /* [n_stages of the job] */
    Moment                  *moment;     /* [n_frames] of an XTC file; NULL: DCD */
    double (*position_nm)[3];            /* [n_beads] */
};

/* ---- the checkpoint ---- */

/* Without one that can be read, and is of this physics, the plan must do. */
static AmphiStatus read_record(AmphiReplay *r, const char *dir, AmphiRecord *record,
                               AmphiError *err)
{
    AmphiRun     run  = { .arena = r->arena, .job = r->job, .lock = -1, .at.stage = -1 };
    AmphiError   why  = { .status = AMPHI_OK };
    AmphiRunPast past = { .is_there = false };

    *record = (AmphiRecord){ .n_bytes = -1 };
    snprintf(run.path, sizeof run.path, "%s", dir);
    if (amphi_run_find_past(&run, &past, &why) == AMPHI_NO_MEMORY)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s", why.text);
    if (why.status != AMPHI_OK || !past.is_there || past.at.stage < 0) {
        snprintf(r->remark, sizeof r->remark, "%.*s: stages and times are those of the plan",
                 why.status != AMPHI_OK ? (int)strcspn(why.text, "\n") : 200,
                 why.status != AMPHI_OK ? why.text : "there is no checkpoint of this run");
        return AMPHI_OK;
    }
    record->is_there = true;
    record->at       = past.at;
    record->began    = past.began;
    for (int32_t k = 0; k < past.n_marks; k++)
        if (strcmp(past.marks[k].name, amphi_trajectory_name(false)) == 0)
            record->n_bytes = (int64_t)past.marks[k].length;
    return AMPHI_OK;
}

/* ---- frames ---- */

/* The stage in which a frame was: at a seam the later one. -1: none. It may be one before
 * from_stage, which may have been changed between runs. */
static int32_t stage_of_time(const AmphiReplay *r, double time_ps)
{
    int32_t found = -1;

    for (int32_t k = 0; k < r->job->n_stages; k++)
        if (amphi_span_moves(r->span[k].stage) && r->span[k].began_ps <= time_ps + 1e-6)
            found = k;
    return found;
}

static AmphiStatus fail_times(const AmphiReplay *r, const char *what, AmphiError *err)
{
    return amphi_fail(err, AMPHI_BAD_INPUT,
                      "%.200s: %s\n    <trajectory> was changed on the way, so that the times of "
                      "its frames are not known",
                      r->path, what);
}

/* What single precision leaves of a time. */
static double blur_ps(double time_ps)
{
    return 1.2e-7 * fabs(time_ps) + 1e-6;
}

/* Are frames of a stage as far apart as the header says? */
static bool has_interval(const AmphiDcdReader *d, const AmphiSpan *s)
{
    const double told_ps = (double)d->steps_between * d->dt_ps;

    return amphi_span_moves(s->stage) &&
           fabs(told_ps / ((double)s->every * s->stage->dt_ps) - 1) < 1e-5;
}

/* The step of the header, which has it in single precision, by the stage whose frames are as far
 * apart. It may be several of the stage's. */
static double step_of_header(const AmphiReplay *r)
{
    const AmphiDcdReader *const d = &r->file.dcd;

    for (int32_t k = 0; k < r->job->n_stages; k++)
        if (has_interval(d, &r->span[k]))
            return (double)r->span[k].every * r->span[k].stage->dt_ps / (double)d->steps_between;
    return d->dt_ps;
}

/* Interval and first time of the header against those of the plan. The header counts whole steps of
 * its own from time zero: where a stage begins between two of them its first frame may be half of
 * one early or late, half way a late one, and with a step in single precision a little more. */
static AmphiStatus place_first(AmphiReplay *r, int32_t *stage, AmphiError *err)
{
    static const double         half    = 0.5 + 1e-3;
    const AmphiDcdReader *const d       = &r->file.dcd;
    const double                dt_ps   = step_of_header(r);
    const double                time_ps = (double)d->first_step * dt_ps;
    char                        what[160];

    *stage = stage_of_time(r, time_ps + 0.5 * dt_ps + blur_ps(time_ps));
    if (*stage < 0)
        return fail_times(r, "its first frame is earlier than the first stage", err);

    AmphiSpan *const s     = &r->span[*stage];
    const double     exact = (time_ps - s->began_ps) / s->stage->dt_ps;

    snprintf(what, sizeof what, "frames were %.6g ps apart at first, and are %.6g ps by its plan",
             (double)d->steps_between * d->dt_ps, (double)s->every * s->stage->dt_ps);
    if (!has_interval(d, s))
        return fail_times(r, what, err);
    s->first_step = (int64_t)ceil(exact / (double)s->every - half) * s->every;
    if (!(fabs((double)s->first_step - exact) <= half * (double)s->every && s->first_step >= 0))
        return fail_times(r, "its first frame is between two frames of its plan", err);
    return AMPHI_OK;
}

/* Has the end of this stage a frame of its own? Where time steps follow on it, it is the first
 * frame of theirs. */
static bool has_end(const AmphiReplay *r, int32_t k)
{
    const AmphiSpan *const s = &r->span[k];

    return k + 1 < r->job->n_stages && amphi_span_moves(s->stage) &&
           !amphi_span_moves(s[1].stage) && s->n_steps % s->every == 0;
}

/* How many frames each stage has. The last stage may go on for ever. */
static void count_frames(AmphiReplay *r, int32_t first)
{
    int64_t n = 0;

    for (int32_t k = first; k < r->job->n_stages; k++) {
        AmphiSpan *const s = &r->span[k];

        s->first_frame = n;
        if (!amphi_span_moves(s->stage))
            continue;
        s->n_frames = k == r->job->n_stages - 1
                          ? r->info.n_frames - n
                          : (s->n_steps - s->first_step + s->every - 1) / s->every + has_end(r, k);
        s->n_frames = s->n_frames > 0 ? s->n_frames : 0;
        n += s->n_frames;
    }
}

/* Where a run ends with a stage that is not the last, the last frame is the end of that stage, and
 * not the beginning of the next. */
static void give_last(AmphiReplay *r, const AmphiRecord *record)
{
    AmphiSpan *const s = record->is_there ? &r->span[record->at.stage] : NULL;

    if (s == NULL || !amphi_span_moves(s->stage) || s->n_steps % s->every != 0 ||
        has_end(r, (int32_t)record->at.stage) ||
        record->at.step - record->at.stage_began != s->n_steps ||
        s->first_frame + s->n_frames != r->info.n_frames - 1)
        return;
    s->n_frames++;
    for (int32_t k = (int32_t)record->at.stage + 1; k < r->job->n_stages; k++)
        r->span[k].first_frame++;
}

static const AmphiSpan *span_of(const AmphiReplay *r, int64_t k)
{
    int32_t at = r->job->n_stages - 1;

    while (at > 0 && (r->span[at].n_frames == 0 || r->span[at].first_frame > k))
        at--;
    return &r->span[at];
}

void amphi_replay_moment(const AmphiReplay *r, int64_t k, AmphiFrame *f)
{
    const AmphiSpan *s = span_of(r, k);

    if (r->moment != NULL) {
        const Moment *const m = &r->moment[k];
        s                     = &r->span[m->stage];
        *f = (AmphiFrame){ .stage = s->stage, .stage_step = m->stage_step, .step = m->step };
        f->time_ps = s->began_ps + (double)f->stage_step * s->stage->dt_ps;
        return;
    }
    *f         = (AmphiFrame){ .stage      = s->stage,
                               .stage_step = s->first_step + (k - s->first_frame) * s->every };
    f->step    = s->began_step + f->stage_step;
    f->time_ps = s->began_ps + (double)f->stage_step * s->stage->dt_ps;
}

/* Is frame k earlier than the checkpoint? */
static bool is_before(const AmphiReplay *r, const AmphiRecord *record, int64_t k)
{
    const AmphiStage *const now = &r->job->stage[record->at.stage];
    AmphiFrame              f;

    amphi_replay_moment(r, k, &f);
    return f.stage < now ||
           (f.stage == now && f.stage_step < record->at.step - record->at.stage_began);
}

/* Is the frame behind frame k due at the checkpoint or later? */
static bool is_latest(const AmphiReplay *r, const AmphiRecord *record, int64_t k)
{
    const AmphiSpan *const s = span_of(r, k);
    AmphiFrame             f;

    amphi_replay_moment(r, k, &f);
    return record->at.time_ps - f.time_ps <=
           (double)s->every * s->stage->dt_ps + 1e-6 + 1e-9 * f.time_ps;
}

/* A checkpoint is saved before the frame of its step: what was in the file then is all that is
 * earlier. Frames from before from_stage must be proved to have no gap behind them: it was changed
 * on the way. */
static AmphiStatus compare_counts(const AmphiReplay *r, const AmphiRecord *record, int32_t first,
                                  AmphiError *err)
{
    const int64_t head = r->file.dcd.first_frame_at;
    const int64_t n    = record->is_there && record->n_bytes > head
                             ? (record->n_bytes - head) / r->file.dcd.frame_bytes
                             : -1;
    char          what[160];

    if ((n < 1 || n > r->info.n_frames) && first < r->plan->from_stage)
        return fail_times(r, "its first frame is of a stage before that of from", err);
    if (n < 1 || n > r->info.n_frames)
        return AMPHI_OK;
    if (is_before(r, record, n - 1) && is_latest(r, record, n - 1) &&
        (n == r->info.n_frames || !is_before(r, record, n)))
        return AMPHI_OK;
    snprintf(what, sizeof what, "it had %" PRId64 " frames at step %" PRId64 ", %.9g ps", n,
             record->at.step, record->at.time_ps);
    return fail_times(r, what, err);
}

/* ---- frames that tell their moment ---- */

/* In which stage a step was: at a seam the later one. -1: none. */
static int32_t stage_of_step(const AmphiReplay *r, int64_t step)
{
    int32_t found = -1;

    for (int32_t k = 0; k < r->job->n_stages; k++)
        if (amphi_span_moves(r->span[k].stage) && r->span[k].began_step <= step)
            found = k;
    return found;
}

/* Stage and step in it by the step; by the time where it is not certain at which step stages
 * began. */
static bool find_moment(const AmphiReplay *r, int64_t in_file, double time_ps, Moment *m)
{
    const int32_t by_time = stage_of_time(r, time_ps + blur_ps(time_ps));

    if (by_time < 0)
        return false;

    const AmphiSpan *const s     = &r->span[by_time];
    const double           exact = (time_ps - s->began_ps) / s->stage->dt_ps;
    const int64_t          steps = exact > 0 ? (int64_t)floor(exact + 0.5) : 0;

    *m      = (Moment){ .stage = by_time, .stage_step = steps };
    m->step = amphi_xtc_whole_step(in_file, s->began_step + steps);
    if (!r->is_certain)
        return true;
    m->stage = stage_of_step(r, m->step);
    if (m->stage < 0)
        return false;

    const AmphiSpan *const found = &r->span[m->stage];
    m->stage_step                = m->step - found->began_step;
    return fabs(found->began_ps + (double)m->stage_step * found->stage->dt_ps - time_ps) <=
           blur_ps(time_ps);
}

/* As give_last: the end of a stage that is not followed by another. */
static void end_stage(AmphiReplay *r, const AmphiRecord *record)
{
    Moment *const m = &r->moment[r->info.n_frames - 1];

    if (!record->is_there || m->stage_step != 0 || m->step != record->at.step)
        return;

    const int32_t          at = (int32_t)record->at.stage;
    const AmphiSpan *const s  = &r->span[at];
    const int64_t          n  = record->at.step - record->at.stage_began;
    if (at < m->stage && amphi_span_moves(s->stage) && n == s->n_steps && n % s->every == 0)
        *m = (Moment){ .step = m->step, .stage_step = n, .stage = at };
}

/* The end of a stage before a minimisation has the time of the first frame behind that, and its
 * step too if the minimisation made none. */
static void part_stages(AmphiReplay *r, int64_t k)
{
    const Moment *const next = &r->moment[k];
    Moment *const       end  = &r->moment[k - 1];
    int32_t             at   = next->stage - 1;

    if (end->stage != next->stage || end->stage_step != 0 || next->stage_step != 0)
        return;
    while (at >= 0 && !amphi_span_moves(r->span[at].stage))
        at--;
    if (at >= 0 && has_end(r, at))
        *end = (Moment){ .step = end->step, .stage_step = r->span[at].n_steps, .stage = at };
}

static AmphiStatus place_known(AmphiReplay *r, const AmphiRecord *record, AmphiError *err)
{
    r->moment = AMPHI_TAKE(r->arena, Moment, r->info.n_frames);
    if (r->moment == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory for its times", r->path);
    for (int64_t k = 0; k < r->info.n_frames; k++) {
        const int64_t step    = amphi_trajectory_step(&r->file, k);
        const double  time_ps = amphi_trajectory_time_ps(&r->file, k);
        char          what[160];

        snprintf(what, sizeof what,
                 "frame %" PRId64 " of step %" PRId64 " and %.9g ps is in no stage of its plan", k,
                 step, time_ps);
        if (!find_moment(r, step, time_ps, &r->moment[k]))
            return fail_times(r, what, err);
        if (k > 0)
            part_stages(r, k);
        if (k > 0 && (r->moment[k].step < r->moment[k - 1].step ||
                      (r->moment[k].step == r->moment[k - 1].step &&
                       r->moment[k].stage == r->moment[k - 1].stage)))
            return fail_times(r, "its steps do not grow from frame to frame", err);
    }
    end_stage(r, record);
    if (record->is_there && !r->is_certain)
        r->remark[0] = '\0'; /* frames have their steps */
    return AMPHI_OK;
}

static AmphiStatus place_frames(AmphiReplay *r, const char *dir, AmphiError *err)
{
    AmphiRecord record;
    int32_t     first = 0;

    AMPHI_TRY(read_record(r, dir, &record, err));
    AMPHI_TRY(amphi_spans_find(r->job, r->plan, &record, r->span, err));
    r->is_certain = record.is_certain;
    if (record.is_there)
        memcpy(r->remark, record.remark, sizeof r->remark);
    if (r->file.is_xtc)
        return place_known(r, &record, err);
    AMPHI_TRY(place_first(r, &first, err));
    count_frames(r, first);
    give_last(r, &record);
    return compare_counts(r, &record, first, err);
}

/* ---- the file ---- */

static AmphiStatus find_plan(AmphiReplay *r, AmphiError *err)
{
    for (int32_t k = 0; k < r->job->n_observers; k++)
        if (strcmp(r->job->observer[k].kind, "trajectory") == 0)
            r->plan = &r->job->observer[k];
    if (r->plan == NULL)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "the run has no <trajectory>, so there is nothing to analyse\n"
                          "    write: <trajectory every=\"1 ps\"/> in its <output>, and run it on");
    return AMPHI_OK;
}

static AmphiStatus check_beads(const AmphiReplay *r, AmphiError *err)
{
    const AmphiSystem *const s       = &r->job->system;
    const bool               has_all = r->plan->group < 0 || r->plan->group >= s->n_groups ||
                         s->group[r->plan->group].n_beads == s->n_beads;

    if (!has_all)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%.200s: has only the beads of the group %.60s, and observers need all\n"
                          "    write: <trajectory .../> without group",
                          r->path, s->group[r->plan->group].name);
    if (r->file.n_beads != s->n_beads)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%.300s: frames of %d beads, and the system in input/ has %d", r->path,
                          (int)r->file.n_beads, (int)s->n_beads);
    return r->file.is_xtc || r->file.dcd.has_cell
               ? AMPHI_OK
               : amphi_fail(err, AMPHI_BAD_INPUT, "%.300s: frames without a box", r->path);
}

/* Some notes begin with the path. */
static AmphiStatus fail_notes(const AmphiReplay *r, AmphiNotes *notes, AmphiError *err)
{
    const char *const why = amphi_run_fault_in(notes);

    if (strncmp(why, r->path, strlen(r->path)) == 0)
        return amphi_fail(err, AMPHI_BAD_FILE, "%.480s", why);
    return amphi_fail(err, AMPHI_BAD_FILE, "%.200s: %.280s", r->path, why);
}

static AmphiStatus open_file(AmphiReplay *r, AmphiError *err)
{
    AmphiNotes *const notes  = amphi_notes_new();
    AmphiStatus       status = AMPHI_OK;

    if (notes == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", r->path);
    if (!amphi_trajectory_open(&r->file, r->plan->is_xtc ? &amphi_format_xtc : &amphi_format_dcd,
                               r->path, r->arena, (AmphiWhere){ NULL, 0 }, notes))
        status = amphi_arena_failed(r->arena)
                     ? amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", r->path)
                     : fail_notes(r, notes, err);
    amphi_notes_free(notes);
    r->info = (AmphiReplayInfo){
        .path = r->path, .n_frames = r->file.n_frames, .n_cut = r->file.n_cut, .remark = r->remark
    };
    return status;
}

static AmphiStatus open_replay(AmphiReplay *r, const char *dir, AmphiError *err)
{
    AMPHI_TRY(find_plan(r, err));
    if (snprintf(r->path, sizeof r->path, "%s/%s", dir, amphi_trajectory_name(r->plan->is_xtc)) >=
        (int)sizeof r->path)
        return amphi_fail(err, AMPHI_BAD_FILE, "%.100s...: the path is too long", dir);
    r->span        = AMPHI_TAKE(r->arena, AmphiSpan, r->job->n_stages);
    r->position_nm = amphi_arena_take(r->arena, r->job->system.n_beads, sizeof *r->position_nm);
    if (amphi_arena_failed(r->arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory for a frame", r->path);
    AMPHI_TRY(open_file(r, err));
    AMPHI_TRY(check_beads(r, err));
    return place_frames(r, dir, err);
}

AmphiStatus amphi_replay_open(const AmphiJob *job, const char *dir, AmphiReplay **replay,
                              AmphiError *err)
{
    AmphiArena *const  arena = amphi_arena_new();
    AmphiReplay *const r     = arena != NULL ? AMPHI_TAKE(arena, AmphiReplay, 1) : NULL;

    *replay = NULL;
    if (r == NULL) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a trajectory");
    }
    r->arena = arena;
    r->job   = job;

    const AmphiStatus status = open_replay(r, dir, err);
    if (status == AMPHI_OK)
        *replay = r;
    else
        amphi_replay_close(r);
    return status;
}

void amphi_replay_close(AmphiReplay *r)
{
    if (r == NULL)
        return;
    amphi_trajectory_close(&r->file);
    amphi_arena_free(r->arena);
}

const AmphiReplayInfo *amphi_replay_info(const AmphiReplay *r)
{
    return &r->info;
}

/* ---- reading ---- */

AmphiStatus amphi_replay_read(AmphiReplay *r, int64_t k, AmphiFrame *f, AmphiError *err)
{
    AmphiNotes *const notes  = amphi_notes_new();
    AmphiStatus       status = AMPHI_OK;

    if (notes == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", r->path);
    amphi_replay_moment(r, k, f);
    if (!amphi_trajectory_read(&r->file, k, f->box_nm, r->position_nm, notes))
        status = fail_notes(r, notes, err);
    else if (!(f->box_nm[0] > 0 && f->box_nm[1] > 0 && f->box_nm[2] > 0))
        status =
            amphi_fail(err, AMPHI_BAD_FILE, "%.400s: frame %" PRId64 " has no box", r->path, k);
    amphi_notes_free(notes);
    if (status != AMPHI_OK)
        return status;
    for (int32_t i = 0; i < r->file.n_beads; i++)
        for (int a = 0; a < 3; a++)
            r->position_nm[i][a] = amphi_wrap(r->position_nm[i][a], f->box_nm[a]);
    f->has         = AMPHI_NEED_POSITIONS;
    f->position_nm = (const double(*)[3])r->position_nm;
    return AMPHI_OK;
}

bool amphi_replay_fits(const AmphiReplay *r, int64_t nth, const AmphiObserverPlan *plan)
{
    for (int32_t k = plan->from_stage; k < r->job->n_stages; k++) {
        const AmphiStage *const stage = &r->job->stage[k];

        if (amphi_span_moves(stage) &&
            amphi_observer_every(plan, stage) % (nth * r->span[k].every) != 0)
            return false;
    }
    return true;
}

AmphiStatus amphi_replay_pace(const AmphiReplay *r, int64_t nth, AmphiObserverPlan *plan,
                              AmphiError *err)
{
    if (nth < 1 || nth > r->info.n_frames)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%.300s: has %" PRId64 " frames, so none is %" PRId64 "th", r->path,
                          r->info.n_frames, nth);
    plan->every_ps = r->plan->every_ps * (double)nth;
    plan->every    = r->plan->every * nth;
    for (int32_t k = 0; k < r->job->n_stages; k++) {
        const AmphiStage *const stage = &r->job->stage[k];

        if (amphi_span_moves(stage) && amphi_observer_every(plan, stage) != nth * r->span[k].every)
            return amphi_fail(err, AMPHI_BAD_INPUT,
                              "stage %.60s: %" PRId64
                              " intervals of <trajectory> are no whole number "
                              "of steps",
                              stage->name, nth);
    }
    return AMPHI_OK;
}
