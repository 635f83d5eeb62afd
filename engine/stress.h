/* The pressure of a state as it is spread along an axis: how much momentum flows through each slab.
 *
 *   P_ab V_slab = sum m v_a v_b of the beads in it
 *               + sum d_a F_b times the part of the line between two beads that is in it
 *
 * with straight lines between nearest images: Irving & Kirkwood, J. Chem. Phys. 18, 817 (1950), as
 * in Lindahl & Edholm, J. Chem. Phys. 113, 3882 (2000). Through any plane thus flows the force
 * between both sides, so that in equilibrium the normal pressure is the same everywhere, and the
 * sums over all slabs are those of the whole box. An angle's forces are taken apart into three
 * along the edges of its triangle, as in Vanegas, Torres-Sanchez & Arroyo, J. Chem. Theory Comput.
 * 10, 691 (2014). Position restraints are tied to the box: no bead passes their momentum on.
 */
#ifndef AMPHI_ENGINE_STRESS_H
#define AMPHI_ENGINE_STRESS_H

#include "slabs.h"

/* Of each part: the mean of both directions in the plane of the slabs, and the one across. */
enum { AMPHI_LATERAL, AMPHI_NORMAL, AMPHI_DIRECTIONS };

typedef struct AmphiStress AmphiStress;

/* All borrowed. NULL: no memory. */
AmphiStress *amphi_stress_new(const AmphiSystem *system, const AmphiSlabs *slabs,
                              AmphiArena *arena);
/* Parts are the kinetic one, number 0, and then one for each term of the energy of which the system
 * has any pair or bond, position restraints aside. */
int32_t     amphi_stress_parts(const AmphiStress *stress);
const char *amphi_stress_name(const AmphiStress *stress, int32_t part); /* "kinetic", "lj", ... */

/* Sums over a frame with energies, positions and orientations, in kJ/mol: [part][direction][slab],
 * an array that belongs to `stress`. The middle of the slabs is at middle_nm. The kinetic parts of
 * beads are of v(t), scaled along each axis so that together they are kinetic_half_kJ_mol, from
 * which the pressure is computed. On so many threads (0: as many as there are), with the same bits
 * on any number. */
const double *amphi_stress_sum(AmphiStress *stress, const AmphiFrame *frame, double middle_nm,
                               int32_t threads);

#endif
