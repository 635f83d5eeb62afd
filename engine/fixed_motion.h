/* The motion of one body in whole numbers: kick, drift and free rotation without an error that adds up,
 * and each of them exactly undone by its mirror in time. One text for host and device.
 *
 * x in 2^-64 of the box edges, p in FIXED_MOMENTUM_UNIT, q in 2^-60, l in FIXED_SPIN_UNIT. l is in
 * the space frame for rotors that turn steadily when left alone, in the body frame for tumbling
 * ones: in that frame each part of a free rotation leaves the component of l alone that says how
 * far it turns, so that it can be undone. Everything that is not stored is in double, of IEEE
 * operations alone.
 */
#ifndef AMPHI_ENGINE_FIXED_MOTION_H
#define AMPHI_ENGINE_FIXED_MOTION_H

#include "fixed.h"
#include "motion.h"

typedef struct {
    uint64_t x[3];
    int64_t  p[3], q[4], l[3];
    int32_t  image[3];
} FixedBody;

/* What left its range: of a body; of a pair or a bond; a sum or a term of the energy. */
typedef enum {
    FIXED_GOOD,
    FIXED_MOMENTUM,
    FIXED_SPIN,
    FIXED_TURN, /* too far for one step */
    FIXED_FORCE,
    FIXED_FIELD,
    FIXED_TORQUE,
    FIXED_ENERGY,
    FIXED_PAIR_TURN, /* torque of a pair or a bond, or the field on a unit axis */
    FIXED_FAULTS
} FixedFault;

/* How far one unit of momentum carries in dt: 2^-64 of the box edges. */
AMPHI_BOTH void fixed_stride(const Mover *m, double dt_ps, const double box_nm[3], double stride[3])
{
    for (int a = 0; a < 3; a++)
        stride[a] = FIXED_MOMENTUM_UNIT * dt_ps * m->inv_mass / box_nm[a] * 0x1p64;
}

/* Ticks of a time step; 0 where it is not a whole number of them. */
static inline int64_t fixed_ticks(double dt_ps)
{
    const double  n     = dt_ps / FIXED_TICK_PS;
    const int64_t ticks = fixed_round(n);

    return fabs(n - (double)ticks) <= 1e-9 * n ? ticks : 0;
}

/* ---- to and from physical units ---- */

/* x in [0, edge). */
AMPHI_BOTH double fixed_place_nm(uint64_t x, double edge_nm)
{
    return (double)(x >> 11) * 0x1p-53 * edge_nm;
}

/* Any x, whole boxes left out: `boxes` of them, to be added to the image. */
AMPHI_BOTH uint64_t fixed_place_of(double x_nm, double edge_nm, int32_t *boxes)
{
    const double fraction = x_nm / edge_nm, below = floor(fraction);
    const double rest = fraction - below; /* [0, 1], 1 only when rounded up from below */

    *boxes = (int32_t)below + (rest >= 1);
    return rest >= 1 ? 0 : (uint64_t)(rest * 0x1p53) << 11;
}

AMPHI_BOTH void fixed_show_orientation(const int64_t fixed[4], double q[4])
{
    for (int k = 0; k < 4; k++)
        q[k] = (double)fixed[k] * FIXED_UNIT(ORIENTATION);
}

AMPHI_BOTH void fixed_show_velocity(const Mover *m, const int64_t p[3], double v[3])
{
    for (int a = 0; a < 3; a++)
        v[a] = (double)p[a] * FIXED_MOMENTUM_UNIT * m->inv_mass;
}

/* v_space = B v_body; its transpose by turning with the conjugate. */
AMPHI_BOTH void fixed_turn_vector(const double q[4], double sign, const double v[3], double out[3])
{
    const double x = sign * q[1], y = sign * q[2], z = sign * q[3];
    const double c[3] = { 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]),
                          2 * (x * v[1] - y * v[0]) };

    out[0] = v[0] + q[0] * c[0] + (y * c[2] - z * c[1]);
    out[1] = v[1] + q[0] * c[1] + (z * c[0] - x * c[2]);
    out[2] = v[2] + q[0] * c[2] + (x * c[1] - y * c[0]);
}

