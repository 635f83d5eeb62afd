/* Means, lines, peaks, verdicts. */
#include "figures.h"

#include <math.h>
#include <stdlib.h>

#include "../../engine/blocks.h"

/* ---- verdicts ---- */

static void verdict(Tally *tally, bool holds, const char *name, Figure f, const char *bound)
{
    fprintf(tally->out, "%s %s %.6g +- %.2g %s\n", holds ? "PASS" : "FAIL", name, f.value, f.error,
            bound);
    if (holds)
        tally->passed++;
    else
        tally->failed++;
}

void judge_within(Tally *tally, const char *name, Figure f, double low, double high)
{
    char bound[96];

    snprintf(bound, sizeof bound, "in %.6g .. %.6g", low, high);
    verdict(tally, f.value >= low && f.value <= high && f.error <= (high - low) / 2, name, f,
            bound);
}

void judge_small(Tally *tally, const char *name, Figure f, double most)
{
    char bound[96];

    snprintf(bound, sizeof bound, "with 2 errors at most %.3g", most);
    verdict(tally, fabs(f.value) + 2 * f.error <= most, name, f, bound);
}

void judge_zero(Tally *tally, const char *name, Figure f, double errors, double worst)
{
    char bound[96];

    snprintf(bound, sizeof bound, "zero in %.3g errors, error at most %.3g", errors, worst);
    verdict(tally, fabs(f.value) <= errors * f.error && f.error <= worst, name, f, bound);
}

/* How far two figures are apart, in the words of a verdict. */
static void verdict_apart(Tally *tally, const char *name, Figure f, Figure other, double part,
                          bool both)
{
    const double away = fabs(f.value - other.value), error = hypot(f.error, other.error);
    const bool   near = away <= 3 * error, close = away <= part * fabs(other.value);
    char         bound[160];

    snprintf(bound, sizeof bound, "as %.6g +- %.2g: %.2f of 3 errors%s %.2f of %.3g %%",
             other.value, other.error, away / error, both ? "," : ", or",
             100 * away / fabs(other.value), 100 * part);
    verdict(tally, both ? near && close : near || close, name, f, bound);
}

void judge_alike(Tally *tally, const char *name, Figure f, Figure other, double part)
{
    verdict_apart(tally, name, f, other, part, true);
}

void judge_near(Tally *tally, const char *name, Figure f, Figure other, double part)
{
    verdict_apart(tally, name, f, other, part, false);
}

void judge_that(Tally *tally, const char *name, bool holds, const char *why)
{
    fprintf(tally->out, "%s %s %s\n", holds ? "PASS" : "FAIL", name, why);
    if (holds)
        tally->passed++;
    else
        tally->failed++;
}

void judge_skip(Tally *tally, const char *name, const char *why)
{
    fprintf(tally->out, "SKIPPED: %s: %s\n", name, why);
    tally->skipped++;
}

void judge_note(Tally *tally, const char *name, Figure f)
{
    fprintf(tally->out, "note: %s %.6g +- %.2g\n", name, f.value, f.error);
}

/* ---- numbers ---- */

Figure figure_mean(const double *x, int64_t n)
{
    AmphiArena *const arena = amphi_arena_new();
    AmphiBlocks       blocks;
    Figure            f = { (double)NAN, (double)NAN };

    if (arena != NULL && amphi_blocks_init(&blocks, 1, arena)) {
        for (int64_t k = 0; k < n; k++) {
            amphi_blocks_add(&blocks, 0, x[k], 1);
            amphi_blocks_next(&blocks);
        }
        f = (Figure){ amphi_blocks_mean(&blocks, 0), amphi_blocks_error(&blocks, 0) };
    }
    amphi_arena_free(arena);
    return f;
}

Figure figure_scaled(Figure f, double factor)
{
    return (Figure){ f.value * factor, f.error * fabs(factor) };
}

Figure figure_ratio(Figure a, Figure b)
{
    const double ratio = a.value / b.value;

    return (Figure){ ratio, fabs(ratio) * hypot(a.error / a.value, b.error / b.value) };
}

/* Means of consecutive blocks; what does not fill one at the end is left out. */
static void block_means(const double *y, int64_t n, int n_blocks, double *mean)
{
    const int64_t length = n / n_blocks;

    for (int b = 0; b < n_blocks; b++) {
        mean[b] = 0;
        for (int64_t k = b * length; k < (b + 1) * length; k++)
            mean[b] += y[k] / (double)length;
    }
}

/* Blocks of residuals are independent when they are longer than what correlates: then the slope has
 * the variance s^2 over the sum of squared abscissae. */
