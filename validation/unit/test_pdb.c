/* PDB files: round trip to three decimals, models, bonds, every message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format_cases.h"

#define PDB (&amphi_format_pdb)
#define BEAD(number, x)                                                                            \
    "ATOM  " number "  W   WAT     1    " x "   2.000   3.000  1.00  0.00      WAT\n"
#define ONE   BEAD("    1", "   1.000")
#define TWO   BEAD("    2", "   4.500")
#define CRYST "CRYST1   30.000   40.000   50.000  90.00  90.00  90.00 P 1           1\n"

static void what_is_written_is_read_back_to_a_thousandth_of_an_angstrom(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    int64_t           n     = 0;
    char *const       bytes = bytes_written(PDB, s, &n);
    Reading           r     = read_bytes(PDB, bytes, n, 0);

    assert_non_null(r.s);
    assert_int_equal(r.s->n_beads, N_SMALL);
    assert_string_equal(r.s->title, "five beads");
    assert_true(r.s->has_box);
    /* half a unit of the last decimal: 5e-5 nm */
    assert_true(are_near(r.s->box_nm, s->box_nm, 3, 5.01e-5));
    assert_true(are_near(r.s->position_nm, s->position_nm, 15, 5.01e-5));
    assert_int_equal(r.s->n_bonds, 2);
    for (int k = 0; k < 2; k++)
        for (int c = 1; c < 3; c++)
            assert_int_equal(r.s->bond[k][c], s->bond[k][c]);
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

static void every_line_of_a_bead_has_the_standard_columns(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    int64_t           n     = 0;

    strcpy(s->bead_name[1].text, "PO4A5");
    strcpy(s->molecule_name[1].text, "CHOLX");
    s->molecule[1]    = 12345;
    char *const bytes = bytes_written(PDB, s, &n);
    assert_non_null(strstr(bytes, "\nCRYST1   32.500   45.000   51.250  90.00  90.00  90.00 P 1"));
    assert_non_null(strstr(
        bytes, "\nATOM      1  NC  LIP     1       3.333  10.333  17.333  1.00  0.00      LIP \n"));
    assert_non_null(strstr(
        bytes, "\nATOM      2 PO4A CHOL 2345       4.333  11.333  18.333  1.00  0.00      CHOL\n"));
    assert_non_null(strstr(bytes, "\nCONECT    1    2\nCONECT    2    3\nEND\n"));
    free(bytes);
    amphi_arena_free(arena);
}

static void frames_are_models(void **state)
{
    (void)state;
    static const char text[] =
        CRYST "MODEL        1\n" ONE "ENDMDL\nMODEL        2\n" TWO "ENDMDL\nCONECT    1\n";
    const int64_t n = (int64_t)strlen(text);

    for (int64_t frame = -1; frame < 2; frame++) {
        Reading r = read_bytes(PDB, text, n, frame);
        if (frame != 0) { /* serial 1 of the last line is in the first model only */
            const Fault none = { text, AMPHI_MSG_PDB_SERIAL, 8,
                                 "CONECT: no beads have the serial number 1",
                                 "bonds need serial numbers that stand once; or remove the CONECT "
                                 "lines" };
            assert_null(r.s);
            assert_true(has_note(r.notes, &none));
        } else {
            assert_non_null(r.s);
            assert_true(r.s->position_nm[0][0] == 0.1);
        }
        done(&r);
    }
    const Fault none = { text, AMPHI_MSG_FORMAT_FRAME, 0,
                         "frame 2 was asked for, and the file has 2",
                         "write a number from 0 on, or last" };
    assert_true(gives_n(PDB, &none, n, 2));
}

static void foreign_records_serials_and_missing_boxes_are_read(void **state)
{
    (void)state;
    Reading r = read_text(PDB, "HEADER    MEMBRANE\nREMARK any\n"
                               "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1\n"
                               "HETATM*****  W   WAT A  17A      1.000  -2.000   3.000\n" TWO
                               "TER\nCONECT    2    2\nMASTER\n");

    assert_non_null(r.s);
    assert_int_equal(r.s->n_beads, 2);
    assert_false(r.s->has_box);
    assert_int_equal(r.s->molecule[0], 17);
    assert_true(r.s->position_nm[0][1] == -0.2);
    assert_int_equal(r.s->n_bonds, 0);
    done(&r);
}

