/* thickness.tsv: the distance between the mean heights of the head beads of the two leaflets. */
#include <assert.h>
#include <math.h>

#include "leaflets.h"
#include "series.h"

enum { THICKNESS, UPPER, LOWER, COLUMNS };

static const AmphiSeriesColumn columns[COLUMNS] = {
    { "thickness_nm", "mean height of the beads of the upper leaflet less that of the lower" },
    { "upper_nm", "mean height of the upper beads above the middle of the lipids" },
    { "lower_nm", "the same of the lower beads" },
};

struct AmphiObserver {
    AmphiWatcher  on; /* first */
    AmphiLeaflets leaflets;
    AmphiSeries   series;
    bool        **counts; /* [n_molecule_types][n_beads of the type] */
};

static bool is_named(const AmphiObserverPlan *plan, const char *name)
{
    for (int32_t k = 0; k < plan->n_names; k++)
        if (strcmp(plan->name[k], name) == 0)
            return true;
    return false;
}

static int32_t choose_beads(AmphiObserver *o, int32_t t)
{
    const AmphiSystem *const       s    = o->on.place.system;
    const AmphiMoleculeType *const type = &s->molecule_type[t];
    int32_t                        n    = 0;

    for (int32_t k = 0; o->on.plan.n_names == 0 && k < type->n_heads; k++)
        o->counts[t][type->head[k]] = true;
    for (int32_t i = 0; i < type->n_beads; i++) {
        if (o->on.plan.n_names > 0)
            o->counts[t][i] = is_named(&o->on.plan, s->type[type->bead_type[i]].name);
        n += o->counts[t][i];
    }
    return n;
}

static AmphiStatus prepare(AmphiObserver *o, AmphiError *err)
{
    const AmphiSystem *const s        = o->on.place.system;
    int32_t                  n_chosen = 0;

    o->counts = AMPHI_TAKE(o->on.arena, bool *, s->n_molecule_types);
    if (o->counts == NULL || !amphi_leaflets_init(&o->leaflets, s, o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "thickness.tsv: no memory");
    for (int32_t t = 0; t < s->n_molecule_types; t++) {
        o->counts[t] = AMPHI_TAKE(o->on.arena, bool, s->molecule_type[t].n_beads);
        if (o->counts[t] == NULL)
            return amphi_fail(err, AMPHI_NO_MEMORY, "thickness.tsv: no memory");
        if (strcmp(s->molecule_type[t].kind, "lipid") == 0)
            n_chosen += choose_beads(o, t);
    }
    assert(n_chosen > 0 && o->leaflets.n_lipids > 0);
    o->series = (AmphiSeries){ .place = &o->on.place,
                               .stem  = "thickness",
                               .about = "distance of the head beads of the two leaflets along z",
                               .n_columns = COLUMNS,
                               .column    = columns };
    return amphi_series_open(&o->series, o->on.arena, err);
}

/* Sums of heights above the middle, and their number. */
typedef struct {
    double  sum;
    int64_t n;
} Heights;

/* The molecule is moved as a whole to the image nearest to the middle, by the mean of its beads:
 * its head alone may be farther away than half the box. */
static void add_lipid(AmphiObserver *o, int32_t lipid, const AmphiFrame *f, double middle,
                      Heights *heights)
{
    AmphiLeaflets *const           l    = &o->leaflets;
    const int32_t                  t    = o->on.place.system->molecule[l->lipid[lipid]].type;
    const AmphiMoleculeType *const type = &o->on.place.system->molecule_type[t];
    const double                   edge = f->box_nm[2];
    double                         mean = 0;

    amphi_leaflets_take(l, lipid, f);
    for (int32_t i = 0; i < type->n_beads; i++)
        mean += l->x[i][2] / type->n_beads;
    const double shift = middle + edge * floor((mean - middle) / edge + 0.5);
    for (int32_t i = 0; i < type->n_beads; i++)
        if (o->counts[t][i]) {
            heights->sum += l->x[i][2] - shift;
            heights->n++;
        }
}

static AmphiStatus see_thickness(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    AmphiLeaflets *const l       = &o->leaflets;
    Heights              side[2] = { { 0, 0 }, { 0, 0 } };

    amphi_leaflets_find(l, f);

    const double middle = amphi_circular_mean(l, f, 2, NULL, 0);
    for (int32_t k = 0; k < l->n_lipids; k++)
        add_lipid(o, k, f, middle, &side[l->side[k] > 0 ? 0 : 1]);

    if (side[0].n == 0 || side[1].n == 0) {
        snprintf(o->on.remark, sizeof o->on.remark,
                 "thickness.tsv: not measured: no bead of the %s leaflet counts",
                 side[0].n == 0 ? "upper" : "lower");
        return AMPHI_OK;
    }

    const double upper           = side[0].sum / (double)side[0].n;
    const double lower           = side[1].sum / (double)side[1].n;
    const double values[COLUMNS] = {
        [THICKNESS] = upper - lower, [UPPER] = upper, [LOWER] = lower
    };

    return amphi_series_add(&o->series, f, values, err);
}

static AmphiStatus flush_thickness(AmphiObserver *o, AmphiError *err)
{
    return amphi_series_write_means(&o->series, err);
}

static int32_t parts_of(AmphiObserver *o, AmphiPart *part)
{
    amphi_blocks_parts(&o->series.blocks, part);
    part[AMPHI_BLOCK_PARTS] = amphi_leaflets_part(&o->leaflets);
    return AMPHI_BLOCK_PARTS + 1;
}

const AmphiObserverKind amphi_obs_thickness = {
    .name    = "thickness",
    .file    = "thickness.tsv",
    .also    = (const char *const[]){ "thickness-mean.tsv", NULL },
    .size    = sizeof(AmphiObserver),
    .needs   = AMPHI_NEED_POSITIONS,
    .prepare = prepare,
    .see     = see_thickness,
    .flush   = flush_thickness,
    .parts   = parts_of,
};
