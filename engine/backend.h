/* Backends: const tables of functions, found by name and precision.
 *
 * A state is opaque and different in every backend; no common first member. Nothing outside the
 * state may cache what is in it.
 */
#ifndef AMPHI_ENGINE_BACKEND_H
#define AMPHI_ENGINE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include "frame.h"
#include "system.h"

typedef enum { AMPHI_SINGLE, AMPHI_DOUBLE, AMPHI_FIXED, AMPHI_PRECISIONS } AmphiPrecision;

typedef struct AmphiState AmphiState;
struct AmphiStage;   /* stage.h */
struct AmphiTimings; /* timings.h */

/* Bytes on the heap, released by whoever holds them: amphi_release(bytes.data). */
typedef struct {
    unsigned char *data;
    size_t         n;
} AmphiBytes;

/* What a run may choose without changing the physics. */
typedef struct {
    int32_t threads;   /* 0: as many as the machine has */
    double  margin_nm; /* of the neighbour list; 0: chosen by itself */
} AmphiCompute;

/* One step of a run: find_neighbours, compute_forces, kick, (read_frame), drift. A state that was
 * only opened stands at the system's start and can compute forces and read frames. */
typedef struct {
    const char    *name;
    AmphiPrecision precision;
    /* Is the device there that it runs on? NULL: always. */
    bool (*is_there)(void);
    /* The system must outlive the state. AmphiCompute NULL: all chosen by the backend. */
    AmphiStatus (*open)(const AmphiSystem *, const AmphiCompute *, AmphiState **, AmphiError *);
    void (*close)(AmphiState *);
    AmphiStatus (*begin_stage)(AmphiState *, const struct AmphiStage *, AmphiError *);
    AmphiStatus (*find_neighbours)(AmphiState *, AmphiError *);
    /* Forces, torques and what else `needs` asks for, at the present positions. */
    AmphiStatus (*compute_forces)(AmphiState *, uint32_t needs, AmphiError *);
    AmphiStatus (*kick)(AmphiState *, uint32_t needs, AmphiError *);
    /* A move of the box comes first where one is due, and computes forces to book its work. */
    AmphiStatus (*drift)(AmphiState *, AmphiError *);
    /* n whole steps that nobody looks at, to the same bits; NULL: one by one, as above. */
    AmphiStatus (*advance)(AmphiState *, int64_t n_steps, AmphiError *);
    /* One step downhill; *converged when there was none to take. Minimise only. */
    AmphiStatus (*descend)(AmphiState *, bool *converged, AmphiError *);
    /* The frame borrows the state's memory until the next call. */
    AmphiStatus (*read_frame)(AmphiState *, uint32_t needs, AmphiFrame *, AmphiError *);
    /* The state at the top of a step, as bytes; and back, into a state of the same system. First
     * what every backend and precision has, in one form, and then what only some can read. */
    AmphiStatus (*save)(AmphiState *, AmphiBytes *, AmphiError *);
    AmphiStatus (*restore)(AmphiState *, const AmphiBytes *, AmphiError *);
    /* The state set aside in slot 0 or 1, without waiting for it; and as the bytes of save, which
     * spends the state. NULL, both: save instead. */
    AmphiStatus (*keep)(AmphiState *, int slot, AmphiError *);
    AmphiStatus (*kept)(AmphiState *, int slot, AmphiBytes *, AmphiError *);
    /* Bytes that the state takes on its device, and bytes that are free there. NULL: it is on the
     * host. */
    void (*memory)(const AmphiState *, size_t *taken, size_t *is_free);
    /* n whole steps with a clock between their operations, to the same bits: parts, builds, neighbours
     * and room. NULL: not told. */
    AmphiStatus (*timings)(AmphiState *, int64_t n_steps, struct AmphiTimings *, AmphiError *);
    const char *(*about)(const AmphiState *); /* "cpu single, AVX-512, 2 threads" */
} AmphiBackend;

/* NULL when there is no such backend. */
const AmphiBackend *amphi_backend_find(const char *name, AmphiPrecision precision);
/* NULL also when its device is not there. */
const AmphiBackend *amphi_backend_there(const char *name, AmphiPrecision precision);
/* The k-th backend of the registry, NULL behind the last. */
const AmphiBackend *amphi_backend_at(int32_t k);
const char         *amphi_precision_name(AmphiPrecision precision);

/* Of the reference state alone: the energy in kJ/mol of everything that bead takes part in, with
 * the bead at `position` (nm) and `orientation` and all others where they are. */
double amphi_reference_bead_energy(const AmphiState *state, int32_t bead, const double position[3],
                                   const double orientation[4]);

#endif
