/* Starts: inline beads, files, strengths of either source, random orientations and velocities. The
 * builder's own starts are in test_build.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/build_space.h"
#include "../../engine/formats/snapshot.h"
#include "../../engine/units.h"
#include "job_folder.h"

static bool is_near(double a, double b, double bound)
{
    return fabs(a - b) <= bound;
}

static JobReading read_changed(const char *from, const char *to)
{
    char *const job = replaced(job_base, from, to);
    JobReading  r   = read_job_text(job);

    free(job);
    if (r.job == NULL)
        amphi_notes_print(r.notes, stdout, false);
    assert_non_null(r.job);
    return r;
}

/* ---- inline beads ---- */

static void inline_beads_come_in_the_units_of_their_element(void **state)
{
    (void)state;
    JobReading r = read_changed(JOB_BEADS, "<beads length=\"A\" charge=\"e\" dipole=\"D\">\n"
                                           "ion 1  10 10 10  2 0 0 0   0.5 0\n"
                                           "\n  <!-- nothing -->\n"
                                           "cl  1  14 10 10  1 0 0 0  -0.5\n"
                                           "dip 2  20 20 10  1 1 1 1   0 3\n"
                                           "dip 3  20 10 20  0 0 -3 4\n"
                                           "</beads>\n");
    const AmphiSystem *const s = &r.job->system;

    assert_int_equal(r.job->start, AMPHI_START_BEADS);
    assert_true(is_near(s->position_nm[1][0], 1.4, 1e-15));
    assert_true(s->orientation[0][0] == 1 && s->orientation[2][3] == 0.5);
    assert_true(is_near(s->orientation[3][2], -0.6, 1e-15));
    assert_true(is_near(s->orientation[3][3], 0.8, 1e-15));
    assert_true(s->bead_charge_e[0] == 0.5 && s->bead_charge_e[1] == -0.5);
    assert_true(s->bead_dipole_e_nm[0] == 0);
    assert_true(is_near(s->bead_dipole_e_nm[2], 3 * AMPHI_DEBYE, 1e-15));
    assert_true(is_near(s->bead_dipole_e_nm[3], 2 * AMPHI_DEBYE, 1e-15)); /* the type's */
    assert_true(s->velocity_nm_ps[0][0] == 0 && s->spin_u_nm2_ps[2][0] == 0);
    assert_true(s->box_nm[0] == 3 && s->box_nm[2] == 3);
    reading_free(&r);
}

static void a_title_and_the_files_are_kept(void **state)
{
    (void)state;
    JobReading r =
        read_changed("<forcefield>\n", "<forcefield>\n<include href=\"forcefield:ssd\"/>\n");

    assert_string_equal(r.job->system.title, "A test");
    assert_int_equal(r.job->n_files, 2);
    assert_string_equal(r.job->file[0].path, "/nowhere/job.xml");
    assert_non_null(strstr(r.job->file[1].path, "forcefield/ssd.xml"));
    assert_true(r.job->file[1].bytes > 1000);
    reading_free(&r);
}

/* ---- files ---- */

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
    assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_WARNING), 1);
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

/* ---- what is drawn ---- */

enum { MANY = 3000 };

/* A box of beads on a grid, of one type with these attributes; from a GRO file. */
static JobReading read_grid(const char *beadtype, const char *more)
{
    char *const folder = folder_make();
    char       *text   = NULL;
    size_t      n      = 0;
    FILE       *out    = open_memstream(&text, &n);
    char        job[2048];

    assert_non_null(out);
    fprintf(out, "A grid\n%d\n", MANY);
    for (int i = 0; i < MANY; i++)
        fprintf(out, "%5dB        B%5d%8.3f%8.3f%8.3f\n", i % 99999, i % 99999, 0.5 * (i % 15),
                0.5 * (i / 15 % 15), 0.5 * (i / 225));
    fprintf(out, "7.5 7.5 7.0\n");
    assert_int_equal(fclose(out), 0);
    snprintf(job, sizeof job,
             "<amphi version=\"1\"><forcefield><beadtype name=\"B\" %s/>"
             "<pair types=\"B B\" potential=\"lennard-jones\" epsilon=\"1 kJ/mol\" "
             "sigma=\"0.3 nm\"/>"
             "<moleculetype name=\"B\"><bead id=\"1\" type=\"B\"/></moleculetype></forcefield>"
             "<system><molecule type=\"B\" count=\"%d\"/><start><coordinates file=\"a.gro\"/>%s"
             "</start></system><interactions><cutoff distance=\"1 nm\"/>"
             "<treatment of=\"lennard-jones\" type=\"force-shift\"/></interactions></amphi>",
             beadtype, MANY, more);
    folder_write_text(folder, "a.gro", text);
    folder_write_text(folder, "job.xml", job);
    JobReading r = read_job_file(folder, "job.xml");
    if (r.job == NULL)
        amphi_notes_print(r.notes, stdout, false);
    assert_non_null(r.job);
    free(text);
    folder_remove(folder);
    return r;
}

