/* Rotation of a body in integers, as shears that are rounded; or of bodies side by side in lanes.
 *
 * A file that defines FIXED_TURN_LANES has said what a number is before it comes here: turn_real;
 * turn_whole, of 64 bits; turn_number(whole), the nearest double; turn_nearest(real), the nearest
 * integer, halves to even; turn_quotient(a, b), of b between a half and two.
 */
#ifndef AMPHI_ENGINE_FIXED_TURN_H
#define AMPHI_ENGINE_FIXED_TURN_H

#ifndef FIXED_TURN_LANES

#include "fixed.h"
#include "num/roots.h"

typedef double  turn_real;
typedef int64_t turn_whole;

AMPHI_BOTH turn_real turn_number(turn_whole a)
{
    return (double)a;
}

AMPHI_BOTH turn_whole turn_nearest(turn_real a)
{
    return fixed_round(a);
}

AMPHI_BOTH turn_real turn_quotient(turn_real a, turn_real b)
{
    return plain_quotient(a, b);
}

#endif

/* Rotates (a, b) by an angle whose half has the tangent t, s being its sine, as three shears with
 * rounding, which -t and -s undo exactly. */
AMPHI_BOTH void fixed_shear(turn_real t, turn_real s, turn_whole *a, turn_whole *b)
{
    *a -= turn_nearest(t * turn_number(*b));
    *b += turn_nearest(s * turn_number(*a));
    *a -= turn_nearest(t * turn_number(*b));
}

/* The sine of an angle from the tangent of its half. */
AMPHI_BOTH turn_real fixed_sine(turn_real t)
{
    return turn_quotient(2.0 * t, 1.0 + t * t);
}

/* Rotates about axis k, t being the tangent of a quarter of the angle: a space axis with sense 1, q
 * and l together; a body axis with sense -1, where l rotates the opposite way. */
AMPHI_BOTH void fixed_turn_by(int k, turn_real t, turn_real sense, turn_whole q[4], turn_whole l[3])
{
    const int       y = (k + 1) % 3, z = (k + 2) % 3;
    const turn_real s       = fixed_sine(t);
    const turn_real tangent = turn_quotient(2.0 * t, 1.0 - t * t); /* of half the angle */

    fixed_shear(t, s, &q[0], &q[1 + k]);
    fixed_shear(sense * t, sense * s, &q[1 + y], &q[1 + z]);
    fixed_shear(sense * tangent, sense * fixed_sine(tangent), &l[y], &l[z]);
}

enum { FIXED_TURN_PARTS = 5 };

/* The axis of each part of free rotation: 0 1 2 1 0. All parts last half a step but the middle. */
AMPHI_BOTH int fixed_axis_of(int part)
{
    return part < 3 ? part : 4 - part;
}

AMPHI_BOTH double fixed_time_of(int part, double dt_ps)
{
    return part == 2 ? dt_ps : 0.5 * dt_ps;
}

#endif
