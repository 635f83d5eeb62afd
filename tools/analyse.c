/* Shows frames of a trajectory to observers. */
#include "analyse.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- observers ---- */

static bool is_asked(const Analysis *a)
{
    return tool_has(a->call, "observe");
}

/* "dipole.xml:3: ", where a file asks for it. */
static const char *place_of(const Analysis *a, const AmphiObserverPlan *plan, char place[240])
{
    const char *const given = tool_value(a->call, "observe");

    place[0] = '\0';
    if (given != NULL && plan->where.file != NULL && strcmp(plan->where.file, given) == 0)
        snprintf(place, 240, "%.200s:%" PRId64 ": ", given, plan->where.line);
    return place;
}

/* Every run with frames has a <trajectory>: that frames are not made of frames is told only to who
 * asks for it. `what` of it is left out, "": all. */
static void tell_left_out(const Analysis *a, const AmphiObserverPlan *plan, const char *what,
                          const char *lacks)
{
    char place[240];

    if (is_asked(a) || strcmp(plan->kind, "trajectory") != 0)
        tool_remark(a->call,
                    "%s<%s>: %s%sleft out: frames of a trajectory lack %s; the run itself "
                    "measures it",
                    place_of(a, plan, place), plan->kind, what, what[0] != '\0' ? " " : "", lacks);
}

/* What is left of a plan's names without those for which frames lack something. False: nothing. */
static bool leave_names_out(Analysis *a, const AmphiObserverKind *kind, AmphiObserverPlan *plan)
{
    const char *const      *name  = plan->name;
    const char **const      left  = a->name[a->n_observers];
    const AmphiObserverPlan all   = *plan;
    const char *const       lacks = kind->lacks != NULL ? kind->lacks(plan) : NULL;

    if (lacks == NULL)
        return true;
    plan->n_names = 0;
    for (int32_t n = 0; kind->lacks_for != NULL && n < all.n_names && n < TOOL_MOST_NAMES; n++)
        if (!kind->lacks_for(name[n]))
            left[plan->n_names++] = name[n];
    plan->name = left;
    if (plan->n_names == 0) {
        tell_left_out(a, plan, "", lacks);
        return false;
    }
    for (int32_t n = 0; n < all.n_names; n++)
        if (kind->lacks_for(name[n]))
            tell_left_out(a, plan, name[n], lacks);
    return true;
}

/* An interval of a file that is asked for is kept where frames are there for it. */
static AmphiStatus set_pace(const Analysis *a, AmphiObserverPlan *plan, AmphiError *err)
{
    const bool has_own = is_asked(a) && (plan->every_ps > 0 || plan->every > 1);

    if (has_own && amphi_replay_fits(a->replay, a->frames.nth, plan))
        return AMPHI_OK;
    if (has_own)
        tool_remark(a->call,
                    "%.200s:%" PRId64 ": <%s>: its every is no multiple of the interval of the "
                    "frames, and is left out: each of them counts",
                    plan->where.file, plan->where.line, plan->kind);
    return amphi_replay_pace(a->replay, a->frames.nth, plan, err);
}

/* The first with time steps. */
static int32_t first_stage(const AmphiJob *job)
{
    int32_t k = 0;

    while (k < job->n_stages - 1 && job->stage[k].ensemble == AMPHI_MINIMISE)
        k++;
    return k;
}

static AmphiStatus add_observer(Analysis *a, const AmphiObserverPlan *plan, AmphiError *err)
{
    const AmphiObserverKind *const kind = amphi_observer_kind(plan->kind);
    AmphiObserverPlan *const       own  = &a->plan[a->n_observers];

    if (kind == NULL)
        return amphi_fail(err, AMPHI_DEFECT, "nothing measures <%s>", plan->kind);
    *own                    = *plan;
    a->from[a->n_observers] = plan->from_stage;
    if (a->frames.has_from)
        own->from_stage = first_stage(a->job);
    if (!leave_names_out(a, kind, own))
        return AMPHI_OK;
    AMPHI_TRY(set_pace(a, own, err));
    a->n_observers++;
    return AMPHI_OK;
}

static AmphiStatus choose_observers(Analysis *a, AmphiError *err)
{
    const AmphiObserverPlan *const plan = is_asked(a) ? a->job->asked : a->job->observer;
    const int32_t                  n    = is_asked(a) ? a->job->n_asked : a->job->n_observers;

    for (int32_t k = 0; k < n && a->n_observers < TOOL_MOST_OBSERVERS; k++)
        AMPHI_TRY(add_observer(a, &plan[k], err));
    return a->n_observers > 0 ? AMPHI_OK
                              : amphi_fail(err, AMPHI_BAD_INPUT,
                                           "%s asks for nothing that frames have\n"
                                           "    write: --observe area,order or --observe FILE.xml",
                                           is_asked(a) ? "--observe" : "<output>");
}

