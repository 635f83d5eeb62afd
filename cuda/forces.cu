/* Pair forces: a few lanes a bead walk its row and gather; nothing is written to a neighbour. No
 * formula here. Each class of terms has a loop of its own over all neighbours that it concerns:
 * what every segment begins with costs as much as several neighbours. Beads are in order of types,
 * so that a warp agrees on the class; Lennard-Jones constants, in which the types of a class
 * differ, are looked up in shared memory.
 *
 * The sticky term, which few pairs have, goes over rows of its own behind that: short_row.h.
 *
 * Compiled without contraction, as motion.cu: kernels that add up more would have other products
 * fused than those that add up nothing, and other forces in the last bits. What is to be fused says
 * so (engine/num/lanes.h).
 */
#include "beside.h"
#include "measure.h"
#include "short_row.h"
#include "totals.h"
#include "whole.h"

/* What a lane has gathered: f on bead i but for the parts along its dipole, whose sum is p; the
 * field g at the dipole; torque of what has no field of dipoles.
 *
 * With sums, h is the part of the field along d, and w is of the force along d alone. The rest of
 * the virial is found once a bead (virial_of): seen from the other bead, the part of a force along
 * axis j is one along axis i, and every pair is seen from both. u is without the energies of the
 * dipole of i, which are those of its field (energy_of). Force and field have the same bits with
 * sums and without. */
typedef struct Gathered {
    real3 f, g, t;
    real  p;
    real  u;    /* QUICK */
    real3 h;    /* VIRIALS, QUICK */
    real  w[3]; /* VIRIALS, QUICK */
} Gathered;

/* ---- one pair ---- */

__device__ static inline void add_scaled(real3 *sum, real a, real3 b)
{
    sum->x = fused(a, b.x, sum->x);
    sum->y = fused(a, b.y, sum->y);
    sum->z = fused(a, b.z, sum->z);
}

/* The force alone: what is along axis i is summed as a number. */
template <int KIND>
__device__ __forceinline__ void add_force(const PairParts &w, const PairGeometry &g, Gathered *to)
{
    add_scaled(&to->f, w.fd, g.d);
    if (pair_feels_axis_j(KIND))
        add_scaled(&to->f, w.fq, g.axis_j);
    if (pair_feels_axis_i(KIND))
        to->p += w.fp;
}

__device__ static __forceinline__ void add_virial_along(real fd, real3 d, Gathered *to)
{
    to->w[0] = fused(fd, d.x * d.x, to->w[0]);
    to->w[1] = fused(fd, d.y * d.y, to->w[1]);
    to->w[2] = fused(fd, d.z * d.z, to->w[2]);
}

/* The whole virial in kJ/mol, w_a + 2 p_a h_a along each edge, p being the axis: parts along it
 * count for those along axis j, too. */
__device__ static inline real3 virial_of(const Gathered &from, real3 axis)
{
    return real3{ from.w[0] + 2 * axis.x * from.h.x, from.w[1] + 2 * axis.y * from.h.y,
                  from.w[2] + 2 * axis.z * from.h.z };
}

/* The energy of a bead in kJ/mol: u, and what is linear in its dipole p, which is -p.g. */
__device__ static inline real energy_of(const Gathered &from, real3 dipole)
{
    return from.u - dot3(dipole, from.g);
}

template <int KIND, SumsLevel LEVEL>
__device__ __forceinline__ void add_parts(const PairParts &w, const PairGeometry &g, Gathered *to)
{
    add_force<KIND>(w, g, to);
    if (LEVEL != NO_SUMS)
        add_virial_along(w.fd, g.d, to);
    if (LEVEL != NO_SUMS && pair_feels_axis_i(KIND))
        add_scaled(&to->h, w.fp, g.d);
    if (LEVEL == QUICK)
        to->u += w.u;
    if (pair_feels_axis_i(KIND))
        add_scaled(&to->g, w.fp, g.d);
    if (pair_feels_axis_i(KIND) && pair_feels_axis_j(KIND))
        add_scaled(&to->g, w.fz, g.axis_j);
}

/* Selects instead of a branch: most neighbours are in range, and loads can go ahead. */
__device__ static inline void keep_parts(bool near, PairParts *w)
{
    w->u  = keep(near, w->u);
    w->fd = keep(near, w->fd);
    w->fp = keep(near, w->fp);
    w->fq = keep(near, w->fq);
    w->fz = keep(near, w->fz);
}

