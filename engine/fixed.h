/* Fixed precision: the table of its scales, and the conversion between integers and physical units.
 *
 * A quantity is an integer multiple of a unit that is a power of two times the physical unit, so
 * that scaling by it does not round. Integer sums do not depend on the order of their terms; with
 * IEEE operations in a prescribed order before them, every machine computes the same bits.
 *
 * A number that leaves its range stops the run. Nothing is clamped, and nothing wraps except
 * positions, for which overflow is the periodic box.
 */
#ifndef AMPHI_ENGINE_FIXED_H
#define AMPHI_ENGINE_FIXED_H

#include <math.h>
#include <stdint.h>

#include "num/both.h"

/* S(NAME, name, bits, unit, range, what): one integer unit is 2^-bits of the physical unit, and
 * magnitudes stay below 2^range integer units. Range 29: the contributions of a pair are rounded to
 * 32-bit integers, which are added in 32 bits where their squares exclude an overflow, and else in
 * 64 (typed/cpu_sums_fixed.h). Range 53: momenta and angular momenta, which are sums of these, must
 * convert to double exactly. */
#define FIXED_SCALE_LIST(S)                                                                        \
    S(POSITION, position, 64, "box edges", 64, "position of a bead; wraps with the box")           \
    S(PLACE, place, 32, "box edges", 32, "position as a pair sees it; wraps with the box")         \
    S(FORCE, force, 16, "kJ/mol/nm", 29, "force of a pair or bond, a component")                   \
    S(FIELD, field, 16, "kJ/mol/(e nm)", 29, "field of a pair on a dipole, a component")           \
    S(TURN, turn, 18, "kJ/mol", 29, "torque of a pair or bond, or on a unit axis, a component")    \
    S(TORQUE, torque, 26, "kJ/mol", 53, "torque on a bead, a component")                           \
    S(ENERGY, energy, 24, "kJ/mol", 62, "energy or virial, of one term or in all")                 \
    S(ORIENTATION, orientation, 60, "1", 61, "component of a quaternion")

enum {
#define FIXED_BITS(name, text, bits, unit, range, what)                                            \
    FIXED_##name##_BITS = (bits), FIXED_##name##_RANGE = (range),
    FIXED_SCALE_LIST(FIXED_BITS)
#undef FIXED_BITS
};

/* A time step is a whole number of ticks of 1/64 fs, so that a kick adds an integer multiple of the
 * force to the momentum, without rounding. */
enum { FIXED_TICKS_PER_FS = 64 };
#define FIXED_TICK_PS (0.001 / (double)FIXED_TICKS_PER_FS)

/* During minimisation the forces and fields of pairs are rounded to units 2^FIXED_COARSE_BITS times
 * larger, because the overlaps of a new start exceed the range of a run. */
enum { FIXED_COARSE_BITS = 10 };

/* 2^n and 2^-n, exact, for 0 <= n < 64. */
#define FIXED_POWER(n)   ((double)((uint64_t)1 << (n)))
#define FIXED_UNIT(name) (1.0 / ((double)((uint64_t)1 << (FIXED_##name##_BITS - 1)) * 2))
/* The bound on magnitudes, in physical units. */
#define FIXED_RANGE(name) (FIXED_UNIT(name) * FIXED_POWER(FIXED_##name##_RANGE))

/* One unit of momentum, u nm/ps, and of angular momentum, u nm^2/ps. */
#define FIXED_MOMENTUM_UNIT (FIXED_UNIT(FORCE) * FIXED_TICK_PS)
#define FIXED_SPIN_UNIT     (FIXED_UNIT(TORQUE) * FIXED_TICK_PS)

/* One unit of position and displacement, of the box edge; and the bits that a displacement in one
 * step must fit in: less than a quarter of the edge. */
#define FIXED_PLACE_UNIT         0x1p-64
#define FIXED_DISPLACEMENT_RANGE 62

/* The nearest integer, halves to even. Rounding is odd, fixed_round(-a) = -fixed_round(a), which
 * makes the motion reversible. */
AMPHI_BOTH int64_t fixed_round(double a)
{
#ifdef __CUDA_ARCH__
    return __double2ll_rn(a);
#else
    return llrint(a);
#endif
}

/* An energy in integer units. Not a number, or out of range: INT64_MIN, which no sum of values in
 * range can give. */
AMPHI_BOTH int64_t fixed_energy(double kJ_mol)
{
    const double units = kJ_mol * (double)((int64_t)1 << FIXED_ENERGY_BITS);
    const double most  = (double)((int64_t)1 << FIXED_ENERGY_RANGE);

    return units > -most && units < most ? fixed_round(units) : INT64_MIN;
}

AMPHI_BOTH double fixed_energy_kJ_mol(int64_t units)
{
    return (double)units * FIXED_UNIT(ENERGY);
}

#endif
