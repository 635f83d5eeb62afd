/* Means and their standard errors from blocks of frames: Flyvbjerg & Petersen, J. Chem. Phys. 91,
 * 461 (1989).
 *
 * At most 32 blocks are kept. When all are full, neighbouring blocks are merged and blocks are
 * twice as long from then on, so that there are 16 to 31 full blocks. The standard error is that of
 * the blocks with the correlation between them summed up to a window that they tell themselves
 * (Wolff, Comput. Phys. Commun. 156, 143 (2004)). It has itself an uncertainty of about 20 %, and
 * is some per cent too large. For values that relax as exp(-t/tau) its average is right within a
 * quarter up to tau of a 20th of the run, where nine runs of ten tell 0.4 to 3 times the true one.
 *
 * Where the run has fewer than 7 independent samples by this measure, no block is long enough: the
 * largest of this error, those from groups of 2 and 4 blocks and that from the correlation of
 * neighbours is given. It is a rough one: for values that relax as above, of runs of 20 tau a
 * quarter are told so, of which two fifths have more than twice the true error; of runs of 2 tau
 * nine of ten, of which three fifths have less than it. So is the error from fewer than 16 blocks,
 * which takes them to be independent, and is rather too small.
 */
#ifndef AMPHI_ENGINE_BLOCKS_H
#define AMPHI_ENGINE_BLOCKS_H

#include "formats/sink.h"
#include "observe.h"
#include "on_disk.h"

enum {
    AMPHI_BLOCKS           = 32,
    AMPHI_BLOCKS_FOR_SLOPE = 8,
    AMPHI_BLOCK_PARTS      = 3,
    AMPHI_BLOCKS_FOR_ERROR = 4
};

typedef struct {
    int32_t n_values;
    struct AmphiBlockCount {
        int64_t frames, frames_a_block, frames_in_last;
        int64_t n_full;
    } * count;
    double *sum, *weight; /* [AMPHI_BLOCKS][n_values] */
} AmphiBlocks;

AMPHI_ON_DISK_AT(struct AmphiBlockCount, frames_a_block, 8);
AMPHI_ON_DISK_AT(struct AmphiBlockCount, frames_in_last, 16);
AMPHI_ON_DISK_AT(struct AmphiBlockCount, n_full, 24);
AMPHI_ON_DISK(struct AmphiBlockCount, 32);

/* False when there is no memory. */
bool amphi_blocks_init(AmphiBlocks *blocks, int32_t n_values, AmphiArena *arena);
/* The arrays to save with a checkpoint. */
void amphi_blocks_parts(const AmphiBlocks *blocks, AmphiPart part[AMPHI_BLOCK_PARTS]);

/* Adds to value k of the present frame. The mean is the sum of values over the sum of weights. */
void amphi_blocks_add(AmphiBlocks *blocks, int32_t k, double value, double weight);
/* Ends the present frame. */
void amphi_blocks_next(AmphiBlocks *blocks);

double amphi_blocks_mean(const AmphiBlocks *blocks, int32_t k); /* NaN: no weight */
/* NaN when fewer than AMPHI_BLOCKS_FOR_ERROR full blocks have weight; 0 when no more than rounding
 * varies. */
double amphi_blocks_error(const AmphiBlocks *blocks, int32_t k);
/* Is that error a rough one, because the run is too short for the correlation of value k? */
bool amphi_blocks_is_rough(const AmphiBlocks *blocks, int32_t k);
/* A line of a table's heading if any of the errors of values 0 to n - 1 is one. */
void amphi_blocks_print_rough(const AmphiBlocks *blocks, int32_t n, AmphiSink *sink);
/* The lines of a table's heading about frames and blocks, and the line above for values 0 to n - 1.
 */
void amphi_blocks_print_count(const AmphiBlocks *blocks, int32_t n, AmphiSink *sink);
/* What blocks tell of value k when value k_square is its square, both of weight 1 or 0. By squares
 * it is seen where nothing varied, as the box of a stage without a barostat behind one with it:
 * such a stretch is one sample, however many frames it has. */
typedef struct {
    double error; /* as amphi_blocks_error, but no less than such stretches leave */
    /* samples that would give this error, variance / error^2, at most the number of frames; NaN if
     * there is no error, or nothing varies */
    double independent;
    bool   is_rough;
} AmphiBlockEstimate;

AmphiBlockEstimate amphi_blocks_estimate(const AmphiBlocks *blocks, int32_t k, int32_t k_square);

/* The variance of value k when value k_square is its square, about the mean of all, which it is
 * corrected for, and its standard error: by the same blocks, or of as many independent normal
 * samples as the mean has, where that is more. NaN where there are fewer than 2 samples, or nobody
 * knows; a rough one below 20. Its inverse, which fluctuations tell, lies within 2 such errors in
 * 99 of 100 runs of 100 relaxation times, of those of 40 that are not rough (a half) in 98, of 20
 * (a fifth) in 92; of those of 10 one in 25 is not rough, and wrong by more in half of the cases.
 */
typedef struct {
    double value, error;
    bool   is_rough;
} AmphiBlockVariance;

AmphiBlockVariance amphi_blocks_variance(const AmphiBlocks *blocks, int32_t k, int32_t k_square);

/* The standard error of `slope`, a fitted slope of value k over value k_time, both of weight 1. NaN
 * with fewer than AMPHI_BLOCKS_FOR_SLOPE full blocks. */
double amphi_blocks_slope_error(const AmphiBlocks *blocks, int32_t k_time, int32_t k, double slope);

#endif
