/* Prints timings as text and as JSON lines. */
#ifndef AMPHI_TOOLS_TIMINGS_SHOW_H
#define AMPHI_TOOLS_TIMINGS_SHOW_H

#include "../engine/timings.h"
#include "options.h"

/* Prints to call->out the parts of a step, the longest first, or with --json lines of the kinds
 * "timing" and "timings". */
void tool_show_timings(const ToolCall *call, const AmphiTimings *timings);
/* The same, always as text. */
void tool_print_timings(FILE *out, const AmphiTimings *timings);

#endif
