/* The flow of momentum along lines from bead to bead, in double whatever the run's precision.
 *
 * Beads are sorted by cells that are at least as wide as the cut-off, and visited in chunks. Each
 * chunk has its own sums, which are added up in the order of chunks.
 */
#include "../stress.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "../../forcefield/bonds.h"
#include "../grid.h"
#include "../overlap.h"
#include "two_beads.h"

enum { CHUNKS = 32, MOST_CELLS = 32 /* along an edge */, KINETIC = 0, NO_PART = -1 };

/* Sums over a chunk. What a line gives to every slab between its first and its last is kept where
 * it begins and where it ends. */
typedef struct {
    double *in;     /* [n_parts][AMPHI_DIRECTIONS][n_slabs] */
    double *change; /* likewise: from here on, so much more a slab */
} Sums;

/* A stretch of a line: shares of the whole that are in its slabs. */
typedef struct {
    int32_t first, last;
    double  in_first, in_last, in_each; /* in each: of those between */
} Stretch;

/* A line is in two stretches where it leaves the box. */
typedef struct {
    int32_t n;
    Stretch stretch[2];
} Line;

struct AmphiStress {
    const AmphiSystem *system;
    const AmphiSlabs  *slabs;
    int32_t            n_parts, slot[AMPHI_TERMS + 1]; /* of each part; the first has none */
    int32_t            part[AMPHI_TERMS];              /* of each slot; NO_PART */
    PairRules          rules;
    BondTerm          *bond;     /* [n_bond_rules] */
    bool              *excludes; /* [n_beads] any other bead */
    double            *sum;      /* [n_parts][AMPHI_DIRECTIONS][n_slabs] */
    Sums               chunk[CHUNKS];
    /* of the present frame */
    const AmphiFrame *frame;
    int32_t           threads;
    double            middle_nm;
    double            bottom, top; /* of the box, in slabs */
    Box               box;
    AmphiGrid         grid;
    int32_t          *cell;  /* [n_beads] */
    int32_t          *start; /* [cells + 1] */
    int32_t          *id;    /* [n_beads] cell by cell */
    Bead             *bead;  /* [n_beads] likewise */
};

/* ---- what there is ---- */

static void add_part(AmphiStress *s, int32_t slot)
{
    if (s->part[slot] != NO_PART || slot == AMPHI_POSITION_RESTRAINT)
        return;
    s->part[slot]       = s->n_parts;
    s->slot[s->n_parts] = slot;
    s->n_parts++;
}

/* Rules of types without beads count as well. */
static void find_parts(AmphiStress *s)
{
    const int32_t n_rules          = s->rules.n_types * s->rules.n_types;
    bool          has[AMPHI_TERMS] = { false };

    for (int32_t k = 0; k < n_rules; k++)
        for (int32_t t = 0; t < s->rules.rule[k].n_terms; t++)
            has[s->rules.rule[k].term[t].slot] = true;
    for (int32_t k = 0; k < s->system->n_bond_rules; k++)
        has[s->bond[k].slot] = true;
    s->n_parts = KINETIC + 1;
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
        s->part[slot] = NO_PART;
        if (has[slot])
            add_part(s, slot);
    }
}

AmphiStress *amphi_stress_new(const AmphiSystem *system, const AmphiSlabs *slabs, AmphiArena *arena)
{
    AmphiStress  *s       = AMPHI_TAKE(arena, AmphiStress, 1);
    const int64_t n_cells = (int64_t)MOST_CELLS * MOST_CELLS * MOST_CELLS;

    if (s == NULL || !pair_rules_init(&s->rules, system, arena))
        return NULL;
    s->system   = system;
    s->slabs    = slabs;
    s->bond     = AMPHI_TAKE(arena, BondTerm, system->n_bond_rules);
    s->excludes = AMPHI_TAKE(arena, bool, system->n_beads);
    s->cell     = AMPHI_TAKE(arena, int32_t, system->n_beads);
    s->id       = AMPHI_TAKE(arena, int32_t, system->n_beads);
    s->bead     = AMPHI_TAKE(arena, Bead, system->n_beads);
    s->start    = AMPHI_TAKE(arena, int32_t, n_cells + 1);
    if (amphi_arena_failed(arena))
        return NULL;
    for (int32_t k = 0; k < system->n_bond_rules; k++)
        s->bond[k] = bond_prepare(&system->bond_rule[k]);
    for (int32_t k = 0; k < system->n_exclusions; k++)
        for (int side = 0; side < 2; side++)
            s->excludes[system->exclusion[k][side]] = true;
    find_parts(s);

    const int64_t n = (int64_t)s->n_parts * AMPHI_DIRECTIONS * slabs->n_slabs;
    s->sum          = AMPHI_TAKE(arena, double, n);
    for (int c = 0; c < CHUNKS; c++)
        s->chunk[c] = (Sums){ AMPHI_TAKE(arena, double, n), AMPHI_TAKE(arena, double, n) };
    return amphi_arena_failed(arena) ? NULL : s;
}

