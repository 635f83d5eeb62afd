/* Pair forces in fixed precision: as in forces.cu, but that every force and field on a bead is
 * rounded to a whole number pair by pair, so that rows, lanes and their order change no bit. No
 * formula here, and no rounding: those are forcefield's.
 *
 * As on the CPU (engine/typed/cpu_sums_fixed.h) a lane adds up modulo 2^32, with squares beside,
 * and goes over its row once more where these do not exclude an overflow. That takes 15
 * instructions of 116 a neighbour less than looks and wide sums for all, and registers for one
 * more block a processor.
 *
 * Compiled without fused products, roots and quotients of IEEE.
 */
#include "beside.h"
#include "fixed_sums.h"
#include "short_row.h"

#include "fixed_scaled.h"

#include "../forcefield/pair_fixed.h"

/* Of what a lane has gathered, f on the bead, g the field on dipoles, t that on unit axes or the
 * torque of frames; what has left its range. */
typedef struct {
    int64_t f[3], g[3], t[3];
    bool    f_fits, g_fits, t_fits;
} Whole;

/* What a lane has gathered: the same modulo 2^32, and the squares of all components. */
typedef struct Gathered {
    uint32_t f[3], g[3], t[3];
    float    square;
    int32_t  n_added;         /* pairs in them, and in the virial */
    double   u[4];            /* potential and virial, in units */
    uint32_t high[3], low[3]; /* of a virial more: add_virial */
    bool     u_fits;
    Whole    whole;
} Gathered;

/* Units of fields on dipoles, and of torques, in those of forces. */
#define FIELD_FINER ((scalar)(1 << FIXED_FIELD_BITS) / (1 << FIXED_FORCE_BITS))
#define TURN_FINER  ((scalar)(1 << FIXED_TURN_BITS) / (1 << FIXED_FORCE_BITS))

/* No sum of the kernel: a row that a lane goes over once more. */
#define CAREFULLY ((SumsLevel)SUMS_LEVELS)

/* ---- one pair ---- */

/* False for what is no number, too. */
__device__ static inline bool fits(real3 a)
{
    const float most = (float)(1 << FIXED_FORCE_RANGE);

    return (int)(fabsf(a.x) < most) & (int)(fabsf(a.y) < most) & (int)(fabsf(a.z) < most);
}

__device__ static inline void add_modulo(real3 a, uint32_t sum[3], float *square)
{
    sum[0] += (uint32_t)__float2int_rn(a.x);
    sum[1] += (uint32_t)__float2int_rn(a.y);
    sum[2] += (uint32_t)__float2int_rn(a.z);
    *square = __fmaf_rn(a.x, a.x, __fmaf_rn(a.y, a.y, __fmaf_rn(a.z, a.z, *square)));
}

/* Is every component in range, and overflow of 32 bits excluded? False for what is no number, too.
 */
__device__ static inline bool stays_in(float square, int32_t n_added)
{
    return (int)(square <= PAIR_FIXED_MOST_SQUARE) &
           (int)(square * (float)n_added <= PAIR_FIXED_MOST_SQUARES);
}

__device__ static inline void add_whole3(real3 a, int64_t sum[3], bool *are_in)
{
    *are_in = (int)*are_in & (int)fits(a);
    sum[0] += __float2int_rn(a.x);
    sum[1] += __float2int_rn(a.y);
    sum[2] += __float2int_rn(a.z);
}

__device__ static inline void widen(const uint32_t from[3], int64_t to[3])
{
    for (int a = 0; a < 3; a++)
        to[a] = (int32_t)from[a];
}

/* Selects instead of a branch: most neighbours are in range, and loads can go ahead. */
__device__ static inline PairParts keep_parts(bool near, PairParts w)
{
    return PairParts{ keep(near, w.u), keep(near, w.fd), keep(near, w.fp), keep(near, w.fq),
                      keep(near, w.fz) };
}

/* Units of energy in one of force over a nm, and in a kJ/mol if that is one of force. */
#define ENERGY_FINER(units) ((scalar)(1 << FIXED_ENERGY_BITS) / (units))

/* To the nearest whole number, halves to even: from 2^23 on all floats are whole. */
__device__ static inline double add_whole_energy(float units, double sum)
{
    const float room = copysignf(0x1p23F, units);

    return sum + (double)(fabsf(units) < 0x1p23F ? (units + room) - room : units);
}

/* Where all warps of these blocks add up. */
__device__ static inline int64_t *row_of_pairs(const View &v)
{
    return v.fixed.pairs[blockIdx.x % FIXED_COPIES].x;
}

