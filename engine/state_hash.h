/* Saved states as bytes: a hash, which in fixed precision is the same on every machine and backend,
 * and there the reversal of their momenta, which reverses time.
 */
#ifndef AMPHI_ENGINE_STATE_HASH_H
#define AMPHI_ENGINE_STATE_HASH_H

#include <stdbool.h>
#include <stdint.h>

#include "backend.h"

enum { AMPHI_HASH_TEXT = 33 }; /* 32 hexadecimal digits and the terminating zero */

typedef struct {
    uint64_t high, low;
} AmphiStateHash;

/* XXH3-128 of the step number, the box edges, and x, image, p, q and l (FixedBody) of all beads in
 * the order of the file. Time, heat and work are not part of it. False, and a hash of zero: the
 * state is not of fixed precision. */
bool amphi_state_hash(const AmphiBytes *state, AmphiStateHash *hash);
/* The same in any precision; in single and double it can be compared only with states of the same
 * backend on the same machine. False: these bytes are no state. */
bool amphi_motion_hash(const AmphiBytes *state, AmphiStateHash *hash);
/* As 32 lower-case hexadecimal digits. */
void amphi_state_hash_write(const AmphiStateHash *hash, char text[AMPHI_HASH_TEXT]);

/* Reverses all momenta and angular momenta of a state that was saved between a kick and its drift,
 * so that the following steps retrace the trajectory, and sets its step number. False: the state is
 * not of fixed precision. */
bool amphi_state_flip(AmphiBytes *state, int64_t step);

#endif
