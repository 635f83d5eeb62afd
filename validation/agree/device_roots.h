/* A test of the reciprocal square root of fixed precision on the device. */
#ifndef AMPHI_VALIDATION_AGREE_DEVICE_ROOTS_H
#define AMPHI_VALIDATION_AGREE_DEVICE_ROOTS_H

#include <stdint.h>

/* How many floats in [1, 4) have a reciprocal root that is not the nearest float; -1: no device. */
int64_t device_wrong_roots(void);

#endif
