/* What the parts of a run share. Private to engine/run*.c:
 *
 *   run.c             stages and the loop over steps
 *   run_open.c        opening a new run, or continuing one
 *   run_folder.c      the run directory, its lock, the names of its files
 *   run_checkpoint.c  writing checkpoints;  run_past.c  reading them
 *   run_drift.c       drift of the conserved energy and mean temperature
 *   run_watch.c       looking for faults;  run_fault.c  reporting one
 *   run_pace.c        how far it goes ahead of a device
 *   run_reverse.c     reversing time
 *   run_verify.c      computing steps twice
 *   run_minimum.c     what a minimisation came to
 *   run_replay.c      frames of a run, from its trajectory
 */
#ifndef AMPHI_ENGINE_RUN_PARTS_H
#define AMPHI_ENGINE_RUN_PARTS_H

#include <math.h>

#include "blocks.h"
#include "clock.h"
#include "formats/snapshot.h"
#include "on_disk.h"
#include "run.h"

/* Linear regression of samples (t, e), accumulated by running means. */
typedef struct {
    int64_t n;
    double  mean_t, mean_e, tt, te, ee; /* sums of products of deviations */
} AmphiLine;

AMPHI_ON_DISK_AT(AmphiLine, mean_t, 8);
AMPHI_ON_DISK_AT(AmphiLine, mean_e, 16);
AMPHI_ON_DISK_AT(AmphiLine, tt, 24);
AMPHI_ON_DISK_AT(AmphiLine, te, 32);
AMPHI_ON_DISK_AT(AmphiLine, ee, 40);
AMPHI_ON_DISK(AmphiLine, 48);

/* The values that a run averages in blocks; time and energy relative to the stage's first
 * sample. */
enum { RUN_TEMPERATURE, RUN_TIME, RUN_ENERGY, RUN_VALUES };

/* The state of the run besides that of the system; stored in checkpoints as these bytes. */
typedef struct {
    int64_t   step, stage_began;
    double    time_ps, stage_began_ps;
    int64_t   stage, is_done; /* stage -1: none has begun; is_done: minimisation has converged */
    double    last_conserved_sum;
    int64_t   last_conserved_count;
    AmphiLine line;
    double    first_energy;

    struct AmphiBlockCount count;
    double sum[AMPHI_BLOCKS * RUN_VALUES], weight[AMPHI_BLOCKS * RUN_VALUES]; /* of amphi_blocks */

    /* 1: u nm/ps, at the first check of the stage. 3: where a thermostat scales velocities, at the
     * last check, and times the edges in nm where a barostat scales them too. 2, 4: the same in
     * fixed precision. */
    int64_t has_momentum;
    double  momentum[3];

    uint64_t first_hash[2]; /* of the state that the stage began with; 0: not fixed precision */
} AmphiPlace;

AMPHI_ON_DISK_AT(AmphiPlace, stage_began, 8);
AMPHI_ON_DISK_AT(AmphiPlace, time_ps, 16);
AMPHI_ON_DISK_AT(AmphiPlace, stage_began_ps, 24);
AMPHI_ON_DISK_AT(AmphiPlace, stage, 32);
AMPHI_ON_DISK_AT(AmphiPlace, is_done, 40);
AMPHI_ON_DISK_AT(AmphiPlace, last_conserved_sum, 48);
AMPHI_ON_DISK_AT(AmphiPlace, last_conserved_count, 56);
AMPHI_ON_DISK_AT(AmphiPlace, line, 64);
AMPHI_ON_DISK_AT(AmphiPlace, first_energy, 112);
AMPHI_ON_DISK_AT(AmphiPlace, count, 120);
AMPHI_ON_DISK_AT(AmphiPlace, sum, 152);
AMPHI_ON_DISK_AT(AmphiPlace, weight, 920);
AMPHI_ON_DISK_AT(AmphiPlace, has_momentum, 1688);
AMPHI_ON_DISK_AT(AmphiPlace, momentum, 1696);
AMPHI_ON_DISK_AT(AmphiPlace, first_hash, 1720);
AMPHI_ON_DISK(AmphiPlace, 1736);

