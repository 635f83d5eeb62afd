/* What is in reach of a tile, the few beads that a warp fills the rows of: the smallest box around
 * them, the part in its reach of every column, and the pairs that stay out of rows all the same.
 *
 * A warp does all of this together; what its lanes look up later stands in shared memory.
 */
#ifndef AMPHI_CUDA_REACH_H
#define AMPHI_CUDA_REACH_H

#include "cells.h"

enum { KEPT_COLUMNS = 64 /* parts of columns, of a tile; more are found anew for each kind */ };

/* Lanes up to this one. */
__device__ static __forceinline__ uint32_t up_to_lane(void)
{
    return ALL_LANES >> (31 - (int32_t)threadIdx.x);
}

/* The box around a tile, in units, and the columns in reach of it. */
typedef struct {
    uint32_t lo[3], hi[3], centre[3];
    int32_t  first[2], n[2];        /* columns along x, y; first: before wrapping */
    int32_t  parts;                 /* of a column: 2 where its part in reach wraps along z */
    int32_t  n_runs;                /* parts of columns; of those kept, that have cells */
    uint64_t has_cells;             /* bits of the parts, if they are kept */
    float    reach2_nm2, slack_nm2; /* slack: what rounding can do to squares of distances */
    bool     wraps;                 /* do pairs need the nearest image? */
} Around;

/* Cells of one column, by the key of the first kind, or slots of one kind in them. */
typedef struct {
    int32_t from, n;
} Span;

/* The same by its end: what has been asked of memory, before anything is done with it. */
typedef struct {
    int32_t from, end;
} Asked;

/* What lane k has of bead k of the tile. */
typedef struct {
    Place   place;
    int32_t slot, type;
    Asked   exclusions;
} Mine;

/* A pair that stays out: the slot of the other bead, the first run that can have it (if any has),
 * the number of the first bead in the tile, and the place among the present candidates (-1: none).
 */
typedef struct {
    int32_t slot, run, of, at;
} Banned;

/* How many there are, and bits of the kinds of the other beads, modulo 32. */
typedef struct {
    int32_t  n;
    uint32_t kinds;
} Bans;

/* In shared memory. */
typedef struct {
    Around   *around; /* of a tile whose columns are not kept */
    Span     *column; /* [KEPT_COLUMNS] those that have cells */
    int32_t  *shift;  /* [32] of a run: slot less place among the candidates */
    uint32_t *of;     /* [32] of a candidate: bits of the beads that it is banned from */
    Banned   *banned;
} Tables;

/* ---- what is in reach of a tile ---- */

/* In kernels whose blocks have one warp, as those of rows. */
__device__ static __forceinline__ int32_t lane_of(void)
{
    return (int32_t)threadIdx.x;
}

__device__ static __forceinline__ int32_t wrapped(int32_t k, int32_t n)
{
    return k < 0 ? k + n : k >= n ? k - n : k;
}

__device__ static __forceinline__ int32_t cell_along(const Grid &g, int a, double units)
{
    return (int32_t)floor(units * g.cells_per_unit[a]);
}

__device__ static __forceinline__ Around around(const Grid &g, const Place &p)
{
    const uint32_t units[3] = { p.x, p.y, p.z };
    float          far2     = 0;
    Around         b;

    b.wraps = false;
#pragma unroll
    for (int a = 0; a < 3; a++) {
        b.lo[a]     = __reduce_min_sync(ALL_LANES, units[a]);
        b.hi[a]     = __reduce_max_sync(ALL_LANES, units[a]);
        b.centre[a] = b.lo[a] + (b.hi[a] - b.lo[a]) / 2;

        const double far = 0.5 * (b.hi[a] - b.lo[a]) + g.reach_units[a];

        b.wraps = b.wraps || far > 2147483000.0; /* half the box */
        far2 += (float)far * g.nm_per_unit[a] * ((float)far * g.nm_per_unit[a]);
    }
#pragma unroll
    for (int a = 0; a < 2; a++) {
        const int32_t from = cell_along(g, a, b.lo[a] - g.reach_units[a]);
        const int32_t to   = cell_along(g, a, b.hi[a] + g.reach_units[a]);

        b.n[a]     = min(to - from + 1, g.n_cells[a]);
        b.first[a] = b.n[a] < g.n_cells[a] ? from : 0;
    }
    b.parts      = 1 + (b.lo[2] < g.reach_units[2] || b.hi[2] > 4294967295.0 - g.reach_units[2]);
    b.n_runs     = b.n[0] * b.n[1] * b.parts;
    b.has_cells  = 0;
    b.slack_nm2  = 2e-6f * far2;
    b.reach2_nm2 = g.reach2_nm2 + b.slack_nm2;
    return b;
}

