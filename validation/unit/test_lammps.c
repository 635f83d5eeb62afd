/* LAMMPS data files of ELBA: the public files bead by bead, round trip, every message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format_cases.h"
#include "skipping.h"

#define LAMMPS (&amphi_format_lammps)

#define TITLE  "a title, whatever it says: 12 atoms\n\n"
#define COUNTS "3 atoms\n2 atom types\n1 bonds\n1 bond types\n2 angles\n5 angle types\n\n"
#define EDGES  "-10 20 xlo xhi\n-5.0 25 ylo yhi\n1e1 40 zlo zhi\n"
#define HEAD   TITLE COUNTS EDGES
#define MASSES "\nMasses\n\n1 40\n2 62 # glycerol\n\n"
#define ATOM_9 "9 1 1 2 11 0 0 0.1 -0.2 0.3 5.0 0.5832 1 -1 0\n"
#define ATOM_4 "4 2 -9 0 12 7 -0.7 0 0 0 12.7 0.05\n"
#define ATOM_7 "7 2 2 2 13 7 0.7 0 0 0.4 12.7 0.05 0 0 0\n"
#define ATOMS  "Atoms # hybrid\n\n" ATOM_9 ATOM_4 ATOM_7
#define SPEEDS "\nVelocities\n\n7 1 2 3 4 5 6\n9 0 0 0 0 0 0\n4 0.01 0 0 0 0 0.001\n"
#define BONDS  "\nBonds\n\n1 1 4 7\n"
#define ANGLES "\nAngles\n\n1 5 7 4 4\n2 1 4 7 9\n"
#define WHOLE  HEAD MASSES ATOMS SPEEDS BONDS ANGLES

static void a_file_is_read_by_ids_in_internal_units(void **state)
{
    (void)state;
    Reading r = read_text(LAMMPS, WHOLE);

    assert_non_null(r.s);
    assert_string_equal(r.s->title, "a title, whatever it says: 12 atoms");
    assert_int_equal(r.s->n_beads, 3);
    assert_int_equal(r.s->n_types, 2);
    assert_true(r.s->has_box);
    assert_true(are_near(r.s->box_nm, (const double[3]){ 3, 3, 3 }, 3, 1e-15));
    /* ids 4, 7, 9; minus the box's corner (-10, -5, 10) A; a few roundings of numbers near 1 */
    assert_true(are_near(r.s->position_nm,
                         (const double[9]){ 0.1, 0.5, 0.2, 1.2, 0.7, 0.3, 1.1, 0.7, 0.1 }, 9,
                         1e-15));
    assert_true(are_near(r.s->dipole_e_nm,
                         (const double[9]){ 0, 0, 0, 0, 0, 0.04, 0.01, -0.02, 0.03 }, 9, 1e-17));
    assert_true(are_near(r.s->charge_e, (const double[3]){ -0.7, 0.7, 0 }, 3, 0));
    assert_true(are_near(r.s->mass_u, (const double[3]){ 62, 62, 40 }, 3, 0));
    assert_true(are_near(r.s->diameter_nm, (const double[3]){ 1.27, 1.27, 0.5 }, 3, 1e-15));
    assert_true(are_near(r.s->velocity_nm_ps, (const double[9]){ 1, 0, 0, 100, 200, 300, 0, 0, 0 },
                         9, 1e-13));
    assert_true(are_near(r.s->angular_velocity_rad_ps,
                         (const double[9]){ 0, 0, 1, 4000, 5000, 6000, 0, 0, 0 }, 9, 1e-12));
    assert_memory_equal(r.s->type, ((const int32_t[3]){ 2, 2, 1 }), 12);
    assert_memory_equal(r.s->molecule, ((const int32_t[3]){ 7, 7, 0 }), 12);
    assert_memory_equal(r.s->bond, ((const int32_t[3]){ 1, 0, 1 }), 12);
    assert_memory_equal(r.s->angle, ((const int32_t[8]){ 5, 1, 0, 0, 1, 0, 1, 2 }), 32);
    assert_int_equal(r.s->line[0], 22);
    done(&r);
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    Reading     first = read_text(LAMMPS, WHOLE);
    int64_t     n     = 0;
    char *const bytes = bytes_written(LAMMPS, first.s, &n);
    Reading     again = read_bytes(LAMMPS, bytes, n, 0);

    assert_non_null(again.s);
    /* 17 digits; two roundings for the factor of ten there and back */
    assert_true(are_near(again.s->box_nm, first.s->box_nm, 3, 1e-15));
    assert_true(are_near(again.s->position_nm, first.s->position_nm, 9, 1e-15));
    assert_true(are_near(again.s->dipole_e_nm, first.s->dipole_e_nm, 9, 1e-17));
    assert_true(are_near(again.s->charge_e, first.s->charge_e, 3, 0));
    assert_true(are_near(again.s->mass_u, first.s->mass_u, 3, 0));
    assert_true(are_near(again.s->diameter_nm, first.s->diameter_nm, 3, 1e-15));
    assert_true(are_near(again.s->velocity_nm_ps, first.s->velocity_nm_ps, 9, 1e-13));
    assert_true(
        are_near(again.s->angular_velocity_rad_ps, first.s->angular_velocity_rad_ps, 9, 1e-12));
    assert_memory_equal(again.s->type, first.s->type, 12);
    assert_memory_equal(again.s->molecule, first.s->molecule, 12);
    assert_memory_equal(again.s->bond, first.s->bond, 12);
    /* i j j gets a third bead; one that is there already is kept */
    assert_memory_equal(again.s->angle, ((const int32_t[8]){ 5, 1, 0, 2, 1, 0, 1, 2 }), 32);
    done(&first);
    done(&again);
    free(bytes);
}

