/* What the report, the pictures and the analysis of a run leave in its folder. */
#ifndef AMPHI_TOOLS_RUN_CLEAR_H
#define AMPHI_TOOLS_RUN_CLEAR_H

#include "../engine/error.h"

/* Deletes the report, the pictures, their scripts, timings.tsv and the tables in analysis/ of an
 * earlier run in `dir`, so that none of them is taken for the new one's. AMPHI_BAD_FILE. */
AmphiStatus tool_run_clear(const char *dir, AmphiError *err);

#endif
