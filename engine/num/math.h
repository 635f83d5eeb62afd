/* Functions of `real` from IEEE operations only (+ - * / sqrt), so that they can have the same bits
 * on every processor, and can be vectorised.
 */
#ifndef AMPHI_NUM_MATH_H
#define AMPHI_NUM_MATH_H

#include "real.h"

/* a^n for a small n >= 0, the same for all lanes; for the smallest without a loop, which devices
 * do not run through beside anything else. */
AMPHI_BOTH real power(real a, int32_t n)
{
    real out = n > 0 ? a : spread(R(1));

    if (n > 1)
        out = out * a;
    if (n > 2)
        out = out * a;
    for (int32_t k = 3; k < n; k++)
        out = out * a;
    return out;
}

/* The angle in [0, pi] whose sine and cosine are proportional to s >= 0 and c; radians.
 *
 * tan(t'/2) = s / (h + |c|) with h = sqrt(s^2 + c^2) belongs to the acute angle t'. It is halved
 * three times by tan(t/2) = x / (1 + sqrt(1 + x^2)); after that x <= tan(pi/32), and the odd series
 * of the arc tangent may end with x^15 / 15 (the next term is 5e-18 of the first).
 */
AMPHI_BOTH real angle_of(real s, real c)
{
    const real  h     = square_root(s * s + c * c);
    const whole acute = c >= R(0);
    real        x     = s / (h + choose(acute, c, -c));

    for (int k = 0; k < 3; k++)
        x = x / (R(1) + square_root(R(1) + x * x));

    const real x2     = x * x;
    real       series = spread(R(-1) / R(15));
    for (int n = 13; n >= 1; n -= 2)
        series = (n % 4 == 1 ? R(1) : R(-1)) / R(n) + x2 * series;

    const real t = R(16) * x * series;
    return choose(acute, t, R(3.14159265358979323846) - t);
}

#endif
