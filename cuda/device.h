/* The device: which one, its memory, its errors, and the only places where the host waits for it.
 * Compiled once; knows no precision.
 */
#ifndef AMPHI_CUDA_DEVICE_H
#define AMPHI_CUDA_DEVICE_H

#include <cuda_runtime.h>

#include <stddef.h>
#include <stdint.h>

extern "C" {
#include "../engine/error.h"
#include "../engine/failing.h"
}

/* What a call of the runtime says, or is told to say: engine/failing.h. */
bool        amphi_device_fails(void);
cudaError_t amphi_device_failure(void);
#define CUDA_SAYS(call) (amphi_device_fails() ? amphi_device_failure() : (call))

/* A call of the runtime; a failure ends the function. What went wrong with the device itself is
 * AMPHI_NO_DEVICE, what can only be our own doing (an illegal address) AMPHI_DEFECT. */
#define CUDA_TRY(call)                                                                             \
    do {                                                                                           \
        const cudaError_t cuda_try_ = CUDA_SAYS(call);                                             \
        if (cuda_try_ != cudaSuccess)                                                              \
            return amphi_device_failed(cuda_try_, #call, err);                                     \
    } while (0)

/* After a launch: was it one that can run? What a kernel does wrong shows at the next wait. */
#define CUDA_TRY_LAUNCH() CUDA_TRY(cudaPeekAtLastError())

AmphiStatus amphi_device_failed(cudaError_t what, const char *call, AmphiError *err);

/* Ends a capture into *graph. Of two failures the first is told: that of what was captured, which
 * `status` has. */
AmphiStatus amphi_device_end_capture(cudaStream_t stream, cudaGraph_t *graph, AmphiStatus status,
                                     AmphiError *err);

/* Launches a graph; and destroys one, which none of another thread is launched beside: under
 * compute-sanitizer (2025.3) the one takes a lock of that tool within one of the driver, the other
 * the second within the first, and two threads waited for each other for ever. */
cudaError_t amphi_device_launch(cudaGraphExec_t graph, cudaStream_t stream);
void        amphi_device_destroy(cudaGraphExec_t graph); /* NULL is none */

/* Makes a device current in this host thread: number `device` of those that CUDA_VISIBLE_DEVICES
 * leaves, from 0. All states that a process has at one time are on one device. AMPHI_NO_DEVICE:
 * there is none, or none of that number, or no driver, or one of them is too old for this build, or
 * there are states on another. name[size]: "NVIDIA H200". Who has chosen it leaves it once. */
AmphiStatus amphi_device_choose(int32_t device, int32_t *n_processors, char *name, size_t size,
                                AmphiError *err);
void        amphi_device_leave(void);

/* Blocks of one launch wait for each other, and so do those of other states beside them: the device
 * has to hold all of them at once. n more, of which a processor holds `each`: the part of it that
 * they want, to be given back; 0: there is no room. One state alone may have them all; of several
 * half of all are given away, so that there is always one into which a block fits. */
double amphi_device_claim(int32_t n, int32_t each, int32_t n_processors);
void   amphi_device_return(double claimed);

/* Device 0, for who names none. */
bool amphi_device_is_there(void);

/* All memory of a state: freed at once. A table of pointers, so that nothing is forgotten. */
typedef struct {
    void  *block[128];
    size_t size[128];
    int    n;
    size_t bytes;
} DeviceMemory;

/* n items of `size` bytes on the device, zero; *to is NULL for none. AMPHI_NO_MEMORY says what was
 * wanted and what is free. */
AmphiStatus amphi_device_take(DeviceMemory *memory, int64_t n, size_t size, void **to,
                              AmphiError *err);
void        amphi_device_free(DeviceMemory *memory);

/* Memory of the host that the device reaches by itself. AMPHI_NO_MEMORY says what was wanted. */
AmphiStatus amphi_device_take_host(size_t bytes, void **to, AmphiError *err);
void        amphi_device_release_host(void *block); /* NULL is none */

/* One block of them, before all; NULL is none. */
void amphi_device_drop(DeviceMemory *memory, void *block);

/* What is copied from the device to the host together. */
enum { PARTS_AT_ONCE = 24 };
typedef struct {
    const void *from;
    void       *to;
    size_t      bytes; /* a multiple of 4; `from` and `to` of 16 */
} DevicePart;
typedef struct {
    DevicePart part[PARTS_AT_ONCE];
    int        n;
} DeviceParts;

/* One more of them; none for 0 bytes. */
void amphi_device_add_part(DeviceParts *parts, void *host, const void *device, size_t bytes);

/* Copies in the stream that are not waited for: the host has them behind amphi_device_wait.
 * AMPHI_DEFECT: they are more than PARTS_AT_ONCE. is_reached: all go to memory that the device
 * reaches by itself; then one kernel writes them, instead of a row of copies that each begin anew.
 */
AmphiStatus amphi_device_ask(const DeviceParts *parts, bool is_reached, cudaStream_t stream,
                             AmphiError *err);

/* Copies in the stream, and waits for them. */
AmphiStatus amphi_device_put(void *device, const void *host, size_t bytes, cudaStream_t stream,
                             AmphiError *err);
AmphiStatus amphi_device_get(void *host, const void *device, size_t bytes, cudaStream_t stream,
                             AmphiError *err);
AmphiStatus amphi_device_wait(cudaStream_t stream, AmphiError *err);

template <typename T>
static inline AmphiStatus amphi_device_take_array(DeviceMemory *memory, int64_t n, T **to,
                                                  AmphiError *err)
{
    return amphi_device_take(memory, n, sizeof(T), (void **)to, err);
}

/* A copy of n items; *to is NULL for none. */
template <typename T>
static inline AmphiStatus amphi_device_put_array(DeviceMemory *memory, const T *from, int64_t n,
                                                 cudaStream_t stream, const T **to, AmphiError *err)
{
    T *there;

    AMPHI_TRY(amphi_device_take_array(memory, n, &there, err));
    *to = there;
    return amphi_device_put(there, from, (size_t)n * sizeof(T), stream, err);
}

#endif
