/* XTC files of other programs: steps that are numbers of frames, and precisions of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../engine/formats/convert.h"
#include "../../engine/formats/dcd.h"
#include "../../engine/formats/xtc.h"
#include "format_cases.h"

enum { BEADS = 12, FRAMES = 4 };

static const AmphiConvertOptions plain = { .frame = AMPHI_FRAMES_ALL };

/* The first two frames to 0.01 nm, the others to 1e-5. */
static double per_nm_of(int frame)
{
    return frame < 2 ? 100 : 1e5;
}

/* Frames 10 ps apart from first_ps on, whose steps are 0, 1, 2, 3. */
static void make_xtc(const char *path, double first_ps)
{
    AmphiArena *const arena = amphi_arena_new();
    AmphiError        err   = { 0 };
    FILE *const       file  = fopen(path, "wb");
    AmphiXtcWriter    w;
    double            x[BEADS][3];

    assert_non_null(file);
    assert_int_equal(amphi_xtc_writer_init(&w, path, BEADS, 100, arena, &err), AMPHI_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int i = 0; i < BEADS; i++)
            for (int a = 0; a < 3; a++)
                x[i][a] = 0.12345 * (1 + i + a) + 0.01 * frame;
        w.per_nm = per_nm_of(frame);
        assert_int_equal(amphi_xtc_put_frame(&w, frame, first_ps + 10 * frame,
                                             (const double[3]){ 5, 5, 5 }, (const double(*)[3])x,
                                             &err),
                         AMPHI_OK);
        assert_int_equal(fwrite(w.bytes, 1, (size_t)w.n_bytes, file), w.n_bytes);
    }
    assert_int_equal(fclose(file), 0);
    amphi_arena_free(arena);
}

static int64_t convert(const char *from, const char *to, const AmphiConvertOptions *options)
{
    AmphiNotes *const notes = amphi_notes_new();
    AmphiError        err   = { 0 };

    assert_int_equal(amphi_convert(path_of(from), path_of(to), options, notes, &err), AMPHI_OK);
    const int64_t n = amphi_notes_count(notes, AMPHI_NOTE_WARNING);
    amphi_notes_free(notes);
    return n;
}

/* As programs find it: first step times the length of a step. */
static void times_stay_where_no_step_tells_them(void **state)
{
    static const double first_ps[] = { 1004, 0, 1000, 7.5 };

    (void)state;
    for (int k = 0; k < 4; k++) {
        AmphiNotes *const notes = amphi_notes_new();
        AmphiDcdReader    r;

        make_xtc(path_of("steps.xtc"), first_ps[k]);
        assert_int_equal(convert("steps.xtc", "steps.dcd", &plain), 0);
        assert_true(amphi_dcd_open(&r, path_of("steps.dcd"), (AmphiWhere){ NULL, 0 }, notes));
        assert_true(fabs((double)r.first_step * r.dt_ps - first_ps[k]) < 1e-3);
        assert_true(fabs((double)r.steps_between * r.dt_ps - 10) < 1e-5);
        amphi_dcd_close(&r);
        amphi_notes_free(notes);
    }
}

static bool tells_steps(const char *from, const char *to)
{
    AmphiNotes *const notes = amphi_notes_new();
    AmphiError        err   = { 0 };
    char             *text  = NULL;
    size_t            n     = 0;
    FILE *const       out   = open_memstream(&text, &n);
    bool              tells;

    assert_int_equal(amphi_convert(path_of(from), path_of(to), &plain, notes, &err), AMPHI_OK);
    amphi_notes_print(notes, out, false);
    assert_int_equal(fclose(out), 0);
    tells = strstr(text, "by the one interval that a DCD file has it is of step ") != NULL;
    free(text);
    amphi_notes_free(notes);
    return tells;
}

/* Steps 0, 1, 2, 3 are those of frames at 0, 10, 20, 30 ps, and not of frames from 7.5 ps on. */
static void steps_that_a_dcd_file_does_not_have_are_told(void **state)
{
    (void)state;
    make_xtc(path_of("even.xtc"), 0);
    make_xtc(path_of("later.xtc"), 7.5);
    assert_false(tells_steps("even.xtc", "even.dcd"));
    assert_true(tells_steps("later.xtc", "later.dcd"));
    assert_false(tells_steps("later.xtc", "again.xtc"));
}

static void one_frame_keeps_its_time_without_a_step(void **state)
{
    AmphiConvertOptions first = { .frame = 0 };
    AmphiNotes *const   notes = amphi_notes_new();
    AmphiDcdReader      r;

    (void)state;
    make_xtc(path_of("one.xtc"), 7);
    assert_int_equal(convert("one.xtc", "one.dcd", &first), 0);
    assert_true(amphi_dcd_open(&r, path_of("one.dcd"), (AmphiWhere){ NULL, 0 }, notes));
    assert_true(fabs((double)r.first_step * r.dt_ps - 7) < 1e-5);
    amphi_dcd_close(&r);
    amphi_notes_free(notes);
}

static void each_frame_keeps_its_precision(void **state)
{
    int64_t n = 0, n_again = 0;

    (void)state;
    make_xtc(path_of("mixed.xtc"), 0);
    assert_int_equal(convert("mixed.xtc", "again.xtc", &plain), 0);
    char *const bytes = bytes_of_file(path_of("mixed.xtc"), &n);
    char *const again = bytes_of_file(path_of("again.xtc"), &n_again);
    assert_int_equal(n, n_again);
    assert_memory_equal(bytes, again, (size_t)n);
    free(bytes);
    free(again);
    for (int frame = 0; frame < FRAMES; frame++) {
        AmphiConvertOptions this = { .frame = frame };
        AmphiArena *const arena  = amphi_arena_new();
        AmphiNotes *const notes  = amphi_notes_new();
        AmphiXtcReader    r;

        assert_int_equal(convert("mixed.xtc", "frame.xtc", &this), 0);
        assert_true(
            amphi_xtc_open(&r, path_of("frame.xtc"), arena, (AmphiWhere){ NULL, 0 }, notes));
        assert_int_equal(r.n_frames, 1);
        assert_true(fabs(r.frame[0].per_nm / per_nm_of(frame) - 1) < 1e-6);
        amphi_xtc_close(&r);
        amphi_notes_free(notes);
        amphi_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_stay_where_no_step_tells_them),
        cmocka_unit_test(steps_that_a_dcd_file_does_not_have_are_told),
        cmocka_unit_test(one_frame_keeps_its_time_without_a_step),
        cmocka_unit_test(each_frame_keeps_its_precision),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
