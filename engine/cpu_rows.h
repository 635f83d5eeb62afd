/* Filling the rows of a neighbour list, once for each instruction set. Used by cpu_list.c alone. */
#ifndef AMPHI_ENGINE_CPU_ROWS_H
#define AMPHI_ENGINE_CPU_ROWS_H

#include "cpu_list.h"

/* How far a row looks: x cells around its own, and all of a direction that has fewer cells. */
typedef struct {
    int32_t reach[3];
    float   reach2_nm2;
    float   nm_per_unit[3];
    float   half_nm[3];      /* of an eighth of a cell, to each side of its middle */
    int32_t most_candidates; /* room for the candidates of one cell, of one type */
} AmphiRowsPlan;

/* Fills row and segment_end of every slot; n_neighbours too. The entries that the longest row needs:
 * more than the stride means that the rows are not complete. Negative: no memory. */
typedef int32_t AmphiFillRows(AmphiCpuList *list, const AmphiRowsPlan *plan, int32_t threads);

AmphiFillRows amphi_cpu_rows_v3, amphi_cpu_rows_v4;

#endif
