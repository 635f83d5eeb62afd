/* Pair forces in groups of lanes. No formula here: each class of terms is one row function with
 * literal kinds, so that the switch of pairs.h folds away.
 *
 * A bead's neighbours come in segments of one type. What acts between two types is a short list of
 * passes over the segment; the commonest pairs of terms share a pass.
 */
#include "../cpu_pairs.h"

#include <string.h>

#include "../../forcefield/pairs.h"
#include "../num/lanes_x86.h"

#define PASTE_NAMES(name, precision, set) name##_##precision##_##set
#define WITH_NAMES(name, precision, set)  PASTE_NAMES(name, precision, set)

/* Beads whose energies are summed in lanes before they go to double. */
enum { BLOCK = 16, NO_KIND = -1 };

#ifdef AMPHI_BUILD_DOUBLE
typedef double coordinate; /* fractions of the box: AVX2 converts no 64-bit whole numbers */
#else
typedef int32_t coordinate; /* 32-bit fractions: the difference wraps to the nearest image */
#endif

/* What a pair reads of a bead: eight numbers, one load and a share of a transpose. */
typedef struct {
    coordinate at[3];
    scalar     spare;
    scalar     value[4]; /* axis and charge; or a quaternion */
} Record;

/* Which records a pass reads. */
typedef enum { DIPOLES, UNIT_AXES, FRAMES, RECORD_KINDS } RecordKind;

typedef struct {
    real  u, w[3][3]; /* every pair is met twice: halved at the end */
    real3 count;      /* x only: pairs within range */
} LaneSums;

typedef struct {
    real3 f, t;
} LaneForce;

typedef struct Pass Pass;

/* One bead, one segment of n slots. */
typedef void Visit(const AmphiCpuPairs *c, const Pass *pass, int32_t i, const int32_t *slot,
                   int32_t n, LaneForce *force, LaneSums *sums);

struct Pass {
    RecordKind records;
    PairTerm   term[2];
    Visit     *visit[2]; /* without and with energies */
};

typedef struct {
    int32_t n;
    Pass    pass[AMPHI_MAX_PAIR_TERMS];
} Passes;

/* Sums of a block of beads, in double: one a block, added in the order of blocks. */
typedef struct {
    double energy[AMPHI_TERMS], virial[AMPHI_TERMS][9], count[AMPHI_TERMS];
} BlockSums;

struct AmphiCpuPairs {
    AmphiArena         *arena;
    const AmphiSystem  *system;
    const AmphiCpuList *list;
    Passes             *passes; /* [n_types][n_types] */
    bool                uses[RECORD_KINDS];
    Record             *record[RECORD_KINDS]; /* [n] by slot */
    BlockSums          *block;
    int32_t             n_blocks;
    scalar              nm_per_unit[3];
};

/* Geometry of a group: d from each neighbour to bead i. */

AMPHI_BOTH real along(coordinate me, real you, scalar nm_per_unit)
{
#ifdef AMPHI_BUILD_DOUBLE
    const real d = me - you;

    return (d - nearest_whole(d)) * nm_per_unit;
#else
    return __builtin_convertvector(me - (whole)you, real) * nm_per_unit;
#endif
}

AMPHI_BOTH whole is_other(lane_slots slot, int32_t i)
{
#ifdef AMPHI_BUILD_DOUBLE
    return __builtin_convertvector(slot != i, whole);
#else
    return slot != i;
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

AMPHI_BOTH PairGeometry group_geometry(const AmphiCpuPairs *c, const Record *me, const Columns *you)
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
    return g;
}

AMPHI_BOTH void add_energy(LaneSums *sums, whole near, const PairGeometry *g, const PairResult *p)
{
    const real3 f = keep3(near, p->f);

    sums->u += keep(near, p->u);
    sums->count.x += keep(near, spread(R(1)));
    sums->w[0][0] += g->d.x * f.x;
    sums->w[0][1] += g->d.x * f.y;
    sums->w[0][2] += g->d.x * f.z;
    sums->w[1][0] += g->d.y * f.x;
    sums->w[1][1] += g->d.y * f.y;
    sums->w[1][2] += g->d.y * f.z;
    sums->w[2][0] += g->d.z * f.x;
    sums->w[2][1] += g->d.z * f.y;
    sums->w[2][2] += g->d.z * f.z;
}

