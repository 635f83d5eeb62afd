/* Reads the distances and axes that the builder respects from the bonded terms of a molecule. */
#include "build_links.h"

#include <math.h>

#include "../forcefield/spec.h"

typedef struct {
    const AmphiPotential *potential;
    const double         *field;
    const int32_t        *bead;
} Term;

static Term term_of(const AmphiSystem *types, const AmphiBond *bond)
{
    const AmphiBondRule *rule = &types->bond_rule[bond->rule];

    return (Term){ amphi_potential_of_kind(rule->kind, true), rule->field, bond->bead };
}

/* The series of cos(t/4) to t^18, whose next term is below 1e-19 for t up to pi; then doubled
 * twice. The C library's cosine may differ from one machine to the next. */
static double cosine_of(double angle)
{
    const double t2     = angle * angle / 16;
    double       series = 1;

    for (int n = 18; n >= 2; n -= 2)
        series = 1 - series * t2 / (n * (n - 1));
    for (int k = 0; k < 2; k++)
        series = 2 * series * series - 1;
    return series;
}

/* The length at rest between two bonded beads, 0 when they are not bonded. */
static double bond_between(const AmphiLinks *links, int32_t a, int32_t b)
{
    for (int32_t k = 0; k < links->n_links; k++) {
        const AmphiLink *l = &links->link[k];

        if (l->is_bond && ((l->a == a && l->b == b) || (l->a == b && l->b == a)))
            return l->length_nm;
    }
    return 0;
}

static void add_bond(AmphiLinks *links, Term term)
{
    links->link[links->n_links++] =
        (AmphiLink){ term.bead[0], term.bead[1],
                     amphi_field_value(term.potential, term.field, "length"), true };
}

/* Adds the distance between the ends of an angle at rest, if both of its arms are bonds. */
static void add_angle(AmphiLinks *links, Term term)
{
    const double a   = bond_between(links, term.bead[0], term.bead[1]);
    const double b   = bond_between(links, term.bead[1], term.bead[2]);
    const double cos = cosine_of(amphi_field_value(term.potential, term.field, "angle"));

    if (a == 0 || b == 0)
        return;
    links->link[links->n_links++] =
        (AmphiLink){ term.bead[0], term.bead[2], sqrt(a * a + b * b - 2 * a * b * cos), false };
}

static void add_aim(AmphiLinks *links, Term term)
{
    const int32_t *bead = term.bead;

    if (term.potential->slot == AMPHI_DIPOLE_RESTRAINT)
        links->aim[links->n_aims++] =
            (AmphiAim){ bead[0], bead[0], bead[1],
                        cosine_of(amphi_field_value(term.potential, term.field, "angle")) };
    if (term.potential->slot == AMPHI_BOND_AXIS)
        links->aim[links->n_aims++] = (AmphiAim){ bead[0], bead[1], bead[2], 1 };
}

static bool is_aimed(const AmphiLinks *links, int32_t bead)
{
    for (int32_t k = 0; k < links->n_aims; k++)
        if (links->aim[k].bead == bead)
            return true;
    return false;
}

/* From its first to its last neighbour, or along its only bond. */
static void aim_along_chain(AmphiLinks *links, int32_t bead)
{
    int32_t first = -1, last = -1;

    for (int32_t k = 0; k < links->n_links && links->link[k].is_bond; k++) {
        const AmphiLink *l = &links->link[k];

        if (l->a != bead && l->b != bead)
            continue;
        last  = l->a == bead ? l->b : l->a;
        first = first < 0 ? last : first;
    }
    if (first < 0)
        return;
    links->aim[links->n_aims++] = (AmphiAim){ bead, first == last ? bead : first, last, 1 };
}

AmphiStatus amphi_links_make(const AmphiSystem *types, const AmphiMoleculeType *molecule,
                             AmphiArena *arena, AmphiLinks *links, AmphiError *err)
{
    *links = (AmphiLinks){
        .link = AMPHI_TAKE(arena, AmphiLink, molecule->n_bonds),
        .aim  = AMPHI_TAKE(arena, AmphiAim, molecule->n_bonds + molecule->n_beads),
    };
    if (links->link == NULL || links->aim == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the bonds of %s", molecule->name);

    for (int32_t k = 0; k < molecule->n_bonds; k++) {
        const Term term = term_of(types, &molecule->bond[k]);

        if (amphi_potential_is_bond(term.potential))
            add_bond(links, term);
    }
    for (int32_t k = 0; k < molecule->n_bonds; k++) {
        const Term term = term_of(types, &molecule->bond[k]);

        if (term.potential == NULL)
            continue;
        if (term.potential->slot == AMPHI_ANGLE || term.potential->slot == AMPHI_ANGLE_COSINE)
            add_angle(links, term);
        add_aim(links, term);
    }
    for (int32_t b = 0; b < molecule->n_beads; b++) {
        const AmphiBeadType *type = &types->type[molecule->bead_type[b]];

        if (type->length_nm != type->breadth_nm && !is_aimed(links, b))
            aim_along_chain(links, b);
    }
    return AMPHI_OK;
}
