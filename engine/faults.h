/* From where on a state is at fault: what the watch of a run looks for on the host, and a device
 * by itself.
 */
#ifndef AMPHI_ENGINE_FAULTS_H
#define AMPHI_ENGINE_FAULTS_H

#include "stage.h"

/* A bead that goes this far in one step has left physics: thermal ones go a hundredth of it. */
#define AMPHI_LONGEST_STEP_NM 0.5

/* Tolerance of the norm of a quaternion; rounding changes it by 1e-11 in 1e9 steps. */
#define AMPHI_MOST_STRETCH 1e-3

/* Heat never gathers so much in one place. A stage begins neither with more potential energy a bead
 * nor with a force that gives a bead more in its first step: once minimised, membranes and liquids
 * have less than none of the first, and at most 3 of the second. */
#define AMPHI_TOO_MUCH_KT 100

/* That in a stage, kJ/mol. */
double amphi_too_much_kJ_mol(const AmphiStage *stage);

/* torn_nm [n_bond_rules]: the length in nm beyond which a bond of a rule is torn in a stage;
 * infinite for rules of other terms. */
void amphi_torn_lengths(const AmphiSystem *s, const AmphiStage *stage, double *torn_nm);

#endif
