/* Rows of the neighbour list. A block takes a bar of cells, copies the beads of the cells around it
 * into shared memory, and each warp tests two beads of the bar against 32 of them at a time.
 *
 * Candidates stand by type, then by layer across x, then by y, z and slot; a bead meets those of the
 * five layers around its own cell. So a row is in the order of type, cells and slots, whatever the
 * length of bars. More candidates than there is room for are taken in several turns: between turns a
 * row's length stands in its last segment's end.
 */
#include "cells.h"

enum {
    ROWS_BLOCK = 256,
    WARPS      = ROWS_BLOCK / 32,
    TILE       = 2, /* beads a warp tests at a time */
    MOST_PARTS = 2, /* stretches of slots that five cells along z can be */
    MOST_DEPTH = 8
};

/* nm from the middle of the bar; in a small box units of 2^-32 of it, so that differences wrap to the
 * nearest image. */
typedef union {
    float   nm;
    int32_t units;
} Place;

typedef struct __align__(16)
{
    Place   x, y, z;
    int32_t slot;
}
Candidate;

typedef struct {
    int32_t x, y, z; /* its first cell */
    int32_t n_homes; /* cells of the bar */
    int32_t n_layers, n_columns, n_parts, n_runs, runs_a_layer;
    int32_t part_from[MOST_PARTS], part_to[MOST_PARTS]; /* along z */
    int32_t centre[3];                                  /* units of 2^-32 of the box */
} Bar;

/* In shared memory. Runs are stretches of slots by type, layer, column along y and part along z;
 * homes are the bar's own groups, by cell and type. Both starts have one entry more: the sum. */
typedef struct {
    Candidate *candidate;            /* [room + 32] */
    int32_t   *run_from, *run_start; /* slot; place among candidates */
    int32_t   *home_from, *home_start;
} Tables;

/* One bead of the bar whose row is filled. */
typedef struct {
    Place    x, y, z;
    int32_t *row;
    int32_t  slot, used, n_short;
    int32_t  first_layer;
    int32_t  picky; /* its number if it has exclusions, else -1 */
} Home;

__host__ __device__ static int32_t most_runs(int32_t n_types, int32_t depth)
{
    return n_types * (depth + WINDOW - 1) * WINDOW * MOST_PARTS;
}

__device__ static Tables tables_in(Candidate *shared, int32_t n_types, const CellsWork &w)
{
    const int32_t n_runs = most_runs(n_types, w.depth), n_homes = n_types * w.depth;
    Tables        s;

    s.candidate  = shared;
    s.run_from   = (int32_t *)(shared + w.room + 32);
    s.run_start  = s.run_from + n_runs;
    s.home_from  = s.run_start + n_runs + 1;
    s.home_start = s.home_from + n_homes;
    return s;
}

static size_t bytes_of(int32_t n_types, int32_t depth, int32_t room)
{
    return sizeof(Candidate) * (size_t)(room + 32) +
           sizeof(int32_t) * (size_t)(2 * most_runs(n_types, depth) + 1) +
           sizeof(int32_t) * (size_t)(2 * n_types * depth + 1);
}

/* ---- the cells around ---- */

/* The k-th of the cells around c along one axis, each once: all of them where there are few. */
__device__ static int32_t around(int32_t c, int32_t k, int32_t n)
{
    return n <= WINDOW ? k : (c - WINDOW / 2 + k + n) % n;
}

__device__ static int32_t middle(int32_t first, int32_t n, double units_per_cell)
{
    return (int32_t)(uint32_t)((first + 0.5 * n) * units_per_cell);
}

