/* amphi run --dry-run: estimates time and memory of a run by simulating a few of its steps. */
#ifndef AMPHI_TOOLS_DRY_RUN_H
#define AMPHI_TOOLS_DRY_RUN_H

#include "../engine/run.h"
#include "options.h"

/* Prints the estimate to call->out; writes no files. AMPHI_BAD_COMMAND: there is no such
 * backend. */
AmphiStatus tool_dry_run(const ToolCall *call, const AmphiJob *job, const AmphiRunOptions *options,
                         AmphiError *err);

#endif
