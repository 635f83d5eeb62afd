/* What the parts of a run share: run.c the stages and the loop, run_open.c its beginning, run_past.c
 * the way back, run_checkpoint.c its files, run_drift.c what is measured, run_watch.c what is wrong,
 * run_fault.c what is told of it, run_reverse.c the way back in time. Private to engine/run*.c.
 */
#ifndef AMPHI_ENGINE_RUN_PARTS_H
#define AMPHI_ENGINE_RUN_PARTS_H

#include "blocks.h"
#include "formats/snapshot.h"
#include "run.h"
#include "state_hash.h"

enum { RUN_PATH = 4096, RUN_ABOUT = 112 };

/* A straight line through samples, by running means. */
typedef struct {
    int64_t n;
    double  mean_t, mean_e, tt, te, ee; /* sums of products of deviations */
} AmphiLine;

/* What a run measures of itself, in blocks; time and energy since the first sample of a stage. */
enum { RUN_TEMPERATURE, RUN_TIME, RUN_ENERGY, RUN_VALUES };

/* What a checkpoint keeps of the run itself, byte by byte. */
typedef struct {
    int64_t   step, stage_began;
    double    time_ps, stage_began_ps;
    int64_t   stage, is_done; /* -1: none has begun; a minimisation may be done early */
    double    last_conserved_sum;
    int64_t   last_conserved_count;
    AmphiLine line;
    double    first_energy;

    struct AmphiBlockCount count;
    double sum[AMPHI_BLOCKS * RUN_VALUES], weight[AMPHI_BLOCKS * RUN_VALUES]; /* of amphi_blocks */

    int64_t has_momentum; /* 2: in fixed precision */
    double  momentum[3];  /* u nm/ps; of the first look of the stage */

    uint64_t first_hash[2]; /* of the state that the stage began with; 0: not of fixed precision */
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
    bool       has_spare;   /* room on the disk is kept for a checkpoint */
    char       remark[512];

    AmphiBytes good, tried; /* the state at the last look that found nothing; at the one to come */
    int64_t    good_step;
    int        good_slot;                   /* of a backend that keeps states by itself */
    bool       has_slot;                    /* is it filled? */
    char       state_hash[AMPHI_HASH_TEXT]; /* of the last state that was saved */

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

/* run_drift.c. Forgets what was measured: a stage begins. */
void amphi_run_begin_measuring(AmphiRun *run);
/* Adds to drift and temperature; AMPHI_UNSTABLE when the job wants to stop for a drift. */
AmphiStatus amphi_run_measure(AmphiRun *run, const AmphiFrame *frame, AmphiError *err);
/* Errors are NaN while there are too few samples. */
void amphi_run_drift(const AmphiRun *run, double *drift_kT_ns_dof, double *error);
void amphi_run_temperature(const AmphiRun *run, double *mean_K, double *error_K);

/* run_watch.c. Everything finite and nothing too fast? AMPHI_UNSTABLE tells the bead. */
AmphiStatus amphi_run_look(AmphiRun *run, const AmphiFrame *frame, AmphiError *err);
/* What is wrong with a bead; NULL: nothing. */
const char *amphi_run_fault_of(const AmphiFrame *frame, int32_t bead, double dt_ps);
/* Has the momentum changed more than rounding explains, where it cannot change? */
AmphiStatus amphi_run_check_momentum(AmphiRun *run, const AmphiFrame *frame, AmphiError *err);
/* Keeps the state before a step that is looked at. */
AmphiStatus amphi_run_keep(AmphiRun *run, AmphiError *err);
/* Nothing was wrong with the state that was kept. */
void amphi_run_trust(AmphiRun *run);

/* run_reverse.c. The hash of the state that the stage in hand begins with. */
AmphiStatus amphi_run_note_first(AmphiRun *run, AmphiError *err);

/* run_fault.c. Completes err, which says what happened in this step; writes fault-STEP.chk, and
 * fault-STEP.dcd of the steps from there. */
void amphi_run_report(AmphiRun *run, AmphiError *err);

/* run_checkpoint.c. Outputs, then the state at the top of a step, checked; the state is as it was.
 * AMPHI_UNSTABLE: it is not one to keep, and nothing was replaced. */
AmphiStatus amphi_run_save(AmphiRun *run, AmphiError *err);
/* A state of the past as a file of its own; the run's state is lost. */
AmphiStatus amphi_run_dump(AmphiRun *run, const AmphiBytes *state, const char *path,
                           AmphiError *err);
/* Gives back the room that is kept on the disk; false: there was none. */
bool amphi_run_spend_spare(AmphiRun *run);

/* What a checkpoint gave. The bytes are borrowed from the arena of the run. */
typedef struct {
    bool              is_there;
    const char       *backend, *about; /* of the process that saved it */
    AmphiPrecision    precision;
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
/* Is there a checkpoint, whatever its state? */
bool amphi_run_has_past(const AmphiRun *run);

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
