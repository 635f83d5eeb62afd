/* Neighbour lists on the CPU: the beads sorted in space, and for each of them a row of neighbours,
 * divided into segments of one bead type.
 *
 * A slot is a bead's index in the order of cells and, within a cell, of types; rows contain slots.
 * A list contains every pair nearer than the cut-off of its types + margin when it was built,
 * except exclusions, once for each of the two beads. It is exact while no two beads that it has no
 * pair of have come nearer than their cut-off: cpu_stale.c.
 * Segments are padded with the bead's own slot to a multiple of `pad`. Rows are not in the order of
 * slots but by octants of cells, so that consecutive rows read the same beads. One list serves all
 * precisions: it is built in fp32 from 32-bit fractions of the box edges, and its reach is enlarged
 * by their rounding error.
 */
#ifndef AMPHI_ENGINE_CPU_LIST_H
#define AMPHI_ENGINE_CPU_LIST_H

#include "arena.h"
#include "system.h"

/* Relative rounding error of a distance from 32-bit fractions and fp32 squares. */
#define AMPHI_CPU_LIST_ROUNDING 1e-5

typedef struct {
    const AmphiSystem *system;
    AmphiArena        *arena;
    int32_t            n, n_types, pad; /* pad: lanes of a vector, 4 to 16 */
    double             margin_nm;
    int32_t           *exclusion_start; /* [n + 1] by bead */
    int32_t           *exclusion;       /* beads that do not interact, each pair twice */
    int32_t           *by_type;         /* [n] beads, type by type */

    /* of the last build */
    int64_t  n_builds; /* 0: none yet */
    double   box_nm[3];
    int32_t  n_cells[3], cell_stride[3], max_cells; /* cell = sum of index * stride over axes */
    int32_t *cell_start;                            /* [cells + 1] first slot of a cell */
    int32_t *cell_of;                               /* [n] by bead */
    int32_t *bead_of, *slot_of;                     /* [n] bead of a slot, slot of a bead */
    int32_t *type_of;                               /* [n] by slot */
    int32_t (*place)[4];   /* [n] by bead: position in 2^-32 of the box edges, and its type */
    int32_t *at[3];        /* [n + 16] the same by slot */
    int32_t  n_runs;       /* a run: consecutive slots of one type within a cell */
    int32_t *run_start;    /* [n + 1] first slot of a run */
    int32_t *cell_run;     /* [cells + 1] first run of a cell */
    double (*built_nm)[3]; /* [n] by bead: the point that the list is built around */
    /* of the last look at beads that have gone far: cpu_stale.c */
    float   *moved2_nm2;   /* [n] by slot: how far, squared */
    int32_t *far_slot;     /* [n] of those that have gone far enough to matter, by cell */
    int32_t *cell_far;     /* [cells + 1] the first of a cell */
    int32_t  stride;       /* entries allocated for each row */
    int32_t *entry;        /* [n * stride] neighbour slots; the rows of a cell follow each other */
    int64_t *row_start;    /* [n] the first entry of a row */
    int32_t *owner;        /* [n] the slot whose neighbours are in a row */
    int32_t *segment_end;  /* [n][n_types] end of each segment in its row, padding included */
    int64_t  n_neighbours; /* entries in all rows, padding left out */
    float   *reach2_nm2;   /* [n_types + 1][n_types] as AmphiRowsPlan has them */
    int32_t *candidates;   /* [n_candidates] scratch memory for filling rows */
    int64_t  n_candidates;
} AmphiCpuList;

/* An empty list, which is stale. The system is borrowed and must outlive it. pad: what segments are
 * padded to, the largest number of lanes of the kernels that read it. AMPHI_NO_MEMORY. */
AmphiStatus amphi_cpu_list_open(const AmphiSystem *system, double margin_nm, int32_t pad,
                                AmphiCpuList **list, AmphiError *err);
void        amphi_cpu_list_close(AmphiCpuList *list); /* NULL is allowed */

/* Must the list be rebuilt for these positions ([n], by bead) and this box? True whenever a pair
 * inside the cut-off might be missing; the same for any number of threads. */
bool amphi_cpu_list_is_stale(AmphiCpuList *list, const double        box_nm[3],
                             const double (*position_nm)[3], int32_t threads);

/* Rebuilds the list. AMPHI_BAD_INPUT: the box is too small for the cut-off. AMPHI_UNSTABLE: a
 * position is not finite. AMPHI_NO_MEMORY. */
AmphiStatus amphi_cpu_list_build(AmphiCpuList *list, const double        box_nm[3],
                                 const double (*position_nm)[3], int32_t threads, AmphiError *err);

/* The index of a cell along axis a. */
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

/* Can the x86-64-v4 kernels be used? They need AVX-512 F, DQ, BW and VL; the environment variable
 * AMPHI_CPU=v3 forbids them. */
bool amphi_cpu_has_v4(void);

#endif
