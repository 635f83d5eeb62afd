/* The value of an attribute against the table of schema.c. */
#include "xml_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "xml_check.h"

/* The largest whole number for counts, ids and seeds: exact in a double. */
static const double max_whole = 9007199254740991.0; /* the next one stands for two */

/* Bounds of other numbers, in internal units: the twelfth power of a ratio of them is finite. */
static const double max_size = 1e12, min_size = 1e-12;

/* Times on the clock are in ps as well: eleven days. */
static const double max_wall_time = 1e18;
/* In ps: 1 us. Who writes ps or ns means a time of the simulation. */
static const double min_wall_time = 1e6;

/* Powers in a formula. */
static const double max_power = 100;

/* Lists of words. */

void amphi_words_add(AmphiWords *words, const char *word)
{
    if (word != NULL && words->n < AMPHI_MOST_WORDS)
        words->word[words->n++] = word;
}

const char *amphi_words_join(const AmphiWords *words, AmphiArena *arena)
{
    const char *out = "";

    for (int32_t k = 0; k < words->n && out != NULL; k++)
        out = amphi_arena_print(arena, "%s%s%s", out, k > 0 ? " " : "", words->word[k]);
    return out != NULL ? out : "";
}

const char *amphi_words_meant(const char *word, const AmphiWords *words, AmphiArena *arena)
{
    const char *near = amphi_nearest(word, words->word, words->n);
    const char *out  = NULL;

    if (near != NULL)
        out = amphi_arena_print(arena, "        (did you mean \"%s\"?)", near);
    return out != NULL ? out : "";
}

AmphiWords amphi_words_split(const char *text, AmphiArena *arena)
{
    AmphiWords words = { .n = 0 };
    char      *copy  = amphi_arena_text(arena, text);
    char      *rest  = NULL;

    if (copy == NULL)
        return words;
    for (char *w = strtok_r(copy, " \t\r\n", &rest); w != NULL;
         w       = strtok_r(NULL, " \t\r\n", &rest))
        amphi_words_add(&words, w);
    return words;
}

/* Values. */

static double largest_of(AmphiDimension dimension)
{
    return dimension == AMPHI_DIM_WHOLE       ? max_whole
           : dimension == AMPHI_DIM_WALL_TIME ? max_wall_time
                                              : max_size;
}

static double smallest_of(AmphiDimension dimension)
{
    return dimension == AMPHI_DIM_WHOLE       ? 1
           : dimension == AMPHI_DIM_WALL_TIME ? min_wall_time
                                              : min_size;
}

bool amphi_xml_is_in_range(AmphiDimension dimension, AmphiRange range, double value)
{
    const double half_turn = 3.14159265358979323846;
    const bool   whole     = dimension == AMPHI_DIM_WHOLE;

    if (whole && floor(value) != value)
        return false;
    if (!(fabs(value) <= largest_of(dimension)))
        return false;
    switch (range) {
    case AMPHI_RANGE_POSITIVE:
        return value >= smallest_of(dimension);
    case AMPHI_RANGE_NON_NEGATIVE:
        return value >= 0;
    case AMPHI_RANGE_HALF_TURN: /* 180 deg is rounded to radians */
        return value >= 0 && value <= half_turn * (1 + 1e-15);
    case AMPHI_RANGE_ANY:
        break;
    }
    return true;
}

/* "2 ps" for a time of 2, in the units of bounds. */
static const char *with_unit(const char *text, AmphiDimension dimension, AmphiArena *arena)
{
    const char *unit = amphi_units_internal(dimension);
    const char *out  = amphi_arena_print(arena, "%s%s%s", text, unit[0] != '\0' ? " " : "", unit);

    return out != NULL ? out : "";
}

