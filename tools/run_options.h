/* The command line of `amphi run`: how a run is to be made, and where. */
#ifndef AMPHI_TOOLS_RUN_OPTIONS_H
#define AMPHI_TOOLS_RUN_OPTIONS_H

#include "../engine/run.h"
#include "command.h"

/* The folder that is named, or "bilayer.run" for systems/bilayer.xml; o->dir is folder. Who asks to
 * save or to stop is left to the caller. AMPHI_BAD_COMMAND with what to write instead. */
AmphiStatus tool_run_options(const ToolCall *call, AmphiRunOptions *o, char folder[AMPHI_PATH_SIZE],
                             AmphiError *err);

/* --fresh: is the run that is in the folder to be thrown away? Asked for on a terminal;
 * AMPHI_BAD_COMMAND where nobody can be asked or the answer is no. */
AmphiStatus tool_confirm_fresh(const ToolCall *call, const char *folder, AmphiError *err);

#endif
