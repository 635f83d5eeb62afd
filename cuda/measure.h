/* The pairs whose energies go to one slot: a few lanes share a row, each with sums of its own. Rows
 * have every pair twice, and it is met once, from the bead whose slot is lower: neighbours follow
 * each other almost by their slots, so that the lanes of a warp meet, or leave out, at a time.
 *
 * The including file says what is added, as a class Add: Row, what is summed over the row of a
 * bead; add<KIND>(term, geometry, frames, row), for a pair in range; end(row, to), when the row of
 * a bead ends.
 */
#ifndef AMPHI_CUDA_MEASURE_H
#define AMPHI_CUDA_MEASURE_H

#include "pair_row.h"

/* Blocks of BEAD_BLOCK threads at most, which fill the device and leave few parts to add up. */
enum { MEASURE_BLOCKS = 2048 };

/* Threads a bead: of many beads more rows begin at once. */
static inline int32_t measure_lanes(int32_t n_beads)
{
    return n_beads < 30000 ? 16 : 8;
}

static inline int32_t measure_blocks(int32_t n_beads)
{
    const int64_t n = ((int64_t)n_beads * measure_lanes(n_beads) + BEAD_BLOCK - 1) / BEAD_BLOCK;

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
    if (g.r2 >= term->cutoff2)
        return;
    PAIR_LIST(MEASURE_KIND)
}

/* How rows lie in memory, in powers of two: row_place would divide by a number of lanes that is not
 * known while compiling. */
typedef struct {
    int32_t  each_bits, lane_bits; /* as row_place has them */
    bool     is_wide, tells_halves;
    uint32_t base; /* of this row: its slot, or the half record of that */
} RowLay;

__device__ static inline RowLay lay_of(const View &v)
{
    const int32_t layout = layout_of(v);

    return RowLay{ __ffs(entries_a_load(layout)) - 1, __ffs(lanes_of(layout)) - 1, is_wide(layout),
                   tells_halves(layout), 0 };
}

/* The half record of entry k of a row. Lanes take entries by their number, so that sums are the
 * same however entries are laid out. */
__device__ static inline uint32_t half_at(const RowLay &lay, const void *row, int32_t k)
{
    const int32_t in_round = (1 << (lay.each_bits + lay.lane_bits)) - 1;
    const int32_t place    = (k & ~in_round) | (k & ((1 << lay.lane_bits) - 1)) << lay.each_bits |
                          (k >> lay.lane_bits & ((1 << lay.each_bits) - 1));
    uint32_t entry;

    if (lay.is_wide)
        return __ldg((const uint32_t *)row + place);
    entry = lay.base + __ldg((const uint16_t *)row + place);
    return lay.tells_halves ? entry : half_of((int32_t)entry);
}

/* Which slot's place it is, also as an echo. */
__device__ static inline int32_t slot_of_half(const View &v, uint32_t half)
{
    const uint32_t in_group = RECORD_GROUP - 1u;
    const int32_t  slot     = (int32_t)((half >> 1 & ~in_group) | (half & in_group));

    return slot < v.n ? slot : slot - v.n;
}

/* What a row is measured by. */
typedef struct {
    const View      *v;
    const SlotTerms *terms;
    const int32_t   *start; /* of the terms of its bead's type with each other */
    int32_t          lane, lanes, slot;
    Record           me;
    BoxScale         scale;
    RowLay           lay;
    const void      *entries;
} Measured;

/* The one term that a bead has with all of a kind, in registers; of Lennard-Jones but for what is
 * looked up by types. */
template <int32_t SLOT> class OnlyTerm
{
    const LjForce *lj;
    const scalar  *c0;
    PairTerm       term;

  public:
    __device__ inline OnlyTerm(const Measured &m, int32_t only)
        : lj(m.terms->lj + m.me.place.type * m.v->n_types),
          c0(m.terms->c0 + m.me.place.type * m.v->n_types), term(m.terms->term[only])
    {
    }

    template <class Add>
    __device__ inline void meet(const PairGeometry &g, const PairFrames &frames, int32_t type,
                                typename Add::Row *to)
    {
        if constexpr (SLOT == AMPHI_LJ) {
            const LjForce c = load_whole(&lj[type]);

            term.as.lj.A  = c.A;
            term.as.lj.B  = c.B;
            term.as.lj.D  = c.D;
            term.as.lj.c0 = __ldg(&c0[type]);
            term.as.lj.c1 = c.c1;
        }
        measure_pair<SLOT, Add>(&term, g, frames, to);
    }
};

