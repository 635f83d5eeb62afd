/* Lines of pairs and of treatments: each potential and each family that a file may name is read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../../engine/schema.h"
#include "../../forcefield/spec.h"
#include "job_folder.h"

/* Two beads of a type that every potential takes, with these lines and this treatment. */
static JobReading read_lines(const char *lines, const char *of, const char *type)
{
    char job[4096];

    snprintf(job, sizeof job,
             "<amphi version=\"1\"><forcefield>\n"
             "<beadtype name=\"all\" mass=\"20 u\" charge=\"1 e\" dipole=\"2 D\""
             " moments=\"1 1 2 u*nm^2\" breadth=\"0.4 nm\" length=\"0.5 nm\"/>\n"
             "<moleculetype name=\"all\"><bead id=\"1\" type=\"all\"/></moleculetype>\n%s"
             "</forcefield>\n"
             "<system><box x=\"4 nm\" y=\"4 nm\" z=\"4 nm\"/><molecule type=\"all\" count=\"2\"/>\n"
             "<start><beads length=\"nm\">\nall 1  1 1 1  1 0 0 0\nall 2  3 3 3  1 0 0 0\n</beads>"
             "</start></system>\n"
             "<interactions><cutoff distance=\"1.2 nm\"/>\n"
             "<treatment of=\"%s\" type=\"%s\"/></interactions></amphi>\n",
             lines, of, type);
    return read_job_text(job);
}

static const char *choices_of(const char *element, const char *parent, const char *attribute)
{
    return amphi_schema_attribute(amphi_schema_find(element, parent), attribute)->choices;
}

/* The first word of `words` to word[64]; what is behind it. NULL: there is none. */
static const char *next_word(const char *words, char word[64])
{
    const size_t n = strcspn(words, " ");

    snprintf(word, 64, "%.*s", (int)n, words);
    return n == 0 ? NULL : words + n + (words[n] == ' ');
}

/* ---- potentials ---- */

/* A value in range; lengths grow, so that a switch ends behind where it begins. */
static void add_field(char *line, size_t size, const AmphiField *field, int32_t k)
{
    const size_t n = strlen(line);
    char         value[64];

    snprintf(value, sizeof value, "%s", "1");
    if (field->dimension == AMPHI_DIM_LENGTH)
        snprintf(value, sizeof value, "%g nm", 0.3 + 0.02 * k);
    else if (field->dimension == AMPHI_DIM_FLAG)
        snprintf(value, sizeof value, "no");
    else if (field->dimension != AMPHI_DIM_NUMBER && field->dimension != AMPHI_DIM_WHOLE)
        snprintf(value, sizeof value, "1 %s", amphi_units_internal(field->dimension));
    snprintf(line + n, size - n, " %s=\"%s\"", field->name, value);
    for (char *c = line + n; *c != '='; c++)
        *c = *c == '_' ? '-' : *c;
}

static void write_line(char *line, size_t size, const AmphiPotential *p)
{
    snprintf(line, size, "<pair types=\"all all\" potential=\"%s\"", p->name);
    for (int32_t k = 0; k < p->n_fields; k++)
        if (!amphi_field_of_types(&p->field[k]))
            add_field(line, size, &p->field[k], k);
    snprintf(line + strlen(line), size - strlen(line), "/>\n");
}

/* Has the pair of the types a term of that potential, or of a variant of the same name? */
static bool has_term(const JobReading *r, const char *name)
{
    const AmphiPairRule *const rule = r->job->system.pair_rule;

    for (int32_t k = 0; k < rule->n_terms; k++)
        if (strcmp(amphi_potential_of_kind(rule->term[k].kind, false)->name, name) == 0)
            return true;
    return false;
}

/* Each with a line of Lennard-Jones, which all pairs may have. */
static JobReading read_pair(const AmphiPotential *p)
{
    const AmphiPotential *const lj = amphi_spec_find("pair", "lennard-jones");
    char                        lines[2048];

    write_line(lines, sizeof lines, lj);
    if (p != lj)
        write_line(lines + strlen(lines), sizeof lines - strlen(lines), p);

    /* a treatment that all families take */
    JobReading r = read_lines(lines, choices_of("treatment", "interactions", "of"), "energy-shift");
    if (r.job == NULL)
        amphi_notes_print(r.notes, stdout, false);
    assert_non_null(r.job);
    return r;
}

static void each_potential_of_a_pair_line_becomes_a_term(void **state)
{
    const AmphiPotential *p;

    (void)state;
    for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++) {
        if (strcmp(p->element, "pair") != 0)
            continue;
        JobReading r = read_pair(p);
        if (!has_term(&r, p->name))
            fail_msg("<pair potential=\"%s\"> is read and has no effect: job_pairs.c", p->name);
        assert_true(has_term(&r, "dipole-dipole"));
        assert_int_equal(has_term(&r, "sticky"), strcmp(p->name, "sticky") == 0);
        reading_free(&r);
    }
}

/* ---- treatments ---- */

static bool refuses(const char *family, const char *type)
{
    JobReading             r       = read_lines("", family, type);
    int64_t                n       = 0;
    const AmphiNote *const note    = amphi_notes_sorted(r.notes, &n);
    bool                   is_told = false;

    for (int64_t k = 0; k < n; k++)
        is_told = is_told || note[k].id == AMPHI_MSG_TREATMENT_NOT_OF;
    reading_free(&r);
    return is_told;
}

/* No family takes every treatment, so that one which is never refused is not known. */
static void each_family_of_a_treatment_is_known(void **state)
{
    char family[64], type[64];
    int  n_families = 0;

    (void)state;
    for (const char *f = choices_of("treatment", "interactions", "of");
         (f = next_word(f, family)) != NULL; n_families++) {
        const char *t          = choices_of("treatment", "interactions", "type");
        int         n_refusals = 0;

        while ((t = next_word(t, type)) != NULL)
            n_refusals += refuses(family, type);
        if (n_refusals == 0)
            fail_msg("<treatment of=\"%s\"> has no effect: job_pair_lines.c", family);
    }
    assert_true(n_families > 3);
    assert_false(refuses("lennard-jones", "force-shift"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_potential_of_a_pair_line_becomes_a_term),
        cmocka_unit_test(each_family_of_a_treatment_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
