/* Operations that vector types alone cannot express, for AVX2 and AVX-512: roots, packing by a
 * mask, transposing records into lanes. All intrinsics of the project are here.
 */
#ifndef AMPHI_NUM_REAL_H
#include "real.h" /* comes back here once it has said what lanes are */
#endif

#ifndef AMPHI_NUM_LANES_X86_H
#define AMPHI_NUM_LANES_X86_H

#include <immintrin.h>

/* Whole numbers as wide as slots, one a lane. */
typedef int32_t lane_slots __attribute__((vector_size(sizeof(int32_t) * LANES)));

AMPHI_BOTH lane_slots load_slots(const int32_t *slot)
{
    lane_slots out;

    __builtin_memcpy(&out, slot, sizeof out);
    return out;
}

AMPHI_BOTH void copy_slots(int32_t *to, const int32_t *from)
{
    __builtin_memcpy(to, from, sizeof(lane_slots));
}

AMPHI_BOTH void fill_slots(int32_t *to, int32_t slot)
{
    const lane_slots slots = slot - (lane_slots){ 0 };

    __builtin_memcpy(to, &slots, sizeof slots);
}

/* first, first + 1, ... */
AMPHI_BOTH void count_slots(int32_t *to, int32_t first)
{
#if LANES == 16
    const lane_slots steps = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
#elif LANES == 8
    const lane_slots steps = { 0, 1, 2, 3, 4, 5, 6, 7 };
#else
    const lane_slots steps = { 0, 1, 2, 3 };
#endif
    const lane_slots slots = first + steps;

    __builtin_memcpy(to, &slots, sizeof slots);
}

/* Returns a, hidden from the optimiser. A product with it is not recognised as one with a, so that
 * it does not influence which other products are contracted to fused multiply-adds. */
AMPHI_BOTH real hidden(real a)
{
#ifdef __AVX512F__
    __asm__("" : "+v"(a));
#else
    __asm__("" : "+x"(a));
#endif
    return a;
}

/* Writes the ids of the lanes whose bits are set, in order, and returns their number. Up to LANES
 * entries are overwritten. */
AMPHI_BOTH int pack(int32_t *out, lane_slots id, unsigned bits)
{
#if LANES == 16
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)id));
#elif LANES == 8
    const uint64_t bytes = _pdep_u64(bits, 0x0101010101010101ULL) * 0xFF;
    const uint64_t order = _pext_u64(0x0706050403020100ULL, bytes);
    const __m256i  index = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)order));

    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_permutevar8x32_epi32((__m256i)id, index));
#else
    for (unsigned k = 0, n = 0; k < LANES; n += bits >> k & 1, k++)
        out[n] = id[k];
#endif
    return __builtin_popcount(bits);
}

/* Does the mask hold in any lane? */
AMPHI_BOTH int any(whole mask)
{
#if defined(AMPHI_BUILD_DOUBLE) && LANES == 8
    return _mm512_movepi64_mask((__m512i)mask) != 0;
#elif defined(AMPHI_BUILD_DOUBLE)
    return _mm256_movemask_pd((__m256d)mask) != 0;
#elif LANES == 16
    return _mm512_movepi32_mask((__m512i)mask) != 0;
#else
    return _mm256_movemask_ps((__m256)mask) != 0;
#endif
}

/* The lanes with r2 < most and slot[] != self, their bits, and sums over these lanes only,
 * whatever the others contain. AVX-512 adds under a bit mask; AVX2 clears the operands. */
#if LANES == 16 || (defined(AMPHI_BUILD_DOUBLE) && LANES == 8)
#ifdef AMPHI_BUILD_DOUBLE
typedef __mmask8 near_lanes;
#else
typedef __mmask16 near_lanes;
#endif

