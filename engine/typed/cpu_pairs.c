/* Vectorised pair forces.
 *
 * The neighbours of a bead are in segments of one type. For each pair of types there is a short
 * list of passes over the segment (forcefield/classes.h); the most common combinations of two terms
 * share a pass. Segments of mixed types, with constants looked up for each lane, were not
 * measurably faster.
 */
#include <string.h>

#include "cpu_beads_fixed.h"
#include "cpu_blocks.h"

#define PASTE_NAMES(name, precision, set) name##_##precision##_##set
#define WITH_NAMES(name, precision, set)  PASTE_NAMES(name, precision, set)

/* Blocks that a thread takes at once: a hundredth of a membrane of 6784 beads. */
enum { SHARE = 4 };
/* How many beads ahead memory is prefetched while records are written. */
enum { AHEAD = 8 };

/* Terms into passes. */
static void plan_passes(AmphiCpuPairs *c, const AmphiPairRule *rule, Passes *out)
{
    bool          done[AMPHI_MAX_PAIR_TERMS] = { false };
    Visit *const *with_sticky                = NULL; /* those of the pass before */

    for (int32_t a = 0; a < rule->n_terms; a++) {
        if (done[a])
            continue;
        const PairVisit visit = take_visit(rule, a, done);
        Pass           *pass  = &out->pass[out->n++];

        pass->n_terms = visit.n_terms;
        pass->does    = 1;
        memcpy(pass->term, visit.term, sizeof pass->term);
        memcpy(pass->visit, visits[visit.is != CLASS_NONE ? visit.is : CLASSES],
               sizeof pass->visit);
        pass->records          = records_of(pass->term[0].kind);
        c->uses[pass->records] = true;
        if (pass->records == FRAMES && with_sticky != NULL) {
            memcpy(pass[-1].visit, with_sticky, sizeof pass->visit);
            pass[-1].does = 2;
        }
        with_sticky = visits_with_sticky(visit.is);
    }
}

/* Of all pairs of types, with potentials multiplied by a power of two; NULL: no memory. */
static Passes *plan_all(AmphiCpuPairs *c, double factor)
{
    const int64_t n   = (int64_t)c->system->n_types * c->system->n_types;
    Passes       *out = AMPHI_TAKE(c->arena, Passes, n);

    for (int64_t k = 0; out != NULL && k < n; k++) {
        AmphiPairRule rule = c->system->pair_rule[k];

#ifdef AMPHI_BUILD_FIXED
        for (int32_t a = 0; a < rule.n_terms; a++)
            enlarge(&rule.term[a], factor);
#else
        (void)factor;
#endif
        plan_passes(c, &rule, &out[k]);
    }
    return out;
}

/* Records. */

