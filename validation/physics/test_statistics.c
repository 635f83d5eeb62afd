/* The laws of laws.h in seconds: small fluids of dipoles, linear and top, and wells whose frequency
 * is known, in double, single and fixed precision. Seeds are fixed. What a wrong program would show
 * stands beside each check, made from the same samples.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../property/draw.h"
#include "../unit/job_folder.h"
#include "laws.h"
#include "sampling.h"

/* Dipolar spheres at T* = 2.2 and 0.4 per sigma^3, hotter than where they would boil, and so strong
 * that turning and moving share their energy within picoseconds. */
static const char forcefield[] =
    "<amphi version=\"1\"><forcefield>"
    "<beadtype name=\"rotor\" mass=\"40 u\" dipole=\"2 D\" inertia=\"0.1 u*nm^2\"/>"
    "<beadtype name=\"top\" mass=\"60 u\" dipole=\"2 D\" moments=\"0.2 0.1 0.15 u*nm^2\"/>"
    "<pair types=\"rotor rotor\" potential=\"lennard-jones\" epsilon=\"2.3 kJ/mol\" sigma=\"0.3 "
    "nm\"/>"
    "<pair types=\"top top\" potential=\"lennard-jones\" epsilon=\"2.3 kJ/mol\" sigma=\"0.3 nm\"/>"
    "<mixing potential=\"lennard-jones\" rule=\"lorentz-berthelot\"/>"
    "<moleculetype name=\"rotor\"><bead id=\"1\" type=\"rotor\"/></moleculetype>"
    "<moleculetype name=\"top\"><bead id=\"1\" type=\"top\"/></moleculetype>"
    "</forcefield>";

static const char treatment[] =
    "<interactions><cutoff distance=\"0.75 nm\"/>"
    "<treatment of=\"lennard-jones\" type=\"force-shift\"/>"
    "<treatment of=\"dipoles\" type=\"shifted-factors\"/></interactions>";

#define BOX(edge) "<system><box x=\"" edge "\" y=\"" edge "\" z=\"" edge "\"/>"
#define FILL(rotors, tops, temperature)                                                            \
    "<start><fill seed=\"3\"><part type=\"rotor\" count=\"" rotors "\"/>"                          \
    "<part type=\"top\" count=\"" tops "\"/></fill>"                                               \
    "<velocities temperature=\"" temperature "\" seed=\"1\"/></start></system>"

static const char fluid[] = BOX("1.6 nm") FILL("36", "24", "600 K");
static const char gas[]   = BOX("2.4 nm") FILL("24", "16", "600 K");
static const char few[]   = BOX("4 nm") FILL("10", "10", "300 K");

/* Three parts of a plan, one after the other. */
#define PLAN(first, second, third)                                                                 \
    (const char *const[3])                                                                         \
    {                                                                                              \
        first, second, third                                                                       \
    }

static const char relax[] = "<minimise name=\"relax\"/>";
static const char warm[]  = "<run name=\"warm\" ensemble=\"nvt\" length=\"10 ps\"><thermostat "
                            "temperature=\"600 K\" time=\"0.1 ps\" remove-drift=\"yes\"/></run>";

/* Wells with w dt = 1.2 for rotors and 0.98 for tops: k, without 1/2, is m w^2/2 = 40 * 240^2/2. */
static const char wells[] = "<run name=\"wells\" ensemble=\"nvt\" length=\"200 ps\"><thermostat "
                            "type=\"langevin\" temperature=\"300 K\" time=\"0.02 ps\"/>"
                            "<restrain group=\"all\" k=\"1152000 kJ/mol/nm^2\"/></run>";

/* Stages 3 and 5 count; both thermostats that promise the canonical ensemble. The second
 * one keeps what momentum the first has left, and would count it as heat. */
