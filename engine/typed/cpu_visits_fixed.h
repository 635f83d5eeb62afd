/* The loops over one segment of a row in fixed precision: each component of a pair is rounded once,
 * and then summed as an integer. Part of cpu_visits.h.
 */
#ifndef AMPHI_TYPED_CPU_VISITS_H
#include "cpu_visits.h" /* comes back here once it has said what a pass is */
#endif

#ifndef AMPHI_TYPED_CPU_VISITS_FIXED_H
#define AMPHI_TYPED_CPU_VISITS_FIXED_H

#ifdef AMPHI_BUILD_FIXED

#define ENERGY_UNITS R(1 << FIXED_ENERGY_BITS)

/* The largest potential of one pair, in units, that add_bits can round. Virials are below it too
 * where forces are in range, because distances are below the cut-off. */
#define MOST_OF_A_PAIR 0x1p50F

AMPHI_BOTH void add_energy(const Seen *c, const PairGeometry *g, real u, real3 f, int level,
                           TotalSums *sums)
{
    const real units = ENERGY_UNITS * u;

    add_bits(units, &sums->u);
    sums->most = larger(sums->most, size_bits(units));
    sums->n_groups++;
    if (level >= WITH_VIRIAL) {
        add_bits(c->lever * (g->d.x * f.x), &sums->w.x);
        add_bits(c->lever * (g->d.y * f.y), &sums->w.y);
        add_bits(c->lever * (g->d.z * f.z), &sums->w.z);
    }
}

AMPHI_BOTH void keep_parts(whole near, PairParts *w)
{
    w->u  = keep(near, w->u);
    w->fd = keep(near, w->fd);
    w->fp = keep(near, w->fp);
    w->fq = keep(near, w->fq);
    w->fz = keep(near, w->fz);
}

/* As in the other precisions: the next group is loaded before this one is evaluated, and parts are
 * masked. */
AMPHI_BOTH void visit_axes(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot,
                           int32_t n, BeadSums *bead, TotalSums *total, int32_t kind,
                           int32_t with_lj, int switched, int level)
{
    const int       unit  = pair_reads_unit_axis(kind);
    const int       has_i = pair_feels_axis_i(kind), has_j = pair_feels_axis_j(kind);
    const Record   *records = c->record[unit ? UNIT_AXES : DIPOLES];
    const PairTerm *term    = &pass->term[with_lj];
    const PairScale scale   = c->scale[unit];
    Sum3            f = bead->f, field = bead->field[unit];
    real            square = bead->square;
    PairGeometry    next   = load_group(c, records, i, slot);
    Columns         coming;

    if (FETCHED_EARLY && LANES < n)
        coming = load_columns(records, slot + LANES);
    for (int32_t k = 0; k < n; k += LANES) {
        const PairGeometry now = next;

        __builtin_prefetch(slot + k + c->row_stride);
        if (k + LANES < n) {
            if (!FETCHED_EARLY)
                coming = load_columns(records, slot + k + LANES);
            next = group_geometry(c, &records[i], &coming);
        }
        if (FETCHED_EARLY && k + 2 * LANES < n)
            coming = load_columns(records, slot + k + 2 * LANES);

        const whole near = lanes_near(now.r2, term->cutoff2, slot + k, i);
        PairParts   w    = pair_fixed_parts(kind, switched, term, &pass->term[0], with_lj, &now);

        keep_parts(near, &w);

        const PairUnits p = pair_fixed_units(&w, &now, has_i, has_j, unit, scale);

        add_modulo(p.f, &f, &square);
        if (has_i)
            add_modulo(p.g, &field, &square);
        if (level >= WITH_POTENTIAL)
            add_energy(c, &now, w.u, p.f, level, total);
    }
    bead->f      = f;
    bead->square = square;
    if (has_i)
        bead->field[unit] = field;
}

/* Force and torque of a pair with whole frames, in units; zero from the cut-off on. */
AMPHI_BOTH PairUnits units_of_frames(const Seen *c, const PairTerm *term, const PairGeometry *g,
                                     const scalar quaternion[4], whole near, real *u)
{
    const quat       qj     = { g->axis_j.x, g->axis_j.y, g->axis_j.z, g->charge_j };
    const PairFrames frames = { spread_quat(quaternion), qj };
    const PairResult p      = pair_sticky(&term->as.sticky, g, &frames);

    *u = keep(near, p.u);
    return (PairUnits){ keep3(near, scale3(spread(c->scale[1].force), p.f)),
                        keep3(near, scale3(spread(c->scale[1].field), p.ti)) };
}

