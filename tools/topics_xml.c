/* Explains elements and potentials: meaning, place, attributes or fields, an example. */
#include "topics_xml.h"

#include <stdarg.h>
#include <string.h>

#include "json.h"
#include "print.h"
#include "reference.h"

enum { INDENT = 26 };

/* What the table cannot tell: names that make sense in an example. */
typedef struct {
    const char *element, *attribute, *text;
} Sample;

/* For required attributes, and for those that an element needs one of. */
static const Sample samples[] = {
    { "forcefield", "name", "my-forcefield" },
    { "include", "href", "forcefield:elba" },
    { "beadtype", "name", "phos" },
    { "pair", "types", "water tail" },
    { "override", "pair", "water tail" },
    { "override", "why", "sensitivity study" },
    { "moleculetype", "name", "DMPC" },
    { "bead", "type", "chol" },
    { "bond", "beads", "1 2" },
    { "angle", "beads", "1 2 3" },
    { "orientation", "beads", "3 5" },
    { "tail", "name", "sn1" },
    { "tail", "beads", "5 6 7 8" },
    { "head", "bead", "2" },
    { "literature", "of", "DOPC" },
    { "literature", "source", "a paper, 303 K" },
    { "molecule", "type", "water" },
    { "coordinates", "file", "start.gro" },
    { "beads", "length", "nm" },
    { "bilayer", "water-per-lipid", "33" },
    { "fill", "density", "1 g/cm^3" },
    { "velocities", "temperature", "303 K" },
    { "lipid", "type", "DMPC" },
    { "lipid", "count", "64" },
    { "part", "type", "water" },
    { "group", "name", "heads" },
    { "group", "select", "bead chol phos" },
    { "restrain", "group", "heads" },
    { "minimise", "name", "relax" },
    { "plan", "timestep", "10 fs" },
    { "run", "name", "warm" },
    { "run", "length", "1 ns" },
    { "thermostat", "temperature", "303 K" },
    { "rdf", "beads", "water water" },
};

/* ---- words for what an attribute takes ---- */

static const char *range_words(AmphiRange range)
{
    static const char *const words[] = { [AMPHI_RANGE_ANY]          = "",
                                         [AMPHI_RANGE_POSITIVE]     = "above zero",
                                         [AMPHI_RANGE_NON_NEGATIVE] = "zero or above",
                                         [AMPHI_RANGE_HALF_TURN]    = "0 to 180 degrees" };

    return words[range];
}

static const char *kind_words(const AmphiAttribute *a)
{
    switch (a->kind) {
    case AMPHI_ATTR_TEXT:
        return "text";
    case AMPHI_ATTR_NAME:
        return "a name";
    case AMPHI_ATTR_NAMES:
        return "names";
    case AMPHI_ATTR_CHOICE:
        return "one of";
    case AMPHI_ATTR_CHOICES:
        return "some of";
    case AMPHI_ATTR_QUANTITY:
    case AMPHI_ATTR_VECTOR:
    case AMPHI_ATTR_INTERVAL:
        return amphi_units_name(a->dimension);
    }
    return "";
}

static bool is_numeric(const AmphiAttribute *a)
{
    return a->kind == AMPHI_ATTR_QUANTITY || a->kind == AMPHI_ATTR_VECTOR ||
           a->kind == AMPHI_ATTR_INTERVAL;
}

