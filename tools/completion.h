/* Writes what bash needs to complete command lines of amphi, from the program's own tables. */
#ifndef AMPHI_TOOLS_COMPLETION_H
#define AMPHI_TOOLS_COMPLETION_H

#include <stdio.h>

void tool_write_completion(FILE *out);

#endif
