/* Reads the files of a run: tables, status.json, run.log, and the list of its input files. */
#ifndef AMPHI_TOOLS_REPORT_TABLE_H
#define AMPHI_TOOLS_REPORT_TABLE_H

#include "../engine/arena.h"

enum { REPORT_COLUMNS = 64, REPORT_ROWS = 8192, REPORT_SEEDS = 64, REPORT_FILES = 64 };

/* The lines of a text file; of a larger one, those in its first 4 MB. */
typedef struct {
    int32_t n;
    char  **line; /* [n] without line ends */
} ReportLines;

/* No lines if the file cannot be read, or there is no memory. */
ReportLines report_lines(const char *dir, const char *name, AmphiArena *arena);

/* A table: lines of comments with '#', a heading, rows separated by tabs. Rows that do not have as
 * many cells as the heading are left out: the last row of a run in progress may be incomplete. */
typedef struct {
    int32_t      n_columns, n_rows;
    const char  *head[REPORT_COLUMNS];
    const char **cell;     /* [n_rows][n_columns] */
    ReportLines  comments; /* without "# " */
} ReportTable;

/* False: the file cannot be read, or has no rows. */
bool report_table(const char *dir, const char *name, AmphiArena *arena, ReportTable *table);
bool report_has(const ReportTable *table, const char *column);
/* NULL: there is no such column. */
const char *report_cell(const ReportTable *table, int32_t row, const char *column);
double      report_number(const ReportTable *table, int32_t row, const char *column); /* or NaN */
/* The text after "# KEY: "; NULL: there is no such line. */
const char *report_comment(const ReportTable *table, const char *key);
/* Index of the row with `value` in its first column; -1: there is none. */
int32_t report_row(const ReportTable *table, const char *value);

/* status.json; missing numbers are NaN, missing texts "". */
typedef struct {
    bool   is_there;
    char   state[32], stage[128], backend[256], version[32];
    double step, n_steps, time_ps, ns_per_day, wall_s, memory_MB;
    double drift, drift_error, drift_samples;
} ReportStatus;

ReportStatus report_status(const char *dir, AmphiArena *arena);

/* run.log, from its last start; missing texts are "". */
typedef struct {
    const char *version, *input, *command, *machine, *began, *error, *state;
    int32_t     n_options, n_seeds, n_overrides;
    const char *option[REPORT_SEEDS], *seed[REPORT_SEEDS], *override[REPORT_SEEDS];
    int32_t     n_minimised, n_before; /* of all starts of the run; those before the last start */
    const char *minimised[REPORT_SEEDS];
    int32_t     n_beginnings;
} ReportLog;

ReportLog report_log(const char *dir, AmphiArena *arena);

/* input/SHA256SUMS. */
typedef struct {
    int32_t     n;
    const char *hash[REPORT_FILES], *name[REPORT_FILES];
} ReportInput;

ReportInput report_input(const char *dir, AmphiArena *arena);

#endif
