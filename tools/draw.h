/* Pictures of a system, rendered by the ray tracer tachyon. */
#ifndef AMPHI_TOOLS_DRAW_H
#define AMPHI_TOOLS_DRAW_H

#include "../engine/system.h"

typedef struct {
    bool from_above; /* view along -z with y up; otherwise along y with z up; x to the right */
    bool without_solvent;
    int  longer_side; /* pixels */
} ToolShot;

/* Writes a PNG; files and errors as those of tool_draw_system. */
AmphiStatus tool_draw_shot(const AmphiSystem *system, const ToolShot *shot, const char *png_path,
                           AmphiError *err);

/* The colour of the beads of a type: red, green and blue from 0 to 1. */
void tool_draw_colour(const AmphiSystem *system, int32_t type, double rgb[3]);

/* Writes a PNG of about 1000 x 1000 pixels, seen along y: x to the right, z up. Molecules are not
 * split by the periodic boundaries; the diameter of a bead is its contact distance, its colour that
 * of its type. While the ray tracer runs, scene and picture are tachyon-PID.dat and .png in the
 * folder of PATH. AMPHI_BAD_COMMAND: tachyon is not installed. AMPHI_BAD_FILE: a file cannot be
 * written. */
AmphiStatus tool_draw_system(const AmphiSystem *system, const char *png_path, AmphiError *err);

#endif
