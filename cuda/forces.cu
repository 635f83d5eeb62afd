/* Pair forces: a few lanes a bead walk its row, segment by segment, and gather; nothing is written to
 * a neighbour. No formula here. Each class of terms has a loop of its own with the constants of the
 * two types in registers; beads are in order of types, so that a warp agrees on the class.
 *
 * The sticky term, which few pairs have, goes over rows of its own in a second kernel.
 */
#include "pair_row.h"
#include "totals.h"

extern "C" {
#include "../engine/arena.h"
}

/* Threads a bead of the sticky kernel: its rows have about ten entries. */
enum { STICKY_LANE_BITS = 2, MOST_LANES = 16 };

/* What a lane has gathered: f on bead i but for the parts along its dipole, whose sum is p; the
 * field g at the dipole; torque of what has no field of dipoles. */
typedef struct {
    real3 f, g, t;
    real  p;
    real  u, w[3]; /* QUICK */
} Gathered;

/* ---- one pair ---- */

__device__ static inline void add_scaled(real3 *sum, real a, real3 b)
{
    sum->x += a * b.x;
    sum->y += a * b.y;
    sum->z += a * b.z;
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

template <int KIND>
__device__ __forceinline__ void add_force_and_sums(const PairParts &w, const PairGeometry &g,
                                                   Gathered *to)
{
    real3 f = scale3(w.fd, g.d);

    if (pair_feels_axis_i(KIND))
        add_scaled(&f, w.fp, g.axis_i);
    if (pair_feels_axis_j(KIND))
        add_scaled(&f, w.fq, g.axis_j);
    to->f = add3(to->f, f);
    to->u += w.u;
    to->w[0] += g.d.x * f.x;
    to->w[1] += g.d.y * f.y;
    to->w[2] += g.d.z * f.z;
}

/* Selects instead of a branch: most neighbours are in range, and loads can go ahead. */
template <int KIND, SumsLevel LEVEL>
__device__ __forceinline__ void add_parts(PairParts w, bool near, const PairGeometry &g,
                                          Gathered *to)
{
    w.u  = keep(near, w.u);
    w.fd = keep(near, w.fd);
    w.fp = keep(near, w.fp);
    w.fq = keep(near, w.fq);
    w.fz = keep(near, w.fz);
    if (LEVEL == QUICK)
        add_force_and_sums<KIND>(w, g, to);
    else
        add_force<KIND>(w, g, to);
    if (pair_feels_axis_i(KIND))
        add_scaled(&to->g, w.fp, g.d);
    if (pair_feels_axis_i(KIND) && pair_feels_axis_j(KIND))
        add_scaled(&to->g, w.fz, g.axis_j);
}

template <int KIND, int SECOND, int SWITCHED, SumsLevel LEVEL>
__device__ __forceinline__ void add_pair(const PairTerm &first, const PairTerm &second,
                                         const Record &me, const Record &you, const Scale &scale,
                                         Gathered *to)
{
    const PairGeometry g    = geometry_of(me, you, scale);
    const bool         near = g.r2 < first.cutoff2;
    const PairTerm    &last = SECOND == PAIR_none ? first : second;
    constexpr int      LAST = SECOND == PAIR_none ? KIND : SECOND;
    PairParts          w    = pair_parts_of_kind(LAST, SWITCHED, &last, &g);

    if (SECOND != PAIR_none) {
        const PairParts lj = pair_parts_of_kind(KIND, 0, &first, &g);

        w.u += lj.u;
        w.fd += lj.fd;
    }
    add_parts<LAST, LEVEL>(w, near, g, to);
}

/* ---- one row ---- */

/* A stretch of a row, and who walks it. */
typedef struct {
    const int32_t *slot;
    int32_t        n, lane;
} Walk;

template <int KIND, int SECOND, int SWITCHED, SumsLevel LEVEL, int LANES_A_BEAD>
__device__ __forceinline__ void walk(const Walk &walk, const Pass *pass, const Record *records,
                                     const Record &me, const Scale &scale, Gathered *to)
{
    const PairTerm first = pass->term[0], second = pass->term[1];
    const int32_t *at = walk.slot + walk.lane;

#pragma unroll 1
    for (int32_t left = walk.n - walk.lane; left > 0; left -= LANES_A_BEAD) {
        const Record you = load_record(&records[__ldg(at)]);

        at += LANES_A_BEAD;
        add_pair<KIND, SECOND, SWITCHED, LEVEL>(first, second, me, you, scale, to);
    }
}

/* Unit axes are no dipoles: what acts on them is turned at once. */
__device__ static inline void add_turned(const Gathered &from, real3 axis, Gathered *to)
{
    to->f = add3(to->f, add3(from.f, scale3(from.p, axis)));
    to->t = add3(to->t, cross3(axis, from.g));
    to->u += from.u;
    for (int a = 0; a < 3; a++)
        to->w[a] += from.w[a];
}

template <int KIND, int SECOND, int SWITCHED, SumsLevel LEVEL, int LANES_A_BEAD>
__device__ __forceinline__ void visit(const View &v, const Walk &w, const Pass *pass, int32_t i,
                                      const Record &me, const Scale &scale, Gathered *to)
{
    if (!pair_reads_unit_axis(KIND)) {
        walk<KIND, SECOND, SWITCHED, LEVEL, LANES_A_BEAD>(w, pass, v.record[DIPOLES], me, scale,
                                                          to);
        return;
    }

    const Record unit  = load_record(&v.record[UNIT_AXES][i]);
    Gathered     apart = {};

    walk<KIND, SECOND, SWITCHED, LEVEL, LANES_A_BEAD>(w, pass, v.record[UNIT_AXES], unit, scale,
                                                      &apart);
    add_turned(apart, real3{ unit.value[0], unit.value[1], unit.value[2] }, to);
}

#define VISIT_CLASS(name, kind, second, switched)                                                  \
    case CLASS_##name:                                                                             \
        if constexpr ((SET & CLASS_BIT(name)) != 0)                                                \
            visit<PAIR_##kind, PAIR_##second, switched, LEVEL, LANES_A_BEAD>(v, w, pass, i, me,    \
                                                                             scale, to);           \
        break;