static const char two_temperatures[] =
    "<run name=\"a\" ensemble=\"nvt\" length=\"100 ps\">"
    "<thermostat type=\"langevin\" temperature=\"600 K\" time=\"0.2 ps\"/></run>"
    "<run name=\"rise\" ensemble=\"nvt\" length=\"10 ps\">"
    "<thermostat temperature=\"680 K\" time=\"0.1 ps\" remove-drift=\"yes\"/></run>"
    "<run name=\"b\" ensemble=\"nvt\" length=\"200 ps\">"
    "<thermostat temperature=\"680 K\" time=\"0.1 ps\" remove-drift=\"yes\"/></run>";

#define AT_PRESSURE(name, length, pressure)                                                        \
    "<run name=\"" name "\" ensemble=\"npt\" length=\"" length "\">"                               \
    "<thermostat type=\"langevin\" temperature=\"600 K\" time=\"0.2 ps\"/>"                        \
    "<barostat coupling=\"isotropic\" pressure=\"" pressure "\" time=\"0.5 ps\" "                  \
    "compressibility=\"0.005 1/bar\" every=\"2\"/></run>"

/* Stages 3 and 5 count. */
static const char two_pressures[] =
    AT_PRESSURE("swell", "20 ps", "200 bar") AT_PRESSURE("a", "250 ps", "200 bar")
        AT_PRESSURE("press", "20 ps", "270 bar") AT_PRESSURE("b", "250 ps", "270 bar");

static const char free_motion[]  = "<run name=\"free\" ensemble=\"nve\" length=\"250 ps\"/>";
static const char free_shortly[] = "<run name=\"free\" ensemble=\"nve\" length=\"20 ps\"/>";
static const char coarse_and_fine[] =
    "<run name=\"coarse\" ensemble=\"nve\" length=\"80 ps\" timestep=\"10 fs\"/>"
    "<run name=\"fine\" ensemble=\"nve\" length=\"80 ps\" timestep=\"5 fs\"/>";

/* In a precision that this backend has; samples without one: NULL. */
static Table *sample(const char *system, const char *const plan[3], AmphiPrecision precision,
                     int64_t every)
{
    const AmphiBackend *const backend = amphi_backend_find("cpu", precision);
    static char               text[16384];
    AmphiError                err = { .status = AMPHI_OK };

    assert_non_null(backend);
    snprintf(text, sizeof text,
             "%s%s%s<plan timestep=\"5 fs\">%s%s%s</plan><compute margin=\"0.04 nm\"/></amphi>",
             forcefield, system, treatment, plan[0], plan[1], plan[2]);
    JobReading reading = read_job_text(text);

    if (reading.job == NULL)
        amphi_notes_print(reading.notes, stderr, false);
    assert_non_null(reading.job);
    Table *const t = sample_job(reading.job, backend, every, &err);
    if (t == NULL)
        fail_msg("%s", err.text);
    reading_free(&reading);
    return t;
}

/* Hundreds of ps say nothing else to sanitizers, which take ten times as long, than the tens of the
 * others. */
static void skip_where_brief(void)
{
    if (getenv("BRIEF") != NULL)
        skip();
}

/* Another compiler or processor rounds otherwise and draws another of all samples there could be,
 * so that a chance of 1e-4 is left to each and not that of 3 errors, of which one build in 20 would
 * have one. */
static void check(const Finding f)
{
    printf("%s: %.5g +- %.2g, law %.5g, p %.2g, %lld samples\n", f.name, f.figure.value,
           f.figure.error, f.wanted, f.p, (long long)f.n);
    assert_true(f.is_sharp);
    assert_true(f.holds || f.p > LAW_LEAST_P);
}

/* What a wrong program would show is refused by that bound too. */
static void refuse(const Finding f)
{
    printf("refused: %s: %.5g +- %.2g, law %.5g, p %.2g, %lld samples\n", f.name, f.figure.value,
           f.figure.error, f.wanted, f.p, (long long)f.n);
    assert_true(f.p <= LAW_LEAST_P);
}

static void scale_column(const Table *t, const char *column, int stage, double factor)
{
    const int32_t c = table_column(t, column);

    assert_true(c >= 0);
    for (int64_t r = 0; r < t->n_rows; r++)
        if ((int)t->cell[r * t->n_columns] == stage)
            t->cell[r * t->n_columns + c] *= factor;
}

