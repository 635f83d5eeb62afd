/* The list's order in space: when it is stale, the grid, and beads sorted by kind, cell and number.
 * The rows themselves: rows.cu. Their room: cells_open.cu.
 *
 * Integer atomics only, and none whose order shows: a bead's slot is its group's first plus the
 * number of lower beads in the group. Every kernel of a build returns at once unless the ledger
 * says stale, so that a build can stand in a graph or be launched at any time.
 *
 * Large systems are counted, scanned and placed by a kernel each, small ones by one whose blocks
 * wait for each other: three kernels that have nothing to do take as long as half the pairs of a
 * small step, which stand beside them.
 */
#include "cells.h"
#include "entries.h"

#include <math.h>

#include "expected.h"
#include "records.h"
#include "stale.h"

/* ---- is it stale? ---- */

__global__ static void __launch_bounds__(BEAD_BLOCK) k_check_beads(const View v)
{
    const int32_t i = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    ListRoom      room;

    if (v.ledger->fault != 0 || i >= v.n)
        return;
    room = room_of(v, v.ledger->box_nm);
    judge_place(v, &room, i, v.built_nm[i], v.position_nm[i]);
}

AmphiStatus AMPHI_T(cells_check)(Device *d, AmphiError *err)
{
    k_check_beads<<<blocks_of(d->view.n, BEAD_BLOCK), BEAD_BLOCK, 0, d->stream>>>(d->view);
    CUDA_TRY_LAUNCH();
    return AMPHI_T(cells_look)(d, err);
}

/* ---- the grid ---- */

/* Is nothing to be built? All blocks of a kernel find the same, for some wait for others: what is
 * out of range in fixed precision, which kernels of forces may find beside a build, stops only what
 * follows. Asked for together, here and below: what waits for memory once more waits for half a
 * microsecond, and there are as many blocks as the device holds at once. */
__device__ static bool is_idle(const View &v)
{
    return (int)((v.ledger->fault & ~(uint32_t)FAULT_RANGE) != 0) | (int)(v.ledger->stale == 0);
}

__device__ static void plan_grid(const View &v, const CellsWork &w, Grid *g)
{
    const double reach = reach_of(&v), shorter = v.short_cutoff_nm + reach - v.cutoff_nm;

    g->set = g->turn = w.grid->turn;
    g->fits          = 1;
    count_cells(&v, v.ledger->box_nm, v.max_cells, g->n_cells);
    g->cells = g->n_cells[0] * g->n_cells[1] * g->n_cells[2];
    for (int a = 0; a < 3; a++) {
        const double box_nm = v.ledger->box_nm[a];

        g->fits              = g->fits && 2 * v.cutoff_nm <= box_nm * (1 + 1e-12);
        g->units_per_cell[a] = 4294967296.0 * device_reciprocal((double)g->n_cells[a]);
        g->cells_per_unit[a] = g->n_cells[a] * (1 / 4294967296.0);
        g->reach_units[a]    = reach * device_reciprocal(box_nm) * 4294967296.0;
        g->nm_per_unit[a]    = (float)(box_nm * (1 / 4294967296.0));
    }
    g->layer_cells    = v.is_layered ? g->n_cells[1] * g->n_cells[2] : g->cells;
    g->layer_keys     = v.is_layered ? (v.n_kinds - 1) * g->layer_cells : 0;
    g->first_unechoed = g->layer_cells * v.n_kinds * min(ECHOED_LAYERS, g->n_cells[0]);
    g->reach2_nm2     = (float)(reach * reach);
    g->short2_nm2     = (float)(shorter * shorter);
    g->ticket = g->done = g->n_rounds = g->n_sorted = 0;
    g->longest_short = g->is_beyond = g->wants_order = 0;
}

__device__ static void tell_grid(const View &v, const CellsWork &w, const Grid &g)
{
    Ledger *l = v.ledger;

    *w.grid = g;
    for (int a = 0; a < 3; a++)
        l->built_box_nm[a] = l->box_nm[a];
    l->longest_row = l->fault_size = l->n_echoes = 0;
}

__device__ static int32_t *counts_of(const CellsWork &w, int32_t set)
{
    return w.count + (int64_t)set * w.n_keys;
}

