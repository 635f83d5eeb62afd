/* Open books: those of a kick that the drift behind it finds. Every block finds what its beads want
 * of them; one that has no beads keeps them. Both go the same way as far as they can: machine code
 * that one block alone goes through, and once, is waited for line by line.
 */
#ifndef AMPHI_CUDA_EXTRACT_H
#define AMPHI_CUDA_EXTRACT_H

#include "books.h"

/* Brings into the first cache, while a block waits for the kick anyway, what its books read and no
 * kick writes. */
__device__ static inline void touch_books(const View &v)
{
    __shared__ volatile uint32_t seen[MOTION_BLOCK];
    const size_t                 me = threadIdx.x, sector = 32;
    uint32_t                     x = 0;

    if (me * sector < sizeof(Ledger))
        x = ((const uint32_t *)v.ledger)[me * sector / sizeof x];
    if ((int64_t)me < v.n_groups)
        x += (uint32_t)v.freedom[me][0];
    seen[me] = x; /* or nothing would be read */
}

/* What a block needs of the books: a scale and a drift for each group, and the move of the box. */
typedef struct {
    SpeedScale scale[FEW_GROUPS];
    double     drift_nm_ps[FEW_GROUPS][3];
    Move       move; /* factors of 1 where the box does not move */
} Extract;

/* From open books, by one thread for a group. */
__device__ static inline void extract_factors(const View &v, const Draws &draws,
                                              const RescaleDraw *draw, const int64_t freedom[2],
                                              const Parts parts, double factor[2])
{
    const AmphiKinetic k[2] = { { 0, 0, total_of_parts(parts, PLUS) },
                                { 0, 0, total_of_parts(parts, PLUS + 1) } };

    (void)find_factors(v, draws.share, freedom, draw, k, factor);
}

__device__ static inline void extract_scale(const View &v, int32_t g, const Parts parts,
                                            const double factor[2], Extract *to)
{
    const double *slow = to->move.slow;
    double        momentum[3];

    to->scale[g] = SpeedScale{ factor[0], factor[1], { slow[0], slow[1], slow[2] } };
    if (!v.stage.remove_drift)
        return;
    for (int a = 0; a < 3; a++)
        momentum[a] = total_of_parts(parts, MOMENTUM + a);
    foresee_drift(v, g, momentum, factor[0], slow, to->drift_nm_ps[g]);
}

/* A move of the ledger, past the first cache, which may have that of another step; to be read after
 * a barrier. */
__device__ static inline void load_move(const Move *from, Move *to)
{
    const int32_t me = (int32_t)threadIdx.x;

    static_assert(sizeof(Move) <= MOTION_BLOCK * sizeof(double), "a number for each thread");
    if (me < (int32_t)(sizeof(Move) / sizeof(double)))
        ((double *)to)[me] = __ldcg((const double *)from + me);
}

/* The move of a box that does not move. */
__device__ static inline void stay(Move *to)
{
    const int32_t a = (int32_t)threadIdx.x;

    if (a < 3)
        to->stretch[a] = to->slow[a] = 1;
}

/* The room in the box that a move makes; by one thread. */
__device__ static inline ListRoom room_after(const View &v, const Move *move)
{
    double box_nm[3];

    for (int a = 0; a < 3; a++)
        box_nm[a] = move->box_nm[a] * move->stretch[a];
    return room_of(v, box_nm);
}

/* Bits of what all blocks want of a kick. */
__device__ static inline uint32_t bits_of_extract(const StageView *stage)
{
    return (scales_velocities(stage->thermostat.type) ? (uint32_t)PLUS_BITS : 0U) |
           (stage->remove_drift ? (uint32_t)MOMENTUM_BITS : 0U);
}

/* By all threads of a block, to be read after a barrier: the first one has the room after a move,
 * the last warp the groups. */