__device__ static Bar bar_of(const View &v, const Grid &g, int32_t depth, int32_t number)
{
    const int32_t *n       = g.n_cells;
    const int32_t  columns = n[1] * n[2];
    Bar            b;

    b.x            = number / columns * depth;
    b.y            = number % columns / n[2];
    b.z            = number % n[2];
    b.n_homes      = min(depth, n[0] - b.x);
    b.n_layers     = n[0] <= WINDOW ? n[0] : b.n_homes + WINDOW - 1;
    b.n_columns    = min(n[1], WINDOW);
    b.part_from[0] = n[2] <= WINDOW ? 0 : max(b.z - WINDOW / 2, 0);
    b.part_to[0]   = n[2] <= WINDOW ? n[2] : min(b.z + WINDOW / 2 + 1, n[2]);
    b.n_parts      = b.part_to[0] - b.part_from[0] == min(n[2], WINDOW) ? 1 : 2;
    b.part_from[1] = b.z < WINDOW / 2 ? n[2] + b.z - WINDOW / 2 : 0;
    b.part_to[1]   = b.z < WINDOW / 2 ? n[2] : b.z + WINDOW / 2 + 1 - n[2];
    b.runs_a_layer = b.n_columns * b.n_parts;
    b.n_runs       = v.n_types * b.n_layers * b.runs_a_layer;
    b.centre[0]    = middle(b.x, b.n_homes, g.units_per_cell[0]);
    b.centre[1]    = middle(b.y, 1, g.units_per_cell[1]);
    b.centre[2]    = middle(b.z, 1, g.units_per_cell[2]);
    return b;
}

__device__ static void list_runs(const View &v, const Grid &g, const Bar &b, const Tables &s)
{
    for (int32_t r = (int32_t)threadIdx.x; r < b.n_runs; r += ROWS_BLOCK) {
        const int32_t  part = r % b.n_parts, column = r / b.n_parts % b.n_columns;
        const int32_t  layer = r / b.runs_a_layer % b.n_layers;
        const int32_t  type  = r / b.runs_a_layer / b.n_layers;
        const int32_t  x     = around(b.x, layer, g.n_cells[0]);
        const int32_t  y     = around(b.y, column, g.n_cells[1]);
        const int32_t *start =
            v.cell_start + type * g.cells + (x * g.n_cells[1] + y) * g.n_cells[2];

        s.run_from[r]  = start[b.part_from[part]];
        s.run_start[r] = start[b.part_to[part]] - s.run_from[r];
    }
}

__device__ static void list_homes(const View &v, const Grid &g, const Bar &b, const Tables &s)
{
    for (int32_t k = (int32_t)threadIdx.x; k < b.n_homes * v.n_types; k += ROWS_BLOCK) {
        const int32_t  cell  = ((b.x + k / v.n_types) * g.n_cells[1] + b.y) * g.n_cells[2] + b.z;
        const int32_t *start = v.cell_start + k % v.n_types * g.cells + cell;

        s.home_from[k]  = start[0];
        s.home_start[k] = start[1] - start[0];
    }
}

/* Lengths to starts, by one warp; the sum behind them. */
__device__ static void add_up(int32_t *a, int32_t n)
{
    const int32_t lane   = (int32_t)threadIdx.x % 32;
    int32_t       before = 0;

    for (int32_t k = lane; k - lane < n; k += 32) {
        const int32_t own = k < n ? a[k] : 0;
        int32_t       sum = own;

        for (int32_t far = 1; far < 32; far *= 2) {
            const int32_t other = __shfl_up_sync(ALL_LANES, sum, (uint32_t)far);

            sum += lane >= far ? other : 0;
        }
        if (k < n)
            a[k] = before + sum - own;
        before += __shfl_sync(ALL_LANES, sum, 31);
    }
    if (lane == 0)
        a[n] = before;
}

/* ---- candidates ---- */

template <bool WRAPS>
__device__ static __forceinline__ Place place_of(Coordinate at, int32_t centre, float nm_per_unit)
{
    Place p;

    p.units = (int32_t)(units_of(at) - (uint32_t)centre);
    if (!WRAPS)
        p.nm = (float)p.units * nm_per_unit;
    return p;
}

template <bool WRAPS>
__device__ static __forceinline__ Candidate candidate_of(const View &v, const Grid &g, const Bar &b,
                                                         int32_t slot)
{
    const RecordPlace *r = &places_of(v, DIPOLES)[slot];
    Candidate          c;

    c.x    = place_of<WRAPS>(r->at[0], b.centre[0], g.nm_per_unit[0]);
    c.y    = place_of<WRAPS>(r->at[1], b.centre[1], g.nm_per_unit[1]);
    c.z    = place_of<WRAPS>(r->at[2], b.centre[2], g.nm_per_unit[2]);
    c.slot = slot;
    return c;
}

