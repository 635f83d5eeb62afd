/* Means and their standard errors by block averaging: Flyvbjerg & Petersen, J. Chem. Phys. 91, 461
 * (1989).
 *
 * At most 32 blocks are kept. When all are full, neighbouring blocks are merged and blocks are
 * twice as long from then on, so that there are 16 to 31 full blocks. The standard error, which has
 * itself an uncertainty of about 15 %, is the larger of those from blocks and from pairs of blocks:
 * right if a 16th of the run is longer than the correlation time, a few per cent too large if much
 * longer.
 */
#ifndef AMPHI_ENGINE_BLOCKS_H
#define AMPHI_ENGINE_BLOCKS_H

#include "observing.h"
#include "on_disk.h"

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
/* The number of independent samples in the mean of value k: variance / error^2, the variance from
 * the mean of its square, which must be value k_square. NaN if there is no error, or nothing
 * varies. */
double amphi_blocks_independent(const AmphiBlocks *blocks, int32_t k, int32_t k_square);

/* The standard error of `slope`, a fitted slope of value k over value k_time, both of weight 1. NaN
 * with fewer than AMPHI_BLOCKS_FOR_SLOPE full blocks. */
double amphi_blocks_slope_error(const AmphiBlocks *blocks, int32_t k_time, int32_t k, double slope);

#endif
