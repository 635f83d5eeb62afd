/* A kernel that begins beside the last blocks of the one before it: a drift beside the kick, pairs
 * beside the drift. It may fetch what that one does not write, and waits with the rest. Of no
 * effect where a launch does not ask for it.
 *
 * A step, and a look at strays behind it, let the next kernel begin at once, pairs only when they
 * have waited for both. So what begins beside pairs finds that step complete, and may read before
 * its own wait whatever neither those pairs nor the list beside them write; pairs that begin beside
 * a step may read only what is of the list and of the system. A step reads what bonds do before it
 * waits, too: a graph begins it when these are through, so their kernels let nobody begin sooner,
 * and end with a fence. Some block of every kernel waits, for a kernel counts as through when its
 * blocks are, and whoever waits for it relies on those before it. One that does not let the next
 * begin does so at its end.
 *
 * Behind a wait, whatever was written before it is read: by plain loads and by those past the first
 * cache (__ldcg), but not by loads that promise that nobody writes (__ldg, ld.global.nc), which
 * ptxas moves ahead of the wait although the text has them behind it (H100, CUDA 13: each of 39 600
 * reads was stale). These are for what is of the list and of the system, and else stand behind a
 * branch on what was loaded after the wait.
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
