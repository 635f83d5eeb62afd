/* What is in reach of a tile, the few beads that a warp fills the rows of: the smallest box around
 * them, the part in its reach of every column, and the pairs that stay out of rows all the same.
 *
 * A warp does all of this together; what its lanes look up later stands in shared memory.
 */
#ifndef AMPHI_CUDA_REACH_H
#define AMPHI_CUDA_REACH_H

#include "cells.h"

enum { KEPT_COLUMNS = 64 /* parts of columns, of a tile; more are found anew for each kind */ };

/* The box around a tile, in units, and the columns in reach of it. */
typedef struct {
    uint32_t lo[3], hi[3], centre[3];
    int32_t  first[2], n[2];        /* columns along x, y; first: before wrapping */
    int32_t  parts, n_runs;         /* of a column: 2 where its part in reach wraps along z */
    float    reach2_nm2, slack_nm2; /* slack: what rounding can do to squares of distances */
    bool     wraps;                 /* do pairs need the nearest image? */
} Around;

/* Cells of one column, or slots of one kind in them. */
typedef struct {
    int32_t from, n;
} Span;

/* A pair that stays out: the slot of the other bead, the number of its column (-1: out of reach),
 * the number of the first bead in the tile, and the place among the present candidates (-1:
 * none). */
typedef struct {
    int32_t slot, column, of, at;
} Banned;

/* How many there are, and bits of the kinds of the other beads, modulo 32. */
typedef struct {
    int32_t  n;
    uint32_t kinds;
} Bans;

/* In shared memory. */
typedef struct {
    Around  *around;
    Span    *column; /* [KEPT_COLUMNS] */
    int32_t *shift;  /* [32] of a run: slot less place among the candidates */
    Banned  *banned;
} Tables;

/* ---- what is in reach of a tile ---- */

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
    b.slack_nm2  = 2e-6f * far2;
    b.reach2_nm2 = g.reach2_nm2 + b.slack_nm2;
    return b;
}

/* Between a column and the tile, along one axis. */
__device__ static __forceinline__ float gap(const Grid &g, const Around &b, int a, int32_t k)
{
    const double from = k * g.units_per_cell[a];
    const double left = from - b.hi[a], right = b.lo[a] - (from + g.units_per_cell[a]);

    return b.n[a] == g.n_cells[a] ? 0 : (float)fmax(fmax(left, right), 0.0) * g.nm_per_unit[a];
}

/* The cells of a run: columns by x and y, each in its parts. */
__device__ static __forceinline__ Span cells_of(const Grid &g, const Around &b, int32_t run)
{
    const int32_t n_z = g.n_cells[2], number = b.parts == 1 ? run : run / 2;
    const int32_t kx = b.first[0] + number / b.n[1], ky = b.first[1] + number % b.n[1];
    const float   dx = gap(g, b, 0, kx), dy = gap(g, b, 1, ky);
    const float   left2  = b.reach2_nm2 - dx * dx - dy * dy;
    const int32_t column = column_number(g, wrapped(kx, g.n_cells[0]), wrapped(ky, g.n_cells[1]));
    const double  far = fmin((double)(sqrtf(fmaxf(left2, 0.0f)) * (1 + 1e-5f) / g.nm_per_unit[2]),
                             g.reach_units[2]);
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
    first.from += column * n_z;
    return first;
}

/* A lane's cells in the runs from `first` on. */
__device__ static __forceinline__ Span cells_kept(const Grid &g, const Tables &s, int32_t n_runs,
                                                  int32_t first)
{
    return n_runs <= KEPT_COLUMNS ? s.column[first + lane_of()]
                                  : cells_of(g, *s.around, first + lane_of());
}

__device__ static __forceinline__ Span slots_of(const View &v, int32_t n_cells, const Span &cells,
                                                int32_t kind)
{
    const int32_t *start = v.cell_start + kind * n_cells + cells.from;
    Span           slots;

    slots.from = cells.n > 0 ? start[0] : 0;
    slots.n    = cells.n > 0 ? start[cells.n] - slots.from : 0;
    return slots;
}