/* Residues of one bead, as VMD and others number them. Large letters are small ones. */
static void residues_behind_9999_are_apart(void **state)
{
    (void)state;
    static const char *const numbers[] = { "9999", "2710", "2719", "271a", "271A", "271f",
                                           "A000", "A00G", "A010", "000a", "0010" };
    enum { N = sizeof numbers / sizeof *numbers };
    char text[1024];
    int  n = 0;

    for (int k = 0; k < N; k++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "ATOM      1  W   WAT  %s       1.000   2.000   3.000\n", numbers[k]);
    Reading r = read_bytes(PDB, text, n, 0);

    assert_non_null(r.s);
    assert_int_equal(r.s->n_beads, N);
    for (int k = 1; k < N; k++)
        assert_int_equal(r.s->molecule[k] != r.s->molecule[k - 1], k != 4);
    done(&r);
}

/* VMD ends each frame by END, and writes no box as zeros. */
static void frames_of_vmd_end_by_end(void **state)
{
    (void)state;
    static const char none[] =
        "CRYST1    0.000    0.000    0.000  90.00  90.00  90.00 P 1           1\n";
    char          text[1024];
    const int64_t n = snprintf(text, sizeof text, "%s%s%sEND\n%s%sEND   \n%s%sEND\n", none, ONE,
                               TWO, TWO, ONE, ONE, TWO);

    for (int64_t frame = 0; frame < 3; frame++) {
        Reading r = read_bytes(PDB, text, n, frame);
        assert_non_null(r.s);
        assert_int_equal(r.s->n_frames, 3);
        assert_int_equal(r.s->n_beads, 2);
        assert_false(r.s->has_box);
        assert_true(fabs(r.s->position_nm[0][0] - (frame == 1 ? 0.45 : 0.1)) < 1e-9);
        done(&r);
    }
}

/* The last one before the beads of a frame or among them; those of later frames are theirs. */
static void each_frame_has_the_box_that_stands_before_its_end(void **state)
{
    (void)state;
    static const char other[] = "CRYST1   31.000   40.000   50.000  90.00  90.00  90.00\n";
    char              text[1024];
    const int64_t n = snprintf(text, sizeof text, "%s%sENDMDL\n%sENDMDL\n%s%sENDMDL\n", CRYST, ONE,
                               TWO, other, ONE);

    for (int64_t frame = 0; frame < 3; frame++) {
        Reading r = read_bytes(PDB, text, n, frame);
        assert_non_null(r.s);
        assert_true(r.s->has_box);
        assert_true(fabs(r.s->box_nm[0] - (frame == 2 ? 3.1 : 3)) < 1e-12);
        done(&r);
    }
}

static void a_bond_that_is_given_from_both_ends_counts_once(void **state)
{
    (void)state;
    Reading r = read_text(PDB, "CONECT    2    1\n" ONE TWO "CONECT    1    2    2\n");

    assert_non_null(r.s);
    assert_int_equal(r.s->n_bonds, 1);
    assert_int_equal(r.s->bond[0][1], 0);
    assert_int_equal(r.s->bond[0][2], 1);
    done(&r);
}

static void every_fault_has_its_message(void **state)
{
    (void)state;
    static const char serial_hint[] = "bonds need serial numbers that stand once; or remove the "
                                      "CONECT lines";

    static const Fault faults[] = {
        { "REMARK nothing\n", AMPHI_MSG_FORMAT_NO_BEADS, 0, "there are no beads in this file", "" },
        { "ATOM      1  W   WAT     1       1.000   2.000\n", AMPHI_MSG_FORMAT_SHORT_LINE, 1,
          "a line of 46 columns where 54 are needed",
          "ATOM, columns 7-11 number, 13-16 bead, 18-21 residue, 23-26 its number, 31-54 x y z" },
        { "CRYST1   30.000   40.000\n" ONE, AMPHI_MSG_FORMAT_SHORT_LINE, 1,
          "a line of 24 columns where 54 are needed",
          "CRYST1, edges in columns 7-33, angles in columns 34-54" },
        { ONE BEAD("    2", "   4.5x0"), AMPHI_MSG_FORMAT_NOT_NUMBER, 2,
          "x: \"4.5x0\" is not a number", "write a plain number such as 1.25 or -3e-2" },
        { "ATOM      1  W   WAT    1x       1.000   2.000   3.000\n", AMPHI_MSG_FORMAT_NOT_WHOLE, 1,
          "residue number: \"1x\" is not a whole number from -999 to 9999", "" },
        { "CRYST1   30.000   40.000   50.000  90.00  60.00  90.00\n" ONE,
          AMPHI_MSG_FORMAT_TRICLINIC, 1, "the box is triclinic: 60.00",
          "amphi needs a rectangular box" },
        { "CRYST1   30.000   40.000   50.000  89.99  90.00  90.00\n" ONE,
          AMPHI_MSG_FORMAT_TRICLINIC, 1, "the box is triclinic: 89.99",
          "amphi needs a rectangular box" },
        { "CRYST1    0.000   40.000   50.000  90.00  90.00  90.00\n" ONE, AMPHI_MSG_FORMAT_BOX, 1,
          "box edge x is 0: must be above zero", "" },
        { "CRYST1   30.000  -40.000   50.000  90.00  90.00  90.00\n" ONE, AMPHI_MSG_FORMAT_BOX, 1,
          "box edge y is -40: must be above zero", "" },
        { ONE TWO "CONECT    1    7\n", AMPHI_MSG_PDB_SERIAL, 3,
          "CONECT: no beads have the serial number 7", serial_hint },
        { ONE ONE "CONECT    1    2\n", AMPHI_MSG_PDB_SERIAL, 3,
          "CONECT: several beads have the serial number 1", serial_hint },
        { ONE TWO "CONECT    1  0x2\n", AMPHI_MSG_FORMAT_NOT_WHOLE, 3,
          "serial number: \"0x2\" is not a whole number from 0 to 99999", "" },
    };

    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        assert_true(gives(PDB, &faults[k]));
}

