/* The list's order in space: when it is stale, the grid, and beads sorted by kind, cell and number.
 * The rows themselves: rows.cu.
 *
 * Integer atomics only, and none whose order shows: a bead's slot is its group's first plus the
 * number of lower beads in the group. Every kernel of a build returns at once unless the ledger
 * says stale, so that a build can stand in a graph or be launched at any time.
 */
#include "cells.h"
#include "pair_row.h"

#include <math.h>

#include "stale.h"

extern "C" {
#include "../engine/arena.h"
#include "../engine/list_margin.h"
#include "../engine/units.h"
}

enum { SCAN_BLOCK = 256, SCAN_EACH = 8, SCAN_TILE = SCAN_BLOCK * SCAN_EACH };

/* ---- is it stale? ---- */

__global__ static void __launch_bounds__(BEAD_BLOCK) k_check_beads(const View v)
{
    const int32_t i = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    ListRoom      room;

    if (v.ledger->fault != 0 || i >= v.n)
        return;
    room = room_of(v, v.ledger->box_nm);
    if (has_moved(v, &room, i, v.position_nm[i]))
        v.ledger->stale = 1;
}

static uint32_t blocks_of(int64_t n, int32_t each)
{
    return (uint32_t)((n + each - 1) / each);
}

AmphiStatus AMPHI_T(cells_check)(Device *d, AmphiError *err)
{
    k_check_beads<<<blocks_of(d->view.n, BEAD_BLOCK), BEAD_BLOCK, 0, d->stream>>>(d->view);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

/* ---- the grid ---- */

/* Columns of at least half the reach, cut in sixths of it; no more cells than there is room for. */
__host__ __device__ static void count_cells(const View *v, const double box_nm[3], int64_t most,
                                            int32_t n[3])
{
    const double a_reach = 1 / reach_of(v);

    for (int a = 0; a < 3; a++) {
        const double fit = floor((a < 2 ? 2 : 6) * box_nm[a] * a_reach);

        n[a] = (int32_t)fmin(fmax(fit, 1.0), (double)MOST_CELLS_ALONG);
    }
    while ((int64_t)n[0] * n[1] * n[2] > most) {
        const int32_t largest = n[0] >= n[1] && n[0] >= n[2] ? 0 : n[1] >= n[2] ? 1 : 2;

        n[largest]--;
    }
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
        g->units_per_cell[a] = 4294967296.0 / g->n_cells[a];
        g->cells_per_unit[a] = g->n_cells[a] * (1 / 4294967296.0);
        g->reach_units[a]    = reach / box_nm * 4294967296.0;
        g->nm_per_unit[a]    = (float)(box_nm * (1 / 4294967296.0));
    }
    g->reach2_nm2 = (float)(reach * reach);
    g->short2_nm2 = (float)(shorter * shorter);
    g->ticket = g->done = g->n_sorted = 0;
    g->longest_short = g->wants_order = 0;
}

__device__ static void tell_grid(const View &v, const CellsWork &w, const Grid &g)
{
    Ledger *l = v.ledger;

    *w.grid = g;
    for (int a = 0; a < 3; a++)
        l->built_box_nm[a] = l->box_nm[a];
    l->longest_row = l->fault_size = 0;
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
    const int32_t first = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    const int32_t step  = (int32_t)(gridDim.x * BEAD_BLOCK);
    const int4    none  = { 0, 0, 0, 0 };

    for (int32_t k = first; k < w.n_keys / 4; k += step)
        ((int4 *)counts_of(w, set))[k] = ((int4 *)firsts_of(w, set))[k] = none;
    for (int32_t k = first; k < w.n_tiles; k += step)
        w.tile[k] = 0;
}

/* ---- the order of beads ---- */

__device__ static Place place_of(const View &v, const Grid &g, const double at_nm[3])
{
    uint32_t units[3];
    Place    p;

    for (int a = 0; a < 3; a++) {
        const Coordinate at = coordinate_of(at_nm[a], v.ledger->box_nm[a]);
#ifdef AMPHI_BUILD_DOUBLE
        units[a] = (uint32_t)(uint64_t)(at * 4294967296.0);
#else
        units[a] = (uint32_t)at;
#endif
    }
    p.x = units[0];
    p.y = units[1];
    p.z = units[2];
    for (int a = 0; a < 2; a++)
        p.column[a] = (uint16_t)(units[a] * (uint64_t)g.n_cells[a] >> 32);
    return p;
}

