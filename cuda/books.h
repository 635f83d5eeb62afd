/* The books of a kick: from the sums of its blocks to energies, thermostat factors, drift and
 * strain of the box. What a drift needs of them each of its blocks finds for itself, in less time
 * than one block would take to find it for all; one block more keeps the books. Both add up in one
 * order.
 */
#ifndef AMPHI_CUDA_BOOKS_H
#define AMPHI_CUDA_BOOKS_H

#include "beads.h"

/* Numbers of a bead, in parts that are wanted together: kinetic energies of translation and
 * rotation after the kick, before and at it; momentum, and what the kick has added to it; the upper
 * half of the tensor of the half-step mean. */
enum {
    PLUS        = 0,
    TRANSLATION = 2,
    ROTATION    = 4,
    MOMENTUM    = PART,
    PUSHED      = MOMENTUM + 3,
    TENSOR      = 2 * PART,
    KICK_SUMS   = TENSOR + 6
};
static_assert(KICK_SUMS <= int(SUM_WIDTH), "a row has no room for them");

/* The diagonal in the upper half of a tensor. */
enum { XX = 0, YY = 3, ZZ = 5 };

/* Which numbers does somebody want? Bits. */
enum {
    PLUS_BITS     = 3,
    KINETIC_BITS  = 63,
    MOMENTUM_BITS = 7 << MOMENTUM,
    PUSHED_BITS   = 7 << PUSHED,
    TENSOR_BITS   = 63 << TENSOR,
    DIAGONAL_BITS = (1 << XX | 1 << YY | 1 << ZZ) << TENSOR
};

enum { FEW_GROUPS = 4 }; /* of which a drift finds the factors; there is a row of virials besides */
static_assert(FEW_GROUPS < int(FEW_ROWS), "totals of few groups stay in the block");

/* Does anybody want energies or factors of this kick? */
static inline bool needs_energies(const StageView *stage, SumsLevel level, bool looked_at)
{
    return looked_at || level != NO_SUMS || stage->conserved_mean ||
           scales_velocities(stage->thermostat.type) || stage->barostat.type != AMPHI_NO_BAROSTAT;
}

static inline bool needs_sums(const StageView *stage, SumsLevel level, bool looked_at)
{
    return needs_energies(stage, level, looked_at) || stage->remove_drift;
}

__host__ __device__ static inline uint32_t bits_wanted(const StageView *stage, bool has_virials,
                                                       bool looked_at)
{
    const bool moves = has_virials && stage->barostat.type != AMPHI_NO_BAROSTAT;
    const bool energies =
        looked_at || stage->conserved_mean || scales_velocities(stage->thermostat.type);

    return (energies ? (uint32_t)KINETIC_BITS : 0U) | (has_virials ? (uint32_t)QUICK_BITS : 0U) |
           (stage->remove_drift ? (uint32_t)(MOMENTUM_BITS | PUSHED_BITS) : 0U) |
           (looked_at ? (uint32_t)TENSOR_BITS
            : moves   ? (uint32_t)DIAGONAL_BITS
                      : 0U);
}

/* ---- draws ---- */

/* By a block of a kick beside the beads, so that nobody waits for random numbers; each warp has
 * numbers of its own. */
__device__ static inline void draw_ahead(const View &v, const Draws &draws)
{
    const int32_t t = (int32_t)threadIdx.x, warp = t / WARP;
    const int64_t step    = v.ledger->step;
    const bool    rescale = v.stage.thermostat.type == AMPHI_VELOCITY_RESCALE;

    for (int32_t g = t % WARP; rescale && warp < 2 && g < v.n_groups; g += WARP) {
        const RescaleDraw draw = draw_rescale(draws.share, v.freedom[g][0] + v.freedom[g][1],
                                              v.stage.seed, (uint64_t)g, (uint64_t)step);

        if (warp == 1) {
            draws.rescale[g].squares = draw.squares;
            continue;
        }
        draws.rescale[g].keep   = draw.keep;
        draws.rescale[g].normal = draw.normal;
    }
    if (t == MOTION_BLOCK - 1 && v.stage.barostat.type == AMPHI_CELL_RESCALE) {
        const TwoNormals r = draw_normals(v.stage.seed, 0, (uint64_t)step, AMPHI_STREAM_CELL, 0);

        draws.cell[0] = r.first;
        draws.cell[1] = r.second;
    }
}

/* ---- factors of a group ---- */

/* Factors of a group, from its kinetic energies after the kick; the heat they bring. */
__device__ static inline double find_factors(const View &v, double share, const int64_t freedom[2],
                                             const RescaleDraw *draw, const AmphiKinetic k[2],
                                             double factor[2])
{
    const AmphiThermostatType type = v.stage.thermostat.type;
    Heat                      heat = {};

    factor[0] = factor[1] = 1;
    if (!scales_velocities(type))
        return 0;
    heat.kT    = v.stage.kT;
    heat.share = share;
    return rescale_group(type, heat, k, freedom, draw, factor);
}