AMPHI_BOTH near_lanes find_near(real r2, scalar most, const int32_t *slot, int32_t self)
{
    const lane_slots id = load_slots(slot);
#ifdef AMPHI_BUILD_DOUBLE
    return _mm256_mask_cmpneq_epi32_mask(
        _mm512_cmp_pd_mask((__m512d)r2, _mm512_set1_pd(most), _CMP_LT_OQ), (__m256i)id,
        _mm256_set1_epi32(self));
#else
    return _mm512_mask_cmpneq_epi32_mask(
        _mm512_cmp_ps_mask((__m512)r2, _mm512_set1_ps(most), _CMP_LT_OQ), (__m512i)id,
        _mm512_set1_epi32(self));
#endif
}

AMPHI_BOTH whole lanes_as_whole(near_lanes near)
{
#ifdef AMPHI_BUILD_DOUBLE
    return (whole)_mm512_movm_epi64(near);
#else
    return (whole)_mm512_movm_epi32(near);
#endif
}

AMPHI_BOTH unsigned near_bits(near_lanes near)
{
    return near;
}

AMPHI_BOTH real add_product(near_lanes near, real a, real b, real sum)
{
#ifdef AMPHI_BUILD_DOUBLE
    return (real)_mm512_mask3_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)sum, near);
#else
    return (real)_mm512_mask3_fmadd_ps((__m512)a, (__m512)b, (__m512)sum, near);
#endif
}

AMPHI_BOTH real add_near(near_lanes near, real a, real sum)
{
#ifdef AMPHI_BUILD_DOUBLE
    return (real)_mm512_mask_add_pd((__m512d)sum, near, (__m512d)sum, (__m512d)a);
#else
    return (real)_mm512_mask_add_ps((__m512)sum, near, (__m512)sum, (__m512)a);
#endif
}
#else
typedef whole near_lanes;

AMPHI_BOTH near_lanes find_near(real r2, scalar most, const int32_t *slot, int32_t self)
{
    return (r2 < most) & ~__builtin_convertvector(load_slots(slot) == self, whole);
}

AMPHI_BOTH whole lanes_as_whole(near_lanes near)
{
    return near;
}

AMPHI_BOTH unsigned near_bits(near_lanes near)
{
#ifdef AMPHI_BUILD_DOUBLE
    return (unsigned)_mm256_movemask_pd((__m256d)near);
#else
    return (unsigned)_mm256_movemask_ps((__m256)near);
#endif
}

AMPHI_BOTH real add_product(near_lanes near, real a, real b, real sum)
{
    return sum + (real)((whole)a & near) * b;
}

AMPHI_BOTH real add_near(near_lanes near, real a, real sum)
{
    return sum + (real)((whole)a & near);
}
#endif

AMPHI_BOTH int count_near(near_lanes near)
{
    return __builtin_popcount(near_bits(near));
}

AMPHI_BOTH whole lanes_near(real r2, scalar most, const int32_t *slot, int32_t self)
{
    return lanes_as_whole(find_near(r2, most, slot, self));
}

/* 1/sqrt(a) to 11 bits at least. */
AMPHI_BOTH real inv_sqrt_estimate(real a)
{
#if defined(AMPHI_BUILD_DOUBLE) && LANES == 8
    return (real)_mm512_rsqrt14_pd((__m512d)a);
#elif defined(AMPHI_BUILD_DOUBLE)
    return (real)_mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps((__m256d)a)));
#elif LANES == 16
    return (real)_mm512_rsqrt14_ps((__m512)a);
#else
    return (real)_mm256_rsqrt_ps((__m256)a);
#endif
}

AMPHI_BOTH real fused_lanes(real a, real b, real c)
{
#if defined(AMPHI_BUILD_DOUBLE) && LANES == 8
    return (real)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(AMPHI_BUILD_DOUBLE)
    return (real)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif LANES == 16
    return (real)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#else
    return (real)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#endif
}

#ifndef AMPHI_BUILD_DOUBLE

/* 1/a to 11 bits at least. */
AMPHI_BOTH real inverse_estimate(real a)
{
#if LANES == 16
    return (real)_mm512_rcp14_ps((__m512)a);
#else
    return (real)_mm256_rcp_ps((__m256)a);
#endif
}

