/* The pairs of one bead whose energies go to one slot, met one after another: plain, in no hurry.
 * What a pair adds to the bead's sums is ADD_PAIR's: void (const PairTerm *, const PairGeometry &,
 * const PairFrames &, Sums *).
 */
#ifndef AMPHI_CUDA_MEASURE_H
#define AMPHI_CUDA_MEASURE_H

#include "pair_row.h"

template <auto ADD_PAIR, class Sums>
__device__ static void measure_pair(const View &v, const BoxScale &scale, const PairTerm *term,
                                    int32_t i, int32_t j, Sums *to)
{
    const RecordKind   kind = records_of(term->kind);
    const Record       me = load_record(v, kind, i), you = load_record(v, kind, j);
    const PairGeometry g      = geometry_of(me, you, scale);
    const PairFrames   frames = { frame_of(me), frame_of(you) };

    if (g.r2 < term->cutoff2)
        ADD_PAIR(term, g, frames, to);
}

template <auto ADD_PAIR, class Sums>
__device__ static void measure_row(const View &v, const Passes &passes, int32_t slot, int32_t i,
                                   Sums *to)
{
    const int32_t *row     = v.row + (int64_t)i * v.stride;
    const Segment *segment = v.segment + (int64_t)i * v.n_kinds;
    const int32_t *start   = passes.start + (int64_t)v.type_of[i] * v.n_types;
    const BoxScale scale   = scale_of(v);

    for (int32_t kind = 0; kind < v.n_kinds; kind++)
        for (int32_t at = segment[kind].begin; at < segment[kind].end; at++) {
            const int32_t j = row[row_place(at, v.lanes)], type = v.type_of[j];

            for (int32_t k = start[type]; k < start[type + 1]; k++)
                for (int32_t m = 0; m < passes.pass[k].n_terms; m++)
                    if (passes.pass[k].term[m].slot == slot)
                        measure_pair<ADD_PAIR>(v, scale, &passes.pass[k].term[m], i, j, to);
        }
}

#endif
