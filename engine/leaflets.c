/* The lipids of a bilayer and their leaflets. */
#include "leaflets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "build_space.h"

#define TWO_PI 6.283185307179586

static bool is_lipid(const AmphiSystem *s, int32_t molecule)
{
    return strcmp(s->molecule_type[s->molecule[molecule].type].kind, "lipid") == 0;
}

/* The end of a tail, a place in the molecule; -1 of an empty one. */
static int32_t end_of(const AmphiTail *tail)
{
    return tail->n_beads > 0 ? tail->bead[tail->n_beads - 1] : -1;
}

/* Puts the ends of tails of a lipid, or all of its beads, into `to`, and returns how many; NULL:
 * only counts. */
static int32_t add_core(const AmphiSystem *s, int32_t molecule, bool of_tails, int32_t *to)
{
    const AmphiMolecule *const     m    = &s->molecule[molecule];
    const AmphiMoleculeType *const type = &s->molecule_type[m->type];
    int32_t                        n    = 0;

    for (int32_t k = 0; k < (of_tails ? type->n_tails : type->n_beads); k++) {
        const int32_t at = of_tails ? end_of(&type->tail[k]) : k;

        if (at >= 0 && to != NULL)
            to[n] = m->first_bead + at;
        n += at >= 0;
    }
    return n;
}

static void find_core(AmphiLeaflets *l, AmphiArena *arena)
{
    int32_t n[2] = { 0, 0 };

    for (int32_t k = 0; k < l->n_lipids; k++)
        for (int of_tails = 0; of_tails < 2; of_tails++)
            n[of_tails] += add_core(l->system, l->lipid[k], of_tails, NULL);

    const bool     has_tails = n[1] > 0;
    int32_t *const core      = AMPHI_TAKE(arena, int32_t, n[has_tails]);

    for (int32_t k = 0; core != NULL && k < l->n_lipids; k++)
        l->n_core += add_core(l->system, l->lipid[k], has_tails, core + l->n_core);
    l->core = core;
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
    find_core(l, arena);
    l->side   = AMPHI_TAKE(arena, int32_t, l->n_lipids);
    l->head   = amphi_arena_take(arena, l->n_lipids, sizeof *l->head);
    l->lift   = AMPHI_TAKE(arena, double, l->n_lipids);
    l->stands = AMPHI_TAKE(arena, bool, l->n_lipids);
    l->x      = amphi_arena_take(arena, largest, sizeof *l->x);
    return amphi_whole_init(&l->whole, s, arena) && !amphi_arena_failed(arena);
}

void amphi_leaflets_take(AmphiLeaflets *l, int32_t lipid, const AmphiFrame *f)
{
    amphi_whole_molecule(&l->whole, l->lipid[lipid], f->box_nm, f->position_nm, l->x);
}

/* Of a lipid without head beads, the first bead is taken. */
static double mean_of_heads(const AmphiLeaflets *l, const AmphiMoleculeType *type, int axis)
{
    double sum = 0;

    if (type->n_heads == 0)
        return l->x[0][axis];
    for (int32_t k = 0; k < type->n_heads; k++)
        sum += l->x[type->head[k]][axis];
    return sum / type->n_heads;
}

/* Of lipid k: its head, and how far that is above the middle of the molecule. */
static void take_head(AmphiLeaflets *l, int32_t k, const AmphiFrame *f)
{
    const AmphiMoleculeType *const type =
        &l->system->molecule_type[l->system->molecule[l->lipid[k]].type];

    amphi_leaflets_take(l, k, f);
    for (int axis = 0; axis < 3; axis++) {
        double mean = 0;

        for (int32_t i = 0; i < type->n_beads; i++)
            mean += l->x[i][axis] / type->n_beads;
        l->head[k][axis] = mean_of_heads(l, type, axis);
        l->along[axis] += fabs(l->head[k][axis] - mean) / l->n_lipids;
        l->lift[k] = l->head[k][axis] - mean; /* of z, the last */
    }
}

static int32_t side_of_lift(double lift)
{
    return lift >= 0 ? 1 : -1;
}

/* Heights of heads above the middle of their molecules, added up over lipids of one type: of those
 * that look up and of all others. */
typedef struct {
    double  sum[2];
    int32_t n[2];
} Lifts;

static int32_t type_of(const AmphiLeaflets *l, int32_t k)
{
    return l->system->molecule[l->lipid[k]].type;
}

static Lifts lifts_of(const AmphiLeaflets *l, int32_t type)
{
    Lifts lifts = { { 0, 0 }, { 0, 0 } };

    for (int32_t k = 0; k < l->n_lipids; k++)
        if (type_of(l, k) == type) {
            lifts.sum[l->lift[k] > 0] += fabs(l->lift[k]);
            lifts.n[l->lift[k] > 0]++;
        }
    return lifts;
}

/* From which height on a lipid of a type stands: half of the mean of those that look to its side,
 * who may be few in a leaflet with much room and lie half; or half of half of the mean of all,
 * where those that look to one side are but some that lie. */
