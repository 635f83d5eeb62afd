/* What the tests of coordinate formats share: a small system, reading from exact memory, the note
 * that a fault must give, cutting and mutating. */
#ifndef AMPHI_VALIDATION_UNIT_FORMAT_CASES_H
#define AMPHI_VALIDATION_UNIT_FORMAT_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../engine/formats/formats.h"

#define HELPER static inline __attribute__((unused))

typedef struct {
    AmphiArena    *arena;
    AmphiNotes    *notes;
    AmphiSnapshot *s;
} Reading;

/* From memory that ends with the last byte, so that the sanitizer sees any step beyond it. */
HELPER Reading read_bytes(const AmphiFormat *format, const char *bytes, int64_t n, int64_t frame)
{
    Reading     r     = { amphi_arena_new(), amphi_notes_new(), NULL };
    char *const exact = malloc(n > 0 ? (size_t)n : 1);

    assert_non_null(r.arena);
    assert_non_null(r.notes);
    assert_non_null(exact);
    memcpy(exact, bytes, (size_t)n);
    if (format->read != NULL) {
        r.s = format->read("in", exact, n, frame, r.arena, r.notes);
    } else {
        FILE *const file = fmemopen(exact, (size_t)n, "rb");

        assert_non_null(file);
        r.s = format->read_pieces("in", file, n, frame, r.arena, r.notes);
        fclose(file);
    }
    free(exact);
    return r;
}

HELPER Reading read_text(const AmphiFormat *format, const char *text)
{
    return read_bytes(format, text, (int64_t)strlen(text), 0);
}

HELPER void done(Reading *r)
{
    amphi_arena_free(r->arena);
    amphi_notes_free(r->notes);
}

/* A fault in an input, and the note that it must give. line 0: of the file as a whole. */
typedef struct {
    const char    *bytes;
    AmphiMessageId id;
    int64_t        line;
    const char    *text, *hint;
} Fault;

HELPER bool has_note(AmphiNotes *notes, const Fault *fault)
{
    int64_t          n    = 0;
    const AmphiNote *list = amphi_notes_sorted(notes, &n);

    for (int64_t k = 0; k < n; k++)
        if (list[k].id == fault->id && list[k].where.line == fault->line &&
            strcmp(list[k].text, fault->text) == 0 && strcmp(list[k].hint, fault->hint) == 0)
            return true;
    for (int64_t k = 0; k < n; k++)
        print_message("got id %d line %lld: %s | %s\n", (int)list[k].id,
                      (long long)list[k].where.line, list[k].text, list[k].hint);
    print_message("expected id %d line %lld: %s | %s\n", (int)fault->id, (long long)fault->line,
                  fault->text, fault->hint);
    return false;
}

/* The input is refused with this note. */
HELPER bool gives_n(const AmphiFormat *format, const Fault *fault, int64_t n, int64_t frame)
{
    Reading    r       = read_bytes(format, fault->bytes, n, frame);
    const bool is_held = has_note(r.notes, fault) && r.s == NULL;

    done(&r);
    return is_held;
}

HELPER bool gives(const AmphiFormat *format, const Fault *fault)
{
    return gives_n(format, fault, (int64_t)strlen(fault->bytes), 0);
}

/* Equal within a tolerance; both absent is equal too, one absent is not. */
HELPER bool are_near(const void *a, const void *b, int64_t n, double tolerance)
{
    const double *const x = a, *const y = b;

    if (x == NULL || y == NULL)
        return x == y;
    for (int64_t k = 0; k < n; k++)
        if (!(fabs(x[k] - y[k]) <= tolerance)) {
            print_message("number %lld: %.17g and %.17g\n", (long long)k, x[k], y[k]);
            return false;
        }
    return true;
}

/* Five beads in three molecules, a bond, an angle and a dipole restraint, two types. */
enum { N_SMALL = 5 };

HELPER AmphiSnapshot *small_arrays(AmphiArena *arena)
{
    AmphiSnapshot *const s = AMPHI_TAKE(arena, AmphiSnapshot, 1);

    assert_non_null(s);
    s->n_beads              = N_SMALL;
    s->n_bonds              = 2;
    s->n_angles             = 2;
    s->n_types              = 2;
    s->bead_name            = AMPHI_TAKE(arena, AmphiName, N_SMALL);
    s->molecule_name        = AMPHI_TAKE(arena, AmphiName, N_SMALL);
    s->type                 = AMPHI_TAKE(arena, int32_t, N_SMALL);
    s->molecule             = AMPHI_TAKE(arena, int32_t, N_SMALL);
    s->charge_e             = AMPHI_TAKE(arena, double, N_SMALL);
    s->mass_u               = AMPHI_TAKE(arena, double, N_SMALL);
    s->dipole_strength_e_nm = AMPHI_TAKE(arena, double, N_SMALL);
    s->position_nm          = amphi_arena_take(arena, N_SMALL, sizeof *s->position_nm);
    s->velocity_nm_ps       = amphi_arena_take(arena, N_SMALL, sizeof *s->velocity_nm_ps);
    s->orientation          = amphi_arena_take(arena, N_SMALL, sizeof *s->orientation);
    s->spin_u_nm2_ps        = amphi_arena_take(arena, N_SMALL, sizeof *s->spin_u_nm2_ps);
    s->bond                 = amphi_arena_take(arena, 2, sizeof *s->bond);
    s->angle                = amphi_arena_take(arena, 2, sizeof *s->angle);
    s->type_name            = AMPHI_TAKE(arena, AmphiName, 2);
    s->type_mass_u          = AMPHI_TAKE(arena, double, 2);
    s->type_inertia_u_nm2   = amphi_arena_take(arena, 2, sizeof *s->type_inertia_u_nm2);
    assert_false(amphi_arena_failed(arena));
    return s;
}

