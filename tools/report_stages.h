/* Statistics of energy.tsv for each stage: means with errors of every column, and the drift of the
 * conserved energy.
 */
#ifndef AMPHI_TOOLS_REPORT_STAGES_H
#define AMPHI_TOOLS_REPORT_STAGES_H

#include "../engine/blocks.h"

enum { REPORT_VALUES = 64 };

/* Accumulates a linear fit by running means. */
typedef struct {
    int64_t n;
    double  mean_t, mean_e, tt, te; /* sums of products of deviations */
} ReportLine;

typedef struct {
    int32_t number; /* of the stage, from 1 */
    int64_t n_lines;
    double  first_ps, last_ps;
    double  first[REPORT_VALUES], least[REPORT_VALUES], most[REPORT_VALUES];
    AmphiBlocks
               blocks; /* of each column and its square, and of time, all less their first values */
    ReportLine line;   /* of the conserved energy */
} ReportStage;

typedef struct {
    AmphiArena  *arena;
    int32_t      n_columns, n, room;
    int64_t      n_lines;
    const char  *column[REPORT_VALUES];
    ReportStage *stage; /* [n], of the room */
} ReportStages;

/* NaN: not known. */
typedef struct {
    double mean, error;
    double independent; /* number of independent samples */
} ReportMean;

/* A line through the conserved energy. Errors are standard errors with correlation taken into
 * account. */
typedef struct {
    double  slope_kJ_mol_ps, slope_error;
    double  drift_kT_ns_dof, drift_error; /* the slope per degree of freedom */
    double  at_ps, energy_kJ_mol;         /* mean time and energy, a point of the line */
    double  spread_ps;                    /* standard deviation of the times */
    double  student;                      /* half width of the 95 % band in standard errors */
    int64_t n;
} ReportDrift;

/* Reads DIR/energy.tsv; no stages if it does not exist. */
void report_stages(const char *dir, AmphiArena *arena, ReportStages *stages);
/* Index of a column; -1: there is none. */
int32_t     report_place(const ReportStages *stages, const char *column);
ReportMean  report_mean(const ReportStages *stages, int32_t stage, const char *column);
ReportDrift report_drift(const ReportStages *stages, int32_t stage);
/* Two-sided 95 % quantile of Student's distribution; freedom >= 1. */
double report_student(double freedom);

#endif
