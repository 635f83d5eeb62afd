/* DCD files: frames by index, cut files, both byte orders, appending, every message, and the eye of
 * another program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../engine/formats/dcd.h"
#include "format_cases.h"
#include "skipping.h"

#define DCD (&amphi_format_dcd)

enum {
    N_FRAMES    = 3,
    HEADER      = 92 + 92 + 12, /* header, title, number of beads, with their lengths */
    FRAME       = 56 + 3 * (8 + 4 * N_SMALL), /* cell and three axes */
    FRAME_COUNT = 8                           /* where the header keeps it */
};

static double place(int frame, int i, int k)
{
    return 0.1 * frame + 0.37 * i - 0.9 * k;
}

static void make_frame(int frame, double box[3], double position[N_SMALL][3])
{
    for (int k = 0; k < 3; k++)
        box[k] = 3 + k + 0.25 * frame;
    for (int i = 0; i < N_SMALL; i++)
        for (int k = 0; k < 3; k++)
            position[i][k] = place(frame, i, k);
}

static void append_frame(AmphiDcdWriter *w, int frame)
{
    AmphiError err = { 0 };
    double     box[3], position[N_SMALL][3];

    make_frame(frame, box, position);
    assert_int_equal(amphi_dcd_append(w, box, (const double(*)[3])position, &err), AMPHI_OK);
}

/* Three frames, 500 steps of 10 fs apart, from step 1000. */
static char *trajectory(const char *path, int64_t *n)
{
    AmphiDcdWriter w;
    AmphiError     err = { 0 };

    assert_int_equal(amphi_dcd_create(&w, path, N_SMALL, 1000, 500, 0.01, &err), AMPHI_OK);
    for (int frame = 0; frame < N_FRAMES; frame++)
        append_frame(&w, frame);
    assert_int_equal(amphi_dcd_finish(&w, &err), AMPHI_OK);
    return bytes_of_file(path, n);
}

/* Is the snapshot this frame, to single precision (6e-8 of 10 A is 1e-7 nm)? */
static bool is_frame(const AmphiSnapshot *s, int frame)
{
    double box[3], position[N_SMALL][3];

    make_frame(frame, box, position);
    return s != NULL && s->n_beads == N_SMALL && s->has_box && s->step == 1000 + 500 * frame &&
           fabs(s->time_ps - 0.01 * (double)s->step) < 1e-6 * s->time_ps &&
           are_near(s->box_nm, box, 3, 1e-14) && are_near(s->position_nm, position, 15, 2e-7);
}

static void frames_are_read_by_index(void **state)
{
    (void)state;
    int64_t     n     = 0;
    char *const bytes = trajectory(path_of("t.dcd"), &n);

    assert_int_equal(n, HEADER + N_FRAMES * FRAME);
    for (int frame = -1; frame < N_FRAMES; frame++) {
        Reading r = read_bytes(DCD, bytes, n, frame);
        assert_true(is_frame(r.s, frame < 0 ? N_FRAMES - 1 : frame));
        assert_false(is_frame(r.s, frame == 1 ? 2 : 1));
        done(&r);
    }
    const Fault none = { bytes, AMPHI_MSG_FORMAT_FRAME, 0,
                         "frame 3 was asked for, and the file has 3",
                         "write a number from 0 on, or last" };
    assert_true(gives_n(DCD, &none, n, N_FRAMES));
    free(bytes);
}

/* As of a GRO file that tells a time and no step. */
static void a_time_without_a_step_is_kept(void **state)
{
    (void)state;
    const double  time_ps[] = { 0, 12.5 };
    double        box[3], position[N_SMALL][3];
    AmphiSnapshot s = { .n_beads = N_SMALL, .has_box = true, .position_nm = position };

    make_frame(1, box, position);
    memcpy(s.box_nm, box, sizeof box);
    for (int k = 0; k < 2; k++) {
        int64_t n = 0;

        s.time_ps = time_ps[k];
        assert_int_equal(amphi_format_find("dcd")->write(path_of("o.dcd"), &s, NULL), AMPHI_OK);
        char *const bytes = bytes_of_file(path_of("o.dcd"), &n);
        Reading     r     = read_bytes(DCD, bytes, n, 0);
        assert_non_null(r.s);
        assert_true(fabs(r.s->time_ps - time_ps[k]) < 1e-5);
        done(&r);
        free(bytes);
    }
}

