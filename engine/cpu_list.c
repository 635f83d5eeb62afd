/* Neighbour lists: cells, the order of slots. Rows: typed/cpu_rows.c; when a list no longer holds:
 * cpu_stale.c. */
#include "cpu_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_rows.h"

bool amphi_cpu_has_v4(void)
{
    const char *forced = getenv("AMPHI_CPU");

    if (forced != NULL && strcmp(forced, "v3") == 0)
        return false;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

/* Exclusions by bead, both ways: counted, then filled in. */
static void index_exclusions(AmphiCpuList *list)
{
    const AmphiSystem *s   = list->system;
    int32_t            sum = 0;

    for (int32_t k = 0; k < s->n_exclusions; k++)
        for (int side = 0; side < 2; side++)
            list->exclusion_start[s->exclusion[k][side] + 1]++;
    for (int32_t i = 0; i < list->n; i++) {
        sum += list->exclusion_start[i + 1];
        list->exclusion_start[i + 1] = sum;
    }
    for (int32_t k = s->n_exclusions - 1; k >= 0; k--)
        for (int side = 0; side < 2; side++) {
            const int32_t bead = s->exclusion[k][side];

            list->exclusion[--list->exclusion_start[bead + 1]] = s->exclusion[k][1 - side];
        }
    /* the fill moved every start down to its bead's first: shift them back by one place */
    for (int32_t i = 0; i < list->n; i++)
        list->exclusion_start[i] = list->exclusion_start[i + 1];
    list->exclusion_start[list->n] = 2 * s->n_exclusions;
}

static void order_by_type(AmphiCpuList *list)
{
    int32_t n = 0;

    for (int32_t t = 0; t < list->n_types; t++)
        for (int32_t i = 0; i < list->n; i++)
            if (list->system->bead_type[i] == t)
                list->by_type[n++] = i;
}

AmphiStatus amphi_cpu_list_open(const AmphiSystem *s, double margin_nm, int32_t pad,
                                AmphiCpuList **out, AmphiError *err)
{
    AmphiArena   *arena = amphi_arena_new();
    AmphiCpuList *list  = arena != NULL ? AMPHI_TAKE(arena, AmphiCpuList, 1) : NULL;
    const int64_t n     = s->n_beads;

    *out = NULL;
    if (list == NULL) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a neighbour list");
    }
    list->system          = s;
    list->arena           = arena;
    list->n               = s->n_beads;
    list->n_types         = s->n_types;
    list->pad             = pad;
    list->margin_nm       = margin_nm;
    list->exclusion_start = AMPHI_TAKE(arena, int32_t, n + 2);
    list->exclusion       = AMPHI_TAKE(arena, int32_t, 2 * (int64_t)s->n_exclusions);
    list->by_type         = AMPHI_TAKE(arena, int32_t, n);
    list->reach2_nm2      = AMPHI_TAKE(arena, float, (int64_t)(s->n_types + 1) * s->n_types);
    list->cell_of         = AMPHI_TAKE(arena, int32_t, n);
    list->bead_of         = AMPHI_TAKE(arena, int32_t, n);
    list->slot_of         = AMPHI_TAKE(arena, int32_t, n);
    list->type_of         = AMPHI_TAKE(arena, int32_t, n);
    list->run_start       = AMPHI_TAKE(arena, int32_t, n + 1);
    list->place           = amphi_arena_take(arena, n, sizeof *list->place);
    for (int a = 0; a < 3; a++) /* kernels read whole groups */
        list->at[a] = AMPHI_TAKE(arena, int32_t, n + 16);
    list->built_nm    = amphi_arena_take(arena, n, sizeof *list->built_nm);
    list->moved2_nm2  = AMPHI_TAKE(arena, float, n);
    list->far_slot    = AMPHI_TAKE(arena, int32_t, n);
    list->owner       = AMPHI_TAKE(arena, int32_t, n);
    list->row_start   = AMPHI_TAKE(arena, int64_t, n);
    list->segment_end = AMPHI_TAKE(arena, int32_t, n * s->n_types);
    if (amphi_arena_failed(arena)) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the neighbour list of %d beads",
                          s->n_beads);
    }
    index_exclusions(list);
    order_by_type(list);
    *out = list;
    return AMPHI_OK;
}

void amphi_cpu_list_close(AmphiCpuList *list)
{
    if (list == NULL)
        return;
    amphi_release(list->entry);
    amphi_release(list->candidates);
    amphi_release(list->cell_start);
    amphi_release(list->cell_run);
    amphi_release(list->cell_far);
    amphi_arena_free(list->arena);
}

/* The most cells. A box that is nearly empty has wider ones: time and memory follow the beads. A
 * cell of a membrane holds 50 beads, so that a droplet keeps its narrow cells in a box of 1600
 * times its volume. */
static int64_t most_cells(const AmphiCpuList *list)
{
    return 4096 + 32 * (int64_t)list->n;
}

/* Cells of at least the reach along each edge. Half of it leaves fewer candidates but more cells to
 * visit: a quarter slower on the 6784-bead membrane. */
