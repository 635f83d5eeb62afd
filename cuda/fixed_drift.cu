/* The second half of a step in fixed precision: removal of drift, drift, noise, records; and whole
 * steps in which nobody wants sums between kick and drift, in one kernel.
 *
 * Compiled without fused products, like fixed_motion.cu.
 */
#include "fixed_body.h"

/* What all beads of a block share. */
typedef struct {
    ListRoom   room;
    SpeedScale scale[FEW_GROUPS]; /* of open books */
} Shared;

/* Adds the heat that noise brings the bead of each thread; by whole warps. */
__device__ static inline void add_heat(const View &v, int32_t block, int64_t heat)
{
    add_to_row<1>(&heat, &v.fixed.noise[v.at].x[block % FIXED_SUM_WIDTH]);
}

/* The heat of the noise of a step; by one block. at: its View.at. */
__device__ static inline void book_heat(const View &v, int32_t at)
{
    const int t      = (int)threadIdx.x;
    int64_t  *copy   = &v.fixed.noise[at].x[t];
    int64_t   number = 0;

    if (t >= WARP)
        return;
    if (t < FIXED_SUM_WIDTH) {
        number = __ldcg((const long long *)copy);
        *copy  = 0;
    }
    number = warp_total<1>(&number);
    if (t == 0)
        v.ledger->heat_kJ_mol += fixed_energy_kJ_mol(number);
}

/* The same of a whole step, if it is owed, also where the list behind it has found no room. */
__device__ static inline void book_owed_heat(const View &v, int32_t at)
{
    if (!__syncthreads_or(v.ledger->owes_heat[at] != 0))
        return;
    book_heat(v, at);
    if (threadIdx.x == 0)
        v.ledger->owes_heat[at] = 0;
}

static __global__ void __launch_bounds__(WARP) k_fixed_owed_heat(const View v)
{
    for (int32_t at = 0; at < 2; at++)
        book_owed_heat(v, at);
}

template <bool IS_NOISY>
__device__ static inline int64_t drift_fixed(const View &v, int32_t i, const SpeedScale *scale,
                                             const ListRoom *room, FixedBead *b)
{
    const bool    pushes = scale != NULL || IS_NOISY;
    const double *given =
        IS_NOISY && v.stage.remove_drift ? v.given_nm_ps[group_of_bead(v, i)] : NULL;

    if (scale != NULL)
        scale_fixed(v, scale, b->body.p, b->body.l);
    if (IS_NOISY)
        draw_fixed_noise(v, i, (uint64_t)v.ledger->step, b);
    return glide_fixed<IS_NOISY>(v, i, given, b, pushes, room);
}

/* The block that has no beads: keeps the books if they are open, makes room for the sums of the
 * next kick, and counts, unless the last block does. */
template <bool IS_NOISY>
__device__ static inline void finish_step(const View &v, const Draws &draws, SumsLevel level,
                                          bool is_open)
{
    const int32_t next = 1 - v.fixed.turns[1];

    if (is_open)
        keep_fixed_books<false>(v, draws, level, false);
    clear_rows(kick_rows(v, next), FIXED_COPIES * v.max_groups);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    v.fixed.turns[0] = next;
    lead(v, v.leads, v.ledger->stage_step);
    if (!IS_NOISY)
        count_step(v.ledger);
}

__device__ static inline void extract_scales(const View &v, const Draws &draws, Shared *to)
{
    __shared__ FixedRow few[FEW_GROUPS];
    const FixedRow     *total = add_copies(v, kick_rows(v, v.fixed.turns[1]), few);
    const int32_t       g     = (int32_t)threadIdx.x;
    double              factor[2];

    if (g >= v.n_groups)
        return;
    (void)factors_of_kick(v, draws, g, &total[g], factor);
    to->scale[g] = SpeedScale{ factor[0], factor[1], { 1, 1, 1 } };
}

/* Tiles of MOTION_BLOCK beads, one after another where a block has many. The first block has none.
 * scales: by the factors of open books, or of those that were kept. */
