/* Bonded terms in fixed precision: integers, added to the beads directly, because the order of
 * integer additions does not matter. Bonds are divided into parts that have no bead in common, such
 * as molecules, so that threads need not wait for each other.
 */
#include "bonded_fixed.h"

#include "../../forcefield/bond_fixed.h"
#include "../bodies_fixed.h"

/* Bonds that are not worth waking other threads for; in a part at least, if it can be cut off. */
enum { FEW = 1024, PART = 64 };

struct AmphiBondedFixed {
    const AmphiSystem *system;
    BondTerm          *term;  /* [n_bond_rules] */
    int32_t           *order; /* [n_bonds] bonds by their first beads */
    int32_t           *part;  /* [n_parts + 1] where parts begin in that order */
    int32_t            n_parts;
};

/* Of one thread. */
typedef struct {
    int64_t         potential, total[3];
    int64_t         energy[AMPHI_TERMS], virial[AMPHI_TERMS][9], count[AMPHI_TERMS];
    AmphiFixedFault fault;
} BondSums;

/* The lowest and the highest bead of a bond. */
typedef struct {
    int32_t low, high;
} Reach;

static Reach reach_of(const AmphiBondedFixed *b, int32_t bond)
{
    const AmphiBond *k   = &b->system->bond[bond];
    Reach            out = { k->bead[0], k->bead[0] };

    for (int32_t m = 1; m < b->term[k->rule].n_beads; m++) {
        out.low  = k->bead[m] < out.low ? k->bead[m] : out.low;
        out.high = k->bead[m] > out.high ? k->bead[m] : out.high;
    }
    return out;
}

/* start: [n_beads + 1], all 0. */
static void sort_bonds(AmphiBondedFixed *b, int32_t *start)
{
    for (int32_t k = 0; k < b->system->n_bonds; k++)
        start[reach_of(b, k).low + 1]++;
    for (int32_t i = 0; i < b->system->n_beads; i++)
        start[i + 1] += start[i];
    for (int32_t k = 0; k < b->system->n_bonds; k++)
        b->order[start[reach_of(b, k).low]++] = k;
}

/* A part may end before a bond that lies above all bonds so far. */
static void cut_parts(AmphiBondedFixed *b)
{
    int32_t highest = -1;

    b->n_parts = 0;
    for (int32_t k = 0; k < b->system->n_bonds; k++) {
        const Reach r = reach_of(b, b->order[k]);

        if (b->n_parts == 0 || (r.low > highest && k >= b->part[b->n_parts - 1] + PART))
            b->part[b->n_parts++] = k;
        highest = r.high > highest ? r.high : highest;
    }
    b->part[b->n_parts] = b->system->n_bonds;
}

AmphiBondedFixed *amphi_bonded_fixed_new(const AmphiSystem *system, AmphiArena *arena)
{
    AmphiBondedFixed *b = AMPHI_TAKE(arena, AmphiBondedFixed, 1);
    int32_t          *start;

    if (b == NULL)
        return NULL;
    b->system = system;
    b->term   = AMPHI_TAKE(arena, BondTerm, system->n_bond_rules);
    b->order  = AMPHI_TAKE(arena, int32_t, system->n_bonds);
    b->part   = AMPHI_TAKE(arena, int32_t, (int64_t)system->n_bonds / PART + 2);
    start     = AMPHI_TAKE(arena, int32_t, (int64_t)system->n_beads + 1);
    if (amphi_arena_failed(arena))
        return NULL;
    for (int32_t k = 0; k < system->n_bond_rules; k++)
        b->term[k] = bond_prepare(&system->bond_rule[k]);
    sort_bonds(b, start);
    cut_parts(b);
    return b;
}

/* Positions from the first bead; of a restraint, from its anchor. */
static BondGeometry geometry_of(const AmphiBondedFixed *b, const AmphiBodies *bodies, int32_t bond)
{
    const int32_t  *bead = b->system->bond[bond].bead;
    const BondTerm *term = &b->term[b->system->bond[bond].rule];
    uint64_t(*x)[3]      = bodies->fixed->x;
    BondGeometry g       = { 0 };

    for (int32_t k = 0; k < term->n_beads; k++) {
        g.x[k] = bond_fixed_between(x[bead[k]], x[bead[0]], bodies->box_nm);
        g.u[k] = bond_fixed_axis(bodies->orientation[bead[k]]);
    }
    if (bond_is_angle(term->kind))
        g.x[2] = nearer_image(g.x[2], g.x[1], bodies->box_nm);
    if (term->kind == BOND_position_restraint)
        g.x[0] = bond_fixed_from_anchor(x[bead[0]], b->system->anchor_nm[bond], b->system->box_nm,
                                        bodies->box_nm);
    return g;
}

