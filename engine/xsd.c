/* Writes the table of schema.c as XSD 1.0, for editors and as a second check of the reader.
 *
 * It covers structure, names, choices and required attributes. Children may come in any order and
 * number, and quantities are plain strings: numbers of children, units and ranges are checked only
 * by the reader, whose messages are better.
 */
#include <stdarg.h>
#include <string.h>

#include "schema.h"

enum { MOST_ELEMENTS = 128 };

typedef struct {
    FILE   *out;
    int64_t n_bytes;
    bool    failed;
} Writer;

__attribute__((format(printf, 2, 3))) static void write_form(Writer *w, const char *form, ...)
{
    va_list values;

    va_start(values, form);
    const int n = vfprintf(w->out, form, values);
    va_end(values);
    if (n < 0)
        w->failed = true;
    else
        w->n_bytes += n;
}

static void write_escaped(Writer *w, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
            write_form(w, "&amp;");
            break;
        case '<':
            write_form(w, "&lt;");
            break;
        case '>':
            write_form(w, "&gt;");
            break;
        case '"':
            write_form(w, "&quot;");
            break;
        default:
            write_form(w, "%c", *text);
        }
}

/* ---- attributes ---- */

static void write_choices(Writer *w, const char *choices)
{
    write_form(w, "        <xs:restriction base=\"xs:token\">\n");
    while (*choices != '\0') {
        const int n = (int)strcspn(choices, " ");

        write_form(w, "          <xs:enumeration value=\"%.*s\"/>\n", n, choices);
        choices += n + (choices[n] == ' ');
    }
    write_form(w, "        </xs:restriction>\n");
}

/* What an editor shows: "length; edge". */
static void write_meaning(Writer *w, const char *dimension, const char *meaning)
{
    write_form(w, "      <xs:annotation><xs:documentation>");
    if (dimension != NULL) {
        write_escaped(w, dimension);
        write_form(w, "; ");
    }
    write_escaped(w, meaning);
    write_form(w, "</xs:documentation></xs:annotation>\n");
}

static void write_attribute(Writer *w, const AmphiAttribute *a)
{
    const bool is_choice   = a->kind == AMPHI_ATTR_CHOICE || a->kind == AMPHI_ATTR_CHOICES;
    const bool is_quantity = a->kind == AMPHI_ATTR_QUANTITY || a->kind == AMPHI_ATTR_VECTOR ||
                             a->kind == AMPHI_ATTR_INTERVAL;

    write_form(w, "    <xs:attribute name=\"%s\"", a->name);
    if (!is_choice)
        write_form(w, " type=\"xs:string\"");
    if (a->use == AMPHI_REQUIRED)
        write_form(w, " use=\"required\"");
    if (a->use == AMPHI_DEFAULT) {
        write_form(w, " default=\"");
        write_escaped(w, a->standard);
        write_form(w, "\"");
    }
    write_form(w, ">\n");
    write_meaning(w, is_quantity ? amphi_units_name(a->dimension) : NULL, a->meaning);
    if (a->kind == AMPHI_ATTR_CHOICE) {
        write_form(w, "      <xs:simpleType>\n");
        write_choices(w, a->choices);
        write_form(w, "      </xs:simpleType>\n");
    }
    if (a->kind == AMPHI_ATTR_CHOICES) {
        write_form(w, "      <xs:simpleType><xs:list><xs:simpleType>\n");
        write_choices(w, a->choices);
        write_form(w, "      </xs:simpleType></xs:list></xs:simpleType>\n");
    }
    write_form(w, "    </xs:attribute>\n");
}

/* ---- fields of potentials ---- */

/* The k-th field, counted over all potentials of an element; NULL behind the last. */
static const AmphiField *field_at(const char *element, int32_t k, const AmphiPotential **potential)
{
    for (int32_t p = 0; (*potential = amphi_spec_at(p)) != NULL; p++) {
        if (strcmp((*potential)->element, element) != 0)
            continue;
        if (k < (*potential)->n_fields)
            return &(*potential)->field[k];
        k -= (*potential)->n_fields;
    }
    return NULL;
}

static bool had_before(const char *element, int32_t k, const char *name)
{
    const AmphiPotential *potential;

    for (int32_t before = 0; before < k; before++)
        if (strcmp(field_at(element, before, &potential)->name, name) == 0)
            return true;
    return false;
}

/* A field of several potentials is one attribute; its documentation names each of them. */
static void write_field_meanings(Writer *w, const char *element, const char *name)
{
    const AmphiPotential *potential;
    const AmphiField     *field;
    bool                  is_first = true;

    write_form(w, "      <xs:annotation><xs:documentation>");
    for (int32_t k = 0; (field = field_at(element, k, &potential)) != NULL; k++) {
        if (strcmp(field->name, name) != 0)
            continue;
        write_form(w, "%s%s: ", is_first ? "" : "; ", potential->name);
        write_escaped(w, amphi_units_name(field->dimension));
        write_form(w, ", ");
        write_escaped(w, field->meaning);
        is_first = false;
    }
    write_form(w, "</xs:documentation></xs:annotation>\n");
}

