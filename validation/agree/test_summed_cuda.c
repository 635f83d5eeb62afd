/* Steps in which somebody wants sums, taken many at once by the backend `cuda` and looked at one by
 * one: kick and drift are one kernel there and two here, the books of a step are kept in the next
 * one or at once, and every bit is the same; and the box moves as on a cpu. Without a device every
 * test is skipped, and says so.
 */
#include <math.h>
#include <string.h>

#include "../../engine/bodies_show.h"
#include "../bench/replicate.h"
#include "steps.h"

#define PLAN                                                                                       \
    "</system><plan timestep=\"%s\"><minimise name=\"relax\" steps=\"50\"/>"                       \
    "<run name=\"a\" ensemble=\"npt\" length=\"10 ps\"><thermostat temperature=\"303 K\" %s/>"     \
    "<barostat/></run></plan></amphi>\n"
#define MEMBRANE                                                                                   \
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield><system>"    \
    "<start><bilayer normal=\"z\" water-per-lipid=\"20\" seed=\"1\">"                              \
    "<leaflet side=\"upper\"><lipid type=\"DMPC\" count=\"16\"/></leaflet>"                        \
    "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"16\"/></leaflet></bilayer>"              \
    "<velocities temperature=\"303 K\" seed=\"1\"/></start>"                                       \
    "<group name=\"some\" select=\"kind lipid\"/>"                                                 \
    "<group name=\"others\" select=\"kind solvent\"/>" PLAN
#define WATER                                                                                      \
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:ssd\"/></forcefield><system>"     \
    "<start><fill type=\"SSDRF\" count=\"2100\" density=\"0.997 g/cm^3\" seed=\"1\"/>"             \
    "<velocities temperature=\"303 K\" seed=\"1\"/></start>" PLAN

/* ---- stages ---- */

/* Which sums, when, and who acts. Steps between: 0: none does. */
typedef struct {
    const char         *name;
    AmphiBarostatType   barostat;
    AmphiCoupling       coupling;
    int32_t             moves;
    AmphiThermostatType thermostat;
    int32_t             acts;
    bool                has_groups, removes, means;
} Case;

static const Case cases[] = {
    { .name = "nve, mean", .means = true },
    { .name = "nvt, mean", .means = true, .thermostat = AMPHI_VELOCITY_RESCALE, .acts = 10 },
    { .name       = "every step",
      .barostat   = AMPHI_CELL_RESCALE,
      .coupling   = AMPHI_SEMI_ISOTROPIC,
      .moves      = 1,
      .thermostat = AMPHI_VELOCITY_RESCALE,
      .acts       = 10,
      .removes    = true },
    { .name       = "every step, mean",
      .barostat   = AMPHI_CELL_RESCALE,
      .coupling   = AMPHI_ISOTROPIC,
      .moves      = 1,
      .thermostat = AMPHI_VELOCITY_RESCALE,
      .acts       = 10,
      .has_groups = true,
      .means      = true },
    { .name       = "every fifth step, mean",
      .barostat   = AMPHI_CELL_RESCALE,
      .coupling   = AMPHI_SEMI_ISOTROPIC,
      .moves      = 5,
      .thermostat = AMPHI_VELOCITY_RESCALE,
      .acts       = 10,
      .has_groups = true,
      .means      = true },
    { .name     = "no thermostat",
      .barostat = AMPHI_BERENDSEN_P,
      .coupling = AMPHI_SEMI_ISOTROPIC,
      .moves    = 1 },
    { .name       = "constant area",
      .barostat   = AMPHI_CELL_RESCALE,
      .coupling   = AMPHI_CONSTANT_AREA,
      .moves      = 2,
      .thermostat = AMPHI_VELOCITY_RESCALE,
      .acts       = 10 },
    { .name       = "both in every step",
      .barostat   = AMPHI_CELL_RESCALE,
      .coupling   = AMPHI_ISOTROPIC,
      .moves      = 1,
      .thermostat = AMPHI_BERENDSEN_T,
      .acts       = 1 },
    { .name       = "every second step",
      .barostat   = AMPHI_BERENDSEN_P,
      .coupling   = AMPHI_ISOTROPIC,
      .moves      = 2,
      .thermostat = AMPHI_VELOCITY_RESCALE,
      .acts       = 5 },
    { .name       = "every third step",
      .barostat   = AMPHI_CELL_RESCALE,
      .coupling   = AMPHI_SEMI_ISOTROPIC,
      .moves      = 3,
      .thermostat = AMPHI_VELOCITY_RESCALE,
      .acts       = 10,
      .has_groups = true },
    { .name       = "every tenth step",
      .barostat   = AMPHI_CELL_RESCALE,
      .coupling   = AMPHI_SEMI_ISOTROPIC,
      .moves      = 10,
      .thermostat = AMPHI_VELOCITY_RESCALE,
      .acts       = 10,
      .removes    = true },
    { .name       = "Langevin",
      .barostat   = AMPHI_CELL_RESCALE,
      .coupling   = AMPHI_SEMI_ISOTROPIC,
      .moves      = 1,
      .thermostat = AMPHI_LANGEVIN,
      .acts       = 1,
      .means      = true },
    { .name = "Langevin, mean", .means = true, .thermostat = AMPHI_LANGEVIN, .acts = 1 },
};
enum { N_CASES = sizeof cases / sizeof *cases };

