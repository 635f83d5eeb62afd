/* Reads numbers with units.
 *
 * A unit is a product of powers of symbols. It is kept as integers, powers of ten and powers of
 * Avogadro's number until the end, so that decimal conversions round once: 20 fs is 20 / 1000, not
 * 20 times a rounded 0.001, and the N_A of kJ and of mol cancel exactly.
 */
#include "units.h"

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* THERMAL and FREEDOM are of drifts: kT and dof, whatever the temperature is. */
enum { LENGTH, TIME, MASS, CHARGE, TEMPERATURE, ANGLE, THERMAL, FREEDOM, N_BASES };

#define PI 3.14159265358979323846

/* over / under * 10^ten * N_A^moles internal units, of these powers of the bases. */
typedef struct {
    double over, under;
    int    ten, moles;
    int    power[N_BASES];
} Unit;

typedef struct {
    const char *symbol;
    Unit        unit;
} Symbol;

/* clang-format off */
#define OF_LENGTH   { 1, 0, 0, 0, 0, 0 }
#define OF_TIME     { 0, 1, 0, 0, 0, 0 }
#define OF_MASS     { 0, 0, 1, 0, 0, 0 }
#define OF_CHARGE   { 0, 0, 0, 1, 0, 0 }
#define OF_ENERGY   { 2, -2, 1, 0, 0, 0 }
#define OF_FORCE    { 1, -2, 1, 0, 0, 0 }
#define OF_PRESSURE { -1, -2, 1, 0, 0, 0 }
#define OF_DIPOLE   { 1, 0, 0, 1, 0, 0 }
#define OF_KELVIN   { 0, 0, 0, 0, 1, 0 }
#define OF_ANGLE    { 0, 0, 0, 0, 0, 1 }
#define OF_KT       { 0, 0, 0, 0, 0, 0, 1, 0 }
#define OF_DOF      { 0, 0, 0, 0, 0, 0, 0, 1 }
#define OF_NOTHING  { 0, 0, 0, 0, 0, 0 }

/* g, J and cal are amounts: with mol below they become u and kJ/mol. Pressures and forces act on
 * single beads, so that N_A is in their number (1 N = 1e-12 N_A kJ/mol/nm). */
static const Symbol symbols[] = {
    { "nm",   { 1, 1, 0, 0, OF_LENGTH } },
    { "pm",   { 1, 1, -3, 0, OF_LENGTH } },
    { "A",    { 1, 1, -1, 0, OF_LENGTH } },
    { "um",   { 1, 1, 3, 0, OF_LENGTH } },
    { "mm",   { 1, 1, 6, 0, OF_LENGTH } },
    { "cm",   { 1, 1, 7, 0, OF_LENGTH } },
    { "dm",   { 1, 1, 8, 0, OF_LENGTH } },
    { "m",    { 1, 1, 9, 0, OF_LENGTH } },
    { "fs",   { 1, 1, -3, 0, OF_TIME } },
    { "ps",   { 1, 1, 0, 0, OF_TIME } },
    { "ns",   { 1, 1, 3, 0, OF_TIME } },
    { "us",   { 1, 1, 6, 0, OF_TIME } },
    { "ms",   { 1, 1, 9, 0, OF_TIME } },
    { "s",    { 1, 1, 12, 0, OF_TIME } },
    { "min",  { 60, 1, 12, 0, OF_TIME } },
    { "h",    { 3600, 1, 12, 0, OF_TIME } },
    { "u",    { 1, 1, 0, 0, OF_MASS } },
    { "g",    { 1, 1, 0, 1, OF_MASS } },
    { "kg",   { 1, 1, 3, 1, OF_MASS } },
    { "e",    { 1, 1, 0, 0, OF_CHARGE } },
    { "D",    { 208194332709, 1, -13, 0, OF_DIPOLE } },        /* AMPHI_DEBYE */
    { "K",    { 1, 1, 0, 0, OF_KELVIN } },
    { "rad",  { 1, 1, 0, 0, OF_ANGLE } },
    { "deg",  { PI, 180, 0, 0, OF_ANGLE } },
    { "mol",  { 1, 1, 0, 1, OF_NOTHING } },
    { "kT",   { 1, 1, 0, 0, OF_KT } },
    { "dof",  { 1, 1, 0, 0, OF_DOF } },
    { "J",    { 1, 1, -3, 1, OF_ENERGY } },
    { "kJ",   { 1, 1, 0, 1, OF_ENERGY } },
    { "cal",  { 4184, 1, -6, 1, OF_ENERGY } },
    { "kcal", { 4184, 1, -3, 1, OF_ENERGY } },
    { "eV",   { 96.4853321233100184, 1, 0, 0, OF_ENERGY } },   /* e N_A, exact */
    { "N",    { 602214076, 1, 3, 0, OF_FORCE } },
    { "mN",   { 602214076, 1, 0, 0, OF_FORCE } },
    { "dyn",  { 602214076, 1, -2, 0, OF_FORCE } },
    { "bar",  { 602214076, 1, -10, 0, OF_PRESSURE } },         /* AMPHI_BAR */
    { "atm",  { 602214076. * 101325, 1, -15, 0, OF_PRESSURE } },
    { "Pa",   { 602214076, 1, -15, 0, OF_PRESSURE } },
    { "kPa",  { 602214076, 1, -12, 0, OF_PRESSURE } },
    { "MPa",  { 602214076, 1, -9, 0, OF_PRESSURE } },
};

