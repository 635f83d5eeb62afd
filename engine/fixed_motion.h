/* The motion of one body in integers: kick, drift and free rotation, each of which is exactly
 * undone by the same operation with the momenta reversed. Host and device compile the same
 * functions.
 *
 * Units: position x 2^-64 of the box edges, momentum p FIXED_MOMENTUM_UNIT, quaternion q 2^-60,
 * angular momentum l FIXED_SPIN_UNIT; p and l are those of a half step (leapfrog). l is in the
 * space frame for TURNS_STEADILY, in the body frame for TURNS_TUMBLING (motion.h): in that frame
 * the component of l that sets the angle of a partial rotation is not changed by it, so that the
 * rotation can be reversed. Intermediate values are in double, from IEEE operations only.
 */
#ifndef AMPHI_ENGINE_FIXED_MOTION_H
#define AMPHI_ENGINE_FIXED_MOTION_H

#include "fixed.h"
#include "fixed_turn.h"
#include "motion.h"

typedef struct {
    uint64_t x[3];
    int64_t  p[3], q[4], l[3];
    int32_t  image[3];
} FixedBody;

/* The quantity that left its range: of a body, of a pair or bond, or a sum. */
typedef enum {
    FIXED_GOOD,
    FIXED_MOMENTUM,
    FIXED_SPIN,
    FIXED_TURN,         /* a rotation by too large an angle in one step */
    FIXED_DISPLACEMENT, /* a quarter of the box or more in one step */
    FIXED_FORCE,
    FIXED_FIELD,
    FIXED_TORQUE,
    FIXED_ENERGY,
    FIXED_PAIR_TURN, /* torque of a pair or a bond, or the field on a unit axis */
    FIXED_FAULTS
} FixedFault;

/* Which of two faults of a body is told: the lower one. */
AMPHI_BOTH FixedFault fixed_fault_of(FixedFault a, FixedFault b)
{
    return a == FIXED_GOOD || (b != FIXED_GOOD && b < a) ? b : a;
}

/* The displacement in dt for one unit of momentum, in 2^-64 of the box edges. */
AMPHI_BOTH void fixed_stride(const Mover *m, double dt_ps, const double box_nm[3], double stride[3])
{
    for (int a = 0; a < 3; a++)
        stride[a] = plain_quotient(FIXED_MOMENTUM_UNIT * dt_ps * m->inv_mass, box_nm[a]) * 0x1p64;
}

/* The time step in ticks; 0 if it is not a whole number of them. */
static inline int64_t fixed_ticks(double dt_ps)
{
    const double  n     = dt_ps / FIXED_TICK_PS;
    const int64_t ticks = fixed_round(n);

    return fabs(n - (double)ticks) <= 1e-9 * n ? ticks : 0;
}

/* ---- to and from physical units ---- */

/* The position in nm, in [0, edge). */
AMPHI_BOTH double fixed_place_nm(uint64_t x, double edge_nm)
{
    return (double)(x >> 11) * 0x1p-53 * edge_nm;
}

/* The integer position of x, which must be finite and less than 2^31 boxes away; *boxes: the whole
 * boxes left out, to be added to the image. */
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

/* Rotates v by the unit quaternion q: from body to space frame with sign 1, back with sign -1. */
AMPHI_BOTH void fixed_turn_vector(const double q[4], double sign, const double v[3], double out[3])
{
    const double x = sign * q[1], y = sign * q[2], z = sign * q[3];
    const double c[3] = { 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]),
                          2 * (x * v[1] - y * v[0]) };

    out[0] = v[0] + q[0] * c[0] + (y * c[2] - z * c[1]);
    out[1] = v[1] + q[0] * c[1] + (z * c[0] - x * c[2]);
    out[2] = v[2] + q[0] * c[2] + (x * c[1] - y * c[0]);
}

