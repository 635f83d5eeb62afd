/* Numbers and units: exact conversions, and each fault told from the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../engine/units.h"
#include "skipping.h"

#define PI 3.14159265358979323846

typedef struct {
    const char    *text;
    AmphiDimension dimension;
    double         expected;
} Case;

static double parsed(const char *text, AmphiDimension dimension)
{
    double value = (double)NAN;

    return amphi_units_parse(text, dimension, &value) == AMPHI_UNIT_OK ? value : (double)NAN;
}

/* How many of the cases differ by more than `bound` relative; 0 asks for the same double. */
static int differing(const Case *cases, size_t n, double bound)
{
    int wrong = 0;

    for (size_t k = 0; k < n; k++) {
        const double value = parsed(cases[k].text, cases[k].dimension);
        const double error = fabs(value - cases[k].expected);
        if (!(error <= bound * fabs(cases[k].expected))) {
            print_message("%s: %.17g, not %.17g\n", cases[k].text, value, cases[k].expected);
            wrong++;
        }
    }
    return wrong;
}

static void the_case_checker_finds_a_wrong_value(void **state)
{
    (void)state;
    const Case wrong[] = { { "20 fs", AMPHI_DIM_TIME, 0.020000000000000004 },
                           { "20 nm", AMPHI_DIM_TIME, 20 },
                           { "20 fs", AMPHI_DIM_TIME, 0.02 } };

    assert_int_equal(differing(wrong, 3, 0), 2);
}

/* Equal as doubles: decimal conversions of whole numbers round once, as the literals do. */
static const Case decimal[] = {
    { "20 fs", AMPHI_DIM_TIME, 0.02 },
    { "5 fs", AMPHI_DIM_TIME, 0.005 },
    { "3fs", AMPHI_DIM_TIME, 0.003 },
    { "50ns", AMPHI_DIM_TIME, 50000 },
    { "0.5 ns", AMPHI_DIM_TIME, 500 },
    { "2 us", AMPHI_DIM_TIME, 2e6 },
    { "5 min", AMPHI_DIM_TIME, 3e14 },
    { "1 h", AMPHI_DIM_TIME, 3.6e15 },
    { "12 A", AMPHI_DIM_LENGTH, 1.2 },
    { "7 pm", AMPHI_DIM_LENGTH, 0.007 },
    { "1 m", AMPHI_DIM_LENGTH, 1e9 },
    { "-1.5 nm", AMPHI_DIM_LENGTH, -1.5 },
    { "90 u", AMPHI_DIM_MASS, 90 },
    { "18 g/mol", AMPHI_DIM_MASS, 18 },
    { "6.0 kJ/mol", AMPHI_DIM_ENERGY, 6 },
    { "1 kcal/mol", AMPHI_DIM_ENERGY, 4.184 },
    { "1 kcal/mol", AMPHI_DIM_ENERGY, AMPHI_KCAL },
    { "1000 cal/mol", AMPHI_DIM_ENERGY, 4.184 },
    { "250 J/mol", AMPHI_DIM_ENERGY, 0.25 },
    { "-0.7 e", AMPHI_DIM_CHARGE, -0.7 },
    { "1 D", AMPHI_DIM_DIPOLE, AMPHI_DEBYE },
    { "3 e*A", AMPHI_DIM_DIPOLE, 0.3 },
    { "2 e*nm", AMPHI_DIM_DIPOLE, 2 },
    { "2 nm*e", AMPHI_DIM_DIPOLE, 2 },
    { "180 deg", AMPHI_DIM_ANGLE, PI },
    { "90 deg", AMPHI_DIM_ANGLE, PI / 2 },
    { "1 rad", AMPHI_DIM_ANGLE, 1 },
    { "303 K", AMPHI_DIM_TEMPERATURE, 303 },
    { "1 bar", AMPHI_DIM_PRESSURE, AMPHI_BAR },
    { "1 bar", AMPHI_DIM_PRESSURE, 0.0602214076 },
    { "100 kPa", AMPHI_DIM_PRESSURE, 0.0602214076 },
    { "2 kJ/mol/nm^3", AMPHI_DIM_PRESSURE, 2 },
    { "25 A^2", AMPHI_DIM_AREA, 0.25 },
    { "1250 A^3", AMPHI_DIM_VOLUME, 1.25 },
    { "1 g/cm^3", AMPHI_DIM_DENSITY, 602.214076 },
    { "1000 kg/m^3", AMPHI_DIM_DENSITY, 602.214076 },
    { "33 u/nm^3", AMPHI_DIM_DENSITY, 33 },
    { "33.4 1/nm^3", AMPHI_DIM_NUMBER_DENSITY, 33.4 },
    { "33.4 nm^-3", AMPHI_DIM_NUMBER_DENSITY, 33.4 },
    { "1 mol/dm^3", AMPHI_DIM_NUMBER_DENSITY, 0.602214076 },
    { "5 u*nm^2", AMPHI_DIM_INERTIA, 5 },
    { "5 u*A^2", AMPHI_DIM_INERTIA, 0.05 },
    { "1 kcal/mol/A^2", AMPHI_DIM_ENERGY_PER_AREA, 418.4 },
    { "630 kJ/mol/nm^2", AMPHI_DIM_ENERGY_PER_AREA, 630 },
    { "1 kJ/mol/rad^2", AMPHI_DIM_ENERGY_PER_ANGLE2, 1 },
    { "138.935457644 kJ*nm/mol/e^2", AMPHI_DIM_COULOMB, AMPHI_COULOMB },
    { "2 1/mol*kJ*nm/e^2", AMPHI_DIM_COULOMB, 2 },
    { "100", AMPHI_DIM_NUMBER, 100 },
    { "1e3", AMPHI_DIM_WHOLE, 1000 },
    { " \t0.25\n", AMPHI_DIM_NUMBER, 0.25 },
    { "  20   fs ", AMPHI_DIM_TIME, 0.02 },
    { "0x1.8p1 nm", AMPHI_DIM_LENGTH, 3 },
    { ".5 nm", AMPHI_DIM_LENGTH, 0.5 },
    { "yes", AMPHI_DIM_FLAG, 1 },
    { " no ", AMPHI_DIM_FLAG, 0 },
    { "true", AMPHI_DIM_FLAG, 1 },
    { "false", AMPHI_DIM_FLAG, 0 },
};

