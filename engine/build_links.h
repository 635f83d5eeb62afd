/* What holds a molecule together, as the builder sees it: distances to keep, and axes to aim.
 */
#ifndef AMPHI_ENGINE_BUILD_LINKS_H
#define AMPHI_ENGINE_BUILD_LINKS_H

#include "arena.h"
#include "system.h"

/* Beads are places in the molecule. A bond, or the two ends of an angle at rest. */
typedef struct {
    int32_t a, b;
    double  length_nm;
    bool    is_bond;
} AmphiLink;

/* The axis of `bead` makes the angle with this cosine with the direction from one bead to another.
 */
typedef struct {
    int32_t bead, from, to;
    double  cosine;
} AmphiAim;

typedef struct {
    int32_t    n_links, n_aims;
    AmphiLink *link; /* bonds first */
    AmphiAim  *aim;
} AmphiLinks;

/* Reads bonds, angles, dipole restraints and couplings of axes; ellipsoids in a chain that nothing
 * couples are aimed along it. */
AmphiStatus amphi_links_make(const AmphiSystem *types, const AmphiMoleculeType *molecule,
                             AmphiArena *arena, AmphiLinks *links, AmphiError *err);

#endif
