/* Observers: they watch frames and write files. Nothing flows back, so with and without them the
 * trajectory has the same bits.
 *
 * An observer may be stopped and continued: `save` and `restore` carry its sums in the checkpoint,
 * and each of its files is cut back to the length that the checkpoint knows.
 */
#ifndef AMPHI_ENGINE_OBSERVE_H
#define AMPHI_ENGINE_OBSERVE_H

#include "arena.h"
#include "backend.h"
#include "frame.h"
#include "job.h"
#include "outfile.h"

typedef struct AmphiObserver AmphiObserver;

/* Where observers write, and what they write at the top of tables. */
typedef struct {
    const AmphiSystem *system;
    const char        *dir;     /* the run directory */
    const char        *heading; /* "amphi 0.1.0, input 1234abcd": one line, no line break */
    AmphiOutfiles     *files;   /* all open files, for the checkpoint */
    /* of the checkpoint that the run goes on from: for amphi_outfile_open */
    const AmphiOutfileMark *marks; /* [n_marks] */
    int32_t                 n_marks;
    /* the whole plan: tables have a column for every group of a thermostat */
    const AmphiStage *stage; /* [n_stages] */
    int32_t           n_stages;
} AmphiObserverPlace;

typedef struct {
    const char *name;  /* the XML element that asks for it */
    uint32_t    needs; /* AMPHI_NEED_ bits of a due step */
    AmphiStatus (*open)(const AmphiObserverPlace *, const AmphiObserverPlan *, AmphiObserver **,
                        AmphiError *);
    /* Any frame from from_stage on. One that is not due (amphi_observer_every against stage_step)
     * is left alone, but for a trajectory, which keeps the latest for final.gro: show the last of a
     * run to all. */
    AmphiStatus (*see)(AmphiObserver *, const AmphiFrame *, AmphiError *);
    /* Writes what it has gathered; may be called again later. */
    AmphiStatus (*flush)(AmphiObserver *, AmphiError *);
    AmphiStatus (*save)(const AmphiObserver *, AmphiBytes *, AmphiError *); /* NULL: no sums */
    AmphiStatus (*restore)(AmphiObserver *, const AmphiBytes *, AmphiError *);
    void (*close)(AmphiObserver *);
} AmphiObserverKind;

const AmphiObserverKind *amphi_observer_kind(const char *name); /* NULL: unknown */
const AmphiObserverKind *amphi_observer_kind_at(int32_t k);     /* NULL behind the last */

#endif
