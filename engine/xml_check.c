/* A tree against the table of schema.c, and the typed getters that trust what was checked here. */
#include "xml_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "xml_source.h"

enum { MAX_WORDS = 64 };

/* The largest whole number for counts, ids and seeds: exact in a double. */
static const double max_whole = 9007199254740992.0;

/* Bounds of other numbers, in internal units: the twelfth power of a ratio of them is finite. */
static const double max_size = 1e12, min_size = 1e-12;

/* Times on the clock are in ps as well: eleven days. */
static const double max_wall_time = 1e18;
/* In ps: 1 us. Who writes ps or ns means a time of the simulation. */
static const double min_wall_time = 1e6;

/* Powers in a formula. */
static const double max_power = 100;

/* The check ends after so many faults. */
enum { ENOUGH_FAULTS = 1000 };

/* Notes with the source line. */

/* The line of the attribute with carets below it; of a very long line the part around it. */
static void add_excerpt(AmphiNotes *notes, const AmphiXmlSource *source, int64_t at, int32_t width)
{
    char    text[400];
    int64_t from = at, to = at;

    while (from > 0 && source->bytes[from - 1] != '\n' && at - from < 100)
        from--;
    while (to < source->n_bytes && source->bytes[to] != '\n' &&
           to - from < (int64_t)sizeof text - 1)
        to++;
    memcpy(text, source->bytes + from, (size_t)(to - from));
    text[to - from] = '\0';
    amphi_note_excerpt(notes, text, (int)(at - from) + 1, width);
}

void amphi_xml_note_strings(AmphiNotes *notes, AmphiMessageId id, const AmphiXml *xml,
                            const char *attribute, const char *const *more)
{
    const char *value   = amphi_xml_text(xml, attribute); /* its default: as if it were written */
    const char *all[12] = { xml->name, attribute, value != NULL ? value : "" };
    AmphiWhere  where   = xml->where;
    int32_t     n = 3, width = 0;
    int64_t     at    = 0;
    const bool  found = amphi_source_attribute(xml, attribute, &at, &width, &where.line);

    while (*more != NULL && n < 11)
        all[n++] = *more++;
    amphi_note_strings(notes, id, where, all);
    if (found)
        add_excerpt(notes, xml->source, at, width);
}

/* Lists of what is known. */

typedef struct {
    const char *word[MAX_WORDS];
    int32_t     n;
} Words;

static void add_word(Words *words, const char *word)
{
    if (word != NULL && words->n < MAX_WORDS)
        words->word[words->n++] = word;
}

static const char *join_words(const Words *words, AmphiArena *arena)
{
    const char *out = "";

    for (int32_t k = 0; k < words->n && out != NULL; k++)
        out = amphi_arena_print(arena, "%s%s%s", out, k > 0 ? " " : "", words->word[k]);
    return out != NULL ? out : "";
}

/* `        (did you mean "npt"?)`, or nothing. */
static const char *did_you_mean(const char *word, const Words *words, AmphiArena *arena)
{
    const char *near = amphi_nearest(word, words->word, words->n);
    const char *out  = NULL;

    if (near != NULL)
        out = amphi_arena_print(arena, "        (did you mean \"%s\"?)", near);
    return out != NULL ? out : "";
}

static Words split_words(const char *text, AmphiArena *arena)
{
    Words words = { .n = 0 };
    char *copy  = amphi_arena_text(arena, text);
    char *rest  = NULL;

    if (copy == NULL)
        return words;
    for (char *w = strtok_r(copy, " \t\r\n", &rest); w != NULL;
         w       = strtok_r(NULL, " \t\r\n", &rest))
        add_word(&words, w);
    return words;
}

/* One attribute. */

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

/* What to write instead of a bare number, in the unit that people think in: "1 bar", "10 fs" of a
 * time step. */