static void decimal_units_give_the_double_of_the_literal(void **state)
{
    (void)state;
    assert_int_equal(differing(decimal, sizeof decimal / sizeof *decimal, 0), 0);
}

static void units_of_plans_are_converted(void **state)
{
    (void)state;
    static const Case cases[] = {
        { "100 kJ/mol/nm", AMPHI_DIM_FORCE, 100 },   { "1 kcal/mol/A", AMPHI_DIM_FORCE, 41.84 },
        { "1e-3 kT/ns/dof", AMPHI_DIM_DRIFT, 1e-6 }, { "2 kT/ps/dof", AMPHI_DIM_DRIFT, 2 },
        { "5 min", AMPHI_DIM_WALL_TIME, 3e14 },
    };
    static const Case twelve_digits[] = {
        { "4.6e-5 1/bar", AMPHI_DIM_COMPRESSIBILITY, 4.6e-5 / AMPHI_BAR },
        { "1 nm^3*mol/kJ", AMPHI_DIM_COMPRESSIBILITY, 1 },
    };

    assert_int_equal(differing(cases, sizeof cases / sizeof *cases, 0), 0);
    assert_int_equal(differing(twelve_digits, sizeof twelve_digits / sizeof *twelve_digits, 1e-12),
                     0);
}

static void an_interval_is_a_number_of_steps_or_a_quantity(void **state)
{
    (void)state;
    double value = -1, steps = -1;

    assert_int_equal(amphi_units_interval("100 steps", AMPHI_DIM_TIME, &value, &steps),
                     AMPHI_UNIT_OK);
    assert_true(value == 0 && steps == 100);
    assert_int_equal(amphi_units_interval(" 1step ", AMPHI_DIM_TIME, &value, &steps),
                     AMPHI_UNIT_OK);
    assert_true(value == 0 && steps == 1);
    assert_int_equal(amphi_units_interval("2 ns", AMPHI_DIM_TIME, &value, &steps), AMPHI_UNIT_OK);
    assert_true(value == 2000 && steps == 0);
    assert_int_equal(amphi_units_interval("2 nm", AMPHI_DIM_TIME, &value, &steps),
                     AMPHI_UNIT_WRONG);
    assert_int_equal(amphi_units_interval("2", AMPHI_DIM_TIME, &value, &steps), AMPHI_UNIT_MISSING);
    assert_int_equal(amphi_units_interval("9 ps", AMPHI_DIM_WALL_TIME, &value, &steps),
                     AMPHI_UNIT_WRONG);
    assert_int_equal(amphi_units_interval("9 min ", AMPHI_DIM_WALL_TIME, &value, &steps),
                     AMPHI_UNIT_OK);
    assert_true(value == 54e13);
    assert_int_equal(amphi_units_interval("steps", AMPHI_DIM_TIME, &value, &steps),
                     AMPHI_UNIT_NOT_A_NUMBER);
}

