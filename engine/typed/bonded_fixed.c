/* Bonded terms in fixed precision: integers, added to the beads directly, because the order of
 * integer additions does not matter.
 */
#include "bonded_fixed.h"

#include "../../forcefield/bond_fixed.h"
#include "../bodies_fixed.h"

enum { FEW = 1024 }; /* bonds that are not worth waking other threads for */

struct AmphiBondedFixed {
    const AmphiSystem *system;
    BondTerm          *term; /* [n_bond_rules] */
};

/* Of one thread. */
typedef struct {
    int64_t         potential, total[3];
    int64_t         energy[AMPHI_TERMS], virial[AMPHI_TERMS][9], count[AMPHI_TERMS];
    AmphiFixedFault fault;
} BondSums;

AmphiBondedFixed *amphi_bonded_fixed_new(const AmphiSystem *system, AmphiArena *arena)
{
    AmphiBondedFixed *b = AMPHI_TAKE(arena, AmphiBondedFixed, 1);

    if (b == NULL)
        return NULL;
    b->system = system;
    b->term   = AMPHI_TAKE(arena, BondTerm, system->n_bond_rules);
    if (amphi_arena_failed(arena))
        return NULL;
    for (int32_t k = 0; k < system->n_bond_rules; k++)
        b->term[k] = bond_prepare(&system->bond_rule[k]);
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
    if (term->kind == BOND_position_restraint)
        g.x[0] = bond_fixed_from_anchor(x[bead[0]], b->system->anchor_nm[bond], b->system->box_nm,
                                        bodies->box_nm);
    return g;
}

/* A bead may be in bonds of two threads. */
static void add_whole(int64_t to[3], const int32_t part[3], int bits, bool is_shared)
{
    for (int a = 0; a < 3; a++) {
        const int64_t more = part[a] * ((int64_t)1 << bits);

        if (is_shared)
            __atomic_fetch_add(&to[a], more, __ATOMIC_RELAXED);
        else
            to[a] += more;
    }
}

static void visit_bond(const AmphiBondedFixed *bonded, AmphiBodies *bodies, int32_t k,
                       bool is_shared, BondSums *sums)
{
    const AmphiBond   *bond   = &bonded->system->bond[k];
    const BondTerm    *term   = &bonded->term[bond->rule];
    const int32_t      coarse = bodies->fixed->is_coarse ? FIXED_COARSE_BITS : 0;
    const BondGeometry g      = geometry_of(bonded, bodies, k);
    const BondResult   b      = bond_eval(term, &g);
    const FixedBond    parts  = bond_fixed(&g, &b, term->n_beads, coarse);

    for (int32_t m = 0; m < term->n_beads; m++) {
        add_whole(bodies->fixed->force[bond->bead[m]], parts.force[m], coarse, is_shared);
        add_whole(bodies->fixed->torque[bond->bead[m]], parts.turn[m], FIXED_TURN_FINER + coarse,
                  is_shared);
    }
    sums->potential += parts.energy;
    for (int a = 0; a < 3; a++)
        sums->total[a] += parts.virial[a];
    amphi_fixed_fault(&sums->fault, parts.fault, bond->bead[0]);

    sums->energy[term->slot] += parts.energy;
    sums->count[term->slot]++;
    for (int a = 0; a < 9; a++) {
        FixedFault    fault = FIXED_GOOD; /* of an element that only observers see */
        const int64_t w =
            bond_fixed_energy(bond_fixed_virial(&g, &b, term->n_beads, a / 3, a % 3), &fault);

        sums->virial[term->slot][a] += w;
    }
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

void amphi_bonded_fixed_add(const AmphiBondedFixed *bonded, AmphiBodies *bodies, AmphiSums *sums)
{
    const int32_t n         = bonded->system->n_bonds;
    const bool    is_shared = bodies->threads > 1 && n >= FEW;
    BondSums      all       = { .potential = 0 };

#pragma omp parallel num_threads(bodies->threads) if (is_shared)
    {
        BondSums own = { .potential = 0 };

#pragma omp for schedule(static)
        for (int32_t k = 0; k < n; k++)
            visit_bond(bonded, bodies, k, is_shared, &own);
#pragma omp critical(amphi_bonded_fixed)
        add_sums(&all, &own);
    }
    take_sums(&all, bodies->fixed, sums);
}
