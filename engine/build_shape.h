/* The shape of a molecule type: the tree of its bonds from the head on, and random conformations,
 * either standing in a leaflet or coiled as in a liquid.
 */
#ifndef AMPHI_ENGINE_BUILD_SHAPE_H
#define AMPHI_ENGINE_BUILD_SHAPE_H

#include "build_contact.h"
#include "build_links.h"
#include "build_space.h"

typedef struct {
    int32_t    n_beads;
    int32_t   *order;      /* [n_beads] indices of beads, parents before their children */
    int32_t   *parent;     /* [n_beads] index, -1 for the first of the order */
    int32_t   *n_children; /* [n_beads] */
    int32_t   *rank;       /* [n_beads] index among the children of its parent */
    double    *bond_nm;    /* [n_beads] length of the bond to the parent */
    double    *depth;      /* [n_beads] fraction of the volume above the bead, head up; 0 to 1 */
    double     volume_nm3; /* in a liquid */
    double     solid_nm3;  /* of its beads as spheres and spheroids of contact size */
    double     length_nm;  /* fully extended */
    AmphiLinks links;
} AmphiShape;

AmphiStatus amphi_shape_make(const AmphiSystem *types, const AmphiContact *contacts,
                             const AmphiMoleculeType *molecule, AmphiArena *arena,
                             AmphiShape *shape, AmphiError *err);

/* A conformation in a leaflet: positions [n_beads] in nm relative to the molecule's point on the
 * surface, head up, chains down to thickness_nm below it, the height of each bead following from
 * its depth. */
void amphi_shape_stand(const AmphiShape *shape, double thickness_nm, AmphiDraws *draws,
                       double (*x)[3]);

/* A random conformation and orientation: positions [n_beads] in nm relative to the middle. */
void amphi_shape_coil(const AmphiShape *shape, AmphiDraws *draws, double (*x)[3]);

#endif
