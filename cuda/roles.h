/* What bonds do to one bead: the sum over its roles, each of which is a bead of one bond. */
#ifndef AMPHI_CUDA_ROLES_H
#define AMPHI_CUDA_ROLES_H

#include "state.h"

enum { ROLES_AT_ONCE = 4 }; /* their loads are under way together */

/* The roles of one bead, which stand side by side; none: 0, 0. */
typedef struct {
    int32_t first, end;
} Roles;

/* Of a bead that has bonds. */
__device__ static inline Roles load_roles(const View &v, int32_t i)
{
    return Roles{ v.role_start[i], v.role_start[i + 1] };
}

/* Adds force and torque to sum, in the order of the bead's roles. */
__device__ static inline void add_roles(const View &v, const Roles &roles, double sum[6])
{
    const int32_t end = roles.end;

    for (int32_t k = roles.first; k < end; k += ROLES_AT_ONCE) {
        Four f[ROLES_AT_ONCE], t[ROLES_AT_ONCE];

#pragma unroll
        for (int j = 0; j < ROLES_AT_ONCE; j++) {
            f[j] = k + j < end ? v.bond_force[k + j] : Four{ 0, 0, 0, 0 };
            t[j] = k + j < end ? v.bond_torque[k + j] : Four{ 0, 0, 0, 0 };
        }
#pragma unroll
        for (int j = 0; j < ROLES_AT_ONCE; j++) {
            const double role[6] = { f[j].x, f[j].y, f[j].z, t[j].x, t[j].y, t[j].z };

            for (int a = 0; a < 6; a++)
                sum[a] += role[a];
        }
    }
}

#endif
