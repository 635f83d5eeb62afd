/* rdf.tsv: g(r) between beads of two types in different molecules; rdf-NAME.tsv of one with a name.
 *
 * g(r) is the number of pairs in a shell over the number of all pairs, times the volume of the box
 * over that of the shell. A frame counts only up to half its shortest edge.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "blocks.h"
#include "grid.h"
#include "observing.h"

enum { MOST_CELLS = 64 }; /* along an edge */

#define FOUR_PI_THIRD 4.1887902047863905

struct AmphiObserver {
    AmphiWatcher on; /* first */
    int32_t      type[2];
    int32_t      n_first, n_second; /* beads of the types; both lists when they differ */
    int32_t     *first, *second;
    double       n_pairs; /* in different molecules */
    int32_t      n_shells;
    double      *count; /* [n_shells] of one frame */
    AmphiBlocks  blocks;
    /* the second beads by cells, in the present frame */
    AmphiGrid grid;
    int32_t  *start;    /* [cells + 1] */
    int32_t  *cell;     /* [n_second] of each */
    int32_t  *sorted;   /* [n_second] beads, cell by cell */
    double (*place)[3]; /* [n_second] where they are, nm */
    double inv_box_nm[3], reach2_nm2;
};

static int32_t find_type(const AmphiSystem *s, const char *name)
{
    for (int32_t t = 0; t < s->n_types; t++)
        if (strcmp(s->type[t].name, name) == 0)
            return t;
    return -1;
}

static void list_beads(AmphiObserver *o)
{
    const AmphiSystem *const s = o->on.place.system;

    for (int32_t i = 0; i < s->n_beads; i++) {
        if (s->bead_type[i] == o->type[0])
            o->first[o->n_first++] = i;
        if (s->bead_type[i] == o->type[1])
            o->second[o->n_second++] = i;
    }
}

/* The number of ordered pairs in different molecules: with one type, i j and j i. */
static double count_pairs(const AmphiObserver *o)
{
    const AmphiSystem *const s     = o->on.place.system;
    double                   pairs = (double)o->n_first * o->n_second;

    for (int32_t m = 0; m < s->n_molecules; m++) {
        const AmphiMoleculeType *const type = &s->molecule_type[s->molecule[m].type];
        double                         n[2] = { 0, 0 };

        for (int32_t i = 0; i < type->n_beads; i++)
            for (int k = 0; k < 2; k++)
                n[k] += type->bead_type[i] == o->type[k];
        pairs -= n[0] * n[1];
    }
    return pairs;
}

