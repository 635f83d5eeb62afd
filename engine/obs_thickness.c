/* thickness.tsv: the distance between the mean heights of the head beads of the two leaflets. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "heads.h"
#include "observing.h"
#include "series.h"

enum { THICKNESS, UPPER, LOWER, COLUMNS };

static const AmphiSeriesColumn columns[COLUMNS] = {
    { "thickness_nm", "mean height of the beads of the upper leaflet less that of the lower" },
    { "upper_nm", "mean height of the upper beads above the middle, that of the ends of tails" },
    { "lower_nm", "the same of the lower beads" },
};

struct AmphiObserver {
    AmphiWatcher  on; /* first */
    AmphiLeaflets leaflets;
    AmphiSeries   series;
    AmphiHeads    heads;
    double       *mean; /* [n_lipids] height of the heads of each */
};

static AmphiStatus prepare(AmphiObserver *o, AmphiError *err)
{
    const AmphiSystem *const s = o->on.place.system;

    if (!amphi_leaflets_init(&o->leaflets, s, o->on.arena) ||
        !amphi_heads_init(&o->heads, &o->on.plan, s, o->on.arena) ||
        (o->mean = AMPHI_TAKE(o->on.arena, double, o->leaflets.n_lipids)) == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "thickness.tsv: no memory");
    assert(o->leaflets.n_lipids > 0);
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

/* Who is in which leaflet is found at the first frame. One that has gone to the other side since is
 * nearer to the heads there, twice as near. */
static void remark_crossed(AmphiObserver *o, const AmphiFrame *f, double upper, double lower)
{
    const AmphiLeaflets *const l = &o->leaflets;
    int32_t                    n = 0;

    for (int32_t k = 0; k < l->n_lipids; k++) {
        const double own   = fabs(o->mean[k] - (l->side[k] > 0 ? upper : lower));
        const double other = fabs(o->mean[k] - (l->side[k] > 0 ? lower : upper));

        n += other < 0.5 * own; /* no number: no bead of it counts */
    }
    if (n > 0 && o->on.remark[0] == '\0')
        snprintf(o->on.remark, sizeof o->on.remark,
                 "thickness.tsv: at step %" PRId64 " %" PRId32 " of %" PRId32
                 " lipids are among the heads of the other leaflet; they count for the one that "
                 "they were in at the first frame",
                 f->step, n, l->n_lipids);
}

static AmphiStatus see_thickness(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    AmphiLeaflets *const l       = &o->leaflets;
    Heights              side[2] = { { 0, 0 }, { 0, 0 } };

    amphi_leaflets_find(l, f);
    amphi_leaflets_remark(l, "thickness.tsv", o->on.remark, sizeof o->on.remark);

    const double middle = amphi_leaflets_middle(l, f, 2);
    for (int32_t k = 0; k < l->n_lipids; k++) {
        Heights *const heights = &side[l->side[k] > 0 ? 0 : 1];
        const int32_t  n       = amphi_heads_take(&o->heads, l, k, f, middle);

        o->mean[k] = (double)NAN;
        for (int32_t i = 0; i < n; i++) {
            heights->sum += o->heads.x[i][2];
            o->mean[k] = (i > 0 ? o->mean[k] : 0) + o->heads.x[i][2] / n;
        }
        heights->n += n;
    }

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

    if (upper < lower && o->on.remark[0] == '\0')
        snprintf(o->on.remark, sizeof o->on.remark,
                 "thickness.tsv: negative at step %" PRId64 ": the upper leaflet is below "
                 "the lower one; this is no flat membrane across z",
                 f->step);
    remark_crossed(o, f, upper, lower);
    return amphi_series_add(&o->series, f, values, err);
}

static AmphiStatus flush_thickness(AmphiObserver *o, AmphiError *err)
{
    return amphi_series_write_means(&o->series, NULL, err);
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
    .means   = "thickness-mean.tsv",
    .size    = sizeof(AmphiObserver),
    .needs   = AMPHI_NEED_POSITIONS,
    .prepare = prepare,
    .see     = see_thickness,
    .flush   = flush_thickness,
    .parts   = parts_of,
};