typedef struct {
    const char *name, *internal, *known;
    int  power[N_BASES];
    bool takes_moles; /* g/cm^3 and mol/dm^3 hold N_A; 6 kJ for 6 kJ/mol is a slip */
} Dimension;

static const Dimension dimensions[AMPHI_DIMENSIONS] = {
    [AMPHI_DIM_NUMBER] = { "a number without unit", "", "", OF_NOTHING, false },
    [AMPHI_DIM_WHOLE]  = { "a whole number without unit", "", "", OF_NOTHING, false },
    [AMPHI_DIM_FLAG]   = { "yes or no", "", "", OF_NOTHING, false },
    [AMPHI_DIM_LENGTH] = { "length", "nm", "nm pm A um mm cm m", OF_LENGTH, false },
    [AMPHI_DIM_TIME]   = { "time", "ps", "fs ps ns us ms s min h", OF_TIME, false },
    [AMPHI_DIM_MASS]   = { "mass", "u", "u g/mol kg/mol", OF_MASS, false },
    [AMPHI_DIM_ENERGY] = { "energy", "kJ/mol", "kJ/mol J/mol kcal/mol cal/mol eV", OF_ENERGY,
                           false },
    [AMPHI_DIM_CHARGE] = { "charge", "e", "e", OF_CHARGE, false },
    [AMPHI_DIM_DIPOLE] = { "dipole", "e*nm", "D e*nm e*A", OF_DIPOLE, false },
    [AMPHI_DIM_ANGLE]  = { "angle", "rad", "deg rad", OF_ANGLE, false },
    [AMPHI_DIM_TEMPERATURE] = { "temperature", "K", "K", OF_KELVIN, false },
    [AMPHI_DIM_PRESSURE]    = { "pressure", "kJ/mol/nm^3", "bar atm Pa kPa MPa kJ/mol/nm^3",
                                OF_PRESSURE, false },
    [AMPHI_DIM_AREA]    = { "area", "nm^2", "nm^2 A^2", { 2, 0, 0, 0, 0, 0 }, false },
    [AMPHI_DIM_VOLUME]  = { "volume", "nm^3", "nm^3 A^3", { 3, 0, 0, 0, 0, 0 }, false },
    [AMPHI_DIM_DENSITY] = { "density", "u/nm^3", "g/cm^3 kg/m^3 u/nm^3", { -3, 0, 1, 0, 0, 0 },
                            true },
    [AMPHI_DIM_NUMBER_DENSITY] = { "number density", "1/nm^3", "1/nm^3 1/A^3 mol/dm^3",
                                   { -3, 0, 0, 0, 0, 0 }, true },
    [AMPHI_DIM_INERTIA] = { "moment of inertia", "u*nm^2", "u*nm^2 u*A^2",
                            { 2, 0, 1, 0, 0, 0 }, false },
    [AMPHI_DIM_ENERGY_PER_AREA] = { "energy per area", "kJ/mol/nm^2",
                                    "kJ/mol/nm^2 kJ/mol/A^2 kcal/mol/A^2 mN/m dyn/cm",
                                    { 0, -2, 1, 0, 0, 0 }, false },
    [AMPHI_DIM_ENERGY_PER_ANGLE2] = { "energy per angle squared", "kJ/mol/rad^2",
                                      "kJ/mol/rad^2 kJ/mol/deg^2 kcal/mol/rad^2",
                                      { 2, -2, 1, 0, 0, -2 }, false },
    [AMPHI_DIM_COULOMB] = { "Coulomb constant", "kJ*nm/mol/e^2",
                            "kJ*nm/mol/e^2 kcal*A/mol/e^2", { 3, -2, 1, -2, 0, 0 }, false },
    [AMPHI_DIM_FORCE] = { "force", "kJ/mol/nm", "kJ/mol/nm kJ/mol/A kcal/mol/A", OF_FORCE, false },
    [AMPHI_DIM_COMPRESSIBILITY] = { "compressibility", "nm^3*mol/kJ", "1/bar 1/atm 1/MPa",
                                    { 1, 2, -1, 0, 0, 0 }, false },
    [AMPHI_DIM_DRIFT] = { "drift", "kT/ps/dof", "kT/ns/dof kT/ps/dof",
                          { 0, -1, 0, 0, 0, 0, 1, -1 }, false },
    [AMPHI_DIM_WALL_TIME] = { "time on the clock", "ps", "s min h", OF_TIME, false },
};
/* clang-format on */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_spaces(const char *text)
{
    while (is_space(*text))
        text++;
    return text;
}

