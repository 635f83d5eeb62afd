/* Checkpoints: the same bits back, every damage refused with the check that failed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

#include "../../engine/version.h"
#include "format_cases.h"

#define CHK (&amphi_format_chk)

enum { HEADER = 128, FRONT = 16, TRAILER = 16 };

static const char *const prev_hint = "use run.chk.prev, the checkpoint before";

/* Checksum and hash of names made right again, so that the checks behind them are reached. */
static void seal(char *bytes, int64_t n)
{
    const XXH128_hash_t hash       = XXH3_128bits(bytes, (size_t)(n - TRAILER));
    const uint64_t      trailer[2] = { hash.low64, hash.high64 };

    memcpy(bytes + n - TRAILER, trailer, sizeof trailer);
}

static bool have_equal_bits(const AmphiSnapshot *a, const AmphiSnapshot *b)
{
    const size_t n = (size_t)a->n_beads;

    return a->n_beads == b->n_beads && a->n_bonds == b->n_bonds && a->n_angles == b->n_angles &&
           a->n_types == b->n_types && a->step == b->step && a->precision == b->precision &&
           a->physics_hash == b->physics_hash && a->has_box == b->has_box &&
           memcmp(&a->time_ps, &b->time_ps, 8) == 0 && memcmp(a->box_nm, b->box_nm, 24) == 0 &&
           memcmp(a->position_nm, b->position_nm, 24 * n) == 0 &&
           memcmp(a->velocity_nm_ps, b->velocity_nm_ps, 24 * n) == 0 &&
           memcmp(a->orientation, b->orientation, 32 * n) == 0 &&
           memcmp(a->spin_u_nm2_ps, b->spin_u_nm2_ps, 24 * n) == 0 &&
           memcmp(a->type, b->type, 4 * n) == 0 && memcmp(a->molecule, b->molecule, 4 * n) == 0 &&
           memcmp(a->charge_e, b->charge_e, 8 * n) == 0 &&
           memcmp(a->mass_u, b->mass_u, 8 * n) == 0 &&
           memcmp(a->dipole_strength_e_nm, b->dipole_strength_e_nm, 8 * n) == 0 &&
           memcmp(a->bead_name, b->bead_name, sizeof(AmphiName) * n) == 0 &&
           memcmp(a->molecule_name, b->molecule_name, sizeof(AmphiName) * n) == 0 &&
           memcmp(a->bond, b->bond, 12 * (size_t)a->n_bonds) == 0 &&
           memcmp(a->angle, b->angle, 16 * (size_t)a->n_angles) == 0 &&
           memcmp(a->type_name, b->type_name, sizeof(AmphiName) * (size_t)a->n_types) == 0 &&
           memcmp(a->type_mass_u, b->type_mass_u, 8 * (size_t)a->n_types) == 0 &&
           memcmp(a->type_inertia_u_nm2, b->type_inertia_u_nm2, 24 * (size_t)a->n_types) == 0;
}

static void every_bit_comes_back(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    int64_t           n = 0, n_again = 0;

    s->precision         = 2;
    s->physics_hash      = 0xFEDCBA9876543210;
    s->position_nm[1][1] = -0.0;
    s->position_nm[2][0] = 4.9e-324; /* the smallest there is */
    char *const bytes    = bytes_written(CHK, s, &n);
    Reading     r        = read_bytes(CHK, bytes, n, 0);

    assert_non_null(r.s);
    assert_true(have_equal_bits(r.s, s));
    assert_string_equal(r.s->version, AMPHI_VERSION);
    char *const again = bytes_written(CHK, r.s, &n_again);
    assert_int_equal(n_again, n);
    assert_memory_equal(again, bytes, (size_t)n);

    r.s->spin_u_nm2_ps[4][0] += 1e-17;
    assert_false(have_equal_bits(r.s, s));
    done(&r);
    free(again);
    free(bytes);
    amphi_arena_free(arena);
}

