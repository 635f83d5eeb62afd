/* What the files of the neighbour list share: cells.cu sorts beads in space, rows.cu fills rows,
 * order.cu sorts those, and cells_open.cu gives them room.
 *
 * Cells are columns along z, at least half as wide as the list reaches, cut in short pieces. They
 * are numbered up one column and down the next, and columns to and fro: beads of one kind in any
 * stretch of a column are one stretch of slots, and cells with neighbouring numbers touch. Their
 * number follows the box at every build.
 */
#ifndef AMPHI_CUDA_CELLS_H
#define AMPHI_CUDA_CELLS_H

#include <math.h>

#include "stale.h"
#include "state.h"
#include "warps.h"

enum { MOST_CELLS_ALONG = 4096 };
enum { SCAN_BLOCK = 256, SCAN_EACH = 8, SCAN_TILE = SCAN_BLOCK * SCAN_EACH }; /* of counts */

/* Beads of a tile. More share the work on a candidate, but have more that are in reach of only some
 * of them: 8 take a tenth less time than 4 where there are enough tiles to keep the device busy. */
enum { SMALL_TILE = 4, LARGE_TILE = 8, MOST_OF_TILE = LARGE_TILE };

__host__ __device__ static constexpr int32_t tile_of(int32_t lanes)
{
    return lanes >= 16 ? SMALL_TILE : LARGE_TILE;
}

/* In small systems every row has a place for the longest: a tile that asked where its rows begin
 * would wait for the answer, with nobody else at work. */
__host__ __device__ static constexpr bool rows_have_places(int32_t lanes)
{
    return lanes >= 16;
}

/* Kernels of a small system take longer to begin than to work: one sorts its beads, and nobody
 * looks at strays. That one knows no layers. */
enum { FEW_BEADS = 50000 };

static inline bool is_small(const View *v)
{
    return v->n <= FEW_BEADS && !v->is_layered;
}

/* The grid of the present build; written by its first kernel, but `turn` by the second, and
 * `longest_short` and all from `done` on by those that fill and sort rows. */
typedef struct {
    int32_t  n_cells[3], cells; /* cells: all of them */
    int32_t  layer_cells;       /* of a layer: entries.h; all of them if there are no layers */
    int32_t  layer_keys;        /* of other kinds than the first, between layers: key_of */
    int32_t  first_unechoed;    /* key of the first cell of the layer after those with echoes */
    int32_t  fits;              /* the cut-off in the box */
    int32_t  set, turn;         /* which of two sets of counts: of this build, of the next */
    double   units_per_cell[3], cells_per_unit[3]; /* unit: 2^-32 of the box */
    double   reach_units[3];
    float    nm_per_unit[3];
    float    reach2_nm2, short2_nm2;
    int32_t  longest_short; /* entries that the short rows need */
    int32_t  is_beyond;     /* is a slot that an entry cannot tell? */
    uint32_t ticket;        /* tiles that the scan has begun */
    uint32_t done;          /* blocks that have filled rows */
    uint32_t n_rounds;      /* of entries, that rows need */
    int32_t  wants_order;   /* the rows are new */
    uint32_t n_sorted;      /* blocks that have sorted them */
} Grid;

/* Around which point of a bead the list is built. */
typedef struct __align__(16)
{
    uint32_t x, y, z; /* units of 2^-32 of the box */
    int32_t  slot;    /* its own, for who fetches many */
}
Place;

/* Of all blocks that sort beads in one kernel: beads are counted; cells are scanned. */
enum { MEETINGS = 2 };

/* What kernels of the list need beside the view. Counts, chains and arrivals are of one set, and
 * cleared in the build that uses the other. */
typedef struct {
    int32_t            *count, *first; /* [2][n_keys] by key_of: beads; one of them + 1 */
    int32_t            *next;          /* [n] another bead of the same group + 1 */
    unsigned long long *tile;          /* [n_tiles] of the scan */
    uint32_t           *arrived;       /* [2][MEETINGS] blocks, in the kernel that does all */
    Grid               *grid;
    Place              *place;           /* [n] by slot */
    int32_t            *in_space;        /* [n] slots in the order of cells, whatever the kind */
    int32_t            *before_layer;    /* [n_kinds][MOST_CELLS_ALONG] slots of the kind */
    int32_t             n_keys, n_tiles; /* n_keys: whole tiles of n_kinds * max_cells + 1 */
} CellsWork;

struct CellsPlan {
    CellsWork work;
    size_t    shared_bytes;    /* of a block that fills rows */
    int32_t   most_exclusions; /* of a bead */
    Stray    *stray;           /* [most_strays] of the view, where it has them */
};

/* How far rows look: what fp32 and 32-bit fractions can shorten a distance by is added. */
__host__ __device__ static inline double reach_of(const View *v)
{
    return (v->cutoff_nm + v->margin_nm) * (1 + LIST_ROUNDING);
}

/* Which of n cells along an axis. */
__device__ static inline int32_t cell_of_units(uint32_t units, int32_t n)
{
    return (int32_t)(units * (uint64_t)n >> 32);
}

__device__ static inline int32_t column_number(const Grid &g, int32_t x, int32_t y)
{
    return x * g.n_cells[1] + (x & 1 ? g.n_cells[1] - 1 - y : y);
}

/* The place of the beads of one kind in a cell: those of a layer stand together. x: its column. */
__device__ static inline int32_t key_of(const Grid &g, int32_t kind, int32_t cell, int32_t x)
{
    return x * g.layer_keys + kind * g.layer_cells + cell;
}

static inline uint32_t blocks_of(int64_t n, int32_t each)
{
    return (uint32_t)((n + each - 1) / each);
}

/* Columns of at least half the reach, cut in sixths of it; no more cells than there is room for. */
__host__ __device__ static inline void count_cells(const View *v, const double box_nm[3],
                                                   int64_t most, int32_t n[3])
{
    const double a_reach = 1 / reach_of(v);

    for (int a = 0; a < 3; a++) {
        const double fit = floor((a < 2 ? 2 : 6) * box_nm[a] * a_reach);

        n[a] = (int32_t)fmin(fmax(fit, 1.0), (double)MOST_CELLS_ALONG);
    }
    while ((int64_t)n[0] * n[1] * n[2] > most) {
        const int32_t largest = n[0] >= n[1] && n[0] >= n[2] ? 0 : n[1] >= n[2] ? 1 : 2;

        n[largest]--;
    }
}

/* rows.cu: shared memory for the exclusions of this system, and for rows of view.longest. */
AmphiStatus AMPHI_T(rows_fit)(Device *d, AmphiError *err);
/* The last kernels of a build: rows, and the list is no longer stale; rows sorted (order.cu). */
AmphiStatus AMPHI_T(rows_fill)(Device *d, AmphiError *err);
AmphiStatus AMPHI_T(rows_sort)(Device *d, AmphiError *err);

/* cells.cu. Small systems: claims blocks that sort the beads in one kernel. Where the device has no
 * room for them beside those of other states, three kernels do it, to the same lists. */
AmphiStatus AMPHI_T(cells_claim)(Device *d, AmphiError *err);

#endif