template <bool IS_OPEN, bool IS_NOISY>
static __global__ void __launch_bounds__(MOTION_BLOCK, DRIFT_BLOCKS)
    k_fixed_drift(const View v, const Draws draws, SumsLevel level, bool scales)
{
    __shared__ Shared shared;
    const int32_t     tiles       = (v.n + MOTION_BLOCK - 1) / MOTION_BLOCK;
    const bool        keeps_books = blockIdx.x == 0;
    int32_t           tile        = keeps_books ? tiles : (int32_t)blockIdx.x - 1;
    int32_t           i           = bead_of_thread(tile);
    FixedBead         b           = {};

    let_next_begin();
    if (i < v.n)
        load_fixed_place(v, i, &b);
    wait_for_last();

    const bool stands = __syncthreads_or(v.ledger->fault != 0) != 0;

    if (!stands && keeps_books)
        finish_step<IS_NOISY>(v, draws, level, IS_OPEN);
    if (threadIdx.x == MOTION_BLOCK - 1)
        shared.room = room_of(v, v.ledger->box_nm);
    if (IS_OPEN && scales && !keeps_books)
        extract_scales(v, draws, &shared);
    if (i < v.n)
        load_fixed_speed(v, i, &b);
    __syncthreads();
    if (stands)
        tile = tiles;
    while (tile < tiles) {
        int64_t heat = 0;

        if (i < v.n) {
            const SpeedScale scale = !scales   ? SpeedScale{}
                                     : IS_OPEN ? shared.scale[group_of_bead(v, i)]
                                               : load_scale(v, i);

            heat = drift_fixed<IS_NOISY>(v, i, scales ? &scale : NULL, &shared.room, &b);
        }
        if (IS_NOISY)
            add_heat(v, tile, heat);
        tile += (int32_t)gridDim.x - 1;
        i = bead_of_thread(tile);
        if (i < v.n) {
            load_fixed_place(v, i, &b);
            load_fixed_speed(v, i, &b);
        }
    }
    /* all that draw take their step from the ledger, so that the last block must count */
    if (!IS_NOISY || !is_last(v.fixed.arrived, gridDim.x))
        return;
    if (__syncthreads_or(__ldcg(&v.ledger->fault) != 0))
        return;
    book_heat(v, v.at);
    if (threadIdx.x == 0)
        count_step(v.ledger);
}

/* ---- whole steps ---- */

/* By one thread, when pairs are through. */
__device__ static inline void end_fixed_step(const View &v, uint32_t fault, bool is_noisy)
{
    clear_waits(v);
    if (fault != 0)
        return;
    count_step(v.ledger);
    if (is_noisy)
        v.ledger->owes_heat[v.at] = 1;
}

/* Begins beside the last blocks of pairs: the first tile is on its way, and what it needs is drawn,
 * while the room is found and forces are awaited. Nothing is out of range before it is known that
 * the state does not stand at a fault. IS_NOISY: the first block has no beads, and books the heat
 * that the step before owes; that of this one is owed then. The block that is the last to have read
 * the number of the step counts. */
