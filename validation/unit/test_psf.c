/* PSF files: round trip, other flavours, every message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format_cases.h"

#define PSF  (&amphi_format_psf)
#define HEAD "PSF\n\n       1 !NTITLE\n REMARKS any\n\n"
#define TWO                                                                                        \
    "       2 !NATOM\n"                                                                            \
    "       1 WAT  1    WAT  W    W      0.500000       40.0000           0\n"                     \
    "       2 WAT  2    WAT  W    W     -0.500000       40.0000           0\n\n"

static void names_charges_masses_and_bonds_come_back(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    int64_t           n     = 0;

    strcpy(s->molecule_name[3].text, "a long name");
    char *const bytes = bytes_written(PSF, s, &n);
    Reading     r     = read_bytes(PSF, bytes, n, 0);

    assert_non_null(r.s);
    assert_int_equal(r.s->n_beads, N_SMALL);
    assert_null(r.s->position_nm);
    assert_true(are_near(r.s->charge_e, s->charge_e, N_SMALL, 0.51e-6)); /* six decimals */
    assert_true(are_near(r.s->mass_u, s->mass_u, N_SMALL, 0.51e-6));
    assert_int_equal(r.s->n_bonds, 2);
    assert_int_equal(r.s->n_angles, 1); /* without the restraint, which has two beads */
    for (int c = 1; c < 3; c++)
        assert_int_equal(r.s->bond[1][c], s->bond[1][c]);
    for (int c = 1; c < 4; c++)
        assert_int_equal(r.s->angle[0][c], s->angle[0][c]);
    for (int i = 0; i < N_SMALL; i++) {
        assert_string_equal(r.s->bead_name[i].text, s->bead_name[i].text);
        assert_string_equal(r.s->molecule_name[i].text,
                            i == 3 ? "a_long_name" : s->molecule_name[i].text);
        assert_int_equal(r.s->molecule[i], s->molecule[i]);
    }
    done(&r);
    free(bytes);
    amphi_arena_free(arena);
}

static void the_segment_is_the_molecule_type_and_the_type_the_bead_type(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    int64_t           n     = 0;
    char *const       bytes = bytes_written(PSF, small_system(arena), &n);

    assert_non_null(strstr(bytes, "PSF NAMD\n"));
    assert_non_null(strstr(
        bytes, "\n       1 LIP  1    LIP  NC   lipid      0.700000     72.000000           0\n"));
    assert_non_null(strstr(bytes, "\n       2 !NBOND: bonds\n       1       2       2       3\n"));
    free(bytes);
    amphi_arena_free(arena);
}

/* As of more than 9 999 999 beads. */
static void long_numbers_have_columns_of_ten(void **state)
{
    (void)state;
    AmphiArena *const    arena = amphi_arena_new();
    AmphiSnapshot *const s     = small_system(arena);
    const char *const    path  = path_of("wide.psf");
    AmphiError           err   = { 0 };
    int64_t              n     = 0;

    assert_int_equal(amphi_psf_write(path, s, 10, &err), AMPHI_OK);
    char *const bytes = bytes_of_file(path, &n);
    Reading     r     = read_bytes(PSF, bytes, n, 0);

    assert_non_null(strstr(bytes, "PSF EXT NAMD\n"));
    assert_non_null(strstr(bytes, "\n         1 LIP  1    LIP  NC   lipid "));
    assert_non_null(strstr(bytes, "\n         1         2         2         3\n"));
    assert_non_null(r.s);
    assert_int_equal(r.s->n_beads, N_SMALL);
    assert_int_equal(r.s->n_bonds, 2);
    assert_int_equal(r.s->bond[1][2], s->bond[1][2]);
    assert_int_equal(r.s->n_angles, 1);
    done(&r);
    free(bytes);
    amphi_arena_free(arena);
}

static void a_water_box_without_bonds_is_read(void **state)
{
    (void)state;
    Reading r = read_text(PSF, HEAD TWO "       0 !NBOND: bonds\n\n\n");

    assert_non_null(r.s);
    assert_int_equal(r.s->n_bonds, 0);
    assert_true(amphi_snapshot_has(r.s) & AMPHI_HAS_BONDS);
    assert_true(r.s->charge_e[1] == -0.5);
    done(&r);
}

