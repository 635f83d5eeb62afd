/* The books of a kick in fixed precision: from whole sums to energies, thermostat factors and
 * strain of the box, by one block; the factors alone by every block of a drift. One order of
 * operations: that of engine/bodies_motion.c.
 */
#ifndef AMPHI_CUDA_FIXED_BOOKS_H
#define AMPHI_CUDA_FIXED_BOOKS_H

#include "fixed_beads.h"

static inline int32_t blocks_of_beads(const Device *d)
{
    return (d->view.n + MOTION_BLOCK - 1) / MOTION_BLOCK;
}

/* What pairs and bonds have of a number. */
__device__ static inline int64_t quick_of(const View &v, int k)
{
    return total_of(v.fixed.pairs, 1, k) / 2 + total_of(v.fixed.bonds, 1, k);
}

/* Potential and virial; what the level has not added up stays as it was. */
__device__ static inline void put_quick(const View &v, const int64_t quick[QUICK_NUMBERS],
                                        SumsLevel level)
{
    if (level == QUICK)
        v.ledger->potential_kJ_mol = fixed_energy_kJ_mol(quick[POTENTIAL]);
    for (int a = 0; a < 3; a++)
        v.ledger->virial_kJ_mol[a] = fixed_energy_kJ_mol(quick[VIRIAL + a]);
}

/* By whoever has read them last. */
__device__ static inline void clear_quick(const View &v)
{
    clear_rows(v.fixed.pairs, FIXED_COPIES);
    clear_rows(v.fixed.bonds, FIXED_COPIES);
}

__device__ static inline AmphiKinetic kinetic_of_kick(const FixedRow *row, int kind)
{
    double sum[3];

    for (int at = 0; at < 3; at++)
        sum[at] = fixed_energy_kJ_mol(row->x[FIXED_KINETIC + 3 * kind + at]);
    return kinetic_from(sum);
}

/* Factors of a group; the heat that they bring. */
__device__ static inline double factors_of_kick(const View &v, const Draws &draws, int32_t g,
                                                const FixedRow *row, double factor[2])
{
    const AmphiKinetic k[2] = { kinetic_of_kick(row, 0), kinetic_of_kick(row, 1) };

    return find_factors(v, draws.share, v.freedom[g], &draws.rescale[g], k, factor);
}

__device__ static inline void put_tensor(Ledger *l, const FixedRow *total, int32_t n_groups)
{
    for (int k = 0, a = 0; a < 3; a++)
        for (int c = a; c < 3; c++, k++) {
            int64_t all = 0;

#pragma unroll 1 /* code that is met once is waited for, line by line */
            for (int32_t g = 0; g < n_groups; g++)
                all += total[g].x[FIXED_TENSOR + k];
            l->kinetic_half_kJ_mol[a][c] = l->kinetic_half_kJ_mol[c][a] = fixed_energy_kJ_mol(all);
        }
}

/* By one thread, behind the factors of all groups. */
__device__ static inline void put_scaled(const View &v, const FixedRow *total)
{
    for (int a = 0; a < 3; a++) {
        double all = 0;

#pragma unroll 1
        for (int32_t g = 0; g < v.n_groups; g++)
            all += v.factor[g][0] * v.factor[g][0] *
                   fixed_energy_kJ_mol(total[g].x[FIXED_TENSOR + tensor_diagonal(a)]);
        v.ledger->scaled_half_kJ_mol[a] = all;
    }
}

/* Kinetic energies of all groups; by level, potential and virial, of which restraints have what
 * groups have, and pairs and bonds the rest. */
__device__ static inline void put_energies(const View &v, const FixedRow *total,
                                           int64_t quick[QUICK_NUMBERS], SumsLevel level)
{
    AmphiKinetic translation = { 0, 0, 0 }, rotation = { 0, 0, 0 };

#pragma unroll 1
    for (int32_t g = 0; g < v.n_groups; g++) {
        translation = add_kinetic(translation, v.group[g][0]);
        rotation    = add_kinetic(rotation, v.group[g][1]);
        for (int k = 0; k < QUICK_NUMBERS; k++)
            quick[k] += total[g].x[FIXED_QUICK + k];
    }
    v.ledger->translation = translation;
    v.ledger->rotation    = rotation;
    if (level != NO_SUMS)
        put_quick(v, quick, level);
}

