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

/* ---- errors ---- */

enum { FOR_CORRELATION = 16, ENOUGH_SAMPLES = 7, ENOUGH_FOR_VARIANCE = 20 };

/* The means of the full blocks that have weight. */
typedef struct {
    int32_t n;
    double  x[AMPHI_BLOCKS]; /* less their mean */
    double  mean, variance;  /* of a block, without bias if blocks are independent */
} Means;

static void find_means(const AmphiBlocks *b, int32_t k, Means *m)
{
    double squares = 0;

    *m = (Means){ .n = 0 };
    for (int64_t block = 0; block < b->count->n_full; block++)
        if (b->weight[place_of(b, block, k)] > 0)
            m->x[m->n++] = b->sum[place_of(b, block, k)] / b->weight[place_of(b, block, k)];
    for (int32_t i = 0; i < m->n; i++)
        m->mean += m->x[i] / m->n;
    for (int32_t i = 0; i < m->n; i++) {
        m->x[i] -= m->mean;
        squares += m->x[i] * m->x[i];
    }
    m->variance = m->n > 1 ? squares / (m->n - 1) : 0;
}

/* The sum of products of means `lag` blocks apart. */
static double products(const Means *m, int32_t lag)
{
    double sum = 0;

    for (int32_t i = lag; i < m->n; i++)
        sum += m->x[i] * m->x[i - lag];
    return sum;
}

/* The variance of the mean from the summed autocovariance C = G(0) + 2 G(1) + .. + 2 G(W) of the
 * blocks: Wolff, Comput. Phys. Commun. 156, 143 (2004), with S = 1.5. The window W is where what is
 * cut off, exp(-W/tau), falls below the noise, tau/sqrt(W n). */
static double variance_by_window(const Means *m)
{
    const double zero = products(m, 0) / m->n;
    double       c    = zero;
    int32_t      w    = 1;

    for (; w < m->n / 2; w++) {
        c += 2 * products(m, w) / (m->n - w);

        const double twice = c / zero; /* the integrated time, in halves of a block */
        const double tau   = twice > 1 ? 1.5 / log((twice + 1) / (twice - 1)) : 0;
        if (!(tau > 0) || exp(-w / tau) < tau / sqrt((double)w * m->n))
            break;
    }
    return c * (1 + (2 * w + 1.0) / m->n) / m->n; /* less bias: the mean is that of the blocks */
}

/* The same from groups of `joined` blocks, left over ones aside. */
static double variance_by_groups(const Means *m, int32_t joined)
{
    const int32_t n       = m->n / joined;
    double        squares = 0, mean = 0;

    for (int32_t i = 0; i < n * joined; i++)
        mean += m->x[i] / (n * joined);
    for (int32_t group = 0; group < n; group++) {
        double x = -mean;

        for (int32_t i = group * joined; i < (group + 1) * joined; i++)
            x += m->x[i] / joined;
        squares += x * x;
    }
    return squares / ((double)n * (n - 1));
}

/* The correlation of n neighbours from the one that is seen, c. Because `fitted` parameters were
 * fitted to them, c seems smaller than it is by (fitted + 4 c)/n. */
static double unbiased(double c, int32_t n, int32_t fitted)
{
    return fmin(fmax((n * c + fitted) / (n - 4), 0), 0.95);
}

/* The same of blocks that relax as exp(-t/tau), from the correlation of neighbours alone. */
static double variance_by_neighbours(const Means *m)
{
    const double c = unbiased(products(m, 1) / products(m, 0), m->n, 1);

    return m->variance / m->n * (1 + c) / (1 - c);
}

/* From fewer blocks than tell their correlation, these are taken to be independent. Where fewer
 * samples than enough are seen, the window was too short to sum all correlation: of all estimates
 * the largest is taken. */
static double variance_of_mean(const Means *m, bool *is_rough)
{
    double v = m->variance / m->n;

    *is_rough = m->n < FOR_CORRELATION;
    if (*is_rough)
        return v;
    v         = fmax(v, variance_by_window(m));
    *is_rough = m->variance < ENOUGH_SAMPLES * v;
    if (!*is_rough)
        return v;
    for (int32_t joined = 2; m->n / joined >= AMPHI_BLOCKS_FOR_ERROR; joined *= 2)
        v = fmax(v, variance_by_groups(m, joined));
    return fmax(v, variance_by_neighbours(m));
}

static double error_of_means(const AmphiBlocks *b, int32_t k, bool *is_rough)
{
    Means m;

    *is_rough = false;
    find_means(b, k, &m);
    if (m.n < AMPHI_BLOCKS_FOR_ERROR)
        return (double)NAN;
    if (m.variance * (m.n - 1) <= m.n * pow(rounding_of(b) * m.mean, 2))
        return 0;
    return sqrt(variance_of_mean(&m, is_rough));
}

double amphi_blocks_error(const AmphiBlocks *b, int32_t k)
{
    bool is_rough;

    return error_of_means(b, k, &is_rough);
}

bool amphi_blocks_is_rough(const AmphiBlocks *b, int32_t k)
{
    bool is_rough;

    error_of_means(b, k, &is_rough);
    return is_rough;
}

void amphi_blocks_print_rough(const AmphiBlocks *b, int32_t n, AmphiSink *sink)
{
    int32_t n_rough = 0;

    for (int32_t k = 0; k < n; k++)
        n_rough += amphi_blocks_is_rough(b, k);
    if (n_rough > 0)
        amphi_sink_print(sink,
                         "# rough errors: %d of %d: too few frames, or correlated for too much of "
                         "the run\n",
                         (int)n_rough, (int)n);
}

