/* The picture of a run: DIR/final.png, what its last checkpoint holds, seen from the side. */
#ifndef AMPHI_TOOLS_DRAW_RUN_H
#define AMPHI_TOOLS_DRAW_RUN_H

#include "../engine/system.h"

/* `system` is that of the run in `dir`. Molecules are whole and the lipids in the middle. AMPHI_BAD_FILE
 * when there is no checkpoint of this system; otherwise as tool_draw_system. */
AmphiStatus tool_draw_run(const AmphiSystem *system, const char *dir, AmphiError *err);

#endif
