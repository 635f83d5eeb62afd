/* Results of a comparison: a table with a column for each mode, and curves. Text, TSV, JSON and the
 * HTML page are all written from it, so that they agree.
 */
#ifndef AMPHI_TOOLS_COMPARE_REPORT_H
#define AMPHI_TOOLS_COMPARE_REPORT_H

#include <stdio.h>

#include "../engine/arena.h"
#include "../engine/error.h"

enum { COMPARE_MODES = 9, COMPARE_MOST_ROWS = 256, COMPARE_MOST_REMARKS = 32 };
enum { COMPARE_MOST_PARTS = 8, COMPARE_MOST_CURVES = 12 };

/* Format of a number: printf's %.*e, %.*f, %.*g, or %+.*e. */
typedef enum { COMPARE_POWER, COMPARE_POINT, COMPARE_SHORT, COMPARE_SIGNED } CompareStyle;

typedef struct {
    int32_t      part;
    const char  *quantity, *unit; /* unit "": none */
    CompareStyle style;
    int          digits;
    double       value[COMPARE_MODES]; /* NaN: not known */
    const char  *text[COMPARE_MODES];  /* all NULL: a row of numbers */
    bool         has_text;
} CompareRow;

typedef struct {
    const char *name, *title, *about; /* name: "nve"; about: one line or several */
} ComparePart;

/* A curve for each mode, over a common axis. */
typedef struct {
    const char *name, *about; /* name: of its file, without .tsv: "nve-conserved" */
    const char *x_name, *y_name, *unit;
    int64_t     n;
    double     *x, *y[COMPARE_MODES]; /* [n]; y NULL: the mode has none */
    /* How it is plotted: both axes logarithmic; the y axis logarithmic; relative to the first value
     * of each mode. */
    bool is_log, has_log_y, is_change;
} CompareCurve;

typedef struct {
    AmphiArena  *arena; /* owns everything below */
    const char  *system, *title, *input, *start, *judge, *base;
    double       length_ps, dt_ps;
    int32_t      n_beads, n_modes, n_parts, n_rows, n_remarks, n_curves;
    const char  *mode[COMPARE_MODES], *about[COMPARE_MODES];
    bool         is_lost[COMPARE_MODES];
    ComparePart  part[COMPARE_MOST_PARTS];
    CompareRow   row[COMPARE_MOST_ROWS];
    const char  *remark[COMPARE_MOST_REMARKS];
    CompareCurve curve[COMPARE_MOST_CURVES];
} CompareReport;

/* NULL when there is no memory. */
CompareReport *compare_report_new(void);
void           compare_report_free(CompareReport *report);

/* All texts are copied. Rows belong to the part that was added last. */
void compare_add_part(CompareReport *report, const char *name, const char *title,
                      const char *about);
void compare_add_row(CompareReport *report, const char *quantity, const char *unit,
                     CompareStyle style, int digits, const double value[COMPARE_MODES]);
void compare_add_words(CompareReport *report, const char *quantity,
                       const char *const text[COMPARE_MODES]);
void compare_add_remark(CompareReport *report, const char *form, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a curve of n points, all NaN. NULL: no memory, or COMPARE_MOST_CURVES are there. */
CompareCurve *compare_add_curve(CompareReport *report, const char *name, const char *about,
                                const char *x_name, const char *y_name, const char *unit,
                                int64_t n);

/* Beyond it, numbers of all styles have an exponent: those of what has exploded. */
#define COMPARE_HUGE 1e10

/* The text of a cell, "-" if it is empty. */
const char *compare_cell(const CompareRow *row, int32_t mode, char text[96]);

void compare_print(const CompareReport *report, FILE *out);
/* JSON lines. */
void compare_print_json(const CompareReport *report, FILE *out);
/* Writes compare.tsv, compare.json and a .tsv for each curve; a file replaces an older one only
 * when it is complete. */
AmphiStatus compare_write(const CompareReport *report, const char *folder, AmphiError *err);
/* Writes compare.html, with the command line in it, to a folder with the files of compare_write.
 * Without gnuplot it has no figures, and a line that names the package. */
AmphiStatus compare_write_page(const CompareReport *report, const char *folder, const char *command,
                               AmphiError *err);

#endif