int32_t amphi_stress_parts(const AmphiStress *s)
{
    return s->n_parts;
}

const char *amphi_stress_name(const AmphiStress *s, int32_t part)
{
    return part == KINETIC ? "kinetic" : amphi_term_name((AmphiTermSlot)s->slot[part]);
}

/* ---- lines ---- */

/* From `low` to `high`, in slabs, of a line with so much of it in a slab. What is beyond the slabs
 * is left out. */
static void add_stretch(const AmphiStress *s, double low, double high, double a_slab, Line *line)
{
    const int32_t  n    = s->slabs->n_slabs;
    const double   from = fmax(low, 0), to = fmin(high, n);
    Stretch *const out = &line->stretch[line->n];

    if (!(from < to))
        return;
    out->first = (int32_t)from;
    out->last  = to < n ? (int32_t)to : n - 1;
    if (out->first == out->last) {
        out->in_first = a_slab * (to - from);
        out->in_last  = 0;
    } else {
        out->in_first = a_slab * (out->first + 1 - from);
        out->in_last  = a_slab * (to - out->last);
    }
    out->in_each = a_slab;
    line->n++;
}

static Line point_at(const AmphiStress *s, double place)
{
    const bool    is_in = place >= 0 && place < s->slabs->n_slabs;
    const int32_t k     = is_in ? (int32_t)place : 0;

    return (Line){ is_in ? 1 : 0, { { k, k, 1, 0, 0 } } };
}

static double along(real3 d, int axis)
{
    return axis == 0 ? d.x : axis == 1 ? d.y : d.z;
}

/* From x to x + d, nm. */
static Line line_from(const AmphiStress *s, real3 x, real3 d)
{
    const int    axis = s->slabs->axis;
    const double from =
        amphi_slabs_place(s->slabs, along(x, axis), s->middle_nm, s->frame->box_nm[axis]);
    const double to  = from + along(d, axis) / s->slabs->width_nm;
    const double low = fmin(from, to), high = fmax(from, to), edge = s->top - s->bottom;
    Line         line = { 0 };

    if (high - low < 1e-9) /* of a slab */
        return point_at(s, from);

    const double a_slab = 1 / (high - low);
    add_stretch(s, fmax(low, s->bottom), fmin(high, s->top), a_slab, &line);
    if (low < s->bottom)
        add_stretch(s, low + edge, s->top, a_slab, &line);
    else if (high > s->top)
        add_stretch(s, s->bottom, high - edge, a_slab, &line);
    return line;
}

static void spread_on(const Line *line, double value, double *in, double *change)
{
    for (int32_t k = 0; k < line->n; k++) {
        const Stretch *p = &line->stretch[k];

        in[p->first] += value * p->in_first;
        in[p->last] += value * p->in_last;
        if (p->last > p->first + 1) {
            change[p->first + 1] += value * p->in_each;
            change[p->last] -= value * p->in_each;
        }
    }
}

/* d and f: of the line and the force that goes along it. */
static void add_flow(const AmphiStress *s, const Sums *sums, int32_t part, const Line *line,
                     real3 d, real3 f)
{
    const int     axis   = s->slabs->axis;
    const int32_t n      = s->slabs->n_slabs;
    const double  normal = along(d, axis) * along(f, axis);
    const double  both   = dot3(d, f) - normal;
    const int64_t at     = (int64_t)part * AMPHI_DIRECTIONS * n;
    const int64_t across = at + AMPHI_NORMAL * n;

    spread_on(line, 0.5 * both, sums->in + at, sums->change + at);
    spread_on(line, normal, sums->in + across, sums->change + across);
}

/* ---- pairs ---- */

/* A counting sort. */
static void sort_beads(AmphiStress *s)
{
    const AmphiFrame *f = s->frame;
    int32_t           n_cells;

    s->grid = amphi_grid_of(f->box_nm, sqrt(s->rules.cutoff2), MOST_CELLS);
    n_cells = amphi_grid_cells(&s->grid);
    memset(s->start, 0, (size_t)(n_cells + 1) * sizeof *s->start);
    for (int32_t i = 0; i < s->system->n_beads; i++) {
        s->cell[i] = amphi_grid_at(&s->grid, f->position_nm[i]);
        s->start[s->cell[i]]++;
    }
    for (int32_t c = 1; c <= n_cells; c++)
        s->start[c] += s->start[c - 1];
    for (int32_t i = s->system->n_beads - 1; i >= 0; i--) {
        const int32_t k = --s->start[s->cell[i]];

        s->id[k]   = i;
        s->bead[k] = make_bead(s->system, i, f->position_nm[i], f->orientation[i]);
    }
}