static void count_along(const AmphiCpuList *list, double reach, int32_t n[3])
{
    for (int a = 0; a < 3; a++) {
        const double fit = floor(list->box_nm[a] / reach);

        n[a] = fit < 1 ? 1 : fit > 1000 ? 1000 : (int32_t)fit;
    }
    while ((int64_t)n[0] * n[1] * n[2] > most_cells(list))
        n[n[0] >= n[1] && n[0] >= n[2] ? 0 : n[1] >= n[2] ? 1 : 2]--;
}

static double reach_of(const AmphiCpuList *list, double cutoff_nm)
{
    return (cutoff_nm + list->margin_nm) * (1 + AMPHI_CPU_LIST_ROUNDING);
}

/* How far rows look, by types. */
static void plan_reach(AmphiCpuList *list, AmphiRowsPlan *plan)
{
    const int32_t n    = list->n_types;
    float *const  most = list->reach2_nm2 + (int64_t)n * n;

    for (int32_t t = 0; t < n; t++)
        most[t] = -1;
    for (int32_t k = 0; k < n * n; k++) {
        const AmphiPairRule *const rule  = &list->system->pair_rule[k];
        const double               reach = reach_of(list, rule->cutoff_nm);

        list->reach2_nm2[k] = rule->n_terms > 0 ? (float)(reach * reach) : -1;
        most[k % n]         = fmaxf(most[k % n], list->reach2_nm2[k]);
    }
    plan->reach2_nm2      = list->reach2_nm2;
    plan->most_reach2_nm2 = most;
}

/* The grid. Where a direction has few cells, all are looked at. */
static void plan_cells(AmphiCpuList *list, AmphiRowsPlan *plan)
{
    const double reach = reach_of(list, list->system->cutoff_nm);

    plan_reach(list, plan);
    count_along(list, reach, list->n_cells);
    for (int a = 0; a < 3; a++) {
        plan->reach[a]       = (int32_t)ceil(reach * list->n_cells[a] / list->box_nm[a] - 1e-9);
        plan->nm_per_unit[a] = (float)(list->box_nm[a] / 4294967296.0);
        plan->half_nm[a] =
            (float)(list->box_nm[a] / list->n_cells[a] / 4 * (1 + AMPHI_CPU_LIST_ROUNDING));
    }
}

/* Cells are numbered along the shortest direction first: the fewer rows between two looks at one
 * bead, the more often it is still in the cache. */
static void order_cells(AmphiCpuList *list)
{
    const int32_t *n = list->n_cells;

    for (int a = 0; a < 3; a++) {
        list->cell_stride[a] = 1;
        for (int b = 0; b < 3; b++)
            if (b < a ? n[b] <= n[a] : n[b] < n[a])
                list->cell_stride[a] *= n[b];
    }
}

static AmphiStatus take_cells(AmphiCpuList *list, AmphiError *err)
{
    const int64_t cells = (int64_t)list->n_cells[0] * list->n_cells[1] * list->n_cells[2];

    if (cells > INT32_MAX / 2)
        return amphi_fail(err, AMPHI_BAD_INPUT, "the box has too many cells of the cut-off's size");
    if (cells > list->max_cells) {
        amphi_release(list->cell_start);
        amphi_release(list->cell_run);
        amphi_release(list->cell_far);
        list->max_cells  = (int32_t)cells;
        list->cell_start = amphi_alloc(cells + 1, sizeof *list->cell_start);
        list->cell_run   = amphi_alloc(cells + 1, sizeof *list->cell_run);
        list->cell_far   = amphi_alloc(cells + 1, sizeof *list->cell_far);
        if (list->cell_start == NULL || list->cell_run == NULL || list->cell_far == NULL) {
            list->max_cells = 0;
            return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %lld cells", (long long)cells);
        }
    }
    memset(list->cell_start, 0, (size_t)(cells + 1) * sizeof *list->cell_start);
    return AMPHI_OK;
}

static int32_t cell_along(int32_t fraction, int32_t n)
{
    return (int32_t)(((uint64_t)(uint32_t)fraction * (uint64_t)n) >> 32);
}

/* Beads of one type in one cell follow each other: candidates are copied run by run. */
static void find_runs(AmphiCpuList *list)
{
    const int32_t cells = list->n_cells[0] * list->n_cells[1] * list->n_cells[2];

    list->n_runs = 0;
    for (int32_t c = 0; c < cells; c++) {
        list->cell_run[c] = list->n_runs;
        for (int32_t k = list->cell_start[c]; k < list->cell_start[c + 1]; k++)
            if (k == list->cell_start[c] || list->type_of[k] != list->type_of[k - 1])
                list->run_start[list->n_runs++] = k;
    }
    list->cell_run[cells]         = list->n_runs;
    list->run_start[list->n_runs] = list->n;
}

