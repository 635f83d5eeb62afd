/* Common parts of gnuplot scripts: size of a table, beginning, curves and end of a script, and how
 * it is executed.
 */
#ifndef AMPHI_TOOLS_GNUPLOT_H
#define AMPHI_TOOLS_GNUPLOT_H

#include "../engine/formats/sink.h"

enum { TOOL_TABLE_LINE = 8192, TOOL_TABLE_COLUMNS = 64 };

/* What the script for a table needs to know of it. */
typedef struct {
    char    heading[TOOL_TABLE_LINE];
    int     n_columns;
    char   *column[TOOL_TABLE_COLUMNS];  /* pointers into heading */
    int64_t n_lines;                     /* below the heading */
    double  first_time_ps, last_time_ps; /* the second column of the first and the last line */
} ToolTable;

/* A file that does not exist is a table without lines. AMPHI_BAD_FILE: it cannot be read. */
AmphiStatus tool_table_look(const char *path, ToolTable *table, AmphiError *err);
bool        tool_table_has(const ToolTable *table, const char *column);
/* Is this column of energy.tsv a part of the potential energy? */
bool tool_table_is_term(const char *column);

/* Bytes of a picture's name with its ending: the longest is that of an output with a label. */
enum { TOOL_FIGURE_SIZE = 128 };

/* A picture: its size in pixels, and panels in rows and columns. */
typedef struct {
    const char *name;  /* of its files, without the ending */
    const char *kinds; /* "svg" or "svg png" */
    int         width, height, rows, columns;
} ToolPicture;

/* Beginning and end of a script, which is written to SINK. It defines `here`, the folder of the
 * script ("", or with a slash at its end), in which the tables are, so that it can be executed from
 * anywhere. */
void        tool_gnuplot_begin(AmphiSink *sink, const ToolPicture *picture);
AmphiStatus tool_gnuplot_end(const ToolPicture *picture, AmphiSink *sink, AmphiError *err);
/* Writes what precedes a curve: "plot" for the first one, a comma for the others. */
void tool_gnuplot_curve(AmphiSink *sink, int *n_curves);
/* Writes 'text' with single quotes in it doubled. */
void tool_gnuplot_text(AmphiSink *sink, const char *text);

/* Executes FOLDER/NAME.gp. AMPHI_BAD_COMMAND: gnuplot is not installed; err names the package. */
AmphiStatus tool_gnuplot_draw(const char *folder, const char *name, AmphiError *err);

#endif
