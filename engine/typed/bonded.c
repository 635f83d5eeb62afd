/* Bonded terms in double. Every term is evaluated into an array of results, which are then summed
 * for each bead in the order of the bonds, so that the bits do not depend on the number of threads.
 */
#include "bonded.h"

#include "../../forcefield/bonds.h"
#include "box.h"

enum { BLOCK = 256, FEW = 4 }; /* bonds; blocks that are not worth waking other threads for */

struct AmphiBonded {
    const AmphiSystem *system;
    BondTerm          *term;   /* [n_bond_rules] */
    BondResult        *result; /* [n_bonds] */
    int32_t            n_blocks, n_bound;
    AmphiSums         *block;      /* [n_blocks] */
    int32_t           *bound;      /* [n_bound] beads that are in a bond */
    int32_t           *part_start; /* [n_bound + 1] */
    int32_t           *part;       /* bond * AMPHI_MAX_BOND_BEADS + place in it, by bead */
};

/* One bead at another position and orientation than in the bodies; bead -1: none. */
typedef struct {
    int32_t       bead;
    const double *position, *orientation;
} Moved;

static real3 vector_of(const double x[3])
{
    return (real3){ x[0], x[1], x[2] };
}

static int32_t beads_of(const AmphiBonded *b, int32_t bond)
{
    return b->term[b->system->bond[bond].rule].n_beads;
}

/* Bonds by bead: counted, then filled in; `count` has room for all beads. */
static void index_beads(AmphiBonded *b, int32_t *count)
{
    const AmphiBond *bond = b->system->bond;
    int32_t          sum  = 0;

    for (int32_t k = 0; k < b->system->n_bonds; k++)
        for (int32_t m = 0; m < beads_of(b, k); m++)
            count[bond[k].bead[m]]++;
    for (int32_t i = 0; i < b->system->n_beads; i++) {
        if (count[i] == 0)
            continue;
        b->bound[b->n_bound]        = i;
        b->part_start[b->n_bound++] = sum;
        sum += count[i];
        count[i] = sum - count[i];
    }
    b->part_start[b->n_bound] = sum;
    for (int32_t k = 0; k < b->system->n_bonds; k++)
        for (int32_t m = 0; m < beads_of(b, k); m++)
            b->part[count[bond[k].bead[m]]++] = k * AMPHI_MAX_BOND_BEADS + m;
}

AmphiBonded *amphi_bonded_new(const AmphiSystem *system, AmphiArena *arena)
{
    AmphiBonded  *b = AMPHI_TAKE(arena, AmphiBonded, 1);
    const int64_t n = system->n_bonds;
    int32_t      *count;

    if (b == NULL)
        return NULL;
    b->system     = system;
    b->n_blocks   = (int32_t)((n + BLOCK - 1) / BLOCK);
    b->term       = AMPHI_TAKE(arena, BondTerm, system->n_bond_rules);
    b->result     = AMPHI_TAKE(arena, BondResult, n);
    b->block      = AMPHI_TAKE(arena, AmphiSums, b->n_blocks);
    b->bound      = AMPHI_TAKE(arena, int32_t, system->n_beads);
    b->part_start = AMPHI_TAKE(arena, int32_t, (int64_t)system->n_beads + 1);
    b->part       = AMPHI_TAKE(arena, int32_t, n * AMPHI_MAX_BOND_BEADS);
    count         = AMPHI_TAKE(arena, int32_t, system->n_beads);
    if (amphi_arena_failed(arena))
        return NULL;
    for (int32_t k = 0; k < system->n_bond_rules; k++)
        b->term[k] = bond_prepare(&system->bond_rule[k]);
    index_beads(b, count);
    return b;
}

/* The anchor of a restraint, which scales with the box. */
static real3 anchor_of(const AmphiBonded *bonded, const AmphiBodies *bodies, int32_t bond)
{
    double at[3];

    for (int a = 0; a < 3; a++)
        at[a] =
            bonded->system->anchor_nm[bond][a] * (bodies->box_nm[a] / bonded->system->box_nm[a]);
    return vector_of(at);
}

/* Positions from the first bead, as in bond.h; of a restraint, from its anchor. */
static BondGeometry geometry_of(const AmphiBonded *bonded, const AmphiBodies *bodies, int32_t bond,
                                const Moved *moved)
{
    const Box       box  = box_prepare(bodies->box_nm);
    const int32_t  *bead = bonded->system->bond[bond].bead;
    const BondTerm *term = &bonded->term[bonded->system->bond[bond].rule];
    BondGeometry    g    = { 0 };
    real3           at[AMPHI_MAX_BOND_BEADS];

    for (int32_t k = 0; k < term->n_beads; k++) {
        const bool    is = bead[k] == moved->bead;
        const double *x  = is ? moved->position : bodies->position_nm[bead[k]];
        const double *q  = is ? moved->orientation : bodies->orientation[bead[k]];

        at[k]  = vector_of(x);
        g.x[k] = nearest_image(&box, sub3(at[k], at[0]));
        g.u[k] = body_axis((quat){ q[0], q[1], q[2], q[3] });
    }
    if (bond_is_angle(term->kind))
        g.x[2] = nearer_image(g.x[2], g.x[1], bodies->box_nm);
    if (term->kind == BOND_position_restraint)
        g.x[0] = nearest_image(&box, sub3(at[0], anchor_of(bonded, bodies, bond)));
    return g;
}

