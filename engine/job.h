/* A job: one XML file, read, checked, and turned into an immutable system. */
#ifndef AMPHI_ENGINE_JOB_H
#define AMPHI_ENGINE_JOB_H

#include "arena.h"
#include "backend.h"
#include "error.h"
#include "stage.h"
#include "system.h"

typedef struct {
    const char *path;
    int64_t     bytes;
} AmphiFileRecord;

/* How a start was made, for those who draw or test it. */
typedef enum {
    AMPHI_START_FILE,
    AMPHI_START_BEADS,
    AMPHI_START_BILAYER,
    AMPHI_START_FILL
} AmphiStart;

/* What one element of <output> asks for, checked. Fields that the kind does not have are zero. */
typedef struct {
    const char        *kind;       /* name of the element: "energies" */
    double             every_ps;   /* 0: asked for in steps */
    int64_t            every;      /* steps, of from_stage; see amphi_observer_every */
    int32_t            from_stage; /* index into the stages, never of a minimisation; sees nothing
                                      before */
    int32_t            group;      /* of the system; profile: the one that is centred */
    int32_t            axis;       /* profile: 0 to 2 */
    bool               is_whole;   /* trajectory: molecules are not cut by the box */
    bool               in_plane;   /* diffusion: along x and y alone */
    double             width_nm, extent_nm; /* profile, rdf: bin width; rdf: largest distance */
    int32_t            n_names;             /* quantities, bead types, tails: what is listed */
    const char *const *name;                /* [n_names] */
} AmphiObserverPlan;

/* Where and how exactly: nothing here changes the physics. */
typedef struct {
    const char    *backend; /* NULL: the best there is */
    AmphiPrecision precision;
    AmphiCompute   choice;
    int64_t        watch_every; /* steps between two looks for faults */
    double         max_drift_kT_ns_dof;
    bool           stops_on_drift;
    double         checkpoint_every_s; /* of wall time; 0: asked for in steps */
    int64_t        checkpoint_every_steps;
} AmphiComputePlan;

/* What others found for the molecules of this system, for the eye alone. 0: not told. */
typedef struct {
    const char *source;
    double      temperature_K, area_nm2, volume_nm3, thickness_nm, density_u_nm3;
} AmphiLiterature;

/* One attribute that decides the physics: who differs from a started run is told by these. */
typedef struct {
    const char *key;   /* "run warm timestep" */
    const char *value; /* in internal units where it has one */
    int32_t     stage; /* index of the stage it belongs to; -1: of the system */
} AmphiPhysicsText;

typedef struct {
    AmphiArena      *arena; /* owns everything below */
    AmphiSystem      system;
    AmphiStart       start;
    uint64_t         seed; /* of a built start */
    int32_t          n_files;
    AmphiFileRecord *file; /* [n_files] every file that was read, in order */
    int32_t          n_overrides;
    const char     **override; /* [n_overrides] "water tail: epsilon x 0.95: why" */

    int32_t                  n_stages; /* 0: nothing to run */
    const AmphiStage        *stage;    /* [n_stages] */
    int32_t                  n_observers;
    const AmphiObserverPlan *observer; /* [n_observers] */
    AmphiComputePlan         compute;
    bool                     without_snapshot; /* in the report */
    int32_t                  n_literature;
    const AmphiLiterature   *literature; /* [n_literature] */
    int32_t                  n_physics;
    const AmphiPhysicsText  *physics;      /* [n_physics] */
    uint64_t                 physics_hash; /* of all keys and values */
} AmphiJob;

/* Steps of a stage between two frames that an observer sees, counted from where the stage begins. */
int64_t amphi_observer_every(const AmphiObserverPlan *plan, const AmphiStage *stage);

typedef struct {
    const char *data_dir;   /* holds forcefield/; NULL: only files beside the job */
    double      max_memory; /* bytes; 0: 80 % of the machine's */
} AmphiLoadOptions;

/* Reads path. options NULL: none installed, 80 % of memory. Faults go to notes, all of them; returns NULL when
 * there are errors (status of notes: AMPHI_BAD_INPUT), or when memory is short (err). */
AmphiJob *amphi_job_load(const char *path, const AmphiLoadOptions *options, AmphiNotes *notes,
                         AmphiError *err);
/* The same from bytes in memory; `path` names them and gives the folder of their includes. */
AmphiJob *amphi_job_parse(const char *path, const char *bytes, int64_t n_bytes,
                          const AmphiLoadOptions *options, AmphiNotes *notes, AmphiError *err);
void      amphi_job_free(AmphiJob *job);

#endif