/* Are Lennard-Jones and dipoles met in fewer instructions? What vanishes by its shifts has no
 * reaction field; with a switch there may be one. */
template <int KIND, int SECOND, int SWITCHED, bool VANISHES>
constexpr bool IS_SHORT = KIND == PAIR_lj &&SECOND == PAIR_dipole_dipole && !SWITCHED && VANISHES;

/* g: times -3. */
template <SumsLevel LEVEL>
__device__ __forceinline__ void add_dipoles(const PairTerm &lj, const PairTerm &second,
                                            const PairGeometry &g, bool counts, Gathered *to)
{
    const PairParts   bare = pair_bare_parts(PAIR_lj, &lj, &g);
    const DipoleParts w    = pair_dipoles_shifted(&second.as.dipole_dipole, &g, bare.fd);

    if (LEVEL != NO_SUMS) {
        add_virial_along(fused(w.fq, w.m, w.fd), g.d, to);
        add_scaled(&to->h, w.t3 * w.qd, g.d);
    }
    if (LEVEL == QUICK)
        to->u += keep(counts, bare.u);

    add_scaled(&to->f, w.fd, g.d);
    add_scaled(&to->f, w.fq, w.turned);
    to->p = fused(w.t3, w.qd, to->p);
    add_scaled(&to->g, w.fz, w.turned);
}

template <int KIND, int SECOND, int SWITCHED, uint32_t SET, SumsLevel LEVEL>
__device__ __forceinline__ void add_pair(const PairTerm &first, const PairTerm &second,
                                         const Mine &me, const Record &mine, const Record &you,
                                         bool counts, Gathered *to)
{
    constexpr bool     VANISHES = set_vanishes(SET);
    const PairTerm     lj       = with_constants<KIND, SET, LEVEL>(first, me.lj, you.place.type);
    const PairGeometry g = geometry_upto<VANISHES>(mine, you, me.scale, counts, first.cutoff2);

    if constexpr (IS_SHORT<KIND, SECOND, SWITCHED, VANISHES>) {
        add_dipoles<LEVEL>(lj, second, g, counts, to);
        return;
    }
    constexpr int LAST = SECOND == PAIR_none ? KIND : SECOND;
    PairParts     w;

    if constexpr (KIND == PAIR_lj && SECOND == PAIR_dipole_dipole) {
        const PairParts bare = pair_bare_parts(PAIR_lj, &lj, &g);

        w   = pair_dipoles_with(bare.fd, SWITCHED, &second, &g);
        w.u = bare.u;
    } else {
        w = pair_parts_of_kind(LAST, SWITCHED, SECOND == PAIR_none ? &lj : &second, &g);
        if (pair_is_linear_in_dipole(LAST))
            w.u = 0;
        if (SECOND != PAIR_none) {
            const PairParts other = pair_parts_of_kind(KIND, 0, &lj, &g);

            w.u += other.u;
            w.fd += other.fd;
        }
    }
    if (!VANISHES)
        keep_parts(counts && g.r2 < first.cutoff2, &w);
    else if (LEVEL == QUICK) /* or of the bead with itself, whose own cut-off may be another */
        w.u = keep(counts, w.u);
    add_parts<LAST, LEVEL>(w, g, to);
}

/* ---- one row ---- */

__device__ static __forceinline__ scalar force_units(const View &)
{
    return 1;
}

/* Of two neighbours. */
typedef struct {
    Record one, other;
} Both;

template <int LAYOUT, class Two>
__device__ static __forceinline__ Both load_both(const Origin &from, const Two &two)
{
    return Both{ load_half(from.records, from.base + first_half<LAYOUT>(two)),
                 load_half(from.records, from.base + second_half<LAYOUT>(two)) };
}

/* Are records of the next two neighbours fetched, too, while two are met? Where all beads are of
 * one kind and few, long stretches are all that there is to wait for, and registers are left. With
 * more kinds a processor does better with more blocks. */
__host__ __device__ constexpr bool fetches_ahead(uint32_t set, SumsLevel level, int32_t lanes)
{
    return sizeof(scalar) == sizeof(float) && level == NO_SUMS && lanes >= 16 &&
           (set == SET_WATER || set_is_gay_berne(set));
}

