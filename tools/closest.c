/* Closest beads, by a sweep along one axis: beads are sorted by x, and each looks only at those
 * behind it that are nearer in x than the best distance so far. */
#include "command.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double  x; /* wrapped into [0, L) */
    int32_t bead;
} Stop;

static double nearest_image(double d, double edge)
{
    return edge > 0 ? d - edge * nearbyint(d / edge) : d;
}

static double distance2(const AmphiSystem *s, int32_t i, int32_t j)
{
    double r2 = 0;

    for (int a = 0; a < 3; a++) {
        const double d = nearest_image(s->position_nm[i][a] - s->position_nm[j][a], s->box_nm[a]);
        r2 += d * d;
    }
    return r2;
}

static int compare_stops(const void *a, const void *b)
{
    const Stop *const p = a, *const q = b;

    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->bead < q->bead ? -1 : p->bead > q->bead;
}

/* By bisection: exclusions are sorted, the smaller bead first. */
static bool is_excluded(const AmphiSystem *s, int32_t i, int32_t j)
{
    const int32_t first = i < j ? i : j, second = i < j ? j : i;
    int32_t       low = 0, high = s->n_exclusions;

    while (low < high) {
        const int32_t        middle = low + (high - low) / 2;
        const int32_t *const pair   = s->exclusion[middle];

        if (pair[0] == first && pair[1] == second)
            return true;
        if (pair[0] < first || (pair[0] == first && pair[1] < second))
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* How far stop b is ahead of stop a, once around the box if need be. */
static double ahead(const AmphiSystem *s, const Stop *a, const Stop *b)
{
    const double d = b->x - a->x;

    return d < 0 ? d + s->box_nm[0] : d;
}

static void sweep(const AmphiSystem *s, const Stop *stop, ToolClosest *best)
{
    double best2 = HUGE_VAL;

    for (int32_t k = 0; k < s->n_beads; k++)
        for (int32_t step = 1; step < s->n_beads; step++) {
            const Stop *const other = &stop[(k + step) % s->n_beads];
            const double      dx    = ahead(s, &stop[k], other);
            const double      r2    = distance2(s, stop[k].bead, other->bead);

            if (dx * dx >= best2)
                break;
            if (r2 < best2 && !is_excluded(s, stop[k].bead, other->bead)) {
                best2        = r2;
                best->first  = stop[k].bead < other->bead ? stop[k].bead : other->bead;
                best->second = stop[k].bead < other->bead ? other->bead : stop[k].bead;
            }
        }
    best->distance_nm = sqrt(best2);
}

ToolClosest tool_closest_pair(const AmphiSystem *s, AmphiArena *arena)
{
    Stop *const stop = AMPHI_TAKE(arena, Stop, s->n_beads);
    ToolClosest best = { -1, -1, HUGE_VAL };

    if (stop == NULL)
        return best;
    for (int32_t i = 0; i < s->n_beads; i++) {
        const double x = s->position_nm[i][0], edge = s->box_nm[0];

        stop[i] = (Stop){ x - edge * floor(x / edge), i };
    }
    qsort(stop, (size_t)s->n_beads, sizeof *stop, compare_stops);
    sweep(s, stop, &best);
    return best;
}

ToolClosest tool_nearest_bead(const AmphiSystem *s, int32_t bead)
{
    ToolClosest best  = { bead, -1, HUGE_VAL };
    double      best2 = HUGE_VAL;

    for (int32_t j = 0; j < s->n_beads; j++) {
        const double r2 = j == bead ? HUGE_VAL : distance2(s, bead, j);

        if (r2 < best2) {
            best2       = r2;
            best.second = j;
        }
    }
    best.distance_nm = sqrt(best2);
    return best;
}