__device__ static int32_t *firsts_of(const CellsWork &w, int32_t set)
{
    return w.first + (int64_t)set * w.n_keys;
}

/* Counts and chains for the next build, tiles for this one. */
__device__ static void clear_counts(const CellsWork &w, int32_t set)
{
    const int32_t first = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    const int32_t step  = (int32_t)(gridDim.x * blockDim.x);
    const int4    none  = { 0, 0, 0, 0 };

    for (int32_t k = first; k < w.n_keys / 4; k += step)
        ((int4 *)counts_of(w, set))[k] = ((int4 *)firsts_of(w, set))[k] = none;
    for (int32_t k = first; k < w.n_tiles; k += step)
        w.tile[k] = 0;
}

/* ---- the order of beads ---- */

__device__ static Place place_of(const View &v, const double at_nm[3], int32_t slot)
{
    uint32_t units[3];

    for (int a = 0; a < 3; a++) {
        const Coordinate at = coordinate_of(at_nm[a], v.ledger->box_nm[a]);
#ifdef AMPHI_BUILD_DOUBLE
        units[a] = (uint32_t)(uint64_t)(at * 4294967296.0);
#else
        units[a] = (uint32_t)at;
#endif
    }
    return Place{ units[0], units[1], units[2], slot };
}

/* Of a bead that the list is built around that place of. */
__device__ static int32_t key_of_place(const Grid &g, int32_t kind, const Place &p)
{
    const int32_t x = cell_of_units(p.x, g.n_cells[0]), n_z = g.n_cells[2];
    const int32_t column = column_number(g, x, cell_of_units(p.y, g.n_cells[1]));
    const int32_t z      = cell_of_units(p.z, n_z);

    return key_of(g, kind, column * n_z + (column & 1 ? n_z - 1 - z : z), x);
}

/* What is asked of a bead to find its group. */
typedef struct {
    double  at_nm[3]; /* the point that the list is built around */
    int32_t kind;
    bool    is_somewhere;
} Uncounted;

__device__ static Uncounted uncounted(const View &v, int32_t i)
{
    const double *x = v.position_nm[i];
    Uncounted     bead;

    bead.kind         = v.kind_of[v.bead_type[i]].kind;
    bead.is_somewhere = isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
    expected_place(v, i, bead.at_nm);
    return bead;
}

/* Into the chain of its group, that of a kind and a cell. A bead that is nowhere has no group; that
 * is told when beads are placed, for all blocks must agree until then. */
__device__ static void count_bead(const View &v, const CellsWork &w, const Grid &g, int32_t i,
                                  const Uncounted &bead)
{
    int32_t key;

    for (int a = 0; a < 3; a++)
        v.built_nm[i][a] = bead.at_nm[a];
    if (!bead.is_somewhere) {
        atomicMin(&v.ledger->fault_bead, i);
        v.cell_of[i] = -1;
        return;
    }
    key          = key_of_place(g, bead.kind, place_of(v, bead.at_nm, 0));
    v.cell_of[i] = key;
    atomicAdd(&counts_of(w, g.set)[key], 1);
    w.next[i] = atomicExch(&firsts_of(w, g.set)[key], i + 1);
}

/* All beads of the threads of this grid. */
__device__ static void count_beads(const View &v, const CellsWork &w, Grid *g)
{
    const int32_t stride = (int32_t)(gridDim.x * blockDim.x);
    int32_t       i      = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    Uncounted     bead   = {};

    if (i < v.n) /* on its way while the grid is planned */
        bead = uncounted(v, i);
    if (threadIdx.x == 0) {
        plan_grid(v, w, g);
        if (blockIdx.x == 0)
            tell_grid(v, w, *g);
    }
    __syncthreads();
    if (!g->fits)
        return;
    clear_counts(w, 1 - g->set);
    while (i < v.n) {
        count_bead(v, w, *g, i, bead);
        i += stride;
        if (i < v.n)
            bead = uncounted(v, i);
    }
}

/* A tile's word: what is known of it, and a sum. */
enum { TILE_OWN = 1, TILE_ALL_BEFORE = 2 };

