/* The lipids of a bilayer with normal z: their list, the leaflet of each, and the middle of the
 * membrane.
 */
#ifndef AMPHI_ENGINE_LEAFLETS_H
#define AMPHI_ENGINE_LEAFLETS_H

#include "observe.h"
#include "whole.h"

typedef struct {
    const AmphiSystem *system;
    AmphiWhole         whole;
    int32_t            n_lipids;
    const int32_t     *lipid; /* [n_lipids] molecules of kind "lipid" */
    int32_t           *side;  /* [n_lipids] 1 upper, -1 lower, 0 not known yet; saved */
    const int32_t     *core;  /* [n_core] beads that lie about the middle of the membrane */
    int32_t            n_core;
    double (*head)[3], *lift; /* [n_lipids] nm, of the first frame: heads, above the middle */
    bool  *stands;            /* [n_lipids] in that frame */
    bool   has_found;         /* by this process */
    double along[3];          /* nm, there: heads from the middles of their molecules, on average */
    double (*x)[3];           /* nm; the beads of the molecule last taken */
} AmphiLeaflets;

/* False when there is no memory. A system without lipids is fine. */
bool amphi_leaflets_init(AmphiLeaflets *leaflets, const AmphiSystem *system, AmphiArena *arena);
/* Assigns lipids to leaflets at the first frame: upper if the heads are above the middle of
 * their molecule. One that lies, with its heads less than half as far from that middle as those
 * of its type that look the same way are on average (or a quarter as far as all of its type),
 * is of the leaflet as high as whose heads it is, by the nearest lipid beside it of each that
 * stands. Where no molecule has heads above or below its middle, as with lipids of one bead:
 * upper if it is above the middle of the membrane. Of a run that goes on the leaflets are there,
 * and its first frame tells along which axis lipids stand. Does nothing afterwards. */
void amphi_leaflets_find(AmphiLeaflets *leaflets, const AmphiFrame *frame);
/* Writes a remark about a file of a membrane across z if at that frame lipids stood along another
 * axis, and none is written yet. */
void      amphi_leaflets_remark(const AmphiLeaflets *leaflets, const char *file, char *remark,
                                size_t size);
AmphiPart amphi_leaflets_part(const AmphiLeaflets *leaflets);
int32_t   amphi_leaflets_count(const AmphiLeaflets *leaflets, int32_t side);

/* Copies a molecule, not cut by the box, to leaflets->x. */
void amphi_leaflets_take(AmphiLeaflets *leaflets, int32_t lipid, const AmphiFrame *frame);

/* The mean height of the lipid last taken, for its image: of the ends of its tails, which stay
 * near the middle also where the membrane bends or fills the box; without tails of all beads. */
double amphi_leaflets_height(const AmphiLeaflets *leaflets, const AmphiMoleculeType *type);

/* The circular mean of coordinates along an axis, weighted by mass, in [0, edge): the middle of a
 * slab that may be cut by the box. */
double amphi_circular_mean(const AmphiSystem *system, const AmphiFrame *frame, int axis,
                           const int32_t *bead, int32_t n_beads);
/* The middle of the membrane: that mean of the ends of all tails, or of all beads of lipids where
 * no lipid has tails. In a box that the membrane nearly fills the mean of all beads would be among
 * the heads, which are heavier than what is about the middle. */
double amphi_leaflets_middle(const AmphiLeaflets *leaflets, const AmphiFrame *frame, int axis);

#endif
