/* libamphi: the header for programs that use the library. What `make install` has put in its place
 * is compiled and linked by
 *
 *     cc program.c $(pkg-config --cflags --libs amphi)
 *
 * with #include <engine/amphi.h>.
 *
 * A job is read from a file and owns its system; a backend makes a state of that system; a frame is
 * what can be read from a state. For example, the energy of a system file, with the faults of the
 * file on standard error:
 *
 *     static double energy_kJ_mol(const char *path, const char *data_dir, AmphiError *err)
 *     {
 *         const AmphiLoadOptions    options = { .data_dir = data_dir };
 *         const AmphiBackend *const backend = amphi_backend_find("reference", AMPHI_DOUBLE);
 *         AmphiNotes *const         notes   = amphi_notes_new();
 *         AmphiJob *const           job     = amphi_job_load(path, &options, notes, err);
 *         AmphiState               *state   = NULL;
 *         AmphiFrame                frame   = { .step = 0 };
 *         double                    sum     = (double)NAN;
 *
 *         amphi_notes_print(notes, stderr, false);
 *         if (job != NULL && backend->open(&job->system, NULL, &state, err) == AMPHI_OK &&
 *             backend->compute_forces(state, AMPHI_NEED_ENERGY, err) == AMPHI_OK &&
 *             backend->read_frame(state, AMPHI_NEED_ENERGY, &frame, err) == AMPHI_OK) {
 *             sum = 0;
 *             for (int slot = 0; slot < AMPHI_TERMS; slot++)
 *                 sum += frame.term_kJ_mol[slot];
 *         }
 *         backend->close(state);
 *         amphi_job_free(job);
 *         amphi_notes_free(notes);
 *         return sum;
 *     }
 *
 * The library never prints, exits or keeps global state; errors are returned (error.h).
 */
#ifndef AMPHI_ENGINE_AMPHI_H
#define AMPHI_ENGINE_AMPHI_H

#include "arena.h"
#include "backend.h"
#include "error.h"
#include "formats/convert.h"
#include "formats/snapshot.h"
#include "frame.h"
#include "job.h"
#include "overlap.h"
#include "run.h"
#include "run_replay.h"
#include "schema.h"
#include "system.h"
#include "units.h"
#include "version.h"

#endif
