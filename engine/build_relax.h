/* Removing the overlaps of a start: minimises the energy of soft spheres and spheroids, connected
 * by springs, until none overlap. Uses contact distances and bond lengths, but no force field.
 */
#ifndef AMPHI_ENGINE_BUILD_RELAX_H
#define AMPHI_ENGINE_BUILD_RELAX_H

#include "build_cells.h"
#include "build_shape.h"

/* From so many beads on threads look at their neighbours: of fewer, to begin them costs as much. */
enum { AMPHI_CROWD_OF_THREADS = 20000 };

typedef struct {
    const AmphiSystem  *system; /* its positions and orientations are not read */
    const AmphiContact *contacts;
    const AmphiShape   *shape; /* [n_molecule_types] */
    uint64_t            seed;
    double              box_nm[3];
    double (*x)[3];    /* [n_beads] nm, molecules not split by the box, not wrapped */
    double (*axis)[3]; /* [n_beads] unit axes; beads with an AmphiAim follow their chain */
} AmphiCrowd;

typedef struct {
    double  closest;    /* smallest distance over contact distance of all pairs, at most 1 */
    double  worst_bond; /* largest |length / length at rest - 1| */
    int32_t n_steps;
} AmphiRelaxed;

/* Changes x and axis. Aims at `closest` >= 0.72 and `worst_bond` <= 0.2; the caller must check
 * whether they were reached. AMPHI_NO_MEMORY. */
AmphiStatus amphi_crowd_relax(AmphiCrowd *crowd, AmphiRelaxed *relaxed, AmphiError *err);

/* Sets the axes of beads with an AmphiAim from the positions of their chain. */
void amphi_crowd_aim(AmphiCrowd *crowd);

#endif
