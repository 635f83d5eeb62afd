/* The vectorised loops over one segment of a row. They contain no formula: each class of terms
 * (forcefield/classes.h) is one function with constant kinds, so that the compiler resolves the
 * switch in pairs.h. Part of cpu_pairs.c.
 */
#ifndef AMPHI_TYPED_CPU_VISITS_H
#define AMPHI_TYPED_CPU_VISITS_H

#include "../../forcefield/classes.h"
#include "../cpu_pairs.h"
#include "../num/lanes_x86.h"
#include "cpu_records.h"

/* With AVX-512 groups are loaded two ahead and transposed one ahead; AVX2 has too few registers. */
enum { FETCHED_EARLY = sizeof(real) == 64 };

/* Entries between what is read and what is prefetched, from the next row or the one after it: rows
 * follow each other. */
enum { ROW_AHEAD = 512 };

#ifdef AMPHI_BUILD_FIXED
#include "cpu_sums_fixed.h"
#else
/* Sums for one bead over its neighbours, in lanes, by the parts of pair.h: the force is f + along
 * p, the torque p x field, with p the axis of the bead in the record of that kind. They are put
 * together once for each bead, in double. */
typedef struct {
    real3 f;
    real3 field[AXIS_KINDS];
    real  along[AXIS_KINDS];
    real3 torque; /* of potentials that read frames */
} BeadSums;

/* Sums over a block of beads, in which every pair counts twice. */
typedef struct {
    real  u;
    real3 w; /* the diagonal of the virial */
} TotalSums;

/* The same of one term, with the whole virial. */
typedef struct {
    real    u, w[3][3];
    int64_t count; /* pairs within range */
} TermSums;
#endif

/* What is summed besides forces and torques: totals, and energy and virial of each term too. Forces
 * have the same bits at every level, and so have totals at every level that has them. */
typedef enum { FORCES, WITH_POTENTIAL, WITH_VIRIAL, WITH_TERMS, LEVELS } Level;

/* What all visits read. */
typedef struct {
    Record *record[RECORD_KINDS]; /* [n] by slot */
    scalar  nm_per_unit[3];
    scalar  nm_rest[3]; /* what rounding has taken from these */
#ifdef AMPHI_BUILD_FIXED
    scalar lever; /* pair_fixed_lever */
#endif
} Seen;

typedef struct Pass Pass;

/* One bead, one segment of n slots, n > 0. terms: [AMPHI_TERMS], read WITH_TERMS only. */
typedef void Visit(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot, int32_t n,
                   BeadSums *bead, TotalSums *total, TermSums *terms);

struct Pass {
    RecordKind records;
    int32_t    n_terms;
    int32_t    does; /* passes: 2 if a visit does that of the sticky term behind it, too */
    PairTerm   term[2];
    Visit     *visit[LEVELS];
};

static inline coordinate coordinate_of(double x_nm, double edge_nm)
{
#if !defined(AMPHI_BUILD_DOUBLE)
    return amphi_cpu_fraction(x_nm, 1 / edge_nm);
#elif defined(WRAPS_BY_ROUNDING)
    return x_nm / edge_nm - floor(x_nm / edge_nm);
#else
    const double s = x_nm / edge_nm;

    /* half of the units, which are at most 2^62: the highest bit is for the wrap */
    return (coordinate)((uint64_t)(int64_t)((s - nearbyint(s)) * (0.5 * UNITS_AN_EDGE)) << 1);
#endif
}

/* Geometry of a group: d from each neighbour to bead i. */

AMPHI_BOTH real along(coordinate me, real you, scalar nm_per_unit)
{
#ifdef WRAPS_BY_ROUNDING
    const real d = me - you;

    return (d - nearest_whole(d)) * nm_per_unit;
#else
    return rounded_once(
        __builtin_convertvector(wrapped_difference((whole){ 0 } + me, (whole)you), real),
        spread(nm_per_unit), spread(R(0)));
#endif
}

