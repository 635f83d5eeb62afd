/* Rotation of vectors by quaternions on the host, in double; for files without a precision. A unit
 * quaternion q is (w, x, y, z) and rotates from the body to the space frame.
 */
#ifndef AMPHI_ENGINE_TURN_H
#define AMPHI_ENGINE_TURN_H

/* Body to space: v + 2 w (u x v) + 2 u x (u x v), u the vector part of q. out is not v. */
static inline void amphi_turn(const double q[4], const double v[3], double out[3])
{
    const double *const u    = q + 1;
    const double        c[3] = { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                 u[0] * v[1] - u[1] * v[0] };
    const double        d[3] = { u[1] * c[2] - u[2] * c[1], u[2] * c[0] - u[0] * c[2],
                                 u[0] * c[1] - u[1] * c[0] };

    for (int k = 0; k < 3; k++)
        out[k] = v[k] + 2 * (q[0] * c[k] + d[k]);
}

/* Space to body. */
static inline void amphi_turn_back(const double q[4], const double v[3], double out[3])
{
    const double back[4] = { q[0], -q[1], -q[2], -q[3] };

    amphi_turn(back, v, out);
}

/* The body z axis in space. */
static inline void amphi_axis_of(const double q[4], double u[3])
{
    u[0] = 2 * (q[1] * q[3] + q[0] * q[2]);
    u[1] = 2 * (q[2] * q[3] - q[0] * q[1]);
    u[2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
}

#endif
