/* The row of what may be near enough for a sticky term, behind the row of all neighbours: by the
 * same lanes, in the same kernel, where other warps have work while records are on their way. (A
 * kernel of its own, behind that of pairs, took a quarter of a step of SSD water.)
 *
 * Half of what is in reach with the margin is near. The lanes of a bead find that half first, and
 * then share them out: a formula of 200 instructions is not evaluated for nothing.
 */
#ifndef AMPHI_CUDA_SHORT_ROW_H
#define AMPHI_CUDA_SHORT_ROW_H

#include "pair_walk.h"
#include "warps.h"

/* Of what is tested before near ones are met, at most. */
enum { SHORT_ROUNDS = 2 };

/* The place of a record alone. */
__device__ static __forceinline__ Record load_place_of(const View &v, int32_t slot)
{
    return Record{ load_whole(&v.record[DIPOLES][half_of(slot)].place), {} };
}

/* Place and quaternion. */
__device__ static __forceinline__ Record load_frame(const View &v, int32_t slot)
{
    const Record place = load_place_of(v, slot);

    return Record{ place.place, load_whole(&v.record[FRAMES][half_of(slot) + RECORD_GROUP].value) };
}

/* A lane's slots of a round. */
template <int N_LANES> struct __align__(sizeof(int32_t) * SHORT_ROUND / N_LANES) Slots
{
    int32_t of[SHORT_ROUND / N_LANES];
};

/* Bits of this lane's entries, of `n` in a round of the row, that are near. */
template <int N_LANES>
__device__ static __forceinline__ uint32_t near_of_lane(const View &v, const Mine &me,
                                                        const Slots<N_LANES> &slots, int32_t n,
                                                        real near2)
{
    constexpr int32_t EACH = SHORT_ROUND / N_LANES;
    uint32_t          bits = 0;

#pragma unroll
    for (int32_t k = 0; k < EACH; k++) {
        const bool         is_there = me.lane * EACH + k < n;
        const int32_t      slot     = is_there ? slots.of[k] : me.i;
        const PairGeometry g        = geometry_of(me.record, load_place_of(v, slot), me.scale);

        bits |= is_there && g.r2 < near2 ? 1u << (me.lane * EACH + k) : 0;
    }
    return bits;
}

/* The lanes of a bead take what is near in turn. */
template <int N_LANES>
__device__ static __forceinline__ uint32_t without_lowest(uint32_t bits, int32_t n)
{
#pragma unroll
    for (int32_t k = 0; k < N_LANES; k++)
        bits = k < n ? bits & (bits - 1) : bits;
    return bits;
}

/* By all lanes of a warp. meet(term, geometry, frames) is called for a neighbour in range of a
 * term. ONE_TERM: of the only one. has_bead: or the lane only helps to end. */
template <bool ONE_TERM, int N_LANES, class Meet>
__device__ static __forceinline__ void visit_short_row(const View &v, const Passes &passes,
                                                       const Mine &me, bool has_bead,
                                                       const Meet &meet)
{
    typedef Slots<N_LANES> Round;

    const int32_t *row    = v.short_row + (int64_t)me.i * v.short_stride;
    const Round   *rounds = (const Round *)row + me.lane;
    const int32_t  n      = has_bead ? v.short_end[me.i] : 0;
    const int32_t  most   = (int32_t)__reduce_max_sync(ALL_LANES, (uint32_t)n);
    const real     near2  = (real)(v.short_cutoff_nm * v.short_cutoff_nm * (1 + 1e-6));
    const quat     frame  = frame_of(load_frame(v, me.i));

    Round next = rounds[0]; /* asked for before it is known how many there are */

    for (int32_t first = 0; first < most; first += SHORT_ROUNDS * SHORT_ROUND) {
        uint32_t near = 0;

#pragma unroll
        for (int32_t k = 0; k < SHORT_ROUNDS; k++) {
            const int32_t from = first + k * SHORT_ROUND;
            const Round   now  = next;

            rounds += N_LANES;
            if (from + SHORT_ROUND < most)
                next = rounds[0];
            if (from < most)
                near |= near_of_lane<N_LANES>(v, me, now, n - from, near2) << (k * SHORT_ROUND);
        }
        for (int bit = 1; bit < N_LANES; bit *= 2)
            near |= other_lane(near, bit);
        near = without_lowest<N_LANES>(near, me.lane);
        for (; near != 0; near = without_lowest<N_LANES>(near, N_LANES)) {
            const Record       you    = load_frame(v, row[first + __ffs((int)near) - 1]);
            const PairGeometry g      = geometry_of(me.record, you, me.scale);
            const PairFrames   frames = { frame, frame_of(you) };

            if constexpr (ONE_TERM) {
                if (g.r2 < passes.only.cutoff2)
                    meet(passes.only, g, frames);
            } else {
                const int32_t *start = passes.start + (int64_t)me.type * v.n_types + you.place.type;

                for (int32_t k = start[0]; k < start[1]; k++) {
                    const PairTerm *term = &passes.pass[k].term[0];

                    if (g.r2 < term->cutoff2)
                        meet(*term, g, frames);
                }
            }
        }
    }
}

#endif
