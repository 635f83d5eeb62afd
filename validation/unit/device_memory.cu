/* Blocks that only stand in the way. */
#include <cuda_runtime.h>

extern "C" {
#include "device_memory.h"
}

enum { MOST_BLOCKS = 64 };

static void *block[MOST_BLOCKS];
static int   n_blocks;

/* In halves of what is free: one block of nearly all of it may not be found. */
extern "C" bool device_memory_hold(size_t left)
{
    size_t is_free = 0, all = 0;

    while (cudaMemGetInfo(&is_free, &all) == cudaSuccess && is_free > left) {
        const size_t want = (is_free - left + 1) / 2 + ((size_t)1 << 20);

        if (n_blocks == MOST_BLOCKS || cudaMalloc(&block[n_blocks], want) != cudaSuccess)
            break;
        n_blocks++;
    }
    (void)cudaGetLastError();
    return n_blocks > 0 && is_free < 2 * left;
}

extern "C" void device_memory_release(void)
{
    while (n_blocks > 0)
        (void)cudaFree(block[--n_blocks]);
}
