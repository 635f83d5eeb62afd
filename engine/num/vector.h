/* Three-vectors and quaternions of `real`.
 *
 * A quaternion (w, x, y, z) rotates from the body to the space frame: v_space = B v_body.
 */
#ifndef AMPHI_NUM_VECTOR_H
#define AMPHI_NUM_VECTOR_H

#include "real.h"

AMPHI_BOTH real3 add3(real3 a, real3 b)
{
    const real3 c = { a.x + b.x, a.y + b.y, a.z + b.z };
    return c;
}

AMPHI_BOTH real3 sub3(real3 a, real3 b)
{
    const real3 c = { a.x - b.x, a.y - b.y, a.z - b.z };
    return c;
}

AMPHI_BOTH real3 scale3(real s, real3 a)
{
    const real3 c = { s * a.x, s * a.y, s * a.z };
    return c;
}

AMPHI_BOTH real3 neg3(real3 a)
{
    const real3 c = { -a.x, -a.y, -a.z };
    return c;
}

AMPHI_BOTH real dot3(real3 a, real3 b)
{
    return fused(a.z, b.z, fused(a.y, b.y, a.x * b.x));
}

/* a b + c. */
AMPHI_BOTH real3 joined3(real a, real3 b, real3 c)
{
    const real3 d = { joined(a, b.x, c.x), joined(a, b.y, c.y), joined(a, b.z, c.z) };
    return d;
}

AMPHI_BOTH real3 cross3(real3 a, real3 b)
{
    const real3 c = { joined(a.y, b.z, -(a.z * b.y)), joined(a.z, b.x, -(a.x * b.z)),
                      joined(a.x, b.y, -(a.y * b.x)) };
    return c;
}

AMPHI_BOTH real3 keep3(whole mask, real3 a)
{
    const real3 c = { keep(mask, a.x), keep(mask, a.y), keep(mask, a.z) };
    return c;
}

/* Body to space: B v. */
AMPHI_BOTH real3 rotate(quat q, real3 v)
{
    const real3 u = { q.x, q.y, q.z };
    const real3 t = scale3(spread(R(2)), cross3(u, v));

    return add3(joined3(q.w, t, v), cross3(u, t));
}

/* Space to body: A v = B^T v. */
AMPHI_BOTH real3 rotate_back(quat q, real3 v)
{
    const quat back = { q.w, -q.x, -q.y, -q.z };

    return rotate(back, v);
}

/* The body z axis in space: the symmetry axis of uniaxial beads, the direction of dipoles. */
AMPHI_BOTH real3 body_axis(quat q)
{
    const real3 u = { R(2) * (q.x * q.z + q.w * q.y), R(2) * (q.y * q.z - q.w * q.x),
                      R(1) - R(2) * (q.x * q.x + q.y * q.y) };
    return u;
}

#endif
