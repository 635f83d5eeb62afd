/* Fixed precision: from the result of a bonded term to integers, for all backends alike.
 *
 * A term is evaluated in the precision of the build, from differences of box fractions. All its
 * forces but one are rounded once, and that one is minus their sum, so that they cancel exactly.
 * Torques, energy and virial are rounded once.
 */
#ifndef AMPHI_FORCEFIELD_BOND_FIXED_H
#define AMPHI_FORCEFIELD_BOND_FIXED_H

#include "../engine/fixed_motion.h"
#include "bonds.h"
#include "pair_fixed.h"

/* nm, nearest image: the difference of fractions wraps as the box does. */
AMPHI_BOTH real3 bond_fixed_between(const uint64_t to[3], const uint64_t from[3],
                                    const double box_nm[3])
{
    const double d[3] = { (double)(int64_t)(to[0] - from[0]) * 0x1p-64 * box_nm[0],
                          (double)(int64_t)(to[1] - from[1]) * 0x1p-64 * box_nm[1],
                          (double)(int64_t)(to[2] - from[2]) * 0x1p-64 * box_nm[2] };
    const real3  out  = { (scalar)d[0], (scalar)d[1], (scalar)d[2] };

    return out;
}

/* The displacement of x from the anchor of a restraint, nm. Anchors are given in the box of the
 * start and scale with the box. */
AMPHI_BOTH real3 bond_fixed_from_anchor(const uint64_t x[3], const double anchor_nm[3],
                                        const double start_box_nm[3], const double box_nm[3])
{
    uint64_t anchor[3];
    int32_t  boxes;

    for (int a = 0; a < 3; a++)
        anchor[a] = fixed_place_of(anchor_nm[a], start_box_nm[a], &boxes);
    return bond_fixed_between(x, anchor, box_nm);
}

AMPHI_BOTH real3 bond_fixed_axis(const double q[4])
{
    double axis[3];

    pair_fixed_axis(q, 1, axis);
    const real3 out = { (scalar)axis[0], (scalar)axis[1], (scalar)axis[2] };
    return out;
}

typedef struct {
    int32_t    force[AMPHI_MAX_BOND_BEADS][3]; /* FORCE, or units 2^coarse larger */
    int32_t    turn[AMPHI_MAX_BOND_BEADS][3];  /* TURN, likewise */
    int64_t    energy, virial[3];              /* ENERGY */
    FixedFault fault;                          /* what left its range */
} FixedBond;

/* The nearest integer, halves to even; if it is out of range, 0 and a fault. */
AMPHI_BOTH int32_t bond_fixed_part(scalar units, FixedFault what, FixedFault *fault)
{
    const scalar most = R(1 << FIXED_FORCE_RANGE);

    if (!(units > -most && units < most)) {
        *fault = *fault == FIXED_GOOD ? what : *fault;
        return 0;
    }
#ifdef __CUDA_ARCH__
    return __float2int_rn(units);
#else
    return (int32_t)lrintf(units);
#endif
}

AMPHI_BOTH int64_t bond_fixed_energy(double kJ_mol, FixedFault *fault)
{
    const int64_t units = fixed_energy(kJ_mol);

    if (units == INT64_MIN && *fault == FIXED_GOOD)
        *fault = FIXED_ENERGY;
    return units == INT64_MIN ? 0 : units;
}

AMPHI_BOTH void bond_fixed_vector(real3 v, scalar units, FixedFault what, int32_t out[3],
                                  FixedFault *fault)
{
    out[0] = bond_fixed_part(units * v.x, what, fault);
    out[1] = bond_fixed_part(units * v.y, what, fault);
    out[2] = bond_fixed_part(units * v.z, what, fault);
}

/* The element [a][c] of the virial of a term, kJ/mol: sum over its beads of x_a f_c. */
AMPHI_BOTH double bond_fixed_virial(const BondGeometry *g, const BondResult *b, int32_t n_beads,
                                    int a, int c)
{
    double sum = 0;

    for (int32_t m = 0; m < n_beads; m++) {
        const real x = a == 0 ? g->x[m].x : a == 1 ? g->x[m].y : g->x[m].z;
        const real f = c == 0 ? b->f[m].x : c == 1 ? b->f[m].y : b->f[m].z;

        sum += (double)x * (double)f;
    }
    return sum;
}

/* The integers of a term. With one bead it is a restraint, tied to the box; with two, the second
 * gets the opposite force; with three, the middle one gets minus the sum of the others. */
AMPHI_BOTH FixedBond bond_fixed(const BondGeometry *g, const BondResult *b, int32_t n_beads,
                                int32_t coarse)
{
    const PairScale scale = pair_fixed_scale(1, coarse);
    FixedBond       out   = { .energy = 0 };

    bond_fixed_vector(b->f[0], scale.force, FIXED_FORCE, out.force[0], &out.fault);
    if (n_beads == 3)
        bond_fixed_vector(b->f[2], scale.force, FIXED_FORCE, out.force[2], &out.fault);
    for (int a = 0; a < 3 && n_beads > 1; a++)
        out.force[1][a] = -(out.force[0][a] + (n_beads == 3 ? out.force[2][a] : 0));
    for (int32_t m = 0; m < n_beads; m++)
        bond_fixed_vector(b->t[m], scale.field, FIXED_PAIR_TURN, out.turn[m], &out.fault);
    out.energy = bond_fixed_energy((double)b->u, &out.fault);
    for (int a = 0; a < 3; a++)
        out.virial[a] = bond_fixed_energy(bond_fixed_virial(g, b, n_beads, a, a), &out.fault);
    return out;
}

#endif
