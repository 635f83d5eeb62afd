/* Neighbour lists on the CPU: beads sorted in space, and for each bead a row of neighbours in
 * segments of one bead type.
 *
 * Slots number the beads in the order of cells and, within a cell, of types; a row holds slots. A
 * list holds every pair nearer than cutoff + margin when it was built, each from both sides, less
 * exclusions. It stays exact while no bead has moved more than half the margin. Segments are padded
 * to whole groups with the bead's own slot. Rows stand in another order than slots, an eighth of a
 * cell after the other, so that those in succession read the same beads. One list serves every precision: it is built in fp32
 * from 32-bit fractions of the box, whose error the reach allows for.
 */
#ifndef AMPHI_ENGINE_CPU_LIST_H
#define AMPHI_ENGINE_CPU_LIST_H

#include "arena.h"
#include "system.h"

typedef struct {
    const AmphiSystem *system;
    AmphiArena        *arena;
    int32_t            n, n_types, pad; /* pad: entries a group, 4 to 16 */
    double             margin_nm;
    int32_t           *exclusion_start; /* [n + 1] by bead */
    int32_t           *exclusion;       /* beads that do not interact, both ways */

    /* of the last build */
    int64_t  n_builds;
    double   box_nm[3];
    int32_t  n_cells[3], cell_stride[3], max_cells; /* cell: sum of cells along times strides */
    int32_t *cell_start;                            /* [cells + 1] first slot of a cell */
    int32_t *cell_of;                               /* [n] by bead */
    int32_t *bead_of, *slot_of;                     /* [n] */
    int32_t *type_of;                               /* [n] by slot */
    int32_t *at[3];        /* [n + 16] by slot: 32-bit fractions of the box */
    int32_t  n_runs;       /* stretches of one type within a cell */
    int32_t *run_start;    /* [n + 1] first slot */
    int32_t *cell_run;     /* [cells + 1] first run of a cell */
    double (*built_nm)[3]; /* [n] by bead: where it was */
    int32_t  stride;       /* entries of a row */
    int32_t *row;          /* [n][stride] neighbour slots */
    int32_t *owner;        /* [n] the slot that a row belongs to */
    int32_t *segment_end;  /* [n][n_types] within the row, padded */
    int64_t  n_neighbours; /* entries in all rows, padding left out */
} AmphiCpuList;

AmphiStatus amphi_cpu_list_open(const AmphiSystem *system, double margin_nm, int32_t pad,
                                AmphiCpuList **list, AmphiError *err);
void        amphi_cpu_list_close(AmphiCpuList *list);

/* Must the list be built anew for these positions [n], by bead? It says yes whenever a pair inside
 * the cut-off might be missing. */
bool amphi_cpu_list_is_stale(const AmphiCpuList *list, const double box_nm[3],
                             const double (*position_nm)[3]);

/* AMPHI_BAD_INPUT: the box is too small for the cut-off; AMPHI_UNSTABLE: a position is not finite. */
AmphiStatus amphi_cpu_list_build(AmphiCpuList *list, const double        box_nm[3],
                                 const double (*position_nm)[3], int32_t threads, AmphiError *err);

/* Where a cell is along direction a. */
static inline int32_t amphi_cpu_cell_along(const AmphiCpuList *list, int32_t cell, int a)
{
    return cell / list->cell_stride[a] % list->n_cells[a];
}

/* x as a fraction of the edge in units of 2^-32, wrapped: the same for every image of a point. */
static inline int32_t amphi_cpu_fraction(double x, double inv_edge)
{
    const double s = x * inv_edge;
    const double f = (s - __builtin_floor(s)) * 4294967296.0;

    return (int32_t)(uint32_t)(uint64_t)f;
}

/* Has this machine the AVX-512 that the v4 builds use, and does AMPHI_CPU=v3 not forbid it? */
bool amphi_cpu_has_v4(void);

#endif
