/* What acts between the types of beads, shown compactly: pairs with the same potential, treatment
 * and cut-off are told together.
 */
#ifndef AMPHI_TOOLS_PAIRS_H
#define AMPHI_TOOLS_PAIRS_H

#include "../engine/arena.h"
#include "../engine/system.h"

/* For people; with `each` every pair on a line of its own, with its numbers. */
void tool_pairs_print(const AmphiSystem *system, AmphiArena *arena, bool each, FILE *out);
/* A JSON line for each pair and potential. */
void tool_pairs_write(const AmphiSystem *system, FILE *out);

#endif
