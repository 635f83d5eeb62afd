/* amphi report: writes the report of a run again, from its directory. */
#include <stdio.h>

#include "print.h"
#include "report.h"
#include "run_find.h"

/* Loads the copy of the job in the run directory; NULL, and the report does without it, if a file
 * of it cannot be found or it needs too much memory. */
static AmphiJob *load_job(const AmphiLoadOptions *options, const char *folder)
{
    AmphiNotes *const notes = amphi_notes_new();
    AmphiJob         *job   = NULL;
    char              path[TOOL_PATH_SIZE];
    AmphiError        err = { .status = AMPHI_OK };

    if (notes != NULL && tool_find_input(folder, path, &err) == AMPHI_OK)
        job = amphi_job_load(path, options, notes, &err);
    amphi_notes_free(notes);
    return job;
}

static void tell_done(const ToolCall *call, const char *path, bool has_job)
{
    char     safe[TOOL_PATH_SIZE];
    ToolJson json;

    if (!has_job)
        tool_remark(call,
                    "the system in input/ could not be read: the page has neither its picture nor "
                    "the temperatures and pressures that were asked for");
    if (!tool_has(call, "json")) {
        fprintf(call->out, "%s\n", tool_harmless(path, safe, sizeof safe));
        return;
    }
    json = tool_json_begin(call->out, "report");
    tool_json_text(&json, "file", path);
    tool_json_flag(&json, "has_system", has_job);
    tool_json_end(&json);
}

AmphiStatus cmd_report(const ToolCall *call, AmphiError *err)
{
    char             folder[TOOL_PATH_SIZE], path[TOOL_PATH_SIZE];
    AmphiLoadOptions options;
    AmphiStatus      status;

    AMPHI_TRY(tool_load_options(call, &options, err));
    options.is_copy = true;
    AMPHI_TRY(tool_find_run(call, folder, err));
    AMPHI_TRY(tool_join(folder, "report.html", path, err));

    const char *const file = tool_value(call, "output") != NULL ? tool_value(call, "output") : path;
    AmphiJob *const   job  = load_job(&options, folder);

    status = tool_report_write(folder, job, file, err);
    if (status == AMPHI_OK)
        tell_done(call, file, job != NULL);
    amphi_job_free(job);
    return status;
}