__device__ static inline void book_fixed_kick(const View &v, bool looked_at, int64_t stage_step)
{
    Ledger      *l      = v.ledger;
    const double energy = energy_of_motion(l->potential_kJ_mol, l->translation, l->rotation);
    const double before = l->heat_kJ_mol;

    finish_work(v, stage_step);
    book_conserved(v, energy - before - l->work_kJ_mol, looked_at);
    l->kick_heat_kJ_mol = before;
#pragma unroll 1
    for (int32_t g = 0; scales_velocities(v.stage.thermostat.type) && g < v.n_groups; g++)
        l->heat_kJ_mol += v.fixed.heat[g];
}

/* The move that the kick of a step asks for, from the ledger, its box and what was drawn; by one
 * warp. */
__device__ static inline void ask_fixed_pressure(const View &v, const double box_nm[3],
                                                 const double normal[2], int64_t stage_step)
{
    Ledger *l  = v.ledger;
    Pressed by = {};

    for (int a = 0; a < 3; a++) {
        by.kinetic[a] = l->kinetic_half_kJ_mol[a][a];
        by.virial[a]  = l->virial_kJ_mol[a];
        by.box_nm[a]  = box_nm[a];
    }
    for (int k = 0; k < 2; k++)
        by.normal[k] = normal[k];
    find_move(v, by, due_at(l, stage_step + AMPHI_MOVE_LAG));
}

/* By one thread. */
__device__ static inline void pairs_and_bonds(const View &v, SumsLevel level,
                                              int64_t quick[QUICK_NUMBERS])
{
    for (int k = 0; k < QUICK_NUMBERS; k++)
        quick[k] = level != NO_SUMS ? quick_of(v, k) : 0;
}

/* By one block, when all blocks of the kick are through. MAY_MOVE: the box may. */
template <bool MAY_MOVE>
__device__ static inline void keep_fixed_books(const View &v, const Draws &draws, SumsLevel level,
                                               bool looked_at)
{
    __shared__ FixedRow few[FEW_GROUPS];
    const FixedRow     *total      = add_copies(v, kick_rows(v, v.fixed.turns[1]), few);
    const int64_t       stage_step = v.ledger->stage_step;

#pragma unroll 1
    for (int32_t g = (int32_t)threadIdx.x; g < v.n_groups; g += MOTION_BLOCK) {
        double factor[2];

        v.fixed.heat[g] = factors_of_kick(v, draws, g, &total[g], factor);
        v.group[g][0]   = kinetic_of_kick(&total[g], 0);
        v.group[g][1]   = kinetic_of_kick(&total[g], 1);
        v.factor[g][0]  = factor[0];
        v.factor[g][1]  = factor[1];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int64_t quick[QUICK_NUMBERS];

        put_tensor(v.ledger, total, v.n_groups);
        pairs_and_bonds(v, level, quick);
        put_energies(v, total, quick, level);
        book_fixed_kick(v, looked_at, stage_step);
        if (MAY_MOVE)
            put_scaled(v, total);
    }
    __syncthreads();
    if (MAY_MOVE && threadIdx.x < WARP && asks_pressure(&v.stage.barostat, stage_step))
        ask_fixed_pressure(v, v.ledger->now.box_nm, draws.cell, stage_step);
    if (level != NO_SUMS)
        clear_quick(v);
}

__device__ static inline void scale_fixed(const View &v, const SpeedScale *s, int64_t p[3],
                                          int64_t l[3])
{
    if (!scales_velocities(v.stage.thermostat.type))
        return;
    fixed_scale(s->v, p);
    fixed_scale(s->l, l);
}

#endif
