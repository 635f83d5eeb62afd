/* The shape of one kind of molecule: its bonds as a tree from the head, and the shapes that its
 * beads can be laid out in: standing in a leaflet, or coiled in a liquid.
 */
#ifndef AMPHI_ENGINE_BUILD_SHAPE_H
#define AMPHI_ENGINE_BUILD_SHAPE_H

#include "build_contact.h"
#include "build_links.h"
#include "build_space.h"

typedef struct {
    int32_t    n_beads;
    int32_t   *order;      /* [n_beads] places, a parent before its children */
    int32_t   *parent;     /* [n_beads] place, -1 for the first of the order */
    int32_t   *n_children; /* [n_beads] */
    int32_t   *rank;       /* [n_beads] which child of its parent */
    double    *bond_nm;    /* [n_beads] length to the parent */
    double    *depth;      /* [n_beads] part of the volume on the head's side of the bead, 0 to 1 */
    double     volume_nm3; /* in a liquid */
    double     solid_nm3;  /* of its beads as spheres and spheroids of contact size */
    double     length_nm;  /* stretched out */
    AmphiLinks links;
} AmphiShape;

AmphiStatus amphi_shape_make(const AmphiSystem *types, const AmphiContact *contacts,
                             const AmphiMoleculeType *molecule, AmphiArena *arena,
                             AmphiShape *shape, AmphiError *err);

/* Positions relative to the foot of the molecule on the leaflet's surface, head up, chains down to
 * `thickness_nm` below it; each bead at the height where the volume above it says. */
void amphi_shape_stand(const AmphiShape *shape, double thickness_nm, AmphiDraws *draws,
                       double (*x)[3]);

/* Positions relative to the middle of the molecule, turned and bent at random. */
void amphi_shape_coil(const AmphiShape *shape, AmphiDraws *draws, double (*x)[3]);

#endif