static double slope_error(const double *residual, int64_t n, double spacing, int n_blocks)
{
    const double width = (double)(n / n_blocks) * spacing;
    double       mean[32], squares = 0, abscissae = 0;

    block_means(residual, n, n_blocks, mean);
    for (int b = 0; b < n_blocks; b++) {
        const double t = (b - (n_blocks - 1) / 2.0) * width;

        squares += mean[b] * mean[b];
        abscissae += t * t;
    }
    return sqrt(squares / (n_blocks - 2) / abscissae);
}

/* Increments of block means over m blocks have the mean square 2 w^2 + D width (m - 1/3) when white
 * noise w stands on a random walk D; from m = 1 and 5. */
static double walk_of(const double *residual, int64_t n, double spacing)
{
    enum { BLOCKS = 20, FAR = 5 };
    double mean[BLOCKS], near_by = 0, far_off = 0;

    block_means(residual, n, BLOCKS, mean);
    for (int b = 1; b < BLOCKS; b++)
        near_by += (mean[b] - mean[b - 1]) * (mean[b] - mean[b - 1]) / (BLOCKS - 1);
    for (int b = FAR; b < BLOCKS; b++)
        far_off += (mean[b] - mean[b - FAR]) * (mean[b] - mean[b - FAR]) / (BLOCKS - FAR);
    const double walk = (far_off - near_by) / ((FAR - 1) * (double)(n / BLOCKS) * spacing);
    return walk > 0 ? walk : 0;
}

Line figure_line(const double *y, int64_t n, double spacing)
{
    const double  nan = (double)NAN, middle = (double)(n - 1) / 2;
    Line          line = { { nan, nan }, { nan, nan }, nan };
    double *const rest = n < 40 ? NULL : malloc((size_t)n * sizeof *rest);
    double        mean = 0, across = 0, along = 0;

    if (rest == NULL)
        return line;
    for (int64_t k = 0; k < n; k++)
        mean += y[k] / (double)n;
    for (int64_t k = 0; k < n; k++) {
        across += ((double)k - middle) * (y[k] - mean);
        along += ((double)k - middle) * ((double)k - middle);
    }
    for (int64_t k = 0; k < n; k++)
        rest[k] = y[k] - mean - across / along * ((double)k - middle);
    line.slope.value = across / along / spacing;
    line.slope.error = fmax(slope_error(rest, n, spacing, 20), slope_error(rest, n, spacing, 10));
    line.walk        = walk_of(rest, n, spacing);
    for (int64_t k = 0; k < n; k++)
        rest[k] *= rest[k];
    const Figure square = figure_mean(rest, n);
    line.rms.value      = sqrt(square.value);
    line.rms.error      = square.error / (2 * line.rms.value);
    free(rest);
    return line;
}

/* ---- peaks ---- */

/* Least squares of c0 + c1 x + c2 x^2 about x = `at`, by Cramer's rule. */
static bool fit_parabola(const double *x, const double *y, int64_t n, double at, double reach,
                         double c[3])
{
    double s[5] = { 0 }, r[3] = { 0 };

    for (int64_t k = 0; k < n; k++) {
        const double d = (x[k] - at) / reach;

        if (fabs(d) > 1 + 1e-9)
            continue;
        for (int p = 0; p < 5; p++)
            s[p] += pow(d, p);
        for (int p = 0; p < 3; p++)
            r[p] += y[k] * pow(d, p);
    }
    const double m0 = s[2] * s[4] - s[3] * s[3], m1 = s[1] * s[4] - s[2] * s[3],
                 m2  = s[1] * s[3] - s[2] * s[2];
    const double det = s[0] * m0 - s[1] * m1 + s[2] * m2;
    const double n0 = s[0] * s[4] - s[2] * s[2], n1 = s[0] * s[3] - s[1] * s[2],
                 n2 = s[0] * s[2] - s[1] * s[1];

    if (fabs(det) < 1e-12)
        return false;
    c[0] = (r[0] * m0 - r[1] * m1 + r[2] * m2) / det;
    c[1] = (-r[0] * m1 + r[1] * n0 - r[2] * n1) / det / reach;
    c[2] = (r[0] * m2 - r[1] * n1 + r[2] * n2) / det / (reach * reach);
    return true;
}

bool figure_peak(const double *x, const double *y, int64_t n, const double range[2], int sign,
                 double reach, double *place, double *height)
{
    int64_t best = -1;
    double  c[3];

    for (int64_t k = 0; k < n; k++)
        if (x[k] >= range[0] && x[k] <= range[1] && (best < 0 || sign * (y[k] - y[best]) > 0))
            best = k;
    if (best < 0 || !fit_parabola(x, y, n, x[best], reach, c) || sign * c[2] >= 0 ||
        fabs(c[1] / (2 * c[2])) > reach)
        return false;
    *place  = x[best] - c[1] / (2 * c[2]);
    *height = c[0] - c[1] * c[1] / (4 * c[2]);
    return true;
}