AMPHI_BOTH void add_term(const PairTerm *term, int32_t kind, int switched, int energy, whole other,
                         const PairGeometry *g, const PairFrames *frames, LaneForce *force,
                         LaneSums *sums)
{
    const whole      near = (g->r2 < term->cutoff2) & other;
    const PairResult p    = pair_of_kind(kind, switched, term, g, frames);

    force->f = add3(force->f, keep3(near, p.f));
    force->t = add3(force->t, keep3(near, p.ti));
    if (energy)
        add_energy(sums, near, g, &p);
}

/* The one loop over pairs. Kinds, switches and energy are literals of the callers. `sparse`: few
 * neighbours are in range, so whole groups are worth skipping. */
AMPHI_BOTH void visit_segment(const AmphiCpuPairs *c, const Pass *pass, int32_t i,
                              const int32_t *slot, int32_t n, LaneForce *force, LaneSums *sums,
                              int32_t kind0, int32_t kind1, int switched, int sparse, int energy)
{
    const Record *records = c->record[pass->records];
    const Record *me      = &records[i];
    LaneForce     f       = *force;
    LaneSums      local[2];

    if (energy)
        memcpy(local, sums, sizeof local);
    for (int32_t k = 0; k < n; k += LANES) {
        const Columns      you    = load_columns(records, slot + k);
        const PairGeometry g      = group_geometry(c, me, &you);
        const whole        other  = is_other(load_slots(slot + k), i);
        PairFrames         frames = { 0 };

        if (sparse && !any((g.r2 < pass->term[0].cutoff2) & other))
            continue;
        if (kind0 == PAIR_sticky) {
            frames.qi = spread_quat(me->value);
            frames.qj = (quat){ you.column[4], you.column[5], you.column[6], you.column[7] };
        }
        add_term(&pass->term[0], kind0, kind1 == NO_KIND && switched, energy, other, &g, &frames,
                 &f, &local[0]);
        if (kind1 != NO_KIND)
            add_term(&pass->term[1], kind1, switched, energy, other, &g, &frames, &f, &local[1]);
    }
    *force = f;
    if (energy)
        memcpy(sums, local, sizeof local);
}

/* The classes: alone, switched or not; and Lennard-Jones together with one other term. */
#define ALONE_LIST(C)                                                                              \
    C(lj, lj, 0)                                                                                   \
    C(charge_charge, charge_charge, 0)                                                             \
    C(charge_dipole, charge_dipole, 0)                                                             \
    C(dipole_charge, dipole_charge, 0)                                                             \
    C(dipole_dipole, dipole_dipole, 0)                                                             \
    C(gay_berne, gay_berne, 0)                                                                     \
    C(gay_berne_shifted, gay_berne_shifted, 0)                                                     \
    C(lj_switched, lj, 1)                                                                          \
    C(charge_charge_switched, charge_charge, 1)                                                    \
    C(charge_dipole_switched, charge_dipole, 1)                                                    \
    C(dipole_charge_switched, dipole_charge, 1)                                                    \
    C(dipole_dipole_switched, dipole_dipole, 1)                                                    \
    C(gay_berne_switched, gay_berne, 1)
#define BOTH_LIST(C)                                                                               \
    C(lj_charge_charge, charge_charge, 0)                                                          \
    C(lj_charge_dipole, charge_dipole, 0)                                                          \
    C(lj_dipole_charge, dipole_charge, 0)                                                          \
    C(lj_dipole_dipole, dipole_dipole, 0)                                                          \
    C(lj_dipole_dipole_switched, dipole_dipole, 1)

#define VISIT_PAIR(name, kind0, kind1, switched, sparse)                                           \
    static void visit_##name(const AmphiCpuPairs *c, const Pass *pass, int32_t i,                  \
                             const int32_t *slot, int32_t n, LaneForce *force, LaneSums *sums)     \
    {                                                                                              \
        visit_segment(c, pass, i, slot, n, force, sums, kind0, kind1, switched, sparse, 0);        \
    }                                                                                              \
    static void visit_##name##_energy(const AmphiCpuPairs *c, const Pass *pass, int32_t i,         \
                                      const int32_t *slot, int32_t n, LaneForce *force,            \
                                      LaneSums *sums)                                              \
    {                                                                                              \
        visit_segment(c, pass, i, slot, n, force, sums, kind0, kind1, switched, sparse, 1);        \
    }
#define VISIT_ALONE(name, kind, switched) VISIT_PAIR(name, PAIR_##kind, NO_KIND, switched, 0)
#define VISIT_BOTH(name, kind, switched)  VISIT_PAIR(name, PAIR_lj, PAIR_##kind, switched, 0)

ALONE_LIST(VISIT_ALONE)
BOTH_LIST(VISIT_BOTH)
VISIT_PAIR(sticky, PAIR_sticky, NO_KIND, 0, 1)

