/* A picture of a system: the side view of its start, drawn by the ray tracer tachyon.
 */
#ifndef AMPHI_TOOLS_DRAW_H
#define AMPHI_TOOLS_DRAW_H

#include "../engine/system.h"

/* Writes a PNG of about 1000 x 1000 pixels: box x to the right, z up, seen along y; molecules
 * whole, beads as large as their contact distance, coloured by type. The scene is PATH.dat while
 * the ray tracer runs. AMPHI_BAD_COMMAND when tachyon is not installed, AMPHI_BAD_FILE when a file
 * cannot be written. */
AmphiStatus tool_draw_system(const AmphiSystem *system, const char *png_path, AmphiError *err);

#endif
