/* Means with standard errors from consecutive blocks of frames.
 *
 * At most 32 blocks are kept; when all are full, neighbours become one and blocks are twice as long
 * from then on. So there are 16 to 31 full blocks, each of at least a 32nd of all frames. The error
 * (itself good to 15 %) is the larger one of that from blocks and that from pairs of them: right when
 * a 16th of the run is longer than what correlates, and some per cent too large when all is.
 */
#ifndef AMPHI_ENGINE_BLOCKS_H
#define AMPHI_ENGINE_BLOCKS_H

#include "observing.h"

enum {
    AMPHI_BLOCKS           = 32,
    AMPHI_BLOCKS_FOR_SLOPE = 8,
    AMPHI_BLOCK_PARTS      = 3,
    AMPHI_BLOCKS_FOR_ERROR = 4,
    AMPHI_PAIRS_FOR_ERROR  = 8
};

typedef struct {
    int32_t n_values;
    struct AmphiBlockCount {
        int64_t frames, frames_a_block, frames_in_last;
        int64_t n_full;
    } * count;
    double *sum, *weight; /* [AMPHI_BLOCKS][n_values] */
} AmphiBlocks;

/* False when there is no memory. */
bool amphi_blocks_init(AmphiBlocks *blocks, int32_t n_values, AmphiArena *arena);
/* What is saved of it. */
void amphi_blocks_parts(const AmphiBlocks *blocks, AmphiPart part[AMPHI_BLOCK_PARTS]);

/* Adds to value k of the present frame; the mean is sum of values over sum of weights. */
void amphi_blocks_add(AmphiBlocks *blocks, int32_t k, double value, double weight);
/* The present frame is complete. */
void amphi_blocks_next(AmphiBlocks *blocks);

double amphi_blocks_mean(const AmphiBlocks *blocks, int32_t k); /* NaN: no weight */
/* NaN when fewer than AMPHI_BLOCKS_FOR_ERROR full blocks have weight. */
double amphi_blocks_error(const AmphiBlocks *blocks, int32_t k);
/* How many independent samples the mean of value k is worth, from the mean of its square, which is
 * value k_square: variance / error^2. NaN without an error. */
double amphi_blocks_independent(const AmphiBlocks *blocks, int32_t k, int32_t k_square);

/* The error of the slope of value k over value k_time, both of weight 1; the slope is the caller's. NaN:
 * fewer than AMPHI_BLOCKS_FOR_SLOPE full blocks. */
double amphi_blocks_slope_error(const AmphiBlocks *blocks, int32_t k_time, int32_t k, double slope);

#endif
