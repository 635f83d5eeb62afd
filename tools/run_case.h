/* A system file of `amphi run`, and the run that is to be made of it. */
#ifndef AMPHI_TOOLS_RUN_CASE_H
#define AMPHI_TOOLS_RUN_CASE_H

#include "../engine/run.h"
#include "command.h"

typedef struct {
    ToolCall        call; /* as if this file were its only argument */
    AmphiRunOptions options;
    char            folder[AMPHI_PATH_SIZE]; /* of the run: options.dir, so this is not to move */
    AmphiNotes     *notes;
    AmphiJob       *job; /* NULL: not read */
} ToolRunCase;

/* Argument k of several. Where there are more than one, --output names the folder in which the
 * folders of their runs are, and which has to be there when one is run. AMPHI_BAD_COMMAND: a wrong
 * option, or a run that is there already is not to be thrown away. */
AmphiStatus tool_case_open(const ToolCall *call, int k, ToolRunCase *c, AmphiError *err);
/* Reads the system and prints what there is to say of it. */
AmphiStatus tool_case_read(ToolRunCase *c, AmphiError *err);
/* Runs it, or with --dry-run tries it. --max-hours began at began_s, and leaves time for n_reports,
 * which are made one by one. */
AmphiStatus tool_case_run(ToolRunCase *c, double began_s, int n_reports, AmphiError *err);
/* Frees the job and its notes; may be called again. */
void tool_case_close(ToolRunCase *c);

#endif