/* LAMMPS refuses i j j: a restraint gets a third bead, bonded to the others if there is one. The
 * bonds are 1-2 and 2-3. */
static void restraints_are_written_with_a_third_bead(void **state)
{
    (void)state;
    static const int32_t angle[4][4] = {
        { 1, 0, 1, 1 }, { 1, 1, 0, 0 }, { 2, 1, 2, 2 }, { 2, 4, 3, 3 }
    };
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    int64_t           n     = 0;

    s->n_angles = 4;
    s->angle    = amphi_arena_take(arena, 4, sizeof *s->angle);
    memcpy(s->angle, angle, sizeof angle);
    char *bytes = bytes_written(LAMMPS, s, &n);
    assert_non_null(strstr(bytes, "\nAngles\n\n1 1 1 2 3\n2 1 2 1 3\n3 2 2 3 1\n4 2 5 4 3\n"));
    free(bytes);
    s->n_bonds  = 1; /* 1-2: the next bead lends itself */
    s->n_angles = 1;
    bytes       = bytes_written(LAMMPS, s, &n);
    assert_non_null(strstr(bytes, "\nAngles\n\n1 1 1 2 3\n"));
    free(bytes);
    s->n_beads = 2;
    bytes      = bytes_written(LAMMPS, s, &n);
    assert_non_null(strstr(bytes, "\nAngles\n\n1 1 1 2 2\n"));
    free(bytes);
    amphi_arena_free(arena);
}

/* Two types may have one mass. */
static void masses_are_written_with_the_names_of_their_types(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    int64_t           n     = 0;
    char             *bytes = bytes_written(LAMMPS, s, &n);

    assert_non_null(strstr(bytes, "\nMasses\n\n1 72 # lipid\n2 40 # water\n"));
    free(bytes);
    amphi_arena_free(arena);
}

/* The dipole along body z, the angular velocity from momentum and moments, both turned into space
 * by hand here: about x by 90 degrees, z becomes -y and y becomes z. */
static void orientations_become_dipoles_and_angular_velocities(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    const double      h     = sqrt(0.5);
    int64_t           n     = 0;

    memcpy(s->orientation[3], (const double[4]){ h, h, 0, 0 }, 4 * sizeof(double));
    memcpy(s->spin_u_nm2_ps[3], (const double[3]){ 2, 3, 0 }, 3 * sizeof(double));
    s->dipole_strength_e_nm[3] = 0.05;
    memcpy(s->type_inertia_u_nm2[1], (const double[3]){ 4, 4, 0 }, 3 * sizeof(double));

    char *const bytes = bytes_written(LAMMPS, s, &n);
    Reading     r     = read_bytes(LAMMPS, bytes, n, 0);
    assert_non_null(r.s);
    assert_true(are_near(r.s->dipole_e_nm[3], (const double[3]){ 0, -0.05, 0 }, 3, 1e-16));
    assert_true(
        are_near(r.s->angular_velocity_rad_ps[3], (const double[3]){ 0.5, 0, 0.75 }, 3, 1e-15));
    assert_true(fabs(r.s->diameter_nm[3] - 1) < 1e-15); /* 4 = 40 d^2/10 */
    assert_true(r.s->diameter_nm[0] == 0);              /* no moments: a point */
    assert_non_null(strstr(bytes, " 0 72 0 0 0\n"));    /* of its mass */
    done(&r);
    free(bytes);
    amphi_arena_free(arena);
}

