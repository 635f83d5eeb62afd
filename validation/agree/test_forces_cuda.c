/* Forces of the backend `cuda`, single and double, against the reference: on every shipped system,
 * boxes of odd sizes, sticky water, ellipsoids, each of one type and of two, and potentials that
 * end with an edge. Without a device every test is skipped, and says so.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/arena.h"
#include "../../forcefield/spec.h"
#include "backends.h"

static void check_forces_at_margin(const AmphiSystem *system, double margin_nm, const char *what,
                                   const Bound *bound)
{
    Evaluation exact = evaluate(system);

    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_DOUBLE; p++) {
        const AmphiBackend *backend = device_or_skip(p);
        AmphiState         *state   = open_state(backend, system, margin_nm);
        Vectors             force   = vectors_new(system->n_beads);
        AmphiFrame          frame;
        Errors              e;

        DO(backend->compute_forces(state, 0, &err));
        DO(backend->read_frame(state, AMPHI_NEED_FORCES, &frame, &err));
        memcpy(force, frame.force_kJ_mol_nm, (size_t)system->n_beads * sizeof *force);
        DO(backend->compute_forces(state, AMPHI_NEED_ENERGY, &err));
        DO(backend->read_frame(state, AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES, &frame, &err));
        assert_memory_equal(force, frame.force_kJ_mol_nm, (size_t)system->n_beads * sizeof *force);
        e = errors_of(&frame, &exact);
        hold_errors(what, p, &e, bound);
        for (int k = 0; k < AMPHI_TERMS; k++) /* in single a pair may round across its cut-off */
            assert_true(llabs(frame.term_count[k] - exact.count[k]) <=
                        (p == AMPHI_SINGLE ? 1 + exact.count[k] / 20000 : 0));
        amphi_release(force);
        backend->close(state);
    }
    evaluation_free(&exact);
}

static void check_forces(const AmphiSystem *system, const char *what, const Bound *bound)
{
    check_forces_at_margin(system, 0, what, bound);
}

/* ---- fluids ---- */

/* Every third bead is of a second type, which attracts less. */
typedef struct {
    AmphiSystem   system;
    AmphiBeadType type[2];
    AmphiPairRule rule[4];
    int32_t      *bead_type;
} TwoTypes;

static void scale_wells(AmphiPairRule *rule, double by)
{
    const AmphiPotential *const has_wells[] = { amphi_spec_find("pair", "lennard-jones"),
                                                amphi_spec_find("pair", "gay-berne") };

    for (int32_t k = 0; k < rule->n_terms; k++)
        for (int p = 0; p < 2; p++)
            for (int32_t f = 0; f < has_wells[p]->n_fields; f++)
                if (rule->term[k].kind == has_wells[p]->kind &&
                    strcmp(has_wells[p]->field[f].name, "epsilon") == 0)
                    rule->term[k].field[f] *= by;
}

static void split_type(const AmphiSystem *from, TwoTypes *to)
{
    assert_int_equal(from->n_types, 1);
    to->system    = *from;
    to->bead_type = (int32_t *)amphi_alloc(from->n_beads, sizeof(int32_t));
    assert_non_null(to->bead_type);
    for (int32_t i = 0; i < from->n_beads; i++)
        to->bead_type[i] = i % 3 == 0;
    for (int k = 0; k < 2; k++)
        to->type[k] = from->type[0];
    for (int k = 0; k < 4; k++) {
        to->rule[k] = from->pair_rule[0];
        scale_wells(&to->rule[k], k == 0 ? 1 : k == 3 ? 0.8 : 0.9);
    }
    to->system.n_types   = 2;
    to->system.type      = to->type;
    to->system.pair_rule = to->rule;
    to->system.bead_type = to->bead_type;
}

/* Kernels for one type read constants as they are, others by the types of a pair. */
static void check_fluid(const AmphiJob *job, double margin_nm, const char *what, const Bound *bound)
{
    TwoTypes two;
    char     name[128];

    check_forces_at_margin(&job->system, margin_nm, what, bound);
    split_type(&job->system, &two);
    snprintf(name, sizeof name, "%s, two types", what);
    check_forces_at_margin(&two.system, margin_nm, name, bound);
    amphi_release(two.bead_type);
}

