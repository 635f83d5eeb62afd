/* The watch for faults: numbers that are not finite, beads that are too fast, orientations that are
 * not unit, bonds that are torn, a box too small for the cut-off, a start from which beads fly
 * apart, and a total momentum that has changed, or turned, where it cannot.
 */
#include <math.h>

#include "../forcefield/spec.h"
#include "bodies.h"
#include "build_space.h"
#include "faults.h"
#include "fixed.h"
#include "run_parts.h"
#include "thermostat.h"
#include "units.h"

/* ---- looking ---- */

static bool is_finite3(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static double norm4(const double q[4])
{
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

const char *amphi_run_fault_of(const AmphiFrame *frame, int32_t i, double dt_ps)
{
    const bool has_forces = (frame->has & AMPHI_NEED_FORCES) != 0;

    if (!is_finite3(frame->position_nm[i]))
        return "its position is not finite";
    if (!is_finite3(frame->orientation[i]) || !isfinite(frame->orientation[i][3]))
        return "its orientation is not finite";
    if (!(fabs(norm4(frame->orientation[i]) - 1) < AMPHI_MOST_STRETCH))
        return "its orientation is no rotation";
    if (has_forces && !is_finite3(frame->force_kJ_mol_nm[i]))
        return "the force on it is not finite";
    if (has_forces && !is_finite3(frame->torque_kJ_mol[i]))
        return "the torque on it is not finite";
    if (!is_finite3(frame->velocity_nm_ps[i]) || !is_finite3(frame->spin_u_nm2_ps[i]))
        return "its velocity is not finite";
    if (amphi_norm3(frame->velocity_nm_ps[i]) * dt_ps > AMPHI_LONGEST_STEP_NM)
        return "it goes further than 0.5 nm in one step";
    return NULL;
}

static bool has_finite_energy(const AmphiFrame *frame)
{
    for (int k = 0; k < AMPHI_TERMS; k++)
        if (!isfinite(frame->term_kJ_mol[k]))
            return false;
    return is_finite3(frame->box_nm) && isfinite(frame->heat_kJ_mol) &&
           isfinite(frame->work_kJ_mol) && isfinite(frame->conserved_sum_kJ_mol);
}

/* ---- bonds ---- */

static double length_of(const AmphiFrame *frame, const AmphiBond *bond)
{
    double d[3];

    amphi_nearest_image(frame->position_nm[bond->bead[0]], frame->position_nm[bond->bead[1]],
                        frame->box_nm, d);
    return amphi_norm3(d);
}

/* At rest, of a bond's rule, nm. */
static double rest_of(const AmphiBondRule *rule)
{
    return amphi_field_value(amphi_potential_of_kind(rule->kind, true), rule->field, "length");
}

static AmphiStatus look_at_bonds(AmphiRun *run, const AmphiFrame *frame, AmphiError *err)
{
    const AmphiSystem *s = &run->job->system;
    char               name[96];

    amphi_torn_lengths(s, amphi_run_stage(run), run->torn_nm);
    for (int32_t k = 0; k < s->n_bonds; k++) {
        const AmphiBond *bond   = &s->bond[k];
        const double     torn   = run->torn_nm[bond->rule];
        const double     length = isfinite(torn) ? length_of(frame, bond) : 0;

        if (!(length > torn))
            continue;
        run->suspect = bond->bead[0] + 1;
        return amphi_fail(err, AMPHI_UNSTABLE,
                          "its bond to bead %d (%s) is %.3g nm long, at rest %.3g nm",
                          bond->bead[1] + 1, amphi_system_bead(s, bond->bead[1], name, sizeof name),
                          length, rest_of(&s->bond_rule[bond->rule]));
    }
    return AMPHI_OK;
}

/* ---- the start of a stage ---- */

/* What a force gives in one step to a bead at rest: (F dt)^2 / 2m. */
static double kick_energy(const AmphiRun *run, const AmphiFrame *frame, int32_t i)
{
    const AmphiSystem *s = &run->job->system;
    const double impulse = amphi_norm3(frame->force_kJ_mol_nm[i]) * amphi_run_stage(run)->dt_ps;

    return impulse * impulse / (2 * s->type[s->bead_type[i]].mass_u);
}

/* The bead that is kicked most. Forces that are not finite are left to amphi_run_look. */
static int32_t find_kicked(const AmphiRun *run, const AmphiFrame *frame)
{
    int32_t most = 0;

    for (int32_t i = 1; i < run->job->system.n_beads; i++)
        if (kick_energy(run, frame, i) > kick_energy(run, frame, most))
            most = i;
    return most;
}

AmphiStatus amphi_run_look_at_start(AmphiRun *run, const AmphiFrame *frame, AmphiError *err)
{
    const double  allowed = amphi_too_much_kJ_mol(amphi_run_stage(run));
    const int32_t i       = find_kicked(run, frame);
    const double  kick    = kick_energy(run, frame, i);
    double        energy  = 0;

    for (int k = 0; k < AMPHI_TERMS; k++)
        energy += frame->term_kJ_mol[k] / run->job->system.n_beads;
    run->suspect = i + 1;
    if (isfinite(energy) && energy > allowed)
        return amphi_fail(err, AMPHI_UNSTABLE,
                          "the stage would begin with a potential energy of %.3g kJ/mol a bead, "
                          "above %d kT = %.3g",
                          energy, AMPHI_TOO_MUCH_KT, allowed);
    if (isfinite(kick) && kick > allowed)
        return amphi_fail(err, AMPHI_UNSTABLE,
                          "the first step would give it %.3g kJ/mol, above %d kT = %.3g", kick,
                          AMPHI_TOO_MUCH_KT, allowed);
    run->suspect = 0;
    return AMPHI_OK;
}

/* Of the present stage, if it makes time steps; else 0. */
static double time_step_of(const AmphiRun *run)
{
    const AmphiStage *stage = amphi_run_stage(run);

    return stage != NULL && stage->ensemble != AMPHI_MINIMISE ? stage->dt_ps : 0;
}

AmphiStatus amphi_run_look_at_beads(AmphiRun *run, const AmphiFrame *frame, AmphiError *err)
{
    const double dt_ps = time_step_of(run);

    run->suspect = 0;
    for (int32_t i = 0; i < run->job->system.n_beads; i++) {
        const char *const fault = amphi_run_fault_of(frame, i, dt_ps);

        if (fault == NULL)
            continue;
        run->suspect = i + 1;
        return amphi_fail(err, AMPHI_UNSTABLE, "%s", fault);
    }
    return dt_ps > 0 ? look_at_bonds(run, frame, err) : AMPHI_OK;
}

AmphiStatus amphi_run_look(AmphiRun *run, const AmphiFrame *frame, AmphiError *err)
{
    run->suspect = 0;
    if ((frame->has & AMPHI_NEED_FORCES) != 0) /* or the backend has looked at its beads */
        AMPHI_TRY(amphi_run_look_at_beads(run, frame, err));
    if ((frame->has & AMPHI_NEED_ENERGY) != 0 && !has_finite_energy(frame))
        return amphi_fail(err, AMPHI_UNSTABLE, "the energy is not finite");
    /* backends that make many steps at once look at it only where they build a list */
    return amphi_system_check_box(&run->job->system, frame->box_nm, err);
}

/* ---- the momentum ---- */

/* Sums of m v, of |m v|, and of the magnitudes of forces. */
typedef struct {
    double p[3], size, force;
} Momentum;

/* Of whole numbers at the half step, where it is the same as at the step: other numbers in double
 * as long as they have 52 bits. */
static void take_whole(const AmphiFrame *frame, Momentum *sum)
{
    for (int a = 0; a < 3; a++)
        sum->p[a] = (double)frame->momentum[a] * FIXED_MOMENTUM_UNIT;
}

/* What restraints change is not looked at. */
static void leave_out_restrained(const AmphiRun *run, double p[3])
{
    bool is_anchored[3];

    amphi_find_anchored(&run->job->system, is_anchored);
    for (int a = 0; a < 3; a++)
        if (is_anchored[a] || amphi_stage_restrains(amphi_run_stage(run), a))
            p[a] = 0;
}

static Momentum momentum_of(const AmphiRun *run, const AmphiFrame *frame)
{
    const AmphiSystem *s   = &run->job->system;
    Momentum           sum = { .size = 0 };

    for (int32_t i = 0; i < s->n_beads; i++) {
        const double mass = s->type[s->bead_type[i]].mass_u;

        for (int a = 0; a < 3; a++)
            sum.p[a] += mass * frame->velocity_nm_ps[i][a];
        sum.size += mass * amphi_norm3(frame->velocity_nm_ps[i]);
        sum.force += amphi_norm3(frame->force_kJ_mol_nm[i]);
    }
    if (frame->is_fixed != 0)
        take_whole(frame, &sum);
    leave_out_restrained(run, sum.p);
    return sum;
}

/* Momentum is conserved where degrees of freedom are missing, one an axis without restraints,
 * unless the reason is that it is removed in every step. Groups that exert forces on each other and
 * are scaled by different factors change it. */
static bool keeps_momentum(const AmphiRun *run, const AmphiFrame *frame)
{
    const AmphiStage *stage = amphi_run_stage(run);
    const int64_t     all   = 3 * (int64_t)run->job->system.n_beads;

    return stage != NULL && stage->ensemble != AMPHI_MINIMISE && !stage->remove_drift &&
           frame->n_groups == 1 && frame->freedom[0] < all && frame->freedom[0] >= all - 3;
}

/* By what an edge is multiplied, velocities are divided: their product is conserved. */
static void find_edges(const AmphiStage *stage, const AmphiFrame *frame, double edge[3])
{
    const bool slows = stage->barostat.type == AMPHI_CELL_RESCALE;

    for (int a = 0; a < 3; a++)
        edge[a] = slows ? frame->box_nm[a] : 1;
}

/* Takes away what is along a direction; all of it stays if that is zero. */
static void remove_along(const double direction[3], double p[3])
{
    double along = 0, square = 0;

    for (int a = 0; a < 3; a++) {
        along += direction[a] * p[a];
        square += direction[a] * direction[a];
    }
    for (int a = 0; a < 3 && square > 0; a++)
        p[a] -= along / square * direction[a];
}

/* How much of the momentum can be rounding. The two forces of a pair are rounded separately, so
 * that the total force is a fraction of the sum of all forces, and may even be the same in every
 * step; the bound is ten times the error that tests allow a backend. Where beads are far apart now
 * forces tell nothing of collisions in between, each of which may have turned all of a bead's
 * momentum round: then the same share of the momenta. In fixed precision the
 * momentum is an integer that changes only where the momenta of all beads are scaled and rounded:
 * by less than a unit times the root of their number. */
static double rounding_of(const AmphiRun *run, const AmphiFrame *frame, const Momentum *now,
                          bool is_scaled, int64_t n_steps)
{
    const double share = run->backend->precision == AMPHI_SINGLE ? 2e-5 : 1e-12;
    const double n     = (double)n_steps * run->job->system.n_beads;

    if (frame->is_fixed != 0)
        return is_scaled ? 20 * FIXED_MOMENTUM_UNIT * sqrt(n) : 0;
    return share * fmax(now->force * (double)n_steps * amphi_run_stage(run)->dt_ps, now->size);
}

/* Without a thermostat the momentum stays that of the first check. One that scales all velocities
 * leaves its direction, and factors multiply rounding as well: there it is compared with the last
 * check, along which it may have become any length. */
AmphiStatus amphi_run_check_momentum(AmphiRun *run, const AmphiFrame *frame, AmphiError *err)
{
    const uint32_t    whole = AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS; /* with velocities */
    const AmphiStage *stage = amphi_run_stage(run);

    if ((frame->has & whole) != whole || !keeps_momentum(run, frame))
        return AMPHI_OK;

    const bool     is_scaled = scales_velocities(stage->thermostat.type);
    const Momentum now       = momentum_of(run, frame);
    const int64_t  kind      = (frame->is_fixed != 0 ? 2 : 1) + (is_scaled ? 2 : 0);
    const int64_t  since     = is_scaled ? run->momentum_step : run->at.stage_began;
    const bool     is_known  = run->at.has_momentum == kind;
    const double   allowed   = rounding_of(run, frame, &now, is_scaled, run->at.step - since + 1);
    double         edge[3], before[3], change[3];

    find_edges(stage, frame, edge);
    for (int a = 0; a < 3; a++) {
        before[a] = run->at.momentum[a] / edge[a];
        change[a] = is_scaled ? now.p[a] : now.p[a] - before[a];
    }
    if (is_scaled)
        remove_along(before, change);
    if (is_known && !(amphi_norm3(change) <= allowed))
        return amphi_fail(err, AMPHI_UNSTABLE,
                          "the momentum changed by %.3g u nm/ps%s; rounding explains %.3g",
                          amphi_norm3(change), is_scaled ? " across its direction" : "", allowed);
    if (is_known && !is_scaled)
        return AMPHI_OK;
    run->at.has_momentum = kind;
    run->momentum_step   = run->at.step;
    for (int a = 0; a < 3; a++)
        run->at.momentum[a] = now.p[a] * edge[a];
    return AMPHI_OK;
}

/* ---- the last good state ---- */

AmphiStatus amphi_run_keep(AmphiRun *run, bool is_beginning, AmphiError *err)
{
    if (run->backend->keep != NULL) {
        run->keeps =
            is_beginning || !run->has_slot || run->at.step - run->slot_step >= AMPHI_STEPS_A_STATE;
        return run->keeps ? run->backend->keep(run->state, 1 - run->good_slot, err) : AMPHI_OK;
    }
    run->tried.n = 0;
    return run->backend->save(run->state, &run->tried, err);
}

void amphi_run_trust(AmphiRun *run)
{
    const AmphiBytes before = run->good;

    if (run->backend->keep != NULL) {
        run->good_step = run->at.step;
        if (!run->keeps)
            return;
        run->good_slot  = 1 - run->good_slot;
        run->has_slot   = true;
        run->slot_step  = run->at.step;
        run->slot_stage = run->at.stage;
        return;
    }
    if (run->tried.data == NULL)
        return;
    run->good      = run->tried;
    run->tried     = before;
    run->good_step = run->at.step;
}

/* From the stored state to that of the last check, whose steps have the same bits. Where that fails
 * the stored one is good; so it is where the next stage has begun badly, which has other steps. */
static void catch_up(AmphiRun *run)
{
    const AmphiBackend *be     = run->backend;
    AmphiBytes          later  = { .data = NULL };
    AmphiStatus         status = AMPHI_UNSTABLE;

    if (run->slot_stage == run->at.stage)
        status = be->restore(run->state, &run->good, NULL);
    if (status == AMPHI_OK)
        status = be->advance(run->state, run->good_step - run->slot_step, NULL);
    if (status == AMPHI_OK)
        status = be->save(run->state, &later, NULL);
    if (status != AMPHI_OK) {
        amphi_release(later.data);
        run->good_step = run->slot_step;
        return;
    }
    amphi_release(run->good.data);
    run->good = later;
}

bool amphi_run_fetch_good(AmphiRun *run)
{
    if (run->has_slot && run->good.data == NULL) {
        run->has_slot =
            run->backend->kept(run->state, run->good_slot, &run->good, NULL) == AMPHI_OK;
        if (!run->has_slot) { /* what of it has come is no state */
            amphi_release(run->good.data);
            run->good = (AmphiBytes){ .data = NULL };
        } else if (run->slot_step < run->good_step) {
            catch_up(run);
        }
    }
    return run->good.data != NULL;
}