/* The number that text begins with; its end, or NULL when there is none or it is not finite. The
 * first digit is asked for because strtod also takes spaces, nan and inf. */
static const char *read_number(const char *text, double *value)
{
    const char *digit = text + (*text == '+' || *text == '-');

    digit += *digit == '.';
    if (!is_digit(*digit))
        return NULL;

    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return NULL;
    const locale_t before = uselocale(plain);
    char          *end    = NULL;

    *value = strtod(text, &end);
    uselocale(before);
    freelocale(plain);
    return isfinite(*value) ? end : NULL;
}

bool amphi_units_number(const char *text, double *value)
{
    double            read = 0;
    const char *const end  = read_number(text, &read);

    if (end == NULL || *end != '\0')
        return false;
    *value = read;
    return true;
}

static const Unit *find_symbol(const char *symbol, size_t length)
{
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++)
        if (strlen(symbols[k].symbol) == length && memcmp(symbols[k].symbol, symbol, length) == 0)
            return &symbols[k].unit;
    return NULL;
}

static void multiply(Unit *product, const Unit *unit, int power)
{
    for (int k = 0; k < abs(power); k++) {
        product->over *= power > 0 ? unit->over : unit->under;
        product->under *= power > 0 ? unit->under : unit->over;
    }
    product->ten += power * unit->ten;
    product->moles += power * unit->moles;
    for (int base = 0; base < N_BASES; base++)
        product->power[base] += power * unit->power[base];
}

/* A power behind a symbol, "^2" or "^-3": one digit, not zero. Without one: 1. NULL: ill-formed. */
static const char *read_power(const char *text, int *power)
{
    *power = 1;
    if (*text != '^')
        return text;

    const bool is_negative = text[1] == '-';
    text += is_negative ? 2 : 1;
    if (!is_digit(*text) || *text == '0')
        return NULL;
    *power = is_negative ? '0' - *text : *text - '0';
    return text + 1;
}

/* More symbols than any unit has; it also keeps every exponent far inside an int. */
enum { MOST_SYMBOLS = 12 };

/* "kJ*nm/mol/e^2" from `text` up to `end`: products and quotients from left to right, and a 1 is
 * allowed in front of the first quotient. */
static bool read_unit(const char *text, const char *end, Unit *unit)
{
    int sign = 1;

    *unit = (Unit){ .over = 1, .under = 1 };
    if (end - text > 2 && text[0] == '1' && text[1] == '/') {
        sign = -1;
        text += 2;
    }
    for (int k = 0; k < MOST_SYMBOLS; k++) {
        const char *const symbol = text;
        int               power  = 0;

        while (text < end && is_letter(*text))
            text++;
        const Unit *const found = find_symbol(symbol, (size_t)(text - symbol));
        if (found == NULL)
            return false;
        text = read_power(text, &power);
        if (text == NULL)
            return false;
        multiply(unit, found, sign * power);
        if (text == end)
            return true;
        if (*text != '*' && *text != '/')
            return false;
        sign = *text++ == '*' ? 1 : -1;
    }
    return false;
}