/* In units of force, as f and its constants are. Doubles add whole numbers exactly: those of some
 * hundred pairs below 2^45. What is larger, where beads overlap in coarse units, goes to memory. */
template <SumsLevel LEVEL>
__device__ static inline void add_sums(const View &v, real u, real3 d, real3 f, scalar finer,
                                       Gathered *to)
{
    constexpr int FIRST     = LEVEL == QUICK ? 0 : 1;
    const scalar  number[4] = { LEVEL == QUICK ? finer * u : 0, finer * (d.x * f.x),
                               finer * (d.y * f.y), finer * (d.z * f.z) };
    const scalar  most      = fmaxf(fmaxf(fabsf(number[1]), fabsf(number[2])), fabsf(number[3]));

    if ((int)(fabsf(number[0]) < 0x1p45F) & (int)(most < 0x1p45F)) {
#pragma unroll
        for (int k = FIRST; k < 4; k++)
            to->u[k] = add_whole_energy(number[k], to->u[k]);
        return;
    }
    to->u_fits = (int)to->u_fits & (int)(fabsf(number[0]) < PAIR_FIXED_MOST);
    for (int k = FIRST; k < 4; k++)
        add_whole(&row_of_pairs(v)[k], __float2ll_rn(number[k]));
}

/* The same whole number in two parts, without a conversion: `high` counts 2^HIGH_BITS, and a large
 * float leaves both as its last bits. For virials below 2^42, which those of forces in range are as
 * long as no cut-off is 32 nm; coarse units have others. */
#define HIGH_BITS 20
#define ROOM_HIGH (1.5F * (1 << 23) * (1 << HIGH_BITS))
#define ROOM_LOW  (1.5F * (1 << 23))

__device__ static inline void add_virial(float d, float f, float finer, uint32_t *high,
                                         uint32_t *low)
{
    const float force = d * f;
    const float above = __fmaf_rn(finer, force, ROOM_HIGH);
    const float below = __fmaf_rn(finer, force, (ROOM_HIGH + ROOM_LOW) - above);

    *high += __float_as_uint(above);
    *low += __float_as_uint(below);
}

/* The sum, when what all pairs have beside it is taken away. */
__device__ static inline int64_t virial_of(uint32_t high, uint32_t low, int32_t n_added)
{
    const uint32_t n = (uint32_t)n_added;

    high -= n * __float_as_uint(ROOM_HIGH);
    low -= n * __float_as_uint(ROOM_LOW);
    return (int64_t)(int32_t)high * (1 << HIGH_BITS) + (int32_t)low;
}

template <int KIND, int SECOND, int SWITCHED, uint32_t SET, SumsLevel LEVEL>
__device__ __forceinline__ void add_pair(const View &v, const PairTerm &first,
                                         const PairTerm &second, const Mine &me, const Record &mine,
                                         const Record &you, bool counts, Gathered *to)
{
    constexpr int      LAST = SECOND == PAIR_none ? KIND : SECOND;
    const PairTerm     lj   = with_constants<KIND, SET, LEVEL>(first, me.lj, you.place.type);
    const PairGeometry g    = geometry_of(mine, you, me.scale);
    const bool         near = counts && g.r2 < first.cutoff2;
    const PairTerm    *term = SECOND == PAIR_none ? &lj : &second;
    const PairParts    w =
        keep_parts(near, pair_fixed_parts(LAST, SWITCHED, term, &lj, SECOND != PAIR_none, &g));
    const bool      unit = pair_reads_unit_axis(LAST), has_i = pair_feels_axis_i(LAST);
    const PairUnits p = pair_fixed_units(&w, &g, has_i, pair_feels_axis_j(LAST), unit,
                                         PairScale{ 1, unit ? TURN_FINER : FIELD_FINER });

    if (LEVEL == CAREFULLY) {
        add_whole3(p.f, to->whole.f, &to->whole.f_fits);
        if (has_i)
            add_whole3(p.g, unit ? to->whole.t : to->whole.g,
                       unit ? &to->whole.t_fits : &to->whole.g_fits);
        return;
    }
    add_modulo(p.f, to->f, &to->square);
    if (has_i)
        add_modulo(p.g, unit ? to->t : to->g, &to->square);
    if (LEVEL == QUICK)
        add_sums<QUICK>(v, w.u, g.d, p.f, ENERGY_FINER(me.lj.units), to);
    if (LEVEL == VIRIALS) {
        add_virial(g.d.x, p.f.x, ENERGY_FINER(me.lj.units), &to->high[0], &to->low[0]);
        add_virial(g.d.y, p.f.y, ENERGY_FINER(me.lj.units), &to->high[1], &to->low[1]);
        add_virial(g.d.z, p.f.z, ENERGY_FINER(me.lj.units), &to->high[2], &to->low[2]);
    }
}

