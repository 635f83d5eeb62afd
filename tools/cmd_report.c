/* amphi report: writes the report of a run again, from its directory. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "print.h"
#include "report.h"
#include "report_table.h"

static bool is_run(const char *folder)
{
    char       path[TOOL_PATH_SIZE];
    AmphiError err = { .status = AMPHI_OK };

    return tool_join(folder, "run.log", path, &err) == AMPHI_OK && access(path, F_OK) == 0;
}

static bool ends_in_run(const char *name)
{
    const size_t n = strlen(name);

    return n > 4 && strcmp(name + n - 4, ".run") == 0;
}

/* The present folder when it is a run, else the only one in it. */
static AmphiStatus find_run(char folder[TOOL_PATH_SIZE], AmphiError *err)
{
    DIR *const here    = is_run(".") ? NULL : opendir(".");
    int        n_found = 0;

    snprintf(folder, TOOL_PATH_SIZE, ".");
    if (here == NULL)
        return AMPHI_OK;
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        if (ends_in_run(entry->d_name) && is_run(entry->d_name)) {
            snprintf(folder, TOOL_PATH_SIZE, "%s", entry->d_name);
            n_found++;
        }
    closedir(here);
    if (n_found == 1)
        return AMPHI_OK;
    return amphi_fail(err, AMPHI_BAD_COMMAND,
                      n_found == 0
                          ? "there is no run here\n    write: amphi report RUN.run"
                          : "there are several runs here\n    write: amphi report RUN.run");
}

static AmphiStatus choose_run(const ToolCall *call, char folder[TOOL_PATH_SIZE], AmphiError *err)
{
    if (call->n_arguments == 0)
        return find_run(folder, err);
    if (access(call->argument[0], F_OK) != 0)
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", call->argument[0], strerror(errno));
    if (snprintf(folder, TOOL_PATH_SIZE, "%s", call->argument[0]) >= TOOL_PATH_SIZE ||
        !is_run(folder))
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: not the folder of a run: it has no run.log",
                          call->argument[0]);
    return AMPHI_OK;
}

/* Loads the copy of the job in the run directory; NULL, and the report does without it, if that
 * includes a force field from a folder that was not copied or needs too much memory. */
static AmphiJob *load_job(const AmphiLoadOptions *options, const char *folder)
{
    AmphiArena *const arena = amphi_arena_new();
    AmphiNotes *const notes = amphi_notes_new();
    AmphiJob         *job   = NULL;
    char              name[512], path[TOOL_PATH_SIZE];
    AmphiError        err = { .status = AMPHI_OK };

    if (arena != NULL && notes != NULL) {
        const ReportInput input = report_input(folder, arena);

        snprintf(name, sizeof name, "input/%.480s", input.n > 0 ? input.name[0] : "");
        if (input.n > 0 && tool_join(folder, name, path, &err) == AMPHI_OK)
            job = amphi_job_load(path, options, notes, &err);
    }
    amphi_notes_free(notes);
    amphi_arena_free(arena);
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
    AMPHI_TRY(choose_run(call, folder, err));
    AMPHI_TRY(tool_join(folder, "report.html", path, err));

    const char *const file = tool_value(call, "output") != NULL ? tool_value(call, "output") : path;
    AmphiJob *const   job  = load_job(&options, folder);

    status = tool_report_write(folder, job, file, err);
    if (status == AMPHI_OK)
        tell_done(call, file, job != NULL);
    amphi_job_free(job);
    return status;
}