/* When a stage began; step -1: not known. */
typedef struct {
    int64_t step;
    double  time_ps;
} AmphiStageBegan;

AMPHI_ON_DISK_AT(AmphiStageBegan, time_ps, 8);
AMPHI_ON_DISK(AmphiStageBegan, 16);

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
    AmphiSnapshot      *snapshot; /* for writing checkpoints; borrows the arrays of frames */
    AmphiOutfiles      *files;
    double             *torn_nm; /* [n_bond_rules] room for amphi_torn_lengths */
    int32_t             n_observers;
    AmphiRunObserver   *observer; /* [n_observers] */
    int                 lock;     /* file descriptor; -1: none */
    char                path[AMPHI_PATH_SIZE];

    AmphiPlace       at;
    AmphiStageBegan *began; /* [n_stages] of the job */

    int64_t first_step, stage_end; /* of this process; of the stage, in steps of the run */
    int64_t momentum_step;         /* of at.momentum, where that is of the last check */
    bool    is_finished;
    bool    last_is_bad; /* run.chk is damaged, so run.chk.prev must not be replaced */
    bool    has_spare;   /* run.spare reserves disk space for a checkpoint */
    char    remark[1000];

    AmphiBytes good, tried; /* the state at the last check without fault; at the next check */
    int64_t    good_step;   /* of that check */
    int32_t    suspect;     /* 1 + the bead that a look found at fault; 0: none */
    /* The same in a backend with `keep`, but of one check in several. */
    int     good_slot;
    bool    has_slot, keeps;             /* has good_slot been filled? is the other being filled? */
    int64_t slot_step, slot_stage;       /* of good_slot; at most good_step */
    char    state_hash[AMPHI_HASH_TEXT]; /* of the last saved state */

    bool       verifies; /* are the present steps among those that will be repeated? */
    int64_t    verify_began, verify_end;
    AmphiBytes verify_from; /* the state at verify_began */

    int64_t ahead;                 /* steps that a device was given since it was waited for */
    double  began_ahead_s, pace_s; /* with them; of a step, 0: not known */
    double  looked_s;              /* that observers took for a frame */

    double       began_s, saved_s, told_s, save_took_s;
    int64_t      saved_step, saved_stage;
    sig_atomic_t saves_asked;   /* value of *save_requested that was served last */
    double       temperature_K; /* at the last check */
    int64_t      freedom;       /* degrees of freedom; 0: not checked yet */
    int64_t      n_limited;     /* moves of the box that were cut short, at the last check */

    bool            has_minimum;
    AmphiRunMinimum minimum; /* of the last minimisation of this process */
};

static inline double amphi_norm3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The present stage; NULL before the first. */
static inline const AmphiStage *amphi_run_stage(const AmphiRun *run)
{
    return run->at.stage >= 0 ? &run->job->stage[run->at.stage] : NULL;
}

/* run.c. Makes n steps without output, checks and measurements; at.step and at.time_ps stay. A
 * request to stop ends it before the last, with *left steps not made. */
AmphiStatus amphi_run_walk(AmphiRun *run, int64_t n_steps, int64_t *left, AmphiError *err);

/* run_verify.c. To be called before each step: sets the state aside where the steps begin that will
 * be repeated, and repeats them where they end. */
AmphiStatus amphi_run_verify_if_due(AmphiRun *run, AmphiError *err);
/* Repeats the steps since the state that was set aside, if one was, and forgets it; to be called
 * before a checkpoint. The state of the run stays as it was. AMPHI_NO_DEVICE: the steps led to
 * another state; err says which, and that of the run is not to be used. */
AmphiStatus amphi_run_verify(AmphiRun *run, AmphiError *err);
/* How many steps amphi_run_verify_if_due needs not be called for; INT64_MAX: ever. */
int64_t amphi_run_steps_to_verify(const AmphiRun *run);

