/* profile.tsv: densities in slabs across the membrane, relative to the middle of the membrane. Each
 * slab counts as far as it is inside the box, frame by frame. Of the beads of a group alone:
 * profile-GROUP.tsv.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "blocks.h"
#include "observing.h"
#include "slabs.h"
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
    AmphiWatcher  on; /* first */
    AmphiLeaflets leaflets;
    AmphiSlabs    slabs;
    int32_t       n_columns;
    Quantity      column[QUANTITIES];
    double       *sum;    /* [n_columns][n_slabs] of one frame */
    AmphiBlocks   blocks; /* likewise */
};

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
    if (!amphi_leaflets_init(&o->leaflets, o->on.place.system, o->on.arena) ||
        !amphi_slabs_init(&o->slabs, &o->on.plan, &o->leaflets, o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", o->on.names.file);
    choose_columns(o);
    o->sum = AMPHI_TAKE(o->on.arena, double, (int64_t)o->slabs.n_slabs * o->n_columns);
    if (o->sum == NULL ||
        !amphi_blocks_init(&o->blocks, o->slabs.n_slabs * o->n_columns, o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", o->on.names.file);
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
    const int    axis = o->slabs.axis;
    const double slab =
        floor(amphi_slabs_place(&o->slabs, f->position_nm[i][axis], middle, f->box_nm[axis]));

    if (!(slab >= 0 && slab < o->slabs.n_slabs))
        return;
    for (int32_t c = 0; c < o->n_columns; c++)
        o->sum[c * o->slabs.n_slabs + (int32_t)slab] += amount_of(o, f, o->column[c], i);
}

static void add_beads(AmphiObserver *o, const AmphiFrame *f, double middle)
{
    const AmphiSystem *const s    = o->on.place.system;
    const int32_t            only = o->on.plan.only;

    for (int32_t i = 0; only == 0 && i < s->n_beads; i++)
        add_bead(o, f, middle, i);
    for (int32_t k = 0; only > 0 && k < s->group[only].n_beads; k++)
        add_bead(o, f, middle, s->group[only].bead[k]);
}

static AmphiStatus see_profile(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    const int     axis    = o->slabs.axis;
    const int32_t n_slabs = o->slabs.n_slabs;
    const double  area    = f->box_nm[(axis + 1) % 3] * f->box_nm[(axis + 2) % 3];
    const double  middle  = amphi_slabs_middle(&o->slabs, &o->leaflets, f);

    (void)err;
    if (!amphi_slabs_reach(&o->slabs, f->box_nm[axis]) && o->on.remark[0] == '\0')
        snprintf(o->on.remark, sizeof o->on.remark,
                 "%s: the box has grown beyond the last slabs, %.3g nm from the middle: what is "
                 "further out is left out",
                 o->on.names.file, 0.5 * n_slabs * o->slabs.width_nm);
    memset(o->sum, 0, (size_t)o->n_columns * (size_t)n_slabs * sizeof *o->sum);
    add_beads(o, f, middle);
    for (int32_t k = 0; k < o->n_columns * n_slabs; k++)
        amphi_blocks_add(&o->blocks, k, o->sum[k],
                         area * amphi_slabs_covered_nm(&o->slabs, f->box_nm[axis], k % n_slabs));
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
    amphi_sink_print(sink, "%.6g", amphi_slabs_centre_nm(&o->slabs, slab));
    for (int32_t c = 0; c < o->n_columns; c++) {
        const double  unit = quantities[o->column[c]].unit;
        const int32_t k    = c * o->slabs.n_slabs + slab;

        amphi_sink_print(sink, "\t%.10g\t%.3g", unit * amphi_blocks_mean(&o->blocks, k),
                         unit * amphi_blocks_error(&o->blocks, k));
    }
    amphi_sink_print(sink, "\n");
}

static AmphiStatus flush_profile(AmphiObserver *o, AmphiError *err)
{
    const AmphiSystem *const s = o->on.place.system;
    AmphiTable               t;

    if (o->blocks.count->frames == 0)
        return amphi_table_drop(&o->on.place, o->on.names.file, err);
    amphi_table_begin(
        &t, &o->on.place, o->on.names.file,
        "densities in slabs along an axis, from the middle of the ends of tails that are centred, "
        "or else of the beads that are\n"
        "the outermost slabs are those parts that the box had in each frame\n"
        "mass g/cm^3; number, electrons 1/nm^3; charge e/nm^3; dipole e nm/nm^3 along "
        "the axis");
    if (o->on.plan.only > 0)
        amphi_sink_print(&t.sink, "# group: %s\n", s->group[o->on.plan.only].name);
    amphi_blocks_print_count(&o->blocks, o->n_columns * o->slabs.n_slabs, &t.sink);
    print_names(o, &t.sink);
    for (int32_t slab = 0; slab < o->slabs.n_slabs; slab++)
        if (isfinite(amphi_blocks_mean(&o->blocks, slab)))
            print_slab(o, slab, &t.sink);
    return amphi_sink_close(&t.sink, err);
}

static bool lacks_for(const char *name)
{
    return strcmp(name, quantities[DIPOLE].name) == 0;
}

static const char *lacks(const AmphiObserverPlan *plan)
{
    for (int32_t n = 0; n < plan->n_names; n++)
        if (lacks_for(plan->name[n]))
            return "the orientations that of=\"dipole\" needs";
    return NULL;
}

static int32_t parts_of(AmphiObserver *o, AmphiPart *part)
{
    amphi_blocks_parts(&o->blocks, part);
    return AMPHI_BLOCK_PARTS;
}

const AmphiObserverKind amphi_obs_profile = {
    .name       = "profile",
    .file       = "profile.tsv",
    .has_labels = true,
    .size       = sizeof(AmphiObserver),
    .needs      = AMPHI_NEED_POSITIONS,
    .lacks      = lacks,
    .lacks_for  = lacks_for,
    .prepare    = prepare,
    .see        = see_profile,
    .flush      = flush_profile,
    .parts      = parts_of,
};
