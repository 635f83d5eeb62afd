/* Forces of the backend `cuda` have the same bits whatever their kernels add up beside them:
 * nothing, virials, or potentials too. So a step that somebody looks at takes forces from the
 * kernel that adds up, and leads where the step that nobody looks at does. Without a device every
 * test is skipped, and says so.
 */
#include <stdlib.h>
#include <string.h>

#include "../bench/replicate.h"
#include "steps.h"

#define PLAN                                                                                       \
    "</system><plan timestep=\"2 fs\"><minimise name=\"relax\" steps=\"50\"/>"                     \
    "<run name=\"a\" ensemble=\"nvt\" length=\"10 ps\"><thermostat temperature=\"303 K\"/></run>"  \
    "<run name=\"b\" ensemble=\"npt\" length=\"10 ps\"><thermostat temperature=\"303 K\"/>"        \
    "<barostat coupling=\"isotropic\" every=\"1\"/></run></plan></amphi>\n"
#define JOB                                                                                        \
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:%s\"/>%s</forcefield><system>"    \
    "<start>%s<velocities temperature=\"303 K\" seed=\"1\"/></start>" PLAN
#define MEMBRANE                                                                                   \
    "<bilayer normal=\"z\" water-per-lipid=\"30\" seed=\"1\">"                                     \
    "<leaflet side=\"upper\"><lipid type=\"DMPC\" count=\"32\"/></leaflet>"                        \
    "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"32\"/></leaflet></bilayer>"
#define FLUID(type, count, density)                                                                \
    "<fill type=\"" type "\" count=\"" count "\" density=\"" density "\" seed=\"1\"/>"
#define TRUNCATED "<treatment of=\"lennard-jones\" type=\"truncated\"/>"

/* Every set of kernels for pairs: those of ELBA with and without an edge, of one type and of more;
 * with 16, 8 and 4 lanes. */
static const struct {
    const char *what, *forcefield, *more, *start;
} cases[] = {
    { "ELBA membrane", "elba", "", MEMBRANE },
    { "ELBA membrane, truncated", "elba", TRUNCATED, MEMBRANE },
    { "ELBA water", "elba", "", FLUID("water18", "2700", "0.997 g/cm^3") },
    { "SSD water", "ssd", "", FLUID("SSD", "2700", "0.997 g/cm^3") },
    { "SSD/RF water", "ssd", "", FLUID("SSDRF", "2700", "0.997 g/cm^3") },
    { "SSD water, two passes", "ssd",
      "<treatment of=\"lennard-jones\" type=\"force-shift\" cutoff=\"0.8 nm\"/>",
      FLUID("SSD", "2700", "0.997 g/cm^3") },
    { "SSD water, shifted dipoles", "ssd", "<treatment of=\"dipoles\" type=\"force-shift\"/>",
      FLUID("SSD", "2700", "0.997 g/cm^3") },
    { "ellipsoids, shifted", "gay-berne", "<treatment of=\"gay-berne\" type=\"energy-shift\"/>",
      FLUID("GB", "2700", "0.25 u/nm^3") },
    { "ellipsoids", "gay-berne", "", FLUID("GB", "2700", "0.25 u/nm^3") },
    { "B08o membrane", "brahms-style", "", MEMBRANE },
};
static const int32_t copies[][3] = { { 1, 1, 1 }, { 2, 2, 2 }, { 3, 3, 3 } };

/* Of one moment, of a state that has just begun a stage. */
static void get_forces(const AmphiBackend *cuda, AmphiState *state, const AmphiStage *stage,
                       uint32_t needs, int32_t n, double (*to)[3])
{
    AmphiFrame frame;

    DO(cuda->begin_stage(state, stage, &err));
    DO(cuda->find_neighbours(state, &err));
    DO(cuda->compute_forces(state, needs, &err));
    DO(cuda->read_frame(state, needs | AMPHI_NEED_FORCES, &frame, &err));
    memcpy(to, frame.force_kJ_mol_nm, (size_t)n * sizeof *to);
    memcpy(to + n, frame.torque_kJ_mol, (size_t)n * sizeof *to);
}

