/* Room for the neighbour list on the device: taken when a state opens, more where a list needs it;
 * and its margin.
 */
#include "cells.h"
#include "entries.h"
#include "pair_row.h"

#include <math.h>

extern "C" {
#include "../engine/arena.h"
#include "../engine/list_margin.h"
#include "../engine/units.h"
}

/* ---- what stays out of rows, and short rows ---- */

/* Exclusions by bead, both ways: counted, then filled in from the back. */
static void index_exclusions(const AmphiSystem *s, int32_t *start, int32_t *other)
{
    for (int32_t k = 0; k < s->n_exclusions; k++)
        for (int side = 0; side < 2; side++)
            start[s->exclusion[k][side]]++;
    for (int32_t i = 1; i <= s->n_beads; i++)
        start[i] += start[i - 1];
    for (int32_t k = s->n_exclusions - 1; k >= 0; k--)
        for (int side = 0; side < 2; side++)
            other[--start[s->exclusion[k][side]]] = s->exclusion[k][1 - side];
}

static AmphiStatus put_exclusions(Device *d, AmphiError *err)
{
    const AmphiSystem *s       = d->system;
    const int64_t      n_other = 2 * (int64_t)s->n_exclusions;
    AmphiArena        *arena   = amphi_arena_new();
    int32_t           *start   = arena != NULL ? AMPHI_TAKE(arena, int32_t, s->n_beads + 1) : NULL;
    int32_t           *other   = arena != NULL ? AMPHI_TAKE(arena, int32_t, n_other) : NULL;
    AmphiStatus        status;

    if (arena == NULL || amphi_arena_failed(arena)) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d exclusions", s->n_exclusions);
    }
    index_exclusions(s, start, other);
    for (int32_t i = 0; i < s->n_beads; i++)
        d->cells->most_exclusions = max(d->cells->most_exclusions, start[i + 1] - start[i]);
    status = amphi_device_put_array(&d->memory, start, (int64_t)s->n_beads + 1, d->stream,
                                    &d->view.exclusion_start, err);
    if (status == AMPHI_OK)
        status =
            amphi_device_put_array(&d->memory, other, n_other, d->stream, &d->view.exclusion, err);
    amphi_arena_free(arena);
    return status;
}

static int64_t kind_of_type(const Device *d, int64_t type)
{
    return d->kind_of[d->type_rank[type]].kind;
}

