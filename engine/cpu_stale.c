/* When a neighbour list no longer holds: when a pair that it has not may be within its cut-off.
 *
 * Two beads that have gone no further than the margin together are in the list, or still beyond
 * the cut-off. Nearly all beads go much less than half of the margin while the first few go
 * further, and these hardly ever towards each other: so a stray, a bead that has gone further, is
 * looked at by itself, with those others that have gone far enough, too. In a membrane of 94 208
 * beads a list lasts 8 steps of 10 fs with a margin of 0.08 nm by that; with both beads held to
 * half of the margin it would take 0.13 nm.
 */
#include <math.h>

#include "cpu_list.h"

/* Of all beads, how many are looked at by themselves: more are dearer than a list. */
enum { MOST_OF = 16 };
/* Of the margin: who has gone further is gone, and nobody looks at it. */
static const double gone_share = 0.75;

/* Distances are told of points in fractions of the box of their time: a stretch of the box alone
 * moves nobody. */
typedef struct {
    const AmphiCpuList *list;
    const double (*position_nm)[3];
    const double *box_nm; /* now */
    double        inv[3], inv_built[3];
    double        margin_nm; /* what the box has left of it */
    double        moved_nm;  /* by the bead that has gone furthest */
    float         stray2;    /* half of the margin, squared: who has gone further is a stray */
} Look;

/* Between two points, each in the fractions of its box, in nm of one box, squared. */
static double distance2(const double x[3], const double inv_x[3], const double y[3],
                        const double inv_y[3], const double box_nm[3])
{
    double r2 = 0;

    for (int a = 0; a < 3; a++) {
        const double s = x[a] * inv_x[a] - y[a] * inv_y[a];
        const double d = (s - nearbyint(s)) * box_nm[a];

        r2 += d * d;
    }
    return r2;
}

/* From the point that the list was built around. */
static double moved2_of(const Look *k, int32_t bead)
{
    return distance2(k->position_nm[bead], k->inv, k->list->built_nm[bead], k->inv_built,
                     k->box_nm);
}

/* Is a pair within its cut-off, or nearly so, that the list need not have? */
static bool may_be_missing(const Look *k, int32_t i, int32_t j)
{
    const AmphiCpuList  *l = k->list;
    const AmphiSystem   *s = l->system;
    const AmphiPairRule *rule =
        &s->pair_rule[(int64_t)s->bead_type[i] * s->n_types + s->bead_type[j]];
    const double near  = rule->cutoff_nm * (1 + AMPHI_CPU_LIST_ROUNDING);
    const double reach = rule->cutoff_nm + l->margin_nm;

    return rule->n_terms > 0 &&
           distance2(k->position_nm[i], k->inv, k->position_nm[j], k->inv, k->box_nm) <
               near * near &&
           distance2(l->built_nm[i], k->inv_built, l->built_nm[j], k->inv_built, l->box_nm) >
               reach * reach;
}

/* Cells along an axis, from the first on: before wrapping. */
typedef struct {
    int32_t first, n;
} Along;

static Along cells_along(const Look *k, int32_t bead, int a, double far_nm)
{
    const int32_t n   = k->list->n_cells[a];
    const double  at  = (uint32_t)k->list->place[bead][a] / 4294967296.0;
    const double  far = far_nm * k->inv[a];
    Along         c   = { 0, n };

    if (2 * far < 1) {
        c.first = (int32_t)floor((at - far) * n);
        c.n     = (int32_t)floor((at + far) * n) - c.first + 1;
    }
    return c.n < n ? c : (Along){ 0, n };
}

static int32_t nth_cell(const Look *k, const Along *c, int a, int32_t nth)
{
    const int32_t n = k->list->n_cells[a];

    return (c->first + nth + n) % n * k->list->cell_stride[a];
}

static bool misses_in_cell(const Look *k, int32_t i, int32_t cell, float moved2)
{
    const AmphiCpuList *l = k->list;

    for (int32_t f = l->cell_far[cell]; f < l->cell_far[cell + 1]; f++) {
        const int32_t slot = l->far_slot[f];

        if (l->moved2_nm2[slot] > moved2 && l->bead_of[slot] != i &&
            may_be_missing(k, i, l->bead_of[slot]))
            return true;
    }
    return false;
}

/* How far another bead must have gone to come too near to one that has gone so far, squared. */
static float other_moved2(const Look *k, double moved_nm)
{
    const double slack = k->list->system->cutoff_nm * AMPHI_CPU_LIST_ROUNDING;
    const double left  = fmax(0, k->margin_nm - moved_nm - slack);

    return (float)(left * left * (1 - 1e-6));
}