static void add_whole(int64_t to[3], const int32_t part[3], int bits)
{
    for (int a = 0; a < 3; a++)
        to[a] += part[a] * ((int64_t)1 << bits);
}

static void add_term(const BondGeometry *g, const BondResult *b, const BondTerm *term,
                     int64_t energy, BondSums *sums)
{
    sums->energy[term->slot] += energy;
    sums->count[term->slot]++;
    for (int a = 0; a < 9; a++) {
        FixedFault    fault = FIXED_GOOD; /* of an element that only observers see */
        const int64_t w =
            bond_fixed_energy(bond_fixed_virial(g, b, term->n_beads, a / 3, a % 3), &fault);

        sums->virial[term->slot][a] += w;
    }
}

static void visit_bond(const AmphiBondedFixed *bonded, AmphiBodies *bodies, int32_t k, bool by_term,
                       BondSums *sums)
{
    const AmphiBond   *bond   = &bonded->system->bond[k];
    const BondTerm    *term   = &bonded->term[bond->rule];
    const int32_t      coarse = bodies->fixed->is_coarse ? FIXED_COARSE_BITS : 0;
    const BondGeometry g      = geometry_of(bonded, bodies, k);
    const BondResult   b      = bond_eval(term, &g);
    const FixedBond    parts  = bond_fixed(&g, &b, term->n_beads, coarse);

    for (int32_t m = 0; m < term->n_beads; m++) {
        add_whole(bodies->fixed->force[bond->bead[m]], parts.force[m], coarse);
        add_whole(bodies->fixed->torque[bond->bead[m]], parts.turn[m], FIXED_TURN_FINER + coarse);
    }
    sums->potential += parts.energy;
    for (int a = 0; a < 3; a++)
        sums->total[a] += parts.virial[a];
    amphi_fixed_fault(&sums->fault, parts.fault, bond->bead[0]);
    if (by_term)
        add_term(&g, &b, term, parts.energy, sums);
}

static void visit_part(const AmphiBondedFixed *bonded, AmphiBodies *bodies, int32_t part,
                       bool by_term, BondSums *sums)
{
    for (int32_t k = bonded->part[part]; k < bonded->part[part + 1]; k++)
        visit_bond(bonded, bodies, bonded->order[k], by_term, sums);
}

static void take_sums(const BondSums *from, struct AmphiFixed *fixed, AmphiSums *sums)
{
    amphi_fixed_fault(&fixed->fault, from->fault.what, from->fault.bead);
    fixed->potential += from->potential;
    sums->potential_kJ_mol += fixed_energy_kJ_mol(from->potential);
    for (int a = 0; a < 3; a++) {
        fixed->virial[a] += from->total[a];
        sums->total_virial_kJ_mol[a] += fixed_energy_kJ_mol(from->total[a]);
    }
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
        sums->energy_kJ_mol[slot] += fixed_energy_kJ_mol(from->energy[slot]);
        sums->count[slot] += from->count[slot];
        for (int a = 0; a < 9; a++)
            sums->virial_kJ_mol[slot][a / 3][a % 3] += fixed_energy_kJ_mol(from->virial[slot][a]);
    }
}

static void add_sums(BondSums *to, const BondSums *from)
{
    to->potential += from->potential;
    for (int a = 0; a < 3; a++)
        to->total[a] += from->total[a];
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
        to->energy[slot] += from->energy[slot];
        to->count[slot] += from->count[slot];
        for (int a = 0; a < 9; a++)
            to->virial[slot][a] += from->virial[slot][a];
    }
    amphi_fixed_fault(&to->fault, from->fault.what, from->fault.bead);
}

void amphi_bonded_fixed_add(const AmphiBondedFixed *bonded, AmphiBodies *bodies, uint32_t needs,
                            AmphiSums *sums)
{
    const bool by_term = (needs & AMPHI_NEED_ENERGY) != 0;
    BondSums   all     = { .potential = 0 };

#pragma omp parallel num_threads(bodies->threads) if (bonded->system->n_bonds >= FEW)
    {
        BondSums own = { .potential = 0 };

#pragma omp for schedule(static)
        for (int32_t part = 0; part < bonded->n_parts; part++)
            visit_part(bonded, bodies, part, by_term, &own);
#pragma omp critical(amphi_bonded_fixed)
        add_sums(&all, &own);
    }
    take_sums(&all, bodies->fixed, sums);
}
