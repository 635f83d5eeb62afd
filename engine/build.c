/* The builder: numbers of molecules, and the steps from a plan to positions and orientations.
 * Molecules are placed in build_bilayer.c and build_fill.c, overlaps removed in build_relax.c.
 */
#include "build.h"

#include <string.h>

#include "build_place.h"

/* Slightly more than the 0.7 of build.h, to allow for rounding in files. */
#define CLOSEST_ALLOWED 0.72
#define BOND_ALLOWED    0.2
/* Spheres shrunk to the closest allowed distance cannot fill more of a box than this: the densest
 * packing, pi/sqrt(18). */
#define DENSEST 0.7405

/* Choices that concern all molecules have ids of their own, above those of molecules. */
AmphiDraws amphi_placing_common_draws(const AmphiPlacing *placing, int32_t k)
{
    return (AmphiDraws){ .seed   = placing->plan->seed,
                         .id     = (UINT64_C(1) << 40) + (uint64_t)k,
                         .stream = AMPHI_STREAM_BUILD };
}

AmphiDraws amphi_placing_draws(const AmphiPlacing *placing, int32_t molecule)
{
    return (AmphiDraws){ .seed   = placing->plan->seed,
                         .id     = (uint64_t)molecule,
                         .stream = AMPHI_STREAM_BUILD };
}

static AmphiStatus check_total(const AmphiSystem *types, const AmphiPortion *portion,
                               int32_t n_portions, AmphiError *err)
{
    int64_t n_molecules = 0, n_beads = 0;

    for (int32_t k = 0; k < n_portions; k++) {
        n_molecules += portion[k].count;
        n_beads +=
            (int64_t)portion[k].count * types->molecule_type[portion[k].molecule_type].n_beads;
    }
    if (n_molecules == 0)
        return amphi_fail(err, AMPHI_BAD_INPUT, "nothing to build: no molecules");
    if (n_beads > INT32_MAX)
        return amphi_fail(err, AMPHI_BAD_INPUT, "cannot build %lld beads: at most %d",
                          (long long)n_beads, INT32_MAX);
    return AMPHI_OK;
}

/* Converts a number of molecules to `count`; false when it is not a whole number in range. */
static AmphiStatus set_count(double wanted, int32_t *count, AmphiError *err)
{
    if (!(wanted < INT32_MAX))
        return amphi_fail(err, AMPHI_BAD_INPUT, "cannot build %g molecules of one kind", wanted);
    *count = (int32_t)floor(wanted + 0.5);
    return AMPHI_OK;
}

static AmphiStatus count_water(const AmphiSystem *types, const AmphiBuildPlan *plan,
                               int64_t n_lipids, int32_t *count, AmphiError *err)
{
    if (plan->water_thickness_nm > 0)
        return set_count(plan->water_thickness_nm * amphi_bilayer_area(plan) /
                             amphi_solvent_volume(types, plan->water.molecule_type),
                         count, err);
    if (plan->water_per_lipid > 0)
        return set_count(plan->water_per_lipid * (double)n_lipids, count, err);
    *count = 0;
    return AMPHI_OK;
}

static AmphiStatus count_bilayer(const AmphiSystem *types, const AmphiBuildPlan *plan,
                                 AmphiPortion *portion, int32_t *n_portions, AmphiError *err)
{
    AmphiPortion water    = { .molecule_type = plan->water.molecule_type };
    int64_t      n_lipids = 0;

    if (!(plan->area_per_lipid_nm2 > 0))
        return amphi_fail(err, AMPHI_BAD_INPUT, "the area per lipid must be above zero");
    for (int leaflet = 0; leaflet < 2; leaflet++)
        for (int32_t k = 0; k < plan->n_leaflet[leaflet]; k++) {
            portion[(*n_portions)++] = plan->leaflet[leaflet][k];
            n_lipids += plan->leaflet[leaflet][k].count;
        }
    if (n_lipids == 0)
        return amphi_fail(err, AMPHI_BAD_INPUT, "nothing to build: no lipids in either leaflet");
    AMPHI_TRY(count_water(types, plan, n_lipids, &water.count, err));
    if (water.count > 0)
        portion[(*n_portions)++] = water;
    return AMPHI_OK;
}

