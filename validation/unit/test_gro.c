/* GRO files: round trip to nine decimals, any number of decimals, frames, every message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format_cases.h"

#define GRO (&amphi_format_gro)
#define LINE_HINT                                                                                  \
    "residue number, residue, bead, bead number in 5 columns each; x y z in nm, equally wide"

static void what_is_written_is_read_back_to_nine_decimals(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    int64_t           n     = 0;

    s->box_nm[1]      = 40.0 / 9;
    char *const bytes = bytes_written(GRO, s, &n);
    Reading     r     = read_bytes(GRO, bytes, n, 0);

    assert_non_null(r.s);
    assert_int_equal(r.s->n_beads, N_SMALL);
    assert_string_equal(r.s->title, "five beads");
    assert_int_equal(r.s->step, 2000);
    assert_true(r.s->time_ps == 40);
    assert_true(r.s->has_box);
    /* half a unit of the last decimal, and the rounding of reading it */
    assert_true(are_near(r.s->box_nm, s->box_nm, 3, 0.51e-9));
    assert_true(are_near(r.s->position_nm, s->position_nm, 15, 0.51e-9));
    assert_true(are_near(r.s->velocity_nm_ps, s->velocity_nm_ps, 15, 0.51e-9));
    for (int i = 0; i < N_SMALL; i++) {
        assert_string_equal(r.s->bead_name[i].text, s->bead_name[i].text);
        assert_string_equal(r.s->molecule_name[i].text, s->molecule_name[i].text);
        assert_int_equal(r.s->molecule[i], s->molecule[i]);
        assert_int_equal(r.s->line[i], i + 3);
    }
    done(&r);
    free(bytes);
    amphi_arena_free(arena);
}

static void the_comparing_helpers_see_a_difference(void **state)
{
    (void)state;
    const double a[] = { 1, 2 }, b[] = { 1, 2.1 }, nan_[] = { 1, (double)NAN };
    const Fault right = { "t\n0\n", AMPHI_MSG_FORMAT_NO_BEADS, 2, "there are no beads in this file",
                          "" };
    Fault       wrong = right;

    assert_true(are_near(a, b, 2, 0.2));
    assert_false(are_near(a, b, 2, 0.05));
    assert_false(are_near(a, nan_, 2, 10));
    assert_false(are_near(a, NULL, 2, 10));
    assert_true(gives(GRO, &right));
    wrong.line = 3;
    assert_false(gives(GRO, &wrong));
    wrong      = right;
    wrong.hint = "another";
    assert_false(gives(GRO, &wrong));
    wrong    = right;
    wrong.id = AMPHI_MSG_FORMAT_CUT;
    assert_false(gives(GRO, &wrong));
}

static void columns_may_have_any_number_of_decimals(void **state)
{
    (void)state;
    for (int decimals = 1; decimals <= 15; decimals++) {
        char text[512];
        int  n = snprintf(text, sizeof text, "t\n2\n");

        for (int i = 0; i < 2; i++) {
            n += snprintf(text + n, sizeof text - (size_t)n, "%5dWAT      W%5d", i + 1, i + 1);
            for (int k = 0; k < 6; k++)
                n += snprintf(text + n, sizeof text - (size_t)n, "%*.*f", decimals + 5, decimals,
                              k / 3.0 - i);
            n += snprintf(text + n, sizeof text - (size_t)n, "\n");
        }
        snprintf(text + n, sizeof text - (size_t)n, "3 3 3\n");

        Reading      r     = read_text(GRO, text);
        const double bound = 0.51 * pow(10, -decimals);
        assert_non_null(r.s);
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++) {
                assert_true(fabs(r.s->position_nm[i][k] - (k / 3.0 - i)) < bound);
                assert_true(fabs(r.s->velocity_nm_ps[i][k] - (1 + k / 3.0 - i)) < bound);
            }
        done(&r);
    }
}

