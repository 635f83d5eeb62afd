/* XTC files: frames by index, cut and damaged files, every message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "xtc_cases.h"

#define XTC (&amphi_format_xtc)

enum { N_FRAMES = 3, N_BEADS = 40 };

static const int64_t steps[N_FRAMES]    = { 1000, 1500, 1600 };
static const double  times_ps[N_FRAMES] = { 10, 15, 15.5 };

/* Three frames, not evenly spaced, and where each of them begins. */
static char *trajectory(const char *path, int32_t n_beads, int64_t at[N_FRAMES + 1])
{
    FILE *const file = fopen(path, "wb");
    int64_t     n    = 0;
    Bench       b;

    assert_non_null(file);
    set_up(&b, n_beads);
    at[0] = 0;
    for (int frame = 0; frame < N_FRAMES; frame++) {
        make_positions(frame == 1 ? UNIFORM : CHAINS, n_beads, (uint64_t)frame, b.x);
        put(&b, steps[frame], times_ps[frame]);
        assert_int_equal(fwrite(b.writer.bytes, 1, (size_t)b.writer.n_bytes, file),
                         b.writer.n_bytes);
        at[frame + 1] = at[frame] + b.writer.n_bytes;
    }
    assert_int_equal(fclose(file), 0);
    tear_down(&b);

    char *const bytes = bytes_of_file(path, &n);
    assert_int_equal(n, at[N_FRAMES]);
    return bytes;
}

static bool is_frame(const AmphiSnapshot *s, int frame)
{
    double x[N_BEADS][3];

    make_positions(frame == 1 ? UNIFORM : CHAINS, N_BEADS, (uint64_t)frame, x);
    return s != NULL && s->n_beads == N_BEADS && s->has_box && !s->has_no_step &&
           s->step == steps[frame] && fabs(s->time_ps - times_ps[frame]) < 1e-6 &&
           are_near(s->box_nm, edges, 3, 1e-6) &&
           are_near(s->position_nm, x, 3 * N_BEADS, 0.0005 + 1e-9);
}

static void frames_are_read_by_index(void **state)
{
    (void)state;
    int64_t     at[N_FRAMES + 1];
    char *const bytes = trajectory(path_of("t.xtc"), N_BEADS, at);

    assert_true(at[1] != at[2] - at[1]); /* frames have any length */
    for (int frame = -1; frame < N_FRAMES; frame++) {
        Reading r = read_bytes(XTC, bytes, at[N_FRAMES], frame);
        assert_true(is_frame(r.s, frame < 0 ? N_FRAMES - 1 : frame));
        assert_false(is_frame(r.s, frame == 1 ? 2 : 1));
        assert_int_equal(r.s->n_frames, N_FRAMES);
        done(&r);
    }
    const Fault none = { bytes, AMPHI_MSG_FORMAT_FRAME, 0,
                         "frame 3 was asked for, and the file has 3",
                         "write a number from 0 on, or last" };
    assert_true(gives_n(XTC, &none, at[N_FRAMES], N_FRAMES));
    free(bytes);
}

static void a_file_cut_anywhere_is_read_up_to_its_last_whole_frame(void **state)
{
    (void)state;
    int64_t     at[N_FRAMES + 1];
    char *const bytes = trajectory(path_of("t.xtc"), N_BEADS, at);

    for (int64_t k = 0; k <= at[N_FRAMES]; k++) {
        Reading r     = read_bytes(XTC, bytes, k, -1);
        int     whole = 0;

        while (whole < N_FRAMES && at[whole + 1] <= k)
            whole++;
        assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_ERROR), whole == 0);
        assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_WARNING),
                         whole > 0 && k != at[whole]);
        if (whole == 0)
            assert_null(r.s);
        else
            assert_true(is_frame(r.s, whole - 1));
        done(&r);
    }
    Reading     r = read_bytes(XTC, bytes, at[1] + 20, 0);
    char        text[120];
    const Fault rest = { bytes, AMPHI_MSG_XTC_REST, 0, text,
                         "is a program still writing it, or is the file damaged? the whole frames "
                         "are read" };
    snprintf(text, sizeof text,
             "behind its 1 whole frames are 20 bytes: the frame there: it is cut");
    assert_true(has_note(r.notes, &rest));
    done(&r);
    free(bytes);
}

