/* One step of the bodies: kick with its thermostats; drift with the barostat and removal of drift
 * before it, and noise. The physics of one body is in motion.h, of the factors in thermostat.h and
 * barostat.h.
 */
#include <stdbool.h>
#include <string.h>

#include "barostat.h"
#include "bodies_fixed_work.h"
#include "thermostat.h"
#include "units.h"

static double kT_of(const AmphiBodies *b)
{
    return AMPHI_BOLTZMANN * b->stage->thermostat.temperature_K;
}

static AmphiGroupPart *parts_of(const AmphiBodies *b, int32_t block)
{
    return b->work->group_part + (int64_t)block * b->n_groups;
}

/* Adds to the upper half of a symmetric tensor. */
static void add_tensor(double sum[3][3], double factor, const double v[3])
{
    for (int a = 0; a < 3; a++)
        for (int c = a; c < 3; c++)
            sum[a][c] += factor * v[a] * v[c];
}

/* Kick. */

static void kick_body(AmphiBodies *b, int32_t i, bool looked_at, AmphiGroupPart *part)
{
    const Mover *m = amphi_mover_of(b, i);
    double      *v = b->velocity_nm_ps[i], *l = b->spin_u_nm2_ps[i];
    const double before[3] = { v[0], v[1], v[2] };
    const Push   push = push_of(m, b->orientation[i], b->force_kJ_mol_nm[i], b->torque_kJ_mol[i]);

    for (int at = 0; at < 3; at++) {
        part->kinetic[0][at] += kinetic_of(m, v);
        part->kinetic[1][at] += rotation_of(m, l);
        if (at != 1)
            add_tensor(part->tensor, 0.25 * m->mass, v);
        if (at == 1 && looked_at) {
            memcpy(b->velocity_now_nm_ps[i], v, sizeof b->velocity_now_nm_ps[i]);
            memcpy(b->spin_now_u_nm2_ps[i], l, sizeof b->spin_now_u_nm2_ps[i]);
        }
        if (at != 2)
            add_push(&push, 0.5 * b->dt_ps, v, l);
    }
    for (int a = 0; a < 3; a++)
        part->pushed[a] += m->mass * (v[a] - before[a]);
}

/* The same kick without sums. */
static void kick_unseen(AmphiBodies *b, int32_t block)
{
    for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++) {
        const Push push = push_of(amphi_mover_of(b, i), b->orientation[i], b->force_kJ_mol_nm[i],
                                  b->torque_kJ_mol[i]);

        add_push(&push, 0.5 * b->dt_ps, b->velocity_nm_ps[i], b->spin_u_nm2_ps[i]);
        add_push(&push, 0.5 * b->dt_ps, b->velocity_nm_ps[i], b->spin_u_nm2_ps[i]);
    }
}

static bool scales_now(const AmphiBodies *b)
{
    const AmphiThermostat *t = &b->stage->thermostat;

    return scales_velocities(t->type) && thermostat_acts(t, b->stage_step);
}

static bool removes_drift_now(const AmphiBodies *b)
{
    return b->stage->remove_drift && thermostat_acts(&b->stage->thermostat, b->stage_step);
}

/* By the barostat. */
static bool needs_tensor(const AmphiBodies *b)
{
    const AmphiBarostat *p = &b->stage->barostat;

    return asks_pressure(p, b->stage_step) || moves_box(p, b->stage_step);
}

static bool needs_sums(const AmphiBodies *b)
{
    return b->stage->conserved_mean || needs_tensor(b) || scales_now(b) || removes_drift_now(b);
}

static void kick_block(AmphiBodies *b, int32_t block, bool looked_at)
{
    AmphiGroupPart *part = parts_of(b, block);

    memset(part, 0, (size_t)b->n_groups * sizeof *part);
    for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++)
        kick_body(b, i, looked_at, &part[b->group_of[i]]);
}

static void sum_group(const AmphiBodies *b, int32_t g, double sum[2][3])
{
    memset(sum, 0, sizeof(double[2][3]));
    for (int32_t block = 0; block < b->work->n_blocks; block++)
        for (int k = 0; k < 6; k++)
            sum[k / 3][k % 3] += parts_of(b, block)[g].kinetic[k / 3][k % 3];
}

/* Of a group, u nm/ps, from its parts: its momentum, or what the kick has added to it. */
static void add_momentum(const AmphiBodies *b, int32_t g, bool is_pushed, double p[3])
{
    if (b->fixed != NULL) {
        amphi_fixed_part_momentum(b, g, is_pushed, p);
        return;
    }
    memset(p, 0, sizeof(double[3]));
    for (int32_t block = 0; block < b->work->n_blocks; block++) {
        const AmphiGroupPart *part = &parts_of(b, block)[g];

        for (int a = 0; a < 3; a++)
            p[a] += is_pushed ? part->pushed[a] : part->momentum[a];
    }
}