/* CODATA 2018 values as others print them; the bounds are half a unit of their last digit. */
static void conversions_agree_with_published_constants(void **state)
{
    (void)state;
    static const Case twelve_digits[] = {
        { "16.6053906717 bar", AMPHI_DIM_PRESSURE, 1 },
        { "1.66053906717 MPa", AMPHI_DIM_PRESSURE, 1 },
        { "1.66053906717 mN/m", AMPHI_DIM_ENERGY_PER_AREA, 1 },
        { "1.66053906717 dyn/cm", AMPHI_DIM_ENERGY_PER_AREA, 1 },
        { "1 atm", AMPHI_DIM_PRESSURE, AMPHI_BAR * AMPHI_ATM },
        { "1.66053906717e-3 g/cm^3", AMPHI_DIM_DENSITY, 1 },
        { "1 u/A^3", AMPHI_DIM_DENSITY, 1000 },
        { "1 kcal/mol/rad^2", AMPHI_DIM_ENERGY_PER_ANGLE2, 4.184 },
        { "1 kJ/mol/deg^2", AMPHI_DIM_ENERGY_PER_ANGLE2, 3282.80635001174 },
        { "1 kcal*A/mol/e^2", AMPHI_DIM_COULOMB, 0.4184 },
    };
    static const Case nine_digits[] = {
        { "332.06371 kcal*A/mol/e^2", AMPHI_DIM_COULOMB, 138.935456264 },
        { "1 eV", AMPHI_DIM_ENERGY, 96.4853321 },
    };

    assert_int_equal(differing(twelve_digits, sizeof twelve_digits / sizeof(Case), 5e-12), 0);
    assert_int_equal(differing(nine_digits, sizeof nine_digits / sizeof(Case), 5e-9), 0);
}

static void faults_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char    *text;
        AmphiDimension dimension;
        AmphiUnitFault fault;
    } cases[] = {
        { "", AMPHI_DIM_LENGTH, AMPHI_UNIT_NOT_A_NUMBER },
        { "  ", AMPHI_DIM_LENGTH, AMPHI_UNIT_NOT_A_NUMBER },
        { "nm", AMPHI_DIM_LENGTH, AMPHI_UNIT_NOT_A_NUMBER },
        { "- 2 nm", AMPHI_DIM_LENGTH, AMPHI_UNIT_NOT_A_NUMBER },
        { "nan nm", AMPHI_DIM_LENGTH, AMPHI_UNIT_NOT_A_NUMBER },
        { "-inf nm", AMPHI_DIM_LENGTH, AMPHI_UNIT_NOT_A_NUMBER },
        { "1e999 nm", AMPHI_DIM_LENGTH, AMPHI_UNIT_NOT_A_NUMBER },
        { "1e308 s", AMPHI_DIM_TIME, AMPHI_UNIT_NOT_A_NUMBER },
        { "1,5 nm", AMPHI_DIM_LENGTH, AMPHI_UNIT_NOT_A_NUMBER },
        { "1.5.2 nm", AMPHI_DIM_LENGTH, AMPHI_UNIT_NOT_A_NUMBER },
        { "1.5.2", AMPHI_DIM_NUMBER, AMPHI_UNIT_NOT_A_NUMBER },
        { "12 of", AMPHI_DIM_NUMBER, AMPHI_UNIT_NOT_A_NUMBER },
        { "maybe", AMPHI_DIM_FLAG, AMPHI_UNIT_NOT_A_NUMBER },
        { "1", AMPHI_DIM_FLAG, AMPHI_UNIT_NOT_A_NUMBER },
        { "2", AMPHI_DIM_TIME, AMPHI_UNIT_MISSING },
        { "0.4 nm*kT", AMPHI_DIM_LENGTH, AMPHI_UNIT_WRONG },
        { "1e-3 kT/ns", AMPHI_DIM_DRIFT, AMPHI_UNIT_WRONG },
        { "1e-3 1/ns", AMPHI_DIM_DRIFT, AMPHI_UNIT_WRONG },
        { "2 ", AMPHI_DIM_TIME, AMPHI_UNIT_MISSING },
        { "2 parsec", AMPHI_DIM_LENGTH, AMPHI_UNIT_UNKNOWN },
        { "2 NM", AMPHI_DIM_LENGTH, AMPHI_UNIT_UNKNOWN },
        { "2 kJ/mol/", AMPHI_DIM_ENERGY, AMPHI_UNIT_UNKNOWN },
        { "2 kJ//mol", AMPHI_DIM_ENERGY, AMPHI_UNIT_UNKNOWN },
        { "2 kJ / mol", AMPHI_DIM_ENERGY, AMPHI_UNIT_UNKNOWN },
        { "2 nm^", AMPHI_DIM_LENGTH, AMPHI_UNIT_UNKNOWN },
        { "2 nm^0", AMPHI_DIM_LENGTH, AMPHI_UNIT_UNKNOWN },
        { "2 nm^10", AMPHI_DIM_AREA, AMPHI_UNIT_UNKNOWN },
        { "2 1/", AMPHI_DIM_NUMBER_DENSITY, AMPHI_UNIT_UNKNOWN },
        { "2 nm 3", AMPHI_DIM_LENGTH, AMPHI_UNIT_UNKNOWN },
        { "2 nm*nm*nm*nm*nm*nm*nm/nm/nm/nm/nm/nm/nm", AMPHI_DIM_LENGTH, AMPHI_UNIT_UNKNOWN },
        { "2 ps", AMPHI_DIM_LENGTH, AMPHI_UNIT_WRONG },
        { "2 nm^2", AMPHI_DIM_LENGTH, AMPHI_UNIT_WRONG },
        { "6 kJ", AMPHI_DIM_ENERGY, AMPHI_UNIT_WRONG },
        { "90 g", AMPHI_DIM_MASS, AMPHI_UNIT_WRONG },
        { "6 kJ/mol", AMPHI_DIM_ENERGY_PER_ANGLE2, AMPHI_UNIT_WRONG },
        { "2 nm", AMPHI_DIM_NUMBER, AMPHI_UNIT_NOT_WANTED },
        { "2 nm", AMPHI_DIM_WHOLE, AMPHI_UNIT_NOT_WANTED },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double value = 77;
        if (amphi_units_parse(cases[k].text, cases[k].dimension, &value) != cases[k].fault)
            fail_msg("\"%s\" is another fault than %d", cases[k].text, cases[k].fault);
        assert_true(value == 77);
    }
}

