/* Timings for people and as JSON lines. */
#ifndef AMPHI_TOOLS_TIMINGS_SHOW_H
#define AMPHI_TOOLS_TIMINGS_SHOW_H

#include "../engine/timings.h"
#include "options.h"

/* The parts from the longest to the shortest, or JSON lines of the kinds "timing" and "timings", on
 * call->out. */
void tool_show_timings(const ToolCall *call, const AmphiTimings *timings);
/* The same for people. */
void tool_print_timings(FILE *out, const AmphiTimings *timings);

#endif
