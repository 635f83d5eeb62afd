/* The laws of laws.h over the tables that sample.c leaves: verdicts, a table with the chance of
 * each, and what laws.gp draws.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>

#include "cases.h"
#include "laws.h"

enum { MOST_FINDINGS = 64, BINS = 20 };

typedef struct {
    const char *folder, *precision;
    Finding     finding[MOST_FINDINGS];
    int32_t     n;
} Page;

static void note_finding(Tally *tally, Page *page, const char *system, Finding f)
{
    char name[160], what[128];

    snprintf(name, sizeof name, "%s, %s, %s", system, page->precision, f.name);
    snprintf(what, sizeof what, "%.5g +- %.2g, law %.5g, p %.2g, %lld samples", f.figure.value,
             f.figure.error, f.wanted, f.p, (long long)f.n);
    judge_that(tally, name, f.holds && f.is_sharp, what);
    snprintf(f.name, sizeof f.name, "%.*s", (int)sizeof f.name - 1, name);
    if (page->n < MOST_FINDINGS)
        page->finding[page->n++] = f;
}

static FILE *open_output(const Page *page, const char *name)
{
    char path[96];

    snprintf(path, sizeof path, "laws-%s-%s.tsv", page->precision, name);
    return fopen(path_in(page->folder, path), "w");
}

/* False, and a failure, when the file could not be written. */
static void close_output(Tally *tally, FILE *file)
{
    const bool is_good = file != NULL && ferror(file) == 0;

    if (file == NULL || fclose(file) != 0 || !is_good)
        judge_that(tally, "pictures of the laws", false, "cannot be written");
}

/* ---- what is drawn ---- */

static double count_of(const double *x, int64_t n, double low, double high)
{
    double count = 0;

    for (int64_t k = 0; k < n; k++)
        count += x[k] >= low && x[k] < high;
    return count;
}

/* Density of samples and of the law, in kT: x, samples, error, law. */
static void draw_kinetic(Tally *tally, const Page *page, const Table *t, int32_t stage,
                         const char *motion)
{
    char    column[64], freedom[64];
    int64_t n, all;

    snprintf(column, sizeof column, "%s_plus", motion);
    snprintf(freedom, sizeof freedom, "freedom_%s", motion);
    double *const x    = law_rows(t, column, stage, &all);
    double *const kT   = law_rows(t, "kT", stage, &n);
    double *const dof  = law_rows(t, freedom, stage, &n);
    FILE *const   file = open_output(page, motion);

    n = law_thin(x, all, law_stride(x, all));
    for (int b = 0; b < BINS && file != NULL && n > 0; b++) {
        const double shape = 0.5 * dof[0], wide = 8 * sqrt(shape) / BINS;
        const double low = shape + (b - BINS / 2) * wide, middle = low + 0.5 * wide;
        const double in  = count_of(x, n, low * kT[0], (low + wide) * kT[0]),
                     per = 1 / (wide * (double)n);

        fprintf(file, "%g\t%g\t%g\t%g\n", middle, in * per, sqrt(in) * per,
                gsl_ran_gamma_pdf(middle, shape, 1));
    }
    close_output(tally, file);
    free(x);
    free(kT);
    free(dof);
}

/* x less its middle, ln(p_b/p_a), its error, the line with the law's slope that lies among the
 * points. */
static void print_ratio(FILE *file, double *const x[2], const int64_t n[2], double middle,
                        double wide, double slope)
{
    double at[BINS], ratio[BINS], error[BINS], sum = 0, weight = 0;
    int    count = 0;

    for (int b = -BINS / 2; b < BINS / 2; b++) {
        const double low   = middle + b * wide;
        const double in[2] = { count_of(x[0], n[0], low, low + wide),
                               count_of(x[1], n[1], low, low + wide) };

        if (in[0] < 1 || in[1] < 1)
            continue;
        at[count]    = (b + 0.5) * wide;
        ratio[count] = log(in[1] / in[0] * (double)n[0] / (double)n[1]);
        error[count] = sqrt(1 / in[0] + 1 / in[1]);
        sum += (ratio[count] - slope * at[count]) / (error[count] * error[count]);
        weight += 1 / (error[count] * error[count]);
        count++;
    }
    for (int k = 0; k < count; k++)
        fprintf(file, "%g\t%g\t%g\t%g\n", at[k], ratio[k], error[k], sum / weight + slope * at[k]);
}

static void draw_ratio(Tally *tally, const Page *page, const Table *t, const int32_t stage[2],
                       const char *column, const Finding *f)
{
    FILE *const file = open_output(page, column);
    double     *x[2], sum[3] = { 0 };
    int64_t     n[2];

    for (int k = 0; k < 2; k++) {
        x[k] = law_rows(t, column, stage[k], &n[k]);
        n[k] = law_thin(x[k], n[k], law_stride(x[k], n[k]));
        for (int64_t r = 0; r < n[k]; r++) {
            sum[0] += 1;
            sum[1] += x[k][r];
            sum[2] += x[k][r] * x[k][r];
        }
    }
    const double middle = sum[1] / sum[0];
    if (file != NULL && sum[0] > 0)
        print_ratio(file, x, n, middle, sqrt(sum[2] / sum[0] - middle * middle) / 2, f->wanted);
    close_output(tally, file);
    free(x[0]);
    free(x[1]);
}

