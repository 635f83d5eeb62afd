/* What the temperature of a molecule type is made of, for compare_nvt.c and its test. */
#ifndef AMPHI_TOOLS_COMPARE_NVT_H
#define AMPHI_TOOLS_COMPARE_NVT_H

#include "../engine/frame.h"
#include "../engine/stage.h"

/* kinetic[n_molecule_types]: half-step energies in kJ/mol, translation and rotation together, of a frame
 * that has forces and positions and stands at the end of a kick of dt_ps. */
void compare_kinetic(const AmphiSystem *system, const AmphiFrame *frame, double dt_ps,
                     double *kinetic);
/* freedom[n_molecule_types]: their sum is that of the frame. */
void compare_freedom(const AmphiSystem *system, const AmphiStage *stage, const AmphiFrame *frame,
                     double *freedom);

#endif
