/* Whole steps with sums in fixed precision: as summed.cu, by sums of whole numbers, to which all
 * blocks add. Rows of a kick, and what pairs and bonds have, are taken over for the step behind it,
 * which keeps its books while its own pairs add to theirs.
 *
 * Compiled without fused products, like fixed_motion.cu.
 */
#include "fixed_body.h"
#include "summed.h"

__device__ static inline FixedRow *summed_rows(const View &v, int32_t at)
{
    return v.fixed.summed + (int64_t)at * FIXED_COPIES * v.max_groups;
}

/* ---- books that are owed ---- */

/* Of the last step that was counted; by one block. at: its View.at. */
__device__ static inline void keep_owed_books(const View &v, SumsLevel level, int32_t at)
{
    __shared__ FixedRow few[FEW_GROUPS];
    __shared__ Move     moved;
    Ledger             *l          = v.ledger;
    const int64_t       stage_step = l->stage_step - 1;
    const bool          has_box    = v.stage.barostat.type != AMPHI_NO_BAROSTAT;
    FixedRow           *rows       = summed_rows(v, at);
    const int32_t       g          = (int32_t)threadIdx.x;

    if (has_box)
        load_move(&l->turn[at], &moved);

    const FixedRow *total = add_copies(v, rows, few);

    if (g < v.n_groups) {
        for (int kind = 0; kind < 2; kind++) {
            v.group[g][kind]  = kinetic_of_kick(&total[g], kind);
            v.factor[g][kind] = 1;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int64_t quick[QUICK_NUMBERS];

        put_tensor(l, total, v.n_groups);
        for (int k = 0; k < QUICK_NUMBERS; k++)
            quick[k] = v.fixed.summed_quick[at][k];
        put_energies(v, total, quick, level);
        book_fixed_kick(v, false, stage_step);
        if (has_box)
            put_scaled(v, total);
        if (moves_box(&v.stage.barostat, stage_step))
            enter_move(l, &moved);
        l->owes_books = 0;
    }
    __syncthreads();
    if (threadIdx.x < WARP && asks_pressure(&v.stage.barostat, stage_step)) {
        double normal[2];

        load_drawn(v, at, normal);
        ask_fixed_pressure(v, moved.box_nm, normal, stage_step);
    }
    clear_rows(rows, FIXED_COPIES * v.max_groups);
    __syncthreads();
}

static __global__ void __launch_bounds__(MOTION_BLOCK)
    k_fixed_owed_books(const View v, SumsLevel level)
{
    if (v.ledger->owes_books)
        keep_owed_books(v, level, v.at);
}

/* ---- the step ---- */

/* By a block of its own, when all pairs are through: the next ones add to rows that are clear. */
__device__ static inline void take_quick_over(const View &v)
{
    wait_for_last();
    if (v.ledger->fault != 0)
        return;
    if (threadIdx.x < (unsigned)QUICK_NUMBERS)
        v.fixed.summed_quick[v.at][threadIdx.x] = quick_of(v, (int)threadIdx.x);
    __syncthreads();
    clear_quick(v);
}

/* Velocities follow the box; places do when they are shown. */
__device__ static inline void slow_body(const Move *move, FixedBody *b)
{
    for (int a = 0; move->is_due && a < 3; a++)
        b->p[a] = fixed_round((double)b->p[a] * move->slow[a]);
}

/* The first block keeps books; the second draws, and takes over what pairs and bonds have; the
 * others have tiles of MOTION_BLOCK beads, one after another where there are many. Not SUMS: there
 * are only books. */
template <bool SUMS, bool HAS_BOX>
static __global__ void __launch_bounds__(MOTION_BLOCK, DRIFT_BLOCKS)
    k_fixed_step_summed(const View v, SumsLevel level)
{
    __shared__ ListRoom room;
    __shared__ Move     move;
    constexpr int32_t   others = SUMS ? 2 : 1;
    const int32_t       tiles  = (v.n + MOTION_BLOCK - 1) / MOTION_BLOCK;
    int32_t             tile = (int32_t)blockIdx.x - others, i = bead_of_thread(tile);
    FixedBead           b = {};

    let_next_begin();
    if (blockIdx.x == 0) {
        keep_step<SUMS, HAS_BOX>(v, [&] { keep_owed_books(v, level, 1 - v.at); });
        return;
    }
    if (SUMS && blockIdx.x == 1) {
        if (HAS_BOX)
            draw_for_strain(v);
        take_quick_over(v);
        return;
    }
    if (i < v.n)
        load_fixed(v, i, &b);
    if (HAS_BOX)
        load_move(&v.ledger->turn[v.at], &move);
    __syncthreads();
    if (threadIdx.x == MOTION_BLOCK - 1)
        room = HAS_BOX ? room_after(v, &move) : room_of(v, v.ledger->box_nm);
    wait_for_last();

    const uint32_t fault = v.ledger->fault;
    if (__syncthreads_or(fault != 0))
        return;
    while (tile < tiles) {
        const int32_t group                   = i < v.n ? group_of_bead(v, i) : -1;
        int64_t       number[FIXED_SUM_WIDTH] = {};

        if (i < v.n) {
            if (SUMS)
                kick_with_books(v, i, &b.mover,
                                pull_on_fixed(v, i, &b, fixed_pairs_on(v, i), &number[FIXED_QUICK]),
                                true, false, number, &b.body);
            else
                push_fixed(v, i, fixed_pairs_on(v, i), &b);
            if (HAS_BOX)
                slow_body(&move, &b.body);
        }
        if (SUMS)
            add_to_groups<FIXED_SUM_WIDTH>(v, summed_rows(v, v.at), tile, group, number);
        if (i < v.n)
            (void)glide_fixed<false>(v, i, NULL, &b, true, &room);
        tile += (int32_t)gridDim.x - others;
        i = bead_of_thread(tile);
        if (i < v.n)
            load_fixed(v, i, &b);
    }
}

typedef void SummedKernel(const View, SumsLevel);

AmphiStatus AMPHI_T(motion_step_summed)(Device *d, SumsLevel level, bool sums, AmphiError *err)
{
    const bool               has_box = d->view.stage.barostat.type != AMPHI_NO_BAROSTAT;
    const unsigned           n       = blocks_of_tiles(blocks_of_beads(d)) + (sums ? 2U : 1U);
    SummedKernel *const      kernel  = !sums     ? k_fixed_step_summed<false, false>
                                       : has_box ? k_fixed_step_summed<true, true>
                                                 : k_fixed_step_summed<true, false>;
    cudaLaunchAttribute      is_beside;
    const cudaLaunchConfig_t config =
        launch_beside(d->begins_early, n, MOTION_BLOCK, d->stream, &is_beside);

    CUDA_TRY(cudaLaunchKernelEx(&config, kernel, d->view, level));
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(motion_owed_books)(Device *d, SumsLevel level, cudaStream_t stream,
                                       AmphiError *err)
{
    k_fixed_owed_books<<<1, MOTION_BLOCK, 0, stream>>>(d->view, level);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
