/* Comparing a backend with the reference: errors of a frame, and the bounds that all fast backends
 * must meet.
 */
#ifndef AMPHI_VALIDATION_AGREE_BACKENDS_H
#define AMPHI_VALIDATION_AGREE_BACKENDS_H

#include "../../engine/cpu_list.h"
#include "../unit/skipping.h"
#include "compare.h"

/* Relative rms errors of forces and torques; the largest error of a term over the largest term. */
typedef struct {
    double force, torque, energy, virial;
} Errors;

/* The largest |a[k]|. */
double largest(const double *a, int n);
Errors errors_of(const AmphiFrame *frame, const Evaluation *exact);

/* A shipped system, and the bound of its errors in single precision. The error of an fp32 pair
 * force is the rounding of r^2 multiplied by r^-14: measured 1.0e-6 to 1.3e-6 on liquids. For
 * Gay-Berne rho^-13 multiplies the rounding of rho, a difference of r and sigma, which is computed
 * in two parts; of the torque's 8e-7 the rounding of axes alone is 4e-7. */
typedef struct {
    const char *name;
    double      force, torque;
} Bound;

extern const Bound single_bounds[];
extern const int   n_single_bounds;
extern const Bound peer_bound;

/* Terms and their virials: sums of thousands of pairs over the largest of them. */
double energy_bound_of(AmphiPrecision precision);

/* Prints a line and fails the test when an error is above its bound. */
void hold_errors(const char *what, AmphiPrecision precision, const Errors *e, const Bound *bound);

/* The kernels that states of the backend `cpu` use from here on: "v3", those for AVX2, "v4", those
 * for AVX-512, or NULL, the best that this machine has. Fails when the engine does not heed it. */
void take_cpu_set(const char *set);
/* Does a backend say that it uses the kernels taken last? about: "cpu fixed v3, 8 lanes, ..." */
bool names_cpu_set(const char *about);
/* Ends the test as skipped on a machine without AVX-512. */
#define AVX_512_OR_SKIP()                                                                          \
    do {                                                                                           \
        if (!amphi_cpu_has_v4())                                                                   \
            SKIP("no AVX-512 here");                                                               \
    } while (0)

/* The peer's DMPC membrane as a job; `folder` gets its files. */
AmphiJob *peer_membrane(const char *data, char folder[PATH_SIZE]);

/* The backend `cuda`; the test is skipped, and says so, where there is none. */
const AmphiBackend *device_or_skip(AmphiPrecision precision);
/* With two threads where it has threads; fails when it does not open. */
AmphiState *open_state(const AmphiBackend *backend, const AmphiSystem *system, double margin_nm);
/* A job of this text, in a folder of its own that is gone when it is loaded. */
AmphiJob *job_of_text(const char *format, ...);

/* Forces, with the energies of each term; the frame's arrays are the state's. */
AmphiFrame forces_of(const AmphiBackend *backend, AmphiState *state);

/* A call with &err, which does not fail. */
#define DO(call)                                                                                   \
    do {                                                                                           \
        AmphiError err = { AMPHI_OK, "" };                                                         \
        if ((call) != AMPHI_OK)                                                                    \
            fail_msg("%s: %s", #call, err.text);                                                   \
    } while (0)

#endif
