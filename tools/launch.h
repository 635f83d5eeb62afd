/* Runs other programs, without a shell. */
#ifndef AMPHI_TOOLS_LAUNCH_H
#define AMPHI_TOOLS_LAUNCH_H

#include "../engine/error.h"

/* Runs arguments[0], found by PATH, in an existing folder, and waits for its end; the last argument
 * is NULL. Names of files in that folder reach the program without their path, whose characters may
 * mean something to it. Its output is discarded. *code is its exit code, -1 if it was ended by a
 * signal. AMPHI_BAD_COMMAND: it is not installed; err names the Debian package. AMPHI_BAD_FILE: it
 * could not be started. */
AmphiStatus tool_launch(char *const *arguments, const char *folder, const char *package, int *code,
                        AmphiError *err);

#endif