__device__ static int32_t cell_of_place(const Grid &g, const Place &p)
{
    const int32_t n_z = g.n_cells[2], column = column_number(g, p.column[0], p.column[1]);
    const int32_t z = (int32_t)(p.z * (uint64_t)n_z >> 32);

    return column * n_z + (column & 1 ? n_z - 1 - z : z);
}

/* Beads into chains, one a group of a kind and a cell. A bead that is nowhere has no group, and it
 * is the next kernel but one that tells a fault: all blocks of this one must agree. */
__global__ static void __launch_bounds__(BEAD_BLOCK) k_count_beads(const View v, const CellsWork w)
{
    __shared__ Grid g;
    const int32_t   i = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    int32_t         key;
    double          at_nm[3];

    if (v.ledger->fault != 0 || v.ledger->stale == 0)
        return;
    if (threadIdx.x == 0) {
        plan_grid(v, w, &g);
        if (blockIdx.x == 0)
            tell_grid(v, w, g);
    }
    __syncthreads();
    if (!g.fits)
        return;
    clear_counts(w, 1 - g.set);
    if (i >= v.n)
        return;
    expected_place(v, i, at_nm);
    for (int a = 0; a < 3; a++)
        v.built_nm[i][a] = at_nm[a];
    for (int a = 0; a < 3; a++)
        if (!isfinite(v.position_nm[i][a])) {
            atomicMin(&v.ledger->fault_bead, i);
            v.cell_of[i] = -1;
            return;
        }
    key = v.kind_of[v.bead_type[i]].kind * g.cells + cell_of_place(g, place_of(v, g, at_nm));
    v.cell_of[i] = key;
    atomicAdd(&counts_of(w, g.set)[key], 1);
    w.next[i] = atomicExch(&firsts_of(w, g.set)[key], i + 1);
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

/* The first slot of every group: sums of the counts before it, in one pass over tiles. Blocks wait
 * for each other here, so nothing may raise a fault while it runs. */
__global__ static void __launch_bounds__(SCAN_BLOCK) k_scan_counts(const View v, const CellsWork w)
{
    __shared__ int32_t tile, before, warp_end[SCAN_BLOCK / 32];
    const int32_t      lane = (int32_t)threadIdx.x % 32, warp = (int32_t)threadIdx.x / 32;
    const int32_t     *counts;
    int32_t            count[SCAN_EACH], own = 0, end, at;

    if (v.ledger->fault != 0 || v.ledger->stale == 0 || w.grid->fits == 0)
        return;
    if (threadIdx.x == 0)
        tile = (int32_t)atomicAdd(&w.grid->ticket, 1u);
    __syncthreads();
    if (tile == 0 && threadIdx.x == 0)
        w.grid->turn = 1 - w.grid->set;
    if (tile * SCAN_TILE > v.n_kinds * w.grid->cells)
        return;
    counts = counts_of(w, w.grid->set);
    at     = tile * SCAN_TILE + (int32_t)threadIdx.x * SCAN_EACH;
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
        if (at + k <= v.n_kinds * w.grid->cells)
            v.cell_start[at + k] = end;
        end += count[k];
    }
}

/* Beads before this one in the order of cells alone: of its own kind, and of the others. */
__device__ static int32_t rank_in_space(const View &v, int32_t cells, int32_t key, int32_t slot)
{
    const int32_t kind = key / cells, cell = key % cells;
    int32_t       rank = slot - v.cell_start[kind * cells];

    for (int32_t t = 0; t < v.n_kinds; t++)
        if (t != kind)
            rank += v.cell_start[t * cells + cell + (t < kind)] - v.cell_start[t * cells];
    return rank;
}

__global__ static void __launch_bounds__(BEAD_BLOCK) k_place_beads(const View v, const CellsWork w)
{
    const int32_t i = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    int32_t       key, slot;

    if (v.ledger->fault != 0 || v.ledger->stale == 0 || i >= v.n)
        return;
    key = w.grid->fits ? v.cell_of[i] : -1;
    if (key < 0) {
        atomicOr(&v.ledger->fault, (uint32_t)(w.grid->fits ? FAULT_NOT_FINITE : FAULT_BOX));
        return;
    }
    slot = v.cell_start[key];
    for (int32_t j = firsts_of(w, w.grid->set)[key]; j != 0; j = w.next[j - 1])
        slot += j - 1 < i;
    v.slot_of[i]    = slot;
    v.bead_of[slot] = i;
    v.type_of[slot] = v.bead_type[i];
    write_records(v, i, slot, v.ledger->box_nm, v.position_nm[i], v.orientation[i]);
    w.place[slot] = place_of(v, *w.grid, v.built_nm[i]);

    w.in_space[rank_in_space(v, w.grid->cells, key, slot)] = slot;
}

