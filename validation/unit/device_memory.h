/* Takes the memory of a device away, so that others find none. */
#ifndef AMPHI_VALIDATION_UNIT_DEVICE_MEMORY_H
#define AMPHI_VALIDATION_UNIT_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* All but about so many bytes; false: it could not be done. */
bool device_memory_hold(size_t left);
void device_memory_release(void);

#endif
