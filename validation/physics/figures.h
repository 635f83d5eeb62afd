/* The arithmetic of the judge: tables of a run, means and straight lines with their errors, peaks,
 * and verdicts that are counted.
 */
#ifndef AMPHI_VALIDATION_PHYSICS_FIGURES_H
#define AMPHI_VALIDATION_PHYSICS_FIGURES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A number with its standard error; NaN: not known. */
typedef struct {
    double value, error;
} Figure;

/* ---- verdicts ---- */

typedef struct {
    FILE   *out;
    int32_t passed, failed, skipped;
} Tally;

/* Inside [low, high], with an error of at most half of that width: a wilder figure tells
 * nothing. */
void judge_within(Tally *tally, const char *name, Figure figure, double low, double high);
/* |value| + 2 errors at most the bound. */
void judge_small(Tally *tally, const char *name, Figure figure, double bound);
/* Zero within `errors` of its standard errors, these at most `worst`. */
void judge_zero(Tally *tally, const char *name, Figure figure, double errors, double worst);
/* As other, within 3 combined errors and within this part of it. */
void judge_alike(Tally *tally, const char *name, Figure figure, Figure other, double part);
void judge_that(Tally *tally, const char *name, bool holds, const char *why);
void judge_skip(Tally *tally, const char *name, const char *why);
/* Shown, not judged. */
void judge_note(Tally *tally, const char *name, Figure figure);

/* ---- tables ---- */

typedef struct {
    int32_t n_columns;
    int64_t n_rows;
    char  **name; /* [n_columns] */
    double *cell; /* [n_rows][n_columns] */
} Table;

/* A file of columns parted by tabs or blanks, '#' lines left out, the first line the names; lines
 * that are not all numbers are left out. NULL: not there, or without rows. */
Table *table_read(const char *path);
/* As the output of LAMMPS has it: from each line "Step ..." to the first that is no row. */
Table  *table_read_lammps(const char *path);
void    table_free(Table *table);
int32_t table_column(const Table *table, const char *name); /* -1: none */
/* Column `name` (a NaN where there is none) of the rows with least <= key. Take as many as there
 * are: the caller frees them. */
double *table_take(const Table *table, const char *name, const char *key, double least, int64_t *n);

/* ---- numbers ---- */

Figure figure_mean(const double *x, int64_t n);
Figure figure_scaled(Figure figure, double factor);
Figure figure_ratio(Figure a, Figure b);

/* The straight line through y at even distances of `spacing`. */
typedef struct {
    Figure slope; /* its error: from the residuals of 20 blocks, or of 10 where that is larger */
    Figure rms;   /* of the residuals */
    double
        walk; /* of a random walk: mean square a unit of abscissa, from increments; 0: none seen */
} Line;

Line figure_line(const double *y, int64_t n, double spacing);

/* The highest (sign 1) or lowest (-1) place of y(x) with from <= x <= to, by a parabola through all
 * points within `reach` of it; false: it is at an end. */
bool figure_peak(const double *x, const double *y, int64_t n, const double range[2], int sign,
                 double reach, double *place, double *height);

#endif
