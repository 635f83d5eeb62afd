/* What the two files of the neighbour list share: cells.cu sorts beads in space, rows.cu fills rows.
 *
 * Cells are at least half as wide as the list reaches, so that a bead's neighbours are in the five
 * cells around along each axis. Their number follows the box at every build. Cells are numbered with
 * z fastest: beads of one type in the five cells along z are one stretch of slots.
 */
#ifndef AMPHI_CUDA_CELLS_H
#define AMPHI_CUDA_CELLS_H

#include "state.h"

#define ALL_LANES 0xffffffffu /* of a warp */

enum { WINDOW = 5, MOST_CELLS_ALONG = 1024 };

/* The grid of the present build; written by its first kernel. */
typedef struct {
    int32_t  n_cells[3], cells; /* cells: all of them */
    int32_t  n_bars;
    int32_t  wraps;             /* is the box so small that pairs need the nearest image? */
    double   units_per_cell[3]; /* of 2^-32 of the box */
    float    nm_per_unit[3];
    float    reach2_nm2, short2_nm2;
    int32_t  longest_short; /* entries that the short rows need */
    uint32_t ticket, done;  /* tiles that the scan has begun; blocks of the last kernel */
} Grid;

/* What kernels of the list need beside the view. A bar is up to `depth` cells in a row along x: what
 * one block fills rows of; `room`: candidates that a block holds at a time. */
typedef struct {
    int32_t *count, *first, *next; /* [n_keys] by type and cell, [n_keys], [n]: beads + 1 */
    unsigned long long *tile;      /* [n_tiles] of the scan */
    Grid               *grid;
    int32_t             n_keys, n_tiles; /* n_keys: whole tiles of n_types * max_cells + 1 */
    int32_t             depth, room;
} CellsWork;

struct CellsPlan {
    CellsWork work;
    size_t    shared_bytes, most_shared_bytes;
    int32_t   n_blocks;
};

/* How far rows look: what fp32 and 32-bit fractions can shorten a distance by is added. */
__host__ __device__ static inline double reach_of(const View *v)
{
    return (v->cutoff_nm + v->margin_nm) * (1 + 1e-5);
}

/* A bead's place in whole units of 2^-32 of the box, whatever the precision. */
__device__ static inline uint32_t units_of(Coordinate at)
{
#ifdef AMPHI_BUILD_DOUBLE
    return (uint32_t)(uint64_t)(at * 4294967296.0);
#else
    return (uint32_t)at;
#endif
}

/* rows.cu: how many cells a block takes and how much shared memory, for a grid like this one. */
AmphiStatus AMPHI_T(rows_open)(Device *d, const int32_t n_cells[3], AmphiError *err);
AmphiStatus AMPHI_T(rows_grow)(Device *d, int32_t most_candidates, AmphiError *err);
/* The last kernel of a build: rows, and the list is no longer stale. */
AmphiStatus AMPHI_T(rows_fill)(Device *d, AmphiError *err);

#endif
