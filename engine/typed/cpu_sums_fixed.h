/* Sums of a row in fixed precision: integers in lanes. Part of cpu_visits.h.
 *
 * Forces and fields are summed modulo 2^32, and the squares of all their components beside that.
 * Where these do not exclude an overflow in a lane, or a component out of range (bounds in
 * pair_fixed.h, n being the groups of lanes in the row), the row is evaluated once more with 64-bit
 * sums and a range check of every component.
 */
#ifndef AMPHI_TYPED_CPU_SUMS_FIXED_H
#define AMPHI_TYPED_CPU_SUMS_FIXED_H

#include "../../forcefield/pair_fixed.h"
#include "../num/lanes_x86.h"
#include "cpu_records.h"

typedef uint32_t lane_sum __attribute__((vector_size(sizeof(uint32_t) * LANES)));
typedef int64_t  half_long __attribute__((vector_size(sizeof(int64_t) * (LANES / 2))));
typedef uint64_t half_sum __attribute__((vector_size(sizeof(uint64_t) * (LANES / 2))));
typedef uint64_t quarter_sum __attribute__((vector_size(sizeof(uint64_t) * 4)));
typedef uint64_t pair_sum __attribute__((vector_size(sizeof(uint64_t) * 2)));
typedef double   half_double __attribute__((vector_size(sizeof(double) * (LANES / 2))));
typedef float    half_real __attribute__((vector_size(sizeof(float) * (LANES / 2))));

#if LANES == 16
#define LOW_HALF(a)  __builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7)
#define HIGH_HALF(a) __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15)
#else
#define LOW_HALF(a)  __builtin_shufflevector(a, a, 0, 1, 2, 3)
#define HIGH_HALF(a) __builtin_shufflevector(a, a, 4, 5, 6, 7)
#endif

typedef struct {
    lane_sum x, y, z;
} Sum3;

/* Sums for one bead over its neighbours. */
typedef struct {
    Sum3 f, field[AXIS_KINDS];
    Sum3 torque; /* of potentials that read frames */
    real square; /* of all components, each in its units */
} BeadSums;

/* 64 bits a lane, modulo 2^64. */
typedef struct {
    half_sum low, high;
} Longs;

typedef struct {
    Longs x, y, z;
} Longs3;

/* Sums over a block of beads, in which every pair counts twice. */
typedef struct {
    Longs   u;
    Longs3  w;        /* the diagonal of the virial */
    int64_t n_groups; /* that were added, with BITS_OF_ZERO in each number */
    whole   most;     /* bits of the largest |u| of the row so far */
} TotalSums;

/* The same of one term, with the whole virial. */
typedef struct {
    Longs   u, w[3][3];
    int64_t n_groups;
    whole   count; /* pairs within range */
} TermSums;

/* Of one bead, gone over once more; bits of the largest components too. */
typedef struct {
    Longs3 f, field[AXIS_KINDS], torque;
    whole  most_force, most_field[AXIS_KINDS], most_torque;
} CarefulSums;

#if LANES == 16
#define BITS_OF_ZERO 0

AMPHI_BOTH half_long bits_of_half(half_real a)
{
    return (half_long)half_rounded((__m256)a);
}
#else
/* Adding this rounds to an integer, which is then in the low bits of the result. */
#define NO_FRACTION  0x1.8p52
#define BITS_OF_ZERO 0x4338000000000000

AMPHI_BOTH half_long bits_of_half(half_real a)
{
    return (half_long)(__builtin_convertvector(a, half_double) + NO_FRACTION);
}
#endif

/* The nearest whole numbers, halves to even, for |a| < 2^51; and BITS_OF_ZERO in each half. */
AMPHI_BOTH void add_bits(real a, Longs *sum)
{
    sum->low += (half_sum)bits_of_half((half_real)LOW_HALF(a));
    sum->high += (half_sum)bits_of_half((half_real)HIGH_HALF(a));
}

AMPHI_BOTH void add_rounded(real a, Longs *sum)
{
    add_bits(a, sum);
    sum->low -= BITS_OF_ZERO;
    sum->high -= BITS_OF_ZERO;
}

