/* A run: the stages of a job one after another, with observers, checkpoints and a watch for faults.
 *
 *     amphi_run_open(job, &options, &run, err);   continues where the directory has a checkpoint
 *     amphi_run(run, err);                        to the end, or until it is asked to stop
 *     amphi_run_close(run);
 *
 * A run that was stopped or killed continues from the newest intact checkpoint in its directory,
 * and its trajectory then has the same bits as if it had never stopped.
 */
#ifndef AMPHI_ENGINE_RUN_H
#define AMPHI_ENGINE_RUN_H

#include <signal.h>

#include "job.h"
#include "observe.h"
#include "stage.h"
#include "state_hash.h"

/* A word that signal handlers set, of a run in another thread, too: they set it as atomics do. */
static inline sig_atomic_t amphi_word(const volatile sig_atomic_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

typedef struct AmphiRun AmphiRun;

/* What a program may ask of a run. To be filled from amphi_run_options_default: zero means single
 * precision and no steps. */
typedef struct {
    const char *dir; /* the run directory; created if missing */
    /* NULL, -1: those of the checkpoint; for a new run the job's; else the fastest available */
    const char  *backend;
    int32_t      precision; /* AmphiPrecision */
    AmphiCompute compute;   /* device -1: the job's; the others 0: the job's */
    /* total length of the run; -1: that of the plan. A minimisation that this ends begins anew when
     * the run goes on */
    int64_t     n_steps;
    double      until_ps;           /* the same as a time; -1: that of the plan */
    double      max_hours;          /* of wall time, with the last checkpoint in it; 0: no limit */
    double      checkpoint_every_s; /* of wall time; 0: the job's */
    int64_t     checkpoint_every_steps; /* 0: the job's */
    bool        fresh;                  /* delete an earlier run in dir and start again */
    bool        reverse;                /* open only what amphi_run_reverse can run backwards */
    const char *heading;                /* first line of every table */
    /* Set by signal handlers, also in other threads (amphi_word); each may be NULL. Non-zero: stop
     * after this step. Each increment of save_requested: write one checkpoint. */
    volatile const sig_atomic_t *stop_requested, *save_requested;
    /* Called at most four times a second of wall time, and at the end of each stage. NULL:
     * never. */
    void (*progress)(void *user, const AmphiRun *run);
    void *user;
} AmphiRunOptions;

/* All as the job says; without a directory, which amphi_run_open needs. */
AmphiRunOptions amphi_run_options_default(void);

/* From so many samples on a drift is judged. */
enum { AMPHI_DRIFT_SAMPLES = 1000 };

/* What the conserved energy of a stage may drift by, kT/ns/dof: max-drift; where a barostat moves
 * the box also what its discrete moves leave, 100 kJ/mol/ns whatever the size of the box (34 to 49
 * are measured with steps of 10 fs: barostat.h). Infinite with Langevin noise, whose heat is booked
 * to the order of the step: such a drift is not judged. */
double amphi_drift_bound(const AmphiJob *job, const AmphiStage *stage);

/* Progress and results so far. The strings belong to the run. */
typedef struct {
    int64_t     step, n_steps; /* done, and in all; an unfinished minimisation counts in full */
    int64_t     first_step;    /* at which this process started */
    double      time_ps, end_ps, wall_s;
    const char *stage, *backend; /* "warm"; "cpu single v4, 16 lanes, ..." */
    int32_t     device;          /* which GPU; -1: the backend runs on none */
    int32_t     n_beads;
    double      temperature_K; /* at the last check for faults */
    int64_t     n_limited;     /* moves of the box until then that were cut short */
    double      mean_temperature_K, mean_error_K; /* of this stage; NaN if not known yet */
    int64_t     n_drift;         /* samples in the drift, one each look of the watch */
    double      drift_kT_ns_dof; /* of the conserved energy: slope of a fitted line */
    double      drift_error;     /* standard error by block averaging; both NaN if not known yet */
    double      drift_bound;     /* amphi_drift_bound of this stage */
    bool        drifts;          /* significantly larger than that */
    bool        finished;
    const char *state_hash; /* fixed precision: hash of the last saved state; else "" */
    const char *remark;     /* such as a damaged checkpoint that was passed over; "": none */
} AmphiRunInfo;

/* The backend that amphi_run_open would take for a new run: the one that options or job name,
 * or the fastest available in that precision. NULL, with the available ones in err, if there
 * is none. */
const AmphiBackend *amphi_run_choose(const AmphiJob *job, const AmphiRunOptions *options,
                                     AmphiError *err);
/* The backend that amphi_run_open would take in options->dir: where a run goes on there, that of
 * its checkpoint, unless the options name another. Nothing is written. remark[size]: what a user
 * should know of it; "": nothing. Fails as amphi_run_open does where the run cannot go on. */
AmphiStatus amphi_run_choose_there(const AmphiJob *job, const AmphiRunOptions *options,
                                   const AmphiBackend **backend, char *remark, size_t size,
                                   AmphiError *err);
/* Device, threads and list margin: from options, else from the job. */
AmphiCompute amphi_run_compute(const AmphiJob *job, const AmphiRunOptions *options);

/* AMPHI_BAD_COMMAND: the options ask for more steps than can be counted, 2^53. */
AmphiStatus amphi_run_check_length(const AmphiJob *job, const AmphiRunOptions *options,
                                   AmphiError *err);
/* Total steps of a new run; a minimisation counts with its largest number of steps. */
int64_t amphi_run_steps(const AmphiJob *job, const AmphiRunOptions *options);

/* Opens a new run, or continues the one in the directory. The job is borrowed and must outlive the
 * run. AMPHI_BAD_INPUT: the physics has changed since the checkpoint (err lists the differences),
 * an output measures something else than it did, or there is nothing to run. AMPHI_BAD_COMMAND: the
 * backend is not available. AMPHI_BAD_FILE: the directory cannot be used, or another process has it
 * locked. */
AmphiStatus amphi_run_open(const AmphiJob *job, const AmphiRunOptions *options, AmphiRun **run,
                           AmphiError *err);
/* Runs to the end: AMPHI_OK. AMPHI_STOPPED: stopped on request or by a limit, after a checkpoint;
 * can be continued. AMPHI_UNSTABLE: err names the bead and what is wrong with it. AMPHI_NO_DEVICE:
 * the device is lost, its energies are not those that its own steps have added up, or steps that
 * were computed twice led to two states; can be continued from the last checkpoint. */
AmphiStatus amphi_run(AmphiRun *run, AmphiError *err);
/* Measures the time of each operation of a step, in the stage that the run has reached. Only once,
 * after amphi_run has returned AMPHI_OK or AMPHI_STOPPED; then the run can only be closed. In a
 * stage that makes no time steps, timings has no parts. */
AmphiStatus amphi_run_timings(AmphiRun *run, struct AmphiTimings *timings, AmphiError *err);

/* The result of reversing time: in NVE and fixed precision, the last stage run backwards. */
typedef struct {
    const char *stage;
    int64_t     n_steps;
    bool        came_back;              /* the first state was reached again, bit for bit */
    char        first[AMPHI_HASH_TEXT]; /* hash of the stage's first state */
    char        last[AMPHI_HASH_TEXT];  /* of the state that was reached */
} AmphiRunReturn;

/* Runs the last stage backwards to its beginning. Only after amphi_run has returned AMPHI_OK or
 * AMPHI_STOPPED; then the run can only be closed. Writes no files. AMPHI_STOPPED: on request. */
AmphiStatus amphi_run_reverse(AmphiRun *run, AmphiRunReturn *result, AmphiError *err);

/* What a minimisation came to. */
typedef struct {
    int64_t stage, n_steps;  /* of the job, from 0; steps that it made */
    double  force_kJ_mol_nm; /* the largest, or a torque over 0.1 nm that is larger */
    bool    is_torque;
    int32_t bead; /* on which it acts, from 0 */
    double  potential_kJ_mol;
    enum { AMPHI_FORCE_MET, AMPHI_STEPS_MADE, AMPHI_NONE_LOWER } end; /* why it ended */
} AmphiRunMinimum;

/* Of the last one that this process has brought to its end; NULL: none yet. */
const AmphiRunMinimum *amphi_run_minimum(const AmphiRun *run);

void amphi_run_info(const AmphiRun *run, AmphiRunInfo *info);
/* What output k, from 0, would have a user know of the frames so far; "": nothing; NULL behind the
 * last output. Belongs to the run. */
const char *amphi_run_output_remark(const AmphiRun *run, int32_t k);
/* Gives back all but the folder, which stays this run's until it is closed. */
void amphi_run_release(AmphiRun *run);
void amphi_run_close(AmphiRun *run); /* NULL is allowed; writes nothing */

#endif
