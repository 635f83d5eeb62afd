/* What a run finds before the first step of a stage: beads that would fly apart; and bonds that are
 * torn, then or later.
 */
#include "run_bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two beads of a molecule, and others that are far from each other; LJ of 2 kJ/mol and 0.4 nm. */
typedef struct {
    double      distance_nm;
    const char *k;        /* of the bond between them; NULL: two molecules */
    int         n_others; /* at most 25 */
    const char *relax;    /* before the run */
    const char *heat;     /* velocities of the start; NULL: at rest */
} Case;

#define RELAX "<minimise name=\"relax\" steps=\"500\"/>"

static void write_beads(const Case *c, char *text, size_t size)
{
    int n = snprintf(text, size, "a 1 2.9 1 1 1 0 0 0\na %d %.3f 1 1 1 0 0 0\n",
                     c->k != NULL ? 1 : 2, 2.9 + c->distance_nm);

    for (int i = 0; i < c->n_others; i++)
        n += snprintf(text + n, size - (size_t)n, "a %d %.1f %.1f 2.5 1 0 0 0\n",
                      i + (c->k != NULL ? 2 : 3), 0.3 + 0.6 * (i % 5), 0.3 + 0.6 * (i / 5));
}

static char *job_of(const Case *c)
{
    char        beads[2048], bond[320] = "";
    char *const text = malloc(8192);

    assert_non_null(text);
    write_beads(c, beads, sizeof beads);
    if (c->k != NULL)
        snprintf(bond, sizeof bond,
                 "<moleculetype name=\"pair\"><bead id=\"1\" type=\"a\" name=\"B\"/><bead id=\"2\" "
                 "type=\"a\" name=\"C\"/>"
                 "<bond beads=\"1 2\" potential=\"harmonic\" k=\"%s\" length=\"0.4 nm\"/>",
                 c->k);
    snprintf(
        text, 8192,
        "<amphi version=\"1\">\n<forcefield><beadtype name=\"a\" mass=\"40 u\"/>\n"
        "<pair types=\"a a\" potential=\"lennard-jones\" epsilon=\"2 kJ/mol\" sigma=\"0.4 nm\"/>"
        "\n%s%s<moleculetype name=\"one\"><bead id=\"1\" type=\"a\"/></moleculetype>\n"
        "</forcefield>\n<system><box x=\"3 nm\" y=\"3 nm\" z=\"3 nm\"/>%s"
        "<molecule type=\"one\" count=\"%d\"/>\n<start><beads length=\"nm\">\n%s</beads>%s"
        "</start></system>\n<interactions><cutoff distance=\"1.2 nm\"/>"
        "<treatment of=\"lennard-jones\" type=\"force-shift\"/></interactions>\n"
        "<plan timestep=\"5 fs\">%s<run name=\"go\" ensemble=\"nve\" length=\"0.5 ps\"/></plan>\n"
        "<compute><watch every=\"8 steps\"/></compute></amphi>\n",
        bond, c->k != NULL ? "</moleculetype>\n" : "",
        c->k != NULL ? "<molecule type=\"pair\" count=\"1\"/>" : "",
        c->n_others + (c->k != NULL ? 0 : 2), beads, c->heat != NULL ? c->heat : "", c->relax);
    return text;
}

/* text NULL: it runs to its end; else what its fault says. */
static void check_on(const char *backend, AmphiPrecision precision, const Case *c, const char *text)
{
    char *const job = job_of(c);
    Bench       b   = { .folder = folder_make(), .reading = read_job_text(job) };

    if (b.reading.job == NULL)
        amphi_notes_print(b.reading.notes, stderr, false);
    assert_non_null(b.reading.job);
    b.job = b.reading.job;
    snprintf(b.dir[0], sizeof b.dir[0], "%s/run", b.folder);

    const AmphiRunOptions o      = options_of(b.dir[0], backend, precision);
    const AmphiStatus     status = run_once(&b, &o, NULL);
    if (status != (text == NULL ? AMPHI_OK : AMPHI_UNSTABLE) ||
        (text != NULL && strstr(b.err.text, text) == NULL))
        fail_msg("%s %s: status %d: %s\nnot: %s", backend, amphi_precision_name(precision),
                 (int)status, b.err.text, text != NULL ? text : "to its end");
    free(job);
    close_bench(&b);
}

static void check_in(AmphiPrecision precision, const Case *c, const char *text)
{
    check_on("cpu", precision, c, text);
}

static void check_case(const Case *c, const char *text)
{
    for (int precision = AMPHI_SINGLE; precision <= AMPHI_FIXED; precision++)
        check_in((AmphiPrecision)precision, c, text);
}

