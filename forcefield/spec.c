/* The field table of all potentials, made from the lists of pairs.h and bonds.h and the field lists
 * of their headers. A double file, because those headers are typed; what it gives out is not.
 */
#include "spec.h"

#include "bonds.h"
#include "pairs.h"

#define FIELD_ENTRY(name_, dimension_, range_, standard_, meaning_)                                \
    { .name      = #name_,                                                                         \
      .dimension = AMPHI_DIM_##dimension_,                                                         \
      .range     = AMPHI_RANGE_##range_,                                                           \
      .standard  = standard_,                                                                      \
      .meaning   = meaning_ },

#define PAIR_FIELDS(name, slot, frames)                                                            \
    static const AmphiField pair_##name##_table[] = { pair_##name##_fields(FIELD_ENTRY) };
#define BOND_FIELDS(name, slot, n)                                                                 \
    static const AmphiField name##_table[] = { name##_fields(FIELD_ENTRY) };

PAIR_LIST(PAIR_FIELDS)
BOND_LIST(BOND_FIELDS)

#define COUNT(table) ((int32_t)(sizeof(table) / sizeof(table)[0]))

#define PAIR_ENTRY(name_, slot_, frames)                                                           \
    { pair_##name_##_about,                                                                        \
      .kind     = PAIR_##name_,                                                                    \
      .slot     = AMPHI_##slot_,                                                                   \
      .n_beads  = 2,                                                                               \
      .n_fields = COUNT(pair_##name_##_table),                                                     \
      .field    = pair_##name_##_table },
#define BOND_ENTRY(name_, slot_, n)                                                                \
    { name_##_about,         .treatments = "", .kind = BOND_##name_,                               \
      .slot = AMPHI_##slot_, .n_beads = n,     .n_fields = COUNT(name_##_table),                   \
      .field = name_##_table },

static const AmphiPotential potentials[] = { PAIR_LIST(PAIR_ENTRY) BOND_LIST(BOND_ENTRY) };

_Static_assert((int)PAIR_KINDS <= (int)AMPHI_MAX_PAIR_TERMS,
               "a pair of types may have a term of each potential: more room in rules.h");

#define PAIR_FITS(name, slot, frames)                                                              \
    _Static_assert(sizeof(struct pair_##name##_input) <= AMPHI_MAX_FIELDS * sizeof(double),        \
                   "more fields than a rule holds");
#define BOND_FITS(name, slot, n)                                                                   \
    _Static_assert(sizeof(struct name##_input) <= AMPHI_MAX_FIELDS * sizeof(double),               \
                   "more fields than a rule holds");

PAIR_LIST(PAIR_FITS)
BOND_LIST(BOND_FITS)

const AmphiPotential *amphi_spec_at(int32_t k)
{
    return k >= 0 && k < COUNT(potentials) ? &potentials[k] : NULL;
}

const AmphiPotential *amphi_spec_find(const char *element, const char *name)
{
    for (int32_t k = 0; k < COUNT(potentials); k++)
        if (strcmp(potentials[k].element, element) == 0 && strcmp(potentials[k].name, name) == 0)
            return &potentials[k];
    return NULL;
}

bool amphi_potential_is_bonded(const AmphiPotential *potential)
{
    return (int)potential->slot >= AMPHI_PAIR_TERMS;
}

bool amphi_potential_is_bond(const AmphiPotential *potential)
{
    return potential != NULL && strcmp(potential->element, "bond") == 0;
}

const AmphiPotential *amphi_potential_of_kind(int32_t kind, bool bonded)
{
    for (int32_t k = 0; k < COUNT(potentials); k++)
        if (potentials[k].kind == kind && amphi_potential_is_bonded(&potentials[k]) == bonded)
            return &potentials[k];
    return NULL;
}

bool amphi_field_is(const AmphiField *field, const char *attribute)
{
    const char *a = field->name, *b = attribute;

    while (*a != '\0' && (*a == *b || (*a == '_' && *b == '-'))) {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

bool amphi_field_of_types(const AmphiField *field)
{
    const size_t n = strlen(field->name);

    return n > 2 && field->name[n - 2] == '_' &&
           (field->name[n - 1] == 'i' || field->name[n - 1] == 'j');
}

double amphi_field_value(const AmphiPotential *potential, const double *field, const char *name)
{
    for (int32_t k = 0; k < potential->n_fields; k++)
        if (strcmp(potential->field[k].name, name) == 0)
            return field[k];
    return 0;
}
