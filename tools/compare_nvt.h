/* Kinetic energy and degrees of freedom of each molecule type, from which compare_nvt.c calculates
 * their temperatures.
 */
#ifndef AMPHI_TOOLS_COMPARE_NVT_H
#define AMPHI_TOOLS_COMPARE_NVT_H

#include "../engine/frame.h"
#include "../engine/stage.h"

/* kinetic[n_molecule_types], kJ/mol: translation and rotation together, the mean of the two half
 * steps around the frame, whose velocities are those of its own time. The frame must have positions
 * and forces. */
void compare_kinetic(const AmphiSystem *system, const AmphiFrame *frame, double dt_ps,
                     double *kinetic);
/* freedom[n_molecule_types]: degrees of freedom; their sum is that of the frame. */
void compare_freedom(const AmphiSystem *system, const AmphiStage *stage, const AmphiFrame *frame,
                     double *freedom);

#endif