/* The nearest integers, halves to even; INT32_MIN for what is out of range or NaN. */
AMPHI_BOTH whole rounded(real a)
{
#if LANES == 16
    return (whole)_mm512_cvtps_epi32((__m512)a);
#else
    return (whole)_mm256_cvtps_epi32((__m256)a);
#endif
}

#if LANES == 16
/* The same with 64 bits. */
AMPHI_BOTH __m512i half_rounded(__m256 a)
{
    return _mm512_cvtps_epi64(a);
}

/* Zero in the other lanes. */
AMPHI_BOTH whole rounded_near(near_lanes near, real a)
{
    return (whole)_mm512_maskz_cvtps_epi32(near, (__m512)a);
}
#endif

/* Numbers of 64 bits, half as many as lanes. */
typedef double  wide __attribute__((vector_size(sizeof(double) * (LANES / 2))));
typedef int64_t wide_long __attribute__((vector_size(sizeof(int64_t) * (LANES / 2))));

#if LANES == 16
/* The nearest double; the nearest integer, halves to even, for |a| < 2^62. */
AMPHI_BOTH wide number_of(wide_long a)
{
    return (wide)_mm512_cvtepi64_pd((__m512i)a);
}

AMPHI_BOTH wide_long nearest_long(wide a)
{
    return (wide_long)_mm512_cvtpd_epi64((__m512d)a);
}
#else
/* AVX2 converts no such integers. The halves of a become exact doubles by what they are put into,
 * as the lowest bits of 2^84 + 2^63 and of 2^52, and their sum is rounded once. */
AMPHI_BOTH wide number_of(wide_long a)
{
    const wide_long high = (wide_long)_mm256_srli_epi64((__m256i)a, 32) ^ 0x4530000080000000;
    const __m256i   low =
        _mm256_blend_epi16((__m256i)a, _mm256_set1_epi64x(0x4330000000000000), 0xCC);

    return ((wide)high - 0x1.00000801p84) + (wide)low;
}

/* Multiples of 2^32 first. Adding 1.5 2^52 rounds to an integer, which is then in the low bits. */
AMPHI_BOTH wide_long nearest_long(wide a)
{
    const double no_fraction = 0x1.8p52;
    const wide   high        = a * 0x1p-32 + no_fraction;
    const wide   low         = (a - (high - no_fraction) * 0x1p32) + no_fraction;

    return ((wide_long)high << 32) + ((wide_long)low - 0x4338000000000000);
}
#endif

AMPHI_BOTH whole larger(whole a, whole b)
{
#if LANES == 16
    return (whole)_mm512_max_epi32((__m512i)a, (__m512i)b);
#else
    return (whole)_mm256_max_epi32((__m256i)a, (__m256i)b);
#endif
}
#endif

/* The lanes in pairs, pairs of pairs, and so on, in double. */
AMPHI_BOTH double add_lanes(real a)
{
#ifdef AMPHI_BUILD_DOUBLE
#if LANES == 8
    const __m512d v = (__m512d)a;
    const __m256d h = _mm512_castpd512_pd256(v) + _mm512_extractf64x4_pd(v, 1);
#else
    const __m256d h = (__m256d)a;
#endif
#else
#if LANES == 16
    const __m512 v = (__m512)a;
    const __m512d w =
        _mm512_cvtps_pd(_mm512_castps512_ps256(v)) + _mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1));
    const __m256d h = _mm512_castpd512_pd256(w) + _mm512_extractf64x4_pd(w, 1);
#else
    const __m256  v = (__m256)a;
    const __m256d h =
        _mm256_cvtps_pd(_mm256_castps256_ps128(v)) + _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1));
#endif
#endif
    const __m128d q = _mm256_castpd256_pd128(h) + _mm256_extractf128_pd(h, 1);

    return q[0] + q[1];
}

