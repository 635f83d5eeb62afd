/* Comparing a backend with the reference: errors of a frame, and the bounds that all fast backends
 * must meet.
 */
#ifndef AMPHI_VALIDATION_AGREE_BACKENDS_H
#define AMPHI_VALIDATION_AGREE_BACKENDS_H

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

/* Pairs in another order, and partial sums. */
double double_bound_of(const Bound *bound);
/* Terms and their virials: sums of thousands of pairs over the largest of them. */
double energy_bound_of(AmphiPrecision precision);

/* Prints a line and fails the test when an error is above its bound. */
void hold_errors(const char *what, AmphiPrecision precision, const Errors *e, const Bound *bound);

/* The peer's DMPC membrane as a job; `folder` gets its files. */
AmphiJob *peer_membrane(const char *data, char folder[PATH_SIZE]);

#endif