static double standing(const Lifts *lifts, int up)
{
    const int32_t n    = lifts->n[0] + lifts->n[1];
    const double  all  = n > 0 ? (lifts->sum[0] + lifts->sum[1]) / n : 0;
    const double  side = lifts->n[up] > 0 ? lifts->sum[up] / lifts->n[up] : 0;

    return 0.5 * fmax(side, 0.5 * all);
}

/* Of one that lies: it is as high as the heads of which leaflet, by the lipid of each that
 * stands beside it most closely? Where one side has none it is of the other; without any, what
 * its own head says. */
static int32_t side_of_neighbours(const AmphiLeaflets *l, int32_t lying, const double box_nm[3])
{
    double least[2] = { (double)INFINITY, (double)INFINITY };
    double away[2]  = { (double)INFINITY, (double)INFINITY }; /* in height, of those */

    for (int32_t k = 0; k < l->n_lipids; k++) {
        const int up = l->lift[k] > 0;
        double    d[3];

        if (!l->stands[k])
            continue;
        amphi_nearest_image(l->head[k], l->head[lying], box_nm, d);

        const double beside = d[0] * d[0] + d[1] * d[1];
        if (beside < least[up]) {
            least[up] = beside;
            away[up]  = fabs(d[2]);
        }
    }
    return away[0] == away[1] ? side_of_lift(l->lift[lying]) : away[1] < away[0] ? 1 : -1;
}

/* By where they are, for lipids that do not tell by their heads. */
static void find_by_height(AmphiLeaflets *l, const AmphiFrame *f)
{
    const double middle = amphi_leaflets_middle(l, f, 2), edge = f->box_nm[2];

    for (int32_t k = 0; k < l->n_lipids; k++) {
        const double up = l->head[k][2] - middle;

        l->side[k] = side_of_lift(up - edge * rint(up / edge));
    }
}

void amphi_leaflets_find(AmphiLeaflets *l, const AmphiFrame *f)
{
    double highest = 0;

    if (l->n_lipids == 0 || l->has_found)
        return;
    l->has_found = true;
    for (int32_t k = 0; k < l->n_lipids; k++) {
        take_head(l, k, f);
        highest = fmax(highest, fabs(l->lift[k]));
    }
    if (l->side[0] != 0) /* of a run that goes on */
        return;
    if (highest == 0) {
        find_by_height(l, f);
        return;
    }
    for (int32_t t = 0; t < l->system->n_molecule_types; t++) {
        const Lifts lifts = lifts_of(l, t);

        for (int32_t k = 0; k < l->n_lipids; k++)
            if (type_of(l, k) == t)
                l->stands[k] = l->lift[k] != 0 && /* as of one bead alone */
                               fabs(l->lift[k]) >= standing(&lifts, l->lift[k] > 0);
    }
    for (int32_t k = 0; k < l->n_lipids; k++)
        l->side[k] = l->stands[k] ? side_of_lift(l->lift[k]) : side_of_neighbours(l, k, f->box_nm);
}

/* In a membrane across z they stand along it three times as much as along others; where they look
 * everywhere, as in a vesicle, as much. */
void amphi_leaflets_remark(const AmphiLeaflets *l, const char *file, char *remark, size_t size)
{
    const int    axis  = l->along[0] > l->along[1] ? 0 : 1;
    const double ratio = l->along[2] > 0 ? l->along[axis] / l->along[2] : 2 * (l->along[axis] > 0);
    const char  *how   = ratio > 1.5 ? "" : ratio > 0.8 ? "as much as along z" : NULL;

    if (remark[0] == '\0' && how != NULL)
        snprintf(remark, size,
                 "%s: lipids stand along %c%s%s, and it is measured as of a membrane across z",
                 file, "xy"[axis], how[0] != '\0' ? " " : "", how);
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

double amphi_leaflets_height(const AmphiLeaflets *l, const AmphiMoleculeType *type)
{
    double  sum = 0;
    int32_t n   = 0;

    for (int32_t k = 0; k < type->n_tails; k++)
        if (end_of(&type->tail[k]) >= 0) {
            sum += l->x[end_of(&type->tail[k])][2];
            n++;
        }
    if (n > 0)
        return sum / n;
    for (int32_t i = 0; i < type->n_beads; i++)
        sum += l->x[i][2];
    return sum / type->n_beads;
}

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

double amphi_circular_mean(const AmphiSystem *s, const AmphiFrame *f, int axis, const int32_t *bead,
                           int32_t n_beads)
{
    Circle circle = { 0, 0 };

    for (int32_t k = 0; k < n_beads; k++)
        add_bead(&circle, s, f, axis, bead[k]);

    const double turns = atan2(circle.s, circle.c) / TWO_PI;
    return f->box_nm[axis] * (turns < 0 ? turns + 1 : turns);
}

double amphi_leaflets_middle(const AmphiLeaflets *l, const AmphiFrame *f, int axis)
{
    return amphi_circular_mean(l->system, f, axis, l->core, l->n_core);
}
