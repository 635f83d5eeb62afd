/* What a run measures of itself, temperature and drift, and what it finds wrong: which bead, next
 * to whom, and the state before it.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "run_parts.h"
#include "units.h"

/* A bead that goes this far in one step has left physics: thermal ones go a hundredth of it. */
static const double longest_step_nm = 0.5;

/* Samples before a slope means anything. */
enum { ENOUGH_SAMPLES = 1000 };

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

static void slope_of(const AmphiLine *l, double *slope, double *error)
{
    *slope = *error = 0;
    if (l->n < 3 || !(l->tt > 0))
        return;
    *slope            = l->te / l->tt;
    const double rest = l->ee - *slope * l->te;
    *error            = sqrt((rest > 0 ? rest : 0) / (double)(l->n - 2) / l->tt);
}

/* ---- a mean with its error ---- */

static void join_blocks(AmphiBlocks *b)
{
    for (int k = 0; k < RUN_BLOCKS / 2; k++)
        b->block[k] = b->block[2 * k] + b->block[2 * k + 1];
    b->n_blocks   = RUN_BLOCKS / 2;
    b->block_size = 2 * b->block_size;
}

static void add_to_blocks(AmphiBlocks *b, double value)
{
    if (b->block_size == 0)
        b->block_size = 1;
    if (b->n_blocks == RUN_BLOCKS)
        join_blocks(b);
    if (b->in_block == 0)
        b->block[b->n_blocks] = 0;
    b->block[b->n_blocks] += value;
    b->n++;
    if (++b->in_block < b->block_size)
        return;
    b->in_block = 0;
    b->n_blocks++;
}

/* Of whole blocks. */
static void mean_of_blocks(const AmphiBlocks *b, double *mean, double *error)
{
    const double n   = (double)b->n_blocks;
    double       sum = 0, squares = 0;

    *mean = *error = 0;
    if (b->n_blocks == 0)
        return;
    for (int64_t k = 0; k < b->n_blocks; k++)
        sum += b->block[k] / (double)b->block_size;
    *mean = sum / n;
    for (int64_t k = 0; k < b->n_blocks; k++)
        squares += pow(b->block[k] / (double)b->block_size - *mean, 2);
    if (b->n_blocks > 1)
        *error = sqrt(squares / (n - 1) / n);
}

void amphi_run_temperature(const AmphiRun *run, double *mean_K, double *error_K)
{
    mean_of_blocks(&run->at.temperature, mean_K, error_K);
}

/* ---- measuring ---- */

void amphi_run_drift(const AmphiRun *run, double *drift_kT_ns_dof, double *error)
{
    const double ps_in_ns = 1e3;
    double       mean_K, spread_K, unit;

    slope_of(&run->at.line, drift_kT_ns_dof, error);
    amphi_run_temperature(run, &mean_K, &spread_K);
    unit             = AMPHI_BOLTZMANN * mean_K * (double)run->freedom / ps_in_ns;
    *drift_kT_ns_dof = unit > 0 ? *drift_kT_ns_dof / unit : 0;
    *error           = unit > 0 ? *error / unit : 0;
}

static AmphiStatus judge_drift(AmphiRun *run, AmphiError *err)
{
    const AmphiComputePlan *c = &run->job->compute;
    double                  drift, error;

    if (run->at.line.n < ENOUGH_SAMPLES)
        return AMPHI_OK;
    amphi_run_drift(run, &drift, &error);
    run->drifts = fabs(drift) > c->max_drift_kT_ns_dof && fabs(drift) > 2 * error;
    if (!run->drifts || !c->stops_on_drift)
        return AMPHI_OK;
    return amphi_fail(err, AMPHI_UNSTABLE,
                      "the conserved energy drifts by %.2g(%.1g) kT/ns/dof; %.2g are allowed",
                      drift, error, c->max_drift_kT_ns_dof);
}

