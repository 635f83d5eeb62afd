/* timings.tsv of a run: the result of --timings, for the report and for other programs. */
#ifndef AMPHI_TOOLS_TIMINGS_TABLE_H
#define AMPHI_TOOLS_TIMINGS_TABLE_H

#include "../engine/timings.h"

/* Writes DIR/timings.tsv: for each part of a step the microseconds and calls per step and, on a
 * device, the occupancy. No file if there are no parts. AMPHI_BAD_FILE: it cannot be written. */
AmphiStatus tool_timings_write(const char *dir, const char *backend, const AmphiTimings *timings,
                               AmphiError *err);

#endif
