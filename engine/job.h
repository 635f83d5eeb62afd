/* A job: what one XML file asks for, read and checked: an immutable system, the stages that move
 * it, and what is written on the way.
 */
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

/* Where the start comes from: a coordinate file, beads listed in the XML, or the builder. */
typedef enum {
    AMPHI_START_FILE,
    AMPHI_START_BEADS,
    AMPHI_START_BILAYER,
    AMPHI_START_FILL
} AmphiStart;

enum { AMPHI_MOST_LABEL = 60 };

/* One element of <output>, checked. Fields that do not belong to the kind are zero. */
typedef struct {
    const char        *kind;       /* name of the element: "energies" */
    AmphiWhere         where;      /* of the element */
    const char        *label;      /* "heads" of profile-heads.tsv; NULL: none, profile.tsv */
    const char        *measures;   /* "beads: phos water\nwidth: 0.01 nm\n": all but when */
    double             every_ps;   /* 0: the interval is given in steps */
    int64_t            every;      /* in steps of from_stage; use amphi_observer_every */
    int32_t            from_stage; /* index of the first stage observed; never a minimisation */
    int32_t            group;      /* of the system; profile: the one that is centred */
    int32_t            only;       /* profile: the group whose beads count; 0: all */
    int32_t            axis;       /* profile: 0 to 2 */
    bool               is_whole;   /* trajectory: molecules are not cut by the box */
    bool               is_xtc;     /* trajectory: trajectory.xtc, else trajectory.dcd */
    double             xtc_per_nm; /* trajectory: whole numbers a nm */
    bool               in_plane;   /* diffusion: along x and y only */
    double             width_nm, extent_nm; /* profile, rdf: bin width; rdf: largest distance */
    int32_t            n_names;             /* of the list: quantities, bead types or tails */
    const char *const *name;                /* [n_names] */
} AmphiObserverPlan;

/* Settings of <compute>: how to simulate. None of them changes the physics. */
typedef struct {
    const char    *backend; /* NULL: the fastest that is available */
    AmphiPrecision precision;
    bool           names_precision; /* else it is the default */
    AmphiCompute   choice;
    int64_t        watch_every;         /* steps between two searches for faults */
    int64_t        verify_every;        /* steps between two verifications; 0: none */
    double         max_drift_kT_ns_dof; /* largest tolerated drift of the conserved energy */
    bool           stops_on_drift;      /* else a larger drift is only reported */
    double         checkpoint_every_s;  /* of wall time; 0: given in steps */
    int64_t        checkpoint_every_steps;
} AmphiComputePlan;

/* Published results for the molecules of this system, shown beside its own. 0: not known. */
typedef struct {
    const char *source;
    double      temperature_K, area_nm2, volume_nm3, thickness_nm, density_u_nm3;
} AmphiLiterature;

/* A force field that was read: its name and what its authors ask to cite; NULL: not told. */
typedef struct {
    const char *name, *cite;
} AmphiForceField;

/* One attribute that the physics depends on. A run is continued only when all of them are the same
 * as in its checkpoint; messages name those that differ. */
typedef struct {
    const char *key;   /* "run warm timestep" */
    const char *value; /* converted to internal units where it has a unit */
    int32_t     stage; /* index of the stage it belongs to; -1: of the system */
} AmphiPhysicsText;

/* With x, y or z behind it: the key of an edge that a file of coordinates tells, not <box>. */
#define AMPHI_PHYSICS_BOX "coordinates box"

typedef struct {
    AmphiArena      *arena; /* owns everything below */
    AmphiSystem      system;
    AmphiStart       start;
    uint64_t         seed; /* of the builder; 0 for other starts */
    int32_t          n_files;
    AmphiFileRecord *file; /* [n_files] every file that was read, in order */
    int32_t          n_force_fields;
    AmphiForceField *force_field; /* [n_force_fields] in the order of their files */
    bool             has_velocities;
    double           drawn_K; /* at which velocities are drawn; negative: none are */
    int32_t          n_overrides;
    const char     **override; /* [n_overrides] "water tail: epsilon x 0.95: why" */

    int32_t                  n_stages; /* 0: nothing to run */
    const AmphiStage        *stage;    /* [n_stages] */
    int32_t                  n_observers;
    const AmphiObserverPlan *observer; /* [n_observers] */
    int32_t                  n_asked;
    const AmphiObserverPlan *asked; /* [n_asked] what the load options ask for; see there */
    AmphiComputePlan         compute;
    bool                     without_snapshot; /* the report has no picture of the last frame */
    int32_t                  n_literature;
    const AmphiLiterature   *literature; /* [n_literature] */
    int32_t                  n_physics;
    const AmphiPhysicsText  *physics;      /* [n_physics] */
    uint64_t                 physics_hash; /* of all keys and values */
} AmphiJob;

/* The interval in steps at which an observer sees frames of this stage, counted from the beginning
 * of the stage. At least 1. */
int64_t amphi_observer_every(const AmphiObserverPlan *plan, const AmphiStage *stage);

typedef struct {
    const char *data_dir;   /* contains forcefield/; NULL: only files beside the job */
    double      max_memory; /* bytes that the job may need; 0: 80 % of the machine's */
    /* The job is a copy in a run directory: files that are not where it says lie beside it. */
    bool is_copy;
    /* Measurements besides those of the run, for AmphiJob.asked. A file whose root is <output>; or
     * the names of elements, each with the attributes that it has in the job's own <output>, else
     * with its defaults; notes about these name the file AMPHI_ASKED. One that needs attributes and
     * has none is not among them. Of every step, but for what a file has an `every` for. */
    const char        *output;  /* NULL: no file */
    const char *const *observe; /* [n_observe] */
    int32_t            n_observe;
} AmphiLoadOptions;

#define AMPHI_ASKED "--observe"

/* Shells of an rdf, and slabs of a profile on each side of the middle, which reach beyond half the
 * box because it may grow. Not rounded: a job has at most so many; of pressures fewer, for which
 * there are sums in many parts. */
enum { AMPHI_MOST_SHELLS = 100000, AMPHI_MOST_SLABS = 1000000, AMPHI_MOST_PRESSURE_SLABS = 1000 };
double amphi_observer_shells(const AmphiObserverPlan *rdf);
double amphi_observer_slabs(const AmphiObserverPlan *profile, const double box_nm[3]);

/* Reads and checks the job file at `path` and everything that it includes. options NULL: all zero.
 * All faults are added to notes. Returns NULL when any of them is an error (amphi_notes_status is
 * then AMPHI_BAD_INPUT), or when there is not enough memory (err). Free with amphi_job_free. */
AmphiJob *amphi_job_load(const char *path, const AmphiLoadOptions *options, AmphiNotes *notes,
                         AmphiError *err);
/* The same for a file that is in memory; `path` is its name in messages, and relative includes are
 * looked for in the folder of that path. */
AmphiJob *amphi_job_parse(const char *path, const char *bytes, int64_t n_bytes,
                          const AmphiLoadOptions *options, AmphiNotes *notes, AmphiError *err);
void      amphi_job_free(AmphiJob *job);

#endif
