/* Square roots that have the same bits on every processor, and what devices have of their own. */
#ifndef AMPHI_NUM_ROOTS_H
#define AMPHI_NUM_ROOTS_H

#include <math.h>

#include "both.h"

/* The float nearest to 1/sqrt(a), so that the seed cannot be seen in the result: one Halley step
 * with the residual kept in two parts. On devices a is no denormal. */
AMPHI_BOTH float nearest_inv_sqrt(float a)
{
#ifdef __CUDA_ARCH__
    float y; /* what rsqrtf() does for denormals costs as much as the rest */

    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
#else
    const float y = 1.0F / sqrtf(a);
#endif
    const float t  = a * y;
    const float tl = fmaf(a, y, -t);
    const float e  = fmaf(-tl, y, fmaf(-t, y, 1.0F));

    return fmaf(y * e, fmaf(0.375F, e, 0.5F), y);
}

#ifdef __CUDACC__
/* On devices, of numbers that are normal and above zero, as what comes out; no number of zero and
 * infinity. These are the steps of the built-in operations without their branches for all others,
 * which are calls: the compiler moves dozens of registers for them at every pair, and does not
 * evaluate two pairs side by side. Floats and quotients are rounded correctly, other doubles within
 * two ulp: Markstein, IBM J. Res. Dev. 34, 111 (1990). */
__device__ static inline float device_reciprocal(float b)
{
    float y;

    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(b));
    return fmaf(y, fmaf(-b, y, 1.0F), y);
}

__device__ static inline float device_root(float a)
{
    float y;

    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));

    const float root = a * y;

    return fmaf(fmaf(-root, root, a), 0.5F * y, root);
}

__device__ static inline double device_reciprocal(double b)
{
    double y;

    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(b));

    const double e = fma(-b, y, 1.0), better = fma(y, fma(e, e, e), y);

    return fma(better, fma(-b, better, 1.0), better);
}

__device__ static inline double device_quotient(double a, double b)
{
    const double y = device_reciprocal(b), q = a * y;

    return fma(fma(-b, q, a), y, q);
}

__device__ static inline double device_inv_root(double a)
{
    double y;

    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));

    const double e = fma(-a, y * y, 1.0);

    return fma(y * e, fma(0.375, e, 0.5), y);
}

__device__ static inline double device_root(double a)
{
    const double y = device_inv_root(a), root = a * y;

    return fma(fma(-root, root, a), 0.5 * y, root);
}
#endif

/* a / b, where b, its inverse and the quotient are normal, or a is zero. */
AMPHI_BOTH double plain_quotient(double a, double b)
{
#ifdef __CUDA_ARCH__
    return device_quotient(a, b);
#else
    return a / b;
#endif
}

#endif
