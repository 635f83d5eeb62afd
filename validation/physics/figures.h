/* The arithmetic of the judge: tables of a run; means, fitted lines and peaks with their errors;
 * and verdicts.
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

/* Each of these prints a line PASS or FAIL with the figure and its bound, and counts it.
 *
 * Passes inside [low, high], if the error is at most half of that width. */
void judge_within(Tally *tally, const char *name, Figure figure, double low, double high);
/* Passes if |value| + 2 errors is at most the bound. */
void judge_small(Tally *tally, const char *name, Figure figure, double bound);
/* Passes if it is zero within so many standard errors, and the standard error at most `worst`. */
void judge_zero(Tally *tally, const char *name, Figure figure, double errors, double worst);
/* Passes if it equals `other` within 3 combined errors and within the fraction `part` of it. */
void judge_alike(Tally *tally, const char *name, Figure figure, Figure other, double part);
/* Passes within 3 combined errors, or within the fraction `part`. */
void judge_near(Tally *tally, const char *name, Figure figure, Figure other, double part);
void judge_that(Tally *tally, const char *name, bool holds, const char *why);
void judge_skip(Tally *tally, const char *name, const char *why);
/* Prints a figure without a verdict. */
void judge_note(Tally *tally, const char *name, Figure figure);

/* ---- tables ---- */

typedef struct {
    int32_t n_columns;
    int64_t n_rows;
    char  **name; /* [n_columns] */
    double *cell; /* [n_rows][n_columns] */
} Table;

/* Reads a file of columns separated by tabs or blanks, whose first line has their names. Lines that
 * begin with # or are not all numbers are left out. NULL: there is no file, or no row. */
Table *table_read(const char *path);
/* The same from the output of LAMMPS: from each line "Step ..." to the first that is not a row. */
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

/* A straight line fitted to y at equal distances `spacing` of the abscissa. */
typedef struct {
    Figure slope; /* its error: from the residuals of 20 blocks, or of 10 where that is larger */
    Figure rms;   /* of the residuals */
    double walk;  /* random walk: mean square increment for a unit of abscissa; 0: none seen */
} Line;

Line figure_line(const double *y, int64_t n, double spacing);

/* The maximum (sign 1) or minimum (-1) of y(x) within range, from a parabola fitted to all points
 * within `reach` of it; false: it is at an end of the range. */
bool figure_peak(const double *x, const double *y, int64_t n, const double range[2], int sign,
                 double reach, double *place, double *height);

#endif