/* Two columns of a point and a digit, up to forty of leading blanks. */
static void columns_may_be_from_two_to_forty_wide(void **state)
{
    (void)state;
    for (int width = 2; width <= 41; width++) {
        char text[256];

        snprintf(text, sizeof text, "t\n1\n    1WAT      W    1%*s%*s%*s\n1 1 1\n", width, ".1",
                 width, ".2", width, ".3");
        if (width <= 40) {
            Reading r = read_text(GRO, text);

            assert_non_null(r.s);
            for (int k = 0; k < 3; k++)
                assert_true(fabs(r.s->position_nm[0][k] - 0.1 * (k + 1)) < 1e-15);
            done(&r);
        } else {
            const Fault wide = { text, AMPHI_MSG_GRO_COLUMNS, 3,
                                 "no columns of coordinates in this line", LINE_HINT };
            assert_true(gives(GRO, &wide));
        }
    }
}

#define BEAD "    1WAT      W    1   0.100   0.200   0.300\n"

static void velocities_and_the_box_may_be_absent(void **state)
{
    (void)state;
    Reading r = read_text(GRO, "t\r\n    1\r\n    1WAT      W    1   0.100   0.200   0.300\r\n"
                               "   0.00000   0.00000   0.00000\r\n");

    assert_non_null(r.s);
    assert_null(r.s->velocity_nm_ps);
    assert_false(r.s->has_box);
    done(&r);
    r = read_text(GRO, "t\n1\n" BEAD "1 2 3 0 0 0 0 0 0"); /* no line end at the end */
    assert_non_null(r.s);
    assert_true(r.s->box_nm[2] == 3);
    done(&r);
}

static void a_frame_is_found_by_its_number(void **state)
{
    (void)state;
    static const char two[] = "one t= 1.5 step= 3\n1\n" BEAD "1 1 1\n"
                              "two t= 2.5 step= 5\n1\n"
                              "    1WAT      W    1   0.700   0.200   0.300\n2 2 2\n\n";
    const int64_t     n     = (int64_t)strlen(two);

    for (int64_t frame = -1; frame < 2; frame++) {
        Reading r = read_bytes(GRO, two, n, frame);
        assert_non_null(r.s);
        assert_int_equal(r.s->step, frame == 0 ? 3 : 5);
        assert_int_equal(r.s->n_frames, frame < 0 ? 0 : 2); /* looked for alone: not counted */
        assert_string_equal(r.s->title, frame == 0 ? "one" : "two");
        assert_true(r.s->position_nm[0][0] == (frame == 0 ? 0.1 : 0.7));
        assert_int_equal(r.s->line[0], frame == 0 ? 3 : 7);
        done(&r);
    }
    const Fault none = { two, AMPHI_MSG_FORMAT_FRAME, 0,
                         "frame 2 was asked for, and the file has 2",
                         "write a number from 0 on, or last" };
    assert_true(gives_n(GRO, &none, n, 2));
}

