/* Bonded terms one after another, in double. */
#include "bonded.h"

#include "../../forcefield/bonds.h"
#include "box.h"

struct AmphiBonded {
    const AmphiSystem *system;
    BondTerm          *term; /* [n_bond_rules] */
};

/* A bead that is not where the bodies have it; bead -1: none. */
typedef struct {
    int32_t       bead;
    const double *position, *orientation;
} Moved;

static real3 vector_of(const double x[3])
{
    return (real3){ x[0], x[1], x[2] };
}

AmphiBonded *amphi_bonded_new(const AmphiSystem *system, AmphiArena *arena)
{
    AmphiBonded *b = AMPHI_TAKE(arena, AmphiBonded, 1);

    if (b == NULL)
        return NULL;
    b->system = system;
    b->term   = AMPHI_TAKE(arena, BondTerm, system->n_bond_rules);
    for (int32_t k = 0; b->term != NULL && k < system->n_bond_rules; k++)
        b->term[k] = bond_prepare(&system->bond_rule[k]);
    return b->term != NULL ? b : NULL;
}

/* Positions from the first bead, nearest images; of a restraint, from its anchor. */
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
    if (term->kind == BOND_position_restraint)
        g.x[0] = nearest_image(&box, sub3(at[0], vector_of(bonded->system->anchor_nm[bond])));
    return g;
}

static void add_to(double sum[3], real3 a)
{
    sum[0] += a.x;
    sum[1] += a.y;
    sum[2] += a.z;
}

void amphi_bonded_add(const AmphiBonded *bonded, AmphiBodies *bodies, AmphiSums *sums)
{
    const Moved none = { .bead = -1 };

    for (int32_t k = 0; k < bonded->system->n_bonds; k++) {
        const AmphiBond   *bond = &bonded->system->bond[k];
        const BondTerm    *term = &bonded->term[bond->rule];
        const BondGeometry g    = geometry_of(bonded, bodies, k, &none);
        const BondResult   b    = bond_eval(term, &g);

        sums->energy_kJ_mol[term->slot] += b.u;
        sums->count[term->slot]++;
        sums->potential_kJ_mol += b.u;
        for (int32_t m = 0; m < term->n_beads; m++) {
            double(*virial)[3] = sums->virial_kJ_mol[term->slot];

            add_to(bodies->force_kJ_mol_nm[bond->bead[m]], b.f[m]);
            add_to(bodies->torque_kJ_mol[bond->bead[m]], b.t[m]);
            add_to(virial[0], scale3(g.x[m].x, b.f[m]));
            add_to(virial[1], scale3(g.x[m].y, b.f[m]));
            add_to(virial[2], scale3(g.x[m].z, b.f[m]));
            add_to(sums->total_virial_kJ_mol,
                   (real3){ g.x[m].x * b.f[m].x, g.x[m].y * b.f[m].y, g.x[m].z * b.f[m].z });
        }
    }
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
