/* What other programs need beside a trajectory: its topology, and scripts that show it. */
#ifndef AMPHI_ENGINE_VIEWS_H
#define AMPHI_ENGINE_VIEWS_H

#include "observe.h"

/* topology.psf of these beads of the system, ascending; bead NULL: of all. */
AmphiStatus amphi_topology_write(const AmphiObserverPlace *place, const int32_t *bead,
                                 int32_t n_beads, AmphiError *err);
/* view.vmd and view.pml, of trajectory.xtc or trajectory.dcd. has_all: the trajectory has every
 * bead, like final.gro. */
AmphiStatus amphi_views_write(const AmphiObserverPlace *place, bool has_all, bool is_xtc,
                              AmphiError *err);

#endif
