/* The kick of a body in fixed precision whose sums somebody wants. */
#ifndef AMPHI_CUDA_FIXED_KICK_H
#define AMPHI_CUDA_FIXED_KICK_H

#include "expected.h"
#include "fixed_books.h"

/* What frames have of a bead in double and no drift leaves. */
__device__ static inline void put_now(const View &v, int32_t i, const double u[3],
                                      const double l[3], const int64_t q[4])
{
    double turn[4];

    fixed_show_orientation(q, turn);
    store4(turn, v.orientation[i]);
    for (int a = 0; a < 3; a++) {
        v.velocity_now_nm_ps[i][a] = u[a];
        v.spin_now_u_nm2_ps[i][a]  = l[a];
    }
}

__device__ static inline void put_books(const FixedBooks *books, bool has_more, int64_t *number)
{
    for (int k = 0; k < 6; k++)
        number[FIXED_KINETIC + k] = books->kinetic[k / 3][k % 3];
    for (int k = 0; has_more && k < 6; k++)
        number[FIXED_TENSOR + k] = books->tensor[k];
}

/* Momenta and orientation of b are those of bead i. Number NULL: no books. has_more: more than
 * kinetic energies. */
__device__ static inline void kick_with_books(const View &v, int32_t i, const Mover *m,
                                              const FixedPull &pull, bool has_more, bool looked_at,
                                              int64_t *number, FixedBody *b)
{
    int64_t turn[3];

    keep_fixed_acceleration(v, i, m, pull.f);
    fixed_torque_on(m, b->q, pull.t, turn);
    if (number != NULL) {
        FixedBooks books;
        double     u_now[3], l_now[3];

        raise_range(
            v, fixed_book(m, v.fixed.ticks, pull.f, turn, b->p, b->q, b->l, &books, u_now, l_now),
            i);
        put_books(&books, has_more, number);
        if (looked_at && v.velocity_now_nm_ps != NULL)
            put_now(v, i, u_now, l_now, b->q);
    }
    fixed_kick(v.fixed.ticks, pull.f, turn, b->p, b->l);
    raise_range(v, fixed_range(b->p, b->l), i);
}

#endif
