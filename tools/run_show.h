/* Output about a run: the progress line, status.json, and the summary at its end. */
#ifndef AMPHI_TOOLS_RUN_SHOW_H
#define AMPHI_TOOLS_RUN_SHOW_H

#include <stdio.h>

#include "../engine/run.h"
#include "run_means.h"

enum { TOOL_LINE_SIZE = 256, TOOL_MINIMUM_SIZE = 512, TOOL_SPEEDS = 24 };

/* The progress at some moments of the last ten seconds. */
typedef struct {
    double  wall_s[TOOL_SPEEDS], time_ps[TOOL_SPEEDS];
    int32_t n;
} ToolSpeed;

void tool_speed_note(ToolSpeed *speed, const AmphiRunInfo *info);
/* Speed over the last ten seconds, ns a day; 0: not known. */
double tool_speed_now(const ToolSpeed *speed);
/* Mean speed of this process, which began at simulated time first_ps. */
double tool_speed_mean(const AmphiRunInfo *info, double first_ps);

/* "warm  2 500 000/10 000 000  25.0 ns  25 %   412 ns/day   left 4 h 22 min (14:32)   303.1 K".
 * The drift is shown once it means something. */
void tool_run_line(const AmphiRunInfo *info, double ns_day, char line[TOOL_LINE_SIZE]);
/* "relax: 143 steps, stop-force 100 kJ/mol/nm met; largest force 97.2 kJ/mol/nm on bead 12 (DMPC 1
 * bead C3); potential energy -51234.5 kJ/mol" */
void tool_minimum_line(const AmphiRunMinimum *minimum, const AmphiJob *job,
                       char line[TOOL_MINIMUM_SIZE]);
/* Writes DIR/status.json anew; a reader sees the old file or the new one. */
AmphiStatus tool_run_status(const char *dir, const AmphiRunInfo *info, double ns_day,
                            const char *state, AmphiError *err);
/* Prints the summary: length, speed, drift, temperature, means with published values, faults and
 * files. */
void tool_run_block(const AmphiRunInfo *info, double ns_day, const ToolMeans *means,
                    const AmphiJob *job, const char *dir, FILE *out);
/* The same for programs, as a line of JSON. */
void tool_run_json(const AmphiRunInfo *info, double ns_day, const ToolMeans *means, const char *dir,
                   FILE *out);

#endif