template <bool IS_NOISY>
static __global__ void __launch_bounds__(MOTION_BLOCK, DRIFT_BLOCKS) k_fixed_step(const View v)
{
    __shared__ ListRoom room;
    constexpr int32_t   others = IS_NOISY ? 1 : 0;
    const int32_t       stride = (int32_t)gridDim.x - others;
    const int32_t       tiles  = (v.n + MOTION_BLOCK - 1) / MOTION_BLOCK;
    const uint64_t      step   = IS_NOISY ? (uint64_t)v.ledger->step : 0;
    int32_t             tile = (int32_t)blockIdx.x - others, i = bead_of_thread(tile);
    bool                counts = !IS_NOISY && tile == 0 && threadIdx.x == 0;
    FixedBead           b      = {};
    FixedPairs          pairs  = {};

    let_next_begin();
    if (tile < 0) {
        book_owed_heat(v, 1 - v.at);
        return;
    }
    if (i < v.n) {
        load_fixed(v, i, &b);
        if (IS_NOISY)
            draw_fixed_noise(v, i, step, &b);
    }
    if (threadIdx.x == MOTION_BLOCK - 1)
        room = room_of(v, v.ledger->box_nm);
    if (IS_NOISY)
        counts = is_last_reader(v.fixed.arrived, (uint32_t)stride);
    wait_for_last();

    const uint32_t fault = v.ledger->fault;

    if (i < v.n) /* with the fault: both are waited for once */
        pairs = fixed_pairs_on(v, i);
    if (counts)
        end_fixed_step(v, fault, IS_NOISY);
    __syncthreads();
    if (fault != 0)
        return;
    while (tile < tiles) {
        int64_t heat = 0;

        if (i < v.n) {
            push_fixed(v, i, pairs, &b);
            heat = glide_fixed<IS_NOISY>(v, i, NULL, &b, true, &room);
        }
        if (IS_NOISY)
            add_heat(v, tile, heat);
        tile += stride;
        i = bead_of_thread(tile);
        if (i < v.n) {
            load_fixed(v, i, &b);
            pairs = fixed_pairs_on(v, i);
            if (IS_NOISY)
                draw_fixed_noise(v, i, step, &b);
        }
    }
}

/* ---- drift of groups, and what noise brings ---- */

/* Adds up what the noise of this step gives; by all threads of a block. */
__device__ static inline void add_given(const View &v, int32_t block, int32_t i, int32_t group)
{
    int64_t given[4] = {};
    double  normal[3];

    if (i < v.n) {
        draw_noise_of_v(v.stage.seed, (uint64_t)i, (uint64_t)v.ledger->step, normal);
        fixed_momentum_of_noise(&v.mover[v.bead_type[i]], &v.stage.noise, normal, given);
    }
    add_to_groups<4, FIXED_GIVEN>(v, v.fixed.drift, block, group, given);
}

/* Momenta as they drift: scales, if nobody has, by the books of the kick. And those that noise
 * gives. */
static __global__ void __launch_bounds__(MOTION_BLOCK) k_fixed_momenta(const View v, bool scales)
{
    const int32_t block = (int32_t)blockIdx.x, i = bead_of_thread(block);
    const int32_t group     = i < v.n ? group_of_bead(v, i) : -1;
    int64_t       number[4] = {}, l[3];

    if (v.ledger->fault != 0)
        return;
    if (i < v.n) {
        int64_t *p = &number[FIXED_MOVED];

        copy3(v.fixed.p[i], p);
        if (scales) {
            const SpeedScale scale = load_scale(v, i);

            copy3(v.fixed.l[i], l);
            scale_fixed(v, &scale, p, l);
            for (int a = 0; a < 3; a++) {
                v.fixed.p[i][a] = p[a];
                v.fixed.l[i][a] = l[a];
            }
        }
    }
    add_to_groups<4>(v, v.fixed.drift, block, group, number);
    if (v.stage.thermostat.type == AMPHI_LANGEVIN)
        add_given(v, block, i, group);
}

/* Three numbers of a row, u nm/ps. */
__device__ static inline void show_momentum(const FixedRow *row, int first, double p[3])
{
    for (int a = 0; a < 3; a++)
        p[a] = (double)row->x[first + a] * FIXED_MOMENTUM_UNIT;
}

/* By one thread. */
__device__ static inline void find_fixed_drift(const View &v, int32_t g, const FixedRow *row)
{
    double p[3], pushed[3], given[3];

    show_momentum(row, FIXED_MOVED, p);
    show_momentum(row, FIXED_PUSHED, pushed);
    show_momentum(row, FIXED_GIVEN, given); /* 0 without noise */
    find_drift(v, g, p, v.drift_nm_ps[g]);
    find_drift(v, g, given, v.given_nm_ps[g]);
    for (int a = 0; a < 3; a++)
        v.ledger->heat_kJ_mol += heat_of_drift(p[a], v.drift_nm_ps[g][a], pushed[a]);
}