AMPHI_BOTH real3 spread3(const scalar v[3])
{
    const real3 out = { spread(v[0]), spread(v[1]), spread(v[2]) };
    return out;
}

AMPHI_BOTH quat spread_quat(const scalar v[4])
{
    const quat out = { spread(v[0]), spread(v[1]), spread(v[2]), spread(v[3]) };
    return out;
}

#if KEEPS_RESTS
/* What rounding has taken from d, nm: the conversion of whole numbers, the length of a unit, and
 * the product. Half a box edge may convert to 2^31, which wraps back. */
AMPHI_BOTH real rest_along(const Seen *c, int a, coordinate me, real you, real d)
{
    const whole units = wrapped_difference((whole){ 0 } + me, (whole)you);
    const real  most  = __builtin_convertvector(units, real);
    const real  left  = __builtin_convertvector(
        wrapped_difference(units, __builtin_convertvector(most, whole)), real);

    return rounded_once(left, spread(c->nm_per_unit[a]),
                        rounded_once(most, spread(c->nm_rest[a]),
                                     rounded_once(most, spread(c->nm_per_unit[a]), -d)));
}

AMPHI_BOTH real3 rest_of(const Seen *c, const Record *me, const Columns *you, real3 d)
{
    return (real3){ rest_along(c, 0, me->at[0], you->column[0], d.x),
                    rest_along(c, 1, me->at[1], you->column[1], d.y),
                    rest_along(c, 2, me->at[2], you->column[2], d.z) };
}
#else
AMPHI_BOTH real3 rest_of(const Seen *c, const Record *me, const Columns *you, real3 d)
{
    (void)c, (void)me, (void)you, (void)d;
    return (real3){ spread(R(0)), spread(R(0)), spread(R(0)) };
}
#endif

AMPHI_BOTH PairGeometry group_geometry(const Seen *c, const Record *me, const Columns *you)
{
    PairGeometry g;

    g.d.x      = along(me->at[0], you->column[0], c->nm_per_unit[0]);
    g.d.y      = along(me->at[1], you->column[1], c->nm_per_unit[1]);
    g.d.z      = along(me->at[2], you->column[2], c->nm_per_unit[2]);
    g.r2       = dot3(g.d, g.d);
    g.inv_r    = inv_sqrt(g.r2);
    g.axis_i   = spread3(me->value);
    g.axis_j   = (real3){ you->column[4], you->column[5], you->column[6] };
    g.charge_i = spread(me->value[3]);
    g.charge_j = you->column[7];
    g.d_rest   = rest_of(c, me, you, g.d);
    return g;
}

/* Rows are padded with the bead itself, which find_near excludes. */
AMPHI_BOTH PairGeometry load_group(const Seen *c, const Record *records, int32_t i,
                                   const int32_t *slot)
{
    const Columns you = load_columns(records, slot);

    return group_geometry(c, &records[i], &you);
}

/* Of a segment, at most so many slots at once. */
enum { CLOSE_AT_ONCE = 512 };

/* The slots of a segment that are within a cut-off of bead i, packed, and padded as rows are. What
 * is short-ranged meets one group of neighbours instead of one here and there in every group of
 * the row. */
typedef struct {
    scalar  cutoff2;
    int32_t n, slot[CLOSE_AT_ONCE + LANES];
} Close;

AMPHI_BOTH void add_close(real r2, int32_t i, const int32_t *slot, Close *close)
{
    const near_lanes near = find_near(r2, close->cutoff2, slot, i);

    close->n += pack(close->slot + close->n, load_slots(slot), near_bits(near));
}

AMPHI_BOTH void find_close(const Seen *c, const Record *records, int32_t i, const int32_t *slot,
                           int32_t n, Close *close)
{
    for (int32_t k = 0; k < n; k += LANES) {
        const PairGeometry g = load_group(c, records, i, slot + k);

        add_close(g.r2, i, slot + k, close);
    }
}

#include "cpu_visits_fixed.h"

#ifndef AMPHI_BUILD_FIXED