static void what_is_not_known_is_not_stored(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *full  = small_system(arena);
    AmphiSnapshot     bare  = { .n_beads     = N_SMALL,
                                .box_nm      = { 1, 2, 3 }, /* without has_box: left over */
                                .position_nm = full->position_nm };
    int64_t           n     = 0;
    char *const       bytes = bytes_written(CHK, &bare, &n);
    Reading           r     = read_bytes(CHK, bytes, n, -1);

    assert_int_equal(n, HEADER + FRONT + 24 * N_SMALL + TRAILER);
    assert_non_null(r.s);
    assert_false(r.s->has_box);
    assert_null(r.s->bead_name);
    assert_null(r.s->bond);
    assert_null(r.s->type);
    done(&r);
    free(bytes);
    amphi_arena_free(arena);
}

static void a_file_cut_anywhere_is_refused_by_the_right_check(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    int64_t           n     = 0;
    char *const       bytes = bytes_written(CHK, small_system(arena), &n);

    for (int64_t k = 0; k < n; k++) {
        char  text[96];
        Fault fault = { bytes, AMPHI_MSG_CHK_CHECKSUM, 0,
                        "the checksum does not hold: the checkpoint is damaged or cut", prev_hint };
        if (k < 8) {
            fault.id   = AMPHI_MSG_CHK_MAGIC;
            fault.text = "not a checkpoint of amphi: the first eight bytes are not AMPHICHK";
            fault.hint = "";
        } else if (k < HEADER + TRAILER) {
            snprintf(text, sizeof text,
                     "the checkpoint is cut: %lld bytes, 144 are needed at least", (long long)k);
            fault.id   = AMPHI_MSG_CHK_CUT;
            fault.text = text;
        }
        assert_true(gives_n(CHK, &fault, k, 0));
    }
    free(bytes);
    amphi_arena_free(arena);
}

static void a_single_changed_bit_is_refused(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    int64_t           n     = 0;
    char *const       bytes = bytes_written(CHK, small_system(arena), &n);

    for (int64_t k = 0; k < n; k++) {
        bytes[k]  = (char)(bytes[k] ^ (1 << k % 8));
        Reading r = read_bytes(CHK, bytes, n, 0);
        assert_null(r.s);
        assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_ERROR), 1);
        done(&r);
        bytes[k] = (char)(bytes[k] ^ (1 << k % 8));
    }
    free(bytes);
    amphi_arena_free(arena);
}

/* Where the data of a section begin. */
static int64_t find(const char *bytes, const char *name)
{
    int64_t at = HEADER;

    for (;;) {
        int64_t n = 0;
        memcpy(&n, bytes + at + 8, sizeof n);
        if (strncmp(bytes + at, name, 8) == 0)
            return at + FRONT;
        at += FRONT + (n + 7) / 8 * 8;
    }
}

/* The checkpoint with some bytes changed, and sealed again, gives this note. */
static bool gives_when(int64_t at_header, const char *section, int64_t offset, const void *value,
                       size_t size, AmphiMessageId id, const char *text, const char *hint)
{
    AmphiArena *const arena = amphi_arena_new();
    int64_t           n     = 0;
    char *const       bytes = bytes_written(CHK, small_system(arena), &n);
    const int64_t     at    = section == NULL ? at_header : find(bytes, section) + offset;
    const Fault       fault = { bytes, id, 0, text, hint };

    memcpy(bytes + at, value, size);
    seal(bytes, n);
    const bool is_held = gives_n(CHK, &fault, n, 0);
    free(bytes);
    amphi_arena_free(arena);
    return is_held;
}

#define SECTION AMPHI_MSG_CHK_SECTION

