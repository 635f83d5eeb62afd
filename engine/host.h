/* What all backends on the host share: bodies and their motion, frames, and saved states. They
 * differ in how they compute forces, which an AmphiForcesKind describes.
 *
 * The table of a backend consists of AMPHI_HOST_TABLE and an `open` of its own, which calls
 * amphi_host_open with its AmphiForcesKind. The functions are those of AmphiBackend (backend.h).
 */
#ifndef AMPHI_ENGINE_HOST_H
#define AMPHI_ENGINE_HOST_H

#include "backend.h"
#include "bodies.h"
#include "bodies_show.h"

typedef struct AmphiForces AmphiForces; /* opaque, defined by each backend */

/* For timings. */
typedef struct {
    double  pairs_s, bonded_s; /* of the last computation of forces */
    int64_t n_builds;          /* of the neighbour list so far */
    double  neighbours;        /* mean for a bead, each pair counted from both sides */
    int32_t room;              /* neighbours that fit into a row */
} AmphiForcesSpent;

typedef struct {
    bool is_fixed; /* adds to the integer forces of bodies->fixed (bodies_fixed.h) */
    /* The bodies are borrowed: positions are read from them, forces written to them. */
    AmphiStatus (*open)(AmphiBodies *, const AmphiCompute *, AmphiForces **, AmphiError *);
    void (*close)(AmphiForces *); /* NULL is allowed */
    AmphiStatus (*find_neighbours)(AmphiForces *, AmphiError *);
    /* Sets forces and torques of the bodies; adds to their integers, which have been cleared, in
     * fixed precision. Adds to the totals of the sums if needs has
     * AMPHI_NEED_POTENTIAL or _VIRIAL, to their terms and potential if it has AMPHI_NEED_ENERGY. */
    AmphiStatus (*compute)(AmphiForces *, uint32_t needs, AmphiSums *, AmphiError *);
    /* What a saved state must contain besides the bodies for the same bits to come out. `memory`
     * names its layout, which several backends may share. restore advances *at. NULL, all three:
     * nothing. */
    const char *memory;
    AmphiStatus (*save)(const AmphiForces *, AmphiBytes *, AmphiError *);
    AmphiStatus (*restore)(AmphiForces *, const AmphiBytes *, size_t *at, AmphiError *);
    const char *(*about)(const AmphiForces *);              /* "cpu single v4, 16 lanes, ..." */
    void (*spent)(const AmphiForces *, AmphiForcesSpent *); /* NULL: not measured */
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

const AmphiForces     *amphi_host_forces(const AmphiState *state);
const AmphiForcesKind *amphi_host_kind(const AmphiState *state);

/* The table of a backend on the host, except name, precision and open. */
#define AMPHI_HOST_TABLE                                                                           \
    .close = amphi_host_close, .begin_stage = amphi_host_begin_stage,                              \
    .find_neighbours = amphi_host_find_neighbours, .compute_forces = amphi_host_compute_forces,    \
    .kick = amphi_host_kick, .drift = amphi_host_drift, .descend = amphi_host_descend,             \
    .read_frame = amphi_host_read_frame, .save = amphi_host_save, .restore = amphi_host_restore,   \
    .about = amphi_host_about, .timings = amphi_host_timings

#endif
