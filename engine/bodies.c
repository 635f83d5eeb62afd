/* Bodies: their arrays, the beginning of a stage, degrees of freedom, position restraints. */
#include "bodies.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "../forcefield/spec.h"
#include "bodies_fixed_work.h"

static bool take_arrays(AmphiBodies *b)
{
    AmphiArena   *arena = b->arena;
    const int64_t n     = b->n;

    b->position_nm        = amphi_arena_take(arena, n, sizeof *b->position_nm);
    b->image              = amphi_arena_take(arena, n, sizeof *b->image);
    b->velocity_nm_ps     = amphi_arena_take(arena, n, sizeof *b->velocity_nm_ps);
    b->orientation        = amphi_arena_take(arena, n, sizeof *b->orientation);
    b->spin_u_nm2_ps      = amphi_arena_take(arena, n, sizeof *b->spin_u_nm2_ps);
    b->force_kJ_mol_nm    = amphi_arena_take(arena, n, sizeof *b->force_kJ_mol_nm);
    b->torque_kJ_mol      = amphi_arena_take(arena, n, sizeof *b->torque_kJ_mol);
    b->velocity_now_nm_ps = amphi_arena_take(arena, n, sizeof *b->velocity_now_nm_ps);
    b->spin_now_u_nm2_ps  = amphi_arena_take(arena, n, sizeof *b->spin_now_u_nm2_ps);
    b->anchor_nm          = amphi_arena_take(arena, n, sizeof *b->anchor_nm);
    b->group_of           = AMPHI_TAKE(arena, int32_t, n);
    return !amphi_arena_failed(arena);
}

static bool take_work(AmphiBodies *b)
{
    struct AmphiBodiesWork *w        = AMPHI_TAKE(b->arena, struct AmphiBodiesWork, 1);
    const int64_t           n_groups = b->system->n_groups > 1 ? b->system->n_groups : 1;
    const int64_t           n_blocks = (b->n + AMPHI_BLOCK - 1) / AMPHI_BLOCK;

    if (w == NULL)
        return false;
    b->work        = w;
    w->n_blocks    = (int32_t)n_blocks;
    w->max_groups  = (int32_t)n_groups;
    w->mover       = AMPHI_TAKE(b->arena, Mover, b->system->n_types);
    w->group_part  = AMPHI_TAKE(b->arena, AmphiGroupPart, n_blocks * n_groups);
    w->block_heat  = AMPHI_TAKE(b->arena, double, n_blocks);
    w->group_mass  = AMPHI_TAKE(b->arena, double, n_groups);
    w->group_size  = AMPHI_TAKE(b->arena, int32_t, n_groups);
    w->group_turns = AMPHI_TAKE(b->arena, int64_t, n_groups);
    w->factor      = amphi_arena_take(b->arena, n_groups, sizeof *w->factor);
    w->drift_nm_ps = amphi_arena_take(b->arena, n_groups, sizeof *w->drift_nm_ps);
    w->pushed      = amphi_arena_take(b->arena, n_groups, sizeof *w->pushed);
    w->given_nm_ps = amphi_arena_take(b->arena, n_groups, sizeof *w->given_nm_ps);
    b->group       = amphi_arena_take(b->arena, n_groups, sizeof *b->group);
    return !amphi_arena_failed(b->arena);
}

static bool take_best(AmphiBodies *b)
{
    struct AmphiBodiesWork *w = b->work;

    if (b->fixed != NULL && !amphi_fixed_take_best(b))
        return false;
    if (w->torque_kJ_mol != NULL)
        return true;
    w->position_nm     = amphi_arena_take(b->arena, b->n, sizeof *w->position_nm);
    w->image           = amphi_arena_take(b->arena, b->n, sizeof *w->image);
    w->orientation     = amphi_arena_take(b->arena, b->n, sizeof *w->orientation);
    w->force_kJ_mol_nm = amphi_arena_take(b->arena, b->n, sizeof *w->force_kJ_mol_nm);
    w->torque_kJ_mol   = amphi_arena_take(b->arena, b->n, sizeof *w->torque_kJ_mol);
    return !amphi_arena_failed(b->arena);
}