static void axis_of(const double q[4], double u[3])
{
    u[0] = 2 * (q[1] * q[3] + q[0] * q[2]);
    u[1] = 2 * (q[2] * q[3] - q[0] * q[1]);
    u[2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
}

static void write_record(const AmphiCpuPairs *c, int32_t slot, const AmphiBodies *bodies)
{
    const int32_t bead   = c->list->bead_of[slot];
    const double *q      = bodies->orientation[bead];
    const double  dipole = c->system->bead_dipole_e_nm[bead];
    Record        r      = { .value = { 0 } };
    double        u[3];

    axis_of(q, u);
    for (int a = 0; a < 3; a++)
#ifdef AMPHI_BUILD_FIXED
        r.at[a] = (int32_t)(uint32_t)(bodies->fixed->x[bead][a] >> (64 - FIXED_PLACE_BITS));
#else
        r.at[a] = coordinate_of(bodies->position_nm[bead][a], bodies->box_nm[a]);
#endif
    if (c->uses[FRAMES]) {
        for (int k = 0; k < 4; k++)
            r.value[k] = (scalar)q[k];
        c->seen.record[FRAMES][slot] = r;
    }
    for (int k = 0; k < 3; k++)
        r.value[k] = (scalar)u[k];
    r.value[3] = (scalar)c->system->bead_charge_e[bead];
    if (c->uses[UNIT_AXES])
        c->seen.record[UNIT_AXES][slot] = r;
    for (int k = 0; k < 3; k++)
        r.value[k] = (scalar)(dipole * u[k]);
    c->seen.record[DIPOLES][slot] = r;
}

/* Sums. */

#ifndef AMPHI_BUILD_FIXED
static void add_axis(const BeadSums *bead, int kind, const double axis[3], double f[3], double t[3])
{
    const double along = add_lanes(bead->along[kind]);
    const double g[3]  = { add_lanes(bead->field[kind].x), add_lanes(bead->field[kind].y),
                           add_lanes(bead->field[kind].z) };

    for (int a = 0; a < 3; a++) {
        const int y = (a + 1) % 3, z = (a + 2) % 3;

        f[a] += along * axis[a];
        t[a] += axis[y] * g[z] - axis[z] * g[y];
    }
}

static void set_bead(const AmphiCpuPairs *c, const BeadSums *sums, int32_t bead, AmphiBodies *out)
{
    const double dipole = c->system->bead_dipole_e_nm[bead];
    double       f[3]   = { add_lanes(sums->f.x), add_lanes(sums->f.y), add_lanes(sums->f.z) };
    double       t[3]   = { 0, 0, 0 }, axis[3];

    axis_of(out->orientation[bead], axis);
    if (c->uses[FRAMES]) {
        t[0] += add_lanes(sums->torque.x);
        t[1] += add_lanes(sums->torque.y);
        t[2] += add_lanes(sums->torque.z);
    }
    if (c->uses[UNIT_AXES])
        add_axis(sums, UNIT_AXES, axis, f, t);
    for (int a = 0; a < 3; a++)
        axis[a] *= dipole;
    add_axis(sums, DIPOLES, axis, f, t);
    memcpy(out->force_kJ_mol_nm[bead], f, sizeof f);
    memcpy(out->torque_kJ_mol[bead], t, sizeof t);
}

static void visit_row(const AmphiCpuPairs *c, int32_t row, Level level, TotalSums *total,
                      TermSums *terms, AmphiBodies *out)
{
    const Row     r    = row_at(c, row);
    const int32_t own  = c->list->bead_of[r.owner];
    int32_t       from = 0;
    BeadSums      bead;

    memset(&bead, 0, sizeof bead);
    __builtin_prefetch(out->force_kJ_mol_nm[own], 1);
    __builtin_prefetch(out->torque_kJ_mol[own], 1);
    __builtin_prefetch(out->orientation[own]);
    for (int32_t t = 0; t < c->list->n_types; t++) {
        const Pass *pass = r.rules[t].pass, *end = pass + r.rules[t].n;

        for (; pass < end && r.end[t] > from; pass += pass->does)
            pass->visit[level](&c->seen, pass, r.owner, r.row + from, r.end[t] - from, &bead, total,
                               terms);
        from = r.end[t];
    }
    set_bead(c, &bead, own, out);
}

static void store_terms(const TermSums *terms, BlockSums *out)
{
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
        out->energy[slot] = add_lanes(terms[slot].u);
        out->count[slot]  = terms[slot].count;
        for (int k = 0; k < 9; k++)
            out->virial[slot][k] = add_lanes(terms[slot].w[k / 3][k % 3]);
    }
}

static void visit_block(AmphiCpuPairs *c, int32_t block, Level level, AmphiBodies *out)
{
    const int32_t from = block * BLOCK;
    const int32_t to   = from + BLOCK < c->list->n ? from + BLOCK : c->list->n;
    BlockSums    *sums = &c->block[block];
    TotalSums     total;
    TermSums      terms[AMPHI_TERMS];

    memset(&total, 0, sizeof total);
    if (level >= WITH_TERMS)
        memset(terms, 0, sizeof terms);
    for (int32_t i = from; i < to; i++)
        visit_row(c, i, level, &total, terms, out);
    sums->potential = add_lanes(total.u);
    sums->total[0]  = add_lanes(total.w.x);
    sums->total[1]  = add_lanes(total.w.y);
    sums->total[2]  = add_lanes(total.w.z);
    if (level >= WITH_TERMS)
        store_terms(terms, sums);
}

/* Every pair was evaluated once for each of its beads, so sums are halved. */
static void add_terms(const AmphiCpuPairs *c, AmphiSums *out)
{
    int64_t count[AMPHI_TERMS] = { 0 };

    for (int32_t b = 0; b < c->n_blocks; b++)
        for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
            out->energy_kJ_mol[slot] += 0.5 * c->block[b].energy[slot];
            count[slot] += c->block[b].count[slot];
            for (int k = 0; k < 9; k++)
                out->virial_kJ_mol[slot][k / 3][k % 3] += 0.5 * c->block[b].virial[slot][k];
        }
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++)
        out->count[slot] += count[slot] / 2;
}

