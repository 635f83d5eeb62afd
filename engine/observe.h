/* Observers: they read frames of a run and write files. They never change the state, so that the
 * trajectory has the same bits with and without them.
 *
 * Observers are continued with their run: their sums are part of the checkpoint, and each of their
 * files is truncated to the length that the checkpoint recorded.
 */
#ifndef AMPHI_ENGINE_OBSERVE_H
#define AMPHI_ENGINE_OBSERVE_H

#include "arena.h"
#include "backend.h"
#include "frame.h"
#include "job.h"
#include "outfile.h"

typedef struct AmphiObserver AmphiObserver;

/* What the observers of a run have in common: where they write, and what about. */
typedef struct {
    const AmphiSystem *system;
    const char        *dir;     /* the run directory */
    const char        *heading; /* "amphi 0.1.0, input 1234abcd": one line, no line break */
    AmphiOutfiles     *files;   /* all open files, for the checkpoint */
    /* lengths of files at the checkpoint that the run continues from; for amphi_outfile_open */
    const AmphiOutfileMark *marks; /* [n_marks] */
    int32_t                 n_marks;
    /* all stages: a table has columns for the thermostat groups of each of them. Frames are of
     * these from first_stage on: before that they may have been left out */
    const AmphiStage *stage; /* [n_stages] */
    int32_t           n_stages, first_stage;
    int32_t           threads; /* for what takes long to compute; 0: all that the machine has */
} AmphiObserverPlace;

/* An array of accumulated values that is saved with the checkpoint. */
typedef struct {
    void  *bytes;
    size_t n;
} AmphiPart;

enum { AMPHI_MOST_PARTS = 8 };

/* The definition of one kind of observer; engine/README.md says how to add one. Its
 * struct AmphiObserver begins with an AmphiWatcher (observing.h). */
typedef struct {
    const char        *name;       /* the XML element that asks for it */
    const char        *file;       /* that it writes */
    const char *const *also;       /* other files that it writes, then NULL; NULL: none */
    const char        *means;      /* the one of these that is of all frames together; NULL: none */
    size_t             size;       /* sizeof its AmphiObserver, which is zeroed */
    uint32_t           needs;      /* AMPHI_NEED_ bits for the frames that are due */
    bool               sees_all;   /* is also shown frames that are not due */
    bool               has_labels; /* there may be several, which differ by the plan's label */
    /* What the plan needs of a frame besides positions and box, as "energies": a trajectory lacks
     * it. It returns NULL if it needs no more. NULL: no plan does. */
    const char *(*lacks)(const AmphiObserverPlan *);
    /* Of a plan that lacks something: is it for this one of its names, without which it does? NULL:
     * for none. */
    bool (*lacks_for)(const char *name);
    /* Allocates and opens files. */
    AmphiStatus (*prepare)(AmphiObserver *, AmphiError *);
    AmphiStatus (*see)(AmphiObserver *, const AmphiFrame *, AmphiError *);
    /* Writes accumulated results to their file. NULL: see has written everything. */
    AmphiStatus (*flush)(AmphiObserver *, AmphiError *);
    /* Lists the arrays to save, at most AMPHI_MOST_PARTS; returns their number. */
    int32_t (*parts)(AmphiObserver *, AmphiPart *);
    /* The columns of a file that is appended to, as a text that is saved. NULL: always the same. */
    const char *(*columns)(AmphiObserver *);
    /* Goes on with the restored parts, and in a file with these columns. NULL: nothing to do. */
    AmphiStatus (*resume)(AmphiObserver *, const char *columns, AmphiError *);
} AmphiObserverKind;

/* By which several of a kind are told apart: in a checkpoint, and in their folder. Without a label
 * the name of the kind and its file: "profile", "profile.tsv"; else "profile-heads" and so on. */
typedef struct {
    char key[AMPHI_MOST_LABEL + 24], file[AMPHI_MOST_LABEL + 32];
} AmphiObserverNames;

AmphiObserverNames amphi_observer_names(const AmphiObserverKind *kind,
                                        const AmphiObserverPlan *plan);
/* Does a file of that name in the folder look like a table of one with a label: by its name, and by
 * its first line? */
bool amphi_observer_is_labelled(const char *dir, const char *name);

AmphiStatus amphi_observer_open(const AmphiObserverKind *kind, const AmphiObserverPlace *place,
                                const AmphiObserverPlan *plan, AmphiObserver **out,
                                AmphiError *err);
void        amphi_observer_close(AmphiObserver *observer);
/* Shows a frame of from_stage or later. Frames that are not due (see amphi_observer_every) are
 * ignored, except by a trajectory, which keeps the latest one for final.gro; so show the last frame
 * of a run to every observer. */
AmphiStatus amphi_observer_see(AmphiObserver *observer, const AmphiFrame *frame, AmphiError *err);
/* Writes the results so far. May be called any number of times. */
AmphiStatus amphi_observer_flush(AmphiObserver *observer, AmphiError *err);
/* Appends what it measures and its accumulated values to the bytes; and reads them back. An
 * observer that has seen no frame yet may change. AMPHI_BAD_INPUT: it measured something else
 * before; AMPHI_BAD_FILE: the number of bytes does not fit. The observer is then unchanged. */
AmphiStatus amphi_observer_save(AmphiObserver *observer, AmphiBytes *bytes, AmphiError *err);
AmphiStatus amphi_observer_restore(AmphiObserver *observer, const AmphiBytes *bytes,
                                   AmphiError *err);
/* Frames so far. */
int64_t amphi_observer_seen(AmphiObserver *observer);
/* The step of the run at the first of them. -1: there is none, or nobody knows. */
int64_t amphi_observer_first_step(AmphiObserver *observer);
/* What a user should know of how it goes on, and of the frames so far; "": nothing. Belongs to the
 * observer. */
const char *amphi_observer_remark(AmphiObserver *observer);

const AmphiObserverKind *amphi_observer_kind(const char *name); /* NULL: no such kind */
const AmphiObserverKind *amphi_observer_kind_at(int32_t k);     /* from 0; NULL after the last */
/* Can anything of this kind be measured of positions and box alone, as a trajectory has them? */
bool amphi_observer_sees_frames(const AmphiObserverKind *kind);

#endif
