/* The text tables of `amphi evaluate`: energies.tsv, pressure.tsv, forces.tsv.
 *
 * `#` lines, one header line, tabs, 17 digits. All three take their places together, after every
 * byte of them is on the disk; until then earlier ones stand.
 */
#ifndef AMPHI_TOOLS_TABLES_H
#define AMPHI_TOOLS_TABLES_H

#include "../engine/frame.h"
#include "../engine/system.h"

/* P_ab = (2 K_ab + W_ab) / V, symmetrised, in bar. */
typedef struct {
    double virial_bar[3][3], kinetic_bar[3][3], total_bar[3][3];
    double mean_bar; /* a third of the trace */
} ToolPressure;

ToolPressure tool_pressure(const AmphiFrame *frame);
double       tool_total_energy(const AmphiFrame *frame);
void         tool_total_virial(const AmphiFrame *frame, double virial[3][3]);

/* Into `folder`, which exists. hash and n_files tell the input. AMPHI_BAD_FILE with the path. */
AmphiStatus tool_tables_write(const char *folder, const AmphiSystem *system,
                              const AmphiFrame *frame, const char *hash, int32_t n_files,
                              AmphiError *err);

/* "dipole-dipole" for the term dd; a name that is not known is its own. */
const char *tool_term_words(const char *term);

#endif