/* Four standard errors: one draw in 16000 lies outside, and the seed is fixed. */
static const double errors = 4;

/* Kinetic energies of n normal degrees of freedom have a relative standard error sqrt(2/n). */
static bool is_temperature(double measured_K, double wanted_K, double n)
{
    return is_near(measured_K, wanted_K, errors * wanted_K * sqrt(2 / n));
}

typedef struct {
    double translation_K, rotation_K, momentum[3];
} Motion;

static Motion measure(const AmphiSystem *s)
{
    Motion  m = { 0 };
    int64_t freedom[2];

    amphi_system_freedom(s, freedom);
    for (int32_t i = 0; i < s->n_beads; i++) {
        const AmphiBeadType *const type = &s->type[s->bead_type[i]];

        for (int k = 0; k < 3; k++) {
            const double v = s->velocity_nm_ps[i][k], l = s->spin_u_nm2_ps[i][k];

            m.momentum[k] += type->mass_u * v;
            m.translation_K += type->mass_u * v * v;
            if (type->inertia_u_nm2[k] > 0)
                m.rotation_K += l * l / type->inertia_u_nm2[k];
            else
                assert_true(l == 0);
        }
    }
    m.translation_K /= (double)(freedom[0] - 3) * AMPHI_BOLTZMANN;
    m.rotation_K /= freedom[1] > 0 ? (double)freedom[1] * AMPHI_BOLTZMANN : 1;
    return m;
}

static void velocities_have_their_temperature_and_no_momentum(void **state)
{
    (void)state;
    static const struct {
        const char *beadtype;
        int         n_rotations;
    } rows[] = {
        { "mass=\"40 u\"", 0 },
        { "mass=\"2 u\" inertia=\"0.3 u*nm^2\"", 2 },
        { "mass=\"90 u\" inertia=\"5 u*nm^2\" rotor=\"top\"", 3 },
        { "mass=\"18 u\" moments=\"0.01 2 30 u*nm^2\"", 3 },
    };

    assert_false(is_temperature(280, 300, 3 * MANY)); /* 4 errors are 18 K */
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        JobReading   r = read_grid(rows[k].beadtype, k == 0 ? "<velocities temperature=\"300 K\" "
                                                              "seed=\"5\"/>"
                                                            : "<orientations seed=\"2\"/>"
                                                              "<velocities temperature=\"300 K\" "
                                                              "seed=\"5\"/>");
        const Motion m = measure(&r.job->system);
        int64_t      freedom[2];

        amphi_system_freedom(&r.job->system, freedom);
        assert_int_equal(freedom[0], 3 * MANY);
        assert_int_equal(freedom[1], rows[k].n_rotations * MANY);
        assert_true(is_temperature(m.translation_K, 300, 3 * MANY));
        assert_true(freedom[1] == 0 || is_temperature(m.rotation_K, 300, (double)freedom[1]));
        for (int a = 0; a < 3; a++) /* sums of 3000 numbers of about 30: rounding */
            assert_true(is_near(m.momentum[a], 0, 1e-9));
        reading_free(&r);
    }
}

/* Each component is normal: its fourth moment is three times the square of its second. */
static void velocities_are_normal_and_independent(void **state)
{
    (void)state;
    static const char        drawn[] = "<orientations seed=\"2\"/>"
                                       "<velocities temperature=\"300 K\" seed=\"9\"/>";
    JobReading               r       = read_grid("mass=\"40 u\" inertia=\"0.3 u*nm^2\"", drawn);
    const AmphiSystem *const s       = &r.job->system;
    const double             kT      = 300 * AMPHI_BOLTZMANN;
    double                   fourth = 0, cross[3] = { 0 }, with_spin = 0;

    for (int32_t i = 0; i < MANY; i++) {
        const double *const v = s->velocity_nm_ps[i], x = v[0] / sqrt(kT / 40);

        fourth += x * x * x * x / MANY;
        for (int k = 0; k < 3; k++)
            cross[k] += v[k] * v[(k + 1) % 3] / (kT / 40) / MANY;
        with_spin += v[0] * s->spin_u_nm2_ps[i][0] / sqrt(kT / 40 * kT * 0.3) / MANY;
    }
    assert_true(is_near(fourth, 3, errors * sqrt(96.0 / MANY))); /* var x^4 = 105 - 9 */
    for (int k = 0; k < 3; k++)
        assert_true(is_near(cross[k], 0, errors * sqrt(1.0 / MANY)));
    assert_true(is_near(with_spin, 0, errors * sqrt(1.0 / MANY)));
    reading_free(&r);
}

