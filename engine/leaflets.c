/* The lipids of a bilayer and their leaflets. */
#include "leaflets.h"

#include <math.h>

#define TWO_PI 6.283185307179586

static bool is_lipid(const AmphiSystem *s, int32_t molecule)
{
    return strcmp(s->molecule_type[s->molecule[molecule].type].kind, "lipid") == 0;
}

bool amphi_leaflets_init(AmphiLeaflets *l, const AmphiSystem *s, AmphiArena *arena)
{
    int32_t *const lipid   = AMPHI_TAKE(arena, int32_t, s->n_molecules);
    int32_t        largest = 1;

    *l = (AmphiLeaflets){ .system = s, .lipid = lipid };
    for (int32_t m = 0; lipid != NULL && m < s->n_molecules; m++)
        if (is_lipid(s, m))
            lipid[l->n_lipids++] = m;
    for (int32_t t = 0; t < s->n_molecule_types; t++)
        if (s->molecule_type[t].n_beads > largest)
            largest = s->molecule_type[t].n_beads;
    l->side = AMPHI_TAKE(arena, int32_t, l->n_lipids);
    l->x    = amphi_arena_take(arena, largest, sizeof *l->x);
    return amphi_whole_init(&l->whole, s, arena) && !amphi_arena_failed(arena);
}

void amphi_leaflets_take(AmphiLeaflets *l, int32_t lipid, const AmphiFrame *f)
{
    amphi_whole_molecule(&l->whole, l->lipid[lipid], f->box_nm, f->position_nm, l->x);
}

/* Of a lipid without head beads, the first bead is taken. */
static double mean_of_heads(const AmphiLeaflets *l, const AmphiMoleculeType *type)
{
    double sum = 0;

    if (type->n_heads == 0)
        return l->x[0][2];
    for (int32_t k = 0; k < type->n_heads; k++)
        sum += l->x[type->head[k]][2];
    return sum / type->n_heads;
}

void amphi_leaflets_find(AmphiLeaflets *l, const AmphiFrame *f)
{
    for (int32_t k = 0; k < l->n_lipids && l->side[k] == 0; k++) {
        const AmphiMoleculeType *const type =
            &l->system->molecule_type[l->system->molecule[l->lipid[k]].type];
        double mean = 0;

        amphi_leaflets_take(l, k, f);
        for (int32_t i = 0; i < type->n_beads; i++)
            mean += l->x[i][2] / type->n_beads;
        l->side[k] = mean_of_heads(l, type) >= mean ? 1 : -1;
    }
}

AmphiPart amphi_leaflets_part(const AmphiLeaflets *l)
{
    return (AmphiPart){ l->side, (size_t)l->n_lipids * sizeof *l->side };
}

int32_t amphi_leaflets_count(const AmphiLeaflets *l, int32_t side)
{
    int32_t n = 0;

    for (int32_t k = 0; k < l->n_lipids; k++)
        n += l->side[k] == side;
    return n;
}

/* ---- the middle ---- */

typedef struct {
    double c, s; /* sums of m cos, m sin */
} Circle;

static void add_bead(Circle *circle, const AmphiSystem *s, const AmphiFrame *f, int axis, int32_t i)
{
    const double angle = TWO_PI * f->position_nm[i][axis] / f->box_nm[axis];
    const double mass  = s->type[s->bead_type[i]].mass_u;

    circle->c += mass * cos(angle);
    circle->s += mass * sin(angle);
}

double amphi_circular_mean(const AmphiLeaflets *l, const AmphiFrame *f, int axis,
                           const int32_t *bead, int32_t n_beads)
{
    const AmphiSystem *const s      = l->system;
    Circle                   circle = { 0, 0 };

    for (int32_t k = 0; bead != NULL && k < n_beads; k++)
        add_bead(&circle, s, f, axis, bead[k]);
    for (int32_t k = 0; bead == NULL && k < l->n_lipids; k++) {
        const AmphiMolecule *const m = &s->molecule[l->lipid[k]];

        for (int32_t i = 0; i < s->molecule_type[m->type].n_beads; i++)
            add_bead(&circle, s, f, axis, m->first_bead + i);
    }

    const double turns = atan2(circle.s, circle.c) / TWO_PI;
    return f->box_nm[axis] * (turns < 0 ? turns + 1 : turns);
}