/* As the job's last stage, but for what the case says. */
static AmphiStage stage_of(const AmphiJob *job, const Case *c)
{
    AmphiStage stage = job->stage[1];

    stage.ensemble         = c->moves > 0 ? AMPHI_NPT : c->acts > 0 ? AMPHI_NVT : AMPHI_NVE;
    stage.conserved_mean   = c->means;
    stage.remove_drift     = c->removes;
    stage.thermostat.type  = c->thermostat;
    stage.thermostat.every = c->acts;
    if (!c->has_groups)
        stage.thermostat.n_groups = 0;
    stage.barostat.type     = c->barostat;
    stage.barostat.coupling = c->coupling;
    stage.barostat.every    = c->moves;
    return stage;
}

/* ---- walks ---- */

/* Graphs are of 1, 3, 9, 10, 49, 50, 99 and 100 steps. */
enum { STEPS = 223, PAUSE = 31, FIFTIES = 100 };

typedef AmphiBytes Walk(const AmphiBackend *cuda, AmphiState *state, const AmphiStage *stage);

static AmphiBytes looked_at(const AmphiBackend *cuda, AmphiState *state, const AmphiStage *stage)
{
    (void)stage;
    walk(cuda, state, STEPS, 1);
    return saved(cuda, state);
}

static AmphiBytes at_once(const AmphiBackend *cuda, AmphiState *state, const AmphiStage *stage)
{
    (void)stage;
    walk(cuda, state, STEPS, 0);
    return saved(cuda, state);
}

static AmphiBytes at_times(const AmphiBackend *cuda, AmphiState *state, const AmphiStage *stage)
{
    (void)stage;
    walk(cuda, state, STEPS, 12);
    return saved(cuda, state);
}

/* As somebody does who looks at every fiftieth step, and the watch at every hundredth. */
static AmphiBytes at_long_times(const AmphiBackend *cuda, AmphiState *state,
                                const AmphiStage *stage)
{
    (void)stage;
    walk(cuda, state, FIFTIES, 50);
    walk(cuda, state, STEPS - FIFTIES, 100);
    return saved(cuda, state);
}

