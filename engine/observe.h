/* Observers: they watch frames and write files. Nothing flows back, so with and without them the
 * trajectory has the same bits.
 *
 * An observer may be stopped and continued: its sums go with the checkpoint, and each of its files is
 * cut back to the length that the checkpoint knows.
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

/* The arrays that an observer's sums are made of. */
typedef struct {
    void  *bytes;
    size_t n;
} AmphiPart;

enum { AMPHI_MOST_PARTS = 8 };

/* What is its own in an observer; all else is in observing.c. Its AmphiObserver begins with an
 * AmphiWatcher (observing.h). */
typedef struct {
    const char *name;     /* the XML element that asks for it */
    const char *file;     /* what it writes */
    size_t      size;     /* of its AmphiObserver, which begins as zeros */
    uint32_t    needs;    /* AMPHI_NEED_ bits of a due step */
    bool        sees_all; /* frames that are not due, too */
    AmphiStatus (*prepare)(AmphiObserver *, AmphiError *);
    AmphiStatus (*see)(AmphiObserver *, const AmphiFrame *, AmphiError *);
    AmphiStatus (*flush)(AmphiObserver *, AmphiError *); /* NULL: all is in its file */
    int32_t (*parts)(AmphiObserver *, AmphiPart *);      /* at most AMPHI_MOST_PARTS: how many */
} AmphiObserverKind;

AmphiStatus amphi_observer_open(const AmphiObserverKind *kind, const AmphiObserverPlace *place,
                                const AmphiObserverPlan *plan, AmphiObserver **out,
                                AmphiError *err);
void        amphi_observer_close(AmphiObserver *observer);
/* Any frame from from_stage on. One that is not due (amphi_observer_every against stage_step) is
 * left alone, but by a trajectory, which keeps the latest for final.gro: show the last of a run to
 * all. */
AmphiStatus amphi_observer_see(AmphiObserver *observer, const AmphiFrame *frame, AmphiError *err);
/* Writes what it has gathered; may be called again later. */
AmphiStatus amphi_observer_flush(AmphiObserver *observer, AmphiError *err);
/* Adds its sums to the bytes; and back. AMPHI_BAD_FILE: not as many bytes as they have; they are
 * then left alone. */
AmphiStatus amphi_observer_save(AmphiObserver *observer, AmphiBytes *bytes, AmphiError *err);
AmphiStatus amphi_observer_restore(AmphiObserver *observer, const AmphiBytes *bytes,
                                   AmphiError *err);

const AmphiObserverKind *amphi_observer_kind(const char *name); /* NULL: unknown */
const AmphiObserverKind *amphi_observer_kind_at(int32_t k);     /* NULL behind the last */

#endif
