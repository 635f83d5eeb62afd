/* Tests of samples of a run against exact laws of statistical mechanics. Each gives a number and
 * its p-value, the probability that a correct program deviates at least as much. Correlated samples
 * are thinned first.
 */
#ifndef AMPHI_VALIDATION_PHYSICS_LAWS_H
#define AMPHI_VALIDATION_PHYSICS_LAWS_H

#include "figures.h"

/* The result of a test. p: NaN where the bound is not a probability. */
typedef struct {
    char    name[96];
    Figure  figure; /* what was measured */
    double  wanted; /* by the law */
    double  p;
    int64_t n;        /* independent samples behind it */
    bool    holds;    /* within the bound */
    bool    is_sharp; /* the error is small enough for that to mean something */
} Finding;

/* The smallest p-value that passes: for a distribution (Kolmogorov-Smirnov), and for a number that
 * must be within 3 standard errors. */
#define LAW_LEAST_P  1e-4
#define LAW_ERRORS   3.0
#define LAW_ERRORS_P 0.0026997960632601866
/* and for all tests of a page together, after Bonferroni */
#define LAW_FAMILY_P 1e-3

/* ---- numbers ---- */

/* The statistical inefficiency of a series in samples: 1 + 2 times the sum of its autocorrelation
 * up to where that is no longer positive. Rounded up if its fraction is above 0.1, which noise
 * alone reaches; at least 1. */
int64_t law_stride(const double *x, int64_t n);
/* Keeps every stride-th sample; returns the new count. */
int64_t law_thin(double *x, int64_t n, int64_t stride);
/* Kolmogorov-Smirnov: the largest distance between the distribution of the samples and
 * Gamma(freedom / 2, kT), with its p-value. Sorts the samples. NaN for fewer than 20, or
 * freedom 0. */
Figure law_gamma(double *kinetic, int64_t n, double freedom, double kT, double *p);
/* The maximum-likelihood estimate of d ln(p_b/p_a)/dx from independent samples of both: whether a
 * sample is from b follows a logistic law in x with this slope (Shirts, J. Chem. Theory Comput. 9,
 * 909 (2013)). NaN where the two do not overlap. */
Figure law_log_slope(const double *a, int64_t n_a, const double *b, int64_t n_b);
/* The probability that a normal deviate is at least so many standard errors off, on either side. */
double law_two_sided(double errors);
/* min(1, n min p) over the n tests that have a p-value; 1 if none has. */
double law_bonferroni(const Finding *finding, int32_t n);

/* ---- tables of sampling.h ---- */

/* The values of a column in one stage [*n]; the caller frees them. */
double *law_rows(const Table *t, const char *column, int32_t stage, int64_t *n);
/* The distribution of the kinetic energy of `motion` ("translation", "rotation"): holds if p >
 * LAW_LEAST_P. suffix: "_plus", for which the law is exact; "_half" must fail. Samples are thinned
 * by nearly twice their stride: what one stride leaves of memory makes small chances too small. */
Finding law_kinetic(const Table *t, int32_t stage, const char *motion, const char *suffix);
/* Two stages at different temperature (column "potential") or pressure (column "volume"): the slope
 * of the logarithm of the ratio of their distributions holds within LAW_ERRORS, and is sharp if its
 * relative error is at most most_error. */
Finding law_ensemble(const Table *t, const int32_t stage[2], const char *column, double most_error);
/* Equipartition: the temperature in a column minus that of the system is zero within LAW_ERRORS,
 * and is sharp if its error is at most most_error_K. */
Finding law_partition(const Table *t, int32_t stage, const char *column, double most_error_K);
/* Conservation: the largest change of `what` ("momentum", "turning") since the first row of the
 * stage, over its scale, is at most `most`. */
Finding law_kept(const Table *t, int32_t stage, const char *what, double most);
/* Second order in the time step: the rms fluctuation of U + K_full about its fitted line in the
 * first stage, over that in the second at half the time step, is between low and high. */
Finding law_second_order(const Table *t, const int32_t stage[2], double low, double high);

#endif
