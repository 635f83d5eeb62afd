/* AMPHI_BOTH: a small function that gcc, clang and nvcc compile from one text.
 *
 * Forced inline on the host, because the arguments are groups of lanes that must not travel
 * through memory.
 */
#ifndef AMPHI_NUM_BOTH_H
#define AMPHI_NUM_BOTH_H

#ifdef __CUDACC__
#define AMPHI_BOTH static __host__ __device__ __forceinline__
#else
#define AMPHI_BOTH static inline __attribute__((always_inline, unused))
#endif

#endif
