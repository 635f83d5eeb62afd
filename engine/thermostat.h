/* The factors by which scaling thermostats multiply the velocities of a group. */
#ifndef AMPHI_ENGINE_THERMOSTAT_H
#define AMPHI_ENGINE_THERMOSTAT_H

#include "frame.h"
#include "num/normal.h"
#include "stage.h"

/* What a factor depends on; kT in kJ/mol, the share of a step in the relaxation time. */
typedef struct {
    double  kinetic, kT; /* kJ/mol; K+ of the group */
    int64_t freedom;
    double  share; /* dt / tau */
} Heat;

/* What rescaling draws for a group and a step: it can be had before the energies are known. */
typedef struct {
    double keep, normal, squares; /* exp(-dt/tau); r and s below */
} RescaleDraw;

AMPHI_BOTH RescaleDraw draw_rescale(double share, int64_t freedom, uint64_t seed, uint64_t group,
                                    uint64_t step)
{
    const RescaleDraw draw = {
        exp_of(-share), draw_normals(seed, group, step, AMPHI_STREAM_RESCALE, 0).first,
        draw_squares(freedom - 1, seed, group, step, AMPHI_STREAM_RESCALE, 1)
    };

    return draw;
}

/* Stochastic velocity rescaling: Bussi, Donadio & Parrinello, J. Chem. Phys. 126, 014101 (2007),
 * eq. A7. With c = exp(-dt/tau), r one Gaussian deviate, s the sum of f - 1 squared ones:
 *   alpha^2 = c + (1 - c) K0/(f K) (s + r^2) + 2 r sqrt(c (1 - c) K0/(f K)),  K0 = f kT/2,
 * and alpha has the sign of r + sqrt(c f K / ((1 - c) K0)). */
AMPHI_BOTH double velocity_rescale(const Heat *heat, const RescaleDraw *draw)
{
    if (heat->freedom <= 0 || !(heat->kinetic > 0))
        return 1;

    const double c = draw->keep, r = draw->normal, s = draw->squares;
    const double ratio = (1 - c) * 0.5 * heat->kT / heat->kinetic;
    const double a2    = c + ratio * (s + r * r) + 2 * r * sqrt(c * ratio);
    const double a     = sqrt(a2 > 0 ? a2 : 0);

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

/* What a factor on v(t + dt/2) adds to the energy of the motion that goes on from there, K_full and
 * K_half alike: (a^2 - 1) K+ - (a - 1) (dt/2) F.v+, the last product being K+ + K_half - 2 K_full.
 * Without it the conserved quantity rises: 1e-5 kT a mode and step at w dt = 0.3, dt/tau = 0.2 and
 * 180 modes. */
AMPHI_BOTH double heat_of(double a, const AmphiKinetic *k)
{
    return (a * a - 1) * k->plus - (a - 1) * (k->plus + k->half - 2 * k->full);
}

/* What taking away the velocity u of a group's centre of mass adds, of one component. By the same count
 * that is -u P/2 + u (dt/2) F with F the force on the group; after the last removal P was nothing, so
 * dt F is P as the kick left it, before thermostat and box multiplied it by `factor`. Without that
 * part two groups that push each other lose 0.02 kT/ns a degree of freedom. factor 0: noise has
 * come in between, which does not know the force. */
AMPHI_BOTH double heat_of_drift(double momentum, double u, double factor)
{
    const double since = factor != 0 ? 1 / factor : 0;

    return -0.5 * u * momentum * (1 - since);
}

AMPHI_BOTH int scales_velocities(AmphiThermostatType type)
{
    return type == AMPHI_VELOCITY_RESCALE || type == AMPHI_BERENDSEN_T;
}

/* Factors of v and l of one group, whose k and freedom are of translation and rotation; the heat
 * they bring. heat: kT and share are given. */
AMPHI_BOTH double rescale_group(AmphiThermostatType type, Heat heat, const AmphiKinetic k[2],
                                const int64_t freedom[2], const RescaleDraw *draw, double factor[2])
{
    if (type == AMPHI_VELOCITY_RESCALE) {
        heat.kinetic = k[0].plus + k[1].plus;
        heat.freedom = freedom[0] + freedom[1];
        factor[0] = factor[1] = velocity_rescale(&heat, draw);
    } else {
        for (int kind = 0; kind < 2; kind++) {
            heat.kinetic = k[kind].plus;
            heat.freedom = freedom[kind];
            factor[kind] = berendsen_rescale(&heat);
        }
    }
    return heat_of(factor[0], &k[0]) + heat_of(factor[1], &k[1]);
}

#endif
