/* What a state shows to the outside: energies and virials by term, forces, positions, in double. */
#ifndef AMPHI_ENGINE_FRAME_H
#define AMPHI_ENGINE_FRAME_H

#include <stdint.h>

struct AmphiStage; /* stage.h */

/* Energy slots. Each pair potential and bonded term names its own in its list. */
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

/* What an observer asks of a step, and what a frame has. ENERGY: energies and virials term by term.
 * POTENTIAL and VIRIAL are their totals for the motion itself, which cost less and come out the same
 * whether or not anybody looks. */
enum {
    AMPHI_NEED_ENERGY    = 1,
    AMPHI_NEED_FORCES    = 2,
    AMPHI_NEED_POSITIONS = 4,
    AMPHI_NEED_POTENTIAL = 8,
    AMPHI_NEED_VIRIAL    = 16,
    /* kinetic energies and the conserved quantity, by the quickest way there is; the backend itself
     * looks at every bead */
    AMPHI_NEED_NUMBERS = 32
};

/* Kinetic energies of one kick, kJ/mol: half the sum of before and after; of v(t); after. */
typedef struct {
    double half, full, plus;
} AmphiKinetic;

typedef struct {
    int64_t  step;
    uint32_t has; /* AMPHI_NEED_ bits that are filled in */
    double   time_ps, box_nm[3];
    double   term_kJ_mol[AMPHI_TERMS];
    double   term_virial_kJ_mol[AMPHI_TERMS][3][3]; /* W_ab = sum d_a F_b, not symmetrised */
    int64_t  term_count[AMPHI_TERMS];               /* pairs or bonds inside their range */
    double   kinetic_kJ_mol[3][3];                  /* sum m v_a v_b / 2 */
    double   rotation_kJ_mol;                       /* sum l_k^2 / (2 I_k) */

    /* of a running stage; zero before the first */
    const struct AmphiStage *stage;
    int64_t                  stage_step;            /* since the stage began */
    AmphiKinetic             translation, rotation; /* kJ/mol */
    double                   kinetic_half_kJ_mol[3][3];
    double                   heat_kJ_mol, work_kJ_mol, conserved_kJ_mol;
    /* Where the stage averages the conserved quantity: its sum over the steps of the stage so far
     * and their number. The mean between two frames is the quotient of the differences. */
    double  conserved_sum_kJ_mol;
    int64_t conserved_count;
    int64_t freedom[2];             /* degrees of freedom: translation, rotation */
    int32_t n_groups;               /* of the thermostat */
    const AmphiKinetic (*group)[2]; /* [n_groups] translation, rotation */
    const int64_t (*group_freedom)[2];

    /* of fixed precision: the sum of all momenta, in FIXED_MOMENTUM_UNIT, and the bead that left a
     * range, from 1; 0: none did */
    int32_t is_fixed, culprit;
    int64_t momentum[3];

    /* [n_beads], in the order of the file; borrowed until the next read */
    const double (*position_nm)[3], (*force_kJ_mol_nm)[3], (*torque_kJ_mol)[3];
    const double (*velocity_nm_ps)[3], (*orientation)[4], (*spin_u_nm2_ps)[3];
    const int32_t (*image)[3]; /* boxes that position + image * edge has left behind */
} AmphiFrame;

/* "lj", "qq", ...: the name of a slot in energies.tsv. */
const char *amphi_term_name(AmphiTermSlot slot);

#endif
