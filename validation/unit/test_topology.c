/* Molecules repeated: beads in order, bonds moved along, bonded beads excluded, counts that fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../../forcefield/spec.h"
#include "job_folder.h"

/* Chains of three that end where the next begins, and a ring; bonds in an odd order. */
static const char chains[] =
    "<amphi version=\"1\"><forcefield>\n"
    "<beadtype name=\"a\" mass=\"1 u\" charge=\"0.5 e\"/><beadtype name=\"b\" mass=\"2 u\"/>\n"
    "<beadtype name=\"unused\" mass=\"2 u\"/>\n"
    "<pair types=\"a a\" potential=\"none\"/><pair types=\"b b\" potential=\"none\"/>\n"
    "<pair types=\"a b\" potential=\"none\"/>\n"
    "<moleculetype name=\"chain\"><bead id=\"1\" type=\"b\"/><bead id=\"2\" type=\"a\"/>"
    "<bead id=\"3\" type=\"b\" name=\"end\"/>\n"
    "<bond beads=\"3 2\" potential=\"harmonic\" k=\"1 kJ/mol/nm^2\" length=\"1 nm\"/>\n"
    "<bond beads=\"2 1\" potential=\"harmonic\" k=\"1 kJ/mol/nm^2\" length=\"2 nm\"/>\n"
    "<angle beads=\"1 2 3\" potential=\"harmonic\" k=\"1 kJ/mol/rad^2\" angle=\"90 deg\"/>\n"
    "</moleculetype>\n"
    "<moleculetype name=\"one\"><bead id=\"1\" type=\"a\"/></moleculetype>\n"
    "</forcefield><system><box x=\"9 nm\" y=\"9 nm\" z=\"9 nm\"/>\n"
    "<molecule type=\"one\" count=\"2\"/><molecule type=\"chain\" count=\"2\"/>"
    "<molecule type=\"one\" count=\"1\"/>\n"
    "<start><beads length=\"nm\">\n"
    "a 1 1 1 1 1 0 0 0\na 2 2 1 1 1 0 0 0\n"
    "b 3 3 1 1 1 0 0 0\na 3 4 1 1 1 0 0 0\nb 3 5 1 1 1 0 0 0\n"
    "b 4 3 3 1 1 0 0 0\na 4 4 3 1 1 0 0 0\nb 4 5 3 1 1 0 0 0\n"
    "a 5 1 2 1 1 0 0 0\n"
    "</beads></start></system>\n"
    "<interactions><cutoff distance=\"1 nm\"/><treatment of=\"charges\" type=\"force-shift\"/>"
    "</interactions></amphi>\n";

static JobReading read_chains(const char *text)
{
    JobReading r = read_job_text(text);

    if (r.job == NULL)
        amphi_notes_print(r.notes, stdout, false);
    assert_non_null(r.job);
    return r;
}

static void beads_follow_the_order_of_molecules(void **state)
{
    (void)state;
    static const int32_t type[] = {
        1, 1, 0, 1, 0, 0, 1, 0, 1
    }; /* b is the first of the first type of molecules */
    static const int32_t     molecule[] = { 0, 1, 2, 2, 2, 3, 3, 3, 4 };
    static const int32_t     first[]    = { 0, 1, 2, 5, 8 };
    JobReading               r          = read_chains(chains);
    const AmphiSystem *const s          = &r.job->system;

    assert_int_equal(s->n_beads, 9);
    assert_int_equal(s->n_molecules, 5);
    assert_int_equal(s->n_types, 2);
    assert_memory_equal(s->bead_type, type, sizeof type);
    assert_memory_equal(s->bead_molecule, molecule, sizeof molecule);
    for (int32_t k = 0; k < 5; k++)
        assert_int_equal(s->molecule[k].first_bead, first[k]);
    assert_string_equal(s->molecule_type[s->molecule[2].type].name, "chain");
    assert_string_equal(s->molecule_type[s->molecule[2].type].bead_name[2], "end");
    assert_string_equal(s->molecule_type[s->molecule[2].type].bead_name[0], "b");
    for (int32_t i = 0; i < 9; i++)
        assert_true(s->bead_charge_e[i] == (type[i] == 1 ? 0.5 : 0));
    reading_free(&r);
}

