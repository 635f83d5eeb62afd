/* What the tests of XTC share: positions of many kinds, and frames of them made and read back. */
#ifndef AMPHI_VALIDATION_UNIT_XTC_CASES_H
#define AMPHI_VALIDATION_UNIT_XTC_CASES_H

#include "format_cases.h"

#include "../../engine/formats/xtc.h"

typedef enum { UNIFORM, TRIPLES, CHAINS, ONE_POINT, FAR_APART, NEGATIVE, KINDS } Kind;

HELPER double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's */
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Molecules of three within 0.1 nm, as water; chains of 13 with steps up to 0.3 nm, as lipids. */
HELPER void make_positions(Kind kind, int32_t n, uint64_t seed, double (*x)[3])
{
    static const double  width[KINDS]  = { 12, 12, 12, 0, 2e6, 1e4 };
    static const double  corner[KINDS] = { 0, -3, 0, 5, -1e6, -2e6 };
    static const int32_t length[KINDS] = { 1, 3, 13, 1, 1, 1 };
    const double         step          = kind == TRIPLES ? 0.1 : 0.3;

    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            x[i][k] = i % length[kind] != 0 ? x[i - 1][k] + step * (2 * uniform(&seed) - 1)
                                            : corner[kind] + width[kind] * uniform(&seed);
}

typedef struct {
    AmphiArena *arena;
    double (*x)[3], (*back)[3];
    AmphiXtcWriter writer;
} Bench;

HELPER void set_up(Bench *b, int32_t n)
{
    AmphiError err = { 0 };

    b->arena = amphi_arena_new();
    b->x     = amphi_arena_take(b->arena, n, sizeof *b->x);
    b->back  = amphi_arena_take(b->arena, n, sizeof *b->back);
    assert_int_equal(amphi_xtc_writer_init(&b->writer, "w", n, AMPHI_XTC_PER_NM, b->arena, &err),
                     AMPHI_OK);
}

HELPER void tear_down(Bench *b)
{
    amphi_arena_free(b->arena);
}

static const double edges[3] = { 12, 12.5, 13.25 };

HELPER void put(Bench *b, int64_t step, double time_ps)
{
    AmphiError err = { 0 };

    if (amphi_xtc_put_frame(&b->writer, step, time_ps, edges, (const double(*)[3])b->x, &err) !=
        AMPHI_OK)
        fail_msg("%s", err.text);
}

/* Reads the frame of these bytes, from memory that ends with the last. */
HELPER bool comes_back(const Bench *b, const unsigned char *bytes, int64_t n_bytes)
{
    AmphiNotes *const notes = amphi_notes_new();
    char *const       exact = malloc((size_t)n_bytes);
    AmphiXtcReader    r;
    double            box[3];

    assert_non_null(exact);
    memcpy(exact, bytes, (size_t)n_bytes);
    const bool is_read = amphi_xtc_of_bytes(&r, "in", exact, n_bytes, b->arena, notes) &&
                         r.n_frames == 1 && r.n_cut == 0 && r.n_beads == b->writer.n_beads &&
                         amphi_xtc_read(&r, 0, box, b->back, notes);
    amphi_xtc_close(&r);
    free(exact);
    amphi_notes_free(notes);
    return is_read && are_near(box, edges, 3, 1e-6);
}

HELPER void put_be(unsigned char *at, uint32_t value)
{
    for (int k = 0; k < 4; k++)
        at[k] = (unsigned char)(value >> (24 - 8 * k));
}

#endif
