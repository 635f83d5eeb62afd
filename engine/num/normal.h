/* Gaussian deviates and sums of their squares from Philox, the same bits on every machine.
 *
 * Box & Muller, Ann. Math. Stat. 29, 610 (1958); Marsaglia & Tsang, ACM Trans. Math. Softw. 26, 363
 * (2000).
 */
#ifndef AMPHI_NUM_NORMAL_H
#define AMPHI_NUM_NORMAL_H

#include <math.h>

#include "elementary.h"
#include "philox.h"

typedef struct {
    double first, second;
} TwoNormals;

/* Two normal deviates from two uniform numbers in [0, 1). The second one gives the angle, which is
 * divided into quarter turns and an exact rest. */
AMPHI_BOTH TwoNormals normals_of(double u, double turn)
{
    const double     radius  = sqrt(-2 * log_of(1 - u));
    const double     quarter = whole_of(4 * turn);
    const SineCosine a =
        sine_cosine_of_quarters((int64_t)quarter, 1.5707963267948966 * (4 * turn - quarter));

    return (TwoNormals){ radius * a.cosine, radius * a.sine };
}

AMPHI_BOTH TwoNormals draw_normals(uint64_t seed, uint64_t id, uint64_t step, AmphiStream stream,
                                   uint32_t draw)
{
    const Philox p = philox(seed, id, step, stream, draw);

    return normals_of(philox_uniform(p, 0), philox_uniform(p, 1));
}

/* The Gamma distribution of unit scale, for shape >= 1. A trial takes two counters from `draw` on,
 * a rejected one (at most 1 in 20) hands over to the next two. */
AMPHI_BOTH double draw_gamma(double shape, uint64_t seed, uint64_t id, uint64_t step,
                             AmphiStream stream, uint32_t draw)
{
    const double d = shape - 1.0 / 3;
    const double c = 1 / sqrt(9 * d);

    for (;; draw += 2) {
        const double x = draw_normals(seed, id, step, stream, draw).first;
        const double u = 1 - philox_uniform(philox(seed, id, step, stream, draw + 1), 0);
        const double w = 1 + c * x;
        const double v = w * w * w;

        if (w > 0 && log_of(u) < 0.5 * x * x + d * (1 - v + log_of(v)))
            return d * v;
    }
}

/* The sum of the squares of n Gaussian deviates, n >= 0; counters from `draw` on. */
AMPHI_BOTH double draw_squares(int64_t n, uint64_t seed, uint64_t id, uint64_t step,
                               AmphiStream stream, uint32_t draw)
{
    if (n >= 2)
        return 2 * draw_gamma(0.5 * (double)n, seed, id, step, stream, draw);
    if (n <= 0)
        return 0;

    const double x = draw_normals(seed, id, step, stream, draw).first;
    return x * x;
}

#endif
