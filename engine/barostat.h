/* Barostats: the strain of a move of the box, which is the change of the logarithms of its edges,
 * and the work of the move.
 *
 * Stochastic cell rescaling: Bernetti & Bussi, J. Chem. Phys. 153, 114107 (2020). Berendsen: J.
 * Chem. Phys. 81, 3684 (1984). No component exceeds MOST_STRAIN, so that a start far from its
 * pressure takes several moves instead of one that destroys it.
 *
 * The work, to second order in the strain e. Centres go from x to x exp(e), so with the virial W
 * (its diagonal; index a) and the stiffness S = -dW/de
 *   dU = -e.W + e.S.e/2 = -e.(W + W')/2,   W' = W - S.e the virial after the move.
 * The first order alone errs by -e.S.e/2 at every move, always to the same side, because most of e
 * is noise: kT kappa (S/V) dt/tau a move, whatever the size of the box. For ELBA water at tau 2 ps
 * these are 8000 kJ/mol/ns.
 *
 * W' would need forces at places where the step does not otherwise compute any. The virial of the
 * next step, after the drift, does instead, and what the drift changes of it is no error: between a
 * kick and a drift, with v = v(t + dt/2), leapfrog does not keep U + K(v) but
 *   U + K(v) - (dt/2) F.v + O(dt^2).
 * Under the strain x exp(e), v exp(-e) the third term changes by -e.(dt/2) (dW/dt - 2 F v), where
 * dW/dt is due to the drift. Of this, -e.(dt/2) dW/dt makes the virial that of the middle of the
 * drift: the mean of W and the next step's. And e.dt F v turns K(v), of which the strain changes
 * (exp(-2 e) - 1) K_aa, from that of t + dt/2 to that of t, for which the half-step mean stands, as
 * a thermostat of the same step has scaled it. So
 *   work = sum over a of -e_a (W_aa(t) + W_aa(t + dt))/2 + (exp(-2 e_a) - 1) K_aa.
 * What is left is of order e dt^2. With 512 ELBA waters, a step of 10 fs and tau = 2 ps, the
 * conserved quantity has a slope of 34 +- 1 kJ/mol/ns where the box moves every 10 steps and of 38
 * +- 1 where it does in every step (8 ns, errors from quarters), against -0.4 +- 0.2 at constant
 * volume. Under Berendsen's method, moved every 10 steps, 600 have -7.5, -7.9 and 105 kJ/mol/ns at
 * tau = 0.5 ps with steps of 2.5, 5 and 10 fs, and -0.5 at tau = 2 ps with 5 fs.
 *
 * The strain of a move is found AMPHI_MOVE_LAG steps before it is made, from the pressure and the
 * box that there are then. That changes nothing in the work, which goes by the virials of the move;
 * but friction that lags behind the pressure takes a little less out of the motion of the box than
 * noise brings, the more, the shorter tau is: job_plan.c has what that does to the temperature.
 */
#ifndef AMPHI_ENGINE_BAROSTAT_H
#define AMPHI_ENGINE_BAROSTAT_H

#include <math.h>

#include "num/elementary.h"
#include "stage.h"

#define MOST_STRAIN 0.1

/* What a move depends on. */
typedef struct {
    double box_nm[3];
    double pressure[3];     /* P_xx, P_yy, P_zz, kJ/mol/nm^3 */
    double target, tension; /* P0 in kJ/mol/nm^3; gamma0 in kJ/mol/nm^2, of the whole box */
    double kT;              /* kJ/mol */
    double compressibility; /* kappa, nm^3 mol/kJ */
    double share;           /* time between two moves over tau */
} Squeeze;

AMPHI_BOTH double limit_strain(double e)
{
    const double low = e < -MOST_STRAIN ? -MOST_STRAIN : e; /* NaN stays NaN */

    return low > MOST_STRAIN ? MOST_STRAIN : low;
}

/* Was one of these cut short? */
AMPHI_BOTH int is_limited(const double strain[3])
{
    return fabs(strain[0]) == MOST_STRAIN || fabs(strain[1]) == MOST_STRAIN ||
           fabs(strain[2]) == MOST_STRAIN;
}

AMPHI_BOTH double volume_of(const double box_nm[3])
{
    return box_nm[0] * box_nm[1] * box_nm[2];
}

AMPHI_BOTH double mean_pressure(const Squeeze *p)
{
    return (p->pressure[0] + p->pressure[1] + p->pressure[2]) / 3;
}

/* How far the lateral pressure is below its target P0 - gamma0/L_z. */
AMPHI_BOTH double lateral_lack(const Squeeze *p)
{
    return p->target - p->tension / p->box_nm[2] - 0.5 * (p->pressure[0] + p->pressure[1]);
}

/* d ln V = -(kappa/tau) (P0 - P) dt + sqrt(2 kT kappa dt/(V tau)) R */
AMPHI_BOTH void cell_rescale_isotropic(const Squeeze *p, double normal, double strain[3])
{
    const double rate = p->compressibility * p->share;
    const double de   = -rate * (p->target - mean_pressure(p)) +
                      sqrt(2 * p->kT * rate / volume_of(p->box_nm)) * normal;

    strain[0] = strain[1] = strain[2] = limit_strain(de / 3);
}

/* d ln A = -(2 kappa/(3 tau)) (P0 - gamma0/L_z - P_lat) dt + sqrt(4 kT kappa dt/(3 V tau)) R_1,
 * d ln L = -(kappa/(3 tau)) (P0 - P_zz) dt + sqrt(2 kT kappa dt/(3 V tau)) R_2 */
