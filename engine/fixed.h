/* Fixed precision: the one table of its scales, and whole numbers to and from physical units.
 *
 * A quantity is a whole number of units, each a power of two of the physical unit, so that scaling
 * rounds nothing. Sums of whole numbers are the same in every order: that is all there is to having
 * the same bits on every machine, beside IEEE operations in the order they are written in.
 *
 * A number that leaves its range stops the run: nothing wraps (but positions, whose wrap is the
 * periodic box) and nothing is clamped.
 */
#ifndef AMPHI_ENGINE_FIXED_H
#define AMPHI_ENGINE_FIXED_H

#include <math.h>
#include <stdint.h>

#include "num/both.h"

/* S(NAME, name, bits, unit, range bits, what): one unit is 2^-bits of the physical unit, and numbers stay
 * below 2^range units. A pair's parts are rounded to 32 bits and added up four at a time before they go to
 * 64: hence 29. Momenta and spins must be exact as doubles: hence 53. */
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

/* Time is counted in 64ths of a femtosecond: a kick adds a whole number of forces to a momentum. */
enum { FIXED_TICKS_PER_FS = 64 };
#define FIXED_TICK_PS (0.001 / (double)FIXED_TICKS_PER_FS)

/* While minimising, pairs count forces and fields in units so many times 2 larger: overlaps of a
 * fresh start are out of the range of a run. */
enum { FIXED_COARSE_BITS = 10 };

/* 2^n and 2^-n, exact, for 0 <= n < 64. */
#define FIXED_POWER(n)   ((double)((uint64_t)1 << (n)))
#define FIXED_UNIT(name) (1.0 / ((double)((uint64_t)1 << (FIXED_##name##_BITS - 1)) * 2))
/* Numbers are below this, in physical units. */
#define FIXED_RANGE(name) (FIXED_UNIT(name) * FIXED_POWER(FIXED_##name##_RANGE))

/* One unit of momentum, u nm/ps, and of spin, u nm^2/ps. */
#define FIXED_MOMENTUM_UNIT (FIXED_UNIT(FORCE) * FIXED_TICK_PS)
#define FIXED_SPIN_UNIT     (FIXED_UNIT(TORQUE) * FIXED_TICK_PS)

/* The nearest whole number, halves to even: odd in a, so that motion can be turned round. */
AMPHI_BOTH int64_t fixed_round(double a)
{
#ifdef __CUDA_ARCH__
    return __double2ll_rn(a);
#else
    return llrint(a);
#endif
}

/* kJ/mol in units of energy; what is no number or out of range gives INT64_MIN, which no sum of
 * numbers in range does. */
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
