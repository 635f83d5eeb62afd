/* Writes the manual page amphi.1 in roff, from the program's own tables. */
#ifndef AMPHI_TOOLS_MAN_H
#define AMPHI_TOOLS_MAN_H

#include <stdio.h>

void tool_write_man(FILE *out);

#endif
