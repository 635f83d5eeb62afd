/* Does what <output> asks for fit into the box? Once that is known: of a start that is built, when
 * it has been.
 */
#include <math.h>
#include <string.h>

#include "leaflets.h"
#include "reader.h"

static void check_extent(AmphiReader *r, const AmphiXml *xml, const AmphiObserverPlan *plan)
{
    const double *box     = r->system->box_nm;
    const double  half_nm = 0.5 * fmin(box[0], fmin(box[1], box[2]));

    if (!(plan->extent_nm <= half_nm))
        amphi_xml_note(r->notes, BEYOND_HALF_BOX, xml, "extent", amphi_reader_length(r, half_nm),
                       amphi_reader_length(r, amphi_reader_rounded(half_nm, false)));
}

static void check_slabs(AmphiReader *r, const AmphiXml *xml, const AmphiObserverPlan *plan,
                        int32_t most)
{
    const double slabs = amphi_observer_slabs(plan, r->system->box_nm);
    const double least = amphi_reader_rounded(plan->width_nm * slabs / most, true);

    if (!(slabs <= most))
        amphi_xml_note(r->notes, TOO_FINE, xml, "width", amphi_reader_digits(r, 2 * most), "slabs",
                       amphi_reader_length(r, least));
}

static bool is_measured(const AmphiObserverPlan *plan, const AmphiSystem *s, int32_t molecule,
                        int32_t bead)
{
    const AmphiMoleculeType *type = &s->molecule_type[s->molecule[molecule].type];

    for (int32_t k = 0; plan->n_names == 0 && k < type->n_heads; k++)
        if (type->head[k] == bead)
            return true;
    return plan->n_names > 0 && amphi_reader_names(plan, s->type[type->bead_type[bead]].name);
}

/* Beads to measure the thickness from, in the leaflets of the start. */
static void check_leaflets(AmphiReader *r, const AmphiXml *xml, const AmphiObserverPlan *plan)
{
    const AmphiSystem *s     = r->system;
    AmphiFrame         start = { .box_nm      = { s->box_nm[0], s->box_nm[1], s->box_nm[2] },
                                 .position_nm = s->position_nm };
    AmphiLeaflets      l;
    int64_t            n[2] = { 0, 0 };

    if (!amphi_leaflets_init(&l, s, r->arena))
        return; /* no memory: told by the arena */
    amphi_leaflets_find(&l, &start);
    for (int32_t k = 0; k < l.n_lipids; k++)
        for (int32_t i = 0; i < s->molecule_type[s->molecule[l.lipid[k]].type].n_beads; i++)
            n[l.side[k] > 0] += is_measured(plan, s, l.lipid[k], i);
    if (n[0] == 0 || n[1] == 0)
        amphi_note(r->notes, LEAFLET_LACKS, xml->where, xml->name, n[0] == 0 ? "lower" : "upper");
}

/* Positions in XTC have 31 bits: there is room for a box that grows, and for molecules that stick
 * out of it. And they should still be positions: beads are some 0.3 nm apart. */
static void check_precision(AmphiReader *r, const AmphiXml *xml, const AmphiObserverPlan *plan)
{
    enum { MOST_PARTS = 100000000 };
    static const double coarsest_nm = 0.05;
    const double       *box         = r->system->box_nm;
    const double        edge        = fmax(box[0], fmax(box[1], box[2]));

    if (!plan->is_xtc)
        return;
    if (edge * plan->xtc_per_nm > MOST_PARTS)
        amphi_xml_note(r->notes, TOO_FINE, xml, "precision", amphi_reader_digits(r, MOST_PARTS),
                       "parts of the longest box edge",
                       amphi_reader_length(r, amphi_reader_rounded(edge / MOST_PARTS, true)));
    if (plan->xtc_per_nm * coarsest_nm < 1 - 1e-9)
        amphi_xml_note(r->notes, TOO_COARSE, xml, "precision", amphi_reader_length(r, coarsest_nm));
}

static void check_fit(AmphiReader *r, const AmphiXml *xml, const AmphiObserverPlan *plan)
{
    if (strcmp(plan->kind, "rdf") == 0)
        check_extent(r, xml, plan);
    if (strcmp(plan->kind, "profile") == 0)
        check_slabs(r, xml, plan, AMPHI_MOST_SLABS);
    if (strcmp(plan->kind, "lateral-pressure") == 0)
        check_slabs(r, xml, plan, AMPHI_MOST_PRESSURE_SLABS);
    if (strcmp(plan->kind, "thickness") == 0 || strcmp(plan->kind, "undulations") == 0)
        check_leaflets(r, xml, plan);
    if (strcmp(plan->kind, "trajectory") == 0)
        check_precision(r, xml, plan);
}

void amphi_reader_output_fits(AmphiReader *r)
{
    for (int32_t k = 0; k < r->job->n_observers; k++)
        check_fit(r, r->observer_xml[k], &r->job->observer[k]);
    for (int32_t k = 0; k < r->job->n_asked; k++)
        check_fit(r, r->asked_xml[k], &r->job->asked[k]);
}
