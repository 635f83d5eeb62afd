/* Slabs of equal thickness across a membrane, counted from its middle.
 *
 * Their thickness is fixed. As the box changes its size, only a part of the outermost ones is
 * inside it: amphi_slabs_covered_nm.
 */
#ifndef AMPHI_ENGINE_SLABS_H
#define AMPHI_ENGINE_SLABS_H

#include "leaflets.h"

typedef struct {
    int            axis; /* normal to them */
    double         width_nm;
    int32_t        n_below, n_slabs; /* twice as many; the middle lies between two */
    bool           is_fixed;         /* zero is the middle of the box */
    const int32_t *centre;           /* [n_centre] beads; NULL: the membrane */
    int32_t        n_centre;
    bool           is_of_lipids; /* these are all of lipids, and none is the end of a tail */
} AmphiSlabs;

/* As the plan's axis, width and group say, for boxes of up to 1.5 times the present edge. Of a
 * group with ends of tails these alone count, as everywhere else; of another all beads, by mass.
 * The middle of all beads of a system together is meaningless: for them it is
 * amphi_leaflets_middle, and without lipids that of the box. False when there is no memory. */
bool amphi_slabs_init(AmphiSlabs *slabs, const AmphiObserverPlan *plan,
                      const AmphiLeaflets *leaflets, AmphiArena *arena);
/* The coordinate along the axis that counts as zero, nm. */
double amphi_slabs_middle(const AmphiSlabs *slabs, const AmphiLeaflets *leaflets,
                          const AmphiFrame *frame);
/* A coordinate along the axis as the number of slabs from the first one's lower face; the box has
 * this edge, nm. May be outside of 0 to n_slabs. */
double amphi_slabs_place(const AmphiSlabs *slabs, double x_nm, double middle_nm, double edge_nm);
/* How much of a slab is within half an edge of the middle, nm. */
double amphi_slabs_covered_nm(const AmphiSlabs *slabs, double edge_nm, int32_t slab);
/* Does what is furthest from the middle, half an edge away, lie in a slab? */
bool amphi_slabs_reach(const AmphiSlabs *slabs, double edge_nm);
/* The middle of a slab, nm. */
double amphi_slabs_centre_nm(const AmphiSlabs *slabs, int32_t slab);

#endif
