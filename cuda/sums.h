/* Sums over beads in a fixed order, in kernels of one thread a bead.
 *
 * Numbers stand in rows of SUM_WIDTH, one row for each group of beads, or for what has no group.
 * First 16 beads after each other, then the eight such stripes of a block, then the blocks of a
 * bundle, then the bundles; the last block to arrive goes on, and which one that is does not
 * matter. A number is added in the same order whatever stands beside it.
 */
#ifndef AMPHI_CUDA_SUMS_H
#define AMPHI_CUDA_SUMS_H

#include "state.h"

enum {
    SUM_WIDTH = 16,
    STRIPES   = BEAD_BLOCK / SUM_WIDTH,
    BUNDLE    = 64, /* blocks: systems of up to 8192 beads need no second level */
    FEW_ROWS  = 4   /* whose totals do without a way through memory */
};

/* Numbers of a QUICK row. */
enum { POTENTIAL = 0, VIRIAL = 1, QUICK_NUMBERS = 4 };

typedef struct __align__(128)
{
    double x[SUM_WIDTH];
}
SumRow;

/* Where the blocks of a kernel meet; device memory. */
typedef struct {
    int32_t   n_rows, n_blocks, n_bundles;
    SumRow   *part;    /* [n_blocks][n_rows] */
    SumRow   *bundle;  /* [n_bundles][n_rows] */
    SumRow   *total;   /* [n_rows] */
    uint32_t *arrived; /* [n_bundles + 1] blocks of each bundle, then bundles; 0 between kernels */
} Sums;

/* A number of each bead of a block, column by column; one more, so that stripes of different
 * columns lie in different banks. */
typedef double Column[BEAD_BLOCK + 1];

/* Each thread has the number threadIdx.x % SUM_WIDTH of a stripe. */
__device__ static inline void add_stripes(double stripe, SumRow *to)
{
    __shared__ double part[STRIPES][SUM_WIDTH];
    const int         t = (int)threadIdx.x;

    part[t / SUM_WIDTH][t % SUM_WIDTH] = stripe;
    __syncthreads();
    if (t < SUM_WIDTH) {
        double sum = part[0][t];

        for (int k = 1; k < STRIPES; k++)
            sum += part[k][t];
        to->x[t] = sum;
    }
    __syncthreads();
}

/* A row of this block: its columns, of the beads of group g (group NULL: of all; else by bead of the
 * block), on top of what each thread has of its own. The columns were written before a barrier. */
__device__ static inline void put_row(const Column *column, int n_columns, const int32_t *group,
                                      int32_t g, double own, SumRow *to)
{
    const int first = (int)threadIdx.x / SUM_WIDTH * SUM_WIDTH;
    const int k     = (int)threadIdx.x % SUM_WIDTH;
    double    sum   = own;

    if (k < n_columns)
#pragma unroll
        for (int j = 0; j < SUM_WIDTH; j++)
            if (group == NULL || group[first + j] == g)
                sum += column[k][first + j];
    add_stripes(sum, to);
}

/* One slice of the sums that pairs and bonds left, for each block: the share of this thread. */
__device__ static inline double quick_share(const View &v, int32_t block, int32_t n_blocks)
{
    const int32_t stripe = (int32_t)threadIdx.x / SUM_WIDTH;
    const int     k      = (int)threadIdx.x % SUM_WIDTH;
    const int32_t pairs  = (v.n_pair_blocks + n_blocks - 1) / n_blocks;
    const int32_t bonds  = (v.n_bond_blocks + n_blocks - 1) / n_blocks;
    double        sum    = 0;

    if (k >= QUICK_NUMBERS)
        return 0;
    for (int32_t at = stripe; at < pairs && block * pairs + at < v.n_pair_blocks; at += STRIPES)
        sum += 0.5 * ((const double *)&v.pair_sums[block * pairs + at])[k];
    for (int32_t at = stripe; at < bonds && block * bonds + at < v.n_bond_blocks; at += STRIPES)
        sum += ((const double *)&v.bond_sums[block * bonds + at])[k];
    return sum;
}

/* What this thread's bead has in column k; beads beyond the last have zeros. */
__device__ static inline void put_column(Column *column, int k, double number)
{
    column[k][threadIdx.x] = number;
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

__device__ static inline void add_rows(const SumRow *from, int32_t n, int32_t n_rows, SumRow *to)
{
    const int32_t stripe = (int32_t)threadIdx.x / SUM_WIDTH;
    const int     k      = (int)threadIdx.x % SUM_WIDTH;

    for (int32_t row = 0; row < n_rows; row++) {
        double sum = 0;

        for (int32_t at = stripe; at < n; at += BUNDLE) {
            double part[BUNDLE / STRIPES]; /* all under way at once */

            for (int j = 0; j < BUNDLE / STRIPES; j++)
                part[j] = at + j * STRIPES < n
                              ? __ldcg(&from[(int64_t)(at + j * STRIPES) * n_rows + row].x[k])
                              : 0;
            for (int j = 0; j < BUNDLE / STRIPES; j++)
                sum += part[j];
        }
        add_stripes(sum, &to[row]);
    }
}

/* For all threads of all blocks, once their rows are put; those with block < 0 have none, and the
 * first bundle waits for n_others of them. NULL but in one block, which gets the totals. */
__device__ static inline const SumRow *add_up(const Sums &s, int32_t block, int32_t n_others)
{
    __shared__ SumRow few[FEW_ROWS];
    const int32_t     bundle = block < 0 ? 0 : block / BUNDLE;
    const int32_t     first  = bundle * BUNDLE;
    const int32_t     n      = s.n_blocks - first < BUNDLE ? s.n_blocks - first : BUNDLE;
    SumRow           *total  = s.n_rows <= FEW_ROWS ? few : s.total;
    const SumRow     *part   = s.part + (int64_t)first * s.n_rows;

    if (!is_last(&s.arrived[bundle], (uint32_t)(n + (bundle == 0 ? n_others : 0))))
        return NULL;
    if (s.n_bundles == 1) {
        add_rows(part, n, s.n_rows, total);
        return total;
    }
    add_rows(part, n, s.n_rows, s.bundle + (int64_t)bundle * s.n_rows);
    if (!is_last(&s.arrived[s.n_bundles], (uint32_t)s.n_bundles))
        return NULL;
    add_rows(s.bundle, s.n_bundles, s.n_rows, total);
    return total;
}

#endif
