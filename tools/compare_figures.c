/* Means, lines and random walks of series. */
#include "compare_figures.h"

#include <math.h>

#include "../engine/blocks.h"

CompareMean compare_mean(const double *y, int64_t n)
{
    AmphiArena *const arena = amphi_arena_new();
    CompareMean       m     = { (double)NAN, (double)NAN, (double)NAN };
    AmphiBlocks       blocks;
    double            squares = 0;

    if (arena != NULL && n > 0 && amphi_blocks_init(&blocks, 1, arena)) {
        for (int64_t i = 0; i < n; i++) {
            amphi_blocks_add(&blocks, 0, y[i], 1);
            amphi_blocks_next(&blocks);
        }
        m.mean  = amphi_blocks_mean(&blocks, 0);
        m.error = amphi_blocks_error(&blocks, 0);
        for (int64_t i = 0; i < n; i++)
            squares += (y[i] - m.mean) * (y[i] - m.mean);
        m.deviation = n > 1 ? sqrt(squares / (double)(n - 1)) : (double)NAN;
    }
    amphi_arena_free(arena);
    return m;
}

double compare_increment(const double *y, int64_t n, int64_t lag)
{
    double sum = 0;

    if (lag < 1 || lag >= n)
        return (double)NAN;
    for (int64_t i = lag; i < n; i++)
        sum += (y[i] - y[i - lag]) * (y[i] - y[i - lag]);
    return sum / (double)(n - lag);
}

enum { BLOCKS = 20, FAR = 5 };

/* What does not fill a block at the end is left out. */
static void block_means(const double *rest, int64_t n, double mean[BLOCKS])
{
    const int64_t length = n / BLOCKS;

    for (int b = 0; b < BLOCKS; b++) {
        mean[b] = 0;
        for (int64_t i = b * length; i < (b + 1) * length; i++)
            mean[b] += rest[i] / (double)length;
    }
}

/* Standard error of the slope from the residuals of block means: s / sqrt(sum of t^2), times
 * sqrt((1 + c)/(1 - c)) if neighbouring blocks have the correlation c, as in a random walk. The fit
 * makes c too small by (2 + 4 c)/n, which is corrected. */
static double error_of_slope(const double mean[BLOCKS], double width)
{
    double squares = 0, pairs = 0, abscissae = 0;

    for (int b = 0; b < BLOCKS; b++) {
        const double t = (b - (BLOCKS - 1) / 2.0) * width;

        squares += mean[b] * mean[b];
        pairs += b > 0 ? mean[b] * mean[b - 1] : 0;
        abscissae += t * t;
    }
    const double seen = squares > 0 ? (BLOCKS * pairs / squares + 2) / (BLOCKS - 4) : 0;
    const double kept = fmin(fmax(seen, 0), 0.95);

    return sqrt(squares / (BLOCKS - 2) / abscissae * (1 + kept) / (1 - kept));
}

/* D of a random walk, its mean square gain per unit of time. Block means of such a walk with white
 * noise w differ over m blocks by the mean square 2 w^2 + D width (m - 1/3), evaluated here for
 * m = 1 and 5 (larger m have too few samples). Subtracting the fitted line removes a third of that
 * growth: 0.644 was left in 400 simulated walks. */
static double walk_of(const double mean[BLOCKS], double width)
{
    const double left   = 0.65;
    const double growth = compare_increment(mean, BLOCKS, FAR) - compare_increment(mean, BLOCKS, 1);

    return growth > 0 ? growth / ((FAR - 1) * width * left) : 0;
}

/* If the walk is significant against the noise, the slope of a line through it has the error
 * sqrt(6 D/(5 T)), of which blocks, shorter than the walk, show only a part. */
static double error_by_walk(const double mean[BLOCKS], double walk, double length)
{
    const bool is_clear =
        compare_increment(mean, BLOCKS, FAR) > 2 * compare_increment(mean, BLOCKS, 1);

    return is_clear ? sqrt(1.2 * walk / length) : 0;
}

CompareLine compare_line(const double *y, int64_t n, double spacing, double *rest)
{
    const double  nan = (double)NAN, middle = (double)(n - 1) / 2;
    CompareLine   l       = { nan, nan, nan, nan };
    const int64_t samples = n / BLOCKS; /* in a block */
    const double  width   = (double)samples * spacing;
    double        mean = 0, across = 0, along = 0, squares = 0, block[BLOCKS];

    for (int64_t i = 0; i < n; i++)
        mean += y[i] / (double)n;
    for (int64_t i = 0; i < n; i++) {
        across += ((double)i - middle) * (y[i] - mean);
        along += ((double)i - middle) * ((double)i - middle);
    }
    const double slope = n > 1 ? across / along : 0;
    for (int64_t i = 0; i < n; i++) {
        rest[i] = y[i] - mean - slope * ((double)i - middle);
        squares += rest[i] * rest[i];
    }
    if (n < COMPARE_LEAST_SAMPLES)
        return l;
    l.slope = slope / spacing;
    l.rms   = sqrt(squares / (double)n);
    block_means(rest, n, block);
    l.walk  = walk_of(block, width);
    l.error = fmax(error_of_slope(block, width), error_by_walk(block, l.walk, BLOCKS * width));
    return l;
}
