/* Trees of bonds, and the positions of one molecule's beads along them. */
#include "build_shape.h"

/* Volume of a chain of touching beads over the sum of sigma^3. From ELBA: DMPC, POPC and DOPC have
 * 1.197, 1.280 and 1.363 nm^3, and sums of 1.319, 1.410 and 1.501 nm^3. */
#define VOLUME_OF_SIGMA3 0.908
/* Bonds of ELBA are 0.9 of the contact distance; with shorter ones beads overlap. */
#define BOND_OF_SIGMA 0.9
#define PI            3.14159265358979323846
/* The largest component of a bond along the normal, so that chains are never quite straight. */
#define STEEPEST 0.95

static int32_t root_of(const AmphiMoleculeType *molecule)
{
    return molecule->n_heads > 0 ? molecule->head[0] : 0;
}

static void hang(AmphiShape *s, int32_t child, int32_t parent, double bond_nm)
{
    s->parent[child]  = parent;
    s->bond_nm[child] = bond_nm;
    s->rank[child]    = s->n_children[parent]++;
}

static bool is_hung(const AmphiShape *s, int32_t bead)
{
    return bead == s->order[0] || s->parent[bead] >= 0;
}

/* The tree of bonds, breadth first, so that branches alternate. Rings are cut; beads without a bond
 * become children of the first bead, at contact distance. */
static void grow_tree(AmphiShape *s, const AmphiMoleculeType *molecule,
                      const AmphiContact *contacts, int32_t n_types)
{
    int32_t n = 1, next_loose = 0;

    s->order[0] = root_of(molecule);
    for (int32_t done = 0; done < s->n_beads; done++) {
        if (done == n) {
            while (is_hung(s, next_loose))
                next_loose++;
            const int32_t pair =
                molecule->bead_type[s->order[0]] * n_types + molecule->bead_type[next_loose];
            hang(s, next_loose, s->order[0], contacts[pair].widest_nm);
            s->order[n++] = next_loose;
        }
        const int32_t bead = s->order[done];

        for (int32_t k = 0; k < s->links.n_links && s->links.link[k].is_bond; k++) {
            const AmphiLink *l = &s->links.link[k];

            if (l->a != bead && l->b != bead)
                continue;
            const int32_t other = l->a == bead ? l->b : l->a;
            if (is_hung(s, other))
                continue;
            hang(s, other, bead, l->length_nm);
            s->order[n++] = other;
        }
    }
}

/* sigma^2 times the extent along the axis, which is that of the chain; there beads overlap with
 * those they are bonded to. */
static double bead_sigma3(const AmphiShape *s, const AmphiContact *self, int32_t bead)
{
    static const double axis[3] = { 0, 0, 1 };
    double              extent  = amphi_contact_nm(self, axis, axis, axis, 1);

    for (int32_t k = 0; k < s->links.n_links && s->links.link[k].is_bond; k++) {
        const AmphiLink *l = &s->links.link[k];

        if ((l->a == bead || l->b == bead) && l->length_nm < BOND_OF_SIGMA * extent)
            extent = l->length_nm / BOND_OF_SIGMA;
    }
    return self->sigma_nm * self->sigma_nm * extent;
}

/* Of the beads at the same distance along the bonds, half of the volume counts as above. */
static void measure_depths(AmphiShape *s, const double *path_nm, const double *sigma3)
{
    const double same = 1e-6; /* nm */

    for (int32_t a = 0; a < s->n_beads; a++) {
        double above = 0, all = 0;

        for (int32_t b = 0; b < s->n_beads; b++) {
            const double gap = path_nm[b] - path_nm[a];

            all += sigma3[b];
            above += gap < -same ? sigma3[b] : gap < same ? 0.5 * sigma3[b] : 0;
        }
        s->depth[a] = all > 0 ? above / all : 0.5;
    }
}

static void measure(AmphiShape *s, const AmphiMoleculeType *molecule, const AmphiContact *contacts,
                    int32_t n_types, double *path_nm, double *sigma3)
{
    for (int32_t k = 0; k < s->n_beads; k++) {
        const int32_t       b = s->order[k], type = molecule->bead_type[b];
        const AmphiContact *self = &contacts[type * n_types + type];
        const double        end  = self->widest_nm / 2;

        path_nm[b] = k == 0 ? 0 : path_nm[s->parent[b]] + s->bond_nm[b];
        sigma3[b]  = bead_sigma3(s, self, b);
        s->volume_nm3 += VOLUME_OF_SIGMA3 * sigma3[b];
        s->solid_nm3 += PI / 6 * sigma3[b];
        if (path_nm[b] + 2 * end > s->length_nm)
            s->length_nm = path_nm[b] + 2 * end;
    }
    measure_depths(s, path_nm, sigma3);
}

