/* profile.tsv: densities in slabs across the membrane, relative to the middle of the lipids.
 *
 * Slabs have a fixed width. As the box changes its size, each slab is normalised by the part of its
 * volume that was inside the box in each frame, which matters for the outermost ones.
 */
#include <assert.h>
#include <math.h>

#include "blocks.h"
#include "leaflets.h"
#include "turn.h"

/* 1 u/nm^3 in g/cm^3 */
#define U_PER_NM3 0.00166053906660

typedef enum { MASS, NUMBER, CHARGE, ELECTRONS, DIPOLE, QUANTITIES } Quantity;

static const struct {
    const char *name, *column;
    double      unit; /* of the column, over the internal one */
} quantities[QUANTITIES] = {
    [MASS] = { "mass", "mass_g_cm3", U_PER_NM3 }, [NUMBER] = { "number", "number_nm3", 1 },
    [CHARGE] = { "charge", "charge_e_nm3", 1 },   [ELECTRONS] = { "electrons", "electrons_nm3", 1 },
    [DIPOLE] = { "dipole", "dipole_e_nm2", 1 },
};

struct AmphiObserver {
    AmphiWatcher   on; /* first */
    AmphiLeaflets  leaflets;
    const int32_t *centre; /* [n_centre] beads; NULL: those of the lipids */
    int32_t        n_centre;
    bool           is_fixed; /* zero is the middle of the box */
    int32_t        n_columns;
    Quantity       column[QUANTITIES];
    int32_t        n_below, n_slabs; /* twice as many; the middle lies between two */
    double        *sum;              /* [n_columns][n_slabs] of one frame */
    AmphiBlocks    blocks;           /* likewise */
};

/* The middle of all beads together is meaningless: for them it is the middle of the lipids, and
 * without lipids that of the box. */
static void choose_centre(AmphiObserver *o)
{
    const AmphiSystem *const s = o->on.place.system;
    const AmphiGroup *const  g = o->on.plan.group >= 0 && o->on.plan.group < s->n_groups
                                     ? &s->group[o->on.plan.group]
                                     : NULL;

    if (g != NULL && g->n_beads < s->n_beads) {
        o->centre   = g->bead;
        o->n_centre = g->n_beads;
    }
    o->is_fixed = o->centre == NULL && o->leaflets.n_lipids == 0;
}

static void choose_columns(AmphiObserver *o)
{
    for (int32_t n = 0; n < o->on.plan.n_names; n++) {
        int q = 0;

        while (q < QUANTITIES && strcmp(quantities[q].name, o->on.plan.name[n]) != 0)
            q++;
        assert(q < QUANTITIES && o->n_columns < QUANTITIES);
        o->column[o->n_columns++] = (Quantity)q;
    }
    if (o->n_columns == 0)
        o->column[o->n_columns++] = MASS;
}

