/* The stages of a job in order, and the loop over time steps.
 *
 * Leapfrog with one kick a step: at the top of the loop the state holds x(t) and v(t - dt/2). A
 * checkpoint contains just that, so that a run continues by entering the loop. Observers do not see
 * minimisations, and one that is interrupted, or cut off by a number of steps, starts again from
 * its beginning.
 */
#include <math.h>

#include "run_parts.h"

/* ---- ends ---- */

static bool is_last(const AmphiRun *run)
{
    return run->at.stage == run->job->n_stages - 1;
}

/* Beyond this, doubles no longer count single steps; the lengths of stages end there too. */
static const double most_steps = 0x1p53;

AmphiStatus amphi_run_check_length(const AmphiJob *job, const AmphiRunOptions *o, AmphiError *err)
{
    double dt_ps = (double)INFINITY;

    for (int32_t k = 0; k < job->n_stages; k++)
        if (job->stage[k].ensemble != AMPHI_MINIMISE)
            dt_ps = fmin(dt_ps, job->stage[k].dt_ps);
    if (o->n_steps > (int64_t)most_steps)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "%lld steps: more than can be counted, %.0f\n    write: a smaller number",
                          (long long)o->n_steps, most_steps);
    if (o->until_ps / dt_ps > most_steps)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "until %g ps: more steps of %g fs than can be counted, %.0f\n"
                          "    write: a time below %.3g ns",
                          o->until_ps, 1e3 * dt_ps, most_steps, 1e-3 * most_steps * dt_ps);
    return AMPHI_OK;
}

/* The steps of dt_ps to a time; a sum of steps may miss a round time by its last bits. */
static double steps_until(double until_ps, double time_ps, double dt_ps)
{
    return ceil((until_ps - time_ps) / dt_ps * (1 - 1e-12) - 1e-6);
}

/* Is this time the end that the options set, for stages from k on? None of them begins then, for it
 * would have no step. */
static bool ends_at(const AmphiJob *job, const AmphiRunOptions *o, int64_t k, double time_ps)
{
    while (k < job->n_stages && job->stage[k].ensemble == AMPHI_MINIMISE)
        k++;
    if (o->until_ps < 0)
        return false;
    return k < job->n_stages ? steps_until(o->until_ps, time_ps, job->stage[k].dt_ps) <= 0
                             : time_ps >= o->until_ps * (1 - 1e-12);
}

/* The steps that the options allow in this stage; in the last stage they replace the plan's. */
static int64_t steps_allowed(const AmphiRun *run, const AmphiStage *stage)
{
    const AmphiRunOptions *o = &run->options;
    int64_t                n = INT64_MAX;

    if (o->n_steps >= 0)
        n = o->n_steps > run->at.stage_began ? o->n_steps - run->at.stage_began : 0;
    if (o->until_ps >= 0) {
        const double whole = steps_until(o->until_ps, run->at.stage_began_ps, stage->dt_ps);

        if (whole < (double)n)
            n = whole > 0 ? (int64_t)whole : 0;
    }
    return n;
}

static int64_t find_end(const AmphiRun *run)
{
    const AmphiStage *stage   = amphi_run_stage(run);
    const int64_t     allowed = steps_allowed(run, stage);
    const bool        is_free = is_last(run) && allowed < INT64_MAX;
    const int64_t     n       = is_free || allowed < stage->n_steps ? allowed : stage->n_steps;

    return run->at.stage_began + n;
}

/* Is the run at the end that the options set, so that no further stage begins? */
static bool is_at_limit(const AmphiRun *run)
{
    const AmphiRunOptions *o = &run->options;

    return (o->n_steps >= 0 && run->at.step >= o->n_steps) ||
           ends_at(run->job, o, run->at.stage + 1, run->at.time_ps);
}

/* Is this a minimisation that the options end before its own last step? That one needs no step, but
 * a last judgement, to be done. */