static void every_fault_of_the_header_has_its_message(void **state)
{
    (void)state;
    const int64_t  none = 0, many = 1000, minus = -1;
    const uint32_t two = 2, three = 3, seven = 7;
    const double   nan_ = (double)NAN, negative = -1;

    assert_true(gives_when(8, NULL, 0, &two, 4, AMPHI_MSG_CHK_VERSION,
                           "a checkpoint of version 2, layout 1; this amphi reads version 1, "
                           "layout 1",
                           "read it with amphi " AMPHI_VERSION));
    assert_true(gives_when(12, NULL, 0, &seven, 4, AMPHI_MSG_CHK_VERSION,
                           "a checkpoint of version 1, layout 7; this amphi reads version 1, "
                           "layout 1",
                           "read it with amphi " AMPHI_VERSION));
    assert_true(gives_when(40, NULL, 0, &none, 8, AMPHI_MSG_FORMAT_NO_BEADS,
                           "there are no beads in this file", ""));
    for (int k = 0; k < 4; k++) /* each of the four counts */
        assert_true(gives_when(40 + 8 * k, NULL, 0, &minus, 8, SECTION,
                               "byte 40, section \"header\": a count is more than the file can "
                               "hold",
                               ""));
    assert_true(gives_when(40, NULL, 0, &many, 8, SECTION,
                           "byte 40, section \"header\": a count is more than the file can hold",
                           ""));
    assert_true(gives_when(32, NULL, 0, &three, 4, SECTION,
                           "byte 32, section \"header\": precision or time is out of range", ""));
    assert_true(gives_when(80, NULL, 0, &nan_, 8, SECTION,
                           "byte 32, section \"header\": precision or time is out of range", ""));
    for (int k = 0; k < 3; k++) { /* each edge; all of them at zero are no box */
        const double wrong[] = { negative, 0, nan_, (double)INFINITY };

        for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++)
            assert_true(gives_when(88 + 8 * k, NULL, 0, &wrong[w], 8, SECTION,
                                   "byte 88, section \"header\": a box edge is not above zero",
                                   ""));
    }
}

static void every_fault_of_a_section_has_its_message(void **state)
{
    (void)state;
    const int64_t  many = 1000;
    const uint32_t two = 2, twenty = 20;
    const int32_t  five = 5, zero = 0, minus = -1, three = 3;
    const double   nan_ = (double)NAN, longer = 1.1, turned[4] = { 0.9999, 0, 0, 0 };

    assert_true(gives_when(36, NULL, 0, &twenty, 4, SECTION,
                           "byte 1480, section \"\": the file ends before its last section", ""));
    assert_true(gives_when(36, NULL, 0, &two, 4, SECTION,
                           "byte 440, section \"\": bytes behind the last section", ""));
    assert_true(gives_when(0, "orient", -16, "oriend", 6, SECTION,
                           "byte 264, section \"oriend\": no section of that name is known", ""));
    assert_true(gives_when(0, "velocity", -16, "position", 8, SECTION,
                           "byte 440, section \"position\": it stands twice", ""));
    assert_true(gives_when(0, "velocity", -8, &many, 8, SECTION,
                           "byte 440, section \"velocity\": its length does not fit the counts of "
                           "the header",
                           ""));
    assert_true(gives_when(0, "velocity", 8, &nan_, 8, SECTION,
                           "byte 0, section \"velocity\": a value is not finite", ""));
    assert_true(gives_when(0, "beadname", 24, "\x01", 1, SECTION,
                           "byte 0, section \"beadname\": a name is not closed or not text", ""));
    assert_true(gives_when(0, "beadname", 24, "\x7F", 1, SECTION,
                           "byte 0, section \"beadname\": a name is not closed or not text", ""));
    assert_true(gives_when(0, "molname", 0, "abcdefghijklmnopqrstuvwxyz", 24, SECTION,
                           "byte 0, section \"molname\": a name is not closed or not text", ""));
    for (int k = 0; k < 2; k++) { /* of the five beads from 0, in any column; of two types from 1 */
        const int32_t *const bead = k == 0 ? &five : &minus, *const type = k == 0 ? &three : &zero;

        for (int column = 1; column < 3; column++)
            assert_true(gives_when(0, "bond", 12 + 4 * column, bead, 4, SECTION,
                                   "byte 0, section \"bond\": a bead number is out of range", ""));
        for (int column = 1; column < 4; column++)
            assert_true(gives_when(0, "angle", 16 + 4 * column, bead, 4, SECTION,
                                   "byte 0, section \"angle\": a bead number is out of range", ""));
        assert_true(gives_when(0, "type", 4, type, 4, SECTION,
                               "byte 0, section \"type\": a bead type is out of range", ""));
    }
    assert_true(gives_when(0, "orient", 0, &longer, 8, SECTION,
                           "byte 0, section \"orient\": a quaternion is not of unit length", ""));
    assert_true(gives_when(0, "orient", 32, turned, sizeof turned, SECTION,
                           "byte 0, section \"orient\": a quaternion is not of unit length", ""));
    assert_true(gives_when(0, "typename", 0, "L", 1, SECTION,
                           "byte 112, section \"typename\": the hash of the type names does not "
                           "hold",
                           ""));
    assert_false(gives_when(0, "typename", 0, "L", 1, SECTION, "another", ""));
}

