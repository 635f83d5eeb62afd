/* Bonded terms in blocks of whole molecules. */
#include "bond_blocks.h"

#include <stdbool.h>

#include "arena.h"

/* While they are sought. */
typedef struct {
    int32_t *n_begin;  /* [n_beads] bonds that have no bead before this one */
    int32_t *block_of; /* [n_beads]; at first the last bead that those reach, itself if none */
    int32_t *next;     /* [n_beads] where a block's next bond is put */
} Work;

static bool take(int32_t n_bonds, int32_t n_beads, Work *w, AmphiBondBlocks *out)
{
    w->n_begin  = amphi_alloc(n_beads, sizeof *w->n_begin);
    w->block_of = amphi_alloc(n_beads, sizeof *w->block_of);
    w->next     = amphi_alloc(n_beads, sizeof *w->next);
    out->block  = amphi_alloc(n_beads, sizeof *out->block);
    out->order  = amphi_alloc(n_bonds, sizeof *out->order);
    return w->n_begin != NULL && w->block_of != NULL && w->next != NULL && out->block != NULL &&
           out->order != NULL;
}

static void find_ends(const AmphiBondSpan *span, int32_t n_bonds, int32_t n_beads, Work *w)
{
    for (int32_t i = 0; i < n_beads; i++)
        w->block_of[i] = i;
    for (int32_t k = 0; k < n_bonds; k++) {
        int32_t *end = &w->block_of[span[k].first];

        w->n_begin[span[k].first]++;
        *end = span[k].last > *end ? span[k].last : *end;
    }
}

/* Of the beads from `first` to the one before `end`. */
static void add_block(int32_t first, int32_t end, int32_t n_bonds, Work *w, AmphiBondBlocks *out)
{
    const AmphiBondBlock *before     = out->n_blocks > 0 ? &out->block[out->n_blocks - 1] : NULL;
    const int32_t         first_bond = before == NULL ? 0 : before->first_bond + before->n_bonds;

    out->block[out->n_blocks] = (AmphiBondBlock){ first_bond, n_bonds, first, end - first };
    for (int32_t i = first; i < end; i++)
        w->block_of[i] = out->n_blocks;
    w->next[out->n_blocks++] = first_bond;
}

/* A molecule ends where no bond goes on. */
static void find_blocks(int32_t n_beads, int32_t size, Work *w, AmphiBondBlocks *out)
{
    int32_t first = 0, n_bonds = 0;         /* of the block */
    int32_t begin = 0, n_own = 0, last = 0; /* of the molecule */

    for (int32_t i = 0; i < n_beads; i++) {
        last = w->block_of[i] > last ? w->block_of[i] : last;
        n_own += w->n_begin[i];
        if (i < last)
            continue;
        if (begin > first && (i + 1 - first > size || n_bonds + n_own > size)) {
            add_block(first, begin, n_bonds, w, out);
            first   = begin;
            n_bonds = 0;
        }
        out->most = n_own > out->most ? n_own : out->most;
        out->most = i + 1 - begin > out->most ? i + 1 - begin : out->most;
        n_bonds += n_own;
        n_own = 0;
        begin = last = i + 1;
    }
    add_block(first, n_beads, n_bonds, w, out);
}

AmphiStatus amphi_bond_blocks_find(const AmphiBondSpan *span, int32_t n_bonds, int32_t n_beads,
                                   int32_t size, AmphiBondBlocks *out, AmphiError *err)
{
    AmphiStatus status = AMPHI_OK;
    Work        w      = { 0 };

    *out = (AmphiBondBlocks){ 0 };
    if (n_bonds == 0)
        return AMPHI_OK;
    if (take(n_bonds, n_beads, &w, out)) {
        find_ends(span, n_bonds, n_beads, &w);
        find_blocks(n_beads, size, &w, out);
        for (int32_t k = 0; k < n_bonds; k++)
            out->order[w.next[w.block_of[span[k].first]]++] = k;
    } else {
        amphi_bond_blocks_free(out);
        status = amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bonded terms", n_bonds);
    }
    amphi_release(w.n_begin);
    amphi_release(w.block_of);
    amphi_release(w.next);
    return status;
}

void amphi_bond_blocks_free(AmphiBondBlocks *blocks)
{
    amphi_release(blocks->block);
    amphi_release(blocks->order);
    *blocks = (AmphiBondBlocks){ 0 };
}
