/* The stages of a job: the checked form of <plan>. In internal units: nm, ps, u, kJ/mol, K. */
#ifndef AMPHI_ENGINE_STAGE_H
#define AMPHI_ENGINE_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "backend.h"
#include "system.h"

typedef enum { AMPHI_MINIMISE, AMPHI_NVE, AMPHI_NVT, AMPHI_NPT } AmphiEnsemble;

typedef enum {
    AMPHI_NO_THERMOSTAT,
    AMPHI_VELOCITY_RESCALE, /* stochastic: Bussi, Donadio & Parrinello (2007); thermostat.h */
    AMPHI_BERENDSEN_T,      /* thermostat.h */
    AMPHI_LANGEVIN          /* motion.h */
} AmphiThermostatType;

typedef struct {
    AmphiThermostatType type;
    double              temperature_K, time_ps; /* time constant of the relaxation */
    int32_t             every; /* steps from one scaling of velocities to the next; 0: 1 */
    /* Groups coupled separately; with none, all beads are one group. */
    int32_t        n_groups;
    const int32_t *group; /* [n_groups] indices into AmphiSystem.group; each bead is in one */
} AmphiThermostat;

typedef enum { AMPHI_NO_BAROSTAT, AMPHI_BERENDSEN_P, AMPHI_CELL_RESCALE } AmphiBarostatType;
typedef enum { AMPHI_ISOTROPIC, AMPHI_SEMI_ISOTROPIC, AMPHI_CONSTANT_AREA } AmphiCoupling;

/* A move of the box opens the drift so many steps behind that whose kick has found its strain. So
 * no drift waits for a sum over all beads, and neither does the one behind it: on a device such a
 * sum has all the time of the pairs in between. */
enum { AMPHI_MOVE_LAG = 2 };

typedef struct {
    AmphiBarostatType type;
    AmphiCoupling     coupling;
    double            pressure_kJ_mol_nm3, time_ps, compressibility_nm3_mol_kJ;
    double            tension_kJ_mol_nm2; /* of the whole box, both leaflets; semi-isotropic */
    int32_t           every;              /* steps between moves of the box */
} AmphiBarostat;

/* Restrains the beads of a group to their positions at the beginning of the stage, along the chosen
 * axes: E = k x^2, without 1/2. */
typedef struct {
    int32_t group; /* index into AmphiSystem.group */
    bool    axis[3];
    double  k_kJ_mol_nm2;
} AmphiStageRestraint;

typedef struct AmphiStage {
    const char   *name;
    AmphiEnsemble ensemble;
    int64_t       n_steps;
    double        dt_ps;
    double        stop_force_kJ_mol_nm; /* minimisation: largest force when done */
    bool     remove_drift;   /* of the centre of mass of each thermostat group, when that is held */
    bool     conserved_mean; /* average the conserved quantity over steps */
    uint64_t seed;
    AmphiThermostat            thermostat;
    AmphiBarostat              barostat;
    int32_t                    n_restraints;
    const AmphiStageRestraint *restraint; /* [n_restraints] */
} AmphiStage;

/* Does a restraint of the stage act along this axis? Then momentum is not conserved there. */
static inline bool amphi_stage_restrains(const AmphiStage *stage, int axis)
{
    for (int32_t k = 0; k < stage->n_restraints; k++)
        if (stage->restraint[k].axis[axis] && stage->restraint[k].k_kJ_mol_nm2 > 0)
            return true;
    return false;
}

#endif
