/* Records of a run in its directory: copies of the input in input/, and run.log. */
#ifndef AMPHI_TOOLS_RUN_RECORD_H
#define AMPHI_TOOLS_RUN_RECORD_H

#include <stdio.h>

#include "../engine/formats/sink.h"
#include "../engine/job.h"

/* Writes all files that the job was read from to DIR/input, with their SHA256SUMS. */
AmphiStatus tool_record_input(const AmphiJob *job, const char *dir, AmphiError *err);
/* Has DIR/input all these files, as they are now? */
bool tool_input_is_recorded(const AmphiJob *job, const char *dir);

typedef struct {
    FILE *file; /* NULL: not open, or a write failed, after which nothing is written */
    char  path[AMPHI_PATH_SIZE];
} ToolLog;

/* Opens DIR/run.log for appending. */
AmphiStatus tool_log_open(ToolLog *log, const char *dir, AmphiError *err);
/* Writes a line, with date and time in front. */
void tool_log_line(ToolLog *log, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* What is said about the input, a line each; hints are on the screen and in `amphi check`. */
void        tool_log_notes(ToolLog *log, AmphiNotes *notes);
AmphiStatus tool_log_close(ToolLog *log, AmphiError *err);

#endif