AmphiStatus AMPHI_T(cells_build)(Device *d, AmphiError *err)
{
    const View      &v     = d->view;
    const CellsWork &w     = d->cells->work;
    const uint32_t   beads = blocks_of(v.n, BEAD_BLOCK);

    k_count_beads<<<beads, BEAD_BLOCK, 0, d->stream>>>(v, w);
    CUDA_TRY_LAUNCH();
    k_scan_counts<<<(uint32_t)w.n_tiles, SCAN_BLOCK, 0, d->stream>>>(v, w);
    CUDA_TRY_LAUNCH();
    k_place_beads<<<beads, BEAD_BLOCK, 0, d->stream>>>(v, w);
    CUDA_TRY_LAUNCH();
    return AMPHI_T(rows_fill)(d, err);
}

/* ---- open and grow ---- */

/* Exclusions by bead, both ways: counted, then filled in from the back. */
static void index_exclusions(const AmphiSystem *s, int32_t *start, int32_t *other)
{
    for (int32_t k = 0; k < s->n_exclusions; k++)
        for (int side = 0; side < 2; side++)
            start[s->exclusion[k][side]]++;
    for (int32_t i = 1; i <= s->n_beads; i++)
        start[i] += start[i - 1];
    for (int32_t k = s->n_exclusions - 1; k >= 0; k--)
        for (int side = 0; side < 2; side++)
            other[--start[s->exclusion[k][side]]] = s->exclusion[k][1 - side];
}

static AmphiStatus put_exclusions(Device *d, AmphiError *err)
{
    const AmphiSystem *s       = d->system;
    const int64_t      n_other = 2 * (int64_t)s->n_exclusions;
    AmphiArena        *arena   = amphi_arena_new();
    int32_t           *start   = arena != NULL ? AMPHI_TAKE(arena, int32_t, s->n_beads + 1) : NULL;
    int32_t           *other   = arena != NULL ? AMPHI_TAKE(arena, int32_t, n_other) : NULL;
    AmphiStatus        status;

    if (arena == NULL || amphi_arena_failed(arena)) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d exclusions", s->n_exclusions);
    }
    index_exclusions(s, start, other);
    for (int32_t i = 0; i < s->n_beads; i++)
        d->cells->most_exclusions = max(d->cells->most_exclusions, start[i + 1] - start[i]);
    status = amphi_device_put_array(&d->memory, start, (int64_t)s->n_beads + 1, d->stream,
                                    &d->view.exclusion_start, err);
    if (status == AMPHI_OK)
        status =
            amphi_device_put_array(&d->memory, other, n_other, d->stream, &d->view.exclusion, err);
    amphi_arena_free(arena);
    return status;
}

static int64_t kind_of_type(const Device *d, int64_t type)
{
    return d->kind_of[d->type_rank[type]].kind;
}

