/* The first half of a step on the device: kick with its books and thermostats, moves of the box.
 * The physics is that of engine/bodies_motion.c, in the same headers.
 *
 * Compiled without fused products: a body then moves by the same bits in every instance of a
 * kernel, and as on the host.
 */
#include "books.h"
#include "expected.h"

/* ---- kick ---- */

__device__ static inline void add_tensor(double *number, double mass, const double v[3])
{
    for (int k = 0, a = 0; a < 3; a++)
        for (int c = a; c < 3; c++, k++)
            number[TENSOR + k] += 0.25 * mass * v[a] * v[c];
}

/* Number NULL: nobody adds up. HAS_VIRIALS: there are steps in which nobody wants kinetic energies.
 */
template <bool HAS_VIRIALS>
__device__ static inline void kick_body(const View &v, int32_t i, const Mover *m, const Push *push,
                                        uint32_t wanted, bool looked_at, double *number,
                                        double u[3], double l[3])
{
    const double before[3] = { u[0], u[1], u[2] };

#pragma unroll
    for (int at = 0; at < 3; at++) {
        if (number != NULL && (!HAS_VIRIALS || (wanted & KINETIC_BITS) != 0)) {
            number[at == 2 ? PLUS : TRANSLATION + at]  = kinetic_of(m, u);
            number[at == 2 ? PLUS + 1 : ROTATION + at] = rotation_of(m, l);
        }
        if (number != NULL && at != 1 && (wanted & TENSOR_BITS) != 0)
            add_tensor(number, m->mass, u);
        for (int a = 0; at == 1 && looked_at && a < 3; a++) {
            v.velocity_now_nm_ps[i][a] = u[a];
            v.spin_now_u_nm2_ps[i][a]  = l[a];
        }
        if (at != 2)
            add_push(push, 0.5 * v.stage.dt_ps, u, l);
    }
    for (int a = 0; number != NULL && a < 3; a++) {
        number[MOMENTUM + a] = m->mass * u[a];
        number[PUSHED + a]   = m->mass * (u[a] - before[a]);
    }
}

/* Reads all, then writes. */
template <bool HAS_VIRIALS>
__device__ static inline void kick_bead(const View &v, int32_t i, uint32_t fault, uint32_t wanted,
                                        bool looked_at, double *number, double *quick)
{
    const int32_t type = v.bead_type[i];
    double        u[3], l[3], q[4];

    copy3(v.velocity_nm_ps[i], u);
    copy3(v.spin_u_nm2_ps[i], l);
    load4(v.orientation[i], q);

    const Mover m    = v.mover[type];
    const Pull  pull = whole_pull(v, i, roles_of(v, i), quick);
    const Push  push = push_of(&m, q, pull.f, pull.t);

    if (fault != 0)
        return;
    keep_acceleration(v, i, push.v);
    kick_body<HAS_VIRIALS>(v, i, &m, &push, wanted, looked_at, number, u, l);
    store3(v, i, u, v.velocity_nm_ps);
    store3(v, i, l, v.spin_u_nm2_ps); /* 0 where nothing turns */
}