/* l in the body frame, u nm^2/ps; zero about axes without a moment of inertia. */
AMPHI_BOTH void fixed_spin_of(const Mover *m, const double orientation[4], const int64_t fixed[3],
                              double l[3])
{
    const double as_stored[3] = { (double)fixed[0] * FIXED_SPIN_UNIT,
                                  (double)fixed[1] * FIXED_SPIN_UNIT,
                                  (double)fixed[2] * FIXED_SPIN_UNIT };

    if (m->turning == TURNS_STEADILY)
        fixed_turn_vector(orientation, -1, as_stored, l);
    for (int a = 0; a < 3; a++)
        l[a] = m->inv_inertia[a] == 0 ? 0 : m->turning == TURNS_STEADILY ? l[a] : as_stored[a];
}

AMPHI_BOTH void fixed_show_spin(const Mover *m, const int64_t q[4], const int64_t fixed[3],
                                double l[3])
{
    double orientation[4];

    fixed_show_orientation(q, orientation);
    fixed_spin_of(m, orientation, fixed, l);
}

/* From l in the body frame, u nm^2/ps, to the stored form. */
AMPHI_BOTH void fixed_store_spin(const Mover *m, const double q[4], const double l_body[3],
                                 int64_t l[3])
{
    double out[3] = { l_body[0], l_body[1], l_body[2] };

    if (m->turning == TURNS_STEADILY)
        fixed_turn_vector(q, 1, l_body, out);
    for (int a = 0; a < 3; a++)
        l[a] = fixed_round(out[a] / FIXED_SPIN_UNIT);
}

/* A body was rotated from one orientation to another by something else than the motion, such as
 * minimisation: keeps l constant in the body frame. */
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

/* The torque in the frame in which l is stored; zero about axes without a moment of inertia. */
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

/* p += ticks * force, without rounding; l likewise. torque: from fixed_torque_on. */
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

/* v and l (body frame) as they would be half_ticks / 2 ticks later. turn: from fixed_torque_on.
 * Computed from 2 p and 2 l, because half a kick need not be an integer. */
AMPHI_BOTH void fixed_look(const Mover *m, int64_t half_ticks, const int64_t force[3],
                           const int64_t turn[3], const int64_t p[3], const double orientation[4],
                           const int64_t l[3], double v[3], double l_body[3])
{
    int64_t p2[3], l2[3];

    for (int a = 0; a < 3; a++) {
        p2[a] = 2 * p[a] + half_ticks * force[a];
        l2[a] = 2 * l[a] + half_ticks * turn[a];
    }
    fixed_show_velocity(m, p2, v);
    fixed_spin_of(m, orientation, l2, l_body);
    for (int a = 0; a < 3; a++) {
        v[a] *= 0.5;
        l_body[a] *= 0.5;
    }
}

/* Contributions of one body to the sums of a kick, in units of energy. */
typedef struct {
    int64_t kinetic[2][3]; /* translation, rotation: before, at and after the kick */
    int64_t tensor[6];     /* m v_a v_b / 2, half-step mean: xx xy xz yy yz zz */
} FixedBooks;

/* The kinetic energy of one body stays below this, kJ/mol, so that sums over 2^22 bodies stay in
 * range. */
#define FIXED_MOST_KINETIC ((double)((int64_t)1 << 16))

/* Of an energy that is known to be in range. */
AMPHI_BOTH int64_t fixed_kinetic(double kJ_mol)
{
    return fixed_round(kJ_mol * FIXED_POWER(FIXED_ENERGY_BITS));
}

AMPHI_BOTH void fixed_add_tensor(const Mover *m, const double v[3], int64_t tensor[6])
{
    int k = 0;

    for (int a = 0; a < 3; a++)
        for (int c = a; c < 3; c++)
            tensor[k++] += fixed_kinetic(0.25 * m->mass * v[a] * v[c]);
}

