/* area.tsv: area and volume per lipid. The area is the projected one, so it should be compared only
 * between membranes too small for undulations.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "leaflets.h"
#include "observing.h"
#include "series.h"
#include "stage.h"
#include "units.h"

/* The volume of a water in the ELBA papers. */
#define WATER_NM3 0.030

enum { AREA, BOX_AREA, VOLUME, COLUMNS };

static const AmphiSeriesColumn columns[COLUMNS] = {
    { "area_per_lipid_nm2", "Lx Ly over the lipids of the larger leaflet" },
    { "box_area_nm2", "Lx Ly" },
    { "volume_per_lipid_nm3",
      "box volume less 0.030 nm^3 for each molecule of kind solvent, over all lipids" },
};

struct AmphiObserver {
    AmphiWatcher  on; /* first */
    AmphiLeaflets leaflets;
    AmphiSeries   series;
    int32_t       n_solvent;
};

static int32_t count_of_kind(const AmphiSystem *s, const char *kind)
{
    int32_t n = 0;

    for (int32_t m = 0; m < s->n_molecules; m++)
        n += strcmp(s->molecule_type[s->molecule[m].type].kind, kind) == 0;
    return n;
}

/* Nobody says how large what is neither lipid nor solvent is. */
static void remark_others(AmphiObserver *o)
{
    const AmphiSystem *const s = o->on.place.system;
    const int32_t            n = s->n_molecules - o->leaflets.n_lipids - o->n_solvent;

    if (n > 0)
        snprintf(o->on.remark, sizeof o->on.remark,
                 "%s: the volume of %" PRId32 " molecules that are neither lipids nor of "
                 "kind=\"solvent\" counts as that of lipids",
                 o->on.names.file, n);
}

static AmphiStatus prepare(AmphiObserver *o, AmphiError *err)
{
    if (!amphi_leaflets_init(&o->leaflets, o->on.place.system, o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "area.tsv: no memory");
    assert(o->leaflets.n_lipids > 0);
    o->n_solvent = count_of_kind(o->on.place.system, "solvent");
    remark_others(o);
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
    amphi_leaflets_remark(l, "area.tsv", o->on.remark, sizeof o->on.remark);

    const int32_t upper           = amphi_leaflets_count(l, 1);
    const int32_t larger          = upper > l->n_lipids - upper ? upper : l->n_lipids - upper;
    const double  values[COLUMNS] = {
         [AREA]     = box_area / larger,
         [BOX_AREA] = box_area,
         [VOLUME]   = (box_area * f->box_nm[2] - WATER_NM3 * o->n_solvent) / l->n_lipids,
    };

    return amphi_series_add(&o->series, f, values, err);
}

/* Does the area fluctuate as it does at one tension and temperature, in all stages that are seen?
 * *temperature_K is that. */
static bool fluctuates(const AmphiObserver *o, double *temperature_K)
{
    const AmphiObserverPlace *const place = &o->on.place;
    const int32_t                   begin = o->on.plan.from_stage;
    const AmphiStage               *first = NULL;

    for (int32_t k = begin > place->first_stage ? begin : place->first_stage; k < place->n_stages;
         k++) {
        const AmphiStage *const s = &place->stage[k];

        if (s->ensemble == AMPHI_MINIMISE)
            continue;
        if (first == NULL)
            first = s;
        if (s->barostat.type != AMPHI_CELL_RESCALE || s->n_restraints > 0 ||
            s->barostat.coupling != AMPHI_SEMI_ISOTROPIC ||
            s->barostat.pressure_kJ_mol_nm3 != first->barostat.pressure_kJ_mol_nm3 ||
            s->barostat.tension_kJ_mol_nm2 != first->barostat.tension_kJ_mol_nm2 ||
            (s->thermostat.type != AMPHI_VELOCITY_RESCALE &&
             s->thermostat.type != AMPHI_LANGEVIN) ||
            s->thermostat.temperature_K != first->thermostat.temperature_K)
            return false;
    }
    *temperature_K = first != NULL ? first->thermostat.temperature_K : 0;
    return first != NULL && place->system->anchor_nm == NULL; /* restraints of the whole run */
}

/* Feller & Pastor, J. Chem. Phys. 111, 1281 (1999). */
static const char about_modulus[] =
    "kT <A>/<dA^2>, the area compressibility modulus; it wants 50 relaxation times of the area";

static bool find_modulus(const AmphiObserver *o, AmphiSeriesRow *row)
{
    const AmphiBlocks *const b   = &o->series.blocks;
    const double             mNm = 10 * AMPHI_BAR; /* kJ/mol/nm^2 */
    double                   temperature_K;

    if (!fluctuates(o, &temperature_K))
        return false;

    const AmphiBlockVariance v       = amphi_blocks_variance(b, 2 * BOX_AREA, 2 * BOX_AREA + 1);
    const AmphiBlockEstimate mean    = amphi_blocks_estimate(b, 2 * BOX_AREA, 2 * BOX_AREA + 1);
    const double             kT      = AMPHI_BOLTZMANN * temperature_K;
    const double             modulus = kT * amphi_blocks_mean(b, 2 * BOX_AREA) / v.value / mNm;

    *row = (AmphiSeriesRow){ .is          = { "area_modulus_mN_m", about_modulus },
                             .of          = { modulus, modulus * v.error / v.value,
                                              v.is_rough || mean.is_rough },
                             .independent = mean.independent };
    return true;
}

static AmphiStatus flush_area(AmphiObserver *o, AmphiError *err)
{
    AmphiSeriesRow modulus;

    return amphi_series_write_means(&o->series, find_modulus(o, &modulus) ? &modulus : NULL, err);
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
