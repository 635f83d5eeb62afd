/* Both kinds of Philox side by side, one case a thread. */
#include <curand_kernel.h>

extern "C" {
#include "philox_device.h"
}

#include "../../engine/num/normal.h"

enum { THREADS = 64 };

__device__ static void fill_ours(PhiloxCase *c)
{
    const uint64_t seed = (uint64_t)c->key[1] << 32 | c->key[0];
    const Philox   in   = { { c->counter[0], c->counter[1], c->counter[2], c->counter[3] } };
    const Philox   out  = philox_mix(in, c->key[0], c->key[1]);
    const uint64_t id = c->counter[0], step = c->counter[2];

    for (int k = 0; k < 4; k++)
        c->ours[k] = out.word[k];
    const TwoNormals normals = draw_normals(seed, id, step, (AmphiStream)1, 0);

    c->normal[0] = normals.first;
    c->normal[1] = normals.second;
    c->squares   = draw_squares(c->counter[3] % 5000, seed, id, step, (AmphiStream)2, 0);
}

/* Their generator has the sequence in the upper words and counts four words in the lower ones. */
__device__ static void fill_theirs(PhiloxCase *c)
{
    const uint64_t seed     = (uint64_t)c->key[1] << 32 | c->key[0];
    const uint64_t sequence = (uint64_t)c->counter[3] << 32 | c->counter[2];
    const uint64_t block    = (uint64_t)(c->counter[1] & 0x3fffffffu) << 32 | c->counter[0];
    const uint4    bare =
        curand_Philox4x32_10(make_uint4(c->counter[0], c->counter[1], c->counter[2], c->counter[3]),
                             make_uint2(c->key[0], c->key[1]));
    curandStatePhilox4_32_10_t state;

    curand_init(seed, sequence, 4 * block, &state);
    const uint4 drawn = curand4(&state);

    c->theirs[0]    = bare.x;
    c->theirs[1]    = bare.y;
    c->theirs[2]    = bare.z;
    c->theirs[3]    = bare.w;
    c->generator[0] = drawn.x;
    c->generator[1] = drawn.y;
    c->generator[2] = drawn.z;
    c->generator[3] = drawn.w;
}

__global__ static void __launch_bounds__(THREADS) fill(PhiloxCase *cases, int n)
{
    const int i = (int)(blockIdx.x * THREADS + threadIdx.x);

    if (i >= n)
        return;
    fill_ours(&cases[i]);
    fill_theirs(&cases[i]);
}

extern "C" bool philox_device_is_there(void)
{
    int n = 0;

    return cudaGetDeviceCount(&n) == cudaSuccess && n > 0;
}

extern "C" bool philox_device_fill(PhiloxCase *cases, int n)
{
    const size_t bytes = sizeof *cases * (size_t)n;
    PhiloxCase  *there = NULL;
    bool         works = cudaMalloc((void **)&there, bytes) == cudaSuccess;

    works = works && cudaMemcpy(there, cases, bytes, cudaMemcpyHostToDevice) == cudaSuccess;
    if (works)
        fill<<<(n + THREADS - 1) / THREADS, THREADS>>>(there, n);
    works = works && cudaPeekAtLastError() == cudaSuccess &&
            cudaMemcpy(cases, there, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
    (void)cudaFree(there);
    return works;
}