typedef struct {
    int32_t kind0, kind1;
    int     switched;
    Visit  *visit[2];
} Class;

#define CLASS_ALONE(name, kind, switched)                                                          \
    { PAIR_##kind, NO_KIND, switched, { visit_##name, visit_##name##_energy } },
#define CLASS_BOTH(name, kind, switched)                                                           \
    { PAIR_lj, PAIR_##kind, switched, { visit_##name, visit_##name##_energy } },

static const Class classes[] = { BOTH_LIST(CLASS_BOTH) ALONE_LIST(CLASS_ALONE){
    PAIR_sticky, NO_KIND, 0, { visit_sticky, visit_sticky_energy } } };

static const Class *find_class(const PairTerm *a, const PairTerm *b)
{
    for (size_t k = 0; k < sizeof classes / sizeof classes[0]; k++) {
        const Class *c = &classes[k];

        if (b == NULL && c->kind1 == NO_KIND && c->kind0 == a->kind && c->switched == a->switched)
            return c;
        if (b != NULL && c->kind0 == a->kind && c->kind1 == b->kind && !a->switched &&
            c->switched == b->switched)
            return c;
    }
    return NULL;
}

static RecordKind records_of(int32_t kind)
{
    return kind == PAIR_sticky ? FRAMES : pair_reads_unit_axis(kind) ? UNIT_AXES : DIPOLES;
}

/* Terms into passes: the first with a later one where a class has both. */
static void plan_passes(AmphiCpuPairs *c, const AmphiPairRule *rule, Passes *out)
{
    bool done[AMPHI_MAX_PAIR_TERMS] = { false };

    for (int32_t a = 0; a < rule->n_terms; a++) {
        Pass        *pass  = &out->pass[out->n];
        const Class *found = NULL;

        if (done[a])
            continue;
        pass->term[0] = pair_prepare(&rule->term[a]);
        for (int32_t b = a + 1; b < rule->n_terms && found == NULL; b++) {
            const PairTerm second = pair_prepare(&rule->term[b]);

            found = done[b] ? NULL : find_class(&pass->term[0], &second);
            if (found != NULL) {
                pass->term[1] = second;
                done[b]       = true;
            }
        }
        if (found == NULL)
            found = find_class(&pass->term[0], NULL);
        pass->visit[0]         = found->visit[0];
        pass->visit[1]         = found->visit[1];
        pass->records          = records_of(pass->term[0].kind);
        c->uses[pass->records] = true;
        out->n++;
    }
}

/* Records. */

static void write_record(const AmphiCpuPairs *c, int32_t slot, const double box_nm[3],
                         const double at_nm[3], const double q[4])
{
    const int32_t bead   = c->list->bead_of[slot];
    const double  dipole = c->system->bead_dipole_e_nm[bead];
    const double  u[3]   = { 2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                             1 - 2 * (q[1] * q[1] + q[2] * q[2]) };
    Record        r      = { .value = { 0 } };

    for (int a = 0; a < 3; a++)
#ifdef AMPHI_BUILD_DOUBLE
        r.at[a] = at_nm[a] / box_nm[a] - floor(at_nm[a] / box_nm[a]);
#else
        r.at[a]           = amphi_cpu_fraction(at_nm[a], 1 / box_nm[a]);
#endif
    if (c->uses[FRAMES]) {
        for (int k = 0; k < 4; k++)
            r.value[k] = (scalar)q[k];
        c->record[FRAMES][slot] = r;
    }
    for (int k = 0; k < 3; k++)
        r.value[k] = (scalar)u[k];
    r.value[3] = (scalar)c->system->bead_charge_e[bead];
    if (c->uses[UNIT_AXES])
        c->record[UNIT_AXES][slot] = r;
    for (int k = 0; k < 3; k++)
        r.value[k] = (scalar)(dipole * u[k]);
    c->record[DIPOLES][slot] = r;
}

/* Sums. */

static double add_lanes(real a)
{
    double sum = 0;

    for (int k = 0; k < LANES; k++)
        sum += (double)a[k];
    return sum;
}

static void add_block(BlockSums *to, const LaneSums *from)
{
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
        to->energy[slot] = add_lanes(from[slot].u);
        to->count[slot]  = add_lanes(from[slot].count.x);
        for (int k = 0; k < 9; k++)
            to->virial[slot][k] = add_lanes(from[slot].w[k / 3][k % 3]);
    }
}

static void visit_bead(const AmphiCpuPairs *c, int32_t i, bool energy, LaneSums *sums,
                       AmphiBodies *out)
{
    const AmphiCpuList *list  = c->list;
    const int32_t      *row   = list->row + (int64_t)i * list->stride;
    const int32_t      *end   = list->segment_end + (int64_t)i * list->n_types;
    const Passes       *rules = &c->passes[list->type_of[i] * list->n_types];
    const int32_t       bead  = list->bead_of[i];
    LaneForce           force = { { spread(R(0)), spread(R(0)), spread(R(0)) },
                                  { spread(R(0)), spread(R(0)), spread(R(0)) } };
    int32_t             from  = 0;

    for (int32_t t = 0; t < list->n_types; t++) {
        for (int32_t k = 0; k < rules[t].n && end[t] > from; k++) {
            const Pass *pass = &rules[t].pass[k];
            LaneSums    both[2];

            if (energy) {
                both[0] = sums[pass->term[0].slot];
                both[1] = sums[pass->term[1].slot];
            }
            pass->visit[energy](c, pass, i, row + from, end[t] - from, &force, both);
            if (energy) {
                sums[pass->term[1].slot] = both[1];
                sums[pass->term[0].slot] = both[0];
            }
        }
        from = end[t];
    }
    out->force_kJ_mol_nm[bead][0] += add_lanes(force.f.x);
    out->force_kJ_mol_nm[bead][1] += add_lanes(force.f.y);
    out->force_kJ_mol_nm[bead][2] += add_lanes(force.f.z);
    out->torque_kJ_mol[bead][0] += add_lanes(force.t.x);
    out->torque_kJ_mol[bead][1] += add_lanes(force.t.y);
    out->torque_kJ_mol[bead][2] += add_lanes(force.t.z);
}

static void visit_block(AmphiCpuPairs *c, int32_t block, bool energy, AmphiBodies *out)
{
    const int32_t from = block * BLOCK;
    const int32_t to   = from + BLOCK < c->list->n ? from + BLOCK : c->list->n;
    LaneSums      sums[AMPHI_TERMS];

    if (energy)
        memset(sums, 0, sizeof sums);
    for (int32_t i = from; i < to; i++)
        visit_bead(c, i, energy, sums, out);
    if (energy)
        add_block(&c->block[block], sums);
}

/* Every pair was met from both sides. */
static void add_sums(const AmphiCpuPairs *c, AmphiSums *out)
{
    double count[AMPHI_TERMS] = { 0 };

    for (int32_t b = 0; b < c->n_blocks; b++)
        for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
            out->energy_kJ_mol[slot] += 0.5 * c->block[b].energy[slot];
            count[slot] += 0.5 * c->block[b].count[slot];
            for (int k = 0; k < 9; k++)
                out->virial_kJ_mol[slot][k / 3][k % 3] += 0.5 * c->block[b].virial[slot][k];
        }
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++)
        out->count[slot] += (int64_t)count[slot];
}