static void every_fault_has_its_message(void **state)
{
    (void)state;
    static const char  cut[]    = "is it whole? copy or write it again";
    static const Fault faults[] = {
        { "BSF\n", AMPHI_MSG_PSF_HEADER, 1, "a PSF file begins with the word PSF", "" },
        { HEAD, AMPHI_MSG_PSF_MISSING, 5, "the section !NATOM is missing", "" },
        { HEAD TWO, AMPHI_MSG_PSF_MISSING, 9, "the section !NBOND is missing", "" },
        { HEAD "0 !NATOM\n", AMPHI_MSG_FORMAT_NO_BEADS, 6, "there are no beads in this file", "" },
        { HEAD "900 !NATOM\n 1 2 3\n", AMPHI_MSG_FORMAT_COUNT, 6,
          "900 beads: more than 7 bytes can hold",
          "correct the number of beads, or copy the file again if it was cut" },
        { HEAD "2 !NATOM\n 1 WAT 1 WAT W W 0.5 40.0 0\n", AMPHI_MSG_FORMAT_COUNT, 6,
          "2 beads: more than 28 bytes can hold",
          "correct the number of beads, or copy the file again if it was cut" },
        { HEAD "2 !NATOM\n 1 WATERWATER 1 WATERWATER W W 0.5 40.0 0\n", AMPHI_MSG_FORMAT_CUT, 7,
          "the file ends before its last bead", cut },
        { HEAD "1 !NATOM\n 1 WAT 1 WAT W W 0.5\n", AMPHI_MSG_PSF_ATOM, 7,
          "7 words in the line of a bead; 8 are wanted",
          "number, segment, residue number, residue, name, type, charge, mass" },
        { HEAD "1 !NATOM\n 1 WAT 1A WAT W W 0.5 40\n", AMPHI_MSG_FORMAT_NOT_WHOLE, 7,
          "residue number: \"1A\" is not a whole number from -2147483648 to 2147483647", "" },
        { HEAD "1 !NATOM\n 1 WAT 1 WAT W W e 40\n", AMPHI_MSG_FORMAT_NOT_NUMBER, 7,
          "charge: \"e\" is not a number", "write a plain number such as 1.25 or -3e-2" },
        { HEAD "1 !NATOM\n 1 WAT 1 WAT W W 0 -40\n", AMPHI_MSG_FORMAT_NOT_NUMBER, 7,
          "mass: \"-40\" is not a number", "write a plain number such as 1.25 or -3e-2" },
        { HEAD TWO "1 !NBOND\n  1 3\n", AMPHI_MSG_FORMAT_BEAD, 11,
          "bonds: there is no bead 3; they count from 1 to 2", "" },
        { HEAD TWO "9 !NBOND\n  1 2\n", AMPHI_MSG_FORMAT_COUNT, 10,
          "9 bonds: more than 6 bytes can hold",
          "correct the number of bonds, or copy the file again if it was cut" },
        { HEAD TWO "2 !NBOND\n  1 2      1\n", AMPHI_MSG_FORMAT_CUT, 11,
          "the file ends before its last bond", cut },
    };

    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        assert_true(gives(PSF, &faults[k]));
    const Fault second = { HEAD TWO "0 !NBOND\n", AMPHI_MSG_FORMAT_FRAME, 0,
                           "frame 1 was asked for, and the file has 1",
                           "write a number from 0 on, or last" };
    assert_true(gives_n(PSF, &second, (int64_t)strlen(second.bytes), 1));
}

static void what_is_missing_or_not_finite_is_not_written(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    AmphiError        err   = { 0 };

    s->mass_u[4] = (double)INFINITY;
    assert_int_equal(PSF->write(path_of("bad.psf"), s, &err), AMPHI_BAD_INPUT);
    assert_non_null(strstr(err.text, "charge or mass of bead 5 is not finite"));
    s->bond = NULL;
    assert_int_equal(PSF->write(path_of("bad.psf"), s, &err), AMPHI_BAD_INPUT);
    assert_int_equal(access(path_of("bad.psf"), F_OK), -1);
    amphi_arena_free(arena);
}

static void cut_and_mutated_files_are_refused_or_read(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    int64_t           n     = 0;
    char *const       bytes = bytes_written(PSF, small_system(arena), &n);

    survives_cuts_and_mutations(PSF, bytes, n);
    free(bytes);
    amphi_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_charges_masses_and_bonds_come_back),
        cmocka_unit_test(the_segment_is_the_molecule_type_and_the_type_the_bead_type),
        cmocka_unit_test(long_numbers_have_columns_of_ten),
        cmocka_unit_test(a_water_box_without_bonds_is_read),
        cmocka_unit_test(every_fault_has_its_message),
        cmocka_unit_test(what_is_missing_or_not_finite_is_not_written),
        cmocka_unit_test(cut_and_mutated_files_are_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
