/* One body in registers on its way through a drift: what is read of it and written. */
#ifndef AMPHI_CUDA_BODY_H
#define AMPHI_CUDA_BODY_H

#include "beads.h"

/* mover: what the drift wants of it, fetched early; bonds: what a whole step does. */
typedef struct {
    double   x[3], u[3], l[3], q[4];
    Mover    mover;
    BondPull bonds;
    double   built_nm[3];
    Shown    shown;
} Body;

/* What no kick writes. */
__device__ static inline void load_place(const View &v, int32_t i, Body *b)
{
    b->mover = v.mover[v.bead_type[i]];
    copy3(v.position_nm[i], b->x);
    load4(v.orientation[i], b->q);
    copy3(v.built_nm[i], b->built_nm);
    b->shown = shown_of(v, i, v.slot_of[i]);
}

__device__ static inline void load_speed(const View &v, int32_t i, Body *b)
{
    copy3(v.velocity_nm_ps[i], b->u);
    copy3(v.spin_u_nm2_ps[i], b->l);
}

/* What a drift without noise does to velocities: nothing, or it pushes bodies, or it turns them,
 * too. */
typedef enum { GLIDES, PUSHES, PUSHES_AND_TURNS } Shoves;

__device__ static inline Shoves shoves_of(const View &v)
{
    if (scales_velocities(v.stage.thermostat.type))
        return PUSHES_AND_TURNS;
    return v.stage.remove_drift || v.stage.barostat.type != AMPHI_NO_BAROSTAT ? PUSHES : GLIDES;
}

/* What has not changed is neither read nor written: memory is all that large systems wait for.
 * boxes: that the bead has passed. */
__device__ static inline void store_body(const View &v, int32_t i, const Body *b,
                                         const int32_t boxes[3], Shoves shoves)
{
    store3(v, i, b->x, v.position_nm);
    if (shoves != GLIDES)
        store3(v, i, b->u, v.velocity_nm_ps);
    if (shoves == PUSHES_AND_TURNS)
        store3(v, i, b->l, v.spin_u_nm2_ps); /* 0 where nothing turns */
    else if (b->mover.turning == TURNS_TUMBLING)
        copy3(b->l, v.spin_u_nm2_ps[i]);
    for (int a = 0; a < 3; a++)
        if (boxes[a] != 0)
            v.image[i][a] += boxes[a];
    if (b->mover.turning != TURNS_NOT)
        store4(b->q, v.orientation[i]);
}

/* With the box, before a bead drifts. */
__device__ static inline void stretch_bead(const View &v, int32_t i, const double stretch[3],
                                           Body *b)
{
    for (int a = 0; a < 3; a++)
        b->x[a] *= stretch[a];
    stretch_anchor(v, i, stretch);
}

/* Where a drift has ended; writes. */
__device__ static inline void arrive(const View &v, int32_t i, Body *b, Shoves shoves,
                                     const ListRoom *room)
{
    int32_t boxes[3] = { 0, 0, 0 };

    amphi_wrap_body(room->box_nm, b->x, boxes);
    show_place(v, i, b->shown, b->built_nm, room, b->x, b->q);
    store_body(v, i, b, boxes, shoves);
}

/* Without noise. */
__device__ static inline void glide(const View &v, int32_t i, Body *b, Shoves shoves,
                                    const ListRoom *room)
{
    move_freely(v.stage.dt_ps, b->u, b->x);
    turn_freely(&b->mover, v.stage.dt_ps, b->q, b->l);
    arrive(v, i, b, shoves, room);
}

#endif
