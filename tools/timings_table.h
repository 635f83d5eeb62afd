/* timings.tsv of a run: what --timings found, for the report and for other programs. */
#ifndef AMPHI_TOOLS_TIMINGS_TABLE_H
#define AMPHI_TOOLS_TIMINGS_TABLE_H

#include "../engine/timings.h"

/* DIR/timings.tsv: a line for each part of a step, microseconds and calls a step, occupancy of a device.
 * Of no part: no file. AMPHI_BAD_FILE: it cannot be written. */
AmphiStatus tool_timings_write(const char *dir, const char *backend, const AmphiTimings *timings,
                               AmphiError *err);

#endif