AMPHI_BOTH void add_scaled(near_lanes near, real3 *sum, real factor, const real3 *v)
{
    sum->x = add_product(near, factor, v->x, sum->x);
    sum->y = add_product(near, factor, v->y, sum->y);
    sum->z = add_product(near, factor, v->z, sum->z);
}

AMPHI_BOTH void add_parts(near_lanes near, const PairParts *w, const PairGeometry *g, int32_t kind,
                          real3 *f, real3 *field, real *along)
{
    add_scaled(near, f, w->fd, &g->d);
    if (pair_feels_axis_j(kind))
        add_scaled(near, f, w->fq, &g->axis_j);
    if (pair_feels_axis_i(kind)) {
        *along = add_near(near, w->fp, *along);
        add_scaled(near, field, w->fp, &g->d);
    }
    if (pair_feels_axis_i(kind) && pair_feels_axis_j(kind))
        add_scaled(near, field, w->fz, &g->axis_j);
}

/* The force of parts, for sums besides those of forces: products of it are not recognised as those
 * of the latter. */
AMPHI_BOTH real3 force_beside(const PairParts *w, const PairGeometry *g, real3 d, int32_t kind)
{
    real3 f = scale3(w->fd, d);

    if (pair_feels_axis_i(kind))
        f = add3(f, scale3(hidden(w->fp), g->axis_i));
    if (pair_feels_axis_j(kind))
        f = add3(f, scale3(hidden(w->fq), g->axis_j));
    return f;
}

AMPHI_BOTH real3 hidden3(real3 a)
{
    return (real3){ hidden(a.x), hidden(a.y), hidden(a.z) };
}

AMPHI_BOTH void add_virial(near_lanes near, const PairParts *w, const PairGeometry *g, int32_t kind,
                           real3 *sum)
{
    const real3 d = hidden3(g->d), f = force_beside(w, g, d, kind);

    sum->x = add_product(near, f.x, d.x, sum->x);
    sum->y = add_product(near, f.y, d.y, sum->y);
    sum->z = add_product(near, f.z, d.z, sum->z);
}

AMPHI_BOTH void add_row(near_lanes near, real along, real3 f, int first, real row[3])
{
    if (first == 0)
        row[0] = add_product(near, f.x, along, row[0]);
    if (first <= 1)
        row[1] = add_product(near, f.y, along, row[1]);
    row[2] = add_product(near, f.z, along, row[2]);
}

/* The virial of a central force is symmetric: only one half is summed. */
AMPHI_BOTH int is_central(int32_t kind)
{
    return !pair_feels_axis_i(kind) && !pair_feels_axis_j(kind);
}

AMPHI_BOTH void add_whole_virial(near_lanes near, real3 d, real3 f, int is_half, TermSums *sums)
{
    add_row(near, d.x, f, 0, sums->w[0]);
    add_row(near, d.y, f, is_half ? 1 : 0, sums->w[1]);
    add_row(near, d.z, f, is_half ? 2 : 0, sums->w[2]);
}

AMPHI_BOTH void add_term(near_lanes near, const PairParts *w, const PairGeometry *g, int32_t kind,
                         TermSums *sums)
{
    const real3 d = hidden3(g->d);

    sums->u = add_near(near, w->u, sums->u);
    add_whole_virial(near, d, force_beside(w, g, d, kind), is_central(kind), sums);
}

/* The terms of a pass, while it goes over a segment. */
typedef struct {
    TermSums own, lj;
    int64_t  count;
} PassSums;

AMPHI_BOTH void add_terms_of_pass(near_lanes near, const PairParts *w, const PairParts *lj,
                                  const PairGeometry *g, int32_t kind, int32_t with_lj,
                                  PassSums *sums)
{
    sums->count += count_near(near);
    add_term(near, w, g, kind, &sums->own);
    if (with_lj)
        add_term(near, lj, g, PAIR_lj, &sums->lj);
}

AMPHI_BOTH PassSums begin_terms_of_pass(const Pass *pass, int32_t with_lj, const TermSums *terms)
{
    return (PassSums){ terms[pass->term[with_lj].slot], terms[pass->term[0].slot], 0 };
}

