/* Free rotation of bodies side by side in lanes of 64 bits. Compiled in fixed precision for each
 * instruction set, because there no product is contracted with a sum.
 */
#include "../cpu_turns.h"

#include <string.h>

#include "../num/lanes_x86.h"

typedef wide      turn_real;
typedef wide_long turn_whole;

AMPHI_BOTH turn_real turn_number(turn_whole a)
{
    return number_of(a);
}

AMPHI_BOTH turn_whole turn_nearest(turn_real a)
{
    return nearest_long(a);
}

AMPHI_BOTH turn_real turn_quotient(turn_real a, turn_real b)
{
    return a / b;
}

#define FIXED_TURN_LANES 1
#include "../fixed_turn.h"

#define PASTE_SET(name, set) name##_##set
#define WITH_SET(name, set)  PASTE_SET(name, set)

enum { TOGETHER = LANES / 2 }; /* numbers of 64 bits in a register */

AMPHI_BOTH turn_real load_numbers(const double *from)
{
    turn_real out;

    memcpy(&out, from, sizeof out);
    return out;
}

AMPHI_BOTH turn_whole load_wholes(const int64_t *from)
{
    turn_whole out;

    memcpy(&out, from, sizeof out);
    return out;
}

/* One group of lanes. */
typedef struct {
    turn_whole q[4], l[3], is_good;
} Group;

AMPHI_BOTH void load_group(const AmphiTurned *b, int32_t at, Group *g)
{
    for (int k = 0; k < 4; k++)
        g->q[k] = load_wholes(b->q[k] + at);
    for (int k = 0; k < 3; k++)
        g->l[k] = load_wholes(b->l[k] + at);
    g->is_good = ~(turn_whole){ 0 };
}

AMPHI_BOTH void store_group(const Group *g, int32_t at, AmphiTurned *b)
{
    for (int k = 0; k < 4; k++)
        memcpy(b->q[k] + at, &g->q[k], sizeof g->q[k]);
    for (int k = 0; k < 3; k++)
        memcpy(b->l[k] + at, &g->l[k], sizeof g->l[k]);
    memcpy(b->is_good + at, &g->is_good, sizeof g->is_good);
}

/* Where the angle is too large the body is left as it is, as fixed_turn_about leaves it. */
AMPHI_BOTH void turn_part(const AmphiTurned *b, int32_t at, int part, double dt_ps, Group *g)
{
    const int        k       = fixed_axis_of(part);
    const double     quarter = 0.25 * fixed_time_of(part, dt_ps);
    const turn_real  t       = quarter * (turn_number(g->l[k]) * load_numbers(b->rate[k] + at));
    const turn_whole is_in   = (t > -0.5) & (t < 0.5);

    fixed_turn_by(k, (turn_real)((turn_whole)t & is_in), load_numbers(b->sense + at), g->q, g->l);
    g->is_good &= is_in;
}

/* Of two groups, as one alone would mostly wait for its own results. */
AMPHI_BOTH void turn_both(const AmphiTurned *b, int32_t at, int part, double dt_ps, Group g[2])
{
    turn_part(b, at, part, dt_ps, &g[0]);
    turn_part(b, at + TOGETHER, part, dt_ps, &g[1]);
}

/* Part by part in words, so that axes are constants and numbers stay in registers. */
static void turn_groups(AmphiTurned *b, int32_t at, double dt_ps)
{
    Group g[2];

    load_group(b, at, &g[0]);
    load_group(b, at + TOGETHER, &g[1]);
    turn_both(b, at, 0, dt_ps, g);
    turn_both(b, at, 1, dt_ps, g);
    turn_both(b, at, 2, dt_ps, g);
    turn_both(b, at, 3, dt_ps, g);
    turn_both(b, at, 4, dt_ps, g);
    store_group(&g[0], at, b);
    store_group(&g[1], at + TOGETHER, b);
}

void WITH_SET(amphi_cpu_turns, AMPHI_CPU_SET)(AmphiTurned *bodies, int32_t n, double dt_ps)
{
    for (int32_t at = 0; at < n; at += 2 * TOGETHER)
        turn_groups(bodies, at, dt_ps);
}
