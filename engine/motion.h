/* The motion of one rigid body: kick, free rotation, Langevin noise, kinetic energies. Compiled for
 * host and device, in double whatever the precision of the forces.
 *
 * x in nm; v in nm/ps; l (angular momentum, body frame) in u nm^2/ps; q a unit quaternion (w, x, y,
 * z), body to space. Free rotation: Dullweber, Leimkuhler & McLachlan, J. Chem. Phys. 107, 5840
 * (1997). Langevin: Leimkuhler & Matthews, J. Chem. Phys. 138, 174102 (2013).
 */
#ifndef AMPHI_ENGINE_MOTION_H
#define AMPHI_ENGINE_MOTION_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "frame.h"
#include "num/normal.h"

/* How a body rotates when no torque acts on it. */
typedef enum {
    TURNS_NOT,      /* a point mass */
    TURNS_STEADILY, /* linear rotors and spherical tops: free rotation is about a fixed axis */
    TURNS_TUMBLING  /* asymmetric and symmetric tops */
} Turning;

/* The constants of a bead type. For an axis without a moment of inertia 1/I is 0, and l stays 0. */
typedef struct {
    double  mass, inv_mass, root_mass; /* root_mass: 1/sqrt(m), the scale of the noise of v */
    double  inertia[3], inv_inertia[3], root_inertia[3]; /* root_inertia: sqrt(I) */
    Turning turning;
} Mover;

static inline Mover mover_prepare(double mass_u, const double inertia_u_nm2[3])
{
    Mover m = { .mass = mass_u, .inv_mass = 1 / mass_u, .root_mass = sqrt(1 / mass_u) };
    int   n = 0;

    for (int k = 0; k < 3; k++) {
        if (!(inertia_u_nm2[k] > 0))
            continue;
        n++;
        m.inertia[k]      = inertia_u_nm2[k];
        m.inv_inertia[k]  = 1 / inertia_u_nm2[k];
        m.root_inertia[k] = sqrt(inertia_u_nm2[k]);
    }
    if (n == 0)
        return m;
    m.turning = m.inertia[0] == m.inertia[1] && (n == 2 || m.inertia[0] == m.inertia[2])
                    ? TURNS_STEADILY
                    : TURNS_TUMBLING;
    return m;
}

/* The rates of change of v and l. */
typedef struct {
    double v[3], l[3];
} Push;

/* From a force (kJ/mol/nm) and a torque (kJ/mol) in the space frame. The torque about axes without
 * a moment of inertia is left out. */
AMPHI_BOTH Push push_of(const Mover *m, const double q[4], const double force[3],
                        const double torque[3])
{
    Push push = { { m->inv_mass * force[0], m->inv_mass * force[1], m->inv_mass * force[2] },
                  { 0, 0, 0 } };

    if (m->turning == TURNS_NOT)
        return push;

    /* to the body frame, with q = (w, u): T - 2 w u x T + 2 u x (u x T) */
    const double c[3] = { 2 * (q[2] * torque[2] - q[3] * torque[1]),
                          2 * (q[3] * torque[0] - q[1] * torque[2]),
                          2 * (q[1] * torque[1] - q[2] * torque[0]) };
    push.l[0]         = torque[0] - q[0] * c[0] + (q[2] * c[2] - q[3] * c[1]);
    push.l[1]         = torque[1] - q[0] * c[1] + (q[3] * c[0] - q[1] * c[2]);
    push.l[2]         = torque[2] - q[0] * c[2] + (q[1] * c[1] - q[2] * c[0]);
    for (int k = 0; k < 3; k++)
        if (m->inv_inertia[k] == 0)
            push.l[k] = 0;
    return push;
}

AMPHI_BOTH void add_push(const Push *push, double dt, double v[3], double l[3])
{
    for (int k = 0; k < 3; k++) {
        v[k] += dt * push->v[k];
        l[k] += dt * push->l[k];
    }
}

/* Where component aa is in the upper half of a tensor: xx xy xz yy yz zz. */
AMPHI_BOTH int tensor_diagonal(int a)
{
    return a == 0 ? 0 : a == 1 ? 3 : 5;
}