static void the_header_counts_the_frames(void **state)
{
    (void)state;
    int64_t     n     = 0;
    char *const bytes = trajectory(path_of("t.dcd"), &n);
    int32_t     number[20];

    memcpy(number, bytes + FRAME_COUNT, sizeof number);
    assert_int_equal(number[0], N_FRAMES);
    assert_int_equal(number[1], 1000);
    assert_int_equal(number[2], 500);
    assert_int_equal(number[3], N_FRAMES * 500);
    assert_int_equal(number[10], 1);
    assert_int_equal(number[19], 24);
    free(bytes);
}

static void a_file_cut_anywhere_is_read_up_to_its_last_whole_frame(void **state)
{
    (void)state;
    int64_t     n     = 0;
    char *const bytes = trajectory(path_of("t.dcd"), &n);

    for (int64_t k = 0; k <= n; k++) {
        Reading       r       = read_bytes(DCD, bytes, k, -1);
        const int64_t n_whole = k < HEADER ? 0 : (k - HEADER) / FRAME;
        if (n_whole == 0)
            assert_null(r.s);
        else
            assert_true(is_frame(r.s, (int)n_whole - 1));
        done(&r);
    }
    free(bytes);
}

static void a_large_file_is_read_from_disk_frame_by_frame(void **state)
{
    (void)state;
    int64_t           n     = 0;
    AmphiDcdReader    r     = { 0 };
    AmphiNotes *const notes = amphi_notes_new();
    AmphiArena *const arena = amphi_arena_new();

    amphi_dcd_close(&r); /* never opened: fine */
    free(trajectory(path_of("t.dcd"), &n));
    const char *const path = path_of("t.dcd");
    assert_true(amphi_dcd_open(&r, path, (AmphiWhere){ "job", 7 }, notes));
    assert_int_equal(r.n_frames, N_FRAMES);
    assert_true(is_frame(amphi_dcd_snapshot(&r, 1, arena, notes), 1));
    amphi_dcd_close(&r);
    assert_false(amphi_dcd_open(&r, "/nowhere.dcd", (AmphiWhere){ "job", 7 }, notes));
    assert_true(has_note(notes, &(const Fault){ "", AMPHI_MSG_FILE_MISSING, 7,
                                                "/nowhere.dcd: No such file or directory", "" }));
    assert_false(amphi_dcd_open(&r, folder(), (AmphiWhere){ "job", 8 }, notes));
    amphi_arena_free(arena);
    amphi_notes_free(notes);
}

static void swap4(char *at)
{
    const char kept[4] = { at[3], at[2], at[1], at[0] };

    memcpy(at, kept, 4);
}

static void big_endian_files_are_read(void **state)
{
    (void)state;
    int64_t     n     = 0;
    char *const bytes = trajectory(path_of("t.dcd"), &n);

    for (int64_t k = 0; k < HEADER; k += 4)
        if (k != 4 && (k < 100 || k >= 180)) /* the word CORD and the title */
            swap4(bytes + k);
    for (int frame = 0; frame < N_FRAMES; frame++) {
        char *const at = bytes + HEADER + frame * FRAME;
        for (int64_t k = 0; k < FRAME; k += 4)
            swap4(at + k);
        for (int64_t k = 4; k < 52; k += 8) { /* doubles: halves too */
            char half[4];
            memcpy(half, at + k, 4);
            memcpy(at + k, at + k + 4, 4);
            memcpy(at + k + 4, half, 4);
        }
    }
    Reading r = read_bytes(DCD, bytes, n, 2);
    assert_true(is_frame(r.s, 2));
    done(&r);
    free(bytes);
}