template <bool HAS_SUMS, bool HAS_VIRIALS>
static __global__ void __launch_bounds__(MOTION_BLOCK, HAS_VIRIALS ? 8 : 12)
    k_kick(const View v, const Sums s, const Draws draws, bool looked_at)
{
    const uint32_t fault                = v.ledger->fault;
    const int32_t  block                = (int32_t)blockIdx.x - (HAS_SUMS ? draws.n_blocks : 0);
    const int32_t  i                    = bead_of_thread(block);
    const uint32_t wanted               = bits_wanted(&v.stage, HAS_VIRIALS, looked_at);
    double         number[SUM_WIDTH]    = {};
    double         quick[QUICK_NUMBERS] = {};

    let_next_begin();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        clear_waits(v);
        if (HAS_VIRIALS)
            copy3(v.ledger->box_nm, v.ledger->kick_box_nm);
    }
    if (block < 0) {
        if (fault == 0)
            draw_ahead(v, draws);
        return;
    }
    const int32_t   group = HAS_SUMS ? group_of_bead(v, i) : 0;
    const QuickSums first = HAS_VIRIALS ? load_quick(v, block, s.n_blocks) : QuickSums{};
    if (i < v.n)
        kick_bead<HAS_VIRIALS>(v, i, fault, wanted, looked_at, HAS_SUMS ? number : NULL,
                               HAS_VIRIALS ? quick : NULL);
    if (!HAS_SUMS || fault != 0)
        return;
    put_rows(v, s, block, group, number, wanted);
    if (HAS_VIRIALS) {
        add_quick(v, block, s.n_blocks, first, quick);
        put_row<QUICK_NUMBERS>(quick, &s.part[(int64_t)block * s.n_rows + v.n_groups]);
    }
    (void)add_bundle(s, block, wanted);
}

static __global__ void __launch_bounds__(MOTION_BLOCK)
    k_books(const View v, const Sums s, const Draws draws, SumsLevel level, bool looked_at)
{
    if (v.ledger->fault == 0)
        keep_books(v, s, draws, bits_wanted(&v.stage, level != NO_SUMS, looked_at), level,
                   looked_at);
}

/* Can the drift keep the books? Not when somebody wants to read them before it. */
static bool leaves_books_open(const StageView *stage, int32_t n_groups, bool looked_at)
{
    return !looked_at && n_groups <= FEW_GROUPS && stage->thermostat.type != AMPHI_LANGEVIN;
}

AmphiStatus AMPHI_T(motion_kick)(Device *d, SumsLevel level, bool looked_at, AmphiError *err)
{
    const View        &v    = d->view;
    struct MotionPlan *m    = d->motion;
    const Sums         s    = sums_of(d, v.n_groups + (level != NO_SUMS));
    const unsigned     n    = (unsigned)s.n_blocks;
    const unsigned     more = (unsigned)m->draws.n_blocks;

    m->is_open = m->moves = false;
    m->open_level         = level;
    if (!needs_sums(&v.stage, level, looked_at)) {
        k_kick<false, false><<<n, MOTION_BLOCK, 0, d->stream>>>(v, s, m->draws, false);
        CUDA_TRY_LAUNCH();
        return AMPHI_OK;
    }
    if (level == NO_SUMS)
        k_kick<true, false><<<n + more, MOTION_BLOCK, 0, d->stream>>>(v, s, m->draws, looked_at);
    else
        k_kick<true, true><<<n + more, MOTION_BLOCK, 0, d->stream>>>(v, s, m->draws, looked_at);
    CUDA_TRY_LAUNCH();
    m->is_open = leaves_books_open(&v.stage, v.n_groups, looked_at);
    if (m->is_open)
        return AMPHI_OK;
    k_books<<<1, MOTION_BLOCK, 0, d->stream>>>(v, s, m->draws, level, looked_at);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

/* ---- moves of the box ---- */

/* Places and anchors; the drift scales velocities. */
static __global__ void __launch_bounds__(MOTION_BLOCK) k_move_box(const View v)
{
    const int32_t i = bead_of_thread((int32_t)blockIdx.x);

    if (v.ledger->fault != 0 || i >= v.n)
        return;
    for (int a = 0; a < 3; a++)
        v.position_nm[i][a] *= v.ledger->stretch[a];
    stretch_anchor(v, i, v.ledger->stretch);
    if (i == 0)
        follow_strain(v.ledger);
}

AmphiStatus AMPHI_T(motion_move_box)(Device *d, AmphiError *err)
{
    d->motion->moves = d->motion->is_open;
    if (d->motion->moves)
        return AMPHI_OK;
    k_move_box<<<(unsigned)sums_of(d, 0).n_blocks, MOTION_BLOCK, 0, d->stream>>>(d->view);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
