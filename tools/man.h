/* The manual page amphi.1, in roff, from the tables that the program works with. */
#ifndef AMPHI_TOOLS_MAN_H
#define AMPHI_TOOLS_MAN_H

#include <stdio.h>

void tool_write_man(FILE *out);

#endif