/* Those with places from lo on; eight threads a run, which has a few beads. */
template <bool WRAPS>
__device__ static void gather(const View &v, const Grid &g, const Bar &b, const Tables &s,
                              int32_t lo, int32_t room)
{
    enum { EACH = 8 };

    for (int32_t r = (int32_t)threadIdx.x / EACH; r < b.n_runs; r += ROWS_BLOCK / EACH) {
        const int32_t from = s.run_from[r], start = s.run_start[r] - lo;
        const int32_t end = min(s.run_start[r + 1] - lo, room);

        for (int32_t k = start + (int32_t)threadIdx.x % EACH; k < end; k += EACH)
            if (k >= 0)
                s.candidate[k] = candidate_of<WRAPS>(v, g, b, from + k - start);
    }
}

/* ---- rows ---- */

__device__ static __forceinline__ int32_t *row_of(int32_t *rows, int32_t slot, int32_t stride)
{
    return rows + (int64_t)slot * stride;
}

/* Entries of the lanes that have one, in the order of lanes, from row[n] on; the new n. What is
 * beyond the room is only counted. */
__device__ static __forceinline__ int32_t append(bool takes, int32_t slot, int32_t *row,
                                                 int32_t room, int32_t n)
{
    const uint32_t mask = __ballot_sync(ALL_LANES, takes);
    const uint32_t k    = (uint32_t)(n + __popc(mask & ((1u << threadIdx.x % 32) - 1)));

    if (takes && k < (uint32_t)room)
        row[k] = slot;
    return n + __popc(mask);
}

/* Takes those of the wanted lanes' slots out of row[from, to); the new end. In place: a group of 32
 * is read before any of it is written, and none is written behind it. */
__device__ static int32_t drop_slots(int32_t *row, int32_t from, int32_t to, int32_t slot,
                                     uint32_t wanted)
{
    const int32_t lane = (int32_t)threadIdx.x % 32;
    int32_t       kept = from;

    __syncwarp();
    for (int32_t k = from + lane; k - lane < to; k += 32) {
        const int32_t entry = k < to ? row[k] : -1;
        bool          stays = k < to;

        for (uint32_t left = wanted; left != 0; left &= left - 1) {
            const int32_t other = __shfl_sync(ALL_LANES, slot, __ffs((int)left) - 1);

            stays = stays && entry != other;
        }
        kept = append(stays, entry, row, to, kept);
    }
    __syncwarp();
    return kept;
}

/* Takes beads of a type (-1: of any) that do not interact with this one out of a stretch of its
 * row; the new end. */
__device__ static int32_t drop_exclusions(const View &v, int32_t bead, int32_t type, int32_t *row,
                                          int32_t from, int32_t to)
{
    const int32_t end = v.exclusion_start[bead + 1], lane = (int32_t)threadIdx.x % 32;

    for (int32_t e = v.exclusion_start[bead] + lane; e - lane < end; e += 32) {
        const int32_t  slot   = e < end ? v.slot_of[v.exclusion[e]] : -1;
        const bool     counts = e < end && (type < 0 || v.type_of[slot] == type);
        const uint32_t wanted = __ballot_sync(ALL_LANES, counts);

        if (wanted != 0)
            to = drop_slots(row, from, to, slot, wanted);
    }
    return to;
}

template <bool WRAPS, bool SHORT>
__device__ static Home home_of(const View &v, const Grid &g, const Bar &b, const Tables &s,
                               int32_t number, bool goes_on)
{
    const int32_t n_groups = b.n_homes * v.n_types, lane = (int32_t)threadIdx.x % 32;
    int32_t       group = -1, bead;
    Candidate     at;
    Home          me;

    for (int32_t k = lane; k - lane < n_groups; k += 32)
        group += __popc(__ballot_sync(ALL_LANES, k < n_groups && s.home_start[k] <= number));
    me.slot        = s.home_from[group] + number - s.home_start[group];
    me.first_layer = b.n_layers <= WINDOW ? 0 : group / v.n_types;
    at             = candidate_of<WRAPS>(v, g, b, me.slot);
    me.row         = row_of(v.row, me.slot, v.stride);
    me.x           = at.x;
    me.y           = at.y;
    me.z           = at.z;
    bead           = v.bead_of[me.slot];
    me.picky       = v.exclusion_start[bead] < v.exclusion_start[bead + 1] ? bead : -1;
    me.used        = goes_on ? v.segment_end[(int64_t)(me.slot + 1) * v.n_types - 1] : 0;
    me.n_short     = SHORT && goes_on ? v.short_end[me.slot] : 0;
    return me;
}

