/* One page of HTML that stands alone: no scripts, nothing from elsewhere, fit for paper.
 *
 * Text from anywhere may be given: it is escaped, and bytes that are not UTF-8 become U+FFFD. A line
 * feed in a cell or a text breaks the line. Failures are kept until tool_page_end. numbers.h writes
 * numbers for it.
 */
#ifndef AMPHI_TOOLS_HTML_H
#define AMPHI_TOOLS_HTML_H

#include "../engine/formats/sink.h"

typedef struct {
    AmphiSink   sink;
    const char *align;     /* of the open table */
    int         n_figures; /* SVG so far: their ids are told apart by it */
} ToolPage;

/* How something stands; shown by a word or sign and a colour. */
typedef enum { TOOL_PLAIN, TOOL_GOOD, TOOL_DOUBTFUL, TOOL_BAD } ToolVerdict;

/* Opens PATH.tmp; `path` stays the caller's until the end. subtitle NULL: none. */
void tool_page_begin(ToolPage *page, const char *path, const char *title, const char *subtitle);
/* foot NULL: none. The page stands under its name, or err says why not. */
AmphiStatus tool_page_end(ToolPage *page, const char *foot, AmphiError *err);

/* A numbered heading, and one below it. */
void tool_page_section(ToolPage *page, const char *heading);
void tool_page_part(ToolPage *page, const char *heading);
/* A paragraph; a remark is smaller. */
void tool_page_text(ToolPage *page, const char *form, ...) __attribute__((format(printf, 2, 3)));
void tool_page_remark(ToolPage *page, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* Text as it stands, in its own lines: n bytes of it. */
void tool_page_listing(ToolPage *page, const char *text, size_t n);
/* A message that must not be overlooked. */
void tool_page_alarm(ToolPage *page, ToolVerdict verdict, const char *text);

/* Boxes side by side: a label, a value in large letters, a remark ("": none). */
void tool_page_tiles_begin(ToolPage *page);
void tool_page_tile(ToolPage *page, ToolVerdict verdict, const char *label, const char *value,
                    const char *remark);
void tool_page_tiles_end(ToolPage *page);

/* A table: align has a letter for each column, l (text) or r (numbers); it and head are read to the
 * end of the table. caption, head NULL: none. A cell NULL is empty. */
void tool_page_table_begin(ToolPage *page, const char *caption, const char *align,
                           const char *const *head);
void tool_page_row(ToolPage *page, const char *const *cell);
void tool_page_table_end(ToolPage *page);

/* Figures between these two stand side by side where there is room. */
void tool_page_pair_begin(ToolPage *page);
void tool_page_pair_end(ToolPage *page);
/* A picture as gnuplot's svg terminal writes it, its ids made the page's own, or a PNG; with a
 * caption below. False, and nothing on the page: the file cannot be read or is something else. */
bool tool_page_svg(ToolPage *page, const char *path, const char *caption);
bool tool_page_png(ToolPage *page, const char *path, const char *alternative, const char *caption);

/* A line of colours (red, green, blue from 0 to 1), each with what it stands for. */
void tool_page_legend_begin(ToolPage *page);
void tool_page_legend(ToolPage *page, const double rgb[3], const char *name);
void tool_page_legend_end(ToolPage *page);

#endif
