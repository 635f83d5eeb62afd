/* What the commands share: loading a job and showing what it says, the hash of its input and
 * folders.
 */
#ifndef AMPHI_TOOLS_COMMAND_H
#define AMPHI_TOOLS_COMMAND_H

#include "../engine/job.h"
#include "json.h"
#include "options.h"

/* The commands; each prints results to call->out, which amphi.c checks at the end. A failure that
 * was shown already leaves err->text empty. */
AmphiStatus cmd_check(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_evaluate(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_run(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_build(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_compare(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_convert(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_report(const ToolCall *call, AmphiError *err);
AmphiStatus cmd_describe(const ToolCall *call, AmphiError *err);

enum { TOOL_PATH_SIZE = 4096 };

/* FOLDER/NAME into path[TOOL_PATH_SIZE]. */
AmphiStatus tool_join(const char *folder, const char *name, char *path, AmphiError *err);
/* Makes the folder if it is not there; its parent must be. */
AmphiStatus tool_make_folder(const char *folder, AmphiError *err);

/* Where forcefield/ is, for the program at `program`: AMPHI_DATA if it is set, else the parent of
 * its folder, else share/amphi beside that. Into folder[TOOL_PATH_SIZE]; empty: nowhere.
 * AMPHI_BAD_COMMAND when AMPHI_DATA has no forcefield/. */
AmphiStatus tool_find_data(const char *program, char *folder, AmphiError *err);

/* Reads call->argument[0] and shows every note: warnings unless --quiet, errors always. *job is
 * NULL unless the status is AMPHI_OK; the caller frees it. */
AmphiStatus tool_load(const ToolCall *call, AmphiJob **job, AmphiError *err);
void        tool_show_notes(const ToolCall *call, AmphiNotes *notes, bool strict);
/* A remark for a person, or {"kind":"remark"}. Nothing with --quiet. */
void tool_remark(const ToolCall *call, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* "MISSING_ATTRIBUTE" */
const char *tool_message_name(AmphiMessageId id);

enum { TOOL_HASH_SIZE = 33 };
/* XXH3-128 of the bytes of every file that the job was read from, one after another, as 32 hex
 * digits. AMPHI_BAD_FILE when one can no longer be read. */
AmphiStatus tool_input_hash(const AmphiJob *job, char hash[TOOL_HASH_SIZE], AmphiError *err);

#endif
