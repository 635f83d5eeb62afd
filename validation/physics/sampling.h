/* Runs the stages of a job and samples the quantities that the laws of laws.h are about: energies
 * of half steps, momenta, volume. Without files or checkpoints, for runs of minutes.
 */
#ifndef AMPHI_VALIDATION_PHYSICS_SAMPLING_H
#define AMPHI_VALIDATION_PHYSICS_SAMPLING_H

#include "../../engine/backend.h"
#include "../../engine/job.h"
#include "figures.h"

/* Runs a job on one thread, with the list margin that the job sets, and returns a table with one
 * row for every `every` steps of each stage with time steps. NULL: err says why. Columns, in
 * internal units:
 *
 *   stage                              from 1, all stages counted
 *   time_ps                            since the stage began
 *   kT, pressure                       the stage's targets
 *   freedom_translation, _rotation     degrees of freedom
 *   potential, kinetic_full, conserved, volume
 *   temperature                        K, of half steps, like all temperatures
 *   translation_plus, rotation_plus    kinetic energy of the half step after the kick
 *   translation_half, rotation_half    mean of the half steps before and after it
 *   momentum_x, _y, _z                 total momentum
 *   turning_x, _y, _z                  total angular momentum about the middle of the first box
 *   orbit_x, _y, _z                    the same without the spins of the beads
 *   momentum_scale, turning_scale, orbit_scale   root of the sum of squares over beads
 *   shift_NAME, turn_NAME              temperatures of translation and rotation of a molecule type
 */
Table *sample_job(const AmphiJob *job, const AmphiBackend *backend, int64_t every, AmphiError *err);

#endif
