/* Copies of the input, their hashes, and the log of a run. */
#include "run_record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "../engine/formats/sink.h"
#include "../engine/formats/snapshot.h"
#include "command.h"
#include "sha256.h"

/* ---- input/ ---- */

static const char sums_name[] = "SHA256SUMS";

static const char *base_of(const char *path)
{
    const char *const slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* The way to a file from the folder of the system file; NULL: it is not below that, or by way of
 * "..". */
static const char *below_system(const AmphiJob *job, int32_t k)
{
    const char *const system = job->file[0].path;
    const size_t      length = (size_t)(base_of(system) - system);
    const char *const path   = job->file[k].path;
    const char *const rest   = path + length;

    if (strncmp(path, system, length) != 0 || rest[0] == '/' || strncmp(rest, "../", 3) == 0 ||
        strstr(rest, "/../") != NULL)
        return NULL;
    return rest;
}

/* Is another copy to have this name? That of a file below the system's, whose name tells where it
 * was; or else the first one's. */
static bool is_taken(const AmphiJob *job, int32_t k, const char *name)
{
    for (int32_t j = 0; j < job->n_files; j++) {
        const char *const below = below_system(job, j);

        if (j != k && below != NULL ? strcmp(name, below) == 0
                                    : j < k && strcmp(name, base_of(job->file[j].path)) == 0)
            return true;
    }
    return strcmp(name, sums_name) == 0;
}

/* "ff/own.xml", from where the system's copy finds it by that name; of what lies elsewhere, as the
 * force fields that come with amphi do, "elba.xml", or "2-elba.xml" where another has that name. */
static void name_copy(const AmphiJob *job, int32_t k, char name[AMPHI_PATH_SIZE])
{
    const char *const below = below_system(job, k), *const base = base_of(job->file[k].path);

    if (below != NULL && strcmp(below, sums_name) != 0)
        snprintf(name, AMPHI_PATH_SIZE, "%s", below);
    else if (is_taken(job, k, base))
        snprintf(name, AMPHI_PATH_SIZE, "%d-%s", (int)k + 1, base);
    else
        snprintf(name, AMPHI_PATH_SIZE, "%s", base);
}

/* The folders between that one and a file of this name in it. */
static AmphiStatus make_folders(const char *folder, const char *name, AmphiError *err)
{
    char path[AMPHI_PATH_SIZE], part[AMPHI_PATH_SIZE];

    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        AMPHI_TRY(tool_join(folder, part, path, err));
        AMPHI_TRY(tool_make_folder(path, err));
    }
    return AMPHI_OK;
}

static AmphiStatus copy_file(const AmphiJob *job, int32_t k, const char *folder, AmphiSink *sums,
                             AmphiError *err)
{
    const AmphiWhere  nowhere = { NULL, 0 };
    AmphiArena *const arena   = amphi_arena_new();
    AmphiNotes *const notes   = amphi_notes_new();
    char              name[AMPHI_PATH_SIZE], path[AMPHI_PATH_SIZE], hash[TOOL_SHA256_SIZE];
    int64_t           n      = 0;
    const char       *bytes  = NULL;
    AmphiStatus       status = AMPHI_OK;
    AmphiSink         sink;

    name_copy(job, k, name);
    if (arena != NULL && notes != NULL)
        bytes = amphi_file_read(job->file[k].path, INT64_MAX / 2, &n, arena, nowhere, notes);
    if (bytes == NULL)
        status = amphi_fail(err, AMPHI_BAD_FILE, "%.400s: cannot be read again for the record",
                            job->file[k].path);
    if (status == AMPHI_OK)
        status = make_folders(folder, name, err);
    if (status == AMPHI_OK)
        status = tool_join(folder, name, path, err);
    if (status == AMPHI_OK && !tool_sha256(bytes, (size_t)n, hash))
        status = amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory for its hash", path);
    if (status == AMPHI_OK) {
        amphi_sink_print(sums, "%s  %s\n", hash, name);
        amphi_sink_open(&sink, path);
        amphi_sink_bytes(&sink, bytes, (size_t)n);
        status = amphi_sink_close(&sink, err);
    }
    amphi_notes_free(notes);
    amphi_arena_free(arena);
    return status;
}

