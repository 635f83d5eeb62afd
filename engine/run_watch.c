/* The watch for faults: numbers that are not finite, beads that are too fast, orientations that are
 * not unit, bonds that are torn, a box too small for the cut-off, a start from which beads fly
 * apart, and a total momentum that has changed, or turned, where it cannot.
 */
#include <math.h>

#include "../forcefield/spec.h"
#include "bodies.h"
#include "build_space.h"
#include "fixed.h"
#include "run_parts.h"
#include "thermostat.h"
#include "units.h"

/* A bead that goes this far in one step has left physics: thermal ones go a hundredth of it. */
static const double longest_step_nm = AMPHI_LONGEST_STEP_NM;

/* Heat never gathers so much in one place. A stage begins neither with more potential energy a bead
 * nor with a force that gives a bead more in its first step: once minimised, membranes and liquids
 * have less than none of the first, and at most 3 of the second. */
static const double too_much_kT = 100;

/* A bond is torn when it is longer than so many times its length and its energy is too much. The
 * second is for bonds so weak that heat and neighbours stretch them: one of ELBA's between charged
 * heads (DOPE) comes to 1.7 times its length in 0.1 ns, at 23 kT, and would come to twice in long
 * runs. */
static const double longest_bond = 2;

/* Stages without a thermostat, or with a colder one, are taken to be as warm as this. */
static const double lowest_K = 300;

/* Tolerance of the norm of a quaternion; rounding changes it by 1e-11 in 1e9 steps. */
static const double most_stretch = 1e-3;

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
    if (!is_finite3(frame->position_nm[i]))
        return "its position is not finite";
    if (!is_finite3(frame->orientation[i]) || !isfinite(frame->orientation[i][3]))
        return "its orientation is not finite";
    if (!(fabs(norm4(frame->orientation[i]) - 1) < most_stretch))
        return "its orientation is no rotation";
    if (!is_finite3(frame->force_kJ_mol_nm[i]))
        return "the force on it is not finite";
    if (!is_finite3(frame->torque_kJ_mol[i]))
        return "the torque on it is not finite";
    if (!is_finite3(frame->velocity_nm_ps[i]) || !is_finite3(frame->spin_u_nm2_ps[i]))
        return "its velocity is not finite";
    if (amphi_norm3(frame->velocity_nm_ps[i]) * dt_ps > longest_step_nm)
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

static double thermal_energy(const AmphiStage *stage)
{
    const bool has_one = stage->thermostat.type != AMPHI_NO_THERMOSTAT;

    return AMPHI_BOLTZMANN * fmax(has_one ? stage->thermostat.temperature_K : 0, lowest_K);
}

/* ---- bonds ---- */

static double length_of(const AmphiFrame *frame, const AmphiBond *bond)
{
    double d[3];

    amphi_nearest_image(frame->position_nm[bond->bead[0]], frame->position_nm[bond->bead[1]],
                        frame->box_nm, d);
    return amphi_norm3(d);
}

bool amphi_run_know_bonds(AmphiRun *run)
{
    const AmphiSystem *s = &run->job->system;

    run->bond_rule = AMPHI_TAKE(run->arena, AmphiRunBond, s->n_bond_rules);
    for (int32_t k = 0; run->bond_rule != NULL && k < s->n_bond_rules; k++) {
        const AmphiPotential *p = amphi_potential_of_kind(s->bond_rule[k].kind, true);

        if (!amphi_potential_is_bond(p))
            continue;
        run->bond_rule[k].k_kJ_mol_nm2 = amphi_field_value(p, s->bond_rule[k].field, "k");
        run->bond_rule[k].length_nm    = amphi_field_value(p, s->bond_rule[k].field, "length");
    }
    return run->bond_rule != NULL;
}

/* Terms other than bonds have a constant of 0. */
static bool is_torn(const AmphiRun *run, const AmphiRunBond *rule, double length_nm)
{
    const double stretch = length_nm - rule->length_nm;
    const double energy  = rule->k_kJ_mol_nm2 * stretch * stretch;

    return length_nm > longest_bond * rule->length_nm &&
           energy > too_much_kT * thermal_energy(amphi_run_stage(run));
}

