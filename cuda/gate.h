/* A list that is built only where it is due, without a conditional node: a kernel of one thread,
 * beside pairs, which launches a graph from the device and waits for it.
 *
 * A conditional node is looked at only when all that is under way beside it is through, and what
 * follows it cannot begin early: 3 or 4 us a step. This takes nothing while a list holds, and 4 us
 * where one is built.
 */
#ifndef AMPHI_CUDA_GATE_H
#define AMPHI_CUDA_GATE_H

#include <stdint.h>

#include "device.h"

typedef struct {
    uint32_t n_through; /* graphs so far */
    int32_t  turn;      /* of the forces in the last one */
} Gate;

/* Into the capture of a stream: if *is_due, as the kernel in front of it leaves it, then the graph,
 * which must have been instantiated for launches from the device, and end with gate_end. gate: in
 * device memory; while the capture runs nobody else writes it. */
AmphiStatus amphi_gate_capture(const int32_t *is_due, cudaGraphExec_t graph, Gate *gate,
                               int32_t turn, cudaStream_t stream, AmphiError *err);

/* Tells the kernel that waits for the graph. */
AmphiStatus amphi_gate_end(Gate *gate, cudaStream_t stream, AmphiError *err);

#endif
