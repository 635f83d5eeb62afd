/* Where results of `amphi analyse` go: they are written in DIR/.amphi-unfinished, a name that no
 * user gives a folder, and at the end each file replaces the one of its name in DIR. Other files in
 * DIR stay.
 */
#ifndef AMPHI_TOOLS_ANALYSE_FOLDER_H
#define AMPHI_TOOLS_ANALYSE_FOLDER_H

#include "command.h"

enum { TOOL_MOST_RESULTS = 128 };

typedef struct {
    char    dir[AMPHI_PATH_SIZE], unfinished[AMPHI_PATH_SIZE];
    int     lock; /* a handle of the folder; -1: not open */
    bool    is_new;
    int32_t n_files; /* after tool_results_publish: the paths of all that was written */
    char   *file[TOOL_MOST_RESULTS];
} ToolResults;

/* Makes the folder if there is none, with an empty DIR/.amphi-unfinished. AMPHI_BAD_FILE: that
 * fails, or another amphi analyse is at work there. Closing is always needed. */
AmphiStatus tool_results_open(ToolResults *results, const char *dir, AmphiError *err);
/* Moves what was written into the folder, each file in one rename; empty ones are left out. */
AmphiStatus tool_results_publish(ToolResults *results, AmphiError *err);
/* After that: removes the file of that name, which would be of an earlier analysis, if none was
 * written now. *was_there: there was one. AMPHI_BAD_FILE: it cannot be removed. */
AmphiStatus tool_results_drop(const ToolResults *results, const char *name, bool *was_there,
                              AmphiError *err);
/* Removes what was not published, and a folder that was made for it. */
void tool_results_close(ToolResults *results);

#endif
