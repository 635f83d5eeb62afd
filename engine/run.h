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
    const char    *dir;       /* the run directory; made when missing */
    const char    *backend;   /* NULL: the best there is */
    int32_t        precision; /* AmphiPrecision, or -1: the job's */
    AmphiCompute   compute;
    int64_t        n_steps;   /* of the whole run, from step 0; -1: the plan's */
    double         until_ps;  /* the same in time; -1 */
    double         max_hours; /* 0: no limit */
    double         checkpoint_every_s;
    int64_t        checkpoint_every_steps;
    bool           fresh; /* throw away what the directory holds */
    uint64_t       input_hash;
    const char    *heading; /* for tables */
    volatile const sig_atomic_t *stop_requested, *save_requested;
    /* Called at least twice a second of wall time, and at the end of each stage. */
    void (*progress)(void *user, const AmphiRun *run);
    void *user;
} AmphiRunOptions;

/* What can be told of a run at any time. */
typedef struct {
    int64_t     step, n_steps; /* of the whole run */
    int64_t     first_step;    /* where this process began */
    double      time_ps, wall_s;
    const char *stage, *backend; /* "warm"; "cpu single, AVX-512, 2 threads" */
    double      temperature_K;
    int64_t     n_drift; /* samples behind the drift; it means something from 1000 on */
    double      drift_kT_ns_dof, drift_error;
    bool        finished;
} AmphiRunInfo;

/* Opens or continues. AMPHI_BAD_INPUT when the physics has changed since the checkpoint (the text
 * lists what differs); AMPHI_BAD_FILE for a directory that cannot be used. */
AmphiStatus amphi_run_open(const AmphiJob *job, const AmphiRunOptions *options, AmphiNotes *notes,
                           AmphiRun **run, AmphiError *err);
/* AMPHI_OK: done; AMPHI_STOPPED: on request, resumable; AMPHI_UNSTABLE: see err. */
AmphiStatus amphi_run(AmphiRun *run, AmphiError *err);
void        amphi_run_info(const AmphiRun *run, AmphiRunInfo *info);
void        amphi_run_close(AmphiRun *run);

#endif