AmphiStatus amphi_shape_make(const AmphiSystem *types, const AmphiContact *contacts,
                             const AmphiMoleculeType *molecule, AmphiArena *arena,
                             AmphiShape *shape, AmphiError *err)
{
    const int32_t n      = molecule->n_beads;
    double *const path   = AMPHI_TAKE(arena, double, n);
    double *const sigma3 = AMPHI_TAKE(arena, double, n);

    *shape = (AmphiShape){
        .n_beads    = n,
        .order      = AMPHI_TAKE(arena, int32_t, n),
        .parent     = AMPHI_TAKE(arena, int32_t, n),
        .n_children = AMPHI_TAKE(arena, int32_t, n),
        .rank       = AMPHI_TAKE(arena, int32_t, n),
        .bond_nm    = AMPHI_TAKE(arena, double, n),
        .depth      = AMPHI_TAKE(arena, double, n),
    };
    if (amphi_arena_failed(arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the shape of %s", molecule->name);
    for (int32_t b = 0; b < n; b++)
        shape->parent[b] = -1;
    AMPHI_TRY(amphi_links_make(types, molecule, arena, &shape->links, err));
    grow_tree(shape, molecule, contacts, types->n_types);
    measure(shape, molecule, contacts, types->n_types, path, sigma3);
    return AMPHI_OK;
}

static void move_middle_to_origin(const AmphiShape *s, int n_axes, double (*x)[3])
{
    for (int k = 0; k < n_axes; k++) {
        double sum = 0;

        for (int32_t b = 0; b < s->n_beads; b++)
            sum += x[b][k];
        for (int32_t b = 0; b < s->n_beads; b++)
            x[b][k] -= sum / s->n_beads;
    }
}

/* A horizontal unit vector for the step to a child: a chain wanders, two branches part. */
static void draw_side_step(const AmphiShape *s, int32_t bead, const double before[3],
                           AmphiDraws *draws, double step[3])
{
    const int32_t n_branches = s->n_children[s->parent[bead]], rank = s->rank[bead];
    const double  turn = n_branches > 1 ? 0.3 : 0.8; /* of one; below it no chain folds back */
    double        stray[3];

    amphi_draw_azimuth(draws, stray);
    step[0] = n_branches > 1 ? -before[1] : before[0];
    step[1] = n_branches > 1 ? before[0] : before[1];
    for (int k = 0; k < 2; k++)
        step[k] = (rank % 2 == 1 ? -step[k] : step[k]) + turn * stray[k];
    if (rank > 1)
        amphi_draw_azimuth(draws, step);
    step[2] = 0;
    amphi_normalise(step);
}

void amphi_shape_stand(const AmphiShape *s, double thickness_nm, AmphiDraws *draws, double (*x)[3])
{
    const int32_t root = s->order[0];

    x[root][0] = x[root][1] = 0;
    x[root][2]              = -thickness_nm * s->depth[root];
    for (int32_t k = 1; k < s->n_beads; k++) {
        const int32_t b = s->order[k], p = s->parent[b];
        const double  most = STEEPEST * s->bond_nm[b];
        const double  wish = -thickness_nm * s->depth[b] - x[p][2];
        const double  rise = wish < -most ? -most : wish > most ? most : wish;
        const double  side = sqrt(s->bond_nm[b] * s->bond_nm[b] - rise * rise);
        double        before[3], step[3];

        if (p == root)
            amphi_draw_azimuth(draws, before);
        else
            for (int a = 0; a < 3; a++)
                before[a] = a < 2 ? x[p][a] - x[s->parent[p]][a] : 0;
        amphi_normalise(before);
        draw_side_step(s, b, before, draws, step);
        x[b][0] = x[p][0] + side * step[0];
        x[b][1] = x[p][1] + side * step[1];
        x[b][2] = x[p][2] + rise;
    }
    move_middle_to_origin(s, 2, x);
}

/* Branches leave at right angles to the bond before them and to opposite sides. */
static void draw_step(const AmphiShape *s, int32_t bead, const double before[3],
                      const double aside[3], AmphiDraws *draws, double step[3])
{
    const int32_t n_branches = s->n_children[s->parent[bead]], rank = s->rank[bead];
    double        stray[3];

    amphi_draw_ball(draws, stray);
    for (int k = 0; k < 3; k++) {
        step[k] = before[k] + 0.6 * stray[k];
        if (n_branches > 1)
            step[k] = (rank % 2 == 1 ? -aside[k] : aside[k]) + 0.3 * stray[k];
    }
    if (rank > 1)
        amphi_draw_direction(draws, step);
    amphi_normalise(step);
}

void amphi_shape_coil(const AmphiShape *s, AmphiDraws *draws, double (*x)[3])
{
    const int32_t root = s->order[0];
    double        aside[3];

    for (int k = 0; k < 3; k++)
        x[root][k] = 0;
    for (int32_t k = 1; k < s->n_beads; k++) {
        const int32_t b = s->order[k], p = s->parent[b];
        double        before[3], step[3];

        if (p == root)
            amphi_draw_direction(draws, before);
        else
            for (int a = 0; a < 3; a++)
                before[a] = x[p][a] - x[s->parent[p]][a];
        amphi_normalise(before);
        if (s->rank[b] == 0)
            amphi_draw_direction(draws, aside);
        for (int a = 0; a < 3 && s->rank[b] == 0; a++)
            aside[a] -= amphi_dot(aside, before) * before[a];
        amphi_normalise(aside);
        draw_step(s, b, before, aside, draws, step);
        for (int a = 0; a < 3; a++)
            x[b][a] = x[p][a] + s->bond_nm[b] * step[a];
    }
    move_middle_to_origin(s, 3, x);
}
