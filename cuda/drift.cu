/* The second half of a step on the device: removal of drift, drift, noise, wrap, records; and whole
 * steps in which nobody wants sums between kick and drift, in one kernel. The physics is that of
 * engine/bodies_motion.c, in the same headers.
 *
 * Compiled without fused products, like motion.cu.
 */
#include "body.h"
#include "expected.h"
#include "extract.h"
#include "whole_step.h"

/* Numbers of a bead that noise makes worth adding up: its heat, and before that the momentum that
 * it gives. */
enum { HEAT = 0, NOISE_BITS = 1 };
enum { GIVEN = 0, GIVEN_BITS = 7 };

/* Blocks of a drift and of a whole step that stay on a processor together; all tiles are shared out
 * to so many processors. A whole step has more on its way at once, and needs the registers; of its
 * blocks twice as many are begun: a tile that goes ahead of the last pairs waits for no other. */
enum { DRIFT_BLOCKS = 10, STEP_BLOCKS = 8, STEPS_BEGUN = 16, PROCESSORS = 128 };

/* No more blocks than that, and none has two tiles more than another. */
static unsigned blocks_of_tiles(int32_t n_tiles, int32_t most_blocks)
{
    const int32_t rounds = (n_tiles + most_blocks - 1) / most_blocks;

    return (unsigned)((n_tiles + rounds - 1) / rounds);
}

/* If the stage says so. */
__device__ static inline void take_drift(const View &v, const double drift_nm_ps[3], double u[3])
{
    for (int a = 0; v.stage.remove_drift && a < 3; a++)
        u[a] -= drift_nm_ps[a];
}

__device__ static inline void drift_bead(const View &v, int32_t i, Body *b, const SpeedScale *scale,
                                         const double drift_nm_ps[3], const ListRoom *room)
{
    scale_velocity(scale, b->u, b->l);
    take_drift(v, drift_nm_ps, b->u);
    glide(v, i, b, shoves_of(v), room);
}

/* Tiles of MOTION_BLOCK beads, one after another where a block has many. The first block has none,
 * and keeps the books. MOVES: the box does too, by open books. */
template <bool IS_OPEN, bool MOVES>
static __global__ void __launch_bounds__(MOTION_BLOCK, MOVES ? DRIFT_BLOCKS - 2 : DRIFT_BLOCKS)
    k_drift(const View v, const Sums s, const Draws draws, SumsLevel level)
{
    __shared__ ListRoom room;
    __shared__ Extract  books;
    __shared__ Parts    parts[FEW_GROUPS];
    const uint32_t      fault       = v.ledger->fault;
    const int32_t       stride      = (int32_t)(gridDim.x - 1) * MOTION_BLOCK;
    const bool          keeps_books = blockIdx.x == 0;
    const uint32_t      had         = bits_of_extract(&v.stage);
    int32_t             i           = keeps_books ? v.n : bead_of_thread((int32_t)blockIdx.x - 1);
    Body                b           = {};

    let_next_begin();
    if (keeps_books)
        touch_books(v);
    if (i < v.n)
        load_place(v, i, &b);
    if (threadIdx.x == MOTION_BLOCK - 1) /* MOVES: for what it brings into the first cache */
        room = room_of(v, v.ledger->box_nm);
    wait_for_last();
    if (i < v.n)
        load_speed(v, i, &b);
    if (IS_OPEN)
        extract_all<MOVES>(v, s, draws, parts, &room, &books);
    __syncthreads();
    if (fault != 0)
        return;
    if (keeps_books) {
        if (IS_OPEN)
            close_books(v, s, draws, parts, had, &books, level);
        __syncthreads();
        if (threadIdx.x == 0)
            finish_step<MOVES>(v, &books.move);
        return;
    }
    while (i < v.n) {
        const int32_t    g     = group_of_bead(v, i);
        const SpeedScale scale = IS_OPEN ? books.scale[g] : load_scale(v, i);

        if (MOVES)
            stretch_bead(v, i, books.move.stretch, &b);
        drift_bead(v, i, &b, &scale, IS_OPEN ? books.drift_nm_ps[g] : v.drift_nm_ps[g], &room);
        i += stride;
        if (i < v.n) {
            load_place(v, i, &b);
            load_speed(v, i, &b);
        }
    }
}

/* ---- whole steps ---- */

