/* Filling the rows of a neighbour list, compiled for each instruction set. Private to
 * cpu_list.c. */
#ifndef AMPHI_ENGINE_CPU_ROWS_H
#define AMPHI_ENGINE_CPU_ROWS_H

#include "cpu_list.h"

/* Where to look for the neighbours of a bead. */
typedef struct {
    int32_t reach[3]; /* cells to each side of its own; all, where an axis has fewer */
    /* (cut-off + margin)^2, enlarged by the rounding error; negative where nothing acts: of two
     * types [n_types][n_types], and the largest that a type has [n_types] */
    const float *reach2_nm2, *most_reach2_nm2;

    float   nm_per_unit[3];  /* of AmphiCpuList.at */
    float   half_nm[3];      /* half the edges of an octant of a cell */
    int32_t most_candidates; /* largest number of candidates of one type for a cell */
} AmphiRowsPlan;

/* Fills in row and segment_end of every slot, and n_neighbours. Returns the length of the longest
 * row; if that exceeds list->stride, the rows are incomplete. Negative: no memory. */
typedef int32_t AmphiFillRows(AmphiCpuList *list, const AmphiRowsPlan *plan, int32_t threads);

AmphiFillRows amphi_cpu_rows_v3, amphi_cpu_rows_v4;

#endif
