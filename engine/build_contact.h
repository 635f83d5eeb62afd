/* How close two beads may come: the contact distances of all pairs of types.
 *
 * Spheres touch at the pair rule's sigma_nm; a pair with a Gay-Berne term at the distance where its
 * bare energy vanishes, which depends on both axes (the sigma of forcefield/pair_gay_berne.h).
 */
#ifndef AMPHI_ENGINE_BUILD_CONTACT_H
#define AMPHI_ENGINE_BUILD_CONTACT_H

#include "arena.h"
#include "system.h"

typedef struct {
    double sigma_nm;  /* of spheres, or of ellipsoids side by side; 0: the pair never touches */
    double widest_nm; /* the largest over all orientations */
    double xi, xj;    /* shape anisotropies of both types, 0 for spheres */
} AmphiContact;

/* [n_types][n_types], in the arena; NULL when there is no memory. */
AmphiContact *amphi_contacts_make(const AmphiSystem *types, AmphiArena *arena);

/* The contact distance in nm of two beads with unit axes that are r > 0 apart along d = r n. */
double amphi_contact_nm(const AmphiContact *contact, const double axis_i[3], const double axis_j[3],
                        const double d[3], double r);

#endif