/* ---- one row ---- */

__device__ static __forceinline__ scalar force_units(const View &v)
{
    return pair_fixed_scale(0, v.fixed.coarse).force;
}

/* Two neighbours at a time, and the next entries on their way meanwhile. */
template <int KIND, int SECOND, int SWITCHED, uint32_t SET, SumsLevel LEVEL, int LAYOUT>
__device__ __forceinline__ void walk(const View &v, Walk<LAYOUT> w, const Pass *pass,
                                     const Mine &me, const Record &mine, Gathered *to)
{
    constexpr int     LAST    = SECOND == PAIR_none ? KIND : SECOND;
    constexpr int32_t N_LANES = lanes_of(LAYOUT), ROUND = round_of(LAYOUT);
    const bool        unit   = pair_reads_unit_axis(LAST);
    const Origin      from   = origin_of<LAYOUT>(v.record[unit ? UNIT_AXES : DIPOLES], me.base);
    const PairTerm    first  = scaled_term<KIND>(pass->term[0], me.lj.units);
    const PairTerm    second = scaled_term<SECOND>(pass->term[1], me.lj.units);
    Loaded<LAYOUT>    next;

    if (w.left <= 0)
        return;
    if (LEVEL != CAREFULLY)
        to->n_added += 2 * ((w.left + 2 * N_LANES - 1) / (2 * N_LANES));
    next = load_entries(w.entries);
#pragma unroll 1
    for (; w.left > 0; w.left -= ROUND) {
        const Loaded<LAYOUT> now = next;

#pragma unroll
        for (int32_t k = 0; k < ROUND / (2 * N_LANES); k++) {
            const int32_t left = w.left - 2 * N_LANES * k;

            if (k > 0 && left <= 0)
                break;

            const Record one = load_half(from.records, from.base + first_half<LAYOUT>(now.two[k]));
            const Record other =
                load_half(from.records, from.base + second_half<LAYOUT>(now.two[k]));

            if (k == 0)
                fetch_next<LAYOUT>(left > ROUND, &w, &next);
            add_pair<KIND, SECOND, SWITCHED, SET, LEVEL>(v, first, second, me, mine, one, true, to);
            add_pair<KIND, SECOND, SWITCHED, SET, LEVEL>(v, first, second, me, mine, other,
                                                         left > N_LANES, to);
        }
    }
}

template <int KIND, int SECOND, int SWITCHED, uint32_t SET, SumsLevel LEVEL, int LAYOUT>
__device__ __forceinline__ void visit(const View &v, const Walk<LAYOUT> &w, const Pass *pass,
                                      const Mine &me, Gathered *to)
{
    if (pair_reads_unit_axis(KIND))
        walk<KIND, SECOND, SWITCHED, SET, LEVEL, LAYOUT>(
            v, w, pass, me, load_half(v.record[UNIT_AXES], half_of(me.i)), to);
    else
        walk<KIND, SECOND, SWITCHED, SET, LEVEL, LAYOUT>(v, w, pass, me, me.record, to);
}

/* ---- what the lanes of a bead have together ---- */

/* Even lanes add up the force, odd lanes another vector: the first two have them in the end. */
__device__ static inline void add_lanes(const int64_t even[3], const int64_t odd[3], int lanes,
                                        int64_t sum[3])
{
    const bool is_odd = threadIdx.x % 2 != 0;

#pragma unroll
    for (int a = 0; a < 3; a++) {
        sum[a] = (is_odd ? odd[a] : even[a]) + other_lane(is_odd ? even[a] : odd[a], 1);
        for (int bit = 2; bit < lanes; bit *= 2)
            sum[a] += other_lane(sum[a], bit);
    }
}

__device__ static inline void put3(const int64_t from[3], int32_t shift, int64_t to[3])
{
    for (int a = 0; a < 3; a++)
        to[a] = from[a] * ((int64_t)1 << shift);
}