static void sum_groups(AmphiBodies *b)
{
    const AmphiKinetic none = { 0, 0, 0 };

    b->translation = b->rotation = none;
    for (int32_t g = 0; g < b->n_groups; g++) {
        double sum[2][3];

        if (b->fixed != NULL)
            amphi_fixed_kinetic(b, g, sum);
        else
            sum_group(b, g, sum);
        b->group[g][0] = kinetic_from(sum[0]);
        b->group[g][1] = kinetic_from(sum[1]);
        add_momentum(b, g, true, b->work->pushed[g]);
        b->translation = add_kinetic(b->translation, b->group[g][0]);
        b->rotation    = add_kinetic(b->rotation, b->group[g][1]);
    }
}

/* Of all groups. */
static void sum_tensor(const AmphiBodies *b, double tensor[3][3])
{
    memset(tensor, 0, sizeof(double[3][3]));
    if (b->fixed != NULL)
        amphi_fixed_tensor(b, tensor);
    for (int32_t block = 0; b->fixed == NULL && block < b->work->n_blocks; block++)
        for (int32_t g = 0; g < b->n_groups; g++)
            for (int k = 0; k < 9; k++)
                tensor[k / 3][k % 3] += parts_of(b, block)[g].tensor[k / 3][k % 3];
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < a; c++)
            tensor[a][c] = tensor[c][a];
}

static void virial_of(const AmphiBodies *b, double virial[3])
{
    for (int a = 0; a < 3; a++)
        virial[a] = b->virial_kJ_mol[a][a];
}

/* The other half of the work of the last step's move, if there was one. */
static void finish_work(AmphiBodies *b)
{
    double virial[3];

    if (!has_moved_box(&b->stage->barostat, b->stage_step))
        return;
    virial_of(b, virial);
    b->work_kJ_mol += half_work(b->strain, virial);
}

/* The conserved quantity: that energy minus heat and work up to this kick. */
static void book_conserved(AmphiBodies *b)
{
    const double energy = energy_of_motion(b->potential_kJ_mol, b->translation, b->rotation);

    b->conserved_kJ_mol = energy - b->kick_heat_kJ_mol - b->work_kJ_mol;
    if (!b->stage->conserved_mean)
        return;
    b->conserved_sum_kJ_mol += b->conserved_kJ_mol;
    b->conserved_count++;
}

/* Finds the thermostat's factors for one group; returns the heat that they bring, kJ/mol. */
static double find_factors(AmphiBodies *b, int32_t g)
{
    const AmphiThermostat *t    = &b->stage->thermostat;
    const Heat             heat = { .kT = kT_of(b), .share = share_of_scaling(t, b->dt_ps) };
    RescaleDraw            draw = { 0, 0, 0 };
    int64_t                freedom[2];

    amphi_bodies_freedom(b, g, freedom);
    if (t->type == AMPHI_VELOCITY_RESCALE)
        draw = draw_rescale(heat.share, freedom[0] + freedom[1], b->stage->seed, (uint64_t)g,
                            (uint64_t)b->step);
    return rescale_group(t->type, heat, b->group[g], freedom, &draw, b->work->factor[g]);
}

static void scale_velocities(AmphiBodies *b)
{
    if (!scales_now(b))
        return;
    for (int32_t g = 0; g < b->n_groups; g++)
        b->heat_kJ_mol += find_factors(b, g);
    if (b->fixed != NULL) {
        amphi_fixed_scale_velocities(b);
        return;
    }

#pragma omp parallel for schedule(static) num_threads(b->threads) if (amphi_bodies_are_many(b))
    for (int32_t block = 0; block < b->work->n_blocks; block++)
        for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++)
            for (int k = 0; k < 3; k++) {
                b->velocity_nm_ps[i][k] *= b->work->factor[b->group_of[i]][0];
                b->spin_u_nm2_ps[i][k] *= b->work->factor[b->group_of[i]][1];
            }
}

static void kick_all(AmphiBodies *b, bool books, bool looked_at)
{
#pragma omp parallel for schedule(static) num_threads(b->threads) if (amphi_bodies_are_many(b))
    for (int32_t block = 0; block < b->work->n_blocks; block++)
        if (books)
            kick_block(b, block, looked_at);
        else
            kick_unseen(b, block);
}

void amphi_bodies_kick(AmphiBodies *b, bool looked_at)
{
    const bool books = looked_at || needs_sums(b);
    const bool along = needs_tensor(b);

    b->kick_heat_kJ_mol = b->heat_kJ_mol;
    finish_work(b);
    if (b->fixed != NULL)
        amphi_fixed_kick(b, looked_at ? BOOK_ALL
                            : along   ? BOOK_TENSOR
                            : books   ? BOOK_KINETIC
                                      : BOOK_NOTHING);
    else
        kick_all(b, books, looked_at);
    if (!books)
        return;
    sum_groups(b);
    if (looked_at || along) /* frames and barostats read it */
        sum_tensor(b, b->kinetic_half_kJ_mol);
    if (looked_at || b->stage->conserved_mean)
        book_conserved(b);
    scale_velocities(b);
}