/* From the momentum of a kick: what is left of it when scaling and the box are through. */
__device__ static inline void foresee_drift(const View &v, int32_t g, const double momentum[3],
                                            double factor, const double slow[3],
                                            double drift_nm_ps[3])
{
    double p[3];

    for (int a = 0; a < 3; a++)
        p[a] = momentum[a] * factor * slow[a];
    find_drift(v, g, p, drift_nm_ps);
}

/* ---- the books, by one block ---- */

/* Of one thread, in registers. */
typedef struct {
    AmphiKinetic translation, rotation;
    double       tensor[6], potential, virial[3];
} Totals;

__device__ static inline AmphiKinetic kinetic_of_row(const SumRow *row, int first, int plus)
{
    const double sum[3] = { row->x[first], row->x[first + 1], row->x[plus] };

    return kinetic_from(sum);
}

/* Factors of a group, which have been found; its energies stay as they were where nobody has wanted
 * them. The heat that the factors bring. */
__device__ static inline double put_group(const View &v, int32_t g, const AmphiKinetic k[2],
                                          const double factor[2], uint32_t wanted)
{
    if ((wanted & KINETIC_BITS) != 0) {
        v.group[g][0] = k[0];
        v.group[g][1] = k[1];
    }
    v.factor[g][0] = factor[0];
    v.factor[g][1] = factor[1];
    return heat_of_factors(factor, k);
}

/* Of translation and rotation. */
__device__ static inline void kinetic_of_group(const SumRow *row, AmphiKinetic k[2])
{
    k[0] = kinetic_of_row(row, TRANSLATION, PLUS);
    k[1] = kinetic_of_row(row, ROTATION, PLUS + 1);
}

/* The same, and finds the factors. */
__device__ static inline double weigh_group(const View &v, double share, const RescaleDraw *draw,
                                            int32_t g, const SumRow *row, uint32_t wanted)
{
    AmphiKinetic k[2];
    double       factor[2];

    kinetic_of_group(row, k);
    (void)find_factors(v, share, v.freedom[g], draw, k, factor);
    return put_group(v, g, k, factor, wanted);
}

/* What the level has not added up stays as it was. */
__device__ static inline Totals sum_groups(const View &v, const SumRow *total, SumsLevel level)
{
    const Ledger *l = v.ledger;
    const double *q = level != NO_SUMS ? total[v.n_groups].x : NULL;
    Totals        t = {};

#pragma unroll 1 /* code that is met once is waited for, line by line */
    for (int32_t g = 0; g < v.n_groups; g++) {
        t.translation = add_kinetic(t.translation, kinetic_of_row(&total[g], TRANSLATION, PLUS));
        t.rotation    = add_kinetic(t.rotation, kinetic_of_row(&total[g], ROTATION, PLUS + 1));
        for (int k = 0; k < 6; k++)
            t.tensor[k] += total[g].x[TENSOR + k];
    }
    t.potential = level == QUICK ? q[POTENTIAL] : l->potential_kJ_mol;
    for (int a = 0; a < 3; a++)
        t.virial[a] = level != NO_SUMS ? q[VIRIAL + a] : l->virial_kJ_mol[a];
    return t;
}

/* What nobody has wanted stays as it was, too. */
__device__ static inline void put_totals(Ledger *l, const Totals *t, uint32_t wanted)
{
    if ((wanted & KINETIC_BITS) != 0) {
        l->translation = t->translation;
        l->rotation    = t->rotation;
    }
    l->potential_kJ_mol = t->potential;
    for (int a = 0; a < 3; a++)
        l->virial_kJ_mol[a] = t->virial[a];
    if ((wanted & TENSOR_BITS) != TENSOR_BITS)
        return;
    for (int k = 0, a = 0; a < 3; a++)
        for (int c = a; c < 3; c++, k++)
            l->kinetic_half_kJ_mol[a][c] = l->kinetic_half_kJ_mol[c][a] = t->tensor[k];
}

/* By one thread, behind the factors of all groups. */
__device__ static inline void put_scaled(const View &v, const SumRow *total)
{
    for (int a = 0; a < 3; a++) {
        double all = 0;

#pragma unroll 1
        for (int32_t g = 0; g < v.n_groups; g++)
            all += v.factor[g][0] * v.factor[g][0] * total[g].x[TENSOR + tensor_diagonal(a)];
        v.ledger->scaled_half_kJ_mol[a] = all;
    }
}

