/* Single pairs and single bonded terms, evaluated by the formulas of forcefield/ in any precision;
 * for tests, and for tables of a potential.
 *
 * Each function exists for every precision, with one lane and (`_lanes`) with as many as the fast
 * kernels use. Arguments and results are in double; axes are computed in double and then rounded,
 * as backends do.
 */
#ifndef AMPHI_TYPED_PROBE_H
#define AMPHI_TYPED_PROBE_H

#include "../../forcefield/rules.h"

typedef struct {
    double d_nm[3]; /* from bead 1 to bead 0, the nearest image already */
    double orientation[2][4];
    double charge_e[2], dipole_e_nm[2];
} AmphiPairPose;

typedef struct {
    double energy;       /* kJ/mol; all are zero from the cut-off on */
    double force[3];     /* kJ/mol/nm, on bead 0; its opposite acts on bead 1 */
    double torque[2][3]; /* kJ/mol, space frame */
} AmphiPairForces;

typedef struct {
    double x_nm[AMPHI_MAX_BOND_BEADS][3]; /* from the first bead; of a restraint, from its anchor */
    double orientation[AMPHI_MAX_BOND_BEADS][4];
} AmphiBondPose;

typedef struct {
    double energy; /* kJ/mol */
    double force[AMPHI_MAX_BOND_BEADS][3], torque[AMPHI_MAX_BOND_BEADS][3];
} AmphiBondForces;

typedef void AmphiProbePairs(const AmphiPairTerm *rule, int32_t n, const AmphiPairPose *pose,
                             AmphiPairForces *out);
/* Results before rounding, in the units of fixed.h (forces; fields on dipoles, or on unit axes and
 * torques of whole orientations). */
typedef struct {
    double force[3], field[3]; /* on bead 0 */
    double energy;             /* kJ/mol */
} AmphiPairUnits;

/* lj: a Lennard-Jones term evaluated in the same pass, or NULL. */
typedef void AmphiProbeUnits(const AmphiPairTerm *rule, const AmphiPairTerm *lj, int32_t n,
                             const AmphiPairPose *pose, AmphiPairUnits *out);
typedef void AmphiProbeBonds(const AmphiBondRule *rule, int32_t n, const AmphiBondPose *pose,
                             AmphiBondForces *out);

AmphiProbePairs probe_pairs_single, probe_pairs_double, probe_pairs_fixed;
AmphiProbePairs probe_pairs_lanes_single, probe_pairs_lanes_double, probe_pairs_lanes_fixed;
AmphiProbeUnits probe_units_fixed, probe_units_lanes_fixed;
AmphiProbeBonds probe_bonds_single, probe_bonds_double, probe_bonds_fixed;
AmphiProbeBonds probe_bonds_lanes_single, probe_bonds_lanes_double, probe_bonds_lanes_fixed;

/* 1/sqrt(x) as computed in fixed precision. */
void probe_inv_sqrt_fixed(int32_t n, const float *x, float *out);
void probe_inv_sqrt_lanes_fixed(int32_t n, const float *x, float *out);

#endif