/* run_drift.c. Resets drift and mean temperature; to be called when a stage begins. */
void amphi_run_begin_measuring(AmphiRun *run);
/* Adds a sample to both. AMPHI_UNSTABLE: the drift is too large, and the job stops on that. */
AmphiStatus amphi_run_measure(AmphiRun *run, const AmphiFrame *frame, AmphiError *err);
/* Takes temperature and degrees of freedom from a frame; to be called before amphi_run_measure. */
void amphi_run_feel(AmphiRun *run, const AmphiFrame *frame);
/* The results so far; errors are NaN while there are too few samples, a drift also before this
 * process has taken the degrees of freedom. */
void amphi_run_drift(const AmphiRun *run, double *drift_kT_ns_dof, double *error);
/* Is the drift certain, and larger than the job allows? */
bool amphi_run_drifts(const AmphiRun *run);
void amphi_run_temperature(const AmphiRun *run, double *mean_K, double *error_K);

/* run_watch.c. Checks that all numbers are finite and the box has room for the cut-off; with
 * forces, beads and bonds as well. Without, the backend itself looks at those (AMPHI_NEED_NUMBERS).
 * AMPHI_UNSTABLE: err says what is wrong, and run->suspect may name the bead. */
AmphiStatus amphi_run_look(AmphiRun *run, const AmphiFrame *frame, AmphiError *err);
/* Those alone, of a frame with positions: are all finite, is no bead too fast, are orientations
 * unit, and in a stage with time steps no bond torn (faults.h)? */
AmphiStatus amphi_run_look_at_beads(AmphiRun *run, const AmphiFrame *frame, AmphiError *err);
/* Before the first step of a stage with time steps, with a frame that has energies, forces and
 * positions: AMPHI_UNSTABLE if they are those of overlapping beads. */
AmphiStatus amphi_run_look_at_start(AmphiRun *run, const AmphiFrame *frame, AmphiError *err);
/* The fault of a bead as text; NULL: none. */
const char *amphi_run_fault_of(const AmphiFrame *frame, int32_t bead, double dt_ps);
/* Where momentum, or its direction, is conserved: AMPHI_UNSTABLE if it has changed by more than
 * rounding explains. */
AmphiStatus amphi_run_check_momentum(AmphiRun *run, const AmphiFrame *frame, AmphiError *err);
/* Steps from one state that a device stores to the next, if there are checks: its way to the host
 * takes time, and after a fault so many steps are soon made again. */
enum { AMPHI_STEPS_A_STATE = 1000 };

/* Stores the state before a step that will be checked, for the report of a fault; of a device with
 * `keep` only in a check that is so many steps behind the last one, and at a beginning. */
AmphiStatus amphi_run_keep(AmphiRun *run, bool is_beginning, AmphiError *err);
/* The check found nothing: the stored state, if there is one, becomes the last good one. */
void amphi_run_trust(AmphiRun *run);
/* The state at the last check without fault, to run->good; where a device stored an earlier one it
 * makes the steps in between again. The backend is left in any state. False: there is none. */
bool amphi_run_fetch_good(AmphiRun *run);

/* run_minimum.c. Notes what a minimisation that is done came to, from a frame of its last state
 * with energies and forces. */
void amphi_run_note_minimum(AmphiRun *run, const AmphiFrame *frame);

/* run_reverse.c. Stores the hash of the first state of the present stage. */
AmphiStatus amphi_run_note_first(AmphiRun *run, AmphiError *err);
/* AMPHI_OK if the backend can run the last stage backwards, else AMPHI_BAD_COMMAND with the
 * reason. */
AmphiStatus amphi_run_can_reverse(const AmphiRun *run, AmphiError *err);

/* run_pace.c, for backends with `advance`. Makes at least one of n steps, and no more than a device
 * makes in about half a second, or while observers look. */
