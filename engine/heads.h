/* The beads of lipids by whose heights a leaflet is known: their heads, or those that are named.
 */
#ifndef AMPHI_ENGINE_HEADS_H
#define AMPHI_ENGINE_HEADS_H

#include "leaflets.h"

typedef struct {
    const AmphiSystem *system;
    bool             **counts; /* [n_molecule_types][n_beads of the type] */
    double (*x)[3];            /* nm; of the lipid last taken: x and y, and z above the middle */
} AmphiHeads;

/* The beads of plan->name, or heads where there are none. False when there is no memory. */
bool amphi_heads_init(AmphiHeads *heads, const AmphiObserverPlan *plan, const AmphiSystem *system,
                      AmphiArena *arena);
/* Copies those of a lipid to heads->x, and returns how many. The lipid is moved as a whole to the
 * image along z that is nearest to the middle, by amphi_leaflets_height: its head alone may be
 * farther away than half the box. */
int32_t amphi_heads_take(AmphiHeads *heads, AmphiLeaflets *leaflets, int32_t lipid,
                         const AmphiFrame *frame, double middle_nm);

#endif
