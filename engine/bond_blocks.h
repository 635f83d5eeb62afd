/* Bonded terms in blocks of whole molecules: what a block of device threads can do by itself.
 *
 * Molecules here are stretches of beads that no bonded term crosses, whatever the system calls a
 * molecule. A block has as many neighbouring ones as it has threads for.
 */
#ifndef AMPHI_ENGINE_BOND_BLOCKS_H
#define AMPHI_ENGINE_BOND_BLOCKS_H

#include <stdint.h>

#include "error.h"

/* The lowest and the highest number of the beads of a bonded term. */
typedef struct {
    int32_t first, last;
} AmphiBondSpan;

/* Its bonds are AmphiBondBlocks.order from first_bond on. */
typedef struct {
    int32_t first_bond, n_bonds, first_bead, n_beads;
} AmphiBondBlock;

typedef struct {
    AmphiBondBlock *block; /* [n_blocks], one behind the other from bead 0 on */
    int32_t        *order; /* [n_bonds] bonds by block, in each as they were given */
    int32_t         n_blocks;
    int32_t         most; /* bonds or beads of a molecule */
} AmphiBondBlocks;

/* span [n_bonds], in n_beads beads; those without a bond are molecules, too. No bond, no block. A
 * block has at most `size` beads and `size` bonds, or one molecule that has more. AMPHI_NO_MEMORY:
 * nothing is left to free. */
AmphiStatus amphi_bond_blocks_find(const AmphiBondSpan *span, int32_t n_bonds, int32_t n_beads,
                                   int32_t size, AmphiBondBlocks *out, AmphiError *err);
/* Zeros are allowed. */
void amphi_bond_blocks_free(AmphiBondBlocks *blocks);

#endif
