/* Other programs, started without a shell. */
#ifndef AMPHI_TOOLS_LAUNCH_H
#define AMPHI_TOOLS_LAUNCH_H

#include "../engine/error.h"

/* Runs arguments[0] (found by PATH; the last is NULL) to its end; what it says is dropped. *code is
 * its exit code, -1 when a signal ended it. AMPHI_BAD_COMMAND: it is not installed, and the text
 * names the Debian package. AMPHI_BAD_FILE: it could not be started. */
AmphiStatus tool_launch(char *const *arguments, const char *package, int *code, AmphiError *err);

#endif
