/* amphi report: writes the report of a run again, from its directory. */
#include <stdio.h>

#include "print.h"
#include "report.h"
#include "run_find.h"

enum { REASON_SIZE = 640 };

/* The first error, or why there is none. */
static void tell_reason(AmphiNotes *notes, const AmphiError *err, char reason[REASON_SIZE])
{
    int64_t                n    = 0;
    const AmphiNote *const note = amphi_notes_sorted(notes, &n);

    for (int64_t k = 0; k < n; k++)
        if (note[k].severity == AMPHI_NOTE_ERROR) {
            snprintf(reason, REASON_SIZE, "%.256s:%lld: %s",
                     note[k].where.file != NULL ? note[k].where.file : "input",
                     (long long)note[k].where.line, note[k].text);
            return;
        }
    snprintf(reason, REASON_SIZE, "%s", err->status != AMPHI_OK ? err->text : "no memory");
}

/* Loads the copy of the job in the run directory; NULL, with the reason, and the report does
 * without it, if a file of it cannot be found or read or it needs too much memory. */
static AmphiJob *load_job(const AmphiLoadOptions *options, const char *folder,
                          char reason[REASON_SIZE])
{
    AmphiNotes *const notes = amphi_notes_new();
    AmphiJob         *job   = NULL;
    char              path[AMPHI_PATH_SIZE];
    AmphiError        err = { .status = AMPHI_OK };

    if (notes != NULL && tool_find_input(folder, path, &err) == AMPHI_OK)
        job = amphi_job_load(path, options, notes, &err);
    if (job == NULL)
        tell_reason(notes, &err, reason);
    amphi_notes_free(notes);
    return job;
}

/* reason: why there is no system; NULL if there is. */
static void tell_done(const ToolCall *call, const char *path, const char *reason)
{
    char     safe[AMPHI_PATH_SIZE], why[REASON_SIZE];
    ToolJson json;

    if (reason != NULL)
        tool_remark(call,
                    "the system in input/ could not be read: the page has neither its picture nor "
                    "the temperatures and pressures that were asked for\n    %s",
                    tool_harmless(reason, why, sizeof why));
    if (!tool_has(call, "json")) {
        fprintf(call->out, "%s\n", tool_harmless(path, safe, sizeof safe));
        return;
    }
    json = tool_json_begin(call->out, "report");
    tool_json_text(&json, "file", path);
    tool_json_flag(&json, "has_system", reason == NULL);
    tool_json_end(&json);
}

AmphiStatus cmd_report(const ToolCall *call, AmphiError *err)
{
    char             folder[AMPHI_PATH_SIZE], path[AMPHI_PATH_SIZE], reason[REASON_SIZE];
    AmphiLoadOptions options;
    AmphiStatus      status;

    AMPHI_TRY(tool_load_options(call, &options, err));
    options.is_copy = true;
    AMPHI_TRY(tool_find_run(call, folder, err));
    AMPHI_TRY(tool_join(folder, "report.html", path, err));

    const char *const file = tool_value(call, "output") != NULL ? tool_value(call, "output") : path;
    AmphiJob *const   job  = load_job(&options, folder, reason);

    status = tool_report_write(folder, job, file, err);
    if (status == AMPHI_OK)
        tell_done(call, file, job != NULL ? NULL : reason);
    amphi_job_free(job);
    return status;
}
