/* The loops over one segment of a row in fixed precision: each component of a pair is rounded once,
 * and then summed as an integer. Part of cpu_visits.h.
 */
#ifndef AMPHI_TYPED_CPU_VISITS_H
#include "cpu_visits.h" /* comes back here once it has said what a pass is */
#endif

#ifndef AMPHI_TYPED_CPU_VISITS_FIXED_H
#define AMPHI_TYPED_CPU_VISITS_FIXED_H

#ifdef AMPHI_BUILD_FIXED

/* u and f are in units of force, without their nm. */
AMPHI_BOTH void add_energy(const Seen *c, const PairGeometry *g, real u, real3 f, int level,
                           TotalSums *sums)
{
    const real units = c->lever * u;

    add_bits(units, &sums->u);
    sums->most = larger(sums->most, size_bits(units));
    sums->n_groups++;
    if (level >= WITH_VIRIAL) {
        add_bits(c->lever * (g->d.x * f.x), &sums->w.x);
        add_bits(c->lever * (g->d.y * f.y), &sums->w.y);
        add_bits(c->lever * (g->d.z * f.z), &sums->w.z);
    }
}

/* One term of a pass, from its masked parts; or from those of the pass, if it has one. */
AMPHI_BOTH void add_term(const Seen *c, const PairGeometry *g, whole near, real u, real3 f,
                         TermSums *sums)
{
    const real3 f_units = scale3(spread(c->lever), f);

    add_bits(c->lever * u, &sums->u);
    sums->n_groups++;
    sums->count -= near;
    for (int a = 0; a < 3; a++) {
        const real along = a == 0 ? g->d.x : a == 1 ? g->d.y : g->d.z;

        add_bits(along * f_units.x, &sums->w[a][0]);
        add_bits(along * f_units.y, &sums->w[a][1]);
        add_bits(along * f_units.z, &sums->w[a][2]);
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

/* The terms of a pass: with Lennard-Jones each is evaluated alone once more. */
AMPHI_BOTH void add_terms_of_pass(const Seen *c, const Pass *pass, const PairGeometry *g,
                                  whole near, real u, real3 f, TermSums *terms, int32_t kind,
                                  int32_t with_lj, int switched)
{
    const int32_t unit = pair_reads_unit_axis(kind);
    PairParts     own, lj;

    if (!with_lj) {
        add_term(c, g, near, u, f, &terms[pass->term[0].slot]);
        return;
    }
    own = pair_fixed_parts_with(spread(R(0)), kind, switched, &pass->term[1], g);
    lj  = pair_parts_of_kind(PAIR_lj, 0, &pass->term[0], g);
    keep_parts(near, &own);
    keep_parts(near, &lj);
    add_term(c, g, near, own.u,
             pair_fixed_units(&own, g, pair_feels_axis_i(kind), pair_feels_axis_j(kind), unit,
                              pair_fixed_rest(unit))
                 .f,
             &terms[pass->term[1].slot]);
    add_term(c, g, near, lj.u, pair_fixed_units(&lj, g, 0, 0, 0, pair_fixed_rest(0)).f,
             &terms[pass->term[0].slot]);
}

/* As in the other precisions: the next group is loaded before this one is evaluated. */
AMPHI_BOTH void visit_axes(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot,
                           int32_t n, BeadSums *bead, TotalSums *total, TermSums *terms,
                           int32_t kind, int32_t with_lj, int switched, int level, Close *close)
{
    const int       unit  = pair_reads_unit_axis(kind);
    const int       has_i = pair_feels_axis_i(kind), has_j = pair_feels_axis_j(kind);
    const Record   *records = c->record[unit ? UNIT_AXES : DIPOLES];
    const PairTerm *term    = &pass->term[with_lj];
    const PairScale scale   = pair_fixed_rest(unit);
    Sum3            f = bead->f, field = bead->field[unit];
    real            square = bead->square;
    PairGeometry    next   = load_group(c, records, i, slot);
    Columns         coming;

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

        const near_lanes within = find_near(now.r2, term->cutoff2, slot + k, i);
        const whole      near   = lanes_as_whole(within);
        PairParts        w = pair_fixed_parts(kind, switched, term, &pass->term[0], with_lj, &now);

        if (close != NULL)
            add_close(now.r2, i, slot + k, close);
        if (!ADDS_MASKED || level >= WITH_POTENTIAL)
            keep_parts(near, &w);

        const PairUnits p = pair_fixed_units(&w, &now, has_i, has_j, unit, scale);

        add_modulo(within, p.f, &f, &square);
        if (has_i)
            add_modulo(within, p.g, &field, &square);
        if (level >= WITH_POTENTIAL)
            add_energy(c, &now, w.u, p.f, level, total);
        if (level >= WITH_TERMS)
            add_terms_of_pass(c, pass, &now, near, w.u, p.f, terms, kind, with_lj, switched);
    }
    bead->f      = f;
    bead->square = square;
    if (has_i)
        bead->field[unit] = field;
}

/* Force and torque of a pair with whole frames, in units; zero from the cut-off on. */
AMPHI_BOTH PairUnits units_of_frames(const PairTerm *term, const PairGeometry *g,
                                     const scalar quaternion[4], whole near, real *u)
{
    const quat       qj     = { g->axis_j.x, g->axis_j.y, g->axis_j.z, g->charge_j };
    const PairFrames frames = { spread_quat(quaternion), qj };
    const PairResult p      = pair_sticky(&term->as.sticky, g, &frames);

    *u = keep(near, p.u);
    return (PairUnits){ keep3(near, p.f),
                        keep3(near, scale3(spread(pair_fixed_rest(1).field), p.ti)) };
}

/* Sums over the slots of a Close. */
AMPHI_BOTH void visit_close(const Seen *c, const Pass *pass, int32_t i, const int32_t *slot,
                            int32_t n, BeadSums *bead, TotalSums *total, TermSums *terms, int level)
{
    const Record   *records = c->record[FRAMES];
    const PairTerm *term    = &pass->term[0];

    for (int32_t k = 0; k < n; k += LANES) {
        const PairGeometry now    = load_group(c, records, i, slot + k);
        const near_lanes   within = find_near(now.r2, term->cutoff2, slot + k, i);
        const whole        near   = lanes_as_whole(within);
        real               u;
        const PairUnits    p = units_of_frames(term, &now, records[i].value, near, &u);

        add_modulo(within, p.f, &bead->f, &bead->square);
        add_modulo(within, p.g, &bead->torque, &bead->square);
        if (level >= WITH_POTENTIAL)
            add_energy(c, &now, u, p.f, level, total);
        if (level >= WITH_TERMS)
            add_term(c, &now, near, u, p.f, &terms[term->slot]);
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

            p = units_of_frames(term, &now, records[i].value, near, &u);
        } else {
            PairParts w =
                pair_fixed_parts(kind, term->switched, term, &pass->term[0], with_lj, &now);

            keep_parts(near, &w);
            p = pair_fixed_units(&w, &now, pair_feels_axis_i(kind), pair_feels_axis_j(kind), unit,
                                 pair_fixed_rest(unit));
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

#endif

#endif
