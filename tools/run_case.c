/* A system file of `amphi run`, and the run that is to be made of it. */
#include "run_case.h"

#include <string.h>
#include <unistd.h>

#include "dry_run.h"
#include "print.h"
#include "run_find.h"
#include "run_job.h"
#include "run_options.h"
#include "stop.h"

/* A file of the job is not there any more, but a run of it: that has a copy. */
static void tell_copies(const ToolCall *call, AmphiNotes *notes, const char *folder)
{
    int64_t                n    = 0;
    const AmphiNote *const note = amphi_notes_sorted(notes, &n);
    char                   copy[AMPHI_PATH_SIZE], safe[2][AMPHI_PATH_SIZE];
    AmphiError             err  = { .status = AMPHI_OK };
    bool                   lack = false;

    for (int64_t k = 0; k < n; k++)
        lack = lack || note[k].id == AMPHI_MSG_FILE_NOT_THERE;
    if (!lack || !tool_is_run(folder) || tool_find_input(folder, copy, &err) != AMPHI_OK ||
        access(copy, R_OK) != 0 || strcmp(copy, call->argument[0]) == 0)
        return;
    tool_harmless(copy, safe[0], sizeof safe[0]);
    tool_harmless(folder, safe[1], sizeof safe[1]);
    tool_remark(call,
                "the run in %.400s has copies of the files that it began with\n"
                "    to go on with those write: amphi run %.400s -o %.400s",
                safe[1], safe[0], safe[1]);
}

/* The folder of one of several runs, in that of all. */
static AmphiStatus name_in(const char *parent, ToolRunCase *c, AmphiError *err)
{
    char name[AMPHI_PATH_SIZE];

    memcpy(name, c->folder, sizeof name);
    AMPHI_TRY(tool_join(parent, name, c->folder, err));
    tool_set_value(&c->call, "output", c->folder);
    return AMPHI_OK;
}

AmphiStatus tool_case_open(const ToolCall *call, int k, ToolRunCase *c, AmphiError *err)
{
    const char *const parent = call->n_arguments > 1 ? tool_value(call, "output") : NULL;

    *c                  = (ToolRunCase){ .call = *call };
    c->call.argument    = &call->argument[k];
    c->call.n_arguments = 1;
    if (parent != NULL)
        tool_set_value(&c->call, "output", NULL);
    AMPHI_TRY(tool_run_options(&c->call, &c->options, c->folder, err));
    if (parent != NULL)
        AMPHI_TRY(name_in(parent, c, err));
    return tool_has(call, "dry-run") ? AMPHI_OK : tool_confirm_fresh(&c->call, c->folder, err);
}

AmphiStatus tool_case_read(ToolRunCase *c, AmphiError *err)
{
    AmphiStatus status;

    c->notes = amphi_notes_new();
    status   = tool_load_noted(&c->call, c->notes, &c->job, err);
    if (status != AMPHI_OK && c->notes != NULL)
        tell_copies(&c->call, c->notes, c->folder);
    return status;
}

AmphiStatus tool_case_run(ToolRunCase *c, double began_s, int n_reports, AmphiError *err)
{
    if (tool_has(&c->call, "dry-run"))
        return tool_dry_run(&c->call, c->job, &c->options, err);
    tool_limit_steps(&c->call, c->job, began_s, n_reports, &c->options);
    return tool_run_job(&c->call, c->job, c->notes, &c->options, err);
}

void tool_case_close(ToolRunCase *c)
{
    amphi_job_free(c->job);
    amphi_notes_free(c->notes);
    c->job   = NULL;
    c->notes = NULL;
}
