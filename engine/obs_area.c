/* area.tsv: area and volume per lipid. The area is the projected one, so it should be compared only
 * between membranes too small for undulations.
 */
#include <assert.h>

#include "leaflets.h"
#include "observing.h"
#include "series.h"

/* The volume of a water in the ELBA papers. */
#define WATER_NM3 0.030

enum { AREA, BOX_AREA, VOLUME, COLUMNS };

static const AmphiSeriesColumn columns[COLUMNS] = {
    { "area_per_lipid_nm2", "Lx Ly over the lipids of the larger leaflet" },
    { "box_area_nm2", "Lx Ly" },
    { "volume_per_lipid_nm3",
      "box volume less 0.030 nm^3 for each molecule that is no lipid, over all lipids" },
};

struct AmphiObserver {
    AmphiWatcher  on; /* first */
    AmphiLeaflets leaflets;
    AmphiSeries   series;
};

static AmphiStatus prepare(AmphiObserver *o, AmphiError *err)
{
    if (!amphi_leaflets_init(&o->leaflets, o->on.place.system, o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "area.tsv: no memory");
    assert(o->leaflets.n_lipids > 0);
    o->series = (AmphiSeries){ .place     = &o->on.place,
                               .stem      = "area",
                               .about     = "area and volume per lipid; z is the normal",
                               .n_columns = COLUMNS,
                               .column    = columns };
    return amphi_series_open(&o->series, o->on.arena, err);
}

static AmphiStatus see_area(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    AmphiLeaflets *const l        = &o->leaflets;
    const double         box_area = f->box_nm[0] * f->box_nm[1];

    amphi_leaflets_find(l, f);

    const int32_t upper           = amphi_leaflets_count(l, 1);
    const int32_t larger          = upper > l->n_lipids - upper ? upper : l->n_lipids - upper;
    const int32_t others          = o->on.place.system->n_molecules - l->n_lipids;
    const double  values[COLUMNS] = {
         [AREA]     = box_area / larger,
         [BOX_AREA] = box_area,
         [VOLUME]   = (box_area * f->box_nm[2] - WATER_NM3 * others) / l->n_lipids,
    };

    return amphi_series_add(&o->series, f, values, err);
}

static AmphiStatus flush_area(AmphiObserver *o, AmphiError *err)
{
    return amphi_series_write_means(&o->series, err);
}

static int32_t parts_of(AmphiObserver *o, AmphiPart *part)
{
    amphi_blocks_parts(&o->series.blocks, part);
    part[AMPHI_BLOCK_PARTS] = amphi_leaflets_part(&o->leaflets);
    return AMPHI_BLOCK_PARTS + 1;
}

const AmphiObserverKind amphi_obs_area = {
    .name    = "area",
    .file    = "area.tsv",
    .also    = (const char *const[]){ "area-mean.tsv", NULL },
    .means   = "area-mean.tsv",
    .size    = sizeof(AmphiObserver),
    .needs   = AMPHI_NEED_POSITIONS,
    .prepare = prepare,
    .see     = see_area,
    .flush   = flush_area,
    .parts   = parts_of,
};
