/* The report of a run: DIR/report.html, one page that stands alone, made from what the run left in its
 * folder. Its figures are drawn by DIR/figures/NAME.gp.
 */
#ifndef AMPHI_TOOLS_REPORT_H
#define AMPHI_TOOLS_REPORT_H

#include "../engine/job.h"

/* job NULL: the system could not be read; its snapshot, targets and published values are left out.
 * path NULL: DIR/report.html. Programs and tables that are missing are told on the page. AMPHI_BAD_FILE:
 * it cannot be written. */
AmphiStatus tool_report_write(const char *dir, const AmphiJob *job, const char *path,
                              AmphiError *err);

#endif
