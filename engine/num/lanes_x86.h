/* What vector types alone cannot say, for AVX2 and AVX-512: roots, packing by a mask, records into
 * lanes. The only intrinsics of the project; included by lanes.h and by the CPU's kernels.
 */
#ifndef AMPHI_NUM_LANES_X86_H
#define AMPHI_NUM_LANES_X86_H

#include <immintrin.h>

#include "real.h"

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

#ifndef AMPHI_BUILD_DOUBLE
/* Writes the ids of the lanes where the mask holds, in order, and what follows them is undefined up
 * to LANES entries; their number. */
AMPHI_BOTH int pack(int32_t *out, lane_slots id, whole mask)
{
#if LANES == 16
    const __mmask16 bits = _mm512_movepi32_mask((__m512i)mask);

    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(bits, (__m512i)id));
    return __builtin_popcount(bits);
#else
    const unsigned bits  = (unsigned)_mm256_movemask_ps((__m256)mask);
    const uint64_t bytes = _pdep_u64(bits, 0x0101010101010101ULL) * 0xFF;
    const uint64_t order = _pext_u64(0x0706050403020100ULL, bytes);
    const __m256i  index = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)order));

    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_permutevar8x32_epi32((__m256i)id, index));
    return __builtin_popcount(bits);
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
typedef real record_rows; /* rows k and k + 8 */
#define ROWS(base, slot, k)                                                                        \
    __builtin_shufflevector((base)[(slot)[k]], (base)[(slot)[(k) + 8]], 0, 1, 2, 3, 4, 5, 6, 7, 8, \
                            9, 10, 11, 12, 13, 14, 15)
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
