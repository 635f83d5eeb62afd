/* Choosing the device, its memory, its errors, and waiting for it. */
#include "device.h"

#include <math.h>
#include <stdio.h>

#include <atomic>
#include <mutex>
#include <shared_mutex>

extern "C" {
#include "../engine/arena.h"
}

/* Of compute capability: the Makefile has no code for older devices. */
enum { OLDEST_MAJOR = 8 };

/* ---- for tests ---- */

static std::atomic<int64_t> blocks; /* of memory, of all states, which may be of several threads */

extern "C" int64_t amphi_device_blocks(void)
{
    return blocks;
}

/* 0: no call fails. 1: the next one does, and where that lasts all behind it. */
static thread_local int64_t     calls_until_failure;
static thread_local cudaError_t told;
static thread_local bool        lasts;

extern "C" void amphi_device_fail_at(int64_t n, AmphiDeviceError error)
{
    static const cudaError_t what[] = { cudaErrorMemoryAllocation, cudaErrorECCUncorrectable,
                                        cudaErrorLaunchTimeout, cudaErrorIllegalAddress };

    calls_until_failure = n;
    told                = what[error];
    lasts               = error != AMPHI_DEVICE_HAS_NO_MEMORY;
}

bool amphi_device_fails(void)
{
    if (calls_until_failure <= 0)
        return false;
    if (calls_until_failure > 1) {
        calls_until_failure--;
        return false;
    }
    calls_until_failure = lasts ? 1 : 0;
    return true;
}

cudaError_t amphi_device_failure(void)
{
    return told;
}

/* ---- errors ---- */

AmphiStatus amphi_device_failed(cudaError_t what, const char *call, AmphiError *err)
{
    const bool is_ours = what == cudaErrorIllegalAddress || what == cudaErrorMisalignedAddress ||
                         what == cudaErrorInvalidValue || what == cudaErrorInvalidConfiguration ||
                         what == cudaErrorInvalidDeviceFunction || what == cudaErrorAssert;

    (void)cudaGetLastError(); /* it is told here; the next launch is not to be taken for it */
    if (what == cudaErrorMemoryAllocation)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory on the device for %.60s", call);
    return amphi_fail(err, is_ours ? AMPHI_DEFECT : AMPHI_NO_DEVICE, "device: %s (in %.80s)%s",
                      cudaGetErrorString(what), call,
                      is_ours ? "" : "; the kernel log may have lines with Xid about it");
}

AmphiStatus amphi_device_end_capture(cudaStream_t stream, cudaGraph_t *graph, AmphiStatus status,
                                     AmphiError *err)
{
    cudaError_t ended = cudaStreamEndCapture(stream, graph); /* in any case */

    if (amphi_device_fails())
        ended = amphi_device_failure();
    if (status == AMPHI_OK && ended != cudaSuccess)
        return amphi_device_failed(ended, "cudaStreamEndCapture", err);
    return status;
}

/* ---- graphs ---- */

static std::shared_mutex destroying; /* one thread that does, or many that launch */

cudaError_t amphi_device_launch(cudaGraphExec_t graph, cudaStream_t stream)
{
    const std::shared_lock<std::shared_mutex> lock(destroying);

    return cudaGraphLaunch(graph, stream);
}

void amphi_device_destroy(cudaGraphExec_t graph)
{
    if (graph == NULL) /* which most are */
        return;

    const std::lock_guard<std::shared_mutex> lock(destroying);

    (void)cudaGraphExecDestroy(graph);
}

/* ---- which device ---- */

static std::mutex claiming;
static int64_t    n_states; /* that are on the device, and which that is; under the mutex */
static int32_t    current;
static double     n_meeting; /* processors full of blocks that wait for each other; likewise */

static AmphiStatus claim(int32_t device, AmphiError *err)
{
    const std::lock_guard<std::mutex> lock(claiming);

    if (n_states > 0 && device != current)
        return amphi_fail(err, AMPHI_NO_DEVICE,
                          "device %d: this process has states on device %d, and all are on one",
                          device, current);
    current = device;
    n_states++;
    return AMPHI_OK;
}

void amphi_device_leave(void)
{
    const std::lock_guard<std::mutex> lock(claiming);

    n_states--;
}

double amphi_device_claim(int32_t n, int32_t each, int32_t n_processors)
{
    const std::lock_guard<std::mutex> lock(claiming);
    const double                      wanted = each > 0 ? (double)n / each : INFINITY;
    const bool                        is_one = n_meeting == 0 && n_states == 1;

    if (!(wanted <= n_processors) || (!is_one && n_meeting + wanted > 0.5 * n_processors))
        return 0;
    n_meeting += wanted;
    return wanted;
}