static void the_density_is_that_of_the_mass_of_the_type(void **state)
{
    (void)state;
    Reading     r        = read_text(LAMMPS, WHOLE);
    int64_t     n        = 0;
    char *const bytes    = bytes_written(LAMMPS, r.s, &n);
    double      diameter = 0, density = 0;
    const char *line = strstr(bytes, "\n3 1 ");

    assert_non_null(line);
    assert_int_equal(
        sscanf(line, "%*d %*d %*f %*f %*f %*d %*f %*f %*f %*f %lf %lf", &diameter, &density), 2);
    /* LAMMPS: mass = density pi d^3/6 */
    assert_true(fabs(density * 3.14159265358979323846 / 6 * pow(diameter, 3) - 40) < 1e-13);
    done(&r);
    free(bytes);
}

static void headers_of_other_writers_are_read(void **state)
{
    (void)state;
    Reading r =
        read_text(LAMMPS, "\n  1 atoms  # one\n1 atom types\n0 dihedrals\n0 improper types\n"
                          "2 extra bond per atom\n# nothing\n0 1 xlo xhi\n0 1 ylo yhi\n"
                          "0 1 zlo zhi\n0.0 0.0 0.0 xy xz yz\n"
                          "Masses\n1 40\nAtoms\n1 1 0 0 0 0 0 0 0 0 5 1\n");

    assert_non_null(r.s);
    assert_null(r.s->velocity_nm_ps);
    assert_int_equal(r.s->n_bonds, 0);
    done(&r);
}

/* Of one style and of a hybrid. */
static void coefficients_are_passed_over(void **state)
{
    (void)state;
    Reading r =
        read_text(LAMMPS, HEAD MASSES "Pair Coeffs # lj/sf/dipole/sf\n\n1 0.55 3.05 1\n"
                                      "2 0.71 3.825 1\n\n"
                                      "PairIJ Coeffs # lj/sf/dipole/sf\n\n1 1 0.55 3.05 1\n"
                                      "1 2 0.9 4.2 1\n2 2 0.7 3.8 1\n\n"
                                      "Bond Coeffs # harmonic\n\n1 1.506 4.77\n\n"
                                      "Angle Coeffs # hybrid\n\n1 cosine/squared 3.585 115\n"
                                      "5 dipole 1.195 0\n" ATOMS BONDS ANGLES);

    assert_non_null(r.s);
    assert_int_equal(r.s->n_beads, 3);
    assert_int_equal(r.s->n_bonds, 1);
    assert_int_equal(r.s->n_angles, 2);
    done(&r);
}

static const char word_hint[] = "such as: 6784 atoms; 6 atom types; 1536 bonds; -33.7 33.7 xlo xhi";
static const char atoms_hint[]  = "write: id type x y z molecule q mux muy muz diameter density "
                                  "[ix iy iz]";
static const char number_hint[] = "write a plain number such as 1.25 or -3e-2";
static const char name_hint[]   = "write one of: Masses, Bond Coeffs, Atoms, Velocities, Bonds, "
                                  "Angles";