/* Of a squared distance: what a distance from it may lack by rounding, and more. */
#define PAST_SWITCH R(2e-6)

/* Two neighbours at a time, and the next entries on their way meanwhile. */
template <int KIND, int SECOND, int SWITCHED, uint32_t SET, SumsLevel LEVEL, int LAYOUT>
__device__ __forceinline__ void walk(const View &v, Walk<LAYOUT> w, const Pass *pass,
                                     const Mine &me, const Record &mine, Gathered *to)
{
    constexpr int32_t N_LANES = lanes_of(LAYOUT), ROUND = round_of(LAYOUT);
    constexpr bool    AHEAD = fetches_ahead(SET, LEVEL, N_LANES), VANISHES = set_vanishes(SET);
    constexpr int32_t PAIRS_OF_TWO = ROUND / (2 * N_LANES);
    const Origin      from =
        origin_of<LAYOUT>(v.record[pair_reads_unit_axis(KIND) ? UNIT_AXES : DIPOLES], me.base);
    const PairTerm second = pass->term[1];
    PairTerm       first  = pass->term[0];
    Both           ahead  = {};
    Loaded<LAYOUT> next;

    static_assert(!AHEAD || ROUND == 2 * N_LANES, "two neighbours are fetched ahead");
    /* Where pairs beyond the cut-off are taken to be. A switch is zero from there on, with its
     * slope; a rounding nearer it has one. */
    if (VANISHES && SWITCHED)
        first.cutoff2 *= 1 + PAST_SWITCH;
    if (w.left <= 0)
        return;
    next = load_entries(w.entries);
    if (IS_SHORT<KIND, SECOND, SWITCHED, VANISHES>)
        to->g = scale3(-3, to->g);
    if (AHEAD) {
        ahead = load_both<LAYOUT>(from, next.two[0]);
        fetch_next<LAYOUT>(w.left > ROUND, &w, &next);
    }
#pragma unroll 1
    for (;;) {
        const Loaded<LAYOUT> now  = next;
        const bool           more = w.left > ROUND;

#pragma unroll
        for (int32_t k = 0; k < PAIRS_OF_TWO; k++) {
            const int32_t left = w.left - 2 * N_LANES * k;

            if (k > 0 && left <= 0) /* nor is there another round */
                goto end;

            const Both both = AHEAD ? ahead : load_both<LAYOUT>(from, now.two[k]);

            if (AHEAD && more)
                ahead = load_both<LAYOUT>(from, next.two[0]);
            /* behind the last two of a round, whose entries need not be kept then */
            if (k == PAIRS_OF_TWO - 1)
                fetch_next<LAYOUT>(AHEAD ? w.left > 2 * ROUND : more, &w, &next);
            add_pair<KIND, SECOND, SWITCHED, SET, LEVEL>(first, second, me, mine, both.one, true,
                                                         to);
            add_pair<KIND, SECOND, SWITCHED, SET, LEVEL>(first, second, me, mine, both.other,
                                                         left > N_LANES, to);
        }
        if (!more)
            break;
        w.left -= ROUND;
    }
end:
    if (IS_SHORT<KIND, SECOND, SWITCHED, VANISHES>)
        to->g = scale3(R(-1.0 / 3), to->g);
}

/* Unit axes are no dipoles: what acts on them is turned at once. */
__device__ static inline void add_turned(const Gathered &from, real3 axis, Gathered *to)
{
    const real3 w = virial_of(from, axis);

    to->f = add3(to->f, add3(from.f, scale3(from.p, axis)));
    to->t = add3(to->t, cross3(axis, from.g));
    to->u += from.u;
    to->w[0] += w.x;
    to->w[1] += w.y;
    to->w[2] += w.z;
}

template <int KIND, int SECOND, int SWITCHED, uint32_t SET, SumsLevel LEVEL, int LAYOUT>
__device__ __forceinline__ void visit(const View &v, const Walk<LAYOUT> &w, const Pass *pass,
                                      const Mine &me, Gathered *to)
{
    if (!pair_reads_unit_axis(KIND)) {
        walk<KIND, SECOND, SWITCHED, SET, LEVEL, LAYOUT>(v, w, pass, me, me.record, to);
        return;
    }

    const Record  unit  = load_half(v.record[UNIT_AXES], half_of(me.i));
    const scalar *axis  = unit.value.value;
    Gathered      apart = {};

    walk<KIND, SECOND, SWITCHED, SET, LEVEL, LAYOUT>(v, w, pass, me, unit, &apart);
    add_turned(apart, real3{ axis[0], axis[1], axis[2] }, to);
}

