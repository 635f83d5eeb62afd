/* Names, units, ranges and meanings of every potential's fields, as one const table that is made
 * from the field lists of the potentials. Untyped view.
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
    const char *treatments; /* pair potentials: those it takes, "" for none */

    int32_t           kind; /* PairKind or BondKind */
    AmphiTermSlot     slot;
    int32_t           n_beads; /* 2 for pairs */
    int32_t           n_fields;
    const AmphiField *field; /* [n_fields] in the order of the input struct */
} AmphiPotential;

const AmphiPotential *amphi_spec_at(int32_t k); /* NULL behind the last */
/* NULL when there is no such potential for this element. */
const AmphiPotential *amphi_spec_find(const char *element, const char *name);

/* Is this the XML attribute of the field? s-prime-from for s_prime_from. */
bool amphi_field_is(const AmphiField *field, const char *attribute);
/* Is the field given by the bead types (breadth_i, breadth_j), not by the pair? */
bool amphi_field_of_types(const AmphiField *field);

#endif
