/* Going on with other outputs: what may change, and what is refused. */
#include "run_bench.h"

#include <stdlib.h>
#include <string.h>

#define ENERGIES "<energies every=\"0.05 ps\"/>"
#define OUTPUTS  "</start></system>", GROUPS "</system>", ENERGIES
#define GROUPS                                                                                     \
    "</start><group name=\"some\" select=\"kind solvent\"/>"                                       \
    "<group name=\"same\" select=\"molecule water18\"/>"

/* The job with this in place of <energies>. */
static void open_with(Bench *b, const char *outputs)
{
    open_changed(b, (const char *const[]){ OUTPUTS, outputs, NULL });
}

/* ---- what is measured ---- */

static void an_output_that_measures_something_else_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *before, *now, *told;
    } cases[] = {
        { "<rdf every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.7 nm\"/>",
          "<rdf every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.6 nm\"/>",
          "<rdf>: measures something else than in this run so far\n"
          "    extent: 0.7 nm before, 0.6 nm now\n" },
        { "<rdf every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.7 nm\"/>",
          "<rdf every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.7 nm\" width=\"0.02 nm\"/>",
          "width: 0.01 nm before, 0.02 nm now\n" },
        { "<profile every=\"0.05 ps\" of=\"mass number\"/>",
          "<profile every=\"0.05 ps\" of=\"number mass\"/>",
          "of: mass number before, number mass now\n" },
        { "<profile every=\"0.05 ps\"/>", "<profile every=\"0.05 ps\" axis=\"x\"/>",
          "axis: z before, x now\n" },
        { "<profile every=\"0.05 ps\"/>", "<profile every=\"0.05 ps\" centre=\"some\"/>",
          "centre: all before, some (kind solvent) now\n" },
        { "<diffusion every=\"0.05 ps\" plane=\"xy\"/>", "<diffusion every=\"0.05 ps\"/>",
          "plane: xy before, xyz now\n" },
        { "<trajectory every=\"0.05 ps\" group=\"some\"/>",
          "<trajectory every=\"0.05 ps\" group=\"same\"/>",
          "group: some (kind solvent) before, same (molecule water18) now\n" },
        { "<trajectory every=\"0.05 ps\"/>",
          "<trajectory every=\"0.05 ps\" molecules=\"wrapped\"/>",
          "molecules: whole before, wrapped now\n" },
        { ENERGIES, "<energies every=\"0.05 ps\" conserved=\"mean\"/>",
          "conserved: the default before, mean now\n" },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Bench b, other;

        open_with(&b, cases[k].before);
        open_with(&other, cases[k].now);
        const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

        assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
        assert_int_equal(run_to(&other, o, 60), AMPHI_BAD_INPUT);
        if (strstr(other.err.text, cases[k].told) == NULL)
            fail_msg("got \"%s\", expected \"%s\"", other.err.text, cases[k].told);
        if (strstr(other.err.text, "job.xml:15: <") == NULL)
            fail_msg("no place in \"%s\"", other.err.text);
        assert_non_null(strstr(other.err.text, "--fresh to begin again"));
        assert_int_equal(run_to(&b, o, 60), AMPHI_OK);
        close_bench(&other);
        close_bench(&b);
    }
}

static void when_it_is_measured_and_how_that_is_written_may_change(void **state)
{
    (void)state;
    Bench b, other;

    open_with(&b, "<rdf every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.7 nm\"/>");
    open_with(&other, "<rdf every=\"3 steps\" from=\"press\" beads=\" water18  water18\" "
                      "extent=\"7 A\" width=\"10 pm\"/>");
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    assert_int_equal(run_to(&other, o, 90), AMPHI_OK);
    assert_int_equal(run_to(&b, o, 100), AMPHI_OK);
    close_bench(&other);
    close_bench(&b);
}

static void an_output_that_has_seen_nothing_yet_may_change(void **state)
{
    (void)state;
    static const char before[] =
        "<rdf from=\"free\" every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.7 nm\"/>";
    static const char now[] =
        "<rdf from=\"free\" every=\"0.05 ps\" beads=\"water18 water18\" extent=\"0.6 nm\"/>";
    Bench b, other;

    open_with(&b, before);
    open_with(&other, now);
    const AmphiRunOptions o     = options_of(b.dir[0], "cpu", AMPHI_SINGLE);
    const AmphiRunOptions whole = options_of(b.dir[1], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 60), AMPHI_OK);
    assert_int_equal(run_once(&other, &o, NULL), AMPHI_OK);
    assert_int_equal(run_once(&other, &whole, NULL), AMPHI_OK);
    check_same_file(b.dir[0], b.dir[1], "rdf.tsv");
    close_bench(&other);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_output_that_measures_something_else_is_refused),
        cmocka_unit_test(when_it_is_measured_and_how_that_is_written_may_change),
        cmocka_unit_test(an_output_that_has_seen_nothing_yet_may_change),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