AMPHI_BOTH void add_rounded3(real3 a, Longs3 *sum)
{
    add_rounded(a.x, &sum->x);
    add_rounded(a.y, &sum->y);
    add_rounded(a.z, &sum->z);
}

/* The bits of |a| as integers, which have the same order; NaN is above all numbers. */
AMPHI_BOTH whole size_bits(real a)
{
    return (whole)a & 0x7FFFFFFF;
}

AMPHI_BOTH whole larger3(whole most, real3 a)
{
    return larger(most, larger(size_bits(a.x), larger(size_bits(a.y), size_bits(a.z))));
}

/* Is the number in any lane not below `most`, or NaN? */
AMPHI_BOTH int reaches(whole bits, float most)
{
    const union {
        float   number;
        int32_t bits;
    } limit = { most };

    return any(bits >= limit.bits);
}

/* AVX-512 adds under a bit mask. AVX2 expects zeros where a lane is not near: masked parts. */
#if LANES == 16
enum { ADDS_MASKED = 1 };

AMPHI_BOTH void add_modulo(near_lanes near, real3 a, Sum3 *sum, real *square)
{
    sum->x += (lane_sum)rounded_near(near, a.x);
    sum->y += (lane_sum)rounded_near(near, a.y);
    sum->z += (lane_sum)rounded_near(near, a.z);
    *square = add_product(near, a.x, a.x, *square);
    *square = add_product(near, a.y, a.y, *square);
    *square = add_product(near, a.z, a.z, *square);
}
#else
enum { ADDS_MASKED = 0 };

AMPHI_BOTH void add_modulo(near_lanes near, real3 a, Sum3 *sum, real *square)
{
    (void)near;
    sum->x += (lane_sum)rounded(a.x);
    sum->y += (lane_sum)rounded(a.y);
    sum->z += (lane_sum)rounded(a.z);
    *square += fused(a.x, a.x, fused(a.y, a.y, a.z * a.z));
}
#endif

AMPHI_BOTH int64_t total_of_half(half_sum a)
{
#if LANES == 16
    const quarter_sum q =
        __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
#else
    const quarter_sum q = a;
#endif
    const pair_sum p = __builtin_shufflevector(q, q, 0, 1) + __builtin_shufflevector(q, q, 2, 3);

    return (int64_t)(p[0] + p[1]);
}

AMPHI_BOTH int64_t total_of_longs(const Longs *a)
{
    return total_of_half(a->low + a->high);
}

/* With 2^31 added to each lane, so that pairs of lanes part without their signs. */
AMPHI_BOTH int64_t total_of_wholes(whole a)
{
    const half_sum both = (half_sum)(a ^ INT32_MIN);

    return total_of_half((both & UINT32_MAX) + (both >> 32)) - LANES * ((int64_t)1 << 31);
}

AMPHI_BOTH void totals_of(const Sum3 *a, int64_t out[3])
{
    out[0] = total_of_wholes((whole)a->x);
    out[1] = total_of_wholes((whole)a->y);
    out[2] = total_of_wholes((whole)a->z);
}

/* Of n groups that were added by add_bits. */
AMPHI_BOTH int64_t total_without(const Longs *a, int64_t n_groups)
{
    const uint64_t bits = (uint64_t)(n_groups * LANES) * BITS_OF_ZERO;

    return (int64_t)((uint64_t)total_of_longs(a) - bits);
}

AMPHI_BOTH void totals_of_longs3(const Longs3 *a, int64_t out[3])
{
    out[0] = total_of_longs(&a->x);
    out[1] = total_of_longs(&a->y);
    out[2] = total_of_longs(&a->z);
}

/* Is every component in range, S < 2^58, and is overflow of 32 bits excluded in every lane,
 * sqrt(G S) < 2^31; each with a bit to spare for roundings? False for NaN. */
AMPHI_BOTH int stays_in(real square, int32_t n_groups)
{
    const real more = square * (scalar)n_groups;

    return !any((whole) ~((square <= PAIR_FIXED_MOST_SQUARE) & (more <= PAIR_FIXED_MOST_SQUARES)));
}

#endif