static void orientations_are_uniform(void **state)
{
    (void)state;
    JobReading r = read_grid("mass=\"40 u\" inertia=\"0.3 u*nm^2\"", "<orientations seed=\"2\"/>");
    const AmphiSystem *const s        = &r.job->system;
    double                   first[3] = { 0 }, second[3] = { 0 }, squares[4] = { 0 };

    for (int32_t i = 0; i < MANY; i++) {
        double u[3], length = 0;

        amphi_axis_of(s->orientation[i], u);
        for (int k = 0; k < 3; k++) {
            first[k] += u[k] / MANY;
            second[k] += u[k] * u[k] / MANY;
        }
        for (int k = 0; k < 4; k++) {
            length += s->orientation[i][k] * s->orientation[i][k];
            squares[k] += s->orientation[i][k] * s->orientation[i][k] / MANY;
        }
        assert_true(is_near(length, 1, 1e-14));
    }
    /* of a uniform axis: mean 0, variance 1/3; of its squares mean 1/3, variance 4/45; of the
     * squares of a uniform quaternion mean 1/4, variance 1/16 */
    for (int k = 0; k < 3; k++) {
        assert_true(is_near(first[k], 0, errors * sqrt(1.0 / 3 / MANY)));
        assert_true(is_near(second[k], 1.0 / 3, errors * sqrt(4.0 / 45 / MANY)));
    }
    for (int k = 0; k < 4; k++)
        assert_true(is_near(squares[k], 0.25, errors * sqrt(1.0 / 16 / MANY)));
    reading_free(&r);
}

static void the_same_seed_draws_the_same_and_another_does_not(void **state)
{
    (void)state;
    static const char *const starts[] = {
        "<orientations seed=\"2\"/><velocities temperature=\"300 K\" seed=\"9\"/>",
        "<orientations seed=\"2\"/><velocities temperature=\"300 K\" seed=\"9\"/>",
        "<orientations seed=\"3\"/><velocities temperature=\"300 K\" seed=\"10\"/>",
    };
    JobReading r[3];

    for (int k = 0; k < 3; k++)
        r[k] = read_grid("mass=\"40 u\" inertia=\"0.3 u*nm^2\"", starts[k]);
    const AmphiSystem *const a = &r[0].job->system, *const b = &r[1].job->system,
                             *const c = &r[2].job->system;
    assert_memory_equal(a->velocity_nm_ps, b->velocity_nm_ps, MANY * sizeof(double[3]));
    assert_memory_equal(a->spin_u_nm2_ps, b->spin_u_nm2_ps, MANY * sizeof(double[3]));
    assert_memory_equal(a->orientation, b->orientation, MANY * sizeof(double[4]));
    assert_true(a->velocity_nm_ps[7][0] != c->velocity_nm_ps[7][0]);
    assert_true(a->orientation[7][0] != c->orientation[7][0]);
    for (int k = 0; k < 3; k++)
        reading_free(&r[k]);
}

/* One bead keeps what it drew: without it there would be no motion at all. */
static void a_single_bead_keeps_its_velocity(void **state)
{
    (void)state;
    char *const one = replaced(job_base, JOB_MOLECULES, "<molecule type=\"water\" count=\"1\"/>\n");
    char *const two = replaced(one, JOB_BEADS,
                               "<beads length=\"nm\">\ndip 1 1 1 1 1 0 0 0\n"
                               "</beads><velocities temperature=\"300 K\" "
                               "seed=\"1\"/>\n");
    char *const job = replaced(two, "<group name=\"ions\" select=\"bead ion cl\"/>",
                               "<group name=\"ions\" select=\"bead dip\"/>");
    JobReading  r   = read_job_text(job);

    assert_non_null(r.job);
    assert_true(r.job->system.velocity_nm_ps[0][0] != 0);
    reading_free(&r);
    free(one);
    free(two);
    free(job);
}

/* ---- compositions ---- */

static void a_fill_takes_two_of_box_count_and_density(void **state)
{
    (void)state;
    static const struct {
        const char *box, *fill;
        int32_t     n;
        double      edge_nm;
    } rows[] = {
        /* 20 u each: 1 u/nm^3 in 64 nm^3 are 3.2 of them, so 3 */
        { "<box x=\"4 nm\" y=\"4 nm\" z=\"4 nm\"/>\n", "density=\"1 u/nm^3\"", 3, 4 },
        { "<box x=\"4 nm\" y=\"4 nm\" z=\"4 nm\"/>\n", "count=\"7\"", 7, 4 },
        { "", "count=\"54\" density=\"40 u/nm^3\"", 54, 3 },
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char start[256];

        snprintf(start, sizeof start, "%s<start>\n<fill type=\"water\" %s/>\n", rows[k].box,
                 rows[k].fill);
        char *const one = replaced(job_base, JOB_BOX JOB_MOLECULES "<start>\n" JOB_BEADS, start);
        char *const job = replaced(one, "select=\"bead ion cl\"", "select=\"bead dip\"");
        JobReading  r   = read_job_text(job);
        if (r.job == NULL)
            amphi_notes_print(r.notes, stdout, false);
        assert_non_null(r.job);
        assert_int_equal(r.job->start, AMPHI_START_FILL);
        assert_int_equal(r.job->system.n_beads, rows[k].n);
        assert_true(is_near(r.job->system.box_nm[1], rows[k].edge_nm, 1e-12));
        reading_free(&r);
        free(one);
        free(job);
    }
}