static const char *in_usual_unit(const char *text, const char *attribute, AmphiDimension dimension,
                                 AmphiArena *arena)
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
        amphi_xml_note(
            notes, NOT_A_NUMBER, xml, name,
            in_usual_unit(dimension == AMPHI_DIM_WHOLE ? "1" : "1.5", name, dimension, arena));
        break;
    case AMPHI_UNIT_MISSING:
        amphi_xml_note(notes, UNIT_MISSING, xml, name, what,
                       in_usual_unit(value, name, dimension, arena), known);
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
            const Words flag = { { "yes", "no" }, 2 };

            amphi_xml_note(notes, NOT_A_CHOICE, xml, name, "yes no",
                           did_you_mean(value, &flag, arena));
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
    const char *const usual = in_usual_unit(value, a->name, a->dimension, arena);

    if (fault == AMPHI_UNIT_MISSING && note_sign(xml, a->name, value, a->range, notes))
        return;
    if (fault == AMPHI_UNIT_MISSING)
        amphi_xml_note(notes, UNIT_MISSING, xml, a->name, what,
                       amphi_arena_print(arena, "%s\" or \"%s steps", usual, value), known);
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

/* The same of a field of a potential, whose whole numbers are powers. */
static void check_field(const AmphiXml *xml, const char *name, const char *value,
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
                       in_usual_unit("0 0 1.5", a->name, a->dimension, arena));
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
    const Words known = split_words(a->choices, arena);
    Words       given = split_words(value, arena);

    if (a->kind == AMPHI_ATTR_CHOICE) {
        given.n       = 1;
        given.word[0] = value;
    }
    for (int32_t k = 0; k < given.n; k++)
        if (strchr(given.word[k], ' ') != NULL ||
            !amphi_schema_is_word(a->choices, given.word[k])) {
            amphi_xml_note(notes, NOT_A_CHOICE, xml, a->name, a->choices,
                           did_you_mean(given.word[k], &known, arena));
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

static void check_attribute(const AmphiXml *xml, const AmphiAttribute *a, const char *value,
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

static const AmphiField *field_of(const AmphiPotential *potential, const char *attribute)
{
    for (int32_t k = 0; potential != NULL && k < potential->n_fields; k++)
        if (amphi_field_is(&potential->field[k], attribute) &&
            !amphi_field_of_types(&potential->field[k]))
            return &potential->field[k];
    return NULL;
}

static const char *field_attribute(const AmphiField *field, AmphiArena *arena)
{
    char *out = amphi_arena_text(arena, field->name);

    for (char *c = out; c != NULL && *c != '\0'; c++)
        if (*c == '_')
            *c = '-';
    return out;
}

/* All attributes an element may have, the fields of its potential included. */
static Words known_attributes(const AmphiXml *xml, AmphiArena *arena)
{
    Words words = { .n = 0 };

    for (const AmphiAttribute *a = xml->element->attribute; a->name != NULL; a++)
        add_word(&words, a->name);
    for (int32_t k = 0; xml->potential != NULL && k < xml->potential->n_fields; k++)
        if (!amphi_field_of_types(&xml->potential->field[k]))
            add_word(&words, field_attribute(&xml->potential->field[k], arena));
    return words;
}

/* With an unknown potential nothing can be said of its fields; `none` has none. */
static void check_given(const AmphiXml *xml, AmphiArena *arena, AmphiNotes *notes)
{
    const char *name         = amphi_xml_given(xml, "potential");
    const bool  no_potential = name != NULL && strcmp(name, "none") == 0;

    for (int32_t k = 0; k < xml->n_attributes; k++) {
        const AmphiXmlAttribute *given = &xml->attribute[k];
        const AmphiAttribute    *a     = amphi_schema_attribute(xml->element, given->name);
        const AmphiField        *field = field_of(xml->potential, given->name);

        if (a != NULL) {
            check_attribute(xml, a, given->value, arena, notes);
        } else if (field != NULL) {
            check_field(xml, given->name, given->value, field, arena, notes);
        } else if (!xml->element->has_fields || xml->potential != NULL || no_potential) {
            const Words known = known_attributes(xml, arena);

            if (known.n == 0)
                amphi_xml_note(notes, TAKES_NO_ATTRIBUTES, xml, given->name, NULL);
            else
                amphi_xml_note(notes, UNKNOWN_ATTRIBUTE, xml, given->name,
                               join_words(&known, arena), did_you_mean(given->name, &known, arena));
        }
    }
}

static const char *example_value(const AmphiAttribute *a, AmphiArena *arena)
{
    const Words choices = a->choices != NULL ? split_words(a->choices, arena) : (Words){ .n = 0 };

    if (choices.n > 0)
        return choices.word[0];
    if (a->kind == AMPHI_ATTR_QUANTITY && a->dimension == AMPHI_DIM_TEMPERATURE)
        return "303 K"; /* 1 K would be taken, and meant by nobody */
    if (a->kind == AMPHI_ATTR_QUANTITY || a->kind == AMPHI_ATTR_INTERVAL)
        return in_usual_unit("1", a->name, a->dimension, arena);
    return "...";
}

static void check_missing(const AmphiXml *xml, AmphiArena *arena, AmphiNotes *notes)
{
    for (const AmphiAttribute *a = xml->element->attribute; a->name != NULL; a++)
        if (a->use == AMPHI_REQUIRED && !amphi_xml_has(xml, a->name))
            amphi_note(notes, MISSING_ATTRIBUTE, xml->where, xml->name, a->name,
                       example_value(a, arena));
    for (int32_t k = 0; xml->potential != NULL && k < xml->potential->n_fields; k++) {
        const AmphiField *field = &xml->potential->field[k];
        const char       *name  = field_attribute(field, arena);

        if (field->standard == NULL && !amphi_field_of_types(field) && name != NULL &&
            !amphi_xml_has(xml, name))
            amphi_note(notes, MISSING_ATTRIBUTE, xml->where, xml->name, name,
                       in_usual_unit("1", name, field->dimension, arena));
    }
}

/* Elements below elements. */

static Words known_children(const AmphiXml *xml)
{
    Words words = { .n = 0 };

    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++)
        if (amphi_schema_is_word(amphi_schema_at(k)->parents, xml->name))
            add_word(&words, amphi_schema_at(k)->name);
    return words;
}

static void check_counts(const AmphiXml *xml, AmphiArena *arena, AmphiNotes *notes)
{
    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++) {
        const AmphiElement *e    = amphi_schema_at(k);
        int32_t             n    = 0;
        const AmphiXml     *last = NULL;

        if (!amphi_schema_is_word(e->parents, xml->name))
            continue;
        for (const AmphiXml *c = amphi_xml_child(xml, e->name); c != NULL;
             c                 = amphi_xml_next(c, e->name)) {
            n++;
            last = c;
        }
        if (n < e->min)
            amphi_note(notes, MISSING_ELEMENT, xml->where, xml->name, e->name);
        if (e->max >= 0 && n > e->max) {
            const char *most = amphi_arena_print(arena, "%d", e->max);

            amphi_note(notes, TOO_MANY_ELEMENTS, last->where, xml->name, most != NULL ? most : "",
                       e->name);
        }
    }
}

