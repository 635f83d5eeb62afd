/* Description of the machine, for records. */
#ifndef AMPHI_TOOLS_MACHINE_H
#define AMPHI_TOOLS_MACHINE_H

#include <stddef.h>

/* "Intel(R) Xeon(R) Gold 6448Y, 16 processors, Linux 6.1.0 x86_64", without the host name. Written
 * to text[size], which is returned. */
const char *tool_machine(char *text, size_t size);
/* The peak memory of this process, MB of 10^6 bytes. */
double tool_peak_memory_MB(void);

#endif
