/* One run of `amphi run`, told while it goes on. */
#ifndef AMPHI_TOOLS_RUN_JOB_H
#define AMPHI_TOOLS_RUN_JOB_H

#include "../engine/run.h"
#include "command.h"

/* Listens to USR1, by which all runs save, and to USR2, by which each tells where it is. */
void tool_listen_for_requests(void);

/* Runs the job to its end, or to where it is asked to stop, in options->dir, with log, status,
 * results, report and pictures. The notes are those of reading it. Whom a signal asks to stop or to
 * save is added to the options. Several threads may do so with a call of their own each. */
AmphiStatus tool_run_job(const ToolCall *call, const AmphiJob *job, AmphiNotes *notes,
                         const AmphiRunOptions *options, AmphiError *err);

#endif