static void add_totals(const AmphiCpuPairs *c, AmphiBodies *bodies, AmphiSums *out)
{
    (void)bodies;
    for (int32_t b = 0; b < c->n_blocks; b++) {
        out->potential_kJ_mol += 0.5 * c->block[b].potential;
        for (int a = 0; a < 3; a++)
            out->total_virial_kJ_mol[a] += 0.5 * c->block[b].total[a];
    }
}
#endif

static void begin(AmphiCpuPairs *c, const AmphiBodies *bodies)
{
#ifdef AMPHI_BUILD_FIXED
    set_scale(c, bodies->fixed->is_coarse);
#endif
    for (int a = 0; a < 3; a++) {
        const double unit = bodies->box_nm[a] / UNITS_AN_EDGE;

        c->seen.nm_per_unit[a] = (scalar)unit;
        c->seen.nm_rest[a]     = (scalar)(unit - (double)c->seen.nm_per_unit[a]);
    }
}

static void write_records(AmphiCpuPairs *c, const AmphiBodies *bodies)
{
#pragma omp for schedule(static)
    for (int32_t k = 0; k < c->list->n; k++) {
        if (k + AHEAD < c->list->n) { /* beads lie in memory as in the file */
            __builtin_prefetch(bodies->position_nm[c->list->bead_of[k + AHEAD]]);
            __builtin_prefetch(bodies->orientation[c->list->bead_of[k + AHEAD]]);
        }
        write_record(c, k, bodies);
    }
}

/* Whoever is free takes the next blocks: their sums have places of their own. */
static void visit(AmphiCpuPairs *c, AmphiBodies *bodies, uint32_t needs)
{
    const Level level = (needs & AMPHI_NEED_ENERGY) != 0      ? WITH_TERMS
                        : (needs & AMPHI_NEED_VIRIAL) != 0    ? WITH_VIRIAL
                        : (needs & AMPHI_NEED_POTENTIAL) != 0 ? WITH_POTENTIAL
                                                              : FORCES;

#pragma omp for schedule(dynamic, SHARE)
    for (int32_t b = 0; b < c->n_blocks; b++)
        visit_block(c, b, level, bodies);
}

static void add_sums(const AmphiCpuPairs *c, AmphiBodies *bodies, uint32_t needs, AmphiSums *out)
{
    add_totals(c, bodies, out);
    if ((needs & AMPHI_NEED_ENERGY) != 0)
        add_terms(c, out);
}

static void close(AmphiCpuPairs *c)
{
    if (c != NULL)
        amphi_arena_free(c->arena);
}

static AmphiStatus open(const AmphiSystem *s, const AmphiCpuList *list, AmphiCpuPairs **out,
                        AmphiError *err)
{
    AmphiArena    *arena = amphi_arena_new();
    AmphiCpuPairs *c     = arena != NULL ? AMPHI_TAKE(arena, AmphiCpuPairs, 1) : NULL;

    *out = NULL;
    if (c == NULL) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for pair forces");
    }
    c->arena    = arena;
    c->system   = s;
    c->list     = list;
    c->n_blocks = (s->n_beads + BLOCK - 1) / BLOCK;
    c->block    = AMPHI_TAKE(arena, BlockSums, c->n_blocks);
#ifdef AMPHI_BUILD_FIXED
    for (int k = 0; k < 2; k++)
        c->enlarged[k] = plan_all(c, (double)pair_fixed_scale(0, k * FIXED_COARSE_BITS).force);
#else
    c->passes = plan_all(c, 1);
#endif
    for (int k = 0; k < RECORD_KINDS; k++)
        if (k == DIPOLES || c->uses[k])
            c->seen.record[k] = AMPHI_TAKE(arena, Record, s->n_beads);
    if (amphi_arena_failed(arena)) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the pair forces of %d beads",
                          s->n_beads);
    }
    *out = c;
    return AMPHI_OK;
}

#ifdef AMPHI_BUILD_SINGLE
#define PRECISION single
#elif defined(AMPHI_BUILD_DOUBLE)
#define PRECISION double
#else
#define PRECISION fixed
#endif
#define AS_TEXT(word) #word
#define TEXT_OF(word) AS_TEXT(word)

const AmphiCpuPairsTable WITH_NAMES(amphi_cpu_pairs, PRECISION, AMPHI_CPU_SET) = {
    .name     = TEXT_OF(PRECISION) " " TEXT_OF(AMPHI_CPU_SET),
    .lanes    = LANES,
    .open     = open,
    .close    = close,
    .begin    = begin,
    .write    = write_records,
    .visit    = visit,
    .add_sums = add_sums,
};