/* With density and box both given the counts are a proportion, scaled to come nearest the density.
 */
static AmphiStatus count_fill(const AmphiSystem *types, const AmphiBuildPlan *plan,
                              AmphiPortion *portion, int32_t *n_portions, AmphiError *err)
{
    const double *box    = plan->box_nm;
    const bool    closed = box[0] > 0 && box[1] > 0 && box[2] > 0;

    *n_portions = plan->n_fill;
    for (int32_t k = 0; k < plan->n_fill; k++)
        portion[k] = plan->fill[k];
    if (plan->density_u_nm3 <= 0 && !closed)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "a fill needs a density, or the three edges of its box");
    if (plan->density_u_nm3 <= 0)
        return AMPHI_OK;

    const double mass = amphi_portions_mass_u(types, portion, *n_portions);
    if (!(mass > 0))
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "the density cannot be met: what fills the box has no mass");
    for (int32_t k = 0; closed && k < plan->n_fill; k++)
        AMPHI_TRY(
            set_count(portion[k].count * plan->density_u_nm3 * box[0] * box[1] * box[2] / mass,
                      &portion[k].count, err));
    return AMPHI_OK;
}

AmphiStatus amphi_build_count(const AmphiSystem *types, const AmphiBuildPlan *plan,
                              AmphiArena *arena, AmphiPortion **portion, int32_t *n_portions,
                              AmphiError *err)
{
    const int32_t most = plan->bilayer ? plan->n_leaflet[0] + plan->n_leaflet[1] + 1 : plan->n_fill;

    *n_portions = 0;
    *portion    = AMPHI_TAKE(arena, AmphiPortion, most);
    if (*portion == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to count a start's molecules");
    if (plan->bilayer)
        AMPHI_TRY(count_bilayer(types, plan, *portion, n_portions, err));
    else
        AMPHI_TRY(count_fill(types, plan, *portion, n_portions, err));
    return check_total(types, *portion, *n_portions, err);
}

/* "64 DMPC, 64 DMPC, 4224 water", cut short when there are many. */
static void name_portions(const AmphiPlacing *p, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int32_t k = 0; k < p->n_portions && used + 1 < size; k++) {
        const AmphiPortion *portion = &p->portion[k];
        const int           n =
            snprintf(text + used, size - used, "%s%d %s", k == 0 ? "" : ", ", portion->count,
                     p->crowd.system->molecule_type[portion->molecule_type].name);

        used += n > 0 ? (size_t)n : 0;
    }
}

static const char *way_out(const AmphiBuildPlan *plan)
{
    if (plan->bilayer)
        return "give a larger area per lipid";
    return plan->density_u_nm3 > 0 ? "lower the density" : "give a larger box";
}

/* The system's molecules must be those of the plan, in its order. */
static bool is_of_plan(const AmphiPlacing *p)
{
    const AmphiSystem *system = p->crowd.system;
    int32_t            m      = 0;

    for (int32_t k = 0; k < p->n_portions; k++)
        for (int32_t n = 0; n < p->portion[k].count; n++, m++)
            if (m >= system->n_molecules || system->molecule[m].type != p->portion[k].molecule_type)
                return false;
    return m == system->n_molecules;
}

/* Beads that turn and are not aimed by their chain keep these. */
static void draw_orientations(const AmphiPlacing *p, double (*orientation)[4])
{
    const AmphiSystem *system = p->crowd.system;

    for (int32_t b = 0; b < system->n_beads; b++) {
        AmphiDraws draws = { .seed   = p->plan->seed,
                             .id     = (uint64_t)b,
                             .stream = AMPHI_STREAM_ORIENTATION };

        orientation[b][0] = 1;
        if (system->type[system->bead_type[b]].rotor != AMPHI_POINT)
            amphi_draw_quaternion(&draws, orientation[b]);
        amphi_axis_of(orientation[b], p->crowd.axis[b]);
    }
}