void amphi_find_anchored(const AmphiSystem *s, bool axis[3])
{
    static const char *const    name[3] = { "k_x", "k_y", "k_z" };
    const AmphiPotential *const p       = amphi_spec_find("restrain", "position");

    axis[0] = axis[1] = axis[2] = false;
    for (int32_t k = 0; k < s->n_bonds; k++) {
        const AmphiBondRule *rule = &s->bond_rule[s->bond[k].rule];

        for (int a = 0; rule->kind == p->kind && a < 3; a++)
            axis[a] = axis[a] || amphi_field_value(p, rule->field, name[a]) != 0;
    }
}

static void fill_in(AmphiBodies *b)
{
    const AmphiSystem *s = b->system;

    for (int32_t k = 0; k < s->n_types; k++) {
        static const double none[3] = { 0, 0, 0 };
        const bool          turns   = s->type[k].rotor != AMPHI_POINT;

        b->work->mover[k] =
            mover_prepare(s->type[k].mass_u, turns ? s->type[k].inertia_u_nm2 : none);
    }
    for (int32_t i = 0; i < b->n; i++) {
        const Mover *m = amphi_mover_of(b, i);

        memcpy(b->position_nm[i], s->position_nm[i], sizeof b->position_nm[i]);
        memcpy(b->velocity_nm_ps[i], s->velocity_nm_ps[i], sizeof b->velocity_nm_ps[i]);
        memcpy(b->orientation[i], s->orientation[i], sizeof b->orientation[i]);
        for (int k = 0; k < 3; k++)
            b->spin_u_nm2_ps[i][k] = m->inertia[k] > 0 ? s->spin_u_nm2_ps[i][k] : 0;
        amphi_wrap_body(b->box_nm, b->position_nm[i], b->image[i]);
    }
    amphi_find_anchored(s, b->work->is_anchored);
}

AmphiStatus amphi_bodies_open(const AmphiSystem *system, AmphiBodies **bodies, AmphiError *err)
{
    AmphiArena  *arena = amphi_arena_new();
    AmphiBodies *b     = arena == NULL ? NULL : AMPHI_TAKE(arena, AmphiBodies, 1);

    *bodies = NULL;
    if (b != NULL) {
        b->system  = system;
        b->arena   = arena;
        b->n       = system->n_beads;
        b->threads = omp_get_max_threads();
        memcpy(b->box_nm, system->box_nm, sizeof b->box_nm);
    }
    if (b == NULL || !take_arrays(b) || !take_work(b)) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to move %d beads", (int)system->n_beads);
    }
    fill_in(b);
    *bodies = b;
    return AMPHI_OK;
}

void amphi_bodies_close(AmphiBodies *bodies)
{
    if (bodies != NULL)
        amphi_arena_free(bodies->arena);
}

/* The beginning of a stage. */

static AmphiStatus fail_group(const AmphiBodies *b, const AmphiStage *stage, int32_t bead,
                              const char *what, AmphiError *err)
{
    char name[96];

    return amphi_fail(err, AMPHI_BAD_INPUT, "stage %s: %s %s of its thermostat", stage->name,
                      amphi_system_bead(b->system, bead, name, sizeof name), what);
}

