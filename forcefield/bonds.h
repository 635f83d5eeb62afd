/* The list of bonded terms, and the functions that select one by its number. README.md has the
 * steps to add one.
 *
 *   ENTRY(name, slot, n_beads): the functions are NAME and NAME_prepare; the energy counts for the
 *   slot AMPHI_SLOT of frame.h.
 */
#ifndef AMPHI_FORCEFIELD_BONDS_H
#define AMPHI_FORCEFIELD_BONDS_H

#include <assert.h>
#include <string.h>

#include "../engine/frame.h"
#include "angle_cosine_squared.h"
#include "angle_harmonic.h"
#include "bond_axis.h"
#include "bond_harmonic.h"
#include "dipole_restraint.h"
#include "position_restraint.h"

#define BOND_LIST(ENTRY)                                                                           \
    ENTRY(bond_harmonic, BOND, 2)                                                                  \
    ENTRY(angle_harmonic, ANGLE, 3)                                                                \
    ENTRY(angle_cosine_squared, ANGLE_COSINE, 3)                                                   \
    ENTRY(dipole_restraint, DIPOLE_RESTRAINT, 2)                                                   \
    ENTRY(bond_axis, BOND_AXIS, 3)                                                                 \
    ENTRY(position_restraint, POSITION_RESTRAINT, 1)

#define BOND_KIND(name, slot, n)   BOND_##name,
#define BOND_MEMBER(name, slot, n) struct name name;
#define BOND_CASE(name, slot, n)                                                                   \
    case BOND_##name:                                                                              \
        return name(&term->as.name, g);

typedef enum { BOND_LIST(BOND_KIND) BOND_KINDS } BondKind;

#define BOND_FITS_RULES(name, slot, n)                                                             \
    static_assert((int)AMPHI_##slot >= (int)AMPHI_PAIR_TERMS,                                      \
                  #name ": in frame.h a slot of bonds stands behind AMPHI_BOND");                  \
    static_assert((n) <= (int)AMPHI_MAX_BOND_BEADS, #name ": more beads than a rule holds");

BOND_LIST(BOND_FITS_RULES)

typedef struct {
    int32_t kind; /* BondKind */
    int32_t slot; /* AmphiTermSlot */
    int32_t n_beads;
    union {
        BOND_LIST(BOND_MEMBER)
    } as;
} BondTerm;

/* Is it of the arms from the second bead to the first and the third? The third is then the image
 * nearest to the second: nearer_image. */
AMPHI_BOTH int bond_is_angle(int32_t kind)
{
    return kind == BOND_angle_harmonic || kind == BOND_angle_cosine_squared;
}

AMPHI_BOTH BondResult bond_eval(const BondTerm *term, const BondGeometry *g)
{
    switch (term->kind) {
        BOND_LIST(BOND_CASE)
    default:
        return (BondResult){ 0 };
    }
}

#define BOND_PREPARE(name, slot_, n)                                                               \
    case BOND_##name: {                                                                            \
        struct name##_input in;                                                                    \
        memcpy(&in, rule->field, sizeof in);                                                       \
        term.as.name = name##_prepare(&in);                                                        \
        term.slot    = AMPHI_##slot_;                                                              \
        term.n_beads = n;                                                                          \
        break;                                                                                     \
    }

/* Kernel constants from a checked rule; on the host, at the beginning of a run. */
static inline BondTerm bond_prepare(const AmphiBondRule *rule)
{
    BondTerm term = { .kind = rule->kind };

    switch (rule->kind) {
        BOND_LIST(BOND_PREPARE)
    default:
        break;
    }
    return term;
}

#endif
