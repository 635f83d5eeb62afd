/* Random numbers of the device: our own, and those of cuRAND for the same counters and keys. */
#ifndef AMPHI_VALIDATION_UNIT_PHILOX_DEVICE_H
#define AMPHI_VALIDATION_UNIT_PHILOX_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t counter[4], key[2]; /* given */
    uint32_t ours[4], theirs[4]; /* of the bare function */
    uint32_t generator[4];       /* of theirs with curand_init and curand4 */
    double   normal[2],
        squares; /* ours: draw_normals and draw_squares, key and counter as seed and id */
} PhiloxCase;

/* Whether there is a device. */
bool philox_device_is_there(void);
/* Fills n cases in on the device; false: something there failed. */
bool philox_device_fill(PhiloxCase *cases, int n);

#endif
