/* Judges a run: whether it ended, its energy drifts, and its temperature is the target. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../engine/run.h"
#include "drift.h"
#include "report_parts.h"

static const double ps_in_ns = 1000;

/* ---- names ---- */

const AmphiStage *report_stage_of(const Report *r, int32_t stage)
{
    const int32_t k = stage >= 0 && stage < r->stages.n ? r->stages.stage[stage].number - 1 : -1;

    return r->job != NULL && k >= 0 && k < r->job->n_stages ? &r->job->stage[k] : NULL;
}

const char *report_stage_name(const Report *r, int32_t stage, char text[128])
{
    const AmphiStage *const s = report_stage_of(r, stage);

    if (s != NULL)
        snprintf(text, 128, "%.120s", s->name);
    else
        snprintf(text, 128, "%d",
                 stage >= 0 && stage < r->stages.n ? (int)r->stages.stage[stage].number : 0);
    return text;
}

int32_t report_last(const Report *r)
{
    return r->stages.n - 1;
}

/* ---- did it end ---- */

static const char *length_text(const Report *r, char text[512])
{
    char         step[TOOL_NUMBER_SIZE], all[TOOL_NUMBER_SIZE], time[TOOL_NUMBER_SIZE];
    const double t     = r->status.time_ps;
    const bool   is_ns = fabs(t) >= ps_in_ns;

    if (!isfinite(r->status.step) || !isfinite(r->status.n_steps))
        return "";
    tool_number_whole((int64_t)r->status.step, step);
    tool_number_whole((int64_t)r->status.n_steps, all);
    tool_number_short(is_ns ? t / ps_in_ns : t, 5, time);
    if (r->status.step < r->status.n_steps)
        snprintf(text, 512, "%s of %s steps, %s %s", step, all, time, is_ns ? "ns" : "ps");
    else
        snprintf(text, 512, "%s steps, %s %s", step, time, is_ns ? "ns" : "ps");
    return text;
}

static void tell_end(Report *r)
{
    const char *const state = r->status.state;
    char              length[512], remark[1024];

    length_text(r, length);
    snprintf(remark, sizeof remark, "%s", isfinite(r->status.step) ? length : "");
    if (strcmp(state, "done") == 0) {
        tool_page_tile(&r->page, TOOL_GOOD, "Run", "finished", remark);
        return;
    }
    if (r->status.stage[0] != '\0')
        snprintf(remark + strlen(remark), sizeof remark - strlen(remark), ", in stage %s",
                 r->status.stage);
    if (strcmp(state, "stopped") == 0)
        snprintf(remark + strlen(remark), sizeof remark - strlen(remark),
                 "; the same command goes on");
    tool_page_tile(&r->page,
                   strcmp(state, "failed") == 0    ? TOOL_BAD
                   : strcmp(state, "stopped") == 0 ? TOOL_DOUBTFUL
                                                   : TOOL_PLAIN,
                   "Run",
                   strcmp(state, "failed") == 0    ? "stopped by a fault"
                   : strcmp(state, "stopped") == 0 ? "stopped early"
                   : strcmp(state, "running") == 0 ? "not ended yet"
                                                   : "state not known",
                   remark);
}

/* ---- drift ---- */

/* Of the stage that the run was in last, or that energy.tsv ends with; 0: not known. */
static double bound_of(const Report *r, bool of_run)
{
    const AmphiStage *stage = report_stage_of(r, report_last(r));

    for (int32_t k = 0; of_run && r->job != NULL && k < r->job->n_stages; k++)
        if (strcmp(r->job->stage[k].name, r->status.stage) == 0)
            stage = &r->job->stage[k];
    if (r->job == NULL)
        return 0;
    return stage != NULL ? amphi_drift_bound(r->job, stage) : r->job->compute.max_drift_kT_ns_dof;
}

/* By the run itself, over all its looks; else from energy.tsv. */
static ToolDrift drift_of(const Report *r, bool *of_run)
{
    const ReportStatus *const s     = &r->status;
    const ReportDrift         d     = report_drift(&r->stages, report_last(r));
    const double              bound = bound_of(r, isfinite(s->drift));

    *of_run = isfinite(s->drift);
    return *of_run ? tool_drift(s->drift, s->drift_error, s->drift_samples, bound, s->backend)
                   : tool_drift(d.drift_kT_ns_dof, d.drift_error, (double)d.n, bound, s->backend);
}

