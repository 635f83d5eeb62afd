/* Steepest descent for rigid bodies, compiled for host and device.
 *
 * A torque over the arm DESCEND_ARM_NM is treated as a force. The bead with the largest of these
 * moves by one step length, all others in proportion. The step length grows while the energy falls,
 * and is halved when it rises.
 */
#ifndef AMPHI_ENGINE_DESCEND_H
#define AMPHI_ENGINE_DESCEND_H

#include "motion.h"

/* The longest step rotates by MOST / ARM = 0.3 rad. A step length below LEAST means convergence. */
#define DESCEND_ARM_NM    0.1
#define DESCEND_FIRST_NM  0.01
#define DESCEND_MOST_NM   0.03
#define DESCEND_LEAST_NM  1e-6
#define DESCEND_GROWTH    1.2
#define DESCEND_SHRINKAGE 0.5

/* Is the present state the best so far? Then the caller stores it, else it goes back to the best.
 * Sets the next step length. */
AMPHI_BOTH int descend_keeps(int has_best, double potential, double best, double *step_length_nm)
{
    if (!has_best) {
        *step_length_nm = DESCEND_FIRST_NM;
        return 1;
    }
    if (potential < best) {
        *step_length_nm = fmin(DESCEND_GROWTH * *step_length_nm, DESCEND_MOST_NM);
        return 1;
    }
    *step_length_nm *= DESCEND_SHRINKAGE;
    return 0;
}

AMPHI_BOTH double descend_length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The larger of the force on a body and its torque over the arm, kJ/mol/nm. */
AMPHI_BOTH double descend_pull(const Mover *m, const double force[3], const double torque[3])
{
    const double f = descend_length(force);

    return m->turning == TURNS_NOT ? f : fmax(f, descend_length(torque) / DESCEND_ARM_NM);
}

/* Moves and rotates one body; most: the largest descend_pull of all bodies. */
AMPHI_BOTH void descend_move(const Mover *m, double step_length_nm, double most,
                             const double force[3], const double torque[3], double x[3],
                             double q[4])
{
    const double move = step_length_nm / most;
    const double turn = step_length_nm / (DESCEND_ARM_NM * DESCEND_ARM_NM * most);
    double       angle[3];

    for (int a = 0; a < 3; a++) {
        x[a] += move * force[a];
        angle[a] = turn * torque[a];
    }
    if (m->turning != TURNS_NOT)
        turn_in_space(angle, q);
}

#endif
