/* Fixed precision: from sums in lanes to the integers of a bead, with checks of their range. Part
 * of cpu_pairs.c.
 */
#ifndef AMPHI_TYPED_CPU_BEADS_FIXED_H
#define AMPHI_TYPED_CPU_BEADS_FIXED_H

#include "../units.h"
#include "cpu_blocks.h"

#ifdef AMPHI_BUILD_FIXED

#define ENLARGE_FIELD(name, dimension, range, standard, meaning)                                   \
    in.name *= (int)AMPHI_DIM_##dimension == AMPHI_DIM_ENERGY ||                                   \
                       (int)AMPHI_DIM_##dimension == AMPHI_DIM_COULOMB                             \
                   ? factor                                                                        \
                   : 1;
#define ENLARGE(name, slot, needs)                                                                 \
    case PAIR_##name: {                                                                            \
        struct pair_##name##_input in;                                                             \
        memcpy(&in, term->field, sizeof in);                                                       \
        pair_##name##_fields(ENLARGE_FIELD) memcpy(term->field, &in, sizeof in);                   \
        break;                                                                                     \
    }

/* Multiplies a potential by a power of two, exactly: the energies among its numbers, to which every
 * potential is proportional. */
static inline void enlarge(AmphiPairTerm *term, double factor)
{
    switch (term->kind) {
        PAIR_LIST(ENLARGE)
    default:
        break;
    }
}

/* Of one bead; FORCE, FIELD and TURN (unit axes), TURN; or units 2^coarse larger. */
typedef struct {
    int64_t f[3], field[AXIS_KINDS][3], torque[3];
} BeadTotals;

/* The fault of the first quantity that is out of range. */
static FixedFault fault_of(const CarefulSums *sums)
{
    const float most = (float)(1 << FIXED_FORCE_RANGE);

    if (reaches(sums->most_force, most))
        return FIXED_FORCE;
    if (reaches(sums->most_field[DIPOLES], most))
        return FIXED_FIELD;
    if (reaches(sums->most_field[UNIT_AXES], most) || reaches(sums->most_torque, most))
        return FIXED_PAIR_TURN;
    return FIXED_GOOD;
}

static FixedFault go_carefully(const AmphiCpuPairs *c, const Row *r, BeadTotals *out)
{
    CarefulSums sums;
    int32_t     from = 0;

    memset(&sums, 0, sizeof sums);
    for (int32_t t = 0; t < c->list->n_types; t++) {
        for (int32_t k = 0; k < r->rules[t].n && r->end[t] > from; k++) {
            const Pass *pass = &r->rules[t].pass[k];

            carefuls[pass->term[pass->n_terms - 1].kind](&c->seen, pass, r->owner, r->row + from,
                                                         r->end[t] - from, &sums);
        }
        from = r->end[t];
    }
    totals_of_longs3(&sums.f, out->f);
    totals_of_longs3(&sums.torque, out->torque);
    for (int kind = 0; kind < AXIS_KINDS; kind++)
        totals_of_longs3(&sums.field[kind], out->field[kind]);
    return fault_of(&sums);
}

static void take_totals(const AmphiCpuPairs *c, const BeadSums *sums, BeadTotals *out)
{
    totals_of(&sums->f, out->f);
    for (int kind = 0; kind < AXIS_KINDS; kind++)
        if (c->uses[kind])
            totals_of(&sums->field[kind], out->field[kind]);
    if (c->uses[FRAMES])
        totals_of(&sums->torque, out->torque);
}

/* Adds to the bead; false when its torque leaves the range. */
static bool add_bead(const AmphiCpuPairs *c, const BeadTotals *sums, int32_t bead, AmphiBodies *out)
{
    const int32_t coarse = out->fixed->is_coarse ? FIXED_COARSE_BITS : 0;
    int64_t      *t      = out->fixed->torque[bead];
    bool          is_in  = true;
    double        axis[3];

    for (int a = 0; a < 3; a++)
        out->fixed->force[bead][a] += sums->f[a] * ((int64_t)1 << coarse);
    if (c->uses[DIPOLES]) {
        pair_fixed_axis(out->orientation[bead], c->system->bead_dipole_e_nm[bead], axis);
        is_in &= pair_fixed_torque(axis, sums->field[DIPOLES], FIXED_FIELD_FINER + coarse, t);
    }
    if (c->uses[UNIT_AXES]) {
        pair_fixed_axis(out->orientation[bead], 1, axis);
        is_in &= pair_fixed_torque(axis, sums->field[UNIT_AXES], FIXED_TURN_FINER + coarse, t);
    }
    for (int a = 0; a < 3 && c->uses[FRAMES]; a++)
        t[a] += sums->torque[a] * ((int64_t)1 << (FIXED_TURN_FINER + coarse));
    return is_in;
}

/* Returns how many groups of lanes there were. */
static int32_t visit_segments(const AmphiCpuPairs *c, const Row *r, Level level, BeadSums *bead,
                              TotalSums *total, TermSums *terms)
{
    int32_t from = 0, n = 0;

    for (int32_t t = 0; t < c->list->n_types; t++) {
        const Pass *pass = r->rules[t].pass, *end = pass + r->rules[t].n;

        for (; pass < end && r->end[t] > from; pass += pass->does) {
            pass->visit[level](&c->seen, pass, r->owner, r->row + from, r->end[t] - from, bead,
                               total, terms);
            n += pass->does * (r->end[t] - from);
        }
        from = r->end[t];
    }
    return n / LANES; /* segments are padded */
}