/* ---- pairs that stay out ---- */

/* The beads of the tile themselves, and what they are excluded from. */
template <int TILE>
__device__ static __forceinline__ Bans list_banned(const View &v, const CellsWork &w,
                                                   const Around &b, int32_t slot, int32_t n_homes,
                                                   const Tables &s)
{
    const int32_t lane = lane_of(), bead = v.bead_of[slot];
    const int32_t from  = v.exclusion_start[bead];
    const int32_t n     = lane < n_homes ? v.exclusion_start[bead + 1] - from + 1 : 0;
    const int32_t end   = sum_up_to_lane<TILE>(lane, n);
    uint32_t      kinds = 0;
    Bans          bans;

    bans.n = (int32_t)__reduce_add_sync(ALL_LANES, (uint32_t)n);
    for (int32_t done = 0; done < bans.n; done += 32) {
        const int32_t e = done + lane;
        int32_t       k = 0, nth, other, first;

#pragma unroll
        for (int32_t q = 0; q < TILE - 1; q++)
            k += e >= __shfl_sync(ALL_LANES, end, q);
        nth   = e - __shfl_sync(ALL_LANES, end - n, k);
        first = __shfl_sync(ALL_LANES, from, k);
        other = __shfl_sync(ALL_LANES, slot, k);
        if (e < bans.n) {
            if (nth > 0)
                other = v.slot_of[v.exclusion[first + nth - 1]];

            const Place   p = w.place[other];
            const int32_t x = wrapped(p.column[0] - b.first[0], w.grid->n_cells[0]);
            const int32_t y = wrapped(p.column[1] - b.first[1], w.grid->n_cells[1]);

            s.banned[e].slot   = other;
            s.banned[e].of     = k;
            s.banned[e].column = x < b.n[0] && y < b.n[1] ? x * b.n[1] + y : -1;
            kinds |= 1u << v.kind_of[v.type_of[other]].kind % 32;
        }
    }
    bans.kinds = __reduce_or_sync(ALL_LANES, kinds);
    __syncwarp();
    return bans;
}

/* Where the banned stand among the candidates of 32 runs, `first` and those after it; `mine` begins
 * at place `before`. Bits of the groups of 32 candidates that have one; the last bit is for all
 * from there on. */
__device__ static __forceinline__ uint32_t place_banned(const Tables &s, const Bans &bans,
                                                        const Span &mine, int32_t before,
                                                        int32_t first, int32_t parts)
{
    uint32_t groups = 0;

    for (int32_t done = 0; done < bans.n; done += 32) {
        const int32_t e = done + lane_of(), last = bans.n - 1;
        const int32_t slot = s.banned[min(e, last)].slot, column = s.banned[min(e, last)].column;
        int32_t       at = -1;

        for (int32_t part = 0; part < parts; part++) {
            const int32_t run   = column * parts + part - first;
            const int32_t from  = __shfl_sync(ALL_LANES, mine.from, run & 31);
            const int32_t n     = __shfl_sync(ALL_LANES, mine.n, run & 31);
            const int32_t begin = __shfl_sync(ALL_LANES, before, run & 31);
            const bool    is_in = (uint32_t)(slot - from) < (uint32_t)n;

            if (column >= 0 && run >= 0 && run < 32 && is_in)
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
__device__ static uint32_t banned_at(const Tables &s, int32_t n_banned, int32_t p)
{
    uint32_t banned = 0;

    for (int32_t done = 0; done < n_banned; done += 32) {
        const int32_t  e  = done + lane_of();
        const int32_t  at = e < n_banned ? s.banned[e].at - p : -1;
        const uint32_t in = __ballot_sync(ALL_LANES, at >= 0 && at < 32);

        for (uint32_t left = in; left != 0; left &= left - 1) {
            const int32_t from = __ffs((int)left) - 1;

            if (__shfl_sync(ALL_LANES, at, from) == lane_of())
                banned |= 1u << s.banned[done + from].of;
        }
    }
    return banned;
}

#endif
