/* Whole steps with sums: what the block without beads does in them, in every precision. */
#ifndef AMPHI_CUDA_SUMMED_H
#define AMPHI_CUDA_SUMMED_H

#include "extract.h"

/* Of a strain that the last step which was counted asks for: as its kick would have drawn them
 * (books.h). */
__device__ static inline TwoNormals deviates_then(const View &v)
{
    if (v.stage.barostat.type != AMPHI_CELL_RESCALE)
        return TwoNormals{};
    return draw_normals(v.stage.seed, 0, (uint64_t)(v.ledger->step - 1), AMPHI_STREAM_CELL, 0);
}

/* By all threads: the books of the step before, if it owes them, the move of the next one, and when
 * all pairs are through what their kernel reads: the box. A state that stands at a fault owes
 * nothing. SUMS: this step will owe books. HAS_BOX: it has a move, perhaps by factors of 1. */
template <bool SUMS, bool HAS_BOX, class KeepOwed>
__device__ static inline void keep_step(const View &v, KeepOwed keep_owed)
{
    Ledger *l = v.ledger;
    double  box_nm[3];

    if (l->owes_books) {
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
