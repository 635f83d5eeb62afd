/* Motion and forces together: a box of ELBA water, made, rested and warmed as a job would, keeps
 * its energy to second order in the time step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "../../engine/backend.h"
#include "../../engine/job.h"
#include "../../engine/stage.h"
#include "../../engine/units.h"
#include "draw.h"

/* 125 waters at their density have an edge of 1.55 nm, and the cut-off half of that. All terms of
 * ELBA end smoothly wherever they are cut. */
static const char text[] =
    "<amphi version=\"1\"><title>water</title>\n"
    "<forcefield><include href=\"forcefield:elba\"/></forcefield>\n"
    "<system><start><fill type=\"water\" count=\"125\" density=\"2.21 g/cm^3\" seed=\"3\"/>\n"
    "<velocities temperature=\"298 K\" seed=\"3\"/></start></system>\n"
    "<interactions><cutoff distance=\"0.77 nm\"/></interactions></amphi>\n";

enum { WATERS = 125 };

typedef struct {
    AmphiJob           *job;
    const AmphiBackend *backend;
    AmphiState         *state;
    AmphiStage          stage[2]; /* a state looks at the last one until the next has begun */
    int                 n_begun;
} Water;

static Water open_water(void)
{
    const char            *data    = getenv("AMPHI_DATA");
    const AmphiLoadOptions options = { .data_dir = data != NULL ? data : "." };
    AmphiNotes            *notes   = amphi_notes_new();
    Water                  w       = { .backend = amphi_backend_find("reference", AMPHI_DOUBLE) };

    w.job = amphi_job_parse("water.xml", text, sizeof text - 1, &options, notes, NULL);
    if (w.job == NULL)
        amphi_notes_print(notes, stderr, false);
    assert_non_null(w.job);
    amphi_notes_free(notes);
    assert_int_equal(w.backend->open(&w.job->system, NULL, &w.state, NULL), AMPHI_OK);
    return w;
}

static void close_water(Water *w)
{
    w->backend->close(w->state);
    amphi_job_free(w->job);
}

static void begin(Water *w, const AmphiStage *stage)
{
    AmphiStage *const kept = &w->stage[w->n_begun++ % 2];

    *kept = *stage;
    assert_int_equal(w->backend->begin_stage(w->state, kept, NULL), AMPHI_OK);
}

static AmphiFrame push(const Water *w)
{
    const uint32_t needs = AMPHI_NEED_ENERGY;
    AmphiFrame     frame;

    assert_int_equal(w->backend->find_neighbours(w->state, NULL), AMPHI_OK);
    assert_int_equal(w->backend->compute_forces(w->state, needs, NULL), AMPHI_OK);
    assert_int_equal(w->backend->kick(w->state, needs, NULL), AMPHI_OK);
    assert_int_equal(w->backend->read_frame(w->state, needs, &frame, NULL), AMPHI_OK);
    return frame;
}

static void drift(const Water *w)
{
    assert_int_equal(w->backend->drift(w->state, NULL), AMPHI_OK);
}

static double potential_of(const AmphiFrame *frame)
{
    double sum = 0;

    for (int k = 0; k < AMPHI_TERMS; k++)
        sum += frame->term_kJ_mol[k];
    return sum;
}

/* Downhill, then to 298 K with noise. */
static void rest_and_warm(Water *w)
{
    const AmphiStage rest = { .name                 = "rest",
                              .ensemble             = AMPHI_MINIMISE,
                              .stop_force_kJ_mol_nm = 500 };
    const AmphiStage warm = { .name       = "warm",
                              .ensemble   = AMPHI_NVT,
                              .dt_ps      = 0.01,
                              .seed       = 4,
                              .thermostat = { AMPHI_LANGEVIN, 298, 0.2, 1, 0, NULL } };
    bool             done = false;

    begin(w, &rest);
    for (int k = 0; k < 300 && !done; k++) {
        assert_int_equal(w->backend->compute_forces(w->state, AMPHI_NEED_ENERGY, NULL), AMPHI_OK);
        assert_int_equal(w->backend->descend(w->state, &done, NULL), AMPHI_OK);
    }
    assert_true(done);
    begin(w, &warm);
    for (int k = 0; k < 200; k++) {
        push(w);
        drift(w);
    }
}

/* Means over a run, one sample a step: of a straight line E(t). */
typedef struct {
    double t, e, tt, te, ee;
} Line;

static void add_point(Line *line, double share, double t, double e)
{
    line->t += share * t;
    line->e += share * e;
    line->tt += share * t * t;
    line->te += share * t * e;
    line->ee += share * e * e;
}

typedef struct {
    double rms, slope; /* U + K_full about its line, kJ/mol; the line, kJ/mol/ps */
    double kinetic;    /* kJ/mol, mean of half steps */
    double push;       /* the largest change of the momentum, u nm/ps */
} Energy;

static void momentum_of(const AmphiFrame *frame, double p[3])
{
    p[0] = p[1] = p[2] = 0;
    for (int i = 0; i < WATERS; i++)
        for (int a = 0; a < 3; a++)
            p[a] += 40 * frame->velocity_nm_ps[i][a];
}

