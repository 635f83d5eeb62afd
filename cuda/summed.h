/* Whole steps with sums: what the block without beads does in them, in every precision.
 *
 * What such a step k leaves, its books read while step k + 1 already writes its own: therefore
 * there is two of it, by the step's parity (View.at).
 *
 *                    written by                                        read by
 *     turn[k % 2]    step k - 1: put_turn, lead; or step k - 2: lead   all of step k
 *     drawn[k % 2]   step k: draw_for_strain                           books of step k
 *     rows           step k (sums_of_turn)                             books of step k
 *     due[]          books of step k: the strain for step              step k + 1: put_turn
 *                    k + AMPHI_MOVE_LAG
 *     owes_books     step k                                            step k + 1, before its wait
 *
 * Books of step k are kept by block 0 of step k + 1 while its pairs go on, if that has sums itself
 * (SUMMED) or has none (CLOSING); else by a kernel of their own beside the forces in between, or
 * behind the last step of a graph (graphs.cu, settle_books). Step k is complete by then: pairs
 * behind it have waited for it, and step k + 1 has not begun before (beside.h). */
#ifndef AMPHI_CUDA_SUMMED_H
#define AMPHI_CUDA_SUMMED_H

#include "extract.h"

/* What the strain that this step may ask for wants of random numbers, as its kick would have drawn
 * it (books.h); by a block that has time for that, which the one that finds the strain has not. Not
 * by the ledger's own step, which another block counts. */
__device__ static inline void draw_for_strain(const View &v)
{
    Ledger *l = v.ledger;

    if (threadIdx.x != 0 || v.stage.barostat.type != AMPHI_CELL_RESCALE)
        return;

    const uint64_t   step = (uint64_t)__ldcg((const long long *)&l->turn[v.at].step);
    const TwoNormals r    = draw_normals(v.stage.seed, 0, step, AMPHI_STREAM_CELL, 0);

    l->drawn[v.at][0] = r.first;
    l->drawn[v.at][1] = r.second;
}

/* The same of the step that was at that place. */
__device__ static inline void load_drawn(const View &v, int32_t at, double normal[2])
{
    for (int k = 0; k < 2; k++)
        normal[k] = __ldcg(&v.ledger->drawn[at][k]);
}

/* By all threads: the books of the step before, if it owes them, the move of the next one, and when
 * all pairs are through what their kernel reads: the box. A state that stands at a fault owes
 * nothing. SUMS: this step will owe books. HAS_BOX: it has a move, perhaps by factors of 1. */
template <bool SUMS, bool HAS_BOX, class KeepOwed>
__device__ static inline void keep_step(const View &v, KeepOwed keep_owed)
{
    Ledger *l = v.ledger;
    double  box_nm[3];

    if (__syncthreads_or(l->owes_books != 0)) {
        touch_books(v);
        keep_owed();
    }
    if (HAS_BOX && threadIdx.x == 0) {
        const Move *now = &l->turn[v.at];

        for (int a = 0; a < 3; a++)
            box_nm[a] = now->box_nm[a] * now->stretch[a];
        put_turn(v, 1, l->stage_step, box_nm);
    } else if (!SUMS && threadIdx.x == 0) {
        lead(v, v.leads, l->stage_step);
    }
    wait_for_last();
    if (threadIdx.x != 0)
        return;
    clear_waits(v);
    if (__ldcg(&l->fault) != 0)
        return;
    if (HAS_BOX)
        copy3(box_nm, l->box_nm);
    count_step(l);
    l->owes_books = SUMS;
}

#endif