static void every_fault_has_its_message(void **state)
{
    (void)state;
    static const char  cut[]    = "is it whole? copy or write it again";
    static const Fault faults[] = {
        { "", AMPHI_MSG_FORMAT_CUT, 0, "the file ends before its title", cut },
        { "title", AMPHI_MSG_FORMAT_CUT, 1, "the file ends before the number of beads", cut },
        { "t\nfive\n", AMPHI_MSG_GRO_COUNT, 2, "\"five\" is not the number of beads",
          "the second line of a frame holds this number alone" },
        { "t\n0\n1 1 1\n", AMPHI_MSG_FORMAT_NO_BEADS, 2, "there are no beads in this file", "" },
        { "t\n900000\n" BEAD, AMPHI_MSG_FORMAT_COUNT, 2,
          "900000 beads: more than 45 bytes can hold",
          "correct the number of beads, or copy the file again if it was cut" },
        { "t\n1\n    1WAT      W    1   1    2     3.000\n1 1 1\n", AMPHI_MSG_GRO_COLUMNS, 3,
          "no columns of coordinates in this line", LINE_HINT },
        { "t\n1\n    1WAT      W    1   0.100 0.20000   0.300\n1 1 1\n", AMPHI_MSG_GRO_COLUMNS, 3,
          "no columns of coordinates in this line", LINE_HINT },
        { "t\n1\n    1WAT      W    1   0.1b0   0.200   0.300\n1 1 1\n",
          AMPHI_MSG_FORMAT_NOT_NUMBER, 3, "x: \"0.1b0\" is not a number",
          "write a plain number such as 1.25 or -3e-2" },
        { "t\n1\n 1x  WAT      W    1   0.100   0.200   0.300\n1 1 1\n", AMPHI_MSG_FORMAT_NOT_WHOLE,
          3, "residue number: \"1x\" is not a whole number from -9999 to 99999", "" },
        { "t\n3\n" BEAD BEAD "   1.00000   1.00000   1.00000\n", AMPHI_MSG_GRO_TOO_MANY, 5,
          "the box stands here, behind 2 beads; line 2 says 3",
          "write 2 in line 2, or add the missing beads" },
        { "t\n1\n" BEAD BEAD "1 1 1\n", AMPHI_MSG_GRO_BOX, 4,
          "a box of 3 or 9 numbers is wanted here, behind 1 beads",
          "are there more beads than line 2 says?" },
        { "t\n2\n" BEAD BEAD, AMPHI_MSG_FORMAT_CUT, 4, "the file ends before its box", cut },
        { "t\n3\n" BEAD BEAD "                               ", AMPHI_MSG_FORMAT_NOT_WHOLE, 5,
          "residue number: \"\" is not a whole number from -9999 to 99999", "" },
        { "t\n2\n    1WAT      W    1   0.100   0.200   0.300  0.1000  0.2000  0.3000\n" BEAD
          "1 1 1\n",
          AMPHI_MSG_GRO_VELOCITY, 4, "some beads have velocities and this one does not",
          "write velocities for all beads or for none" },
        { "t\n1\n" BEAD "1 1 -1\n", AMPHI_MSG_FORMAT_BOX, 4, "box edge z is -1: must be above zero",
          "" },
        { "t\n1\n" BEAD "1 1 0\n", AMPHI_MSG_FORMAT_BOX, 4, "box edge z is 0: must be above zero",
          "" },
        { "t\n1\n" BEAD "0 1 1\n", AMPHI_MSG_FORMAT_BOX, 4, "box edge x is 0: must be above zero",
          "" },
        { "t\n1\n" BEAD "1 1 1 0 0 0 0 0 0.25\n", AMPHI_MSG_FORMAT_TRICLINIC, 4,
          "the box is triclinic: 0.25", "amphi needs a rectangular box" },
        { "t\n1\n" BEAD "1 1 1 0 0 0.5 0 0 0\n", AMPHI_MSG_FORMAT_TRICLINIC, 4,
          "the box is triclinic: 0.5", "amphi needs a rectangular box" },
    };

    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        assert_true(gives(GRO, &faults[k]));
}

static void faults_of_many_beads_are_shown_at_once(void **state)
{
    (void)state;
    Reading r = read_text(GRO, "t\n3\n    1WAT      W    1   0.100   0.200   0.300\n"
                               "    1WAT      W    1   0.1a0   0.200   0.300\n"
                               "    1WAT      W    1   0.100   0.2a0   0.300\n1 1 1\n");

    assert_null(r.s);
    assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_ERROR), 2);
    done(&r);
}

static void numbers_beyond_five_columns_begin_again(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    int64_t           n     = 0;

    s->molecule[4] = 100007;
    s->molecule[3] = -12345; /* six columns */
    strcpy(s->bead_name[0].text, "toolong");
    char *const bytes = bytes_written(GRO, s, &n);
    Reading     r     = read_bytes(GRO, bytes, n, 0);
    assert_non_null(r.s);
    assert_int_equal(r.s->molecule[4], 7);
    assert_int_equal(r.s->molecule[3], 0);
    assert_string_equal(r.s->bead_name[0].text, "toolo");
    assert_true(are_near(r.s->position_nm, s->position_nm, 15, 0.51e-9));
    done(&r);
    free(bytes);
    amphi_arena_free(arena);
}

