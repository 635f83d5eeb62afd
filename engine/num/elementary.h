/* Logarithm, exponential, sine and cosine in double, from + - * / and integer operations only, so
 * that noise, rotations and thermostats have the same bits on every machine; those of C libraries
 * differ in the last bits. The error is below 1e-15, relative (sine and cosine: absolute).
 */
#ifndef AMPHI_NUM_ELEMENTARY_H
#define AMPHI_NUM_ELEMENTARY_H

#include <math.h>
#include <stdint.h>

#include "both.h"

typedef union {
    double   number;
    uint64_t bits; /* sign, 11 bits of exponent + 1023, 52 of the fraction */
} DoubleBits;

/* ln 2 in two parts: the first has 32 bits, so that its product with an exponent is exact. */
#define LN2_HIGH 0x1.62e42feep-1
#define LN2_LOW  0x1.a39ef35793c76p-33

/* The nearest integer, for |x| < 2^51: the sum has no bits left for a fraction. */
AMPHI_BOTH double whole_of(double x)
{
    const double room = 0x1.8p52;

    return (x + room) - room;
}

/* ln x, for normal numbers x > 0. With x = m 2^e and m in [sqrt(1/2), sqrt(2)), s = (m - 1)/(m + 1)
 * is at most 0.172, and ln m = 2 (s + s^3/3 + ... + s^21/21 + ...), the next term being 2e-18. */
AMPHI_BOTH double log_of(double x)
{
    DoubleBits m = { x };
    int64_t    e = (int64_t)(m.bits >> 52) - 1023;

    m.bits = (m.bits & 0xFFFFFFFFFFFFFu) | (uint64_t)1023 << 52;
    if (m.number > 1.4142135623730951) {
        m.number *= 0.5;
        e++;
    }

    const double s      = (m.number - 1) / (m.number + 1);
    const double s2     = s * s;
    double       series = 1.0 / 21;
    for (int n = 19; n >= 3; n -= 2)
        series = 1.0 / n + s2 * series;

    return (double)e * LN2_HIGH + (2 * s + (2 * s * s2 * series + (double)e * LN2_LOW));
}

/* e^x; 0 below -708, no number above 709. With x = n ln 2 + r, |r| < 0.347, the series of
 * e^r may end with r^13 (the next term is 4e-18). */
AMPHI_BOTH double exp_of(double x)
{
    if (!(x >= -708 && x <= 709))
        return x < -708 ? 0 : (double)NAN;

    const double n      = whole_of(x * 1.4426950408889634);
    const double r      = (x - n * LN2_HIGH) - n * LN2_LOW;
    double       series = 1;
    for (int k = 13; k >= 2; k--)
        series = 1 + r * (1.0 / k) * series;

    const DoubleBits power = { .bits = (uint64_t)((int64_t)n + 1023) << 52 };
    return (1 + r * series) * power.number;
}

typedef struct {
    double sine, cosine;
} SineCosine;

/* Of an angle r, |r| <= pi/4, from its square: sin r / r and cos r. The next terms of the series
 * are 1e-19. The series is split into two in powers of r^4, which are evaluated in parallel. */
AMPHI_BOTH SineCosine sine_over_angle(double r2)
{
    const double r4 = r2 * r2;
    double       s1 = 1, s2 = 1, c1 = 1, c2 = 1;

    for (int k = 16; k > 0; k -= 4) {
        s1 = 1 + r4 * (1.0 / ((k - 2) * (k - 1) * k * (k + 1))) * s1;
        c1 = 1 + r4 * (1.0 / ((k - 3) * (k - 2) * (k - 1) * k)) * c1;
        s2 = 1 + r4 * (1.0 / (k * (k + 1) * (k + 2) * (k + 3))) * s2;
        c2 = 1 + r4 * (1.0 / ((k - 1) * k * (k + 1) * (k + 2))) * c2;
    }
    return (SineCosine){ s1 - r2 * (1.0 / 6) * s2, c1 - r2 * 0.5 * c2 };
}

/* The same for r^2 < SMALL_ANGLE2, which rotations of one step have, in half the operations: the
 * next terms are 7e-19 and 9e-18. */
#define SMALL_ANGLE2 0.04

AMPHI_BOTH SineCosine sine_over_small_angle(double r2)
{
    const double r4 = r2 * r2;
    const double s3 = 1.0 / 120 - r2 * (1.0 / 5040), s5 = 1.0 / 362880 - r2 * (1.0 / 39916800);
    const double c3 = 1.0 / 24 - r2 * (1.0 / 720), c5 = 1.0 / 40320 - r2 * (1.0 / 3628800);

    return (SineCosine){ (1 - r2 * (1.0 / 6)) + r4 * (s3 + r4 * s5),
                         (1 - r2 * 0.5) + r4 * (c3 + r4 * c5) };
}

/* Sine and cosine of quarter pi/2 + r, |r| <= pi/4. */
AMPHI_BOTH SineCosine sine_cosine_of_quarters(int64_t quarter, double r)
{
    const SineCosine series = sine_over_angle(r * r);
    const double     s = r * series.sine, c = series.cosine;

    switch (quarter & 3) {
    case 0:
        return (SineCosine){ s, c };
    case 1:
        return (SineCosine){ c, -s };
    case 2:
        return (SineCosine){ -s, -c };
    default:
        return (SineCosine){ -c, s };
    }
}

/* Sine and cosine of an angle in radians, |angle| < 1e5; NaN beyond. Multiples of pi/2 are
 * subtracted in two parts, the first of which has 33 bits. */
AMPHI_BOTH SineCosine sine_cosine(double angle)
{
    if (!(angle > -1e5 && angle < 1e5))
        return (SineCosine){ (double)NAN, (double)NAN };

    const double n = whole_of(angle * 0.6366197723675814);
    const double r = (angle - n * 0x1.921fb544p0) - n * 0x1.0b4611a626331p-34;

    return sine_cosine_of_quarters((int64_t)n, r);
}

#endif
