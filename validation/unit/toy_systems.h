/* Small systems made by hand, for tests without files: ELBA water and lipids with their contact
 * distances and lengths at rest, and a fluid of ellipsoids. Pair rules have only a contact
 * distance, or one Gay-Berne term.
 */
#ifndef AMPHI_VALIDATION_UNIT_TOY_SYSTEMS_H
#define AMPHI_VALIDATION_UNIT_TOY_SYSTEMS_H

#include "../../engine/arena.h"
#include "../../engine/build.h"
#include "../../engine/system.h"

enum { TOY_WAT, TOY_CHOL, TOY_AMI, TOY_PHOS, TOY_GLY, TOY_EST, TOY_TAIL, TOY_TYPES };
enum { TOY_WATER, TOY_DMPC, TOY_DOPC, TOY_DOPE, TOY_MOLECULES };

/* Types and molecule types of ELBA; no molecules. The numbers are those of Orsi & Essex, PLoS ONE
 * 6, e28637 (2011). */
AmphiSystem toy_elba(AmphiArena *arena);
/* The same with the tails of DMPC as ellipsoids that are coupled to their chain (the B08o model).
 */
AmphiSystem toy_ellipsoid_tails(AmphiArena *arena);
/* One type of bead, alone in its molecule: an ellipsoid with this breadth and length. */
AmphiSystem toy_gay_berne(AmphiArena *arena, double breadth_nm, double length_nm);

/* Molecules, beads, bonds and exclusions (bonded pairs) of these portions, in their order. */
void toy_populate(AmphiSystem *system, const AmphiPortion *portion, int32_t n_portions,
                  AmphiArena *arena);
/* The system that a plan makes. */
void toy_populate_plan(AmphiSystem *system, const AmphiBuildPlan *plan, AmphiArena *arena);

#endif
