/* What the two files of the neighbour list share: cells.cu sorts beads in space, rows.cu fills
 * rows.
 *
 * Cells are columns along z, at least half as wide as the list reaches, cut in short pieces. They
 * are numbered up one column and down the next, and columns to and fro: beads of one kind in any
 * stretch of a column are one stretch of slots, and cells with neighbouring numbers touch. Their
 * number follows the box at every build.
 */
#ifndef AMPHI_CUDA_CELLS_H
#define AMPHI_CUDA_CELLS_H

#include "state.h"
#include "warps.h"

enum { MOST_CELLS_ALONG = 4096 };

/* The grid of the present build; written by its first kernel, but `turn` by the second, and
 * `longest_short` and all from `done` on by those that fill and sort rows. */
typedef struct {
    int32_t  n_cells[3], cells; /* cells: all of them */
    int32_t  fits;              /* the cut-off in the box */
    int32_t  set, turn;         /* which of two sets of counts: of this build, of the next */
    double   units_per_cell[3], cells_per_unit[3]; /* unit: 2^-32 of the box */
    double   reach_units[3];
    float    nm_per_unit[3];
    float    reach2_nm2, short2_nm2;
    int32_t  longest_short; /* entries that the short rows need */
    uint32_t ticket;        /* tiles that the scan has begun */
    uint32_t done;          /* blocks that have filled rows */
    int32_t  wants_order;   /* the rows are new */
    uint32_t n_sorted;      /* blocks that have sorted them */
} Grid;

/* Around which point of a bead the list is built; its column: x, y. */
typedef struct __align__(16)
{
    uint32_t x, y, z; /* units of 2^-32 of the box */
    uint16_t column[2];
}
Place;

/* What kernels of the list need beside the view. Counts and chains are of one set, and cleared in
 * the build that uses the other. */
typedef struct {
    int32_t            *count, *first; /* [2][n_keys] by kind and cell: beads; one of them + 1 */
    int32_t            *next;          /* [n] another bead of the same group + 1 */
    unsigned long long *tile;          /* [n_tiles] of the scan */
    Grid               *grid;
    Place              *place;           /* [n] by slot */
    int32_t            *in_space;        /* [n] slots in the order of cells, whatever the kind */
    int32_t             n_keys, n_tiles; /* n_keys: whole tiles of n_kinds * max_cells + 1 */
} CellsWork;

struct CellsPlan {
    CellsWork work;
    size_t    shared_bytes;    /* of a block that fills rows */
    int32_t   most_exclusions; /* of a bead */
};

/* How far rows look: what fp32 and 32-bit fractions can shorten a distance by is added. */
__host__ __device__ static inline double reach_of(const View *v)
{
    return (v->cutoff_nm + v->margin_nm) * (1 + 1e-5);
}

__device__ static inline int32_t column_number(const Grid &g, int32_t x, int32_t y)
{
    return x * g.n_cells[1] + (x & 1 ? g.n_cells[1] - 1 - y : y);
}

/* rows.cu: shared memory for the exclusions of this system. */
AmphiStatus AMPHI_T(rows_open)(Device *d, AmphiError *err);
/* The last kernels of a build: rows, and the list is no longer stale; rows sorted. */
AmphiStatus AMPHI_T(rows_fill)(Device *d, AmphiError *err);

#endif
