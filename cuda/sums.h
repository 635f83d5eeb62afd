/* Sums over beads in a fixed order, in kernels of one thread a bead.
 *
 * Numbers stand in rows of SUM_WIDTH, one row for each group of beads, or for what has no group.
 * First a warp, then the warps of a block, then the blocks; those of a large system in bundles, of
 * which there are as many as a warp has lanes: many read them at once. The last block to arrive
 * goes on, and which one that is does not matter. A number is added in the same order whatever
 * stands beside it.
 *
 *     row of group 0    0 .. 7 | 8 .. 15 | 16 .. 23       three parts of PART numbers
 *     ...
 *     last row          potential, virial of restraints | of pairs and bonds (OF_PAIRS) | unused
 *
 * The last one, the quick row, stands behind the groups where there is one; among the bits that say
 * what is wanted its numbers have those from FIRST_QUICK on. A part is added up whole if one number
 * of it is wanted; the others of a row stay as they were, so that only what was wanted may be read.
 */
#ifndef AMPHI_CUDA_SUMS_H
#define AMPHI_CUDA_SUMS_H

#include "state.h"
#include "warps.h"

enum {
    MOTION_BLOCK = 64, /* few threads: a small system has some on most processors */
    WARPS        = MOTION_BLOCK / WARP,
    PART         = 8, /* numbers that a block adds up at once */
    SUM_WIDTH    = 3 * PART,
    STRIPES      = MOTION_BLOCK / PART,
    MOST_ROWS    = 2 * MOTION_BLOCK, /* of one group, that are added up without bundles */
    FEW_ROWS     = 5                 /* whose totals do without a way through memory */
};
static_assert(WARPS == 2, "totals of a block are those of two warps");

/* Numbers of a QUICK row: of restraints, which beads have; and the same of pairs and bonds. */
enum { POTENTIAL = 0, VIRIAL = 1, QUICK_NUMBERS = 4, OF_PAIRS = 4 };
static_assert(int(OF_PAIRS) + int(QUICK_NUMBERS) <= int(PART), "a quick row is one part");

/* Behind the numbers of a group those of the last row, that of energies and virials: together they
 * are told by bits of an uint32_t. */
enum {
    FIRST_QUICK = SUM_WIDTH,
    ALL_SUMS    = FIRST_QUICK + (int)QUICK_NUMBERS,
    QUICK_BITS  = 15 << FIRST_QUICK
};
enum : uint32_t { PART_BITS = (1U << PART) - 1 };

/* Totals of rows, by warp. */
typedef double Parts[WARPS][FIRST_QUICK + (int)PART];

typedef struct __align__(64)
{
    double x[SUM_WIDTH];
}
SumRow;

/* Where the blocks of a kernel meet; device memory. */
typedef struct {
    int32_t   n_rows, n_groups; /* n_rows: one more where there is a quick one */
    int32_t   n_blocks, per_bundle, n_bundles;
    SumRow   *part;    /* [n_blocks][n_rows]; is bundle where that has one block */
    SumRow   *bundle;  /* [n_bundles][n_rows] */
    SumRow   *other;   /* the same of another step: sums_of_turn */
    SumRow   *total;   /* [n_rows] */
    uint32_t *arrived; /* [n_bundles + 1] blocks of each bundle, then bundles; 0 between kernels */
} Sums;

/* Numbers of this block, from what each of its threads has. */
template <int N> __device__ static inline void put_row(double number[N], double *to)
{
    __shared__ double part[WARPS][N];
    const int         t = (int)threadIdx.x, lane = t % WARP;
    const double      sum = warp_total<N>(number);

    __syncthreads(); /* another row may have gone through here */
    if (lane < N)
        part[t / WARP][lane] = sum;
    __syncthreads();
    if (t < N)
        to[t] = part[0][t] + part[1][t];
}

template <int N> __device__ static inline void put_row(double number[N], SumRow *to)
{
    put_row<N>(number, to->x);
}

/* Which of n sums a block adds up: as many as the others, from `first` on. */
typedef struct {
    int32_t first, n;
} Slice;

