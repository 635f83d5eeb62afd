/* A state taken through descents and steps as a run takes it, and what it saves.
 */
#ifndef AMPHI_VALIDATION_AGREE_STEPS_H
#define AMPHI_VALIDATION_AGREE_STEPS_H

#include "../../engine/state_hash.h"
#include "backends.h"

/* A descent to its end; the test fails when it cannot go on. */
void descend(const AmphiBackend *backend, AmphiState *state, const AmphiStage *stage);

/* To the middle of a step; what `needs` asks for is read, if anything is. */
void kick(const AmphiBackend *backend, AmphiState *state, uint32_t needs);

/* n steps; one of so many is looked at, 0: none, and then many at once where a backend can. */
void walk(const AmphiBackend *backend, AmphiState *state, int n, int every);

/* Saved where a run saves: with its list. The caller frees .data. */
AmphiBytes saved(const AmphiBackend *backend, AmphiState *state);

/* The hash of a state in fixed precision, as text. */
typedef struct {
    char text[AMPHI_HASH_TEXT];
} Text;

Text hash_of(const AmphiBackend *backend, AmphiState *state);

#endif