static void bonds_move_along_with_their_molecules(void **state)
{
    (void)state;
    static const int32_t     bond[][3] = { { 4, 3, -1 }, { 3, 2, -1 }, { 2, 3, 4 },
                                           { 7, 6, -1 }, { 6, 5, -1 }, { 5, 6, 7 } };
    JobReading               r         = read_chains(chains);
    const AmphiSystem *const s         = &r.job->system;

    assert_int_equal(s->n_bonds, 6);
    for (int32_t k = 0; k < 6; k++) {
        assert_int_equal(s->bond[k].bead[0], bond[k][0]);
        assert_int_equal(s->bond[k].bead[1], bond[k][1]);
        assert_true(bond[k][2] < 0 || s->bond[k].bead[2] == bond[k][2]);
    }
    assert_int_equal(s->n_bond_rules, 3);
    assert_int_equal(s->bond[0].rule, s->bond[3].rule);
    assert_int_not_equal(s->bond[0].rule, s->bond[1].rule);
    assert_int_equal(s->bond_rule[s->bond[2].rule].kind,
                     amphi_spec_find("angle", "harmonic")->kind);
    reading_free(&r);
}

static void the_same_numbers_are_one_rule(void **state)
{
    (void)state;
    char *const              text = replaced(chains, "length=\"2 nm\"", "length=\"1 nm\"");
    JobReading               r    = read_chains(text);
    const AmphiSystem *const s    = &r.job->system;

    assert_int_equal(s->n_bond_rules, 2);
    assert_int_equal(s->bond[0].rule, s->bond[1].rule);
    assert_int_equal(s->bond[0].rule, s->bond[4].rule);
    reading_free(&r);
    free(text);
}

/* Not the ends of an angle. */
static void bonded_beads_and_no_others_are_excluded(void **state)
{
    (void)state;
    static const int32_t pair[][2] = { { 2, 3 }, { 3, 4 }, { 5, 6 }, { 6, 7 } };
    JobReading           r         = read_chains(chains);

    assert_int_equal(r.job->system.n_exclusions, 4);
    assert_memory_equal(r.job->system.exclusion, pair, sizeof pair);
    reading_free(&r);
}

static void what_memory_cannot_hold_is_refused_at_once(void **state)
{
    (void)state;
    char *const text = replaced(chains, "<molecule type=\"chain\" count=\"2\"/>",
                                "<molecule type=\"chain\" count=\"2000\"/>");
    static const struct {
        double max_memory;
        bool   is_too_large;
    } rows[] = {
        /* 6003 beads, 6000 bonds, 2003 molecules of 600 bytes each are 8.4 MB */
        { 8.3e6, true },
        { 8.5e6, false },
    };

    for (size_t k = 0; k < 2; k++) {
        const AmphiLoadOptions options = { .max_memory = rows[k].max_memory };
        AmphiNotes *const      notes   = amphi_notes_new();
        AmphiJob *const        job =
            amphi_job_parse("job.xml", text, (int64_t)strlen(text), &options, notes, NULL);
        int64_t          n     = 0;
        const AmphiNote *list  = amphi_notes_sorted(notes, &n);
        bool             found = false;

        for (int64_t i = 0; i < n; i++)
            found = found || list[i].id == AMPHI_MSG_SYSTEM_TOO_LARGE;
        assert_int_equal(found, rows[k].is_too_large);
        assert_null(job);
        amphi_notes_free(notes);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beads_follow_the_order_of_molecules),
        cmocka_unit_test(bonds_move_along_with_their_molecules),
        cmocka_unit_test(the_same_numbers_are_one_rule),
        cmocka_unit_test(bonded_beads_and_no_others_are_excluded),
        cmocka_unit_test(what_memory_cannot_hold_is_refused_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
