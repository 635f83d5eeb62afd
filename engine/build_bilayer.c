/* Placing a bilayer: lipids on a grid in each leaflet, water between the leaflets and their
 * periodic images. The density is close to that of the liquid everywhere, so that removing overlaps
 * moves beads by less than their size.
 */
#include "build_place.h"

#define WATER_VOLUME_NM3  0.0300 /* ELBA and SSD water; a single bead of contact below 0.35 nm */
#define SMALL_BEAD_NM     0.35
#define SOLVENT_OF_SIGMA3 1.06 /* larger solvents: the same volume over sigma^3 as ELBA water */
#define JITTER            0.45 /* of a grid spacing, to each side */
#define STAGGER_NM        0.15 /* lipids stand this much higher or lower: no surface is flat */

double amphi_bilayer_area(const AmphiBuildPlan *plan)
{
    int64_t most = 0;

    for (int leaflet = 0; leaflet < 2; leaflet++) {
        int64_t n = 0;

        for (int32_t k = 0; k < plan->n_leaflet[leaflet]; k++)
            n += plan->leaflet[leaflet][k].count;
        most = n > most ? n : most;
    }
    return plan->area_per_lipid_nm2 * (double)most;
}

double amphi_solvent_volume(const AmphiSystem *types, int32_t molecule_type)
{
    const AmphiMoleculeType *molecule = &types->molecule_type[molecule_type];
    double                   volume   = 0;

    for (int32_t b = 0; b < molecule->n_beads; b++) {
        const int32_t type  = molecule->bead_type[b];
        const double  sigma = types->pair_rule[type * types->n_types + type].sigma_nm;

        volume +=
            sigma < SMALL_BEAD_NM ? WATER_VOLUME_NM3 : SOLVENT_OF_SIGMA3 * sigma * sigma * sigma;
    }
    return volume;
}

static int32_t count_leaflet(const AmphiBuildPlan *plan, int leaflet)
{
    int32_t n = 0;

    for (int32_t k = 0; k < plan->n_leaflet[leaflet]; k++)
        n += plan->leaflet[leaflet][k].count;
    return n;
}

/* The thickness of the leaflet at this area, but at most the length of its lipids, which are
 * crowded then. */
static double leaflet_thickness(AmphiPlacing *p, int leaflet, double area_nm2)
{
    double volume = 0, longest = 0;

    for (int32_t k = 0; k < p->plan->n_leaflet[leaflet]; k++) {
        const AmphiPortion *portion = &p->plan->leaflet[leaflet][k];
        const AmphiShape   *shape   = &p->crowd.shape[portion->molecule_type];

        volume += portion->count * shape->volume_nm3;
        longest = shape->length_nm > longest ? shape->length_nm : longest;
    }
    if (volume < longest * area_nm2)
        return volume / area_nm2;
    if (longest > 0)
        p->crowding = fmax(p->crowding, volume / (longest * area_nm2));
    return longest;
}

/* Item k of n in as many rows as make a near-square pattern, each row evenly filled. The place is
 * in units of the square's edge. */
static void place_in_square(int32_t k, int32_t n, AmphiDraws *draws, double place[2])
{
    const int64_t n_rows = (int64_t)ceil(sqrt((double)n));
    const int64_t row    = k * n_rows / n;
    const int64_t first  = (row * n + n_rows - 1) / n_rows;
    const int64_t behind = ((row + 1) * n + n_rows - 1) / n_rows;
    const double  along = (double)(behind - first), across = (double)n_rows;

    place[0] = ((double)(k - first) + 0.5 + JITTER * (2 * amphi_draw(draws) - 1)) / along;
    place[1] = ((double)row + 0.5 + JITTER * (2 * amphi_draw(draws) - 1)) / across;
}

/* 0 .. n - 1 in random order. */
static int32_t *shuffled(AmphiArena *arena, int32_t n, AmphiDraws draws)
{
    int32_t *item = AMPHI_TAKE(arena, int32_t, n);

    for (int32_t k = 0; item != NULL && k < n; k++) {
        const int32_t at = amphi_draw_below(&draws, k + 1);

        item[k]  = item[at];
        item[at] = k;
    }
    return item;
}