/* The shortest turn from z to the axis. */
static void turn_to(const double axis[3], double q[4])
{
    const double w = 1 + axis[2];

    q[0]              = w > 1e-9 ? w : 0;
    q[1]              = w > 1e-9 ? -axis[1] : 1;
    q[2]              = w > 1e-9 ? axis[0] : 0;
    q[3]              = 0;
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);

    for (int k = 0; k < 3; k++)
        q[k] /= norm;
}

static void turn_aimed_beads(AmphiPlacing *p, double (*orientation)[4])
{
    const AmphiSystem *system = p->crowd.system;

    amphi_crowd_aim(&p->crowd);
    for (int32_t m = 0; m < system->n_molecules; m++) {
        const AmphiMolecule *molecule = &system->molecule[m];
        const AmphiLinks    *links    = &p->crowd.shape[molecule->type].links;

        for (int32_t k = 0; k < links->n_aims; k++) {
            const int32_t b = molecule->first_bead + links->aim[k].bead;

            turn_to(p->crowd.axis[b], orientation[b]);
        }
    }
}

/* Shifts each molecule so that its middle is in [0, L). */
static void wrap_molecules(const AmphiPlacing *p)
{
    const AmphiSystem *system = p->crowd.system;

    for (int32_t m = 0; m < system->n_molecules; m++) {
        const AmphiMolecule *molecule = &system->molecule[m];
        const int32_t        n        = system->molecule_type[molecule->type].n_beads;
        double(*x)[3]                 = &p->crowd.x[molecule->first_bead];

        for (int k = 0; k < 3; k++) {
            const double edge   = p->crowd.box_nm[k];
            double       middle = 0;

            for (int32_t b = 0; b < n; b++)
                middle += x[b][k] / n;
            const double shift = n == 1 ? 0 : edge * floor(middle / edge);
            for (int32_t b = 0; b < n; b++)
                x[b][k] = n == 1 ? amphi_wrap(x[b][k], edge) : x[b][k] - shift;
        }
    }
}

/* Cells are as wide as the widest contact, so that one wide bead makes every search among small
 * ones slow. The limit, in pairs of beads examined in one search around all beads, is about a
 * minute. */
#define MOST_PAIRS 1e9

static AmphiStatus check_work(const AmphiPlacing *p, double widest_nm, const char *what,
                              AmphiError *err)
{
    const double *box    = p->crowd.box_nm;
    const double  n      = p->crowd.system->n_beads;
    const double  around = 27 * widest_nm * widest_nm * widest_nm / (box[0] * box[1] * box[2]);

    if (n * n * (around < 1 ? around : 1) > MOST_PAIRS)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "cannot pack %s: too many beads around each other, the widest being %.3f "
                          "nm",
                          what, widest_nm);
    return AMPHI_OK;
}

/* Overlaps are removed between nearest images only, so the box must be two contacts wide. */
static AmphiStatus check_box(const AmphiPlacing *p, AmphiError *err)
{
    const AmphiCrowd *crowd  = &p->crowd;
    const double     *box    = crowd->box_nm;
    double            widest = 0, solid = 0;
    char              what[256];

    name_portions(p, what, sizeof what);
    for (int32_t b = 0; b < crowd->system->n_beads; b++) {
        const int32_t type = crowd->system->bead_type[b];
        const double  own  = crowd->contacts[type * crowd->system->n_types + type].widest_nm;

        widest = own > widest ? own : widest;
    }
    for (int k = 0; k < 3; k++)
        if (!(box[k] >= 2 * widest) || !(box[k] < 1e6))
            return amphi_fail(err, AMPHI_BAD_INPUT,
                              "cannot pack %s: the box would be %.3f x %.3f x %.3f nm, and the "
                              "widest bead is %.3f nm",
                              what, box[0], box[1], box[2], widest);
    for (int32_t m = 0; m < crowd->system->n_molecules; m++)
        solid += crowd->shape[crowd->system->molecule[m].type].solid_nm3;
    solid *= CLOSEST_ALLOWED * CLOSEST_ALLOWED * CLOSEST_ALLOWED / (box[0] * box[1] * box[2]);
    if (solid > DENSEST)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "cannot pack %s: beads of %.2f sigma would fill %.2f of the box; %s",
                          what, CLOSEST_ALLOWED, solid, way_out(p->plan));
    return check_work(p, widest, what, err);
}

