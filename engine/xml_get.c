/* Reading a checked tree: children by name, typed values of attributes. Faults have been noted by
 * xml_check.c; nothing is noted here.
 */
#include "xml.h"

#include <stdio.h>
#include <string.h>

#include "xml_check.h"

AmphiXml *amphi_xml_walk(const AmphiXml *root, AmphiXml *at)
{
    if (at->child != NULL)
        return at->child;
    while (at != root && at->next == NULL)
        at = at->parent;
    return at == root ? NULL : at->next;
}

const AmphiXml *amphi_xml_child(const AmphiXml *xml, const char *name)
{
    const AmphiXml *c = xml != NULL ? xml->child : NULL;

    while (c != NULL && strcmp(c->name, name) != 0)
        c = c->next;
    return c;
}

const AmphiXml *amphi_xml_next(const AmphiXml *xml, const char *name)
{
    const AmphiXml *c = xml->next;

    while (c != NULL && strcmp(c->name, name) != 0)
        c = c->next;
    return c;
}

const char *amphi_xml_given(const AmphiXml *xml, const char *attribute)
{
    for (int32_t k = 0; k < xml->n_attributes; k++)
        if (strcmp(xml->attribute[k].name, attribute) == 0)
            return xml->attribute[k].value;
    return NULL;
}

bool amphi_xml_has(const AmphiXml *xml, const char *attribute)
{
    return amphi_xml_given(xml, attribute) != NULL;
}

const char *amphi_xml_text(const AmphiXml *xml, const char *attribute)
{
    const char           *given = amphi_xml_given(xml, attribute);
    const AmphiAttribute *a     = NULL;

    if (given == NULL && xml->element != NULL)
        a = amphi_schema_attribute(xml->element, attribute);
    return a != NULL ? a->standard : given;
}

double amphi_xml_quantity(const AmphiXml *xml, const char *attribute, double otherwise)
{
    const AmphiAttribute *a =
        xml->element != NULL ? amphi_schema_attribute(xml->element, attribute) : NULL;
    const char *text  = amphi_xml_text(xml, attribute);
    double      value = otherwise;

    if (a == NULL || text == NULL ||
        amphi_units_parse(text, a->dimension, &value) != AMPHI_UNIT_OK ||
        !amphi_xml_is_in_range(a->dimension, a->range, value))
        return otherwise;
    return value;
}

int64_t amphi_xml_whole(const AmphiXml *xml, const char *attribute, int64_t otherwise)
{
    const double largest = 9007199254740992.0;
    const double value   = amphi_xml_quantity(xml, attribute, (double)otherwise);

    return value >= -largest && value <= largest ? (int64_t)value : otherwise;
}

bool amphi_xml_interval(const AmphiXml *xml, const char *attribute, double *value, int64_t *steps)
{
    const AmphiAttribute *a =
        xml->element != NULL ? amphi_schema_attribute(xml->element, attribute) : NULL;
    const char *text = amphi_xml_text(xml, attribute);
    double      n    = 0;

    *value = 0;
    *steps = 0;
    if (a == NULL || text == NULL ||
        amphi_units_interval(text, a->dimension, value, &n) != AMPHI_UNIT_OK)
        return false;
    if (n != 0 && amphi_xml_is_in_range(AMPHI_DIM_WHOLE, AMPHI_RANGE_POSITIVE, n))
        *steps = (int64_t)n;
    return *steps > 0 || (n == 0 && amphi_xml_is_in_range(a->dimension, a->range, *value));
}

static const char *choices_of(const AmphiXml *xml, const char *attribute)
{
    const AmphiAttribute *a =
        xml->element != NULL ? amphi_schema_attribute(xml->element, attribute) : NULL;

    return a != NULL ? a->choices : NULL;
}

bool amphi_xml_is_choice(const AmphiXml *xml, const char *attribute)
{
    const char *choices = choices_of(xml, attribute), *text = amphi_xml_text(xml, attribute);

    return choices != NULL && text != NULL && amphi_schema_is_word(choices, text);
}