__device__ static inline void tell_range(const View &v, const Gathered &mine, int32_t bead)
{
    const Whole &w = mine.whole;

    if (w.f_fits && w.g_fits && w.t_fits && mine.u_fits)
        return;
    raise_range(v,
                !w.f_fits   ? FIXED_FORCE
                : !w.g_fits ? FIXED_FIELD
                : !w.t_fits ? FIXED_PAIR_TURN
                            : FIXED_ENERGY,
                bead);
}

template <SumsLevel LEVEL>
__device__ static inline void put_sums(const View &v, const Gathered &mine)
{
    int64_t number[4];

    for (int k = 0; k < 4; k++)
        number[k] = __double2ll_rn(mine.u[k]);
    for (int a = 0; a < 3 && LEVEL == VIRIALS; a++)
        number[1 + a] += virial_of(mine.high[a], mine.low[a], mine.n_added);
    add_to_row<4>(number, row_of_pairs(v));
}

/* Blocks that a processor is to hold in kernels of no ellipsoids among others: as many as leave
 * registers enough that nothing spills, but one less with the 8 and 16 lanes of membranes (a step
 * of 5888 beads takes 27.2 us instead of 28.6). */
constexpr int blocks_of_dipoles(SumsLevel level, bool is_full)
{
    const int less = is_full ? 0 : 1;

    return (level == QUICK ? 5 : level == VIRIALS ? 6 : 7) - less;
}

/* The same of all kernels. */
constexpr int blocks_at_once(uint32_t set, SumsLevel level, int32_t lanes)
{
    if (set == SET_ALL) /* 8 bytes spill without sums; B08o of 5888 takes 2 % less */
        return level == NO_SUMS ? 4 : 3;
    if (set == SET_GAY_BERNE)
        return level == NO_SUMS ? 4 : 3;
    if (set_is_gay_berne(set))
        return 5;
    if (set_has_sticky(set) && !has_one_pass(set))
        return level == NO_SUMS ? 5 : 3;
    if (set_has_sticky(set))
        return level == NO_SUMS ? 6 : 5;
    return blocks_of_dipoles(level, sorts_rows(lanes) || has_one_pass(set));
}

/* ---- the sticky term ---- */

template <SumsLevel LEVEL>
__device__ static inline void add_sticky(const View &v, const PairTerm &term, const PairGeometry &g,
                                         const PairFrames &frames, Gathered *to)
{
    const PairScale  units = pair_fixed_scale(1, v.fixed.coarse);
    const PairResult p     = pair_sticky(&term.as.sticky, &g, &frames);
    const real3      f = scale3(units.force, p.f), t = scale3(units.field, p.ti);

    add_whole3(f, to->whole.f, &to->whole.f_fits);
    add_whole3(t, to->whole.t, &to->whole.t_fits);
    if (LEVEL != NO_SUMS)
        add_sums<LEVEL>(v, units.force * p.u, g.d, f, ENERGY_FINER(units.force), to);
}

/* Its torque, which nothing else of a pair has in space: what it feels by unit axes is apart. */
template <uint32_t SET, SumsLevel LEVEL, int N_LANES>
__device__ static __forceinline__ void visit_sticky(const View &v, const Passes &sticky,
                                                    const Mine &me, bool has_bead, int32_t bead,
                                                    Gathered *to)
{
    int64_t sum[3];

    to->whole.t[0] = to->whole.t[1] = to->whole.t[2] = 0;
    visit_short_row<has_one_pass(SET), N_LANES>(
        v, sticky, me, has_bead,
        [&](const PairTerm &term, const PairGeometry &g, const PairFrames &frames) {
            add_sticky<LEVEL>(v, term, g, frames, to);
        });
    add_lanes(to->whole.t, to->whole.t, N_LANES, sum);
    if (has_bead && me.lane == 0)
        put3(sum, v.fixed.coarse, v.fixed.torque[bead]);
}

/* ---- a bead ---- */

constexpr uint32_t WITH_UNIT_AXES =
    CLASS_BIT(gay_berne) | CLASS_BIT(gay_berne_shifted) | CLASS_BIT(gay_berne_switched);

/* To what the kernel of ellipsoids has left there, if there are any; read past the first cache. */
template <uint32_t SET>
__device__ static inline void put_sum(const View &v, const int64_t sum[3], int64_t to[3])
{
    int64_t found[3] = { 0, 0, 0 };

    for (int a = 0; adds_apart(SET) && v.is_apart && a < 3; a++)
        found[a] = __ldcg((const long long *)&to[a]);
    for (int a = 0; a < 3; a++)
        to[a] = found[a] + sum[a] * ((int64_t)1 << v.fixed.coarse);
}

