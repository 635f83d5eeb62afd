/* The first half of a step on the device: kick with its books and thermostats, moves of the box.
 * The physics is that of engine/bodies_motion.c, in the same headers.
 *
 * Compiled without fused products: a body then moves by the same bits in every instance of a
 * kernel, and as on the host.
 */
#include "expected.h"
#include "kick.h"

/* ---- kick ---- */

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
    const Pull  pull = whole_pull(v, i, bond_pull_on(v, i), quick);
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
    const int32_t  n_quick              = HAS_VIRIALS ? s.n_bundles : 0;
    const int32_t  n_before             = HAS_SUMS ? draws.n_blocks + n_quick : 0;
    const int32_t  block                = (int32_t)blockIdx.x - n_before;
    const int32_t  i                    = bead_of_thread(block);
    const bool     is_restrained        = HAS_VIRIALS && v.restraint_kJ_mol_nm2 != NULL;
    const uint32_t wanted               = bits_wanted(&v.stage, HAS_VIRIALS, looked_at);
    double         number[SUM_WIDTH]    = {};
    double         quick[QUICK_NUMBERS] = {};

    let_next_begin();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        clear_waits(v);
        if (HAS_VIRIALS)
            set_move_aside(v);
    }
    if (block < 0) {
        if (fault == 0 && block >= -n_quick)
            put_quick_row(v, s, block + n_quick);
        else if (fault == 0)
            draw_ahead(v, draws);
        return;
    }
    const int32_t group = HAS_SUMS ? group_of_bead(v, i) : 0;
    if (i < v.n)
        kick_bead<HAS_VIRIALS>(v, i, fault, wanted, looked_at, HAS_SUMS ? number : NULL,
                               HAS_VIRIALS ? quick : NULL);
    if (!HAS_SUMS || fault != 0)
        return;
    put_rows(v, s, block, group, number, wanted);
    if (is_restrained)
        put_row<QUICK_NUMBERS>(quick, &s.part[(int64_t)block * s.n_rows + s.n_groups]);
    (void)add_bundle(s, block, is_restrained ? wanted : wanted & ~(uint32_t)QUICK_BITS);
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

AmphiStatus AMPHI_T(motion_kick)(Device *d, SumsLevel level, KickLook look, AmphiError *err)
{
    const bool         looked_at = look != NOT_LOOKED_AT;
    const View         v         = view_of_kick(d, look);
    struct MotionPlan *m         = d->motion;
    const Sums         s         = sums_of(d, v.n_groups, level != NO_SUMS);
    const unsigned     n         = (unsigned)s.n_blocks;
    const unsigned     more      = (unsigned)m->draws.n_blocks;
    const unsigned     all       = n + more + (unsigned)s.n_bundles;

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
        k_kick<true, true><<<all, MOTION_BLOCK, 0, d->stream>>>(v, s, m->draws, looked_at);
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
        v.position_nm[i][a] *= v.ledger->now.stretch[a];
    stretch_anchor(v, i, v.ledger->now.stretch);
    if (i == 0)
        follow_move(v.ledger, &v.ledger->now);
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
