/* Starts from files: what they tell is taken over, strengths from either source, and what they do
 * not tell is drawn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/formats/snapshot.h"
#include "../../engine/turn.h"
#include "../../engine/units.h"
#include "../property/draw.h"
#include "job_folder.h"

#define DATA_HEAD                                                                                  \
    "A test\n\n4 atoms\n3 atom types\n1 bonds\n1 bond types\n0 30 xlo xhi\n0 30 ylo yhi\n"         \
    "0 30 zlo zhi\n\nMasses\n\n1 40\n2 35\n3 20\n\nAtoms\n\n"
#define DATA                                                                                       \
    DATA_HEAD "1 1 10 10 10 1 0.9 0 0 0 3 1\n2 2 14 10 10 1 -0.9 0 0 0 3 1\n"                      \
              "3 3 20 20 10 2 0 0.3 0 -0.4 3 1\n4 3 20 10 20 3 0 %s 3 1\n"                         \
              "\nVelocities\n\n1 0.001 0 0 0 0 0\n2 0 0 0 0 0 0\n3 0 0 0 0.002 0 0\n"              \
              "4 0 0 0 0 0 0.003\n\nBonds\n\n1 1 1 2\n"

/* The base job from LAMMPS data; the last bead has this dipole. */
static JobReading read_data_with(const char *dipole, const char *how, const char *more)
{
    char *const folder = folder_make();
    char        start[256], data[1024];

    snprintf(data, sizeof data, DATA, dipole);
    snprintf(start, sizeof start, "<coordinates file=\"a.data\" dipoles=\"%s\"/>\n%s", how, more);
    char *const job = replaced(job_base, JOB_BEADS, start);
    folder_write_text(folder, "job.xml", job);
    folder_write_text(folder, "a.data", data);
    JobReading r = read_job_file(folder, "job.xml");
    if (r.job == NULL)
        amphi_notes_print(r.notes, stdout, false);
    assert_non_null(r.job);
    free(job);
    folder_remove(folder);
    return r;
}

static JobReading read_data(const char *how, const char *more)
{
    return read_data_with("0 0 -0.4", how, more);
}

static void strengths_come_from_the_file_or_the_force_field(void **state)
{
    (void)state;
    JobReading r = read_data("file", "");

    assert_true(r.job->system.bead_charge_e[0] == 0.9 && r.job->system.bead_charge_e[1] == -0.9);
    assert_true(is_near(r.job->system.bead_dipole_e_nm[2], 0.05, 1e-15));
    assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_WARNING), 0);
    reading_free(&r);
    r = read_data("forcefield", "");
    assert_true(r.job->system.bead_charge_e[0] == 1);
    assert_true(is_near(r.job->system.bead_dipole_e_nm[2], 2 * AMPHI_DEBYE, 1e-15));
    assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_WARNING), 2);
    reading_free(&r);
}

/* Body z along the dipole; spins are about body axes. 1e-15 is a few roundings of 1. */
static void dipoles_of_a_file_turn_their_beads(void **state)
{
    (void)state;
    JobReading               r = read_data("file", "");
    const AmphiSystem *const s = &r.job->system;
    double                   u[3];

    amphi_axis_of(s->orientation[2], u);
    assert_true(is_near(u[0], 0.6, 1e-15) && is_near(u[1], 0, 1e-15) && is_near(u[2], -0.8, 1e-15));
    amphi_axis_of(s->orientation[3], u);
    assert_true(is_near(u[2], -1, 1e-15));
    /* 2 and 3 rad/ns are 0.002 and 0.003 rad/fs; about z nothing turns a linear rotor */
    assert_true(is_near(s->velocity_nm_ps[0][0], 0.1, 1e-15));
    assert_true(is_near(s->spin_u_nm2_ps[2][0] * s->spin_u_nm2_ps[2][0] +
                            s->spin_u_nm2_ps[2][1] * s->spin_u_nm2_ps[2][1],
                        2 * 2 * 0.8 * 0.8, 1e-12));
    assert_true(s->spin_u_nm2_ps[2][2] == 0 && s->spin_u_nm2_ps[3][2] == 0);
    reading_free(&r);
}