static void forces_are_those_of_the_reference_on_every_shipped_system(void **state)
{
    (void)state;
    device_or_skip(AMPHI_SINGLE);
    for (int k = 0; k < n_single_bounds; k++) {
        AmphiJob *job = job_of(".", single_bounds[k].name);

        check_forces(&job->system, single_bounds[k].name, &single_bounds[k]);
        amphi_job_free(job);
    }
}

static void forces_are_those_of_the_reference_on_the_peers_membrane(void **state)
{
    char      data[PATH_SIZE], folder[PATH_SIZE];
    AmphiJob *job;

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    PEER_OR_SKIP("elba/dmpc", data);
    job = peer_membrane(data, folder);
    check_forces(&job->system, peer_bound.name, &peer_bound);
    amphi_job_free(job);
    folder_remove(folder);
}

#define WATER_JOB                                                                                  \
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:%s\"/></forcefield><system>"      \
    "<box x=\"%g nm\" y=\"%g nm\" z=\"%g nm\"/><start><fill type=\"%s\" count=\"%d\" seed=\"3\"/>" \
    "<velocities temperature=\"298 K\" seed=\"1\"/></start></system></amphi>\n"

/* One bead, two, a warp less one, a block and one more; a box of exactly twice the cut-off, a long
 * one and a flat one. */
static void forces_hold_for_odd_numbers_of_beads_and_odd_boxes(void **state)
{
    static const struct {
        int    n;
        double box[3];
    } odd[] = { { 1, { 2.4, 2.4, 2.4 } },   { 2, { 2.4, 2.4, 2.4 } },   { 3, { 2.4, 9, 2.4 } },
                { 31, { 2.4, 2.4, 2.4 } },  { 33, { 3, 2.5, 2.4 } },    { 127, { 2.4, 2.4, 2.4 } },
                { 129, { 2.4, 12, 2.5 } },  { 400, { 2.4, 2.4, 2.4 } }, { 1023, { 2.5, 2.5, 5.1 } },
                { 1025, { 2.4, 2.4, 30 } }, { 2047, { 12, 12, 2.4 } },  { 4099, { 5, 5.5, 6 } } };

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    for (size_t k = 0; k < sizeof odd / sizeof odd[0]; k++) {
        const double *b   = odd[k].box;
        AmphiJob     *job = job_of_text(WATER_JOB, "elba", b[0], b[1], b[2], "water", odd[k].n);
        char          what[96];

        snprintf(what, sizeof what, "%d ELBA water, %g x %g x %g nm", odd[k].n, b[0], b[1], b[2]);
        check_fluid(job, 0, what, &peer_bound);
        amphi_job_free(job);
    }
}

/* Rows of sticky terms: none, fewer and more than a bead has lanes, and, with a wide margin, more
 * than 32; and dipoles that end with an edge, for which there are other kernels. */
static void forces_hold_for_sticky_water(void **state)
{
    static const struct {
        int         n;
        double      edge_nm, margin_nm;
        const char *dipoles;
    } water[] = { { 1, 2, 0, "" },
                  { 2, 2, 0, "" },
                  { 31, 2, 0, "" },
                  { 257, 2, 0, "" },
                  { 1023, 3.2, 0.35, "" },
                  { 1023, 3.2, 0,
                    "<treatment of=\"dipoles\" pair=\"SSDRF SSDRF\" "
                    "type=\"reaction-field\" permittivity=\"80\"/>" },
                  { 12000, 7.2, 0.35, "" } };

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    for (size_t k = 0; k < sizeof water / sizeof water[0]; k++) {
        const double edge = water[k].edge_nm;
        AmphiJob    *job  = job_of_text(
                "<amphi version=\"1\"><forcefield><include href=\"forcefield:ssd\"/></forcefield>"
                    "<system><box x=\"%g nm\" y=\"%g nm\" z=\"%g nm\"/><start>"
                    "<fill type=\"SSDRF\" count=\"%d\" seed=\"3\"/></start></system>"
                    "<interactions>%s</interactions></amphi>\n",
                edge, edge, edge, water[k].n, water[k].dipoles);
        char what[96];

        snprintf(what, sizeof what, "%d SSD/RF water, %g nm, margin %g%s", water[k].n, edge,
                 water[k].margin_nm, water[k].dipoles[0] != '\0' ? ", an edge" : "");
        check_fluid(job, water[k].margin_nm, what, &peer_bound);
        amphi_job_free(job);
    }
}

