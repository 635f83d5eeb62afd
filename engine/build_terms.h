/* The numbers of a potential by the names of its fields, for the builder.
 */
#ifndef AMPHI_ENGINE_BUILD_TERMS_H
#define AMPHI_ENGINE_BUILD_TERMS_H

#include <string.h>

#include "../forcefield/spec.h"

/* The description of a PairKind, or with `bonded` of a BondKind. NULL when there is no such kind.
 * Slots of bonded terms come after those of pairs. */
static inline const AmphiPotential *amphi_potential_of_kind(int32_t kind, bool bonded)
{
    const AmphiPotential *p;

    for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++)
        if (p->kind == kind && (p->slot >= AMPHI_BOND) == bonded)
            return p;
    return NULL;
}

/* The value of a field of a rule by its name; 0 when the potential has no such field. */
static inline double amphi_field_value(const AmphiPotential *potential, const double *field,
                                       const char *name)
{
    for (int32_t k = 0; k < potential->n_fields; k++)
        if (strcmp(potential->field[k].name, name) == 0)
            return field[k];
    return 0;
}

#endif