static Energy run_nve(Water *w, double dt_ps)
{
    const AmphiStage nve   = { .name = "nve", .ensemble = AMPHI_NVE, .dt_ps = dt_ps };
    const int        n     = (int)(5 / dt_ps + 0.5);
    double           first = 0, start[3], p[3];
    Line             line  = { 0 };
    Energy           out   = { .rms = 0 };

    begin(w, &nve);
    for (int k = 0; k < n; k++, drift(w)) {
        const AmphiFrame frame = push(w);
        const double     now = potential_of(&frame) + frame.translation.full + frame.rotation.full;

        momentum_of(&frame, k == 0 ? start : p);
        first = k == 0 ? now : first;
        for (int a = 0; a < 3 && k > 0; a++)
            out.push = worse(out.push, fabs(p[a] - start[a]));
        out.kinetic += (frame.translation.half + frame.rotation.half) / n;
        add_point(&line, 1.0 / n, k * dt_ps, now - first);
    }
    const double tt = line.tt - line.t * line.t, te = line.te - line.t * line.e;

    out.slope = te / tt;
    out.rms   = sqrt(line.ee - line.e * line.e - te * te / tt);
    return out;
}

/* The deviation from the line is of second order: 4 for twice the step, where a first order gives
 * 2. The two runs part after a picosecond, so theirs are two samples of the deviation, which make
 * the ratio uncertain by some 10 %. Over the run the line moves by less than kT in all 375 + 375
 * degrees of freedom, and the momentum not at all but for rounding. */
static void the_energy_of_water_holds_to_second_order(void **state)
{
    (void)state;
    const double kT    = 298 * AMPHI_BOLTZMANN;
    AmphiBytes   start = { .data = NULL };
    Water        w     = open_water();
    Energy       run[2];

    rest_and_warm(&w);
    assert_int_equal(w.backend->save(w.state, &start, NULL), AMPHI_OK);
    run[0] = run_nve(&w, 0.005);
    assert_int_equal(w.backend->restore(w.state, &start, NULL), AMPHI_OK);
    run[1] = run_nve(&w, 0.01);
    assert_true(is_near(run[1].rms / run[0].rms, 4, 1));
    for (int k = 0; k < 2; k++) {
        assert_true(fabs(run[k].slope * 5) < kT);
        assert_true(run[k].push < 1e-8);
        assert_true(is_near(run[k].kinetic, 375 * kT, 0.15 * 375 * kT)); /* about 298 K still */
    }
    amphi_release(start.data);
    close_water(&w);
}

/* ---- moves of the box ---- */

/* The slope of the conserved quantity, kJ/mol/ps, and its deviation from the line; and the slope of
 * the quantity whose work is the strain times the virial. */
typedef struct {
    double slope, rms, first_order;
} Books;

static double first_order_work(const AmphiFrame *frame, const double box_nm[3])
{
    double work = 0;

    for (int a = 0; a < 3; a++) {
        const double strain = log(box_nm[a] / frame->box_nm[a]);

        for (int k = 0; k < AMPHI_TERMS; k++)
            work -= strain * frame->term_virial_kJ_mol[k][a][a];
        work += (exp(-2 * strain) - 1) * frame->kinetic_half_kJ_mol[a][a];
    }
    return work;
}

static double slope_of(const Line *line)
{
    return (line->te - line->t * line->e) / (line->tt - line->t * line->t);
}

static Books run_boxes(Water *w, AmphiBarostatType type)
{
    const AmphiStage npt   = { .name       = "npt",
                               .ensemble   = AMPHI_NPT,
                               .dt_ps      = 0.01,
                               .seed       = 5,
                               .thermostat = { AMPHI_NO_THERMOSTAT, 298, 1, 1, 0, NULL },
                               .barostat   = { .type                       = type,
                                               .pressure_kJ_mol_nm3        = AMPHI_BAR,
                                               .time_ps                    = 2,
                                               .compressibility_nm3_mol_kJ = 4.5e-5 / AMPHI_BAR,
                                               .every                      = 10 } };
    const int        n     = 1500;
    double           first = 0, work = 0;
    Line             line = { 0 }, rough = { 0 };
    AmphiFrame       before = { .step = 0 };

    begin(w, &npt);
    for (int k = 0; k < n; k++, drift(w)) {
        const AmphiFrame frame = push(w);
        const double     now   = frame.conserved_kJ_mol;

        work += k > 0 ? first_order_work(&before, frame.box_nm) : 0;
        first  = k == 0 ? now : first;
        before = frame;
        add_point(&line, 1.0 / n, 0.01 * k, now - first);
        add_point(&rough, 1.0 / n, 0.01 * k, now - first + frame.work_kJ_mol - work);
    }
    const double slope = slope_of(&line);

    return (Books){ .slope       = slope,
                    .first_order = slope_of(&rough),
                    .rms = sqrt(line.ee - line.e * line.e - slope * (line.te - line.t * line.e)) };
}

/* 150 moves in 15 ps. What is left of a slope is that of the fluctuation: over the run less than
 * twice its rms. The strain times the virial leaves ten times as much and more. */
static void a_move_of_the_box_leaves_no_slope_behind(void **state)
{
    (void)state;
    AmphiBytes start = { .data = NULL };
    Water      w     = open_water();

    rest_and_warm(&w);
    assert_int_equal(w.backend->save(w.state, &start, NULL), AMPHI_OK);
    const Books still = run_boxes(&w, AMPHI_NO_BAROSTAT);
    assert_int_equal(w.backend->restore(w.state, &start, NULL), AMPHI_OK);
    const Books moved = run_boxes(&w, AMPHI_CELL_RESCALE);

    assert_true(moved.rms < 2 * still.rms);
    assert_true(fabs(moved.slope) * 15 < 2 * still.rms);
    assert_true(moved.first_order > 10 * fabs(moved.slope));
    assert_true(still.first_order == still.slope);
    amphi_release(start.data);
    close_water(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_energy_of_water_holds_to_second_order),
        cmocka_unit_test(a_move_of_the_box_leaves_no_slope_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