static const char strong[] = "2000 kJ/mol/nm^2", weak[] = "50 kJ/mol/nm^2";

/* 8 kJ/mol (1.6^12 - 1.6^6) in the pair. */
static void a_start_with_too_much_energy_is_refused(void **state)
{
    (void)state;
    const Case alone = { 0.25, NULL, 0, "", NULL };

    check_in(AMPHI_DOUBLE, &alone,
             "fault at step 0 (0 ps): the stage would begin with a potential energy of "
             "1.06e+03 kJ/mol a bead, above 100 kT = 249");
    check_case(&alone, "bead 1 = one 1; nearest is bead 2 (one 2) at 0.25 nm");
    check_case(&alone, "write: <minimise name=\"relax\" steps=\"500\"/> before this stage");
}

/* Spread over all beads the energy is no more than 83 kJ/mol. */
static void one_overlap_among_many_beads_is_refused(void **state)
{
    (void)state;
    const Case among = { 0.25, NULL, 23, "", NULL };

    check_in(AMPHI_DOUBLE, &among,
             "fault at step 0 (0 ps): the first step would give it 3.44e+03 kJ/mol, above "
             "100 kT");
    check_in(AMPHI_SINGLE, &among, "above 100 kT = 249");
    check_in(AMPHI_FIXED, &among, "left the range of fixed precision");
    check_case(&among, "write: <minimise");
}

static void what_is_minimised_or_no_overlap_begins(void **state)
{
    (void)state;
    check_case(&(Case){ 0.25, NULL, 23, RELAX, NULL }, NULL);
    check_case(&(Case){ 0.35, NULL, 0, "", NULL }, NULL);
}

/* 2000 kJ/mol/nm^2 (0.6 nm)^2 is 720 kJ/mol. */
static void a_torn_bond_is_a_fault(void **state)
{
    (void)state;
    const Case torn = { 1.0, strong, 23, "", NULL };

    check_case(&torn, "its bond to bead 2 (pair 1 bead C) is 1 nm long, at rest 0.4 nm");
    check_case(&torn, "bead 1 = pair 1 bead B");
}

/* At 5e5 K beads go some 0.1 nm in a step. The last checkpoint is that of the start; a device looks
 * at beads and bonds by itself, and what it finds is told as elsewhere. */
static void check_tearing(const char *backend)
{
    const Case fast = { 0.45, strong, 1, "", "<velocities temperature=\"5e5 K\" seed=\"1\"/>" };

    for (int p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++) {
        check_on(backend, (AmphiPrecision)p, &fast,
                 "fault at step 16 (0.08 ps): its bond to bead 2 (pair 1 bead C) is");
        check_on(backend, (AmphiPrecision)p, &fast, "bead 1 = pair 1 bead B");
        check_on(backend, (AmphiPrecision)p, &fast, "state of step 8 kept in fault-16.chk");
    }
}

static void a_bond_that_is_torn_on_the_way_is_found_by_the_next_look(void **state)
{
    (void)state;
    check_tearing("cpu");
}

static void by_that_of_a_device_as_well(void **state)
{
    (void)state;
    skip_without_device(AMPHI_SINGLE);
    check_tearing("cuda");
}

/* Across the edge of the box; just below twice the length; weak; and while it is minimised. */
static void bonds_that_are_stretched_less_or_by_heat_are_no_fault(void **state)
{
    (void)state;
    check_case(&(Case){ 0.45, strong, 23, "", NULL }, NULL);
    check_case(&(Case){ 0.79, strong, 23, "", NULL }, NULL);
    check_case(&(Case){ 1.0, weak, 23, "", NULL }, NULL);
    check_case(&(Case){ 1.0, strong, 23, RELAX, NULL }, NULL);
}

static void what_is_too_fast_behind_a_minimisation_is_told_as_that(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, "<velocities temperature=\"298 K\"", "<velocities temperature=\"1e7 K\"");
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_once(&b, &o, NULL), AMPHI_UNSTABLE);
    assert_non_null(strstr(b.err.text, "or a lower temperature at <velocities>"));
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_with_too_much_energy_is_refused),
        cmocka_unit_test(one_overlap_among_many_beads_is_refused),
        cmocka_unit_test(what_is_minimised_or_no_overlap_begins),
        cmocka_unit_test(a_torn_bond_is_a_fault),
        cmocka_unit_test(a_bond_that_is_torn_on_the_way_is_found_by_the_next_look),
        cmocka_unit_test(by_that_of_a_device_as_well),
        cmocka_unit_test(bonds_that_are_stretched_less_or_by_heat_are_no_fault),
        cmocka_unit_test(what_is_too_fast_behind_a_minimisation_is_told_as_that),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