/* Numbers that differ. */
static int64_t count_others(const double *a, const double *b, int64_t n)
{
    int64_t others = 0;

    for (int64_t k = 0; k < n; k++)
        others += memcmp(&a[k], &b[k], sizeof *a) != 0;
    return others;
}

/* Returns how many do of all forces and torques. */
static int64_t compare_bits(const AmphiBackend *cuda, const char *what, const AmphiSystem *system,
                            const AmphiStage *stage)
{
    const uint32_t all        = AMPHI_NEED_ENERGY | AMPHI_NEED_NUMBERS;
    const int32_t  n          = system->n_beads;
    AmphiState    *state      = open_state(cuda, system, 0);
    int64_t        all_others = 0;
    double(*f[3])[3];

    assert_true(!stage[1].conserved_mean && stage[1].barostat.type == AMPHI_NO_BAROSTAT);
    assert_true(!stage[2].conserved_mean && stage[2].barostat.type != AMPHI_NO_BAROSTAT);
    for (int k = 0; k < 3; k++)
        assert_non_null(f[k] = calloc(2 * (size_t)n, sizeof *f[k]));
    descend(cuda, state, &stage[0]);
    get_forces(cuda, state, &stage[1], AMPHI_NEED_FORCES, n, f[0]); /* nothing */
    get_forces(cuda, state, &stage[2], AMPHI_NEED_FORCES, n, f[1]); /* virials */
    get_forces(cuda, state, &stage[1], all, n, f[2]);               /* potentials */
    for (int k = 1; k < 3; k++) {
        const int64_t others = count_others(f[0][0], f[k][0], 6 * (int64_t)n);

        if (others > 0)
            print_error("%s, %s, %d beads: %lld numbers have other bits with %s\n", what,
                        amphi_precision_name(cuda->precision), (int)n, (long long)others,
                        k == 1 ? "virials" : "potentials");
        all_others += others;
    }
    for (int k = 0; k < 3; k++)
        free(f[k]);
    cuda->close(state);
    return all_others;
}

/* Steps that move the box by their virials, looked at and at once: those of kernels that add up
 * potentials, too, and of kernels that do not. */
static void move_alike(const AmphiBackend *cuda, const AmphiSystem *system, const AmphiStage *stage)
{
    enum { STEPS = 20 };
    AmphiState *state = open_state(cuda, system, 0);
    AmphiBytes  start, end[2];

    descend(cuda, state, &stage[0]);
    DO(cuda->begin_stage(state, &stage[2], &err));
    start = saved(cuda, state);
    for (int k = 0; k < 2; k++) {
        DO(cuda->restore(state, &start, &err));
        walk(cuda, state, STEPS, k == 0 ? 0 : 3);
        end[k] = saved(cuda, state);
    }
    assert_int_equal(end[0].n, end[1].n);
    assert_memory_equal(end[0].data, end[1].data, end[0].n);
    amphi_release(start.data);
    for (int k = 0; k < 2; k++)
        amphi_release(end[k].data);
    cuda->close(state);
}

static int64_t compare_case(int k)
{
    AmphiJob   *job    = job_of_text(JOB, cases[k].forcefield, cases[k].more, cases[k].start);
    AmphiArena *arena  = amphi_arena_new();
    int64_t     others = 0;

    for (size_t c = 0; c < sizeof copies / sizeof *copies; c++) {
        AmphiSystem system;

        assert_true(replicate(&job->system, NULL, copies[c], arena, &system));
        for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++)
            others += compare_bits(device_or_skip(p), cases[k].what, &system, job->stage);
        for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED && others == 0; p++)
            move_alike(device_or_skip(p), &system, job->stage);
    }
    amphi_arena_free(arena);
    amphi_job_free(job);
    return others;
}

static void forces_have_the_same_bits_whatever_is_added_up(void **state)
{
    int64_t others = 0;

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        others += compare_case((int)k);
    assert_int_equal(others, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_have_the_same_bits_whatever_is_added_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