/* One block: drift of each group and what it takes along, and what noise gives. */
static __global__ void __launch_bounds__(MOTION_BLOCK) k_fixed_find_drift(const View v)
{
    __shared__ FixedRow few[FEW_GROUPS];

    if (v.ledger->fault != 0)
        return;

    const FixedRow *total = add_copies(v, v.fixed.drift, few);

    if (threadIdx.x == 0)
        for (int32_t g = 0; g < v.n_groups; g++)
            find_fixed_drift(v, g, &total[g]);
    __syncthreads();
    clear_rows(v.fixed.drift, FIXED_COPIES * v.max_groups);
}

static __global__ void __launch_bounds__(MOTION_BLOCK) k_fixed_slow(const View v)
{
    const int32_t i = bead_of_thread((int32_t)blockIdx.x);
    int64_t       p[3];

    if (v.ledger->fault != 0 || i >= v.n)
        return;
    copy3(v.fixed.p[i], p);
    fixed_slow(&v.mover[v.bead_type[i]], v.drift_nm_ps[group_of_bead(v, i)], p);
    for (int a = 0; a < 3; a++)
        v.fixed.p[i][a] = p[a];
}

static AmphiStatus remove_drift(Device *d, bool scales, AmphiError *err)
{
    const unsigned n = (unsigned)blocks_of_beads(d);

    k_fixed_momenta<<<n, MOTION_BLOCK, 0, d->stream>>>(d->view, scales);
    CUDA_TRY_LAUNCH();
    k_fixed_find_drift<<<1, MOTION_BLOCK, 0, d->stream>>>(d->view);
    CUDA_TRY_LAUNCH();
    k_fixed_slow<<<n, MOTION_BLOCK, 0, d->stream>>>(d->view);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(motion_step)(Device *d, AmphiError *err)
{
    const bool               is_noisy = d->view.stage.thermostat.type == AMPHI_LANGEVIN;
    const unsigned           n        = blocks_of_tiles(blocks_of_beads(d)) + (is_noisy ? 1U : 0U);
    cudaLaunchAttribute      is_beside;
    const cudaLaunchConfig_t config =
        launch_beside(d->begins_early, n, MOTION_BLOCK, d->stream, &is_beside);

    CUDA_TRY(
        cudaLaunchKernelEx(&config, is_noisy ? k_fixed_step<true> : k_fixed_step<false>, d->view));
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(motion_owed_heat)(Device *d, cudaStream_t stream, AmphiError *err)
{
    k_fixed_owed_heat<<<1, WARP, 0, stream>>>(d->view);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(motion_drift)(Device *d, AmphiError *err)
{
    const View        &v      = d->view;
    struct MotionPlan *m      = d->motion;
    const SumsLevel    level  = m->open_level;
    const int32_t      tiles  = blocks_of_beads(d);
    const unsigned     n      = 1U + blocks_of_tiles(tiles);
    bool               scales = scales_velocities(v.stage.thermostat.type) && !v.fixed.has_scaled;

    cudaLaunchAttribute      is_beside;
    const cudaLaunchConfig_t config =
        launch_beside(d->begins_early, n, MOTION_BLOCK, d->stream, &is_beside);

    if (v.stage.remove_drift) {
        AMPHI_TRY(remove_drift(d, scales, err));
        scales = false;
    }
    CUDA_TRY(cudaLaunchKernelEx(&config,
                                v.stage.thermostat.type == AMPHI_LANGEVIN
                                    ? k_fixed_drift<false, true>
                                : m->is_open ? k_fixed_drift<true, false>
                                             : k_fixed_drift<false, false>,
                                v, m->draws, level, scales));
    CUDA_TRY_LAUNCH();
    m->is_open               = false;
    d->view.fixed.has_scaled = false;
    return AMPHI_OK;
}
