/* Checks that results are finite before they are printed. */
#ifndef AMPHI_TOOLS_FINITE_H
#define AMPHI_TOOLS_FINITE_H

#include "../engine/frame.h"
#include "../engine/system.h"

double tool_norm(const double v[3]);

/* The bead with the largest force; a force or torque that is not finite counts as the largest. */
int32_t tool_largest_force(const AmphiSystem *system, const AmphiFrame *frame);

/* AMPHI_UNSTABLE, naming a bead and its nearest neighbour: an energy, the pressure, a force or a
 * torque is not finite. `path` is the system's, for the message. */
AmphiStatus tool_check_finite(const char *path, const AmphiSystem *system, const AmphiFrame *frame,
                              AmphiError *err);

#endif