/* Their angular velocity, 3 rad/ps along z, stays what it is: about the axis nothing turns. */
static void beads_without_a_dipole_are_drawn_and_no_others(void **state)
{
    (void)state;
    JobReading r = read_data_with("0 0 0", "forcefield", "<orientations seed=\"4\"/>\n");
    const AmphiSystem *const s = &r.job->system;
    const double *const      l = s->spin_u_nm2_ps[3];
    double                   u[3];

    amphi_axis_of(s->orientation[2], u);
    assert_true(is_near(u[0], 0.6, 1e-15) && is_near(u[1], 0, 1e-15) && is_near(u[2], -0.8, 1e-15));
    amphi_axis_of(s->orientation[3], u);
    assert_true(u[2] < 0.99 && u[2] > -0.99);
    assert_true(is_near(l[0] * l[0] + l[1] * l[1], 9 * (1 - u[2] * u[2]), 1e-12));
    assert_true(l[2] == 0);
    reading_free(&r);
}

/* A file whose beads all are in one residue tells no borders of molecules. */
static void a_file_of_one_residue_is_taken_in_the_order_of_the_molecules(void **state)
{
    (void)state;
    char *const folder = folder_make();
    char *const job    = replaced(job_base, JOB_BEADS,
                                  "<coordinates file=\"a.gro\"/>\n<orientations seed=\"1\"/>\n");

    folder_write_text(folder, "job.xml", job);
    folder_write_text(folder, "a.gro",
                      "All one\n4\n    1ALL     NA    1   1.000   1.000   1.000\n"
                      "    1ALL     CL    2   1.400   1.000   1.000\n"
                      "    1ALL      W    3   2.000   2.000   1.000\n"
                      "    1ALL      W    4   2.000   1.000   2.000\n3.0 3.0 3.0\n");
    JobReading r = read_job_file(folder, "job.xml");
    assert_non_null(r.job);
    assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_WARNING), 0);
    assert_true(is_near(r.job->system.position_nm[3][2], 2, 1e-15));
    reading_free(&r);
    free(job);
    folder_remove(folder);
}

/* A chain whose restraint, with its third bead, looks like its angle. */
#define CHAIN                                                                                      \
    "<bead id=\"3\" type=\"dip\" name=\"D\"/>\n"                                                   \
    "<bond beads=\"2 3\" potential=\"harmonic\" k=\"1 kJ/mol/nm^2\" length=\"0.4 nm\"/>\n"         \
    "<angle beads=\"1 2 3\" potential=\"cosine-squared\" k=\"1 kJ/mol\" angle=\"120 deg\"/>\n"     \
    "<orientation beads=\"3 2\" potential=\"dipole-restraint\" k=\"5 kJ/mol\"/>\n"

static void a_restraint_is_found_in_the_data_that_amphi_writes(void **state)
{
    (void)state;
    char *const folder = folder_make();
    char *const chain  = replaced(job_base, "<bond beads=\"1 2\"", CHAIN "<bond beads=\"1 2\"");
    char *const first  = replaced(chain, "cl  1  1.4 1 1  1 0 0 0\n",
                                  "cl  1  1.4 1 1  1 0 0 0\ndip 1  1.6 1.3 1  0 1 0 0\n");
    char *const second = replaced(chain, JOB_BEADS, "<coordinates file=\"a.data\"/>\n");
    JobReading  r      = read_job_text(first);

    assert_non_null(r.job);
    AmphiArena *const          arena = amphi_arena_new();
    const AmphiSnapshot *const s     = amphi_snapshot_of_system(&r.job->system, arena);
    assert_int_equal(
        amphi_format_find("lammps-data")->write(folder_path(folder, "a.data"), s, NULL), AMPHI_OK);
    folder_write_text(folder, "job.xml", second);
    JobReading again = read_job_file(folder, "job.xml");
    if (again.job == NULL)
        amphi_notes_print(again.notes, stdout, false);
    assert_non_null(again.job);
    assert_true(is_near(again.job->system.orientation[2][1], 1, 1e-15));
    amphi_arena_free(arena);
    reading_free(&r);
    reading_free(&again);
    free(chain);
    free(first);
    free(second);
    folder_remove(folder);
}