static void units_of_other_programs_are_understood_to_be_told(void **state)
{
    (void)state;
    static const struct {
        const char    *text;
        AmphiDimension dimension;
        const char    *meant; /* NULL: nothing */
    } cases[] = {
        { "0.65 nm2", AMPHI_DIM_AREA, "0.65 nm^2" },
        { "0.65nm\xC2\xB2", AMPHI_DIM_AREA, "0.65 nm^2" },
        { "65 A**2", AMPHI_DIM_AREA, "65 A^2" },
        { "12 \xC3\x85", AMPHI_DIM_LENGTH, "12 A" },
        { " -1e3 kJ mol^-1 nm^-2 ", AMPHI_DIM_ENERGY_PER_AREA, "-1e3 kJ*mol^-1*nm^-2" },
        { "1 kJ mol-1 nm-2", AMPHI_DIM_ENERGY_PER_AREA, "1 kJ*mol^-1*nm^-2" },
        { "1 kJ mol\xE2\x81\xBB\xC2\xB9", AMPHI_DIM_ENERGY, "1 kJ*mol^-1" },
        { "1 kJ\xC2\xB7mol\xE2\x81\xBB\xC2\xB9", AMPHI_DIM_ENERGY, "1 kJ*mol^-1" },
        { "2 kJ / mol", AMPHI_DIM_ENERGY, "2 kJ/mol" },
        { "2 kJ /  mol", AMPHI_DIM_ENERGY, "2 kJ/mol" },
        { "1 nm2", AMPHI_DIM_LENGTH, NULL },
        { "1 parsec", AMPHI_DIM_LENGTH, NULL },
        { "1", AMPHI_DIM_LENGTH, NULL },
        { "nm2", AMPHI_DIM_AREA, NULL },
        { "1 nm222222222222222222222222222222222222222222222222222", AMPHI_DIM_AREA, NULL },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char       meant[64] = "";
        const bool is_meant =
            amphi_units_meant(cases[k].text, cases[k].dimension, meant, sizeof meant);

        if (is_meant != (cases[k].meant != NULL) ||
            (is_meant && strcmp(meant, cases[k].meant) != 0))
            fail_msg("\"%s\": \"%s\"", cases[k].text, is_meant ? meant : "(nothing)");
    }
    char few[6];
    assert_false(amphi_units_meant("0.65 nm2", AMPHI_DIM_AREA, few, sizeof few));
}

