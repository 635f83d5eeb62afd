/* The rigid bodies of a state on the host, and their motion by the leapfrog scheme: one kick and
 * one drift a step. A body is a bead: a point mass, or a rotor with a moment of inertia.
 *
 * Between steps the bodies hold positions x(t), orientations q(t) as unit quaternions, velocities
 * v(t - dt/2) and angular momenta l(t - dt/2) of the half step before, l in the body frame of time
 * t. Arrays named `spin` hold angular momenta. The motion is in double for single-precision forces
 * too: pair forces in single leave the conserved energy without a drift, motion in single does not.
 * Velocity-scaling thermostats act at the end of the kick, the barostat at the beginning of the
 * drift, Langevin noise in its middle. The equations are in motion.h, thermostat.h and barostat.h.
 */
#ifndef AMPHI_ENGINE_BODIES_H
#define AMPHI_ENGINE_BODIES_H

#include "arena.h"
#include "frame.h"
#include "stage.h"

typedef struct {
    const AmphiSystem *system;
    const AmphiStage  *stage; /* NULL before the first */
    AmphiArena        *arena; /* owns the arrays */
    int32_t            n;
    int32_t            threads; /* default: OpenMP's; results do not depend on it */

    int64_t step;       /* of the whole run */
    int64_t stage_step; /* since the stage began */
    double  stage_began_ps;
    double  time_ps; /* stage_began_ps + stage_step * dt_ps */
    double  dt_ps;   /* 0 before the first stage and during minimisation: v is then v(t) */
    double  box_nm[3];
    double (*position_nm)[3];        /* [n] in [0, edge) */
    int32_t (*image)[3];             /* [n] position + image * edge is the unwrapped position */
    double (*velocity_nm_ps)[3];     /* [n] v(t - dt/2), after kick v(t + dt/2) */
    double (*orientation)[4];        /* [n] unit quaternions, body to space */
    double (*spin_u_nm2_ps)[3];      /* [n] angular momentum l(t - dt/2), body frame at t */
    double (*force_kJ_mol_nm)[3];    /* [n] written by the backend, like all up to the virial */
    double (*torque_kJ_mol)[3];      /* [n] space frame */
    double potential_kJ_mol;         /* if amphi_bodies_needs asks for it */
    double virial_kJ_mol[3][3];      /* likewise; at least the diagonal */
    double (*velocity_now_nm_ps)[3]; /* [n] v(t), after a kick with looked_at */
    double (*spin_now_u_nm2_ps)[3];  /* [n] l(t), likewise */
    int32_t  n_groups;               /* of the thermostat; 1, of all beads, if it has none */
    int32_t *group_of;               /* [n] thermostat group */
    double (*anchor_nm)[3];          /* [n] unwrapped position when the stage began; moves with the
                                      * box if the stage restrains */

    AmphiKinetic translation, rotation; /* of the last kick, before the thermostat */
    AmphiKinetic (*group)[2];           /* [n_groups] translation, rotation; likewise */
    double  kinetic_half_kJ_mol[3][3];  /* sum m v_a v_b / 2, mean of t - dt/2 and t + dt/2 */
    double  heat_kJ_mol, work_kJ_mol;   /* by thermostat and barostat since the stage began */
    double  kick_heat_kJ_mol;           /* heat as the last kick found it: what frames show */
    double  strain[3]; /* of the last move of the box; the next kick books the rest of its work */
    double  due[AMPHI_MOVE_LAG][3]; /* of the moves of this step and the next one; 0: none is due */
    int64_t n_limited;              /* moves that MOST_STRAIN has cut short, in all stages */
    /* U + (2 K_full + K_half)/3 - heat - work at the last kick with looked_at; and its sum over the
     * steps of the stage so far, where the stage has conserved_mean */
    double  conserved_kJ_mol, conserved_sum_kJ_mol;
    int64_t conserved_count;
    /* minimisation */
    double step_length_nm, last_potential_kJ_mol;

    /* Fixed precision only, else NULL: the integers from which position, orientation, velocity and
     * spin above are then derived; bodies_fixed.h. */
    struct AmphiFixed      *fixed;
    struct AmphiBodiesWork *work; /* scratch memory, not part of the state */
} AmphiBodies;

/* Is the stage one of kicks, which leave v(t) and l(t) apart? */
static inline bool amphi_bodies_have_kicks(const AmphiBodies *b)
{
    return b->stage != NULL && b->stage->ensemble != AMPHI_MINIMISE;
}

/* Bodies at the start of a system, which is borrowed and must outlive them. AMPHI_NO_MEMORY. */
AmphiStatus amphi_bodies_open(const AmphiSystem *system, AmphiBodies **bodies, AmphiError *err);
void        amphi_bodies_close(AmphiBodies *bodies); /* NULL is allowed */

/* What the next kick and drift need besides forces and torques, as a mask: AMPHI_NEED_POTENTIAL and
 * AMPHI_NEED_VIRIAL before the barostat moves the box and in the step after that;
 * AMPHI_NEED_POTENTIAL while minimising, and where the stage has conserved_mean. */
uint32_t amphi_bodies_needs(const AmphiBodies *bodies);

/* Begins a stage: shifts velocities from t - dt_old/2 to t - dt_new/2, sets heat and work to
 * zero, stores the positions as anchors, removes the drift of the centres of mass if the stage
 * asks for that. Forces must be those of the present positions, with the restraints of the
 * stage that ends. The stage is borrowed until the next one begins. AMPHI_BAD_INPUT: a bead is
 * in no thermostat group or in two. To continue in the middle of a stage, begin it, then
 * overwrite the state above. */
AmphiStatus amphi_bodies_begin_stage(AmphiBodies *bodies, const AmphiStage *stage, AmphiError *err);

/* Along which axes do restraints of the whole run act, so that momentum is not conserved? */
void amphi_find_anchored(const AmphiSystem *system, bool axis[3]);
/* Degrees of freedom of a thermostat group: [0] translation, one fewer for each axis along which
 * its momentum is removed or conserved, [1] rotation. */
void amphi_bodies_freedom(const AmphiBodies *bodies, int32_t group, int64_t freedom[2]);

/* v(t - dt/2) to v(t + dt/2), then the velocity-scaling thermostat. With looked_at also v(t), l(t),
 * kinetic energies and the conserved quantity; without, kinetic energies only where the thermostat,
 * the barostat or conserved_mean needs them. */
void amphi_bodies_kick(AmphiBodies *bodies, bool looked_at);
/* The barostat, and removal of drift of the centres of mass; then x(t) to x(t + dt) with free
 * rotation, and with Langevin noise halfway if the stage has it, which leaves centres of mass alone
 * where drift is removed; wraps positions and counts the step. */
void amphi_bodies_drift(AmphiBodies *bodies);
/* Minimisation: one step downhill along the present forces; if the last step raised the
 * energy, from the best positions so far. True: converged, with positions, forces and
 * potential the best. */
bool amphi_bodies_descend(AmphiBodies *bodies);

/* Adds the stage's position restraints to the bodies' forces, potential and virial. Returns their
 * energy in kJ/mol, and their virial alone if virial_kJ_mol is not NULL. */
double amphi_bodies_restrain(AmphiBodies *bodies, double virial_kJ_mol[3][3]);

#endif
