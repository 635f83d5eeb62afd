/* The closest pair of beads of a system, relative to its contact distance. */
#ifndef AMPHI_ENGINE_OVERLAP_H
#define AMPHI_ENGINE_OVERLAP_H

#include "system.h"

typedef struct {
    int32_t bead[2]; /* -1: no pair within its contact distance */
    double  distance_nm, sigma_nm;
} AmphiClosest;

/* Finds the pair with the smallest distance over sigma, exclusions left out, if that is below 1; or
 * the first one found below 0.1. sigma is where they touch, of ellipsoids as they are turned. Pairs
 * that interact without a repulsive core are given a sigma of 0.001 nm. With cell lists, in time
 * proportional to the number of beads. AMPHI_NO_MEMORY. */
AmphiStatus amphi_closest_pair(const AmphiSystem *system, AmphiClosest *closest, AmphiError *err);

/* Is the pair on the list of exclusions? */
bool amphi_is_excluded(const AmphiSystem *system, int32_t i, int32_t j);

#endif
