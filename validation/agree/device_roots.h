/* A test of the roots, reciprocals and quotients of fixed precision on the device. */
#ifndef AMPHI_VALIDATION_AGREE_DEVICE_ROOTS_H
#define AMPHI_VALIDATION_AGREE_DEVICE_ROOTS_H

#include <stdint.h>

/* How many floats in [1, 4) have a reciprocal root, root or reciprocal that is not the nearest
 * float, or come with a quotient that is not the nearest double; -1: no device. */
int64_t device_wrong_roots(void);

#endif
