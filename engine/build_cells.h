/* Beads by cells of the box: who may be near a point.
 *
 * Cells are at least as wide as the reach, so the cells around a point hold every bead within it.
 * A cell's beads are a chain, the last put in first: the order depends on nothing but the order of
 * the calls.
 */
#ifndef AMPHI_ENGINE_BUILD_CELLS_H
#define AMPHI_ENGINE_BUILD_CELLS_H

#include "arena.h"
#include "build_space.h"
#include "error.h"

typedef struct {
    double   box_nm[3];
    int32_t  n[3];
    int32_t *first; /* [n cells] bead, -1: empty */
    int32_t *next;  /* [n_beads] bead behind this one, -1: the last */
} AmphiCells;

AmphiStatus amphi_cells_make(const double box_nm[3], double reach_nm, int32_t n_beads,
                             AmphiArena *arena, AmphiCells *cells, AmphiError *err);
void        amphi_cells_clear(AmphiCells *cells);
void        amphi_cells_put(AmphiCells *cells, int32_t bead, const double position_nm[3]);

/* The cells that touch the cell of a point, each once; their number. */
int32_t amphi_cells_around(const AmphiCells *cells, const double position_nm[3], int32_t cell[27]);

#endif
