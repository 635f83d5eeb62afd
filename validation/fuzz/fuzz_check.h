/* What must hold of every reading, for the fuzz targets of jobs and force fields. */
#ifndef AMPHI_VALIDATION_FUZZ_FUZZ_CHECK_H
#define AMPHI_VALIDATION_FUZZ_FUZZ_CHECK_H

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../engine/backend.h"
#include "../../engine/job.h"

static inline void hold(bool is_true)
{
    if (!is_true)
        abort();
}

/* A folder of this process alone, kept until its end; below it nothing but what the target writes. */
static inline const char *fuzz_folder(void)
{
    static char folder[] = "/tmp/amphi-fuzz-XXXXXX";
    static bool is_made;

    if (!is_made)
        hold(mkdtemp(folder) != NULL);
    is_made = true;
    return folder;
}

/* The folder of the installed force fields; a count cannot ask for more than a thousand beads. */
static inline AmphiLoadOptions fuzz_options(void)
{
    const char *const wanted = getenv("AMPHI_DATA");

    return (AmphiLoadOptions){ .data_dir = wanted != NULL ? wanted : ".", .max_memory = 6e5 };
}

/* What is accepted is finite, forces and all. */
static inline void hold_finite(const AmphiSystem *s)
{
    const AmphiBackend *const backend = amphi_backend_find("reference", AMPHI_DOUBLE);
    const uint32_t            needs   = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES;
    AmphiState               *state   = NULL;
    AmphiFrame                frame;

    hold(s->n_beads > 0 && s->n_types > 0);
    for (int32_t i = 0; i < s->n_beads; i++)
        for (int k = 0; k < 4; k++)
            hold(isfinite(s->orientation[i][k]) &&
                 (k == 3 || (isfinite(s->position_nm[i][k]) && isfinite(s->velocity_nm_ps[i][k]) &&
                             isfinite(s->spin_u_nm2_ps[i][k]))));
    if (s->n_beads > 100)
        return;
    hold(backend->open(s, NULL, &state, NULL) == AMPHI_OK);
    hold(backend->compute_forces(state, needs, NULL) == AMPHI_OK);
    hold(backend->read_frame(state, needs, &frame, NULL) == AMPHI_OK);
    for (int k = 0; k < AMPHI_TERMS; k++)
        hold(isfinite(frame.term_kJ_mol[k]));
    backend->close(state);
}

/* A job or errors, never both, never neither. */
static inline void fuzz_read(const char *path, const void *bytes, size_t n)
{
    const AmphiLoadOptions options = fuzz_options();
    AmphiNotes *const      notes   = amphi_notes_new();
    AmphiError             err     = { .status = AMPHI_OK };
    AmphiJob *const        job = amphi_job_parse(path, bytes, (int64_t)n, &options, notes, &err);

    hold(err.status == AMPHI_OK);
    hold(amphi_notes_status(notes, false) == (job != NULL ? AMPHI_OK : AMPHI_BAD_INPUT));
    if (job != NULL)
        hold_finite(&job->system);
    amphi_job_free(job);
    amphi_notes_free(notes);
}

#endif