template <bool WRAPS>
__device__ static __forceinline__ float along(Place you, Place me, float nm_per_unit)
{
    return WRAPS ? (float)(int32_t)((uint32_t)you.units - (uint32_t)me.units) * nm_per_unit
                 : you.nm - me.nm;
}

/* What two beads meet of one type: places among the candidates. Both from [from, to), the first bead
 * those before end0, the second those from begin1 on. */
typedef struct {
    int32_t from, to, end0, begin1;
    bool    is_short[TILE]; /* has the pair of types a sticky term? */
} Meeting;

template <bool WRAPS, bool SHORT>
__device__ static __forceinline__ void
test_type(const View &v, const Grid &g, const Candidate *candidate, const Meeting &m, Home me[TILE])
{
    const float nx = g.nm_per_unit[0], ny = g.nm_per_unit[1], nz = g.nm_per_unit[2];
    const float reach2 = g.reach2_nm2;

    for (int32_t p = m.from + (int32_t)threadIdx.x % 32, base = m.from; base < m.to;
         p += 32, base += 32) {
        const Candidate c = candidate[p];

#pragma unroll
        for (int k = 0; k < TILE; k++) {
            const float dx = along<WRAPS>(c.x, me[k].x, nx), dy = along<WRAPS>(c.y, me[k].y, ny);
            const float dz = along<WRAPS>(c.z, me[k].z, nz), r2 = dx * dx + dy * dy + dz * dz;
            const bool  meets   = k == 0 ? p < m.end0 : p >= m.begin1 && p < m.to;
            const bool  is_near = meets && r2 < reach2 && c.slot != me[k].slot;

            me[k].used = append(is_near, c.slot, me[k].row, v.stride, me[k].used);
            if (SHORT && m.is_short[k])
                me[k].n_short = append(is_near && r2 < g.short2_nm2, c.slot,
                                       row_of(v.short_row, me[k].slot, v.short_stride),
                                       v.short_stride, me[k].n_short);
        }
    }
}

/* All of this type have been met. A row without room for them is of no use, and left as it is. */
template <bool SHORT>
__device__ static void close_segment(const View &v, Home *me, int32_t type, int32_t longest[2])
{
    int32_t   *end     = row_of(v.segment_end, me->slot, v.n_types);
    const bool is_last = type == v.n_types - 1, is_first_lane = threadIdx.x % 32 == 0;

    if (is_last && is_first_lane) {
        atomicMax(&longest[0], me->used);
        if (SHORT)
            atomicMax(&longest[1], me->n_short);
    }
    if (me->picky >= 0 && me->used <= v.stride) {
        __syncwarp();
        me->used =
            drop_exclusions(v, me->picky, type, me->row, type > 0 ? end[type - 1] : 0, me->used);
    }
    if (is_first_lane)
        end[type] = me->used;
    if (SHORT && is_last && me->picky >= 0 && me->n_short <= v.short_stride)
        me->n_short = drop_exclusions(
            v, me->picky, -1, row_of(v.short_row, me->slot, v.short_stride), 0, me->n_short);
}

/* The places of one type's candidates in the layers around both beads, less lo. */
template <bool SHORT>
__device__ static __forceinline__ Meeting meeting_of(const View &v, const Bar &b, const Tables &s,
                                                     int32_t type, int32_t lo, const Home me[TILE],
                                                     bool is_alone)
{
    const int32_t *start  = s.run_start + type * b.n_layers * b.runs_a_layer;
    const int32_t  window = min(b.n_layers, WINDOW);
    Meeting        m;

    m.from   = start[me[0].first_layer * b.runs_a_layer] - lo;
    m.end0   = start[(me[0].first_layer + window) * b.runs_a_layer] - lo;
    m.begin1 = start[me[1].first_layer * b.runs_a_layer] - lo;
    m.to     = start[(me[1].first_layer + window) * b.runs_a_layer] - lo;
    if (is_alone)
        m.begin1 = m.to;
    for (int k = 0; k < TILE; k++)
        m.is_short[k] = SHORT && v.is_short[v.type_of[me[k].slot] * v.n_types + type] != 0;
    return m;
}

