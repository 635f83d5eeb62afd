/* Blocks of whole molecules: small systems by hand, random ones by what every partition must be,
 * and memory that ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>

#include "../../engine/arena.h"
#include "../../engine/bond_blocks.h"
#include "../property/draw.h"

enum { MOST_BEADS = 400, MOST_BONDS = 600 };

typedef struct {
    AmphiBondSpan span[MOST_BONDS];
    int32_t       n_bonds, n_beads, size;
} Case;

static AmphiBondBlocks find(const Case *c)
{
    AmphiError      err = { AMPHI_OK, "" };
    AmphiBondBlocks b;

    assert_int_equal(amphi_bond_blocks_find(c->span, c->n_bonds, c->n_beads, c->size, &b, &err),
                     AMPHI_OK);
    return b;
}

static void hold_block(const AmphiBondBlocks *b, int32_t k, int32_t first_bond, int32_t n_bonds,
                       int32_t first_bead, int32_t n_beads)
{
    assert_true(k < b->n_blocks);
    assert_int_equal(b->block[k].first_bond, first_bond);
    assert_int_equal(b->block[k].n_bonds, n_bonds);
    assert_int_equal(b->block[k].first_bead, first_bead);
    assert_int_equal(b->block[k].n_beads, n_beads);
}

/* Three beads and two bonds, a bead alone, two beads and one bond, three beads and one bond from
 * its first to its last. */
static const Case small = {
    .span    = { { 4, 5 }, { 1, 2 }, { 6, 8 }, { 0, 1 } },
    .n_bonds = 4,
    .n_beads = 9,
    .size    = 6,
};

static void small_molecules_share_a_block_in_the_order_of_their_bonds(void **state)
{
    AmphiBondBlocks b = find(&small);

    (void)state;
    assert_int_equal(b.n_blocks, 2);
    hold_block(&b, 0, 0, 3, 0, 6);
    hold_block(&b, 1, 3, 1, 6, 3);
    assert_int_equal(b.order[0], 0);
    assert_int_equal(b.order[1], 1);
    assert_int_equal(b.order[2], 3);
    assert_int_equal(b.order[3], 2);
    assert_int_equal(b.most, 3);
    amphi_bond_blocks_free(&b);
}

static void beads_or_bonds_fill_a_block(void **state)
{
    Case            c = small;
    AmphiBondBlocks b;

    (void)state;
    c.size = 5; /* beads 0 to 3, 4 and 5, 6 to 8 */
    b      = find(&c);
    assert_int_equal(b.n_blocks, 2);
    hold_block(&b, 0, 0, 2, 0, 4);
    hold_block(&b, 1, 2, 2, 4, 5);
    amphi_bond_blocks_free(&b);

    c.size = 9; /* nine bonds more within the first molecule */
    for (int k = 0; k < 7; k++)
        c.span[c.n_bonds++] = (AmphiBondSpan){ 0, 2 };
    b = find(&c);
    assert_int_equal(b.n_blocks, 2);
    hold_block(&b, 0, 0, 9, 0, 4);
    hold_block(&b, 1, 9, 2, 4, 5);
    assert_int_equal(b.most, 9);
    amphi_bond_blocks_free(&b);
}

/* It stands alone, as the first one or between others. */
static void a_molecule_that_is_too_large_has_a_block_of_its_own(void **state)
{
    const Case first   = { .span = { { 0, 6 }, { 7, 8 } }, .n_bonds = 2, .n_beads = 9, .size = 4 };
    const Case between = { .span    = { { 0, 1 }, { 2, 9 }, { 5, 12 }, { 13, 14 } },
                           .n_bonds = 4,
                           .n_beads = 15,
                           .size    = 4 };
    AmphiBondBlocks b  = find(&first);

    (void)state;
    assert_int_equal(b.n_blocks, 2);
    hold_block(&b, 0, 0, 1, 0, 7);
    hold_block(&b, 1, 1, 1, 7, 2);
    assert_int_equal(b.most, 7);
    amphi_bond_blocks_free(&b);

    b = find(&between);
    assert_int_equal(b.n_blocks, 3);
    hold_block(&b, 0, 0, 1, 0, 2);
    hold_block(&b, 1, 1, 2, 2, 11);
    hold_block(&b, 2, 3, 1, 13, 2);
    assert_int_equal(b.most, 11);
    amphi_bond_blocks_free(&b);
}

static void where_there_is_no_bond_there_is_no_block(void **state)
{
    const Case      c = { .n_beads = 0, .size = 128 };
    AmphiBondBlocks b = find(&c);

    (void)state;
    assert_int_equal(b.n_blocks, 0);
    assert_int_equal(b.most, 0);
    amphi_bond_blocks_free(&b);
}

/* ---- random systems ---- */

static int32_t draw_below(uint64_t *seed, int32_t n)
{
    return (int32_t)draw(seed, 0, n);
}

