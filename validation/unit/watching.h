/* Driving one observer: opened in a folder, shown frames, saved, stopped, continued; and the check
 * that, interrupted and continued, it writes the same bytes.
 */
#ifndef AMPHI_VALIDATION_UNIT_WATCHING_H
#define AMPHI_VALIDATION_UNIT_WATCHING_H

#include "../../engine/observe.h"

typedef struct {
    const AmphiObserverKind *kind;
    AmphiObserverPlace       place;
    AmphiObserverPlan        plan;
    AmphiObserver           *observer;
    AmphiOutfileMark        *mark; /* of the last save, with the sums */
    int32_t                  n_marks;
    AmphiBytes               sums;
    AmphiError               err;
} Watch;

/* place.dir is a folder that exists; marks and files are filled in here. */
void watch_open(Watch *w, const AmphiObserverPlace *place, const AmphiObserverPlan *plan);
void watch_see(Watch *w, const AmphiFrame *frame);
void watch_save(Watch *w);
/* Flushes and closes; what was saved stays. */
void watch_stop(Watch *w);
/* From what was saved. */
void watch_resume(Watch *w);
void watch_end(Watch *w); /* stops, and lets go of what was saved */

/* A sequence of frames: fills in frame k, borrowed until the next call. */
typedef struct {
    const AmphiSystem *system;
    int32_t            n_frames;
    void (*make)(void *user, int32_t k, AmphiFrame *frame);
    void *user;
} FrameSource;

/* Watches all frames in one go, and again broken at `at` after a save `lost` frames earlier; true
 * when every named file (NULL behind the last) has the same bytes. Folders one and two are made
 * below `dir`. */
bool broken_is_the_same(const FrameSource *source, const AmphiObserverPlace *place,
                        const AmphiObserverPlan *plan, const char *dir, int32_t at, int32_t lost,
                        const char *const *files);

/* A value in a table by the name of its column, of the line n (from 0) that is no heading. */
double  table_value(const char *path, const char *column, int32_t n);
int32_t table_lines(const char *path); /* without headings */
/* The first line that begins with `# name` has this number behind the name. */
double table_note(const char *path, const char *name);

#endif