static void every_fault_of_the_header_has_its_message(void **state)
{
    (void)state;
    static const Fault faults[] = {
        { TITLE "3 atomz\n" EDGES MASSES ATOMS, AMPHI_MSG_LAMMPS_HEADER, 3,
          "\"3 atomz\": neither a count nor a box edge nor a section", word_hint },
        { TITLE "x atoms\n" EDGES MASSES, AMPHI_MSG_LAMMPS_MISSING, 3,
          "the line `N atoms` is missing", "" },
        { TITLE "3.5 atoms\n" EDGES MASSES ATOMS, AMPHI_MSG_FORMAT_NOT_WHOLE, 3,
          "atoms: \"3.5\" is not a whole number from 0 to 2147483647", "" },
        { TITLE "3000 atoms\n" EDGES MASSES ATOMS, AMPHI_MSG_FORMAT_COUNT, 3,
          "3000 atoms: more than 215 bytes can hold",
          "correct the number of atoms, or copy the file again if it was cut" },
        { TITLE "0 atoms\n1 atom types\n" EDGES MASSES, AMPHI_MSG_FORMAT_NO_BEADS, 9,
          "there are no beads in this file", "" },
        { TITLE COUNTS "0 1 xlo xhi\n" MASSES, AMPHI_MSG_LAMMPS_MISSING, 12, "ylo yhi is missing",
          "" },
        { TITLE COUNTS "0 1 xlo xhi\n2 1 ylo yhi\n0 1 zlo zhi\n" MASSES, AMPHI_MSG_FORMAT_BOX, 11,
          "box edge y is -0.1: must be above zero", "" },
        { TITLE COUNTS EDGES "1 0 0 xy xz yz\n" MASSES, AMPHI_MSG_FORMAT_TRICLINIC, 13,
          "the box is triclinic: 1", "amphi needs a rectangular box" },
        { TITLE COUNTS "4 dihedrals\n" EDGES MASSES, AMPHI_MSG_LAMMPS_NOT_READ, 10,
          "4 dihedrals: not read", "amphi knows atoms, bonds and angles of LAMMPS data" },
        { TITLE "3 atoms\n" EDGES, AMPHI_MSG_LAMMPS_MISSING, 6,
          "the line `N atom types` is missing", "" },
        { HEAD, AMPHI_MSG_LAMMPS_MISSING, 12, "the section Atoms is missing", "" },
    };

    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        assert_true(gives(LAMMPS, &faults[k]));
    const Fault second = { WHOLE, AMPHI_MSG_FORMAT_FRAME, 0,
                           "frame 1 was asked for, and the file has 1",
                           "write a number from 0 on, or last" };
    assert_true(gives_n(LAMMPS, &second, (int64_t)strlen(WHOLE), 1));
}

