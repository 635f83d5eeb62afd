/* What every kernel over rows shares: what is to be done between two types, where a row has its
 * entries, records, geometry.
 */
#ifndef AMPHI_CUDA_PAIR_ROW_H
#define AMPHI_CUDA_PAIR_ROW_H

#include "classes.h"
#include "entries.h"

typedef PairVisit Pass;

/* start [n_types * n_types + 1]: where the passes of a pair of types begin. Device memory. only:
 * the first term of the first, for kernels of one pass. */
typedef struct {
    const int32_t *start;
    const Pass    *pass;
    PairTerm       only;
} Passes;

/* A pass over the neighbours of all kinds from `first` to `last`, which differ in their
 * Lennard-Jones constants alone. */
typedef struct {
    int32_t first, last;
    Pass    pass;
} Stretch;

/* What the force of Lennard-Jones reads of two types; its energy wants c0 too. */
typedef struct __align__(4 * sizeof(scalar))
{
    scalar A, B, D, c1;
}
LjForce;

/* start [n_types + 1]: where the stretches of a type begin; lj, c0 [n_types][n_types]. only: the
 * pass of the first, for kernels of one pass. */
typedef struct {
    const int32_t *start;
    const Stretch *stretch;
    const LjForce *lj;
    const scalar  *c0;
    Pass           only;
} Stretches;

/* All terms, one energy slot after another: start [PAIR_SLOTS * n_types * n_types + 1] by slot and
 * pair of types. All types of a kind have the same terms with a type, but for constants of
 * Lennard-Jones, which are in lj and c0, as stretches have them: only is, for each slot, type and
 * kind, [PAIR_SLOTS][n_types][n_kinds], the one term, NO_TERMS for none, MORE_TERMS for several. */
enum { PAIR_SLOTS = AMPHI_PAIR_TERMS, NO_TERMS = -1, MORE_TERMS = -2 };
typedef struct {
    const int32_t  *start;
    const PairTerm *term;
    const int32_t  *only;
    const LjForce  *lj;
    const scalar   *c0;
} SlotTerms;

struct ForcesPlan {
    Passes    sticky;    /* pass is NULL when there are no such terms */
    Stretches stretches; /* the passes of all others */
    SlotTerms terms;
    uint32_t  classes;      /* bits of those in use */
    bool      has_edge;     /* does one of them, but for ellipsoids, not vanish at its cut-off? */
    bool      has_one_pass; /* is it for a kernel of ONE_PASS? */
    uint32_t  slots;        /* bits 1 << AmphiTermSlot of those in use */
    int32_t   set;          /* of kernels: pair_kernels.h */
    bool      last_is_ellipsoid; /* do beads of the last type meet each other as ellipsoids? */
    TermSums *part;              /* [PAIR_SLOTS][measure_blocks] of measure.cu */
};

/* Fills in all but `set` and `part`; says in the view which records are used. */
AmphiStatus AMPHI_T(pair_plan_open)(Device *d, AmphiError *err);

/* That a term reads. */
__host__ __device__ static inline RecordKind records_of(int32_t kind)
{
    return kind == PAIR_sticky ? FRAMES : pair_reads_unit_axis(kind) ? UNIT_AXES : DIPOLES;
}

/* A warp walks its rows together until the longest ends. So they are sorted by length, the longest
 * first, among every SORTED with neighbouring slots: 2 or 3 % of a step of 94 208 beads. With more
 * lanes a warp has too few rows for that to be worth a kernel. */
enum { SORTED = 128 };

__host__ __device__ static constexpr bool sorts_rows(int32_t lanes)
{
    return lanes == 4;
}

/* Where a kernel of one pass does not read its constants as parameters but into registers, the
 * compiler fetches records further ahead: ELBA water of 8192 beads takes 22.2 us a step instead of
 * 23.9, Gay-Berne and SSD water 1 % more. */
__host__ __device__ static constexpr bool has_parameters(uint32_t set, int32_t lanes)
{
    return AMPHI_BUILD_PRECISION != AMPHI_SINGLE || set != SET_WATER || lanes < 16;
}

