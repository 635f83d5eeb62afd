/* The periodic box: three edges along x, y, z; nearest images and wrapping. */
#ifndef AMPHI_TYPED_BOX_H
#define AMPHI_TYPED_BOX_H

#include "../num/vector.h"

typedef struct {
    scalar edge[3], inv_edge[3]; /* nm, 1/nm */
} Box;

static inline Box box_prepare(const double edge_nm[3])
{
    Box box;

    for (int a = 0; a < 3; a++) {
        box.edge[a]     = (scalar)edge_nm[a];
        box.inv_edge[a] = (scalar)(1 / edge_nm[a]);
    }
    return box;
}

/* x minus the multiple of the edge that brings it nearest to zero. */
AMPHI_BOTH real nearest_along(const Box *box, int a, real x)
{
    return x - box->edge[a] * nearest_whole(x * box->inv_edge[a]);
}

AMPHI_BOTH real3 nearest_image(const Box *box, real3 d)
{
    const real3 out = { nearest_along(box, 0, d.x), nearest_along(box, 1, d.y),
                        nearest_along(box, 2, d.z) };
    return out;
}

/* x wrapped into [0, edge). For a tiny negative x, x + edge rounds to edge, which becomes 0. */
AMPHI_BOTH real wrap_along(const Box *box, int a, real x)
{
    const real  near = nearest_along(box, a, x);
    const real  up   = choose(near < R(0), near + box->edge[a], near);
    const whole in   = up < box->edge[a];

    return keep(in, up);
}

AMPHI_BOTH real3 wrap(const Box *box, real3 x)
{
    const real3 out = { wrap_along(box, 0, x.x), wrap_along(box, 1, x.y), wrap_along(box, 2, x.z) };
    return out;
}

#endif
