/* A cell grid: which beads may be near a point.
 *
 * Cells are at least as wide as the reach, so that the cells around a point contain all beads
 * within reach. The beads of a cell are a linked list, the last one added first, so that their
 * order depends only on the order of the calls.
 */
#ifndef AMPHI_ENGINE_BUILD_CELLS_H
#define AMPHI_ENGINE_BUILD_CELLS_H

#include "arena.h"
#include "build_space.h"
#include "error.h"

typedef struct {
    double   box_nm[3];
    int32_t  n[3];
    int32_t *first; /* [cells] first bead, -1: empty */
    int32_t *next;  /* [n_beads] next bead of the cell, -1: none */
} AmphiCells;

AmphiStatus amphi_cells_make(const double box_nm[3], double reach_nm, int32_t n_beads,
                             AmphiArena *arena, AmphiCells *cells, AmphiError *err);
void        amphi_cells_clear(AmphiCells *cells);
void        amphi_cells_put(AmphiCells *cells, int32_t bead, const double position_nm[3]);

/* Writes the cell of a point and those that touch it, each once; returns their number. */
int32_t amphi_cells_around(const AmphiCells *cells, const double position_nm[3], int32_t cell[27]);

#endif
