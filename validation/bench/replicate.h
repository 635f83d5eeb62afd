/* A larger system from copies of a smaller one, side by side along x, y and z. */
#ifndef AMPHI_VALIDATION_BENCH_REPLICATE_H
#define AMPHI_VALIDATION_BENCH_REPLICATE_H

#include "../../engine/arena.h"
#include "../../engine/frame.h"
#include "../../engine/system.h"

/* copies[3] of the system as the frame has it (positions, velocities, orientations, box; NULL: as
 * it starts). Types, rules and molecule types are borrowed from it; the rest is in the arena. False
 * when there is no memory. */
bool replicate(const AmphiSystem *system, const AmphiFrame *frame, const int32_t copies[3],
               AmphiArena *arena, AmphiSystem *out);

#endif
