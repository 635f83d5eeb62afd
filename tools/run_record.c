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

static const char *base_of(const char *path)
{
    const char *const slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* "elba.xml", or "2-elba.xml" where a file before has that name. */
static void name_copy(const AmphiJob *job, int32_t k, char *name, size_t size)
{
    const char *const base     = base_of(job->file[k].path);
    bool              is_taken = false;

    for (int32_t j = 0; j < k; j++)
        is_taken = is_taken || strcmp(base, base_of(job->file[j].path)) == 0;
    if (is_taken)
        snprintf(name, size, "%d-%s", (int)k + 1, base);
    else
        snprintf(name, size, "%s", base);
}

static AmphiStatus copy_file(const AmphiJob *job, int32_t k, const char *folder, AmphiSink *sums,
                             AmphiError *err)
{
    const AmphiWhere  nowhere = { NULL, 0 };
    AmphiArena *const arena   = amphi_arena_new();
    AmphiNotes *const notes   = amphi_notes_new();
    char              name[300], path[AMPHI_PATH_SIZE], hash[TOOL_SHA256_SIZE];
    int64_t           n      = 0;
    const char       *bytes  = NULL;
    AmphiStatus       status = AMPHI_OK;
    AmphiSink         sink;

    name_copy(job, k, name, sizeof name);
    if (arena != NULL && notes != NULL)
        bytes = amphi_file_read(job->file[k].path, INT64_MAX / 2, &n, arena, nowhere, notes);
    if (bytes == NULL)
        status = amphi_fail(err, AMPHI_BAD_FILE, "%.400s: cannot be read again for the record",
                            job->file[k].path);
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
    char              name[300], path[AMPHI_PATH_SIZE];
    const char       *bytes[2] = { NULL, NULL };
    int64_t           n[2]     = { 0, 0 };

    name_copy(job, k, name, sizeof name);
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
    AMPHI_TRY(tool_join(folder, "SHA256SUMS", path, err));
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