AMPHI_BOTH double kinetic_of(const Mover *m, const double v[3])
{
    return 0.5 * m->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

AMPHI_BOTH double rotation_of(const Mover *m, const double l[3])
{
    return 0.5 * (l[0] * l[0] * m->inv_inertia[0] + l[1] * l[1] * m->inv_inertia[1] +
                  l[2] * l[2] * m->inv_inertia[2]);
}

/* From sums over bodies of the kinetic energies of v(t - dt/2), v(t), v(t + dt/2). */
AMPHI_BOTH AmphiKinetic kinetic_from(const double sum[3])
{
    const AmphiKinetic k = { 0.5 * (sum[0] + sum[2]), sum[1], sum[2] };

    return k;
}

AMPHI_BOTH AmphiKinetic add_kinetic(AmphiKinetic a, AmphiKinetic c)
{
    const AmphiKinetic k = { a.half + c.half, a.full + c.full, a.plus + c.plus };

    return k;
}

/* The energy that leapfrog conserves best, U + (2 K_full + K_half)/3: its error terms of order dt^2
 * in F^2 cancel up to a total time derivative. */
AMPHI_BOTH double energy_of_motion(double potential, AmphiKinetic translation,
                                   AmphiKinetic rotation)
{
    const AmphiKinetic k = add_kinetic(translation, rotation);

    return potential + (2 * k.full + k.half) / 3;
}

AMPHI_BOTH void move_freely(double dt, const double v[3], double x[3])
{
    for (int a = 0; a < 3; a++)
        x[a] += dt * v[a];
}

/* q = q r: a rotation r that is given in the body frame. */
AMPHI_BOTH void turn_in_body(double q[4], const double r[4])
{
    const double w = q[0] * r[0] - q[1] * r[1] - q[2] * r[2] - q[3] * r[3];
    const double x = q[0] * r[1] + q[1] * r[0] + q[2] * r[3] - q[3] * r[2];
    const double y = q[0] * r[2] - q[1] * r[3] + q[2] * r[0] + q[3] * r[1];

    q[3] = q[0] * r[3] + q[1] * r[2] - q[2] * r[1] + q[3] * r[0];
    q[0] = w;
    q[1] = x;
    q[2] = y;
}

/* The angle is rate * sqrt(l2): its cosine, and its sine over sqrt(l2). It is half of what a body
 * turns by, small in any sensible step, and then its square is enough. */
AMPHI_BOTH SineCosine sine_over_spin(double rate, double l2)
{
    const double angle2 = rate * rate * l2;
    SineCosine   half;

    if (angle2 < 0.6) {
        half = angle2 < SMALL_ANGLE2 ? sine_over_small_angle(angle2) : sine_over_angle(angle2);
        half.sine *= rate;
    } else {
        const double length = sqrt(l2);

        half = sine_cosine(rate * length);
        half.sine /= length;
    }
    return half;
}

/* Free rotation for dt, exact for TURNS_STEADILY: l is constant in both frames. */
AMPHI_BOTH void turn_steadily(const Mover *m, double dt, double q[4], const double l[3])
{
    const double     l2   = l[0] * l[0] + l[1] * l[1] + l[2] * l[2];
    const SineCosine half = sine_over_spin(0.5 * dt * m->inv_inertia[0], l2);
    const double turn[4]  = { half.cosine, half.sine * l[0], half.sine * l[1], half.sine * l[2] };

    turn_in_body(q, turn);
}

/* q = q r: r a rotation about body axis k, of which these are cosine and sine of half the angle. */
AMPHI_BOTH void turn_in_body_about(double q[4], int k, double c, double s)
{
    const int    x = 1 + k, y = 1 + (k + 1) % 3, z = 1 + (k + 2) % 3;
    const double qw = q[0], qy = q[y];

    q[0] = qw * c - q[x] * s;
    q[x] = q[x] * c + qw * s;
    q[y] = qy * c + q[z] * s;
    q[z] = q[z] * c - qy * s;
}

/* Rotates about body axis k by dt l_k / I_k; l, seen from the body, rotates the opposite way. */
AMPHI_BOTH void turn_about_axis(const Mover *m, int k, double dt, double q[4], double l[3])
{
    const int        y = (k + 1) % 3, z = (k + 2) % 3;
    const SineCosine half = sine_over_spin(0.5 * dt * m->inv_inertia[k], l[k] * l[k]);
    const double     sine = half.sine * l[k];
    const double     c    = half.cosine * half.cosine - sine * sine;
    const double     s    = 2 * sine * half.cosine;
    const double     ly   = l[y];

    l[y] = c * ly + s * l[z];
    l[z] = c * l[z] - s * ly;
    turn_in_body_about(q, k, half.cosine, sine);
}

/* Free rotation for dt: of second order and symmetric in time for TURNS_TUMBLING, else exact. */
AMPHI_BOTH void turn_freely(const Mover *m, double dt, double q[4], double l[3])
{
    if (m->turning == TURNS_STEADILY)
        turn_steadily(m, dt, q, l);
    if (m->turning != TURNS_TUMBLING)
        return;
    turn_about_axis(m, 0, 0.5 * dt, q, l);
    turn_about_axis(m, 1, 0.5 * dt, q, l);
    turn_about_axis(m, 2, dt, q, l);
    turn_about_axis(m, 1, 0.5 * dt, q, l);
    turn_about_axis(m, 0, 0.5 * dt, q, l);
}

/* q = r q: rotates by a vector in the space frame, whose length is the angle in radians. */
AMPHI_BOTH void turn_in_space(const double angle[3], double q[4])
{
    const double size = sqrt(angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2]);

    if (size == 0)
        return;

    const SineCosine half    = sine_cosine(0.5 * size);
    const double     s       = half.sine / size;
    double           turn[4] = { half.cosine, s * angle[0], s * angle[1], s * angle[2] };

    turn_in_body(turn, q);
    for (int k = 0; k < 4; k++)
        q[k] = turn[k];
}