/* The conserved quantity takes heat and work as they were before this kick. */
__device__ static inline void book_conserved(const View &v, double conserved, bool looked_at)
{
    Ledger *l = v.ledger;

    if (looked_at || v.stage.conserved_mean)
        l->conserved_kJ_mol = conserved;
    if (v.stage.conserved_mean) {
        l->conserved_sum_kJ_mol += conserved;
        l->conserved_count++;
    }
}

/* The other half of the work of the move before the kick of this step, if there was one. */
__device__ static inline void finish_work(const View &v, int64_t stage_step)
{
    Ledger *l = v.ledger;

    if (has_moved_box(&v.stage.barostat, stage_step))
        l->work_kJ_mol += half_work(l->strain, l->virial_kJ_mol);
}

__device__ static inline void book_kick(const View &v, const Totals *t, double heat, bool looked_at,
                                        int64_t stage_step)
{
    Ledger      *l      = v.ledger;
    const double energy = energy_of_motion(t->potential, t->translation, t->rotation);
    const double before = l->heat_kJ_mol;

    finish_work(v, stage_step);
    book_conserved(v, energy - before - l->work_kJ_mol, looked_at);
    l->kick_heat_kJ_mol = before;
    l->heat_kJ_mol      = before + heat;
}

/* ---- moves of the box ---- */

__device__ static inline Move move_of_step(const View &v, int64_t stage_step)
{
    Move move = {
        { 0, 0, 0 }, { 1, 1, 1 }, { 1, 1, 1 }, {}, moves_box(&v.stage.barostat, stage_step), 0
    };

    if (!move.is_due)
        return move;
    move        = *due_at(v.ledger, stage_step);
    move.is_due = 1;
    return move;
}

/* By one thread of a kick with virials, while nobody reads it. */
__device__ static inline void set_move_aside(const View &v)
{
    Ledger *l = v.ledger;

    l->now = move_of_step(v, l->stage_step);
    copy3(l->box_nm, l->now.box_nm);
}

/* What a strain depends on: diagonals of the half-step kinetic tensor and of the virial, the box of
 * the kick, and what was drawn. */
typedef struct {
    double kinetic[3], virial[3], box_nm[3], normal[2];
} Pressed;

/* By one warp, of which six lanes find a factor each: exponentials take long. */
__device__ static inline void find_move(const View &v, const Pressed &by, Move *to)
{
    const AmphiBarostat *p    = &v.stage.barostat;
    const int            lane = (int)threadIdx.x % WARP, a = lane % 3;
    const bool           slows = lane >= 3;
    double               strain[3];

    if (lane >= 6)
        return;

    const Squeeze s = squeeze_of(p, v.stage.kT, v.stage.dt_ps, by.box_nm, by.kinetic, by.virial);

    find_strain(p, &s, by.normal, strain);

    const double e = a == 0 ? strain[0] : a == 1 ? strain[1] : strain[2];

    (slows ? to->slow : to->stretch)[a] = factor_of_strain(p, e, slows);
    if (!slows)
        to->strain[a] = e;
}

/* Totals of the kick's rows; 0 for what nobody wants. */
__device__ static inline void add_kick(const Sums &s, uint32_t wanted, SumRow *total)
{
    for (int32_t k = (int32_t)threadIdx.x; k < s.n_rows * (int32_t)SUM_WIDTH; k += MOTION_BLOCK)
        total[k / SUM_WIDTH].x[k % SUM_WIDTH] = 0;
    __syncthreads();
    add_rows(s, s.bundle, s.n_bundles, wanted, true, total);
}

/* The move that the kick of a step asks for, from its totals, its box and what was drawn; by one
 * warp. */
__device__ static inline void ask_pressure(const View &v, const SumRow *total,
                                           const double box_nm[3], const double normal[2],
                                           int64_t stage_step)
{
    Pressed by = {};

    for (int a = 0; a < 3; a++) {
#pragma unroll 1
        for (int32_t g = 0; g < v.n_groups; g++)
            by.kinetic[a] += total[g].x[TENSOR + tensor_diagonal(a)];
        by.virial[a] = total[v.n_groups].x[VIRIAL + a];
        by.box_nm[a] = box_nm[a];
    }
    for (int k = 0; k < 2; k++)
        by.normal[k] = normal[k];
    find_move(v, by, due_at(v.ledger, stage_step + AMPHI_MOVE_LAG));
}

/* The same of the present step, if it asks. Its box past the first cache, which a drift that begins
 * early may have filled before the kick has set it aside. */
__device__ static inline void ask_pressure_now(const View &v, const Draws &draws,
                                               const SumRow *total)
{
    const Ledger *l = v.ledger;
    double        box_nm[3];

    if (!asks_pressure(&v.stage.barostat, l->stage_step))
        return;
    for (int a = 0; a < 3; a++)
        box_nm[a] = __ldcg(&l->now.box_nm[a]);
    ask_pressure(v, total, box_nm, draws.cell, l->stage_step);
}