static void write_fields(Writer *w, const char *element)
{
    const AmphiPotential *potential;
    const AmphiField     *field;

    for (int32_t k = 0; (field = field_at(element, k, &potential)) != NULL; k++) {
        if (amphi_field_of_types(field) || had_before(element, k, field->name))
            continue;
        write_form(w, "    <xs:attribute type=\"xs:string\" name=\"");
        for (const char *c = field->name; *c != '\0'; c++)
            write_form(w, "%c", *c == '_' ? '-' : *c);
        write_form(w, "\">\n");
        write_field_meanings(w, element, field->name);
        write_form(w, "    </xs:attribute>\n");
    }
}

/* ---- elements ---- */

static bool is_root(const AmphiElement *e)
{
    return e->parents[0] == '\0';
}

/* Of elements with one name and several meanings, as <forcefield> the root and the child, each has
 * a type of its own; the first but for roots has the plain name. */
static const char *type_ending(const AmphiElement *e)
{
    const AmphiElement *other;

    if (is_root(e))
        return "-file";
    for (int32_t k = 0; (other = amphi_schema_at(k)) != e; k++)
        if (!is_root(other) && strcmp(other->name, e->name) == 0)
            return "-here";
    return "";
}

static void write_children(Writer *w, const AmphiElement *parent)
{
    const AmphiElement *e;
    int32_t             n = 0;

    for (int32_t k = 0; (e = amphi_schema_at(k)) != NULL; k++) {
        if (!amphi_schema_is_word(e->parents, parent->name))
            continue;
        if (n++ == 0)
            write_form(w, "    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n");
        write_form(w, "      <xs:element name=\"%s\" type=\"%s%s\"/>\n", e->name, e->name,
                   type_ending(e));
    }
    if (n > 0)
        write_form(w, "    </xs:choice>\n");
}

static void write_type(Writer *w, const AmphiElement *e)
{
    write_form(w, "  <xs:complexType name=\"%s%s\"%s>\n", e->name, type_ending(e),
               e->has_text ? " mixed=\"true\"" : "");
    write_form(w, "    <xs:annotation><xs:documentation>");
    write_escaped(w, e->meaning);
    write_form(w, "</xs:documentation></xs:annotation>\n");
    write_children(w, e);
    for (const AmphiAttribute *a = e->attribute; a->name != NULL; a++)
        write_attribute(w, a);
    if (e->has_fields)
        write_fields(w, e->name);
    write_form(w, "  </xs:complexType>\n");
}

static bool stands_below_one(const AmphiElement *e, const bool *wanted)
{
    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++)
        if (wanted[k] && amphi_schema_is_word(e->parents, amphi_schema_at(k)->name))
            return true;
    return false;
}

/* The schema of <amphi>, which editors take, knows the roots of all files. */
static bool is_wanted_root(const AmphiElement *e, const char *root)
{
    return is_root(e) && (strcmp(e->name, root) == 0 || strcmp(root, "amphi") == 0);
}

/* Marks everything that can stand below the root; false when there is no such root, or when the
 * table has outgrown this file. */
static bool find_wanted(const char *root, bool *wanted)
{
    const AmphiElement *e;
    bool                has_root = false, has_grown = true;

    for (int32_t k = 0; (e = amphi_schema_at(k)) != NULL; k++) {
        if (k == MOST_ELEMENTS)
            return false;
        wanted[k] = is_wanted_root(e, root);
        has_root |= is_root(e) && strcmp(e->name, root) == 0;
    }
    while (has_grown) {
        has_grown = false;
        for (int32_t k = 0; (e = amphi_schema_at(k)) != NULL; k++)
            if (!wanted[k] && stands_below_one(e, wanted))
                wanted[k] = has_grown = true;
    }
    return has_root;
}

int64_t amphi_schema_write_xsd(const char *root, FILE *out)
{
    bool                wanted[MOST_ELEMENTS];
    Writer              w = { .out = out };
    const AmphiElement *e;

    if (!find_wanted(root, wanted))
        return 0;
    write_form(&w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    write_form(&w, "<!-- Made from the reader's own table: \"make xsd\". Not to be edited. -->\n");
    write_form(&w, "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n");
    for (int32_t k = 0; (e = amphi_schema_at(k)) != NULL; k++)
        if (is_wanted_root(e, root))
            write_form(&w, "  <xs:element name=\"%s\" type=\"%s-file\"/>\n", e->name, e->name);
    for (int32_t k = 0; (e = amphi_schema_at(k)) != NULL; k++)
        if (wanted[k])
            write_type(&w, e);
    write_form(&w, "</xs:schema>\n");
    return w.failed ? 0 : w.n_bytes;
}