/* l in the body frame, u nm^2/ps; nothing about an axis without a moment. */
AMPHI_BOTH void fixed_show_spin(const Mover *m, const int64_t q[4], const int64_t fixed[3],
                                double l[3])
{
    const double as_stored[3] = { (double)fixed[0] * FIXED_SPIN_UNIT,
                                  (double)fixed[1] * FIXED_SPIN_UNIT,
                                  (double)fixed[2] * FIXED_SPIN_UNIT };
    double       turn[4];

    if (m->turning == TURNS_STEADILY) {
        fixed_show_orientation(q, turn);
        fixed_turn_vector(turn, -1, as_stored, l);
    }
    for (int a = 0; a < 3; a++)
        l[a] = m->inv_inertia[a] == 0 ? 0 : m->turning == TURNS_STEADILY ? l[a] : as_stored[a];
}

/* A body-frame vector as l is stored. */
AMPHI_BOTH void fixed_store_spin(const Mover *m, const double q[4], const double l_body[3],
                                 int64_t l[3])
{
    double out[3] = { l_body[0], l_body[1], l_body[2] };

    if (m->turning == TURNS_STEADILY)
        fixed_turn_vector(q, 1, l_body, out);
    for (int a = 0; a < 3; a++)
        l[a] = fixed_round(out[a] / FIXED_SPIN_UNIT);
}

/* Turned by other hands than the motion's, a body takes its spin along. */
AMPHI_BOTH void fixed_carry_spin(const Mover *m, const int64_t from[4], const int64_t to[4],
                                 int64_t l[3])
{
    double body[3], turn[4];

    if (m->turning != TURNS_STEADILY)
        return;
    fixed_show_spin(m, from, l, body);
    fixed_show_orientation(to, turn);
    fixed_store_spin(m, turn, body, l);
}

/* ---- kick ---- */

/* The torque as it kicks l: in the frame of l, nothing about an axis without a moment. */
AMPHI_BOTH void fixed_torque_on(const Mover *m, const int64_t q[4], const int64_t torque[3],
                                int64_t out[3])
{
    const double space[3] = { (double)torque[0], (double)torque[1], (double)torque[2] };
    double       turn[4], body[3];

    for (int a = 0; a < 3; a++)
        out[a] = m->turning == TURNS_STEADILY ? torque[a] : 0;
    if (m->turning != TURNS_TUMBLING)
        return;
    fixed_show_orientation(q, turn);
    fixed_turn_vector(turn, -1, space, body);
    for (int a = 0; a < 3; a++)
        if (m->inv_inertia[a] != 0)
            out[a] = fixed_round(body[a]);
}

/* p += ticks force, exactly; l likewise with what fixed_torque_on says. */
AMPHI_BOTH void fixed_kick(int64_t ticks, const int64_t force[3], const int64_t torque[3],
                           int64_t p[3], int64_t l[3])
{
    for (int a = 0; a < 3; a++) {
        p[a] += ticks * force[a];
        l[a] += ticks * torque[a];
    }
}

AMPHI_BOTH FixedFault fixed_range(const int64_t p[3], const int64_t l[3])
{
    const int64_t most = (int64_t)1 << 53;

    for (int a = 0; a < 3; a++) {
        if (p[a] <= -most || p[a] >= most)
            return FIXED_MOMENTUM;
        if (l[a] <= -most || l[a] >= most)
            return FIXED_SPIN;
    }
    return FIXED_GOOD;
}

/* v and l (body frame) after so many halves of a tick more; `turn` is what fixed_torque_on says.
 * Twice p and l are looked at, because half a kick need not be whole. */
AMPHI_BOTH void fixed_look(const Mover *m, int64_t half_ticks, const int64_t force[3],
                           const int64_t turn[3], const int64_t p[3], const int64_t q[4],
                           const int64_t l[3], double v[3], double l_body[3])
{
    int64_t p2[3], l2[3];

    for (int a = 0; a < 3; a++) {
        p2[a] = 2 * p[a] + half_ticks * force[a];
        l2[a] = 2 * l[a] + half_ticks * turn[a];
    }
    fixed_show_velocity(m, p2, v);
    fixed_show_spin(m, q, l2, l_body);
    for (int a = 0; a < 3; a++) {
        v[a] *= 0.5;
        l_body[a] *= 0.5;
    }
}

/* What one body adds to the books of a kick, in units of energy. */
typedef struct {
    int64_t kinetic[2][3]; /* translation, rotation: before, at and after the kick */
    int64_t tensor[6];     /* m v_a v_b / 2, half-step mean: xx xy xz yy yz zz */
} FixedBooks;