void amphi_device_return(double claimed)
{
    const std::lock_guard<std::mutex> lock(claiming);

    n_meeting = n_states == 1 ? 0 : n_meeting - claimed; /* without what rounding has left */
}

AmphiStatus amphi_device_choose(int32_t device, int32_t *n_processors, char *name, size_t size,
                                AmphiError *err)
{
    int               n     = 0;
    const cudaError_t found = CUDA_SAYS(cudaGetDeviceCount(&n));
    cudaDeviceProp    about;

    if (found == cudaErrorNoDevice || (found == cudaSuccess && n == 0))
        return amphi_fail(err, AMPHI_NO_DEVICE, "no NVIDIA device is there, or none is visible");
    if (found == cudaErrorInsufficientDriver)
        return amphi_fail(
            err, AMPHI_NO_DEVICE,
            "no NVIDIA driver, or one older than CUDA %d.%d that amphi was built with",
            CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    if (found != cudaSuccess)
        return amphi_device_failed(found, "cudaGetDeviceCount", err);
    if (device < 0 || device >= n)
        return n == 1 ? amphi_fail(err, AMPHI_NO_DEVICE, "device %d: there is one, 0", device)
                      : amphi_fail(err, AMPHI_NO_DEVICE, "device %d: there are %d, 0 to %d", device,
                                   n, n - 1);
    CUDA_TRY(cudaGetDeviceProperties(&about, device));
    if (about.major < OLDEST_MAJOR)
        return amphi_fail(
            err, AMPHI_NO_DEVICE,
            "device %d, %.60s, has compute capability %d.%d: amphi wants %d.0 or later", device,
            about.name, about.major, about.minor, OLDEST_MAJOR);
    AMPHI_TRY(claim(device, err)); /* or what this thread has on another would not be found again */

    const cudaError_t set = CUDA_SAYS(cudaSetDevice(device));
    if (set != cudaSuccess) {
        amphi_device_leave();
        return amphi_device_failed(set, "cudaSetDevice(device)", err);
    }
    *n_processors = about.multiProcessorCount;
    snprintf(name, size, "%s", about.name);
    return AMPHI_OK;
}

bool amphi_device_is_there(void)
{
    int n = 0, major = 0;

    return cudaGetDeviceCount(&n) == cudaSuccess && n > 0 &&
           cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) == cudaSuccess &&
           major >= OLDEST_MAJOR;
}

/* ---- memory ---- */

AmphiStatus amphi_device_take(DeviceMemory *memory, int64_t n, size_t size, void **to,
                              AmphiError *err)
{
    const size_t bytes = (size_t)n * size;
    cudaError_t  got;

    *to = NULL;
    if (n <= 0)
        return AMPHI_OK;
    if (memory->n == (int)(sizeof memory->block / sizeof memory->block[0]))
        return amphi_fail(err, AMPHI_DEFECT, "a state takes more than %d arrays", memory->n);
    got =
        (size_t)n > SIZE_MAX / size ? cudaErrorMemoryAllocation : CUDA_SAYS(cudaMalloc(to, bytes));
    if (got == cudaErrorMemoryAllocation) {
        size_t free = 0, all = 0;

        (void)cudaGetLastError(); /* it is told here */
        (void)cudaMemGetInfo(&free, &all);
        return amphi_fail(err, AMPHI_NO_MEMORY,
                          "no memory on the device: %.3g MB wanted, %.3g of %.3g MB free",
                          (double)bytes / 1e6, (double)free / 1e6, (double)all / 1e6);
    }
    if (got != cudaSuccess)
        return amphi_device_failed(got, "cudaMalloc", err);
    memory->block[memory->n]  = *to;
    memory->size[memory->n++] = bytes;
    memory->bytes += bytes;
    blocks++;
    /* not in the null stream: no other thread could capture steps meanwhile */
    CUDA_TRY(cudaMemsetAsync(*to, 0, bytes, cudaStreamPerThread));
    return amphi_device_wait(cudaStreamPerThread, err);
}

void amphi_device_free(DeviceMemory *memory)
{
    for (int k = 0; k < memory->n; k++)
        (void)cudaFree(memory->block[k]);
    blocks -= memory->n;
    memory->n     = 0;
    memory->bytes = 0;
}

void amphi_device_drop(DeviceMemory *memory, void *block)
{
    for (int k = 0; block != NULL && k < memory->n; k++)
        if (memory->block[k] == block) {
            (void)cudaFree(block);
            blocks--;
            memory->bytes -= memory->size[k];
            memory->n--;
            memory->block[k] = memory->block[memory->n];
            memory->size[k]  = memory->size[memory->n];
            return;
        }
}