/* 16 bytes at a time; what nobody reads of it is not loaded. */
template <class T> __device__ static inline T load_whole(const T *from)
{
    const int4 *word = (const int4 *)from;
    T           out;

#pragma unroll
    for (int k = 0; k < (int)(sizeof out / sizeof *word); k++)
        ((int4 *)&out)[k] = __ldg(&word[k]);
    return out;
}

/* The same of what the kernel before writes, beside which this one has begun: ptxas puts loads that
 * promise that nobody writes ahead of the wait for it, unless a branch is in between. */
template <class T> __device__ static inline T load_written(const T *from)
{
    const int4 *word = (const int4 *)from;
    T           out;

#pragma unroll
    for (int k = 0; k < (int)(sizeof out / sizeof *word); k++)
        ((int4 *)&out)[k] = word[k];
    return out;
}

/* Stretch k of the row in slot i, of those before `last`: its entries from `begin` on. */
typedef struct {
    int32_t k, last, begin, n;
} Part;

__device__ static __forceinline__ Part part_of_row(const View &v, const Stretches &s, int32_t i,
                                                   int32_t k, int32_t last)
{
    const Segment *segment = v.segment + (int64_t)i * v.n_kinds;
    Part           part    = { k, last, 0, 0 };

    if (k >= last)
        return part;
    part.begin = __ldg(&segment[__ldg(&s.stretch[k].first)].begin);
    part.n     = __ldg(&segment[__ldg(&s.stretch[k].last)].end) - part.begin;
    return part;
}

/* The first, before anything of the present step is asked for. */
__device__ static __forceinline__ Part first_part(const View &v, const Stretches &s, int32_t i,
                                                  int32_t type)
{
    return part_of_row(v, s, i, __ldg(&s.start[type]), __ldg(&s.start[type + 1]));
}

__device__ static __forceinline__ Opening opening_of(const View &v, int32_t slot, int32_t type,
                                                     const Part &part, const RowAt &at)
{
    return Opening{ slot,       v.bead_of[slot], type,     (uint16_t)part.k, (uint16_t)part.last,
                    part.begin, part.n,          at.round, at.base };
}

__device__ static __forceinline__ Opening open_slot(const View &v, const Stretches &s, int32_t slot)
{
    const int32_t type = v.type_of[slot];
    const RowAt   at   = load_row_at(v, slot);

    return opening_of(v, slot, type, first_part(v, s, slot, type), at);
}

/* The same in a system of one type with one pass. */
__device__ static __forceinline__ Opening open_only(const View &v, int32_t slot)
{
    const RowAt at  = load_row_at(v, slot);
    const int2  all = __ldg((const int2 *)&v.segment[slot]);

    return Opening{ slot, v.bead_of[slot], 0, 0, 1, all.x, all.y - all.x, at.round, at.base };
}

/* Of the bead at a place of the order: with one load where rows are sorted. */
template <uint32_t SET, int LAYOUT>
__device__ static __forceinline__ Opening open_row(const View &v, const Stretches &s, int32_t place)
{
    return sorts_rows(lanes_of(LAYOUT)) ? load_whole(&v.opening[place])
           : has_one_pass(SET)          ? open_only(v, place)
                                        : open_slot(v, s, place);
}

/* True of every row. The compiler does not know that, and so what is compared here is loaded before
 * what follows; loads whose values are not wanted yet it puts behind a wait or an exit. */
__device__ static __forceinline__ bool has_come(const Opening &o)
{
    return (int)(o.slot >= 0) & (int)(o.n >= 0) & (int)(o.base >= 0);
}

__device__ static __forceinline__ Part part_of(const Opening &o)
{
    return Part{ o.stretch, o.last, o.begin, o.n };
}

/* By the number that rows have; behind a branch on what has been loaded after the wait. */
__device__ static __forceinline__ Record load_half(const HalfRecord *records, uint32_t half)
{
    const HalfRecord *at = records + half;

    return Record{ load_whole(&at->place), load_whole(&at[RECORD_GROUP].value) };
}