AMPHI_BOTH void fixed_add_tensor(const Mover *m, const double v[3], int64_t tensor[6])
{
    int k = 0;

    for (int a = 0; a < 3; a++)
        for (int c = a; c < 3; c++)
            tensor[k++] += fixed_energy(0.25 * m->mass * v[a] * v[c]);
}

/* The kinetic energy of one body is below this, kJ/mol, so that sums over 2^22 of them stay in range. */
#define FIXED_MOST_KINETIC ((double)((int64_t)1 << 16))

/* Of a body before its kick; v(t) and l(t) too. FIXED_ENERGY: too fast to be counted, and nothing
 * was. */
AMPHI_BOTH FixedFault fixed_book(const Mover *m, int64_t ticks, const int64_t force[3],
                                 const int64_t turn[3], const int64_t p[3], const int64_t q[4],
                                 const int64_t l[3], FixedBooks *books, double v_now[3],
                                 double l_now[3])
{
    const FixedBooks none = { { { 0, 0, 0 }, { 0, 0, 0 } }, { 0, 0, 0, 0, 0, 0 } };
    double           v[3], s[3];

    *books = none;
    for (int at = 0; at < 3; at++) {
        fixed_look(m, at * ticks, force, turn, p, q, l, v, s);
        if (!(kinetic_of(m, v) + rotation_of(m, s) < FIXED_MOST_KINETIC)) {
            *books = none;
            return FIXED_ENERGY;
        }
        books->kinetic[0][at] = fixed_energy(kinetic_of(m, v));
        books->kinetic[1][at] = fixed_energy(rotation_of(m, s));
        if (at != 1)
            fixed_add_tensor(m, v, books->tensor);
        for (int a = 0; at == 1 && a < 3; a++) {
            v_now[a] = v[a];
            l_now[a] = s[a];
        }
    }
    return FIXED_GOOD;
}

/* The kinetic part of U + (2 K_full + K_half)/3, in units of energy, of a body that was kicked. */
AMPHI_BOTH int64_t fixed_look_back(const Mover *m, int64_t ticks, const int64_t force[3],
                                   const int64_t turn[3], const int64_t p[3], const int64_t q[4],
                                   const int64_t l[3])
{
    double k[3], v[3], s[3];

    for (int at = 0; at < 3; at++) {
        fixed_look(m, (at - 2) * ticks, force, turn, p, q, l, v, s);
        k[at] = kinetic_of(m, v) + rotation_of(m, s);
    }
    return fixed_energy((2 * k[1] + 0.5 * (k[0] + k[2])) / 3);
}

/* p(t - dt/2) for steps that are so many ticks shorter; l likewise. */
AMPHI_BOTH void fixed_change_step(int64_t shorter, const int64_t force[3], const int64_t turn[3],
                                  int64_t p[3], int64_t l[3])
{
    for (int a = 0; a < 3; a++) {
        p[a] = fixed_round(0.5 * (double)(2 * p[a] + shorter * force[a]));
        l[a] = fixed_round(0.5 * (double)(2 * l[a] + shorter * turn[a]));
    }
}

/* Takes away the momentum that goes with a velocity. */
AMPHI_BOTH void fixed_slow(const Mover *m, const double v[3], int64_t p[3])
{
    for (int a = 0; a < 3; a++)
        p[a] -= fixed_round(m->mass * v[a] / FIXED_MOMENTUM_UNIT);
}

AMPHI_BOTH void fixed_scale(double factor, int64_t a[3])
{
    for (int k = 0; k < 3; k++)
        a[k] = fixed_round((double)a[k] * factor);
}

/* ---- drift ---- */

/* The wrap of the whole number is that of the box. */
AMPHI_BOTH void fixed_go(const double stride[3], const int64_t p[3], uint64_t x[3],
                         int32_t image[3])
{
    for (int a = 0; a < 3; a++) {
        const int64_t  step = fixed_round((double)p[a] * stride[a]);
        const uint64_t to   = x[a] + (uint64_t)step;

        image[a] += (step > 0 && to < x[a]) - (step < 0 && to > x[a]);
        x[a] = to;
    }
}

