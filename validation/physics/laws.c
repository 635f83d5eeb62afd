/* The arithmetic of the laws. */
#include "laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

/* ---- memory ---- */

static double mean_square(const double *x, int64_t n, double *mean)
{
    double sum = 0;

    *mean = 0;
    for (int64_t k = 0; k < n; k++)
        *mean += x[k] / (double)n;
    for (int64_t k = 0; k < n; k++)
        sum += (x[k] - *mean) * (x[k] - *mean) / (double)n;
    return sum;
}

int64_t law_stride(const double *x, int64_t n)
{
    double       mean;
    const double all  = mean_square(x, n, &mean);
    double       time = 1;

    for (int64_t lag = 1; lag < n / 2 && all > 1e-24 * mean * mean; lag++) {
        double sum = 0;

        for (int64_t k = 0; k + lag < n; k++)
            sum += (x[k] - mean) * (x[k + lag] - mean);
        if (!(sum > 0))
            break;
        time += 2 * sum / ((double)n * all);
    }
    return (int64_t)ceil(time - 0.1);
}

int64_t law_thin(double *x, int64_t n, int64_t stride)
{
    int64_t kept = 0;

    for (int64_t k = 0; k < n; k += stride)
        x[kept++] = x[k];
    return kept;
}

/* ---- chances ---- */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Kolmogorov's law with the correction for few samples: Stephens, J. R. Stat. Soc. B 32, 115
 * (1970). */
static double chance_of_distance(double distance, int64_t n)
{
    const double root = sqrt((double)n), l = (root + 0.12 + 0.11 / root) * distance;
    double       sum = 0;

    if (l < 0.2)
        return 1; /* to 1e-12 */
    for (int k = 1; k <= 100; k++)
        sum += (k % 2 == 1 ? 2 : -2) * exp(-2 * k * k * l * l);
    return fmin(1, fmax(0, sum));
}

Figure law_gamma(double *kinetic, int64_t n, double freedom, double kT, double *p)
{
    double most = 0;

    *p = (double)NAN;
    if (n < 20 || !(freedom >= 1)) /* NaN, too */
        return (Figure){ (double)NAN, (double)NAN };
    qsort(kinetic, (size_t)n, sizeof *kinetic, compare_doubles);
    for (int64_t k = 0; k < n; k++) {
        const double law = gsl_cdf_gamma_P(kinetic[k], 0.5 * freedom, kT);

        most = fmax(most, fmax(law - (double)k / (double)n, (double)(k + 1) / (double)n - law));
    }
    *p = chance_of_distance(most, n);
    return (Figure){ most, 1 / sqrt((double)n) };
}

double law_two_sided(double errors)
{
    return 2 * gsl_cdf_ugaussian_Q(fabs(errors));
}

double law_bonferroni(const Finding *finding, int32_t n)
{
    double  least = 1;
    int32_t count = 0;

    for (int32_t k = 0; k < n; k++)
        if (!isnan(finding[k].p)) {
            least = fmin(least, finding[k].p);
            count++;
        }
    return count == 0 ? 1 : fmin(1, count * least);
}

/* ---- the ratio of two distributions ---- */

typedef struct {
    double gradient[2], matrix[3]; /* of offset and slope; 00, 01, 11 */
} Likelihood;

static void add_samples(Likelihood *l, const double *x, int64_t n, double is_b, const double at[4])
{
    for (int64_t k = 0; k < n; k++) {
        const double z = (x[k] - at[2]) / at[3];
        const double q = 1 / (1 + exp(-at[0] - at[1] * z));

        l->gradient[0] += is_b - q;
        l->gradient[1] += (is_b - q) * z;
        l->matrix[0] += q * (1 - q);
        l->matrix[1] += q * (1 - q) * z;
        l->matrix[2] += q * (1 - q) * z * z;
    }
}

Figure law_log_slope(const double *a, int64_t n_a, const double *b, int64_t n_b)
{
    const Figure none  = { (double)NAN, (double)NAN };
    double       at[4] = { 0, 0, 0, 0 }, mean[2]; /* offset, slope, origin and unit of x */

    if (n_a < 20 || n_b < 20)
        return none;
    const double square[2] = { mean_square(a, n_a, &mean[0]), mean_square(b, n_b, &mean[1]) };
    at[0]                  = log((double)n_b / (double)n_a);
    at[2]                  = 0.5 * (mean[0] + mean[1]);
    at[3]                  = sqrt(0.5 * (square[0] + square[1]));
    for (int turn = 0; turn < 50 && at[3] > 0; turn++) {
        Likelihood l = { { 0 }, { 0 } };

        add_samples(&l, a, n_a, 0, at);
        add_samples(&l, b, n_b, 1, at);
        const double det     = l.matrix[0] * l.matrix[2] - l.matrix[1] * l.matrix[1];
        const double step[2] = { (l.matrix[2] * l.gradient[0] - l.matrix[1] * l.gradient[1]) / det,
                                 (l.matrix[0] * l.gradient[1] - l.matrix[1] * l.gradient[0]) /
                                     det };

        if (!(det > 0) || !isfinite(step[0]) || !isfinite(step[1]))
            return none;
        at[0] += step[0];
        at[1] += step[1];
        if (fabs(step[0]) + fabs(step[1]) < 1e-10)
            return (Figure){ at[1] / at[3], sqrt(l.matrix[0] / det) / at[3] };
    }
    return none;
}

/* ---- tables ---- */

