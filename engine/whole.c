/* Molecules in one piece. */
#include "whole.h"

#include <math.h>
#include <string.h>

#include "../forcefield/spec.h"
#include "build_space.h"

static bool is_bond(const AmphiSystem *s, const AmphiBond *b)
{
    return amphi_potential_is_bond(amphi_potential_of_kind(s->bond_rule[b->rule].kind, true));
}

static void hang_on(int32_t *order, int32_t *parent, int32_t *n, int32_t place, int32_t on)
{
    parent[place] = on;
    order[(*n)++] = place;
}

/* One pass over the bonds: parents are -1 until known, the first bead is its own. True when a
 * parent was found. */
static bool follow_bonds(const AmphiSystem *s, const AmphiMoleculeType *type, int32_t *order,
                         int32_t *parent, int32_t *n)
{
    const int32_t before = *n;

    for (int32_t k = 0; k < type->n_bonds; k++) {
        const int32_t a = type->bond[k].bead[0], b = type->bond[k].bead[1];

        if (!is_bond(s, &type->bond[k]))
            continue;
        if (parent[a] >= 0 && parent[b] < 0)
            hang_on(order, parent, n, b, a);
        else if (parent[b] >= 0 && parent[a] < 0)
            hang_on(order, parent, n, a, b);
    }
    return *n > before;
}

static void find_order(const AmphiSystem *s, const AmphiMoleculeType *type, int32_t *order,
                       int32_t *parent)
{
    int32_t n = 0;

    for (int32_t i = 0; i < type->n_beads; i++)
        parent[i] = -1;
    for (int32_t i = 0; i < type->n_beads; i++)
        if (parent[i] < 0) {
            hang_on(order, parent, &n, i, 0);
            while (follow_bonds(s, type, order, parent, &n)) {
            }
        }
}

bool amphi_whole_init(AmphiWhole *w, const AmphiSystem *s, AmphiArena *arena)
{
    *w = (AmphiWhole){ .system = s,
                       .order  = AMPHI_TAKE(arena, int32_t *, s->n_molecule_types),
                       .parent = AMPHI_TAKE(arena, int32_t *, s->n_molecule_types) };
    for (int32_t t = 0; !amphi_arena_failed(arena) && t < s->n_molecule_types; t++) {
        const AmphiMoleculeType *const type = &s->molecule_type[t];

        w->order[t]  = AMPHI_TAKE(arena, int32_t, type->n_beads);
        w->parent[t] = AMPHI_TAKE(arena, int32_t, type->n_beads);
        if (!amphi_arena_failed(arena))
            find_order(s, type, w->order[t], w->parent[t]);
    }
    return !amphi_arena_failed(arena);
}

void amphi_whole_molecule(const AmphiWhole *w, int32_t molecule, const double box_nm[3],
                          const double (*x)[3], double (*to)[3])
{
    const AmphiMolecule *const m = &w->system->molecule[molecule];
    const int32_t *const order = w->order[m->type], *const parent = w->parent[m->type];
    const double(*const from)[3] = x + m->first_bead;

    for (int32_t k = 0; k < w->system->molecule_type[m->type].n_beads; k++) {
        const int32_t i = order[k];
        double        d[3];

        if (k == 0) {
            memcpy(to[i], from[i], sizeof to[i]);
            continue;
        }
        amphi_nearest_image(from[i], to[parent[i]], box_nm, d);
        for (int a = 0; a < 3; a++)
            to[i][a] = to[parent[i]][a] + d[a];
    }
}

void amphi_move_into_box(const double box_nm[3], int32_t n, double (*x)[3])
{
    for (int a = 0; a < 3; a++) {
        double sum = 0;

        for (int32_t i = 0; i < n; i++)
            sum += x[i][a];
        const double shift = box_nm[a] * floor(sum / n / box_nm[a]);
        for (int32_t i = 0; i < n; i++)
            x[i][a] -= shift;
    }
}

void amphi_whole_all(const AmphiWhole *w, const double box_nm[3], const double (*x)[3],
                     double (*to)[3])
{
    for (int32_t m = 0; m < w->system->n_molecules; m++) {
        const AmphiMolecule *const mol = &w->system->molecule[m];

        amphi_whole_molecule(w, m, box_nm, x, to + mol->first_bead);
        amphi_move_into_box(box_nm, w->system->molecule_type[mol->type].n_beads,
                            to + mol->first_bead);
    }
}
