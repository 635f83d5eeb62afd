/* The bonded terms of a molecule as the builder sees them: distances to keep, and directions of
 * axes.
 */
#ifndef AMPHI_ENGINE_BUILD_LINKS_H
#define AMPHI_ENGINE_BUILD_LINKS_H

#include "arena.h"
#include "system.h"

/* A distance between two beads (indices in the molecule): a bond, or the ends of an angle at
 * rest. */
typedef struct {
    int32_t a, b;
    double  length_nm;
    bool    is_bond;
} AmphiLink;

/* The axis of `bead` is at the angle of this cosine to the direction between two beads. */
typedef struct {
    int32_t bead, from, to;
    double  cosine;
} AmphiAim;

typedef struct {
    int32_t    n_links, n_aims;
    AmphiLink *link; /* bonds first */
    AmphiAim  *aim;
} AmphiLinks;

/* From bonds, angles, dipole restraints and bond_axis terms. Ellipsoids in a chain without such a
 * term are directed along the chain. */
AmphiStatus amphi_links_make(const AmphiSystem *types, const AmphiMoleculeType *molecule,
                             AmphiArena *arena, AmphiLinks *links, AmphiError *err);

#endif