static AmphiStatus place_and_push(AmphiPlacing *p, AmphiError *err)
{
    AmphiRelaxed relaxed;
    char         what[256];

    if (p->plan->bilayer)
        amphi_set_bilayer_box(p);
    else
        amphi_set_fill_box(p);
    AMPHI_TRY(check_box(p, err));
    AMPHI_TRY(p->plan->bilayer ? amphi_place_bilayer(p, err) : amphi_place_fill(p, err));
    AMPHI_TRY(amphi_crowd_relax(&p->crowd, &relaxed, err));
    name_portions(p, what, sizeof what);
    if (relaxed.closest < CLOSEST_ALLOWED)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "cannot pack %s: closest pair at %.2f sigma after %d steps; %s", what,
                          relaxed.closest, relaxed.n_steps, way_out(p->plan));
    if (relaxed.worst_bond > BOND_ALLOWED)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "cannot pack %s: a bond is %.0f %% off its length after %d steps; %s",
                          what, 100 * relaxed.worst_bond, relaxed.n_steps, way_out(p->plan));
    return AMPHI_OK;
}

static AmphiStatus measure_molecules(AmphiPlacing *p, AmphiError *err)
{
    const AmphiSystem *system = p->crowd.system;
    AmphiShape        *shape  = AMPHI_TAKE(p->arena, AmphiShape, system->n_molecule_types);

    p->crowd.contacts = amphi_contacts_make(system, p->arena);
    p->crowd.shape    = shape;
    p->crowd.axis     = amphi_arena_take(p->arena, system->n_beads, sizeof *p->crowd.axis);
    if (amphi_arena_failed(p->arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to build %d beads", system->n_beads);
    for (int32_t k = 0; k < system->n_molecule_types; k++)
        AMPHI_TRY(amphi_shape_make(system, p->crowd.contacts, &system->molecule_type[k], p->arena,
                                   &shape[k], err));
    return AMPHI_OK;
}

static AmphiStatus build(AmphiPlacing *p, AmphiBuilt *built, AmphiError *err)
{
    AmphiPortion *portion;

    AMPHI_TRY(amphi_build_count(p->crowd.system, p->plan, p->arena, &portion, &p->n_portions, err));
    p->portion = portion;
    if (!is_of_plan(p))
        return amphi_fail(err, AMPHI_DEFECT, "the system's molecules are not those of its plan");
    AMPHI_TRY(measure_molecules(p, err));
    draw_orientations(p, built->orientation);
    AMPHI_TRY(place_and_push(p, err));
    turn_aimed_beads(p, built->orientation);
    wrap_molecules(p);
    memcpy(built->box_nm, p->crowd.box_nm, sizeof built->box_nm);
    built->crowding = p->crowding;
    return AMPHI_OK;
}

AmphiStatus amphi_build(const AmphiSystem *system, const AmphiBuildPlan *plan, AmphiArena *arena,
                        AmphiBuilt *built, AmphiError *err)
{
    AmphiPlacing placing = { .crowd = { .system = system, .seed = plan->seed },
                             .plan  = plan,
                             .arena = amphi_arena_new() };
    AmphiStatus  status;

    *built = (AmphiBuilt){
        .position_nm = amphi_arena_take(arena, system->n_beads, sizeof *built->position_nm),
        .orientation = amphi_arena_take(arena, system->n_beads, sizeof *built->orientation),
    };
    placing.crowd.x = built->position_nm;
    if (placing.arena == NULL || built->position_nm == NULL || built->orientation == NULL)
        status = amphi_fail(err, AMPHI_NO_MEMORY, "no memory to build %d beads", system->n_beads);
    else
        status = build(&placing, built, err);
    amphi_arena_free(placing.arena);
    return status;
}
