/* What a run directory keeps of its making: input/, the files that were read, and run.log. */
#ifndef AMPHI_TOOLS_RUN_RECORD_H
#define AMPHI_TOOLS_RUN_RECORD_H

#include <stdio.h>

#include "../engine/job.h"

/* DIR/input: every file that the job was read from, and SHA256SUMS of them. */
AmphiStatus tool_record_input(const AmphiJob *job, const char *dir, AmphiError *err);

typedef struct {
    FILE *file; /* NULL: not open, or a write failed; then nothing more is written */
    char  path[4096];
} ToolLog;

/* DIR/run.log, at its end. */
AmphiStatus tool_log_open(ToolLog *log, const char *dir, AmphiError *err);
/* A line with the time of day in front. */
void tool_log_line(ToolLog *log, const char *form, ...) __attribute__((format(printf, 2, 3)));
AmphiStatus tool_log_close(ToolLog *log, AmphiError *err);

#endif