__device__ static void tell_tile(unsigned long long *tile, uint32_t known, int32_t sum)
{
    atomicExch(tile, (unsigned long long)known << 32 | (uint32_t)sum);
}

/* The sum of the tiles before this one, by one warp, which waits for them: tickets make sure that
 * they have begun. */
__device__ static int32_t sum_before(const unsigned long long *tile, int32_t mine)
{
    const int32_t lane = (int32_t)threadIdx.x % 32;
    int32_t       sum  = 0;

    for (int32_t at = mine - 1 - lane;; at -= 32) {
        unsigned long long word = (unsigned long long)TILE_ALL_BEFORE << 32;
        uint32_t           ends;
        int32_t            last;

        do {
            if (at >= 0)
                word = *(const volatile unsigned long long *)&tile[at];
        } while (__any_sync(ALL_LANES, word >> 32 == 0));
        ends = __ballot_sync(ALL_LANES, word >> 32 == TILE_ALL_BEFORE);
        last = ends != 0 ? __ffs((int)ends) - 1 : 31;
        sum += __reduce_add_sync(ALL_LANES, lane <= last ? (int32_t)(uint32_t)word : 0);
        if (ends != 0)
            return sum;
    }
}

/* The first slot of every group of a tile: sums of the counts before it, by SCAN_BLOCK threads. */
__device__ static void scan_tile(const View &v, const CellsWork &w, const Grid &g, int32_t tile)
{
    __shared__ int32_t before, warp_end[SCAN_BLOCK / 32];
    const int32_t      lane = (int32_t)threadIdx.x % 32, warp = (int32_t)threadIdx.x / 32;
    const int32_t      at     = tile * SCAN_TILE + (int32_t)threadIdx.x * SCAN_EACH;
    const int32_t     *counts = counts_of(w, g.set);
    int32_t            count[SCAN_EACH], own = 0, end;

    for (int k = 0; k < SCAN_EACH; k++)
        own += count[k] = counts[at + k];
    end = sum_up_to_lane<WARP>(lane, own);
    if (lane == 31)
        warp_end[warp] = end;
    __syncthreads();
    if (warp == 0) {
        const int32_t total = lane < SCAN_BLOCK / 32 ? warp_end[lane] : 0;
        const int32_t upto  = sum_up_to_lane<WARP>(lane, total);
        const int32_t all   = __shfl_sync(ALL_LANES, upto, 31);
        int32_t       prior;

        if (lane < SCAN_BLOCK / 32)
            warp_end[lane] = upto - total; /* from here on: before the warp */
        if (lane == 0)
            tell_tile(&w.tile[tile], tile == 0 ? TILE_ALL_BEFORE : TILE_OWN, all);
        prior = tile == 0 ? 0 : sum_before(w.tile, tile);
        if (lane == 0 && tile > 0)
            tell_tile(&w.tile[tile], TILE_ALL_BEFORE, prior + all);
        before = prior;
    }
    __syncthreads();
    end += before + warp_end[warp] - own;
    for (int k = 0; k < SCAN_EACH; k++) {
        if (at + k <= v.n_kinds * g.cells)
            v.cell_start[at + k] = end;
        if (v.is_layered && v.entries != WIDE && at + k == g.first_unechoed)
            v.ledger->n_echoes = min(end, REACHED);
        end += count[k];
    }
}

/* Tiles that the present grid has. */
__device__ static int32_t tiles_of(const View &v, const Grid &g)
{
    return v.n_kinds * g.cells / SCAN_TILE + 1;
}

/* What the place of a bead of this group in the order of cells alone has more than its slot: in
 * layers before its own, and in that one of other kinds. */
__device__ static int32_t more_in_space(const View &v, int32_t cells, int32_t key)
{
    enum { AT_ONCE = 8 };
    const int32_t  nth = key / cells, kind = nth % v.n_kinds, cell = key % cells;
    const int32_t *start = v.cell_start + (nth - kind) * cells; /* of the layer */
    int32_t        more  = start[0] - start[kind * cells];

    for (int32_t first = 0; first < v.n_kinds; first += AT_ONCE) {
        int32_t from[AT_ONCE], end[AT_ONCE];

#pragma unroll
        for (int32_t k = 0; k < AT_ONCE; k++) { /* under no condition, or one waits for another */
            const int32_t t = min(first + k, v.n_kinds - 1);

            from[k] = start[t * cells];
            end[k]  = start[t * cells + cell + (t < kind)];
        }
#pragma unroll
        for (int32_t k = 0; k < AT_ONCE; k++)
            more += first + k < v.n_kinds && first + k != kind ? end[k] - from[k] : 0;
    }
    return more;
}

