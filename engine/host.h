/* A backend on the host: bodies that move, frames, and a state as bytes, the same for all; and one
 * way to compute forces, which is what tells them apart.
 *
 * A backend's table has the functions below but for `open`, which names its AmphiForcesKind.
 */
#ifndef AMPHI_ENGINE_HOST_H
#define AMPHI_ENGINE_HOST_H

#include "backend.h"
#include "bodies.h"
#include "bodies_show.h"

typedef struct AmphiForces AmphiForces; /* opaque, another in every backend */

typedef struct {
    double  pairs_s, bonded_s;
    int64_t n_builds;
    double  neighbours; /* a bead, each pair from both sides */
    int32_t room;       /* of a row */
} AmphiForcesSpent;

typedef struct {
    bool is_fixed; /* forces are added to the whole numbers of the bodies, bodies_fixed.h */
    /* The bodies are borrowed: theirs are the positions, and the forces to add to. */
    AmphiStatus (*open)(AmphiBodies *, const AmphiCompute *, AmphiForces **, AmphiError *);
    void (*close)(AmphiForces *);
    AmphiStatus (*find_neighbours)(AmphiForces *, AmphiError *);
    /* Adds forces and torques; to the totals where needs has AMPHI_NEED_POTENTIAL or _VIRIAL, to
     * the terms and the potential where it has AMPHI_NEED_ENERGY. */
    AmphiStatus (*compute)(AmphiForces *, uint32_t needs, AmphiSums *, AmphiError *);
    /* What must survive so that the same bits come out, and its name, which those who can read it
     * share; NULL, all three: nothing. restore: *at moves on. */
    const char *memory;
    AmphiStatus (*save)(const AmphiForces *, AmphiBytes *, AmphiError *);
    AmphiStatus (*restore)(AmphiForces *, const AmphiBytes *, size_t *at, AmphiError *);
    const char *(*about)(const AmphiForces *);
    /* Of the last computation and of the list; NULL: not told. */
    void (*spent)(const AmphiForces *, AmphiForcesSpent *);
} AmphiForcesKind;

AmphiStatus amphi_host_open(const AmphiForcesKind *kind, const AmphiSystem *system,
                            const AmphiCompute *compute, AmphiState **state, AmphiError *err);
void        amphi_host_close(AmphiState *state);
AmphiStatus amphi_host_begin_stage(AmphiState *state, const AmphiStage *stage, AmphiError *err);
AmphiStatus amphi_host_find_neighbours(AmphiState *state, AmphiError *err);
AmphiStatus amphi_host_compute_forces(AmphiState *state, uint32_t needs, AmphiError *err);
AmphiStatus amphi_host_kick(AmphiState *state, uint32_t needs, AmphiError *err);
AmphiStatus amphi_host_drift(AmphiState *state, AmphiError *err);
AmphiStatus amphi_host_descend(AmphiState *state, bool *converged, AmphiError *err);
AmphiStatus amphi_host_read_frame(AmphiState *state, uint32_t needs, AmphiFrame *frame,
                                  AmphiError *err);
AmphiStatus amphi_host_save(AmphiState *state, AmphiBytes *bytes, AmphiError *err);
AmphiStatus amphi_host_restore(AmphiState *state, const AmphiBytes *bytes, AmphiError *err);
const char *amphi_host_about(const AmphiState *state);
AmphiStatus amphi_host_timings(AmphiState *state, int64_t n_steps, struct AmphiTimings *timings,
                               AmphiError *err);

/* The totals of all terms, for those that know every term anyway. */
void amphi_sums_total(AmphiSums *sums);

const AmphiForces     *amphi_host_forces(const AmphiState *state);
const AmphiForcesKind *amphi_host_kind(const AmphiState *state);

/* All of a host backend's table but its name, precision and open. */
#define AMPHI_HOST_TABLE                                                                           \
    .close = amphi_host_close, .begin_stage = amphi_host_begin_stage,                              \
    .find_neighbours = amphi_host_find_neighbours, .compute_forces = amphi_host_compute_forces,    \
    .kick = amphi_host_kick, .drift = amphi_host_drift, .descend = amphi_host_descend,             \
    .read_frame = amphi_host_read_frame, .save = amphi_host_save, .restore = amphi_host_restore,   \
    .about = amphi_host_about, .timings = amphi_host_timings

#endif