/* Without the record of the cell, as some programs write. */
static void files_without_a_cell_are_read(void **state)
{
    (void)state;
    int64_t     n     = 0;
    char *const bytes = trajectory(path_of("t.dcd"), &n);

    memset(bytes + FRAME_COUNT + 40, 0, 4);
    for (int frame = 0; frame < N_FRAMES; frame++)
        memmove(bytes + HEADER + frame * (FRAME - 56), bytes + HEADER + frame * FRAME + 56,
                FRAME - 56);
    Reading r = read_bytes(DCD, bytes, n - N_FRAMES * 56, 2);
    assert_non_null(r.s);
    assert_false(r.s->has_box);
    assert_true(fabs(r.s->position_nm[4][1] - place(2, 4, 1)) < 2e-7);
    done(&r);
    free(bytes);
}

/* Longer than a piece of what is read and written at once, which is not all at the end. */
static void many_beads_come_in_pieces(void **state)
{
    (void)state;
    enum { MANY = 5003 };
    AmphiArena *const arena = amphi_arena_new();
    AmphiNotes *const notes = amphi_notes_new();
    AmphiSnapshot     s     = { .n_beads = MANY, .has_box = true, .box_nm = { 3, 4, 5 } };

    s.position_nm = amphi_arena_take(arena, MANY, sizeof *s.position_nm);
    for (int i = 0; i < MANY; i++)
        for (int k = 0; k < 3; k++)
            s.position_nm[i][k] = 1e-3 * i + 0.2 * k;
    assert_int_equal(DCD->write(path_of("many.dcd"), &s, NULL), AMPHI_OK);

    const AmphiSnapshot *const r =
        amphi_snapshot_read(path_of("many.dcd"), NULL, arena, (AmphiWhere){ NULL, 0 }, notes);
    assert_non_null(r);
    assert_int_equal(r->n_beads, MANY);
    assert_true(are_near(r->position_nm, s.position_nm, 3 * MANY, 1e-6));
    amphi_arena_free(arena);
    amphi_notes_free(notes);
}

/* A box counts only if all of its edges do; whoever has none writes zeros. */
static void a_box_is_whole_or_none(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);

    for (int flat = -1; flat < 3; flat++) {
        AmphiSnapshot part = *s;
        int64_t       n    = 0;
        Reading       r;

        part.has_box = flat >= 0;
        if (flat >= 0)
            part.box_nm[flat] = 0;
        char *const bytes = bytes_written(DCD, &part, &n);
        r                 = read_bytes(DCD, bytes, n, 0);
        assert_non_null(r.s);
        assert_false(r.s->has_box);
        done(&r);
        free(bytes);
    }
    amphi_arena_free(arena);
}

/* The time of one frame is that of its step; steps that no header has room for stay at the largest
 * that has. */
static void steps_and_times_of_one_frame_come_back(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    int32_t           number[20];
    int64_t           n     = 0;
    char             *bytes = bytes_written(DCD, s, &n);

    memset(bytes + FRAME_COUNT + 8, 0, 4); /* no distance of frames */
    Reading r = read_bytes(DCD, bytes, n, 0);
    assert_non_null(r.s);
    assert_int_equal(r.s->step, 2000);
    assert_true(fabs(r.s->time_ps - 40) < 1e-5);
    done(&r);
    free(bytes);
    s->step = 3000000000;
    bytes   = bytes_written(DCD, s, &n);
    memcpy(number, bytes + FRAME_COUNT, sizeof number);
    assert_int_equal(number[1], INT32_MAX);
    free(bytes);
    amphi_arena_free(arena);
}

/* None, a negative one, and what is no number: steps are known, and no times. */
static void a_time_step_that_is_none_gives_no_times(void **state)
{
    (void)state;
    static const float wrong[] = { 0, -0.2F, (float)NAN, INFINITY };
    int64_t            n       = 0;
    char *const        bytes   = trajectory(path_of("t.dcd"), &n);

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        memcpy(bytes + FRAME_COUNT + 36, &wrong[k], 4);
        Reading r = read_bytes(DCD, bytes, n, 1);
        assert_non_null(r.s);
        assert_int_equal(r.s->step, 1500);
        assert_true(r.s->time_ps == 0);
        done(&r);
    }
    free(bytes);
}

