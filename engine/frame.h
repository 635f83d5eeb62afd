/* A frame: what can be read from a state at one step, in double whatever the precision: energies
 * and virials by term, kinetic energies, positions, velocities, forces.
 */
#ifndef AMPHI_ENGINE_FRAME_H
#define AMPHI_ENGINE_FRAME_H

#include <stdint.h>

struct AmphiStage; /* stage.h */

/* The terms of the energy that are reported separately, first those of pairs, then those of bonds.
 * Each potential names its slot in pairs.h or bonds.h. */
typedef enum {
    AMPHI_LJ,
    AMPHI_QQ,
    AMPHI_QD,
    AMPHI_DD,
    AMPHI_STICKY,
    AMPHI_GAY_BERNE,
    AMPHI_BOND,
    AMPHI_ANGLE,
    AMPHI_ANGLE_COSINE,
    AMPHI_DIPOLE_RESTRAINT,
    AMPHI_BOND_AXIS,
    AMPHI_POSITION_RESTRAINT,
    AMPHI_TERMS
} AmphiTermSlot;

enum { AMPHI_PAIR_TERMS = AMPHI_BOND }; /* slots of pairs are below it, of bonds from it on */

/* What an observer needs of a step, and what a frame contains, as a mask of bits. */
enum {
    AMPHI_NEED_ENERGY    = 1, /* energies and virials term by term */
    AMPHI_NEED_FORCES    = 2,
    AMPHI_NEED_POSITIONS = 4, /* orientations and velocities too */
    /* Their totals, for thermostat, barostat and minimisation. They cost less than ENERGY, and have
     * the same bits whether or not ENERGY is computed too. */
    AMPHI_NEED_POTENTIAL = 8,
    AMPHI_NEED_VIRIAL    = 16,
    /* Kinetic energies and the conserved quantity without arrays. The backend itself then checks
     * every bead for faults. */
    AMPHI_NEED_NUMBERS = 32
};

/* Kinetic energies at one kick, kJ/mol. */
typedef struct {
    double half; /* mean of those of v(t - dt/2) and v(t + dt/2) */
    double full; /* of v(t) */
    double plus; /* of v(t + dt/2), before the thermostat */
} AmphiKinetic;

typedef struct {
    int64_t  step;
    uint32_t has; /* AMPHI_NEED_ bits of what is filled in */
    double   time_ps, box_nm[3];
    double   term_kJ_mol[AMPHI_TERMS];
    double   term_virial_kJ_mol[AMPHI_TERMS][3][3]; /* W_ab = sum d_a F_b, not symmetrised */
    int64_t  term_count[AMPHI_TERMS];               /* pairs or bonds inside their range */
    /* sum m v_a v_b / 2 and sum l_k^2 / (2 I_k): before the first stage, where positions are there;
     * zero in a stage */
    double kinetic_kJ_mol[3][3], rotation_kJ_mol;

    /* Of the stage; zero before the first one begins. */
    const struct AmphiStage *stage;
    int64_t                  stage_step;            /* since the stage began */
    AmphiKinetic             translation, rotation; /* kJ/mol */
    double                   kinetic_half_kJ_mol[3][3];
    /* heat and work since the stage began, up to this kick; U + (2 K_full + K_half)/3 - heat -
     * work */
    double  heat_kJ_mol, work_kJ_mol, conserved_kJ_mol;
    int64_t n_limited; /* moves of the box that were cut short, in all stages so far */
    /* With conserved_mean: sum of the conserved quantity over the steps of the stage so far, and
     * their number. The mean between two frames is the difference of the sums over that of the
     * numbers. */
    double  conserved_sum_kJ_mol;
    int64_t conserved_count;
    int64_t freedom[2];                /* degrees of freedom: translation, rotation */
    int32_t n_groups;                  /* of the thermostat */
    const AmphiKinetic (*group)[2];    /* [n_groups] translation, rotation */
    const int64_t (*group_freedom)[2]; /* [n_groups] likewise */

    /* Fixed precision: the total momentum in FIXED_MOMENTUM_UNIT, where positions and forces are
     * there.
     * culprit: 1 + the bead for which a quantity left its range there, or at which a device has
     * stopped; 0: none. */
    int32_t is_fixed, culprit;
    int64_t momentum[3];

    /* [n_beads] in the order of the system; velocity and spin, the angular momentum in the body
     * frame, are those of time t (at a fault on a device half a step off); orientations are unit
     * quaternions, body to space. The arrays belong to the state and are valid until its next
     * call. */
    const double (*position_nm)[3], (*force_kJ_mol_nm)[3], (*torque_kJ_mol)[3];
    const double (*velocity_nm_ps)[3], (*orientation)[4], (*spin_u_nm2_ps)[3];
    const int32_t (*image)[3]; /* position + image * edge is the unwrapped position */
} AmphiFrame;

/* The name of a slot in tables: "lj", "qq", ... */
const char *amphi_term_name(AmphiTermSlot slot);

#endif