AMPHI_BOTH void keep_term(const TermSums *sums, int32_t kind, int64_t count, TermSums *out)
{
    *out = *sums;
    out->count += count;
    for (int a = 0; a < 3 && is_central(kind); a++)
        for (int b = 0; b < a; b++)
            out->w[a][b] = sums->w[b][a];
}

AMPHI_BOTH void keep_terms_of_pass(const PassSums *sums, const Pass *pass, int32_t kind,
                                   int32_t with_lj, TermSums *terms)
{
    keep_term(&sums->own, kind, sums->count, &terms[pass->term[with_lj].slot]);
    if (with_lj)
        keep_term(&sums->lj, PAIR_lj, sums->count, &terms[pass->term[0].slot]);
}

AMPHI_BOTH PairParts parts_alone(int32_t kind, int switched, const PairTerm *term,
                                 const PairGeometry *g)
{
    return kind == PAIR_dipole_dipole ? pair_dipoles_with(spread(R(0)), switched, term, g)
                                      : pair_parts_of_kind(kind, switched, term, g);
}

/* Two terms of one pass. What is added is the result of no product in sight, so that a term is
 * rounded alike whether or not it is also summed alone. */
AMPHI_BOTH PairParts join_parts(PairParts *own, PairParts *lj, int32_t kind, int switched,
                                const PairTerm *term, const PairGeometry *g)
{
    PairParts both;

    own->u  = hidden(own->u);
    own->fd = hidden(own->fd);
    lj->u   = hidden(lj->u);
    lj->fd  = hidden(lj->fd);
    if (kind == PAIR_dipole_dipole) {
        both = pair_dipoles_with(lj->fd, switched, term, g);
    } else {
        both    = *own;
        both.fd = lj->fd + own->fd;
    }
    both.u = lj->u + own->u;
    return both;
}

/* The loop over the pairs of a segment, for one kind or for Lennard-Jones with another; kinds,
 * switch and level are constants in the callers. The next group is loaded before the present one is
 * evaluated, to hide the latency of roots. Later entries are prefetched one cache line at a time: a
 * whole row at once would occupy the buffers that loads of records need, a third of the time at 50
 * 000 beads. Masks are applied to parts instead of results, as what they are multiplied by is
 * finite. close: what else wants these distances, or NULL. */
AMPHI_BOTH void visit_axes(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot,
                           int32_t n, BeadSums *bead, TotalSums *total, TermSums *terms,
                           int32_t kind, int32_t with_lj, int switched, int level, Close *close)
{
    const int       unit    = pair_reads_unit_axis(kind);
    const Record   *records = c->record[unit ? UNIT_AXES : DIPOLES];
    const PairTerm *term    = &pass->term[with_lj];
    real3           f = bead->f, field = bead->field[unit];
    real            along = bead->along[unit];
    TotalSums       sums  = *total;
    PassSums        apart;
    PairGeometry    next = load_group(c, records, i, slot);
    Columns         coming;

    if (level >= WITH_TERMS)
        apart = begin_terms_of_pass(pass, with_lj, terms);
    if (FETCHED_EARLY && LANES < n)
        coming = load_columns(records, slot + LANES);
    for (int32_t k = 0; k < n; k += LANES) {
        const PairGeometry now = next;

        __builtin_prefetch(slot + k + ROW_AHEAD);
        if (k + LANES < n) {
            if (!FETCHED_EARLY)
                coming = load_columns(records, slot + k + LANES);
            next = group_geometry(c, &records[i], &coming);
        }
        if (FETCHED_EARLY && k + 2 * LANES < n)
            coming = load_columns(records, slot + k + 2 * LANES);

        const near_lanes near = find_near(now.r2, term->cutoff2, slot + k, i);
        PairParts        w = parts_alone(kind, switched, term, &now), lj, both = w;

        if (close != NULL)
            add_close(now.r2, i, slot + k, close);
        if (with_lj) {
            lj   = pair_parts_of_kind(PAIR_lj, 0, &pass->term[0], &now);
            both = join_parts(&w, &lj, kind, switched, term, &now);
        }
        add_parts(near, &both, &now, kind, &f, &field, &along);
        if (level >= WITH_POTENTIAL)
            sums.u = add_near(near, both.u, sums.u);
        if (level >= WITH_VIRIAL)
            add_virial(near, &both, &now, kind, &sums.w);
        if (level >= WITH_TERMS)
            add_terms_of_pass(near, &w, &lj, &now, kind, with_lj, &apart);
    }
    bead->f = f;
    if (pair_feels_axis_i(kind)) {
        bead->field[unit] = field;
        bead->along[unit] = along;
    }
    if (level >= WITH_POTENTIAL)
        *total = sums;
    if (level >= WITH_TERMS)
        keep_terms_of_pass(&apart, pass, kind, with_lj, terms);
}

