/* Contact distances of all pairs of bead types, for the builder.
 *
 * That of spheres is sigma_nm of the pair rule. That of a pair with a Gay-Berne term is the
 * distance at which its bare energy is zero, and depends on both axes (sigma in
 * forcefield/pair_gay_berne.h).
 */
#ifndef AMPHI_ENGINE_BUILD_CONTACT_H
#define AMPHI_ENGINE_BUILD_CONTACT_H

#include "../forcefield/spec.h"
#include "arena.h"
#include "system.h"

typedef struct {
    double sigma_nm;  /* of spheres, or of ellipsoids side by side; 0: the pair never touches */
    double widest_nm; /* the largest over all orientations */
    double xi, xj;    /* shape anisotropies of both types, 0 for spheres */
} AmphiContact;

/* Of a Gay-Berne potential with these fields. */
AmphiContact amphi_contact_of_ellipsoids(const AmphiPotential *p, const double *field);

/* [n_types][n_types], in the arena; NULL when there is no memory. */
AmphiContact *amphi_contacts_make(const AmphiSystem *types, AmphiArena *arena);

/* The contact distance in nm of two beads with these unit axes and the displacement d, |d| = r
 * > 0. */
double amphi_contact_nm(const AmphiContact *contact, const double axis_i[3], const double axis_j[3],
                        const double d[3], double r);

#endif