/* Home beads `number` and the next, against the candidates with places [lo, lo + room). */
template <bool WRAPS, bool SHORT>
__device__ static void fill_tile(const View &v, const Grid &g, const Bar &b, const Tables &s,
                                 int32_t number, int32_t n_homes, int32_t lo, int32_t room,
                                 int32_t longest[2])
{
    const bool is_alone = number + 1 == n_homes;
    Home       me[TILE];

    me[0] = home_of<WRAPS, SHORT>(v, g, b, s, number, lo > 0);
    me[1] = home_of<WRAPS, SHORT>(v, g, b, s, number + !is_alone, lo > 0);
    for (int32_t t = 0; t < v.n_types; t++) {
        Meeting    m     = meeting_of<SHORT>(v, b, s, t, lo, me, is_alone);
        const bool is_in = m.to <= room && (m.to > 0 || lo == 0); /* do all end in this turn? */

        m.from = max(m.from, 0);
        m.to   = min(m.to, room);
        m.end0 = min(m.end0, room);
        test_type<WRAPS, SHORT>(v, g, s.candidate, m, me);
        if (!is_in)
            continue;
        close_segment<SHORT>(v, &me[0], t, longest);
        if (!is_alone)
            close_segment<SHORT>(v, &me[1], t, longest);
    }
    if (threadIdx.x % 32 != 0)
        return;
#pragma unroll
    for (int k = 0; k < TILE; k++)
        if (k == 0 || !is_alone) {
            v.segment_end[(int64_t)(me[k].slot + 1) * v.n_types - 1] = me[k].used;
            if (SHORT)
                v.short_end[me[k].slot] = me[k].n_short;
        }
}

/* Reading first saves most of the atomics: the largest only grows. */
__device__ static void keep_largest(int32_t *largest, int32_t x)
{
    if (x > *(const volatile int32_t *)largest)
        atomicMax(largest, x);
}

template <bool WRAPS, bool SHORT>
__device__ static void fill_bar(const View &v, const CellsWork &w, const Bar &b, const Tables &s,
                                int32_t longest[2])
{
    const Grid   &g       = *w.grid;
    const int32_t n       = s.run_start[b.n_runs];
    const int32_t n_homes = s.home_start[b.n_homes * v.n_types];
    const int32_t first   = (int32_t)threadIdx.x / 32 * TILE;

    if (threadIdx.x == 0)
        keep_largest(&v.ledger->most_candidates, n);
    for (int32_t lo = 0; lo < n && n_homes > 0; lo += w.room) {
        gather<WRAPS>(v, g, b, s, lo, w.room);
        __syncthreads();
        for (int32_t k = first; k < n_homes; k += WARPS * TILE)
            fill_tile<WRAPS, SHORT>(v, g, b, s, k, n_homes, lo, w.room, longest);
        __syncthreads();
    }
}

/* By the last block: the list stands, or there was no room for it. All blocks have looked at the
 * ledger before. */
__device__ static void end_build(const View &v, const CellsWork &w)
{
    const int32_t longest = atomicMax(&v.ledger->longest_row, 0);

    if (longest > v.stride || atomicMax(&w.grid->longest_short, 0) > v.short_stride) {
        v.ledger->fault_size = longest;
        atomicOr(&v.ledger->fault, (uint32_t)FAULT_ROWS);
        return;
    }
    v.ledger->stale = 0;
    v.ledger->n_builds++;
}

/* SHORT: has any pair of types a sticky term? */
template <bool SHORT>
__global__ static void __launch_bounds__(ROWS_BLOCK, 5) fill_rows(const View v, const CellsWork w)
{
    extern __shared__ Candidate shared[];
    __shared__ Bar              bar;
    __shared__ int32_t          longest[2]; /* row, short row */
    const Tables                s    = tables_in(shared, v.n_types, w);
    const int32_t               warp = (int32_t)threadIdx.x / 32;

    if (v.ledger->fault != 0 || v.ledger->stale == 0)
        return;
    if (threadIdx.x < 2)
        longest[threadIdx.x] = 0;
    for (int32_t k = (int32_t)blockIdx.x; k < w.grid->n_bars; k += (int32_t)gridDim.x) {
        if (threadIdx.x == 0)
            bar = bar_of(v, *w.grid, w.depth, k);
        __syncthreads();
        list_runs(v, *w.grid, bar, s);
        list_homes(v, *w.grid, bar, s);
        __syncthreads();
        if (warp == 0)
            add_up(s.run_start, bar.n_runs);
        if (warp == 1)
            add_up(s.home_start, bar.n_homes * v.n_types);
        __syncthreads();
        if (w.grid->wraps)
            fill_bar<true, SHORT>(v, w, bar, s, longest);
        else
            fill_bar<false, SHORT>(v, w, bar, s, longest);
        __syncthreads();
    }
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    keep_largest(&v.ledger->longest_row, longest[0]);
    keep_largest(&w.grid->longest_short, longest[1]);
    __threadfence();
    if (atomicAdd(&w.grid->done, 1u) == gridDim.x - 1)
        end_build(v, w);
}