/* Sums over the slots of a Close. */
AMPHI_BOTH void visit_close(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot,
                            int32_t n, BeadSums *bead, TotalSums *total, TermSums *terms, int level)
{
    const Record   *records = c->record[FRAMES];
    const PairTerm *term    = &pass->term[0];
    TermSums       *own     = &terms[term->slot];

    for (int32_t k = 0; k < n; k += LANES) {
        const PairGeometry now    = load_group(c, records, i, slot + k);
        const quat         qj     = { now.axis_j.x, now.axis_j.y, now.axis_j.z, now.charge_j };
        const PairFrames   frames = { spread_quat(records[i].value), qj };
        const near_lanes   within = find_near(now.r2, term->cutoff2, slot + k, i);
        const whole        near   = lanes_as_whole(within);
        const PairResult   p      = pair_sticky(&term->as.sticky, &now, &frames);
        const real3        f      = keep3(near, p.f);

        bead->f      = add3(bead->f, f);
        bead->torque = add3(bead->torque, keep3(near, p.ti));
        if (level >= WITH_POTENTIAL)
            total->u += keep(near, p.u);
        if (level >= WITH_VIRIAL) {
            total->w.x += now.d.x * f.x;
            total->w.y += now.d.y * f.y;
            total->w.z += now.d.z * f.z;
        }
        if (level >= WITH_TERMS) {
            own->count += count_near(within);
            own->u = add_near(within, p.u, own->u);
            add_whole_virial(within, hidden3(now.d), hidden3(f), 0, own);
        }
    }
}

#endif

/* Potentials of whole orientations are short-ranged. pass: theirs. */
AMPHI_BOTH void visit_found(const Seen *c, const Pass *pass, int32_t i, Close *close,
                            BeadSums *bead, TotalSums *total, TermSums *terms, int level)
{
    fill_slots(close->slot + close->n, i);
    visit_close(c, pass, i, close->slot, close->n, bead, total, terms, level);
}

AMPHI_BOTH int32_t at_once(int32_t n)
{
    return n < CLOSE_AT_ONCE ? n : CLOSE_AT_ONCE;
}

AMPHI_BOTH void visit_frames(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot,
                             int32_t n, BeadSums *bead, TotalSums *total, TermSums *terms,
                             int level)
{
    Close close;

    close.cutoff2 = pass->term[0].cutoff2;
    for (int32_t first = 0; first < n; first += CLOSE_AT_ONCE) {
        close.n = 0;
        find_close(c, c->record[FRAMES], i, slot + first, at_once(n - first), &close);
        visit_found(c, pass, i, &close, bead, total, terms, level);
    }
}

/* What a class is compiled as: by itself, or with a sticky term that has the pass behind it and
 * wants the same distances. */
AMPHI_BOTH void visit_alone(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot,
                            int32_t n, BeadSums *bead, TotalSums *total, TermSums *terms,
                            int32_t kind, int32_t with_lj, int switched, int level)
{
    visit_axes(c, pass, i, slot, n, bead, total, terms, kind, with_lj, switched, level, NULL);
}

