/* The mean temperature of a stage and the drift of its conserved energy, with standard errors from
 * block averages.
 */
#include <math.h>
#include <string.h>

#include "run_parts.h"
#include "units.h"

/* ---- a line through the conserved energy ---- */

static void add_sample(AmphiLine *l, double t, double e)
{
    const double n  = (double)++l->n;
    const double dt = t - l->mean_t, de = e - l->mean_e;

    l->mean_t += dt / n;
    l->mean_e += de / n;
    l->tt += dt * (t - l->mean_t);
    l->te += dt * (e - l->mean_e);
    l->ee += de * (e - l->mean_e);
}

/* ---- blocks ---- */

static AmphiBlocks blocks_of(AmphiPlace *at)
{
    return (AmphiBlocks){
        .n_values = RUN_VALUES, .count = &at->count, .sum = at->sum, .weight = at->weight
    };
}

static void slope_of(AmphiPlace *at, double *slope, double *error)
{
    const AmphiBlocks blocks   = blocks_of(at);
    const bool        has_line = at->line.n > 2 && at->line.tt > 0;

    *slope = has_line ? at->line.te / at->line.tt : 0;
    *error =
        has_line ? amphi_blocks_slope_error(&blocks, RUN_TIME, RUN_ENERGY, *slope) : (double)NAN;
}

/* ---- what is told ---- */

void amphi_run_temperature(const AmphiRun *run, double *mean_K, double *error_K)
{
    AmphiPlace        at     = run->at;
    const AmphiBlocks blocks = blocks_of(&at);

    *mean_K  = at.count.frames > 0 ? amphi_blocks_mean(&blocks, RUN_TEMPERATURE) : 0;
    *error_K = amphi_blocks_error(&blocks, RUN_TEMPERATURE);
}

void amphi_run_drift(const AmphiRun *run, double *drift_kT_ns_dof, double *error)
{
    const double ps_in_ns = 1e3;
    AmphiPlace   at       = run->at;
    double       mean_K, spread_K, unit;

    slope_of(&at, drift_kT_ns_dof, error);
    amphi_run_temperature(run, &mean_K, &spread_K);
    unit             = AMPHI_BOLTZMANN * mean_K * (double)run->freedom / ps_in_ns;
    *drift_kT_ns_dof = unit > 0 ? *drift_kT_ns_dof / unit : (double)NAN;
    *error           = unit > 0 ? *error / unit : (double)NAN;
}

double amphi_drift_bound(const AmphiJob *job, const AmphiStage *stage)
{
    const double of_moves = 100; /* kJ/mol/ns */
    const double most     = job->compute.max_drift_kT_ns_dof;
    int64_t      freedom[2];

    if (stage->thermostat.type == AMPHI_LANGEVIN)
        return (double)INFINITY;
    if (stage->barostat.type == AMPHI_NO_BAROSTAT)
        return most;
    amphi_system_freedom(&job->system, freedom);
    return most + of_moves / (AMPHI_BOLTZMANN * stage->thermostat.temperature_K *
                              fmax((double)(freedom[0] + freedom[1]), 1));
}

bool amphi_run_drifts(const AmphiRun *run)
{
    double drift, error;

    if (run->at.line.n < AMPHI_DRIFT_SAMPLES)
        return false;
    amphi_run_drift(run, &drift, &error);
    return fabs(drift) > amphi_drift_bound(run->job, amphi_run_stage(run)) &&
           fabs(drift) > 2 * error;
}

/* ---- measuring ---- */

void amphi_run_begin_measuring(AmphiRun *run)
{
    AmphiPlace *at = &run->at;

    at->last_conserved_sum   = 0;
    at->last_conserved_count = 0;
    at->line                 = (AmphiLine){ .n = 0 };
    at->first_energy         = 0;
    at->count                = (struct AmphiBlockCount){ .frames_a_block = 1 };
    at->has_momentum         = 0;
    memset(at->sum, 0, sizeof at->sum);
    memset(at->weight, 0, sizeof at->weight);
    memset(at->momentum, 0, sizeof at->momentum);
}

static AmphiStatus judge_drift(const AmphiRun *run, AmphiError *err)
{
    double drift, error;

    if (!run->job->compute.stops_on_drift || !amphi_run_drifts(run))
        return AMPHI_OK;
    amphi_run_drift(run, &drift, &error);
    return amphi_fail(err, AMPHI_UNSTABLE,
                      "the conserved energy drifts by %.2g(%.1g) kT/ns/dof; %.2g are allowed",
                      drift, error, amphi_drift_bound(run->job, amphi_run_stage(run)));
}

/* The mean of the steps since the last sample where the stage has one, else the energy of this
 * one. */
static void add_energy(AmphiRun *run, const AmphiFrame *frame, AmphiBlocks *blocks)
{
    AmphiPlace   *at    = &run->at;
    const int64_t steps = frame->conserved_count - at->last_conserved_count;
    const double  sum   = frame->conserved_sum_kJ_mol - at->last_conserved_sum;
    const double  dt_ps = amphi_run_stage(run)->dt_ps;
    const double  e     = steps > 0 ? sum / (double)steps : frame->conserved_kJ_mol;
    double        t     = (double)(at->step - at->stage_began) * dt_ps;

    if (steps > 0) /* the mean belongs to the middle of its steps */
        t -= 0.5 * (double)(steps - 1) * dt_ps;
    if (at->line.n == 0)
        at->first_energy = e;
    add_sample(&at->line, t, e);
    amphi_blocks_add(blocks, RUN_TIME, t, 1);
    amphi_blocks_add(blocks, RUN_ENERGY, e - at->first_energy, 1);
    at->last_conserved_sum   = frame->conserved_sum_kJ_mol;
    at->last_conserved_count = frame->conserved_count;
}

void amphi_run_feel(AmphiRun *run, const AmphiFrame *frame)
{
    run->n_limited     = frame->n_limited;
    run->freedom       = frame->freedom[0] + frame->freedom[1];
    run->temperature_K = run->freedom > 0 ? 2 * (frame->translation.half + frame->rotation.half) /
                                                (AMPHI_BOLTZMANN * (double)run->freedom)
                                          : 0;
}

AmphiStatus amphi_run_measure(AmphiRun *run, const AmphiFrame *frame, AmphiError *err)
{
    AmphiBlocks blocks = blocks_of(&run->at);

    amphi_blocks_add(&blocks, RUN_TEMPERATURE, run->temperature_K, 1);
    add_energy(run, frame, &blocks);
    amphi_blocks_next(&blocks);
    return judge_drift(run, err);
}