const char *amphi_xml_in_usual_unit(const char *text, const char *attribute,
                                    AmphiDimension dimension, AmphiArena *arena)
{
    const char *known = amphi_units_known(dimension);
    const char *out;

    if (dimension == AMPHI_DIM_TIME && strcmp(attribute, "timestep") != 0)
        return with_unit(text, dimension, arena);
    out = amphi_arena_print(arena, "%s%s%.*s", text, known[0] != '\0' ? " " : "",
                            (int)strcspn(known, " "), known);
    return out != NULL ? out : "";
}

/* "1e+12 nm" */
static const char *print_bound(double bound, AmphiDimension dimension, AmphiArena *arena)
{
    const bool  clock  = dimension == AMPHI_DIM_WALL_TIME; /* in ps, but told in seconds */
    const char *number = amphi_arena_print(arena, clock ? "%.16g s on the clock" : "%.16g",
                                           clock ? bound * 1e-12 : bound);

    if (number == NULL)
        return "";
    return clock ? number : with_unit(number, dimension, arena);
}

/* What is wrong with a number that is not in range. */
static void note_range(const AmphiXml *xml, const char *name, AmphiDimension dimension,
                       AmphiRange range, double value, AmphiArena *arena, AmphiNotes *notes)
{
    const bool   whole = dimension == AMPHI_DIM_WHOLE;
    const double most  = largest_of(dimension);

    if (whole && floor(value) != value)
        amphi_xml_note(notes, NOT_WHOLE, xml, name, NULL);
    else if (range == AMPHI_RANGE_POSITIVE && value <= 0)
        amphi_xml_note(notes, NOT_POSITIVE, xml, name, NULL);
    else if (range == AMPHI_RANGE_NON_NEGATIVE && value < 0)
        amphi_xml_note(notes, NEGATIVE, xml, name, NULL);
    else if (range == AMPHI_RANGE_HALF_TURN)
        amphi_xml_note(notes, NOT_HALF_TURN, xml, name, NULL);
    else if (fabs(value) > most)
        amphi_xml_note(notes, TOO_LARGE_NUMBER, xml, name, print_bound(most, dimension, arena));
    else
        amphi_xml_note(notes, TOO_SMALL_NUMBER, xml, name,
                       print_bound(smallest_of(dimension), dimension, arena));
}

/* `        (did you mean "0.65 nm^2"?)`, or nothing. */
static const char *meant_by(const char *value, AmphiDimension dimension, AmphiArena *arena)
{
    char        meant[80];
    const char *out = NULL;

    if (amphi_units_meant(value, dimension, meant, sizeof meant))
        out = amphi_arena_print(arena, "        (did you mean \"%s\"?)", meant);
    return out != NULL ? out : "";
}

static void note_unit(const AmphiXml *xml, const char *name, const char *value,
                      AmphiDimension dimension, AmphiUnitFault fault, AmphiArena *arena,
                      AmphiNotes *notes)
{
    const char *what = amphi_units_name(dimension), *known = amphi_units_known(dimension);

    switch (fault) {
    case AMPHI_UNIT_NOT_A_NUMBER:
        amphi_xml_note(notes, NOT_A_NUMBER, xml, name,
                       amphi_xml_in_usual_unit(dimension == AMPHI_DIM_WHOLE ? "1" : "1.5", name,
                                               dimension, arena));
        break;
    case AMPHI_UNIT_MISSING:
        amphi_xml_note(notes, UNIT_MISSING, xml, name, what, known);
        break;
    case AMPHI_UNIT_UNKNOWN:
        amphi_xml_note(notes, UNIT_UNKNOWN, xml, name, what, known,
                       meant_by(value, dimension, arena));
        break;
    case AMPHI_UNIT_WRONG:
        amphi_xml_note(notes, UNIT_WRONG, xml, name, what, known);
        break;
    case AMPHI_UNIT_NOT_WANTED:
        amphi_xml_note(notes, UNIT_NOT_WANTED, xml, name, NULL);
        break;
    case AMPHI_UNIT_OK:
        break;
    }
}