/* Lipids stand at the surface, which is `thickness_nm` from the middle plane; side 1 is up. */
static bool place_leaflet(AmphiPlacing *p, int leaflet, double middle_nm, double thickness_nm,
                          int32_t first_molecule)
{
    const AmphiSystem *system = p->crowd.system;
    const double       side   = leaflet == 0 ? 1 : -1;
    const int32_t      n      = count_leaflet(p->plan, leaflet);
    const int32_t     *site   = shuffled(p->arena, n, amphi_placing_common_draws(p, leaflet));

    if (site == NULL)
        return false;

    for (int32_t k = 0; k < n; k++) {
        const AmphiMolecule *m     = &system->molecule[first_molecule + k];
        const AmphiShape    *shape = &p->crowd.shape[m->type];
        AmphiDraws           draws = amphi_placing_draws(p, first_molecule + k);
        double(*x)[3]              = &p->crowd.x[m->first_bead];
        double place[2];

        place_in_square(site[k], n, &draws, place);
        const double lift = STAGGER_NM * (2 * amphi_draw(&draws) - 1);

        amphi_shape_stand(shape, thickness_nm, &draws, x);
        for (int32_t b = 0; b < shape->n_beads; b++) {
            x[b][0] += place[0] * p->crowd.box_nm[0];
            x[b][1] += place[1] * p->crowd.box_nm[1];
            x[b][2] = middle_nm + side * (thickness_nm + lift + x[b][2]);
        }
    }
    return true;
}

/* Layers of a jittered grid with near-cubic meshes, from `bottom_nm` upwards. */
static void place_water(AmphiPlacing *p, double bottom_nm, double thickness_nm,
                        int32_t first_molecule)
{
    const AmphiSystem *system   = p->crowd.system;
    const double      *box      = p->crowd.box_nm;
    const int32_t      n        = system->n_molecules - first_molecule;
    const double       mesh     = amphi_cube_root(box[0] * box[1] * thickness_nm / n);
    const double       layers   = floor(thickness_nm / mesh + 0.5);
    const int64_t      n_layers = layers < 1 ? 1 : layers > n ? n : (int64_t)layers;

    for (int32_t k = 0; k < n; k++) {
        const AmphiMolecule *m      = &system->molecule[first_molecule + k];
        const AmphiShape    *shape  = &p->crowd.shape[m->type];
        AmphiDraws           draws  = amphi_placing_draws(p, first_molecule + k);
        const int64_t        layer  = k * n_layers / n;
        const int64_t        first  = (layer * n + n_layers - 1) / n_layers;
        const int64_t        behind = ((layer + 1) * n + n_layers - 1) / n_layers;
        double(*x)[3]               = &p->crowd.x[m->first_bead];
        double place[2];

        place_in_square((int32_t)(k - first), (int32_t)(behind - first), &draws, place);
        const double height = (double)layer + 0.5 + JITTER * (2 * amphi_draw(&draws) - 1);

        amphi_shape_coil(shape, &draws, x);
        for (int32_t b = 0; b < shape->n_beads; b++) {
            x[b][0] += place[0] * box[0];
            x[b][1] += place[1] * box[1];
            x[b][2] += bottom_nm + height * thickness_nm / (double)n_layers;
        }
    }
}

static int32_t count_water(const AmphiPlacing *p)
{
    return p->crowd.system->n_molecules - count_leaflet(p->plan, 0) - count_leaflet(p->plan, 1);
}

void amphi_set_bilayer_box(AmphiPlacing *p)
{
    const AmphiBuildPlan *plan    = p->plan;
    const double          area    = amphi_bilayer_area(plan);
    const int32_t         n_water = count_water(p);
    double *const         box     = p->crowd.box_nm;

    p->crowding = 1;
    for (int leaflet = 0; leaflet < 2; leaflet++)
        p->slab_nm[leaflet] = leaflet_thickness(p, leaflet, area);
    p->slab_nm[2] = plan->water_thickness_nm;
    if (p->slab_nm[2] <= 0 && n_water > 0)
        p->slab_nm[2] =
            n_water * amphi_solvent_volume(p->crowd.system, plan->water.molecule_type) / area;
    box[0] = box[1] = sqrt(area);
    box[2]          = p->slab_nm[0] + p->slab_nm[1] + p->slab_nm[2];
}

/* The water layer is split by the box's edge, so that the membrane lies in the middle. */
AmphiStatus amphi_place_bilayer(AmphiPlacing *p, AmphiError *err)
{
    const double  upper = p->slab_nm[0], lower = p->slab_nm[1], water = p->slab_nm[2];
    const double  middle   = water / 2 + lower;
    const int32_t n_upper  = count_leaflet(p->plan, 0);
    const int32_t n_lipids = n_upper + count_leaflet(p->plan, 1);

    if (!place_leaflet(p, 0, middle, upper, 0) || !place_leaflet(p, 1, middle, lower, n_upper))
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to place %d lipids", n_lipids);
    if (count_water(p) > 0)
        place_water(p, middle + upper, water, n_lipids);
    return AMPHI_OK;
}