static void frames_that_the_header_has_and_the_file_has_not_are_told(void **state)
{
    (void)state;
    int64_t     n     = 0;
    char *const bytes = trajectory(path_of("t.dcd"), &n);
    Reading     whole = read_bytes(DCD, bytes, n, 0), cut = read_bytes(DCD, bytes, n - FRAME, 0);

    assert_int_equal(amphi_notes_count(whole.notes, AMPHI_NOTE_WARNING), 0);
    assert_true(is_frame(cut.s, 0));
    assert_int_equal(amphi_notes_count(cut.notes, AMPHI_NOTE_WARNING), 1);
    done(&whole);
    done(&cut);
    free(bytes);
}

static void a_full_disk_leaves_the_frames_before(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        SKIP("there is no /dev/full");
    AmphiDcdWriter w   = { .path = "/dev/full", .n_beads = N_SMALL };
    AmphiError     err = { 0 };
    double         box[3], position[N_SMALL][3];

    make_frame(0, box, position);
    w.file = fopen("/dev/full", "wb");
    assert_non_null(w.file);
    assert_int_equal(amphi_dcd_append(&w, box, (const double(*)[3])position, &err), AMPHI_BAD_FILE);
    assert_string_equal(err.text, "/dev/full: No space left on device");
    assert_int_equal(w.n_frames, 0);
    amphi_dcd_finish(&w, NULL);
}

static void positions_that_are_not_finite_are_not_written(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    AmphiError        err   = { 0 };

    s->position_nm[3][2] = (double)NAN;
    assert_int_equal(DCD->write(path_of("bad.dcd"), s, &err), AMPHI_BAD_INPUT);
    assert_non_null(strstr(err.text, "the position of bead 4 is not finite"));
    s->position_nm[3][2] = 1e38;
    assert_int_equal(DCD->write(path_of("bad.dcd"), s, &err), AMPHI_BAD_INPUT);
    assert_int_equal(access(path_of("bad.dcd"), F_OK), -1);
    assert_int_equal(access(path_of("bad.dcd.tmp"), F_OK), -1);
    s->n_beads = 0;
    assert_int_equal(DCD->write(path_of("bad.dcd"), s, &err), AMPHI_BAD_INPUT);
    amphi_arena_free(arena);
}

/* The file with a number changed at some byte gives this note. */
static bool gives_when(const char *bytes, int64_t n, int64_t at, const void *value, int64_t size,
                       AmphiMessageId id, const char *text, const char *hint)
{
    char *const copy  = malloc((size_t)n);
    const Fault fault = { copy, id, 0, text, hint };

    assert_non_null(copy);
    memcpy(copy, bytes, (size_t)n);
    memcpy(copy + at, value, (size_t)size);
    const bool is_held = gives_n(DCD, &fault, n, 0);
    free(copy);
    return is_held;
}

