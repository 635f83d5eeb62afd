/* One body in fixed precision on its way through a drift or a whole step: what is read of it and
 * written.
 */
#ifndef AMPHI_CUDA_FIXED_BODY_H
#define AMPHI_CUDA_FIXED_BODY_H

#include "fixed_kick.h"

/* So many blocks stay on a processor together; of a large system's beads, so many have all. */
enum { DRIFT_BLOCKS = 6, ALL_TILES = 128 * DRIFT_BLOCKS, FEW_TILES = 2048 };

static unsigned blocks_of_tiles(int32_t n_tiles)
{
    return (unsigned)(n_tiles <= FEW_TILES ? n_tiles : (int32_t)ALL_TILES);
}

__device__ static inline void load_fixed(const View &v, int32_t i, FixedBody *b)
{
    copy3(v.fixed.x[i], b->x);
    copy3(v.fixed.p[i], b->p);
    copy3(v.fixed.l[i], b->l);
    load4(v.fixed.q[i], b->q);
    for (int a = 0; a < 3; a++)
        b->image[a] = 0; /* from here on: boxes that the bead passes */
}

/* What has not changed is neither read nor written: memory is all that large systems wait for. */
__device__ static inline void store_fixed(const View &v, int32_t i, const Mover *m,
                                          const FixedBody *b, bool pushes)
{
    store3(v, i, b->x, v.fixed.x);
    if (pushes) {
        store3(v, i, b->p, v.fixed.p);
        store3(v, i, b->l, v.fixed.l); /* as it was where nothing turns */
    } else if (m->turning != TURNS_NOT) {
        copy3(b->l, v.fixed.l[i]);
    }
    for (int a = 0; a < 3; a++)
        if (b->image[a] != 0)
            v.image[i][a] += b->image[a];
    if (m->turning != TURNS_NOT)
        store4(b->q, v.fixed.q[i]);
}

/* The heat of noise, in units. given_nm_ps: what the noise gives the bead's group, and leaves out;
 * NULL: it leaves nothing out. */
__device__ static inline int64_t drift_body(const View &v, int32_t i, const Mover *m,
                                            const double *given_nm_ps, const ListRoom *room,
                                            FixedBody *b)
{
    const bool   is_noisy = v.stage.thermostat.type == AMPHI_LANGEVIN;
    const double dt       = v.stage.dt_ps;
    FixedFault   fault;
    int64_t      heat = 0;
    double       stride[3], normal[6];

    fixed_stride(m, is_noisy ? 0.5 * dt : dt, room->box_nm, stride);
    if (is_noisy) {
        draw_noise(m, v.stage.seed, (uint64_t)i, (uint64_t)v.ledger->step, normal);
        heat =
            fixed_drift_with_noise(m, dt, stride, &v.stage.noise, given_nm_ps, normal, b, &fault);
    } else {
        fault = fixed_fault_of(fixed_go(stride, b->p, b->x, b->image),
                               fixed_turn_freely(m, dt, b->q, b->l));
    }
    raise_range(v, fault, i);
    return heat;
}

/* The heat of noise. pushes: have momenta changed since they were read? */
__device__ static inline int64_t glide_fixed(const View &v, int32_t i, const Mover *m,
                                             const double *given_nm_ps, FixedBody *b, bool pushes,
                                             const ListRoom *room)
{
    const int64_t heat = drift_body(v, i, m, given_nm_ps, room, b);

    show_fixed_bead(v, i, room, b->x, b->q);
    store_fixed(v, i, m, b, pushes);
    return heat;
}

/* The kick of a step that nobody looks at. */
__device__ static inline void push_fixed(const View &v, int32_t i, const Mover *m, FixedBody *b)
{
    const FixedPull pull = fixed_whole_pull(v, i, b->q, NULL);
    int64_t         turn[3];

    keep_fixed_acceleration(v, i, m, pull.f);
    fixed_torque_on(m, b->q, pull.t, turn);
    fixed_kick(v.fixed.ticks, pull.f, turn, b->p, b->l);
    raise_range(v, fixed_range(b->p, b->l), i);
}

#endif
