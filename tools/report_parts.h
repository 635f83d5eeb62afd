/* What the parts of the report share: report.c what is read and the order, report_verdict.c how the run
 * stands, report_figures.c the scripts of curves, report_page.c and report_record.c the sections. Private
 * to tools/report*.c.
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
    AmphiError no_gnuplot, no_tachyon; /* why pictures are missing; status AMPHI_OK: they are not */
} Report;

/* ---- report_verdict.c ---- */

/* The stage of the job that a stage of energy.tsv is; NULL: not known. */
const AmphiStage *report_stage_of(const Report *r, int32_t stage);
/* "measure", or "3". */
const char *report_stage_name(const Report *r, int32_t stage, char text[128]);
/* The last stage of energy.tsv; -1: none. */
int32_t report_last(const Report *r);
void    report_verdict(Report *r);

/* ---- report_figures.c: each draws FIGURES/NAME.svg and puts it on the page; nothing where there is
 * nothing to draw ---- */

void report_draw_terms(Report *r);
void report_draw_conserved(Report *r);
void report_draw_temperature(Report *r);
void report_draw_states(Report *r); /* pressure, box, area, thickness */

/* ---- report_curves.c ---- */

void report_draw_profiles(Report *r, const ReportTable *profile);
void report_draw_order(Report *r, const ReportTable *order);
void report_draw_diffusion(Report *r, const ReportTable *msd);
void report_draw_rdf(Report *r, const ReportTable *rdf);

/* Opens FIGURES/NAME.gp of pictures of this size; false: it cannot be drawn anyway. */
typedef struct {
    AmphiSink   sink;
    ToolPicture picture;
    char        path[AMPHI_PATH_SIZE];
} ReportScript;
bool report_begin_script(const Report *r, ReportScript *script, const char *name, int width,
                         int height, int rows, int columns);
/* Ends it, draws it, and puts it on the page; that gnuplot is missing is kept in r->no_gnuplot. */
void report_end_script(Report *r, ReportScript *script, const char *caption);
enum { REPORT_WIDE = 940, REPORT_HALF = 456, REPORT_HEIGHT = 300 };

/* ---- report_snapshot.c ---- */

void report_snapshot(Report *r);

/* ---- report_page.c, report_record.c: the sections in their order ---- */

void report_energies(Report *r);
void report_states(Report *r);
void report_profiles(Report *r);
void report_results(Report *r);
void report_speed(Report *r);
void report_record(Report *r);

#endif
