/* Plots the tables of a run with gnuplot: energies.svg and .png from energy.tsv, profile.svg and
 * .png from profile.tsv. The scripts energies.gp and profile.gp are kept, so that a user can change
 * them and plot again: gnuplot -c energies.gp
 */
#ifndef AMPHI_TOOLS_PLOTS_H
#define AMPHI_TOOLS_PLOTS_H

#include "../engine/error.h"

/* Plots each of the two tables that is in `folder` and long enough. AMPHI_BAD_COMMAND: gnuplot is
 * not installed; err names the package. AMPHI_BAD_FILE: a file cannot be read or written. */
AmphiStatus tool_plot_run(const char *folder, AmphiError *err);

#endif
