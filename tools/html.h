/* Writes an HTML page in a single file: no scripts, no external resources, printable.
 *
 * All text is escaped, and bytes that are not UTF-8 are replaced by U+FFFD. A line feed in a cell
 * or a text begins a new line. Failures are reported by tool_page_end. Numbers are formatted by
 * numbers.h.
 */
#ifndef AMPHI_TOOLS_HTML_H
#define AMPHI_TOOLS_HTML_H

#include "../engine/formats/sink.h"

typedef struct {
    AmphiSink   sink;
    const char *align;     /* of the open table */
    int         n_figures; /* SVG figures so far; makes their ids unique */
} ToolPage;

/* A judgement, shown by a word or sign and a colour. */
typedef enum { TOOL_PLAIN, TOOL_GOOD, TOOL_DOUBTFUL, TOOL_BAD } ToolVerdict;

/* Opens PATH.tmp. `path` must be valid until tool_page_end. subtitle may be NULL. */
void tool_page_begin(ToolPage *page, const char *path, const char *title, const char *subtitle);
/* Completes the page and renames it to `path`. foot may be NULL. */
AmphiStatus tool_page_end(ToolPage *page, const char *foot, AmphiError *err);

/* A numbered heading, and a heading of the second level. */
void tool_page_section(ToolPage *page, const char *heading);
void tool_page_part(ToolPage *page, const char *heading);
/* A paragraph, and one in smaller type. */
void tool_page_text(ToolPage *page, const char *form, ...) __attribute__((format(printf, 2, 3)));
void tool_page_remark(ToolPage *page, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* n bytes of preformatted text. */
void tool_page_listing(ToolPage *page, const char *text, size_t n);
/* A highlighted message. */
void tool_page_alarm(ToolPage *page, ToolVerdict verdict, const char *text);

/* Boxes in a row, each with a label, a value in large type and a remark ("": none). */
void tool_page_tiles_begin(ToolPage *page);
void tool_page_tile(ToolPage *page, ToolVerdict verdict, const char *label, const char *value,
                    const char *remark);
void tool_page_tiles_end(ToolPage *page);

/* A table. `align` has a letter for each column, l (text) or r (numbers); it must be valid until
 * the end of the table. caption and head may be NULL, and so may cells. */
void tool_page_table_begin(ToolPage *page, const char *caption, const char *align,
                           const char *const *head);
void tool_page_row(ToolPage *page, const char *const *cell);
void tool_page_table_end(ToolPage *page);

/* Figures between these calls are placed side by side if the page is wide enough. */
void tool_page_pair_begin(ToolPage *page);
void tool_page_pair_end(ToolPage *page);
/* Embeds a picture, an SVG written by gnuplot (whose ids are made unique) or a PNG, with a caption.
 * False, and nothing is written: the file cannot be read or has another format. */
bool tool_page_svg(ToolPage *page, const char *path, const char *caption);
bool tool_page_png(ToolPage *page, const char *path, const char *alternative, const char *caption);

/* A legend: colours (red, green, blue from 0 to 1) and their meanings. */
void tool_page_legend_begin(ToolPage *page);
void tool_page_legend(ToolPage *page, const double rgb[3], const char *name);
void tool_page_legend_end(ToolPage *page);

#endif
