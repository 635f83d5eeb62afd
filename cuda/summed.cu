/* Whole steps in which somebody wants sums, but not between kick and drift: those of a constant
 * energy whose mean is wanted, and those of a box that moves by strains of earlier steps. Kick and
 * drift are one kernel, as in steps without sums. The books of a step are kept by a block of the
 * next one, which has the time of the pairs in between for it, or by a kernel of their own beside
 * these.
 *
 * What blocks read that one of them writes for the next step is there twice, by the place of the
 * step in its graph: rows of sums, and the move of the box. Compiled without fused products, like
 * drift.cu.
 */
#include "kick.h"
#include "summed.h"
#include "whole_step.h"

/* As those of whole steps without sums (drift.cu). */
enum { SUMMED_BLOCKS = 8 };

/* ---- books that are owed ---- */

/* Of the last step that was counted; by one block. at: its View.at; the rows are its own. */
__device__ static inline void keep_owed_books(const View &v, const Sums &s, SumsLevel level,
                                              int32_t at)
{
    __shared__ SumRow total[FEW_ROWS];
    __shared__ Move   moved;
    Ledger           *l          = v.ledger;
    const int32_t     me         = (int32_t)threadIdx.x;
    const uint32_t    wanted     = bits_wanted(&v.stage, level != NO_SUMS, false);
    const int64_t     stage_step = l->stage_step - 1;
    const bool        has_box    = v.stage.barostat.type != AMPHI_NO_BAROSTAT;

    if (has_box)
        load_move(&l->turn[at], &moved);
    add_kick(s, wanted, total);
    if (me < v.n_groups) {
        const double factor[2] = { 1, 1 };
        AmphiKinetic k[2];

        kinetic_of_group(&total[me], k);
        (void)put_group(v, me, k, factor, wanted);
    }
    __syncthreads();
    if (me >= MOTION_BLOCK - WARP && asks_pressure(&v.stage.barostat, stage_step)) {
        double normal[2];

        load_drawn(v, at, normal);
        ask_pressure(v, total, moved.box_nm, normal, stage_step);
    }
    if (me == 0) {
        enter_kick(v, total, 0, wanted, level, false, stage_step);
        if (moves_box(&v.stage.barostat, stage_step))
            enter_move(l, &moved);
        l->owes_books = 0;
    }
    __syncthreads();
}

static __global__ void __launch_bounds__(MOTION_BLOCK)
    k_owed_books(const View v, const Sums s, SumsLevel level)
{
    if (v.ledger->owes_books)
        keep_owed_books(v, s, level, v.at);
}

/* ---- the step ---- */

/* number: NULL where nobody adds up. move: of the box; NULL: it does not move. */
template <bool AHEAD>
__device__ static inline void step_summed(const View &v, int32_t i, const Pull &pull,
                                          uint32_t wanted, const Move *move, const ListRoom *room,
                                          Body *b, double *number)
{
    const Push push = push_of(&b->mover, b->q, pull.f, pull.t);

    keep_acceleration(v, i, push.v);
    if (number != NULL)
        kick_body<true>(v, i, &b->mover, &push, wanted, false, number, b->u, b->l);
    else
        kick_twice(v, &push, b);
    for (int a = 0; move != NULL && a < 3; a++) {
        b->x[a] *= move->stretch[a];
        b->u[a] *= move->slow[a];
    }
    move_freely(v.stage.dt_ps, b->u, b->x);
    turn_freely(&b->mover, v.stage.dt_ps, b->q, b->l);
    arrive_beside<AHEAD>(v, i, b, room);
}

/* The first block keeps books; the next n_bundles add up what pairs and bonds have, and one of them
 * draws; then a block for each tile of MOTION_BLOCK beads, whose row of sums it has. Not SUMS:
 * there are only books. AHEAD: forces tell their turn, and each warp goes ahead as soon as its own
 * are there. */
template <bool SUMS, bool HAS_BOX, bool AHEAD>
static __global__ void __launch_bounds__(MOTION_BLOCK, SUMMED_BLOCKS)
    k_step_summed(const View v, const Sums s, SumsLevel level)
{
    __shared__ ListRoom room;
    __shared__ Move     move;
    const int32_t       block             = (int32_t)blockIdx.x - 1 - (SUMS ? s.n_bundles : 0);
    const int32_t       i                 = bead_of_thread(block);
    const uint32_t      wanted            = bits_wanted(&v.stage, true, false);
    uint32_t            fault             = 0;
    double              number[SUM_WIDTH] = {};
    Body                b                 = {};

    let_next_begin();
    if (blockIdx.x == 0) {
        keep_step<SUMS, HAS_BOX>(v, [&] {
            Sums old = s;

            old.bundle = s.other;
            keep_owed_books(v, old, level, 1 - v.at);
        });
        return;
    }
    if (SUMS && block < 0) {
        if (HAS_BOX && blockIdx.x == 1)
            draw_for_strain(v);
        wait_for_last();
        put_quick_row(v, s, (int32_t)blockIdx.x - 1);
        return;
    }
    if (i < v.n)
        load_body(v, i, &b);
    if (HAS_BOX)
        load_move(&v.ledger->turn[v.at], &move);
    fault = v.ledger->fault; /* of a list, which ends before this begins */
    __syncthreads();
    if (threadIdx.x == MOTION_BLOCK - 1)
        room = HAS_BOX ? room_after(v, &move) : room_of(v, v.ledger->box_nm);
    __syncthreads();

    const Pull pull = await_whole_pull<AHEAD>(v, i, b.bonds, &fault);

    if (__syncthreads_or(fault != 0))
        return;
    if (i < v.n)
        step_summed<AHEAD>(v, i, pull, wanted, HAS_BOX ? &move : NULL, &room, &b,
                           SUMS ? number : NULL);
    if (!SUMS)
        return;
    put_rows(v, s, block, group_of_bead(v, i), number, wanted);
    (void)add_bundle(s, block, wanted & ~(uint32_t)QUICK_BITS);
}

typedef void SummedKernel(const View, const Sums, SumsLevel);

template <bool AHEAD> static SummedKernel *summed_kernel(bool sums, bool has_box)
{
    if (!sums)
        return k_step_summed<false, false, AHEAD>;
    return has_box ? k_step_summed<true, true, AHEAD> : k_step_summed<true, false, AHEAD>;
}

AmphiStatus AMPHI_T(motion_step_summed)(Device *d, SumsLevel level, bool sums, AmphiError *err)
{
    const View              &v       = d->view;
    const Sums               s       = sums_of_turn(d, v.n_groups, true);
    const unsigned           n       = 1U + (unsigned)(s.n_blocks + (sums ? s.n_bundles : 0));
    const bool               has_box = v.stage.barostat.type != AMPHI_NO_BAROSTAT;
    SummedKernel            *kernel  = summed_kernel<false>(sums, has_box);
    cudaLaunchAttribute      is_beside;
    const cudaLaunchConfig_t config =
        launch_beside(d->begins_early, n, MOTION_BLOCK, d->stream, &is_beside);

#ifdef AMPHI_BUILD_SINGLE
    if (v.turn != 0)
        kernel = summed_kernel<true>(sums, has_box);
#endif
    CUDA_TRY(cudaLaunchKernelEx(&config, kernel, v, s, level));
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(motion_owed_books)(Device *d, SumsLevel level, cudaStream_t stream,
                                       AmphiError *err)
{
    const Sums s = sums_of_turn(d, d->view.n_groups, true);

    k_owed_books<<<1, MOTION_BLOCK, 0, stream>>>(d->view, s, level);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