#ifndef AMPHI_BUILD_DOUBLE
/* Bit k: r2 < most, id >= 0 and id != self in lane k. */
AMPHI_BOTH unsigned lanes_within(real r2, float most, lane_slots id, int32_t self)
{
#if LANES == 16
    const __mmask16 near = _mm512_cmp_ps_mask((__m512)r2, _mm512_set1_ps(most), _CMP_LT_OQ);
    const __mmask16 is   = _mm512_mask_cmpge_epi32_mask(near, (__m512i)id, _mm512_setzero_si512());

    return _mm512_mask_cmpneq_epi32_mask(is, (__m512i)id, _mm512_set1_epi32(self));
#else
    return (unsigned)_mm256_movemask_ps((__m256)((r2 < most) & (id >= 0) & (id != self)));
#endif
}
#endif

/* Records are eight numbers of the build's width: three coordinates (whole numbers where the build
 * has 32-bit fractions), one spare, and four more. LANES of them become eight columns. */
typedef struct {
    real column[8];
} Columns;

#if LANES == 4

typedef scalar half_record __attribute__((vector_size(sizeof(scalar) * 4)));

AMPHI_BOTH void transpose4(const half_record row[4], real out[4])
{
    const real a = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
    const real b = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
    const real c = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
    const real d = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);

    out[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    out[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

AMPHI_BOTH Columns load_columns(const void *records, const int32_t *slot)
{
    const half_record *base = records;
    half_record        low[4], high[4];
    Columns            out;

    for (int k = 0; k < 4; k++) {
        low[k]  = base[2 * (int64_t)slot[k]];
        high[k] = base[2 * (int64_t)slot[k] + 1];
    }
    transpose4(low, out.column);
    transpose4(high, out.column + 4);
    return out;
}

#else

typedef scalar whole_record __attribute__((vector_size(sizeof(scalar) * 8)));

#if LANES == 8
typedef real record_rows; /* row k */
#define ROWS(base, slot, k) ((base)[(slot)[k]])
#define LOW_PAIRS(a, b)     __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH_PAIRS(a, b)    __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW_QUADS(a, b)     __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH_QUADS(a, b)    __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define LOW_HALVES(a, b)    __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define HIGH_HALVES(a, b)   __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)
#else
/* Rows k and k + 8. An insertion from memory does not occupy the shuffle port. */
typedef real record_rows;
#define ROWS(base, slot, k)                                                                        \
    ((real)_mm512_insertf32x8(_mm512_castps256_ps512((__m256)(base)[(slot)[k]]),                   \
                              (__m256)(base)[(slot)[(k) + 8]], 1))
#define LOW_PAIRS(a, b)                                                                            \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HIGH_PAIRS(a, b)                                                                           \
    __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define LOW_QUADS(a, b)                                                                            \
    __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define HIGH_QUADS(a, b)                                                                           \
    __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#define LOW_HALVES(a, b)                                                                           \
    __builtin_shufflevector(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27)
#define HIGH_HALVES(a, b)                                                                          \
    __builtin_shufflevector(a, b, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31)
#endif

/* Three rounds of interleaving: pairs of rows, quads, eights. */
AMPHI_BOTH Columns load_columns(const void *records, const int32_t *slot)
{
    const whole_record *base = records;
    record_rows row[8], pair[8], quad[8];
    Columns out;

    for (int k = 0; k < 8; k++)
        row[k] = ROWS(base, slot, k);
    for (int k = 0; k < 8; k += 2) {
        pair[k] = LOW_PAIRS(row[k], row[k + 1]);
        pair[k + 1] = HIGH_PAIRS(row[k], row[k + 1]);
    }
    for (int k = 0; k < 8; k += 4) {
        quad[k] = LOW_QUADS(pair[k], pair[k + 2]);
        quad[k + 1] = HIGH_QUADS(pair[k], pair[k + 2]);
        quad[k + 2] = LOW_QUADS(pair[k + 1], pair[k + 3]);
        quad[k + 3] = HIGH_QUADS(pair[k + 1], pair[k + 3]);
    }
    for (int k = 0; k < 4; k++) {
        out.column[k] = LOW_HALVES(quad[k], quad[k + 4]);
        out.column[k + 4] = HIGH_HALVES(quad[k], quad[k + 4]);
    }
    return out;
}

#endif

#endif