/* Drift: the box. */

static void scale_block(AmphiBodies *b, int32_t block, const double stretch[3],
                        const double slow[3])
{
    for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++)
        for (int a = 0; a < 3; a++) {
            b->position_nm[i][a] *= stretch[a];
            if (b->stage->n_restraints > 0)
                b->anchor_nm[i][a] *= stretch[a];
            b->velocity_nm_ps[i][a] *= slow[a];
        }
}

static void group_along(const AmphiBodies *b, int32_t g, double along[3])
{
    if (b->fixed != NULL) {
        amphi_fixed_along(b, g, along);
        return;
    }
    memset(along, 0, sizeof(double[3]));
    for (int32_t block = 0; block < b->work->n_blocks; block++)
        for (int a = 0; a < 3; a++)
            along[a] += parts_of(b, block)[g].tensor[a][a];
}

/* The diagonal of the half-step kinetic tensor when the thermostat is through. */
static void scaled_kinetic(const AmphiBodies *b, double kinetic[3])
{
    memset(kinetic, 0, sizeof(double[3]));
    for (int32_t g = 0; g < b->n_groups; g++) {
        const double factor = scales_now(b) ? b->work->factor[g][0] : 1;
        double       along[3];

        group_along(b, g, along);
        for (int a = 0; a < 3; a++)
            kinetic[a] += factor * factor * along[a];
    }
}

/* The strain of the move AMPHI_MOVE_LAG steps from now; 0 if none will be due. */
static void ask_pressure(const AmphiBodies *b, double strain[3])
{
    const AmphiBarostat *p  = &b->stage->barostat;
    const double(*k)[3]     = (const double(*)[3])b->kinetic_half_kJ_mol;
    const double kinetic[3] = { k[0][0], k[1][1], k[2][2] };
    double       virial[3];

    memset(strain, 0, sizeof(double[3]));
    if (!asks_pressure(p, b->stage_step))
        return;

    const TwoNormals r = draw_normals(b->stage->seed, 0, (uint64_t)b->step, AMPHI_STREAM_CELL, 0);
    const double     normal[2] = { r.first, r.second };

    virial_of(b, virial);
    const Squeeze squeeze = squeeze_of(p, kT_of(b), b->dt_ps, b->box_nm, kinetic, virial);

    find_strain(p, &squeeze, normal, strain);
}

/* This step's strain, if a move is due; and asks for that of a later one. */
static bool take_strain(AmphiBodies *b)
{
    const bool is_due = moves_box(&b->stage->barostat, b->stage_step);

    if (is_due)
        memcpy(b->strain, b->due[0], sizeof b->strain);
    memmove(b->due[0], b->due[1], sizeof b->due - sizeof b->due[0]);
    ask_pressure(b, b->due[AMPHI_MOVE_LAG - 1]);
    return is_due;
}

static void move_box(AmphiBodies *b)
{
    const AmphiBarostat *p    = &b->stage->barostat;
    double              *slow = b->work->slow;
    double               stretch[3], virial[3], scaled[3];

    slow[0] = slow[1] = slow[2] = 1;
    if (!take_strain(b))
        return;
    b->n_limited += is_limited(b->strain);
    find_stretch(p, b->strain, stretch, slow);
    virial_of(b, virial);
    scaled_kinetic(b, scaled);
    b->work_kJ_mol += half_work(b->strain, virial) + slowing_work(slow, scaled);
    for (int a = 0; a < 3; a++)
        b->box_nm[a] *= stretch[a];
    if (b->fixed != NULL) {
        amphi_fixed_follow_box(b, stretch, slow);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(b->threads) if (amphi_bodies_are_many(b))
    for (int32_t block = 0; block < b->work->n_blocks; block++)
        scale_block(b, block, stretch, slow);
}

/* Drift: the bodies. */

/* given: velocities that noise gives each group, and leaves out; NULL: it leaves nothing out. */
static void drift_block(AmphiBodies *b, int32_t block, const Noise *noise, const double (*given)[3])
{
    double heat = 0;

    for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++) {
        const Mover *m = amphi_mover_of(b, i);

        if (noise != NULL) {
            double normal[6];

            draw_noise(m, b->stage->seed, (uint64_t)i, (uint64_t)b->step, normal);
            heat += drift_with_noise(
                m, b->dt_ps, noise, given != NULL ? given[b->group_of[i]] : NULL, normal,
                b->position_nm[i], b->velocity_nm_ps[i], b->orientation[i], b->spin_u_nm2_ps[i]);
        } else {
            move_freely(b->dt_ps, b->velocity_nm_ps[i], b->position_nm[i]);
            turn_freely(m, b->dt_ps, b->orientation[i], b->spin_u_nm2_ps[i]);
        }
        amphi_wrap_body(b->box_nm, b->position_nm[i], b->image[i]);
    }
    b->work->block_heat[block] = heat;
}

