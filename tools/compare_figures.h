/* Numbers out of series that were measured at equal times: means, and how an energy drifts and walks. */
#ifndef AMPHI_TOOLS_COMPARE_FIGURES_H
#define AMPHI_TOOLS_COMPARE_FIGURES_H

#include <stdint.h>

/* Of y[n]; the error knows of correlation. NaN where there are too few samples. */
typedef struct {
    double mean, error, deviation;
} CompareMean;

CompareMean compare_mean(const double *y, int64_t n);

/* A line through y[n], whose samples are `spacing` apart; its error is from 20 blocks and counts what
 * still correlates between them, or that of a line through a random walk where there clearly is one.
 * walk: what such a walk gains in each unit of time, from how the increments of the blocks grow with
 * their lag; 0 when they do not. All NaN below 40 samples. */
typedef struct {
    double slope, error, rms, walk;
} CompareLine;

enum { COMPARE_LEAST_SAMPLES = 40 };

/* rest[n] receives y less the line. */
CompareLine compare_line(const double *y, int64_t n, double spacing, double *rest);

/* The mean square of y[i + lag] - y[i]; NaN when lag is not in 1 .. n - 1. */
double compare_increment(const double *y, int64_t n, int64_t lag);

#endif
