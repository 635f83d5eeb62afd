/* The interface of bonded terms: from positions and unit axes to energy, forces and torques.
 *
 * Positions are those of the nearest images relative to the first bead, and of the third bead of an
 * angle relative to the second, so that the virial is the sum of x_k f_k. All harmonic constants
 * multiply the full square: E = k x^2, without 1/2. The sums of f and of t + x cross f are zero,
 * except for the position restraint, which is tied to the box.
 */
#ifndef AMPHI_FORCEFIELD_BOND_H
#define AMPHI_FORCEFIELD_BOND_H

#include <math.h>

#include "../engine/num/math.h"
#include "../engine/num/vector.h"
#include "rules.h"

typedef struct {
    real3 x[AMPHI_MAX_BOND_BEADS]; /* nm; x[0] = 0, or the displacement from a restraint's anchor */
    real3 u[AMPHI_MAX_BOND_BEADS]; /* unit body z axes, space frame */
} BondGeometry;

typedef struct {
    real  u;                       /* kJ/mol */
    real3 f[AMPHI_MAX_BOND_BEADS]; /* kJ/mol/nm */
    real3 t[AMPHI_MAX_BOND_BEADS]; /* kJ/mol, space frame */
} BondResult;

AMPHI_BOTH real nearer_along(real x, real next, double edge_nm)
{
    const real edge = spread((scalar)edge_nm), half = spread((scalar)(0.5 * edge_nm));
    const real gap = x - next;

    return choose(gap > half, x - edge, choose(-gap > half, x + edge, x));
}

/* Of the third bead of an angle, x, the image nearest to the second: in a box that is shorter than
 * twice both arms, not that nearest to the first. Elsewhere it is x, to the last bit. */
AMPHI_BOTH real3 nearer_image(real3 x, real3 next, const double edge_nm[3])
{
    const real3 out = { nearer_along(x.x, next.x, edge_nm[0]),
                        nearer_along(x.y, next.y, edge_nm[1]),
                        nearer_along(x.z, next.z, edge_nm[2]) };
    return out;
}

#define BOND_FIELD_MEMBER(name, dimension, range, standard, meaning) double name;
#define BOND_INPUT(bond)                                                                           \
    struct bond##_input {                                                                          \
        bond##_fields(BOND_FIELD_MEMBER)                                                           \
    }

#endif