static void print_attribute(const AmphiAttribute *a, FILE *out)
{
    ToolLines lines = tool_lines_begin(out, INDENT, a->name);

    tool_lines_word(&lines, "%s%s",
                    a->kind == AMPHI_ATTR_VECTOR     ? "three of a "
                    : a->kind == AMPHI_ATTR_INTERVAL ? "a number of steps, or a "
                                                     : "",
                    kind_words(a));
    if (a->choices != NULL)
        tool_lines_text(&lines, a->choices);
    if (is_numeric(a) && amphi_units_known(a->dimension)[0] != '\0')
        tool_lines_word(&lines, "(%s)", amphi_units_known(a->dimension));
    if (is_numeric(a) && a->range != AMPHI_RANGE_ANY)
        tool_lines_word(&lines, "%s", range_words(a->range));
    if (a->use == AMPHI_DEFAULT)
        tool_lines_word(&lines, "[default %s]", a->standard);
    else
        tool_lines_word(&lines, a->use == AMPHI_REQUIRED ? "[required]" : "[optional]");
    tool_lines_text(&lines, a->meaning);
    tool_lines_end(&lines);
}

static void write_attribute(const AmphiElement *e, const AmphiAttribute *a, FILE *out)
{
    static const char *const use[]  = { "required", "optional", "default" };
    ToolJson                 json   = tool_json_begin(out, "attribute");
    const bool               number = is_numeric(a);

    tool_json_text(&json, "element", e->name);
    tool_json_text(&json, "parents", e->parents);
    tool_json_text(&json, "name", a->name);
    tool_json_text(&json, "use", use[a->use]);
    tool_json_text(&json, "takes", kind_words(a));
    tool_json_text(&json, "units", number ? amphi_units_known(a->dimension) : NULL);
    tool_json_text(&json, "range", number ? range_words(a->range) : NULL);
    tool_json_text(&json, "default", a->standard);
    tool_json_text(&json, "choices", a->choices);
    tool_json_text(&json, "meaning", a->meaning);
    tool_json_end(&json);
}

/* ---- examples ---- */

typedef struct {
    char  *text;
    size_t n, size;
} Line;

__attribute__((format(printf, 2, 3))) static void add_form(Line *line, const char *form, ...);

static void add_form(Line *line, const char *form, ...)
{
    va_list values;

    va_start(values, form);
    const int n = vsnprintf(line->text + line->n, line->size - line->n, form, values);
    va_end(values);
    if (n > 0)
        line->n += (size_t)n < line->size - line->n ? (size_t)n : line->size - line->n - 1;
}

static int first_word(const char *words)
{
    return (int)strcspn(words, " ");
}

static void add_quantity(Line *line, AmphiDimension dimension, const char *number)
{
    const char *const known = amphi_units_known(dimension);

    if (dimension == AMPHI_DIM_FLAG)
        add_form(line, "yes");
    else
        add_form(line, "%s%s%.*s", number, *known != '\0' ? " " : "", first_word(known), known);
}

/* NULL: there is none. */
static const char *sample_of(const AmphiElement *e, const AmphiAttribute *a)
{
    for (size_t k = 0; k < sizeof samples / sizeof *samples; k++)
        if (strcmp(samples[k].element, e->name) == 0 && strcmp(samples[k].attribute, a->name) == 0)
            return samples[k].text;
    return NULL;
}

static void add_value(Line *line, const AmphiElement *e, const AmphiAttribute *a)
{
    const char *const sample = sample_of(e, a);

    if (sample != NULL)
        add_form(line, "%s", sample);
    else if (a->choices != NULL)
        add_form(line, "%.*s", first_word(a->choices), a->choices);
    else if (is_numeric(a))
        add_quantity(line, a->dimension, a->kind == AMPHI_ATTR_VECTOR ? "0 0 1" : "1");
    else
        add_form(line, "...");
}

/* Of the potential that the first choice of the attribute `potential` names. */
static void add_fields(Line *line, const AmphiElement *e)
{
    const AmphiAttribute *const a = amphi_schema_attribute(e, "potential");
    char                        name[64];

    if (!e->has_fields || a == NULL || a->choices == NULL)
        return;
    snprintf(name, sizeof name, "%.*s", first_word(a->choices), a->choices);

    const AmphiPotential *const p = amphi_spec_find(e->name, name);
    for (int32_t k = 0; p != NULL && k < p->n_fields; k++) {
        const AmphiField *const f = &p->field[k];

        if (f->standard != NULL || amphi_field_of_types(f))
            continue;
        add_form(line, " %s=\"", tool_field_name(f, name, sizeof name));
        add_quantity(line, f->dimension, "1");
        add_form(line, "\"");
    }
}

