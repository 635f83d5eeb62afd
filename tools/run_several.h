/* `amphi run` with several system files: their runs at once, in one process. */
#ifndef AMPHI_TOOLS_RUN_SEVERAL_H
#define AMPHI_TOOLS_RUN_SEVERAL_H

#include "command.h"

/* Reads all files, and where none of them has an error runs all: side by side, as many as
 * --at-once or the machine says, the others in their turn; each as it would run alone, to the same
 * bits in fixed precision. What a run says begins with its folder, or with --json has it as "run";
 * results of a run stand together. A run that fails keeps no other from its end, but a device that
 * is lost ends all that are on it.
 *
 * The first status in the order of the files that is a failure; else AMPHI_STOPPED if a run was
 * asked to stop. What was wrong is told already. AMPHI_BAD_COMMAND: wrong options, or two runs in
 * one folder. */
AmphiStatus tool_run_several(const ToolCall *call, double began_s, AmphiError *err);

#endif
