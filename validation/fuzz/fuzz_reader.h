/* The fuzz target of coordinate formats: a reader gets any bytes, in memory that ends with the last
 * of them. What it refuses has an error; what it accepts has none and is finite.
 */
#ifndef AMPHI_VALIDATION_FUZZ_FUZZ_READER_H
#define AMPHI_VALIDATION_FUZZ_FUZZ_READER_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/formats/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static inline void fuzz_hold(bool is_true)
{
    if (!is_true)
        abort();
}

static inline void fuzz_check_snapshot(const AmphiSnapshot *s)
{
    fuzz_hold(s->n_beads > 0);
    for (int32_t i = 0; s->position_nm != NULL && i < s->n_beads; i++)
        for (int k = 0; k < 3; k++)
            fuzz_hold(isfinite(s->position_nm[i][k]));
    for (int k = 0; s->has_box && k < 3; k++)
        fuzz_hold(isfinite(s->box_nm[k]) && s->box_nm[k] > 0);
    for (int32_t k = 0; k < s->n_bonds; k++)
        for (int c = 1; c < 3; c++)
            fuzz_hold(s->bond[k][c] >= 0 && s->bond[k][c] < s->n_beads);
    for (int32_t k = 0; k < s->n_angles; k++)
        for (int c = 1; c < 4; c++)
            fuzz_hold(s->angle[k][c] >= 0 && s->angle[k][c] < s->n_beads);
    for (int32_t i = 0; i < s->n_beads; i++) { /* every byte of a name can be looked at */
        fuzz_hold(strlen(amphi_snapshot_bead_name(s, i).text) < AMPHI_NAME_SIZE);
        fuzz_hold(strlen(amphi_snapshot_molecule_name(s, i).text) < AMPHI_NAME_SIZE);
    }
}

static inline const AmphiSnapshot *fuzz_snapshot(const AmphiFormat *format, char *bytes, size_t n,
                                                 int64_t frame, AmphiArena *arena,
                                                 AmphiNotes *notes)
{
    if (format->read != NULL)
        return format->read("in", bytes, (int64_t)n, frame, arena, notes);

    FILE *const file = fmemopen(bytes, n, "rb");
    fuzz_hold(file != NULL);
    const AmphiSnapshot *const s = format->read_pieces("in", file, (int64_t)n, frame, arena, notes);
    fclose(file);
    return s;
}

static inline void fuzz_read(const AmphiFormat *format, const uint8_t *bytes, size_t n,
                             int64_t frame)
{
    AmphiArena *const arena = amphi_arena_new();
    AmphiNotes *const notes = amphi_notes_new();
    char *const       exact = malloc(n > 0 ? n : 1);

    fuzz_hold(arena != NULL && notes != NULL && exact != NULL);
    memcpy(exact, bytes, n);
    const AmphiSnapshot *const s = fuzz_snapshot(format, exact, n, frame, arena, notes);
    free(exact); /* the snapshot borrows nothing of it */
    fuzz_hold((s == NULL) == (amphi_notes_count(notes, AMPHI_NOTE_ERROR) > 0));
    if (s != NULL)
        fuzz_check_snapshot(s);
    amphi_arena_free(arena);
    amphi_notes_free(notes);
}

#endif
