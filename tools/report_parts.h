/* Data and functions shared by the parts of the report; private to tools/report*.c.
 *
 * report.c reads the run and calls the parts in order, report_verdict.c judges the run,
 * report_figures.c and report_curves.c plot, report_page.c and report_record.c write the sections.
 */
#ifndef AMPHI_TOOLS_REPORT_PARTS_H
#define AMPHI_TOOLS_REPORT_PARTS_H

#include "../engine/job.h"
#include "gnuplot.h"
#include "html.h"
#include "numbers.h"
#include "report_stages.h"
#include "report_table.h"

typedef struct {
    const char     *dir, *figures; /* the run; DIR/figures, "" when it cannot be made */
    const AmphiJob *job;           /* NULL: not known */
    AmphiArena     *arena;
    ReportStatus    status;
    ReportLog       log;
    ReportInput     input;
    ReportStages    stages;
    ToolPage        page;
    AmphiError      no_gnuplot; /* why curves are missing; AMPHI_OK: none is */
} Report;

/* ---- report_verdict.c ---- */

/* The job's stage for a stage of energy.tsv; NULL: not known. */
const AmphiStage *report_stage_of(const Report *r, int32_t stage);
/* The name of the stage, "measure", or its number, "3". */
const char *report_stage_name(const Report *r, int32_t stage, char text[128]);
/* Index of the last stage of energy.tsv; -1: there is none. */
int32_t report_last(const Report *r);
/* Did the run end, is its energy conserved, does it have the target temperature? */
void report_verdict(Report *r);

/* ---- report_figures.c: each plots FIGURES/NAME.svg and embeds it, if there are data ---- */

void report_draw_terms(Report *r);
void report_draw_conserved(Report *r);
void report_draw_temperature(Report *r);
void report_draw_states(Report *r); /* pressure, box, area, thickness */

/* ---- report_curves.c ---- */

void report_draw_profiles(Report *r, const ReportTable *profile);
void report_draw_order(Report *r, const ReportTable *order);
void report_draw_diffusion(Report *r, const ReportTable *msd);
void report_draw_rdfs(Report *r);        /* of all tables */
bool report_has_groups(const Report *r); /* profiles of groups */
void report_draw_groups(Report *r);
void report_draw_undulations(Report *r, const ReportTable *waves);

typedef struct {
    AmphiSink   sink;
    ToolPicture picture;
    char        path[AMPHI_PATH_SIZE];
} ReportScript;
/* Opens the script FIGURES/NAME.gp for a picture of this size; false: it cannot be plotted. */
bool report_begin_script(const Report *r, ReportScript *script, const char *name, int width,
                         int height, int rows, int columns);
/* Completes and executes the script and embeds the picture; sets r->no_gnuplot if gnuplot is not
 * installed, and only completes scripts from then on. */
void report_end_script(Report *r, ReportScript *script, const char *caption);
enum { REPORT_WIDE = 940, REPORT_HALF = 456, REPORT_HEIGHT = 300 };

/* The pressure that the stage holds along all axes, bar; NaN: none, or along z alone, or less along
 * x and y by a tension. */
double report_pressure_held(const AmphiStage *stage);

/* ---- report_snapshot.c ---- */

void report_snapshot(Report *r);

/* ---- report_page.c, report_pressure.c, report_record.c: the sections in their order ---- */

/* A table of an output that the job has; false: there is none. */
bool report_find(const Report *r, const char *name, ReportTable *table);
/* "17.2 +- 0.4 kT" as a table has it; unit, behind the numbers, may be NULL. */
ReportMean report_mean_in(const char *text, const char **unit);
/* The comment "# KEY: 17.2 +- 0.4 kT" with the digits that the page gives means; NULL: there is
 * none. */
enum { REPORT_NOTED = 192 };
const char *report_noted(const ReportTable *table, const char *key, char text[REPORT_NOTED]);
void        report_energies(Report *r);
void        report_states(Report *r);
void        report_profiles(Report *r);
void        report_pressures(Report *r);
void        report_results(Report *r);
void        report_speed(Report *r);
void        report_record(Report *r);

#endif