static const AmphiPrecision precisions[] = { AMPHI_DOUBLE, AMPHI_SINGLE, AMPHI_FIXED };

enum { N_PRECISIONS = sizeof precisions / sizeof *precisions };

/* ---- one half-step, and the mean of two ---- */

/* w dt = 1.2 and 0.98, where K+ is still exact: with x of the exact width and friction only within
 * the drift, the half-step velocity has the temperature to all orders of dt. The mean of two
 * half-steps has (1 - a)^2 + a^2 = 0.54 and 0.64 of the variance, a = (w dt)^2/4. */
static void one_half_step_has_the_gamma_law_and_the_mean_of_two_has_not(void **state)
{
    (void)state;
    Table *const t = sample(few, PLAN(wells, "", ""), AMPHI_DOUBLE, 4);

    check(law_kinetic(t, 1, "translation", "_plus"));
    check(law_kinetic(t, 1, "rotation", "_plus"));
    refuse(law_kinetic(t, 1, "translation", "_half"));
    scale_column(t, "kT", 1, 0.9);
    refuse(law_kinetic(t, 1, "translation", "_plus"));
    table_free(t);
}

/* ---- thermostats ---- */

static void the_fluid_has_the_canonical_distributions_of_its_temperature(void **state)
{
    (void)state;
    static const int32_t stages[2] = { 3, 5 };

    skip_where_brief();
    for (int k = 0; k < N_PRECISIONS; k++) {
        Table *const t = sample(fluid, PLAN(relax, warm, two_temperatures), precisions[k], 10);

        for (int s = 0; s < 2; s++) {
            check(law_kinetic(t, stages[s], "translation", "_plus"));
            check(law_kinetic(t, stages[s], "rotation", "_plus"));
        }
        check(law_ensemble(t, stages, "potential", 0.2));
        scale_column(t, "kT", 5, 1.2);
        refuse(law_ensemble(t, stages, "potential", 0.2));
        table_free(t);
    }
}

static void the_volume_follows_the_pressure_that_is_asked_for(void **state)
{
    (void)state;
    static const int32_t stages[2] = { 3, 5 };

    skip_where_brief();
    for (int k = 0; k < N_PRECISIONS; k++) {
        Table *const t = sample(gas, PLAN(relax, two_pressures, ""), precisions[k], 10);

        check(law_ensemble(t, stages, "volume", 0.2));
        scale_column(t, "pressure", 5, 1.3);
        refuse(law_ensemble(t, stages, "volume", 0.2));
        table_free(t);
    }
}

/* ---- free motion ---- */

/* The companion: tops that are counted with the two degrees of freedom of a rotor. */
static void every_kind_of_molecule_has_the_same_temperature(void **state)
{
    (void)state;
    static const char *const part[] = { "shift_rotor", "turn_rotor", "shift_top", "turn_top" };
    static const double      most[N_PRECISIONS] = { 1e-12, 3e-6, 0 }; /* ten times what is seen */

    skip_where_brief();
    for (int k = 0; k < N_PRECISIONS; k++) {
        Table *const t = sample(fluid, PLAN(relax, warm, free_motion), precisions[k], 10);

        for (int p = 0; p < 4; p++)
            check(law_partition(t, 3, part[p], 15));
        check(law_kept(t, 3, "momentum", most[k]));
        scale_column(t, "turn_top", 3, 1.5);
        refuse(law_partition(t, 3, "turn_top", 15));
        table_free(t);
    }
}