static void add_to(double sum[3], real3 a)
{
    sum[0] += a.x;
    sum[1] += a.y;
    sum[2] += a.z;
}

static void visit_bond(const AmphiBonded *bonded, const AmphiBodies *bodies, int32_t k,
                       AmphiSums *sums)
{
    const Moved        none = { .bead = -1 };
    const BondTerm    *term = &bonded->term[bonded->system->bond[k].rule];
    const BondGeometry g    = geometry_of(bonded, bodies, k, &none);
    const BondResult   b    = bond_eval(term, &g);
    double(*virial)[3]      = sums->virial_kJ_mol[term->slot];

    bonded->result[k] = b;
    sums->energy_kJ_mol[term->slot] += b.u;
    sums->count[term->slot]++;
    for (int32_t m = 0; m < term->n_beads; m++) {
        add_to(virial[0], scale3(g.x[m].x, b.f[m]));
        add_to(virial[1], scale3(g.x[m].y, b.f[m]));
        add_to(virial[2], scale3(g.x[m].z, b.f[m]));
    }
}

static void visit_block(const AmphiBonded *bonded, const AmphiBodies *bodies, int32_t block)
{
    const int32_t end = (block + 1) * BLOCK;
    const int32_t n   = bonded->system->n_bonds;

    bonded->block[block] = (AmphiSums){ .potential_kJ_mol = 0 };
    for (int32_t k = block * BLOCK; k < (end < n ? end : n); k++)
        visit_bond(bonded, bodies, k, &bonded->block[block]);
}

static void add_bead(const AmphiBonded *bonded, AmphiBodies *bodies, int32_t k)
{
    const int32_t i = bonded->bound[k];

    for (int32_t p = bonded->part_start[k]; p < bonded->part_start[k + 1]; p++) {
        const BondResult *b = &bonded->result[bonded->part[p] / AMPHI_MAX_BOND_BEADS];
        const int32_t     m = bonded->part[p] % AMPHI_MAX_BOND_BEADS;

        add_to(bodies->force_kJ_mol_nm[i], b->f[m]);
        add_to(bodies->torque_kJ_mol[i], b->t[m]);
    }
}

static void add_sums(const AmphiSums *block, AmphiSums *sums)
{
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
        sums->energy_kJ_mol[slot] += block->energy_kJ_mol[slot];
        sums->potential_kJ_mol += block->energy_kJ_mol[slot];
        sums->count[slot] += block->count[slot];
        for (int a = 0; a < 3; a++) {
            sums->total_virial_kJ_mol[a] += block->virial_kJ_mol[slot][a][a];
            for (int c = 0; c < 3; c++)
                sums->virial_kJ_mol[slot][a][c] += block->virial_kJ_mol[slot][a][c];
        }
    }
}

void amphi_bonded_visit(const AmphiBonded *bonded, const AmphiBodies *bodies)
{
#pragma omp for schedule(static) nowait
    for (int32_t block = 0; block < bonded->n_blocks; block++)
        visit_block(bonded, bodies, block);
}

void amphi_bonded_add_forces(const AmphiBonded *bonded, AmphiBodies *bodies)
{
#pragma omp for schedule(static) nowait
    for (int32_t k = 0; k < bonded->n_bound; k++)
        add_bead(bonded, bodies, k);
}

void amphi_bonded_add_sums(const AmphiBonded *bonded, AmphiSums *sums)
{
    for (int32_t block = 0; block < bonded->n_blocks; block++)
        add_sums(&bonded->block[block], sums);
}

void amphi_bonded_add(const AmphiBonded *bonded, AmphiBodies *bodies, AmphiSums *sums)
{
#pragma omp parallel num_threads(bodies->threads) if (bonded->n_blocks >= FEW)
    {
        amphi_bonded_visit(bonded, bodies);
#pragma omp barrier
        amphi_bonded_add_forces(bonded, bodies);
    }
    amphi_bonded_add_sums(bonded, sums);
}

static bool is_member(const AmphiBond *bond, int32_t n_beads, int32_t bead)
{
    for (int32_t k = 0; k < n_beads; k++)
        if (bond->bead[k] == bead)
            return true;
    return false;
}

double amphi_bonded_energy_with(const AmphiBonded *bonded, const AmphiBodies *bodies, int32_t bead,
                                const double position[3], const double orientation[4])
{
    const Moved moved = { bead, position, orientation };
    double      sum   = 0;

    for (int32_t k = 0; k < bonded->system->n_bonds; k++) {
        const AmphiBond *bond = &bonded->system->bond[k];
        const BondTerm  *term = &bonded->term[bond->rule];

        if (is_member(bond, term->n_beads, bead)) {
            const BondGeometry g = geometry_of(bonded, bodies, k, &moved);

            sum += bond_eval(term, &g).u;
        }
    }
    return sum;
}