AMPHI_BOTH void cell_rescale_semi_isotropic(const Squeeze *p, const double normal[2],
                                            double strain[3])
{
    const double rate  = p->compressibility * p->share / 3;
    const double noise = sqrt(2 * p->kT * rate / volume_of(p->box_nm));
    const double area  = -2 * rate * lateral_lack(p) + sqrt(2.0) * noise * normal[0];
    const double edge  = -rate * (p->target - p->pressure[2]) + noise * normal[1];

    strain[0] = strain[1] = limit_strain(0.5 * area);
    strain[2]             = limit_strain(edge);
}

/* Berendsen: an edge is multiplied by (1 - kappa dt/tau lack)^(1/3). */
AMPHI_BOTH double berendsen_strain(double rate, double lack)
{
    const double most = 3 * MOST_STRAIN, x = rate * lack;

    return limit_strain(x >= -most && x <= most ? log_of(1 - x) / 3 : -x);
}

AMPHI_BOTH void berendsen_isotropic(const Squeeze *p, double strain[3])
{
    strain[0] = strain[1] = strain[2] =
        berendsen_strain(p->compressibility * p->share, p->target - mean_pressure(p));
}

AMPHI_BOTH void berendsen_semi_isotropic(const Squeeze *p, double strain[3])
{
    const double rate = p->compressibility * p->share;

    strain[0] = strain[1] = berendsen_strain(rate, lateral_lack(p));
    strain[2]             = berendsen_strain(rate, p->target - p->pressure[2]);
}

AMPHI_BOTH int32_t steps_between_moves(const AmphiBarostat *p)
{
    return p->every > 0 ? p->every : 1;
}

/* Does the kick of this step find the strain of a move to come? */
AMPHI_BOTH int asks_pressure(const AmphiBarostat *p, int64_t stage_step)
{
    return p->type != AMPHI_NO_BAROSTAT && stage_step % steps_between_moves(p) == 0;
}

AMPHI_BOTH int moves_box(const AmphiBarostat *p, int64_t stage_step)
{
    return stage_step >= AMPHI_MOVE_LAG && asks_pressure(p, stage_step - AMPHI_MOVE_LAG);
}

/* Did the last step, whose work is then booked by half? */
AMPHI_BOTH int has_moved_box(const AmphiBarostat *p, int64_t stage_step)
{
    return stage_step > 0 && moves_box(p, stage_step - 1);
}

/* Of the forces of this step: for a strain, or for the work of a move. */
AMPHI_BOTH int wants_virial(const AmphiBarostat *p, int64_t stage_step)
{
    return asks_pressure(p, stage_step) || moves_box(p, stage_step) || has_moved_box(p, stage_step);
}

/* From the diagonals of the half-step kinetic tensor and of the virial W, kJ/mol. */
AMPHI_BOTH Squeeze squeeze_of(const AmphiBarostat *p, double kT, double dt_ps,
                              const double box_nm[3], const double kinetic[3],
                              const double virial[3])
{
    const double volume = volume_of(box_nm);
    Squeeze      s;

    for (int a = 0; a < 3; a++) {
        s.box_nm[a]   = box_nm[a];
        s.pressure[a] = (2 * kinetic[a] + virial[a]) / volume;
    }
    s.target          = p->pressure_kJ_mol_nm3;
    s.tension         = p->tension_kJ_mol_nm2;
    s.kT              = kT;
    s.compressibility = p->compressibility_nm3_mol_kJ;
    s.share           = steps_between_moves(p) * dt_ps / p->time_ps;
    return s;
}

/* The strain of one move; normal: two normal deviates. At a constant area (NPAT: Zhang et al., J.
 * Chem. Phys. 103, 10252 (1995)) L alone moves, as it does in the semi-isotropic methods, and
 * pressure along x and y is what comes of it. */
AMPHI_BOTH void find_strain(const AmphiBarostat *p, const Squeeze *s, const double normal[2],
                            double strain[3])
{
    if (p->type == AMPHI_CELL_RESCALE && p->coupling == AMPHI_ISOTROPIC)
        cell_rescale_isotropic(s, normal[0], strain);
    else if (p->type == AMPHI_CELL_RESCALE)
        cell_rescale_semi_isotropic(s, normal, strain);
    else if (p->coupling == AMPHI_ISOTROPIC)
        berendsen_isotropic(s, strain);
    else
        berendsen_semi_isotropic(s, strain);
    if (p->coupling == AMPHI_CONSTANT_AREA)
        strain[0] = strain[1] = 0;
}

/* The factor from one component e of the strain: exp(e) for an edge and for centres of mass,
 * exp(-e) for velocities (slows); Berendsen's method leaves velocities as they are. */
AMPHI_BOTH double factor_of_strain(const AmphiBarostat *p, double e, int slows)
{
    const double factor = exp_of(slows ? -e : e);

    return slows && p->type != AMPHI_CELL_RESCALE ? 1 : factor;
}

AMPHI_BOTH void find_stretch(const AmphiBarostat *p, const double strain[3], double stretch[3],
                             double slow[3])
{
    for (int a = 0; a < 3; a++) {
        stretch[a] = factor_of_strain(p, strain[a], 0);
        slow[a]    = factor_of_strain(p, strain[a], 1);
    }
}

/* Of the work in kJ/mol, the half that one of the two virials does. */
AMPHI_BOTH double half_work(const double strain[3], const double virial[3])
{
    return -0.5 * (strain[0] * virial[0] + strain[1] * virial[1] + strain[2] * virial[2]);
}

/* Of the work, what slowing the velocities does; kinetic: as for squeeze_of, but of the velocities
 * that a thermostat of the same step has left. */
AMPHI_BOTH double slowing_work(const double slow[3], const double kinetic[3])
{
    double work = 0;

    for (int a = 0; a < 3; a++)
        work += (slow[a] * slow[a] - 1) * kinetic[a];
    return work;
}

#endif
