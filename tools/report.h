/* The report of a run: DIR/report.html, a single self-contained file, made from the files in the
 * run directory. Its figures are plotted by the scripts DIR/figures/NAME.gp.
 */
#ifndef AMPHI_TOOLS_REPORT_H
#define AMPHI_TOOLS_REPORT_H

#include "../engine/job.h"

/* job NULL: the system could not be read; snapshots, target temperatures and published values are
 * left out. path NULL: DIR/report.html. The page says which programs and tables were missing.
 * AMPHI_BAD_FILE: it cannot be written. */
AmphiStatus tool_report_write(const char *dir, const AmphiJob *job, const char *path,
                              AmphiError *err);

#endif
