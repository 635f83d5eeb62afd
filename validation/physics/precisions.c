/* How each precision keeps the energy, from several starts: slopes of a membrane, and of SSD water
 * beside its random walk.
 *
 * The error of a mean slope is from the scatter of the starts, or from the residuals of each where
 * that is larger: four starts alone know their scatter to a third.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

enum { STARTS = 4 };

typedef struct {
    Figure  slope, walk, fluctuation; /* kT/ns/dof; kT/dof after 1 ns; kJ/mol */
    double  least_ps;                 /* of its runs */
    int32_t n;
} Mode;

static Figure mean_of_starts(const double *x, int32_t n)
{
    double mean = 0, squares = 0;

    for (int32_t k = 0; k < n; k++)
        mean += x[k] / n;
    for (int32_t k = 0; k < n; k++)
        squares += (x[k] - mean) * (x[k] - mean);
    return (Figure){ mean, n > 1 ? sqrt(squares / (n - 1) / n) : (double)NAN };
}

/* DIR/SYSTEM-FSfs-PRECISION-START.run of every start that there is. */
static Mode read_mode(const char *folder, const char *system, int fs, const char *precision)
{
    double slope[STARTS], walk[STARTS], rms[STARTS], within = 0;
    Mode   mode = { .least_ps = (double)INFINITY };
    char   path[128];

    for (int seed = 1; seed <= STARTS; seed++) {
        snprintf(path, sizeof path, "%s-%dfs-%s-%d.run/energy.tsv", system, fs, precision, seed);
        Table *const t = table_read(path_in(folder, path));
        if (t == NULL)
            continue;
        Nve          nve = nve_read(t);
        const Figure one = nve_slope(&nve.conserved, &nve);
        if (isfinite(one.value)) {
            slope[mode.n] = one.value;
            walk[mode.n]  = nve.conserved.walk * 1000 / (nve.kT_dof * nve.kT_dof);
            rms[mode.n++] = nve.full.rms.value;
            within += one.error * one.error;
            mode.least_ps = fmin(mode.least_ps, nve.spacing_ps * (double)(nve.n - 1));
        }
        nve_free(&nve);
        table_free(t);
    }
    mode.slope       = mean_of_starts(slope, mode.n);
    mode.slope.error = fmax(mode.slope.error, sqrt(within) / mode.n);
    mode.fluctuation = mean_of_starts(rms, mode.n);
    mode.walk        = mean_of_starts(walk, mode.n); /* of squares, which are what has a mean */
    mode.walk.value  = sqrt(mode.walk.value);
    mode.walk.error /= 2 * mode.walk.value;
    return mode;
}

/* False, and a line SKIPPED, when there are not all starts. Else what was found, in a line each. */
static bool show_mode(Tally *tally, const char *name, const Mode *mode)
{
    char text[96];

    snprintf(text, sizeof text, "%d of %d starts", (int)mode->n, STARTS);
    if (mode->n < STARTS) {
        judge_skip(tally, name, text);
        return false;
    }
    judge_note(tally, called(name, "least length of a run, ps"), (Figure){ mode->least_ps, 0 });
    judge_note(tally, called(name, "slope kT/ns/dof"), mode->slope);
    judge_note(tally, called(name, "random walk, kT/dof after 1 ns"), mode->walk);
    judge_note(tally, called(name, "rms of U + K_full, kJ/mol"), mode->fluctuation);
    return true;
}

/* Zero within two errors, of which none may be above `worst`. 0: each has a bound of its own, and
 * how far they are apart is only said. */
static void judge_equal(Tally *tally, const char *name, const Mode *a, const Mode *b, double worst)
{
    const Figure apart = { a->slope.value - b->slope.value, hypot(a->slope.error, b->slope.error) };

    name = called(name, "slope, fixed less double, kT/ns/dof");
    if (worst > 0)
        judge_zero(tally, name, apart, 2, worst);
    else
        judge_note(tally, name, apart);
}

/* Amplitudes within 20 %, or 2 errors, but 80 % at most: 1 ns of 4 starts knows a walk to 15 to
 * 40 %. */
static void judge_walks(Tally *tally, const char *name, const Mode *a, const Mode *b)
{
    const Figure ratio = figure_ratio(a->walk, b->walk);
    const double away  = fmin(fmax(0.2, 2 * ratio.error), 0.8);

    judge_within(tally, called(name, "random walk, fixed over double"), ratio, 1 - away, 1 + away);
}

/* At most 2e-6, or zero within two errors of at most 1e-6. */
static void judge_kept(Tally *tally, const char *name, const Mode *mode, double bound)
{
    if (fabs(mode->slope.value) <= bound && mode->slope.error <= bound)
        judge_within(tally, called(name, "slope kT/ns/dof"), mode->slope, -bound, bound);
    else
        judge_zero(tally, called(name, "slope kT/ns/dof"), mode->slope, 2, bound / 2);
}

/* Errors of the difference from double are held to twice what four starts had. */
static const struct {
    const char *system;
    int         fs;
    const char *precision;
    double      ps;    /* of each run */
    double      bound; /* of the slope; 0: only against double */
    double      worst; /* error of the slope less that of double */
} rows[] = {
    { "membrane", 5, "double", 2000, 2e-6, 0 }, { "membrane", 5, "fixed", 2000, 2e-6, 0 },
    { "membrane", 5, "single", 2000, 4e-5, 0 }, { "membrane", 10, "double", 1000, 0, 0 },
    { "membrane", 10, "fixed", 1000, 0, 4e-6 }, { "membrane", 14, "double", 1000, 0, 0 },
    { "membrane", 14, "fixed", 1000, 0, 3e-4 }, { "water", 1, "double", 1000, 0, 0 },
    { "water", 1, "fixed", 1000, 0, 2e-4 },     { "water", 2, "double", 1000, 0, 0 },
    { "water", 2, "fixed", 1000, 0, 6e-4 },     { "water", 4, "double", 1000, 0, 0 },
    { "water", 4, "fixed", 1000, 0, 3e-3 },
};

void judge_precisions(Tally *tally, const char *folder)
{
    enum { N = sizeof rows / sizeof *rows };
    Mode mode[N];
    char name[64];

    for (int k = 0; k < N; k++) {
        mode[k] = read_mode(folder, rows[k].system, rows[k].fs, rows[k].precision);
        snprintf(name, sizeof name, "%s %d fs, %s", rows[k].system, rows[k].fs, rows[k].precision);
        if (show_mode(tally, name, &mode[k])) {
            judge_that(tally, called(name, "its runs are as long as they should be"),
                       mode[k].least_ps >= 0.999 * rows[k].ps, "");
            if (rows[k].bound > 0)
                judge_kept(tally, name, &mode[k], rows[k].bound);
        }
        if (k == 0 || strcmp(rows[k].precision, "fixed") != 0 || mode[k].n < STARTS ||
            mode[k - 1].n < STARTS)
            continue;
        snprintf(name, sizeof name, "%s %d fs", rows[k].system, rows[k].fs);
        judge_equal(tally, name, &mode[k], &mode[k - 1], rows[k].worst);
        if (strcmp(rows[k].system, "water") == 0)
            judge_walks(tally, name, &mode[k], &mode[k - 1]);
    }
    if (mode[0].n == STARTS && mode[3].n == STARTS)
        judge_within(tally, "membrane, fluctuation of 10 fs over 5 fs, double",
                     figure_ratio(mode[3].fluctuation, mode[0].fluctuation), 3.6, 4.4);
}
