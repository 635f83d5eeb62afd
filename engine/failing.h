/* For tests of builds with CUDA: calls of its runtime that fail when told to, and what is left
 * behind them. Both are in cuda/device.cu.
 */
#ifndef AMPHI_ENGINE_FAILING_H
#define AMPHI_ENGINE_FAILING_H

#include <stdbool.h>
#include <stdint.h>

/* What a call may say. */
typedef enum {
    AMPHI_DEVICE_HAS_NO_MEMORY,       /* goes on with the next call */
    AMPHI_DEVICE_IS_LOST,             /* an error of its memory that cannot be corrected; lasts */
    AMPHI_DEVICE_TOOK_TOO_LONG,       /* lasts */
    AMPHI_DEVICE_HAD_A_WRONG_ADDRESS, /* of a kernel: our own doing; lasts */
} AmphiDeviceError;

/* The n-th call of this thread from now on is not made and says `error`, and so do all behind it
 * where that lasts. 0: none does. */
void amphi_device_fail_at(int64_t n, AmphiDeviceError error);

/* Blocks of memory on the device, and of the host for it, that states of this process have. */
int64_t amphi_device_blocks(void);

#endif
