/* Fixed precision: from the result of a pair potential to integers, for all backends alike.
 *
 * Each pair is evaluated once from either bead, and the two forces must be opposite to the last
 * bit. Therefore terms that the exchange of i and j swaps are combined by operations that round the
 * same either way. Every force, field, torque and energy is rounded to an integer once. A component
 * that is not below 2^FIXED_FORCE_RANGE units in magnitude, or not a number, is a fault of the
 * bead: FIXED_FORCE, FIXED_FIELD (on dipoles), FIXED_PAIR_TURN (on unit axes, and torques from
 * whole orientations); FIXED_TORQUE for the sum over a bead.
 */
#ifndef AMPHI_FORCEFIELD_PAIR_FIXED_H
#define AMPHI_FORCEFIELD_PAIR_FIXED_H

#include "../engine/fixed.h"
#include "pairs.h"

/* The largest potential of one pair, in units, that every backend can round and add. Virials are
 * below it where forces are in range, because distances are below the cut-off. */
#define PAIR_FIXED_MOST 0x1p50F

/* Of sums modulo 2^32 over n pairs: with S the sum of the squares of all their components, no sum
 * exceeds sqrt(n S) + n/2 (Cauchy-Schwarz, and rounding). Up to here S excludes a component out of
 * range, and n S an overflow, each with a bit to spare for roundings; in units squared. */
#define PAIR_FIXED_MOST_SQUARE  0x1p57F /* S */
#define PAIR_FIXED_MOST_SQUARES 0x1p61F /* n S */

/* Integer units in one physical unit; powers of two, so that scaling does not round. */
typedef struct {
    scalar force;
    scalar field; /* on dipoles; or on unit axes and of torques of whole frames */
} PairScale;

/* coarse: 0, or FIXED_COARSE_BITS. */
AMPHI_BOTH PairScale pair_fixed_scale(int is_turn, int32_t coarse)
{
    const scalar finer = R(1) / (scalar)(1 << coarse);
    PairScale    out;

    out.force = finer * R(1 << FIXED_FORCE_BITS);
    out.field = finer * (is_turn ? R(1 << FIXED_TURN_BITS) : R(1 << FIXED_FIELD_BITS));
    return out;
}

/* The same for a term whose constants have been multiplied by that force already. */
AMPHI_BOTH PairScale pair_fixed_rest(int is_turn)
{
    const PairScale units = pair_fixed_scale(is_turn, 0);
    const PairScale out   = { R(1), units.field / units.force };

    return out;
}

/* The contributions of a pair to bead i in integer units, not yet rounded. */
typedef struct {
    real3 f, g;
} PairUnits;

/* fd d + (fp p + fq q). Both products in brackets are rounded before they are added, so that
 * exchanging i and j gives the same bits. */
AMPHI_BOTH real fixed_force_along(const PairParts *w, real d, real p, real q, int has_i, int has_j)
{
    if (has_i && has_j)
        return fused(w->fd, d, w->fp * p + w->fq * q);
    if (has_i)
        return fused(w->fd, d, w->fp * p);
    if (has_j)
        return fused(w->fd, d, w->fq * q);
    return w->fd * d;
}

/* fp d + fz q; the exchange of i and j does not matter here. */
AMPHI_BOTH real fixed_field_along(real fp, real d, real fz, real q, int has_j)
{
    return has_j ? fused(fz, q, fp * d) : fp * d;
}

/* Without its part along a unit axis, which turns nothing and can be large: where two ellipsoids
 * touch end to end it is ten times the torque, and thermal collisions would take it out of
 * range. */
AMPHI_BOTH real3 fixed_across(real3 g, real3 axis)
{
    const real along = fused(g.x, axis.x, fused(g.y, axis.y, g.z * axis.z));

    return (real3){ fused(-along, axis.x, g.x), fused(-along, axis.y, g.y),
                    fused(-along, axis.z, g.z) };
}

/* has_i, has_j: does the energy depend on the axis of i, of j? Without has_i the field is zero.
 * is_unit: axes are unit vectors, not dipoles; then the field is perpendicular to that of i. */
