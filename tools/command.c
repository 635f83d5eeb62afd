/* Folders, loading a job for a command, showing its notes, hashing its input. */
#include "command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

/* ---- folders ---- */

static AmphiStatus fail_path(AmphiError *err, const char *path, int reason)
{
    return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", path, strerror(reason));
}

AmphiStatus tool_join(const char *folder, const char *name, char *path, AmphiError *err)
{
    const int n = snprintf(path, AMPHI_PATH_SIZE, "%s/%s", folder, name);

    return n >= 0 && n < AMPHI_PATH_SIZE ? AMPHI_OK : fail_path(err, folder, ENAMETOOLONG);
}

bool tool_is_same_file(const char *one, const char *other)
{
    struct stat a, b;

    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

AmphiStatus tool_make_folder(const char *folder, AmphiError *err)
{
    struct stat about;

    if (mkdir(folder, 0777) == 0)
        return AMPHI_OK;
    if (errno != EEXIST || stat(folder, &about) != 0)
        return fail_path(err, folder, errno);
    return S_ISDIR(about.st_mode) ? AMPHI_OK : fail_path(err, folder, ENOTDIR);
}

static bool has_forcefields(const char *folder)
{
    char        path[AMPHI_PATH_SIZE];
    struct stat about;

    return tool_join(folder, "forcefield", path, NULL) == AMPHI_OK && stat(path, &about) == 0 &&
           S_ISDIR(about.st_mode);
}

AmphiStatus tool_find_data(const char *program, char *folder, AmphiError *err)
{
    /* an installed program's own before the root of a tree with a build folder within another */
    static const char *const near[] = { ".", "..", "../share/amphi", "../..", "../../..", NULL };
    const char *const        wanted = getenv("AMPHI_DATA");
    const char *const        slash  = strrchr(program, '/');

    folder[0] = '\0';
    if (wanted != NULL && *wanted != '\0') {
        if (!has_forcefields(wanted) || strlen(wanted) >= AMPHI_PATH_SIZE)
            return amphi_fail(err, AMPHI_BAD_COMMAND,
                              "AMPHI_DATA=%.400s: no folder forcefield/ in it", wanted);
        strcpy(folder, wanted);
        return AMPHI_OK;
    }
    for (int k = 0; slash != NULL && near[k] != NULL; k++) {
        const int n =
            snprintf(folder, AMPHI_PATH_SIZE, "%.*s/%s", (int)(slash - program), program, near[k]);

        if (n > 0 && n < AMPHI_PATH_SIZE && has_forcefields(folder))
            return AMPHI_OK;
    }
    folder[0] = '\0';
    return AMPHI_OK;
}

/* ---- notes ---- */

const char *tool_message_name(AmphiMessageId id)
{
#define MESSAGE_NAME(name, severity, text, hint) #name,
    static const char *const names[] = { MESSAGE_LIST(MESSAGE_NAME) };

    return names[id];
}

static void show_note_line(FILE *out, const AmphiNote *note, bool strict)
{
    static const char *const words[]  = { "error", "warning", "note" };
    const bool               is_fault = strict && note->severity == AMPHI_NOTE_WARNING;
    ToolJson                 json     = tool_json_begin(out, "note");

    tool_json_text(&json, "severity", words[is_fault ? AMPHI_NOTE_ERROR : note->severity]);
    tool_json_text(&json, "id", tool_message_name(note->id));
    tool_json_text(&json, "file", note->where.file);
    tool_json_whole(&json, "line", note->where.line);
    tool_json_text(&json, "text", note->text);
    tool_json_text(&json, "hint", note->hint);
    tool_json_end(&json);
}

void tool_show_notes(const ToolCall *call, AmphiNotes *notes, bool strict)
{
    const bool       has_errors = amphi_notes_status(notes, strict) != AMPHI_OK;
    int64_t          n          = 0;
    const AmphiNote *note       = amphi_notes_sorted(notes, &n);

    if (tool_has(call, "quiet") && !has_errors)
        return;
    if (!tool_has(call, "json")) {
        amphi_notes_print(notes, call->eye, strict);
        return;
    }
    for (int64_t k = 0; k < n; k++)
        show_note_line(call->out, &note[k], strict);
    if (n > 0) {
        const int64_t errors   = amphi_notes_count(notes, AMPHI_NOTE_ERROR);
        const int64_t warnings = amphi_notes_count(notes, AMPHI_NOTE_WARNING);
        ToolJson      json     = tool_json_begin(call->out, "notes");

        tool_json_whole(&json, "errors", strict ? errors + warnings : errors);
        tool_json_whole(&json, "warnings", strict ? 0 : warnings);
        tool_json_end(&json);
    }
}

void tool_remark(const ToolCall *call, const char *form, ...)
{
    char    text[1024];
    va_list values;

    if (tool_has(call, "quiet"))
        return;
    va_start(values, form);
    vsnprintf(text, sizeof text, form, values);
    va_end(values);
    if (!tool_has(call, "json")) {
        fprintf(call->eye, "%s\n", text);
        return;
    }
    ToolJson json = tool_json_begin(call->out, "remark");
    tool_json_text(&json, "text", text);
    tool_json_end(&json);
}

void tool_remark_device(const ToolCall *call, bool is_used)
{
    if (tool_has(call, "device") && !is_used)
        tool_remark(call, "--device %.40s: not used, as nothing here is computed on a GPU",
                    tool_value(call, "device"));
}

AmphiStatus tool_load_options(const ToolCall *call, AmphiLoadOptions *options, AmphiError *err)
{
    *options = (AmphiLoadOptions){ .data_dir = call->data_dir };
    return tool_bytes(call, "max-memory", &options->max_memory, err);
}

/* Whoever has analysed a run by its folder names that here, too. */
static AmphiStatus refuse_folder(const ToolCall *call, AmphiError *err)
{
    const char *const name = call->command->name, *const path = call->argument[0];
    struct stat about;

    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return AMPHI_OK;
    return amphi_fail(err, AMPHI_BAD_INPUT,
                      "%.300s: is a folder, and a system file is wanted\n"
                      "    write: amphi %s SYSTEM.xml%s",
                      path, name, strcmp(name, "run") == 0 ? " -o DIR" : "");
}

AmphiStatus tool_load_noted(const ToolCall *call, AmphiNotes *notes, AmphiJob **job,
                            AmphiError *err)
{
    const bool       strict = tool_has(call, "strict");
    AmphiLoadOptions options;

    *job = NULL;
    AMPHI_TRY(tool_load_options(call, &options, err));
    if (notes == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", call->argument[0]);
    AMPHI_TRY(refuse_folder(call, err));
    *job = amphi_job_load(call->argument[0], &options, notes, err);
    tool_show_notes(call, notes, strict);

    AmphiStatus status = amphi_notes_status(notes, strict);
    if (status == AMPHI_OK && *job == NULL)
        status = err->status != AMPHI_OK
                     ? err->status
                     : amphi_fail(err, AMPHI_DEFECT, "%.400s: not read, and no reason given",
                                  call->argument[0]);
    if (status != AMPHI_OK) {
        amphi_job_free(*job);
        *job = NULL;
    }
    return status;
}

AmphiStatus tool_load(const ToolCall *call, AmphiJob **job, AmphiError *err)
{
    AmphiNotes       *notes  = amphi_notes_new();
    const AmphiStatus status = tool_load_noted(call, notes, job, err);

    amphi_notes_free(notes);
    return status;
}

/* ---- the hash of the input ---- */

static bool hash_file(const char *path, XXH3_state_t *state)
{
    FILE *const file = fopen(path, "rb");
    char        bytes[65536];
    size_t      n = 0;

    if (file == NULL)
        return false;
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0)
        XXH3_128bits_update(state, bytes, n);

    const bool is_whole = ferror(file) == 0;
    const int  reason   = errno;
    fclose(file);
    errno = reason;
    return is_whole;
}

AmphiStatus tool_input_hash(const AmphiJob *job, char hash[TOOL_HASH_SIZE], AmphiError *err)
{
    XXH3_state_t *const state  = XXH3_createState();
    AmphiStatus         status = AMPHI_OK;

    if (state == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the hash of the input");
    XXH3_128bits_reset(state);
    for (int32_t k = 0; k < job->n_files && status == AMPHI_OK; k++)
        if (!hash_file(job->file[k].path, state))
            status = fail_path(err, job->file[k].path, errno);

    const XXH128_hash_t value = XXH3_128bits_digest(state);
    snprintf(hash, TOOL_HASH_SIZE, "%016" PRIx64 "%016" PRIx64, (uint64_t)value.high64,
             (uint64_t)value.low64);
    XXH3_freeState(state);
    return status;
}