static const Fault section_faults[] = {
    { "LAMMPS data file via write_data, timestep = 0, units = metal\n" COUNTS EDGES MASSES ATOMS,
      AMPHI_MSG_LAMMPS_UNITS, 1, "units = metal: amphi reads data in units real",
      "write it by LAMMPS with units real, or correct this line: g/mol, A, A/fs, e" },
    { HEAD MASSES "Atoms # full\n\n" ATOM_9, AMPHI_MSG_LAMMPS_STYLE, 19,
      "Atoms # full: this atom style is not read", "amphi reads: hybrid angle dipole sphere" },
    { HEAD "\nMases\n\n1 40\n2 62\n\n" ATOMS, AMPHI_MSG_LAMMPS_SECTION, 14,
      "\"Mases\": no section of that name is read",
      "write one of: Masses, Bond Coeffs, Atoms, Velocities, Bonds, Angles        (did you "
      "mean "
      "Masses?)" },
    { HEAD MASSES "Dihedral Coeffs # opls\n\n1 1 1\n\n" ATOMS, AMPHI_MSG_LAMMPS_SECTION, 19,
      "\"Dihedral Coeffs\": no section of that name is read", name_hint },
    { HEAD MASSES "Ellipsoids\n\n1 1 1\n\n" ATOMS, AMPHI_MSG_LAMMPS_SECTION, 19,
      "\"Ellipsoids\": no section of that name is read", name_hint },
    { HEAD MASSES MASSES ATOMS, AMPHI_MSG_LAMMPS_SECTION_TWICE, 20,
      "the section Masses stands twice", "" },
    { HEAD MASSES BONDS ATOMS, AMPHI_MSG_LAMMPS_ORDER, 20, "Bonds stands before Atoms",
      "move it behind Atoms" },
    { HEAD "\nMasses\n\n1 40\n\n" ATOMS, AMPHI_MSG_LAMMPS_COUNT, 18,
      "Masses: 1 lines, but line 4 says 2",
      "correct the count in line 4, or the lines of this section" },
    { HEAD MASSES ATOMS "5 1 0 0 0 0 0 0 0 0 5 1\n" BONDS ANGLES, AMPHI_MSG_LAMMPS_COUNT, 26,
      "Atoms: 4 lines, but line 3 says 3",
      "correct the count in line 3, or the lines of this section" },
    { HEAD MASSES ATOMS BONDS "\nAngles\n\n1 5 7 4 4\n", AMPHI_MSG_LAMMPS_COUNT, 31,
      "Angles: 1 lines, but line 7 says 2",
      "correct the count in line 7, or the lines of this section" },
    { HEAD "\nMasses\n\n1 -40\n2 62\n" ATOMS, AMPHI_MSG_LAMMPS_VALUE, 16,
      "the mass is -40: must be above zero", "" },
    { HEAD "\nMasses\n\n3 40\n2 62\n" ATOMS, AMPHI_MSG_FORMAT_NOT_WHOLE, 16,
      "bead type: \"3\" is not a whole number from 1 to 2", "" },
    { HEAD "\nMasses\n\n2 40\n2 62\n" ATOMS, AMPHI_MSG_LAMMPS_TWICE, 17,
      "Masses: number 2 stands at line 16 already", "" },
    { HEAD MASSES "Bond Coeffs # harmonic\n\n1 1.5 x\n" ATOMS, AMPHI_MSG_FORMAT_NOT_NUMBER, 21,
      "coefficient: \"x\" is not a number", number_hint },
    { HEAD MASSES "Atoms\n\n" ATOM_9 ATOM_4 "7 2 2 2 13 7 0.7 0 0\n", AMPHI_MSG_LAMMPS_WORDS, 23,
      "Atoms: 9 values in this line", atoms_hint },
    { HEAD MASSES "Atoms\n\n" ATOM_9 ATOM_4 "7 2 2 2 13 7 0.7 0 0 0.4 12.7 0.05 0 0\n",
      AMPHI_MSG_LAMMPS_WORDS, 23, "Atoms: 14 values in this line", atoms_hint },
    { HEAD MASSES "Atoms\n\n" ATOM_9 ATOM_4 "7 2 2 nan 13 7 0.7 0 0 0.4 12.7 0.05\n",
      AMPHI_MSG_FORMAT_NOT_NUMBER, 23, "position: \"nan\" is not a number", number_hint },
    { HEAD MASSES "Atoms\n\n" ATOM_9 ATOM_4 "7 2 2 1e999 13 7 0.7 0 0 0.4 12.7 0.05\n",
      AMPHI_MSG_FORMAT_NOT_NUMBER, 23, "position: \"1e999\" is not a number", number_hint },
    { HEAD MASSES "Atoms\n\n" ATOM_9 ATOM_4 "7 2 2 1 13 7 0.7 0 0 0.4 -12.7 0.05\n",
      AMPHI_MSG_LAMMPS_VALUE, 23, "the diameter is -12.7: must not be negative", "" },
    { HEAD MASSES "Atoms\n\n" ATOM_9 ATOM_4 "7 2 2 1 13 7 0.7 0 0 0.4 12.7 0.05 0 0 0.5\n",
      AMPHI_MSG_FORMAT_NOT_WHOLE, 23,
      "image flag: \"0.5\" is not a whole number from -2147483648 to 2147483647", "" },
    { HEAD MASSES "Atoms\n\n" ATOM_9 ATOM_4 ATOM_9 BONDS ANGLES, AMPHI_MSG_LAMMPS_TWICE, 23,
      "Atoms: number 9 stands at line 21 already", "" },
    { HEAD MASSES ATOMS "\nVelocities\n\n9 0 0 0 0 0 0\n5 0 0 0 0 0 0\n4 0 0 0 0 0 0\n",
      AMPHI_MSG_LAMMPS_NO_BEAD, 28, "Velocities: no bead has the number 5", "" },
    { HEAD MASSES ATOMS "\nVelocities\n\n9 0 0 0 0 0 0\n9 0 0 0 0 0 0\n4 0 0 0 0 0 0\n",
      AMPHI_MSG_LAMMPS_TWICE, 28, "Velocities: number 9 stands at line 27 already", "" },
    { HEAD MASSES ATOMS "\nBonds\n\n1 1 4 4\n" ANGLES, AMPHI_MSG_LAMMPS_VALUE, 27,
      "the bond is from a bead to itself: must join two beads", "" },
    { HEAD MASSES ATOMS "\nBonds\n\n1 2 4 7\n" ANGLES, AMPHI_MSG_FORMAT_NOT_WHOLE, 27,
      "bond type: \"2\" is not a whole number from 1 to 1", "" },
    { HEAD MASSES ATOMS BONDS "\nAngles\n\n1 5 7 7 4\n2 1 4 7 9\n", AMPHI_MSG_LAMMPS_VALUE, 31,
      "the angle is of a bead with itself: must name other beads behind the first", "" },
    { HEAD MASSES ATOMS BONDS, AMPHI_MSG_LAMMPS_MISSING, 27, "the section Angles is missing", "" },
    { HEAD ATOMS BONDS ANGLES, AMPHI_MSG_LAMMPS_MISSING, 26, "the section Masses is missing", "" },
};