/* Beads of a block from the i of each thread on, when all forces are there. */
__device__ static inline void step_tiles(const View &v, int32_t i, Pull pull, Body *b,
                                         const ListRoom *room)
{
    while (i < v.n) {
        push_bead(v, i, pull, b);
        glide(v, i, b, PUSHES_AND_TURNS, room);
        i += (int32_t)gridDim.x * MOTION_BLOCK;
        if (i < v.n) {
            load_body(v, i, b);
            pull = whole_pull(v, i, b->bonds, NULL);
        }
    }
}

/* By one thread, when no other kernel of this step is at work. */
__device__ static inline void end_step(const View &v, uint32_t fault)
{
    clear_waits(v);
    if (fault == 0)
        count_step(v.ledger);
}

/* Tiles as those of a drift. Begins beside the last blocks of pairs: the first tile is on its way
 * while the room is found and forces are awaited. */
static __global__ void __launch_bounds__(MOTION_BLOCK, STEP_BLOCKS) k_step(const View v)
{
    __shared__ ListRoom room;
    const int32_t       i    = bead_of_thread((int32_t)blockIdx.x);
    Body                b    = {};
    Pull                pull = {};

    let_next_begin();
    if (i < v.n)
        load_body(v, i, &b);
    if (threadIdx.x == MOTION_BLOCK - 1)
        room = room_of(v, v.ledger->box_nm);
    wait_for_last();

    const uint32_t fault = v.ledger->fault;

    if (i < v.n)
        pull = whole_pull(v, i, b.bonds, NULL);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        end_step(v, fault);
    __syncthreads();
    if (fault == 0)
        step_tiles(v, i, pull, &b, &room);
}

#ifdef AMPHI_BUILD_SINGLE
__device__ static inline void step_ahead(const View &v, int32_t i, const PairPull &pairs,
                                         const ListRoom *room, Body *b)
{
    push_bead(v, i, whole_pull_with(v, i, pairs, b->bonds, NULL), b);
    move_freely(v.stage.dt_ps, b->u, b->x);
    turn_freely(&b->mover, v.stage.dt_ps, b->q, b->l);
    arrive_beside<true>(v, i, b, room);
}

/* The same where forces tell their turn: each warp goes ahead as soon as its own are there. */
static __global__ void __launch_bounds__(MOTION_BLOCK, STEP_BLOCKS) k_step_ahead(const View v)
{
    __shared__ ListRoom room;
    int32_t             i    = bead_of_thread((int32_t)blockIdx.x);
    const int32_t       lane = (int32_t)threadIdx.x % WARP;
    Body                b    = {};

    let_next_begin();
    if (i < v.n)
        load_body(v, i, &b);
    if (threadIdx.x == MOTION_BLOCK - 1)
        room = room_of(v, v.ledger->box_nm);

    uint32_t fault = v.ledger->fault; /* of a list, which ends before this begins */

    __syncthreads();
    while (i - lane < v.n) {
        const PairPull pairs = pull_ahead(v, i, &fault);

        if (fault != 0)
            break;
        if (i < v.n)
            step_ahead(v, i, pairs, &room, &b);
        i += (int32_t)gridDim.x * MOTION_BLOCK;
        if (i < v.n)
            load_body(v, i, &b);
    }
    if (blockIdx.x > 0)
        return;
    wait_for_last();
    if (threadIdx.x == 0)
        end_step(v, __ldcg(&v.ledger->fault));
}
#else
static constexpr auto k_step_ahead = k_step; /* all forces at once */
#endif

/* ---- noise ---- */

/* The velocity that the noise of this step gives each group. */
static __global__ void __launch_bounds__(MOTION_BLOCK) k_given(const View v, const Sums s)
{
    const int32_t block = (int32_t)blockIdx.x, i = bead_of_thread(block);
    const int32_t group             = group_of_bead(v, i);
    double        number[SUM_WIDTH] = {}, normal[3];

    if (v.ledger->fault != 0)
        return;
    if (i < v.n) {
        draw_noise_of_v(v.stage.seed, (uint64_t)i, (uint64_t)v.ledger->step, normal);
        momentum_of_noise(&v.mover[v.bead_type[i]], &v.stage.noise, normal, &number[GIVEN]);
    }
    put_rows(v, s, block, group, number, GIVEN_BITS);

    const SumRow *total = add_up(s, block, GIVEN_BITS);
    if (total == NULL)
        return;
    for (int32_t g = (int32_t)threadIdx.x; g < v.n_groups; g += MOTION_BLOCK)
        find_drift(v, g, &total[g].x[GIVEN], v.given_nm_ps[g]);
}

