/* AMPHI_BOTH: marks a small function for host and device, compiled by gcc, clang and nvcc.
 *
 * On the host it is always inlined, because arguments may be vectors, which must stay in registers.
 */
#ifndef AMPHI_NUM_BOTH_H
#define AMPHI_NUM_BOTH_H

#ifdef __CUDACC__
#define AMPHI_BOTH static __host__ __device__ __forceinline__
#else
#define AMPHI_BOTH static inline __attribute__((always_inline, unused))
#endif

#endif