/* ---- the systems ---- */

static Table *open_samples(Tally *tally, const Page *page, const char *system)
{
    char name[96];

    snprintf(name, sizeof name, "laws-%s-%s.samples", system, page->precision);
    return open_run(tally, name, page->folder, name);
}

static void judge_two_temperatures(Tally *tally, Page *page)
{
    static const int32_t stage[2] = { 3, 5 }, free_stage = 6;
    const char *const    system   = "SSD/RF 256";
    const bool           is_fixed = strcmp(page->precision, "fixed") == 0;
    Table *const         t        = open_samples(tally, page, "water");

    if (t == NULL)
        return;
    for (int k = 0; k < 2; k++) {
        note_finding(tally, page, system, law_kinetic(t, stage[k], "translation", "_plus"));
        note_finding(tally, page, system, law_kinetic(t, stage[k], "rotation", "_plus"));
    }
    const Finding ratio = law_ensemble(t, stage, "potential", 0.25);
    note_finding(tally, page, system, ratio);
    note_finding(tally, page, system, law_partition(t, free_stage, "shift_SSDRF", 4));
    note_finding(tally, page, system, law_partition(t, free_stage, "turn_SSDRF", 4));
    /* of sums of rounded numbers in double; in fixed nothing may change */
    note_finding(tally, page, system, law_kept(t, free_stage, "momentum", is_fixed ? 0 : 1e-12));
    draw_kinetic(tally, page, t, stage[0], "translation");
    draw_kinetic(tally, page, t, stage[0], "rotation");
    draw_ratio(tally, page, t, stage, "potential", &ratio);
    table_free(t);
}

static void judge_two_pressures(Tally *tally, Page *page)
{
    static const int32_t stage[2] = { 4, 6 };
    const char *const    system   = "ELBA water 512";
    Table *const         t        = open_samples(tally, page, "elba");

    if (t == NULL)
        return;
    for (int k = 0; k < 2; k++) {
        note_finding(tally, page, system, law_kinetic(t, stage[k], "translation", "_plus"));
        note_finding(tally, page, system, law_kinetic(t, stage[k], "rotation", "_plus"));
    }
    const Finding ratio = law_ensemble(t, stage, "volume", 0.2);
    note_finding(tally, page, system, ratio);
    draw_ratio(tally, page, t, stage, "volume", &ratio);
    table_free(t);
}

/* Between 10 and 5 fs a little of the fourth order shows. */
static void judge_steps(Tally *tally, Page *page)
{
    static const int32_t coarse[2] = { 3, 4 }, fine[2] = { 4, 5 };
    const char *const    system = "ELBA water 512, 10, 5, 2.5 fs";
    Table *const         t      = open_samples(tally, page, "steps");

    if (t == NULL)
        return;
    note_finding(tally, page, system, law_second_order(t, coarse, 3.6, 4.4));
    note_finding(tally, page, system, law_second_order(t, fine, 3.6, 4.4));
    table_free(t);
}

static void write_page(Tally *tally, const Page *page)
{
    FILE *const file = open_output(page, "page");

    if (file != NULL) {
        fprintf(file, "what\tvalue\terror\tlaw\tp\tsamples\tholds\n");
        for (int32_t k = 0; k < page->n; k++) {
            const Finding *const f = &page->finding[k];

            fprintf(file, "%s\t%.8g\t%.3g\t%.8g\t%.3g\t%lld\t%s\n", f->name, f->figure.value,
                    f->figure.error, f->wanted, f->p, (long long)f->n,
                    f->holds && f->is_sharp ? "yes" : "no");
        }
    }
    close_output(tally, file);
}

static int compare_chances(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Rank from 1, chance, where even chances would lie, what would fail all. */
static void draw_chances(Tally *tally, const Page *page)
{
    FILE *const file = open_output(page, "chances");
    double      p[MOST_FINDINGS];
    int32_t     n = 0;

    for (int32_t k = 0; k < page->n; k++)
        if (!isnan(page->finding[k].p))
            p[n++] = page->finding[k].p;
    qsort(p, (size_t)n, sizeof *p, compare_chances);
    for (int32_t k = 0; k < n && file != NULL; k++)
        fprintf(file, "%d\t%g\t%g\t%g\n", (int)k + 1, p[k], (k + 1.0) / (n + 1.0),
                LAW_FAMILY_P / n);
    close_output(tally, file);
}

void judge_laws(Tally *tally, const char *folder)
{
    static const char *const precision[] = { "double", "fixed" };

    for (size_t k = 0; k < sizeof precision / sizeof *precision; k++) {
        Page page = { .folder = folder, .precision = precision[k] };
        char text[96];

        judge_two_temperatures(tally, &page);
        judge_two_pressures(tally, &page);
        judge_steps(tally, &page);
        if (page.n == 0)
            continue;
        const double p = law_bonferroni(page.finding, page.n);
        snprintf(text, sizeof text, "p %.2g of the least, times their number; at least %g", p,
                 LAW_FAMILY_P);
        judge_that(tally, called(precision[k], "all laws together"), p >= LAW_FAMILY_P, text);
        write_page(tally, &page);
        draw_chances(tally, &page);
    }
}
