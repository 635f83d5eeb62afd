/* Filling a box at random: one molecule after the other where there is room, large ones first. */
#include <stdlib.h>

#include "build_place.h"

#define ROOM_WANTED 0.8 /* distance over contact distance that needs no further try */

enum { TRIES = 20 };

double amphi_portions_mass_u(const AmphiSystem *types, const AmphiPortion *portion,
                             int32_t n_portions)
{
    double mass = 0;

    for (int32_t k = 0; k < n_portions; k++) {
        const AmphiMoleculeType *molecule = &types->molecule_type[portion[k].molecule_type];
        double                   one      = 0;

        for (int32_t b = 0; b < molecule->n_beads; b++)
            one += types->type[molecule->bead_type[b]].mass_u;
        mass += portion[k].count * one;
    }
    return mass;
}

/* The density decides the edges that the plan leaves open. */
void amphi_set_fill_box(AmphiPlacing *p)
{
    const double *given  = p->plan->box_nm;
    double        open   = 1;
    int           n_open = 0;

    if (p->plan->density_u_nm3 > 0)
        open = amphi_portions_mass_u(p->crowd.system, p->portion, p->n_portions) /
               p->plan->density_u_nm3;
    for (int k = 0; k < 3; k++) {
        n_open += given[k] <= 0;
        open /= given[k] > 0 ? given[k] : 1;
    }
    const double edge = n_open == 3 ? amphi_cube_root(open) : n_open == 2 ? sqrt(open) : open;

    for (int k = 0; k < 3; k++)
        p->crowd.box_nm[k] = given[k] > 0 ? given[k] : edge;
}

/* The least distance over contact distance from one bead to those already placed, 1 at most. */
static double room_of_bead(const AmphiPlacing *p, const AmphiCells *cells, int32_t bead,
                           const double position[3])
{
    const AmphiCrowd  *crowd  = &p->crowd;
    const AmphiSystem *system = crowd->system;
    int32_t            cell[27];
    const int32_t      n_cells = amphi_cells_around(cells, position, cell);
    double             least   = 1;

    for (int32_t c = 0; c < n_cells; c++)
        for (int32_t j = cells->first[cell[c]]; j >= 0; j = cells->next[j]) {
            const AmphiContact *contact =
                &crowd->contacts[system->bead_type[bead] * system->n_types + system->bead_type[j]];
            double d[3];

            amphi_nearest_image(position, crowd->x[j], crowd->box_nm, d);
            const double r2 = amphi_dot(d, d), reach = least * contact->widest_nm;
            if (r2 >= reach * reach)
                continue;
            if (r2 < 1e-18)
                return 0;
            const double r = sqrt(r2);
            const double ratio =
                r / amphi_contact_nm(contact, crowd->axis[bead], crowd->axis[j], d, r);
            least = ratio < least ? ratio : least;
        }
    return least;
}

/* A coil at a random place of the box. */
static void draw_coil(const AmphiPlacing *p, const AmphiShape *shape, AmphiDraws *draws,
                      double (*x)[3])
{
    double place[3];

    for (int k = 0; k < 3; k++)
        place[k] = amphi_draw(draws) * p->crowd.box_nm[k];
    amphi_shape_coil(shape, draws, x);
    for (int32_t b = 0; b < shape->n_beads; b++)
        for (int k = 0; k < 3; k++)
            x[b][k] += place[k];
}

/* The best of a few random placements, or the first one with enough room. */
static void insert(AmphiPlacing *p, AmphiCells *cells, int32_t m, double (*trial)[3])
{
    const AmphiMolecule *molecule = &p->crowd.system->molecule[m];
    const AmphiShape    *shape    = &p->crowd.shape[molecule->type];
    AmphiDraws           draws    = amphi_placing_draws(p, m);
    double(*x)[3]                 = &p->crowd.x[molecule->first_bead];
    double best                   = -1;

    for (int32_t t = 0; t < TRIES && best < ROOM_WANTED; t++) {
        double room = 1;

        draw_coil(p, shape, &draws, trial);
        for (int32_t b = 0; b < shape->n_beads && room > best; b++) {
            const double here = room_of_bead(p, cells, molecule->first_bead + b, trial[b]);

            room = here < room ? here : room;
        }
        if (room <= best)
            continue;
        best = room;
        for (int32_t b = 0; b < shape->n_beads; b++)
            for (int k = 0; k < 3; k++)
                x[b][k] = trial[b][k];
    }
    for (int32_t b = 0; b < shape->n_beads; b++)
        amphi_cells_put(cells, molecule->first_bead + b, x[b]);
}

typedef struct {
    int32_t n_beads, molecule;
} Turn;

/* The large ones first, and in their order. */
static int compare_turns(const void *a, const void *b)
{
    const Turn *p = a, *q = b;

    if (p->n_beads != q->n_beads)
        return p->n_beads > q->n_beads ? -1 : 1;
    return p->molecule < q->molecule ? -1 : 1;
}

AmphiStatus amphi_place_fill(AmphiPlacing *p, AmphiError *err)
{
    const AmphiSystem *system = p->crowd.system;
    double             reach  = 0.1;
    AmphiCells         cells;
    Turn              *turn = AMPHI_TAKE(p->arena, Turn, system->n_molecules);

    for (int32_t k = 0; k < system->n_types * system->n_types; k++)
        if (p->crowd.contacts[k].widest_nm > reach)
            reach = p->crowd.contacts[k].widest_nm;
    if (turn == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to place %d beads", system->n_beads);
    for (int32_t m = 0; m < system->n_molecules; m++)
        turn[m] = (Turn){ p->crowd.shape[system->molecule[m].type].n_beads, m };
    qsort(turn, (size_t)system->n_molecules, sizeof *turn, compare_turns);
    AMPHI_TRY(amphi_cells_make(p->crowd.box_nm, reach, system->n_beads, p->arena, &cells, err));
    double(*trial)[3] = amphi_arena_take(p->arena, turn[0].n_beads, sizeof *trial);
    if (trial == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to place %d beads", system->n_beads);

    for (int32_t m = 0; m < system->n_molecules; m++)
        insert(p, &cells, turn[m].molecule, trial);
    return AMPHI_OK;
}