/* Langevin friction and noise for a time t: v = keep v + root_kT R / sqrt(m), R a normal deviate;
 * l likewise with sqrt(I). keep = exp(-t/tau), root_kT = sqrt((1 - keep^2) kT). */
typedef struct {
    double keep, root_kT;
} Noise;

static inline Noise noise_prepare(double dt_ps, double time_ps, double kT)
{
    const double keep = exp_of(-dt_ps / time_ps);

    return (Noise){ keep, sqrt((1 - keep * keep) * kT) };
}

/* normal: three normal deviates for v, then three for l. */
AMPHI_BOTH void add_friction_and_noise(const Mover *m, const Noise *noise, const double normal[6],
                                       double v[3], double l[3])
{
    for (int k = 0; k < 3; k++) {
        v[k] = noise->keep * v[k] + noise->root_kT * m->root_mass * normal[k];
        l[k] = noise->keep * l[k] + noise->root_kT * m->root_inertia[k] * normal[3 + k];
    }
}

/* The momentum that noise gives a body, u nm/ps. */
AMPHI_BOTH void momentum_of_noise(const Mover *m, const Noise *noise, const double normal[3],
                                  double p[3])
{
    for (int k = 0; k < 3; k++)
        p[k] = noise->root_kT * m->root_mass * m->mass * normal[k];
}

/* Half a drift, noise, half a drift. given (nm/ps): the velocity that this noise gives the centre
 * of mass of the body's group, which is left out; NULL: is not. Returns the heat of the noise in
 * kJ/mol. */
AMPHI_BOTH double drift_with_noise(const Mover *m, double dt, const Noise *noise,
                                   const double *given, const double normal[6], double x[3],
                                   double v[3], double q[4], double l[3])
{
    move_freely(0.5 * dt, v, x);
    turn_freely(m, 0.5 * dt, q, l);

    const double before = kinetic_of(m, v) + rotation_of(m, l);
    add_friction_and_noise(m, noise, normal, v, l);
    for (int a = 0; given != NULL && a < 3; a++)
        v[a] -= given[a];
    const double after = kinetic_of(m, v) + rotation_of(m, l);

    move_freely(0.5 * dt, v, x);
    turn_freely(m, 0.5 * dt, q, l);
    return after - before;
}

/* The normal deviates of one body in one step; a point needs none for l. */
AMPHI_BOTH void draw_noise(const Mover *m, uint64_t seed, uint64_t bead, uint64_t step,
                           double normal[6])
{
    for (uint32_t k = 0; k < 3; k++) {
        if (k == 2 && m->turning == TURNS_NOT) {
            normal[4] = normal[5] = 0;
            return;
        }

        const TwoNormals r = draw_normals(seed, bead, step, AMPHI_STREAM_LANGEVIN, k);
        normal[2 * k]      = r.first;
        normal[2 * k + 1]  = r.second;
    }
}

/* The three of them for v alone. */
AMPHI_BOTH void draw_noise_of_v(uint64_t seed, uint64_t bead, uint64_t step, double normal[3])
{
    const TwoNormals xy = draw_normals(seed, bead, step, AMPHI_STREAM_LANGEVIN, 0);

    normal[0] = xy.first;
    normal[1] = xy.second;
    normal[2] = draw_normals(seed, bead, step, AMPHI_STREAM_LANGEVIN, 1).first;
}

#endif
