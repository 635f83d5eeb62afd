/* Velocity-scaling thermostats: in which steps they act, the factors by which they multiply v and l
 * of a group, and the heat that this brings. Langevin noise is in motion.h.
 */
#ifndef AMPHI_ENGINE_THERMOSTAT_H
#define AMPHI_ENGINE_THERMOSTAT_H

#include "frame.h"
#include "num/normal.h"
#include "stage.h"

/* What a factor depends on. */
typedef struct {
    double  kinetic; /* K of v(t + dt/2) of the group, kJ/mol */
    double  kT;      /* of the bath, kJ/mol */
    int64_t freedom; /* degrees of freedom of the group */
    double  share;   /* time from one scaling to the next, over tau */
} Heat;

AMPHI_BOTH int scales_velocities(AmphiThermostatType type)
{
    return type == AMPHI_VELOCITY_RESCALE || type == AMPHI_BERENDSEN_T;
}

AMPHI_BOTH int32_t steps_between_scalings(const AmphiThermostat *t)
{
    return scales_velocities(t->type) && t->every > 0 ? t->every : 1;
}

/* Does it, and is drift removed, in this step? What does not scale velocities acts in each. */
AMPHI_BOTH int thermostat_acts(const AmphiThermostat *t, int64_t stage_step)
{
    return stage_step % steps_between_scalings(t) == 0;
}

/* Of one of its actions. */
AMPHI_BOTH double share_of_scaling(const AmphiThermostat *t, double dt_ps)
{
    return t->time_ps > 0 ? steps_between_scalings(t) * dt_ps / t->time_ps : 0;
}

/* The random part of velocity rescaling for one group and step: exp(-share), r and s of eq. A7
 * below. It does not depend on the energies. */
typedef struct {
    double keep, normal, squares;
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

/* The factor alpha of stochastic velocity rescaling: Bussi, Donadio & Parrinello, J. Chem. Phys.
 * 126, 014101 (2007), eq. A7. With c = exp(-t/tau), t from one scaling to the next, f degrees of
 * freedom, r one normal deviate, and s the sum of the squares of f - 1 others:
 *   alpha^2 = c + (1 - c) K0/(f K) (s + r^2) + 2 r sqrt(c (1 - c) K0/(f K)),  K0 = f kT/2,
 * and alpha has the sign of r + sqrt(c f K / ((1 - c) K0)). It solves the equation of K over any t,
 * so the ensemble is the same however rarely it acts. */
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

/* The factor of Berendsen et al., J. Chem. Phys. 81, 3684 (1984), eq. 11; a time longer than tau is
 * treated as tau. */
AMPHI_BOTH double berendsen_rescale(const Heat *heat)
{
    if (heat->freedom <= 0 || !(heat->kinetic > 0))
        return 1;

    const double share = heat->share < 1 ? heat->share : 1;
    const double goal  = 0.5 * (double)heat->freedom * heat->kT;

    return sqrt(1 + share * (goal / heat->kinetic - 1));
}

/* The heat in kJ/mol of multiplying v(t + dt/2) by a: the change of K_full and K_half, computed
 * back from the new velocities with the present forces. It is (a^2 - 1) K+ - (a - 1) (dt/2) F.v+,
 * with (dt/2) F.v+ = K+ + K_half - 2 K_full. Without the second term the conserved quantity rises,
 * by 1e-5 kT for each mode and step at w dt = 0.3, dt/tau = 0.2 and 180 modes.
 *
 * What leapfrog keeps is not quite that energy but one with a term of order dt^2 that scaling
 * changes, too: of net heat, as on the way to another temperature, 1.7e-3 at 4 fs and 0.4e-3 at 2
 * is not in the conserved quantity (600 water18, double). Without net heat that is none. */
AMPHI_BOTH double heat_of_rescale(double a, const AmphiKinetic *k)
{
    return (a * a - 1) * k->plus - (a - 1) * (k->plus + k->half - 2 * k->full);
}

/* The same for the factors of v (factor[0]) and l (factor[1]) of one group. k: [0] translation,
 * [1] rotation. */
AMPHI_BOTH double heat_of_factors(const double factor[2], const AmphiKinetic k[2])
{
    return heat_of_rescale(factor[0], &k[0]) + heat_of_rescale(factor[1], &k[1]);
}

/* The heat in kJ/mol of removing one component u of the velocity of a group's centre of mass, whose
 * momentum is P, between a kick and the drift. By the same reasoning it is -u P/2 + u (dt/2) F, F
 * being the force on the group; pushed: dt F, which the last kick added to the momentum. Without
 * the second term, two groups that exert forces on each other lose 0.02 kT/ns for each degree of
 * freedom. Removed in each step (every = 1), it is what a constraint does: forces that push a group
 * never move it, and no heat flows. Removed less often, a group moves in between, which counts as
 * heat of its own. Removed in the middle of the drift or behind it instead, momentum from the
 * kick would have moved the group, and that work would be taken from all other motion.
 *
 * Langevin noise follows in the middle of the drift, and there leaves out what it would give the
 * group. Removed with the next kick instead, that would move the group where no force could bring
 * it back; and it would be booked by two energies, by that of the middle of the drift as it comes
 * and by that of the kick as it goes: forces that hold a group with frequency w would leave
 * (w dt)^2/4 of what flows unbooked. */
AMPHI_BOTH double heat_of_drift(double momentum, double u, double pushed)
{
    return -0.5 * u * (momentum - pushed);
}

/* The factors of v (factor[0]) and l (factor[1]) for one group; returns their heat in kJ/mol. k and
 * freedom: [0] translation, [1] rotation. Of `heat`, kT and share must be set. */
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
    return heat_of_factors(factor, k);
}

#endif