static bool is_cut(const AmphiRun *run)
{
    const AmphiStage *stage = amphi_run_stage(run);
    const int64_t     most  = run->options.n_steps;

    return stage->ensemble == AMPHI_MINIMISE && most >= 0 && run->at.step >= most &&
           run->at.step - run->at.stage_began < stage->n_steps;
}

static bool is_over(const AmphiRun *run)
{
    const AmphiStage *stage = amphi_run_stage(run);

    if (stage == NULL)
        return true;
    return stage->ensemble == AMPHI_MINIMISE ? run->at.is_done != 0
                                             : run->at.step >= run->stage_end;
}

static bool wants_to_stop(const AmphiRun *run)
{
    const AmphiRunOptions *o     = &run->options;
    const double           spare = 5 * run->save_took_s; /* for the last checkpoint, and tables */

    if (o->stop_requested != NULL && amphi_word(o->stop_requested) != 0)
        return true;
    return o->max_hours > 0 && amphi_clock_s() - run->began_s + spare >= 3600 * o->max_hours;
}

/* ---- saving and telling ---- */

static bool is_save_due(AmphiRun *run)
{
    const AmphiRunOptions  *o     = &run->options;
    const AmphiComputePlan *c     = &run->job->compute;
    const bool              given = o->checkpoint_every_s > 0 || o->checkpoint_every_steps > 0;
    const int64_t           steps = given ? o->checkpoint_every_steps : c->checkpoint_every_steps;
    const double            wall  = given ? o->checkpoint_every_s : c->checkpoint_every_s;

    if (o->save_requested != NULL && amphi_word(o->save_requested) != run->saves_asked) {
        run->saves_asked = amphi_word(o->save_requested);
        return true;
    }
    if (run->saved_step == run->at.step && run->saved_stage == run->at.stage)
        return false;
    return (steps > 0 && run->at.step - run->saved_step >= steps) ||
           (wall > 0 && amphi_clock_s() - run->saved_s >= wall);
}

static void tell(AmphiRun *run, bool at_once)
{
    const double now = amphi_clock_s();

    if (run->options.progress == NULL || (!at_once && now - run->told_s < 0.25))
        return;
    run->told_s = now;
    run->options.progress(run->options.user, run);
}

/* ---- one step ---- */

static bool is_look_due(const AmphiRun *run)
{
    return (run->at.step - run->at.stage_began) % run->job->compute.watch_every == 0;
}

/* Is this the first step of a stage that makes time steps? */
static bool is_at_start(const AmphiRun *run)
{
    return run->at.step == run->at.stage_began && amphi_run_stage(run)->ensemble != AMPHI_MINIMISE;
}

static bool sees(const AmphiRun *run, const AmphiRunObserver *o)
{
    return o->plan->from_stage <= run->at.stage;
}

/* Steps from `at` to the next multiple of `every`, but at most n; 0 when it is one. */
static int64_t nearest_multiple(int64_t at, int64_t every, int64_t n)
{
    const int64_t left = (every - at % every) % every;

    return left < n ? left : n;
}

/* The AMPHI_NEED_ bits of the observers that are due at this step. */
static uint32_t needs_of(const AmphiRun *run, bool is_final)
{
    const AmphiStage *stage = amphi_run_stage(run);
    uint32_t          needs = 0;

    for (int32_t k = 0; k < run->n_observers; k++) {
        const AmphiRunObserver *o     = &run->observer[k];
        const int64_t           every = amphi_observer_every(o->plan, stage);

        if (sees(run, o) && (is_final || (run->at.step - run->at.stage_began) % every == 0))
            needs |= o->kind->needs;
    }
    return needs;
}

static AmphiStatus show(AmphiRun *run, const AmphiFrame *frame, AmphiError *err)
{
    if (frame->stage == NULL)
        return AMPHI_OK;
    for (int32_t k = 0; k < run->n_observers; k++)
        if (sees(run, &run->observer[k]))
            AMPHI_TRY(amphi_observer_see(run->observer[k].observer, frame, err));
    return AMPHI_OK;
}

