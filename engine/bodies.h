/* The motion of bodies on the host, in double for every backend: one kick and one drift a step.
 *
 * At the top of a step the bodies hold x(t), q(t), v(t - dt/2) and l(t - dt/2) in the body frame at
 * t. Single-precision pair forces with double motion do not drift; single-precision motion does.
 * The recipes: kick, drift, thermostats at the end of the kick, the barostat between the two,
 * Langevin noise in the middle of the drift.
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
    int32_t            threads; /* of the loops; results do not depend on it. Open: OpenMP's own */

    int64_t step;       /* of the whole run */
    int64_t stage_step; /* since the stage began */
    double  stage_began_ps;
    double  time_ps; /* stage_began_ps + stage_step * dt_ps */
    double  dt_ps;   /* between v and x: 0 before the first stage, and while minimising */
    double  box_nm[3];
    double (*position_nm)[3];    /* [n] in [0, edge) */
    int32_t (*image)[3];         /* [n] boxes that position + image * edge has left behind */
    double (*velocity_nm_ps)[3]; /* [n] v(t - dt/2), after kick v(t + dt/2) */
    double (*orientation)[4];    /* [n] unit quaternions, body to space */
    double (*spin_u_nm2_ps)[3];  /* [n] l(t - dt/2), body frame at t */
    double (*force_kJ_mol_nm)[3];
    double (*torque_kJ_mol)[3];      /* [n] space frame; both written by the backend */
    double potential_kJ_mol;         /* written by the backend when asked for */
    double virial_kJ_mol[3][3];      /* likewise, the diagonal at least */
    double (*velocity_now_nm_ps)[3]; /* [n] v(t), filled in by kicks that are looked at */
    double (*spin_now_u_nm2_ps)[3];  /* [n] l(t) */
    int32_t  n_groups;               /* of the thermostat; all beads are one if it has none */
    int32_t *group_of;               /* [n] thermostat group */
    double (*anchor_nm)[3];          /* [n] where the stage began, unwrapped */

    AmphiKinetic translation, rotation; /* of the last kick, before a thermostat scaled it */
    AmphiKinetic (*group)[2];           /* [n_groups] translation, rotation; likewise */
    double kinetic_half_kJ_mol[3][3];   /* sum m v_a v_b / 2, half-step mean */
    double heat_kJ_mol, work_kJ_mol;    /* since the stage began */
    /* U + (2 K_full + K_half)/3 - heat - work: of the last kick that was looked at, and where the
     * stage averages it the sum over its steps so far */
    double  conserved_kJ_mol, conserved_sum_kJ_mol;
    int64_t conserved_count;
    /* minimisation */
    double step_length_nm, last_potential_kJ_mol;

    struct AmphiFixed      *fixed; /* of the precision `fixed`, else NULL: then the arrays above
                                    * that are state are derived from it; bodies_fixed.h */
    struct AmphiBodiesWork *work;  /* of the loops, none of it state */
} AmphiBodies;

AmphiStatus amphi_bodies_open(const AmphiSystem *system, AmphiBodies **bodies, AmphiError *err);
void        amphi_bodies_close(AmphiBodies *bodies);

/* What the next kick needs of the forces beyond themselves: AMPHI_NEED_VIRIAL and _POTENTIAL for
 * pressure coupling, AMPHI_NEED_POTENTIAL for the mean conserved quantity and minimisation. */
uint32_t amphi_bodies_needs(const AmphiBodies *bodies);

/* Forces must be those of the present positions, the restraints of the stage that ends included.
 * Shifts velocities by (dt_old - dt_new)/2 times the acceleration, takes away drift where the stage
 * does, takes anchors, sets heat and work to zero. The stage is borrowed until the next has begun.
 * AMPHI_BAD_INPUT: groups that leave a bead out or have it twice. To go on inside a stage, begin it,
 * then overwrite the arrays and numbers above. */
AmphiStatus amphi_bodies_begin_stage(AmphiBodies *bodies, const AmphiStage *stage, AmphiError *err);

/* Degrees of freedom of a thermostat group: [0] translation, less three where its momentum is
 * removed or cannot change, [1] rotation. */
void amphi_bodies_freedom(const AmphiBodies *bodies, int32_t group, int64_t freedom[2]);

/* v(t + dt/2), scaling thermostats; kinetic energies where something needs them. Looked at: those,
 * v(t), l(t) and the conserved quantity are filled in. */
void amphi_bodies_kick(AmphiBodies *bodies, bool looked_at);
/* The barostat, between kick and drift. True: the box has moved; then forces, potential and the rest
 * must be computed at the new places, and amphi_bodies_book_move told, before the drift. */
bool amphi_bodies_move_box(AmphiBodies *bodies);
/* The work of that move, from the forces before and after it. */
void amphi_bodies_book_move(AmphiBodies *bodies);
/* Removal of drift, x(t + dt), free rotation, Langevin (then drift is removed after it); wraps; counts the
 * step. */
void amphi_bodies_drift(AmphiBodies *bodies);
/* One step downhill from the present forces and potential; back to the best place first when the
 * last one led uphill. True: converged, the bodies are at the best place, forces and potential too.
 */
bool amphi_bodies_descend(AmphiBodies *bodies);

/* Adds the stage's position restraints to the bodies' force, potential and virial; the energy in
 * kJ/mol, and their virial alone (NULL: not wanted). */
double amphi_bodies_restrain(AmphiBodies *bodies, double virial_kJ_mol[3][3]);

#endif