AmphiStatus AMPHI_T(rows_fill)(Device *d, AmphiError *err)
{
    const struct CellsPlan *c = d->cells;

    if (d->view.short_row != NULL)
        fill_rows<true>
            <<<(uint32_t)c->n_blocks, ROWS_BLOCK, c->shared_bytes, d->stream>>>(d->view, c->work);
    else
        fill_rows<false>
            <<<(uint32_t)c->n_blocks, ROWS_BLOCK, c->shared_bytes, d->stream>>>(d->view, c->work);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

/* ---- how much a block takes ---- */

static AmphiStatus allow_shared(struct CellsPlan *c, size_t bytes, AmphiError *err)
{
    const cudaFuncAttribute limit = cudaFuncAttributeMaxDynamicSharedMemorySize;

    CUDA_TRY(cudaFuncSetAttribute(fill_rows<false>, limit, (int)bytes));
    CUDA_TRY(cudaFuncSetAttribute(fill_rows<true>, limit, (int)bytes));
    c->shared_bytes = bytes;
    return AMPHI_OK;
}

/* Candidates of a bar, with room for places half as dense again as the mean. */
static int32_t expected_candidates(const Device *d, const int32_t n_cells[3], int32_t depth)
{
    const double cells   = (double)n_cells[0] * n_cells[1] * n_cells[2];
    const double layers  = min(n_cells[0], depth + WINDOW - 1);
    const double columns = (double)min(n_cells[1], WINDOW) * min(n_cells[2], WINDOW);
    const double mean    = d->view.n / cells * layers * columns;

    return 64 + (int32_t)(mean < 1e6 ? 1.55 * mean : 1.55e6);
}

/* Long bars copy fewer candidates a bead, short ones make enough blocks for the device: four for
 * each processor. Five blocks should fit on one at a time. */
AmphiStatus AMPHI_T(rows_open)(Device *d, const int32_t n_cells[3], AmphiError *err)
{
    enum { FIVE_A_PROCESSOR = 40 << 10, LEAST_ROOM = 256 };
    struct CellsPlan *c       = d->cells;
    CellsWork        *w       = &c->work;
    const int32_t     n_types = d->view.n_types;
    const int64_t     cells   = (int64_t)n_cells[0] * n_cells[1] * n_cells[2];
    const int64_t     wanted  = cells / (4 * (int64_t)d->n_processors);
    int               limit   = 0;

    CUDA_TRY(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    limit -= 1024; /* what the kernel has beside it, and the system's own */
    w->depth = wanted < 1 ? 1 : wanted > MOST_DEPTH ? MOST_DEPTH : (int32_t)wanted;
    while (w->depth > 1 && bytes_of(n_types, w->depth, expected_candidates(d, n_cells, w->depth)) >
                               FIVE_A_PROCESSOR)
        w->depth--;
    if ((int64_t)bytes_of(n_types, w->depth, LEAST_ROOM) > limit)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%d bead types are more than the device's shared memory has room for",
                          n_types);
    c->most_shared_bytes = (size_t)limit;
    c->n_blocks          = (n_cells[0] + w->depth - 1) / w->depth * n_cells[1] * n_cells[2];
    return AMPHI_T(rows_grow)(d, expected_candidates(d, n_cells, w->depth), err);
}

AmphiStatus AMPHI_T(rows_grow)(Device *d, int32_t most_candidates, AmphiError *err)
{
    struct CellsPlan *c       = d->cells;
    CellsWork        *w       = &c->work;
    const size_t      tables  = bytes_of(d->view.n_types, w->depth, 0);
    const int64_t     largest = (int64_t)((c->most_shared_bytes - tables) / sizeof(Candidate));
    const int64_t     room    = most_candidates < largest ? most_candidates : largest;

    if (room <= w->room)
        return AMPHI_OK;
    w->room = (int32_t)room;
    return allow_shared(c, bytes_of(d->view.n_types, w->depth, w->room), err);
}
