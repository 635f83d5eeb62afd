/* The folder of a run that a command is to read: which one, and the system that was run. */
#ifndef AMPHI_TOOLS_RUN_FIND_H
#define AMPHI_TOOLS_RUN_FIND_H

#include "command.h"

/* Is there a run.log? */
bool tool_is_run(const char *folder);

/* The folder that is named, or else the present one if it is a run, or else the only run in it.
 * AMPHI_BAD_COMMAND: there is none, or several. AMPHI_BAD_FILE: what is named is no run. */
AmphiStatus tool_find_run(const ToolCall *call, char folder[AMPHI_PATH_SIZE], AmphiError *err);

/* The system file in FOLDER/input, to be loaded with is_copy. AMPHI_BAD_FILE: there is none. */
AmphiStatus tool_find_input(const char *folder, char path[AMPHI_PATH_SIZE], AmphiError *err);

#endif