/* Heat is added up for all groups together, in the first row of a block or bundle. By all threads
 * of a block. */
__device__ static inline void put_heat(const Sums &s, int32_t block, double heat)
{
    double number[1] = { heat };

    put_row<1>(number, &s.part[(int64_t)block * s.n_rows].x[HEAT]);
}

/* A drift. Takes its step number from the ledger, as all that draw, so that the last block must
 * count. */
static __global__ void __launch_bounds__(MOTION_BLOCK)
    k_drift_with_noise(const View v, const Sums s)
{
    __shared__ ListRoom room;
    const uint32_t      fault = v.ledger->fault;
    const uint64_t      step  = (uint64_t)v.ledger->step;
    const int32_t       i     = bead_of_thread((int32_t)blockIdx.x);
    const int32_t       group = group_of_bead(v, i);
    double              heat  = 0, normal[6];
    Body                b     = {};

    if (i < v.n) {
        load_place(v, i, &b);
        load_speed(v, i, &b);
    }
    if (threadIdx.x == 0)
        room = room_of(v, v.ledger->box_nm);
    __syncthreads();
    if (fault != 0)
        return;
    if (i < v.n) {
        const SpeedScale scale = load_scale(v, i);

        scale_velocity(&scale, b.u, b.l);
        take_drift(v, v.drift_nm_ps[group], b.u);
        draw_noise(&b.mover, v.stage.seed, (uint64_t)i, step, normal);
        heat = drift_with_noise(&b.mover, v.stage.dt_ps, &v.stage.noise,
                                v.stage.remove_drift ? v.given_nm_ps[group] : NULL, normal, b.x,
                                b.u, b.q, b.l);
        arrive(v, i, &b, PUSHES_AND_TURNS, &room);
    }
    put_heat(s, (int32_t)blockIdx.x, heat);

    const SumRow *total = add_up(s, (int32_t)blockIdx.x, NOISE_BITS);
    if (total == NULL || threadIdx.x != 0)
        return;
    book_drift(v);
    v.ledger->heat_kJ_mol += total->x[HEAT];
    count_step(v.ledger);
}

/* The heat that a whole step has left in rows of bundles, if it is owed; by one block, also where
 * the list behind that step has found no room. at: its View.at. */
__device__ static inline void book_owed_heat(const View &v, const Sums &s, int32_t at)
{
    __shared__ SumRow total;
    Ledger           *l = v.ledger;

    if (!__syncthreads_or(l->owes_heat[at] != 0))
        return;
    add_rows(s, at == v.at ? s.bundle : s.other, s.n_bundles, NOISE_BITS, true, &total);
    if (threadIdx.x == 0) {
        l->heat_kJ_mol += total.x[HEAT];
        l->owes_heat[at] = 0;
    }
}

static __global__ void __launch_bounds__(MOTION_BLOCK) k_owed_heat(const View v, const Sums s)
{
    for (int32_t at = 0; at < 2; at++)
        book_owed_heat(v, s, at);
}

/* By one thread. */
__device__ static inline void end_noisy_step(const View &v)
{
    wait_for_last();

    const uint32_t fault = __ldcg(&v.ledger->fault);

    end_step(v, fault);
    if (fault == 0)
        v.ledger->owes_heat[v.at] = 1;
}

/* A whole step. Begins beside the last blocks of pairs, and draws what it needs while it waits for
 * them. The first block books the heat that the step before owes; that of this one is owed then.
 * The block that is the last to have read the number of the step counts. AHEAD: forces tell their
 * turn, and each warp goes ahead as soon as its own are there. */