/* The way from body z to its opposite is where formulas lose digits. */
static void dipoles_near_the_pole_keep_their_direction(void **state)
{
    (void)state;
    static const char *const dipoles[] = {
        "3 4 0",           "3 4 -1e-9",          "3e-5 -4e-5 -0.5",
        "3e-9 -4e-9 -0.5", "3e-200 4e-200 -0.5", "0 0 -1e-9"
    };

    for (size_t k = 0; k < sizeof dipoles / sizeof *dipoles; k++) {
        JobReading          r = read_data_with(dipoles[k], "file", "");
        const double *const q = r.job->system.orientation[3];
        double              p[3], u[3], length;

        assert_int_equal(sscanf(dipoles[k], "%lf %lf %lf", &p[0], &p[1], &p[2]), 3);
        length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        amphi_axis_of(q, u);
        for (int a = 0; a < 3; a++)
            assert_true(is_near(u[a], p[a] / length, 1e-15));
        assert_true(is_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-15));
        reading_free(&r);
    }
}

static void velocities_that_are_drawn_replace_those_of_a_file(void **state)
{
    (void)state;
    JobReading r = read_data("file", "<velocities temperature=\"0 K\" seed=\"1\"/>\n");

    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            assert_true(r.job->system.velocity_nm_ps[i][k] == 0 &&
                        r.job->system.spin_u_nm2_ps[i][k] == 0);
    reading_free(&r);
}

/* The number of warnings of orientations that were drawn, from such a GRO file and a plan. */
static int64_t n_heated(const char *more, const char *plan)
{
    char *const folder = folder_make();
    char *const start  = replaced(job_base, JOB_BEADS, more);
    char *const job    = replaced(start, "</amphi>\n", plan);
    int64_t     n = 0, n_found = 0;

    folder_write_text(folder, "job.xml", job);
    folder_write_text(folder, "a.gro",
                      "A\n4\n    1salt    NA    1   1.000   1.000   1.000\n"
                      "    1salt    CL    2   1.400   1.000   1.000\n"
                      "    2water    W    3   2.000   2.000   1.000\n"
                      "    3water    W    4   2.000   1.000   2.000\n3.0 3.0 3.0\n");
    JobReading             r    = read_job_file(folder, "job.xml");
    const AmphiNote *const note = amphi_notes_sorted(r.notes, &n);

    assert_non_null(r.job);
    for (int64_t k = 0; k < n; k++)
        n_found += note[k].id == AMPHI_MSG_DRAWN_AND_RUN;
    reading_free(&r);
    free(start);
    free(job);
    folder_remove(folder);
    return n_found;
}

#define DRAWN     "<coordinates file=\"a.gro\"/>\n<orientations seed=\"1\"/>\n"
#define GO        "<run name=\"a\" ensemble=\"nve\" length=\"1 ps\"/>"
#define PLAN(how) "<plan timestep=\"1 fs\">" how "</plan>\n<output/>\n</amphi>\n"

static void orientations_that_are_drawn_want_a_minimisation_first(void **state)
{
    (void)state;
    assert_int_equal(n_heated(DRAWN, PLAN(GO)), 1);
    assert_int_equal(n_heated(DRAWN, PLAN(GO "<minimise name=\"m\"/>")), 1);
    assert_int_equal(n_heated(DRAWN, PLAN("<minimise name=\"m\"/>" GO)), 0);
    assert_int_equal(n_heated(JOB_BEADS, PLAN(GO)), 0);
    assert_int_equal(n_heated(DRAWN, "</amphi>\n"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strengths_come_from_the_file_or_the_force_field),
        cmocka_unit_test(dipoles_of_a_file_turn_their_beads),
        cmocka_unit_test(beads_without_a_dipole_are_drawn_and_no_others),
        cmocka_unit_test(a_file_of_one_residue_is_taken_in_the_order_of_the_molecules),
        cmocka_unit_test(a_restraint_is_found_in_the_data_that_amphi_writes),
        cmocka_unit_test(dipoles_near_the_pole_keep_their_direction),
        cmocka_unit_test(velocities_that_are_drawn_replace_those_of_a_file),
        cmocka_unit_test(orientations_that_are_drawn_want_a_minimisation_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
