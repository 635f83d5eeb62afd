/* What motion keeps on the device: memory at the opening, a stage's constants at its beginning. */

#include "books.h"

extern "C" {
#include "../engine/arena.h"
#include "../engine/units.h"
}

/* Says by its attributes for which devices this was compiled. */
static __global__ void __launch_bounds__(WARP) k_nothing(void)
{
}

/* Can a kernel begin beside the last one, and launch a graph? Newer devices than there is machine
 * code for run what was compiled for older ones, which has no instructions to wait for it
 * (beside.h); and what launches graphs is machine code alone (gate.cu). */
static AmphiStatus ask_early(Device *d, AmphiError *err)
{
    cudaFuncAttributes code = {};

    CUDA_TRY(cudaFuncGetAttributes(&code, k_nothing));
    d->begins_early = code.ptxVersion >= 90;
    return AMPHI_OK;
}

static void count_blocks(const Device *d, Sums *s)
{
    s->n_blocks   = (d->view.n + MOTION_BLOCK - 1) / MOTION_BLOCK;
    s->per_bundle = s->n_blocks <= MOST_ROWS ? 1 : (s->n_blocks + WARP - 1) / WARP;
    s->n_bundles  = (s->n_blocks + s->per_bundle - 1) / s->per_bundle;
}

static void drop_rows(Device *d, Sums *s)
{
    if (s->part != s->bundle)
        amphi_device_drop(&d->memory, s->part);
    amphi_device_drop(&d->memory, s->bundle);
    amphi_device_drop(&d->memory, s->other);
    amphi_device_drop(&d->memory, s->total);
    s->part = s->bundle = s->other = s->total = NULL;
    d->motion->most_rows                      = 0;
}

/* Rows for the groups of a stage and a quick one, where no stage before has had as many. In fixed
 * precision rows are of another kind (fixed_view.h). */