/* These potentials are short-ranged, so groups without a neighbour are skipped. */
AMPHI_BOTH void visit_frames(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot,
                             int32_t n, BeadSums *bead, TotalSums *total, int level)
{
    const Record   *records = c->record[FRAMES];
    const PairTerm *term    = &pass->term[0];

    for (int32_t k = 0; k < n; k += LANES) {
        const PairGeometry now  = load_group(c, records, i, slot + k);
        const whole        near = lanes_near(now.r2, term->cutoff2, slot + k, i);
        real               u;

        if (!any(near))
            continue;
        const PairUnits p = units_of_frames(c, term, &now, records[i].value, near, &u);

        add_modulo(p.f, &bead->f, &bead->square);
        add_modulo(p.g, &bead->torque, &bead->square);
        if (level >= WITH_POTENTIAL)
            add_energy(c, &now, u, p.f, level, total);
    }
}

/* The same segment with 64-bit sums. */
typedef void Careful(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot, int32_t n,
                     CarefulSums *sums);

AMPHI_BOTH void add_careful(const PairUnits *p, int32_t kind, CarefulSums *sums)
{
    const int unit = pair_reads_unit_axis(kind);

    add_rounded3(p->f, &sums->f);
    sums->most_force = larger3(sums->most_force, p->f);
    if (kind == PAIR_sticky) {
        add_rounded3(p->g, &sums->torque);
        sums->most_torque = larger3(sums->most_torque, p->g);
    } else if (pair_feels_axis_i(kind)) {
        add_rounded3(p->g, &sums->field[unit]);
        sums->most_field[unit] = larger3(sums->most_field[unit], p->g);
    }
}

AMPHI_BOTH void careful_segment(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot,
                                int32_t n, CarefulSums *sums, int32_t kind)
{
    const int       unit    = pair_reads_unit_axis(kind);
    const Record   *records = c->record[pass->records];
    const int       with_lj = pass->n_terms - 1;
    const PairTerm *term    = &pass->term[with_lj];

    for (int32_t k = 0; k < n; k += LANES) {
        const PairGeometry now  = load_group(c, records, i, slot + k);
        const whole        near = lanes_near(now.r2, term->cutoff2, slot + k, i);
        PairUnits          p;

        if (kind == PAIR_sticky) {
            real u;

            p = units_of_frames(c, term, &now, records[i].value, near, &u);
        } else {
            PairParts w =
                pair_fixed_parts(kind, term->switched, term, &pass->term[0], with_lj, &now);

            keep_parts(near, &w);
            p = pair_fixed_units(&w, &now, pair_feels_axis_i(kind), pair_feels_axis_j(kind), unit,
                                 c->scale[unit]);
        }
        add_careful(&p, kind, sums);
    }
}

#define CAREFUL(name, of_term, needs)                                                              \
    static void careful_##name(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot,    \
                               int32_t n, CarefulSums *sums)                                       \
    {                                                                                              \
        careful_segment(c, pass, i, slot, n, sums, PAIR_##name);                                   \
    }
#define CAREFUL_NAME(name, of_term, needs) careful_##name,

PAIR_LIST(CAREFUL)

static Careful *const carefuls[PAIR_KINDS] = { PAIR_LIST(CAREFUL_NAME) };

/* Energies and virials term by term. */
AMPHI_BOTH void tally_segment(const Seen *c, const PairTerm *term, int32_t i, const int32_t *slot,
                              int32_t n, TermSums *sums, int32_t kind)
{
    const Record *records = c->record[kind == PAIR_sticky          ? FRAMES
                                      : pair_reads_unit_axis(kind) ? UNIT_AXES
                                                                   : DIPOLES];

    for (int32_t k = 0; k < n; k += LANES) {
        const PairGeometry now    = load_group(c, records, i, slot + k);
        const real3        d      = now.d;
        const quat         qj     = { now.axis_j.x, now.axis_j.y, now.axis_j.z, now.charge_j };
        const PairFrames   frames = { spread_quat(records[i].value), qj };
        const whole        near   = lanes_near(now.r2, term->cutoff2, slot + k, i);
        real               u;
        const PairUnits    p = pair_fixed_term(kind, term->switched, term, &now, &frames, &u);
        const real3        f = keep3(near, p.f);

        add_rounded(ENERGY_UNITS * keep(near, u), &sums->u);
        sums->count -= near;
        for (int a = 0; a < 3; a++) {
            const real along = a == 0 ? d.x : a == 1 ? d.y : d.z;

            add_rounded(ENERGY_UNITS * (along * f.x), &sums->w[a][0]);
            add_rounded(ENERGY_UNITS * (along * f.y), &sums->w[a][1]);
            add_rounded(ENERGY_UNITS * (along * f.z), &sums->w[a][2]);
        }
    }
}

#endif

#endif
