/* Reference for users that is not in the library's tables: the meaning of treatments, exit codes
 * and result files.
 */
#ifndef AMPHI_TOOLS_REFERENCE_H
#define AMPHI_TOOLS_REFERENCE_H

#include "../engine/system.h"
#include "../forcefield/spec.h"

typedef struct {
    const char *name, *meaning;
} ToolEntry;

/* The last entry has name NULL. Treatments are in the order of AmphiTreatmentType. */
const ToolEntry *tool_treatments(void);
const ToolEntry *tool_result_files(void);
/* Indexed by exit code. */
const ToolEntry *tool_exit_codes(void);
const ToolEntry *tool_signals(void);
const ToolEntry *tool_environment(void);

/* The attribute of a field, "s-prime-from" for s_prime_from; written to text[size]. */
const char *tool_field_name(const AmphiField *field, char *text, size_t size);

#endif