template <uint32_t SET, SumsLevel LEVEL, int LANES_A_BEAD>
__device__ __forceinline__ void visit_class(const View &v, const Walk &w, const Pass *pass,
                                            int32_t i, const Record &me, const Scale &scale,
                                            Gathered *to)
{
    switch (pass->is) {
        CLASS_LIST(VISIT_CLASS)
    default:
        break;
    }
}

/* What a lane knows of its bead. */
typedef struct {
    int32_t i, type, lane;
    Record  record;
    Scale   scale;
} Mine;

template <uint32_t SET, SumsLevel LEVEL, int LANES_A_BEAD>
__device__ __forceinline__ void visit_row(const View &v, const Passes &passes, const Mine &me,
                                          Gathered *to)
{
    const int32_t *row   = v.row + (int64_t)me.i * v.stride;
    const int32_t *end   = v.segment_end + (int64_t)me.i * v.n_types;
    const int32_t *start = passes.start + (int64_t)me.type * v.n_types;

    for (int32_t t = 0, from = 0; t < v.n_types; t++) {
        const int32_t to_here = __ldg(&end[t]);
        const Walk    w       = { row + from, to_here - from, me.lane };

        from = to_here;
        if (w.n == 0)
            continue;
        for (int32_t k = __ldg(&start[t]); k < __ldg(&start[t + 1]); k++)
            visit_class<SET, LEVEL, LANES_A_BEAD>(v, w, &passes.pass[k], me.i, me.record, me.scale,
                                                  to);
    }
}

/* ---- what the lanes of a bead have together ---- */

