/* A picture of a system, from the side or from above, drawn by the ray tracer tachyon. */
#ifndef AMPHI_TOOLS_DRAW_H
#define AMPHI_TOOLS_DRAW_H

#include "../engine/system.h"

typedef struct {
    bool from_above; /* seen along -z, y up; otherwise along y, z up; x is to the right */
    bool without_solvent;
    int  longer_side; /* pixels */
} ToolShot;

/* Writes a PNG; the rest as below. */
AmphiStatus tool_draw_shot(const AmphiSystem *system, const ToolShot *shot, const char *png_path,
                           AmphiError *err);

/* The colour of the beads of a type, each part from 0 to 1. */
void tool_draw_colour(const AmphiSystem *system, int32_t type, double rgb[3]);

/* Writes a PNG of about 1000 x 1000 pixels: box x to the right, z up, seen along y; molecules
 * whole, beads as large as their contact distance, coloured by type. The scene is PATH.dat while
 * the ray tracer runs. AMPHI_BAD_COMMAND when tachyon is not installed, AMPHI_BAD_FILE when a file
 * cannot be written. */
AmphiStatus tool_draw_system(const AmphiSystem *system, const char *png_path, AmphiError *err);

#endif
