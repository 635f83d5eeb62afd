/* Every bonded term of the list, with random fields and poses: what the laws of test_bonds.c and
 * the comparisons of test_builds.c run over.
 */
#ifndef AMPHI_VALIDATION_BOND_CASES_H
#define AMPHI_VALIDATION_BOND_CASES_H

#include "../../engine/typed/probe.h"
#include "../../forcefield/spec.h"
#include "draw.h"

/* How large the parts are that a result is the sum of. */
typedef struct {
    double energy, force, torque;
} BondSize;

/* Is the term tied to a place in the box? Then bead 0 has a position of its own. */
static inline bool is_anchored(const AmphiPotential *p)
{
    return p->n_beads == 1;
}

static inline AmphiBondRule draw_bond_rule(const AmphiPotential *p, uint64_t *seed)
{
    AmphiBondRule rule = { .kind = p->kind };

    for (int32_t k = 0; k < p->n_fields; k++)
        switch (p->field[k].dimension) {
        case AMPHI_DIM_ANGLE:
            rule.field[k] = draw(seed, 0, 3.14159265358979);
            break;
        case AMPHI_DIM_LENGTH:
            rule.field[k] = draw(seed, 0.3, 0.6);
            break;
        default:
            rule.field[k] = draw(seed, 5, 500);
        }
    return rule;
}

/* Beads 0.3 to 0.6 nm apart; no angle within 3 degrees of straight or folded. */
static inline AmphiBondPose draw_bond_pose(const AmphiPotential *p, uint64_t *seed)
{
    AmphiBondPose pose = { 0 };
    double        d[2][3], across[3];

    do {
        for (int k = 0; k < 2; k++) {
            const double length = draw(seed, 0.3, 0.6);

            draw_direction(seed, d[k]);
            for (int a = 0; a < 3; a++)
                d[k][a] *= length;
        }
        cross(d[0], d[1], across);
    } while (length_of(across) < 0.05 * length_of(d[0]) * length_of(d[1]));
    for (int a = 0; a < 3; a++) {
        pose.x_nm[0][a] = is_anchored(p) ? d[0][a] : 0;
        pose.x_nm[1][a] = d[0][a];
        pose.x_nm[2][a] = d[0][a] + d[1][a];
    }
    for (int k = 0; k < AMPHI_MAX_BOND_BEADS; k++)
        draw_orientation(seed, pose.orientation[k]);
    return pose;
}

static inline AmphiBondForces evaluate_bond(const AmphiBondRule *rule, const AmphiBondPose *pose)
{
    AmphiBondForces out;

    probe_bonds_double(rule, 1, pose, &out);
    return out;
}

/* k times the largest square that it can multiply, and twice its slope over the shortest arm. A
 * new dimension of k: say here how large its square is. */
static inline BondSize size_of_bond(const AmphiPotential *p, const AmphiBondRule *rule)
{
    double energy = 0;

    for (int32_t k = 0; k < p->n_fields; k++)
        switch (p->field[k].dimension) {
        case AMPHI_DIM_ENERGY:
            energy += 4 * rule->field[k];
            break;
        case AMPHI_DIM_ENERGY_PER_ANGLE2:
            energy += 10 * rule->field[k];
            break;
        case AMPHI_DIM_ENERGY_PER_AREA:
            energy += 0.36 * rule->field[k];
            break;
        default:
            break;
        }
    return (BondSize){ energy, energy / 0.15, energy };
}

#endif
