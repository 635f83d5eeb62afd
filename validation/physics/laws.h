/* Exact laws of statistical mechanics, held against samples of a run: each answer is a number with
 * the chance that a correct program has one at least as far off. Samples that remember each other
 * are thinned before they are counted.
 */
#ifndef AMPHI_VALIDATION_PHYSICS_LAWS_H
#define AMPHI_VALIDATION_PHYSICS_LAWS_H

#include "figures.h"

/* What a check found. p: NaN where the bound is not a chance. */
typedef struct {
    char    name[96];
    Figure  figure; /* what was measured */
    double  wanted; /* by the law */
    double  p;
    int64_t n;        /* independent samples behind it */
    bool    holds;    /* within the bound */
    bool    is_sharp; /* the error is small enough for that to mean something */
} Finding;

/* The least chance that passes: of a distribution (Kolmogorov-Smirnov), and of a figure that must
 * lie within 3 standard errors. */
#define LAW_LEAST_P  1e-4
#define LAW_ERRORS   3.0
#define LAW_ERRORS_P 0.0026997960632601866
/* and of all checks of a page together, after Bonferroni */
#define LAW_FAMILY_P 1e-3

/* ---- numbers ---- */

/* How many samples apart x forgets: 1 + 2 sum of its correlation up to where that is no longer
 * positive, rounded up from 0.1 on, for noise alone makes some; at least 1. */
int64_t law_stride(const double *x, int64_t n);
/* Keeps every stride-th; the new count. */
int64_t law_thin(double *x, int64_t n, int64_t stride);
/* The largest distance between the samples' distribution and Gamma(freedom/2, kT), with its chance.
 * They are sorted on the way. NaN for fewer than 20, or without a freedom. */
Figure law_gamma(double *kinetic, int64_t n, double freedom, double kT, double *p);
/* d ln(p_b/p_a)/dx from independent samples of both, of greatest likelihood: whether a sample is of
 * b follows the logistic law in x, with this slope (Shirts, J. Chem. Theory Comput. 9, 909 (2013)).
 * NaN where the two do not overlap. */
Figure law_log_slope(const double *a, int64_t n_a, const double *b, int64_t n_b);
/* The chance of a normal number to be at least so many errors off, on either side. */
double law_two_sided(double errors);
/* min(1, n min p): of the checks that have a p; 1: none has. */
double law_bonferroni(const Finding *finding, int32_t n);

/* ---- tables of sampling.h ---- */

/* The column's rows of this stage; the caller frees them. */
double *law_rows(const Table *t, const char *column, int32_t stage, int64_t *n);
/* translation_plus or rotation_plus ("translation", "rotation"): p > LAW_LEAST_P. `suffix` "_plus"
 * is what the law is about. */
Finding law_kinetic(const Table *t, int32_t stage, const char *motion, const char *suffix);
/* Two stages that differ in temperature (column "potential") or in pressure (column "volume"): the
 * slope of the log ratio within LAW_ERRORS, sharp with an error of at most this part of it. */
Finding law_ensemble(const Table *t, const int32_t stage[2], const char *column, double most_error);
/* The column, a temperature of some part, less that of all: zero within LAW_ERRORS, sharp with an
 * error of at most this many kelvin. */
Finding law_partition(const Table *t, int32_t stage, const char *column, double most_error_K);
/* The largest change of momentum_ or turning_ from the stage's first row, over its scale: at most
 * this. */
Finding law_kept(const Table *t, int32_t stage, const char *what, double most);
/* rms of U + K_full about its line at the step of the first stage over that of the second, half as
 * long: from low to high. */
Finding law_second_order(const Table *t, const int32_t stage[2], double low, double high);

#endif
