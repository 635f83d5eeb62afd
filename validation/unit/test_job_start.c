/* Starts: inline beads, random orientations and velocities, compositions. Those from files are in
 * test_job_start_file.c, the builder's own in test_build.c.
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
#include "../property/draw.h"
#include "job_folder.h"

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
