/* A tree against the table of schema.c: its elements, and which attributes they have. */
#include "xml_check.h"

#include <string.h>

#include "xml_source.h"
#include "xml_values.h"

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

/* Attributes. */

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
static AmphiWords known_attributes(const AmphiXml *xml, AmphiArena *arena)
{
    AmphiWords words = { .n = 0 };

    for (const AmphiAttribute *a = xml->element->attribute; a->name != NULL; a++)
        amphi_words_add(&words, a->name);
    for (int32_t k = 0; xml->potential != NULL && k < xml->potential->n_fields; k++)
        if (!amphi_field_of_types(&xml->potential->field[k]))
            amphi_words_add(&words, field_attribute(&xml->potential->field[k], arena));
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
            amphi_xml_check_value(xml, a, given->value, arena, notes);
        } else if (field != NULL) {
            amphi_xml_check_field(xml, given->name, given->value, field, arena, notes);
        } else if (!xml->element->has_fields || xml->potential != NULL || no_potential) {
            const AmphiWords known = known_attributes(xml, arena);

            if (known.n == 0)
                amphi_xml_note(notes, TAKES_NO_ATTRIBUTES, xml, given->name, NULL);
            else
                amphi_xml_note(notes, UNKNOWN_ATTRIBUTE, xml, given->name,
                               amphi_words_join(&known, arena),
                               amphi_words_meant(given->name, &known, arena));
        }
    }
}

/* Is an attribute meant by another that is there, and is told to be none? */
static bool is_meant(const AmphiXml *xml, const char *name, AmphiArena *arena)
{
    const AmphiWords known = known_attributes(xml, arena);

    for (int32_t k = 0; k < xml->n_attributes; k++) {
        const char *const given = xml->attribute[k].name;
        const char *const near  = amphi_nearest(given, known.word, known.n);

        if (near != NULL && strcmp(near, name) == 0 &&
            amphi_schema_attribute(xml->element, given) == NULL &&
            field_of(xml->potential, given) == NULL)
            return true;
    }
    return false;
}

static const char *example_value(const AmphiAttribute *a, AmphiArena *arena)
{
    const AmphiWords choices =
        a->choices != NULL ? amphi_words_split(a->choices, arena) : (AmphiWords){ .n = 0 };

    if (choices.n > 0)
        return choices.word[0];
    if (a->kind == AMPHI_ATTR_QUANTITY && a->dimension == AMPHI_DIM_TEMPERATURE)
        return "303 K"; /* 1 K would be taken, and meant by nobody */
    if (a->kind == AMPHI_ATTR_QUANTITY || a->kind == AMPHI_ATTR_INTERVAL)
        return amphi_xml_in_usual_unit("1", a->name, a->dimension, arena);
    return "...";
}

static void check_missing(const AmphiXml *xml, AmphiArena *arena, AmphiNotes *notes)
{
    for (const AmphiAttribute *a = xml->element->attribute; a->name != NULL; a++)
        if (a->use == AMPHI_REQUIRED && !amphi_xml_has(xml, a->name) &&
            !is_meant(xml, a->name, arena))
            amphi_note(notes, MISSING_ATTRIBUTE, xml->where, xml->name, a->name,
                       example_value(a, arena));
    for (int32_t k = 0; xml->potential != NULL && k < xml->potential->n_fields; k++) {
        const AmphiField *field = &xml->potential->field[k];
        const char       *name  = field_attribute(field, arena);

        if (field->standard == NULL && !amphi_field_of_types(field) && name != NULL &&
            !amphi_xml_has(xml, name) && !is_meant(xml, name, arena))
            amphi_note(notes, MISSING_ATTRIBUTE, xml->where, xml->name, name,
                       amphi_xml_in_usual_unit("1", name, field->dimension, arena));
    }
}

/* Elements below elements. */

static AmphiWords known_children(const AmphiXml *xml)
{
    AmphiWords words = { .n = 0 };

    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++)
        if (amphi_schema_is_word(amphi_schema_at(k)->parents, xml->name))
            amphi_words_add(&words, amphi_schema_at(k)->name);
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
        if (n < e->min && n > 0) {
            const char *least = amphi_arena_print(arena, "%d", e->min);

            amphi_note(notes, TOO_FEW_ELEMENTS, last->where, xml->name, least != NULL ? least : "",
                       e->name);
        } else if (n < e->min)
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
        const AmphiWords known = known_children(parent != NULL ? parent : xml);

        if (known.n == 0)
            amphi_note(notes, TAKES_NO_ELEMENTS, xml->where, xml->name, parent->name);
        else
            amphi_note(notes, UNKNOWN_ELEMENT, xml->where, xml->name, parent->name,
                       amphi_words_join(&known, arena),
                       amphi_words_meant(xml->name, &known, arena));
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