/* All that it has with each. */
template <int32_t SLOT> class EachTerm
{
    const SlotTerms *terms;
    const int32_t   *start;

  public:
    __device__ inline EachTerm(const Measured &m) : terms(m.terms), start(m.start)
    {
    }

    template <class Add>
    __device__ inline void meet(const PairGeometry &g, const PairFrames &frames, int32_t type,
                                typename Add::Row *to)
    {
        for (int32_t k = start[type]; k < start[type + 1]; k++)
            measure_pair<SLOT, Add>(&terms->term[k], g, frames, to);
    }
};

/* Those of one kind in a row. The next entry is on its way while a neighbour is met. */
template <int32_t SLOT, class Add, class Term>
__device__ static inline void measure_segment(const Measured &m, const Segment &part, Term term,
                                              typename Add::Row *to)
{
    const HalfRecord *records = m.v->record[records_of_slot<SLOT>()];
    int32_t           k       = part.begin + m.lane;
    uint32_t          next    = k < part.end ? half_at(m.lay, m.entries, k) : 0;

    for (; k < part.end; k += m.lanes) {
        const uint32_t half = next;

        if (k + m.lanes < part.end)
            next = half_at(m.lay, m.entries, k + m.lanes);
        if (slot_of_half(*m.v, half) < m.slot)
            continue;

        const Record     you    = load_half(records, half);
        const PairFrames frames = { frame_of(m.me), frame_of(you) };

        term.template meet<Add>(geometry_of(m.me, you, m.scale), frames, you.place.type, to);
    }
}

template <int32_t SLOT, class Add, class Sums>
__device__ static inline void measure_row(Measured *m, int32_t i, Sums *to)
{
    const View       &v       = *m->v;
    const Segment    *segment = v.segment + (int64_t)i * v.n_kinds;
    const RowAt       from    = load_row_at(v, i);
    const int32_t    *only;
    typename Add::Row row = {};

    m->slot     = i;
    m->me       = load_record(v, records_of_slot<SLOT>(), i);
    m->start    = m->terms->start + (SLOT * v.n_types + m->me.place.type) * v.n_types;
    m->lay.base = m->lay.tells_halves ? half_of(from.base) : (uint32_t)from.base;
    m->entries  = m->lay.is_wide ? (const void *)entries_of<uint32_t>(v, from.round, layout_of(v))
                                 : entries_of<uint16_t>(v, from.round, layout_of(v));
    only        = m->terms->only + (SLOT * v.n_types + m->me.place.type) * v.n_kinds;
    for (int32_t kind = 0; kind < v.n_kinds; kind++) {
        const int32_t term = __ldg(&only[kind]);

        if (term >= 0)
            measure_segment<SLOT, Add>(*m, segment[kind], OnlyTerm<SLOT>(*m, term), &row);
        else if (term == MORE_TERMS)
            measure_segment<SLOT, Add>(*m, segment[kind], EachTerm<SLOT>(*m), &row);
    }
    Add::end(row, to);
}

/* This thread's part of all rows, by all threads of measure_blocks; lanes: measure_lanes. */
template <int32_t SLOT, class Add, class Sums>
__device__ static inline void measure_rows(const View &v, const SlotTerms &t, int32_t lanes,
                                           Sums *to)
{
    const int32_t each = BEAD_BLOCK / lanes, lane = (int32_t)threadIdx.x % lanes;
    const int32_t first = (int32_t)blockIdx.x * each + (int32_t)threadIdx.x / lanes;
    Measured      m     = { &v, &t, NULL, lane, lanes, 0, {}, scale_of(v), lay_of(v), NULL };

    for (int32_t i = first; i < v.n; i += (int32_t)gridDim.x * each)
        measure_row<SLOT, Add>(&m, i, to);
}

/* The instances of a kernel of this name for each slot of pairs, in the order of frame.h. */
#define MEASURE_KERNELS(kernel)                                                                    \
    {                                                                                              \
        kernel<AMPHI_LJ>, kernel<AMPHI_QQ>, kernel<AMPHI_QD>, kernel<AMPHI_DD>,                    \
            kernel<AMPHI_STICKY>, kernel<AMPHI_GAY_BERNE>                                          \
    }

#endif
