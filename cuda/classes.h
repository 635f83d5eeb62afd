/* The classes of pair terms that a visit of a segment may evaluate, and the sets of them that have a
 * kernel of their own: what a kernel need not know costs it no registers.
 */
#ifndef AMPHI_CUDA_CLASSES_H
#define AMPHI_CUDA_CLASSES_H

#include "../forcefield/pairs.h"

enum { PAIR_none = -1 };

/* CLASS(name, kind, second kind, switched): of two kinds the first is Lennard-Jones, which has no
 * switch and feels no axes, and the switch is the second's; both end at the same cut-off. */
#define CLASS_LIST(CLASS)                                                                          \
    CLASS(lj_charge_charge, lj, charge_charge, 0)                                                  \
    CLASS(lj_charge_dipole, lj, charge_dipole, 0)                                                  \
    CLASS(lj_dipole_charge, lj, dipole_charge, 0)                                                  \
    CLASS(lj_dipole_dipole, lj, dipole_dipole, 0)                                                  \
    CLASS(lj_dipole_dipole_switched, lj, dipole_dipole, 1)                                         \
    CLASS(lj, lj, none, 0)                                                                         \
    CLASS(charge_charge, charge_charge, none, 0)                                                   \
    CLASS(charge_dipole, charge_dipole, none, 0)                                                   \
    CLASS(dipole_charge, dipole_charge, none, 0)                                                   \
    CLASS(dipole_dipole, dipole_dipole, none, 0)                                                   \
    CLASS(gay_berne, gay_berne, none, 0)                                                           \
    CLASS(gay_berne_shifted, gay_berne_shifted, none, 0)                                           \
    CLASS(lj_switched, lj, none, 1)                                                                \
    CLASS(charge_charge_switched, charge_charge, none, 1)                                          \
    CLASS(charge_dipole_switched, charge_dipole, none, 1)                                          \
    CLASS(dipole_charge_switched, dipole_charge, none, 1)                                          \
    CLASS(dipole_dipole_switched, dipole_dipole, none, 1)                                          \
    CLASS(gay_berne_switched, gay_berne, none, 1)

#define CLASS_NUMBER(name, kind, second, switched) CLASS_##name,

typedef enum { CLASS_LIST(CLASS_NUMBER) CLASSES, CLASS_NONE = -1 } PairClass;

#define CLASS_BIT(name) (1U << CLASS_##name)

/* Sets of classes, the smallest first. */
enum : uint32_t {
    SET_WATER = CLASS_BIT(lj_dipole_dipole),
    SET_ELBA  = SET_WATER | CLASS_BIT(lj) | CLASS_BIT(lj_charge_charge) |
               CLASS_BIT(lj_charge_dipole) | CLASS_BIT(lj_dipole_charge),
    SET_SSD = SET_WATER | CLASS_BIT(lj) | CLASS_BIT(lj_dipole_dipole_switched) |
              CLASS_BIT(dipole_dipole) | CLASS_BIT(dipole_dipole_switched),
    SET_ALL = (1U << CLASSES) - 1
};

#endif