static void compute(AmphiCpuPairs *c, AmphiBodies *bodies, bool energy, AmphiSums *out)
{
    for (int a = 0; a < 3; a++)
#ifdef AMPHI_BUILD_DOUBLE
        c->nm_per_unit[a] = bodies->box_nm[a];
#else
        c->nm_per_unit[a] = (scalar)(bodies->box_nm[a] / 4294967296.0);
#endif
#pragma omp parallel for schedule(static) num_threads(bodies->threads)
    for (int32_t k = 0; k < c->list->n; k++) {
        const int32_t bead = c->list->bead_of[k];

        write_record(c, k, bodies->box_nm, bodies->position_nm[bead], bodies->orientation[bead]);
    }
#pragma omp parallel for schedule(static) num_threads(bodies->threads)
    for (int32_t b = 0; b < c->n_blocks; b++)
        visit_block(c, b, energy, bodies);
    if (energy)
        add_sums(c, out);
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
    c->passes   = AMPHI_TAKE(arena, Passes, (int64_t)s->n_types * s->n_types);
    c->block    = AMPHI_TAKE(arena, BlockSums, c->n_blocks);
    for (int64_t k = 0; c->passes != NULL && k < (int64_t)s->n_types * s->n_types; k++)
        plan_passes(c, &s->pair_rule[k], &c->passes[k]);
    for (int k = 0; k < RECORD_KINDS; k++)
        if (k == DIPOLES || c->uses[k])
            c->record[k] = AMPHI_TAKE(arena, Record, s->n_beads);
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
    .name    = TEXT_OF(PRECISION) " " TEXT_OF(AMPHI_CPU_SET),
    .lanes   = LANES,
    .open    = open,
    .close   = close,
    .compute = compute,
};
