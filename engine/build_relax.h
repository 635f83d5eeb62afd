/* Pushing a crowded start apart: soft spheres and spheroids on springs go downhill until nothing
 * overlaps. No force field is asked: contact distances and lengths at rest are all it knows.
 */
#ifndef AMPHI_ENGINE_BUILD_RELAX_H
#define AMPHI_ENGINE_BUILD_RELAX_H

#include "build_cells.h"
#include "build_shape.h"

typedef struct {
    const AmphiSystem  *system; /* but for positions and orientations */
    const AmphiContact *contacts;
    const AmphiShape   *shape; /* [n_molecule_types] */
    uint64_t            seed;
    double              box_nm[3];
    double (*x)[3];    /* [n_beads] nm, molecules whole, anywhere */
    double (*axis)[3]; /* [n_beads] unit axes, those of aimed beads follow their chain */
} AmphiCrowd;

typedef struct {
    double  closest;    /* distance over contact distance, the worst pair; 1: none below it */
    double  worst_bond; /* largest |length / length at rest - 1| */
    int32_t n_steps;
} AmphiRelaxed;

/* The contact that is reached is `closest` >= 0.72 and bonds within a fifth, if the start can be
 * packed at all; the caller looks. */
AmphiStatus amphi_crowd_relax(AmphiCrowd *crowd, AmphiRelaxed *relaxed, AmphiError *err);

/* Turns the axes of aimed beads along their chains. */
void amphi_crowd_aim(AmphiCrowd *crowd);

#endif
