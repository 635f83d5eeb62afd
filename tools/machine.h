/* The machine that this process runs on, for records. */
#ifndef AMPHI_TOOLS_MACHINE_H
#define AMPHI_TOOLS_MACHINE_H

#include <stddef.h>

/* "Intel(R) Xeon(R) Gold 6448Y, 16 processors, Linux 6.1.0 x86_64", without its name. Into text[size]. */
const char *tool_machine(char *text, size_t size);
/* The most memory that this process has had, MB of 10^6 bytes. */
double tool_peak_memory_MB(void);

#endif
