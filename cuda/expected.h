/* Where the next list expects beads: by how they move, and by the force that their last kick has
 * found. A list may be built beside the next forces, so that those are not asked.
 */
#ifndef AMPHI_CUDA_EXPECTED_H
#define AMPHI_CUDA_EXPECTED_H

#include "../engine/fixed_motion.h"
#include "../engine/list_ahead.h"
#include "state.h"

/* By a kick: rate of change of the velocity. */
__device__ static inline void keep_acceleration(const View &v, int32_t bead, const double a[3])
{
    v.acceleration_nm_ps2[bead] = make_float4((float)a[0], (float)a[1], (float)a[2], 0);
}

#ifdef AMPHI_BUILD_FIXED
__device__ static inline void keep_fixed_acceleration(const View &v, int32_t bead, const Mover *m,
                                                      const int64_t force[3])
{
    const double unit = m->inv_mass * FIXED_UNIT(FORCE);
    const double a[3] = { unit * (double)force[0], unit * (double)force[1],
                          unit * (double)force[2] };

    keep_acceleration(v, bead, a);
}

__device__ static inline void velocity_of(const View &v, int32_t bead, double u_nm_ps[3])
{
    fixed_show_velocity(&v.mover[v.bead_type[bead]], v.fixed.p[bead], u_nm_ps);
}
#else
__device__ static inline void velocity_of(const View &v, int32_t bead, double u_nm_ps[3])
{
    for (int a = 0; a < 3; a++)
        u_nm_ps[a] = v.velocity_nm_ps[bead][a];
}
#endif

/* The point that the next list is built around. */
__device__ static inline void expected_place(const View &v, int32_t bead, double at_nm[3])
{
    const float4 f           = v.acceleration_nm_ps2[bead];
    const double a_nm_ps2[3] = { f.x, f.y, f.z };
    double       u_nm_ps[3];

    velocity_of(v, bead, u_nm_ps);
    expected_nm(v.position_nm[bead], u_nm_ps, a_nm_ps2, v.stage.dt_ps, v.margin_nm, at_nm);
}

#endif
