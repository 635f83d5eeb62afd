/* Compiled as code that can be linked, with the part of the CUDA runtime that is for devices. */
#include "gate.h"

#include "beside.h"

enum { PAUSE_NS = 100, MOST_TRIES = 1 << 24, MOST_PAUSES = 1 << 30 };

static __global__ void __launch_bounds__(1)
    k_gate(const int32_t *is_due, cudaGraphExec_t graph, volatile Gate *gate, int32_t turn)
{
    wait_for_last();
    if (*(const volatile int32_t *)is_due == 0)
        return;

    const uint32_t before = gate->n_through;

    gate->turn = turn;
    __threadfence();

    /* refused until the device has put the last one away, which was told before that; for seconds
     * only where the device is broken */
    for (int k = 0; cudaGraphLaunch(graph, cudaStreamGraphFireAndForget) != cudaSuccess; k++) {
        if (k == MOST_TRIES)
            __trap();
        __nanosleep(PAUSE_NS);
    }
    for (int k = 0; gate->n_through == before; k++) { /* for minutes, as above */
        if (k == MOST_PAUSES)
            __trap();
        __nanosleep(PAUSE_NS);
    }
    __threadfence();
}

static __global__ void __launch_bounds__(1) k_gate_end(volatile Gate *gate)
{
    __threadfence();
    gate->n_through = gate->n_through + 1;
}

AmphiStatus amphi_gate_capture(const int32_t *is_due, cudaGraphExec_t graph, Gate *gate,
                               int32_t turn, cudaStream_t stream, AmphiError *err)
{
    cudaLaunchAttribute      is_beside;
    const cudaLaunchConfig_t config = launch_beside(true, 1, 1, stream, &is_beside);

    CUDA_TRY(cudaLaunchKernelEx(&config, k_gate, is_due, graph, (volatile Gate *)gate, turn));
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

AmphiStatus amphi_gate_end(Gate *gate, cudaStream_t stream, AmphiError *err)
{
    k_gate_end<<<1, 1, 0, stream>>>(gate);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