/* A small membrane of ELBA's lipids. */
static JobReading read_bilayer(const char *attributes)
{
    char job[1024];

    snprintf(job, sizeof job,
             "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield>\n"
             "<system><start><bilayer %s>\n"
             "<leaflet side=\"upper\"><lipid type=\"DMPC\" count=\"9\"/></leaflet>\n"
             "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"8\"/></leaflet></bilayer>\n"
             "</start></system></amphi>\n",
             attributes);
    JobReading r = read_job_text(job);
    if (r.job == NULL)
        amphi_notes_print(r.notes, stdout, false);
    assert_non_null(r.job);
    return r;
}

static int32_t count_molecules(const AmphiSystem *s, const char *name)
{
    int32_t n = 0;

    for (int32_t k = 0; k < s->n_molecules; k++)
        n += strcmp(s->molecule_type[s->molecule[k].type].name, name) == 0;
    return n;
}

static void the_water_of_a_bilayer_is_told_by_lipid_or_by_thickness(void **state)
{
    (void)state;
    JobReading r = read_bilayer("water-per-lipid=\"3\"");

    assert_int_equal(r.job->start, AMPHI_START_BILAYER);
    assert_int_equal(count_molecules(&r.job->system, "DMPC"), 17);
    assert_int_equal(count_molecules(&r.job->system, "water"), 51);
    assert_true(is_near(r.job->system.box_nm[0], sqrt(9 * 0.65), 1e-12));
    reading_free(&r);
    /* 5.85 nm^2 of 0.8 nm, and 0.03 nm^3 for a bead of contact below 0.35 nm */
    r = read_bilayer("water-thickness=\"0.8 nm\"");
    assert_int_equal(count_molecules(&r.job->system, "water"), 156);
    assert_non_null(r.job->system.pair_rule);
    reading_free(&r);
}

/* A dry one needs no water among its molecule types. */
static void a_bilayer_may_be_dry(void **state)
{
    (void)state;
    JobReading r = read_bilayer("water-per-lipid=\"0\"");

    assert_int_equal(count_molecules(&r.job->system, "water"), 0);
    assert_int_equal(r.job->system.n_types, 5);
    reading_free(&r);
    r = read_bilayer("water-thickness=\"0 nm\"");
    assert_int_equal(count_molecules(&r.job->system, "water"), 0);
    reading_free(&r);
}

/* The types that nothing uses are left behind, with their pairs. */
static void only_types_in_use_become_the_systems(void **state)
{
    (void)state;
    JobReading r =
        read_changed("<forcefield>\n", "<forcefield>\n<include href=\"forcefield:ssd\"/>\n");

    assert_int_equal(r.job->system.n_types, 3);
    assert_int_equal(r.job->system.n_molecule_types, 2);
    assert_string_equal(r.job->system.molecule_type[0].name, "salt");
    reading_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inline_beads_come_in_the_units_of_their_element),
        cmocka_unit_test(a_title_and_the_files_are_kept),
        cmocka_unit_test(strengths_come_from_the_file_or_the_force_field),
        cmocka_unit_test(dipoles_of_a_file_turn_their_beads),
        cmocka_unit_test(beads_without_a_dipole_are_drawn_and_no_others),
        cmocka_unit_test(a_file_of_one_residue_is_taken_in_the_order_of_the_molecules),
        cmocka_unit_test(a_restraint_is_found_in_the_data_that_amphi_writes),
        cmocka_unit_test(dipoles_near_the_pole_keep_their_direction),
        cmocka_unit_test(velocities_that_are_drawn_replace_those_of_a_file),
        cmocka_unit_test(velocities_have_their_temperature_and_no_momentum),
        cmocka_unit_test(velocities_are_normal_and_independent),
        cmocka_unit_test(orientations_are_uniform),
        cmocka_unit_test(the_same_seed_draws_the_same_and_another_does_not),
        cmocka_unit_test(a_single_bead_keeps_its_velocity),
        cmocka_unit_test(a_fill_takes_two_of_box_count_and_density),
        cmocka_unit_test(the_water_of_a_bilayer_is_told_by_lipid_or_by_thickness),
        cmocka_unit_test(a_bilayer_may_be_dry),
        cmocka_unit_test(only_types_in_use_become_the_systems),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
