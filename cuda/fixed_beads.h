/* What the kernels of motion share in fixed precision: one body, the whole force on it in whole
 * numbers, what others see of it, and the sums of a kick.
 */
#ifndef AMPHI_CUDA_FIXED_BEADS_H
#define AMPHI_CUDA_FIXED_BEADS_H

#include "../forcefield/pair_fixed.h"
#include "books.h"
#include "fixed_sums.h"

/* Numbers of a row of the kick, of one group: kinetic energies before, at and after it, of
 * translation and rotation; the upper half of the tensor of the half-step mean; energy and virial
 * of the stage's restraints. And of a row of the drift: momentum, and that which the kick has added
 * and which noise gives. */
enum { FIXED_KINETIC = 0, FIXED_TENSOR = 6, FIXED_QUICK = 12 };
enum { FIXED_MOVED = 0, FIXED_PUSHED = 4, FIXED_GIVEN = 8 };

typedef struct {
    int64_t f[3], t[3];
} FixedPull;

__device__ static inline void load4(const int64_t from[4], int64_t to[4])
{
    load_twice<longlong2>(from, to);
}

__device__ static inline void store4(const int64_t from[4], int64_t to[4])
{
    ((longlong2 *)to)[0] = make_longlong2(from[0], from[1]);
    ((longlong2 *)to)[1] = make_longlong2(from[2], from[3]);
}

/* ---- forces ---- */

__device__ static inline void add_role(int64_t sum[3], const int4 &x)
{
    sum[0] += x.x;
    sum[1] += x.y;
    sum[2] += x.z;
}

/* What bonds do to a bead, by its roles. There before a step that follows pairs begins. */
__device__ static inline FixedPull fixed_bonds_on(const View &v, int32_t i)
{
    const Roles   roles = i < v.n_bonded ? load_roles(v, i) : Roles{ 0, 0 };
    const int64_t units = (int64_t)1 << v.fixed.coarse;
    FixedPull     pull  = {};

    for (int32_t k = roles.first; k < roles.end; k += ROLES_AT_ONCE) {
        int4 f[ROLES_AT_ONCE], t[ROLES_AT_ONCE];

#pragma unroll
        for (int j = 0; j < ROLES_AT_ONCE; j++) {
            const bool is_there = k + j < roles.end;

            f[j] = is_there ? *(const int4 *)v.fixed.bond_force[k + j] : int4{ 0, 0, 0, 0 };
            t[j] = is_there ? *(const int4 *)v.fixed.bond_torque[k + j] : int4{ 0, 0, 0, 0 };
        }
#pragma unroll
        for (int j = 0; j < ROLES_AT_ONCE; j++) {
            add_role(pull.f, f[j]);
            add_role(pull.t, t[j]);
        }
    }
    for (int a = 0; a < 3; a++) {
        pull.f[a] *= units;
        pull.t[a] *= units << FIXED_TURN_FINER;
    }
    return pull;
}

/* What pairs leave on every bead. Torques and fields on unit axes, which few systems have, are
 * asked for later: a step has no registers left for them. */
typedef struct {
    int64_t force[3], field[3];
} FixedPairs;

__device__ static inline FixedPairs fixed_pairs_on(const View &v, int32_t i)
{
    FixedPairs pairs;

    copy3(v.fixed.force[i], pairs.force);
    copy3(v.fixed.field[i], pairs.field);
    return pairs;
}

/* Pairs and bonds; q is the orientation of the bead. */
__device__ static inline FixedPull fixed_pull_with(const View &v, int32_t i, const int64_t q[4],
                                                   double dipole_e_nm, const FixedPairs &pairs,
                                                   const FixedPull &bonds)
{
    FixedPull pull = {};
    double    turn[4], axis[3];
    int       is_in = 1;

    copy3(pairs.force, pull.f);
    if (v.fixed.torque != NULL)
        for (int a = 0; a < 3; a++)
            pull.t[a] = v.fixed.torque[i][a] * ((int64_t)1 << FIXED_TURN_FINER);
    fixed_show_orientation(q, turn);
    pair_fixed_axis(turn, dipole_e_nm, axis);
    is_in &= pair_fixed_torque(axis, pairs.field, FIXED_FIELD_FINER, pull.t);
    if (v.fixed.turn != NULL) {
        pair_fixed_axis(turn, 1, axis);
        is_in &= pair_fixed_torque(axis, v.fixed.turn[i], FIXED_TURN_FINER, pull.t);
    }
    if (!is_in)
        raise_range(v, FIXED_TORQUE, i);
    for (int a = 0; a < 3; a++) {
        pull.f[a] += bonds.f[a];
        pull.t[a] += bonds.t[a];
    }
    return pull;
}

/* One restraint of the stage: x is how far the bead is from its anchor, f the force. False: out of
 * range. */