/* Which kinds have a sticky term between them, and how far the longest of them reaches. */
static AmphiStatus put_short_pairs(Device *d, AmphiError *err)
{
    const AmphiSystem *s       = d->system;
    const int64_t      n_pairs = (int64_t)s->n_types * s->n_types;
    const int64_t      n_kinds = d->view.n_kinds;
    double             longest = 0;
    uint8_t           *is_short;
    AmphiStatus        status = AMPHI_OK;

    is_short = (uint8_t *)amphi_alloc(n_kinds * n_kinds, sizeof *is_short);
    if (is_short == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bead types", s->n_types);
    for (int64_t p = 0; p < n_pairs; p++)
        for (int32_t k = 0; k < s->pair_rule[p].n_terms; k++)
            if (s->pair_rule[p].term[k].kind == PAIR_sticky) {
                is_short[kind_of_type(d, p / s->n_types) * n_kinds +
                         kind_of_type(d, p % s->n_types)] = 1;
                longest = fmax(longest, s->pair_rule[p].term[k].treatment.cutoff_nm);
            }
    d->view.short_cutoff_nm = longest;
    if (longest > 0)
        status = amphi_device_put_array(&d->memory, is_short, n_kinds * n_kinds, d->stream,
                                        &d->view.is_short, err);
    amphi_release(is_short);
    return status;
}

/* How far pairs of kinds reach, where some reach less far than others. */
static AmphiStatus put_cutoffs(Device *d, AmphiError *err)
{
    const AmphiSystem *s       = d->system;
    const int64_t      n_kinds = d->view.n_kinds;
    bool               differ  = false;
    float             *cutoff  = (float *)amphi_alloc(n_kinds * n_kinds, sizeof *cutoff);
    AmphiStatus        status  = AMPHI_OK;

    if (cutoff == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bead types", s->n_types);
    for (int64_t p = 0; p < (int64_t)s->n_types * s->n_types; p++) {
        const AmphiPairRule *rule     = &s->pair_rule[p];
        const double         reach_nm = rule->n_terms > 0 ? rule->cutoff_nm : -1e6 * s->cutoff_nm;

        cutoff[kind_of_type(d, p / s->n_types) * n_kinds + kind_of_type(d, p % s->n_types)] =
            (float)reach_nm;
        differ |= reach_nm != s->cutoff_nm;
    }
    if (differ)
        status = amphi_device_put_array(&d->memory, cutoff, n_kinds * n_kinds, d->stream,
                                        &d->view.kind_cutoff_nm, err);
    amphi_release(cutoff);
    return status;
}

/* ---- room ---- */

static int32_t whole_rounds(const View *v, double entries)
{
    const int32_t round = round_of(layout_of(*v));

    return ((int32_t)entries + round - 1) / round * round;
}

/* Entries of a row in a place of mean density. */
static double mean_entries(const View *v, const double box_nm[3], double cutoff_nm)
{
    const double reach = cutoff_nm + v->margin_nm;

    return fmin(v->n / (box_nm[0] * box_nm[1] * box_nm[2]) * 4.18879 * reach * reach * reach, v->n);
}

/* Of rounds that pairs read to their end, whatever a row has of them: it is filled up with 0. */
static AmphiStatus take_entries(Device *d, int64_t n_rounds, AmphiError *err)
{
    View *v = &d->view;

    if (n_rounds > UINT32_MAX)
        return amphi_fail(err, AMPHI_NO_MEMORY, "a neighbour list of %.3g entries is too long",
                          (double)round_of(layout_of(*v)) * (double)n_rounds);
    amphi_device_drop(&d->memory, v->entry);
    v->n_rounds = 0; /* until there is room */
    AMPHI_TRY(amphi_device_take(&d->memory, n_rounds * round_of(layout_of(*v)), entry_bytes(v),
                                &v->entry, err));
    v->n_rounds = (uint32_t)n_rounds;
    return AMPHI_OK;
}

/* Room for so many rounds, or for the longest row in every place where rows have places. */
static AmphiStatus fit_entries(Device *d, double n_rounds, AmphiError *err)
{
    const View   *v      = &d->view;
    const int64_t wanted = rows_have_places(v->lanes) ? ((int64_t)v->n + MOST_OF_TILE) *
                                                            v->longest / round_of(layout_of(*v))
                                                      : (int64_t)n_rounds + 1;

    return wanted > v->n_rounds ? take_entries(d, wanted, err) : AMPHI_OK;
}

static AmphiStatus take_short_rows(Device *d, double entries, AmphiError *err)
{
    View         *v      = &d->view;
    const int32_t stride = ((int32_t)entries / SHORT_ROUND + 1) * SHORT_ROUND;

    if (stride <= v->short_stride)
        return AMPHI_OK;
    amphi_device_drop(&d->memory, v->short_row);
    v->short_stride = 0; /* until there is room: nothing is put there */
    AMPHI_TRY(amphi_device_take_array(&d->memory, (int64_t)v->n * stride, &v->short_row, err));
    v->short_stride = stride;
    return AMPHI_OK;
}

/* Room for a box that grows by a third. No more than two cells a bead: a box that is nearly empty
 * has wider cells. */
static AmphiStatus take_cells(Device *d, AmphiError *err)
{
    View         *v     = &d->view;
    CellsWork    *w     = &d->cells->work;
    const int64_t large = INT32_MAX / 4 / v->n_kinds;
    const int64_t few   = v->n < 2048 ? 4096 : 2 * (int64_t)v->n;
    int32_t       n_cells[3];
    int64_t       cells;

    count_cells(v, d->system->box_nm, large < few ? large : few, n_cells);
    cells        = (int64_t)n_cells[0] * n_cells[1] * n_cells[2];
    cells        = cells + cells / 3 + 1;
    v->max_cells = (int32_t)(cells < large ? cells : large);
    w->n_tiles   = (int32_t)blocks_of((int64_t)v->n_kinds * v->max_cells + 1, SCAN_TILE);
    w->n_keys    = w->n_tiles * SCAN_TILE;
    AMPHI_TRY(amphi_device_take_array(&d->memory, 2 * (int64_t)w->n_keys, &w->count, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, 2 * (int64_t)w->n_keys, &w->first, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, v->n, &w->next, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, w->n_tiles, &w->tile, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, 2 * MEETINGS, &w->arrived, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, 1, &w->grid, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, v->n, &w->place, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, v->n, &w->in_space, err));
    if (v->is_layered)
        AMPHI_TRY(amphi_device_take_array(&d->memory, (int64_t)v->n_kinds * MOST_CELLS_ALONG,
                                          &w->before_layer, err));
    AMPHI_TRY(amphi_device_take_array(&d->memory, (int64_t)v->n_kinds * v->max_cells + 1,
                                      &v->cell_start, err));
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(cells_take_records)(Device *d, RecordSet to, AmphiError *err)
{
    const View   *v        = &d->view;
    const int64_t n_slots  = (int64_t)v->n + (v->is_layered && v->entries != WIDE ? REACHED : 0);
    const int64_t n_halves = (int64_t)half_of((int32_t)n_slots - 1) + RECORD_GROUP + 1;

    for (int k = 0; k < RECORD_KINDS; k++)
        if (to[k] == NULL && (k == DIPOLES || (v->records & 1u << k) != 0))
            AMPHI_TRY(amphi_device_take_array(&d->memory, n_halves, &to[k], err));
    return AMPHI_OK;
}

static AmphiStatus take_slots(Device *d, AmphiError *err)
{
    View         *v = &d->view;
    DeviceMemory *m = &d->memory;

    AMPHI_TRY(amphi_device_take_array(m, v->n, &v->bead_of, err));
    AMPHI_TRY(amphi_device_take_array(m, v->n, &v->slot_of, err));
    AMPHI_TRY(amphi_device_take_array(m, v->n, &v->type_of, err));
    AMPHI_TRY(amphi_device_take_array(m, v->n, &v->cell_of, err));
    AMPHI_TRY(amphi_device_take_array(m, v->n, &v->row, err));
    if (sorts_rows(v->lanes))
        AMPHI_TRY(amphi_device_take_array(m, v->n, &v->opening, err));
    if (v->is_apart)
        AMPHI_TRY(amphi_device_take_array(m, v->n, &v->apart_opening, err));
    AMPHI_TRY(amphi_device_take_array(m, v->n, &v->built_nm, err));
    v->most_strays = v->n / 64 + 1; /* more of them are dearer than a list */
    if (!is_small(v))
        AMPHI_TRY(amphi_device_take_array(m, v->most_strays, &d->cells->stray, err));
    AMPHI_TRY(amphi_device_take_array(m, (int64_t)v->n * v->n_kinds, &v->segment, err));
    AMPHI_TRY(AMPHI_T(cells_take_records)(d, d->records[0], err));
    use_records(d, 0, 0);
    return AMPHI_OK;
}

/* What can 16 bits tell of the slots that a tile reaches, likely? It reaches seven layers if its
 * beads are no further apart than half a layer is thick. Half records are not for ellipsoids alone,
 * which have few neighbours: in fixed 100 352 of them take 8 % longer by those. */
static void choose_entries(Device *d)
{
    enum { LAYERS = 7 };
    View   *v = &d->view;
    int32_t n_cells[3];
    int64_t reached;

    count_cells(v, d->system->box_nm, INT32_MAX, n_cells);
    reached = (int64_t)v->n * LAYERS / n_cells[0];
    static_assert(PLAIN_BEADS <= REACHED, "without layers an entry tells any slot");
    v->is_layered = sorts_rows(v->lanes);
    v->entries    = SLOTS;
    if (v->is_layered && reached > REACHED)
        v->entries = WIDE;
    else if (v->is_layered && reached <= REACHED_BY_HALF &&
             (d->forces->classes & ~SET_GAY_BERNE) != 0)
        v->entries = HALVES;
}

static AmphiStatus mark_stale(Device *d, AmphiError *err)
{
    const int32_t yes = 1;

    return amphi_device_put(&d->view.ledger->stale, &yes, sizeof yes, d->stream, err);
}

AmphiStatus AMPHI_T(cells_forget)(Device *d, AmphiError *err)
{
    const CellsWork &w     = d->cells->work;
    const size_t     bytes = 2 * (size_t)w.n_keys * sizeof *w.count;

    CUDA_TRY(cudaMemsetAsync(w.count, 0, bytes, d->stream));
    CUDA_TRY(cudaMemsetAsync(w.first, 0, bytes, d->stream));
    return mark_stale(d, err);
}

/* Room for the longest row while it is filled, which all tiles have. As before where there is
 * none. */
static AmphiStatus fit_longest(Device *d, double entries, AmphiError *err)
{
    const int32_t longest = d->view.longest;
    const size_t  bytes   = d->cells->shared_bytes;
    AmphiStatus   status;

    d->view.longest = max(longest, whole_rounds(&d->view, entries));
    status          = AMPHI_T(rows_fit)(d, err);
    if (status != AMPHI_OK) {
        d->view.longest        = longest;
        d->cells->shared_bytes = bytes;
    }
    return status;
}

/* Rows for the present margin, in a box; the list is stale after it. What is denser than this
 * allows finds room when it is needed: beads of a membrane have a sixth more neighbours on average
 * than the mean density gives, some of a fresh start three quarters more. */
static AmphiStatus fit_rows(Device *d, const double box_nm[3], AmphiError *err)
{
    const View  *v       = &d->view;
    const double padding = v->n_kinds * round_of(layout_of(*v)) / 2.0;
    const double entries = mean_entries(v, box_nm, v->cutoff_nm) + padding;
    const double shorter = mean_entries(v, box_nm, v->short_cutoff_nm);

    AMPHI_TRY(fit_longest(d, 1.25 * entries, err));
    AMPHI_TRY(fit_entries(d, v->n * 1.125 * entries / round_of(layout_of(*v)), err));
    if (v->short_cutoff_nm > 0)
        AMPHI_TRY(take_short_rows(d, 1.125 * shorter + 16, err));
    return mark_stale(d, err);
}

AmphiStatus AMPHI_T(cells_open)(Device *d, AmphiError *err)
{
    const double *box_nm = d->system->box_nm;
    View         *v      = &d->view;

    d->cells = AMPHI_TAKE(d->mirror->arena, struct CellsPlan, 1);
    if (d->cells == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a neighbour list");
    AMPHI_TRY(put_exclusions(d, err));
    AMPHI_TRY(put_short_pairs(d, err));
    AMPHI_TRY(put_cutoffs(d, err));
    choose_entries(d);
    AMPHI_TRY(take_slots(d, err));
    AMPHI_TRY(take_cells(d, err));
    AMPHI_TRY(AMPHI_T(cells_claim)(d, err));
    if (v->short_cutoff_nm > 0)
        AMPHI_TRY(amphi_device_take_array(&d->memory, v->n, &v->short_end, err));
    return fit_rows(d, box_nm, err);
}

/* ---- the margin ---- */

/* Thermal velocities of one degree of freedom that the bead which ends a list keeps going on
 * average: ELBA membranes at 5 and 10 fs and SSD water at 2 fs, of some thousand beads. */
static const double fastest = 3;
/* The same where beads that have gone far are looked at: ELBA membranes of 94 208 and 995 072 beads
 * at 10 fs, whose steps differ by 0.4 % between margins of 0.08 and 0.12 nm. */
static const double fastest_looked_at = 2;
/* A list over the forces, both at a margin of 0.1 nm: one H200, ELBA membranes of 11 776 to 94 208
 * beads; fluids of one type in single, whose forces take less (a step of 102 400 SSD/RF water 90.6,
 * 90.1, 90.0, 90.3 and 92.0 us at margins of 0.06, 0.07, 0.075, 0.08 and 0.09 nm); and where the
 * device is not filled, 5888 beads, whose step takes 19.9, 19.6, 19.4, 19.4 and 19.7 us at margins
 * of 0.125, 0.14, 0.16, 0.2 and 0.25 nm. */
static const double build_cost = 3, build_cost_of_one_type = 5, build_cost_of_few = 6;
/* Of a stage without a thermostat. */
static const double room_K = 300;

/* Are beads that have gone far looked at by themselves? That takes 1 us a step, and several in the
 * last few steps of a list: large systems gain by it (membranes of 52 992 beads 1 %, of 94 208 2 %,
 * of 211 968 4 and of 995 072 5 %; those of 35 328 lose 1 %). */
static bool looks_at_strays(const Device *d, const AmphiStage *stage)
{
    return !is_small(&d->view) && stage->ensemble != AMPHI_MINIMISE;
}

static double build_cost_of(const Device *d)
{
    if (rows_have_places(d->view.lanes))
        return build_cost_of_few;
    return AMPHI_BUILD_PRECISION == AMPHI_SINGLE && d->forces->has_one_pass ? build_cost_of_one_type
                                                                            : build_cost;
}

static double margin_for(const Device *d, const AmphiStage *stage)
{
    const AmphiSystem *s       = d->system;
    const double       asked_K = stage->thermostat.temperature_K;
    const double       kT      = AMPHI_BOLTZMANN * (asked_K > 0 ? asked_K : room_K);
    double             least_u = HUGE_VAL, nm_step;

    for (int32_t k = 0; k < s->n_types; k++)
        least_u = fmin(least_u, s->type[k].mass_u);
    nm_step = (looks_at_strays(d, stage) ? fastest_looked_at : fastest) * stage->dt_ps *
              sqrt(kT / least_u);
    if (stage->ensemble == AMPHI_MINIMISE || !(nm_step > 0))
        return AMPHI_DEVICE_MARGIN_NM;
    return amphi_margin_choose(s->cutoff_nm, AMPHI_DEVICE_MARGIN_NM,
                               AMPHI_DEVICE_MARGIN_NM / (2 * nm_step), build_cost_of(d));
}

AmphiStatus AMPHI_T(cells_begin_stage)(Device *d, const AmphiStage *stage, AmphiError *err)
{
    const double margin_nm = d->tunes_margin ? margin_for(d, stage) : d->view.margin_nm;

    d->view.stray = looks_at_strays(d, stage) ? d->cells->stray : NULL;
    if (margin_nm == d->view.margin_nm)
        return AMPHI_OK;
    d->view.margin_nm = margin_nm;
    return fit_rows(d, d->mirror->box_nm, err);
}

/* ---- more room ---- */

/* What entries and short rows need stands in the grid. */
AmphiStatus AMPHI_T(cells_grow)(Device *d, const Ledger *l, AmphiError *err)
{
    View       *v = &d->view;
    AmphiStatus status;
    Grid        g;

    AMPHI_TRY(amphi_device_get(&g, d->cells->work.grid, sizeof g, d->stream, err));
    if (g.is_beyond) {
        const int32_t entries = round_of(layout_of(*v));

        v->entries = v->entries == HALVES ? SLOTS : WIDE;
        AMPHI_TRY(take_entries(d, (int64_t)v->n_rounds * entries / round_of(layout_of(*v)), err));
    }
    status = fit_longest(d, l->fault_size * 1.0625, err);
    if (status == AMPHI_BAD_INPUT) /* not by the input: there was room at first */
        return amphi_fail(err, AMPHI_UNSTABLE,
                          "beads crowd together: a neighbour list needs %d entries a bead, for "
                          "which the device has no room",
                          l->fault_size);
    AMPHI_TRY(status);
    AMPHI_TRY(fit_entries(d, g.n_rounds * 1.0625, err));
    if (g.longest_short > v->short_stride)
        AMPHI_TRY(take_short_rows(d, 1.125 * g.longest_short, err));
    return mark_stale(d, err);
}