template <bool MOVES>
__device__ static inline void extract_all(const View &v, const Sums &s, const Draws &draws,
                                          Parts parts[FEW_GROUPS], ListRoom *room, Extract *to)
{
    const int32_t  me = (int32_t)threadIdx.x, mine = me - (MOTION_BLOCK - WARP);
    const bool     has_group  = mine >= 0 && mine < v.n_groups;
    const uint32_t wanted     = bits_of_extract(&v.stage);
    RescaleDraw    draw       = {};
    int64_t        freedom[2] = { 0, 0 };
    double         factor[2]  = { 1, 1 };

    if (has_group && v.stage.thermostat.type == AMPHI_VELOCITY_RESCALE)
        draw = draws.rescale[mine];
    for (int a = 0; a < 2 && has_group; a++)
        freedom[a] = v.freedom[mine][a];
    if (MOVES)
        load_move(&v.ledger->now, &to->move);
    else
        stay(&to->move);
#pragma unroll 1
    for (int32_t g = 0; wanted != 0 && g < v.n_groups; g++)
        put_parts(s.bundle, s.n_bundles, s.n_rows, g, wanted_of_group(wanted, g), parts[g]);
    __syncthreads();
    if (MOVES && me == 0)
        *room = room_after(v, &to->move);
    if (!has_group)
        return;
    if ((wanted & PLUS_BITS) != 0)
        extract_factors(v, draws, &draw, freedom, parts[mine], factor);
    extract_scale(v, mine, parts[mine], factor, to);
}

/* ---- the books, by the block that has no beads ---- */

/* Totals of the rows, to be read after a barrier; 0 for what nobody wants. `had`: bits of parts
 * that have been added up for all blocks. */
__device__ static inline void total_parts(const View &v, const Sums &s, Parts *parts, uint32_t had,
                                          uint32_t wanted, SumRow total[FEW_ROWS])
{
    const int32_t k    = (int32_t)threadIdx.x;
    uint32_t      rest = wanted;

#pragma unroll
    for (int first = 0; first < ALL_SUMS; first += PART)
        if ((had >> first & PART_BITS) != 0)
            rest &= ~(PART_BITS << first);
#pragma unroll 1
    for (int32_t g = 0; rest != 0 && g < v.n_groups; g++)
        put_parts(s.bundle, s.n_bundles, s.n_rows, g, wanted_of_group(rest, g), parts[g]);
    __syncthreads();
    if (k >= ALL_SUMS)
        return;
#pragma unroll 1
    for (int32_t g = 0; g < v.n_groups; g++) {
        const bool has = (wanted_of_group(wanted, g) >> k & 1) != 0;

        if (k < FIRST_QUICK)
            total[g].x[k] = has ? total_of_parts(parts[g], k) : 0;
        else if (has)
            total[s.n_rows - 1].x[k - FIRST_QUICK] = total_of_quick(parts[g], k - FIRST_QUICK);
    }
}

/* By all threads of the block, when it has gone the way of all others. A way of its own, with the
 * same exponentials and roots a second time, is so long that the whole step waits for it. One warp
 * finds the move of the box that is asked for, while the other enters the rest. */
__device__ static inline void close_books(const View &v, const Sums &s, const Draws &draws,
                                          Parts *parts, uint32_t had, const Extract *books,
                                          SumsLevel level)
{
    __shared__ SumRow total[FEW_ROWS];
    __shared__ double heat[FEW_GROUPS];
    const int32_t     me     = (int32_t)threadIdx.x;
    const uint32_t    wanted = bits_wanted(&v.stage, level != NO_SUMS, false);

    total_parts(v, s, parts, had, wanted, total);
    __syncthreads();
    if (me < v.n_groups) {
        const double factor[2] = { books->scale[me].v, books->scale[me].l };
        AmphiKinetic k[2];

        kinetic_of_group(&total[me], k);
        heat[me] = put_group(v, me, k, factor, wanted);
        if (v.stage.remove_drift) {
            copy3(&total[me].x[PUSHED], v.pushed[me]);
            copy3(books->drift_nm_ps[me], v.drift_nm_ps[me]);
        }
    }
    __syncthreads();
    if (level != NO_SUMS && me >= MOTION_BLOCK - WARP)
        ask_pressure_now(v, draws, total);
    if (me != 0)
        return;
#pragma unroll 1
    for (int32_t g = 1; g < v.n_groups; g++)
        heat[0] += heat[g];
    enter_kick(v, total, heat[0], wanted, level, false, v.ledger->stage_step);
}

/* By one thread, when the whole block is through with the step's number. */
template <bool MOVES> __device__ static inline void finish_step(const View &v, const Move *move)
{
    if (MOVES)
        follow_move(v.ledger, move);
    book_drift(v);
    lead(v, v.leads, v.ledger->stage_step);
    count_step(v.ledger);
}

#endif