static AmphiStatus assign_groups(AmphiBodies *b, const AmphiStage *stage, AmphiError *err)
{
    const AmphiThermostat *t = &stage->thermostat;

    b->n_groups = t->n_groups > 0 ? t->n_groups : 1;
    if (b->n_groups > b->work->max_groups)
        return amphi_fail(err, AMPHI_BAD_INPUT, "stage %s: its thermostat names a group twice",
                          stage->name);
    for (int32_t i = 0; i < b->n; i++)
        b->group_of[i] = t->n_groups > 0 ? -1 : 0;
    for (int32_t g = 0; g < t->n_groups; g++) {
        const AmphiGroup *group = &b->system->group[t->group[g]];

        for (int32_t k = 0; k < group->n_beads; k++) {
            if (b->group_of[group->bead[k]] >= 0)
                return fail_group(b, stage, group->bead[k], "is in two groups", err);
            b->group_of[group->bead[k]] = g;
        }
    }
    for (int32_t i = 0; i < b->n; i++)
        if (b->group_of[i] < 0)
            return fail_group(b, stage, i, "is in no group", err);
    return AMPHI_OK;
}

static void weigh_groups(AmphiBodies *b)
{
    struct AmphiBodiesWork *w = b->work;

    for (int32_t g = 0; g < b->n_groups; g++) {
        w->group_mass[g]  = 0;
        w->group_size[g]  = 0;
        w->group_turns[g] = 0;
    }
    for (int32_t i = 0; i < b->n; i++) {
        const Mover  *m = amphi_mover_of(b, i);
        const int32_t g = b->group_of[i];

        w->group_mass[g] += m->mass;
        w->group_size[g]++;
        for (int k = 0; k < 3; k++)
            w->group_turns[g] += m->inertia[k] > 0;
    }
}

/* The displacement of bead i from its anchor, and the force of restraint r on it. */
static void find_restraint(const AmphiBodies *b, int32_t r, int32_t i, double x[3], double f[3])
{
    const AmphiStageRestraint *restraint = &b->stage->restraint[r];

    for (int a = 0; a < 3; a++) {
        x[a] = b->position_nm[i][a] + b->image[i][a] * b->box_nm[a] - b->anchor_nm[i][a];
        f[a] = restraint->axis[a] ? -2 * restraint->k_kJ_mol_nm2 * x[a] : 0;
    }
}

/* The shift of velocities by dt_new/2 used forces that include the restraints of the stage that
 * ends. This takes that part back; restraints of the new stage begin without force. */
static void give_back_restraints(AmphiBodies *b, double dt_ps)
{
    for (int32_t r = 0; b->stage != NULL && r < b->stage->n_restraints; r++) {
        const AmphiGroup *group = &b->system->group[b->stage->restraint[r].group];

        for (int32_t k = 0; k < group->n_beads; k++) {
            const int32_t i = group->bead[k];
            double        x[3], f[3];

            find_restraint(b, r, i, x, f);
            if (b->fixed != NULL)
                amphi_fixed_give_back(b, i, f);
            for (int a = 0; b->fixed == NULL && a < 3; a++)
                b->velocity_nm_ps[i][a] += 0.5 * dt_ps * amphi_mover_of(b, i)->inv_mass * f[a];
        }
    }
}

/* v(t - dt_old/2) to v(t - dt_new/2). */
static void change_time_step(AmphiBodies *b, double dt_ps)
{
    const double shift = 0.5 * (b->dt_ps - dt_ps);

    b->dt_ps = dt_ps;
    if (b->fixed != NULL) {
        amphi_fixed_change_step(b, dt_ps);
        return;
    }
    for (int32_t i = 0; i < b->n; i++) {
        const Push push = push_of(amphi_mover_of(b, i), b->orientation[i], b->force_kJ_mol_nm[i],
                                  b->torque_kJ_mol[i]);

        add_push(&push, shift, b->velocity_nm_ps[i], b->spin_u_nm2_ps[i]);
    }
}