static void check_text(const AmphiXml *xml, AmphiArena *arena, AmphiNotes *notes)
{
    const char *text  = xml->text + strspn(xml->text, " \t\r\n");
    AmphiWhere  where = xml->where;

    if (*text == '\0' || xml->element->has_text)
        return;
    text = amphi_arena_print(arena, "%.*s", (int)strcspn(text, "\r\n"), text);
    if (xml->word_line > where.line)
        where.line = xml->word_line;
    amphi_note(notes, STRAY_TEXT, where, xml->name, text != NULL ? text : "");
}

static void check_node(AmphiXml *xml, AmphiArena *arena, AmphiNotes *notes)
{
    const AmphiXml *parent = xml->parent;

    if (parent != NULL && parent->element == NULL)
        return; /* below an unknown element nothing can be said */
    xml->element = amphi_schema_find(xml->name, parent != NULL ? parent->name : "");
    if (xml->element == NULL) {
        const Words known = known_children(parent != NULL ? parent : xml);

        if (known.n == 0)
            amphi_note(notes, TAKES_NO_ELEMENTS, xml->where, xml->name, parent->name);
        else
            amphi_note(notes, UNKNOWN_ELEMENT, xml->where, xml->name, parent->name,
                       join_words(&known, arena), did_you_mean(xml->name, &known, arena));
        return;
    }
    if (xml->element->has_fields && amphi_xml_has(xml, "potential"))
        xml->potential = amphi_spec_find(xml->name, amphi_xml_given(xml, "potential"));
    check_given(xml, arena, notes);
    check_missing(xml, arena, notes);
    check_text(xml, arena, notes);
    check_counts(xml, arena, notes);
}

void amphi_xml_check(AmphiXml *root, AmphiArena *arena, AmphiNotes *notes)
{
    for (AmphiXml *at = root;
         at != NULL && amphi_notes_count(notes, AMPHI_NOTE_ERROR) < ENOUGH_FAULTS;
         at = amphi_xml_walk(root, at))
        check_node(at, arena, notes);
}