static AmphiStatus prepare(AmphiObserver *o, AmphiError *err)
{
    const int64_t n       = o->on.place.system->n_beads;
    const int64_t n_cells = (int64_t)MOST_CELLS * MOST_CELLS * MOST_CELLS;

    assert(o->on.plan.n_names == 2);
    for (int k = 0; k < 2; k++) {
        o->type[k] = find_type(o->on.place.system, o->on.plan.name[k]);
        assert(o->type[k] >= 0);
    }
    o->n_shells = (int32_t)floor(amphi_observer_shells(&o->on.plan));
    assert(o->n_shells >= 1 && o->n_shells <= AMPHI_MOST_SHELLS);
    o->first  = AMPHI_TAKE(o->on.arena, int32_t, n);
    o->second = AMPHI_TAKE(o->on.arena, int32_t, n);
    o->cell   = AMPHI_TAKE(o->on.arena, int32_t, n);
    o->sorted = AMPHI_TAKE(o->on.arena, int32_t, n);
    o->place  = amphi_arena_take(o->on.arena, n, sizeof *o->place);
    o->start  = AMPHI_TAKE(o->on.arena, int32_t, n_cells + 1);
    o->count  = AMPHI_TAKE(o->on.arena, double, o->n_shells);
    if (amphi_arena_failed(o->on.arena) || !amphi_blocks_init(&o->blocks, o->n_shells, o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", o->on.names.file);
    list_beads(o);
    o->n_pairs = count_pairs(o);
    assert(o->n_pairs > 0);
    return AMPHI_OK;
}

/* ---- a frame ---- */

/* A counting sort. */
static void sort_into_cells(AmphiObserver *o, const AmphiFrame *f)
{
    const int32_t n_cells = amphi_grid_cells(&o->grid);

    memset(o->start, 0, (size_t)(n_cells + 1) * sizeof *o->start);
    for (int32_t k = 0; k < o->n_second; k++) {
        o->cell[k] = amphi_grid_at(&o->grid, f->position_nm[o->second[k]]);
        o->start[o->cell[k]]++;
    }
    for (int32_t c = 1; c <= n_cells; c++)
        o->start[c] += o->start[c - 1];
    for (int32_t k = o->n_second - 1; k >= 0; k--) {
        const int32_t at = --o->start[o->cell[k]];

        o->sorted[at] = o->second[k];
        memcpy(o->place[at], f->position_nm[o->second[k]], sizeof o->place[at]);
    }
}

static bool is_one_type(const AmphiObserver *o)
{
    return o->type[0] == o->type[1];
}

/* The pairs of bead i at x with those of a cell, in the sorted order from `least` on. */
static void count_cell(AmphiObserver *o, const AmphiFrame *f, int32_t i, const double x[3],
                       int32_t least, int32_t cell)
{
    const int32_t *const molecule = o->on.place.system->bead_molecule;
    const int32_t        from     = least > o->start[cell] ? least : o->start[cell];

    for (int32_t k = from; k < o->start[cell + 1]; k++) {
        double r2 = 0;

        for (int a = 0; a < 3; a++) {
            const double gap = x[a] - o->place[k][a];
            const double d   = gap - f->box_nm[a] * floor(gap * o->inv_box_nm[a] + 0.5);

            r2 += d * d;
        }
        if (r2 >= o->reach2_nm2 || molecule[i] == molecule[o->sorted[k]])
            continue;
        const double shell = floor(sqrt(r2) / o->on.plan.width_nm);

        if (shell < o->n_shells)
            o->count[(int32_t)shell] += 1;
    }
}

static void count_around(AmphiObserver *o, const AmphiFrame *f, int32_t i, int32_t least)
{
    int32_t       around[27];
    const int32_t n = amphi_grid_around(&o->grid, f->position_nm[i], around);

    for (int32_t c = 0; c < n; c++)
        count_cell(o, f, i, f->position_nm[i], least, around[c]);
}

/* With one type, each pair is found once and counts twice. */
static void count_all(AmphiObserver *o, const AmphiFrame *f)
{
    for (int32_t k = 0; k < o->n_first; k++)
        count_around(o, f, is_one_type(o) ? o->sorted[k] : o->first[k], is_one_type(o) ? k + 1 : 0);
    for (int32_t k = 0; k < o->n_shells && is_one_type(o); k++)
        o->count[k] *= 2;
}

static AmphiStatus see_rdf(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    const double volume = f->box_nm[0] * f->box_nm[1] * f->box_nm[2];
    const double half   = 0.5 * fmin(f->box_nm[0], fmin(f->box_nm[1], f->box_nm[2]));

    (void)err;
    memset(o->count, 0, (size_t)o->n_shells * sizeof *o->count);
    for (int a = 0; a < 3; a++)
        o->inv_box_nm[a] = 1 / f->box_nm[a];
    o->reach2_nm2 = pow(o->n_shells * o->on.plan.width_nm * (1 + 1e-12), 2);
    o->grid       = amphi_grid_of(f->box_nm, o->on.plan.extent_nm, MOST_CELLS);
    sort_into_cells(o, f);
    count_all(o, f);
    for (int32_t k = 0; k < o->n_shells; k++) {
        const double r = k * o->on.plan.width_nm, edge = r + o->on.plan.width_nm;
        const double shell = FOUR_PI_THIRD * (edge * edge * edge - r * r * r);

        if (edge <= half * (1 + 1e-12))
            amphi_blocks_add(&o->blocks, k, o->count[k] * volume / (o->n_pairs * shell), 1);
    }
    amphi_blocks_next(&o->blocks);
    return AMPHI_OK;
}

static AmphiStatus flush_rdf(AmphiObserver *o, AmphiError *err)
{
    AmphiTable t;

    if (o->blocks.count->frames == 0)
        return amphi_table_drop(&o->on.place, o->on.names.file, err);
    amphi_table_begin(
        &t, &o->on.place, o->on.names.file,
        "radial distribution function of beads in different molecules, no unit; r nm");
    amphi_sink_print(&t.sink, "# beads: %s %s\n# frames: %lld\n", o->on.plan.name[0],
                     o->on.plan.name[1], (long long)o->blocks.count->frames);
    amphi_sink_print(&t.sink, "# error: standard errors from %lld blocks\n",
                     (long long)o->blocks.count->n_full);
    amphi_blocks_print_rough(&o->blocks, o->n_shells, &t.sink);
    amphi_sink_print(&t.sink, "r_nm\tg\terror\n");
    for (int32_t k = 0; k < o->n_shells; k++)
        amphi_sink_print(&t.sink, "%.8g\t%.10g\t%.3g\n", (k + 0.5) * o->on.plan.width_nm,
                         amphi_blocks_mean(&o->blocks, k), amphi_blocks_error(&o->blocks, k));
    return amphi_sink_close(&t.sink, err);
}

static int32_t parts_of(AmphiObserver *o, AmphiPart *part)
{
    amphi_blocks_parts(&o->blocks, part);
    return AMPHI_BLOCK_PARTS;
}

const AmphiObserverKind amphi_obs_rdf = {
    .name       = "rdf",
    .file       = "rdf.tsv",
    .has_labels = true,
    .size       = sizeof(AmphiObserver),
    .needs      = AMPHI_NEED_POSITIONS,
    .prepare    = prepare,
    .see        = see_rdf,
    .flush      = flush_rdf,
    .parts      = parts_of,
};