/* The note of a file of 5 GiB that is all hole but for its first bytes. */
static bool large_file_gives(const char *front, int64_t n_front, const Fault *fault)
{
    AmphiArena *const arena = amphi_arena_new();
    AmphiNotes *const notes = amphi_notes_new();

    write_file(path_of("large.chk"), front, n_front);
    assert_int_equal(truncate(path_of("large.chk"), (off_t)5 << 30), 0);
    const AmphiSnapshot *const s =
        amphi_snapshot_read(path_of("large.chk"), NULL, arena, (AmphiWhere){ NULL, 0 }, notes);
    const bool is_held = s == NULL && has_note(notes, fault) && amphi_arena_bytes(arena) < 1 << 20;
    amphi_arena_free(arena);
    amphi_notes_free(notes);
    return is_held;
}

/* The size of a file is no fault, and takes no memory before the checkpoint is known to be good. */
static void a_checkpoint_may_be_larger_than_4_GiB(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    const uint32_t    two   = 2;
    int64_t           n     = 0;
    char *const       bytes = bytes_written(CHK, small_system(arena), &n);

    memcpy(bytes + 8, &two, sizeof two);
    assert_true(large_file_gives(
        bytes, n,
        &(const Fault){ "", AMPHI_MSG_CHK_VERSION, 0,
                        "a checkpoint of version 2, layout 1; this amphi reads version 1, layout 1",
                        "read it with amphi " AMPHI_VERSION }));
    assert_true(large_file_gives(
        "no checkpoint", 13,
        &(const Fault){ "", AMPHI_MSG_CHK_MAGIC, 0,
                        "not a checkpoint of amphi: the first eight bytes are not AMPHICHK", "" }));
    free(bytes);
    amphi_arena_free(arena);
}

/* No second copy of the file. */
static void a_large_checkpoint_is_held_once(void **state)
{
    (void)state;
    enum { LARGE = 1 << 24 };
    AmphiArena *const    arena = amphi_arena_new();
    AmphiNotes *const    notes = amphi_notes_new();
    AmphiSnapshot        s     = *small_system(arena);
    unsigned char *const run   = calloc(1, LARGE);

    assert_non_null(run);
    run[LARGE - 1] = 7;
    s.run          = run;
    s.n_run_bytes  = LARGE;
    assert_int_equal(CHK->write(path_of("run.chk"), &s, NULL), AMPHI_OK);

    AmphiArena *const          mine = amphi_arena_new();
    const AmphiSnapshot *const r =
        amphi_snapshot_read(path_of("run.chk"), NULL, mine, (AmphiWhere){ NULL, 0 }, notes);
    assert_non_null(r);
    assert_memory_equal(r->run, run, LARGE);
    assert_true(amphi_arena_bytes(mine) < LARGE + LARGE / 8);
    amphi_arena_free(mine);
    amphi_arena_free(arena);
    amphi_notes_free(notes);
    free(run);
}

