/* What waits for the device: frames, and states as bytes. */
#ifndef AMPHI_CUDA_READ_H
#define AMPHI_CUDA_READ_H

#include "rooms.h"

/* A frame in two parts: what it shows of the state is brought to the host, which waits; and put
 * into the frame, unless the state stands at a fault. */
AmphiStatus AMPHI_T(device_ask_frame)(Device *d, uint32_t needs, AmphiError *err);
AmphiStatus AMPHI_T(device_take_frame)(Device *d, uint32_t needs, AmphiFrame *frame,
                                       AmphiError *err);
AmphiStatus AMPHI_T(device_save)(Device *d, AmphiBytes *bytes, AmphiError *err);
AmphiStatus AMPHI_T(device_restore)(Device *d, const AmphiBytes *bytes, AmphiError *err);

/* Aside in slot 0 or 1; and back as bytes, which spends the state. keep_all, if a state is to be
 * kept, has its arrays copied beside what is in the stream by now. Whoever changes bodies or list
 * calls has_kept first, or has_kept_motion for velocities and spins alone: the stream goes on when
 * they are aside. */
AmphiStatus AMPHI_T(device_keep)(Device *d, int slot, AmphiError *err);
AmphiStatus AMPHI_T(device_keep_all)(Device *d, AmphiError *err);
AmphiStatus AMPHI_T(device_has_kept_motion)(Device *d, AmphiError *err);
AmphiStatus AMPHI_T(device_has_kept)(Device *d, AmphiError *err);
AmphiStatus AMPHI_T(device_kept)(Device *d, int slot, AmphiBytes *bytes, AmphiError *err);

/* look.cu: FAULT_WILD for beads, FAULT_TORN for bonds of a stage with time steps, by faults.h. */
AmphiStatus AMPHI_T(look_begin_stage)(Device *d, const AmphiStage *stage, AmphiError *err);
AmphiStatus AMPHI_T(device_look)(Device *d, AmphiError *err);

/* timings.cu: as AmphiBackend.timings has it. */
AmphiStatus AMPHI_T(device_timings)(Device *d, int64_t n_steps, struct AmphiTimings *timings,
                                    AmphiError *err);

/* Builds a list if it is stale, with room for what it needs. Host waits. */
AmphiStatus AMPHI_T(device_build_list)(Device *d, AmphiError *err);

#endif