/* By one thread, behind the factors of all groups: from totals of the kick's rows, and the heat of
 * its factors. */
__device__ static inline void enter_kick(const View &v, const SumRow *total, double heat,
                                         uint32_t wanted, SumsLevel level, bool looked_at,
                                         int64_t stage_step)
{
    const Totals t = sum_groups(v, total, level);

    put_totals(v.ledger, &t, wanted);
    book_kick(v, &t, heat, looked_at, stage_step);
    if (v.stage.barostat.type != AMPHI_NO_BAROSTAT)
        put_scaled(v, total);
}

/* By a block of its own, when all blocks of the kick are through, and nobody else finds any of
 * this: one warp the move of the box that is asked for, while the other weighs groups. */
__device__ static inline void keep_books(const View &v, const Sums &s, const Draws &draws,
                                         uint32_t wanted, SumsLevel level, bool looked_at)
{
    __shared__ double heat[MOTION_BLOCK];
    __shared__ SumRow few[FEW_ROWS];
    SumRow           *total    = s.n_rows <= FEW_ROWS ? few : s.total;
    const int32_t     me       = (int32_t)threadIdx.x;
    const bool        draws_on = v.stage.thermostat.type == AMPHI_VELOCITY_RESCALE;
    const bool        has_box  = v.stage.barostat.type != AMPHI_NO_BAROSTAT;
    RescaleDraw       draw     = {};
    double            sum      = 0;

    if (draws_on && me < v.n_groups) /* on its way while sums are */
        draw = draws.rescale[me];
    add_kick(s, wanted, total);
    for (int32_t g = me; g < v.n_groups; g += MOTION_BLOCK) {
        if (draws_on && g >= MOTION_BLOCK)
            draw = draws.rescale[g];
        sum += weigh_group(v, draws.share, &draw, g, &total[g], wanted);
    }
    heat[me] = sum;
    if (has_box && me >= MOTION_BLOCK - WARP)
        ask_pressure_now(v, draws, total);
    __syncthreads();
    for (int32_t k = 1; me == 0 && k < v.n_groups && k < MOTION_BLOCK; k++)
        sum += heat[k];
    if (me == 0)
        enter_kick(v, total, sum, wanted, level, looked_at, v.ledger->stage_step);
    if (!v.stage.remove_drift)
        return;
    for (int32_t g = me; g < v.n_groups; g += MOTION_BLOCK) {
        double slow[3] = { 1, 1, 1 };

        copy3(&total[g].x[PUSHED], v.pushed[g]);
        if (has_box)
            copy3(v.ledger->now.slow, slow);
        foresee_drift(v, g, &total[g].x[MOMENTUM], v.factor[g][0], slow, v.drift_nm_ps[g]);
    }
}

/* By one thread, behind the kick: a move of the box, and the first half of its work. */
__device__ static inline void enter_move(Ledger *l, const Move *m)
{
    copy3(m->strain, l->strain);
    l->n_limited += is_limited(m->strain);
    l->work_kJ_mol +=
        half_work(m->strain, l->virial_kJ_mol) + slowing_work(m->slow, l->scaled_half_kJ_mol);
}

/* The same, and edges. */
__device__ static inline void follow_move(Ledger *l, const Move *m)
{
    for (int a = 0; a < 3; a++)
        l->box_nm[a] *= m->stretch[a];
    enter_move(l, m);
}

/* By one thread, for a whole step with sums so many steps behind this one, the first that moves the
 * box again: its move, in a box that has followed this one's. */
__device__ static inline void put_turn(const View &v, int32_t steps, int64_t stage_step,
                                       const double box_nm[3])
{
    Move *to = &v.ledger->turn[(v.at + steps) % 2];

    *to      = move_of_step(v, stage_step + steps);
    to->step = v.ledger->step + steps;
    copy3(box_nm, to->box_nm);
}

/* The same where the step leads; stage_step: its own. The box has moved. */
__device__ static inline void lead(const View &v, int32_t steps, int64_t stage_step)
{
    if (steps > 0 && v.stage.barostat.type != AMPHI_NO_BAROSTAT)
        put_turn(v, steps, stage_step, v.ledger->box_nm);
}

/* The energy that goes with the drift; by one thread. */
__device__ static inline void book_drift(const View &v)
{
    double heat = 0;

#pragma unroll 1
    for (int32_t g = 0; v.stage.remove_drift && g < v.n_groups; g++)
        for (int a = 0; a < 3; a++) {
            const double u = v.drift_nm_ps[g][a];

            heat += heat_of_drift(v.group_mass[g] * u, u, v.pushed[g][a]);
        }
    v.ledger->heat_kJ_mol += heat;
}

#endif
