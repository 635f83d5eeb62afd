/* Totals of a block of threads, and of many blocks, in a fixed order; for pairs and bonds. */
#ifndef AMPHI_CUDA_TOTALS_H
#define AMPHI_CUDA_TOTALS_H

#include "state.h"
#include "warps.h"

enum { TERM_NUMBERS = 11 };

static_assert(sizeof(TermSums) == TERM_NUMBERS * sizeof(double), "TermSums is added as an array");
static_assert(sizeof(QuickSums) == 4 * sizeof(double), "QuickSums is added as an array");

/* The total of a number over a block, from what lane `lane` has of each warp. */
template <int THREADS, int N>
__device__ static inline double add_warps(const double (*part)[N], int lane)
{
    double total = part[0][lane];

    for (int k = 1; k < THREADS / WARP; k++)
        total += part[k][lane];
    return total;
}

/* The total of value[lane % 4] over a warp: two rounds that halve the numbers, three that do not.
 * As warp_total<4> of a copy, but that nvcc has no copy to find registers for. */
__device__ static inline double warp_total_of_four(const double value[4])
{
    const bool   odd = threadIdx.x & 1, high = threadIdx.x & 2;
    const double a = (odd ? value[1] : value[0]) + other_lane(odd ? value[0] : value[1], 1);
    const double b = (odd ? value[3] : value[2]) + other_lane(odd ? value[2] : value[3], 1);
    double       c = (high ? b : a) + other_lane(high ? a : b, 2);

    for (int bit = 4; bit < WARP; bit *= 2)
        c += other_lane(c, bit);
    return c;
}

/* All THREADS of a block have called it when it returns; the block's total goes to *to. */
template <int THREADS, SumsLevel LEVEL>
__device__ static inline void put_quick_sums(const double value[4], QuickSums *to)
{
    __shared__ double part[THREADS / WARP][4];
    const int         warp = (int)threadIdx.x / WARP, lane = (int)threadIdx.x % WARP;
    const double      sum = warp_total_of_four(value);

    if (lane < 4)
        part[warp][lane] = sum;
    __syncthreads();
    if (threadIdx.x < 4 && (LEVEL == QUICK || threadIdx.x > 0))
        ((double *)to)[lane] = add_warps<THREADS, 4>(part, lane);
}

/* The same of TermSums. */
template <int THREADS>
__device__ static inline void put_term_sums(const TermSums *mine, TermSums *to)
{
    __shared__ double part[THREADS / WARP][TERM_NUMBERS];
    const int         warp = (int)threadIdx.x / WARP, lane = (int)threadIdx.x % WARP;

#pragma unroll
    for (int k = 0; k < TERM_NUMBERS; k++) {
        double sum = ((const double *)mine)[k];

        for (int bit = 1; bit < WARP; bit *= 2)
            sum += other_lane(sum, bit);
        if (lane == 0)
            part[warp][k] = sum;
    }
    __syncthreads();
    if (threadIdx.x < TERM_NUMBERS)
        ((double *)to)[lane] = add_warps<THREADS, TERM_NUMBERS>(part, lane);
}

/* Parts of the sums of several slots: those of slot k are from first[k] to first[k + 1]. */
typedef struct {
    const TermSums *part;
    int32_t         first[AMPHI_TERMS + 1];
} SlotParts;

/* A block of SUM_BLOCK threads for each slot: the sum of its parts, zeros for none. */
__launch_bounds__(SUM_BLOCK) __global__
    static void k_add_parts(const View v, const SlotParts parts, TermSums *to)
{
    const int32_t slot = (int32_t)blockIdx.x;
    TermSums      mine = {};

    if (v.ledger->fault != 0)
        return;
    for (int32_t at = parts.first[slot] + (int32_t)threadIdx.x; at < parts.first[slot + 1];
         at += SUM_BLOCK)
#pragma unroll
        for (int k = 0; k < TERM_NUMBERS; k++)
            ((double *)&mine)[k] += ((const double *)&parts.part[at])[k];
    put_term_sums<SUM_BLOCK>(&mine, &to[slot]);
}

#endif