static void a_large_file_is_read_from_disk_frame_by_frame(void **state)
{
    (void)state;
    int64_t           at[N_FRAMES + 1];
    AmphiXtcReader    r     = { 0 };
    AmphiNotes *const notes = amphi_notes_new();
    AmphiArena *const arena = amphi_arena_new();

    amphi_xtc_close(&r); /* never opened: fine */
    free(trajectory(path_of("t.xtc"), N_BEADS, at));
    const char *const path = path_of("t.xtc");
    assert_true(amphi_xtc_open(&r, path, arena, (AmphiWhere){ "job", 7 }, notes));
    assert_int_equal(r.n_frames, N_FRAMES);
    assert_true(is_frame(amphi_xtc_snapshot(&r, 2, arena, notes), 2));
    assert_true(is_frame(amphi_xtc_snapshot(&r, 1, arena, notes), 1));

    /* cut under its reader */
    assert_int_equal(truncate(path, at[2] + 8), 0);
    assert_null(amphi_xtc_snapshot(&r, 2, arena, notes));
    assert_true(is_frame(amphi_xtc_snapshot(&r, 0, arena, notes), 0));
    amphi_xtc_close(&r);
    assert_false(amphi_xtc_open(&r, "/nowhere.xtc", arena, (AmphiWhere){ "job", 7 }, notes));
    assert_true(has_note(notes, &(const Fault){ "", AMPHI_MSG_FILE_MISSING, 7,
                                                "/nowhere.xtc: No such file or directory", "" }));
    assert_false(amphi_xtc_open(&r, folder(), arena, (AmphiWhere){ "job", 8 }, notes));
    amphi_arena_free(arena);
    amphi_notes_free(notes);
}

/* More frames than an index begins with, of which there may be no memory for the next. */
static void long_indices_grow(void **state)
{
    (void)state;
    enum { MANY = 300 };
    AmphiNotes *const notes = amphi_notes_new();
    AmphiXtcReader    r;
    Bench             b;

    set_up(&b, 4);
    make_positions(UNIFORM, 4, 1, b.x);
    put(&b, 0, 0);
    const int64_t n   = b.writer.n_bytes;
    char *const   all = malloc((size_t)(MANY * n));
    assert_non_null(all);
    for (int k = 0; k < MANY; k++) {
        put(&b, k, 0.5 * k);
        memcpy(all + k * n, b.writer.bytes, (size_t)n);
    }
    assert_true(amphi_xtc_of_bytes(&r, "in", all, MANY * n, b.arena, notes));
    assert_int_equal(r.n_frames, MANY);
    assert_int_equal(r.frame[MANY - 1].step, MANY - 1);
    for (int64_t k = 1; k < 4; k++) {
        AmphiArena *const arena = amphi_arena_new();
        amphi_arena_fail_at(k);
        assert_false(amphi_xtc_of_bytes(&r, "in", all, MANY * n, arena, notes));
        amphi_arena_fail_at(0);
        amphi_arena_free(arena);
    }
    free(all);
    amphi_notes_free(notes);
    tear_down(&b);
}

static void one_snapshot_is_a_file(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    int64_t           n     = 0;
    char *const       bytes = bytes_written(XTC, s, &n);
    Reading           r     = read_bytes(XTC, bytes, n, 0);

    assert_int_equal(n, 56 + 12 * N_SMALL); /* few beads are floats */
    assert_true(are_near(r.s->position_nm, s->position_nm, 3 * N_SMALL, 1e-6));
    assert_int_equal(r.s->step, 2000);
    assert_true(fabs(r.s->time_ps - 40) < 1e-5);
    done(&r);
    free(bytes);
    s->has_box              = false;
    s->step                 = ((int64_t)1 << 31) + 5; /* begins again */
    char *const without_box = bytes_written(XTC, s, &n);
    r                       = read_bytes(XTC, without_box, n, 0);
    assert_false(r.s->has_box);
    assert_int_equal(r.s->step, 5);
    done(&r);
    free(without_box);
    amphi_arena_free(arena);
}

