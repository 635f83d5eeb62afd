/* The lipids of a bilayer across z: which they are, on which side each began, and where the middle of
 * the membrane is.
 */
#ifndef AMPHI_ENGINE_LEAFLETS_H
#define AMPHI_ENGINE_LEAFLETS_H

#include "observing.h"
#include "whole.h"

typedef struct {
    const AmphiSystem *system;
    AmphiWhole         whole;
    int32_t            n_lipids;
    const int32_t     *lipid; /* [n_lipids] molecules of kind "lipid" */
    int32_t           *side;  /* [n_lipids] 1 upper, -1 lower, 0 not looked at yet; saved */
    double (*x)[3];           /* room for the beads of one molecule */
} AmphiLeaflets;

/* False when there is no memory. A system without lipids is fine. */
bool amphi_leaflets_init(AmphiLeaflets *leaflets, const AmphiSystem *system, AmphiArena *arena);
/* Sides are those of the first frame that is seen: where the heads lie from the middle of their own
 * molecule. */
void      amphi_leaflets_find(AmphiLeaflets *leaflets, const AmphiFrame *frame);
AmphiPart amphi_leaflets_part(const AmphiLeaflets *leaflets);
int32_t   amphi_leaflets_count(const AmphiLeaflets *leaflets, int32_t side);

/* The molecule in one piece, in leaflets->x. */
void amphi_leaflets_take(AmphiLeaflets *leaflets, int32_t lipid, const AmphiFrame *frame);

/* The circular mean along an axis, weighted by mass: the middle of what is in one piece across the
 * box. In [0, edge). Beads NULL: those of all lipids. */
double amphi_circular_mean(const AmphiLeaflets *leaflets, const AmphiFrame *frame, int axis,
                           const int32_t *bead, int32_t n_beads);

#endif