/* How many slots of each kind there are before each layer, by the first warp of a block a kind. */
__device__ static void count_layers(const View &v, const CellsWork &w)
{
    const int32_t lane = (int32_t)threadIdx.x, cells = w.grid->layer_cells;

    if (lane >= WARP)
        return;
    for (int32_t kind = (int32_t)blockIdx.x; kind < v.n_kinds; kind += (int32_t)gridDim.x) {
        int32_t before = 0;

        for (int32_t first = 0; first < w.grid->n_cells[0]; first += WARP) {
            const int32_t  layer    = first + lane;
            const bool     is_there = layer < w.grid->n_cells[0];
            const int32_t *start    = v.cell_start + ((int64_t)layer * v.n_kinds + kind) * cells;
            const int32_t  n        = is_there ? start[cells] - start[0] : 0;
            const int32_t  end      = before + sum_up_to_lane<WARP>(lane, n);

            if (is_there)
                w.before_layer[kind * MOST_CELLS_ALONG + layer] = end - n;
            before = __shfl_sync(ALL_LANES, end, WARP - 1);
        }
    }
}

/* What is asked of a bead to place it, but for what its group is asked for. */
typedef struct {
    int32_t key; /* negative: it has no group; nothing where the grid does not fit */
    Shown   look;
    Pose    pose;
    double  built_nm[3];
} Unplaced;

__device__ static Unplaced unplaced(const View &v, int32_t i)
{
    Unplaced bead = { v.cell_of[i], look_of(v, i), pose_of(v, i) };

    for (int a = 0; a < 3; a++)
        bead.built_nm[a] = v.built_nm[i][a];
    return bead;
}

__device__ static void place_bead(const View &v, const CellsWork &w, const Grid &g, int32_t i,
                                  const Unplaced &bead)
{
    int32_t slot, next, more;

    if (!g.fits || bead.key < 0) {
        atomicOr(&v.ledger->fault, (uint32_t)(g.fits ? FAULT_NOT_FINITE : FAULT_BOX));
        return;
    }
    next = firsts_of(w, g.set)[bead.key];
    slot = v.cell_start[bead.key];
    more = more_in_space(v, g.layer_cells, bead.key);
    for (; next != 0; next = w.next[next - 1])
        slot += next - 1 < i;
    v.slot_of[i]            = slot;
    v.bead_of[slot]         = i;
    v.type_of[slot]         = bead.look.type;
    w.place[slot]           = place_of(v, bead.built_nm, slot);
    w.in_space[slot + more] = slot;
    write_records(v, in_slot(v, bead.look, slot), v.ledger->box_nm, bead.pose);
}

/* ---- a kernel each ---- */

__global__ static void __launch_bounds__(BEAD_BLOCK) k_count_beads(const View v, const CellsWork w)
{
    __shared__ Grid g;

    if (!is_idle(v))
        count_beads(v, w, &g);
}

/* One pass over tiles, whose blocks wait for those before them. */
__global__ static void __launch_bounds__(SCAN_BLOCK) k_scan_counts(const View v, const CellsWork w)
{
    __shared__ int32_t tile;

    if ((int)is_idle(v) | (int)(w.grid->fits == 0))
        return;
    if (threadIdx.x == 0)
        tile = (int32_t)atomicAdd(&w.grid->ticket, 1u);
    __syncthreads();
    if (tile == 0 && threadIdx.x == 0)
        w.grid->turn = 1 - w.grid->set;
    if (tile < tiles_of(v, *w.grid))
        scan_tile(v, w, *w.grid, tile);
}

