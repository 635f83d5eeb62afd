/* Occupies the memory of a device, to test what happens when there is none. */
#ifndef AMPHI_VALIDATION_UNIT_DEVICE_MEMORY_H
#define AMPHI_VALIDATION_UNIT_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Leaves about so many bytes free; false: it could not be done. */
bool device_memory_hold(size_t left);
void device_memory_release(void);

#endif