void amphi_blocks_print_count(const AmphiBlocks *b, int32_t n, AmphiSink *sink)
{
    amphi_sink_print(sink,
                     "# frames: %lld\n"
                     "# error: standard errors from %lld blocks of %lld frames; nan: too few\n",
                     (long long)b->count->frames, (long long)b->count->n_full,
                     (long long)b->count->frames_a_block);
    amphi_blocks_print_rough(b, n, sink);
}

/* ---- stretches in which nothing varies ---- */

/* Frames, where each stretch of neighbouring blocks of one value counts as one sample. */
typedef struct {
    double frames, samples;
    double sum, squares;          /* of the samples */
    double of_all, of_rests;      /* squared lengths of the samples; of those longer than a frame */
    double rest_value, rest_long; /* the present stretch; length 0: none */
} Stretches;

static void end_rest(Stretches *s)
{
    const double length = s->rest_long;

    if (!(length > 0))
        return;
    s->samples++;
    s->sum += s->rest_value;
    s->squares += s->rest_value * s->rest_value;
    s->of_all += length * length;
    s->of_rests += length > 1 ? length * length : 0;
    s->rest_long = 0;
}

static void add_block(Stretches *s, double sum, double squares, double weight, double rounding)
{
    const double mean = sum / weight, square = squares / weight;

    s->frames += weight;
    if (square - mean * mean > rounding * square) {
        end_rest(s);
        s->samples += weight;
        s->sum += sum;
        s->squares += squares;
        s->of_all += weight;
        return;
    }
    if (s->rest_long > 0 && fabs(mean - s->rest_value) > rounding * fabs(mean))
        end_rest(s);
    if (!(s->rest_long > 0))
        s->rest_value = mean;
    s->rest_long += weight;
}

static Stretches find_stretches(const AmphiBlocks *b, int32_t k, int32_t k_square)
{
    Stretches s = { .frames = 0 };

    for (int64_t block = 0; block < AMPHI_BLOCKS; block++) {
        const double weight = b->weight[place_of(b, block, k)];

        if (weight > 0)
            add_block(&s, b->sum[place_of(b, block, k)], b->sum[place_of(b, block, k_square)],
                      weight, rounding_of(b));
    }
    end_rest(&s);
    return s;
}

/* Without bias, as of a few samples. */
static double variance_of_samples(const Stretches *s)
{
    const double mean = s->sum / s->samples;

    return s->samples > 1 ? fmax(s->squares - s->sum * mean, 0) / (s->samples - 1) : 0;
}

/* The variance of a mean of samples with weights p is that of a sample times the sum of p^2. */
AmphiBlockEstimate amphi_blocks_estimate(const AmphiBlocks *b, int32_t k, int32_t k_square)
{
    const Stretches    s        = find_stretches(b, k, k_square);
    const double       mean     = amphi_blocks_mean(b, k);
    const double       square   = amphi_blocks_mean(b, k_square);
    const double       variance = square - mean * mean;
    const double       rests    = s.of_rests / (s.frames * s.frames);
    AmphiBlockEstimate e        = { .independent = (double)NAN };

    e.error = error_of_means(b, k, &e.is_rough);
    if (isnan(e.error) || !(variance > rounding_of(b) * square))
        return e;
    e.error    = fmax(e.error, sqrt(rests * variance_of_samples(&s)));
    e.is_rough = e.is_rough || ENOUGH_SAMPLES * rests > 1;
    if (e.error > 0)
        e.independent =
            fmin(fmax(variance, rests > 0 ? variance_of_samples(&s) : 0) / (e.error * e.error),
                 s.frames * s.frames / s.of_all);
    return e;
}

static double mean_of_block(const AmphiBlocks *b, int64_t block, int32_t k)
{
    return b->sum[place_of(b, block, k)] / (double)b->count->frames_a_block;
}

AmphiBlockVariance amphi_blocks_variance(const AmphiBlocks *b, int32_t k, int32_t k_square)
{
    const double       n      = amphi_blocks_estimate(b, k, k_square).independent;
    const double       mean   = amphi_blocks_mean(b, k);
    const double       spread = amphi_blocks_mean(b, k_square) - mean * mean;
    AmphiBlockVariance v      = { (double)NAN, (double)NAN, false };
    Means              m, squares;

    if (!(n >= 2))
        return v;
    find_means(b, k, &m);
    find_means(b, k_square, &squares);
    for (int32_t block = 0; block < m.n; block++) /* of (x - mean)^2, less its mean over blocks */
        squares.x[block] -= 2 * mean * m.x[block];
    squares.variance = products(&squares, 0) / (m.n - 1);
    v.value          = spread * (n + 1) / n; /* n is of this spread, which is too small */
    v.error          = sqrt(variance_of_mean(&squares, &v.is_rough)) * (n + 1) / n;
    v.error          = fmax(v.error, v.value * sqrt(2 / n));
    v.is_rough       = v.is_rough || n < ENOUGH_FOR_VARIANCE;
    return v;
}

/* From the distances of the blocks' means from the line: s / sqrt(sum of (t - mean)^2), and more by
 * sqrt((1 + c)/(1 - c)) where neighbours still correlate by c, as in a random walk, which no block
 * outlives. */
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
    const double kept = squares > 0 ? unbiased(pairs / squares, n, 2) : 0;

    return sqrt(squares / (n - 2) / tt * (1 + kept) / (1 - kept));
}