AMPHI_BOTH void visit_both(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot,
                           int32_t n, BeadSums *bead, TotalSums *total, TermSums *terms,
                           int32_t kind, int32_t with_lj, int switched, int level)
{
    Close close;

    close.cutoff2 = pass[1].term[0].cutoff2;
    for (int32_t first = 0; first < n; first += CLOSE_AT_ONCE) {
        close.n = 0;
        visit_axes(c, pass, i, slot + first, at_once(n - first), bead, total, terms, kind, with_lj,
                   switched, level, &close);
        visit_found(c, pass + 1, i, &close, bead, total, terms, level);
    }
}

/* What has axes, if anything has: of two kinds the second. */
AMPHI_BOTH int32_t last_of_class(int32_t kind, int32_t second)
{
    return second != PAIR_none ? second : kind;
}

#define VISIT_LEVEL(name, by, kind, with_lj, switched, level)                                      \
    static void visit_##name##_##level(const Seen *c, const Pass *pass, int32_t i,                 \
                                       const int32_t *slot, int32_t n, BeadSums *bead,             \
                                       TotalSums *total, TermSums *terms)                          \
    {                                                                                              \
        by(c, pass, i, slot, n, bead, total, terms, kind, with_lj, switched, level);               \
    }
#define VISIT_LEVELS(name, by, kind, with_lj, switched)                                            \
    VISIT_LEVEL(name, by, kind, with_lj, switched, 0)                                              \
    VISIT_LEVEL(name, by, kind, with_lj, switched, 1)                                              \
    VISIT_LEVEL(name, by, kind, with_lj, switched, 2)                                              \
    VISIT_LEVEL(name, by, kind, with_lj, switched, 3)
#define VISIT_CLASS(name, kind, second, switched)                                                  \
    VISIT_LEVELS(name, visit_alone, last_of_class(PAIR_##kind, PAIR_##second),                     \
                 (int32_t)PAIR_##second != PAIR_none, switched)
#define VISIT_STICKY(level)                                                                        \
    static void visit_sticky_##level(const Seen *c, const Pass *pass, int32_t i,                   \
                                     const int32_t *slot, int32_t n, BeadSums *bead,               \
                                     TotalSums *total, TermSums *terms)                            \
    {                                                                                              \
        visit_frames(c, pass, i, slot, n, bead, total, terms, level);                              \
    }

CLASS_LIST(VISIT_CLASS)
VISIT_STICKY(0)
VISIT_STICKY(1)
VISIT_STICKY(2)
VISIT_STICKY(3)

/* Those that SSD water has beside its sticky term. */
VISIT_LEVELS(lj_dipole_dipole_sticky, visit_both, PAIR_dipole_dipole, 1, 0)
VISIT_LEVELS(lj_dipole_dipole_switched_sticky, visit_both, PAIR_dipole_dipole, 1, 1)

#define VISITS(name)                                                                               \
    {                                                                                              \
        visit_##name##_0, visit_##name##_1, visit_##name##_2, visit_##name##_3                     \
    }
#define VISITS_OF_CLASS(name, kind, second, switched) VISITS(name),

/* By class, and last the sticky term, which has none. */
static Visit *const visits[CLASSES + 1][LEVELS] = { CLASS_LIST(VISITS_OF_CLASS) VISITS(sticky) };

static Visit *const visits_plain[LEVELS]    = VISITS(lj_dipole_dipole_sticky);
static Visit *const visits_switched[LEVELS] = VISITS(lj_dipole_dipole_switched_sticky);

/* Of a class with the sticky term of the next pass; NULL: those of two passes. */
static Visit *const *visits_with_sticky(PairClass is)
{
    return is == CLASS_lj_dipole_dipole            ? visits_plain
           : is == CLASS_lj_dipole_dipole_switched ? visits_switched
                                                   : NULL;
}

static RecordKind records_of(int32_t kind)
{
    return kind == PAIR_sticky ? FRAMES : pair_reads_unit_axis(kind) ? UNIT_AXES : DIPOLES;
}

#endif
