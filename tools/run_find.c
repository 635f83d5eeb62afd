/* Finding a run. */
#include "run_find.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "report_table.h"

bool tool_is_run(const char *folder)
{
    char path[AMPHI_PATH_SIZE];

    return tool_join(folder, "run.log", path, NULL) == AMPHI_OK && access(path, F_OK) == 0;
}

static bool ends_in_run(const char *name)
{
    const size_t n = strlen(name);

    return n > 4 && strcmp(name + n - 4, ".run") == 0;
}

/* The present folder when it is a run, else the only one in it. */
static AmphiStatus find_here(const char *command, char folder[AMPHI_PATH_SIZE], AmphiError *err)
{
    DIR *const here    = tool_is_run(".") ? NULL : opendir(".");
    int        n_found = 0;

    snprintf(folder, AMPHI_PATH_SIZE, ".");
    if (here == NULL)
        return AMPHI_OK;
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        if (ends_in_run(entry->d_name) && tool_is_run(entry->d_name)) {
            snprintf(folder, AMPHI_PATH_SIZE, "%s", entry->d_name);
            n_found++;
        }
    closedir(here);
    if (n_found == 1)
        return AMPHI_OK;
    return amphi_fail(err, AMPHI_BAD_COMMAND, "%s here\n    write: amphi %s RUN.run",
                      n_found == 0 ? "there is no run" : "there are several runs", command);
}

AmphiStatus tool_find_run(const ToolCall *call, char folder[AMPHI_PATH_SIZE], AmphiError *err)
{
    if (call->n_arguments == 0)
        return find_here(call->command->name, folder, err);
    if (access(call->argument[0], F_OK) != 0)
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", call->argument[0], strerror(errno));
    if (snprintf(folder, AMPHI_PATH_SIZE, "%s", call->argument[0]) >= AMPHI_PATH_SIZE ||
        !tool_is_run(folder))
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: not the folder of a run: it has no run.log",
                          call->argument[0]);
    return AMPHI_OK;
}

AmphiStatus tool_find_input(const char *folder, char path[AMPHI_PATH_SIZE], AmphiError *err)
{
    AmphiArena *const arena = amphi_arena_new();
    char              name[512];
    AmphiStatus       status = AMPHI_OK;

    if (arena == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", folder);

    const ReportInput input = report_input(folder, arena);
    snprintf(name, sizeof name, "input/%.480s", input.n > 0 ? input.name[0] : "");
    if (input.n == 0)
        status = amphi_fail(err, AMPHI_BAD_FILE, "%.400s/input: no copy of the system that was run",
                            folder);
    else
        status = tool_join(folder, name, path, err);
    amphi_arena_free(arena);
    return status;
}