AmphiStatus amphi_run_measure(AmphiRun *run, const AmphiFrame *frame, AmphiError *err)
{
    const int64_t steps = frame->conserved_count - run->at.last_conserved_count;
    const double  sum   = frame->conserved_sum_kJ_mol - run->at.last_conserved_sum;
    const double  dt_ps = amphi_run_stage(run)->dt_ps;
    double        t     = (double)(run->at.step - run->at.stage_began) * dt_ps;

    run->freedom       = frame->freedom[0] + frame->freedom[1];
    run->temperature_K = run->freedom > 0 ? 2 * (frame->translation.half + frame->rotation.half) /
                                                (AMPHI_BOLTZMANN * (double)run->freedom)
                                          : 0;
    add_to_blocks(&run->at.temperature, run->temperature_K);
    if (steps > 0) /* the mean belongs to the middle of its steps */
        t -= 0.5 * (double)(steps - 1) * dt_ps;
    add_sample(&run->at.line, t, steps > 0 ? sum / (double)steps : frame->conserved_kJ_mol);
    run->at.last_conserved_sum   = frame->conserved_sum_kJ_mol;
    run->at.last_conserved_count = frame->conserved_count;
    return judge_drift(run, err);
}

/* ---- looking ---- */

static bool is_finite3(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static double norm3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* What is wrong with a bead; NULL: nothing. */
static const char *fault_of(const AmphiFrame *frame, int32_t i, double dt_ps)
{
    if (!is_finite3(frame->position_nm[i]))
        return "its position is not finite";
    if (!is_finite3(frame->orientation[i]) || !isfinite(frame->orientation[i][3]))
        return "its orientation is not finite";
    if (!is_finite3(frame->force_kJ_mol_nm[i]))
        return "the force on it is not finite";
    if (!is_finite3(frame->torque_kJ_mol[i]))
        return "the torque on it is not finite";
    if (!is_finite3(frame->velocity_nm_ps[i]) || !is_finite3(frame->spin_u_nm2_ps[i]))
        return "its velocity is not finite";
    if (norm3(frame->velocity_nm_ps[i]) * dt_ps > longest_step_nm)
        return "it goes further than 0.5 nm in one step";
    return NULL;
}

static bool has_finite_energy(const AmphiFrame *frame)
{
    for (int k = 0; k < AMPHI_TERMS; k++)
        if (!isfinite(frame->term_kJ_mol[k]))
            return false;
    return is_finite3(frame->box_nm);
}

AmphiStatus amphi_run_look(AmphiRun *run, const AmphiFrame *frame, AmphiError *err)
{
    const AmphiStage *stage = amphi_run_stage(run);
    const double      dt_ps = stage != NULL && stage->ensemble != AMPHI_MINIMISE ? stage->dt_ps : 0;

    for (int32_t i = 0; i < run->job->system.n_beads; i++)
        if (fault_of(frame, i, dt_ps) != NULL)
            return amphi_fail(err, AMPHI_UNSTABLE, "%s", fault_of(frame, i, dt_ps));
    if ((frame->has & AMPHI_NEED_ENERGY) != 0 && !has_finite_energy(frame))
        return amphi_fail(err, AMPHI_UNSTABLE, "the energy is not finite");
    return AMPHI_OK;
}

/* ---- the last good state ---- */

AmphiStatus amphi_run_keep(AmphiRun *run, AmphiError *err)
{
    amphi_release(run->tried.data);
    run->tried = (AmphiBytes){ .data = NULL };
    return run->backend->save(run->state, &run->tried, err);
}

void amphi_run_trust(AmphiRun *run)
{
    const AmphiBytes before = run->good;

    if (run->tried.data == NULL)
        return;
    run->good      = run->tried;
    run->tried     = before;
    run->good_step = run->at.step;
}

/* ---- telling ---- */

/* The first faulty bead; else the one with the largest force. */
static int32_t find_culprit(const AmphiRun *run, const AmphiFrame *frame, double dt_ps)
{
    int32_t worst = 0;

    for (int32_t i = 0; i < run->job->system.n_beads; i++) {
        if (fault_of(frame, i, dt_ps) != NULL)
            return i;
        if (norm3(frame->force_kJ_mol_nm[i]) > norm3(frame->force_kJ_mol_nm[worst]))
            worst = i;
    }
    return worst;
}

static double distance(const AmphiFrame *frame, int32_t i, int32_t j)
{
    double d[3];

    for (int a = 0; a < 3; a++) {
        d[a] = frame->position_nm[i][a] - frame->position_nm[j][a];
        d[a] -= frame->box_nm[a] * nearbyint(d[a] / frame->box_nm[a]);
    }
    return norm3(d);
}

/* -1: alone, or nothing can be said. */
static int32_t find_nearest(const AmphiRun *run, const AmphiFrame *frame, int32_t i)
{
    int32_t nearest = -1;
    double  least   = (double)INFINITY;

    for (int32_t j = 0; j < run->job->system.n_beads; j++) {
        const double d = j != i ? distance(frame, i, j) : (double)INFINITY;

        if (d < least) {
            least   = d;
            nearest = j;
        }
    }
    return nearest;
}

static void tell_neighbour(const AmphiRun *run, const AmphiFrame *frame, int32_t i, char *text,
                           size_t size)
{
    const AmphiSystem *s = &run->job->system;
    const int32_t      j = find_nearest(run, frame, i);
    char               name[96];

    text[0] = '\0';
    if (j >= 0)
        snprintf(text, size, "; nearest is bead %d (%s) at %.3g nm, sigma %.3g nm", j + 1,
                 amphi_system_bead(s, j, name, sizeof name), distance(frame, i, j),
                 s->pair_rule[(int64_t)s->bead_type[i] * s->n_types + s->bead_type[j]].sigma_nm);
}

/* fault-STEP.chk, of the last state that was good, or else of the one before this step. */
static void dump(AmphiRun *run, char *text, size_t size)
{
    const bool  has_good = run->good.data != NULL;
    char        name[64], path[RUN_PATH];
    AmphiError  why = { .status = AMPHI_OK };
    AmphiStatus status;

    text[0] = '\0';
    if (!has_good && run->tried.data == NULL)
        return;
    snprintf(name, sizeof name, "fault-%" PRId64 ".chk", run->at.step);
    status = amphi_run_path(run, name, path, &why);
    if (status == AMPHI_OK)
        status = amphi_run_dump(run, has_good ? &run->good : &run->tried, path, &why);
    if (status == AMPHI_OK)
        snprintf(text, size, "\n    state of step %" PRId64 " kept in %s",
                 has_good ? run->good_step : run->at.step, name);
    else
        snprintf(text, size, "\n    the state before it could not be kept: %.80s", why.text);
}

void amphi_run_report(AmphiRun *run, AmphiError *err)
{
    const AmphiStage *stage = amphi_run_stage(run);
    const bool        moves = stage != NULL && stage->ensemble != AMPHI_MINIMISE;
    const double      dt_ps = moves ? stage->dt_ps : 0;
    AmphiFrame        frame;
    char              what[96], name[96], near[160] = "", kept[160];
    int32_t           bead = 0;

    snprintf(what, sizeof what, "%.95s", err->text);
    if (run->backend->read_frame(run->state, AMPHI_NEED_FORCES, &frame, NULL) != AMPHI_OK)
        return;
    bead = find_culprit(run, &frame, dt_ps);
    amphi_system_bead(&run->job->system, bead, name, sizeof name);
    tell_neighbour(run, &frame, bead, near, sizeof near);
    dump(run, kept, sizeof kept);
    amphi_fail(err, AMPHI_UNSTABLE,
               "fault at step %" PRId64 " (%.6g ps): %s\n"
               "    bead %d = %s%s%s\n"
               "    often: a time step too long, or a start with overlaps",
               run->at.step, run->at.time_ps, what, bead + 1, name, near, kept);
}