/* 31 bits of 1e10 steps, where a time tells them to 1e8. */
static void steps_that_began_again_are_found(void **state)
{
    (void)state;
    for (int64_t step = 3; step < 10000000000; step = 3 * step + 1)
        for (int64_t miss = -100000000; miss <= 100000000; miss += 50000000)
            assert_int_equal(amphi_xtc_whole_step(step & INT32_MAX, step + miss), step);
    assert_int_equal(amphi_xtc_whole_step(7, ((int64_t)3 << 31) - 1), ((int64_t)3 << 31) + 7);
    assert_int_equal(amphi_xtc_whole_step(INT32_MAX, (int64_t)3 << 31), ((int64_t)3 << 31) - 1);
    assert_int_equal(amphi_xtc_whole_step(7, -5000000000), 7); /* none lies before the first */
}

/* Up to nine beads are written as floats, which have no precision and end sooner. */
static void few_beads_are_floats(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();

    for (int32_t n_beads = 9; n_beads <= 10; n_beads++) {
        AmphiSnapshot s = { .n_beads = n_beads, .has_box = true, .box_nm = { 3, 4, 5 } };
        int64_t       n = 0;

        s.position_nm = amphi_arena_take(arena, n_beads, sizeof *s.position_nm);
        for (int32_t i = 0; i < n_beads; i++)
            s.position_nm[i][0] = s.position_nm[i][1] = 0.5 + 0.25 * i;
        char *const bytes = bytes_written(XTC, &s, &n);
        Reading     r     = read_bytes(XTC, bytes, n, 0);
        assert_non_null(r.s);
        assert_true(r.s->xtc_per_nm == (n_beads == 9 ? 0 : AMPHI_XTC_PER_NM));
        assert_true(are_near(r.s->position_nm, s.position_nm, 3 * n_beads, 0.0005 + 1e-9));
        done(&r);
        put_be((unsigned char *)bytes + 56, 0x7FC00000); /* the first x, or the precision */
        r = read_bytes(XTC, bytes, n, 0);
        assert_null(r.s);
        assert_true(has_note(
            r.notes, &(const Fault){ "", AMPHI_MSG_XTC_FRAME, 0,
                                     n_beads == 9 ? "frame 0, byte 0: a position is not finite"
                                                  : "frame 0, byte 0: its precision is none",
                                     "is the file damaged? other frames can be read" }));
        done(&r);
        free(bytes);
    }
    amphi_arena_free(arena);
}

static void a_box_with_an_edge_of_zero_is_none(void **state)
{
    (void)state;
    int64_t     at[N_FRAMES + 1];
    char *const bytes = trajectory(path_of("t.xtc"), N_BEADS, at);

    for (int k = 0; k < 3; k++) {
        put_be((unsigned char *)bytes + at[k] + 16 + 16 * k, 0);
        Reading r = read_bytes(XTC, bytes, at[N_FRAMES], k);
        assert_non_null(r.s);
        assert_false(r.s->has_box);
        done(&r);
    }
    free(bytes);
}

/* Of more beads or of fewer: what stands before it is read. */
static void a_frame_of_other_beads_ends_the_file(void **state)
{
    (void)state;
    for (int32_t other = N_BEADS - 1; other <= N_BEADS + 1; other++) {
        int64_t     at[N_FRAMES + 1], behind[N_FRAMES + 1];
        char *const bytes = trajectory(path_of("t.xtc"), N_BEADS, at);
        char *const more  = trajectory(path_of("o.xtc"), other, behind);

        memcpy(bytes + at[2], more, (size_t)behind[1]); /* there is room behind the file */
        Reading r = read_bytes(XTC, bytes, at[2] + behind[1], 1);
        assert_true(is_frame(r.s, 1));
        assert_int_equal(r.s->n_frames, other == N_BEADS ? 3 : 2);
        assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_WARNING), other != N_BEADS);
        done(&r);
        free(bytes);
        free(more);
    }
}

