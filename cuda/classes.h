/* The sets of classes of pair terms that have a kernel of their own: what a kernel need not know
 * costs it no registers.
 */
#ifndef AMPHI_CUDA_CLASSES_H
#define AMPHI_CUDA_CLASSES_H

#include "../forcefield/classes.h"
#include "state.h"

#define CLASS_BIT(name) (1U << CLASS_##name)

/* Sets of classes, the smallest first. ONE_PASS: for systems of one type of beads, which takes one
 * pass and one sticky term at most: their constants are parameters of the kernel. HAS_EDGES: for
 * potentials that do not vanish at their cut-off, too, where that makes a difference. In large
 * systems ellipsoids among others are met by a kernel of their own, ahead of that of SET_OTHERS or
 * SET_EDGES, which adds to what it has found: one for all needs 128 registers in single, those two
 * 96 and 72. */
static_assert(CLASSES < 31, "no bits are left for what sets are beside their classes");
enum : uint32_t {
    ONE_PASS      = 1U << 31,
    HAS_EDGES     = 1U << 30,
    SET_WATER     = ONE_PASS | CLASS_BIT(lj_dipole_dipole),
    SET_SSD_WATER = SET_WATER | CLASS_BIT(lj_dipole_dipole_switched),
    SET_ELBA      = CLASS_BIT(lj_dipole_dipole) | CLASS_BIT(lj) | CLASS_BIT(lj_charge_charge) |
               CLASS_BIT(lj_charge_dipole) | CLASS_BIT(lj_dipole_charge),
    SET_SSD = CLASS_BIT(lj_dipole_dipole) | CLASS_BIT(lj) | CLASS_BIT(lj_dipole_dipole_switched) |
              CLASS_BIT(dipole_dipole) | CLASS_BIT(dipole_dipole_switched),
    SET_GAY_BERNE =
        CLASS_BIT(gay_berne) | CLASS_BIT(gay_berne_shifted) | CLASS_BIT(gay_berne_switched),
    SET_GAY_BERNE_FLUID = ONE_PASS | SET_GAY_BERNE,
    SET_ALL             = (1U << CLASSES) - 1,
    SET_OTHERS          = SET_ALL & ~SET_GAY_BERNE,
    SET_EDGES = (AMPHI_BUILD_PRECISION == AMPHI_SINGLE ? (uint32_t)HAS_EDGES : 0U) | SET_OTHERS
};

/* Sticky terms are of no class: the kernels of these evaluate them, too. */
__host__ __device__ static constexpr bool set_has_sticky(uint32_t set)
{
    return set == SET_SSD_WATER || set == SET_SSD || set == SET_ALL || set == SET_OTHERS ||
           set == SET_EDGES;
}

/* Does a kernel add what that of ellipsoids has found, if there are any? */
__host__ __device__ static constexpr bool adds_apart(uint32_t set)
{
    return set == SET_OTHERS || set == SET_EDGES;
}

__host__ __device__ static constexpr bool has_one_pass(uint32_t set)
{
    return (set & ONE_PASS) != 0;
}

__host__ __device__ static constexpr bool set_is_gay_berne(uint32_t set)
{
    return (set & ~(uint32_t)ONE_PASS) == SET_GAY_BERNE;
}

/* Does a pair look up its Lennard-Jones constants by its types? */
__host__ __device__ static constexpr bool looks_up_lj(uint32_t set)
{
    return !has_one_pass(set) && !set_is_gay_berne(set);
}

/* The kernels of these are for potentials that vanish at the cut-off by their shifts or a switch:
 * beyond it they are taken as there, which is nothing but rounding, some 1e-7 of what they would be
 * without. That is one instruction a pair instead of five. In double, whose smaller of two numbers
 * takes several, it would be 2 % slower. Not Gay-Berne: a distance that does not go with its
 * direction gives no number there. */
__host__ __device__ static constexpr bool set_vanishes(uint32_t set)
{
    return AMPHI_BUILD_PRECISION == AMPHI_SINGLE &&
           (set & (HAS_EDGES | CLASS_BIT(gay_berne_switched))) == 0;
}

#endif
