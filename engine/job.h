/* A job: one XML file, read, checked, and turned into an immutable system. */
#ifndef AMPHI_ENGINE_JOB_H
#define AMPHI_ENGINE_JOB_H

#include "arena.h"
#include "error.h"
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

typedef struct {
    AmphiArena      *arena; /* owns everything below */
    AmphiSystem      system;
    AmphiStart       start;
    uint64_t         seed; /* of a built start */
    int32_t          n_files;
    AmphiFileRecord *file; /* [n_files] every file that was read, in order */
    int32_t          n_overrides;
    const char     **override; /* [n_overrides] "water tail: epsilon x 0.95: why" */
} AmphiJob;

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