/* Bonds of up to 2 to 40 beads, few or many, listed in any order; the last bead has one. */
static Case draw_case(uint64_t *seed)
{
    Case          c     = { .n_beads = 2 + draw_below(seed, MOST_BEADS - 2) };
    const int32_t reach = 1 + draw_below(seed, 39);

    c.size    = 1 + draw_below(seed, 150);
    c.n_bonds = 1 + draw_below(seed, c.n_beads < MOST_BONDS ? c.n_beads : MOST_BONDS);
    for (int32_t k = 0; k < c.n_bonds; k++) {
        const int32_t first = draw_below(seed, c.n_beads), to = first + draw_below(seed, reach + 1);

        c.span[k] = (AmphiBondSpan){ first, to < c.n_beads ? to : c.n_beads - 1 };
    }
    c.span[draw_below(seed, c.n_bonds)] = (AmphiBondSpan){ c.n_beads - 2, c.n_beads - 1 };
    return c;
}

/* Does a bond go on from the bead before `bead` to it? */
static bool is_crossed(const Case *c, int32_t bead)
{
    for (int32_t k = 0; k < c->n_bonds; k++)
        if (c->span[k].first < bead && c->span[k].last >= bead)
            return true;
    return false;
}

static int32_t end_of_molecule(const Case *c, int32_t first)
{
    do
        first++;
    while (first < c->n_beads && is_crossed(c, first));
    return first;
}

static int32_t count_bonds(const Case *c, int32_t first, int32_t end)
{
    int32_t n = 0;

    for (int32_t k = 0; k < c->n_bonds; k++)
        n += c->span[k].first >= first && c->span[k].first < end;
    return n;
}

/* All of them, and no other bond, in the order in which they were given. */
static void hold_bonds(const Case *c, const AmphiBondBlocks *b, const AmphiBondBlock *of)
{
    const int32_t end = of->first_bead + of->n_beads;

    assert_int_equal(of->n_bonds, count_bonds(c, of->first_bead, end));
    for (int32_t k = 0; k < of->n_bonds; k++) {
        const int32_t bond = b->order[of->first_bond + k];

        assert_in_range(bond, k > 0 ? b->order[of->first_bond + k - 1] + 1 : 0, c->n_bonds - 1);
        assert_in_range(c->span[bond].first, of->first_bead, end - 1);
        assert_in_range(c->span[bond].last, of->first_bead, end - 1);
    }
}

/* As many molecules as there is room for, or one. */
static void hold_size(const Case *c, const AmphiBondBlock *of)
{
    const int32_t first = of->first_bead, end = first + of->n_beads;

    assert_true(of->n_beads > 0);
    assert_true((of->n_beads <= c->size && of->n_bonds <= c->size) ||
                end_of_molecule(c, first) == end);
    if (end < c->n_beads) {
        const int32_t next = end_of_molecule(c, end);

        assert_true(next - first > c->size || count_bonds(c, first, next) > c->size);
    }
}

static int32_t most_of_a_molecule(const Case *c)
{
    int32_t most = 0;

    for (int32_t i = 0, end; i < c->n_beads; i = end) {
        end                   = end_of_molecule(c, i);
        const int32_t n_bonds = count_bonds(c, i, end);

        most = end - i > most ? end - i : most;
        most = n_bonds > most ? n_bonds : most;
    }
    return most;
}

static void random_molecules_are_never_parted(void **state)
{
    uint64_t seed  = 11;
    int      large = 0;

    (void)state;
    for (int k = 0; k < 300; k++) {
        const Case      c    = draw_case(&seed);
        AmphiBondBlocks b    = find(&c);
        int32_t         bead = 0, bond = 0;

        for (int32_t n = 0; n < b.n_blocks; n++) {
            assert_int_equal(b.block[n].first_bead, bead);
            assert_int_equal(b.block[n].first_bond, bond);
            bead += b.block[n].n_beads;
            bond += b.block[n].n_bonds;
            hold_bonds(&c, &b, &b.block[n]);
            hold_size(&c, &b.block[n]);
            large += b.block[n].n_beads > c.size;
        }
        assert_int_equal(bead, c.n_beads);
        assert_int_equal(bond, c.n_bonds);
        assert_int_equal(b.most, most_of_a_molecule(&c));
        amphi_bond_blocks_free(&b);
    }
    assert_true(large > 0);
}

static void no_memory_is_said_and_nothing_is_left(void **state)
{
    enum { ALLOCATIONS = 5 };

    (void)state;
    for (int k = 1; k <= ALLOCATIONS; k++) {
        AmphiError      err = { AMPHI_OK, "" };
        AmphiBondBlocks b;

        amphi_arena_fail_at(k);
        assert_int_equal(amphi_bond_blocks_find(small.span, 4, 9, 6, &b, &err), AMPHI_NO_MEMORY);
        assert_string_equal(err.text, "no memory for 4 bonded terms");
        assert_null(b.block);
        assert_null(b.order);
    }
    amphi_arena_fail_at(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_molecules_share_a_block_in_the_order_of_their_bonds),
        cmocka_unit_test(beads_or_bonds_fill_a_block),
        cmocka_unit_test(a_molecule_that_is_too_large_has_a_block_of_its_own),
        cmocka_unit_test(where_there_is_no_bond_there_is_no_block),
        cmocka_unit_test(random_molecules_are_never_parted),
        cmocka_unit_test(no_memory_is_said_and_nothing_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