__device__ static inline bool fixed_restraint(const View &v, int32_t r, int32_t i, double x[3],
                                              double f[3])
{
    const uint8_t axes = v.fixed.restrained[(int64_t)r * v.n + i];

    for (int a = 0; a < 3; a++) {
        x[a] = v.position_nm[i][a] + v.image[i][a] * v.ledger->box_nm[a] - v.anchor_nm[i][a];
        f[a] = (axes >> a & 1) != 0 ? -2 * v.fixed.k_kJ_mol_nm2[r] * x[a] : 0;
    }
    return axes != 0;
}

/* Adds what the stage's restraints do to bead i, each rounded once; energy and virial to quick. */
__device__ static inline void add_fixed_restraints(const View &v, int32_t i, FixedPull *pull,
                                                   int64_t *quick)
{
    const double most = FIXED_POWER(FIXED_FORCE_RANGE + v.fixed.coarse);

    for (int32_t r = 0; r < v.fixed.n_restraints; r++) {
        double x[3], f[3], units[3], energy = 0;
        bool   is_in = true;

        if (!fixed_restraint(v, r, i, x, f))
            continue;
        for (int a = 0; a < 3; a++) {
            units[a] = f[a] * FIXED_POWER(FIXED_FORCE_BITS);
            is_in    = is_in && fabs(units[a]) < most;
        }
        if (!is_in) {
            raise_range(v, FIXED_FORCE, i);
            continue;
        }
        for (int a = 0; a < 3; a++) {
            pull->f[a] += fixed_round(units[a]);
            energy -= 0.5 * f[a] * x[a];
            if (quick != NULL)
                quick[VIRIAL + a] += fixed_energy(x[a] * f[a]);
        }
        if (quick != NULL)
            quick[POTENTIAL] += fixed_energy(energy);
    }
}

/* quick NULL: energy and virial of restraints are not wanted. */
__device__ static inline FixedPull fixed_whole_pull_with(const View &v, int32_t i,
                                                         const int64_t q[4], double dipole_e_nm,
                                                         const FixedPairs &pairs,
                                                         const FixedPull &bonds, int64_t *quick)
{
    FixedPull pull = fixed_pull_with(v, i, q, dipole_e_nm, pairs, bonds);

    if (v.fixed.n_restraints > 0)
        add_fixed_restraints(v, i, &pull, quick);
    return pull;
}

__device__ static inline FixedPull fixed_whole_pull(const View &v, int32_t i, const int64_t q[4],
                                                    int64_t *quick)
{
    return fixed_whole_pull_with(v, i, q, v.fixed.dipole_e_nm[i], fixed_pairs_on(v, i),
                                 fixed_bonds_on(v, i), quick);
}

/* ---- sums ---- */

/* Numbers of each thread's bead to the row of its group, from the first number on, by all threads
 * of a block. */
template <int N, int FIRST = 0>
__device__ static inline void add_to_groups(const View &v, FixedRow *rows, int32_t block,
                                            int32_t group, const int64_t number[N])
{
    FixedRow *row = rows + (int64_t)(block % FIXED_COPIES) * v.max_groups;

    for (int32_t g = 0; g < v.n_groups; g++) {
        int64_t own[N];

        if (!__any_sync(ALL_LANES, group == g))
            continue;
#pragma unroll
        for (int k = 0; k < N; k++)
            own[k] = group == g ? number[k] : 0;
        add_to_row<N>(own, &row[g].x[FIRST]);
    }
}

__device__ static inline FixedRow *kick_rows(const View &v, int32_t turn)
{
    return v.fixed.kick + (int64_t)turn * FIXED_COPIES * v.max_groups;
}

/* Rows of all groups, by all threads of a block; few: room for FEW_GROUPS, shared. After a
 * barrier. */
__device__ static inline const FixedRow *add_copies(const View &v, const FixedRow *rows,
                                                    FixedRow *few)
{
    FixedRow *to = v.n_groups <= FEW_GROUPS ? few : v.fixed.total;

    for (int32_t at = (int32_t)threadIdx.x; at < v.n_groups * FIXED_SUM_WIDTH; at += MOTION_BLOCK) {
        const int32_t g = at / FIXED_SUM_WIDTH, k = at % FIXED_SUM_WIDTH;

        to[g].x[k] = total_of(&rows[g], v.max_groups, k);
    }
    __syncthreads();
    return to;
}

__device__ static inline void clear_rows(FixedRow *rows, int32_t n)
{
    int64_t *number = &rows->x[0];

    for (int64_t at = threadIdx.x; at < (int64_t)n * FIXED_SUM_WIDTH; at += blockDim.x)
        number[at] = 0;
}

/* ---- what others see ---- */

/* The bead's place in nm, its records, and what follows for the list from where it is. */
__device__ static inline void show_fixed_place(const View &v, int32_t i, const Shown &shown,
                                               const double built_nm[3], const ListRoom *room,
                                               const uint64_t x[3], const int64_t q[4])
{
    double at_nm[3], turn[4];

    for (int a = 0; a < 3; a++)
        at_nm[a] = fixed_place_nm(x[a], room->box_nm[a]);
    fixed_show_orientation(q, turn);
    put_fixed_records(v, v.shown, shown, x, turn);
    store3(v, i, at_nm, v.position_nm);
    judge_place(v, room, i, built_nm, at_nm);
}

#endif
