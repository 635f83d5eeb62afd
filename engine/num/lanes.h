/* `real`: one number, or a vector of LANES numbers; and the operations on it that formulas need
 * besides + - * /: masks, choose, keep, square roots, the nearest integer.
 *
 * The comparison of two reals gives a `whole`, a mask: 0 or 1 for one number, 0 or -1 in each lane
 * of a vector. Combine masks with & and |, and use them only in choose() and keep(). With one lane
 * the same formulas serve the reference, bonded terms, and devices.
 */
#ifndef AMPHI_NUM_REAL_H
#include "real.h" /* comes back here once it has said what a scalar is */
#endif

#ifndef AMPHI_NUM_LANES_H
#define AMPHI_NUM_LANES_H

#include <math.h>

#include "roots.h"

#ifndef LANES
#define LANES 1
#endif

/* A literal of the build's precision, so that nothing is promoted to double. */
#define R(x) ((scalar)(x))

AMPHI_BOTH scalar scalar_sqrt(scalar a)
{
#ifdef AMPHI_BUILD_DOUBLE
    return sqrt(a);
#else
    return sqrtf(a);
#endif
}

AMPHI_BOTH scalar scalar_whole(scalar a)
{
#ifdef AMPHI_BUILD_DOUBLE
    return rint(a);
#else
    return rintf(a);
#endif
}

/* 1/sqrt(a). On devices within two ulp, which takes less than half the time of a root and a
 * division. */
AMPHI_BOTH scalar scalar_inv_sqrt(scalar a)
{
#ifdef AMPHI_BUILD_FIXED
    return nearest_inv_sqrt(a);
#elif defined(__CUDA_ARCH__) && defined(AMPHI_BUILD_DOUBLE)
    return device_inv_root(a);
#elif defined(__CUDA_ARCH__)
    return rsqrtf(a);
#else
    return R(1) / scalar_sqrt(a);
#endif
}

/* Does the build look after what rounding takes from a difference that a high power multiplies?
 * Double has no need. */
#ifdef AMPHI_BUILD_DOUBLE
#define KEEPS_RESTS 0
#else
#define KEEPS_RESTS 1
#endif

#if LANES == 1

typedef scalar real;
typedef int    whole;

AMPHI_BOTH real choose(whole mask, real yes, real no)
{
    return mask ? yes : no;
}

/* a where the mask is set, exactly zero elsewhere, even if a is not finite there. */
AMPHI_BOTH real keep(whole mask, real a)
{
    return mask ? a : R(0);
}

AMPHI_BOTH real spread(scalar a)
{
    return a;
}

AMPHI_BOTH real square_root(real a)
{
    return scalar_sqrt(a);
}

AMPHI_BOTH real inv_sqrt(real a)
{
    return scalar_inv_sqrt(a);
}

/* 1/b and the root of b, where b is normal and above zero, as are both. */
AMPHI_BOTH real reciprocal(real b)
{
#if defined(__CUDA_ARCH__) && !defined(AMPHI_BUILD_SINGLE)
    return device_reciprocal(b);
#else
    return R(1) / b;
#endif
}

AMPHI_BOTH real positive_root(real b)
{
#if defined(__CUDA_ARCH__) && !defined(AMPHI_BUILD_SINGLE)
    return device_root(b);
#else
    return scalar_sqrt(b);
#endif
}

/* The nearest whole number, halves to even. */
AMPHI_BOTH real nearest_whole(real a)
{
    return scalar_whole(a);
}

/* a b + c: rounded once in the fixed build and on devices, whose compiler fuses nothing by itself
 * in pair forces; in the others the compiler decides. */
AMPHI_BOTH real fused(real a, real b, real c)
{
#if defined(AMPHI_BUILD_FIXED) || (defined(__CUDA_ARCH__) && defined(AMPHI_BUILD_SINGLE))
    return fmaf(a, b, c);
#elif defined(__CUDA_ARCH__)
    return fma(a, b, c);
#else
    return a * b + c;
#endif
}

/* a b + c, rounded once in every build. */
AMPHI_BOTH real rounded_once(real a, real b, real c)
{
#ifdef AMPHI_BUILD_DOUBLE
    return fma(a, b, c);
#else
    return fmaf(a, b, c);
#endif
}

#else

#ifdef AMPHI_BUILD_DOUBLE
typedef int64_t lane_whole;
typedef uint64_t lane_units;
#else
typedef int32_t  lane_whole;
typedef uint32_t lane_units;
#endif
typedef scalar real __attribute__((vector_size(sizeof(scalar) * LANES)));
typedef lane_whole whole __attribute__((vector_size(sizeof(lane_whole) * LANES)));
typedef lane_units whole_units __attribute__((vector_size(sizeof(lane_units) * LANES)));

