/* amphi convert: coordinates and trajectories from one format to another, and columns of tables as
 * bare numbers. */
#include <string.h>

#include "../engine/formats/convert.h"
#include "columns.h"
#include "command.h"

static AmphiStatus find_frame(const ToolCall *call, int64_t *frame, AmphiError *err)
{
    const char *const text = tool_value(call, "frame");

    *frame = AMPHI_FRAMES_ALL;
    if (text != NULL && strcmp(text, "last") == 0) {
        *frame = -1;
        return AMPHI_OK;
    }
    return tool_whole(call, "frame", frame, err);
}

/* Where the result goes: B or --output; NULL if neither is given. */
static AmphiStatus find_target(const ToolCall *call, const char **to, AmphiError *err)
{
    *to = tool_value(call, "output");
    if (call->n_arguments > 1 && *to != NULL)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "amphi convert: the result goes to %.150s or to %.150s, not to both",
                          call->argument[1], *to);
    if (call->n_arguments > 1)
        *to = call->argument[1];
    if (*to != NULL && strcmp(*to, "-") == 0)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "amphi convert: - is no file\n"
                          "    write the name of one; columns go to standard output without it");
    return AMPHI_OK;
}

/* Of a table nobody has said which columns. */
static bool lacks_columns(const ToolCall *call)
{
    const char *const ending = strrchr(call->argument[0], '.');

    return ending != NULL && strcmp(ending, ".tsv") == 0 && !tool_has(call, "column") &&
           !tool_has(call, "from");
}

static AmphiStatus convert_table(const ToolCall *call, const char *to, AmphiError *err)
{
    static const char *const others[] = { "topology", "frame", "from", "to" };

    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (tool_has(call, others[k]))
            return amphi_fail(err, AMPHI_BAD_COMMAND,
                              "--%s is for coordinates, --column for tables: one of them",
                              others[k]);
    return tool_columns_write(call, call->argument[0], tool_value(call, "column"), to, err);
}

static AmphiStatus convert_coordinates(const ToolCall *call, const char *to, AmphiError *err)
{
    AmphiConvertOptions options = { .topology    = tool_value(call, "topology"),
                                    .from_format = tool_value(call, "from"),
                                    .to_format   = tool_value(call, "to") };

    if (to == NULL)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "amphi convert: something is missing\n    write: amphi convert A B");
    if (tool_is_same_file(call->argument[0], to))
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "%.300s: the file itself, of which only one frame might be left\n"
                          "    write: amphi convert A B, with another name for B",
                          to);
    AMPHI_TRY(find_frame(call, &options.frame, err));

    AmphiNotes *const notes = amphi_notes_new();
    if (notes == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", call->argument[0]);

    const AmphiStatus status = amphi_convert(call->argument[0], to, &options, notes, err);
    tool_show_notes(call, notes, false);
    /* what the notes have told needs no second line */
    if (status == AMPHI_BAD_INPUT && amphi_notes_count(notes, AMPHI_NOTE_ERROR) > 0)
        err->text[0] = '\0';
    amphi_notes_free(notes);
    return status;
}

AmphiStatus cmd_convert(const ToolCall *call, AmphiError *err)
{
    const char *to = NULL;

    AMPHI_TRY(find_target(call, &to, err));
    if (lacks_columns(call))
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "amphi convert: which columns of %.200s?\n"
                          "    write: --column NAME, or several with commas between them",
                          call->argument[0]);
    AMPHI_TRY(tool_has(call, "column") ? convert_table(call, to, err)
                                       : convert_coordinates(call, to, err));
    if (to != NULL)
        tool_remark(call, "%.400s: written", to);
    return AMPHI_OK;
}
