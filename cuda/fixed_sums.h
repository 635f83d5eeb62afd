/* Sums of whole numbers over threads, warps, blocks: the same bits in every order. And how a kernel
 * says that something has left its range.
 */
#ifndef AMPHI_CUDA_FIXED_SUMS_H
#define AMPHI_CUDA_FIXED_SUMS_H

#include "../engine/fixed_motion.h"
#include "state.h"
#include "warps.h"

/* Numbers of a row of a term's sums. */
enum { TERM_ENERGY = 0, TERM_VIRIAL = 1, TERM_COUNT = 10 };

/* What it was and on which bead, the lowest bead that was seen; then every kernel returns at
 * once. */
__device__ static inline void raise_range(const View &v, FixedFault what, int32_t bead)
{
    if (what == FIXED_GOOD)
        return;
    atomicMin(v.fixed.out_of_range, (unsigned long long)bead << 32 | (unsigned)what);
    atomicOr(&v.ledger->fault, (uint32_t)FAULT_RANGE);
}

__device__ static inline void add_whole(int64_t *to, int64_t number)
{
    if (number != 0)
        atomicAdd((unsigned long long *)to, (unsigned long long)number);
}

/* By all threads of a warp: adds what they have to a row. */
template <int N> __device__ static inline void add_to_row(int64_t number[N], int64_t *to)
{
    const int     lane = (int)threadIdx.x % WARP;
    const int64_t sum  = warp_total<N>(number);

    if (lane < N)
        add_whole(&to[lane], sum);
}

template <int N> __device__ static inline void add_to_row(int64_t number[N], FixedRow *to)
{
    add_to_row<N>(number, to->x);
}

/* One number of all copies of a row, `stride` rows apart; past the first cache. */
__device__ static inline int64_t total_of(const FixedRow *row, int32_t stride, int k)
{
    long long sum = 0;

#pragma unroll
    for (int copy = 0; copy < FIXED_COPIES; copy++)
        sum += __ldcg((const long long *)&row[(int64_t)copy * stride].x[k]);
    return sum;
}

/* A warp for each slot from the first on: its sums, and its rows are clear again. */
__launch_bounds__(WARP) __global__ static void k_fixed_put_terms(const View v, int32_t first_slot)
{
    const int32_t slot   = first_slot + (int32_t)blockIdx.x;
    FixedRow     *rows   = v.fixed.term + slot * FIXED_COPIES;
    int64_t       number = 0;

    if (v.ledger->fault != 0)
        return;
    if (threadIdx.x < FIXED_SUM_WIDTH)
        number = total_of(rows, 1, (int)threadIdx.x);
    if (threadIdx.x <= TERM_COUNT)
        ((double *)&v.term[slot])[threadIdx.x] =
            threadIdx.x == TERM_COUNT ? (double)number : fixed_energy_kJ_mol(number);
    __syncwarp();
    for (int copy = 0; threadIdx.x < FIXED_SUM_WIDTH && copy < FIXED_COPIES; copy++)
        rows[copy].x[threadIdx.x] = 0;
}

#endif
