/* A larger system from copies of a smaller one, side by side along x, y and z. */
#ifndef AMPHI_VALIDATION_BENCH_REPLICATE_H
#define AMPHI_VALIDATION_BENCH_REPLICATE_H

#include "../../engine/arena.h"
#include "../../engine/frame.h"
#include "../../engine/system.h"

/* Replicates a system copies[k] times along axis k, with positions, velocities, orientations and
 * box of the frame (NULL: of its start). Types, rules and molecule types are borrowed from it, the
 * rest is in the arena. False when there is no memory. */
bool replicate(const AmphiSystem *system, const AmphiFrame *frame, const int32_t copies[3],
               AmphiArena *arena, AmphiSystem *out);

#endif