/* The first half of a step, from v(t - dt/2) to v(t + dt/2), and what is due at time t but
 * observers: the checks of the watch, measurements. The final one is always checked, but counts as
 * a measurement only if that was due. *frame: what observers are to be shown; without a stage, if
 * nothing is. */
static AmphiStatus push(AmphiRun *run, bool is_final, AmphiFrame *frame, AmphiError *err)
{
    const AmphiBackend *be       = run->backend;
    const bool          is_first = is_at_start(run);
    const bool          looks    = is_look_due(run) || is_final;
    const uint32_t      all      = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;
    uint32_t            needs    = needs_of(run, is_final);

    frame->stage = NULL;
    if (looks)
        needs |= be->keep != NULL && !is_final && !is_first ? AMPHI_NEED_NUMBERS : all;
    AMPHI_TRY(be->find_neighbours(run->state, err));
    if (looks)
        AMPHI_TRY(amphi_run_keep(run, false, err));
    AMPHI_TRY(be->compute_forces(run->state, needs, err));
    AMPHI_TRY(be->kick(run->state, needs, err));
    if (needs == 0)
        return AMPHI_OK;
    AMPHI_TRY(be->read_frame(run->state, needs, frame, err));
    amphi_run_waited(run);
    if (looks) {
        amphi_run_feel(run, frame);
        if (is_first)
            AMPHI_TRY(amphi_run_look_at_start(run, frame, err));
        AMPHI_TRY(amphi_run_look(run, frame, err));
        AMPHI_TRY(amphi_run_check_momentum(run, frame, err));
        amphi_run_trust(run);
    }
    return is_look_due(run) ? amphi_run_measure(run, frame, err) : AMPHI_OK;
}

/* The number of steps from here on without any check, output or checkpoint. */
static int64_t count_quiet(const AmphiRun *run)
{
    const AmphiRunOptions *o     = &run->options;
    const int64_t          at    = run->at.step - run->at.stage_began;
    const bool             given = o->checkpoint_every_s > 0 || o->checkpoint_every_steps > 0;
    const int64_t          save =
        given ? o->checkpoint_every_steps : run->job->compute.checkpoint_every_steps;
    const int64_t watch = run->job->compute.watch_every;
    int64_t       n     = run->stage_end - run->at.step;

    n = nearest_multiple(at, watch, n);
    for (int32_t k = 0; k < run->n_observers; k++)
        if (sees(run, &run->observer[k]))
            n = nearest_multiple(
                at, amphi_observer_every(run->observer[k].plan, amphi_run_stage(run)), n);
    if (save > 0 && run->saved_step + save - run->at.step < n)
        n = run->saved_step + save - run->at.step;
    if (amphi_run_steps_to_verify(run) < n)
        n = amphi_run_steps_to_verify(run);
    return n;
}

/* Steps until something is due, or the first of them, if the backend makes several at a time. */
static AmphiStatus advance(AmphiRun *run, AmphiError *err)
{
    const int64_t quiet = run->backend->advance != NULL ? count_quiet(run) : 0;
    int64_t       made  = 0;

    if (quiet > 0)
        AMPHI_TRY(amphi_run_advance(run, quiet, &made, err));
    run->at.step += made;
    return AMPHI_OK;
}

/* One step at which something is due. Observers look while a device makes the steps behind it. */
static AmphiStatus look_and_step(AmphiRun *run, AmphiError *err)
{
    const bool is_beside = run->backend->works_beside;
    AmphiFrame frame;
    double     began_s;

    AMPHI_TRY(push(run, false, &frame, err));
    if (!is_beside)
        AMPHI_TRY(show(run, &frame, err));
    AMPHI_TRY(run->backend->drift(run->state, err));
    run->at.step++;
    if (!is_beside)
        return AMPHI_OK;
    AMPHI_TRY(advance(run, err));
    began_s = amphi_clock_s();
    AMPHI_TRY(show(run, &frame, err));
    amphi_run_looked(run, began_s);
    return AMPHI_OK;
}