/* A number without its unit that no unit would bring in range: "0", where none may be zero. */
static bool note_sign(const AmphiXml *xml, const char *name, const char *value, AmphiRange range,
                      AmphiNotes *notes)
{
    const double number = strtod(value, NULL);

    if (range == AMPHI_RANGE_POSITIVE && number <= 0)
        amphi_xml_note(notes, NOT_POSITIVE, xml, name, NULL);
    else if (range == AMPHI_RANGE_NON_NEGATIVE && number < 0)
        amphi_xml_note(notes, NEGATIVE, xml, name, NULL);
    else
        return false;
    return true;
}

static void check_quantity(const AmphiXml *xml, const char *name, const char *value,
                           AmphiDimension dimension, AmphiRange range, AmphiArena *arena,
                           AmphiNotes *notes)
{
    double               number = 0;
    const AmphiUnitFault fault  = amphi_units_parse(value, dimension, &number);

    if (fault != AMPHI_UNIT_OK) {
        if (dimension == AMPHI_DIM_FLAG) {
            const AmphiWords flag = { { "yes", "no" }, 2 };

            amphi_xml_note(notes, NOT_A_CHOICE, xml, name, "yes no",
                           amphi_words_meant(value, &flag, arena));
            return;
        }
        if (fault != AMPHI_UNIT_MISSING || !note_sign(xml, name, value, range, notes))
            note_unit(xml, name, value, dimension, fault, arena, notes);
        return;
    }
    if (!amphi_xml_is_in_range(dimension, range, number))
        note_range(xml, name, dimension, range, number, arena, notes);
}

/* What is known for an interval are units of its quantity, and steps. */
static void note_interval(const AmphiXml *xml, const AmphiAttribute *a, const char *value,
                          AmphiUnitFault fault, AmphiArena *arena, AmphiNotes *notes)
{
    const char *const what  = amphi_units_name(a->dimension);
    const char *const known = amphi_arena_print(arena, "%s steps", amphi_units_known(a->dimension));

    if (fault == AMPHI_UNIT_MISSING && note_sign(xml, a->name, value, a->range, notes))
        return;
    if (fault == AMPHI_UNIT_MISSING)
        amphi_xml_note(notes, UNIT_MISSING, xml, a->name, what, known);
    else if (fault == AMPHI_UNIT_UNKNOWN)
        amphi_xml_note(notes, UNIT_UNKNOWN, xml, a->name, what, known,
                       meant_by(value, a->dimension, arena));
    else if (fault == AMPHI_UNIT_WRONG)
        amphi_xml_note(notes, UNIT_WRONG, xml, a->name, what, known);
    else
        note_unit(xml, a->name, value, a->dimension, fault, arena, notes);
}

static void check_interval(const AmphiXml *xml, const AmphiAttribute *a, const char *value,
                           AmphiArena *arena, AmphiNotes *notes)
{
    double               quantity = 0, steps = 0;
    const AmphiUnitFault fault = amphi_units_interval(value, a->dimension, &quantity, &steps);

    if (fault != AMPHI_UNIT_OK)
        note_interval(xml, a, value, fault, arena, notes);
    else if (strstr(value, "step") == NULL)
        check_quantity(xml, a->name, value, a->dimension, a->range, arena, notes);
    else if (!amphi_xml_is_in_range(AMPHI_DIM_WHOLE, AMPHI_RANGE_POSITIVE, steps))
        note_range(xml, a->name, AMPHI_DIM_WHOLE, AMPHI_RANGE_POSITIVE, steps, arena, notes);
}

void amphi_xml_check_field(const AmphiXml *xml, const char *name, const char *value,
                           const AmphiField *field, AmphiArena *arena, AmphiNotes *notes)
{
    double power = 0;

    check_quantity(xml, name, value, field->dimension, field->range, arena, notes);
    if (field->dimension == AMPHI_DIM_WHOLE &&
        amphi_units_parse(value, field->dimension, &power) == AMPHI_UNIT_OK && power > max_power &&
        power <= max_whole)
        amphi_xml_note(notes, TOO_LARGE_NUMBER, xml, name,
                       print_bound(max_power, field->dimension, arena));
}