static AmphiStatus prepare(AmphiObserver *o, AmphiError *err)
{
    const double half = amphi_observer_slabs(&o->on.plan, o->on.place.system->box_nm);

    assert(half <= AMPHI_MOST_SLABS);
    if (!amphi_leaflets_init(&o->leaflets, o->on.place.system, o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "profile.tsv: no memory");
    choose_columns(o);
    choose_centre(o);
    o->n_below = (int32_t)ceil(half);
    o->n_slabs = 2 * o->n_below;
    o->sum     = AMPHI_TAKE(o->on.arena, double, (int64_t)o->n_slabs * o->n_columns);
    if (o->sum == NULL || !amphi_blocks_init(&o->blocks, o->n_slabs * o->n_columns, o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "profile.tsv: no memory");
    return AMPHI_OK;
}

/* ---- a frame ---- */

static double amount_of(const AmphiObserver *o, const AmphiFrame *f, Quantity q, int32_t i)
{
    const AmphiSystem *const   s    = o->on.place.system;
    const AmphiBeadType *const type = &s->type[s->bead_type[i]];
    double                     axis[3];

    switch (q) {
    case MASS:
        return type->mass_u;
    case CHARGE:
        return s->bead_charge_e[i];
    case ELECTRONS:
        return type->electrons;
    case DIPOLE:
        amphi_axis_of(f->orientation[i], axis);
        return s->bead_dipole_e_nm[i] * axis[o->on.plan.axis];
    default:
        return 1;
    }
}

static void add_bead(AmphiObserver *o, const AmphiFrame *f, double middle, int32_t i)
{
    const int    axis = o->on.plan.axis;
    const double edge = f->box_nm[axis];
    const double x    = f->position_nm[i][axis] - middle;
    const double near = x - edge * floor(x / edge + 0.5);
    const double slab = floor(near / o->on.plan.width_nm) + o->n_below;

    if (!(slab >= 0 && slab < o->n_slabs))
        return;
    for (int32_t c = 0; c < o->n_columns; c++)
        o->sum[c * o->n_slabs + (int32_t)slab] += amount_of(o, f, o->column[c], i);
}

/* How much of a slab lies within half an edge of the middle, nm. */
static double covered_nm(const AmphiObserver *o, double edge, int32_t slab)
{
    const double low  = (slab - o->n_below) * o->on.plan.width_nm;
    const double from = fmax(low, -0.5 * edge), to = fmin(low + o->on.plan.width_nm, 0.5 * edge);

    return to > from ? to - from : 0;
}

static AmphiStatus see_profile(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    const int    axis = o->on.plan.axis;
    const double area = f->box_nm[(axis + 1) % 3] * f->box_nm[(axis + 2) % 3];

    (void)err;

    const double middle = o->is_fixed
                              ? 0.5 * f->box_nm[axis]
                              : amphi_circular_mean(&o->leaflets, f, axis, o->centre, o->n_centre);
    memset(o->sum, 0, (size_t)o->n_columns * (size_t)o->n_slabs * sizeof *o->sum);
    for (int32_t i = 0; i < o->on.place.system->n_beads; i++)
        add_bead(o, f, middle, i);
    for (int32_t k = 0; k < o->n_columns * o->n_slabs; k++)
        amphi_blocks_add(&o->blocks, k, o->sum[k],
                         area * covered_nm(o, f->box_nm[axis], k % o->n_slabs));
    amphi_blocks_next(&o->blocks);
    return AMPHI_OK;
}

/* ---- the table ---- */

static void print_names(const AmphiObserver *o, AmphiSink *sink)
{
    amphi_sink_print(sink, "%c_nm", "xyz"[o->on.plan.axis]);
    for (int32_t c = 0; c < o->n_columns; c++)
        amphi_sink_print(sink, "\t%s\t%s_error", quantities[o->column[c]].column,
                         quantities[o->column[c]].name);
    amphi_sink_print(sink, "\n");
}

static void print_slab(const AmphiObserver *o, int32_t slab, AmphiSink *sink)
{
    amphi_sink_print(sink, "%.6g", (slab - o->n_below + 0.5) * o->on.plan.width_nm);
    for (int32_t c = 0; c < o->n_columns; c++) {
        const double  unit = quantities[o->column[c]].unit;
        const int32_t k    = c * o->n_slabs + slab;

        amphi_sink_print(sink, "\t%.10g\t%.3g", unit * amphi_blocks_mean(&o->blocks, k),
                         unit * amphi_blocks_error(&o->blocks, k));
    }
    amphi_sink_print(sink, "\n");
}

static AmphiStatus flush_profile(AmphiObserver *o, AmphiError *err)
{
    AmphiTable t;

    if (o->blocks.count->frames == 0)
        return amphi_table_drop(&o->on.place, "profile.tsv", err);
    amphi_table_begin(
        &t, &o->on.place, "profile.tsv",
        "densities in slabs along an axis, from the circular mean of the centred beads\n"
        "mass g/cm^3; number, electrons 1/nm^3; charge e/nm^3; dipole e nm/nm^3 along "
        "the axis");
    amphi_sink_print(&t.sink,
                     "# frames: %lld\n# error: standard errors from %lld blocks of %lld frames\n",
                     (long long)o->blocks.count->frames, (long long)o->blocks.count->n_full,
                     (long long)o->blocks.count->frames_a_block);
    print_names(o, &t.sink);
    for (int32_t slab = 0; slab < o->n_slabs; slab++)
        if (isfinite(amphi_blocks_mean(&o->blocks, slab)))
            print_slab(o, slab, &t.sink);
    return amphi_sink_close(&t.sink, err);
}

static const char *lacks(const AmphiObserverPlan *plan)
{
    for (int32_t n = 0; n < plan->n_names; n++)
        if (strcmp(plan->name[n], quantities[DIPOLE].name) == 0)
            return "the orientations that of=\"dipole\" needs";
    return NULL;
}

static int32_t parts_of(AmphiObserver *o, AmphiPart *part)
{
    amphi_blocks_parts(&o->blocks, part);
    return AMPHI_BLOCK_PARTS;
}

const AmphiObserverKind amphi_obs_profile = {
    .name    = "profile",
    .file    = "profile.tsv",
    .size    = sizeof(AmphiObserver),
    .needs   = AMPHI_NEED_POSITIONS,
    .lacks   = lacks,
    .prepare = prepare,
    .see     = see_profile,
    .flush   = flush_profile,
    .parts   = parts_of,
};