/* No checkpoint of steps that are about to be repeated is written before they were. */
static AmphiStatus save_verified(AmphiRun *run, AmphiError *err)
{
    AMPHI_TRY(amphi_run_verify(run, err));
    return amphi_run_save(run, err);
}

static AmphiStatus step(AmphiRun *run, AmphiError *err)
{
    const int64_t began = run->at.step;

    if (is_save_due(run))
        AMPHI_TRY(save_verified(run, err));
    AMPHI_TRY(amphi_run_verify_if_due(run, err));
    AMPHI_TRY(advance(run, err));
    if (run->at.step == began)
        AMPHI_TRY(look_and_step(run, err));
    run->at.time_ps = run->at.stage_began_ps +
                      (double)(run->at.step - run->at.stage_began) * amphi_run_stage(run)->dt_ps;
    tell(run, false);
    return AMPHI_OK;
}

AmphiStatus amphi_run_walk(AmphiRun *run, int64_t n_steps, int64_t *left, AmphiError *err)
{
    const AmphiBackend *be = run->backend;

    for (*left = n_steps; *left > 0;) {
        int64_t made = 1;

        if (run->options.stop_requested != NULL && amphi_word(run->options.stop_requested) != 0)
            return AMPHI_OK;
        if (be->advance != NULL) {
            AMPHI_TRY(amphi_run_advance(run, *left, &made, err));
        } else {
            AMPHI_TRY(be->find_neighbours(run->state, err));
            AMPHI_TRY(be->compute_forces(run->state, 0, err));
            AMPHI_TRY(be->kick(run->state, 0, err));
            AMPHI_TRY(be->drift(run->state, err));
        }
        *left -= made;
    }
    return AMPHI_OK;
}

/* ---- stages ---- */

static AmphiStatus minimise(AmphiRun *run, AmphiError *err)
{
    const AmphiBackend *be        = run->backend;
    bool                converged = false;

    while (!converged && !is_cut(run) && !wants_to_stop(run)) {
        AMPHI_TRY(be->find_neighbours(run->state, err));
        AMPHI_TRY(be->compute_forces(run->state, AMPHI_NEED_POTENTIAL, err));
        AMPHI_TRY(be->descend(run->state, &converged, err));
        run->at.step += !converged;
        tell(run, false);
    }
    run->at.is_done = converged;
    return AMPHI_OK;
}

static AmphiStatus begin_next(AmphiRun *run, AmphiError *err)
{
    run->at.stage++;
    AMPHI_TRY(run->backend->begin_stage(run->state, amphi_run_stage(run), err));
    run->at.stage_began    = run->at.step;
    run->at.stage_began_ps = run->at.time_ps;
    run->at.is_done        = 0;

    run->began[run->at.stage] = (AmphiStageBegan){ run->at.step, run->at.time_ps };
    amphi_run_begin_measuring(run);
    run->stage_end = find_end(run);
    AMPHI_TRY(amphi_run_note_first(run, err));
    AMPHI_TRY(amphi_run_keep(run, true, err));
    /* saved, and so looked at; from a state of the stage before, these dynamics do not lead here */
    amphi_run_trust(run);
    return AMPHI_OK;
}

/* Does a minimisation follow on this stage, which makes time steps? */
static bool minimises_next(const AmphiRun *run)
{
    const AmphiStage *stage = amphi_run_stage(run);

    return stage != NULL && stage->ensemble != AMPHI_MINIMISE && !is_last(run) &&
           stage[1].ensemble == AMPHI_MINIMISE;
}

/* Shows the frame at the end of such a stage; where time steps follow on time steps, it is the
 * first of the next stage. As that of `finish`, it is behind the checkpoint: a run that goes on
 * from there shows it again. */
