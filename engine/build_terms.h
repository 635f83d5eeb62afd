/* Reading the numbers of a potential by name, for the builder, which is untyped.
 */
#ifndef AMPHI_ENGINE_BUILD_TERMS_H
#define AMPHI_ENGINE_BUILD_TERMS_H

#include <string.h>

#include "../forcefield/spec.h"

/* What a kind of a pair term or of a bonded term is called and made of. The slots of bonded terms
 * come behind those of pairs. NULL when there is no such kind. */
static inline const AmphiPotential *amphi_potential_of_kind(int32_t kind, bool bonded)
{
    const AmphiPotential *p;

    for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++)
        if (p->kind == kind && (p->slot >= AMPHI_BOND) == bonded)
            return p;
    return NULL;
}

/* The number of that name among the fields of a rule; 0 when the potential has none. */
static inline double amphi_field_value(const AmphiPotential *potential, const double *field,
                                       const char *name)
{
    for (int32_t k = 0; k < potential->n_fields; k++)
        if (strcmp(potential->field[k].name, name) == 0)
            return field[k];
    return 0;
}

#endif
