/* amphi run --dry-run: what a run would take, found out by doing a little of it. */
#ifndef AMPHI_TOOLS_DRY_RUN_H
#define AMPHI_TOOLS_DRY_RUN_H

#include "../engine/run.h"
#include "options.h"

/* Nothing is written but the estimate, on call->out. AMPHI_BAD_COMMAND: no such backend. */
AmphiStatus tool_dry_run(const ToolCall *call, const AmphiJob *job, const AmphiRunOptions *options,
                         AmphiError *err);

#endif
