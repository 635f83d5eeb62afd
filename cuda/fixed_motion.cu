/* The first half of a step in fixed precision: kick with its books and thermostats, moves of the
 * box. The physics is that of engine/fixed_motion.h and of the headers that the host has, in the
 * order of operations of engine/bodies_motion.c and bodies_fixed_motion.c: the bits are the same.
 *
 * Compiled without fused products.
 */
#include "fixed_kick.h"

/* ---- kick ---- */

/* As kick_with_books, of a bead in memory. */
__device__ static inline void kick_fixed(const View &v, int32_t i, bool has_more, bool looked_at,
                                         int64_t *number, int64_t pushed[4])
{
    const Mover m = v.mover[v.bead_type[i]];
    FixedBody   b;

    copy3(v.fixed.p[i], b.p);
    copy3(v.fixed.l[i], b.l);
    load4(v.fixed.q[i], b.q);
    for (int a = 0; a < 3; a++)
        pushed[a] = -b.p[a];
    kick_with_books(v, i, &m, fixed_whole_pull(v, i, b.q, has_more ? &number[FIXED_QUICK] : NULL),
                    has_more, looked_at, number, &b);
    for (int a = 0; a < 3; a++)
        pushed[a] += b.p[a];
    store3(v, i, b.p, v.fixed.p);
    store3(v, i, b.l, v.fixed.l); /* as it was where nothing turns */
}

/* HAS_MORE: than kinetic energies, in books that have them. */
template <bool HAS_BOOKS, bool HAS_MORE>
static __global__ void __launch_bounds__(MOTION_BLOCK, HAS_BOOKS ? 6 : 8)
    k_fixed_kick(const View v, const Draws draws, bool looked_at)
{
    const int32_t block     = (int32_t)blockIdx.x - (HAS_BOOKS ? draws.n_blocks : 0);
    const int32_t i         = bead_of_thread(block);
    constexpr int N         = HAS_MORE ? (int)FIXED_SUM_WIDTH : (int)FIXED_SUM_WIDTH / 2;
    int64_t       number[N] = {}, pushed[4] = {};

    let_next_begin();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        clear_waits(v);
        if (HAS_MORE)
            set_move_aside(v);
    }
    if (v.ledger->fault != 0)
        return;
    if (block < 0) {
        draw_ahead(v, draws);
        return;
    }
    if (i < v.n)
        kick_fixed(v, i, HAS_MORE, looked_at, HAS_BOOKS ? number : NULL, pushed);
    if (!HAS_BOOKS)
        return;

    const int32_t turn = v.fixed.turns[0], group = i < v.n ? group_of_bead(v, i) : -1;

    add_to_groups<N>(v, kick_rows(v, turn), block, group, number);
    if (v.stage.remove_drift)
        add_to_groups<4, FIXED_PUSHED>(v, v.fixed.drift, block, group, pushed);
    if (block == 0 && threadIdx.x == 0)
        v.fixed.turns[1] = turn;
}

static __global__ void __launch_bounds__(MOTION_BLOCK)
    k_fixed_books(const View v, const Draws draws, SumsLevel level, bool looked_at)
{
    if (v.ledger->fault == 0)
        keep_fixed_books<true>(v, draws, level, looked_at);
}

/* Can the drift keep the books? Not when somebody wants to read them before it, move the box, or
 * take drift away; nor with noise. */
static bool leaves_books_open(const StageView *stage, int32_t n_groups, SumsLevel level,
                              bool looked_at)
{
    return !looked_at && !stage->remove_drift && n_groups <= FEW_GROUPS &&
           stage->thermostat.type != AMPHI_LANGEVIN &&
           (level == NO_SUMS || stage->barostat.type == AMPHI_NO_BAROSTAT);
}

AmphiStatus AMPHI_T(motion_kick)(Device *d, SumsLevel level, KickLook look, AmphiError *err)
{
    const bool         looked_at = look != NOT_LOOKED_AT;
    const View         v         = view_of_kick(d, look);
    struct MotionPlan *m         = d->motion;
    const unsigned     n         = (unsigned)blocks_of_beads(d);
    const unsigned     more      = (unsigned)m->draws.n_blocks;

    m->is_open    = false;
    m->open_level = level;
    if (!needs_sums(&v.stage, level, looked_at)) {
        k_fixed_kick<false, false><<<n, MOTION_BLOCK, 0, d->stream>>>(v, m->draws, false);
        CUDA_TRY_LAUNCH();
        return AMPHI_OK;
    }
    if (looked_at || level != NO_SUMS)
        k_fixed_kick<true, true><<<n + more, MOTION_BLOCK, 0, d->stream>>>(v, m->draws, looked_at);
    else
        k_fixed_kick<true, false><<<n + more, MOTION_BLOCK, 0, d->stream>>>(v, m->draws, false);
    CUDA_TRY_LAUNCH();
    m->is_open = leaves_books_open(&v.stage, v.n_groups, level, looked_at);
    if (m->is_open)
        return AMPHI_OK;
    k_fixed_books<<<1, MOTION_BLOCK, 0, d->stream>>>(v, m->draws, level, looked_at);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

/* ---- moves of the box ---- */

/* Fractions stay, and the drift shows the places; momenta get what the books of the kick and the
 * move have for them. */
static __global__ void __launch_bounds__(MOTION_BLOCK) k_fixed_move(const View v)
{
    const int32_t i = bead_of_thread((int32_t)blockIdx.x);

    if (v.ledger->fault != 0 || i >= v.n)
        return;

    const SpeedScale scale = load_scale(v, i);
    int64_t          p[3], l[3];

    copy3(v.fixed.p[i], p);
    copy3(v.fixed.l[i], l);
    scale_fixed(v, &scale, p, l);
    stretch_anchor(v, i, v.ledger->now.stretch);
    for (int a = 0; a < 3; a++) {
        v.fixed.p[i][a] = fixed_round((double)p[a] * scale.slow[a]);
        v.fixed.l[i][a] = l[a];
    }
    if (i == 0)
        follow_move(v.ledger, &v.ledger->now);
}

AmphiStatus AMPHI_T(motion_move_box)(Device *d, AmphiError *err)
{
    d->view.fixed.has_scaled = true; /* by the move */
    k_fixed_move<<<(unsigned)blocks_of_beads(d), MOTION_BLOCK, 0, d->stream>>>(d->view);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