double *law_rows(const Table *t, const char *column, int32_t stage, int64_t *n)
{
    const int32_t c = table_column(t, column), of_stage = table_column(t, "stage");
    double *const x = calloc(t == NULL ? 1 : (size_t)t->n_rows + 1, sizeof *x);

    *n = 0;
    for (int64_t r = 0; x != NULL && c >= 0 && of_stage >= 0 && r < t->n_rows; r++)
        if ((int32_t)t->cell[r * t->n_columns + of_stage] == stage)
            x[(*n)++] = t->cell[r * t->n_columns + c];
    return x;
}

static double first_of(const Table *t, const char *column, int32_t stage)
{
    int64_t       n;
    double *const x     = law_rows(t, column, stage, &n);
    const double  first = n > 0 ? x[0] : (double)NAN;

    free(x);
    return first;
}

static Finding begin_finding(const char *what, const char *column, int32_t stage)
{
    Finding f = { .p = (double)NAN, .figure = { (double)NAN, (double)NAN }, .is_sharp = true };

    snprintf(f.name, sizeof f.name, "%s %s, stage %d", what, column, (int)stage);
    return f;
}

Finding law_kinetic(const Table *t, int32_t stage, const char *motion, const char *suffix)
{
    char    column[64], freedom[64];
    int64_t n;

    snprintf(column, sizeof column, "%s%s", motion, suffix);
    snprintf(freedom, sizeof freedom, "freedom_%s", motion);
    Finding       f = begin_finding("distribution of", column, stage);
    double *const x = law_rows(t, column, stage, &n);

    f.n      = law_thin(x, n, 2 * law_stride(x, n) - 1);
    f.figure = law_gamma(x, f.n, first_of(t, freedom, stage), first_of(t, "kT", stage), &f.p);
    f.holds  = f.p > LAW_LEAST_P;
    free(x);
    return f;
}

Finding law_ensemble(const Table *t, const int32_t stage[2], const char *column, double most_error)
{
    Finding f = begin_finding("log ratio against", column, stage[1]);
    double *x[2], kT[2], pressure[2];
    int64_t n[2];

    for (int k = 0; k < 2; k++) {
        x[k]        = law_rows(t, column, stage[k], &n[k]);
        n[k]        = law_thin(x[k], n[k], law_stride(x[k], n[k]));
        kT[k]       = first_of(t, "kT", stage[k]);
        pressure[k] = first_of(t, "pressure", stage[k]);
    }
    f.wanted   = strcmp(column, "volume") == 0 ? pressure[0] / kT[0] - pressure[1] / kT[1]
                                               : 1 / kT[0] - 1 / kT[1];
    f.figure   = law_log_slope(x[0], n[0], x[1], n[1]);
    f.n        = n[0] + n[1];
    f.p        = law_two_sided((f.figure.value - f.wanted) / f.figure.error);
    f.holds    = f.p > LAW_ERRORS_P;
    f.is_sharp = f.figure.error <= most_error * fabs(f.wanted);
    free(x[0]);
    free(x[1]);
    return f;
}

Finding law_partition(const Table *t, int32_t stage, const char *column, double most_error_K)
{
    Finding       f = begin_finding("equipartition:", column, stage);
    int64_t       n, n_all;
    double *const x   = law_rows(t, column, stage, &n);
    double *const all = law_rows(t, "temperature", stage, &n_all);

    for (int64_t k = 0; k < n && k < n_all; k++)
        x[k] -= all[k];
    f.figure   = figure_mean(x, n);
    f.n        = n;
    f.p        = law_two_sided(f.figure.value / f.figure.error);
    f.holds    = f.p > LAW_ERRORS_P;
    f.is_sharp = f.figure.error <= most_error_K;
    free(x);
    free(all);
    return f;
}

Finding law_kept(const Table *t, int32_t stage, const char *what, double most)
{
    Finding f     = begin_finding("change of", what, stage);
    double  worst = 0;
    char    column[64];

    snprintf(column, sizeof column, "%s_scale", what);
    const double scale = first_of(t, column, stage);
    for (int a = 0; a < 3; a++) {
        snprintf(column, sizeof column, "%s_%c", what, "xyz"[a]);
        double *const x = law_rows(t, column, stage, &f.n);

        if (f.n < 2)
            worst = (double)NAN;
        for (int64_t k = 1; k < f.n; k++)
            worst = isnan(worst) || fabs(x[k] - x[0]) <= worst ? worst : fabs(x[k] - x[0]);
        free(x);
    }
    f.figure = (Figure){ worst / scale, 0 };
    f.holds  = f.figure.value <= most;
    return f;
}

static Figure rms_of(const Table *t, int32_t stage, int64_t *n)
{
    double *const u    = law_rows(t, "potential", stage, n);
    double *const full = law_rows(t, "kinetic_full", stage, n);

    for (int64_t k = 0; k < *n; k++)
        u[k] += full[k];
    const Figure rms = figure_line(u, *n, 1).rms;
    free(u);
    free(full);
    return rms;
}

Finding law_second_order(const Table *t, const int32_t stage[2], double low, double high)
{
    Finding      f      = begin_finding("fluctuation ratio of", "U + K_full", stage[1]);
    const Figure coarse = rms_of(t, stage[0], &f.n), fine = rms_of(t, stage[1], &f.n);

    f.figure   = figure_ratio(coarse, fine);
    f.wanted   = 4;
    f.holds    = f.figure.value >= low && f.figure.value <= high;
    f.is_sharp = f.figure.error <= (high - low) / 2;
    return f;
}
