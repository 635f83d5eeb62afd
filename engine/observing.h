/* What observers share, for engine/obs_*.c and the list in observe.c only: how they begin, when a
 * frame is due, and tables that are written whole.
 */
#ifndef AMPHI_ENGINE_OBSERVING_H
#define AMPHI_ENGINE_OBSERVING_H

#include <string.h>

#include "formats/sink.h"
#include "observe.h"

extern const AmphiObserverKind amphi_obs_energies, amphi_obs_trajectory, amphi_obs_profile,
    amphi_obs_area, amphi_obs_thickness, amphi_obs_order, amphi_obs_rdf, amphi_obs_diffusion;

/* How every AmphiObserver begins. */
typedef struct {
    const AmphiObserverKind *kind;
    AmphiArena              *arena; /* holds the observer, too */
    AmphiObserverPlace       place;
    AmphiObserverPlan        plan;
} AmphiWatcher;

bool amphi_frame_is_due(const AmphiObserverPlan *plan, const AmphiFrame *frame);

/* A table that takes its place whole. */
typedef struct {
    AmphiSink sink;
    char      path[AMPHI_PATH_SIZE];
} AmphiTable;

/* `#` and the heading of the run, then `about`, each of its lines behind a `#`. */
void amphi_table_begin(AmphiTable *table, const AmphiObserverPlace *place, const char *name,
                       const char *about);
/* The same for a file that grows. */
AmphiStatus amphi_heading_print(AmphiOutfile *file, const AmphiObserverPlace *place,
                                const char *about, AmphiError *err);

#endif
