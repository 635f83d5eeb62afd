/* The manual page: commands and their options, elements and their attributes, potentials, units,
 * files and exit codes. Messages are left to `amphi describe`.
 */
#include "man.h"

#include "../engine/formats/snapshot.h"
#include "../engine/schema.h"
#include "../engine/version.h"
#include "commands.h"
#include "reference.h"
#include "topics_xml.h"

/* Text in which roff sees no requests and no escapes, and a minus that can be copied. */
static void put(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text != '\0'; text++) {
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else if (*text == '"') /* would end the argument of a request */
            fputs("\\(dq", out);
        else
            fputc(*text, out);
    }
}

static void put_line(FILE *out, const char *text)
{
    put(out, text);
    fputc('\n', out);
}

static void put_parts(FILE *out, const char *before, const char *text, const char *after)
{
    fputs(before, out);
    put(out, text);
    fputs(after, out);
}

static void put_section(FILE *out, const char *request, const char *title)
{
    fprintf(out, ".%s \"", request);
    put(out, title);
    fputs("\"\n", out);
}

/* A word in bold, and behind it its meaning, indented. */
static void put_entry(FILE *out, const char *label, const char *meaning)
{
    fputs(".TP\n\\fB", out);
    put(out, label);
    fputs("\\fR\n", out);
    put_line(out, meaning);
}

static void put_example(FILE *out, const char *line)
{
    fputs(".PP\n.nf\n.RS\n", out);
    put_line(out, line);
    fputs(".RE\n.fi\n", out);
}

static void put_entries(FILE *out, const ToolEntry *entry)
{
    for (; entry->name != NULL; entry++)
        put_entry(out, entry->name, entry->meaning);
}

/* ---- commands ---- */

static void put_option(FILE *out, const ToolOption *o)
{
    fputs(".TP\n\\fB", out);
    if (o->letter != 0)
        fprintf(out, "\\-%c\\fR, \\fB", o->letter);
    fputs("\\-\\-", out);
    put(out, o->name);
    fputs("\\fR", out);
    if (o->value != NULL) {
        fputs(" \\fI", out);
        put(out, o->value);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put(out, o->meaning);
    if (o->choices != NULL)
        put_parts(out, "; one of: ", o->choices, "");
    fputc('\n', out);
}

static void put_commands(FILE *out)
{
    const ToolCommand *c = NULL;

    put_section(out, "SH", "COMMANDS");
    for (int k = 0; (c = tool_command_at(k)) != NULL; k++) {
        char title[128];

        snprintf(title, sizeof title, "amphi %s %s", c->name, c->arguments);
        put_section(out, "SS", title);
        put_line(out, c->meaning);
        for (const ToolOption *o = c->option; o->name != NULL; o++)
            put_option(out, o);
        for (int e = 0; e < 2; e++)
            put_example(out, c->example[e]);
    }
}

/* ---- elements ---- */

static bool has_units(AmphiDimension dimension)
{
    return amphi_units_known(dimension)[0] != '\0';
}

static void put_attribute(FILE *out, const AmphiAttribute *a)
{
    const bool is_numeric = a->kind == AMPHI_ATTR_QUANTITY || a->kind == AMPHI_ATTR_VECTOR ||
                            a->kind == AMPHI_ATTR_INTERVAL;

    put_entry(out, a->name, a->meaning);
    if (a->choices != NULL)
        put_parts(out, "(", a->choices, ")\n");
    if (is_numeric && has_units(a->dimension))
        put_parts(out, "(", amphi_units_known(a->dimension), ")\n");
    if (a->use == AMPHI_DEFAULT)
        put_parts(out, "[default ", a->standard, "]\n");
    else
        fputs(a->use == AMPHI_REQUIRED ? "[required]\n" : "[optional]\n", out);
}

static void put_elements(FILE *out)
{
    const AmphiElement *e = NULL;
    char                text[512];

    put_section(out, "SH", "ELEMENTS OF SYSTEM FILES AND FORCE FIELDS");
    for (int32_t k = 0; (e = amphi_schema_at(k)) != NULL; k++) {
        snprintf(text, sizeof text, "<%s>", e->name);
        put_section(out, "SS", text);
        put_line(out, e->meaning);
        if (e->parents[0] != '\0')
            put_parts(out, "(in ", e->parents, ")\n");
        for (const AmphiAttribute *a = e->attribute; a->name != NULL; a++)
            put_attribute(out, a);
        put_example(out, element_example(e, text, sizeof text));
    }
}

/* ---- potentials, units, formats ---- */

static void put_potentials(FILE *out)
{
    const AmphiPotential *p = NULL;

    put_section(out, "SH", "POTENTIALS");
    for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++) {
        put_section(out, "SS", p->name);
        put_line(out, p->formula);
        put_parts(out, "(", p->source, ")\n");
        for (int32_t f = 0; f < p->n_fields; f++) {
            char name[64];

            put_entry(out, tool_field_name(&p->field[f], name, sizeof name), p->field[f].meaning);
            if (has_units(p->field[f].dimension))
                put_parts(out, "(", amphi_units_known(p->field[f].dimension), ")\n");
        }
    }
}

static void put_units(FILE *out)
{
    put_section(out, "SH", "UNITS");
    for (int d = AMPHI_DIM_LENGTH; d < AMPHI_DIMENSIONS; d++) {
        put_entry(out, amphi_units_name((AmphiDimension)d), amphi_units_known((AmphiDimension)d));
        put_parts(out, "(inside: ", amphi_units_internal((AmphiDimension)d), ")\n");
    }
}

static void put_formats(FILE *out)
{
    const AmphiFormat *f = NULL;

    put_section(out, "SH", "FORMATS");
    for (int32_t k = 0; (f = amphi_format_at(k)) != NULL; k++)
        put_entry(out, f->name,
                  !amphi_format_is_read(f) ? "written"
                  : f->write == NULL       ? "read"
                                           : "read and written");
}

/* ---- the page ---- */

void tool_write_man(FILE *out)
{
    fprintf(out, ".TH AMPHI 1 \"\" \"amphi %s\" \"User Commands\"\n.nh\n.ad l\n", AMPHI_VERSION);
    put_section(out, "SH", "NAME");
    put_line(out, "amphi - coarse-grain membranes from one XML file");
    put_section(out, "SH", "SYNOPSIS");
    fputs("\\fBamphi\\fR \\fICOMMAND\\fR ... [options]\n", out);
    put_section(out, "SH", "DESCRIPTION");
    put_line(out,
             "Lipids and water as charged, dipolar and ellipsoidal beads: a system is read from "
             "one XML file, built from its composition, checked, run and measured. A run that "
             "was stopped goes on with the same command.");
    put_commands(out);
    put_elements(out);
    put_potentials(out);
    put_section(out, "SH", "TREATMENTS AT THE CUT-OFF");
    put_entries(out, tool_treatments());
    put_units(out);
    put_section(out, "SH", "FILES");
    put_entries(out, tool_result_files());
    put_formats(out);
    put_section(out, "SH", "SIGNALS");
    put_entries(out, tool_signals());
    put_section(out, "SH", "EXIT STATUS");
    put_entries(out, tool_exit_codes());
    put_section(out, "SH", "ENVIRONMENT");
    put_entries(out, tool_environment());
}