static void drift_all(AmphiBodies *b, const Noise *noise, const double (*given)[3])
{
#pragma omp parallel for schedule(static) num_threads(b->threads) if (amphi_bodies_are_many(b))
    for (int32_t block = 0; block < b->work->n_blocks; block++)
        drift_block(b, block, noise, given);
    for (int32_t block = 0; noise != NULL && block < b->work->n_blocks; block++)
        b->heat_kJ_mol += b->work->block_heat[block];
}

/* Of a body; or, if noise is not NULL, what the noise of this step gives it. */
static void momentum_of(const AmphiBodies *b, int32_t i, const Noise *noise, double p[3])
{
    const Mover *m = amphi_mover_of(b, i);
    double       normal[3];

    if (noise != NULL) {
        draw_noise_of_v(b->stage->seed, (uint64_t)i, (uint64_t)b->step, normal);
        momentum_of_noise(m, noise, normal, p);
        return;
    }
    for (int a = 0; a < 3; a++)
        p[a] = m->mass * b->velocity_nm_ps[i][a];
}

/* These momenta by group, block by block. */
static void sum_momenta(AmphiBodies *b, const Noise *noise)
{
    if (b->fixed != NULL) {
        amphi_fixed_sum_momenta(b, noise);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(b->threads) if (amphi_bodies_are_many(b))
    for (int32_t block = 0; block < b->work->n_blocks; block++) {
        AmphiGroupPart *part = parts_of(b, block);

        memset(part, 0, (size_t)b->n_groups * sizeof *part);
        for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++) {
            double p[3];

            momentum_of(b, i, noise, p);
            for (int a = 0; a < 3; a++)
                part[b->group_of[i]].momentum[a] += p[a];
        }
    }
}

/* From that sum: the momentum of a group, and the velocity that its bodies are to lose. Groups of
 * one body are left alone. */
static void find_velocity(const AmphiBodies *b, int32_t g, double p[3], double v_nm_ps[3])
{
    add_momentum(b, g, false, p);
    for (int a = 0; a < 3; a++)
        v_nm_ps[a] = b->work->group_size[g] > 1 ? p[a] / b->work->group_mass[g] : 0;
}

void amphi_bodies_remove_drift(AmphiBodies *b)
{
    double(*drift)[3] = b->work->drift_nm_ps;

    sum_momenta(b, NULL);
    for (int32_t g = 0; g < b->n_groups; g++) {
        double p[3];

        find_velocity(b, g, p, drift[g]);
        for (int a = 0; a < 3; a++)
            b->heat_kJ_mol += heat_of_drift(p[a], drift[g][a], b->work->pushed[g][a]);
    }
    if (b->fixed != NULL) {
        amphi_fixed_remove_drift(b, (const double(*)[3])drift);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(b->threads) if (amphi_bodies_are_many(b))
    for (int32_t block = 0; block < b->work->n_blocks; block++)
        for (int32_t i = block * AMPHI_BLOCK; i < amphi_block_end(b, block); i++)
            for (int a = 0; a < 3; a++)
                b->velocity_nm_ps[i][a] -= drift[b->group_of[i]][a];
}

/* The velocity that the noise of this step gives each group. */
static void find_given(AmphiBodies *b, const Noise *noise)
{
    double p[3];

    sum_momenta(b, noise);
    for (int32_t g = 0; g < b->n_groups; g++)
        find_velocity(b, g, p, b->work->given_nm_ps[g]);
}

void amphi_bodies_drift(AmphiBodies *b)
{
    const AmphiThermostat *t     = &b->stage->thermostat;
    const bool             noisy = t->type == AMPHI_LANGEVIN;
    const Noise noise = noisy ? noise_prepare(b->dt_ps, t->time_ps, kT_of(b)) : (Noise){ 1, 0 };
    const double(*given)[3] = NULL;

    move_box(b);
    if (removes_drift_now(b))
        amphi_bodies_remove_drift(b);
    if (noisy && b->stage->remove_drift) {
        find_given(b, &noise);
        given = (const double(*)[3])b->work->given_nm_ps;
    }
    if (b->fixed != NULL)
        b->heat_kJ_mol += amphi_fixed_drift(b, noisy ? &noise : NULL, given);
    else
        drift_all(b, noisy ? &noise : NULL, given);
    b->step++;
    b->stage_step++;
    b->time_ps = b->stage_began_ps + (double)b->stage_step * b->dt_ps;
}
