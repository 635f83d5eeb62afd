/* energy.tsv by stages: means with errors of every column, and the line through the conserved energy. */
#ifndef AMPHI_TOOLS_REPORT_STAGES_H
#define AMPHI_TOOLS_REPORT_STAGES_H

#include "../engine/blocks.h"

enum { REPORT_STAGES = 64, REPORT_VALUES = 64 };

/* A line through n points, by running means. */
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
               blocks; /* of each column less its first value, and its square; of time less first */
    ReportLine line;   /* of the conserved energy */
} ReportStage;

typedef struct {
    AmphiArena *arena;
    int32_t     n_columns, n;
    int64_t     n_lines;
    const char *column[REPORT_VALUES];
    ReportStage stage[REPORT_STAGES];
} ReportStages;

/* A value that is not known is NaN. */
typedef struct {
    double mean, error, independent;
} ReportMean;

/* The slope of the conserved energy: per ps of time, and of kT per ns and degree of freedom; errors
 * know of correlation. at ps, energy: the middle of the line. spread_ps: the deviation of the times.
 * student: how many errors the 95 % band is wide on each side. */
typedef struct {
    double  slope_kJ_mol_ps, slope_error, drift_kT_ns_dof, drift_error;
    double  at_ps, energy_kJ_mol, spread_ps, student;
    int64_t n;
} ReportDrift;

/* energy.tsv of `dir`; not there: no stages. From stage REPORT_STAGES on, the rest is one. */
void report_stages(const char *dir, AmphiArena *arena, ReportStages *stages);
/* Place of a column; -1: none. */
int32_t     report_place(const ReportStages *stages, const char *column);
ReportMean  report_mean(const ReportStages *stages, int32_t stage, const char *column);
ReportDrift report_drift(const ReportStages *stages, int32_t stage);
/* Two-sided 95 % of Student's distribution; freedom >= 1. */
double report_student(double freedom);

#endif