/* In half the instructions of fmax: there is no NaN here. */
__device__ static __forceinline__ double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Between a column and the tile, along one axis. */
__device__ static __forceinline__ float gap(const Grid &g, const Around &b, int a, int32_t k)
{
    const double from = k * g.units_per_cell[a];
    const double left = from - b.hi[a], right = b.lo[a] - (from + g.units_per_cell[a]);

    return b.n[a] == g.n_cells[a] ? 0 : (float)larger(larger(left, right), 0.0) * g.nm_per_unit[a];
}

/* The cells of a run: columns by x and y, each in its parts. */
__device__ static __forceinline__ Span cells_of(const Grid &g, const Around &b, int32_t run)
{
    const int32_t n_z = g.n_cells[2], number = b.parts == 1 ? run : run / 2;
    const int32_t kx = b.first[0] + number / b.n[1], ky = b.first[1] + number % b.n[1];
    const float   dx = gap(g, b, 0, kx), dy = gap(g, b, 1, ky);
    const float   left2  = b.reach2_nm2 - dx * dx - dy * dy;
    const int32_t x      = wrapped(kx, g.n_cells[0]);
    const int32_t column = column_number(g, x, wrapped(ky, g.n_cells[1]));
    const double  left   = sqrtf(fmaxf(left2, 0.0f)) * (1 + 1e-5f) / g.nm_per_unit[2];
    const double  far    = left < g.reach_units[2] ? left : g.reach_units[2];
    const int32_t lo = cell_along(g, 2, b.lo[2] - far), hi = cell_along(g, 2, b.hi[2] + far);
    Span          first, second;

    first.from = wrapped(column & 1 ? n_z - 1 - hi : lo, n_z);
    first.n    = min(hi - lo + 1, n_z - first.from);
    second     = Span{ 0, hi - lo + 1 - first.n };
    if (hi - lo + 1 >= n_z) {
        first  = Span{ 0, n_z };
        second = Span{ 0, 0 };
    }
    if (b.parts == 2 && run % 2 == 1)
        first = second;
    if (run >= b.n_runs || left2 <= 0)
        first.n = 0;
    first.from = key_of(g, 0, column * n_z + first.from, x);
    return first;
}

/* Finds the columns that there is room for, and leaves those out that have no cell in reach. */
__device__ static __forceinline__ void keep_columns(const Grid &g, const Tables &s, Around *b)
{
    int32_t n = 0;

    if (b->n_runs > KEPT_COLUMNS) {
        if (lane_of() == 0)
            *s.around = *b;
        __syncwarp();
        return;
    }
#pragma unroll 1
    for (int32_t first = 0; first < b->n_runs; first += 32) {
        const Span     mine = cells_of(g, *b, first + lane_of());
        const uint32_t has  = __ballot_sync(ALL_LANES, mine.n > 0);

        if (mine.n > 0)
            s.column[n + __popc(has & up_to_lane()) - 1] = mine;
        b->has_cells |= (uint64_t)has << first;
        n += __popc(has);
    }
    b->n_runs = n;
    __syncwarp();
}

/* The number that the part of a column has as a run; of one without cells, that of the next. Any
 * number if it is out of reach. */
__device__ static __forceinline__ int32_t run_of(const Around &b, int32_t part)
{
    const uint64_t before = ((uint64_t)1 << (part & 63)) - 1;

    return b.n_runs <= KEPT_COLUMNS ? __popcll(b.has_cells & before) : part;
}

/* The slots of one kind in a lane's cells, in the runs from `first` on. */
__device__ static __forceinline__ Asked ask_slots(const View &v, const Grid &g, const Tables &s,
                                                  int32_t n_runs, int32_t first, int32_t kind)
{
    const int32_t run   = first + lane_of();
    Span          cells = { 0, 0 };
    Asked         slots = { 0, 0 };

    if (n_runs > KEPT_COLUMNS)
        cells = cells_of(g, *s.around, run);
    else if (run < n_runs)
        cells = s.column[run];
    if (cells.n > 0) {
        const int32_t *start = v.cell_start + kind * g.layer_cells + cells.from;

        slots = Asked{ start[0], start[cells.n] };
    }
    return slots;
}

/* ---- pairs that stay out ---- */

