/* One bead in fixed precision on its way through a drift or a whole step: what is read of it and
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

/* Its body; beside that what a drift wants of it, fetched early, and what a whole step does.
 * normal: what is drawn for its noise. */
typedef struct {
    FixedBody body;
    Mover     mover;
    double    built_nm[3], normal[6];
    Shown     shown;
    FixedPull bonds;
} FixedBead;

/* What no kick writes. */
__device__ static inline void load_fixed_place(const View &v, int32_t i, FixedBead *b)
{
    b->mover = v.mover[v.bead_type[i]];
    copy3(v.fixed.x[i], b->body.x);
    load4(v.fixed.q[i], b->body.q);
    for (int a = 0; a < 3; a++)
        b->body.image[a] = 0; /* from here on: boxes that the bead passes */
    copy3(v.built_nm[i], b->built_nm);
    b->shown = shown_of(v, i, v.slot_of[i]);
}

__device__ static inline void load_fixed_speed(const View &v, int32_t i, FixedBead *b)
{
    copy3(v.fixed.p[i], b->body.p);
    copy3(v.fixed.l[i], b->body.l);
}

/* What a step reads of a bead beside what pairs do to it. */
__device__ static inline void load_fixed(const View &v, int32_t i, FixedBead *b)
{
    load_fixed_place(v, i, b);
    load_fixed_speed(v, i, b);
    b->bonds = fixed_bonds_on(v, i);
}

/* What has not changed is neither read nor written: memory is all that large systems wait for. */
__device__ static inline void store_fixed(const View &v, int32_t i, const FixedBead *bead,
                                          bool pushes)
{
    const FixedBody *b     = &bead->body;
    const bool       turns = bead->mover.turning != TURNS_NOT;

    store3(v, i, b->x, v.fixed.x);
    if (pushes) {
        store3(v, i, b->p, v.fixed.p);
        store3(v, i, b->l, v.fixed.l); /* as it was where nothing turns */
    } else if (turns) {
        copy3(b->l, v.fixed.l[i]);
    }
    for (int a = 0; a < 3; a++)
        if (b->image[a] != 0)
            v.image[i][a] += b->image[a];
    if (turns)
        store4(b->q, v.fixed.q[i]);
}

__device__ static inline void draw_fixed_noise(const View &v, int32_t i, uint64_t step,
                                               FixedBead *b)
{
    draw_noise(&b->mover, v.stage.seed, (uint64_t)i, step, b->normal);
}

/* IS_NOISY: of a stage with Langevin noise, whose code takes registers from all others. The heat of
 * noise, in units. given_nm_ps: what the noise gives the bead's group, and leaves out; NULL: it
 * leaves nothing out. */
template <bool IS_NOISY>
__device__ static inline int64_t drift_body(const View &v, int32_t i, const double *given_nm_ps,
                                            const ListRoom *room, FixedBead *bead)
{
    const Mover *m  = &bead->mover;
    const double dt = v.stage.dt_ps;
    FixedBody   *b  = &bead->body;
    FixedFault   fault;
    int64_t      heat = 0;
    double       stride[3];

    fixed_stride(m, IS_NOISY ? 0.5 * dt : dt, room->box_nm, stride);
    if (IS_NOISY)
        heat = fixed_drift_with_noise(m, dt, stride, &v.stage.noise, given_nm_ps, bead->normal, b,
                                      &fault);
    else
        fault = fixed_fault_of(fixed_go(stride, b->p, b->x, b->image),
                               fixed_turn_freely(m, dt, b->q, b->l));
    raise_range(v, fault, i);
    return heat;
}

/* The heat of noise. pushes: have momenta changed since they were read? */
template <bool IS_NOISY>
__device__ static inline int64_t glide_fixed(const View &v, int32_t i, const double *given_nm_ps,
                                             FixedBead *b, bool pushes, const ListRoom *room)
{
    const int64_t heat = drift_body<IS_NOISY>(v, i, given_nm_ps, room, b);

    show_fixed_place(v, i, b->shown, b->built_nm, room, b->body.x, b->body.q);
    store_fixed(v, i, b, pushes);
    return heat;
}

/* The whole force on a bead. */
__device__ static inline FixedPull pull_on_fixed(const View &v, int32_t i, const FixedBead *b,
                                                 const FixedPairs &pairs, int64_t *quick)
{
    return fixed_whole_pull_with(v, i, b->body.q, b->shown.dipole_e_nm, pairs, b->bonds, quick);
}

/* The kick of a step that nobody looks at. */
__device__ static inline void push_fixed(const View &v, int32_t i, const FixedPairs &pairs,
                                         FixedBead *b)
{
    const FixedPull pull = pull_on_fixed(v, i, b, pairs, NULL);
    FixedBody      *body = &b->body;
    int64_t         turn[3];

    keep_fixed_acceleration(v, i, &b->mover, pull.f);
    fixed_torque_on(&b->mover, body->q, pull.t, turn);
    fixed_kick(v.fixed.ticks, pull.f, turn, body->p, body->l);
    raise_range(v, fixed_range(body->p, body->l), i);
}

#endif
