/* Runs the stages of a job and keeps what the laws are about: energies of half-steps, momenta,
 * volume, by a table with a row a look. No files, no checkpoints: minutes at most.
 */
#ifndef AMPHI_VALIDATION_PHYSICS_SAMPLING_H
#define AMPHI_VALIDATION_PHYSICS_SAMPLING_H

#include "../../engine/backend.h"
#include "../../engine/job.h"
#include "figures.h"

/* A row every so many steps of each stage that moves, by one thread, with the list margin that the
 * job asks for. NULL: err says why. Columns, in internal units:
 *   stage (from 1, all stages counted), time_ps (of the stage), kT and pressure that the stage is told,
 *   freedom_translation, freedom_rotation, potential, kinetic_full, conserved, volume, temperature (K, of
 *   half-steps, like all temperatures);
 *   translation_plus, translation_half, rotation_plus, rotation_half: the energy of the half-step after the
 *   kick, and the mean of before and after;
 *   momentum_x _y _z _scale; turning_x _y _z _scale: total angular momentum about the middle of the first box; turning without what the beads have by themselves: orbit_x ...; scales: what each bead has, as
 *   the root of the sum of squares;
 *   shift_NAME, turn_NAME for each molecule type: its temperatures of translation and rotation. */
Table *sample_job(const AmphiJob *job, const AmphiBackend *backend, int64_t every, AmphiError *err);

#endif