/* Right behind the wait. */
__device__ static inline Record load_record(const View &v, RecordKind kind, int32_t slot)
{
    const HalfRecord *at = v.record[kind] + half_of(slot);

    return Record{ load_written(&at->place), load_written(&at[RECORD_GROUP].value) };
}

/* True of every record, and as above. */
__device__ static inline bool has_come(const Record &r)
{
    return (int)(r.place.type >= 0) & (int)(r.value.value[3] == r.value.value[3]);
}

typedef struct {
    scalar nm_per_unit[3];
    scalar nm_rest[3]; /* what rounding has taken from these */
} BoxScale;

__device__ static inline BoxScale scale_of(const View &v)
{
    BoxScale out;

    for (int a = 0; a < 3; a++) {
#ifdef AMPHI_BUILD_DOUBLE
        const double unit = v.ledger->box_nm[a];
#else
        const double unit = v.ledger->box_nm[a] / 4294967296.0;
#endif
        out.nm_per_unit[a] = (scalar)unit;
        out.nm_rest[a]     = (scalar)(unit - (double)out.nm_per_unit[a]);
    }
    return out;
}

__device__ static inline real along(Coordinate me, Coordinate you, scalar nm_per_unit)
{
#ifdef AMPHI_BUILD_DOUBLE
    const real d = me - you;

    return (d - nearest_whole(d)) * nm_per_unit;
#else
    return rounded_once((real)(int32_t)((uint32_t)me - (uint32_t)you), nm_per_unit, 0);
#endif
}

/* As on the host. What half a box edge converts to differs, which is beyond every cut-off. */
__device__ static inline real rest_along(Coordinate me, Coordinate you, const BoxScale &scale,
                                         int a, real d)
{
#ifdef AMPHI_BUILD_DOUBLE
    return 0;
#else
    const uint32_t units = (uint32_t)me - (uint32_t)you;
    const real most = (real)(int32_t)units;
    const real left = (real)(int32_t)(units - (uint32_t)(int32_t)most);

    return rounded_once(
        left, scale.nm_per_unit[a],
        rounded_once(most, scale.nm_rest[a], rounded_once(most, scale.nm_per_unit[a], -d)));
#endif
}

/* ENDS: beyond the cut-off, squared, r is as at the cut-off. So is that of a neighbour that does
 * not count, which is the bead itself: d is zero. */
template <bool ENDS>
__device__ static __forceinline__ PairGeometry geometry_upto(const Record &me, const Record &you,
                                                             const BoxScale &scale, bool counts,
                                                             real cutoff2)
{
    PairGeometry g;

    g.d.x = along(me.place.at[0], you.place.at[0], scale.nm_per_unit[0]);
    g.d.y = along(me.place.at[1], you.place.at[1], scale.nm_per_unit[1]);
    g.d.z = along(me.place.at[2], you.place.at[2], scale.nm_per_unit[2]);
    g.r2  = dot3(g.d, g.d);
    if (ENDS)
        g.r2 = fmin(counts ? g.r2 : cutoff2, cutoff2);
    g.inv_r    = inv_sqrt(g.r2);
    g.axis_i   = real3{ me.value.value[0], me.value.value[1], me.value.value[2] };
    g.axis_j   = real3{ you.value.value[0], you.value.value[1], you.value.value[2] };
    g.charge_i = me.value.value[3];
    g.charge_j = you.value.value[3];
    g.d_rest   = real3{ rest_along(me.place.at[0], you.place.at[0], scale, 0, g.d.x),
                      rest_along(me.place.at[1], you.place.at[1], scale, 1, g.d.y),
                      rest_along(me.place.at[2], you.place.at[2], scale, 2, g.d.z) };
    return g;
}

__device__ static inline PairGeometry geometry_of(const Record &me, const Record &you,
                                                  const BoxScale &scale)
{
    return geometry_upto<false>(me, you, scale, true, 0);
}

__device__ static inline quat frame_of(const Record &r)
{
    return quat{ r.value.value[0], r.value.value[1], r.value.value[2], r.value.value[3] };
}

#endif