/* Fills in what is known of a bead before beads are sorted; cell -1: its position is not finite. */
static void place_bead(AmphiCpuList *list, int32_t i, const double x[3], const double inv[3])
{
    int32_t cell = 0;

    list->cell_of[i]  = -1;
    list->place[i][3] = list->system->bead_type[i];
    for (int a = 0; a < 3; a++) {
        if (!isfinite(x[a]))
            return;
        list->place[i][a]    = amphi_cpu_fraction(x[a], inv[a]);
        list->built_nm[i][a] = x[a];
        cell += list->cell_stride[a] * cell_along(list->place[i][a], list->n_cells[a]);
    }
    list->cell_of[i] = cell;
}

static AmphiStatus count_cells(AmphiCpuList *list, AmphiError *err)
{
    const int32_t cells = list->n_cells[0] * list->n_cells[1] * list->n_cells[2];
    int32_t       sum   = 0;

    for (int32_t i = 0; i < list->n; i++) {
        if (list->cell_of[i] < 0)
            return amphi_fail(err, AMPHI_UNSTABLE, "the position of bead %d is not finite", i + 1);
        list->cell_start[list->cell_of[i]]++;
    }
    for (int32_t c = 0; c <= cells; c++) {
        sum += list->cell_start[c];
        list->cell_start[c] = sum; /* its end; sort_beads brings it down to its start */
    }
    return AMPHI_OK;
}

/* Beads by cell and, within a cell, by type: a counting sort each, types first. Stable, so the
 * order is that of the beads otherwise. */
static AmphiStatus sort_beads(AmphiCpuList *list, const double (*position_nm)[3], int32_t threads,
                              AmphiError *err)
{
    const double inv[3] = { 1 / list->box_nm[0], 1 / list->box_nm[1], 1 / list->box_nm[2] };

#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t i = 0; i < list->n; i++)
        place_bead(list, i, position_nm[i], inv);
    AMPHI_TRY(count_cells(list, err));
    for (int32_t k = list->n - 1; k >= 0; k--) {
        const int32_t bead = list->by_type[k];
        const int32_t slot = --list->cell_start[list->cell_of[bead]];

        list->bead_of[slot] = bead;
        list->slot_of[bead] = slot;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t k = 0; k < list->n; k++) {
        const int32_t *place = list->place[list->bead_of[k]];

        list->type_of[k] = place[3];
        for (int a = 0; a < 3; a++)
            list->at[a][k] = place[a];
    }
    find_runs(list);
    return AMPHI_OK;
}

/* The length that rows are expected to need: the mean, room for fluctuations, and padding. */
static int32_t expected_entries(const AmphiCpuList *list)
{
    const double reach   = list->system->cutoff_nm + list->margin_nm;
    const double volume  = list->box_nm[0] * list->box_nm[1] * list->box_nm[2];
    const double mean    = list->n / volume * 4.18879 * reach * reach * reach;
    const double most    = list->n + (double)list->pad * list->n_types + 16;
    const double entries = 1.3 * mean + list->pad * list->n_types + 48;

    return (int32_t)(entries < most ? entries : most);
}

/* No cell has more candidates around it than its neighbours can hold. */
static int32_t most_candidates(const AmphiCpuList *list, const AmphiRowsPlan *plan)
{
    const int32_t cells = list->n_cells[0] * list->n_cells[1] * list->n_cells[2];
    double        most  = 0;

    for (int32_t c = 0; c < cells; c++)
        most = fmax(most, list->cell_start[c + 1] - list->cell_start[c]);
    for (int a = 0; a < 3; a++)
        most *= 2 * plan->reach[a] + 1;
    return (int32_t)fmin(most, list->n);
}

static AmphiStatus take_rows(AmphiCpuList *list, int32_t entries, AmphiError *err)
{
    const int32_t stride = (entries + 15) / 16 * 16;

    if (stride <= list->stride)
        return AMPHI_OK;
    amphi_release(list->entry);
    list->stride = stride;
    list->entry  = amphi_alloc((int64_t)list->n * stride, sizeof *list->entry);
    if (list->entry != NULL)
        return AMPHI_OK;
    list->stride = 0;
    return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d rows of %d neighbours", list->n,
                      stride);
}

AmphiStatus amphi_cpu_list_build(AmphiCpuList *list, const double        box_nm[3],
                                 const double (*position_nm)[3], int32_t threads, AmphiError *err)
{
    AmphiFillRows *fill = amphi_cpu_has_v4() ? amphi_cpu_rows_v4 : amphi_cpu_rows_v3;
    AmphiRowsPlan  plan;
    int32_t        needed;

    AMPHI_TRY(amphi_system_check_box(list->system, box_nm, err));
    memcpy(list->box_nm, box_nm, sizeof list->box_nm);
    plan_cells(list, &plan);
    order_cells(list);
    AMPHI_TRY(take_cells(list, err));
    AMPHI_TRY(sort_beads(list, position_nm, threads, err));
    plan.most_candidates = most_candidates(list, &plan);
    needed               = expected_entries(list);
    do {
        AMPHI_TRY(take_rows(list, needed, err));
        needed = fill(list, &plan, threads);
        if (needed < 0)
            return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for candidates of neighbours");
    } while (needed > list->stride);
    list->n_builds++;
    return AMPHI_OK;
}