/* Before, at or after the kick: at 0, 1, 2. False: the kinetic energy is out of range. */
AMPHI_BOTH int fixed_book_at(const Mover *m, int at, int has_tensor, int64_t ticks,
                             const int64_t force[3], const int64_t turn[3], const int64_t p[3],
                             const double orientation[4], const int64_t l[3], FixedBooks *books,
                             double v[3], double l_body[3])
{
    fixed_look(m, at * ticks, force, turn, p, orientation, l, v, l_body);

    const double translation = kinetic_of(m, v), rotation = rotation_of(m, l_body);

    if (!(translation + rotation < FIXED_MOST_KINETIC))
        return 0;
    books->kinetic[0][at] = fixed_kinetic(translation);
    books->kinetic[1][at] = fixed_kinetic(rotation);
    if (has_tensor && at != 1)
        fixed_add_tensor(m, v, books->tensor);
    return 1;
}

/* Contributions of a body before its kick, and v(t) and l(t). The tensor is zero if has_tensor is.
 * FIXED_ENERGY: its kinetic energy is out of range, and books is all zero. */
AMPHI_BOTH FixedFault fixed_book_with(const Mover *m, int has_tensor, int64_t ticks,
                                      const int64_t force[3], const int64_t turn[3],
                                      const int64_t p[3], const int64_t q[4], const int64_t l[3],
                                      FixedBooks *books, double v_now[3], double l_now[3])
{
    const FixedBooks none = { { { 0, 0, 0 }, { 0, 0, 0 } }, { 0, 0, 0, 0, 0, 0 } };
    double           at[4], v[3], s[3]; /* at: the orientation */

    *books = none;
    fixed_show_orientation(q, at);
    if (fixed_book_at(m, 0, has_tensor, ticks, force, turn, p, at, l, books, v, s) &&
        fixed_book_at(m, 1, has_tensor, ticks, force, turn, p, at, l, books, v_now, l_now) &&
        fixed_book_at(m, 2, has_tensor, ticks, force, turn, p, at, l, books, v, s))
        return FIXED_GOOD;
    *books = none;
    return FIXED_ENERGY;
}

AMPHI_BOTH FixedFault fixed_book(const Mover *m, int64_t ticks, const int64_t force[3],
                                 const int64_t turn[3], const int64_t p[3], const int64_t q[4],
                                 const int64_t l[3], FixedBooks *books, double v_now[3],
                                 double l_now[3])
{
    return fixed_book_with(m, 1, ticks, force, turn, p, q, l, books, v_now, l_now);
}

/* Changes p(t - dt/2) and l to those of a time step that is shorter by so many ticks. */
AMPHI_BOTH void fixed_change_step(int64_t shorter, const int64_t force[3], const int64_t turn[3],
                                  int64_t p[3], int64_t l[3])
{
    for (int a = 0; a < 3; a++) {
        p[a] = fixed_round(0.5 * (double)(2 * p[a] + shorter * force[a]));
        l[a] = fixed_round(0.5 * (double)(2 * l[a] + shorter * turn[a]));
    }
}

/* Subtracts the momentum of velocity v (nm/ps). */
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

/* x += p stride; the overflow of the unsigned integer is the periodic wrap. A step that no integer
 * has room for is not made: processors do not agree on its rounding. */
AMPHI_BOTH FixedFault fixed_go(const double stride[3], const int64_t p[3], uint64_t x[3],
                               int32_t image[3])
{
    FixedFault fault = FIXED_GOOD;

    for (int a = 0; a < 3; a++) {
        const double   way    = (double)p[a] * stride[a];
        const int      is_far = !(fabs(way) < FIXED_POWER(FIXED_DISPLACEMENT_RANGE));
        const int64_t  step   = is_far ? 0 : fixed_round(way);
        const uint64_t to     = x[a] + (uint64_t)step;

        fault = is_far ? FIXED_DISPLACEMENT : fault;
        image[a] += (to < x[a]) - (step < 0); /* carried into the boxes */
        x[a] = to;
    }
    return fault;
}

/* The angle by which one unit of l_k turns a body about axis k in 1 ps. */
AMPHI_BOTH double fixed_turn_rate(const Mover *m, int k)
{
    /* both by a fixed index, where k is one: the mover stays in registers on the device */
    return FIXED_SPIN_UNIT * (m->turning == TURNS_STEADILY ? m->inv_inertia[0] : m->inv_inertia[k]);
}