static void visit_pair(const AmphiStress *s, const Sums *sums, int32_t k, int32_t j)
{
    const int32_t one = s->id[k], other = s->id[j];

    if (s->excludes[one] && s->excludes[other] && amphi_is_excluded(s->system, one, other))
        return;

    const Acting acting = acting_between(&s->rules, &s->box, &s->bead[k], &s->bead[j]);
    if (acting.n == 0)
        return;
    const Line line = line_from(s, s->bead[k].at, neg3(acting.d));
    for (int32_t t = 0; t < acting.n; t++)
        add_flow(s, sums, s->part[acting.slot[t]], &line, acting.d, acting.term[t].f);
}

/* The pairs of a bead with those of a cell that come behind it. */
static void visit_cell(const AmphiStress *s, const Sums *sums, int32_t k, int32_t cell)
{
    const real3 x = s->bead[k].at;

    for (int32_t j = s->start[cell] > k ? s->start[cell] : k + 1; j < s->start[cell + 1]; j++) {
        const real3 d = nearest_image(&s->box, sub3(x, s->bead[j].at));

        if (dot3(d, d) < s->rules.cutoff2)
            visit_pair(s, sums, k, j);
    }
}

static void visit_around(const AmphiStress *s, const Sums *sums, int32_t k)
{
    int32_t       around[27];
    const int32_t n = amphi_grid_around(&s->grid, s->frame->position_nm[s->id[k]], around);

    for (int32_t c = 0; c < n; c++)
        visit_cell(s, sums, k, around[c]);
}

/* ---- bonds ---- */

/* Forces f along the edges of the triangle of three beads, of which b is the one in the middle:
 * edge 0 from b to a, 1 from b to c, 2 from c to a. False if there is no triangle. */
static bool take_apart(const BondGeometry *g, const BondResult *b, real3 d[3], real3 f[3])
{
    real3 e[3];

    d[0] = sub3(g->x[0], g->x[1]);
    d[1] = sub3(g->x[2], g->x[1]);
    d[2] = sub3(g->x[0], g->x[2]);
    for (int k = 0; k < 3; k++) {
        if (!(dot3(d[k], d[k]) > 0))
            return false;
        e[k] = scale3(inv_sqrt(dot3(d[k], d[k])), d[k]);
    }
    const double c   = dot3(e[0], e[2]);
    const double det = 1 - c * c;
    if (det < 1e-8) /* nearly in a line: what is left of the forces is noise */
        return false;

    const double f0 = dot3(b->f[0], e[0]), f2 = dot3(b->f[0], e[2]);
    const double along_ca = (f2 - c * f0) / det;
    f[0]                  = scale3((f0 - c * f2) / det, e[0]);
    f[2]                  = scale3(along_ca, e[2]);
    f[1]                  = scale3(dot3(b->f[2], e[1]) + along_ca * dot3(e[2], e[1]), e[1]);
    return true;
}

static bool has_torque(const BondResult *b)
{
    for (int k = 0; k < AMPHI_MAX_BOND_BEADS; k++)
        if (dot3(b->t[k], b->t[k]) > 0)
            return true;
    return false;
}

/* The lines by which forces go from bead to bead; where torques act too, from the middle one of
 * three to the others. Their number. */
static int32_t lines_of(const BondTerm *term, const BondGeometry *g, const BondResult *b,
                        real3 d[3], real3 f[3])
{
    if (term->n_beads < 2)
        return 0;
    if (term->n_beads == 3 && !has_torque(b) && take_apart(g, b, d, f))
        return 3;
    d[0] = sub3(g->x[0], g->x[1]);
    f[0] = b->f[0];
    if (term->n_beads == 2)
        return 1;
    d[1] = sub3(g->x[2], g->x[1]);
    f[1] = b->f[2];
    return 2;
}

