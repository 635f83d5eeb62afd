/* Backends: const tables of functions, found by name and precision.
 *
 * A state is opaque and different in every backend; no common first member. Nothing outside the
 * state may cache what is in it.
 */
#ifndef AMPHI_ENGINE_BACKEND_H
#define AMPHI_ENGINE_BACKEND_H

#include "frame.h"
#include "system.h"

typedef enum { AMPHI_SINGLE, AMPHI_DOUBLE, AMPHI_FIXED, AMPHI_PRECISIONS } AmphiPrecision;

typedef struct AmphiState AmphiState;

typedef struct {
    const char    *name;
    AmphiPrecision precision;
    AmphiStatus (*open)(const AmphiSystem *, AmphiState **, AmphiError *);
    void (*close)(AmphiState *);
    /* Forces, torques and what else `needs` asks for, at the present positions. */
    AmphiStatus (*compute_forces)(AmphiState *, uint32_t needs, AmphiError *);
    /* The frame borrows the state's memory until the next call. */
    AmphiStatus (*read_frame)(AmphiState *, uint32_t needs, AmphiFrame *, AmphiError *);
} AmphiBackend;

/* NULL when there is no such backend. */
const AmphiBackend *amphi_backend_find(const char *name, AmphiPrecision precision);
/* The k-th backend of the registry, NULL behind the last. */
const AmphiBackend *amphi_backend_at(int32_t k);
const char         *amphi_precision_name(AmphiPrecision precision);

/* Of the reference state alone: the energy in kJ/mol of everything that bead takes part in, with
 * the bead at `position` (nm) and `orientation` and all others where they are. */
double amphi_reference_bead_energy(const AmphiState *state, int32_t bead, const double position[3],
                                   const double orientation[4]);

#endif
