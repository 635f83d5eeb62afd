/* Names, units, ranges and meanings of every potential's fields, as one const table that is made
 * from the field lists of the potentials. Untyped view.
 */
#ifndef AMPHI_FORCEFIELD_SPEC_H
#define AMPHI_FORCEFIELD_SPEC_H

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
    const char    *name; /* of the XML attribute: "s-prime-from" */
    AmphiDimension dimension;
    AmphiRange     range;
    const char    *standard; /* default as text; NULL: required */
    const char    *meaning;
} AmphiField;

typedef struct {
    const char       *element; /* "pair", "bond", "angle", "orientation", "restrain" */
    const char       *name;    /* value of the attribute `potential` */
    int32_t           kind;    /* PairKind or BondKind */
    AmphiTermSlot     slot;
    int32_t           n_beads; /* bonded terms */
    int32_t           n_fields;
    const AmphiField *field;      /* [n_fields] in the order of the input struct */
    const char       *treatments; /* pair potentials: the treatments it takes, "" for none */
    const char       *formula, *source;
} AmphiPotential;

const AmphiPotential *amphi_spec_at(int32_t k); /* NULL behind the last */
/* NULL when there is no such potential for this element. */
const AmphiPotential *amphi_spec_find(const char *element, const char *name);

#endif