static bool has_children(const AmphiElement *e)
{
    for (int32_t k = 0; amphi_schema_at(k) != NULL; k++)
        if (amphi_schema_is_word(amphi_schema_at(k)->parents, e->name))
            return true;
    return false;
}

const char *element_example(const AmphiElement *e, char *text, size_t size)
{
    Line line = { text, 0, size };

    text[0] = '\0';
    add_form(&line, "<%s", e->name);
    for (const AmphiAttribute *a = e->attribute; a->name != NULL; a++)
        if (a->use == AMPHI_REQUIRED || sample_of(e, a) != NULL) {
            add_form(&line, " %s=\"", a->name);
            add_value(&line, e, a);
            add_form(&line, "\"");
        }
    add_fields(&line, e);
    if (has_children(e) || e->has_text)
        add_form(&line, ">%s</%s>", has_children(e) ? " ... " : "...", e->name);
    else
        add_form(&line, "/>");
    return text;
}

/* ---- elements ---- */

static void print_place(const AmphiElement *e, FILE *out)
{
    ToolLines   lines   = tool_lines_begin(out, 4, "");
    const char *parents = e->parents;

    if (*parents == '\0') {
        tool_lines_word(&lines, "the root of its file");
        tool_lines_end(&lines);
        return;
    }
    tool_lines_word(&lines, "stands in");
    while (*parents != '\0') {
        const int n = first_word(parents);

        tool_lines_word(&lines, "<%.*s>%s", n, parents, parents[n] == '\0' ? "," : "");
        parents += n + (parents[n] == ' ');
    }
    if (e->max < 0)
        tool_lines_word(&lines, e->min > 0 ? "once or more" : "any number of times");
    else if (e->min == e->max)
        tool_lines_word(&lines, e->max == 1 ? "exactly once" : "exactly %d times", e->max);
    else
        tool_lines_word(&lines, e->max == 1 ? "at most once" : "at most %d times", e->max);
    tool_lines_end(&lines);
}

static void write_element(const AmphiElement *e, FILE *out)
{
    char     example[512];
    ToolJson json = tool_json_begin(out, "element");

    tool_json_text(&json, "name", e->name);
    tool_json_text(&json, "parents", e->parents);
    tool_json_text(&json, "meaning", e->meaning);
    tool_json_whole(&json, "least", e->min);
    tool_json_whole(&json, "most", e->max);
    tool_json_flag(&json, "has_text", e->has_text);
    tool_json_text(&json, "example", element_example(e, example, sizeof example));
    tool_json_end(&json);
    for (const AmphiAttribute *a = e->attribute; a->name != NULL; a++)
        write_attribute(e, a, out);
}

void describe_element(const AmphiElement *e, bool as_json, FILE *out)
{
    const AmphiPotential *p;
    char                  example[512];

    if (as_json) {
        write_element(e, out);
        return;
    }
    fprintf(out, "<%s>  %s\n", e->name, e->meaning);
    print_place(e, out);
    for (const AmphiAttribute *a = e->attribute; a->name != NULL; a++)
        print_attribute(a, out);
    if (e->has_fields) {
        ToolLines lines = tool_lines_begin(out, INDENT, "and the fields of");

        for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++)
            if (strcmp(p->element, e->name) == 0)
                tool_lines_word(&lines, "%s", p->name);
        tool_lines_end(&lines);
    }
    fprintf(out, "    example: %s\n\n", element_example(e, example, sizeof example));
}

/* ---- potentials ---- */

bool potential_has_field(const AmphiPotential *p, const char *attribute)
{
    for (int32_t k = 0; k < p->n_fields; k++)
        if (amphi_field_is(&p->field[k], attribute) && !amphi_field_of_types(&p->field[k]))
            return true;
    return false;
}

