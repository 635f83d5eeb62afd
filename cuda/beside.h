/* A kernel that begins beside the last blocks of the one before it: a drift beside the kick, pairs
 * beside the drift. It may fetch what that one does not write, and waits with the rest. Of no
 * effect where a launch does not ask for it.
 */
#ifndef AMPHI_CUDA_BESIDE_H
#define AMPHI_CUDA_BESIDE_H

#include "device.h"

/* The next kernel may begin once all blocks have said so. */
__device__ static inline void let_next_begin(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Until all blocks of the kernel before are through. */
__device__ static inline void wait_for_last(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* A launch beside the kernel before it, where the device can. */
static inline cudaLaunchConfig_t launch_beside(bool can_begin, unsigned blocks, unsigned threads,
                                               cudaStream_t stream, cudaLaunchAttribute *is_beside)
{
    cudaLaunchConfig_t config = {};

    is_beside->id = cudaLaunchAttributeProgrammaticStreamSerialization;
    is_beside->val.programmaticStreamSerializationAllowed = 1;
    config.gridDim                                        = dim3(blocks);
    config.blockDim                                       = dim3(threads);
    config.stream                                         = stream;
    config.attrs                                          = is_beside;
    config.numAttrs                                       = can_begin ? 1 : 0;
    return config;
}

#endif
