/* amphi describe: every entry of every table can be asked for by its name, and the tables of the
 * program agree with those of the library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../engine/schema.h"
#include "../../tools/reference.h"
#include "../../tools/topics.h"
#include "json_lines.h"
#include "run_amphi.h"

static char *described(Topic topic, int32_t k, bool as_json)
{
    static char text[65536];
    FILE *const out = fmemopen(text, sizeof text, "w");

    assert_non_null(out);
    text[0] = '\0';
    topic_describe(topic, k, as_json, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void every_entry_is_described_with_its_name(void **state)
{
    (void)state;
    for (int topic = 0; topic < TOPICS; topic++) {
        assert_non_null(topic_entry((Topic)topic, 0));
        for (int32_t k = 0; topic_entry((Topic)topic, k) != NULL; k++) {
            check_has(described((Topic)topic, k, false), topic_entry((Topic)topic, k));
            check_has(described((Topic)topic, k, true), topic_entry((Topic)topic, k));
            if (!are_json_lines(described((Topic)topic, k, true)))
                fail_msg("no JSON: %s", described((Topic)topic, k, true));
        }
    }
}

/* Of each format amphi reads all that it writes; a checkpoint is read in pieces. */
static void formats_that_are_written_are_read_too(void **state)
{
    (void)state;
    for (int32_t k = 0; topic_entry(TOPIC_FORMATS, k) != NULL; k++) {
        check_has(described(TOPIC_FORMATS, k, false), "read and written:");
        check_has(described(TOPIC_FORMATS, k, true), "\"is_read\":true");
    }
}

static void no_line_is_wider_than_a_screen(void **state)
{
    (void)state;
    for (int topic = 0; topic < TOPIC_MESSAGES; topic++)
        for (int32_t k = 0; topic_entry((Topic)topic, k) != NULL; k++) {
            char *rest = described((Topic)topic, k, false), *line = NULL;

            while ((line = strtok_r(NULL, "\n", &rest)) != NULL)
                if (strlen(line) > 120)
                    fail_msg("%zu columns: %s", strlen(line), line);
        }
}

static void treatments_are_those_of_the_schema_in_the_same_order(void **state)
{
    const AmphiElement *const   e        = amphi_schema_find("treatment", "interactions");
    const AmphiAttribute *const type     = amphi_schema_attribute(e, "type");
    char                        all[512] = "";
    (void)state;

    for (const ToolEntry *t = tool_treatments(); t->name != NULL; t++) {
        strcat(all, all[0] != '\0' ? " " : "");
        strcat(all, t->name);
    }
    assert_string_equal(all, type->choices);
}

static void exit_codes_are_those_of_the_library(void **state)
{
    const ToolEntry *const codes = tool_exit_codes();
    int                    n     = 0;
    (void)state;

    while (codes[n].name != NULL)
        n++;
    assert_int_equal(n, 9);
    for (int k = 0; k < n; k++)
        assert_int_equal(atoi(codes[k].name), k);
    for (int status = AMPHI_OK; status <= AMPHI_STOPPED; status++)
        assert_true(amphi_exit_code((AmphiStatus)status) < n);
}

static void kinds_lead_back_to_their_potentials(void **state)
{
    const AmphiPotential *p = NULL;
    (void)state;

    for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++)
        assert_true(p == amphi_potential_of_kind(p->kind, false) ||
                    p == amphi_potential_of_kind(p->kind, true));
    assert_string_equal(amphi_potential_of_kind(0, true)->element, "bond");
    assert_string_equal(amphi_potential_of_kind(0, false)->name, "lennard-jones");
    assert_null(amphi_potential_of_kind(1000, true));
}

/* ---- by the program ---- */

static void names_attributes_units_and_lists_can_be_asked_for(void **state)
{
    static const struct {
        const char *asked, *told;
    } cases[] = {
        { "", "treatments " },
        { "box", "<box>  periodic box" },
        { "<box>", "example: <box x=\"1 nm\" y=\"1 nm\" z=\"1 nm\"/>" },
        { "bilayer", "example: <bilayer water-per-lipid=\"33\"> ... </bilayer>" },
        { "run", "ensemble=\"nve\" length=\"1 ns\"" },
        { "forcefield", "the root of its file" },
        { "forcefield", "stands in <amphi>, exactly once" },
        { "lennard-jones", "u = 4 epsilon [(sigma/r)^12 - (sigma/r)^6]" },
        { "harmonic", "without 1/2" },
        { "harmonic", "written <angle potential=\"harmonic\">" },
        { "water-per-lipid", "<bilayer>" }, /* an attribute */
        { "s-prime-from", "sticky" },       /* a field */
        { "kcal/mol", "1 kcal/mol = 4.184" },
        { "length", "1 A = 0.1" },
        { "truncated", "nothing beyond the cut-off" },
        { "energies.tsv", "not symmetrised" },
        { "area.tsv", "of run with <area>" },
        { "langevin", "<thermostat>" }, /* a value */
        { "signals", "USR1" },
        { "environment", "NO_COLOR" },
        { "gro", "read and written" },
        { "3", "the input is wrong" },
        { "NOT_A_CHOICE", "not one of its values" },
        { "exit-codes", "stopped early on request" },
        { "precision", "angular momentum of a bead" },
        { "precision", "in 1.53e-05 kJ/mol/nm up to 8.19e+03" },
        { "--all", "<restrain>" },
        { "box length", "in nm inside" },
        { "charge", "in e inside\n" },
        { "angle", "in rad inside; 1 deg = 0.0174532925199\n" },
    };
    (void)state;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const Run *const run = amphi_form("describe %s", cases[k].asked);

        check_code(run, 0);
        assert_string_equal(run->eye, "");
        check_has(run->out, cases[k].told);
    }
}

static void an_unknown_name_is_refused_with_the_nearest(void **state)
{
    const Run *run = amphi("describe lenard-jones");
    (void)state;

    check_code(run, 2);
    check_has(run->eye, "nothing is called \"lenard-jones\"");
    check_has(run->eye, "did you mean lennard-jones?");
    check_code(amphi("describe box bxo"), 2);
    check_code(amphi("describe --xsd system"), 2);
    check_code(amphi("describe --xsd amphi box"), 2);
}

static void everything_is_also_json(void **state)
{
    static Run run;
    (void)state;

    run_program(&run, find_program(), "describe --json", NULL, -1);
    check_code(&run, 0);
    assert_true(are_json_lines(run.out));
    check_has(run.out, "{\"kind\":\"element\",\"name\":\"box\",");
    check_has(run.out, "{\"kind\":\"attribute\",\"element\":\"box\",\"parents\":\"system\","
                       "\"name\":\"x\",\"use\":\"required\",\"takes\":\"length\",");
    check_has(run.out, "{\"kind\":\"field\",\"potential\":\"harmonic\",\"element\":\"bond\","
                       "\"name\":\"k\",");
    assert_string_equal(amphi("describe --json --all")->out, run.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_is_described_with_its_name),
        cmocka_unit_test(formats_that_are_written_are_read_too),
        cmocka_unit_test(no_line_is_wider_than_a_screen),
        cmocka_unit_test(treatments_are_those_of_the_schema_in_the_same_order),
        cmocka_unit_test(exit_codes_are_those_of_the_library),
        cmocka_unit_test(kinds_lead_back_to_their_potentials),
        cmocka_unit_test(names_attributes_units_and_lists_can_be_asked_for),
        cmocka_unit_test(an_unknown_name_is_refused_with_the_nearest),
        cmocka_unit_test(everything_is_also_json),
    };

    return cmocka_run_group_tests(tests, make_run_folder, remove_run_folder);
}