AmphiStatus amphi_bodies_begin_stage(AmphiBodies *b, const AmphiStage *stage, AmphiError *err)
{
    const double dt_ps = stage->ensemble == AMPHI_MINIMISE ? 0 : stage->dt_ps;

    if (b->fixed != NULL)
        AMPHI_TRY(amphi_fixed_check_step(stage, err));
    AMPHI_TRY(assign_groups(b, stage, err));
    if (stage->ensemble == AMPHI_MINIMISE && !take_best(b))
        return amphi_fail(err, AMPHI_NO_MEMORY, "stage %s: no memory for %d beads", stage->name,
                          (int)b->n);
    weigh_groups(b);
    change_time_step(b, dt_ps);
    give_back_restraints(b, dt_ps);
    b->stage = stage;
    for (int32_t i = 0; i < b->n; i++)
        for (int a = 0; a < 3; a++)
            b->anchor_nm[i][a] = b->position_nm[i][a] + b->image[i][a] * b->box_nm[a];
    if (stage->remove_drift) /* a stage begins without it; its heat is nobody's */
        amphi_bodies_remove_drift(b);
    b->stage_step            = 0;
    b->stage_began_ps        = b->time_ps;
    b->heat_kJ_mol           = 0;
    b->kick_heat_kJ_mol      = 0;
    b->work_kJ_mol           = 0;
    b->conserved_kJ_mol      = 0;
    b->conserved_sum_kJ_mol  = 0;
    b->conserved_count       = 0;
    b->step_length_nm        = 0;
    b->work->has_best        = false;
    b->last_potential_kJ_mol = (double)INFINITY;
    memset(b->strain, 0, sizeof b->strain);
    memset(b->due, 0, sizeof b->due);
    return AMPHI_OK;
}

/* Between steps. */

uint32_t amphi_bodies_needs(const AmphiBodies *b)
{
    if (wants_virial(&b->stage->barostat, b->stage_step))
        return AMPHI_NEED_POTENTIAL | AMPHI_NEED_VIRIAL;
    return b->stage->ensemble == AMPHI_MINIMISE || b->stage->conserved_mean ? AMPHI_NEED_POTENTIAL
                                                                            : 0;
}

/* A group of one body keeps all its degrees of freedom, because its momentum is not removed. */
void amphi_bodies_freedom(const AmphiBodies *b, int32_t group, int64_t freedom[2])
{
    const AmphiStage *stage = b->stage;
    const bool        kept  = b->n_groups == 1 && stage->thermostat.type != AMPHI_LANGEVIN;
    const int32_t     size  = b->work->group_size[group];

    freedom[0] = 3 * (int64_t)size;
    freedom[1] = b->work->group_turns[group];
    for (int a = 0; size > 1 && a < 3; a++)
        freedom[0] -= stage->remove_drift ||
                      (kept && !b->work->is_anchored[a] && !amphi_stage_restrains(stage, a));
}

double amphi_bodies_restrain(AmphiBodies *b, double virial_kJ_mol[3][3])
{
    double energy = 0, virial[3][3] = { { 0 } };

    for (int32_t r = 0; r < b->stage->n_restraints; r++) {
        const AmphiGroup *group = &b->system->group[b->stage->restraint[r].group];

        for (int32_t k = 0; k < group->n_beads; k++) {
            const int32_t i = group->bead[k];
            double        x[3], f[3];

            find_restraint(b, r, i, x, f);
            for (int a = 0; a < 3; a++) {
                b->force_kJ_mol_nm[i][a] += f[a];
                energy -= 0.5 * f[a] * x[a];
            }
            for (int a = 0; a < 9; a++)
                virial[a / 3][a % 3] += x[a / 3] * f[a % 3];
            if (b->fixed != NULL)
                amphi_fixed_restrain(b, i, x, f);
        }
    }
    b->potential_kJ_mol += energy;
    for (int a = 0; a < 9; a++)
        b->virial_kJ_mol[a / 3][a % 3] += virial[a / 3][a % 3];
    if (b->fixed != NULL)
        amphi_fixed_show_totals(b);
    if (virial_kJ_mol != NULL)
        memcpy(virial_kJ_mol, virial, sizeof virial);
    return energy;
}