/* ---- what the lanes of a bead have together ---- */

__device__ static inline real3 add_lane(real3 mine, real3 other, int bit)
{
    return real3{ mine.x + other_lane(other.x, bit), mine.y + other_lane(other.y, bit),
                  mine.z + other_lane(other.z, bit) };
}

/* Even lanes add up the force, odd lanes the torque: the first two have them in the end. */
__device__ static inline real3 add_lanes(real3 force, real3 torque, bool is_odd, int lanes)
{
    const real3 mine = is_odd ? torque : force, other = is_odd ? force : torque;
    real3       sum = add_lane(mine, other, 1);

    for (int bit = 2; bit < lanes; bit *= 2)
        sum = add_lane(sum, sum, bit);
    return sum;
}

template <SumsLevel LEVEL> __device__ static inline void put_sums(real u, real3 w, QuickSums *to)
{
    const double value[4] = { u, w.x, w.y, w.z };

    if (LEVEL != NO_SUMS)
        put_quick_sums<PAIR_BLOCK, LEVEL>(value, to);
}

/* Where rows are sorted, in double: does one more block than leaves registers enough take less
 * time? A step of 102 400 SSD/RF water 172 us instead of 190, of 100 352 Gay-Berne ellipsoids 243
 * instead of 265, of 94 208 beads of B08o membranes 341 instead of 355 (all less since); but of 100
 * 352 ELBA water 280 instead of 268, of 94 208 beads of ELBA membranes 226 instead of 220. */
constexpr bool takes_one_more(uint32_t set)
{
    return (has_one_pass(set) && set != SET_WATER) || adds_apart(set);
}

/* Blocks that a processor is to hold in double: as below. */
constexpr int blocks_in_double(uint32_t set, SumsLevel level, int32_t lanes)
{
    const bool is_full = set == SET_WATER && level == VIRIALS;
    const int  more    = level == NO_SUMS && sorts_rows(lanes) && takes_one_more(set) ? 1 : 0;

    if (set == SET_ALL)
        return level == NO_SUMS ? 3 : 2;
    if (set_is_gay_berne(set) && (lanes >= 16 || level != NO_SUMS))
        return 2;
    return more +
           (set_is_gay_berne(set) || set_has_sticky(set) || level == QUICK || is_full ? 3 : 4);
}

/* Blocks that a processor is to hold: as many as leave registers enough that no loop over
 * neighbours spills, and little around it: with SSD water one more is worth some words of that,
 * with Gay-Berne ellipsoids in double half a hundred (a step of 100 352 takes 18 % less), and 70
 * words where there are all classes (B08o of 5888 beads 9 % less; in single it is slower). One more
 * gains 1 to 4 % of a step with 8 lanes a bead; with 4, as much as the first cache loses by it.
 * With 16, two more let all blocks of up to 8448 beads stand on a device of 132 processors at once:
 * 9 % of a step of 7680. */
constexpr int blocks_at_once(uint32_t set, SumsLevel level, int32_t lanes)
{
    const bool is_full  = set == SET_WATER && level == VIRIALS;
    const bool is_ahead = fetches_ahead(set, level, lanes);

    if (sizeof(scalar) == sizeof(double))
        return blocks_in_double(set, level, lanes);
    if (set == SET_ALL)
        return 4;
    if (set_is_gay_berne(set))
        return level == NO_SUMS && lanes < 16 ? 5 : 4;
    if (set_has_sticky(set))
        return level == NO_SUMS ? 7 : 6;
    if (level == NO_SUMS && lanes >= 8 && !is_ahead)
        return 8;
    return level == QUICK || is_full || is_ahead ? 6 : 7;
}

/* ---- the sticky term ---- */

__device__ static inline void add_result(const PairResult &p, const PairGeometry &g, Gathered *to)
{
    to->f = add3(to->f, p.f);
    to->t = add3(to->t, p.ti);
    to->u += p.u;
    to->w[0] = fused(g.d.x, p.f.x, to->w[0]);
    to->w[1] = fused(g.d.y, p.f.y, to->w[1]);
    to->w[2] = fused(g.d.z, p.f.z, to->w[2]);
}

