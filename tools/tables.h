/* The text tables of `amphi evaluate`: energies.tsv, pressure.tsv, forces.tsv.
 *
 * Each has comments with `#`, a heading, and numbers of 17 digits separated by tabs. The three
 * files replace older ones together, once all of them are completely on the disk.
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

/* Writes the tables to `folder`, which must exist. hash and n_files describe the input.
 * AMPHI_BAD_FILE: err names the path. */
AmphiStatus tool_tables_write(const char *folder, const AmphiSystem *system,
                              const AmphiFrame *frame, const char *hash, int32_t n_files,
                              AmphiError *err);

/* The full name of a term, "dipole-dipole" for dd; an unknown name is returned unchanged. */
const char *tool_term_words(const char *term);

#endif