/* A checkpoint that names bonds or angles but has none, or no positions. */
static void a_missing_section_is_named(void **state)
{
    (void)state;
    static const char *const names[] = { "bond", "angle", "position" };
    AmphiArena *const        arena   = amphi_arena_new();

    for (int k = 0; k < 3; k++) {
        AmphiSnapshot s = *small_system(arena);
        int64_t       n = 0;
        char          text[64];
        uint32_t      n_sections = 0;

        if (k == 0)
            s.bond = NULL;
        if (k == 1)
            s.angle = NULL;
        char *const bytes = bytes_written(CHK, &s, &n);
        if (k == 2) { /* the writer refuses that, so the first section is cut out here */
            const int64_t length = FRONT + 24 * N_SMALL;
            memmove(bytes + HEADER, bytes + HEADER + length, (size_t)(n - HEADER - length));
            n -= length;
            memcpy(&n_sections, bytes + 36, 4);
            n_sections--;
            memcpy(bytes + 36, &n_sections, 4);
            seal(bytes, n);
        }
        snprintf(text, sizeof text, "byte 0, section \"%s\": it is missing", names[k]);
        assert_true(
            gives_n(CHK, &(const Fault){ bytes, AMPHI_MSG_CHK_SECTION, 0, text, "" }, n, 0));
        free(bytes);
    }
    amphi_arena_free(arena);
}

static void there_is_one_frame(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    int64_t           n     = 0;
    char *const       bytes = bytes_written(CHK, small_system(arena), &n);
    const Fault       fault = { bytes, AMPHI_MSG_FORMAT_FRAME, 0,
                                "frame 1 was asked for, and the file has 1",
                                "write a number from 0 on, or last" };

    assert_true(gives_n(CHK, &fault, n, 1));
    free(bytes);
    amphi_arena_free(arena);
}

static void a_bad_state_is_never_written_over_a_good_one(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    AmphiError        err   = { 0 };
    int64_t           n = 0, n_after = 0;

    assert_int_equal(CHK->write(path_of("run.chk"), s, &err), AMPHI_OK);
    char *const before     = bytes_of_file(path_of("run.chk"), &n);
    s->spin_u_nm2_ps[3][1] = (double)NAN;
    assert_int_equal(CHK->write(path_of("run.chk"), s, &err), AMPHI_BAD_INPUT);
    assert_non_null(strstr(err.text, "spin is not finite everywhere"));
    char *const after = bytes_of_file(path_of("run.chk"), &n_after);
    assert_int_equal(n, n_after);
    assert_memory_equal(before, after, (size_t)n);
    assert_int_equal(access(path_of("run.chk.tmp"), F_OK), -1);
    s->position_nm = NULL;
    assert_int_equal(CHK->write(path_of("run.chk"), s, &err), AMPHI_BAD_INPUT);
    assert_int_equal(CHK->write("/nowhere/run.chk", small_system(arena), &err), AMPHI_BAD_FILE);
    assert_string_equal(err.text, "/nowhere/run.chk: No such file or directory");
    free(before);
    free(after);
    amphi_arena_free(arena);
}

static void sealed_mutations_are_refused_or_read(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    uint64_t          seed  = 20260402;
    int64_t           n     = 0;
    char *const       bytes = bytes_written(CHK, small_system(arena), &n);
    char *const       copy  = malloc((size_t)n);

    survives_cuts_and_mutations(CHK, bytes, n);
    assert_non_null(copy);
    for (int round = 0; round < 20000; round++) {
        memcpy(copy, bytes, (size_t)n);
        for (int change = 0; change < 1 + round % 3; change++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's */
            /* every other change hits the header and the front of the first section */
            copy[(seed >> 33) % (uint64_t)(round % 2 == 0 ? n : HEADER + FRONT)] =
                (char)(seed >> 24);
        }
        seal(copy, n);
        assert_true(answers_plainly(CHK, copy, n));
    }
    free(copy);
    free(bytes);
    amphi_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_comes_back),
        cmocka_unit_test(what_is_not_known_is_not_stored),
        cmocka_unit_test(a_file_cut_anywhere_is_refused_by_the_right_check),
        cmocka_unit_test(a_single_changed_bit_is_refused),
        cmocka_unit_test(every_fault_of_the_header_has_its_message),
        cmocka_unit_test(every_fault_of_a_section_has_its_message),
        cmocka_unit_test(a_checkpoint_may_be_larger_than_4_GiB),
        cmocka_unit_test(a_large_checkpoint_is_held_once),
        cmocka_unit_test(a_missing_section_is_named),
        cmocka_unit_test(there_is_one_frame),
        cmocka_unit_test(a_bad_state_is_never_written_over_a_good_one),
        cmocka_unit_test(sealed_mutations_are_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