/* Has the list lost a pair of this bead? */
static bool misses_pair(const Look *k, int32_t i, double moved_nm)
{
    const double cutoff = k->list->system->cutoff_nm * (1 + AMPHI_CPU_LIST_ROUNDING);
    const float  moved2 = other_moved2(k, moved_nm);
    Along        c[3];

    for (int a = 0; a < 3; a++)
        c[a] = cells_along(k, i, a, cutoff + moved_nm + k->moved_nm);
    for (int32_t z = 0; z < c[2].n; z++)
        for (int32_t y = 0; y < c[1].n; y++)
            for (int32_t x = 0; x < c[0].n; x++)
                if (misses_in_cell(k, i,
                                   nth_cell(k, &c[0], 0, x) + nth_cell(k, &c[1], 1, y) +
                                       nth_cell(k, &c[2], 2, z),
                                   moved2))
                    return true;
    return false;
}

/* How far each slot has gone; how many strays there are. */
static int32_t find_moved(AmphiCpuList *list, const Look *k, int32_t threads)
{
    int32_t n = 0;

#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : n)
    for (int32_t slot = 0; slot < list->n; slot++) {
        list->moved2_nm2[slot] = (float)moved2_of(k, list->bead_of[slot]);
        n += list->moved2_nm2[slot] >= k->stray2;
    }
    return n;
}

/* Those that may have met the bead that has gone furthest, cell by cell. */
static void find_far(AmphiCpuList *list, const Look *k)
{
    const int32_t cells = list->n_cells[0] * list->n_cells[1] * list->n_cells[2];
    const float   least = other_moved2(k, k->moved_nm);
    int32_t       n     = 0;

    for (int32_t c = 0; c < cells; c++) {
        list->cell_far[c] = n;
        for (int32_t slot = list->cell_start[c]; slot < list->cell_start[c + 1]; slot++) {
            list->far_slot[n] = slot;
            n += list->moved2_nm2[slot] > least;
        }
    }
    list->cell_far[cells] = n;
}

static bool misses_any(const AmphiCpuList *list, const Look *k, int32_t threads)
{
    bool misses = false;

#pragma omp parallel for schedule(dynamic, 256) num_threads(threads) reduction(|| : misses)
    for (int32_t slot = 0; slot < list->n; slot++)
        if (!misses && list->moved2_nm2[slot] >= k->stray2)
            misses = misses_pair(k, list->bead_of[slot],
                                 sqrt((double)list->moved2_nm2[slot]) * (1 + 1e-6));
    return misses;
}

/* Of all beads, squared; infinite if one is gone, or nowhere that is a number. */
static double furthest2(const Look *k, int32_t threads)
{
    const double gone  = gone_share * k->margin_nm;
    double       most2 = 0;

#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : most2)
    for (int32_t i = 0; i < k->list->n; i++) {
        const double r2 = moved2_of(k, i);

        most2 = fmax(most2, r2 <= gone * gone ? r2 : HUGE_VAL);
    }
    return most2;
}

bool amphi_cpu_list_is_stale(AmphiCpuList *list, const double        box_nm[3],
                             const double (*position_nm)[3], int32_t threads)
{
    Look   k      = { .list = list, .position_nm = position_nm, .box_nm = box_nm };
    double shrink = 1, most2;

    if (list->n_builds == 0)
        return true;
    for (int a = 0; a < 3; a++) {
        k.inv[a]       = 1 / box_nm[a];
        k.inv_built[a] = 1 / list->box_nm[a];
        shrink         = fmin(shrink, box_nm[a] / list->box_nm[a]);
    }
    /* a box that has shrunk brings all beads nearer to each other */
    k.margin_nm = (list->system->cutoff_nm + list->margin_nm) * shrink - list->system->cutoff_nm;
    if (!(k.margin_nm > 0))
        return true;
    k.stray2 = (float)(0.25 * k.margin_nm * k.margin_nm) * (1 - 1e-6F);
    most2    = furthest2(&k, threads);
    if (most2 <= 0.25 * k.margin_nm * k.margin_nm)
        return false;
    k.moved_nm = sqrt(most2) * (1 + 1e-6);
    if (isinf(most2) || find_moved(list, &k, threads) > list->n / MOST_OF)
        return true;
    find_far(list, &k);
    return misses_any(list, &k, threads);
}