/* "; good in single: below 4*10^-5; allowed by <watch>: 0.001" */
static void add_bounds(const ToolDrift *d, char text[256])
{
    char number[TOOL_NUMBER_SIZE];

    text[0] = '\0';
    if (isfinite(d->good) && !isinf(d->bound))
        snprintf(text, 256, "; good in %s: below %s", d->precision,
                 tool_number_short(d->good, 2, number));
    if (isfinite(d->bound))
        snprintf(text + strlen(text), 256 - strlen(text), "; allowed by <watch>: %s",
                 tool_number_short(d->bound, 2, number));
}

static void tell_drift(Report *r)
{
    bool            of_run;
    const ToolDrift d = drift_of(r, &of_run);
    char            value[TOOL_NUMBER_SIZE], bounds[256], remark[1024], name[128];

    if (!isfinite(d.drift)) {
        tool_page_tile(&r->page, TOOL_PLAIN, "Drift of the conserved energy", "not known",
                       "too few lines in energy.tsv");
        return;
    }
    add_bounds(&d, bounds);
    snprintf(remark, sizeof remark, "kT/ns per degree of freedom: %s%s%s%s. Stage %s.",
             tool_drift_words(&d), d.is_few ? ", from few samples" : "",
             of_run ? "" : ", from the lines of energy.tsv", bounds,
             of_run && r->status.stage[0] != '\0' ? r->status.stage
                                                  : report_stage_name(r, report_last(r), name));
    tool_page_tile(&r->page, tool_drift_verdict(&d), "Drift of the conserved energy",
                   tool_number_pm(d.drift, d.error, 2, value), remark);
}

/* ---- temperature ---- */

/* Half-step velocities are a little too warm or too cold, by the square of the step: a per cent is
 * not worth a word. A mean that is not known to that is not judged. Three per cent, 9 K at 300 K,
 * no usable step makes: where five errors do not explain it, something heats or cools the beads,
 * and what was measured is of another temperature. */
static ToolVerdict judge_temperature(const ReportMean *t, double target_K)
{
    const double share = 0.01 * target_K, far = 0.03 * target_K, off = fabs(t->mean - target_K);
    const double error = isfinite(t->error) ? t->error : 0;

    if (!isfinite(target_K) || !isfinite(t->mean))
        return TOOL_PLAIN;
    if (off <= share)
        return TOOL_GOOD;
    if (off > far && isfinite(t->error) && off > 5 * error)
        return TOOL_BAD;
    return error > share && off <= 3 * error ? TOOL_PLAIN : TOOL_DOUBTFUL;
}

static void tell_temperature(Report *r)
{
    const int32_t           last    = report_last(r);
    const AmphiStage *const stage   = report_stage_of(r, last);
    const ReportMean        t       = report_mean(&r->stages, last, "temperature");
    const double            target  = stage != NULL && stage->thermostat.type != AMPHI_NO_THERMOSTAT
                                          ? stage->thermostat.temperature_K
                                          : (double)NAN;
    const ToolVerdict       verdict = judge_temperature(&t, target);
    char value[TOOL_NUMBER_SIZE + 8], number[TOOL_NUMBER_SIZE], remark[512], name[128];

    if (!isfinite(t.mean)) {
        tool_page_tile(&r->page, TOOL_PLAIN, "Temperature", "not known", "");
        return;
    }
    snprintf(value, sizeof value, "%s K", tool_number_pm(t.mean, t.error, 5, number));
    if (isfinite(target))
        snprintf(remark, sizeof remark, "target %s K%s. Stage %s.",
                 tool_number_short(target, 5, number),
                 verdict != TOOL_BAD ? ""
                 : t.mean > target   ? ": much too warm"
                                     : ": much too cold",
                 report_stage_name(r, last, name));
    else
        snprintf(remark, sizeof remark, "%sstage %s.", stage != NULL ? "no thermostat in " : "",
                 report_stage_name(r, last, name));
    tool_page_tile(&r->page, verdict, "Temperature", value, remark);
}

/* ---- the line of tiles ---- */

static void tell_fault(Report *r)
{
    if (strcmp(r->status.state, "failed") == 0 && r->log.error[0] != '\0')
        tool_page_alarm(&r->page, TOOL_BAD, r->log.error);
}

void report_verdict(Report *r)
{
    tool_page_tiles_begin(&r->page);
    tell_end(r);
    tell_drift(r);
    tell_temperature(r);
    tool_page_tiles_end(&r->page);
    tell_fault(r);
}
