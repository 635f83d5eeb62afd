/* The pairs of one bead whose energies go to one slot, met one after another: plain, in no hurry.
 * What a pair adds to the bead's sums is ADD_PAIR's: void (const PairTerm *, const PairGeometry &,
 * const PairFrames &, Sums *).
 */
#ifndef AMPHI_CUDA_MEASURE_H
#define AMPHI_CUDA_MEASURE_H

#include "pair_row.h"

template <auto ADD_PAIR, class Sums>
__device__ static void measure_segment(const View &v, const PairTerm *term, int32_t i,
                                       const int32_t *slot, int32_t n, Sums *to)
{
    const RecordKind kind  = records_of(term->kind);
    const Record     me    = load_record(v, kind, i);
    const BoxScale   scale = scale_of(v);

    for (int32_t k = 0; k < n; k++) {
        const Record       you    = load_record(v, kind, slot[k]);
        const PairGeometry g      = geometry_of(me, you, scale);
        const PairFrames   frames = { frame_of(me), frame_of(you) };

        if (g.r2 < term->cutoff2)
            ADD_PAIR(term, g, frames, to);
    }
}

template <auto ADD_PAIR, class Sums>
__device__ static void measure_row(const View &v, const Passes &passes, int32_t slot, int32_t i,
                                   Sums *to)
{
    const int32_t *row   = v.row + (int64_t)i * v.stride;
    const int32_t *end   = v.segment_end + (int64_t)i * v.n_types;
    const int32_t *start = passes.start + (int64_t)v.type_of[i] * v.n_types;

    for (int32_t t = 0, from = 0; t < v.n_types; from = end[t], t++)
        for (int32_t k = start[t]; k < start[t + 1]; k++)
            for (int32_t m = 0; m < passes.pass[k].n_terms; m++)
                if (passes.pass[k].term[m].slot == slot)
                    measure_segment<ADD_PAIR>(v, &passes.pass[k].term[m], i, row + from,
                                              end[t] - from, to);
}

#endif
