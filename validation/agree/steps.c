/* States taken through descents and steps, and what they save. */
#include "steps.h"

void descend(const AmphiBackend *backend, AmphiState *state, const AmphiStage *stage)
{
    bool converged = false;

    DO(backend->begin_stage(state, stage, &err));
    while (!converged) {
        DO(backend->find_neighbours(state, &err));
        DO(backend->compute_forces(state, AMPHI_NEED_POTENTIAL, &err));
        DO(backend->descend(state, &converged, &err));
    }
}

void kick(const AmphiBackend *backend, AmphiState *state, uint32_t needs)
{
    AmphiFrame frame;

    DO(backend->find_neighbours(state, &err));
    DO(backend->compute_forces(state, needs, &err));
    DO(backend->kick(state, needs, &err));
    if (needs != 0)
        DO(backend->read_frame(state, needs, &frame, &err));
}

void walk(const AmphiBackend *backend, AmphiState *state, int n, int every)
{
    const uint32_t all = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;

    for (int k = 0; k < n;) {
        const bool looks = every > 0 && k % every == 0;
        int        quiet = every > 0 ? every - k % every : n - k;

        if (quiet > n - k)
            quiet = n - k;
        if (!looks && backend->advance != NULL) {
            DO(backend->advance(state, quiet, &err));
            k += quiet;
            continue;
        }
        kick(backend, state, looks ? all : 0);
        DO(backend->drift(state, &err));
        k++;
    }
}

AmphiBytes saved(const AmphiBackend *backend, AmphiState *state)
{
    AmphiBytes bytes = { .data = NULL };

    DO(backend->find_neighbours(state, &err));
    DO(backend->save(state, &bytes, &err));
    return bytes;
}

Text hash_of(const AmphiBackend *backend, AmphiState *state)
{
    AmphiBytes     bytes = saved(backend, state);
    AmphiStateHash hash;
    Text           text;

    assert_true(amphi_state_hash(&bytes, &hash));
    amphi_state_hash_write(&hash, text.text);
    amphi_release(bytes.data);
    return text;
}