/* ---- frames ---- */

static int32_t stage_of(const Analysis *a, const AmphiFrame *f)
{
    return (int32_t)(f->stage - a->job->stage);
}

/* Of what begins later by its own from. */
static const char *earlier_by(const Analysis *a, const AmphiObserverPlan *plan)
{
    return plan->from_stage > first_stage(a->job) ? "; --from 0ps takes those of earlier ones" : "";
}

static bool is_seen_by(const Analysis *a, const AmphiObserverPlan *plan, const AmphiFrame *moment)
{
    return plan->from_stage <= stage_of(a, moment) &&
           moment->stage_step % amphi_observer_every(plan, moment->stage) == 0;
}

/* Is it seen by an observer? Times are sums of steps, and may miss a round number by their last
 * bits. */
static bool is_chosen(const Analysis *a, const AmphiFrame *moment)
{
    const double spare   = 1e-6 + 1e-9 * moment->time_ps;
    bool         is_seen = false;

    for (int32_t o = 0; o < a->n_observers; o++)
        is_seen = is_seen || is_seen_by(a, &a->plan[o], moment);
    return is_seen && moment->time_ps >= a->frames.from_ps - spare &&
           moment->time_ps <= a->frames.to_ps + spare;
}

static void count_frame(AnalysisSeen *seen, int64_t k, double time_ps)
{
    if (seen->n++ == 0) {
        seen->first    = k;
        seen->first_ps = time_ps;
    }
    seen->last    = k;
    seen->last_ps = time_ps;
}

/* Of the chosen frames, which each observer sees. */
static void count_frames(Analysis *a)
{
    const int64_t n = amphi_replay_info(a->replay)->n_frames;
    AmphiFrame    moment;

    for (int64_t k = 0; k < n; k++) {
        amphi_replay_moment(a->replay, k, &moment);
        if (!is_chosen(a, &moment))
            continue;
        for (int32_t o = 0; o < a->n_observers; o++)
            if (is_seen_by(a, &a->plan[o], &moment))
                count_frame(&a->seen_by[o], k, moment.time_ps);
        count_frame(&a->seen, k, moment.time_ps);
    }
}

static AmphiStatus fail_empty(const Analysis *a, AmphiError *err)
{
    const int64_t n = amphi_replay_info(a->replay)->n_frames;
    AmphiFrame    first, last;
    char          wanted[80];

    if (isfinite(a->frames.to_ps))
        snprintf(wanted, sizeof wanted, "%.9g to %.9g ps", a->frames.from_ps, a->frames.to_ps);
    else
        snprintf(wanted, sizeof wanted, "%.9g ps on", a->frames.from_ps);
    amphi_replay_moment(a->replay, 0, &first);
    amphi_replay_moment(a->replay, n - 1, &last);
    return amphi_fail(err, AMPHI_BAD_INPUT,
                      "none of %" PRId64 " frames is left: they go from %.9g ps in stage %.60s to "
                      "%.9g ps in stage %.60s; wanted were those from %s, of "
                      "stages from %.60s on%s",
                      n, first.time_ps, first.stage->name, last.time_ps, last.stage->name, wanted,
                      a->job->stage[a->plan[0].from_stage].name, earlier_by(a, &a->plan[0]));
}

/* Which observers see frames from before their own first stage, because --from says so. */
static void tell_earlier(const Analysis *a)
{
    char       names[400] = "";
    AmphiFrame first;

    amphi_replay_moment(a->replay, a->seen.first, &first);
    for (int32_t o = 0; o < a->n_observers; o++) {
        const size_t length = strlen(names);

        if (a->frames.has_from && stage_of(a, &first) < a->from[o])
            snprintf(names + length, sizeof names - length, " <%s>", a->plan[o].kind);
    }
    if (names[0] != '\0')
        tool_remark(a->call,
                    "frames from %.9g ps on, as --from says; from=\"...\" does not count of%s",
                    a->seen.first_ps, names);
}

