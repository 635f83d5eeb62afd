/* The middle of a membrane, and slabs on both sides of it. */
#include "slabs.h"

#include <assert.h>
#include <math.h>

AmphiSlabs amphi_slabs_of(const AmphiObserverPlan *plan, const AmphiSystem *s,
                          const AmphiLeaflets *leaflets)
{
    const AmphiGroup *const g =
        plan->group >= 0 && plan->group < s->n_groups ? &s->group[plan->group] : NULL;
    const double half  = amphi_observer_slabs(plan, s->box_nm);
    AmphiSlabs   slabs = { .axis = plan->axis, .width_nm = plan->width_nm };

    assert(half <= AMPHI_MOST_SLABS);
    slabs.n_below = (int32_t)ceil(half);
    slabs.n_slabs = 2 * slabs.n_below;
    if (g != NULL && g->n_beads < s->n_beads) {
        slabs.centre   = g->bead;
        slabs.n_centre = g->n_beads;
    }
    slabs.is_fixed = slabs.centre == NULL && leaflets->n_lipids == 0;
    return slabs;
}

double amphi_slabs_middle(const AmphiSlabs *slabs, const AmphiLeaflets *leaflets,
                          const AmphiFrame *f)
{
    if (slabs->is_fixed)
        return 0.5 * f->box_nm[slabs->axis];
    if (slabs->centre == NULL)
        return amphi_leaflets_middle(leaflets, f, slabs->axis);
    return amphi_circular_mean(leaflets->system, f, slabs->axis, slabs->centre, slabs->n_centre);
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

    return to > from ? to - from : 0;
}

double amphi_slabs_centre_nm(const AmphiSlabs *slabs, int32_t slab)
{
    return (slab - slabs->n_below + 0.5) * slabs->width_nm;
}
