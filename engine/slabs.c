/* The middle of a membrane, and slabs on both sides of it. */
#include "slabs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The beads of a group that count: the ends of tails, or all where it has none. */
static bool choose_centre(AmphiSlabs *slabs, const AmphiGroup *g, const AmphiLeaflets *l,
                          AmphiArena *arena)
{
    const AmphiSystem *const s       = l->system;
    bool *const              is_core = AMPHI_TAKE(arena, bool, s->n_beads);
    int32_t *const           core    = AMPHI_TAKE(arena, int32_t, g->n_beads);
    int32_t                  n       = 0;

    if (is_core == NULL || core == NULL)
        return false;
    for (int32_t k = 0; k < l->n_core; k++)
        is_core[l->core[k]] = true;
    slabs->is_of_lipids = true;
    for (int32_t k = 0; k < g->n_beads; k++) {
        const AmphiMolecule *const m = &s->molecule[s->bead_molecule[g->bead[k]]];

        slabs->is_of_lipids &= strcmp(s->molecule_type[m->type].kind, "lipid") == 0;
        if (is_core[g->bead[k]])
            core[n++] = g->bead[k];
    }
    slabs->centre   = n > 0 ? core : g->bead;
    slabs->n_centre = n > 0 ? n : g->n_beads;
    slabs->is_of_lipids &= n == 0;
    return true;
}

bool amphi_slabs_init(AmphiSlabs *slabs, const AmphiObserverPlan *plan,
                      const AmphiLeaflets *leaflets, AmphiArena *arena)
{
    const AmphiSystem *const s = leaflets->system;
    const AmphiGroup *const  g =
        plan->group >= 0 && plan->group < s->n_groups ? &s->group[plan->group] : NULL;
    const double half = amphi_observer_slabs(plan, s->box_nm);

    assert(half <= AMPHI_MOST_SLABS);
    *slabs         = (AmphiSlabs){ .axis = plan->axis, .width_nm = plan->width_nm };
    slabs->n_below = (int32_t)ceil(half);
    slabs->n_slabs = 2 * slabs->n_below;
    if (g != NULL && g->n_beads < s->n_beads && !choose_centre(slabs, g, leaflets, arena))
        return false;
    slabs->is_fixed = slabs->centre == NULL && leaflets->n_lipids == 0;
    return true;
}

/* The mean of the images that are nearest to the middle of the membrane, weighted by mass. The
 * circular mean of heads that lie more than half the box apart would be in the water. */
static double mean_about(const AmphiSlabs *slabs, const AmphiSystem *s, const AmphiFrame *f,
                         double middle)
{
    const double edge = f->box_nm[slabs->axis];
    double       sum = 0, mass = 0;

    for (int32_t k = 0; k < slabs->n_centre; k++) {
        const int32_t i = slabs->centre[k];
        const double  x = f->position_nm[i][slabs->axis] - middle;
        const double  m = s->type[s->bead_type[i]].mass_u;

        sum += m * (x - edge * floor(x / edge + 0.5));
        mass += m;
    }
    return middle + sum / mass;
}

double amphi_slabs_middle(const AmphiSlabs *slabs, const AmphiLeaflets *leaflets,
                          const AmphiFrame *f)
{
    const AmphiSystem *const s = leaflets->system;

    if (slabs->is_fixed)
        return 0.5 * f->box_nm[slabs->axis];
    if (slabs->centre == NULL)
        return amphi_leaflets_middle(leaflets, f, slabs->axis);
    if (slabs->is_of_lipids)
        return mean_about(slabs, s, f, amphi_leaflets_middle(leaflets, f, slabs->axis));
    return amphi_circular_mean(s, f, slabs->axis, slabs->centre, slabs->n_centre);
}

double amphi_slabs_place(const AmphiSlabs *slabs, double x_nm, double middle_nm, double edge_nm)
{
    const double x    = x_nm - middle_nm;
    const double near = x - edge_nm * floor(x / edge_nm + 0.5);

    return near / slabs->width_nm + slabs->n_below;
}

double amphi_slabs_covered_nm(const AmphiSlabs *slabs, double edge_nm, int32_t slab)
{
    const double low  = (slab - slabs->n_below) * slabs->width_nm;
    const double from = fmax(low, -0.5 * edge_nm), to = fmin(low + slabs->width_nm, 0.5 * edge_nm);

    /* of a slab that ends where the box does, rounding may leave a trace in the box */
    return to - from > 1e-9 * slabs->width_nm ? to - from : 0;
}

bool amphi_slabs_reach(const AmphiSlabs *slabs, double edge_nm)
{
    return edge_nm <= slabs->n_slabs * slabs->width_nm * (1 + 1e-9);
}

double amphi_slabs_centre_nm(const AmphiSlabs *slabs, int32_t slab)
{
    return (slab - slabs->n_below + 0.5) * slabs->width_nm;
}