/* a - b, which wraps, as differences of unsigned numbers may. */
AMPHI_BOTH whole wrapped_difference(whole a, whole b)
{
    return (whole)((whole_units)a - (whole_units)b);
}

#include "lanes_x86.h" /* estimates of roots */

AMPHI_BOTH real keep(whole mask, real a)
{
    return (real)((whole)a & mask);
}

AMPHI_BOTH real choose(whole mask, real yes, real no)
{
    return (real)(((whole)yes & mask) | ((whole)no & ~mask));
}

AMPHI_BOTH real spread(scalar a)
{
    const real zero = { 0 };

    return a - zero; /* for the compiler the same as a, unlike the sum: -0 + 0 is 0 */
}

AMPHI_BOTH real square_root(real a)
{
    for (int k = 0; k < LANES; k++)
        a[k] = scalar_sqrt(a[k]);
    return a;
}

/* 1/b and the root of b, as above; the former in single within two last bits for a tenth of the
 * time. */
AMPHI_BOTH real reciprocal(real b)
{
#ifdef AMPHI_BUILD_SINGLE
    const real y = inverse_estimate(b), e = fused_lanes(-b, y, spread(R(1)));
#ifdef __AVX512F__ /* 14 bits to begin with */
    return fused_lanes(y, e, y);
#else
    return fused_lanes(y, fused_lanes(e, e, e), y);
#endif
#else
    return R(1) / b;
#endif
}

AMPHI_BOTH real positive_root(real b)
{
    return square_root(b);
}

AMPHI_BOTH real fused(real a, real b, real c)
{
#ifdef AMPHI_BUILD_FIXED
    return fused_lanes(a, b, c);
#else
    return a * b + c;
#endif
}

AMPHI_BOTH real rounded_once(real a, real b, real c)
{
    return fused_lanes(a, b, c);
}

/* Within two last bits, from an estimate. The fixed build rounds correctly, as one number does,
 * once the estimate is within a last bit. Zero and what is not finite give what is not finite. */
AMPHI_BOTH real inv_sqrt(real a)
{
#ifdef AMPHI_BUILD_FIXED
    const real half = spread(0.5F), one = spread(1), more = spread(0.375F);
    real y = inv_sqrt_estimate(a), t = a * y, e = fused(-t, y, one);

#ifdef __AVX512F__
    y = fused(half * y, e, y);
#else
    y = fused(y * e, fused(more, e, half), y);
#endif
    t = a * y;
    e = fused(fused(-a, y, t), y, fused(-t, y, one));
    return fused(y * e, fused(more, e, half), y);
#elif defined(__AVX512F__) /* 14 bits to begin with: a step of Newton's gives 27, two 53 */
    const real y = inv_sqrt_estimate(a), z = y + (R(0.5) * y) * (R(1) - a * y * y);
#ifdef AMPHI_BUILD_DOUBLE
    return z + (R(0.5) * z) * (R(1) - a * z * z);
#else
    return z;
#endif
#else
    real y = inv_sqrt_estimate(a), e = R(1) - a * y * y;

    y = y + y * e * (R(0.5) + R(0.375) * e);
#ifdef AMPHI_BUILD_DOUBLE
    e = R(1) - a * y * y;
    y = y + y * (R(0.5) * e);
#endif
    return y;
#endif
}

AMPHI_BOTH real nearest_whole(real a)
{
    for (int k = 0; k < LANES; k++)
        a[k] = scalar_whole(a[k]);
    return a;
}

#endif

/* a b + c as `fused`, but in the fixed build with the product rounded: where c is a product, too,
 * so that a pair has the same bits from both sides; and where fixed has always done so. */
AMPHI_BOTH real joined(real a, real b, real c)
{
#ifdef AMPHI_BUILD_FIXED
    return a * b + c;
#else
    return fused(a, b, c);
#endif
}

/* A number in two parts. */
typedef struct {
    real sum, rest;
} Fine;

/* a b on a lattice, and the rest of it: sums of such numbers are exact in any order. The origin is
 * 1.5 * 2^23 steps of the lattice, so that adding it rounds to whole steps. */
AMPHI_BOTH Fine fine_product(real a, real b, scalar origin)
{
    Fine out;

    out.sum  = rounded_once(a, b, spread(origin)) - origin;
    out.rest = rounded_once(a, b, -out.sum);
    return out;
}

#endif