static void a_unit_alone_is_a_factor(void **state)
{
    (void)state;
    double factor = 0;

    assert_int_equal(amphi_units_factor("A", AMPHI_DIM_LENGTH, &factor), AMPHI_UNIT_OK);
    assert_true(factor == 0.1);
    assert_int_equal(amphi_units_factor("", AMPHI_DIM_NUMBER, &factor), AMPHI_UNIT_OK);
    assert_true(factor == 1);
    assert_int_equal(amphi_units_factor("", AMPHI_DIM_TIME, &factor), AMPHI_UNIT_MISSING);
    assert_int_equal(amphi_units_factor("x", AMPHI_DIM_TIME, &factor), AMPHI_UNIT_UNKNOWN);
    assert_int_equal(amphi_units_factor("A", AMPHI_DIM_TIME, &factor), AMPHI_UNIT_WRONG);
    assert_int_equal(amphi_units_factor("A", AMPHI_DIM_WHOLE, &factor), AMPHI_UNIT_NOT_WANTED);
}

/* What messages recommend must be accepted, and the internal unit must be worth 1. */
static void every_known_unit_of_every_dimension_is_read(void **state)
{
    (void)state;
    int n_units = 0;

    for (int d = 0; d < AMPHI_DIMENSIONS; d++) {
        const AmphiDimension dimension = (AmphiDimension)d;
        const char          *word      = amphi_units_known(dimension);
        double               factor    = 0;

        assert_true(strlen(amphi_units_name(dimension)) > 0);
        assert_int_equal(amphi_units_factor(amphi_units_internal(dimension), dimension, &factor),
                         AMPHI_UNIT_OK);
        assert_true(factor == 1);
        while (*word != '\0') {
            char         unit[32] = "";
            const size_t length   = strcspn(word, " ");
            assert_true(length > 0 && length < sizeof unit);
            memcpy(unit, word, length);
            assert_int_equal(amphi_units_factor(unit, dimension, &factor), AMPHI_UNIT_OK);
            assert_true(factor > 0);
            n_units++;
            word += length + (word[length] == ' ');
        }
    }
    assert_true(n_units >= 45);
}

static void numbers_are_whole_tokens(void **state)
{
    (void)state;
    const char *const wrong[] = { "",     " 1", "1 ", "1x",    "nan", "inf", "-",       ".",
                                  "+.e1", "0x", "1e", "1e400", "--1", "1,5", "infinity" };
    double            value   = 5;

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_false(amphi_units_number(wrong[k], &value));
    assert_true(value == 5);
    assert_true(amphi_units_number("-0x1.999999999999ap-4", &value));
    assert_true(value == -0.1);
    assert_true(amphi_units_number("+4.6e-5", &value));
    assert_true(value == 4.6e-5);
}

/* Without a locale that writes a comma on this machine there is nothing to see, so: skipped. */
static void numbers_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "pl_PL.UTF-8" };
    const char       *found   = NULL;

    for (size_t k = 0; k < sizeof names / sizeof *names && found == NULL; k++)
        found = setlocale(LC_ALL, names[k]);
    if (found == NULL)
        SKIP("no locale with a decimal comma (Debian: locales-all)");
    assert_string_equal(localeconv()->decimal_point, ",");
    const double value = parsed("1.5 nm", AMPHI_DIM_LENGTH);
    setlocale(LC_ALL, "C");
    assert_true(value == 1.5);
}

static void constants_agree_with_each_other(void **state)
{
    (void)state;
    const double e = 1.602176634e-19, c = 299792458, k_B = 1.380649e-23;
    const double eps0 = 8.8541878128e-12;

    /* twelve digits are written in units.h */
    assert_true(fabs(AMPHI_DEBYE / (1e-21 / c / e * 1e9) - 1) < 5e-12);
    assert_true(fabs(AMPHI_BOLTZMANN / (k_B * AMPHI_AVOGADRO / 1000) - 1) < 1e-15);
    assert_true(fabs(AMPHI_COULOMB / (AMPHI_AVOGADRO * e * e / (4 * PI * eps0) * 1e9 / 1000) - 1) <
                5e-12);
    assert_true(fabs(AMPHI_BAR / (1e5 * 1e-27 * AMPHI_AVOGADRO / 1000) - 1) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_case_checker_finds_a_wrong_value),
        cmocka_unit_test(decimal_units_give_the_double_of_the_literal),
        cmocka_unit_test(units_of_plans_are_converted),
        cmocka_unit_test(an_interval_is_a_number_of_steps_or_a_quantity),
        cmocka_unit_test(conversions_agree_with_published_constants),
        cmocka_unit_test(faults_are_told_apart),
        cmocka_unit_test(units_of_other_programs_are_understood_to_be_told),
        cmocka_unit_test(a_unit_alone_is_a_factor),
        cmocka_unit_test(every_known_unit_of_every_dimension_is_read),
        cmocka_unit_test(numbers_are_whole_tokens),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(constants_agree_with_each_other),
    };
    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
