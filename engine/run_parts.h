/* What the parts of a run share: run.c the stages and the loop, run_open.c its beginning,
 * run_checkpoint.c its files, run_watch.c what is measured and what is wrong. Private to
 * engine/run*.c.
 */
#ifndef AMPHI_ENGINE_RUN_PARTS_H
#define AMPHI_ENGINE_RUN_PARTS_H

#include "formats/snapshot.h"
#include "run.h"

enum { RUN_PATH = 4096, RUN_BLOCKS = 64 };

/* A straight line through samples, by running means. */
typedef struct {
    int64_t n;
    double  mean_t, mean_e, tt, te, ee; /* sums of products of deviations */
} AmphiLine;

/* A mean and its error: blocks of equal size, joined in pairs when they are too many. */
typedef struct {
    int64_t n, in_block, block_size, n_blocks;
    double  block[RUN_BLOCKS]; /* sums; the last one grows */
} AmphiBlocks;

/* What a checkpoint keeps of the run itself, byte by byte. */
typedef struct {
    int64_t     step, stage_began;
    double      time_ps, stage_began_ps;
    int64_t     stage, is_done; /* -1: none has begun; a minimisation may be done early */
    double      last_conserved_sum;
    int64_t     last_conserved_count;
    AmphiLine   line;
    AmphiBlocks temperature;
} AmphiPlace;

typedef struct {
    const AmphiObserverKind *kind;
    const AmphiObserverPlan *plan;
    AmphiObserver           *observer;
} AmphiRunObserver;

struct AmphiRun {
    AmphiArena         *arena;
    const AmphiJob     *job;
    AmphiRunOptions     options;
    const AmphiBackend *backend;
    AmphiState         *state;
    AmphiSnapshot      *snapshot; /* of the system; its arrays are lent by frames */
    AmphiOutfiles      *files;
    int32_t             n_observers;
    AmphiRunObserver   *observer; /* [n_observers] */
    int                 lock;     /* handle; -1: none */
    char                path[RUN_PATH];

    AmphiPlace at;
    int64_t    first_step, stage_end; /* of this process; of the stage, in steps of the run */
    bool       is_finished, drifts;
    bool       last_is_bad; /* run.chk is damaged; run.chk.prev is what there is */
    char       remark[256];

    AmphiBytes good, tried; /* the state at the last look that found nothing; at the one to come */
    int64_t    good_step;

    double       began_s, saved_s, told_s, save_took_s;
    int64_t      saved_step, saved_stage;
    sig_atomic_t saves_asked;   /* so many requests were met */
    double       temperature_K; /* of the last look */
    int64_t      freedom;
};

/* The stage in hand; NULL before the first. */
static inline const AmphiStage *amphi_run_stage(const AmphiRun *run)
{
    return run->at.stage >= 0 ? &run->job->stage[run->at.stage] : NULL;
}

double amphi_run_clock(void); /* s, of no particular beginning */

/* run_watch.c. Everything finite and nothing too fast? AMPHI_UNSTABLE tells the bead. */
AmphiStatus amphi_run_look(AmphiRun *run, const AmphiFrame *frame, AmphiError *err);
/* Adds to drift and temperature; AMPHI_UNSTABLE when the job wants to stop for a drift. */
AmphiStatus amphi_run_measure(AmphiRun *run, const AmphiFrame *frame, AmphiError *err);
void        amphi_run_drift(const AmphiRun *run, double *drift_kT_ns_dof, double *error);
void        amphi_run_temperature(const AmphiRun *run, double *mean_K, double *error_K);
/* Keeps the state before a step that is looked at. */
AmphiStatus amphi_run_keep(AmphiRun *run, AmphiError *err);
/* Nothing was wrong with the state that was kept. */
void amphi_run_trust(AmphiRun *run);
/* Completes err, which says what happened in this step, and writes fault-STEP.chk. */
void amphi_run_report(AmphiRun *run, AmphiError *err);

/* run_checkpoint.c. Outputs, then the state at the top of a step, checked; the state is as it was.
 * AMPHI_UNSTABLE: it is not one to keep, and nothing was replaced. */
AmphiStatus amphi_run_save(AmphiRun *run, AmphiError *err);
/* A state of the past as a file of its own; the run's state is lost. */
AmphiStatus amphi_run_dump(AmphiRun *run, const AmphiBytes *state, const char *path,
                           AmphiError *err);

/* What a checkpoint gave. The bytes are borrowed from the arena of the run. */
typedef struct {
    bool              is_there;
    AmphiPlace        at;
    AmphiBytes        state; /* of no byte before the first stage */
    AmphiOutfileMark *marks;
    int32_t           n_marks, n_observers;
    AmphiBytes       *observer; /* [n_observers] their sums */
    const char      **kind;     /* [n_observers] */
} AmphiRunPast;

/* The newest good checkpoint of the directory; none: is_there is false. AMPHI_BAD_FILE: there are
 * some, and none is good; AMPHI_BAD_INPUT: the physics has changed. */
AmphiStatus amphi_run_find_past(AmphiRun *run, AmphiRunPast *past, AmphiError *err);

/* run_folder.c. The directory, made when missing, and its lock. */
AmphiStatus amphi_run_enter(AmphiRun *run, AmphiError *err);
void        amphi_run_leave(AmphiRun *run);
/* Removes what a run writes. */
AmphiStatus amphi_run_clear(const AmphiRun *run, AmphiError *err);
AmphiStatus amphi_run_path(const AmphiRun *run, const char *name, char path[RUN_PATH],
                           AmphiError *err);
/* The first file of a run that is there although no checkpoint is; NULL: none. */
const char *amphi_run_remains(const AmphiRun *run);

#endif
