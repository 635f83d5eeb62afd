/* Entries of rows: which neighbour, in 16 bits wherever they are enough, and where entries stand.
 *
 * An entry counts from the base of its row: 0 in systems of up to PLAIN_BEADS whose rows are not
 * sorted (pair_kernels.h). In others slots are in the order of layers, which are one column thick
 * along x, and only then of kinds: what is in reach of a bead is in a few layers that follow each
 * other, and the base is the first slot of the first of them. The last layers are followed by the
 * first, whose records stand a second time behind the last slot, as echoes: entries count on past
 * the end of the box, and no pair kernel asks where that is.
 *
 * What it counts, with 4 lanes a bead, are half records if 16 bits are enough for that, else slots;
 * and where a few layers have more beads than 16 bits can tell at all, an entry has 32 bits for the
 * half record. By a slot a pair takes two more of its 65 instructions to find the record: membranes
 * of 94 208 and 211 968 beads take 0.6 and 1.6 % longer, water 3 %, in fixed 1 to 3 %. With 8
 * lanes, whose kernels have no register left for an address of each row, 23 552 beads take 2 % less
 * by slots.
 */
#ifndef AMPHI_CUDA_ENTRIES_H
#define AMPHI_CUDA_ENTRIES_H

#include "state.h"

enum {
    PLAIN_BEADS     = 60000,
    REACHED         = 1 << 16, /* slots, by an entry that tells one */
    REACHED_BY_HALF = REACHED / 2
};
/* Layers with echoes: no tile of beads that are close together reaches more at once. */
enum { ECHOED_LAYERS = 12 };

/* How rows are laid out: the lanes a bead, and what entries are, SLOTS, HALVES or WIDE. */
enum { SLOTS = 0, WIDE = 64, HALVES = 128, LANE_BITS = WIDE - 1 };

__host__ __device__ static constexpr int32_t lanes_of(int32_t layout)
{
    return layout & LANE_BITS;
}

__host__ __device__ static constexpr bool is_wide(int32_t layout)
{
    return (layout & WIDE) != 0;
}

__host__ __device__ static constexpr bool tells_halves(int32_t layout)
{
    return (layout & (WIDE | HALVES)) != 0;
}

/* Entries of a lane that stand together and come with one load. Four where rows are long: a load of
 * 16 or of 32 bytes for the four lanes of a bead keeps the first cache as busy. */
__host__ __device__ static constexpr int32_t entries_a_load(int32_t layout)
{
    return lanes_of(layout) == 4 && !is_wide(layout) ? 4 : 2;
}

/* Entries that the lanes of a bead get with one load of each: stretches begin with a round. */
__host__ __device__ static constexpr int32_t round_of(int32_t layout)
{
    return entries_a_load(layout) * lanes_of(layout);
}

__host__ __device__ static inline int32_t layout_of(const View &v)
{
    return v.lanes | v.entries;
}

/* Of 4 lanes with entries that tell slots, of 8, of 16, and of 4 with the other entries. */
enum { INDEX_OF_4, INDEX_OF_8, INDEX_OF_16, INDEX_OF_WIDE, INDEX_OF_HALVES, N_LAYOUTS };

static inline int32_t layout_index(const View *v)
{
    return v->entries == WIDE     ? INDEX_OF_WIDE
           : v->entries == HALVES ? INDEX_OF_HALVES
           : v->lanes >= 16       ? INDEX_OF_16
           : v->lanes >= 8        ? INDEX_OF_8
                                  : INDEX_OF_4;
}

static inline size_t entry_bytes(const View *v)
{
    return v->entries == WIDE ? sizeof(uint32_t) : sizeof(uint16_t);
}

/* Two entries of a lane, for two neighbours that are met together. */
typedef struct {
    uint32_t both; /* the first in the lower half */
} NarrowTwo;

typedef struct {
    uint32_t one, other;
} WideTwo;

