/* Rows while a tile fills them: in shared memory, in the order of candidates, one after another.
 * Then each goes where pairs read it, in as many rounds of entries as it has: entries.h.
 */
#ifndef AMPHI_CUDA_DRAFTS_H
#define AMPHI_CUDA_DRAFTS_H

#include "cells.h"
#include "entries.h"
#include "reach.h"

/* Of a tile; told by addresses in shared memory, which have half the bits. */
template <class Entry> class Drafts
{
  public:
    __device__ __forceinline__ Drafts(void *memory, int32_t longest)
        : first((uint32_t)__cvta_generic_to_shared(memory)), longest(longest)
    {
    }

    /* The address of an entry; of one before the first, -1, too. */
    __device__ __forceinline__ uint32_t address(int32_t row, int32_t entry) const
    {
        return first + (uint32_t)(sizeof(Entry) * (row * longest + entry));
    }

    __device__ __forceinline__ int32_t entries_upto(int32_t row, uint32_t address) const
    {
        return (int32_t)(address - first) / (int32_t)sizeof(Entry) - row * longest + 1;
    }

    /* What is behind the end of a stretch is read too: the bead itself is there, which is at no
     * distance. own: its entry, in lane k of row k. */
    template <int TILE> __device__ __forceinline__ void clear(Entry own) const
    {
        constexpr int  SHARE = WARP / TILE; /* lanes of a row */
        const int      row   = lane_of() / SHARE;
        const uint32_t both  = sizeof(Entry) == sizeof(uint32_t) ? own : own * 0x10001u;
        const int32_t  word  = (int32_t)__shfl_sync(ALL_LANES, both, row);
        const uint32_t end   = address(row + 1, 0);

        for (uint32_t at = address(row, 0) + lane_of() % SHARE * sizeof(int4); at < end;
             at += SHARE * sizeof(int4))
            *(int4 *)__cvta_shared_to_generic(at) = int4{ word, word, word, word };
        __syncwarp();
    }

    const uint32_t first;
    const int32_t  longest;
};

/* Where the lanes of the mask put their entries, in the order of lanes behind entry `last`; the
 * last lane has the new last one. */
template <class Entry>
__device__ static __forceinline__ uint32_t place_behind(uint32_t mask, uint32_t last)
{
    return last + (uint32_t)sizeof(Entry) * __popc(mask & up_to_lane());
}

/* Stores under a predicate: a branch around one would keep tests of other beads behind it. What is
 * beyond the room is only counted. */
__device__ static __forceinline__ void append(bool takes, uint16_t entry, uint32_t at, uint32_t end)
{
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; setp.lt.and.u32 p, %1, %2, p;"
                 " @p st.shared.u16 [%1], %3; }" ::"r"((uint32_t)takes),
                 "r"(at), "r"(end), "h"(entry)
                 : "memory");
}

__device__ static __forceinline__ void append(bool takes, uint32_t entry, uint32_t at, uint32_t end)
{
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; setp.lt.and.u32 p, %1, %2, p;"
                 " @p st.shared.u32 [%1], %3; }" ::"r"((uint32_t)takes),
                 "r"(at), "r"(end), "r"(entry)
                 : "memory");
}

__device__ static __forceinline__ void append_short(bool takes, int32_t slot, int32_t *to)
{
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %0, 0; @p st.global.u32 [%1], %2; }" ::"r"((uint32_t)takes),
        "l"(to), "r"(slot)
        : "memory");
}

/* ---- from drafts to where pairs read them ---- */

template <class T> __device__ static __forceinline__ T drafted(uint32_t address)
{
    return *(const T *)__cvta_shared_to_generic(address);
}

/* 16 bytes of a round as row_place has it, from an address in a draft on; part: bytes of the draft
 * of which each lane has one entry. */
template <int LAYOUT> __device__ static __forceinline__ int4 woven(uint32_t at, uint32_t part)
{
    enum { EVEN = 0x5410, ODD = 0x7632 }; /* halves of two words */

    if constexpr (is_wide(LAYOUT)) { /* two entries of two lanes */
        const int2 one = drafted<int2>(at), other = drafted<int2>(at + part);

        return int4{ one.x, other.x, one.y, other.y };
    } else if constexpr (entries_a_load(LAYOUT) == 2) { /* two of four lanes */
        const uint2 one = drafted<uint2>(at), other = drafted<uint2>(at + part);

        return int4{ (int32_t)__byte_perm(one.x, other.x, EVEN),
                     (int32_t)__byte_perm(one.x, other.x, ODD),
                     (int32_t)__byte_perm(one.y, other.y, EVEN),
                     (int32_t)__byte_perm(one.y, other.y, ODD) };
    } else { /* four of two lanes */
        const uint32_t a = drafted<uint32_t>(at), b = drafted<uint32_t>(at + part);
        const uint32_t c = drafted<uint32_t>(at + 2 * part), d = drafted<uint32_t>(at + 3 * part);

        return int4{ (int32_t)__byte_perm(a, b, EVEN), (int32_t)__byte_perm(c, d, EVEN),
                     (int32_t)__byte_perm(a, b, ODD), (int32_t)__byte_perm(c, d, ODD) };
    }
}

/* The rows of a tile, used by lane k of row k, to where pairs read them: 16 bytes at a time. Where
 * this lane's row is. */
template <int TILE, int LAYOUT>
__device__ static __forceinline__ uint32_t put_rows(const View &v, const CellsWork &w,
                                                    const Drafts<EntryOf<LAYOUT>> &drafts,
                                                    int32_t                        used)
{
    constexpr int32_t ROUND = round_of(LAYOUT), BYTES = sizeof(EntryOf<LAYOUT>);
    constexpr int32_t LANES_A_PIECE = 16 / (entries_a_load(LAYOUT) * BYTES);
    constexpr int32_t PIECES        = lanes_of(LAYOUT) / LANES_A_PIECE;
    const int32_t     lane = lane_of(), n_rounds = lane < TILE ? (used + ROUND - 1) / ROUND : 0;
    uint32_t          first;

    if (rows_have_places(lanes_of(LAYOUT))) {
        first = (blockIdx.x * TILE + (uint32_t)lane) * (uint32_t)(drafts.longest / ROUND);
    } else {
        const int32_t end = sum_up_to_lane<TILE>(lane, n_rounds);

        first = 0;
        if (lane == TILE - 1)
            first = atomicAdd(&w.grid->n_rounds, (uint32_t)end);
        first = __shfl_sync(ALL_LANES, first, TILE - 1) + (uint32_t)(end - n_rounds);
    }
    if (__any_sync(ALL_LANES,
                   lane < TILE && (used > drafts.longest || first + n_rounds > v.n_rounds)))
        return 0; /* what is needed has been counted */
    __syncwarp();
#pragma unroll 1
    for (int k = 0; k < TILE; k++) {
        const int32_t n  = __shfl_sync(ALL_LANES, n_rounds, k) * PIECES;
        int4         *to = (int4 *)v.entry + (int64_t)__shfl_sync(ALL_LANES, first, k) * PIECES;

        for (int32_t p = lane; p < n; p += WARP)
            to[p] =
                woven<LAYOUT>(drafts.address(k, p / PIECES * ROUND + p % PIECES * LANES_A_PIECE),
                              (uint32_t)(BYTES * lanes_of(LAYOUT)));
    }
    return first;
}

#endif
