/* The closest beads of a system, measured by what should keep them apart. */
#ifndef AMPHI_ENGINE_OVERLAP_H
#define AMPHI_ENGINE_OVERLAP_H

#include "system.h"

typedef struct {
    int32_t bead[2]; /* -1: no pair within its contact distance */
    double  distance_nm, sigma_nm;
} AmphiClosest;

/* The unexcluded pair with the smallest distance over sigma among those below one; of pairs below a
 * tenth the first that is found. Beads that act on each other without a core count as 0.001 nm wide.
 * Lists of cells, so the time grows as the number of beads. AMPHI_NO_MEMORY. */
AmphiStatus amphi_closest_pair(const AmphiSystem *system, AmphiClosest *closest, AmphiError *err);

/* Is the pair on the list of exclusions? */
bool amphi_is_excluded(const AmphiSystem *system, int32_t i, int32_t j);

#endif