AmphiStatus amphi_device_take_host(size_t bytes, void **to, AmphiError *err)
{
    const cudaError_t got = CUDA_SAYS(cudaMallocHost(to, bytes));

    if (got == cudaErrorMemoryAllocation) {
        *to = NULL;
        (void)cudaGetLastError(); /* it is told here */
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory on the host: %.3g MB wanted",
                          (double)bytes / 1e6);
    }
    if (got != cudaSuccess)
        return amphi_device_failed(got, "cudaMallocHost", err);
    blocks++;
    return AMPHI_OK;
}

void amphi_device_release_host(void *block)
{
    if (block == NULL)
        return;
    (void)cudaFreeHost(block);
    blocks--;
}

/* ---- waiting ---- */

AmphiStatus amphi_device_wait(cudaStream_t stream, AmphiError *err)
{
    CUDA_TRY(cudaStreamSynchronize(stream));
    return AMPHI_OK;
}

void amphi_device_add_part(DeviceParts *parts, void *host, const void *device, size_t bytes)
{
    if (bytes == 0)
        return;
    if (parts->n < PARTS_AT_ONCE)
        parts->part[parts->n] = DevicePart{ device, host, bytes };
    parts->n++;
}

/* A block's share of a part: PIECES for each thread. */
enum { ASK_BLOCK = 128, PIECES = 4 };
static constexpr size_t share_bytes = sizeof(uint4) * ASK_BLOCK * PIECES;

__host__ __device__ static inline size_t shares_of(size_t bytes)
{
    return (bytes + share_bytes - 1) / share_bytes;
}

__global__ static void __launch_bounds__(ASK_BLOCK) k_tell(const DeviceParts parts)
{
    size_t at = blockIdx.x;
    int    k  = 0;

    for (; at >= shares_of(parts.part[k].bytes); k++)
        at -= shares_of(parts.part[k].bytes);

    const DevicePart  *part = &parts.part[k];
    const size_t       n = part->bytes / sizeof(uint4), whole = n * sizeof(uint4);
    const uint4 *const from  = (const uint4 *)part->from;
    uint4 *const       to    = (uint4 *)part->to;
    const size_t       first = at * ASK_BLOCK * PIECES + threadIdx.x;

    for (size_t i = first; i < n && i < first + (size_t)ASK_BLOCK * PIECES; i += ASK_BLOCK)
        to[i] = from[i];
    if (at == 0 && threadIdx.x < (part->bytes - whole) / sizeof(uint32_t))
        ((uint32_t *)(to + n))[threadIdx.x] = ((const uint32_t *)(from + n))[threadIdx.x];
}

AmphiStatus amphi_device_ask(const DeviceParts *parts, bool is_reached, cudaStream_t stream,
                             AmphiError *err)
{
    size_t shares = 0;

    if (parts->n > PARTS_AT_ONCE)
        return amphi_fail(err, AMPHI_DEFECT, "%d arrays are asked for together", parts->n);
    for (int k = 0; k < parts->n; k++)
        shares += shares_of(parts->part[k].bytes);
    if (shares == 0)
        return AMPHI_OK;
    if (is_reached && shares <= INT32_MAX) {
        k_tell<<<(unsigned)shares, ASK_BLOCK, 0, stream>>>(*parts);
        CUDA_TRY_LAUNCH();
        return AMPHI_OK;
    }
    for (int k = 0; k < parts->n; k++)
        CUDA_TRY(cudaMemcpyAsync(parts->part[k].to, parts->part[k].from, parts->part[k].bytes,
                                 cudaMemcpyDeviceToHost, stream));
    return AMPHI_OK;
}

static AmphiStatus copy_and_wait(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                 cudaStream_t stream, AmphiError *err)
{
    if (bytes == 0)
        return AMPHI_OK;
    CUDA_TRY(cudaMemcpyAsync(to, from, bytes, kind, stream));
    return amphi_device_wait(stream, err);
}

AmphiStatus amphi_device_put(void *device, const void *host, size_t bytes, cudaStream_t stream,
                             AmphiError *err)
{
    return copy_and_wait(device, host, bytes, cudaMemcpyHostToDevice, stream, err);
}

AmphiStatus amphi_device_get(void *host, const void *device, size_t bytes, cudaStream_t stream,
                             AmphiError *err)
{
    return copy_and_wait(host, device, bytes, cudaMemcpyDeviceToHost, stream, err);
}