template <bool AHEAD>
static __global__ void __launch_bounds__(MOTION_BLOCK, STEP_BLOCKS)
    k_step_with_noise(const View v, const Sums s)
{
    __shared__ ListRoom room;
    const int32_t       block = (int32_t)blockIdx.x - 1, i = bead_of_thread(block);
    const uint64_t      step  = (uint64_t)v.ledger->step;
    uint32_t            fault = v.ledger->fault; /* of a list, which ends before this begins */
    double              heat = 0, normal[6] = {};
    Body                b = {};

    let_next_begin();
    if (block < 0) {
        book_owed_heat(v, s, 1 - v.at);
        return;
    }
    if (i < v.n) {
        load_body(v, i, &b);
        draw_noise(&b.mover, v.stage.seed, (uint64_t)i, step, normal);
    }
    if (threadIdx.x == MOTION_BLOCK - 1)
        room = room_of(v, v.ledger->box_nm);

    const bool counts = is_last_reader(&s.arrived[s.n_bundles], (uint32_t)s.n_blocks);
    const Pull pull   = await_whole_pull<AHEAD>(v, i, b.bonds, &fault);

    if (__syncthreads_or(fault != 0)) {
        if (counts)
            end_noisy_step(v);
        return;
    }
    if (i < v.n) {
        push_bead(v, i, pull, &b);
        heat = drift_with_noise(&b.mover, v.stage.dt_ps, &v.stage.noise, NULL, normal, b.x, b.u,
                                b.q, b.l);
        arrive_beside<AHEAD>(v, i, &b, &room);
    }
    put_heat(s, block, heat);
    (void)add_bundle(s, block, NOISE_BITS);
    if (counts)
        end_noisy_step(v);
}

static AmphiStatus step_with_noise(Device *d, AmphiError *err)
{
    const Sums               s = sums_of_turn(d, 1, false);
    cudaLaunchAttribute      is_beside;
    const cudaLaunchConfig_t config = launch_beside(d->begins_early, 1U + (unsigned)s.n_blocks,
                                                    MOTION_BLOCK, d->stream, &is_beside);
    auto                     kernel = k_step_with_noise<false>;

#ifdef AMPHI_BUILD_SINGLE
    if (d->view.turn != 0)
        kernel = k_step_with_noise<true>;
#endif
    CUDA_TRY(cudaLaunchKernelEx(&config, kernel, d->view, s));
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(motion_owed_heat)(Device *d, cudaStream_t stream, AmphiError *err)
{
    k_owed_heat<<<1, MOTION_BLOCK, 0, stream>>>(d->view, sums_of_turn(d, 1, false));
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

static AmphiStatus drift_with_noise(Device *d, AmphiError *err)
{
    const View    &v = d->view;
    const unsigned n = (unsigned)d->motion->sums.n_blocks;

    if (v.stage.remove_drift) {
        k_given<<<n, MOTION_BLOCK, 0, d->stream>>>(v, sums_of(d, v.n_groups));
        CUDA_TRY_LAUNCH();
    }
    k_drift_with_noise<<<n, MOTION_BLOCK, 0, d->stream>>>(v, sums_of(d, 1));
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(motion_step)(Device *d, AmphiError *err)
{
    const unsigned      n = blocks_of_tiles(sums_of(d, 0).n_blocks, PROCESSORS * STEPS_BEGUN);
    cudaLaunchAttribute is_beside;

    if (d->view.stage.thermostat.type == AMPHI_LANGEVIN)
        return step_with_noise(d, err);

    const cudaLaunchConfig_t config =
        launch_beside(d->begins_early, n, MOTION_BLOCK, d->stream, &is_beside);

    CUDA_TRY(cudaLaunchKernelEx(&config, d->view.turn != 0 ? k_step_ahead : k_step, d->view));
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(motion_drift)(Device *d, AmphiError *err)
{
    const View         &v     = d->view;
    struct MotionPlan  *m     = d->motion;
    const SumsLevel     level = m->open_level;
    const Sums          s     = sums_of(d, v.n_groups, level != NO_SUMS);
    const unsigned      n     = 1U + blocks_of_tiles(s.n_blocks, PROCESSORS * DRIFT_BLOCKS);
    cudaLaunchAttribute is_beside;

    if (v.stage.thermostat.type == AMPHI_LANGEVIN)
        return drift_with_noise(d, err);
    if (m->is_open) {
        const cudaLaunchConfig_t config =
            launch_beside(d->begins_early, n, MOTION_BLOCK, d->stream, &is_beside);

        CUDA_TRY(cudaLaunchKernelEx(&config, m->moves ? k_drift<true, true> : k_drift<true, false>,
                                    v, s, m->draws, level));
    } else {
        k_drift<false, false><<<n, MOTION_BLOCK, 0, d->stream>>>(v, s, m->draws, level);
    }
    CUDA_TRY_LAUNCH();
    m->is_open = m->moves = false;
    return AMPHI_OK;
}
