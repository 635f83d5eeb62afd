/* What the commands share: loading a job and printing its messages, the hash of its input, and
 * directories.
 */
#ifndef AMPHI_TOOLS_COMMAND_H
#define AMPHI_TOOLS_COMMAND_H

#include "../engine/formats/sink.h"
#include "../engine/job.h"
#include "json.h"
#include "options.h"

/* The commands. Each prints its results to call->out, whose errors amphi.c checks at the end. A
 * failure whose message was printed already leaves err->text empty. */
AmphiStatus cmd_check(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_evaluate(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_run(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_build(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_compare(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_convert(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_analyse(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_report(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_describe(const ToolCall *call, AmphiError *err);

/* Writes FOLDER/NAME to path[AMPHI_PATH_SIZE]. */
AmphiStatus tool_join(const char *folder, const char *name, char *path, AmphiError *err);
/* Are both there, and one file? */
bool tool_is_same_file(const char *one, const char *other);
/* Makes the folder if it does not exist; its parent must exist. */
AmphiStatus tool_make_folder(const char *folder, AmphiError *err);

/* Finds the folder that contains forcefield/, for the program at `program`: AMPHI_DATA if it is
 * set, else the program's own folder, its parent, share/amphi in the parent, or one or two folders
 * further up. Writes it to folder[AMPHI_PATH_SIZE], or "" if there is none. AMPHI_BAD_COMMAND:
 * AMPHI_DATA has no forcefield/. */
AmphiStatus tool_find_data(const char *program, char *folder, AmphiError *err);

/* How the command reads a job; it has the option --max-memory. AMPHI_BAD_COMMAND: a wrong value. */
AmphiStatus tool_load_options(const ToolCall *call, AmphiLoadOptions *options, AmphiError *err);
/* Reads call->argument[0] and prints its messages: errors always, warnings unless --quiet. *job is
 * NULL unless the status is AMPHI_OK; the caller frees it. */
AmphiStatus tool_load(const ToolCall *call, AmphiJob **job, AmphiError *err);
/* The same, with notes that stay the caller's. */
AmphiStatus tool_load_noted(const ToolCall *call, AmphiNotes *notes, AmphiJob **job,
                            AmphiError *err);
void        tool_show_notes(const ToolCall *call, AmphiNotes *notes, bool strict);
/* Prints a remark, with --json as {"kind":"remark"}; nothing with --quiet. */
void tool_remark(const ToolCall *call, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* Says so where --device is given and no backend in use runs on one. */
void tool_remark_device(const ToolCall *call, bool is_used);
/* The name of a message, "MISSING_ATTRIBUTE". */
const char *tool_message_name(AmphiMessageId id);

enum { TOOL_HASH_SIZE = 33 };
/* XXH3-128 of the contents of all files that the job was read from, one after another, as 32 hex
 * digits. AMPHI_BAD_FILE: one of them can no longer be read. */
AmphiStatus tool_input_hash(const AmphiJob *job, char hash[TOOL_HASH_SIZE], AmphiError *err);

#endif
