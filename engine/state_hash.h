/* Saved states of fixed precision as bytes: their hash, by which two of them are told apart whatever
 * machine they come from, and their turning round in time.
 */
#ifndef AMPHI_ENGINE_STATE_HASH_H
#define AMPHI_ENGINE_STATE_HASH_H

#include <stdbool.h>
#include <stdint.h>

#include "backend.h"

enum { AMPHI_HASH_TEXT = 33 }; /* 32 digits and the end */

typedef struct {
    uint64_t high, low;
} AmphiStateHash;

/* XXH3-128 of the step, the edges of the box, and x, image, p, q and l of all beads in the order of
 * the file. False: a state without whole numbers, and the hash is zero. */
bool amphi_state_hash(const AmphiBytes *state, AmphiStateHash *hash);
void amphi_state_hash_write(const AmphiStateHash *hash, char text[AMPHI_HASH_TEXT]);

/* Of a state saved between a kick and its drift: momenta turned round, so that it comes back to where
 * it was; it is that of `step` now. False: as above. */
bool amphi_state_flip(AmphiBytes *state, int64_t step);

#endif
