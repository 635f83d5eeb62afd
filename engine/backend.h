/* A backend is a const table of functions that simulate a system at one precision. Backends are
 * found by name ("reference", "cpu", "cuda") and precision.
 *
 * An AmphiState is opaque and laid out differently by every backend. Nothing outside the state may
 * cache what is in it.
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

/* Bytes on the heap. The holder releases them: amphi_release(bytes.data). */
typedef struct {
    unsigned char *data;
    size_t         n;
    size_t         room; /* bytes allocated, kept by amphi_bytes_add; 0: exactly n */
} AmphiBytes;

/* That anyone may ask for. */
enum { AMPHI_MOST_THREADS = 4096, AMPHI_MOST_MARGIN_NM = 10 };

/* Settings that do not change the physics. */
typedef struct {
    int32_t threads;   /* 0: all that the machine has */
    int32_t device;    /* which GPU, from 0; for backends that run on one */
    double  margin_nm; /* of the neighbour list, beyond the cut-off; 0: the backend tunes it */
} AmphiCompute;

/* The operations on a state. One time step is find_neighbours, compute_forces, kick, (read_frame),
 * drift, in that order. A state that has just been opened is at the system's start: it can compute
 * forces and read frames, but needs begin_stage before it moves.
 *
 * `needs` is a mask of the AMPHI_NEED_ bits of frame.h. A function pointer may be NULL only where
 * its comment says so. */
typedef struct {
    const char    *name;
    AmphiPrecision precision;
    /* Is the device present that this backend runs on? NULL: it needs none. */
    bool (*is_there)(void);
    /* The system is borrowed and must outlive the state. AmphiCompute NULL: all defaults. The
     * states that a process has at one time are all on one device. AMPHI_NO_DEVICE: it is not
     * there. */
    AmphiStatus (*open)(const AmphiSystem *, const AmphiCompute *, AmphiState **, AmphiError *);
    void (*close)(AmphiState *); /* NULL is allowed */
    /* Begins a stage with the present positions and velocities. The stage is borrowed until the
     * next one begins. */
    AmphiStatus (*begin_stage)(AmphiState *, const struct AmphiStage *, AmphiError *);
    /* Rebuilds the neighbour list if it no longer covers the present positions. AMPHI_UNSTABLE,
     * AMPHI_BAD_INPUT (devices, when a list is due): the box is too small for the cut-off. Where a
     * device is not waited for here, read_frame, wait and save say so. */
    AmphiStatus (*find_neighbours)(AmphiState *, AmphiError *);
    /* Computes forces and torques at the present positions, and what else `needs` asks for. */
    AmphiStatus (*compute_forces)(AmphiState *, uint32_t needs, AmphiError *);
    /* v(t - dt/2) to v(t + dt/2), then the velocity-scaling thermostats. needs other than 0: also
     * kinetic energies and the conserved quantity; with positions v(t), for their frame. Not in a
     * minimisation. */
    AmphiStatus (*kick)(AmphiState *, uint32_t needs, AmphiError *);
    /* x(t) to x(t + dt). Where the barostat is due it moves the box first, by a strain that a kick
     * two steps before has found; the work that this does is booked by the kick that follows
     * (barostat.h). */
    AmphiStatus (*drift)(AmphiState *, AmphiError *);
    /* n whole steps without output; gives the same bits as n single ones. NULL: the caller makes
     * single steps. */
    AmphiStatus (*advance)(AmphiState *, int64_t n_steps, AmphiError *);
    /* Minimisation: one step of steepest descent. *converged: no step was left to take. */
    AmphiStatus (*descend)(AmphiState *, bool *converged, AmphiError *);
    /* Fills in a frame. Its arrays belong to the state and are valid until the next call. */
    AmphiStatus (*read_frame)(AmphiState *, uint32_t needs, AmphiFrame *, AmphiError *);
    /* Returns when a device is through with all steps that it was asked for, and says what went
     * wrong there. NULL: each call returns when it has done what it says. */
    AmphiStatus (*wait)(AmphiState *, AmphiError *);
    /* Do drift and advance return while a device still works, and leave the last frame valid? Then
     * the caller can look at it meanwhile. */
    bool works_beside;
    /* Saves the state between two steps as bytes, and restores it into a state of the same system
     * whose stage has begun. The first part has one layout for every backend and precision; a
     * second, named part is read only by those backends that know the name. */
    AmphiStatus (*save)(AmphiState *, AmphiBytes *, AmphiError *);
    AmphiStatus (*restore)(AmphiState *, const AmphiBytes *, AmphiError *);
    /* keep copies the state into slot 0 or 1 without waiting for the device; kept returns that copy
     * in the form of save, and overwrites the present state. A copy is good if what waits behind it
     * tells no fault. NULL, both: use save. */
    AmphiStatus (*keep)(AmphiState *, int slot, AmphiError *);
    AmphiStatus (*kept)(AmphiState *, int slot, AmphiBytes *, AmphiError *);
    /* Device memory in bytes: taken by this state, and free. NULL: the state is in host memory. */
    void (*memory)(const AmphiState *, size_t *taken, size_t *is_free);
    /* Makes n whole steps, timing each operation; the trajectory has the same bits as without.
     * Fills in parts, builds, neighbours and room. NULL: not measured. */
    AmphiStatus (*timings)(AmphiState *, int64_t n_steps, struct AmphiTimings *, AmphiError *);
    const char *(*about)(const AmphiState *); /* "cpu single v4, 16 lanes, ..." */
} AmphiBackend;

/* NULL when there is no such backend in this build. */
const AmphiBackend *amphi_backend_find(const char *name, AmphiPrecision precision);
/* The same, and NULL also when the device that it needs is missing. */
const AmphiBackend *amphi_backend_there(const char *name, AmphiPrecision precision);
/* Says that there is none of that name, or not in that precision, and which there are. */
AmphiStatus amphi_backend_fail(const char *name, const char *precision, AmphiError *err);
/* The k-th backend of the registry, from 0; NULL after the last. */
const AmphiBackend *amphi_backend_at(int32_t k);
const char         *amphi_precision_name(AmphiPrecision precision);

/* The energy in kJ/mol of all terms that `bead` takes part in, with the bead placed at `position`
 * (nm) and `orientation` (unit quaternion) and all others where they are. For states of the
 * reference backend only. */
double amphi_reference_bead_energy(const AmphiState *state, int32_t bead, const double position[3],
                                   const double orientation[4]);

#endif
