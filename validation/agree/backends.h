/* What the comparisons of one backend with the reference share: errors of a frame, and the bounds
 * that hold for every fast backend.
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

/* A shipped system, and what single precision may miss on it. Single: an fp32 pair force is limited
 * by r^-14, which multiplies the rounding of r^2; measured 1.0e-6 to 1.3e-6 on liquids. Gay-Berne
 * in single: rho is a difference of r and sigma, and rho^-13 multiplies their rounding; starts
 * fresh from the builder have overlaps where it is a third. That of the distance alone leaves
 * 1.1e-6, measured in all 3.1e-6 to 3.4e-6. */
typedef struct {
    const char *name;
    double      force, torque;
} Bound;

extern const Bound single_bounds[];
extern const int   n_single_bounds;
extern const Bound peer_bound;

/* Pairs in another order, and partial sums. Gay-Berne as above. */
double double_bound_of(const Bound *bound);
/* Terms and their virials: sums of thousands of pairs over the largest of them. */
double energy_bound_of(AmphiPrecision precision);

/* Prints a line and fails the test when an error is above its bound. */
void hold_errors(const char *what, AmphiPrecision precision, const Errors *e, const Bound *bound);

/* The peer's DMPC membrane as a job; `folder` gets its files. */
AmphiJob *peer_membrane(const char *data, char folder[PATH_SIZE]);

#endif