__device__ static inline Slice slice_of(int32_t n, int32_t block, int32_t n_blocks)
{
    const int32_t each = (n + n_blocks - 1) / n_blocks, first = block * each;

    return Slice{ first, min(each, n - first) };
}

/* The first that a thread has of the sums of pairs; most have no more. */
__device__ static inline QuickSums load_quick(const View &v, int32_t block, int32_t n_blocks)
{
    const Slice   pairs = slice_of(v.n_pair_blocks, block, n_blocks);
    const int32_t me    = (int32_t)threadIdx.x;

    return me < pairs.n ? v.pair_sums[pairs.first + me] : QuickSums{};
}

/* Adds this thread's share of the slice that a block has of the sums of pairs and bonds. */
__device__ static inline void add_quick(const View &v, int32_t block, int32_t n_blocks,
                                        const QuickSums &first, double quick[QUICK_NUMBERS])
{
    const Slice   pairs = slice_of(v.n_pair_blocks, block, n_blocks);
    const Slice   bonds = slice_of(v.n_bond_blocks, block, n_blocks);
    const int32_t me    = (int32_t)threadIdx.x;

    for (int k = 0; k < QUICK_NUMBERS; k++)
        quick[k] += 0.5 * ((const double *)&first)[k];
#pragma unroll 1
    for (int32_t at = me + MOTION_BLOCK; at < pairs.n; at += MOTION_BLOCK)
        for (int k = 0; k < QUICK_NUMBERS; k++)
            quick[k] += 0.5 * ((const double *)&v.pair_sums[pairs.first + at])[k];
#pragma unroll 1
    for (int32_t at = me; at < bonds.n; at += MOTION_BLOCK)
        for (int k = 0; k < QUICK_NUMBERS; k++)
            quick[k] += ((const double *)&v.bond_sums[bonds.first + at])[k];
}

/* By a block of its own: what pairs and bonds have, of that many. Where nothing is restrained,
 * nobody else writes this row. */
__device__ static inline void put_quick_row(const View &v, const Sums &s, int32_t block)
{
    SumRow *row                  = &s.bundle[(int64_t)block * s.n_rows + s.n_groups];
    double  quick[QUICK_NUMBERS] = {};

    add_quick(v, block, s.n_bundles, load_quick(v, block, s.n_bundles), quick);
    put_row<QUICK_NUMBERS>(quick, &row->x[OF_PAIRS]);
    if (v.restraint_kJ_mol_nm2 == NULL && threadIdx.x < (unsigned)QUICK_NUMBERS)
        row->x[threadIdx.x] = 0;
}

/* True for the last of n; what all of them wrote can be read then, past the first cache. */
__device__ static inline bool is_last(uint32_t *arrived, uint32_t n)
{
    __shared__ bool last;

    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(arrived, n - 1) == n - 1; /* and back to 0 */
        __threadfence();
    }
    __syncthreads();
    return last;
}

/* By all threads of each of n blocks, when they have read what is to change: true in one thread of
 * the last of them, whose write nobody of them reads any more. Unlike is_last it says nothing of
 * what the others have written. */
__device__ static inline bool is_last_reader(uint32_t *arrived, uint32_t n)
{
    __syncthreads();
    if (threadIdx.x != 0)
        return false;
    __threadfence();
    return atomicInc(arrived, n - 1) == n - 1; /* and back to 0 */
}

enum { ROWS_AT_ONCE = 16 }; /* asked for together: one wait for all */

/* A number of so many rows, every STRIPES-th from `at` on, one after another. */
__device__ static __forceinline__ double total_of_some(const double *number, int32_t at, int32_t n,
                                                       int32_t n_rows)
{
    double x[ROWS_AT_ONCE];

#pragma unroll
    for (int k = 0; k < ROWS_AT_ONCE; k++) {
        const int64_t row = at + k * STRIPES;

        x[k] = row < n ? __ldcg(&number[row * n_rows * SUM_WIDTH]) : 0;
    }
#pragma unroll
    for (int k = 1; k < ROWS_AT_ONCE; k++)
        x[0] += x[k];
    return x[0];
}

