/* The system: everything that stays fixed during a run, and the state that it starts from.
 *
 * The reader of a job checks a system once; all other code relies on that. Units: nm, ps, u,
 * kJ/mol, e, K. Every bead is one rigid body: its position is its centre of mass, and its
 * orientation rotates its body frame (whose z axis is the dipole or symmetry axis) to the space
 * frame.
 */
#ifndef AMPHI_ENGINE_SYSTEM_H
#define AMPHI_ENGINE_SYSTEM_H

#include <stdint.h>

#include "../forcefield/rules.h"
#include "error.h"

/* How a bead rotates; follows from its moments of inertia. */
typedef enum {
    AMPHI_POINT,        /* no rotation */
    AMPHI_LINEAR_ROTOR, /* two equal moments about x and y, none about z */
    AMPHI_TOP           /* three moments; all equal: a spherical top */
} AmphiRotor;

typedef struct {
    const char *name;
    double      mass_u, charge_e, dipole_e_nm, electrons;
    double      inertia_u_nm2[3]; /* body frame */
    AmphiRotor  rotor;
    double      breadth_nm, length_nm, side, end; /* Gay-Berne shape and wells; breadth 0: none */
} AmphiBeadType;

/* One tail of a lipid: its beads along the chain, from the head side to the end. */
typedef struct {
    const char    *name;
    int32_t        n_beads;
    const int32_t *bead; /* [n_beads] indices within the molecule, from 0 */
} AmphiTail;

typedef struct {
    const char *name;
    const char *kind; /* "lipid", "solvent", "molecule" */
    int32_t     n_beads, n_bonds, n_tails, n_heads;

    const int32_t     *bead_type; /* [n_beads] */
    const char *const *bead_name; /* [n_beads] for coordinate files */
    const AmphiBond   *bond;      /* [n_bonds] every bonded term; beads by index in the molecule */
    const AmphiTail   *tail;      /* [n_tails] */
    const int32_t     *head;      /* [n_heads] */
} AmphiMoleculeType;

typedef struct {
    int32_t type;       /* AmphiMoleculeType */
    int32_t first_bead; /* its beads are consecutive */
} AmphiMolecule;

/* A named set of beads. */
typedef struct {
    const char    *name;
    int32_t        n_beads;
    const int32_t *bead; /* [n_beads] ascending */
} AmphiGroup;

typedef struct {
    const char *title;
    double      box_nm[3]; /* at the start; the box itself is part of the state */
    int32_t     n_types, n_beads, n_molecules, n_molecule_types;
    int32_t     n_bonds, n_bond_rules, n_exclusions, n_groups;
    double      coulomb_kJ_nm_mol_e2; /* 1/(4 pi eps0 eps_r) */
    double      cutoff_nm;            /* the largest of all pairs */

    const AmphiBeadType     *type;          /* [n_types] */
    const AmphiPairRule     *pair_rule;     /* [n_types][n_types] */
    const AmphiBondRule     *bond_rule;     /* [n_bond_rules] */
    const AmphiMoleculeType *molecule_type; /* [n_molecule_types] */
    const AmphiMolecule     *molecule;      /* [n_molecules] */
    const AmphiBond         *bond;          /* [n_bonds] every bonded term */
    const double (*anchor_nm)[3];  /* [n_bonds] or NULL; read by position restraints only */
    const int32_t (*exclusion)[2]; /* [n_exclusions] first < second, sorted */
    const AmphiGroup *group;       /* [n_groups] */

    const int32_t *bead_type, *bead_molecule;        /* [n_beads] */
    const double  *bead_charge_e, *bead_dipole_e_nm; /* [n_beads] the type's by default */
    const double (*position_nm)[3];    /* [n_beads] molecules not cut by the box if possible */
    const double (*velocity_nm_ps)[3]; /* [n_beads] */
    const double (*orientation)[4];    /* [n_beads] unit quaternions, body to space */
    const double (*spin_u_nm2_ps)[3];  /* [n_beads] angular momentum, body frame */
} AmphiSystem;

/* The name of a bead in messages: "water 96" or "DMPC 93 bead C2A". Writes it into text[size] and
 * returns text. */
const char *amphi_system_bead(const AmphiSystem *system, int32_t bead, char *text, size_t size);

/* Degrees of freedom: [0] translation (three for each bead), [1] rotation. */
void amphi_system_freedom(const AmphiSystem *system, int64_t freedom[2]);

/* Is no edge shorter than twice the cut-off, so that a bead sees only the nearest image of another?
 * Edges may miss that by rounding, 1e-12 of them. */
bool amphi_system_fits(const AmphiSystem *system, const double box_nm[3]);
/* AMPHI_UNSTABLE, with the edge and the cut-off, of a box that has shrunk below that. */
AmphiStatus amphi_system_check_box(const AmphiSystem *system, const double box_nm[3],
                                   AmphiError *err);

#endif