/* By type and by the program itself: the same sums. */
static void temperatures_of_kinds_add_up_to_that_of_all(void **state)
{
    (void)state;
    Table *const  t        = sample(fluid, PLAN(free_shortly, "", ""), AMPHI_DOUBLE, 400);
    const int32_t turn[2]  = { table_column(t, "turn_rotor"), table_column(t, "turn_top") };
    const int32_t shift[2] = { table_column(t, "shift_rotor"), table_column(t, "shift_top") };
    const int32_t half[2]  = { table_column(t, "translation_half"),
                               table_column(t, "rotation_half") };
    const double  kB       = 8.31446261815324e-3;

    for (int64_t r = 0; r < t->n_rows; r++) {
        const double *const row = t->cell + r * t->n_columns;
        const double        all = 36 * 40 + 24 * 60,
                     freedom[2] = { 36 * (3 - 3 * 40 / all), 24 * (3 - 3 * 60 / all) };

        assert_true(fabs(0.5 * kB * (row[shift[0]] * freedom[0] + row[shift[1]] * freedom[1]) -
                         row[half[0]]) < 1e-6 * row[half[0]]);
        assert_true(fabs(0.5 * kB * (row[turn[0]] * 72 + row[turn[1]] * 72) - row[half[1]]) <
                    1e-6 * row[half[1]]);
    }
    table_free(t);
}

/* 12 rotors and 6 tops on a lattice of 3 x 3 x 2 in the middle of a box that they do not fill. */
static const char *make_drop(void)
{
    static char text[4096];
    uint64_t    seed = 2;
    size_t      n    = (size_t)snprintf(
                text, sizeof text,
                "%s<molecule type=\"rotor\" count=\"12\"/><molecule type=\"top\" count=\"6\"/>"
                        "<start><beads length=\"nm\">\n",
                BOX("20 nm"));

    for (int k = 0; k < 18; k++) {
        double q[4];

        draw_orientation(&seed, q);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s %d %g %g %g %.15g %.15g %.15g %.15g\n",
                              k < 12 ? "rotor" : "top", k + 1, 10 + 0.33 * (k % 3),
                              10 + 0.33 * (k / 3 % 3), 10 + 0.33 * (k / 9), q[0], q[1], q[2], q[3]);
    }
    snprintf(text + n, sizeof text - n,
             "</beads><velocities temperature=\"150 K\" seed=\"1\"/>"
             "</start></system>");
    return text;
}

/* A drop in a large box: nothing crosses a face, so that the total angular momentum is kept,
 * by the orbits and the turning of the beads together and by neither alone. Fixed precision
 * turns rotors about one space axis after the other, which moves their spin by what is left of
 * the second order. */
static void a_drop_in_space_keeps_its_angular_momentum(void **state)
{
    (void)state;
    static const double most[N_PRECISIONS] = { 1e-12, 3e-6, 5e-4 }; /* ten times what is seen */
    const char *const   drop               = make_drop();

    for (int k = 0; k < N_PRECISIONS; k++) {
        Table *const t = sample(drop, PLAN(relax, free_shortly, ""), precisions[k], 20);

        check(law_kept(t, 2, "turning", most[k]));
        assert_false(law_kept(t, 2, "orbit", 1e-3).holds);
        table_free(t);
    }
}

/* ---- the time step ---- */

static void the_energy_fluctuates_with_the_square_of_the_time_step(void **state)
{
    (void)state;
    static const int32_t stages[2] = { 3, 4 }, same[2] = { 3, 3 };
    Table *const         t = sample(fluid, PLAN(relax, warm, coarse_and_fine), AMPHI_DOUBLE, 5);

    check(law_second_order(t, stages, 3.5, 4.5));
    assert_false(law_second_order(t, same, 3.5, 4.5).holds);
    table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_half_step_has_the_gamma_law_and_the_mean_of_two_has_not),
        cmocka_unit_test(the_fluid_has_the_canonical_distributions_of_its_temperature),
        cmocka_unit_test(the_volume_follows_the_pressure_that_is_asked_for),
        cmocka_unit_test(every_kind_of_molecule_has_the_same_temperature),
        cmocka_unit_test(temperatures_of_kinds_add_up_to_that_of_all),
        cmocka_unit_test(a_drop_in_space_keeps_its_angular_momentum),
        cmocka_unit_test(the_energy_fluctuates_with_the_square_of_the_time_step),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