static AmphiStatus take_rows(Device *d, int32_t n_groups, AmphiError *err)
{
    const int64_t n = n_groups + 1;
    Sums         *s = &d->motion->sums;

    if (AMPHI_BUILD_PRECISION == AMPHI_FIXED || n <= d->motion->most_rows)
        return AMPHI_OK;
    drop_rows(d, s);
    AMPHI_TRY(amphi_device_take_array(&d->memory, s->n_bundles * n, &s->bundle, err));
    s->part = s->bundle;
    AMPHI_TRY(amphi_device_take_array(&d->memory, s->n_bundles * n, &s->other, err));
    if (s->per_bundle > 1)
        AMPHI_TRY(amphi_device_take_array(&d->memory, s->n_blocks * n, &s->part, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &s->total, err));
    d->motion->most_rows = (int32_t)n;
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(motion_open)(Device *d, AmphiError *err)
{
    struct MotionPlan *m = AMPHI_TAKE(d->mirror->arena, struct MotionPlan, 1);
    View              *v = &d->view;
    const int64_t      n = v->max_groups;

    if (m == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to move %d beads", v->n);
    d->motion = m;
    AMPHI_TRY(ask_early(d, err));
    count_blocks(d, &m->sums);
    AMPHI_TRY(take_rows(d, v->n_groups, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, m->sums.n_bundles + 1, &m->sums.arrived, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &m->draws.rescale, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, 2, &m->draws.cell, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &m->group_mass, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &m->group_size, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &m->freedom, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &v->factor, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &v->drift_nm_ps, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &v->pushed, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &v->given_nm_ps, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &v->group, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, v->n, &v->group_of, err));
    v->group_mass = m->group_mass;
    v->group_size = m->group_size;
    v->freedom    = m->freedom;
    return AMPHI_OK;
}

/* ---- the beginning of a stage ---- */

static void fill_view(const AmphiBodies *b, const AmphiStage *stage, StageView *view)
{
    const AmphiThermostat *t = &stage->thermostat;

    memset(view, 0, sizeof *view);
    view->ensemble             = stage->ensemble;
    view->dt_ps                = b->dt_ps;
    view->kT                   = AMPHI_BOLTZMANN * t->temperature_K;
    view->seed                 = stage->seed;
    view->n_steps              = stage->n_steps;
    view->stop_force_kJ_mol_nm = stage->stop_force_kJ_mol_nm;
    view->conserved_mean       = stage->conserved_mean;
    view->remove_drift         = stage->remove_drift;
    view->thermostat           = *t;
    view->thermostat.group     = NULL;
    view->barostat             = stage->barostat;
    if (t->type == AMPHI_LANGEVIN)
        view->noise = noise_prepare(b->dt_ps, t->time_ps, view->kT);
}

static AmphiStatus put_groups(Device *d, AmphiError *err)
{
    const AmphiBodies       *b = d->mirror;
    const struct MotionPlan *m = d->motion;
    const size_t             n = (size_t)b->n_groups;
    int64_t(*freedom)[2]       = (int64_t(*)[2])amphi_alloc(b->n_groups, sizeof *freedom);
    AmphiStatus status;

    if (freedom == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the groups of a thermostat");
    for (int32_t g = 0; g < b->n_groups; g++)
        amphi_bodies_freedom(b, g, freedom[g]);
    status = amphi_device_put(m->freedom, freedom, n * sizeof *freedom, d->stream, err);
    amphi_release(freedom);
    AMPHI_TRY(status);
    AMPHI_TRY(
        amphi_device_put(m->group_mass, b->work->group_mass, n * sizeof(double), d->stream, err));
    AMPHI_TRY(
        amphi_device_put(m->group_size, b->work->group_size, n * sizeof(int32_t), d->stream, err));
    return amphi_device_put(d->view.group_of, b->group_of, (size_t)b->n * sizeof(int32_t),
                            d->stream, err);
}

static void drop_restraints(Device *d)
{
    struct MotionPlan *m = d->motion;

    amphi_device_drop(&d->memory, d->view.anchor_nm);
    amphi_device_drop(&d->memory, m->restraint_kJ_mol_nm2);
    d->view.anchor_nm            = NULL;
    d->view.restraint_kJ_mol_nm2 = NULL;
    m->restraint_kJ_mol_nm2      = NULL;
}

/* Anchors, and the sum of what all restraints of the stage have for a bead, axis by axis. */
static AmphiStatus put_restraints(Device *d, const AmphiStage *stage, AmphiError *err)
{
    const int32_t      n = d->view.n;
    struct MotionPlan *m = d->motion;
    double(*k)[3];
    AmphiStatus status;

    if (stage->n_restraints == 0) {
        drop_restraints(d);
        return AMPHI_OK;
    }
    if (m->restraint_kJ_mol_nm2 == NULL)
        AMPHI_TRY(amphi_device_take_array(&d->memory, n, &m->restraint_kJ_mol_nm2, err));
    if (d->view.anchor_nm == NULL)
        AMPHI_TRY(amphi_device_take_array(&d->memory, n, &d->view.anchor_nm, err));
    AMPHI_TRY(amphi_device_put(d->view.anchor_nm, d->mirror->anchor_nm,
                               (size_t)n * sizeof *d->view.anchor_nm, d->stream, err));
    k = (double(*)[3])amphi_alloc(n, sizeof *k); /* zeros */
    if (k == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for restraints of %d beads", n);
    for (int32_t r = 0; r < stage->n_restraints; r++) {
        const AmphiStageRestraint *restraint = &stage->restraint[r];
        const AmphiGroup          *group     = &d->system->group[restraint->group];

        for (int32_t at = 0; at < group->n_beads; at++)
            for (int a = 0; a < 3; a++)
                k[group->bead[at]][a] += restraint->axis[a] ? restraint->k_kJ_mol_nm2 : 0;
    }
    status = amphi_device_put(m->restraint_kJ_mol_nm2, k, (size_t)n * sizeof *k, d->stream, err);
    amphi_release(k);
    d->view.restraint_kJ_mol_nm2 = m->restraint_kJ_mol_nm2;
    return status;
}

/* The room of the best place: of its own what fixed precision does not keep as whole numbers; and
 * for forces that of motion as a kick leaves it, which a descent has none of. */
static AmphiStatus take_best(Device *d, AmphiError *err)
{
    Best *best = &d->motion->best;

    if (best->torque_kJ_mol != NULL)
        return AMPHI_OK;
    AMPHI_TRY(amphi_device_take_array(&d->memory, d->motion->sums.n_blocks, &d->motion->most, err));
#ifndef AMPHI_BUILD_FIXED
    AMPHI_TRY(amphi_device_take_array(&d->memory, d->view.n, &best->position_nm, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, d->view.n, &best->orientation, err));
#endif
    best->force_kJ_mol_nm = d->view.velocity_now_nm_ps;
    best->torque_kJ_mol   = d->view.spin_now_u_nm2_ps;
    return AMPHI_OK;
}

static void drop_best(Device *d)
{
    Best *best = &d->motion->best;

    amphi_device_drop(&d->memory, d->motion->most);
    amphi_device_drop(&d->memory, best->position_nm);
    amphi_device_drop(&d->memory, best->orientation);
    *best           = Best{};
    d->motion->most = NULL;
}

/* Beads of systems with bonds from which on a second set of records is worth the room that it takes
 * in the second cache (one H200: 94 208 beads of a membrane 0.7 % slower, 211 968 1.2 % faster). */
enum { BONDED_BEADS_OF_TWO_SETS = 150000 };

/* A second set of records for stages whose steps go ahead of pairs, so that none waits with what
 * pairs read until all of them are through. With noise whose drift is removed none does. */
static bool wants_two_sets(const Device *d, const AmphiStage *stage)
{
    return goes_ahead(d) && stage->ensemble != AMPHI_MINIMISE &&
           !(stage->thermostat.type == AMPHI_LANGEVIN && stage->remove_drift) &&
           (d->view.n_bond_blocks == 0 || d->view.n > BONDED_BEADS_OF_TWO_SETS);
}

/* Where there is no memory for a second one, it goes without. */
static AmphiStatus fit_records(Device *d, const AmphiStage *stage, AmphiError *err)
{
    if (wants_two_sets(d, stage)) {
        const AmphiStatus status = AMPHI_T(cells_take_records)(d, d->records[1], err);

        if (status != AMPHI_NO_MEMORY)
            return status;
    }
    for (int k = 0; k < RECORD_KINDS; k++) {
        amphi_device_drop(&d->memory, d->records[1][k]);
        d->records[1][k] = NULL;
    }
    return AMPHI_OK;
}

void AMPHI_T(motion_expect)(Device *d, const StepPlan *plan)
{
    StageView *now = &d->view.stage;

    *now = d->motion->stage;
    if (!plan->acts) {
        now->thermostat.type = AMPHI_NO_THERMOSTAT;
        now->remove_drift    = false;
    }
    if (plan->level == NO_SUMS)
        now->barostat.type = AMPHI_NO_BAROSTAT;
}

bool AMPHI_T(motion_is_plain)(const Device *d, const StepPlan *plan)
{
    return !needs_sums(&d->view.stage, plan->level, false);
}

/* Draws of a thermostat, drift to be removed and anchors have no place in it. */
bool AMPHI_T(motion_is_summed)(const Device *d, const StepPlan *plan)
{
    const StageView *stage  = &d->motion->stage;
    const bool       scales = plan->acts && scales_velocities(stage->thermostat.type);

    return plan->level != NO_SUMS && !scales && !(plan->acts && stage->remove_drift) &&
           stage->thermostat.type != AMPHI_LANGEVIN && d->view.n_groups <= FEW_GROUPS &&
           d->view.restraint_kJ_mol_nm2 == NULL;
}

AmphiStatus AMPHI_T(motion_begin_stage)(Device *d, const AmphiStage *stage, AmphiError *err)
{
    const AmphiBodies     *b = d->mirror;
    const AmphiThermostat *t = &stage->thermostat;
    struct MotionPlan     *m = d->motion;

    d->view.n_groups = b->n_groups;
    fill_view(b, stage, &m->stage);
    d->view.stage  = m->stage;
    m->is_open     = false;
    m->draws.share = share_of_scaling(t, b->dt_ps);
    m->draws.n_blocks =
        t->type == AMPHI_VELOCITY_RESCALE || stage->barostat.type == AMPHI_CELL_RESCALE;
    if (stage->ensemble != AMPHI_MINIMISE) /* what is given back makes room */
        drop_best(d);
#ifdef AMPHI_BUILD_FIXED
    AMPHI_TRY(AMPHI_T(fixed_begin_stage)(d, stage, err));
#endif
    AMPHI_TRY(take_rows(d, b->n_groups, err));
    AMPHI_TRY(put_groups(d, err));
    AMPHI_TRY(put_restraints(d, stage, err));
    AMPHI_TRY(fit_records(d, stage, err));
    return stage->ensemble == AMPHI_MINIMISE ? take_best(d, err) : AMPHI_OK;
}
