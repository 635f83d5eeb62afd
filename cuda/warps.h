/* What the lanes of a warp do together: sums over lanes in a fixed order, of one number or of
 * several that the lanes share out.
 */
#ifndef AMPHI_CUDA_WARPS_H
#define AMPHI_CUDA_WARPS_H

#include <stdint.h>

#define ALL_LANES 0xffffffffu /* of a warp */

enum { WARP = 32 };

/* What the lane has whose number differs in one bit. */
template <class T> __device__ static inline T other_lane(T mine, int bit)
{
    return __shfl_xor_sync(ALL_LANES, mine, bit);
}

/* N numbers of a lane to N/2: lanes that differ in one bit share them out and add each other's. */
template <int N, class T> __device__ static inline void halve(T *number, int bit)
{
    const bool high = ((int)threadIdx.x & bit) != 0;

#pragma unroll
    for (int k = 0; k < N / 2; k++) {
        const T mine  = high ? number[2 * k + 1] : number[2 * k];
        const T other = high ? number[2 * k] : number[2 * k + 1];

        number[k] = mine + other_lane(other, bit);
    }
}

/* The total of number[lane % N] over a warp, N a power of 2; the numbers are used up. */
template <int N, class T> __device__ static inline T warp_total(T *number)
{
    static_assert(N <= 16, "one round for each power of 2");
    if constexpr (N >= 16)
        halve<16>(number, 1);
    if constexpr (N >= 8)
        halve<8>(number, N / 8);
    if constexpr (N >= 4)
        halve<4>(number, N / 4);
    if constexpr (N >= 2)
        halve<2>(number, N / 2);
    for (int bit = N; bit < WARP; bit *= 2)
        number[0] += other_lane(number[0], bit);
    return number[0];
}

/* The sum of x over the lanes up to this one, of the first N lanes. */
template <int N> __device__ static __forceinline__ int32_t sum_up_to_lane(int32_t lane, int32_t x)
{
#pragma unroll
    for (int32_t far = 1; far < N; far *= 2) {
        const int32_t other = __shfl_up_sync(ALL_LANES, x, (uint32_t)far);

        x += lane >= far ? other : 0;
    }
    return x;
}

#endif