/* ---- a bead ---- */

/* By both lanes that have a sum, in one piece: beads.h. */
__device__ static inline void put_sum(const View &v, real3 sum, Four *to)
{
#ifdef AMPHI_BUILD_SINGLE
    const int32_t turn = v.turn == TURN_OF_GATE ? v.ledger->gate.turn : v.turn;

    store_in_one_piece(Four{ sum.x, sum.y, sum.z, __int_as_float(turn) }, to);
#else
    *to = Four{ sum.x, sum.y, sum.z, 0 };
#endif
}

/* The force or torque that the kernel of ellipsoids has left, past the first cache. */
__device__ static inline real3 found_apart(const Four *from)
{
    return real3{ __ldcg(&from->x), __ldcg(&from->y), __ldcg(&from->z) };
}

/* Ahead of a list, what is of the present one is fetched before the wait. */
template <uint32_t SET, SumsLevel LEVEL, int LAYOUT>
__launch_bounds__(PAIR_BLOCK, blocks_at_once(SET, LEVEL, lanes_of(LAYOUT))) __global__
    static void k_pairs(const View v, const Stretches s, const Passes sticky, PairsTurn turn)
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

    if (!has_come(o))
        return;
    wait_for_last();
    let_next_begin(); /* not sooner: a step behind these forces may not overtake the one before */
    const Record record = load_record(v, DIPOLES, o.slot);
    const Mine   me   = { o.slot, o.type, lane, o.round, half_of(o.base), record, scale_of(v), lj };
    const real3  axis = { record.value.value[0], record.value.value[1], record.value.value[2] };

    /* Both at once, and with the bead's record, which the compiler would ask for behind it: what is
     * asked for together is waited for once. */
    const bool stops =
        (int)(v.ledger->fault != 0) | (int)is_others_turn(v, turn) | (int)!has_come(record);

    if (stops)
        return;
    if (has_bead)
        visit_row<SET, LEVEL, LAYOUT>(v, s, me, part_of(o), &mine);
    if constexpr (set_has_sticky(SET))
        if (sticky.pass != NULL)
            visit_short_row<has_one_pass(SET), N_LANES>(
                v, sticky, me, has_bead,
                [&](const PairTerm &term, const PairGeometry &g, const PairFrames &frames) {
                    add_result(pair_sticky(&term.as.sticky, &g, &frames), g, &mine);
                });

    const real3 force  = add3(mine.f, scale3(mine.p, axis));
    const real3 torque = add3(mine.t, cross3(axis, mine.g));
    real3       sum    = add_lanes(force, torque, lane % 2 != 0, N_LANES);

    Four *const to = &(lane == 0 ? v.pair_force : v.pair_torque)[o.bead];

    if (adds_apart(SET) && v.is_apart && lane < 2)
        sum = add3(sum, found_apart(to));
    if (has_bead && lane < 2)
        put_sum(v, sum, to);
    put_sums<LEVEL>(energy_of(mine, axis), virial_of(mine, axis), &v.pair_sums[blockIdx.x]);
}

/* ---- which kernel ---- */

/* Of all kernels of pairs. */
static int32_t pair_blocks(const View &v)
{
    return row_blocks(v) * (v.is_apart ? 2 : 1);
}

static PairKernels kernels = ALL_KERNELS(k_pairs);

AmphiStatus AMPHI_T(forces_compute)(Device *d, SumsLevel level, PairsTurn turn, cudaStream_t stream,
                                    AmphiError *err)
{
    d->view.n_pair_blocks = pair_blocks(d->view);
    if (d->view.is_apart)
        AMPHI_TRY(launch_apart(d, kernels, level, turn, stream, err));
    return launch_pairs(d, d->view, kernels, d->forces->set, level, turn, stream, err);
}

/* ---- open ---- */

AmphiStatus AMPHI_T(forces_open)(Device *d, AmphiError *err)
{
    View         *v = &d->view;
    const int64_t n = v->n;

    AMPHI_TRY(open_plan(d, err));

    v->n_pair_blocks = pair_blocks(*v);
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &v->pair_force, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &v->pair_torque, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, v->n_pair_blocks, &v->pair_sums, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, (int64_t)PAIR_SLOTS * measure_blocks(v->n),
                                      &d->forces->part, err));
    return allow_all_shared(d, kernels, err);
}