/* How a potential comes into a system. */
static void print_origin(const AmphiPotential *p, FILE *out)
{
    ToolLines lines = tool_lines_begin(out, 4, "");

    if (strcmp(p->element, "charges") == 0 || strcmp(p->element, "dipoles") == 0)
        tool_lines_text(&lines, "acts by itself between beads that have charges or dipoles");
    else if (strcmp(p->element, "shifted") == 0)
        tool_lines_text(&lines, "the same with the treatment energy-shift");
    else if (strcmp(p->element, "restrain") == 0)
        tool_lines_word(&lines, "written <restrain>");
    else
        tool_lines_word(&lines, "written <%s potential=\"%s\">", p->element, p->name);
    tool_lines_end(&lines);
}

static void print_labelled(const char *label, const char *text, FILE *out)
{
    ToolLines lines = tool_lines_begin(out, INDENT, label);

    tool_lines_text(&lines, text);
    tool_lines_end(&lines);
}

static void print_field(const AmphiField *f, FILE *out)
{
    char      name[64];
    ToolLines lines = tool_lines_begin(out, INDENT, tool_field_name(f, name, sizeof name));

    tool_lines_word(&lines, "%s", amphi_units_name(f->dimension));
    if (amphi_units_known(f->dimension)[0] != '\0')
        tool_lines_word(&lines, "(%s)", amphi_units_known(f->dimension));
    if (f->range != AMPHI_RANGE_ANY)
        tool_lines_word(&lines, "%s", range_words(f->range));
    if (f->standard != NULL)
        tool_lines_word(&lines, "[default %s]", f->standard);
    else if (amphi_field_of_types(f))
        tool_lines_word(&lines, "[of the bead type, not of <pair>]");
    else
        tool_lines_word(&lines, "[required]");
    tool_lines_text(&lines, f->meaning);
    tool_lines_end(&lines);
}

static void write_potential(const AmphiPotential *p, FILE *out)
{
    ToolJson json = tool_json_begin(out, "potential");

    tool_json_text(&json, "name", p->name);
    tool_json_text(&json, "element", p->element);
    tool_json_text(&json, "formula", p->formula);
    tool_json_text(&json, "source", p->source);
    tool_json_text(&json, "treatments", p->treatments);
    tool_json_text(&json, "term", amphi_term_name(p->slot));
    tool_json_end(&json);
    for (int32_t k = 0; k < p->n_fields; k++) {
        const AmphiField *const f = &p->field[k];
        char                    name[64];

        json = tool_json_begin(out, "field");
        tool_json_text(&json, "potential", p->name);
        tool_json_text(&json, "element", p->element);
        tool_json_text(&json, "name", tool_field_name(f, name, sizeof name));
        tool_json_text(&json, "takes", amphi_units_name(f->dimension));
        tool_json_text(&json, "units", amphi_units_known(f->dimension));
        tool_json_text(&json, "range", range_words(f->range));
        tool_json_text(&json, "default", f->standard);
        tool_json_flag(&json, "of_bead_type", amphi_field_of_types(f));
        tool_json_text(&json, "meaning", f->meaning);
        tool_json_end(&json);
    }
}

void describe_potential(const AmphiPotential *p, bool as_json, FILE *out)
{
    if (as_json) {
        write_potential(p, out);
        return;
    }
    fprintf(out, "%s  %s\n", p->name, p->formula);
    print_origin(p, out);
    print_labelled("source", p->source, out);
    if (p->treatments != NULL && p->treatments[0] != '\0')
        print_labelled("treatments", p->treatments, out);
    print_labelled("term in energies.tsv", amphi_term_name(p->slot), out);
    for (int32_t k = 0; k < p->n_fields; k++)
        print_field(&p->field[k], out);
    fprintf(out, "\n");
}