static void check_vector(const AmphiXml *xml, const AmphiAttribute *a, const char *value,
                         AmphiArena *arena, AmphiNotes *notes)
{
    double               v[3];
    const AmphiUnitFault fault = amphi_xml_parse_vector(value, a->dimension, v);

    if (fault == AMPHI_UNIT_NOT_A_NUMBER)
        amphi_xml_note(notes, NOT_A_NUMBER, xml, a->name,
                       amphi_xml_in_usual_unit("1 1 1.5", a->name, a->dimension, arena));
    else if (fault != AMPHI_UNIT_OK)
        note_unit(xml, a->name, value, a->dimension, fault, arena, notes);
    else
        for (int k = 0; k < 3; k++)
            if (!amphi_xml_is_in_range(a->dimension, a->range, v[k])) {
                note_range(xml, a->name, a->dimension, a->range, v[k], arena, notes);
                break;
            }
}

static void check_choices(const AmphiXml *xml, const AmphiAttribute *a, const char *value,
                          AmphiArena *arena, AmphiNotes *notes)
{
    const AmphiWords known = amphi_words_split(a->choices, arena);
    AmphiWords       given = amphi_words_split(value, arena);

    if (a->kind == AMPHI_ATTR_CHOICE) {
        given.n       = 1;
        given.word[0] = value;
    }
    for (int32_t k = 0; k < given.n; k++)
        if (strchr(given.word[k], ' ') != NULL ||
            !amphi_schema_is_word(a->choices, given.word[k])) {
            amphi_xml_note(notes, NOT_A_CHOICE, xml, a->name, a->choices,
                           amphi_words_meant(given.word[k], &known, arena));
            return;
        }
}

/* Names that lists of names refer to, which blanks part. */
static void check_name(const AmphiXml *xml, const AmphiAttribute *a, const char *value,
                       AmphiArena *arena, AmphiNotes *notes)
{
    static const char *const listed[] = { "beadtype", "moleculetype", "bead", "group" };
    char                    *whole    = NULL;
    bool                     is_one   = false;

    for (size_t k = 0; k < sizeof listed / sizeof *listed; k++)
        is_one = is_one || strcmp(xml->element->name, listed[k]) == 0;
    if (!is_one || strcmp(a->name, "name") != 0 || strpbrk(value, " \t\r\n") == NULL)
        return;
    whole = amphi_arena_text(arena, value);
    for (char *c = whole; c != NULL && *c != '\0'; c++)
        *c = strchr(" \t\r\n", *c) != NULL ? '-' : *c;
    if (whole != NULL)
        amphi_xml_note(notes, BLANK_IN_NAME, xml, a->name, whole);
}

void amphi_xml_check_value(const AmphiXml *xml, const AmphiAttribute *a, const char *value,
                           AmphiArena *arena, AmphiNotes *notes)
{
    if (value[strspn(value, " \t\r\n")] == '\0' && a->kind != AMPHI_ATTR_TEXT) {
        amphi_xml_note(notes, EMPTY_ATTRIBUTE, xml, a->name, NULL);
        return;
    }
    switch (a->kind) {
    case AMPHI_ATTR_CHOICE:
    case AMPHI_ATTR_CHOICES:
        check_choices(xml, a, value, arena, notes);
        break;
    case AMPHI_ATTR_QUANTITY:
        check_quantity(xml, a->name, value, a->dimension, a->range, arena, notes);
        break;
    case AMPHI_ATTR_VECTOR:
        check_vector(xml, a, value, arena, notes);
        break;
    case AMPHI_ATTR_INTERVAL:
        check_interval(xml, a, value, arena, notes);
        break;
    case AMPHI_ATTR_NAME:
        check_name(xml, a, value, arena, notes);
        break;
    case AMPHI_ATTR_TEXT:
    case AMPHI_ATTR_NAMES:
        break;
    }
}