/* ---- faults ---- */

/* A bead that is not finite, or too far from 0 or from the others, is named. */
static void far_beads_are_not_written(void **state)
{
    (void)state;
    static const double range = 2147483.392;
    const struct {
        double      x, y;
        const char *what;
    } far[] = { { (double)NAN, 0, "w: the position of bead 31 is not finite" },
                { -(double)INFINITY, 0, "w: the position of bead 31 is not finite" },
                { 2.2e6, 0, "w: bead 31 is at 2.2e+06 nm, and XTC with 0.001 nm" },
                { -range - 1, 0, "w: bead 31 is at -2.14748e+06 nm" },
                { -2e6, 1e6, "w: bead 31 is at -2e+06 nm, and XTC" },
                { -1e6, 2e6, "w: bead 12 is at 2e+06 nm, and XTC" },
                { range - 1, 1, NULL },
                { -1e6, 1e6, NULL } };
    Bench b;

    set_up(&b, N_BEADS);
    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
        AmphiError err = { 0 };

        make_positions(UNIFORM, N_BEADS, 3, b.x);
        b.x[30][1] = far[k].x;
        b.x[11][1] = far[k].y;
        const AmphiStatus status =
            amphi_xtc_put_frame(&b.writer, 1, 1, edges, (const double(*)[3])b.x, &err);
        assert_int_equal(status, far[k].what == NULL ? AMPHI_OK : AMPHI_BAD_INPUT);
        if (far[k].what != NULL && strstr(err.text, far[k].what) == NULL)
            fail_msg("%s", err.text);
        if (far[k].what == NULL)
            assert_true(comes_back(&b, b.writer.bytes, b.writer.n_bytes));
    }
    tear_down(&b);

    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    AmphiError        err   = { 0 };
    s->position_nm[3][2]    = (double)NAN;
    assert_int_equal(XTC->write(path_of("bad.xtc"), s, &err), AMPHI_BAD_INPUT);
    assert_non_null(strstr(err.text, "the position of bead 4 is not finite"));
    s->n_beads = 0;
    assert_int_equal(XTC->write(path_of("bad.xtc"), s, &err), AMPHI_BAD_INPUT);
    assert_int_equal(access(path_of("bad.xtc"), F_OK), -1);
    assert_int_equal(access(path_of("bad.xtc.tmp"), F_OK), -1);
    amphi_arena_free(arena);
}

/* The file with a number changed gives this note for frame 1. */
static bool gives_when(const char *bytes, int64_t n, int64_t at, uint32_t value, AmphiMessageId id,
                       const char *text, const char *hint)
{
    char *const copy  = malloc((size_t)n);
    const Fault fault = { copy, id, 0, text, hint };

    assert_non_null(copy);
    memcpy(copy, bytes, (size_t)n);
    put_be((unsigned char *)copy + at, value);
    const bool is_held = gives_n(XTC, &fault, n, id == AMPHI_MSG_XTC_HEADER ? 0 : 1);
    free(copy);
    return is_held;
}

