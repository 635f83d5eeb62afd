/* What a run left, read back: small tables, status.json, run.log, the files of its input. */
#ifndef AMPHI_TOOLS_REPORT_TABLE_H
#define AMPHI_TOOLS_REPORT_TABLE_H

#include "../engine/arena.h"

enum { REPORT_COLUMNS = 64, REPORT_ROWS = 8192, REPORT_SEEDS = 64, REPORT_FILES = 64 };

/* A text file as lines; what is behind the first 4 MB is left out. */
typedef struct {
    int32_t n;
    char  **line; /* [n] without their ends */
} ReportLines;

/* Not there, not readable, or no memory: no lines. */
ReportLines report_lines(const char *dir, const char *name, AmphiArena *arena);

/* A table of a run: '#' lines, a heading, tabs. Lines with another number of cells than the heading
 * are left out, as a run that is going on may not have completed its last one. */
typedef struct {
    int32_t      n_columns, n_rows;
    const char  *head[REPORT_COLUMNS];
    const char **cell;     /* [n_rows][n_columns] */
    ReportLines  comments; /* without "# " */
} ReportTable;

/* False: not there, or without rows. */
bool report_table(const char *dir, const char *name, AmphiArena *arena, ReportTable *table);
bool report_has(const ReportTable *table, const char *column);
/* NULL: no such column. */
const char *report_cell(const ReportTable *table, int32_t row, const char *column);
double      report_number(const ReportTable *table, int32_t row, const char *column); /* or NaN */
/* What stands behind "# KEY: "; NULL: no such line. */
const char *report_comment(const ReportTable *table, const char *key);
/* The row with `value` in its first column; -1: none. */
int32_t report_row(const ReportTable *table, const char *value);

/* status.json. Numbers that it has not are NaN, texts "". */
typedef struct {
    bool   is_there;
    char   state[32], stage[128], backend[256], version[32];
    double step, n_steps, time_ps, ns_per_day, drift, drift_error, wall_s, memory_MB;
} ReportStatus;

ReportStatus report_status(const char *dir, AmphiArena *arena);

/* run.log, as its last beginning tells it. Texts are "" where it does not. */
typedef struct {
    const char *version, *input, *command, *machine, *began, *error, *state;
    int32_t     n_options, n_seeds, n_overrides;
    const char *option[REPORT_SEEDS], *seed[REPORT_SEEDS], *override[REPORT_SEEDS];
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