int32_t amphi_xml_choice(const AmphiXml *xml, const char *attribute)
{
    const char *choices = choices_of(xml, attribute), *text = amphi_xml_text(xml, attribute);
    int32_t     k = 0;

    if (choices == NULL || text == NULL)
        return -1;
    if (!amphi_schema_is_word(choices, text))
        return 0;
    for (const char *at = choices; strncmp(at, text, strlen(text)) != 0 ||
                                   (at[strlen(text)] != ' ' && at[strlen(text)] != '\0');
         at = strchr(at, ' ') + 1)
        k++;
    return k;
}

AmphiUnitFault amphi_xml_parse_vector(const char *value, AmphiDimension dimension, double v[3])
{
    const char *blanks = " \t\r\n", *unit = value;
    char        word[3][48], text[128];

    for (int k = 0; k < 3; k++) {
        unit += strspn(unit, blanks);
        const size_t n = strcspn(unit, blanks);

        if (n >= sizeof word[k])
            return AMPHI_UNIT_NOT_A_NUMBER;
        memcpy(word[k], unit, n);
        word[k][n] = '\0';
        unit += n;
        if (!amphi_units_number(word[k], &v[k]))
            return AMPHI_UNIT_NOT_A_NUMBER;
    }
    unit += strspn(unit, blanks);
    for (int k = 0; k < 3; k++) {
        AmphiUnitFault fault;

        if (snprintf(text, sizeof text, "%s %s", word[k], unit) >= (int)sizeof text)
            return AMPHI_UNIT_UNKNOWN;
        fault = amphi_units_parse(text, dimension, &v[k]);
        if (fault != AMPHI_UNIT_OK)
            return fault;
    }
    return AMPHI_UNIT_OK;
}

bool amphi_xml_vector(const AmphiXml *xml, const char *attribute, double v[3])
{
    const AmphiAttribute *a =
        xml->element != NULL ? amphi_schema_attribute(xml->element, attribute) : NULL;
    const char *text = amphi_xml_given(xml, attribute);

    if (a == NULL || text == NULL || amphi_xml_parse_vector(text, a->dimension, v) != AMPHI_UNIT_OK)
        return false;
    for (int k = 0; k < 3; k++)
        if (!amphi_xml_is_in_range(a->dimension, a->range, v[k]))
            return false;
    return true;
}

const char *const *amphi_xml_names(const AmphiXml *xml, const char *attribute, AmphiArena *arena,
                                   int32_t *n)
{
    const char  *text = amphi_xml_text(xml, attribute);
    const char **out  = NULL;
    char        *copy = amphi_arena_text(arena, text != NULL ? text : "");
    char        *rest = NULL;

    *n = 0;
    if (copy != NULL)
        out = AMPHI_TAKE(arena, const char *, (int64_t)strlen(copy) / 2 + 1);
    if (out == NULL)
        return NULL;
    for (char *w = strtok_r(copy, " \t\r\n", &rest); w != NULL;
         w       = strtok_r(NULL, " \t\r\n", &rest))
        out[(*n)++] = w;
    return out;
}

static const char *given_field(const AmphiXml *xml, const AmphiField *field)
{
    for (int32_t k = 0; k < xml->n_attributes; k++)
        if (amphi_field_is(field, xml->attribute[k].name))
            return xml->attribute[k].value;
    return field->standard;
}

void amphi_xml_fields(const AmphiXml *xml, double *field)
{
    for (int32_t k = 0; xml->potential != NULL && k < xml->potential->n_fields; k++) {
        const AmphiField *f    = &xml->potential->field[k];
        const char       *text = amphi_field_of_types(f) ? NULL : given_field(xml, f);
        double            value;

        if (text != NULL && amphi_units_parse(text, f->dimension, &value) == AMPHI_UNIT_OK &&
            amphi_xml_is_in_range(f->dimension, f->range, value))
            field[k] = value;
    }
}