AMPHI_BOTH PairUnits pair_fixed_units(const PairParts *w, const PairGeometry *g, int has_i,
                                      int has_j, int is_unit, PairScale scale)
{
    const scalar more = scale.field / scale.force; /* exact */
    PairParts    s    = *w;
    PairUnits    out  = { 0 };

    s.fd  = scale.force * w->fd;
    s.fp  = scale.force * w->fp;
    s.fq  = scale.force * w->fq;
    out.f = (real3){ fixed_force_along(&s, g->d.x, g->axis_i.x, g->axis_j.x, has_i, has_j),
                     fixed_force_along(&s, g->d.y, g->axis_i.y, g->axis_j.y, has_i, has_j),
                     fixed_force_along(&s, g->d.z, g->axis_i.z, g->axis_j.z, has_i, has_j) };
    if (has_i) {
        const real fp = more * s.fp, fz = scale.field * w->fz;

        out.g = (real3){ fixed_field_along(fp, g->d.x, fz, g->axis_j.x, has_j),
                         fixed_field_along(fp, g->d.y, fz, g->axis_j.y, has_j),
                         fixed_field_along(fp, g->d.z, fz, g->axis_j.z, has_j) };
        if (is_unit)
            out.g = fixed_across(out.g, g->axis_i);
    }
    return out;
}

/* The parts of one kind, and a force along d besides. */
AMPHI_BOTH PairParts pair_fixed_parts_with(real more_fd, int32_t kind, int switched,
                                           const PairTerm *term, const PairGeometry *g)
{
    PairParts w;

    if (kind == PAIR_dipole_dipole)
        return pair_dipoles_with(more_fd, switched, term, g);
    w    = pair_parts_of_kind(kind, switched, term, g);
    w.fd = more_fd + w.fd;
    return w;
}

/* The parts of one pass (classes.h): of a kind alone, or with those of Lennard-Jones added before
 * rounding. */
AMPHI_BOTH PairParts pair_fixed_parts(int32_t kind, int switched, const PairTerm *term,
                                      const PairTerm *lj, int with_lj, const PairGeometry *g)
{
    PairParts other, w;

    if (!with_lj)
        return pair_fixed_parts_with(spread(R(0)), kind, switched, term, g);
    other = pair_parts_of_kind(PAIR_lj, 0, lj, g);
    w     = pair_fixed_parts_with(other.fd, kind, switched, term, g);
    w.u   = other.u + w.u;
    return w;
}

/* One term alone, in kJ/mol and kJ/mol/nm, for energies and virials term by term. */
AMPHI_BOTH PairUnits pair_fixed_term(int32_t kind, int switched, const PairTerm *term,
                                     const PairGeometry *g, const PairFrames *frames, real *u)
{
    const PairScale none = { R(1), R(1) };
    PairUnits       out  = { 0 };

    if (kind == PAIR_sticky) {
        const PairResult p = pair_sticky(&term->as.sticky, g, frames);

        *u    = p.u;
        out.f = p.f;
    } else {
        const PairParts w = pair_fixed_parts_with(spread(R(0)), kind, switched, term, g);

        *u  = w.u;
        out = pair_fixed_units(&w, g, pair_feels_axis_i(kind), pair_feels_axis_j(kind),
                               pair_reads_unit_axis(kind), none);
    }
    return out;
}

/* Units of energy before they are rounded: those of a force of one unit over a nm. */
AMPHI_BOTH scalar pair_fixed_lever(int32_t coarse)
{
    return R(1 << (FIXED_ENERGY_BITS - FIXED_FORCE_BITS)) * (scalar)(1 << coarse);
}

#if LANES == 1
/* An energy in integer units; INT64_MIN if it is out of range or not a number. */
AMPHI_BOTH int64_t pair_fixed_energy(real u)
{
    return fixed_energy((double)u);
}
#endif

/* ---- once for each bead, in double ---- */

/* The body z axis in space, times the dipole moment or 1. */
AMPHI_BOTH void pair_fixed_axis(const double q[4], double length, double axis[3])
{
    axis[0] = length * (2 * (q[1] * q[3] + q[0] * q[2]));
    axis[1] = length * (2 * (q[2] * q[3] - q[0] * q[1]));
    axis[2] = length * (1 - 2 * (q[1] * q[1] + q[2] * q[2]));
}

/* Adds axis x G, rounded once, from the sum of fields; `finer` bits lie between its unit and that
 * of torques. 0: out of range. */
AMPHI_BOTH int pair_fixed_torque(const double axis[3], const int64_t field[3], int finer,
                                 int64_t torque[3])
{
    const double units = FIXED_POWER(finer);
    const double most  = FIXED_POWER(FIXED_TORQUE_RANGE);
    int          is_in = 1;

    for (int a = 0; a < 3; a++) {
        const int    y = (a + 1) % 3, z = (a + 2) % 3;
        const double t    = (axis[y] * (double)field[z] - axis[z] * (double)field[y]) * units;
        const int    fits = t > -most && t < most;

        torque[a] += fits ? fixed_round(t) : 0;
        is_in &= fits;
    }
    return is_in;
}

enum {
    FIXED_FIELD_FINER = FIXED_TORQUE_BITS - FIXED_FIELD_BITS,
    FIXED_TURN_FINER  = FIXED_TORQUE_BITS - FIXED_TURN_BITS
};

#endif
