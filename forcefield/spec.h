/* Names, units, ranges and meanings of the fields of every potential, as a const table made from
 * the field lists in pair_*.h and the headers of bonds.h. The reader checks input against it, and
 * `amphi describe` prints it. Does not depend on the precision of the build.
 */
#ifndef AMPHI_FORCEFIELD_SPEC_H
#define AMPHI_FORCEFIELD_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "../engine/frame.h"
#include "../engine/units.h"

typedef enum {
    AMPHI_RANGE_ANY,
    AMPHI_RANGE_POSITIVE,
    AMPHI_RANGE_NON_NEGATIVE,
    AMPHI_RANGE_HALF_TURN /* 0 to 180 degrees */
} AmphiRange;

typedef struct {
    const char    *name; /* "s_prime_from"; the XML attribute has dashes: amphi_field_is */
    AmphiDimension dimension;
    AmphiRange     range;
    const char    *standard; /* default as text; NULL: required */
    const char    *meaning;
} AmphiField;

typedef struct {
    const char
        *element;     /* "pair", "bond", "angle", "orientation", "restrain"; "charges", "dipoles":
                            acts by itself where beads have them; "shifted": a variant */
    const char *name; /* value of the attribute `potential` */
    const char *formula, *source;
    const char *treatments; /* pair potentials: allowed at the cut-off; "": none */

    int32_t           kind; /* PairKind or BondKind */
    AmphiTermSlot     slot;
    int32_t           n_beads; /* 2 for pairs */
    int32_t           n_fields;
    const AmphiField *field; /* [n_fields] in the order of the input struct */
} AmphiPotential;

const AmphiPotential *amphi_spec_at(int32_t k); /* from 0; NULL after the last */
/* NULL when there is no such potential for this element. */
const AmphiPotential *amphi_spec_find(const char *element, const char *name);
/* That of a PairKind, or with `bonded` of a BondKind, which are numbered apart; NULL: none. */
const AmphiPotential *amphi_potential_of_kind(int32_t kind, bool bonded);
bool                  amphi_potential_is_bonded(const AmphiPotential *potential);
/* Is it of the element "bond", so that its two beads are bonded to each other? NULL: no. */
bool amphi_potential_is_bond(const AmphiPotential *potential);

/* Is this the XML attribute of the field? That of s_prime_from is s-prime-from. */
bool amphi_field_is(const AmphiField *field, const char *attribute);
/* Is it a property of the bead types (breadth_i, breadth_j) rather than of the pair? */
bool amphi_field_of_types(const AmphiField *field);
/* The value of a field among those of a rule; 0 when the potential has no field of that name. */
double amphi_field_value(const AmphiPotential *potential, const double *field, const char *name);

#endif