static void visit_bond(const AmphiStress *s, const Sums *sums, const AmphiBond *bond)
{
    const BondTerm *term  = &s->bond[bond->rule];
    const real3     first = vector_of(s->frame->position_nm[bond->bead[0]]);
    BondGeometry    g     = { 0 };
    real3           d[3], f[3];

    if (s->part[term->slot] == NO_PART)
        return;
    for (int32_t k = 0; k < term->n_beads; k++) {
        const double *q = s->frame->orientation[bond->bead[k]];

        g.x[k] =
            nearest_image(&s->box, sub3(vector_of(s->frame->position_nm[bond->bead[k]]), first));
        g.u[k] = body_axis((quat){ q[0], q[1], q[2], q[3] });
    }
    if (bond_is_angle(term->kind))
        g.x[2] = nearer_image(g.x[2], g.x[1], s->frame->box_nm);

    const BondResult b = bond_eval(term, &g);
    const int32_t    n = lines_of(term, &g, &b, d, f);
    for (int32_t k = 0; k < n; k++) {
        /* from where d ends: bead b, b, c of a triangle */
        const int32_t from = k < 2 ? 1 : 2;
        const Line    line = line_from(s, add3(first, g.x[from]), d[k]);

        add_flow(s, sums, s->part[term->slot], &line, d[k], f[k]);
    }
}

/* ---- all of it ---- */

/* By what v(t)^2 becomes the mean of two half steps, along each axis; 1 before the first step. */
static void find_scale(const AmphiStress *s, double scale[3])
{
    const AmphiFrame *f       = s->frame;
    double            full[3] = { 0 };

    for (int32_t i = 0; i < s->system->n_beads; i++) {
        const double half_mass = 0.5 * s->system->type[s->system->bead_type[i]].mass_u;

        for (int a = 0; a < 3; a++)
            full[a] += half_mass * f->velocity_nm_ps[i][a] * f->velocity_nm_ps[i][a];
    }
    for (int a = 0; a < 3; a++)
        scale[a] = full[a] > 0 && f->kinetic_half_kJ_mol[a][a] > 0
                       ? f->kinetic_half_kJ_mol[a][a] / full[a]
                       : 1;
}

static void add_kinetic(const AmphiStress *s, const Sums *sums)
{
    const AmphiFrame *f    = s->frame;
    const int         axis = s->slabs->axis;
    double            scale[3];

    find_scale(s, scale);
    for (int32_t i = 0; i < s->system->n_beads; i++) {
        const double  mass = s->system->type[s->system->bead_type[i]].mass_u;
        const double *v    = f->velocity_nm_ps[i];
        const double  place =
            amphi_slabs_place(s->slabs, f->position_nm[i][axis], s->middle_nm, f->box_nm[axis]);
        const Line point = point_at(s, place);

        add_flow(s, sums, KINETIC, &point, vector_of(v),
                 (real3){ mass * scale[0] * v[0], mass * scale[1] * v[1], mass * scale[2] * v[2] });
    }
}

static void visit_chunk(const AmphiStress *s, int32_t c)
{
    const int64_t n    = s->system->n_beads;
    const size_t  size = (size_t)s->n_parts * AMPHI_DIRECTIONS * (size_t)s->slabs->n_slabs;

    memset(s->chunk[c].in, 0, size * sizeof(double));
    memset(s->chunk[c].change, 0, size * sizeof(double));
    for (int64_t k = c * n / CHUNKS; k < (c + 1) * n / CHUNKS; k++)
        visit_around(s, &s->chunk[c], (int32_t)k);
}

/* In the order of chunks, then from slab to slab. */
static void add_up(AmphiStress *s)
{
    const int32_t n_slabs = s->slabs->n_slabs;

    for (int32_t row = 0; row < s->n_parts * AMPHI_DIRECTIONS; row++) {
        double every = 0;

        for (int32_t k = 0; k < n_slabs; k++) {
            const int64_t at = (int64_t)row * n_slabs + k;

            s->sum[at] = 0;
            for (int c = 0; c < CHUNKS; c++) {
                s->sum[at] += s->chunk[c].in[at];
                every += s->chunk[c].change[at];
            }
            s->sum[at] += every;
        }
    }
}

const double *amphi_stress_sum(AmphiStress *s, const AmphiFrame *frame, double middle_nm,
                               int32_t threads)
{
    const int    axis = s->slabs->axis;
    const double half = 0.5 * frame->box_nm[axis] / s->slabs->width_nm;

    s->frame     = frame;
    s->threads   = threads > 0 ? threads : omp_get_max_threads();
    s->middle_nm = middle_nm;
    s->bottom    = s->slabs->n_below - half;
    s->top       = s->slabs->n_below + half;
    s->box       = box_prepare(frame->box_nm);
    sort_beads(s);
#pragma omp parallel for schedule(dynamic) num_threads(s->threads)
    for (int32_t c = 0; c < CHUNKS; c++)
        visit_chunk(s, c);
    for (int32_t k = 0; k < s->system->n_bonds; k++)
        visit_bond(s, &s->chunk[0], &s->system->bond[k]);
    add_kinetic(s, &s->chunk[0]);
    add_up(s);
    return s->sum;
}
