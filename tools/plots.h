/* Pictures of what a run wrote, drawn by gnuplot: energies.svg and .png from energy.tsv, profile.svg
 * and .png from profile.tsv. The scripts energies.gp and profile.gp stay beside them, to be changed
 * and drawn again: gnuplot -c energies.gp
 */
#ifndef AMPHI_TOOLS_PLOTS_H
#define AMPHI_TOOLS_PLOTS_H

#include "../engine/error.h"

/* Of every table that `folder` has and that is long enough. AMPHI_BAD_COMMAND, with one line that
 * names the package: no gnuplot. AMPHI_BAD_FILE: a file cannot be read or written. */
AmphiStatus tool_plot_run(const char *folder, AmphiError *err);

#endif
