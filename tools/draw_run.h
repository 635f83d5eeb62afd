/* The picture of a run: DIR/final.png, the state of its last checkpoint seen from the side. */
#ifndef AMPHI_TOOLS_DRAW_RUN_H
#define AMPHI_TOOLS_DRAW_RUN_H

#include "../engine/arena.h"
#include "../engine/system.h"

/* `system` is that of the run in `dir`; the lipids are moved to the middle of the box.
 * AMPHI_BAD_FILE: there is no checkpoint of this system; otherwise as tool_draw_system. */
AmphiStatus tool_draw_run(const AmphiSystem *system, const char *dir, AmphiError *err);

typedef struct {
    AmphiSystem system; /* as it is in the checkpoint, put together in the same way */
    int64_t     step;
    double      time_ps;
} ToolMoment;

/* What tool_draw_run draws. Its arrays are the arena's and those of `start`. */
AmphiStatus tool_draw_last(const AmphiSystem *start, const char *dir, AmphiArena *arena,
                           ToolMoment *moment, AmphiError *err);

#endif
