/* Columns of amphi's text tables as bare numbers, for programs that read no headings. */
#ifndef AMPHI_TOOLS_COLUMNS_H
#define AMPHI_TOOLS_COLUMNS_H

#include "options.h"

/* Writes the columns `names` ("conserved", or several parted by commas) of the table `from`: a line
 * for each of its rows, the numbers parted by blanks and with the digits that they have there;
 * comments and the heading are left out. `to` NULL: standard output, with --json objects of kind
 * "row". The last row is left out, with a remark, if its line has no end, for a run may be writing
 * it. AMPHI_BAD_COMMAND: there is no such column, or `to` is the table. AMPHI_BAD_INPUT: the file
 * is no table of numbers. AMPHI_BAD_FILE. On failure the file `to` is left as it was. */
AmphiStatus tool_columns_write(const ToolCall *call, const char *from, const char *names,
                               const char *to, AmphiError *err);

#endif