/* What a lane loads at once. */
template <int LAYOUT> struct __align__(4 * (lanes_of(LAYOUT) == 4 ? 2 : 1)) Loaded
{
    NarrowTwo two[entries_a_load(LAYOUT) / 2];
};
template <> struct __align__(8) Loaded<4 | WIDE>
{
    WideTwo two[1];
};

template <bool IS_WIDE> struct EntryTypes {
    typedef uint16_t Entry;
};
template <> struct EntryTypes<true> {
    typedef uint32_t Entry;
};
template <int LAYOUT> using EntryOf = typename EntryTypes<is_wide(LAYOUT)>::Entry;

/* Half records, from that of the row's base on. Where an entry tells one, its bytes are taken as
 * such: a shift goes into the sum of addresses, which has 64 bits then. */
template <int LAYOUT> __device__ static __forceinline__ uint32_t first_half(const NarrowTwo &two)
{
    return tells_halves(LAYOUT)
               ? __byte_perm(two.both, 0, 0x4410)
               : (two.both & 0xffffu) + (two.both & 0xffffu & ~(RECORD_GROUP - 1u));
}

template <int LAYOUT> __device__ static __forceinline__ uint32_t second_half(const NarrowTwo &two)
{
    return tells_halves(LAYOUT) ? __byte_perm(two.both, 0, 0x4432)
                                : half_of((int32_t)(two.both >> 16));
}

template <int LAYOUT> __device__ static __forceinline__ uint32_t first_half(const WideTwo &two)
{
    return two.one;
}

template <int LAYOUT> __device__ static __forceinline__ uint32_t second_half(const WideTwo &two)
{
    return two.other;
}

/* What half records of a row are counted from. */
typedef struct {
    const HalfRecord *records;
    uint32_t          base;
} Origin;

/* Where entries tell them, an address of its own, to which the compiler is to add nothing else. */
template <int LAYOUT>
__device__ static __forceinline__ Origin origin_of(const HalfRecord *records, uint32_t base)
{
    if (!tells_halves(LAYOUT))
        return Origin{ records, base };
    records += base;
    asm volatile("" : "+l"(records));
    return Origin{ records, 0 };
}

/* Rows of large systems come from beyond the second cache, in whole pieces: 1 to 2 % of a step from
 * 94 208 beads on. No word about the first cache: with one (evict_first, no_allocate) a step of
 * 211 968 beads takes 3 % longer and one of 995 072 3.5 %, as if lines were then the first to leave
 * the second, too. */
template <class Loaded> __device__ static __forceinline__ Loaded load_entries(const Loaded *from)
{
    union {
        Loaded   entries;
        uint32_t word[sizeof(Loaded) / 4];
    } got;

    if constexpr (sizeof(Loaded) == 8)
        asm("ld.global.nc.L2::256B.v2.u32 {%0, %1}, [%2];"
            : "=r"(got.word[0]), "=r"(got.word[1])
            : "l"(from));
    else
        asm("ld.global.nc.L2::256B.u32 %0, [%1];" : "=r"(got.word[0]) : "l"(from));
    return got.entries;
}

/* Of one slot. A base begins a group of records, so that half records count on from its own. */
__device__ static __forceinline__ RowAt load_row_at(const View &v, int32_t slot)
{
    const uint2 at = __ldg((const uint2 *)&v.row[slot]);

    return RowAt{ at.x, (int32_t)at.y };
}

/* The first entry of a row. */
template <class Entry>
__device__ static __forceinline__ const Entry *entries_of(const View &v, int64_t round,
                                                          int32_t layout)
{
    return (const Entry *)v.entry + round * round_of(layout);
}

/* Where entry k of a row stands. Lanes take entries in turn; those that a lane loads at once stand
 * together. */
__host__ __device__ static constexpr int32_t row_place(int32_t k, int32_t layout)
{
    const int32_t lanes = lanes_of(layout), each = entries_a_load(layout);

    return (k & ~(each * lanes - 1)) | (k & (lanes - 1)) * each | (k / lanes & (each - 1));
}

#endif