AmphiStatus amphi_run_advance(AmphiRun *run, int64_t n, int64_t *made, AmphiError *err);
/* The device has been waited for; observers have looked at a frame beside it. */
void amphi_run_waited(AmphiRun *run);
void amphi_run_looked(AmphiRun *run, double began_s);

/* run_fault.c. Adds to err what led to the fault, and writes the last good state to fault-STEP.chk
 * and the steps from there to fault-STEP.dcd. */
void amphi_run_report(AmphiRun *run, AmphiError *err);
/* Adds where the run can go on, if it can: of a device that is lost, or computes wrongly. */
void amphi_run_name_past(const AmphiRun *run, AmphiError *err);
/* A frame of a state at fault: a device tells that once, and then shows it. */
bool amphi_run_read_fault(AmphiRun *run, uint32_t needs, AmphiFrame *frame);

/* run_checkpoint.c. Synchronises the outputs, then writes a checkpoint of the state between two
 * steps, which it checks first. AMPHI_UNSTABLE: the state is not good, no file was replaced. */
AmphiStatus amphi_run_save(AmphiRun *run, AmphiError *err);
/* Sets run->state_hash to the hash of a saved state. */
void amphi_run_note_hash(AmphiRun *run, const AmphiBytes *state);
/* Writes an earlier state to a checkpoint file. Overwrites the state of the run. */
AmphiStatus amphi_run_dump(AmphiRun *run, const AmphiBytes *state, const char *path,
                           AmphiError *err);
/* Reserves disk space for one more checkpoint like run.chk (run.spare), so that the last save
 * succeeds on a disk that has filled up meanwhile. If there is no space for it, the next checkpoint
 * will report that. */
void amphi_run_keep_spare(AmphiRun *run);
/* Removes run.spare, which frees its disk space; false: there was none. */
bool amphi_run_spend_spare(AmphiRun *run);

/* The contents of a checkpoint. The bytes belong to the arena of the run. */
typedef struct {
    bool              is_there;
    const char       *backend, *about; /* of the process that saved it */
    AmphiPrecision    precision;
    AmphiPlace        at;
    AmphiBytes        state; /* empty before the first stage */
    AmphiOutfileMark *marks;
    int32_t           n_marks, n_observers;
    AmphiBytes       *observer; /* [n_observers] of amphi_observer_save */
    const char      **key;      /* [n_observers] of amphi_observer_names */

    const AmphiStageBegan *began; /* [at.stage + 1]; NULL: of an amphi that did not save it */
} AmphiRunPast;

/* The text of the first error among the notes, which keep it. */
const char *amphi_run_fault_in(AmphiNotes *notes);
/* Reads a checkpoint into the arena. AMPHI_BAD_FILE says the first fault of the file.
 * AMPHI_NO_MEMORY, also of an arena NULL. */
AmphiStatus amphi_run_read_file(const char *path, AmphiArena *arena, AmphiSnapshot **out,
                                AmphiError *err);
/* Reads the newest intact checkpoint of the directory; is_there is false if it has none.
 * AMPHI_BAD_FILE: all checkpoints are damaged. AMPHI_BAD_INPUT: the physics has changed. */
AmphiStatus amphi_run_find_past(AmphiRun *run, AmphiRunPast *past, AmphiError *err);
/* Is there a checkpoint, intact or not? */
bool amphi_run_has_past(const AmphiRun *run);

/* run_folder.c. Creates the directory if it is missing, and locks it. AMPHI_BAD_FILE. */
AmphiStatus amphi_run_enter(AmphiRun *run, AmphiError *err);
void        amphi_run_leave(AmphiRun *run);
/* Deletes the files of an earlier run. */
AmphiStatus amphi_run_clear(const AmphiRun *run, AmphiError *err);
AmphiStatus amphi_run_path(const AmphiRun *run, const char *name, char path[AMPHI_PATH_SIZE],
                           AmphiError *err);
/* The name of an output file in the directory that is not empty; NULL: none. For directories that
 * have no checkpoint. */
bool amphi_run_remains(const AmphiRun *run, AmphiObserverNames *names);

#endif
