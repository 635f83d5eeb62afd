/* amphi convert: coordinates and trajectories from one format to another. */
#include <string.h>

#include "../engine/formats/convert.h"
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

AmphiStatus cmd_convert(const ToolCall *call, AmphiError *err)
{
    AmphiConvertOptions options = { .topology    = tool_value(call, "topology"),
                                    .from_format = tool_value(call, "from"),
                                    .to_format   = tool_value(call, "to") };

    AMPHI_TRY(find_frame(call, &options.frame, err));

    AmphiNotes *const notes = amphi_notes_new();
    if (notes == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", call->argument[0]);

    const AmphiStatus status =
        amphi_convert(call->argument[0], call->argument[1], &options, notes, err);
    tool_show_notes(call, notes, false);
    /* what the notes have told needs no second line */
    if (status == AMPHI_BAD_INPUT && amphi_notes_count(notes, AMPHI_NOTE_ERROR) > 0)
        err->text[0] = '\0';
    amphi_notes_free(notes);
    if (status == AMPHI_OK)
        tool_remark(call, "%.400s: written", call->argument[1]);
    return status;
}
