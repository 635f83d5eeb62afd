/* The factors by which scaling thermostats multiply the velocities of a group. */
#ifndef AMPHI_ENGINE_THERMOSTAT_H
#define AMPHI_ENGINE_THERMOSTAT_H

#include "num/normal.h"

/* What a factor depends on; kT in kJ/mol, the share of a step in the relaxation time. */
typedef struct {
    double  kinetic, kT; /* kJ/mol; K+ of the group */
    int64_t freedom;
    double  share; /* dt / tau */
} Heat;

/* Stochastic velocity rescaling: Bussi, Donadio & Parrinello, J. Chem. Phys. 126, 014101 (2007),
 * eq. A7. With c = exp(-dt/tau), r one Gaussian deviate, s the sum of f - 1 squared ones:
 *   alpha^2 = c + (1 - c) K0/(f K) (s + r^2) + 2 r sqrt(c (1 - c) K0/(f K)),  K0 = f kT/2,
 * and alpha has the sign of r + sqrt(c f K / ((1 - c) K0)). */
AMPHI_BOTH double velocity_rescale(const Heat *heat, uint64_t seed, uint64_t group, uint64_t step)
{
    if (heat->freedom <= 0 || !(heat->kinetic > 0))
        return 1;

    const double c     = exp_of(-heat->share);
    const double ratio = (1 - c) * 0.5 * heat->kT / heat->kinetic;
    const double r     = draw_normals(seed, group, step, AMPHI_STREAM_RESCALE, 0).first;
    const double s  = draw_squares(heat->freedom - 1, seed, group, step, AMPHI_STREAM_RESCALE, 1);
    const double a2 = c + ratio * (s + r * r) + 2 * r * sqrt(c * ratio);
    const double a  = sqrt(a2 > 0 ? a2 : 0);

    return r + sqrt(c / ratio) < 0 ? -a : a;
}

/* Berendsen et al., J. Chem. Phys. 81, 3684 (1984), eq. 11; a step longer than tau counts as tau. */
AMPHI_BOTH double berendsen_rescale(const Heat *heat)
{
    if (heat->freedom <= 0 || !(heat->kinetic > 0))
        return 1;

    const double share = heat->share < 1 ? heat->share : 1;
    const double goal  = 0.5 * (double)heat->freedom * heat->kT;

    return sqrt(1 + share * (goal / heat->kinetic - 1));
}

#endif
