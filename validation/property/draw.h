/* Random numbers, directions and orientations for property tests, and the geometry in double that
 * they need. Numbers depend only on the seed and on the number of earlier calls.
 */
#ifndef AMPHI_VALIDATION_DRAW_H
#define AMPHI_VALIDATION_DRAW_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* SplitMix64: Steele, Lea & Flood, OOPSLA 2014. */
static inline double draw(uint64_t *state, double low, double high)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15U;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) * 0x1p-53);
}

static inline void draw_direction(uint64_t *state, double out[3])
{
    const double z   = draw(state, -1, 1);
    const double phi = draw(state, 0, 6.283185307179586);

    out[0] = sqrt(1 - z * z) * cos(phi);
    out[1] = sqrt(1 - z * z) * sin(phi);
    out[2] = z;
}

/* A unit quaternion that turns by `angle` about a unit axis. */
static inline void turn_about(const double axis[3], double angle, double q[4])
{
    q[0] = cos(angle / 2);
    for (int a = 0; a < 3; a++)
        q[a + 1] = sin(angle / 2) * axis[a];
}

static inline void draw_orientation(uint64_t *state, double q[4])
{
    double axis[3];

    draw_direction(state, axis);
    turn_about(axis, draw(state, 0, 6.283185307179586), q);
}

/* The product a b: first the rotation b, then a. */
static inline void multiply_turns(const double a[4], const double b[4], double out[4])
{
    const double c[4] = { a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0] };

    memcpy(out, c, sizeof c);
}

static inline void cross(const double a[3], const double b[3], double out[3])
{
    const double c[3] = { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                          a[0] * b[1] - a[1] * b[0] };

    memcpy(out, c, sizeof c);
}

/* Rotates by q v q*, which shares no code with vector.h. */
static inline void turn_vector(const double q[4], const double v[3], double out[3])
{
    const double back[4] = { q[0], -q[1], -q[2], -q[3] }, pure[4] = { 0, v[0], v[1], v[2] };
    double       half[4], whole_turn[4];

    multiply_turns(q, pure, half);
    multiply_turns(half, back, whole_turn);
    memcpy(out, whole_turn + 1, 3 * sizeof out[0]);
}

/* Turns an orientation by a small angle about the space axis 0, 1 or 2. */
static inline void nudge_turn(double q[4], int axis, double angle)
{
    double unit[3] = { 0, 0, 0 }, small[4];

    unit[axis] = 1;
    turn_about(unit, angle, small);
    multiply_turns(small, q, q);
}

static inline double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline bool is_near(double got, double wanted, double bound)
{
    return fabs(got - wanted) <= bound; /* false when one of them is no number */
}

/* The larger of two errors, or NaN if one is (which fmax would drop). */
static inline double worse(double most, double error)
{
    return isnan(most) || error <= most ? most : error;
}

/* The derivative at 0 by central differences over h, h/2 and h/4, extrapolated: the error is of
 * order h^6. */
static inline double slope(double (*f)(const void *context, double x), const void *context,
                           double h)
{
    double d[3];

    for (int k = 0; k < 3; k++, h /= 2)
        d[k] = (f(context, h) - f(context, -h)) / (2 * h);

    const double r01 = (4 * d[1] - d[0]) / 3, r12 = (4 * d[2] - d[1]) / 3;
    return (16 * r12 - r01) / 15;
}

#endif