static AmphiStatus look_at_bonds(AmphiRun *run, const AmphiFrame *frame, AmphiError *err)
{
    const AmphiSystem *s = &run->job->system;
    char               name[96];

    for (int32_t k = 0; k < s->n_bonds; k++) {
        const AmphiBond    *bond   = &s->bond[k];
        const AmphiRunBond *rule   = &run->bond_rule[bond->rule];
        const double        length = rule->k_kJ_mol_nm2 > 0 ? length_of(frame, bond) : 0;

        if (!is_torn(run, rule, length))
            continue;
        run->suspect = bond->bead[0] + 1;
        return amphi_fail(err, AMPHI_UNSTABLE,
                          "its bond to bead %d (%s) is %.3g nm long, at rest %.3g nm",
                          bond->bead[1] + 1, amphi_system_bead(s, bond->bead[1], name, sizeof name),
                          length, rule->length_nm);
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
    const double  allowed = too_much_kT * thermal_energy(amphi_run_stage(run));
    const int32_t i       = find_kicked(run, frame);
    const double  kick    = kick_energy(run, frame, i);
    double        energy  = 0;

    for (int k = 0; k < AMPHI_TERMS; k++)
        energy += frame->term_kJ_mol[k] / run->job->system.n_beads;
    run->suspect = i + 1;
    if (isfinite(energy) && energy > allowed)
        return amphi_fail(err, AMPHI_UNSTABLE,
                          "the stage would begin with a potential energy of %.3g kJ/mol a bead, "
                          "above %.0f kT = %.3g",
                          energy, too_much_kT, allowed);
    if (isfinite(kick) && kick > allowed)
        return amphi_fail(err, AMPHI_UNSTABLE,
                          "the first step would give it %.3g kJ/mol, above %.0f kT = %.3g", kick,
                          too_much_kT, allowed);
    run->suspect = 0;
    return AMPHI_OK;
}

AmphiStatus amphi_run_look(AmphiRun *run, const AmphiFrame *frame, AmphiError *err)
{
    const AmphiStage *stage = amphi_run_stage(run);
    const double      dt_ps = stage != NULL && stage->ensemble != AMPHI_MINIMISE ? stage->dt_ps : 0;
    const bool has_beads = (frame->has & AMPHI_NEED_FORCES) != 0; /* or they were checked there */

    run->suspect = 0;
    for (int32_t i = 0; has_beads && i < run->job->system.n_beads; i++)
        if (amphi_run_fault_of(frame, i, dt_ps) != NULL)
            return amphi_fail(err, AMPHI_UNSTABLE, "%s", amphi_run_fault_of(frame, i, dt_ps));
    if ((frame->has & AMPHI_NEED_ENERGY) != 0 && !has_finite_energy(frame))
        return amphi_fail(err, AMPHI_UNSTABLE, "the energy is not finite");
    /* backends that make many steps at once look at it only where they build a list */
    AMPHI_TRY(amphi_system_check_box(&run->job->system, frame->box_nm, err));
    if (dt_ps > 0 && has_beads)
        return look_at_bonds(run, frame, err);
    return AMPHI_OK;
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

AmphiStatus amphi_run_keep(AmphiRun *run, AmphiError *err)
{
    if (run->backend->keep != NULL)
        return run->backend->keep(run->state, 1 - run->good_slot, err);
    run->tried.n = 0;
    return run->backend->save(run->state, &run->tried, err);
}

void amphi_run_trust(AmphiRun *run)
{
    const AmphiBytes before = run->good;

    if (run->backend->keep != NULL) {
        run->good_slot = 1 - run->good_slot;
        run->has_slot  = true;
        run->good_step = run->at.step;
        return;
    }
    if (run->tried.data == NULL)
        return;
    run->good      = run->tried;
    run->tried     = before;
    run->good_step = run->at.step;
}
