/* A run: the stages of a job in order, from one state, with observers, checkpoints and a watch.
 *
 * Stopping and continuing is part of it: amphi_run_open continues from the newest good checkpoint
 * of the directory, and the run goes on to the same bits as if it had never stopped.
 */
#ifndef AMPHI_ENGINE_RUN_H
#define AMPHI_ENGINE_RUN_H

#include <signal.h>

#include "job.h"
#include "observe.h"
#include "stage.h"

typedef struct AmphiRun AmphiRun;

/* What the program may ask for; zero means the job's or the built-in choice. */
typedef struct {
    const char *dir; /* the run directory; made when missing */
    /* NULL and -1: as the run was, one that begins as the job says, or else the best there is */
    const char  *backend;
    int32_t      precision; /* AmphiPrecision */
    AmphiCompute compute;
    int64_t      n_steps;                /* of the whole run, from step 0; -1: the plan's */
    double       until_ps;               /* the same in time; -1 */
    double       max_hours;              /* 0: no limit */
    double       checkpoint_every_s;     /* 0: the job's */
    int64_t      checkpoint_every_steps; /* 0: the job's */
    bool         fresh;                  /* throw away what the directory holds */
    const char  *heading;                /* for tables */
    /* Each may be NULL. Whoever counts save_requested up asks for one more checkpoint. */
    volatile const sig_atomic_t *stop_requested, *save_requested;
    /* Called at least twice a second of wall time, and at the end of each stage. */
    void (*progress)(void *user, const AmphiRun *run);
    void *user;
} AmphiRunOptions;

/* What can be told of a run at any time. Texts are the run's. */
typedef struct {
    int64_t     step, n_steps; /* of the whole run; a minimisation counts as all its steps until it
                                  has ended */
    int64_t     first_step;    /* where this process began */
    double      time_ps, end_ps, wall_s;
    const char *stage, *backend; /* "warm"; "cpu single, AVX-512, 2 threads" */
    int32_t     n_beads;
    double      temperature_K;                    /* at the last look */
    double      mean_temperature_K, mean_error_K; /* of this stage; errors: NaN while not known */
    int64_t     n_drift; /* samples behind the drift; it means something from 1000 on */
    double      drift_kT_ns_dof, drift_error; /* from blocks: correlation is counted */
    bool        drifts;                       /* beyond what the job allows, and certainly so */
    bool        finished;
    const char *state_hash; /* of the last saved state, in fixed precision; "": in others */
    const char *remark;     /* a damaged checkpoint, for instance; "": none */
} AmphiRunInfo;

/* The backend that a run would have: the one asked for, or the fastest in the job's precision; NULL
 * with what there is. And what it may choose. */
const AmphiBackend *amphi_run_choose(const AmphiJob *job, const AmphiRunOptions *options,
                                     AmphiError *err);
AmphiCompute        amphi_run_compute(const AmphiJob *job, const AmphiRunOptions *options);

/* Steps of the whole run from its start; a minimisation counts in full. */
int64_t amphi_run_steps(const AmphiJob *job, const AmphiRunOptions *options);

/* Opens or continues. AMPHI_BAD_INPUT when the physics has changed since the checkpoint (the text
 * lists what differs), or when there is nothing to run; AMPHI_BAD_COMMAND for a backend that is not
 * there; AMPHI_BAD_FILE for a directory that cannot be used. The job must outlive the run. */
AmphiStatus amphi_run_open(const AmphiJob *job, const AmphiRunOptions *options, AmphiRun **run,
                           AmphiError *err);
/* AMPHI_OK: done; AMPHI_STOPPED: on request, resumable; AMPHI_UNSTABLE: see err. */
AmphiStatus amphi_run(AmphiRun *run, AmphiError *err);
/* After amphi_run gave AMPHI_OK or AMPHI_STOPPED, once, and nothing but closing after it: what a step
 * of the stage in hand takes. Of no part when that stage moves nothing. */
AmphiStatus amphi_run_timings(AmphiRun *run, struct AmphiTimings *timings, AmphiError *err);

/* Turning round in time, in NVE and fixed precision: the same steps back to where the stage began. */
typedef struct {
    const char *stage;
    int64_t     n_steps;
    bool        came_back;           /* to the first state, bit for bit */
    char        first[33], last[33]; /* the hash of that state, and of the one that was come to */
} AmphiRunReturn;

/* AMPHI_BAD_COMMAND: this run cannot be turned round in its last stage, for the reason told. */
AmphiStatus amphi_run_can_reverse(const AmphiRun *run, AmphiError *err);
/* After amphi_run gave AMPHI_OK or AMPHI_STOPPED, and nothing but closing after it. Files stay as they
 * are. AMPHI_STOPPED: on request, on the way back. */
AmphiStatus amphi_run_reverse(AmphiRun *run, AmphiRunReturn *result, AmphiError *err);

void amphi_run_info(const AmphiRun *run, AmphiRunInfo *info);
void amphi_run_close(AmphiRun *run);

#endif