static void every_fault_has_its_message(void **state)
{
    (void)state;
    static const char damaged[] = "is the file damaged? other frames can be read";
    static const struct {
        int64_t     at;
        uint32_t    value;
        const char *why;
    } heads[] = {
        { 0, 1996, "it does not begin with 1995" },
        { 0, 2023, "it begins with 2023, which is for more than 298261617 beads" },
        { 4, 0, "the number of beads is out of range" },
        { 4, 0x80000000, "the number of beads is out of range" },
        { 52, N_BEADS + 1, "its two numbers of beads differ" },
        { 88, 0xFFFFFFFF, "it is too short for its beads" },
        { 88, N_BEADS / 4 - 1, "it is too short for its beads" },
        { 88, 0x7FFFFFFF, "it is cut" },
        { 12, 0x7F800000, "its time is not finite" },
    }, frames[] = {
        { 16, 0x7FC00000, "an edge of the box is not a length" },
        { 32, 0xBF800000, "an edge of the box is not a length" },
        { 56, 0, "its precision is none" },
        { 56, 0x7FC00000, "its precision is none" },
        { 56, 0x7F800000, "its precision is none" },
        { 60, 0x7FFFFFFF, "the range of its numbers is none" },
        { 84, 8, "the index of its small numbers is out of range" },
        { 84, 73, "the index of its small numbers is out of range" },
        { 88, 60, "its numbers end before the last bead" },
        { 94, 0xFFFFFFFF, "a number is out of range" },
    };
    int64_t       at[N_FRAMES + 1];
    char *const   bytes = trajectory(path_of("t.xtc"), N_BEADS, at);
    const int64_t n     = at[N_FRAMES];
    char          text[160];

    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        snprintf(text, sizeof text, "not an XTC file: its first frame is none: %s", heads[k].why);
        assert_true(
            gives_when(bytes, n, heads[k].at, heads[k].value, AMPHI_MSG_XTC_HEADER, text, ""));
    }
    for (size_t k = 0; k < sizeof frames / sizeof *frames; k++) {
        snprintf(text, sizeof text, "frame 1, byte %lld: %s", (long long)at[1], frames[k].why);
        assert_true(gives_when(bytes, n, at[1] + frames[k].at, frames[k].value, AMPHI_MSG_XTC_FRAME,
                               text, damaged));
    }
    assert_true(gives_when(bytes, n, at[1] + 20, 0x40A00000, AMPHI_MSG_FORMAT_TRICLINIC,
                           "the box is triclinic: 5", "amphi needs a rectangular box"));
    assert_true(gives_when(bytes, n, at[1] + 20, 0xC0A00000, AMPHI_MSG_FORMAT_TRICLINIC,
                           "the box is triclinic: -5", "amphi needs a rectangular box"));
    /* 1e-4 nm: more than rounding leaves */
    assert_true(gives_when(bytes, n, at[1] + 20, 0x38D1B717, AMPHI_MSG_FORMAT_TRICLINIC,
                           "the box is triclinic: 0.0001", "amphi needs a rectangular box"));
    assert_false(gives_when(bytes, n, at[1] + 56, 0, AMPHI_MSG_XTC_FRAME, "another", damaged));
    free(bytes);
}

static void nothing_crashes(void **state)
{
    (void)state;
    int64_t at[N_FRAMES + 1];

    for (int32_t n_beads = 9; n_beads < 20; n_beads += 10) {
        char *const   bytes = trajectory(path_of("t.xtc"), n_beads, at);
        const int64_t n     = at[N_FRAMES];

        survives_cuts_and_mutations(XTC, bytes, n);
        for (int64_t k = 0; k < n; k++)
            for (int bit = 0; bit < 8; bit++) {
                bytes[k] = (char)(bytes[k] ^ 1 << bit);
                assert_true(answers_plainly(XTC, bytes, n));
                bytes[k] = (char)(bytes[k] ^ 1 << bit);
            }
        for (int64_t k = 0; k < n; k++) {
            bytes[k] = (char)~bytes[k];
            assert_true(answers_plainly(XTC, bytes, n));
            bytes[k] = (char)~bytes[k];
        }
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_read_by_index),
        cmocka_unit_test(a_file_cut_anywhere_is_read_up_to_its_last_whole_frame),
        cmocka_unit_test(a_large_file_is_read_from_disk_frame_by_frame),
        cmocka_unit_test(long_indices_grow),
        cmocka_unit_test(one_snapshot_is_a_file),
        cmocka_unit_test(steps_that_began_again_are_found),
        cmocka_unit_test(few_beads_are_floats),
        cmocka_unit_test(a_box_with_an_edge_of_zero_is_none),
        cmocka_unit_test(a_frame_of_other_beads_ends_the_file),
        cmocka_unit_test(far_beads_are_not_written),
        cmocka_unit_test(every_fault_has_its_message),
        cmocka_unit_test(nothing_crashes),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
