/* Whole steps of beads, kick and drift in one kernel: what it reads of a bead beside the force on
 * it, and how it waits for that.
 */
#ifndef AMPHI_CUDA_WHOLE_STEP_H
#define AMPHI_CUDA_WHOLE_STEP_H

#include "body.h"
#include "expected.h"

__device__ static inline void kick_twice(const View &v, const Push *push, Body *b)
{
    for (int half = 0; half < 2; half++)
        add_push(push, 0.5 * v.stage.dt_ps, b->u, b->l);
}

/* By the force on it: the kick of a step that nobody looks at. */
__device__ static inline void push_bead(const View &v, int32_t i, const Pull &pull, Body *b)
{
    const Push push = push_of(&b->mover, b->q, pull.f, pull.t);

    keep_acceleration(v, i, push.v);
    kick_twice(v, &push, b);
}

/* What a step reads of a bead beside what pairs do to it, before it waits for them. Bonds are
 * through: beside.h. */
__device__ static inline void load_body(const View &v, int32_t i, Body *b)
{
    load_place(v, i, b);
    load_speed(v, i, b);
    b->bonds = bond_pull_on(v, i);
}

#ifdef AMPHI_BUILD_SINGLE
/* Looks at forces that are not there yet: 20 us, and then a step waits for all pairs. */
enum { MOST_LOOKS = 100, PAUSE_NS = 200 };

/* By a warp: what pairs do to its beads, as soon as all of that is there. False: it was not. */
__device__ static inline bool await_pull(const View &v, int32_t i, PairPull *pairs)
{
    for (int k = 0; k < MOST_LOOKS; k++) {
        if (i < v.n)
            *pairs = look_at_pull(v, i);
        if (__all_sync(ALL_LANES, i >= v.n || is_of_turn(*pairs, v.turn)))
            return true;
        __nanosleep(PAUSE_NS);
    }
    return false;
}

/* The same, or when all pairs are through. fault: of a list, which ended before this kernel began;
 * or as it is by then. */
__device__ static inline PairPull pull_ahead(const View &v, int32_t i, uint32_t *fault)
{
    PairPull pairs = {};

    if (*fault == 0 && await_pull(v, i, &pairs))
        return pairs;
    wait_for_last();
    *fault = __ldcg(&v.ledger->fault);
    return i < v.n ? look_at_pull(v, i) : pairs;
}
#endif

/* The whole pull on a bead. AHEAD: as soon as it is there; else when all pairs are through.
 * fault: as that of pull_ahead. */
template <bool AHEAD>
__device__ static inline Pull await_whole_pull(const View &v, int32_t i, const BondPull &bonds,
                                               uint32_t *fault)
{
    Pull pull = {};

#ifdef AMPHI_BUILD_SINGLE
    if (AHEAD) {
        const PairPull pairs = pull_ahead(v, i, fault);

        if (i < v.n)
            pull = whole_pull_with(v, i, pairs, bonds, NULL);
        return pull;
    }
#endif
    wait_for_last();
    *fault = __ldcg(&v.ledger->fault);
    if (i < v.n)
        pull = whole_pull(v, i, bonds, NULL);
    return pull;
}

/* Where a whole step has ended; writes. What pairs read of the bead comes last, and AHEAD of them
 * when all are through if they still read it. */
template <bool AHEAD>
__device__ static inline void arrive_beside(const View &v, int32_t i, Body *b, const ListRoom *room)
{
    int32_t boxes[3] = { 0, 0, 0 };

    amphi_wrap_body(room->box_nm, b->x, boxes);
    store_body(v, i, b, boxes, PUSHES_AND_TURNS);
    if (AHEAD && v.record[DIPOLES] == v.shown[DIPOLES])
        wait_for_last();
    show_place(v, i, b->shown, b->built_nm, room, b->x, b->q);
}

#endif
