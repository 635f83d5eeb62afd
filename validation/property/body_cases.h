/* Systems of bodies without a force field, for tests that bring their own forces: points, linear
 * rotors, spherical tops and asymmetric tops in turn, or all of one kind.
 */
#ifndef AMPHI_VALIDATION_BODY_CASES_H
#define AMPHI_VALIDATION_BODY_CASES_H

#include <stdio.h>

#include "../../engine/bodies.h"
#include "../../engine/units.h"
#include "draw.h"

enum { POINT, LINEAR, SPHERE, TOP, KINDS, MIXED = KINDS };
enum { MOST_BODIES = 2048 };

/* The top has the mass and moments of SSD water. */
static const AmphiBeadType body_type[KINDS] = {
    { .name = "point", .mass_u = 40 },
    { .name          = "linear",
      .mass_u        = 42,
      .inertia_u_nm2 = { 1.2, 1.2, 0 },
      .rotor         = AMPHI_LINEAR_ROTOR },
    { .name = "sphere", .mass_u = 40, .inertia_u_nm2 = { 1, 1, 1 }, .rotor = AMPHI_TOP },
    { .name          = "top",
      .mass_u        = 18.0153,
      .inertia_u_nm2 = { 0.017696, 0.006145, 0.011550 },
      .rotor         = AMPHI_TOP },
};

typedef struct {
    AmphiSystem       system;
    AmphiGroup        group[2]; /* odd beads and even beads */
    AmphiMoleculeType molecule_type;
    AmphiMolecule     molecule[MOST_BODIES];
    int32_t           bead_type[MOST_BODIES], bead_molecule[MOST_BODIES];
    int32_t           even[MOST_BODIES], odd[MOST_BODIES];
    double            position[MOST_BODIES][3], velocity[MOST_BODIES][3];
    double            orientation[MOST_BODIES][4], spin[MOST_BODIES][3];
} Case;

/* n bodies of a kind in a cube, anywhere and at the temperature; uniform numbers of the same
 * variance do for velocities. */
static inline void make_case(Case *c, int32_t n, int kind, double edge, double temperature)
{
    uint64_t     seed = 5;
    const double root = sqrt(AMPHI_BOLTZMANN * temperature * 3);

    memset(c, 0, sizeof *c);
    c->molecule_type = (AmphiMoleculeType){ .name = "body", .n_beads = 1 };
    for (int32_t i = 0; i < n; i++) {
        c->bead_type[i]     = kind == MIXED ? i % KINDS : kind;
        c->bead_molecule[i] = i;
        c->molecule[i]      = (AmphiMolecule){ .type = 0, .first_bead = i };
        draw_orientation(&seed, c->orientation[i]);
        for (int a = 0; a < 3; a++) {
            const AmphiBeadType *t = &body_type[c->bead_type[i]];

            c->position[i][a] = draw(&seed, 0, edge);
            c->velocity[i][a] = root / sqrt(t->mass_u) * draw(&seed, -1, 1);
            c->spin[i][a]     = root * sqrt(t->inertia_u_nm2[a]) * draw(&seed, -1, 1);
        }
        if (i % 2 == 0)
            c->even[c->group[0].n_beads++] = i;
        else
            c->odd[c->group[1].n_beads++] = i;
    }
    c->group[0].name = "even";
    c->group[0].bead = c->even;
    c->group[1].name = "odd";
    c->group[1].bead = c->odd;
    c->system        = (AmphiSystem){ .title            = "bodies",
                                      .box_nm           = { edge, edge, edge },
                                      .n_types          = KINDS,
                                      .n_beads          = n,
                                      .n_molecules      = n,
                                      .n_molecule_types = 1,
                                      .n_groups         = 2,
                                      .type             = body_type,
                                      .molecule_type    = &c->molecule_type,
                                      .molecule         = c->molecule,
                                      .group            = c->group,
                                      .bead_type        = c->bead_type,
                                      .bead_molecule    = c->bead_molecule,
                                      .position_nm      = (const double(*)[3])c->position,
                                      .velocity_nm_ps   = (const double(*)[3])c->velocity,
                                      .orientation      = (const double(*)[4])c->orientation,
                                      .spin_u_nm2_ps    = (const double(*)[3])c->spin };
}

static inline void clear_forces(AmphiBodies *b)
{
    memset(b->force_kJ_mol_nm, 0, sizeof(double[3]) * (size_t)b->n);
    memset(b->torque_kJ_mol, 0, sizeof(double[3]) * (size_t)b->n);
    memset(b->virial_kJ_mol, 0, sizeof b->virial_kJ_mol);
    b->potential_kJ_mol = 0;
}

/* u = -strength times the z component of the body z axis. */
static inline void add_field(AmphiBodies *b, double strength)
{
    for (int32_t i = 0; i < b->n; i++) {
        const double z[3] = { 0, 0, 1 }, pull[3] = { 0, 0, strength };
        double       axis[3], torque[3];

        if (b->system->type[b->system->bead_type[i]].rotor == AMPHI_POINT)
            continue;
        turn_vector(b->orientation[i], z, axis);
        cross(axis, pull, torque);
        b->potential_kJ_mol -= strength * axis[2];
        for (int a = 0; a < 3; a++)
            b->torque_kJ_mol[i][a] += torque[a];
    }
}

/* Every bead in a well u = k x^2/2 around where the system began. */
static inline void add_wells(AmphiBodies *b, double k)
{
    for (int32_t i = 0; i < b->n; i++)
        for (int a = 0; a < 3; a++) {
            const double x =
                b->position_nm[i][a] + b->image[i][a] * b->box_nm[a] - b->system->position_nm[i][a];

            b->potential_kJ_mol += 0.5 * k * x * x;
            b->virial_kJ_mol[a][a] -= k * x * x;
            b->force_kJ_mol_nm[i][a] -= k * x;
        }
}

/* The same through the restraints of a stage: of the two groups, along every axis. */
static inline void hold_all(AmphiStage *stage, AmphiStageRestraint restraint[2], double k)
{
    for (int g = 0; g < 2; g++)
        restraint[g] = (AmphiStageRestraint){ .group        = g,
                                              .axis         = { true, true, true },
                                              .k_kJ_mol_nm2 = 0.5 * k };
    stage->n_restraints = 2;
    stage->restraint    = restraint;
}

typedef void (*Forces)(AmphiBodies *b);

static inline void no_forces(AmphiBodies *b)
{
    clear_forces(b);
}

/* Those of the stage alone. */
static inline void restraint_forces(AmphiBodies *b)
{
    clear_forces(b);
    amphi_bodies_restrain(b, NULL);
}

static inline void step(AmphiBodies *b, Forces forces)
{
    forces(b);
    amphi_bodies_kick(b, true);
    amphi_bodies_drift(b);
}

#endif
