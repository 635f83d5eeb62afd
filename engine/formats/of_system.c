/* A checked system as a snapshot, so that any writer can write it. */
#include <string.h>

#include "../../forcefield/spec.h"
#include "snapshot.h"

/* What a bonded term is to other programs. */
typedef enum { NOT_SHOWN, AS_BOND, AS_ANGLE, AS_RESTRAINT } Shown;

/* Bonds and angles are found by their elements; the dipole restraint, which turns bead 1 towards
 * bead 2, is an angle i j j as in the ELBA files. */
static Shown how_shown(int32_t kind)
{
    const AmphiPotential *p = NULL;

    for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++) {
        if (p->kind != kind)
            continue;
        if (strcmp(p->element, "bond") == 0)
            return AS_BOND;
        if (strcmp(p->element, "angle") == 0)
            return AS_ANGLE;
        if (strcmp(p->element, "orientation") == 0 && p->n_beads == 2)
            return AS_RESTRAINT;
    }
    return NOT_SHOWN;
}

/* Bond types and angle types are numbered from 1, each in the order of the rules. */
static void number_rules(const AmphiSystem *system, Shown *shown, int32_t *number)
{
    int32_t n_bond_types = 0, n_angle_types = 0;

    for (int32_t r = 0; r < system->n_bond_rules; r++) {
        shown[r] = how_shown(system->bond_rule[r].kind);
        if (shown[r] == AS_BOND)
            number[r] = ++n_bond_types;
        else if (shown[r] != NOT_SHOWN)
            number[r] = ++n_angle_types;
    }
}

static void add_bonds(const AmphiSystem *system, AmphiSnapshot *s, AmphiArena *arena)
{
    Shown *const   shown  = AMPHI_TAKE(arena, Shown, system->n_bond_rules);
    int32_t *const number = AMPHI_TAKE(arena, int32_t, system->n_bond_rules);

    s->bond  = amphi_arena_take(arena, system->n_bonds, sizeof *s->bond);
    s->angle = amphi_arena_take(arena, system->n_bonds, sizeof *s->angle);
    if (amphi_arena_failed(arena))
        return;
    number_rules(system, shown, number);
    for (int32_t k = 0; k < system->n_bonds; k++) {
        const AmphiBond *const b    = &system->bond[k];
        const Shown            how  = shown[b->rule];
        const int32_t          last = b->bead[how == AS_ANGLE ? 2 : 1];

        if (how == AS_BOND)
            memcpy(s->bond[s->n_bonds++],
                   (const int32_t[3]){ number[b->rule], b->bead[0], b->bead[1] }, sizeof *s->bond);
        else if (how != NOT_SHOWN)
            memcpy(s->angle[s->n_angles++],
                   (const int32_t[4]){ number[b->rule], b->bead[0], b->bead[1], last },
                   sizeof *s->angle);
    }
}

static AmphiName name_of(const char *text)
{
    AmphiName name = { "" };

    if (text != NULL)
        strncat(name.text, text, sizeof name.text - 1);
    return name;
}

static void add_types(const AmphiSystem *system, AmphiSnapshot *s, AmphiArena *arena)
{
    s->n_types            = system->n_types;
    s->type_name          = AMPHI_TAKE(arena, AmphiName, s->n_types);
    s->type_mass_u        = AMPHI_TAKE(arena, double, s->n_types);
    s->type_inertia_u_nm2 = amphi_arena_take(arena, s->n_types, sizeof *s->type_inertia_u_nm2);
    if (amphi_arena_failed(arena))
        return;
    for (int32_t t = 0; t < s->n_types; t++) {
        s->type_name[t]   = name_of(system->type[t].name);
        s->type_mass_u[t] = system->type[t].mass_u;
        memcpy(s->type_inertia_u_nm2[t], system->type[t].inertia_u_nm2,
               sizeof s->type_inertia_u_nm2[t]);
    }
}

static void add_names(const AmphiSystem *system, AmphiSnapshot *s, AmphiArena *arena)
{
    s->bead_name     = AMPHI_TAKE(arena, AmphiName, s->n_beads);
    s->molecule_name = AMPHI_TAKE(arena, AmphiName, s->n_beads);
    s->molecule      = AMPHI_TAKE(arena, int32_t, s->n_beads);
    s->type          = AMPHI_TAKE(arena, int32_t, s->n_beads);
    s->mass_u        = AMPHI_TAKE(arena, double, s->n_beads);
    if (amphi_arena_failed(arena))
        return;
    for (int32_t i = 0; i < s->n_beads; i++) {
        const int32_t                  m    = system->bead_molecule[i];
        const AmphiMolecule *const     here = &system->molecule[m];
        const AmphiMoleculeType *const kind = &system->molecule_type[here->type];

        s->bead_name[i]     = name_of(kind->bead_name[i - here->first_bead]);
        s->molecule_name[i] = name_of(kind->name);
        s->molecule[i]      = m + 1;
        s->type[i]          = system->bead_type[i] + 1;
        s->mass_u[i]        = system->type[system->bead_type[i]].mass_u;
    }
}

static void *copy(AmphiArena *arena, const void *array, int32_t n, size_t size)
{
    return array == NULL ? NULL : amphi_arena_grow(arena, array, n, n, size);
}

AmphiSnapshot *amphi_snapshot_of_system(const AmphiSystem *system, AmphiArena *arena)
{
    AmphiSnapshot *const s = AMPHI_TAKE(arena, AmphiSnapshot, 1);
    const int32_t        n = system->n_beads;

    if (s == NULL)
        return NULL;
    s->title   = system->title == NULL ? "" : system->title;
    s->n_beads = n;
    s->has_box = true;
    memcpy(s->box_nm, system->box_nm, sizeof s->box_nm);
    s->charge_e             = copy(arena, system->bead_charge_e, n, sizeof(double));
    s->dipole_strength_e_nm = copy(arena, system->bead_dipole_e_nm, n, sizeof(double));
    s->position_nm          = copy(arena, system->position_nm, n, sizeof *s->position_nm);
    s->velocity_nm_ps       = copy(arena, system->velocity_nm_ps, n, sizeof *s->velocity_nm_ps);
    s->orientation          = copy(arena, system->orientation, n, sizeof *s->orientation);
    s->spin_u_nm2_ps        = copy(arena, system->spin_u_nm2_ps, n, sizeof *s->spin_u_nm2_ps);
    add_types(system, s, arena);
    add_names(system, s, arena);
    add_bonds(system, s, arena);
    return amphi_arena_failed(arena) ? NULL : s;
}
