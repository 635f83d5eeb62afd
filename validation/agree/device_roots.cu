/* The roots and the reciprocal that pair kernels of fixed precision have, for every mantissa; and
 * as many quotients of doubles, as rotations have them. */
#include "../../engine/num/roots.h"

extern "C" {
#include "device_roots.h"
}

enum { FLOATS = 1 << 24, BLOCK = 256 };

/* In double the root is right to 2^-52, far nearer than any root of a float is to the middle
 * between two floats. */
__global__ static void __launch_bounds__(BLOCK) count_wrong(unsigned long long *wrong)
{
    const uint32_t k     = blockIdx.x * BLOCK + threadIdx.x;
    const float    x     = __int_as_float((int)(0x3F800000U + k));
    const float    exact = (float)(1.0 / sqrt((double)x));
    const double   a     = (double)((k * 2654435761U) >> 1) * 0x1p-31;
    const double   b     = 0.5 + 0.375 * x + 0x1p-30 * a;

    if (k < FLOATS &&
        (nearest_inv_sqrt(x) != exact || device_root(x) != __fsqrt_rn(x) ||
         device_reciprocal(x) != __frcp_rn(x) || device_quotient(a, b) != __ddiv_rn(a, b)))
        atomicAdd(wrong, 1ULL);
}

extern "C" int64_t device_wrong_roots(void)
{
    unsigned long long *there = NULL, wrong = 0;
    bool                done;

    if (cudaMalloc(&there, sizeof *there) != cudaSuccess)
        return -1;
    done = cudaMemset(there, 0, sizeof *there) == cudaSuccess;
    count_wrong<<<FLOATS / BLOCK, BLOCK>>>(there);
    done = done && cudaMemcpy(&wrong, there, sizeof wrong, cudaMemcpyDeviceToHost) == cudaSuccess;
    (void)cudaFree(there);
    return done ? (int64_t)wrong : -1;
}
