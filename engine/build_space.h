/* Vectors, nearest images and random directions for the builder, in double and from IEEE operations
 * only, so that a start has the same bits on every machine.
 */
#ifndef AMPHI_ENGINE_BUILD_SPACE_H
#define AMPHI_ENGINE_BUILD_SPACE_H

#include <math.h>
#include <stdint.h>

#include "num/philox.h"
#include "turn.h"

/* A sequence of random numbers: those of one id of one stream. */
typedef struct {
    uint64_t    seed, id, n_drawn;
    AmphiStream stream;
} AmphiDraws;

/* Uniform in [0, 1). */
static inline double amphi_draw(AmphiDraws *d)
{
    const Philox p = philox(d->seed, d->id, d->n_drawn / 2, d->stream, 0);

    return philox_uniform(p, (int)(d->n_drawn++ % 2));
}

/* Uniform among 0 .. n - 1. */
static inline int32_t amphi_draw_below(AmphiDraws *d, int32_t n)
{
    return (int32_t)(amphi_draw(d) * n);
}

static inline double amphi_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* To unit length; a vector too short to have a direction becomes z. */
static inline void amphi_normalise(double a[3])
{
    const double length = sqrt(amphi_dot(a, a));

    if (length < 1e-12) {
        a[0] = a[1] = 0;
        a[2]        = 1;
        return;
    }
    for (int k = 0; k < 3; k++)
        a[k] /= length;
}

/* A point inside the unit ball. */
static inline void amphi_draw_ball(AmphiDraws *d, double point[3])
{
    do {
        for (int k = 0; k < 3; k++)
            point[k] = 2 * amphi_draw(d) - 1;
    } while (amphi_dot(point, point) > 1);
}

static inline void amphi_draw_direction(AmphiDraws *d, double u[3])
{
    do
        amphi_draw_ball(d, u);
    while (amphi_dot(u, u) < 1e-4);
    amphi_normalise(u);
}

/* A horizontal unit vector. */
static inline void amphi_draw_azimuth(AmphiDraws *d, double u[3])
{
    do {
        amphi_draw_ball(d, u);
        u[2] = 0;
    } while (amphi_dot(u, u) < 1e-4);
    amphi_normalise(u);
}

/* Uniform over rotations, from two points in the unit disc: Marsaglia, Ann. Math. Stat. 43, 645
 * (1972). */
static inline void amphi_draw_quaternion(AmphiDraws *d, double q[4])
{
    double a[2], b[2], s, t;

    do {
        a[0] = 2 * amphi_draw(d) - 1;
        a[1] = 2 * amphi_draw(d) - 1;
        s    = a[0] * a[0] + a[1] * a[1];
    } while (s >= 1);
    do {
        b[0] = 2 * amphi_draw(d) - 1;
        b[1] = 2 * amphi_draw(d) - 1;
        t    = b[0] * b[0] + b[1] * b[1];
    } while (t >= 1 || t < 1e-12);

    const double scale = sqrt((1 - s) / t);

    q[0] = a[0];
    q[1] = a[1];
    q[2] = b[0] * scale;
    q[3] = b[1] * scale;
}

/* d = a - b, nearest image. */
static inline void amphi_nearest_image(const double a[3], const double b[3], const double box_nm[3],
                                       double d[3])
{
    for (int k = 0; k < 3; k++) {
        const double gap = a[k] - b[k];

        d[k] = gap - box_nm[k] * floor(gap / box_nm[k] + 0.5);
    }
}

/* By Newton's method from above; a > 0. */
static inline double amphi_cube_root(double a)
{
    double x    = a > 1 ? a : 1;
    double next = x - (x - a / (x * x)) / 3;

    while (next < x) {
        x    = next;
        next = x - (x - a / (x * x)) / 3;
    }
    return x;
}

/* Into [0, edge). */
static inline double amphi_wrap(double x, double edge)
{
    const double in = x - edge * floor(x / edge);

    return in >= edge || in < 0 ? 0 : in;
}

#endif