/* Neither shifts the columns behind it. */
static void numbers_of_beads_and_residues_begin_again_at_100000(void **state)
{
    (void)state;
    enum { N = 100002 };
    AmphiArena *const arena = amphi_arena_new();
    AmphiNotes *const notes = amphi_notes_new();
    AmphiSnapshot     s     = { .n_beads = N };
    AmphiError        err   = { 0 };

    s.position_nm = amphi_arena_take(arena, N, sizeof *s.position_nm);
    for (int i = 0; i < N; i++)
        s.position_nm[i][1] = 1e-3 * i;
    assert_int_equal(GRO->write(path_of("many.gro"), &s, &err), AMPHI_OK);

    const AmphiSnapshot *const r =
        amphi_snapshot_read(path_of("many.gro"), NULL, arena, (AmphiWhere){ NULL, 0 }, notes);
    assert_non_null(r);
    assert_int_equal(r->n_beads, N);
    assert_true(are_near(r->position_nm, s.position_nm, 3 * N, 0.51e-9));
    assert_int_equal(r->molecule[99998], 99999);
    assert_int_equal(r->molecule[99999], 0);
    assert_int_equal(r->molecule[N - 1], 2);
    amphi_arena_free(arena);
    amphi_notes_free(notes);
}

/* Whatever its edges are: none is written as zeros. */
static void a_box_that_is_none_is_not_written(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    int64_t           n     = 0;

    s->has_box        = false;
    char *const bytes = bytes_written(GRO, s, &n);
    Reading     r     = read_bytes(GRO, bytes, n, 0);
    assert_non_null(r.s);
    assert_false(r.s->has_box);
    done(&r);
    free(bytes);
    amphi_arena_free(arena);
}

static void what_does_not_fit_its_columns_is_not_written(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    AmphiError        err   = { 0 };
    char              expected[256];

    unlink(path_of("big.gro"));
    s->position_nm[2][1] = 9999.9999999996;
    assert_int_equal(GRO->write(path_of("big.gro"), s, &err), AMPHI_BAD_INPUT);
    snprintf(expected, sizeof expected,
             "%s: y of bead 3 is 10000, too large for the 14 columns of this format",
             path_of("big.gro"));
    assert_string_equal(err.text, expected);
    s->position_nm[2][1] = (double)NAN;
    assert_int_equal(GRO->write(path_of("big.gro"), s, &err), AMPHI_BAD_INPUT);
    assert_int_equal(access(path_of("big.gro"), F_OK), -1);
    assert_int_equal(access(path_of("big.gro.tmp"), F_OK), -1);
    s->position_nm = NULL;
    assert_int_equal(GRO->write(path_of("big.gro"), s, &err), AMPHI_BAD_INPUT);
    amphi_arena_free(arena);
}

static void cut_and_mutated_files_are_refused_or_read(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    int64_t           n     = 0;
    char *const       bytes = bytes_written(GRO, small_system(arena), &n);

    survives_cuts_and_mutations(GRO, bytes, n);
    free(bytes);
    amphi_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back_to_nine_decimals),
        cmocka_unit_test(the_comparing_helpers_see_a_difference),
        cmocka_unit_test(columns_may_have_any_number_of_decimals),
        cmocka_unit_test(columns_may_be_from_two_to_forty_wide),
        cmocka_unit_test(velocities_and_the_box_may_be_absent),
        cmocka_unit_test(a_frame_is_found_by_its_number),
        cmocka_unit_test(every_fault_has_its_message),
        cmocka_unit_test(faults_of_many_beads_are_shown_at_once),
        cmocka_unit_test(numbers_beyond_five_columns_begin_again),
        cmocka_unit_test(numbers_of_beads_and_residues_begin_again_at_100000),
        cmocka_unit_test(a_box_that_is_none_is_not_written),
        cmocka_unit_test(what_does_not_fit_its_columns_is_not_written),
        cmocka_unit_test(cut_and_mutated_files_are_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
