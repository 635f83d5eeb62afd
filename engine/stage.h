/* What a job wants done, stage by stage: the checked form of <plan>. Units are internal. */
#ifndef AMPHI_ENGINE_STAGE_H
#define AMPHI_ENGINE_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "backend.h"
#include "system.h"

/* A bead that goes this far in one step has left physics: thermal ones go a hundredth of it. nm */
#define AMPHI_LONGEST_STEP_NM 0.5

typedef enum { AMPHI_MINIMISE, AMPHI_NVE, AMPHI_NVT, AMPHI_NPT } AmphiEnsemble;

typedef enum {
    AMPHI_NO_THERMOSTAT,
    AMPHI_VELOCITY_RESCALE, /* stochastic: Bussi, Donadio & Parrinello (2007) */
    AMPHI_BERENDSEN_T,
    AMPHI_LANGEVIN
} AmphiThermostatType;

typedef struct {
    AmphiThermostatType type;
    double              temperature_K, time_ps;
    int32_t             n_groups; /* scaling thermostats: one each; Langevin: one for all */
    const int32_t      *group;    /* [n_groups] index into AmphiSystem.group; every bead in one */
} AmphiThermostat;

typedef enum { AMPHI_NO_BAROSTAT, AMPHI_BERENDSEN_P, AMPHI_CELL_RESCALE } AmphiBarostatType;
typedef enum { AMPHI_ISOTROPIC, AMPHI_SEMI_ISOTROPIC } AmphiCoupling;

typedef struct {
    AmphiBarostatType type;
    AmphiCoupling     coupling;
    double            pressure_kJ_mol_nm3, time_ps, compressibility_nm3_mol_kJ;
    double            tension_kJ_mol_nm2; /* of the whole box, both leaflets; semi-isotropic */
    int32_t           every;              /* steps between moves of the box */
} AmphiBarostat;

/* Holds beads of a group near where the stage began: E = k x^2, without 1/2. */
typedef struct {
    int32_t group;
    bool    axis[3];
    double  k_kJ_mol_nm2;
} AmphiStageRestraint;

typedef struct AmphiStage {
    const char                *name;
    AmphiEnsemble              ensemble;
    int64_t                    n_steps;
    double                     dt_ps;
    double                     stop_force_kJ_mol_nm; /* minimise */
    bool                       remove_drift;         /* of each group of the thermostat */
    bool                       conserved_mean;       /* average the conserved quantity over steps */
    uint64_t                   seed;
    AmphiThermostat            thermostat;
    AmphiBarostat              barostat;
    int32_t                    n_restraints;
    const AmphiStageRestraint *restraint; /* [n_restraints] */
} AmphiStage;

#endif
