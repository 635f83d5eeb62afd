/* How a few lanes walk the row of a bead, in every precision: class by class over the stretches of
 * the row, with the Lennard-Jones constants of its types in shared memory.
 *
 * The including file says what a lane gathers on the way (Gathered), what it does with the
 * neighbours of one class (visit), and in which units it counts forces.
 */
#ifndef AMPHI_CUDA_PAIR_WALK_H
#define AMPHI_CUDA_PAIR_WALK_H

#include "pair_kernels.h"

extern "C" {
#include "../engine/arena.h"
}

/* Lennard-Jones constants of one type with each other: in shared memory, and what only energies
 * want in the device's. */
typedef struct {
    uint32_t      force; /* times units: their address in shared memory */
    const scalar *c0;
    scalar        units; /* force_units */
} LjRow;

/* What a lane knows of its bead. */
typedef struct {
    int32_t  i, type, lane;
    uint32_t round, base; /* of its row; the half record that entries count from */
    Record   record;
    BoxScale scale;
    LjRow    lj;
} Mine;

/* A stretch of a row from this lane's first neighbour on; left: entries of all lanes. */
template <int LAYOUT> struct Walk {
    const Loaded<LAYOUT> *entries;
    int32_t               left;
};

/* The including file's. force_units: of force in a kJ/mol/nm. */
struct Gathered;

__device__ static __forceinline__ scalar force_units(const View &v);

template <int KIND, int SECOND, int SWITCHED, uint32_t SET, SumsLevel LEVEL, int LAYOUT>
__device__ __forceinline__ void visit(const View &v, const Walk<LAYOUT> &w, const Pass *pass,
                                      const Mine &me, struct Gathered *to);

/* Is it the turn of the other kernel, that on the other side of the list? */
__device__ static inline bool is_others_turn(const View &v, PairsTurn turn)
{
    const bool waits = v.ledger->waits[v.waits_at] != 0; /* asked for in any case */

    return (int)(turn != AT_ONCE) & (int)(waits == (turn == AHEAD_OF_LIST));
}

__device__ static inline LjForce scaled_lj(const LjForce &c, scalar units)
{
    return LjForce{ units * c.A, units * c.B, units * c.D, units * c.c1 };
}

/* Those of Lennard-Jones for the types that a block's beads can have: without layers slots are in
 * the order of kinds. Returns where in shared memory the row of type 0 would be. */
template <uint32_t SET, int LAYOUT>
__device__ __forceinline__ uint32_t copy_constants(const View &v, const Stretches &s)
{
    if (!looks_up_lj(SET))
        return 0;

    extern __shared__ LjForce shared[];
    constexpr int             N_LANES = lanes_of(LAYOUT), BEADS = PAIR_BLOCK / N_LANES;
    constexpr int             AMONG = sorts_rows(N_LANES) ? SORTED : BEADS;
    static_assert(AMONG % BEADS == 0, "the beads of a block are sorted among the same ones");
    const int64_t slot  = (int64_t)blockIdx.x * BEADS / AMONG * AMONG;
    const int64_t other = min(slot + AMONG, (int64_t)v.n) - 1;
    const int32_t first = v.is_layered ? 0 : __ldg(&v.kind_of[__ldg(&v.type_of[slot])].first_type);
    const int32_t end =
        v.is_layered ? v.n_types : __ldg(&v.kind_of[__ldg(&v.type_of[other])].end_type);
    const int32_t from = first * v.n_types, n = end * v.n_types - from;
    const scalar  units = force_units(v);

    for (int32_t k = (int32_t)threadIdx.x; k < n; k += PAIR_BLOCK)
        shared[k] = scaled_lj(load_whole(&s.lj[from + k]), units);
    __syncthreads();
    return (uint32_t)__cvta_generic_to_shared(shared) - (uint32_t)(from * sizeof(LjForce));
}

__device__ __forceinline__ LjRow row_of_type(const View &v, const Stretches &s, uint32_t constants,
                                             int32_t type)
{
    uint32_t row = constants + (uint32_t)(type * v.n_types * sizeof(LjForce));

    /* or the compiler looks for shared memory at every pair */
    asm volatile("" : "+r"(row)::"memory");
    return LjRow{ row, s.c0 + type * v.n_types, force_units(v) };
}