static void every_fault_of_a_section_has_its_message(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof section_faults / sizeof *section_faults; k++)
        assert_true(gives(LAMMPS, &section_faults[k]));
}

static void faults_of_several_sections_are_shown_at_once(void **state)
{
    (void)state;
    Reading r = read_text(LAMMPS, HEAD "\nMasses\n\n1 0\n2 62\n\nEllipsoids\n\n1 1\n" ATOMS
                                       "\nBonds\n\n1 1 4 8\n\nAngles\n\n1 5 7 x 4\n2 1 4 7 9\n");

    assert_null(r.s);
    assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_ERROR), 4);
    done(&r);
}

static void what_lacks_dipoles_or_bond_types_is_not_written(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *s     = small_system(arena);
    AmphiError        err   = { 0 };

    s->bond[1][0] = 0;
    assert_int_equal(LAMMPS->write(path_of("bad.data"), s, &err), AMPHI_BAD_INPUT);
    assert_non_null(strstr(err.text, "bond 2 has no type"));
    s->bond[1][0]  = 1;
    s->angle[0][0] = 0;
    assert_int_equal(LAMMPS->write(path_of("bad.data"), s, &err), AMPHI_BAD_INPUT);
    assert_non_null(strstr(err.text, "angle 1 has no type"));
    s->angle[0][0]          = 1;
    s->velocity_nm_ps[1][0] = (double)NAN;
    assert_int_equal(LAMMPS->write(path_of("bad.data"), s, &err), AMPHI_BAD_INPUT);
    assert_non_null(strstr(err.text, "a number of bead 2 is not finite"));
    s->orientation = NULL;
    assert_int_equal(LAMMPS->write(path_of("bad.data"), s, &err), AMPHI_BAD_INPUT);
    assert_int_equal(access(path_of("bad.data"), F_OK), -1);
    amphi_arena_free(arena);
}

static void cut_and_mutated_files_are_refused_or_read(void **state)
{
    (void)state;
    survives_cuts_and_mutations(LAMMPS, WHOLE, (int64_t)strlen(WHOLE));
}

/* ---- the public files ---- */

/* What a command prints, as bytes; NULL when it prints nothing. */
static char *output_of(const char *command, int64_t *n)
{
    FILE *const  pipe  = popen(command, "r");
    const size_t room  = 1 << 23;
    char *const  bytes = malloc(room);

    assert_non_null(pipe);
    assert_non_null(bytes);
    *n        = (int64_t)fread(bytes, 1, room - 1, pipe);
    bytes[*n] = '\0';
    if (pclose(pipe) == 0 && *n > 0)
        return bytes;
    free(bytes);
    return NULL;
}

/* Where beads.txt of the peers lies beside the public data, line by line: id, molecule, type,
 * position, charge, dipole, diameter, mass, velocity, angular velocity; A, fs, e. */
static bool bead_is(const AmphiSnapshot *s, int32_t i, const char *line)
{
    const double *const x = s->position_nm[i], *const m = s->dipole_e_nm[i];
    const double *const v = s->velocity_nm_ps[i], *const w = s->angular_velocity_rad_ps[i];
    const double found[] = { x[0],        x[1], x[2], m[0], m[1], m[2],           v[0],
                             v[1],        v[2], w[0], w[1], w[2], s->charge_e[i], s->diameter_nm[i],
                             s->mass_u[i] };
    double       value[18];
    char        *end = NULL;

    for (int k = 0; k < 18; k++, line = end)
        value[k] = strtod(line, &end);
    double expected[15] = { value[6], value[10], value[11] };
    for (int k = 0; k < 3; k++) {
        expected[k]     = value[3 + k] / 10;
        expected[3 + k] = value[7 + k] / 10;
        expected[6 + k] = value[12 + k] * 100;
        expected[9 + k] = value[15 + k] * 1000;
    }
    expected[12] = value[6];
    expected[13] = value[10] / 10;
    expected[14] = value[11];
    return value[0] == i + 1 && value[1] == s->molecule[i] && value[2] == s->type[i] &&
           are_near(found, expected, 15, 1e-12);
}

