/* What the implementations of observers share: the common part of their structs, when a frame is
 * due, and how tables are written. Private to engine/obs*.c and series.c.
 */
#ifndef AMPHI_ENGINE_OBSERVING_H
#define AMPHI_ENGINE_OBSERVING_H

#include "formats/sink.h"
#include "observe.h"

extern const AmphiObserverKind amphi_obs_energies, amphi_obs_trajectory, amphi_obs_profile,
    amphi_obs_area, amphi_obs_thickness, amphi_obs_order, amphi_obs_rdf, amphi_obs_diffusion,
    amphi_obs_lateral_pressure, amphi_obs_undulations;

/* The first member of every struct AmphiObserver. */
typedef struct {
    const AmphiObserverKind *kind;
    AmphiArena              *arena; /* owns the observer and its arrays */
    AmphiObserverPlace       place;
    AmphiObserverPlan        plan;
    AmphiObserverNames       names;
    int64_t                  n_seen;     /* frames that were due */
    int64_t                  first_step; /* of the run, of these; -1: not known */
    char                     remark[240];
} AmphiWatcher;

/* Where its element stands in the job, as "job.xml:12: "; empty if that is not known. */
typedef struct {
    char text[200];
} AmphiObserverLine;

AmphiObserverLine amphi_observer_line(const AmphiWatcher *on);

/* Is it a frame of a stage with time steps, at a multiple of the observer's interval? */
bool amphi_frame_is_due(const AmphiObserverPlan *plan, const AmphiFrame *frame);

/* A table that is rewritten as a whole each time, and replaces the old one in one rename. */
typedef struct {
    AmphiSink sink;
    char      path[AMPHI_PATH_SIZE];
} AmphiTable;

/* Opens dir/name and writes the heading: "# " and the run's heading, then `about` with "# " before
 * each of its lines. */
void amphi_table_begin(AmphiTable *table, const AmphiObserverPlace *place, const char *name,
                       const char *about);
/* Instead, where nothing was measured: deletes dir/name, which would be of an earlier run. */
AmphiStatus amphi_table_drop(const AmphiObserverPlace *place, const char *name, AmphiError *err);
/* The same heading for a file that is appended to. */
AmphiStatus amphi_heading_print(AmphiOutfile *file, const AmphiObserverPlace *place,
                                const char *about, AmphiError *err);

#endif
