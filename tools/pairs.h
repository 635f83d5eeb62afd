/* Prints the potentials between bead types. Pairs with the same potential, treatment and cut-off
 * are listed together.
 */
#ifndef AMPHI_TOOLS_PAIRS_H
#define AMPHI_TOOLS_PAIRS_H

#include "../engine/arena.h"
#include "../engine/system.h"

/* As text; with `each`, a line for every pair with its parameters. */
void tool_pairs_print(const AmphiSystem *system, AmphiArena *arena, bool each, FILE *out);
/* A JSON line for each pair and potential. */
void tool_pairs_write(const AmphiSystem *system, FILE *out);

#endif