template <int KIND, uint32_t SET, SumsLevel LEVEL>
__device__ __forceinline__ PairTerm with_constants(const PairTerm &term, const LjRow &lj,
                                                   int32_t type)
{
    PairTerm out = term;

    if (KIND == PAIR_lj && looks_up_lj(SET)) {
        const LjForce c = ((const LjForce *)__cvta_shared_to_generic(lj.force))[type];

        out.as.lj.A  = c.A;
        out.as.lj.B  = c.B;
        out.as.lj.D  = c.D;
        out.as.lj.c1 = c.c1;
        out.as.lj.c0 = LEVEL == QUICK ? lj.units * __ldg(&lj.c0[type]) : 0;
    }
    return out;
}

/* The next entries, on their way while neighbours are met. */
template <int LAYOUT>
__device__ __forceinline__ void fetch_next(bool are_there, Walk<LAYOUT> *w, Loaded<LAYOUT> *next)
{
    w->entries += lanes_of(LAYOUT);
    if (are_there)
        *next = load_entries(w->entries);
}

#define VISIT_CLASS(name, kind, second, switched)                                                  \
    case CLASS_##name:                                                                             \
        if constexpr ((SET & CLASS_BIT(name)) != 0)                                                \
            visit<PAIR_##kind, PAIR_##second, switched, SET, LEVEL, LAYOUT>(v, w, pass, me, to);   \
        break;

template <uint32_t SET, SumsLevel LEVEL, int LAYOUT>
__device__ __forceinline__ void visit_class(const View &v, const Walk<LAYOUT> &w, int32_t is,
                                            const Pass *pass, const Mine &me, struct Gathered *to)
{
    switch (is) {
        CLASS_LIST(VISIT_CLASS)
    default:
        break;
    }
}

template <int LAYOUT>
__device__ __forceinline__ Walk<LAYOUT> walk_of(const View &v, const Mine &me, const Part &part)
{
    const EntryOf<LAYOUT> *row = entries_of<EntryOf<LAYOUT>>(v, me.round, LAYOUT);

    return Walk<LAYOUT>{ (const Loaded<LAYOUT> *)(row + part.begin) + me.lane, part.n - me.lane };
}

template <uint32_t SET, SumsLevel LEVEL, int LAYOUT>
__device__ __forceinline__ void visit_row(const View &v, const Stretches &s, const Mine &me,
                                          Part part, struct Gathered *to)
{
    if constexpr (has_one_pass(SET)) {
        const Pass *pass = has_parameters(SET, lanes_of(LAYOUT)) ? &s.only : &s.stretch->pass;

        if (part.n > 0)
            visit_class<SET, LEVEL, LAYOUT>(v, walk_of<LAYOUT>(v, me, part), s.only.is, pass, me,
                                            to);
    } else {
        for (; part.k < part.last; part = part_of_row(v, s, me.i, part.k + 1, part.last)) {
            const Pass *pass = &s.stretch[part.k].pass;

            if (part.n > 0)
                visit_class<SET, LEVEL, LAYOUT>(v, walk_of<LAYOUT>(v, me, part), pass->is, pass, me,
                                                to);
        }
    }
}

/* ---- on the host ---- */

/* The plan of a system's pairs, and how many lanes a bead has. */
static AmphiStatus open_plan(Device *d, AmphiError *err)
{
    struct ForcesPlan *plan = AMPHI_TAKE(d->mirror->arena, struct ForcesPlan, 1);

    if (plan == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for pair forces");
    d->forces = plan;
    AMPHI_TRY(AMPHI_T(pair_plan_open)(d, err));
    d->view.lanes    = choose_lanes(d->system->n_beads, choose_set(plan, false));
    plan->set        = choose_set(plan, sorts_rows(d->view.lanes));
    d->view.is_apart = is_mixed(plan) && adds_apart(sets[plan->set]);
    return AMPHI_OK;
}

#endif
