/* The drift of a run and its error, against the spread of many runs whose noise is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "../../engine/run_parts.h"
#include "../../engine/units.h"
#include "../property/draw.h"

typedef enum { WHITE, SLOW, WALK } Noise;

enum { SAMPLES = 3000, RUNS = 200, FREEDOM = 500 };

typedef struct {
    AmphiJob   job;
    AmphiStage stage;
    AmphiRun   run;
} Watched;

/* kT a degree of freedom and ns, in kJ/mol and ps, at 300 K. */
static const double unit = AMPHI_BOLTZMANN * 300 * FREEDOM / 1e3;

static Watched *begin(double most_drift, bool stops)
{
    Watched *const w = calloc(1, sizeof *w);

    assert_non_null(w);
    w->stage                           = (AmphiStage){ .ensemble = AMPHI_NVE, .dt_ps = 0.005 };
    w->job.stage                       = &w->stage;
    w->job.n_stages                    = 1;
    w->job.compute.max_drift_kT_ns_dof = most_drift;
    w->job.compute.stops_on_drift      = stops;
    w->run.job                         = &w->job;
    amphi_run_begin_measuring(&w->run);
    return w;
}

static AmphiFrame frame_of(double energy)
{
    return (AmphiFrame){ .freedom          = { 300, 200 },
                         .translation.half = 0.5 * 300 * AMPHI_BOLTZMANN * 300,
                         .rotation.half    = 0.5 * 200 * AMPHI_BOLTZMANN * 300,
                         .conserved_kJ_mol = energy };
}

static AmphiStatus measure(Watched *w, int64_t step, double energy, AmphiError *err)
{
    const AmphiFrame frame = frame_of(energy);

    w->run.at.step = step;
    amphi_run_feel(&w->run, &frame);
    return amphi_run_measure(&w->run, &frame, err);
}

/* Of one kJ/mol each sample; SLOW forgets in 30 samples. */
static double next_noise(Noise noise, double before, uint64_t *seed)
{
    const double kept = noise == WHITE ? 0 : noise == SLOW ? exp(-1 / 30.0) : 1;

    return kept * before + draw(seed, -1, 1);
}

static void watch(Noise noise, double drift, uint64_t seed, double *slope, double *error)
{
    Watched *const w = begin(1, false);
    double         x = 0;

    for (int k = 0; k < SAMPLES; k++) {
        x = next_noise(noise, x, &seed);
        assert_int_equal(measure(w, 100 * k, -1e5 + x + drift * unit * 0.5 * k, NULL), AMPHI_OK);
    }
    amphi_run_drift(&w->run, slope, error);
    free(w);
}

/* The error that is told over the spread that there is: means of squares. */
static double told_over_true(Noise noise)
{
    double told = 0, there = 0;

    for (uint64_t k = 0; k < RUNS; k++) {
        double slope, error;

        watch(noise, 0, 1000 + k, &slope, &error);
        told += error * error;
        there += slope * slope;
    }
    return sqrt(told / there);
}

/* The spread of 200 is known to 5 %. Correlation that is seen by chance makes the error of white
 * noise a little large. */
static void the_error_of_a_drift_is_its_spread_whatever_correlates(void **state)
{
    (void)state;
    assert_true(fabs(told_over_true(WHITE) - 1.15) < 0.2);
    assert_true(fabs(told_over_true(SLOW) - 1.15) < 0.2);
    assert_true(fabs(told_over_true(WALK) - 1) < 0.4);
}

/* 1 in 20 may lie beyond two errors; a walk's own error is uncertain by half, and it is 1 in 4. */
static void the_drift_is_the_slope_of_the_conserved_energy(void **state)
{
    (void)state;
    for (int noise = WHITE; noise <= WALK; noise++) {
        int n_far = 0;

        for (uint64_t k = 0; k < RUNS; k++) {
            double slope, error;

            watch((Noise)noise, 3, 5000 + k, &slope, &error);
            n_far += !(fabs(slope - 3) < 2 * error);
        }
        assert_true(n_far < (noise == WALK ? RUNS / 3 : RUNS / 10));
    }
}

static void nothing_is_known_of_few_samples(void **state)
{
    (void)state;
    Watched *const w = begin(1e-9, true);
    double         drift, error;

    for (int k = 0; k < 3; k++)
        assert_int_equal(measure(w, k, k * k, NULL), AMPHI_OK);
    amphi_run_drift(&w->run, &drift, &error);
    assert_true(isnan(error));
    amphi_run_temperature(&w->run, &drift, &error);
    assert_true(fabs(drift - 300) < 1e-9 && isnan(error));
    free(w);
}

