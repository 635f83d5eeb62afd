/* The pairs whose energies go to one slot: a few lanes share a row, each with sums of its own.
 *
 * The including file says what is added, as a class Add: Row, what is summed over the row of a
 * bead; add<KIND>(term, geometry, frames, row), for a pair in range; end(row, to), when the row of
 * a bead ends.
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

#define MEASURE_RECORDS(name, slot, needs)                                                         \
    if ((int32_t)AMPHI_##slot == SLOT)                                                             \
        kind = records_of(PAIR_##name);

/* All kinds of a slot read the same records. */
template <int32_t SLOT> __device__ static inline RecordKind records_of_slot(void)
{
    RecordKind kind = DIPOLES;

    PAIR_LIST(MEASURE_RECORDS)
    return kind;
}

/* A kind that the compiler knows, so that it leaves one formula. */
#define MEASURE_KIND(name, slot, needs)                                                            \
    if constexpr ((int32_t)AMPHI_##slot == SLOT)                                                   \
        if (term->kind == PAIR_##name)                                                             \
            Add::template add<PAIR_##name>(term, g, frames, row);

template <int32_t SLOT, class Add>
__device__ static inline void measure_pair(const PairTerm *term, const PairGeometry &g,
                                           const PairFrames &frames, typename Add::Row *row)
{
    PAIR_LIST(MEASURE_KIND)
}

/* Those of one kind in a row; terms: of the bead's type and each other. */
template <int32_t SLOT, class Add>
__device__ static inline void measure_segment(const View &v, const SlotTerms &t,
                                              const int32_t *start, const Record &me,
                                              const BoxScale &scale, const RowAt &from,
                                              const Segment &part, typename Add::Row *to)
{
    const int32_t lane = (int32_t)threadIdx.x % MEASURE_LANES;

    for (int32_t at = part.begin + lane; at < part.end; at += MEASURE_LANES) {
        const Record       you = load_half(v.record[records_of_slot<SLOT>()], half_at(v, from, at));
        const PairGeometry g   = geometry_of(me, you, scale);
        const PairFrames   frames = { frame_of(me), frame_of(you) };

        for (int32_t k = start[you.place.type]; k < start[you.place.type + 1]; k++)
            if (g.r2 < t.term[k].cutoff2)
                measure_pair<SLOT, Add>(&t.term[k], g, frames, to);
    }
}

/* All types of a kind have terms of the same slots: the first tells. */
template <int32_t SLOT, class Add, class Sums>
__device__ static inline void measure_row(const View &v, const SlotTerms &t, const BoxScale &scale,
                                          int32_t i, Sums *to)
{
    const Record      me      = load_record(v, records_of_slot<SLOT>(), i);
    const Segment    *segment = v.segment + (int64_t)i * v.n_kinds;
    const int32_t    *start   = t.start + (SLOT * v.n_types + me.place.type) * v.n_types;
    const RowAt       from    = load_row_at(v, i);
    typename Add::Row row     = {};

    for (int32_t type = 0; type < v.n_types; type = __ldg(&v.kind_of[type].end_type))
        if (start[type] < start[type + 1])
            measure_segment<SLOT, Add>(v, t, start, me, scale, from,
                                       segment[__ldg(&v.kind_of[type].kind)], &row);
    Add::end(row, to);
}

/* This thread's part of all rows, by all threads of measure_blocks. */
template <int32_t SLOT, class Add, class Sums>
__device__ static inline void measure_rows(const View &v, const SlotTerms &t, Sums *to)
{
    const BoxScale scale = scale_of(v);
    const int32_t  each  = BEAD_BLOCK / MEASURE_LANES;
    const int32_t  first = (int32_t)blockIdx.x * each + (int32_t)threadIdx.x / MEASURE_LANES;

    for (int32_t i = first; i < v.n; i += (int32_t)gridDim.x * each)
        measure_row<SLOT, Add>(v, t, scale, i, to);
}

/* The instances of a kernel of this name for each slot of pairs, in the order of frame.h. */
#define MEASURE_KERNELS(kernel)                                                                    \
    {                                                                                              \
        kernel<AMPHI_LJ>, kernel<AMPHI_QQ>, kernel<AMPHI_QD>, kernel<AMPHI_DD>,                    \
            kernel<AMPHI_STICKY>, kernel<AMPHI_GAY_BERNE>                                          \
    }

#endif
