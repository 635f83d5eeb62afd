/* The pairs whose energies go to one slot: a few lanes share a row, each with sums of its own. What
 * a pair adds to them is ADD_PAIR's: void (const PairTerm *, const PairGeometry &,
 * const PairFrames &, Sums *).
 */
#ifndef AMPHI_CUDA_MEASURE_H
#define AMPHI_CUDA_MEASURE_H

#include "pair_row.h"

/* Threads a bead; and blocks of BEAD_BLOCK threads at most, which fill the device and leave few
 * parts to add up. */
enum { MEASURE_LANES = 16, MEASURE_BLOCKS = 2048 };

static inline int32_t measure_blocks(int32_t n_beads)
{
    const int64_t n = ((int64_t)n_beads * MEASURE_LANES + BEAD_BLOCK - 1) / BEAD_BLOCK;

    return (int32_t)(n < MEASURE_BLOCKS ? n : (int64_t)MEASURE_BLOCKS);
}

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

/* Has any pass between two types a term of the slot? */
__device__ static inline bool has_slot(const Passes &passes, const int32_t *start, int32_t slot)
{
    for (int32_t k = start[0]; k < start[1]; k++)
        for (int32_t m = 0; m < passes.pass[k].n_terms; m++)
            if (passes.pass[k].term[m].slot == slot)
                return true;
    return false;
}

template <auto ADD_PAIR, class Sums>
__device__ static void measure_row(const View &v, const Passes &passes, int32_t slot, int32_t i,
                                   int32_t lane, Sums *to)
{
    const uint32_t *row     = v.row + (int64_t)i * v.stride;
    const Segment  *segment = v.segment + (int64_t)i * v.n_kinds;
    const int32_t  *start   = passes.start + (int64_t)v.type_of[i] * v.n_types;
    const BoxScale  scale   = scale_of(v);

    for (int32_t kind = 0; kind < v.n_kinds; kind++) {
        const Segment part = segment[kind];

        /* all types of a kind have terms of the same slots: what its first neighbour has tells */
        if (part.begin == part.end ||
            !has_slot(passes, &start[v.type_of[slot_of_half(row[row_place(part.begin, v.lanes)])]],
                      slot))
            continue;
        for (int32_t at = part.begin + lane; at < part.end; at += MEASURE_LANES) {
            const int32_t j = slot_of_half(row[row_place(at, v.lanes)]), type = v.type_of[j];

            for (int32_t k = start[type]; k < start[type + 1]; k++)
                for (int32_t m = 0; m < passes.pass[k].n_terms; m++)
                    if (passes.pass[k].term[m].slot == slot)
                        measure_pair<ADD_PAIR>(v, scale, &passes.pass[k].term[m], i, j, to);
        }
    }
}

/* This thread's part of all rows, by all threads of measure_blocks. */
template <auto ADD_PAIR, class Sums>
__device__ static void measure_rows(const View &v, const Passes &passes, int32_t slot, Sums *to)
{
    const int32_t each = BEAD_BLOCK / MEASURE_LANES, lane = (int32_t)threadIdx.x % MEASURE_LANES;
    const int32_t first = (int32_t)blockIdx.x * each + (int32_t)threadIdx.x / MEASURE_LANES;

    for (int32_t i = first; i < v.n; i += (int32_t)gridDim.x * each)
        measure_row<ADD_PAIR>(v, passes, slot, i, lane, to);
}

#endif