/* Neither shifts the columns behind it. Of serial numbers that stand twice no bond can be told. */
static void numbers_begin_again_and_then_bonds_are_left_out(void **state)
{
    (void)state;
    enum { N = 100001 };
    static int32_t    bond[1][3] = { { 1, 0, 1 } };
    AmphiArena *const arena      = amphi_arena_new();

    for (int32_t n = 99999; n <= N; n++) {
        AmphiNotes *const notes = amphi_notes_new();
        AmphiSnapshot     s     = { .n_beads = n, .n_bonds = 1, .bond = bond };
        AmphiError        err   = { 0 };

        s.position_nm = amphi_arena_take(arena, n, sizeof *s.position_nm);
        s.molecule    = AMPHI_TAKE(arena, int32_t, n);
        for (int i = 0; i < n; i++) {
            s.position_nm[i][1] = 1e-3 * i;
            s.molecule[i]       = i == 0 ? -2345 : i; /* five columns */
        }
        assert_int_equal(PDB->write(path_of("many.pdb"), &s, &err), AMPHI_OK);

        const AmphiSnapshot *const r =
            amphi_snapshot_read(path_of("many.pdb"), NULL, arena, (AmphiWhere){ NULL, 0 }, notes);
        assert_non_null(r);
        assert_int_equal(r->n_beads, n);
        assert_true(are_near(r->position_nm, s.position_nm, 3 * (int64_t)n, 5.01e-5));
        assert_int_equal(r->molecule[0], 0);
        assert_int_equal(r->molecule[9999], 9999);
        assert_int_equal(r->molecule[10000], 0);
        assert_int_equal(r->n_bonds, n == 99999);
        amphi_notes_free(notes);
    }
    amphi_arena_free(arena);
}

static void what_does_not_fit_its_columns_is_not_written(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    AmphiError        err   = { 0 };

    s->position_nm[0][0] = -100;
    assert_int_equal(PDB->write(path_of("big.pdb"), s, &err), AMPHI_BAD_INPUT);
    assert_non_null(strstr(err.text, "x of bead 1 is -1000, too large for the 8 columns"));
    assert_int_equal(access(path_of("big.pdb"), F_OK), -1);
    s->position_nm[0][0] = 1;
    s->box_nm[1]         = 1e5;
    assert_int_equal(PDB->write(path_of("big.pdb"), s, &err), AMPHI_BAD_INPUT);
    assert_non_null(strstr(err.text, "the box is 1e+06, too large for the 9 columns"));
    s->position_nm = NULL;
    assert_int_equal(PDB->write(path_of("big.pdb"), s, &err), AMPHI_BAD_INPUT);
    amphi_arena_free(arena);
}

static void cut_and_mutated_files_are_refused_or_read(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    int64_t           n     = 0;
    char *const       bytes = bytes_written(PDB, small_system(arena), &n);

    survives_cuts_and_mutations(PDB, bytes, n);
    free(bytes);
    amphi_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back_to_a_thousandth_of_an_angstrom),
        cmocka_unit_test(every_line_of_a_bead_has_the_standard_columns),
        cmocka_unit_test(frames_are_models),
        cmocka_unit_test(residues_behind_9999_are_apart),
        cmocka_unit_test(frames_of_vmd_end_by_end),
        cmocka_unit_test(each_frame_has_the_box_that_stands_before_its_end),
        cmocka_unit_test(foreign_records_serials_and_missing_boxes_are_read),
        cmocka_unit_test(a_bond_that_is_given_from_both_ends_counts_once),
        cmocka_unit_test(every_fault_has_its_message),
        cmocka_unit_test(numbers_begin_again_and_then_bonds_are_left_out),
        cmocka_unit_test(what_does_not_fit_its_columns_is_not_written),
        cmocka_unit_test(cut_and_mutated_files_are_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