/* As fixed_turn_by has it. */
AMPHI_BOTH double fixed_turn_sense(const Mover *m)
{
    return m->turning == TURNS_STEADILY ? 1 : -1;
}

/* Rotates about axis k by the angle dt l_k/I, approximated by tan(angle/4) = dt l_k/(4 I): the
 * Cayley form, whose error is of third order in dt, and which needs no sine. The axis is one of the
 * frame in which l is stored. False: too large an angle for one step. */
AMPHI_BOTH int fixed_turn_about(const Mover *m, int k, double dt_ps, int64_t q[4], int64_t l[3])
{
    const double t = 0.25 * dt_ps * ((double)l[k] * fixed_turn_rate(m, k));

    if (!(t > -0.5 && t < 0.5))
        return 0;
    fixed_turn_by(k, t, fixed_turn_sense(m), q, l);
    return 1;
}

/* One part of free rotation for dt; all of them in turn are of second order in dt, and exactly
 * undone by another rotation with l reversed. False: too large an angle for one step. */
AMPHI_BOTH int fixed_turn_part(const Mover *m, int part, double dt_ps, int64_t q[4], int64_t l[3])
{
    return m->turning == TURNS_NOT ||
           fixed_turn_about(m, fixed_axis_of(part), fixed_time_of(part, dt_ps), q, l);
}

AMPHI_BOTH FixedFault fixed_turn_freely(const Mover *m, double dt_ps, int64_t q[4], int64_t l[3])
{
    int is_good = 1;

    if (m->turning == TURNS_NOT)
        return FIXED_GOOD;
    for (int part = 0; part < FIXED_TURN_PARTS; part++)
        is_good &= fixed_turn_part(m, part, dt_ps, q, l);
    return is_good ? FIXED_GOOD : FIXED_TURN;
}

/* ---- noise ---- */

/* Langevin: p = keep p + noise, l likewise. normal: three normal deviates for p, then three for l
 * in the body frame. */
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

/* The momentum that noise gives a body, in FIXED_MOMENTUM_UNIT, rounded by itself, so that sums
 * over bodies are exact. */
AMPHI_BOTH void fixed_momentum_of_noise(const Mover *m, const Noise *noise, const double normal[3],
                                        int64_t p[3])
{
    double given[3];

    momentum_of_noise(m, noise, normal, given);
    for (int a = 0; a < 3; a++)
        p[a] = fixed_round(given[a] / FIXED_MOMENTUM_UNIT);
}

/* Half a drift, Langevin noise, half a drift. stride is that of dt/2. given (nm/ps): the velocity
 * that this noise gives the centre of mass of the body's group, which is left out; NULL: is not.
 * Returns the heat that the noise brought, in units of energy. */
AMPHI_BOTH int64_t fixed_drift_with_noise(const Mover *m, double dt_ps, const double stride[3],
                                          const Noise *noise, const double *given,
                                          const double normal[6], FixedBody *body,
                                          FixedFault *fault)
{
    const int64_t none[3] = { 0, 0, 0 };
    double        orientation[4], v[3], l[3], energy[2];

    *fault = fixed_fault_of(fixed_go(stride, body->p, body->x, body->image),
                            fixed_turn_freely(m, 0.5 * dt_ps, body->q, body->l));
    fixed_show_orientation(body->q, orientation);
    fixed_look(m, 0, none, none, body->p, orientation, body->l, v, l);
    energy[0] = kinetic_of(m, v) + rotation_of(m, l);
    fixed_add_noise(m, noise, normal, body->q, body->p, body->l);
    if (given != NULL)
        fixed_slow(m, given, body->p);
    fixed_look(m, 0, none, none, body->p, orientation, body->l, v, l);
    energy[1] = kinetic_of(m, v) + rotation_of(m, l);
    *fault    = fixed_fault_of(*fault, fixed_go(stride, body->p, body->x, body->image));
    *fault    = fixed_fault_of(*fault, fixed_turn_freely(m, 0.5 * dt_ps, body->q, body->l));
    return fixed_energy(energy[1] - energy[0]);
}

#endif