/* Kernels for potentials that vanish at the cut-off are not for these, of which one alone does not:
 * a membrane has Lennard-Jones beads, charges and dipoles. */
static void forces_hold_where_potentials_have_an_edge_at_the_cutoff(void **state)
{
    static const struct {
        const char *lj, *charges;
    } treated[] = { { "quadratic-shift", "shifted-factors" },
                    { "truncated", "shifted-factors" },
                    { "quadratic-shift", "energy-shift" },
                    { "force-shift", "truncated" } };

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    for (size_t k = 0; k < sizeof treated / sizeof treated[0]; k++) {
        AmphiJob *job = job_of_text(
            "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield>"
            "<system><start><bilayer normal=\"z\" water-per-lipid=\"20\" seed=\"1\">"
            "<leaflet side=\"upper\"><lipid type=\"DMPC\" count=\"32\"/></leaflet>"
            "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"32\"/></leaflet></bilayer>"
            "</start></system><interactions>"
            "<treatment of=\"lennard-jones\" type=\"%s\"/>"
            "<treatment of=\"charges dipoles\" type=\"%s\"/></interactions></amphi>\n",
            treated[k].lj, treated[k].charges);
        char what[96];

        snprintf(what, sizeof what, "%s and %s", treated[k].lj, treated[k].charges);
        check_forces(&job->system, what, &peer_bound);
        amphi_job_free(job);
    }
}

/* Ellipsoids alone have kernels of their own: with the force field's switch, and with edges. Some
 * of those put at random overlap, where forces and torques are some forty times as far off as a
 * coordinate is: three breadths, less the contact distance, to the power of 13. */
static void forces_hold_for_ellipsoids_by_every_treatment(void **state)
{
    static const char *const treatments[] = { "type=\"switched\" from=\"3.6 nm\"",
                                              "type=\"energy-shift\"", "type=\"truncated\"" };
    static const int         numbers[]    = { 1, 2, 31, 1023, 6000 };
    static const Bound       bound        = { "ellipsoids", 2e-6, 2e-6 };

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    for (size_t t = 0; t < sizeof treatments / sizeof treatments[0]; t++)
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            const double edge = fmax(8, cbrt(numbers[k] / 0.2)); /* 8 nm: twice the cut-off */
            AmphiJob    *job  = job_of_text(
                    "<amphi version=\"1\"><forcefield><include "
                        "href=\"forcefield:gay-berne\"/></forcefield>"
                        "<system><box x=\"%.3f nm\" y=\"%.3f nm\" z=\"%.3f nm\"/><start>"
                        "<fill type=\"GB\" count=\"%d\" seed=\"3\"/></start></system>"
                        "<interactions><treatment of=\"gay-berne\" %s/></interactions></amphi>\n",
                    edge, edge, edge, numbers[k], treatments[t]);
            char what[96];

            snprintf(what, sizeof what, "%d ellipsoids, %s", numbers[k], treatments[t]);
            check_fluid(job, 0, what, &bound);
            amphi_job_free(job);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_of_the_reference_on_every_shipped_system),
        cmocka_unit_test(forces_are_those_of_the_reference_on_the_peers_membrane),
        cmocka_unit_test(forces_hold_for_odd_numbers_of_beads_and_odd_boxes),
        cmocka_unit_test(forces_hold_for_sticky_water),
        cmocka_unit_test(forces_hold_where_potentials_have_an_edge_at_the_cutoff),
        cmocka_unit_test(forces_hold_for_ellipsoids_by_every_treatment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
