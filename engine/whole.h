/* Makes molecules whole: reverses the periodic wrapping of their beads, so that no molecule is
 * split between opposite sides of the box.
 */
#ifndef AMPHI_ENGINE_WHOLE_H
#define AMPHI_ENGINE_WHOLE_H

#include "arena.h"
#include "system.h"

/* For every molecule type: its beads in an order in which each of them, except the first, comes
 * after its parent, to which it is bonded. The parent of beads without a bond is the first one. */
typedef struct {
    const AmphiSystem *system;
    int32_t          **order, **parent; /* [n_molecule_types][n_beads of the type] */
} AmphiWhole;

/* False when there is no memory. */
bool amphi_whole_init(AmphiWhole *whole, const AmphiSystem *system, AmphiArena *arena);

/* One molecule: its first bead stays where it is, every other one is moved to the image nearest to
 * its parent. x: [n_beads] of the system, nm; to: the beads of the molecule. */
void amphi_whole_molecule(const AmphiWhole *whole, int32_t molecule, const double box_nm[3],
                          const double (*x)[3], double (*to)[3]);
/* Moves n beads together by box edges, so that their mean position is in the box. */
void amphi_move_into_box(const double box_nm[3], int32_t n, double (*x)[3]);
/* All molecules, each shifted by box edges so that the mean position of its beads is in the box. */
void amphi_whole_all(const AmphiWhole *whole, const double box_nm[3], const double (*x)[3],
                     double (*to)[3]);

#endif