__global__ static void __launch_bounds__(BEAD_BLOCK) k_place_beads(const View v, const CellsWork w)
{
    const int32_t i    = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    const Grid   &g    = *w.grid;
    Unplaced      bead = {};

    if ((int)is_idle(v) | (int)(g.fits < 0)) /* it never is */
        return;
    if (i < v.n)
        bead = unplaced(v, i);
    if (v.is_layered && g.fits)
        count_layers(v, w);
    if (i < v.n)
        place_bead(v, w, g, i, bead);
}

/* ---- in one kernel ---- */

/* Waits until all blocks of the grid are here, and sees what they have written. The device holds
 * all of them together, unless other programs keep it from that: then it is given up after some ten
 * seconds, as an error of the device, instead of never. */
__device__ static void meet_all_blocks(uint32_t *arrived)
{
    enum { MOST_LOOKS = 1 << 25 }; /* of some 0.3 us each */

    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        (void)atomicAdd(arrived, 1u);
        for (int32_t k = 0; *(const volatile uint32_t *)arrived < gridDim.x; k++)
            if (k == MOST_LOOKS)
                __trap();
        __threadfence();
    }
    __syncthreads();
}

/* Without layers. No more blocks than the device has processors. */
__global__ static void __launch_bounds__(SCAN_BLOCK) k_sort_beads(const View v, const CellsWork w)
{
    __shared__ Grid g;
    int32_t         i    = (int32_t)(blockIdx.x * SCAN_BLOCK + threadIdx.x);
    Unplaced        bead = {};
    uint32_t       *arrived;

    if (__syncthreads_or(is_idle(v)))
        return;
    count_beads(v, w, &g);
    if (i < v.n) /* on its way while blocks wait for each other */
        bead = unplaced(v, i);
    arrived = w.arrived + g.set * MEETINGS;
    if (blockIdx.x == 0 && threadIdx.x < MEETINGS)
        w.arrived[(1 - g.set) * MEETINGS + (int32_t)threadIdx.x] = 0;
    if (g.fits) {
        meet_all_blocks(&arrived[0]);
        if (blockIdx.x == 0 && threadIdx.x == 0)
            w.grid->turn = 1 - g.set;
        for (int32_t tile = (int32_t)blockIdx.x; tile < tiles_of(v, g); tile += (int32_t)gridDim.x)
            scan_tile(v, w, g, tile);
        meet_all_blocks(&arrived[1]);
    }
    while (i < v.n) {
        place_bead(v, w, g, i, bead);
        i += (int32_t)(gridDim.x * SCAN_BLOCK);
        if (i < v.n)
            bead = unplaced(v, i);
    }
}

/* Such blocks are claimed, so that those of all states have room together. */
AmphiStatus AMPHI_T(cells_claim)(Device *d, AmphiError *err)
{
    const int32_t wanted = (int32_t)blocks_of(d->view.n, SCAN_BLOCK);
    const int32_t n      = wanted < d->n_processors ? wanted : d->n_processors;
    int           each   = 0;

    if (!is_small(&d->view))
        return AMPHI_OK;
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, k_sort_beads, SCAN_BLOCK, 0));
    d->claimed   = amphi_device_claim(n, each, d->n_processors);
    d->n_meeting = d->claimed > 0 ? n : 0;
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(cells_build)(Device *d, AmphiError *err)
{
    const View      &v     = d->view;
    const CellsWork &w     = d->cells->work;
    const uint32_t   beads = blocks_of(v.n, BEAD_BLOCK);

    if (d->n_meeting > 0) {
        k_sort_beads<<<(uint32_t)d->n_meeting, SCAN_BLOCK, 0, d->stream>>>(v, w);
        CUDA_TRY_LAUNCH();
        return AMPHI_T(rows_fill)(d, err);
    }
    k_count_beads<<<beads, BEAD_BLOCK, 0, d->stream>>>(v, w);
    CUDA_TRY_LAUNCH();
    k_scan_counts<<<(uint32_t)w.n_tiles, SCAN_BLOCK, 0, d->stream>>>(v, w);
    CUDA_TRY_LAUNCH();
    k_place_beads<<<beads, BEAD_BLOCK, 0, d->stream>>>(v, w);
    CUDA_TRY_LAUNCH();
    return AMPHI_T(rows_fill)(d, err);
}
