/* Sums of whole numbers over threads, warps, blocks: the same bits in every order. And how a kernel says
 * that something has left its range.
 */
#ifndef AMPHI_CUDA_FIXED_SUMS_H
#define AMPHI_CUDA_FIXED_SUMS_H

#include "../engine/fixed_motion.h"
#include "state.h"

/* Numbers of a row of a term's sums. */
enum { TERM_ENERGY = 0, TERM_VIRIAL = 1, TERM_COUNT = 10 };

/* What it was and on which bead, the lowest bead that was seen; then every kernel returns at once. */
__device__ static inline void raise_range(const View &v, FixedFault what, int32_t bead)
{
    if (what == FIXED_GOOD)
        return;
    atomicMin(v.fixed.out_of_range, (unsigned long long)bead << 32 | (unsigned)what);
    atomicOr(&v.ledger->fault, (uint32_t)FAULT_RANGE);
}

__device__ static inline int64_t other_lane(int64_t mine, int bit)
{
    return (int64_t)__shfl_xor_sync(0xFFFFFFFFu, (long long)mine, bit);
}

__device__ static inline void add_whole(int64_t *to, int64_t number)
{
    if (number != 0)
        atomicAdd((unsigned long long *)to, (unsigned long long)number);
}

/* N numbers of a lane to N/2: lanes that differ in one bit share them out and add each other's. */
template <int N> __device__ static inline void halve_whole(int64_t *number, unsigned bit)
{
    const bool high = (threadIdx.x & bit) != 0;

#pragma unroll
    for (int k = 0; k < N / 2; k++) {
        const int64_t mine  = high ? number[2 * k + 1] : number[2 * k];
        const int64_t other = high ? number[2 * k] : number[2 * k + 1];

        number[k] = mine + other_lane(other, (int)bit);
    }
}

/* The total of number[lane % N] over a warp, N a power of 2; the numbers are used up. */
template <int N> __device__ static inline int64_t warp_total_whole(int64_t number[N])
{
    static_assert(N <= 16, "one round for each power of 2");
    if constexpr (N >= 16)
        halve_whole<16>(number, 1);
    if constexpr (N >= 8)
        halve_whole<8>(number, N / 8);
    if constexpr (N >= 4)
        halve_whole<4>(number, N / 4);
    if constexpr (N >= 2)
        halve_whole<2>(number, N / 2);
    for (int bit = N; bit < 32; bit *= 2)
        number[0] += other_lane(number[0], bit);
    return number[0];
}

/* By all threads of a warp: adds what they have to a row. */
template <int N> __device__ static inline void add_to_row(int64_t number[N], FixedRow *to)
{
    const int     lane = (int)threadIdx.x % 32;
    const int64_t sum  = warp_total_whole<N>(number);

    if (lane < N)
        add_whole(&to->x[lane], sum);
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

/* One warp: a term's sums, times a factor, and its rows are clear again. */
__launch_bounds__(32) __global__
    static void k_fixed_put_term(const View v, FixedRow *rows, double factor, TermSums *to)
{
    int64_t number = 0;

    if (v.ledger->fault != 0)
        return;
    if (threadIdx.x < FIXED_SUM_WIDTH)
        number = total_of(rows, 1, (int)threadIdx.x);
    if (threadIdx.x <= TERM_COUNT)
        ((double *)to)[threadIdx.x] =
            factor * (threadIdx.x == TERM_COUNT ? (double)number : fixed_energy_kJ_mol(number));
    __syncwarp();
    for (int copy = 0; threadIdx.x < FIXED_SUM_WIDTH && copy < FIXED_COPIES; copy++)
        rows[copy].x[threadIdx.x] = 0;
}

#endif