/* Only what the passes of this system add to. */
static void clear_sums(const AmphiCpuPairs *c, BeadSums *sums)
{
    const Sum3 none = { { 0 }, { 0 }, { 0 } };

    sums->f = none;
    for (int kind = 0; kind < AXIS_KINDS; kind++)
        if (c->uses[kind])
            sums->field[kind] = none;
    if (c->uses[FRAMES])
        sums->torque = none;
    sums->square = (real){ 0 };
}

static void visit_row(const AmphiCpuPairs *c, int32_t row, Level level, TotalSums *total,
                      TermSums *terms, AmphiFixedFault *fault, AmphiBodies *out)
{
    const Row     r    = row_at(c, row);
    const int32_t bead = c->list->bead_of[r.owner];
    BeadTotals    sums = { .f = { 0 } };
    BeadSums      lanes;
    const whole   none = { 0 };

    clear_sums(c, &lanes);
    total->most = none;
    __builtin_prefetch(out->fixed->force[bead], 1);
    __builtin_prefetch(out->fixed->torque[bead], 1);
    __builtin_prefetch(out->orientation[bead]);
    const int32_t n_groups = visit_segments(c, &r, level, &lanes, total, terms);

    if (stays_in(lanes.square, n_groups))
        take_totals(c, &lanes, &sums);
    else
        amphi_fixed_fault(fault, go_carefully(c, &r, &sums), bead);
    if (level >= WITH_POTENTIAL && reaches(total->most, PAIR_FIXED_MOST))
        amphi_fixed_fault(fault, FIXED_ENERGY, bead);
    if (!add_bead(c, &sums, bead, out))
        amphi_fixed_fault(fault, FIXED_TORQUE, bead);
}

static void store_terms(const TermSums *terms, BlockSums *out)
{
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
        const TermSums *t = &terms[slot];

        out->energy[slot] = total_without(&t->u, t->n_groups);
        out->count[slot]  = total_of_wholes(t->count);
        for (int k = 0; k < 9; k++)
            out->virial[slot][k] = total_without(&t->w[k / 3][k % 3], t->n_groups);
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
    sums->fault = (AmphiFixedFault){ FIXED_GOOD, 0 };
    for (int32_t i = from; i < to; i++)
        visit_row(c, i, level, &total, terms, &sums->fault, out);
    sums->potential = total_without(&total.u, total.n_groups);
    sums->total[0]  = total_without(&total.w.x, level < WITH_VIRIAL ? 0 : total.n_groups);
    sums->total[1]  = total_without(&total.w.y, level < WITH_VIRIAL ? 0 : total.n_groups);
    sums->total[2]  = total_without(&total.w.z, level < WITH_VIRIAL ? 0 : total.n_groups);
    if (level >= WITH_TERMS)
        store_terms(terms, sums);
}

/* Every pair was evaluated once for each of its beads, so sums are halved. */
static void add_terms(const AmphiCpuPairs *c, AmphiSums *out)
{
    BlockSums all = { .potential = 0 };

    for (int32_t b = 0; b < c->n_blocks; b++)
        for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
            all.energy[slot] += c->block[b].energy[slot];
            all.count[slot] += c->block[b].count[slot];
            for (int k = 0; k < 9; k++)
                all.virial[slot][k] += c->block[b].virial[slot][k];
        }
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
        out->energy_kJ_mol[slot] += 0.5 * fixed_energy_kJ_mol(all.energy[slot]);
        out->count[slot] += all.count[slot] / 2;
        for (int k = 0; k < 9; k++)
            out->virial_kJ_mol[slot][k / 3][k % 3] +=
                0.5 * fixed_energy_kJ_mol(all.virial[slot][k]);
    }
}

/* A pair has exactly the same energy from both sides, so sums are even and can be halved. */
static void add_totals(const AmphiCpuPairs *c, AmphiBodies *bodies, AmphiSums *sums)
{
    struct AmphiFixed *out = bodies->fixed;
    BlockSums          all = { .potential = 0 };

    for (int32_t b = 0; b < c->n_blocks; b++) {
        const BlockSums *block = &c->block[b];

        all.potential += block->potential;
        for (int a = 0; a < 3; a++)
            all.total[a] += block->total[a];
        amphi_fixed_fault(&out->fault, block->fault.what, block->fault.bead);
    }
    out->potential += all.potential / 2;
    sums->potential_kJ_mol += fixed_energy_kJ_mol(all.potential / 2);
    for (int a = 0; a < 3; a++) {
        out->virial[a] += all.total[a] / 2;
        sums->total_virial_kJ_mol[a] += fixed_energy_kJ_mol(all.total[a] / 2);
    }
}

/* Terms come in units of force, so that no pair has to be multiplied by them. */
static void set_scale(AmphiCpuPairs *c, bool is_coarse)
{
    c->passes     = c->enlarged[is_coarse];
    c->seen.lever = pair_fixed_lever(is_coarse ? FIXED_COARSE_BITS : 0);
}

#endif

#endif
