/* Spans of stages. */
#include "run_spans.h"

#include <math.h>

static double length_ps(const AmphiSpan *s)
{
    return amphi_span_moves(s->stage) ? (double)s->n_steps * s->stage->dt_ps : 0;
}

/* Stages from this one on follow the one before at once. */
static void chain(AmphiSpan *span, int32_t n_stages, int32_t from)
{
    for (int32_t k = from; k < n_stages; k++) {
        span[k].began_step = k > 0 ? span[k - 1].began_step + span[k - 1].n_steps : 0;
        span[k].began_ps   = k > 0 ? span[k - 1].began_ps + length_ps(&span[k - 1]) : 0;
    }
}

/* As the plan has it: minimisations go on to their largest number of steps. */
static void plan_spans(const AmphiJob *job, const AmphiObserverPlan *plan, AmphiSpan *span)
{
    for (int32_t k = 0; k < job->n_stages; k++)
        span[k] = (AmphiSpan){ .stage   = &job->stage[k],
                               .n_steps = job->stage[k].n_steps,
                               .every   = amphi_observer_every(plan, &job->stage[k]) };
    chain(span, job->n_stages, 0);
}

/* ---- by a checkpoint that has all of it ---- */

static bool has_all(const AmphiRecord *record)
{
    for (int32_t k = 0; record->began != NULL && k <= record->at.stage; k++)
        if (record->began[k].step < 0)
            return false;
    return record->began != NULL;
}

/* A stage that is over may have another length in the plan now. */
static void compare_lengths(const AmphiSpan *s, int64_t planned, AmphiRecord *record)
{
    if (amphi_span_moves(s->stage) && s->n_steps != planned)
        snprintf(record->remark, sizeof record->remark,
                 "stage %.60s ran %.9g ps, and has %.9g ps in the plan now; its frames are those "
                 "that were run",
                 s->stage->name, length_ps(s), (double)planned * s->stage->dt_ps);
}

static void take_began(AmphiRecord *record, AmphiSpan *span, int32_t n_stages)
{
    const int32_t at   = (int32_t)record->at.stage;
    const int64_t done = record->at.step - record->began[at].step;

    for (int32_t k = 0; k <= at; k++) {
        const int64_t planned = span[k].n_steps;

        span[k].began_step = record->began[k].step;
        span[k].began_ps   = record->began[k].time_ps;
        if (k < at) {
            span[k].n_steps = record->began[k + 1].step - record->began[k].step;
            compare_lengths(&span[k], planned, record);
        }
    }
    if (!amphi_span_moves(span[at].stage) && record->at.is_done != 0)
        span[at].n_steps = done;
    chain(span, n_stages, at + 1);
}

/* ---- by one that only knows its own stage ---- */

/* Minimisations that ended early leave all later steps with smaller numbers. How many steps all of
 * them made together is known; if there were several, the first are taken to be the shortest. */
static void shift_steps(AmphiRecord *record, AmphiSpan *span, int32_t n_stages)
{
    const int32_t at      = (int32_t)record->at.stage;
    int64_t       missing = span[at].began_step - record->at.stage_began, shift = 0;
    int32_t       n_short = 0;

    for (int32_t k = 0; k < at; k++)
        n_short += !amphi_span_moves(span[k].stage);
    record->is_certain = missing == 0 || n_short <= 1;
    if (!record->is_certain)
        snprintf(record->remark, sizeof record->remark,
                 "how many steps each minimisation made is not recorded: the column step may be "
                 "wrong between them; times are right");
    for (int32_t k = 0; k < n_stages; k++) {
        AmphiSpan *const s    = &span[k];
        int64_t          less = 0;

        s->began_step -= shift;
        if (k < at && !amphi_span_moves(s->stage))
            less = missing < s->n_steps ? missing : s->n_steps;
        if (k == at && record->at.is_done != 0)
            less = s->n_steps - (record->at.step - record->at.stage_began);
        missing -= less;
        shift += less;
    }
}

/* The stage of the checkpoint began when the plan says, or the stages before it had other lengths
 * when they were run. */
static AmphiStatus compare_times(const AmphiRecord *record, const AmphiSpan *now, AmphiError *err)
{
    const double miss = fabs(now->began_ps - record->at.stage_began_ps);

    if (miss <= 1e-9 * now->began_ps + 1e-6)
        return AMPHI_OK;
    return amphi_fail(err, AMPHI_BAD_INPUT,
                      "stage %.60s began at %.9g ps, and by the plan in input/ at %.9g ps, so that "
                      "the times of frames are not known\n"
                      "    write: the lengths that the stages before it had, and run on",
                      now->stage->name, record->at.stage_began_ps, now->began_ps);
}

AmphiStatus amphi_spans_find(const AmphiJob *job, const AmphiObserverPlan *plan,
                             AmphiRecord *record, AmphiSpan *span, AmphiError *err)
{
    record->is_certain = false;
    record->remark[0]  = '\0';
    plan_spans(job, plan, span);
    if (!record->is_there)
        return AMPHI_OK;

    AmphiSpan *const now  = &span[record->at.stage];
    const int64_t    done = record->at.step - record->at.stage_began;

    if (has_all(record)) {
        record->is_certain = true;
        take_began(record, span, job->n_stages);
    } else {
        AMPHI_TRY(compare_times(record, now, err));
        shift_steps(record, span, job->n_stages);
    }
    if (amphi_span_moves(now->stage) && done > now->n_steps) /* --until made it longer */
        now->n_steps = done;
    return AMPHI_OK;
}
