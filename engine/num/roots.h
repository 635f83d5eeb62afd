/* Square roots that have the same bits on every processor. */
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

#endif