__device__ static inline real3 add_lane(real3 mine, real3 other, int bit)
{
    return real3{ mine.x + __shfl_xor_sync(0xFFFFFFFFU, other.x, bit),
                  mine.y + __shfl_xor_sync(0xFFFFFFFFU, other.y, bit),
                  mine.z + __shfl_xor_sync(0xFFFFFFFFU, other.z, bit) };
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

__device__ static inline void put_sums(const Gathered &mine, QuickSums *to)
{
    const double value[4] = { mine.u, mine.w[0], mine.w[1], mine.w[2] };

    put_quick_sums<PAIR_BLOCK>(value, to);
}

/* Blocks that a processor is to hold: as many as leave registers enough that nothing spills. */
constexpr int blocks_at_once(uint32_t set, SumsLevel level)
{
    const int fewer = set == SET_SSD || level == QUICK ? 1 : 0;

    if (sizeof(scalar) == sizeof(double))
        return set == SET_ALL ? 2 : 4 - fewer;
    return set == SET_ALL ? 4 : 8 - fewer;
}

template <uint32_t SET, SumsLevel LEVEL, int LANES_A_BEAD>
__launch_bounds__(PAIR_BLOCK, blocks_at_once(SET, LEVEL)) __global__
    static void k_pairs(const View v, const Passes passes)
{
    const int64_t thread   = (int64_t)blockIdx.x * PAIR_BLOCK + threadIdx.x;
    const bool    has_bead = thread / LANES_A_BEAD < v.n;
    const int32_t i        = has_bead ? (int32_t)(thread / LANES_A_BEAD) : 0;
    const int32_t lane     = (int32_t)threadIdx.x % LANES_A_BEAD;
    const int32_t bead     = v.bead_of[i];
    const Mine    me   = { i, v.type_of[i], lane, load_record(&v.record[DIPOLES][i]), scale_of(v) };
    const real3   axis = { me.record.value[0], me.record.value[1], me.record.value[2] };
    Gathered      mine = {};

    if (v.ledger->fault != 0) /* behind the first loads, which need not wait for it */
        return;
    if (has_bead)
        visit_row<SET, LEVEL, LANES_A_BEAD>(v, passes, me, &mine);

    const real3 force  = add3(mine.f, scale3(mine.p, axis));
    const real3 torque = add3(mine.t, cross3(axis, mine.g));
    const real3 sum    = add_lanes(force, torque, lane % 2 != 0, LANES_A_BEAD);

    if (has_bead && lane < 2)
        (lane == 0 ? v.pair_force : v.pair_torque)[bead] = Four{ sum.x, sum.y, sum.z, 0 };
    if (LEVEL == QUICK)
        put_sums(mine, &v.pair_sums[blockIdx.x]);
}

/* ---- the sticky term ---- */

__device__ static inline void add_result(const PairResult &p, const PairGeometry &g, Gathered *to)
{
    to->f = add3(to->f, p.f);
    to->t = add3(to->t, p.ti);
    to->u += p.u;
    to->w[0] += g.d.x * p.f.x;
    to->w[1] += g.d.y * p.f.y;
    to->w[2] += g.d.z * p.f.z;
}

__device__ static inline void visit_short_row(const View &v, const Passes &passes, int32_t i,
                                              int32_t lane, Gathered *to)
{
    const Scale    scale = scale_of(v);
    const int32_t *row   = v.short_row + (int64_t)i * v.short_stride;
    const int32_t *start = passes.start + (int64_t)v.type_of[i] * v.n_types;
    const int32_t  n     = v.short_end[i];
    const Record   me    = load_record(&v.record[FRAMES][i]);

    for (int32_t at = lane; at < n; at += 1 << STICKY_LANE_BITS) {
        const int32_t      j      = row[at];
        const int32_t      type   = v.type_of[j];
        const Record       you    = load_record(&v.record[FRAMES][j]);
        const PairGeometry g      = geometry_of(me, you, scale);
        const PairFrames   frames = { frame_of(me), frame_of(you) };

        for (int32_t k = start[type]; k < start[type + 1]; k++) {
            const PairTerm *term = &passes.pass[k].term[0];

            if (g.r2 < term->cutoff2)
                add_result(pair_sticky(&term->as.sticky, &g, &frames), g, to);
        }
    }
}

/* Adds to what k_pairs left; the blocks' sums stand behind those of k_pairs. */
template <SumsLevel LEVEL>
__launch_bounds__(PAIR_BLOCK) __global__
    static void k_sticky(const View v, const Passes passes, QuickSums *sums)
{
    const int64_t thread = (int64_t)blockIdx.x * PAIR_BLOCK + threadIdx.x;
    const int32_t i      = (int32_t)(thread >> STICKY_LANE_BITS);
    const int32_t lane   = (int32_t)threadIdx.x & ((1 << STICKY_LANE_BITS) - 1);
    Gathered      mine   = {};

    if (v.ledger->fault != 0)
        return;
    if (i < v.n)
        visit_short_row(v, passes, i, lane, &mine);

    const real3 sum = add_lanes(mine.f, mine.t, lane % 2 != 0, 1 << STICKY_LANE_BITS);

    if (i < v.n && lane < 2) {
        Four *to = &(lane == 0 ? v.pair_force : v.pair_torque)[v.bead_of[i]];

        *to = Four{ to->x + sum.x, to->y + sum.y, to->z + sum.z, 0 };
    }
    if (LEVEL == QUICK)
        put_sums(mine, &sums[blockIdx.x]);
}

/* ---- which kernel ---- */

typedef void PairKernel(const View, const Passes);

enum { N_SETS = 4, N_LANES = 4 };

#define KERNELS(SET, LEVEL)                                                                        \
    {                                                                                              \
        k_pairs<SET, LEVEL, 2>, k_pairs<SET, LEVEL, 4>, k_pairs<SET, LEVEL, 8>,                    \
            k_pairs<SET, LEVEL, 16>                                                                \
    }

/* [set][level][lanes] */
static PairKernel *const kernels[N_SETS][2][N_LANES] = {
    { KERNELS(SET_WATER, NO_SUMS), KERNELS(SET_WATER, QUICK) },
    { KERNELS(SET_ELBA, NO_SUMS), KERNELS(SET_ELBA, QUICK) },
    { KERNELS(SET_SSD, NO_SUMS), KERNELS(SET_SSD, QUICK) },
    { KERNELS(SET_ALL, NO_SUMS), KERNELS(SET_ALL, QUICK) },
};

static const uint32_t sets[N_SETS] = { SET_WATER, SET_ELBA, SET_SSD, SET_ALL };

static int32_t choose_set(uint32_t classes)
{
    int32_t set = 0;

    while ((classes & ~sets[set]) != 0)
        set++;
    return set;
}

/* Small systems need many lanes to fill the device; in large ones more beads a warp waste less at
 * the ends of segments. */
static int32_t choose_lanes(int32_t n_beads)
{
    if (n_beads <= 10000)
        return 16;
    if (n_beads <= 40000)
        return 8;
    return n_beads <= 150000 ? 4 : 2;
}

static int32_t lanes_index(int32_t lanes)
{
    return lanes >= 16 ? 3 : lanes >= 8 ? 2 : lanes >= 4 ? 1 : 0;
}

static int32_t blocks_for(int64_t threads)
{
    return (int32_t)((threads + PAIR_BLOCK - 1) / PAIR_BLOCK);
}

AmphiStatus AMPHI_T(forces_compute)(Device *d, SumsLevel level, cudaStream_t stream,
                                    AmphiError *err)
{
    const struct ForcesPlan *plan  = d->forces;
    const int32_t            index = lanes_index(d->lanes);
    const int32_t            n     = blocks_for((int64_t)d->view.n << (index + 1));
    const int32_t            more  = blocks_for((int64_t)d->view.n << STICKY_LANE_BITS);

    d->view.n_pair_blocks = n + (plan->sticky.pass != NULL ? more : 0);
    kernels[plan->set][level][index]<<<n, PAIR_BLOCK, 0, stream>>>(d->view, plan->axes);
    CUDA_TRY_LAUNCH();
    if (plan->sticky.pass == NULL)
        return AMPHI_OK;
    if (level == QUICK)
        k_sticky<QUICK>
            <<<more, PAIR_BLOCK, 0, stream>>>(d->view, plan->sticky, d->view.pair_sums + n);
    else
        k_sticky<NO_SUMS>
            <<<more, PAIR_BLOCK, 0, stream>>>(d->view, plan->sticky, d->view.pair_sums + n);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

/* ---- open ---- */

/* The rows of neighbouring beads share most of their records: the first cache is worth more than
 * shared memory. */
static AmphiStatus prefer_cache(const struct ForcesPlan *plan, AmphiError *err)
{
    for (int level = 0; level < 2; level++)
        for (int k = 0; k < N_LANES; k++)
            CUDA_TRY(cudaFuncSetAttribute((const void *)kernels[plan->set][level][k],
                                          cudaFuncAttributePreferredSharedMemoryCarveout,
                                          cudaSharedmemCarveoutMaxL1));
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(forces_open)(Device *d, AmphiError *err)
{
    const int64_t      n    = d->system->n_beads;
    struct ForcesPlan *plan = AMPHI_TAKE(d->mirror->arena, struct ForcesPlan, 1);
    View              *v    = &d->view;

    if (plan == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for pair forces");
    d->forces = plan;
    d->lanes  = choose_lanes((int32_t)n);
    AMPHI_TRY(AMPHI_T(pair_plan_open)(d, err));
    plan->set = choose_set(plan->classes);

    const int64_t most = (int64_t)blocks_for(n * MOST_LANES) + blocks_for(n << STICKY_LANE_BITS);

    v->n_pair_blocks = blocks_for(n * d->lanes) +
                       (plan->sticky.pass != NULL ? blocks_for(n << STICKY_LANE_BITS) : 0);
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &v->pair_force, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, n, &v->pair_torque, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, most, &v->pair_sums, err));
    AMPHI_TRY(
        amphi_device_take_array(&d->memory, (n + BEAD_BLOCK - 1) / BEAD_BLOCK, &plan->part, err));
    return prefer_cache(plan, err);
}