static AmphiStatus show_end(AmphiRun *run, AmphiError *err)
{
    AmphiBytes  state  = { .data = NULL };
    AmphiStatus status = run->backend->save(run->state, &state, err);
    AmphiFrame  frame;

    if (status == AMPHI_OK)
        status = push(run, true, &frame, err);
    if (status == AMPHI_OK)
        status = show(run, &frame, err);
    if (status == AMPHI_OK)
        status = run->backend->restore(run->state, &state, err);
    amphi_release(state.data);
    return status;
}

static AmphiStatus run_stage(AmphiRun *run, AmphiError *err)
{
    if (amphi_run_stage(run)->ensemble == AMPHI_MINIMISE)
        return minimise(run, err);
    while (run->at.step < run->stage_end && !wants_to_stop(run))
        AMPHI_TRY(step(run, err));
    return AMPHI_OK;
}

/* All stages, until one is stopped. A checkpoint is written at the end of each. */
static AmphiStatus run_stages(AmphiRun *run, AmphiError *err)
{
    if (run->at.stage >= 0)
        run->stage_end = find_end(run);
    for (;;) {
        const bool was_over = is_over(run);

        if (!was_over)
            AMPHI_TRY(run_stage(run, err));
        if (!is_over(run)) { /* stopped */
            run->is_finished = is_cut(run);
            return AMPHI_OK;
        }
        if (run->saved_step != run->at.step || run->saved_stage != run->at.stage)
            AMPHI_TRY(save_verified(run, err));
        if (!was_over)
            tell(run, true);
        if (is_last(run) || is_at_limit(run)) {
            run->is_finished = true;
            return AMPHI_OK;
        }
        if (wants_to_stop(run))
            return AMPHI_OK;
        if (minimises_next(run))
            AMPHI_TRY(show_end(run, err));
        AMPHI_TRY(begin_next(run, err));
    }
}

/* ---- the end ---- */

/* Shows the last frame to the observers. This leaves the state in the middle of a step, and the
 * files one frame longer than the last checkpoint says; they are truncated when the run
 * continues. */
static AmphiStatus show_last(AmphiRun *run, AmphiError *err)
{
    AmphiFrame frame;

    if (run->saved_step != run->at.step || run->saved_stage != run->at.stage)
        AMPHI_TRY(amphi_run_save(run, err));
    AMPHI_TRY(push(run, true, &frame, err));
    return show(run, &frame, err);
}

/* An interrupted minimisation has no last frame, but what was seen before it is written. */
static AmphiStatus finish(AmphiRun *run, AmphiError *err)
{
    const AmphiStage *stage = amphi_run_stage(run);

    if (stage == NULL)
        return AMPHI_OK;
    if (stage->ensemble != AMPHI_MINIMISE || run->at.is_done != 0)
        AMPHI_TRY(show_last(run, err));
    for (int32_t k = 0; k < run->n_observers; k++)
        AMPHI_TRY(amphi_observer_flush(run->observer[k].observer, err));
    /* what a process that was killed wrote behind its last checkpoint */
    return amphi_outfiles_cut(run->files, err);
}

/* A device has no other word for a box that shrank: it was large enough when the job was read. */
static bool box_is_small(AmphiRun *run)
{
    AmphiFrame frame;

    return amphi_run_read_fault(run, AMPHI_NEED_NUMBERS, &frame) &&
           !amphi_system_fits(&run->job->system, frame.box_nm);
}

AmphiStatus amphi_run(AmphiRun *run, AmphiError *err)
{
    AmphiStatus status = run_stages(run, err);

    if (status == AMPHI_OK)
        status = finish(run, err);
    if (status == AMPHI_BAD_INPUT && box_is_small(run))
        status = AMPHI_UNSTABLE;
    if (status == AMPHI_UNSTABLE)
        amphi_run_report(run, err);
    if (status == AMPHI_NO_DEVICE)
        amphi_run_name_past(run, err);
    if (status != AMPHI_OK)
        return status;
    tell(run, true);
    return run->is_finished ? AMPHI_OK : AMPHI_STOPPED;
}

