/* Sums over blocks of frames that grow with the run. */
#include "blocks.h"

#include <float.h>
#include <math.h>

bool amphi_blocks_init(AmphiBlocks *b, int32_t n_values, AmphiArena *arena)
{
    const int64_t n = (int64_t)AMPHI_BLOCKS * n_values;

    *b = (AmphiBlocks){ .n_values = n_values,
                        .count    = AMPHI_TAKE(arena, struct AmphiBlockCount, 1),
                        .sum      = AMPHI_TAKE(arena, double, n),
                        .weight   = AMPHI_TAKE(arena, double, n) };
    if (amphi_arena_failed(arena))
        return false;
    b->count->frames_a_block = 1;
    return true;
}

void amphi_blocks_parts(const AmphiBlocks *b, AmphiPart part[AMPHI_BLOCK_PARTS])
{
    const size_t n = (size_t)b->n_values * AMPHI_BLOCKS * sizeof(double);

    part[0] = (AmphiPart){ b->count, sizeof *b->count };
    part[1] = (AmphiPart){ b->sum, n };
    part[2] = (AmphiPart){ b->weight, n };
}

static int64_t place_of(const AmphiBlocks *b, int64_t block, int32_t k)
{
    return block * b->n_values + k;
}

void amphi_blocks_add(AmphiBlocks *b, int32_t k, double value, double weight)
{
    b->sum[place_of(b, b->count->n_full, k)] += value;
    b->weight[place_of(b, b->count->n_full, k)] += weight;
}

static void join_neighbours(const AmphiBlocks *b, double *x)
{
    for (int64_t block = 0; block < AMPHI_BLOCKS; block++)
        for (int32_t k = 0; k < b->n_values; k++)
            x[place_of(b, block, k)] =
                block < AMPHI_BLOCKS / 2
                    ? x[place_of(b, 2 * block, k)] + x[place_of(b, 2 * block + 1, k)]
                    : 0;
}

void amphi_blocks_next(AmphiBlocks *b)
{
    struct AmphiBlockCount *const c = b->count;

    c->frames++;
    c->frames_in_last++;
    if (c->frames_in_last < c->frames_a_block)
        return;
    c->frames_in_last = 0;
    c->n_full++;
    if (c->n_full < AMPHI_BLOCKS)
        return;
    join_neighbours(b, b->sum);
    join_neighbours(b, b->weight);
    c->n_full = AMPHI_BLOCKS / 2;
    c->frames_a_block *= 2;
}

double amphi_blocks_mean(const AmphiBlocks *b, int32_t k)
{
    double sum = 0, weight = 0;

    for (int64_t block = 0; block < AMPHI_BLOCKS; block++) {
        sum += b->sum[place_of(b, block, k)];
        weight += b->weight[place_of(b, block, k)];
    }
    return weight > 0 ? sum / weight : (double)NAN;
}

/* How much of a sum of a block may be rounding. Equal values round the same way every time, so that
 * this grows with their number; 8 for values that come from a few operations. */
static double rounding_of(const AmphiBlocks *b)
{
    return 8 * DBL_EPSILON * (double)b->count->frames_a_block;
}

/* The error from groups of `joined` full blocks, left over ones aside; NaN: fewer than `least`. The
 * mean of n groups varies by s/sqrt(n); what lies in the blocks aside makes the whole mean a little
 * better than that. 0: what varies is rounding. */
static double error_of_groups(const AmphiBlocks *b, int32_t k, int32_t joined, int32_t least)
{
    double  x[AMPHI_BLOCKS], mean = 0, squares = 0;
    int32_t n = 0;

    for (int64_t first = 0; first + joined <= b->count->n_full; first += joined) {
        double sum = 0, weight = 0;

        for (int64_t block = first; block < first + joined; block++) {
            sum += b->sum[place_of(b, block, k)];
            weight += b->weight[place_of(b, block, k)];
        }
        if (weight > 0)
            x[n++] = sum / weight;
    }
    if (n < least)
        return (double)NAN;
    for (int32_t i = 0; i < n; i++)
        mean += x[i] / n;
    for (int32_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    if (squares <= n * pow(joined * rounding_of(b) * mean, 2))
        return 0;
    return sqrt(squares / ((double)n * (n - 1)));
}

/* If blocks are shorter than the correlation time, pairs of them give the larger error. */
double amphi_blocks_error(const AmphiBlocks *b, int32_t k)
{
    const double single = error_of_groups(b, k, 1, AMPHI_BLOCKS_FOR_ERROR);
    const double pairs  = error_of_groups(b, k, 2, AMPHI_PAIRS_FOR_ERROR);

    return pairs > single ? pairs : single;
}

double amphi_blocks_independent(const AmphiBlocks *b, int32_t k, int32_t k_square)
{
    const double mean     = amphi_blocks_mean(b, k);
    const double square   = amphi_blocks_mean(b, k_square);
    const double variance = square - mean * mean;
    const double error    = amphi_blocks_error(b, k);

    return error > 0 && variance > rounding_of(b) * square ? variance / (error * error)
                                                           : (double)NAN;
}

static double mean_of_block(const AmphiBlocks *b, int64_t block, int32_t k)
{
    return b->sum[place_of(b, block, k)] / (double)b->count->frames_a_block;
}

/* From the distances of the blocks' means from the line: s / sqrt(sum of (t - mean)^2), and more by
 * sqrt((1 + c)/(1 - c)) where neighbours still correlate by c, as in a random walk, which no block
 * outlives. Because the line was fitted to them, c seems smaller than it is by (2 + 4 c)/n. */
double amphi_blocks_slope_error(const AmphiBlocks *b, int32_t k_time, int32_t k_value, double slope)
{
    const int32_t n = (int32_t)b->count->n_full;
    double        rest[AMPHI_BLOCKS], mean = 0, level = 0, tt = 0, squares = 0, pairs = 0;

    if (n < AMPHI_BLOCKS_FOR_SLOPE)
        return (double)NAN;
    for (int32_t k = 0; k < n; k++) {
        rest[k] = mean_of_block(b, k, k_value) - slope * mean_of_block(b, k, k_time);
        mean += mean_of_block(b, k, k_time) / n;
        level += rest[k] / n;
    }
    for (int32_t k = 0; k < n; k++) {
        const double t = mean_of_block(b, k, k_time) - mean;

        tt += t * t;
        squares += (rest[k] - level) * (rest[k] - level);
        pairs += k > 0 ? (rest[k] - level) * (rest[k - 1] - level) : 0;
    }
    const double seen = squares > 0 ? (n * pairs / squares + 2) / (n - 4) : 0;
    const double kept = fmin(fmax(seen, 0), 0.95);

    return sqrt(squares / (n - 2) / tt * (1 + kept) / (1 - kept));
}