/* The beads of the tile themselves, and what they are excluded from. */
template <int TILE>
__device__ static __forceinline__ Bans list_banned(const View &v, const CellsWork &w,
                                                   const Around &b, const Mine &mine,
                                                   int32_t n_homes, const Tables &s)
{
    enum { FAR_AWAY = 1 << 30 };
    const int32_t lane  = lane_of();
    const int32_t n     = lane < n_homes ? mine.exclusions.end - mine.exclusions.from + 1 : 0;
    const int32_t begin = sum_up_to_lane<TILE>(lane, n) - n;
    uint32_t      kinds = 0;
    int32_t       last  = -1; /* bead that has begun */
    Bans          bans;

    bans.n = (int32_t)__reduce_add_sync(ALL_LANES, (uint32_t)n);
#pragma unroll 1
    for (int32_t done = 0; done < bans.n; done += 32) {
        const uint32_t own =
            __funnelshift_lc(0u, 1u, (uint32_t)((n > 0 ? begin : FAR_AWAY) - done));
        const uint32_t begins = __reduce_or_sync(ALL_LANES, own);
        const int32_t  e = done + lane, k = last + __popc(begins & up_to_lane());
        const int32_t  nth   = e - __shfl_sync(ALL_LANES, begin, k);
        const int32_t  first = __shfl_sync(ALL_LANES, mine.exclusions.from, k);
        int32_t        other = __shfl_sync(ALL_LANES, mine.slot, k);

        last = __shfl_sync(ALL_LANES, k, 31);
        if (e < bans.n) {
            if (nth > 0)
                other = v.slot_of[v.exclusion[first + nth - 1]];

            const Place   p   = w.place[other];
            const int32_t n_x = w.grid->n_cells[0], n_y = w.grid->n_cells[1];
            const int32_t x = wrapped(cell_of_units(p.x, n_x) - b.first[0], n_x);
            const int32_t y = wrapped(cell_of_units(p.y, n_y) - b.first[1], n_y);

            s.banned[e].slot = other;
            s.banned[e].of   = k;
            s.banned[e].run  = run_of(b, (x * b.n[1] + y) * b.parts);
            kinds |= 1u << v.kind_of[v.type_of[other]].kind % 32;
        }
    }
    bans.kinds = __reduce_or_sync(ALL_LANES, kinds);
    __syncwarp();
    return bans;
}

/* Where the banned stand among the candidates of 32 runs, `first` and those after it; `mine` begins
 * at place `before`. Bits of the groups of 32 candidates that have one; the last bit is for all
 * from there on.
 *
 * The number of a run may be any, also of none of these 32, and a shuffle takes it modulo 32: a
 * slot counts only where it lies in the span that was read, and it lies in no span but that of its
 * own run. For whatever is in reach of the tile the number is right. */
__device__ static __forceinline__ uint32_t place_banned(const Tables &s, const Bans &bans,
                                                        const Span &mine, int32_t before,
                                                        int32_t first, int32_t parts)
{
    uint32_t groups = 0;

#pragma unroll 1
    for (int32_t done = 0; done < bans.n; done += 32) {
        const int32_t e = done + lane_of(), last = bans.n - 1;
        const int32_t slot = s.banned[min(e, last)].slot, one = s.banned[min(e, last)].run;
        int32_t       at = -1;

        for (int32_t part = 0; part < parts; part++) { /* a slot is in no run but its own */
            const int32_t run   = one + part - first;
            const int32_t from  = __shfl_sync(ALL_LANES, mine.from, run);
            const int32_t n     = __shfl_sync(ALL_LANES, mine.n, run);
            const int32_t begin = __shfl_sync(ALL_LANES, before, run);

            if ((uint32_t)(slot - from) < (uint32_t)n)
                at = begin + slot - from;
        }
        if (e < bans.n)
            s.banned[e].at = at;
        if (at >= 0)
            groups |= 1u << min(at / 32, 31);
    }
    __syncwarp();
    return __reduce_or_sync(ALL_LANES, groups);
}

/* Bits of the beads of the tile that do not meet this lane's candidate, of those from place p
 * on. */
__device__ static __forceinline__ uint32_t banned_at(const Tables &s, int32_t n_banned, int32_t p)
{
    s.of[lane_of()] = 0;
    __syncwarp();
#pragma unroll 1
    for (int32_t e = lane_of(); e < n_banned; e += 32) {
        const uint32_t at = (uint32_t)(s.banned[e].at - p);

        if (at < 32)
            atomicOr(&s.of[at], 1u << s.banned[e].of);
    }
    __syncwarp();
    return s.of[lane_of()];
}

#endif