static void every_fault_has_its_message(void **state)
{
    (void)state;
    static const char damaged[] = "is the file damaged? the frames before this one can be read";
    static const char flavour[] = "not a DCD file of the CHARMM flavour: ";
    static const struct {
        int64_t     at;
        int32_t     value;
        const char *why;
    } headers[] = {
        { 0, 85, "it does not begin with a record of 84 bytes" },
        { 88, 85, "it does not begin with a record of 84 bytes" },
        { 4, 0, "the word CORD is missing" },
        { 8 + 4 * 19, 0, "the version number is 0, so it is X-PLOR's" },
        { 8 + 4 * 8, 3, "it has fixed beads, which are in its first frame only" },
        { 8 + 4 * 11, 1, "it has a fourth dimension" },
        { 92, 1 << 30, "the record of the title is damaged" },
        { 92, -1, "the record of the title is damaged" },
        { 184, 5, "the record with the number of beads is damaged" },
        { 188, 0, "the number of beads is out of range" },
        { 188, INT32_MAX, "the number of beads is out of range" },
    };
    const double nan_ = (double)NAN, negative = -1, sixty = 60, cosine = 0.5;
    const float  infinite = INFINITY;
    int64_t      n        = 0;
    char *const  bytes    = trajectory(path_of("t.dcd"), &n);
    char         text[160];

    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
        snprintf(text, sizeof text, "%s%s", flavour, headers[k].why);
        assert_true(gives_when(bytes, n, headers[k].at, &headers[k].value, 4, AMPHI_MSG_DCD_HEADER,
                               text, ""));
    }
    const int32_t many = 1000000, odd = 47;
    assert_true(gives_when(bytes, n, 188, &many, 4, AMPHI_MSG_NO_WHOLE_FRAME,
                           "there is no whole frame in this file",
                           "a run writes one where its time steps begin, a minimisation none"));
    assert_true(gives_when(bytes, n, HEADER, &odd, 4, AMPHI_MSG_DCD_RECORD,
                           "frame 0, byte 196: the record of the cell is damaged", damaged));
    assert_true(gives_when(bytes, n, HEADER + 56, &odd, 4, AMPHI_MSG_DCD_RECORD,
                           "frame 0, byte 252: the record of the positions is damaged", damaged));
    assert_true(gives_when(bytes, n, HEADER + 4, &nan_, 8, AMPHI_MSG_DCD_RECORD,
                           "frame 0, byte 196: an edge of the cell is not a length", damaged));
    assert_true(gives_when(bytes, n, HEADER + 4, &negative, 8, AMPHI_MSG_DCD_RECORD,
                           "frame 0, byte 196: an edge of the cell is not a length", damaged));
    assert_true(gives_when(bytes, n, HEADER + 12, &sixty, 8, AMPHI_MSG_FORMAT_TRICLINIC,
                           "the box is triclinic: 60", "amphi needs a rectangular box"));
    assert_true(gives_when(bytes, n, HEADER + 12, &cosine, 8, AMPHI_MSG_FORMAT_TRICLINIC,
                           "the box is triclinic: 0.5", "amphi needs a rectangular box"));
    assert_true(gives_when(bytes, n, HEADER + 64, &infinite, 4, AMPHI_MSG_DCD_RECORD,
                           "frame 0, byte 260: a position is not finite", damaged));
    assert_false(
        gives_when(bytes, n, HEADER + 64, &infinite, 4, AMPHI_MSG_DCD_RECORD, "another", damaged));
    free(bytes);
}

/* An angle that is nearly right, a cosine that is nearly none, and a position. */
static void values_just_beyond_their_limits_are_refused(void **state)
{
    (void)state;
    static const char damaged[] = "is the file damaged? the frames before this one can be read";
    const double      nearly = 90.001, little = 1e-3;
    const float       none  = (float)NAN;
    int64_t           n     = 0;
    char *const       bytes = trajectory(path_of("t.dcd"), &n);

    assert_true(gives_when(bytes, n, HEADER + 12, &nearly, 8, AMPHI_MSG_FORMAT_TRICLINIC,
                           "the box is triclinic: 90.001", "amphi needs a rectangular box"));
    assert_true(gives_when(bytes, n, HEADER + 12, &little, 8, AMPHI_MSG_FORMAT_TRICLINIC,
                           "the box is triclinic: 0.001", "amphi needs a rectangular box"));
    assert_true(gives_when(bytes, n, HEADER + 68, &none, 4, AMPHI_MSG_DCD_RECORD,
                           "frame 0, byte 264: a position is not finite", damaged));
    free(bytes);
}

static void cut_and_mutated_files_are_refused_or_read(void **state)
{
    (void)state;
    int64_t     n     = 0;
    char *const bytes = trajectory(path_of("t.dcd"), &n);

    survives_cuts_and_mutations(DCD, bytes, n);
    free(bytes);
}