/* Observers whose first stage is behind all frames go. */
static AmphiStatus choose_frames(Analysis *a, AmphiError *err)
{
    int32_t n = 0;

    count_frames(a);
    if (a->seen.n == 0)
        return fail_empty(a, err);
    for (int32_t o = 0; o < a->n_observers; o++) {
        if (a->seen_by[o].n == 0)
            tool_remark(a->call, "<%s>: left out: no frame of the stages from %s on%s",
                        a->plan[o].kind, a->job->stage[a->plan[o].from_stage].name,
                        earlier_by(a, &a->plan[o]));
        else {
            a->from[n]    = a->from[o];
            a->seen_by[n] = a->seen_by[o];
            a->plan[n++]  = a->plan[o];
        }
    }
    a->n_observers = n;
    tell_earlier(a);
    return AMPHI_OK;
}

AmphiStatus analysis_open(Analysis *a, const ToolCall *call, const AmphiJob *job, const char *dir,
                          const AnalysisFrames *frames, AmphiError *err)
{
    *a = (Analysis){ .call = call, .job = job, .frames = *frames };
    AMPHI_TRY(amphi_replay_open(job, dir, &a->replay, err));
    AMPHI_TRY(choose_observers(a, err));
    return choose_frames(a, err);
}

/* ---- measuring ---- */

static AmphiStatus open_observers(Analysis *a, const char *to, const char *heading, AmphiError *err)
{
    AmphiFrame first, last;

    a->files = amphi_outfiles_new(to);
    if (a->files == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", to);
    amphi_replay_moment(a->replay, a->seen.first, &first);
    amphi_replay_moment(a->replay, a->seen.last, &last);

    AmphiObserverPlace place = { .system      = &a->job->system,
                                 .dir         = to,
                                 .files       = a->files,
                                 .stage       = a->job->stage,
                                 .n_stages    = stage_of(a, &last) + 1,
                                 .first_stage = stage_of(a, &first) };
    for (int32_t o = 0; o < a->n_observers; o++) {
        const AnalysisSeen *const seen = &a->seen_by[o];

        snprintf(a->heading[o], sizeof a->heading[o],
                 "%s: %" PRId64 " of the frames %" PRId64 " to %" PRId64 ", %.9g to %.9g ps",
                 heading, seen->n, seen->first, seen->last, seen->first_ps, seen->last_ps);
        place.heading = a->heading[o];
        AMPHI_TRY(amphi_observer_open(amphi_observer_kind(a->plan[o].kind), &place, &a->plan[o],
                                      &a->observer[o], err));
    }
    return AMPHI_OK;
}

static AmphiStatus see(Analysis *a, int64_t k, AmphiError *err)
{
    AmphiFrame frame;

    AMPHI_TRY(amphi_replay_read(a->replay, k, &frame, err));
    for (int32_t o = 0; o < a->n_observers; o++)
        if (a->plan[o].from_stage <= stage_of(a, &frame))
            AMPHI_TRY(amphi_observer_see(a->observer[o], &frame, err));
    return AMPHI_OK;
}

static AmphiStatus finish(Analysis *a, AmphiError *err)
{
    AmphiOutfileMark *marks = NULL;
    int32_t           n     = 0;

    for (int32_t o = 0; o < a->n_observers; o++) {
        AMPHI_TRY(amphi_observer_flush(a->observer[o], err));
        if (amphi_observer_remark(a->observer[o])[0] != '\0')
            tool_remark(a->call, "%s", amphi_observer_remark(a->observer[o]));
    }

    const AmphiStatus status = amphi_outfiles_sync(a->files, &marks, &n, err);
    amphi_release(marks);
    return status;
}

AmphiStatus analysis_run(Analysis *a, const char *to, const char *heading,
                         volatile const sig_atomic_t *stop,
                         void (*progress)(void *user, int64_t done, int64_t of), void *user,
                         AmphiError *err)
{
    int64_t    n_done = 0;
    AmphiFrame moment;

    AMPHI_TRY(open_observers(a, to, heading, err));
    for (int64_t k = a->seen.first; k <= a->seen.last; k++) {
        amphi_replay_moment(a->replay, k, &moment);
        if (!is_chosen(a, &moment))
            continue;
        if (*stop != 0)
            return amphi_fail(err, AMPHI_STOPPED,
                              "stopped at frame %" PRId64 "; nothing is written", k);
        AMPHI_TRY(see(a, k, err));
        progress(user, ++n_done, a->seen.n);
    }
    return finish(a, err);
}

void analysis_close(Analysis *a)
{
    for (int32_t o = 0; o < a->n_observers; o++)
        amphi_observer_close(a->observer[o]);
    amphi_outfiles_free(a->files);
    amphi_replay_close(a->replay);
    *a = (Analysis){ .call = NULL };
}
