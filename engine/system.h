/* The system: everything that is fixed for a run, checked at the door and trusted inside.
 *
 * All in nm, ps, u, kJ/mol, e, K. Every bead is one body: its position is its centre of mass, its
 * orientation turns its body frame (z is the dipole or symmetry axis) into space.
 */
#ifndef AMPHI_ENGINE_SYSTEM_H
#define AMPHI_ENGINE_SYSTEM_H

#include <stdint.h>

#include "../forcefield/rules.h"
#include "error.h"

/* How a bead turns, told by its moments of inertia. */
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

/* A stretch of beads along a chain of a lipid, from the head side to its end. */
typedef struct {
    const char    *name;
    int32_t        n_beads;
    const int32_t *bead; /* [n_beads] places in the molecule, from 0 */
} AmphiTail;

typedef struct {
    const char *name;
    const char *kind; /* "lipid", "solvent", "molecule" */
    int32_t     n_beads, n_bonds, n_tails, n_heads;

    const int32_t     *bead_type; /* [n_beads] */
    const char *const *bead_name; /* [n_beads] for coordinate files */
    const AmphiBond   *bond; /* [n_bonds] every bonded term; beads are places in the molecule */
    const AmphiTail   *tail; /* [n_tails] */
    const int32_t     *head; /* [n_heads] */
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
    double      coulomb_kJ_nm_mol_e2; /* over the relative permittivity */
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
    const double (*position_nm)[3];    /* [n_beads] molecules whole where they can be */
    const double (*velocity_nm_ps)[3]; /* [n_beads] */
    const double (*orientation)[4];    /* [n_beads] unit quaternions, body to space */
    const double (*spin_u_nm2_ps)[3];  /* [n_beads] angular momentum, body frame */
} AmphiSystem;

/* "water 96" or "DMPC 93 bead C2A": how messages name a bead. Writes into text[size]. */
const char *amphi_system_bead(const AmphiSystem *system, int32_t bead, char *text, size_t size);

/* Degrees of freedom: [0] translation (three each), [1] rotation. */
void amphi_system_freedom(const AmphiSystem *system, int64_t freedom[2]);

#endif
