/* What the rooms of a backend on the device ask of each other beside state.h: the state as a whole
 * (state.cu) and steps as graphs (graphs.cu).
 */
#ifndef AMPHI_CUDA_ROOMS_H
#define AMPHI_CUDA_ROOMS_H

#include "state.h"

AmphiStatus AMPHI_T(state_open)(const AmphiSystem *system, const AmphiCompute *compute,
                                Device **out, AmphiError *err);
void        AMPHI_T(state_close)(Device *d);

/* Mirror to device, all of it; the list is looked at. */
AmphiStatus AMPHI_T(state_put)(Device *d, AmphiError *err);
/* After positions were changed by others than the drift: records, and whether the list holds. */
AmphiStatus AMPHI_T(state_refresh)(Device *d, AmphiError *err);
/* AMPHI_UNSTABLE, AMPHI_BAD_INPUT: the ledger has a fault. */
AmphiStatus AMPHI_T(state_judge)(const Device *d, const Ledger *ledger, AmphiError *err);
/* Device to host; each waits. All but the ledger go to the mirror. Numbers: AMPHI_UNSTABLE when the
 * state stands at a fault. */
AmphiStatus AMPHI_T(state_get_numbers)(Device *d, Ledger *ledger, AmphiError *err);
AmphiStatus AMPHI_T(state_get_bodies)(Device *d, AmphiError *err);
AmphiStatus AMPHI_T(state_get_forces)(Device *d, AmphiError *err); /* of motion_gather */
AmphiStatus AMPHI_T(state_get_ledger)(Device *d, Ledger *ledger, AmphiError *err); /* as it is */
/* The same in parts, for who asks for several and waits once: add what is wanted; state_ask, which
 * waits; take. */
void AMPHI_T(state_add_numbers)(const Device *d, DeviceParts *parts);
void AMPHI_T(state_add_bodies)(const Device *d, DeviceParts *parts);
void AMPHI_T(state_add_forces)(const Device *d, DeviceParts *parts); /* none to take */
/* What a frame shows behind a kick that has left v(t) and l(t); has: AMPHI_NEED_ bits. Likewise. */
void        AMPHI_T(state_add_shown)(const Device *d, uint32_t has, DeviceParts *parts);
AmphiStatus AMPHI_T(state_ask)(const Device *d, const DeviceParts *parts, AmphiError *err);
AmphiStatus AMPHI_T(state_take_numbers)(Device *d, Ledger *ledger, AmphiError *err);
void        AMPHI_T(state_take_bodies)(Device *d);
/* Moves the mirror's arrays to memory of the host that the device reaches by itself: copies from
 * there and back take a third of the time and less. Those of very large systems stay. */
AmphiStatus AMPHI_T(state_adopt)(Device *d, AmphiError *err);

/* Pairs in one stream, bonded terms beside them in the other. */
AmphiStatus AMPHI_T(graphs_forces)(Device *d, SumsLevel level, AmphiError *err);
/* Ends a capture, whose status that is, and makes *out of it. */
AmphiStatus AMPHI_T(graphs_end)(cudaStream_t stream, AmphiStatus status, unsigned flags,
                                cudaGraphExec_t *out, AmphiError *err);
/* `other` begins where d->stream is; d->stream goes on behind both. */
AmphiStatus AMPHI_T(graphs_fork)(Device *d, cudaStream_t other, AmphiError *err);
AmphiStatus AMPHI_T(graphs_join)(Device *d, cudaStream_t other, AmphiError *err);
/* frames.cu. The same for somebody who looks: with sums, which a kick is to use up, and what shows,
 * into force_kJ_mol_nm, torque_kJ_mol and term. */
AmphiStatus AMPHI_T(frames_forces)(Device *d, SumsLevel level, bool sums, Shows shows,
                                   AmphiError *err);
/* Nobody who looks may choose another kernel than the plan of the step does. */
StepPlan AMPHI_T(graphs_plan)(const Device *d, int64_t stage_step);
/* Some of the next n_steps whole steps, in one launch; *done: how many. */
AmphiStatus AMPHI_T(graphs_launch)(Device *d, int64_t n_steps, int64_t *done, AmphiError *err);
/* The graphs of a stage, when it ends. */
void AMPHI_T(graphs_drop)(Device *d);

#endif