/* Which kinds have a sticky term between them, and how far the longest of them reaches. */
static AmphiStatus put_short_pairs(Device *d, AmphiError *err)
{
    const AmphiSystem *s       = d->system;
    const int64_t      n_pairs = (int64_t)s->n_types * s->n_types;
    const int64_t      n_kinds = d->view.n_kinds;
    double             longest = 0;
    uint8_t           *is_short;
    AmphiStatus        status = AMPHI_OK;

    is_short = (uint8_t *)amphi_alloc(n_kinds * n_kinds, sizeof *is_short);
    if (is_short == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bead types", s->n_types);
    for (int64_t p = 0; p < n_pairs; p++)
        for (int32_t k = 0; k < s->pair_rule[p].n_terms; k++)
            if (s->pair_rule[p].term[k].kind == PAIR_sticky) {
                is_short[kind_of_type(d, p / s->n_types) * n_kinds +
                         kind_of_type(d, p % s->n_types)] = 1;
                longest = fmax(longest, s->pair_rule[p].term[k].treatment.cutoff_nm);
            }
    d->view.short_cutoff_nm = longest;
    if (longest > 0)
        status = amphi_device_put_array(&d->memory, is_short, n_kinds * n_kinds, d->stream,
                                        &d->view.is_short, err);
    amphi_release(is_short);
    return status;
}

/* Rows begin at whole sectors of memory, and hold whole rounds of their lanes. */
static int32_t whole_rounds(const View *v, double entries)
{
    const int32_t round = 2 * v->lanes;

    return ((int32_t)entries + round - 1) / round * round;
}

/* Entries that a row is expected to need: the mean, with room for denser places (a row of a
 * membrane is at most a tenth longer), and it grows when that is too short. */
static double expected_entries(const View *v, const double box_nm[3], double cutoff_nm)
{
    const double reach = cutoff_nm + v->margin_nm;
    const double mean =
        v->n / (box_nm[0] * box_nm[1] * box_nm[2]) * 4.18879 * reach * reach * reach;

    return fmin(1.125 * mean + 16, v->n);
}

static AmphiStatus take_rows(Device *d, int32_t stride, int32_t short_stride, AmphiError *err)
{
    View *v = &d->view;

    if (stride > v->stride) {
        amphi_device_drop(&d->memory, v->row);
        v->stride = stride;
        /* cleared: what is behind an end is read too, and is always the number of some slot */
        AMPHI_TRY(amphi_device_take_array(&d->memory, (int64_t)v->n * stride, &v->row, err));
    }
    if (short_stride > v->short_stride) {
        amphi_device_drop(&d->memory, v->short_row);
        v->short_stride = short_stride;
        return amphi_device_take_array(&d->memory, (int64_t)v->n * short_stride, &v->short_row,
                                       err);
    }
    return AMPHI_OK;
}

/* Room for a box that grows by a third. No more than two cells a bead: a box that is nearly empty
 * has wider cells. */
static AmphiStatus take_cells(Device *d, AmphiError *err)
{
    View         *v     = &d->view;
    CellsWork    *w     = &d->cells->work;
    const int64_t large = INT32_MAX / 4 / v->n_kinds;
    const int64_t few   = v->n < 2048 ? 4096 : 2 * (int64_t)v->n;
    int32_t       n_cells[3];
    int64_t       cells;

    count_cells(v, d->system->box_nm, large < few ? large : few, n_cells);
    cells        = (int64_t)n_cells[0] * n_cells[1] * n_cells[2];
    cells        = cells + cells / 3 + 1;
    v->max_cells = (int32_t)(cells < large ? cells : large);
    w->n_tiles   = (int32_t)blocks_of((int64_t)v->n_kinds * v->max_cells + 1, SCAN_TILE);
    w->n_keys    = w->n_tiles * SCAN_TILE;
    AMPHI_TRY(amphi_device_take_array(&d->memory, 2 * (int64_t)w->n_keys, &w->count, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, 2 * (int64_t)w->n_keys, &w->first, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, v->n, &w->next, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, w->n_tiles, &w->tile, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, 1, &w->grid, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, v->n, &w->place, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, v->n, &w->in_space, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, (int64_t)v->n_kinds * v->max_cells + 1,
                                      &v->cell_start, err));
    return AMPHI_T(rows_open)(d, err);
}

static AmphiStatus take_slots(Device *d, AmphiError *err)
{
    View         *v        = &d->view;
    DeviceMemory *m        = &d->memory;
    const int64_t n_halves = (int64_t)half_of(v->n - 1) + RECORD_GROUP + 1;

    AMPHI_TRY(amphi_device_take_array(m, v->n, &v->bead_of, err));
    AMPHI_TRY(amphi_device_take_array(m, v->n, &v->slot_of, err));
    AMPHI_TRY(amphi_device_take_array(m, v->n, &v->type_of, err));
    AMPHI_TRY(amphi_device_take_array(m, v->n, &v->cell_of, err));
    if (sorts_rows(v->lanes))
        AMPHI_TRY(amphi_device_take_array(m, v->n, &v->in_order, err));
    AMPHI_TRY(amphi_device_take_array(m, v->n, &v->built_nm, err));
    AMPHI_TRY(amphi_device_take_array(m, (int64_t)v->n * v->n_kinds, &v->segment, err));
    for (int k = 0; k < RECORD_KINDS; k++)
        if (k == DIPOLES || (v->records & 1u << k) != 0)
            AMPHI_TRY(amphi_device_take_array(m, n_halves, &v->record[k], err));
    return AMPHI_OK;
}

static AmphiStatus mark_stale(Device *d, AmphiError *err)
{
    const int32_t yes = 1;

    return amphi_device_put(&d->view.ledger->stale, &yes, sizeof yes, d->stream, err);
}

/* Rows for the present margin, in a box; the list is stale after it. */
static AmphiStatus fit_rows(Device *d, const double box_nm[3], AmphiError *err)
{
    const View  *v       = &d->view;
    const double entries = expected_entries(v, box_nm, v->cutoff_nm) + v->n_kinds * v->lanes;
    const double shorter =
        v->short_cutoff_nm > 0 ? expected_entries(v, box_nm, v->short_cutoff_nm) : 0;

    AMPHI_TRY(take_rows(d, whole_rounds(v, entries), whole_rounds(v, shorter), err));
    return mark_stale(d, err);
}

AmphiStatus AMPHI_T(cells_open)(Device *d, AmphiError *err)
{
    const double *box_nm = d->system->box_nm;
    View         *v      = &d->view;

    d->cells = AMPHI_TAKE(d->mirror->arena, struct CellsPlan, 1);
    if (d->cells == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a neighbour list");
    AMPHI_TRY(put_exclusions(d, err));
    AMPHI_TRY(put_short_pairs(d, err));
    AMPHI_TRY(take_slots(d, err));
    AMPHI_TRY(take_cells(d, err));
    if (v->short_cutoff_nm > 0)
        AMPHI_TRY(amphi_device_take_array(&d->memory, v->n, &v->short_end, err));
    return fit_rows(d, box_nm, err);
}

/* ---- the margin ---- */

/* Thermal velocities of one degree of freedom that the bead which ends a list keeps going on
 * average: ELBA membranes at 5 and 10 fs and SSD water at 2 fs, of some thousand beads. */
static const double fastest = 3;
/* A list over the forces, both at a margin of 0.1 nm: one H200, ELBA membranes of 5888 and 94 208
 * beads and SSD water. */
static const double build_cost = 3;
/* Of a stage without a thermostat. */
static const double room_K = 300;

static double margin_for(const Device *d, const AmphiStage *stage)
{
    const AmphiSystem *s       = d->system;
    const double       asked_K = stage->thermostat.temperature_K;
    const double       kT      = AMPHI_BOLTZMANN * (asked_K > 0 ? asked_K : room_K);
    double             least_u = HUGE_VAL, nm_step;

    for (int32_t k = 0; k < s->n_types; k++)
        least_u = fmin(least_u, s->type[k].mass_u);
    nm_step = fastest * stage->dt_ps * sqrt(kT / least_u);
    if (stage->ensemble == AMPHI_MINIMISE || !(nm_step > 0))
        return AMPHI_DEVICE_MARGIN_NM;
    return amphi_margin_choose(s->cutoff_nm, AMPHI_DEVICE_MARGIN_NM,
                               AMPHI_DEVICE_MARGIN_NM / (2 * nm_step), build_cost);
}

AmphiStatus AMPHI_T(cells_begin_stage)(Device *d, const AmphiStage *stage, AmphiError *err)
{
    const double margin_nm = d->tunes_margin ? margin_for(d, stage) : d->view.margin_nm;

    if (margin_nm == d->view.margin_nm)
        return AMPHI_OK;
    d->view.margin_nm = margin_nm;
    return fit_rows(d, d->mirror->box_nm, err);
}

/* What the short rows need stands in the grid: nobody else asks for it. */
AmphiStatus AMPHI_T(cells_grow)(Device *d, int32_t longest_row, AmphiError *err)
{
    Grid    g;
    int32_t stride, short_stride;

    AMPHI_TRY(amphi_device_get(&g, d->cells->work.grid, sizeof g, d->stream, err));
    stride       = whole_rounds(&d->view, longest_row);
    short_stride = g.longest_short > d->view.short_stride
                       ? whole_rounds(&d->view, 1.125 * g.longest_short)
                       : 0;
    AMPHI_TRY(take_rows(d, stride, short_stride, err));
    return mark_stale(d, err);
}