/* Turns (a, b) by the angle whose half has the tangent t: three shears, undone by those of -t. */
AMPHI_BOTH void fixed_shear(double t, int64_t *a, int64_t *b)
{
    const double s = 2 * t / (1 + t * t);

    *a -= fixed_round(t * (double)*b);
    *b += fixed_round(s * (double)*a);
    *a -= fixed_round(t * (double)*b);
}

/* About axis k by an angle of dt l_k/I, whose quarter has the tangent dt l_k/(4 I): the Cayley
 * form, which is off by a third order of dt and needs no sine. A space axis turns q and l alike, a
 * body axis turns l the other way. False: too far to be a step. */
AMPHI_BOTH int fixed_turn_about(const Mover *m, int k, double dt_ps, int64_t q[4], int64_t l[3])
{
    const int    y = (k + 1) % 3, z = (k + 2) % 3;
    const int    is_space = m->turning == TURNS_STEADILY;
    const double rate     = FIXED_SPIN_UNIT * m->inv_inertia[is_space ? 0 : k];
    const double t        = 0.25 * dt_ps * ((double)l[k] * rate);
    const double tangent  = 2 * t / (1 - t * t); /* of half the angle */

    if (!(t > -0.5 && t < 0.5))
        return 0;
    fixed_shear(t, &q[0], &q[1 + k]);
    fixed_shear(is_space ? t : -t, &q[1 + y], &q[1 + z]);
    fixed_shear(is_space ? tangent : -tangent, &l[y], &l[z]);
    return 1;
}

/* Free rotation: second order, and exactly undone by turning l round. */
AMPHI_BOTH FixedFault fixed_turn_freely(const Mover *m, double dt_ps, int64_t q[4], int64_t l[3])
{
    int is_good = 1;

    if (m->turning == TURNS_NOT)
        return FIXED_GOOD;
    for (int part = 0; part < 5; part++) {
        const int k = part < 3 ? part : 4 - part; /* 0 1 2 1 0 */

        is_good &= fixed_turn_about(m, k, k == 2 ? dt_ps : 0.5 * dt_ps, q, l);
    }
    return is_good ? FIXED_GOOD : FIXED_TURN;
}

/* ---- noise ---- */

/* p = keep p + noise, l likewise; normal: three deviates for p, three for l in the body frame. */
AMPHI_BOTH void fixed_add_noise(const Mover *m, const Noise *noise, const double normal[6],
                                const int64_t q[4], int64_t p[3], int64_t l[3])
{
    double of_l[3], turn[4], out[3];

    for (int a = 0; a < 3; a++) {
        const double of_p =
            noise->root_kT * m->root_mass * m->mass * normal[a] / FIXED_MOMENTUM_UNIT;

        p[a]    = fixed_round(noise->keep * (double)p[a] + of_p);
        of_l[a] = noise->root_kT * m->root_inertia[a] * normal[3 + a] / FIXED_SPIN_UNIT;
        out[a]  = of_l[a];
    }
    if (m->turning == TURNS_STEADILY) {
        fixed_show_orientation(q, turn);
        fixed_turn_vector(turn, 1, of_l, out);
    }
    for (int a = 0; a < 3; a++)
        l[a] = fixed_round(noise->keep * (double)l[a] + out[a]);
}

/* Drift with noise in its middle; the heat that it brings, in units of energy. stride: of half the
 * time. */
AMPHI_BOTH int64_t fixed_drift_with_noise(const Mover *m, double dt_ps, const double stride[3],
                                          const Noise *noise, const double normal[6],
                                          FixedBody *body, FixedFault *fault)
{
    const int64_t none[3] = { 0, 0, 0 };
    double        v[3], l[3], energy[2];
    FixedFault    second;

    fixed_go(stride, body->p, body->x, body->image);
    *fault = fixed_turn_freely(m, 0.5 * dt_ps, body->q, body->l);
    fixed_look(m, 0, none, none, body->p, body->q, body->l, v, l);
    energy[0] = kinetic_of(m, v) + rotation_of(m, l);
    fixed_add_noise(m, noise, normal, body->q, body->p, body->l);
    fixed_look(m, 0, none, none, body->p, body->q, body->l, v, l);
    energy[1] = kinetic_of(m, v) + rotation_of(m, l);
    fixed_go(stride, body->p, body->x, body->image);
    second = fixed_turn_freely(m, 0.5 * dt_ps, body->q, body->l);
    if (*fault == FIXED_GOOD)
        *fault = second;
    return fixed_energy(energy[1] - energy[0]);
}

#endif