/* Powers of ten up to 10^22 are exact in double; a step of 22 keeps each division so. */
static double times_power_of_ten(double x, int ten)
{
    static const double exact[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

    for (; ten > 22; ten -= 22)
        x *= 1e22;
    for (; ten < -22; ten += 22)
        x /= 1e22;
    return ten >= 0 ? x * exact[ten] : x / exact[-ten];
}

static double convert(double value, const Unit *unit)
{
    static const Unit avogadro = { .over = 602214076, .under = 1, .ten = 15 };
    Unit              whole    = *unit;

    multiply(&whole, &avogadro, unit->moles);
    value *= whole.over;
    if (whole.under != 1)
        value /= whole.under;
    return times_power_of_ten(value, whole.ten);
}

/* `value` in the unit that stands from `text` to `end`, as internal units. */
static AmphiUnitFault apply_unit(const char *text, const char *end, const Dimension *dimension,
                                 double value, double *result)
{
    const bool is_plain = dimension->internal[0] == '\0';
    Unit       unit     = { 0 };

    if (text == end && !is_plain)
        return AMPHI_UNIT_MISSING;
    if (text != end) {
        if (!read_unit(text, end, &unit))
            return is_plain ? AMPHI_UNIT_NOT_A_NUMBER : AMPHI_UNIT_UNKNOWN;
        if (is_plain)
            return AMPHI_UNIT_NOT_WANTED;
        if (memcmp(unit.power, dimension->power, sizeof unit.power) != 0 ||
            (unit.moles != 0 && !dimension->takes_moles))
            return AMPHI_UNIT_WRONG;
        value = convert(value, &unit);
        if (!isfinite(value))
            return AMPHI_UNIT_NOT_A_NUMBER;
    }
    *result = value;
    return AMPHI_UNIT_OK;
}

static const Dimension *look_up(AmphiDimension dimension)
{
    assert((int)dimension >= 0 && dimension < AMPHI_DIMENSIONS);
    return &dimensions[dimension];
}

static const char *last_word_end(const char *text)
{
    const char *end = text + strlen(text);

    while (end > text && is_space(end[-1]))
        end--;
    return end;
}

static bool is_word(const char *text, const char *end, const char *word)
{
    return strlen(word) == (size_t)(end - text) && memcmp(text, word, strlen(word)) == 0;
}

static AmphiUnitFault read_flag(const char *text, const char *end, double *value)
{
    const bool is_yes = is_word(text, end, "yes") || is_word(text, end, "true");

    if (!is_yes && !is_word(text, end, "no") && !is_word(text, end, "false"))
        return AMPHI_UNIT_NOT_A_NUMBER;
    *value = is_yes;
    return AMPHI_UNIT_OK;
}

AmphiUnitFault amphi_units_parse(const char *text, AmphiDimension dimension, double *value)
{
    const char *const start  = skip_spaces(text);
    const char *const end    = last_word_end(start);
    double            number = 0;

    if (dimension == AMPHI_DIM_FLAG)
        return read_flag(start, end, value);

    const char *const behind = read_number(start, &number);
    if (behind == NULL)
        return AMPHI_UNIT_NOT_A_NUMBER;

    /* "1,5 nm" and "1.2.3" must not be taken for numbers with unknown units */
    if (behind < end && !is_space(*behind) && !is_letter(*behind))
        return AMPHI_UNIT_NOT_A_NUMBER;
    return apply_unit(skip_spaces(behind) < end ? skip_spaces(behind) : end, end,
                      look_up(dimension), number, value);
}

/* Of a time on the clock: s, min or h. Who writes 10 ps means simulated time. */
static bool is_of_clock(const char *unit, const char *end)
{
    return is_word(unit, end, "s") || is_word(unit, end, "min") || is_word(unit, end, "h");
}

AmphiUnitFault amphi_units_interval(const char *text, AmphiDimension dimension, double *value,
                                    double *steps)
{
    const char *const start  = skip_spaces(text);
    const char *const end    = last_word_end(start);
    double            number = 0;
    const char *const behind = read_number(start, &number);
    const char *const word   = behind != NULL ? skip_spaces(behind) : end;
    const bool        counts = is_word(word, end, "steps") || is_word(word, end, "step");

    *value = *steps = 0;
    if (!counts) {
        const AmphiUnitFault fault = amphi_units_parse(text, dimension, value);

        return fault == AMPHI_UNIT_OK && dimension == AMPHI_DIM_WALL_TIME && !is_of_clock(word, end)
                   ? AMPHI_UNIT_WRONG
                   : fault;
    }
    *steps = number;
    return AMPHI_UNIT_OK;
}

/* ---- units as other programs write them ---- */

/* What stands for a text in a unit; the longer ones first. */
static const struct {
    const char *theirs, *ours;
} spellings[] = {
    { "\xE2\x81\xBB", "^-" }, /* superscripts: minus, 1, 2, 3 */
    { "\xC2\xB9", "^1" },
    { "\xC2\xB2", "^2" },
    { "\xC2\xB3", "^3" },
    { "\xC2\xB7", "*" }, /* a point in the middle */
    { "\xC3\x85", "A" }, /* with a ring, or as the sign of the unit */
    { "\xE2\x84\xAB", "A" },
    { "\xC2\xB5", "u" },
    { "**", "^" },
    { " ", "*" },
};

enum { N_SPELLINGS = (int)(sizeof spellings / sizeof *spellings) };

static int find_spelling(const char *text)
{
    int k = 0;

    while (k < N_SPELLINGS && strncmp(text, spellings[k].theirs, strlen(spellings[k].theirs)) != 0)
        k++;
    return k;
}

/* Adds to a text of `size` bytes what still fits. */
static void append(char *out, size_t size, const char *more, size_t n)
{
    const size_t length = strlen(out);

    if (length + n < size) {
        memcpy(out + length, more, n);
        out[length + n] = '\0';
    }
}

/* "nm2" is nm^2, and so is "nm^" behind a superscript minus and 2. */
static void respell(const char *unit, const char *end, char *out, size_t size)
{
    out[0] = '\0';
    while (unit < end) {
        const int    k      = find_spelling(unit);
        const size_t length = strlen(out);
        const char   last   = length > 0 ? out[length - 1] : '*';
        const char  *ours   = k < N_SPELLINGS ? spellings[k].ours : unit;

        if (*unit == ' ' && (strchr("*/", last) != NULL || strchr("*/ ", unit[1]) != NULL)) {
            unit++;
            continue;
        }
        if (k < N_SPELLINGS && last == '-' && ours[0] == '^')
            ours++;
        if (k == N_SPELLINGS && is_letter(last) && (is_digit(*unit) || *unit == '-'))
            append(out, size, "^", 1);
        append(out, size, ours, k < N_SPELLINGS ? strlen(ours) : 1);
        unit += k < N_SPELLINGS ? strlen(spellings[k].theirs) : 1;
    }
}

bool amphi_units_meant(const char *text, AmphiDimension dimension, char *meant, size_t size)
{
    const char *const start  = skip_spaces(text);
    const char *const end    = last_word_end(start);
    double            number = 0;
    const char *const behind = read_number(start, &number);
    char              unit[48];

    if (behind == NULL || skip_spaces(behind) >= end)
        return false;
    respell(skip_spaces(behind), end, unit, sizeof unit);
    return snprintf(meant, size, "%.*s %s", (int)(behind - start), start, unit) < (int)size &&
           amphi_units_parse(meant, dimension, &number) == AMPHI_UNIT_OK;
}

AmphiUnitFault amphi_units_factor(const char *unit, AmphiDimension dimension, double *factor)
{
    return apply_unit(unit, unit + strlen(unit), look_up(dimension), 1, factor);
}

const char *amphi_units_name(AmphiDimension dimension)
{
    return look_up(dimension)->name;
}

const char *amphi_units_internal(AmphiDimension dimension)
{
    return look_up(dimension)->internal;
}

const char *amphi_units_known(AmphiDimension dimension)
{
    return look_up(dimension)->known;
}
