/* The candidates for the rows of a tile: slots in runs, taken 32 at a time, a lane one. Places of a
 * group are asked for one group ahead, and found out two ahead: a warp has few others beside it.
 */
#ifndef AMPHI_CUDA_CANDIDATES_H
#define AMPHI_CUDA_CANDIDATES_H

#include "reach.h"

/* The candidates of one kind in 32 runs: how many, where this lane's run begins (far away if it is
 * empty), and from places to slots in that run of those not empty that has the lane's number.
 *
 * For example slots 100 to 139 in lane 0's run, none in lane 1's, 300 to 309 in lane 2's: places 0
 * to 49, begin 0, far away, 40, shift 100 in lane 0 and 260 in lane 1. The second group of 32, from
 * place 32 on, has a beginning at its ninth place: lanes 0 to 7 have slots 132 to 139, by the run
 * that the group before ended in, and lanes 8 to 17 have 300 to 309, by the next. */
typedef struct {
    int32_t n, begin, shift;
} Line;

__device__ static __forceinline__ Line line_of(const Tables &s, const Span &mine)
{
    enum { FAR_AWAY = 1 << 30 };
    const int32_t  lane = lane_of();
    const uint32_t has  = __ballot_sync(ALL_LANES, mine.n > 0);
    const int32_t  end  = sum_up_to_lane<WARP>(lane, mine.n);
    Line           l;

    __syncwarp();
    if (mine.n > 0)
        s.shift[__popc(has & up_to_lane()) - 1] = mine.from - (end - mine.n);
    __syncwarp();
    l.shift = s.shift[lane];
    l.begin = mine.n > 0 ? end - mine.n : FAR_AWAY;
    l.n     = (int32_t)__reduce_add_sync(ALL_LANES, (uint32_t)mine.n);
    return l;
}

/* Which candidate of the next 32 is this lane's. */
typedef struct {
    int32_t slot, last_run; /* of its group of 32 */
    float   far2;           /* added to its r2 */
} Located;

/* Of the group from place p on; a beginning at `begin` is 2^begin, shifted out when it is not in
 * the group. Branches would keep the compiler from mixing this with tests. */
__device__ static __forceinline__ Located locate(const Line &l, int32_t p, int32_t last_run)
{
    const uint32_t own      = __funnelshift_lc(0u, 1u, (uint32_t)(l.begin - p));
    const uint32_t begins   = __reduce_or_sync(ALL_LANES, own);
    const int32_t  run      = last_run + __popc(begins & up_to_lane());
    const bool     is_there = p + lane_of() < l.n;
    Located        at;

    at.slot     = __shfl_sync(ALL_LANES, l.shift, run) + p + lane_of();
    at.slot     = is_there ? at.slot : 0;
    at.far2     = is_there ? 0 : 1e30f;
    at.last_run = __shfl_sync(ALL_LANES, run, 31);
    return at;
}

typedef struct {
    Place place;
    float far2;
} Fetched;

/* The barrier keeps the load where it is: its result is wanted in the next round of a loop, and the
 * compiler would put it behind all tests of this one. (It moves loads through the read-only cache
 * past barriers, too.) */
__device__ static __forceinline__ Fetched fetch(const CellsWork &w, const Located &at)
{
    const Fetched f = { w.place[at.slot], at.far2 };

    __syncwarp();
    return f;
}

#endif
