/* What the tables of the library do not hold but users ask for: the meaning of treatments, exit
 * codes and result files; and look-ups from kinds back to potentials.
 */
#ifndef AMPHI_TOOLS_REFERENCE_H
#define AMPHI_TOOLS_REFERENCE_H

#include "../engine/system.h"
#include "../forcefield/spec.h"

typedef struct {
    const char *name, *meaning;
} ToolEntry;

/* Tables end with name NULL. Treatments are in the order of AmphiTreatmentType. */
const ToolEntry *tool_treatments(void);
const ToolEntry *tool_result_files(void);
/* [k] is exit code k. */
const ToolEntry *tool_exit_codes(void);

/* The potential of a pair term or of a bond rule. */
const AmphiPotential *tool_pair_potential(int32_t kind);
const AmphiPotential *tool_bond_potential(int32_t kind);

/* "s-prime-from" for the field s_prime_from, into text[size]. */
const char *tool_field_name(const AmphiField *field, char *text, size_t size);

#endif
