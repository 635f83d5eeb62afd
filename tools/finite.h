/* Is a result one? A sum that is not finite must never look like an answer. */
#ifndef AMPHI_TOOLS_FINITE_H
#define AMPHI_TOOLS_FINITE_H

#include "../engine/frame.h"
#include "../engine/system.h"

double tool_norm(const double v[3]);

/* The bead with the largest force; one with a force or torque that is not finite is the largest. */
int32_t tool_largest_force(const AmphiSystem *system, const AmphiFrame *frame);

/* AMPHI_UNSTABLE with the bead and its nearest neighbour when an energy, the pressure, a force or a
 * torque is not finite. `path` names the system. */
AmphiStatus tool_check_finite(const char *path, const AmphiSystem *system, const AmphiFrame *frame,
                              AmphiError *err);

#endif