/* ---- what can be told ---- */

/* The expected number of steps of a stage that begins at step n and this time. */
static int64_t foresee_stage(const AmphiJob *job, const AmphiRunOptions *o, int64_t k, int64_t n,
                             double time_ps)
{
    const AmphiStage *stage = &job->stage[k];
    const bool        moves = stage->ensemble != AMPHI_MINIMISE;
    const bool        last  = k == job->n_stages - 1;
    double            steps = (double)stage->n_steps;

    if (moves && o->until_ps >= 0) {
        const double allowed = steps_until(o->until_ps, time_ps, stage->dt_ps);

        steps = last ? allowed : fmin(steps, allowed);
    }
    if (o->n_steps >= 0) {
        const double allowed = (double)(o->n_steps - n);

        steps = last && moves && o->until_ps < 0 ? allowed : fmin(steps, allowed);
    }
    return steps > 0 ? (int64_t)steps : 0;
}

/* The expected end of the run, from the place where its present stage began. */
static void foresee(const AmphiJob *job, const AmphiRunOptions *o, const AmphiPlace *at,
                    int64_t *n_steps, double *end_ps)
{
    *n_steps = at->stage_began;
    *end_ps  = at->stage_began_ps;
    for (int64_t k = at->stage >= 0 ? at->stage : 0; k < job->n_stages; k++) {
        if (k > at->stage && ends_at(job, o, k, *end_ps))
            break;
        const int64_t made    = k == at->stage ? at->step - at->stage_began : 0;
        const bool    is_done = k == at->stage && at->is_done != 0;
        int64_t       steps   = is_done ? made : foresee_stage(job, o, k, *n_steps, *end_ps);

        /* an earlier process may have gone beyond the plan, and what follows begins behind that */
        steps = steps > made ? steps : made;
        *n_steps += steps;
        if (job->stage[k].ensemble != AMPHI_MINIMISE)
            *end_ps += (double)steps * job->stage[k].dt_ps;
    }
    *n_steps = *n_steps > at->step ? *n_steps : at->step;
    *end_ps  = fmax(*end_ps, at->time_ps);
}

int64_t amphi_run_steps(const AmphiJob *job, const AmphiRunOptions *options)
{
    const AmphiPlace start   = { .stage = -1 };
    int64_t          n_steps = 0;
    double           end_ps  = 0;

    foresee(job, options, &start, &n_steps, &end_ps);
    return n_steps;
}

void amphi_run_info(const AmphiRun *run, AmphiRunInfo *info)
{
    const AmphiStage *stage = amphi_run_stage(run);

    *info = (AmphiRunInfo){ .step          = run->at.step,
                            .first_step    = run->first_step,
                            .time_ps       = run->at.time_ps,
                            .wall_s        = amphi_clock_s() - run->began_s,
                            .stage         = stage != NULL ? stage->name : "start",
                            .backend       = run->backend->about(run->state),
                            .n_beads       = run->job->system.n_beads,
                            .temperature_K = run->temperature_K,
                            .n_limited     = run->n_limited,
                            .n_drift       = run->at.line.n,
                            .drift_bound   = stage != NULL ? amphi_drift_bound(run->job, stage) : 0,
                            .drifts        = amphi_run_drifts(run),
                            .finished      = run->is_finished,
                            .state_hash    = run->state_hash,
                            .remark        = run->remark };
    info->device =
        run->backend->is_there != NULL ? amphi_run_compute(run->job, &run->options).device : -1;
    foresee(run->job, &run->options, &run->at, &info->n_steps, &info->end_ps);
    amphi_run_drift(run, &info->drift_kT_ns_dof, &info->drift_error);
    amphi_run_temperature(run, &info->mean_temperature_K, &info->mean_error_K);
}