/* PSF, GRO and DCD through MDAnalysis, which has readers of its own. */
static void another_program_reads_the_same(void **state)
{
    (void)state;
    static const char script[] =
        "python3 -W ignore -c 'import sys, MDAnalysis as m\n"
        "u = m.Universe(sys.argv[1] + \"/m.psf\", sys.argv[1] + \"/t.dcd\")\n"
        "assert len(u.trajectory) == 3 and len(u.atoms) == 5 and len(u.bonds) == 2\n"
        "assert list(u.atoms.names) == [\"NC\", \"PO\", \"GL\", \"W\", \"W\"]\n"
        "assert list(u.atoms.segids)[::4] == [\"LIP\", \"WAT\"]\n"
        "assert abs(u.atoms.masses.sum() - 296) < 1e-9 and abs(u.atoms.charges[0] - 0.7) < 1e-6\n"
        "for f, ts in enumerate(u.trajectory):\n"
        "    assert max(abs(ts.dimensions[:3] - [30 + 2.5 * f, 40 + 2.5 * f, 50 + 2.5 * f])) < "
        "1e-4\n"
        "    assert max(abs(ts.dimensions[3:] - 90)) < 1e-4\n"
        "    assert abs(ts.positions[4][1] - (f + 14.8 - 9)) < 1e-4\n"
        "w = m.Universe(sys.argv[1] + \"/w.psf\", sys.argv[1] + \"/t.dcd\")\n"
        "assert [list(b.indices) for b in w.bonds] == [list(b.indices) for b in u.bonds]\n"
        "assert list(w.atoms.names) == list(u.atoms.names)\n"
        "g = m.Universe(sys.argv[1] + \"/m.gro\")\n"
        "assert abs(g.atoms.positions[4][2] - (4 + 14 + 10 / 3)) < 1e-4\n"
        "assert max(abs(g.dimensions[:3] - [32.5, 45, 51.25])) < 1e-4\n"
        "assert abs(g.atoms.velocities[0][2] - 0.2 / 7) < 1e-5\n' ";
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    AmphiError        err   = { 0 };
    char              command[sizeof script + 64];
    int64_t           n = 0;

    if (system("python3 -c 'import MDAnalysis' 2>/dev/null") != 0) {
        amphi_arena_free(arena);
        SKIP("no MDAnalysis (Debian: python3-mdanalysis)");
    }
    free(trajectory(path_of("t.dcd"), &n));
    assert_int_equal(amphi_psf_write(path_of("m.psf"), s, 8, &err), AMPHI_OK);
    assert_int_equal(amphi_psf_write(path_of("w.psf"), s, 10, &err), AMPHI_OK);
    assert_int_equal(amphi_format_gro.write(path_of("m.gro"), s, &err), AMPHI_OK);
    snprintf(command, sizeof command, "%s%s", script, folder());
    assert_int_equal(system(command), 0);
    amphi_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_read_by_index),
        cmocka_unit_test(a_time_without_a_step_is_kept),
        cmocka_unit_test(the_header_counts_the_frames),
        cmocka_unit_test(a_file_cut_anywhere_is_read_up_to_its_last_whole_frame),
        cmocka_unit_test(a_large_file_is_read_from_disk_frame_by_frame),
        cmocka_unit_test(big_endian_files_are_read),
        cmocka_unit_test(files_without_a_cell_are_read),
        cmocka_unit_test(many_beads_come_in_pieces),
        cmocka_unit_test(a_box_is_whole_or_none),
        cmocka_unit_test(steps_and_times_of_one_frame_come_back),
        cmocka_unit_test(a_time_step_that_is_none_gives_no_times),
        cmocka_unit_test(frames_that_the_header_has_and_the_file_has_not_are_told),
        cmocka_unit_test(a_full_disk_leaves_the_frames_before),
        cmocka_unit_test(positions_that_are_not_finite_are_not_written),
        cmocka_unit_test(every_fault_has_its_message),
        cmocka_unit_test(values_just_beyond_their_limits_are_refused),
        cmocka_unit_test(cut_and_mutated_files_are_refused_or_read),
        cmocka_unit_test(another_program_reads_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