/* Without a note of what cannot be read: that is no copy. */
static bool is_copied(const AmphiJob *job, int32_t k, const char *folder)
{
    const AmphiWhere  nowhere = { NULL, 0 };
    AmphiArena *const arena   = amphi_arena_new();
    AmphiNotes *const notes   = amphi_notes_new();
    char              name[AMPHI_PATH_SIZE], path[AMPHI_PATH_SIZE];
    const char       *bytes[2] = { NULL, NULL };
    int64_t           n[2]     = { 0, 0 };

    name_copy(job, k, name);
    if (arena != NULL && notes != NULL && tool_join(folder, name, path, NULL) == AMPHI_OK) {
        bytes[0] = amphi_file_read(job->file[k].path, INT64_MAX / 2, &n[0], arena, nowhere, notes);
        bytes[1] = amphi_file_read(path, INT64_MAX / 2, &n[1], arena, nowhere, notes);
    }

    const bool is_same = bytes[0] != NULL && bytes[1] != NULL && n[0] == n[1] &&
                         memcmp(bytes[0], bytes[1], (size_t)n[0]) == 0;
    amphi_notes_free(notes);
    amphi_arena_free(arena);
    return is_same;
}

bool tool_input_is_recorded(const AmphiJob *job, const char *dir)
{
    char folder[AMPHI_PATH_SIZE];
    bool is_there = tool_join(dir, "input", folder, NULL) == AMPHI_OK;

    for (int32_t k = 0; is_there && k < job->n_files; k++)
        is_there = is_copied(job, k, folder);
    return is_there;
}

AmphiStatus tool_record_input(const AmphiJob *job, const char *dir, AmphiError *err)
{
    char        folder[AMPHI_PATH_SIZE], path[AMPHI_PATH_SIZE];
    AmphiSink   sums;
    AmphiStatus status = AMPHI_OK;

    AMPHI_TRY(tool_join(dir, "input", folder, err));
    AMPHI_TRY(tool_make_folder(folder, err));
    AMPHI_TRY(tool_join(folder, sums_name, path, err));
    amphi_sink_open(&sums, path);
    for (int32_t k = 0; status == AMPHI_OK && k < job->n_files; k++)
        status = copy_file(job, k, folder, &sums, err);
    if (status != AMPHI_OK)
        amphi_sink_fail(&sums, status, "%s", err->text);
    return amphi_sink_close(&sums, err);
}

/* ---- run.log ---- */

AmphiStatus tool_log_open(ToolLog *log, const char *dir, AmphiError *err)
{
    AMPHI_TRY(tool_join(dir, "run.log", log->path, err));
    log->file = fopen(log->path, "ae");
    if (log->file == NULL)
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", log->path, strerror(errno));
    return AMPHI_OK;
}

void tool_log_line(ToolLog *log, const char *form, ...)
{
    const time_t now   = time(NULL);
    struct tm    about = { .tm_sec = 0 };
    char         clock[32];
    va_list      values;

    if (log->file == NULL)
        return;
    localtime_r(&now, &about);
    strftime(clock, sizeof clock, "%Y-%m-%d %H:%M:%S", &about);
    fprintf(log->file, "%s  ", clock);
    va_start(values, form);
    vfprintf(log->file, form, values);
    va_end(values);
    fputc('\n', log->file);
    fflush(log->file); /* what fails is told at the end */
}

void tool_log_notes(ToolLog *log, AmphiNotes *notes)
{
    int64_t                n    = 0;
    const AmphiNote *const note = amphi_notes_sorted(notes, &n);

    for (int64_t k = 0; k < n; k++)
        tool_log_line(log, "%s: line %" PRId64 " of %s: %s",
                      note[k].severity == AMPHI_NOTE_WARNING ? "warning" : "note",
                      note[k].where.line, note[k].where.file != NULL ? note[k].where.file : "it",
                      note[k].text);
}

AmphiStatus tool_log_close(ToolLog *log, AmphiError *err)
{
    if (log->file == NULL)
        return AMPHI_OK;

    const bool was_lost = ferror(log->file) != 0;
    const bool is_lost  = fclose(log->file) != 0 || was_lost;

    log->file = NULL;
    if (is_lost)
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: writing failed", log->path);
    return AMPHI_OK;
}