/* Reads a public data file and holds each bead to beads.txt; the box there does not begin at zero,
 * so `low` (A) is what the reader takes off. */
static void hold_to_peer(const char *data, const char *beads, int32_t n_beads, int32_t n_bonds,
                         int32_t n_angles, const double low[3], double edge_z)
{
    int64_t n     = 0;
    char   *bytes = output_of(data, &n);
    char   *peer  = NULL;
    int32_t i     = 0;

    if (bytes == NULL) {
        SKIP("the public data files are not here");
    }
    Reading r = read_bytes(LAMMPS, bytes, n, 0);
    free(bytes);
    assert_non_null(r.s);
    assert_int_equal(r.s->n_beads, n_beads);
    assert_int_equal(r.s->n_bonds, n_bonds);
    assert_int_equal(r.s->n_angles, n_angles);
    assert_true(fabs(r.s->box_nm[2] - edge_z / 10) < 1e-13);
    for (int32_t b = 0; b < n_beads; b++)
        for (int k = 0; k < 3; k++)
            r.s->position_nm[b][k] += low[k] / 10;

    peer = output_of(beads, &n);
    assert_non_null(peer);
    for (const char *line = peer; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (*line != '#' && *line != '\0')
            assert_true(bead_is(r.s, i++, line));
    }
    assert_int_equal(i, n_beads);
    free(peer);
    done(&r);
}

#define ELBA "../shared/reference/elba/"

static void the_public_membrane_is_read_bead_by_bead(void **state)
{
    (void)state;
    hold_to_peer("zcat " ELBA "dmpc/data.dmpc.gz 2>/dev/null",
                 "zcat " ELBA "dmpc/beads.txt.gz 2>/dev/null", 6784, 1536, 1792,
                 (const double[3]){ -33.724772880037975, -33.724772880037975, -33.714977814907463 },
                 67.429955629814926);
}

static void the_public_water_box_is_read_bead_by_bead(void **state)
{
    (void)state;
    hold_to_peer("zcat " ELBA "water/data.water.gz 2>/dev/null",
                 "cat " ELBA "water/beads.txt 2>/dev/null", 1024, 0, 0,
                 (const double[3]){ 9.3424892144245621, 9.3424892144245621, 9.3424892144245621 },
                 31.315021571151446);
}

static void the_comparison_with_the_peer_sees_a_difference(void **state)
{
    (void)state;
    Reading    r      = read_text(LAMMPS, WHOLE);
    const char good[] = "1 7 2 1 5 2 -0.7 0 0 0 12.7 62 0.01 0 0 0 0 0.001";
    const char bad[]  = "1 7 2 1 5 2 -0.7 0 0 0 12.7 62 0.01 0 0 0 0.001 0";

    assert_non_null(r.s);
    assert_true(bead_is(r.s, 0, good));
    assert_false(bead_is(r.s, 0, bad));
    assert_false(bead_is(r.s, 1, good));
    done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_by_ids_in_internal_units),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(restraints_are_written_with_a_third_bead),
        cmocka_unit_test(masses_are_written_with_the_names_of_their_types),
        cmocka_unit_test(orientations_become_dipoles_and_angular_velocities),
        cmocka_unit_test(the_density_is_that_of_the_mass_of_the_type),
        cmocka_unit_test(headers_of_other_writers_are_read),
        cmocka_unit_test(coefficients_are_passed_over),
        cmocka_unit_test(every_fault_of_the_header_has_its_message),
        cmocka_unit_test(every_fault_of_a_section_has_its_message),
        cmocka_unit_test(faults_of_several_sections_are_shown_at_once),
        cmocka_unit_test(what_lacks_dipoles_or_bond_types_is_not_written),
        cmocka_unit_test(cut_and_mutated_files_are_refused_or_read),
        cmocka_unit_test(the_public_membrane_is_read_bead_by_bead),
        cmocka_unit_test(the_public_water_box_is_read_bead_by_bead),
        cmocka_unit_test(the_comparison_with_the_peer_sees_a_difference),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