HELPER void fill_bead(AmphiSnapshot *s, int i)
{
    static const char *const bead[]     = { "NC", "PO", "GL", "W", "W" };
    static const char *const molecule[] = { "LIP", "LIP", "LIP", "WAT", "WAT" };
    const bool               is_lipid   = i < 3;
    const double             angle      = 0.3 * (i + 1);

    strcpy(s->bead_name[i].text, bead[i]);
    strcpy(s->molecule_name[i].text, molecule[i]);
    s->molecule[i]             = is_lipid ? 1 : i - 1;
    s->type[i]                 = is_lipid ? 1 : 2;
    s->mass_u[i]               = is_lipid ? 72 : 40;
    s->charge_e[i]             = i == 0 ? 0.7 : i == 1 ? -0.7 : 0;
    s->dipole_strength_e_nm[i] = is_lipid ? 0 : 0.054132;
    s->orientation[i][0]       = cos(angle);
    s->orientation[i][1]       = sin(angle) * 0.6;
    s->orientation[i][3]       = sin(angle) * 0.8;
    for (int k = 0; k < 3; k++) {
        s->position_nm[i][k]    = 0.1 * i + 0.7 * k + 1.0 / 3;
        s->velocity_nm_ps[i][k] = 0.01 * (k - i) / 7;
        s->spin_u_nm2_ps[i][k]  = is_lipid || k == 2 ? 0 : 0.1 * k - 0.03 * i;
    }
}

HELPER AmphiSnapshot *small_system(AmphiArena *arena)
{
    static const double  box[3] = { 3.25, 4.5, 5.125 }, mass[2] = { 72, 40 };
    static const double  inertia[2][3] = { { 0, 0, 0 }, { 1, 1, 0 } };
    static const int32_t bond[2][3]    = { { 1, 0, 1 }, { 2, 1, 2 } };
    static const int32_t angle[2][4]   = { { 1, 0, 1, 2 }, { 2, 2, 1, 1 } };
    AmphiSnapshot *const s             = small_arrays(arena);

    s->path    = "small";
    s->title   = "five beads";
    s->has_box = true;
    s->step    = 2000;
    s->time_ps = 40;
    memcpy(s->box_nm, box, sizeof box);
    memcpy(s->bond, bond, sizeof bond);
    memcpy(s->angle, angle, sizeof angle);
    strcpy(s->type_name[0].text, "lipid");
    strcpy(s->type_name[1].text, "water");
    memcpy(s->type_mass_u, mass, sizeof mass);
    memcpy(s->type_inertia_u_nm2, inertia, sizeof inertia);
    for (int i = 0; i < N_SMALL; i++)
        fill_bead(s, i);
    return s;
}

/* A folder of its own for one test program. */
HELPER const char *folder(void)
{
    static char path[32] = "";

    if (path[0] == '\0') {
        strcpy(path, "/tmp/amphi-XXXXXX");
        assert_non_null(mkdtemp(path));
    }
    return path;
}

HELPER int remove_folder(void **state)
{
    char command[64];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder());
    return system(command);
}

/* A path in that folder, until the fourth next call. */
HELPER const char *path_of(const char *name)
{
    static char paths[4][96];
    static int  next = 0;

    next = (next + 1) % 4;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder(), name);
    return paths[next];
}

/* A file as bytes; the caller frees them. */
HELPER char *bytes_of_file(const char *path, int64_t *n)
{
    FILE *const  file  = fopen(path, "rb");
    const size_t room  = 1 << 20;
    char *const  bytes = calloc(1, room + 1);

    assert_non_null(file);
    assert_non_null(bytes);
    *n = (int64_t)fread(bytes, 1, room, file);
    fclose(file);
    return bytes;
}

HELPER void write_file(const char *path, const char *bytes, int64_t n)
{
    FILE *const file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, (size_t)n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* Writes the small system in a format and gives its bytes. */
HELPER char *bytes_written(const AmphiFormat *format, const AmphiSnapshot *s, int64_t *n)
{
    const char *const path = path_of("written");
    AmphiError        err  = { 0 };

    assert_int_equal(format->write(path, s, &err), AMPHI_OK);
    return bytes_of_file(path, n);
}

/* Neither a file that is cut anywhere nor one with random bytes and pieces changed may crash; what
 * is refused has an error, what is read has none. */
HELPER bool answers_plainly(const AmphiFormat *format, const char *bytes, int64_t n)
{
    bool is_plain = true;

    for (int64_t frame = -1; frame < 2; frame++) {
        Reading r = read_bytes(format, bytes, n, frame);
        is_plain &= (r.s == NULL) == (amphi_notes_count(r.notes, AMPHI_NOTE_ERROR) > 0);
        done(&r);
    }
    return is_plain;
}

HELPER void survives_cuts_and_mutations(const AmphiFormat *format, const char *bytes, int64_t n)
{
    static const char words[] = "0-.9999999999 \n\t!#eE+\xFF\x80nan";
    uint64_t          seed    = 20260401;
    char *const       copy    = malloc((size_t)n + 1);

    assert_non_null(copy);
    for (int64_t k = 0; k <= n; k++)
        assert_true(answers_plainly(format, bytes, k));
    for (int round = 0; round < 1500; round++) {
        memcpy(copy, bytes, (size_t)n);
        for (int change = 0; change < 1 + round % 5; change++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's */
            copy[(seed >> 33) % (uint64_t)n] = words[(seed >> 20) % (sizeof words - 1)];
        }
        assert_true(answers_plainly(format, copy, n));
    }
    free(copy);
}

#endif
