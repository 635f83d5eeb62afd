/* Statistics of series sampled at equal intervals: means, linear drift and random walk. */
#ifndef AMPHI_TOOLS_COMPARE_FIGURES_H
#define AMPHI_TOOLS_COMPARE_FIGURES_H

#include <stdint.h>

/* Mean of a series, its standard error with correlation taken into account, and the standard
 * deviation. NaN if there are too few samples. */
typedef struct {
    double mean, error, deviation;
} CompareMean;

CompareMean compare_mean(const double *y, int64_t n);

/* A straight line through a series. All NaN for fewer than COMPARE_LEAST_SAMPLES. */
typedef struct {
    double slope; /* per unit of time */
    double error; /* of the slope: from 20 blocks with the correlation between neighbours, or, where
                   * a random walk is significant, that of a line through such a walk */
    double rms;   /* of the residuals */
    double walk;  /* mean square that a random walk gains per unit of time, from the growth of the
                   * blocks' increments with their lag; 0: none found */
} CompareLine;

enum { COMPARE_LEAST_SAMPLES = 40 };

/* Fits y[n], whose samples are `spacing` apart; rest[n] receives the residuals. */
CompareLine compare_line(const double *y, int64_t n, double spacing, double *rest);

/* Mean square of y[i + lag] - y[i]; NaN unless 1 <= lag <= n - 1. */
double compare_increment(const double *y, int64_t n, int64_t lag);

#endif
