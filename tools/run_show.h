/* How a run looks while it goes on and when it ends: the line, status.json, the closing block. */
#ifndef AMPHI_TOOLS_RUN_SHOW_H
#define AMPHI_TOOLS_RUN_SHOW_H

#include <stdio.h>

#include "../engine/run.h"
#include "run_means.h"

enum { TOOL_LINE_SIZE = 256, TOOL_SPEEDS = 24 };

/* Where the run was at some moments of the last ten seconds. */
typedef struct {
    double  wall_s[TOOL_SPEEDS], time_ps[TOOL_SPEEDS];
    int32_t n;
} ToolSpeed;

void tool_speed_note(ToolSpeed *speed, const AmphiRunInfo *info);
/* Of the last ten seconds; 0: not known. */
double tool_speed_now(const ToolSpeed *speed);
/* Of the whole process, steps that were done before it left out. */
double tool_speed_mean(const AmphiRunInfo *info, double first_ps);

/* "warm  2 500 000/10 000 000  25.0 ns  25 %   412 ns/day   left 4 h 22 min (14:32)   303.1 K" */
void tool_run_line(const AmphiRunInfo *info, double ns_day, char line[TOOL_LINE_SIZE]);
/* Replaced whole. */
AmphiStatus tool_run_status(const char *dir, const AmphiRunInfo *info, double ns_day,
                            const char *state, AmphiError *err);
/* Length, speed, drift, temperature, what was measured with what others published, faults, files. */
void tool_run_block(const AmphiRunInfo *info, double ns_day, const ToolMeans *means,
                    const AmphiJob *job, const char *dir, FILE *out);

#endif
