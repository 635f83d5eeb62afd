/* A look at the reciprocal square root of fixed precision on the device. */
#ifndef AMPHI_VALIDATION_AGREE_DEVICE_ROOTS_H
#define AMPHI_VALIDATION_AGREE_DEVICE_ROOTS_H

#include <stdint.h>

/* Of all floats in [1, 4), those whose reciprocal root is not the nearest float; -1: no device. */
int64_t device_wrong_roots(void);

#endif
