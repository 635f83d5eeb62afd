/* The kick of a body whose sums somebody wants. */
#ifndef AMPHI_CUDA_KICK_H
#define AMPHI_CUDA_KICK_H

#include "books.h"

__device__ static inline void add_tensor(double *number, double mass, const double v[3])
{
    for (int k = 0, a = 0; a < 3; a++)
        for (int c = a; c < 3; c++, k++)
            number[TENSOR + k] += 0.25 * mass * v[a] * v[c];
}

/* Number NULL: nobody adds up. HAS_VIRIALS: there are steps in which nobody wants kinetic energies.
 */
template <bool HAS_VIRIALS>
__device__ static inline void kick_body(const View &v, int32_t i, const Mover *m, const Push *push,
                                        uint32_t wanted, bool looked_at, double *number,
                                        double u[3], double l[3])
{
    const double before[3] = { u[0], u[1], u[2] };

#pragma unroll
    for (int at = 0; at < 3; at++) {
        if (number != NULL && (!HAS_VIRIALS || (wanted & KINETIC_BITS) != 0)) {
            number[at == 2 ? PLUS : TRANSLATION + at]  = kinetic_of(m, u);
            number[at == 2 ? PLUS + 1 : ROTATION + at] = rotation_of(m, l);
        }
        if (number != NULL && at != 1 && (wanted & TENSOR_BITS) != 0)
            add_tensor(number, m->mass, u);
        for (int a = 0; at == 1 && looked_at && v.velocity_now_nm_ps != NULL && a < 3; a++) {
            v.velocity_now_nm_ps[i][a] = u[a];
            v.spin_now_u_nm2_ps[i][a]  = l[a];
        }
        if (at != 2)
            add_push(push, 0.5 * v.stage.dt_ps, u, l);
    }
    for (int a = 0; number != NULL && a < 3; a++) {
        number[MOMENTUM + a] = m->mass * u[a];
        number[PUSHED + a]   = m->mass * (u[a] - before[a]);
    }
}

#endif
