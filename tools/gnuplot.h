/* What all scripts for gnuplot have: a look at the table first, colours, panels, curves, the launch. */
#ifndef AMPHI_TOOLS_GNUPLOT_H
#define AMPHI_TOOLS_GNUPLOT_H

#include "../engine/formats/sink.h"

enum { TOOL_TABLE_LINE = 8192, TOOL_TABLE_COLUMNS = 64 };

/* A table, as far as its picture needs it. */
typedef struct {
    char    heading[TOOL_TABLE_LINE];
    int     n_columns;
    char   *column[TOOL_TABLE_COLUMNS];  /* into heading */
    int64_t n_lines;                     /* below the heading */
    double  first_time_ps, last_time_ps; /* the second column of the first and the last line */
} ToolTable;

/* A table that is not there has no lines. AMPHI_BAD_FILE: it cannot be read. */
AmphiStatus tool_table_look(const char *path, ToolTable *table, AmphiError *err);
bool        tool_table_has(const ToolTable *table, const char *column);
/* Is this column of energy.tsv a part of the potential energy? */
bool tool_table_is_term(const char *column);

/* What a picture is: pixels, and panels that stand in rows and columns. */
typedef struct {
    const char *name;  /* of its files, without ending */
    const char *kinds; /* "svg" or "svg png" */
    int         width, height, rows, columns;
} ToolPicture;

/* The script is SINK; its tables are found beside it, wherever it is called from: `here` is the
 * folder, with a slash behind it or empty. */
void        tool_gnuplot_begin(AmphiSink *sink, const ToolPicture *picture);
AmphiStatus tool_gnuplot_end(const ToolPicture *picture, AmphiSink *sink, AmphiError *err);
/* "plot" before the first curve, a comma before the others. */
void tool_gnuplot_curve(AmphiSink *sink, int *n_curves);
/* 'text' with its quotes doubled. */
void tool_gnuplot_text(AmphiSink *sink, const char *text);

/* Runs FOLDER/NAME.gp. AMPHI_BAD_COMMAND, with one line that names the package: no gnuplot. */
AmphiStatus tool_gnuplot_draw(const char *folder, const char *name, AmphiError *err);

#endif