/* Saved in between, at steps where moves are due, and read by another state. */
static AmphiBytes in_parts(const AmphiBackend *cuda, AmphiState *state, const AmphiStage *stage)
{
    AmphiBytes bytes;

    for (int part = PAUSE; part <= PAUSE + 1; part++) {
        walk(cuda, state, part == PAUSE ? PAUSE : 1, 0);
        bytes = saved(cuda, state);
        DO(cuda->begin_stage(state, stage, &err));
        DO(cuda->restore(state, &bytes, &err));
        amphi_release(bytes.data);
    }
    walk(cuda, state, STEPS - PAUSE - 1, 0);
    return saved(cuda, state);
}

/* From a saved place on. */
static AmphiBytes walked(const AmphiBackend *cuda, AmphiState *state, const AmphiBytes *start,
                         const AmphiStage *stage, Walk *how)
{
    DO(cuda->begin_stage(state, stage, &err));
    DO(cuda->restore(state, start, &err));
    return how(cuda, state, stage);
}

/* The first double that differs, or n. */
static size_t first_other(const AmphiBytes *a, const AmphiBytes *b)
{
    size_t at = 0;

    while (at < a->n && a->data[at] == b->data[at])
        at++;
    return at / sizeof(double);
}

static void hold_walks(const AmphiBackend *cuda, AmphiState *state, const AmphiJob *job,
                       const AmphiBytes *start, const Case *c)
{
    static Walk *const others[] = { at_once, at_times, at_long_times, in_parts };
    const AmphiStage   stage    = stage_of(job, c);
    const AmphiBytes   seen     = walked(cuda, state, start, &stage, looked_at);

    for (int k = 0; k < 4; k++) {
        const AmphiBytes other = walked(cuda, state, start, &stage, others[k]);

        assert_int_equal(other.n, seen.n);
        if (memcmp(other.data, seen.data, seen.n) != 0)
            fail_msg("%s, %s, walk %d: other bits from number %zu on", cuda->about(state), c->name,
                     k, first_other(&other, &seen));
        amphi_release(other.data);
    }
    amphi_release(seen.data);
}

static void hold_system(const AmphiSystem *system, const AmphiJob *job)
{
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++) {
        const AmphiBackend *cuda  = device_or_skip(p);
        AmphiState         *state = open_state(cuda, system, 0);
        AmphiBytes          start;

        descend(cuda, state, &job->stage[0]);
        DO(cuda->begin_stage(state, &job->stage[1], &err));
        start = saved(cuda, state);
        for (int k = 0; k < N_CASES; k++)
            hold_walks(cuda, state, job, &start, &cases[k]);
        amphi_release(start.data);
        cuda->close(state);
    }
}

/* Of few beads, and of so many that steps go ahead of pairs and rows of sums have bundles. */
static void hold_job(AmphiJob *job, const int32_t copies[3])
{
    AmphiArena *arena = amphi_arena_new();
    AmphiSystem large;

    assert_true(replicate(&job->system, NULL, copies, arena, &large));
    hold_system(&job->system, job);
    hold_system(&large, job);
    amphi_arena_free(arena);
    amphi_job_free(job);
}

/* ---- tests ---- */

static void a_membrane_has_the_same_bits_with_and_without_looks(void **state)
{
    static const int32_t copies[3] = { 5, 4, 1 };

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    hold_job(job_of_text(MEMBRANE, "5 fs", "groups=\"some others\""), copies);
}

static void a_fluid_of_one_type_has_them_too(void **state)
{
    static const int32_t copies[3] = { 3, 2, 2 };

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    hold_job(job_of_text(WATER, "2 fs", ""), copies);
}

/* ---- against a cpu ---- */

/* What a saved state begins with, behind steps that add up kinetic energies alone and others that
 * move the box. */
