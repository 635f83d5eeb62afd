/* Molecules in one piece, from beads that were wrapped into the box. */
#ifndef AMPHI_ENGINE_WHOLE_H
#define AMPHI_ENGINE_WHOLE_H

#include "arena.h"
#include "system.h"

/* For every molecule type, its places in an order in which each but the first follows the one that
 * it is bonded to; places without a bond hang on the first. */
typedef struct {
    const AmphiSystem *system;
    int32_t          **order, **parent; /* [n_molecule_types][n_beads of the type] */
} AmphiWhole;

/* False when there is no memory. */
bool amphi_whole_init(AmphiWhole *whole, const AmphiSystem *system, AmphiArena *arena);

/* One molecule: its first bead stays where it is, each other one comes to the nearest image of its
 * parent. x is [n_beads] of the system; `to` has the molecule's own beads. */
void amphi_whole_molecule(const AmphiWhole *whole, int32_t molecule, const double box_nm[3],
                          const double (*x)[3], double (*to)[3]);
/* All of them, each moved by whole edges so that the mean of its beads lies in the box. */
void amphi_whole_all(const AmphiWhole *whole, const double box_nm[3], const double (*x)[3],
                     double (*to)[3]);

#endif
