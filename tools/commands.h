/* The commands of the program, in the order in which they are listed. */
#ifndef AMPHI_TOOLS_COMMANDS_H
#define AMPHI_TOOLS_COMMANDS_H

#include "options.h"

const ToolCommand *tool_command_at(int k); /* NULL after the last */

#endif