/* From the thousandth sample on, and only when it is certain. */
static void a_certain_drift_is_told_and_stops_when_asked(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) { /* up and down */
        const int      stops = way % 2, sign = way < 2 ? 1 : -1;
        Watched *const w    = begin(1e-3, stops == 1);
        AmphiError     err  = { .status = AMPHI_OK };
        uint64_t       seed = 1;
        AmphiStatus    status;
        int            k = 0;

        do
            status =
                measure(w, 100 * k, sign * 1e-2 * unit * 0.5 * k + draw(&seed, -1, 1) * 1e-3, &err);
        while (++k < SAMPLES && status == AMPHI_OK);
        assert_true(amphi_run_drifts(&w->run));
        assert_int_equal(status, stops == 1 ? AMPHI_UNSTABLE : AMPHI_OK);
        assert_int_equal(k, stops == 1 ? 1000 : SAMPLES);
        assert_true(stops == 0 || strstr(err.text, "1e-03 are allowed") != NULL ||
                    strstr(err.text, "0.001 are allowed") != NULL);
        free(w);
    }

    Watched *const w    = begin(1e-3, true);
    uint64_t       seed = 2;
    for (int k = 0; k < SAMPLES; k++) /* more than allowed, and less than its error */
        assert_int_equal(measure(w, 100 * k, draw(&seed, -1, 1) * 1e3, NULL), AMPHI_OK);
    free(w);
}

/* The samples come from a checkpoint: what is not known yet is no verdict. */
/* More than allowed is a drift from two of its errors on. */
static void a_drift_is_certain_beyond_two_errors(void **state)
{
    (void)state;
    int n_certain = 0, n_doubtful = 0;

    for (uint64_t seed = 1; seed <= 40; seed++) {
        Watched *const w     = begin(1e-3, false);
        uint64_t       noise = seed;
        double         drift, error;

        for (int k = 0; k < 1200; k++)
            assert_int_equal(
                measure(w, 100 * k, 0.02 * unit * 0.5 * k + draw(&noise, -1, 1) * 90 * unit, NULL),
                AMPHI_OK);
        amphi_run_drift(&w->run, &drift, &error);
        assert_int_equal(amphi_run_drifts(&w->run), fabs(drift) > 1e-3 && fabs(drift) > 2 * error);
        n_certain += fabs(drift) > 2 * error && fabs(drift) < 4 * error;
        n_doubtful += fabs(drift) < 2 * error;
        free(w);
    }
    assert_true(n_certain > 3 && n_doubtful > 3);
}

/* 100 kJ/mol/ns for a whole box of 50 points at 300 K. */
static void moves_of_the_box_may_leave_a_drift_and_noise_any(void **state)
{
    (void)state;
    int32_t             type_of[50] = { 0 };
    const AmphiBeadType type        = { .mass_u = 40 };
    const double        freedom     = 3 * 50 - 3;
    AmphiJob            job         = { .compute.max_drift_kT_ns_dof = 1e-3 };
    AmphiStage          stage       = { .ensemble = AMPHI_NPT, .thermostat.temperature_K = 300 };

    job.system = (AmphiSystem){ .n_types = 1, .type = &type, .n_beads = 50, .bead_type = type_of };
    assert_true(amphi_drift_bound(&job, &stage) == 1e-3);
    stage.barostat.type = AMPHI_CELL_RESCALE;
    assert_true(fabs((amphi_drift_bound(&job, &stage) - 1e-3) * AMPHI_BOLTZMANN * 300 * freedom -
                     100) < 3); /* whether or not the momentum of all counts */
    stage.thermostat.type = AMPHI_LANGEVIN;
    assert_true(isinf(amphi_drift_bound(&job, &stage)));
}

static void a_run_that_goes_on_judges_once_it_knows_its_degrees_of_freedom(void **state)
{
    (void)state;
    const AmphiFrame frame  = frame_of(0);
    Watched *const   first  = begin(1e-3, false);
    Watched *const   second = begin(1e-3, false);
    uint64_t         seed   = 1;
    double           drift, error;

    for (int k = 0; k < SAMPLES; k++)
        measure(first, 100 * k, 1e-2 * unit * 0.5 * k + draw(&seed, -1, 1) * 1e-3, NULL);
    second->run.at = first->run.at;
    amphi_run_drift(&second->run, &drift, &error);
    assert_true(isnan(drift) && isnan(error));
    assert_false(amphi_run_drifts(&second->run));
    amphi_run_feel(&second->run, &frame);
    assert_true(amphi_run_drifts(&second->run));
    free(first);
    free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_of_a_drift_is_its_spread_whatever_correlates),
        cmocka_unit_test(the_drift_is_the_slope_of_the_conserved_energy),
        cmocka_unit_test(nothing_is_known_of_few_samples),
        cmocka_unit_test(a_certain_drift_is_told_and_stops_when_asked),
        cmocka_unit_test(a_drift_is_certain_beyond_two_errors),
        cmocka_unit_test(moves_of_the_box_may_leave_a_drift_and_noise_any),
        cmocka_unit_test(a_run_that_goes_on_judges_once_it_knows_its_degrees_of_freedom),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