static AmphiSavedNumbers pressed(const AmphiBackend *backend, const AmphiSystem *system,
                                 const AmphiBytes *start, const AmphiStage *stage)
{
    AmphiState       *state = open_state(backend, system, 0);
    AmphiStage        warm  = *stage;
    AmphiSavedNumbers numbers;
    AmphiBytes        bytes;

    warm.ensemble         = AMPHI_NVT;
    warm.barostat.type    = AMPHI_NO_BAROSTAT;
    warm.thermostat.every = 1;
    DO(backend->begin_stage(state, &warm, &err));
    DO(backend->restore(state, start, &err));
    walk(backend, state, 20, 0);
    DO(backend->begin_stage(state, stage, &err));
    walk(backend, state, 45, 0);
    bytes = saved(backend, state);
    memcpy(&numbers, bytes.data, sizeof numbers);
    amphi_release(bytes.data);
    backend->close(state);
    return numbers;
}

/* Relative: of the box, of the conserved energy added up over steps. */
typedef struct {
    double box, energy;
} Off;

static Off off_by(const AmphiSavedNumbers *n, const AmphiSavedNumbers *exact)
{
    Off off = { 0, fabs(n->conserved_sum - exact->conserved_sum) / fabs(exact->conserved_sum) };

    for (int a = 0; a < 3; a++)
        off.box = fmax(off.box, fabs(n->box_nm[a] / exact->box_nm[a] - 1));
    return off;
}

/* moves: steps between two moves. means: the potential of every step is added up, too. */
static void hold_box(const AmphiSystem *system, const AmphiJob *job, int32_t moves, bool means)
{
    static const Off most[] = {
        [AMPHI_SINGLE] = { 1e-7, 1e-6 }, [AMPHI_DOUBLE] = { 1e-10, 1e-10 }
    };
    const AmphiBackend *cpu   = amphi_backend_find("cpu", AMPHI_DOUBLE);
    const Case          c     = { .barostat   = AMPHI_BERENDSEN_P,
                                  .moves      = moves,
                                  .acts       = 10,
                                  .thermostat = AMPHI_VELOCITY_RESCALE,
                                  .means      = means };
    const AmphiStage    stage = stage_of(job, &c);
    AmphiState         *state = open_state(cpu, system, 0);
    AmphiSavedNumbers   exact;
    AmphiBytes          start;

    descend(cpu, state, &job->stage[0]);
    DO(cpu->begin_stage(state, &job->stage[1], &err));
    start = saved(cpu, state);
    cpu->close(state);
    exact = pressed(cpu, system, &start, &stage);
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_DOUBLE; p++) {
        const AmphiSavedNumbers n   = pressed(device_or_skip(p), system, &start, &stage);
        const Off               off = off_by(&n, &exact);

        print_message("%s, %d beads, a move every %d steps: box off by %.1e, energy by %.1e\n",
                      amphi_precision_name(p), (int)system->n_beads, (int)moves, off.box,
                      means ? off.energy : 0);
        assert_true(off.box <= most[p].box);
        assert_true(!means || off.energy <= most[p].energy);
    }
    amphi_release(start.data);
}

/* By what beads there are, sums have 17 to 116 rows, or bundles of rows; and stand where those of
 * other stages stood. */
static void a_box_goes_as_on_a_cpu(void **state)
{
    static const int32_t copies[][3] = {
        { 1, 1, 1 }, { 2, 1, 1 }, { 2, 2, 1 }, { 7, 1, 1 }, { 5, 4, 1 }
    };
    AmphiJob *job;

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    job = job_of_text(MEMBRANE, "5 fs", "groups=\"some others\"");
    for (size_t k = 0; k < sizeof copies / sizeof *copies; k++) {
        AmphiArena *arena = amphi_arena_new();
        AmphiSystem many;

        assert_true(replicate(&job->system, NULL, copies[k], arena, &many));
        hold_box(&many, job, 1, false);
        hold_box(&many, job, 1, true);
        hold_box(&many, job, 10, false);
        amphi_arena_free(arena);
    }
    amphi_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_membrane_has_the_same_bits_with_and_without_looks),
        cmocka_unit_test(a_fluid_of_one_type_has_them_too),
        cmocka_unit_test(a_box_goes_as_on_a_cpu),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