/* Group g of what n blocks or bundles have, n_rows each, by all threads of a block: numbers of
 * which one in PART is wanted. To be read after a barrier. */
__device__ static inline void put_parts(const SumRow *from, int32_t n, int32_t n_rows, int32_t g,
                                        uint32_t wanted, Parts to)
{
    const int t = (int)threadIdx.x, stripe = t / PART, k = t % PART;

#pragma unroll 1 /* code that is met once is waited for, line by line */
    for (int first = 0; first < ALL_SUMS; first += PART) {
        const bool    is_quick = first == FIRST_QUICK;
        const double *number   = is_quick ? &from[n_rows - 1].x[k] : &from[g].x[first + k];
        double        sum      = 0;

        if ((wanted >> first & PART_BITS) == 0)
            continue;
        for (int32_t at = stripe; at < n; at += ROWS_AT_ONCE * STRIPES)
            sum += total_of_some(number, at, n, n_rows);
        for (int bit = PART; bit < WARP; bit *= 2)
            sum += other_lane(sum, bit);
        if (t % WARP < PART)
            to[t / WARP][first + k] = sum;
    }
}

__device__ static inline double total_of_parts(const Parts parts, int k)
{
    return parts[0][k] + parts[1][k];
}

/* Of all: restraints, pairs and bonds. */
__device__ static inline double total_of_quick(const Parts parts, int k)
{
    return total_of_parts(parts, FIRST_QUICK + k) +
           total_of_parts(parts, FIRST_QUICK + (int)OF_PAIRS + k);
}

/* The last row goes with the first group. */
__device__ static inline uint32_t wanted_of_group(uint32_t wanted, int32_t g)
{
    return g > 0 ? wanted & ~(uint32_t)QUICK_BITS : wanted;
}

/* All groups of that, and of the last row where it is wanted. What is not wanted stays as it was.
 * ends: to totals, so that numbers OF_PAIRS are part of the others. */
__device__ static inline void add_rows(const Sums &s, const SumRow *from, int32_t n,
                                       uint32_t wanted, bool ends, SumRow *to)
{
    __shared__ Parts parts;
    const int32_t    k = (int32_t)threadIdx.x;

#pragma unroll 1
    for (int32_t g = 0; g < s.n_groups; g++) {
        const uint32_t of_group = wanted_of_group(wanted, g);
        const bool     is_mine  = k < ALL_SUMS && (of_group >> k & 1) != 0;

        put_parts(from, n, s.n_rows, g, of_group, parts);
        __syncthreads();
        if (is_mine && k < FIRST_QUICK)
            to[g].x[k] = total_of_parts(parts, k);
        else if (is_mine)
            to[s.n_rows - 1].x[k - FIRST_QUICK] =
                ends ? total_of_quick(parts, k - FIRST_QUICK) : total_of_parts(parts, k);
        __syncthreads();
    }
}

/* For all threads of all blocks, once their rows are put. True in the last block of each bundle,
 * whose rows are then there. */
__device__ static inline bool add_bundle(const Sums &s, int32_t block, uint32_t wanted)
{
    const int32_t bundle = block / s.per_bundle, first = bundle * s.per_bundle;
    const int32_t n = s.n_blocks - first < s.per_bundle ? s.n_blocks - first : s.per_bundle;

    if (s.per_bundle == 1)
        return true;
    if (!is_last(&s.arrived[bundle], (uint32_t)n))
        return false;
    add_rows(s, s.part + (int64_t)first * s.n_rows, n, wanted, false,
             s.bundle + (int64_t)bundle * s.n_rows);
    return true;
}

/* The same, down to one block, which gets the totals; NULL in the others. */
__device__ static inline const SumRow *add_up(const Sums &s, int32_t block, uint32_t wanted)
{
    __shared__ SumRow few[FEW_ROWS];
    SumRow           *total = s.n_rows <= FEW_ROWS ? few : s.total;

    if (!add_bundle(s, block, wanted) || !is_last(&s.arrived[s.n_bundles], (uint32_t)s.n_bundles))
        return NULL;
    add_rows(s, s.bundle, s.n_bundles, wanted, true, total);
    return total;
}

#endif
