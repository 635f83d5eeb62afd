/* A grid over the periodic box for sorting beads by cells, which are at least as wide as the reach:
 * what is within reach of a point is in its cell or in one that touches it.
 */
#ifndef AMPHI_ENGINE_GRID_H
#define AMPHI_ENGINE_GRID_H

#include <math.h>
#include <stdint.h>

typedef struct {
    double  box_nm[3];
    int32_t n[3];
} AmphiGrid;

/* Up to `most` cells along an edge. With fewer than three, cells would touch each other twice: then
 * there is one. */
static inline AmphiGrid amphi_grid_of(const double box_nm[3], double reach_nm, int32_t most)
{
    AmphiGrid g;

    for (int a = 0; a < 3; a++) {
        const double n = floor(box_nm[a] / reach_nm);

        g.box_nm[a] = box_nm[a];
        g.n[a]      = !(n >= 3) ? 1 : n < most ? (int32_t)n : most;
    }
    return g;
}

static inline int32_t amphi_grid_cells(const AmphiGrid *g)
{
    return g->n[0] * g->n[1] * g->n[2];
}

static inline int32_t amphi_grid_along(const AmphiGrid *g, int a, double x)
{
    const double share = x / g->box_nm[a] - floor(x / g->box_nm[a]);
    const double cell  = share * g->n[a];

    return cell < g->n[a] ? (int32_t)cell : g->n[a] - 1;
}

/* The cell of a point. */
static inline int32_t amphi_grid_at(const AmphiGrid *g, const double x[3])
{
    return (amphi_grid_along(g, 0, x[0]) * g->n[1] + amphi_grid_along(g, 1, x[1])) * g->n[2] +
           amphi_grid_along(g, 2, x[2]);
}

/* The cell of a point and those that touch it, each once; their number. */
static inline int32_t amphi_grid_around(const AmphiGrid *g, const double x[3], int32_t cell[27])
{
    int32_t near[3][3], n[3], count = 0;

    for (int a = 0; a < 3; a++) {
        const int32_t c = amphi_grid_along(g, a, x[a]);

        n[a]       = g->n[a] == 1 ? 1 : 3;
        near[a][0] = c;
        near[a][1] = (c + 1) % g->n[a];
        near[a][2] = (c + g->n[a] - 1) % g->n[a];
    }
    for (int32_t p = 0; p < n[0]; p++)
        for (int32_t q = 0; q < n[1]; q++)
            for (int32_t r = 0; r < n[2]; r++)
                cell[count++] = (near[0][p] * g->n[1] + near[1][q]) * g->n[2] + near[2][r];
    return count;
}

#endif
