/* When a neighbour list no longer holds: one rule for the check and for the drift.
 *
 * A list is built around the points where beads are expected some steps later, and has every pair
 * whose points are nearer than cutoff + margin. It holds while no bead is further from its point
 * than half of what is left of the margin after the box has shrunk; that is told in fractions of
 * the box of each time, so that a stretch of the box alone moves nobody. A bead that is further
 * away is a stray; in large systems those are looked at by themselves: strays.cu.
 */
#ifndef AMPHI_CUDA_STALE_H
#define AMPHI_CUDA_STALE_H

#include "../engine/num/roots.h"
#include "state.h"

/* Rounding error of a distance in rows, by which their reach is enlarged (cells.h). */
#define LIST_ROUNDING 1e-5
/* Times half of the margin: who has gone further is no stray, but gone, and the list is stale. */
#define GONE 1.5

typedef struct {
    double box_nm[3], inv_box[3], inv_built[3];
    double room2_nm2; /* how far a bead may go, squared; negative: the list does not hold anyhow */
} ListRoom;

/* In a box that positions are told in. The same for all beads: one thread may find it for a
 * block, which waits for it: there is no branch between the loads. */
__device__ static inline ListRoom room_of(const View &v, const double box_nm[3])
{
    ListRoom r;
    double   shrink = 1, room;

    for (int a = 0; a < 3; a++) {
        r.box_nm[a]    = box_nm[a];
        r.inv_box[a]   = device_reciprocal(box_nm[a]);
        r.inv_built[a] = device_reciprocal(v.ledger->built_box_nm[a]); /* none before a build */
        shrink         = fmin(shrink, box_nm[a] * r.inv_built[a]);
    }
    room        = 0.5 * ((v.cutoff_nm + v.margin_nm) * shrink - v.cutoff_nm);
    r.room2_nm2 = v.ledger->n_builds > 0 && room > 0 ? room * room : -1;
    return r;
}

/* How far a bead has gone from there, squared. */
__device__ static inline double moved2_from(const ListRoom *r, const double built_nm[3],
                                            const double at_nm[3])
{
    double r2 = 0;

    for (int a = 0; a < 3; a++) {
        const double s = at_nm[a] * r->inv_box[a] - built_nm[a] * r->inv_built[a];
        const double d = (s - rint(s)) * r->box_nm[a];

        r2 += d * d;
    }
    return r2;
}

/* By as many threads as find it. */
__device__ static inline void mark_stale(const View &v)
{
    v.ledger->stale             = 1;
    v.ledger->waits[v.waits_at] = 1;
}

/* How near beads were that may be within the cut-off now, when both together have gone so far. */
__device__ static inline float far_of(const View &v, double moved_nm)
{
    return (float)(v.cutoff_nm * (1 + LIST_ROUNDING) + moved_nm) * (1 + 1e-6F);
}

/* What follows from where a bead is: nothing; or it is a stray, where those are looked at; or the
 * list is stale, as where a bead is nowhere that is a number. */
__device__ static inline void judge_place(const View &v, const ListRoom *r, int32_t bead,
                                          const double built_nm[3], const double at_nm[3])
{
    const double r2 = moved2_from(r, built_nm, at_nm);
    int32_t      k;

    if (r2 <= r->room2_nm2)
        return;
    if (v.stray == NULL || !(r2 <= GONE * GONE * r->room2_nm2)) {
        mark_stale(v);
        return;
    }
    k = atomicAdd(&v.ledger->n_strays, 1);
    if (k < v.most_strays)
        v.stray[k] = Stray{ v.slot_of[bead], v.kind_of[v.bead_type[bead]].kind,
                            far_of(v, sqrt(r2) + GONE * sqrt(r->room2_nm2)) };
    else
        mark_stale(v);
}

#endif