/* The row of a lane. */
template <uint32_t SET, SumsLevel LEVEL, int LAYOUT>
__device__ static __forceinline__ void gather(const View &v, const Stretches &s, const Mine &me,
                                              const Part &part, Gathered *to)
{
    visit_row<SET, LEVEL, LAYOUT>(v, s, me, part, to);
    if (!stays_in(to->square, to->n_added)) {
        visit_row<SET, CAREFULLY, LAYOUT>(v, s, me, part, to);
        return;
    }
    widen(to->f, to->whole.f);
    widen(to->g, to->whole.g);
    widen(to->t, to->whole.t);
}

/* Ahead of a list, what is of the present one is fetched before the wait. */
template <uint32_t SET, SumsLevel LEVEL, int LAYOUT>
__launch_bounds__(PAIR_BLOCK, blocks_at_once(SET, LEVEL, lanes_of(LAYOUT))) __global__
    static void k_fixed_pairs(const View v, const Stretches s, const Passes sticky, PairsTurn turn)
{
    if (turn == BEHIND_LIST && is_others_turn(v, turn))
        return;

    constexpr int  N_LANES   = lanes_of(LAYOUT);
    const int64_t  thread    = (int64_t)blockIdx.x * PAIR_BLOCK + threadIdx.x;
    const bool     has_bead  = thread / N_LANES < v.n;
    const int32_t  place     = has_bead ? (int32_t)(thread / N_LANES) : v.n - 1;
    const int32_t  lane      = (int32_t)threadIdx.x % N_LANES;
    const Opening  o         = open_row<SET, LAYOUT>(v, s, place);
    const uint32_t constants = copy_constants<SET, LAYOUT>(v, s);
    const LjRow    lj        = row_of_type(v, s, constants, o.type);
    Gathered       mine      = {};
    int64_t        sum[3];

    /* as in other precisions, but where it takes longer */
    if (has_one_pass(SET) && !set_is_gay_berne(SET) && !has_come(o))
        return;
    wait_for_last();
    let_next_begin(); /* not sooner: a step behind these forces may not overtake the one before */
    const Record record = load_record(v, DIPOLES, o.slot);
    const Mine   me = { o.slot, o.type, lane, o.round, half_of(o.base), record, scale_of(v), lj };

    /* behind the first loads, which need not wait for it */
    if (v.ledger->fault != 0 || is_others_turn(v, turn))
        return;
    mine.whole.f_fits = mine.whole.g_fits = mine.whole.t_fits = mine.u_fits = true;
    if (has_bead)
        gather<SET, LEVEL, LAYOUT>(v, s, me, part_of(o), &mine);
    if constexpr ((SET & WITH_UNIT_AXES) != 0)
        if (v.fixed.turn != NULL) {
            add_lanes(mine.whole.t, mine.whole.t, N_LANES, sum);
            if (has_bead && lane == 0)
                put3(sum, v.fixed.coarse, v.fixed.turn[o.bead]);
        }
    if constexpr (set_has_sticky(SET))
        if (sticky.pass != NULL)
            visit_sticky<SET, LEVEL, N_LANES>(v, sticky, me, has_bead, o.bead, &mine);
    add_lanes(mine.whole.f, mine.whole.g, N_LANES, sum);
    if (has_bead && lane < 2)
        put_sum<SET>(v, sum, (lane == 0 ? v.fixed.force : v.fixed.field)[o.bead]);
    tell_range(v, mine, o.bead);
    if (LEVEL != NO_SUMS)
        put_sums<LEVEL>(v, mine);
}

/* ---- which kernel ---- */

static PairKernels kernels = ALL_KERNELS(k_fixed_pairs);

AmphiStatus AMPHI_T(forces_compute)(Device *d, SumsLevel level, PairsTurn turn, cudaStream_t stream,
                                    AmphiError *err)
{
    if (level != NO_SUMS)
        AMPHI_TRY(AMPHI_T(fixed_begin_sums)(d->view.fixed.pairs, level, stream, err));
    if (d->view.is_apart)
        AMPHI_TRY(launch_apart(d, kernels, level, turn, stream, err));
    return launch_pairs(d, d->view, kernels, d->forces->set, level, turn, stream, err);
}

/* ---- open ---- */

AmphiStatus AMPHI_T(forces_open)(Device *d, AmphiError *err)
{
    AMPHI_TRY(open_plan(d, err));
    AMPHI_TRY(AMPHI_T(fixed_open)(d, err));
    return allow_all_shared(d, kernels, err);
}
