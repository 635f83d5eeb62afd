/* What a run finds wrong with a frame. */
#include "run_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/fixed.h"

#define FREE "<run name=\"free\" ensemble=\"nve\" length=\"0.5 ps\"/>"
/* In place of FREE: with a thermostat that scales velocities, and what else it has. */
#define LAST(ensemble, thermostat, more)                                                           \
    "<run name=\"free\" ensemble=\"" ensemble                                                      \
    "\" length=\"0.5 ps\"><thermostat temperature=\"298 K\""                                       \
    " type=\"" thermostat "\"/>" more "</run>"
#define BAROSTAT(type) "<barostat type=\"" type "\" coupling=\"semi-isotropic\"/>"

/* A run at the 30th step of its last stage, and a frame that can be spoilt. */
typedef struct {
    Bench      bench;
    AmphiRun  *run;
    AmphiFrame frame;
    double (*velocity)[3], (*spin)[3], (*force)[3], (*torque)[3], (*orientation)[4];
    AmphiError err;
} Watched;

static double (*copied(const double (*from)[3], int32_t n))[3]
{
    double(*const to)[3] = calloc((size_t)n, sizeof *to);

    assert_non_null(to);
    memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

static Watched *begin_changed(AmphiPrecision precision, const char *const *change)
{
    Watched *const w = calloc(1, sizeof *w);

    assert_non_null(w);
    open_changed(&w->bench, change);
    AmphiRunOptions o = options_of(w->bench.dir[0], "cpu", precision);
    o.n_steps         = 150;
    assert_int_equal(run_once(&w->bench, &o, NULL), AMPHI_OK);
    assert_int_equal(amphi_run_open(w->bench.job, &o, &w->run, &w->err), AMPHI_OK);

    const AmphiBackend *be    = w->run->backend;
    const uint32_t      needs = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;
    const int32_t       n     = w->bench.job->system.n_beads;
    assert_int_equal(w->run->at.stage, 3);
    assert_int_equal(be->find_neighbours(w->run->state, NULL), AMPHI_OK);
    assert_int_equal(be->compute_forces(w->run->state, needs, NULL), AMPHI_OK);
    assert_int_equal(be->kick(w->run->state, needs, NULL), AMPHI_OK);
    assert_int_equal(be->read_frame(w->run->state, needs, &w->frame, NULL), AMPHI_OK);
    w->velocity    = copied(w->frame.velocity_nm_ps, n);
    w->spin        = copied(w->frame.spin_u_nm2_ps, n);
    w->force       = copied(w->frame.force_kJ_mol_nm, n);
    w->torque      = copied(w->frame.torque_kJ_mol, n);
    w->orientation = calloc((size_t)n, sizeof *w->orientation);
    assert_non_null(w->orientation);
    memcpy(w->orientation, w->frame.orientation, (size_t)n * sizeof *w->orientation);
    w->frame.velocity_nm_ps  = (const double(*)[3])w->velocity;
    w->frame.spin_u_nm2_ps   = (const double(*)[3])w->spin;
    w->frame.force_kJ_mol_nm = (const double(*)[3])w->force;
    w->frame.torque_kJ_mol   = (const double(*)[3])w->torque;
    w->frame.orientation     = (const double(*)[4])w->orientation;
    return w;
}

/* last: the last stage; NULL: NVE. */
static Watched *begin(AmphiPrecision precision, const char *last)
{
    return begin_changed(precision,
                         (const char *const[]){ last != NULL ? FREE : NULL, last, NULL });
}

static void end(Watched *w)
{
    free(w->velocity);
    free(w->spin);
    free(w->force);
    free(w->torque);
    free(w->orientation);
    amphi_run_close(w->run);
    close_bench(&w->bench);
    free(w);
}

static bool looks_good(Watched *w)
{
    return amphi_run_look(w->run, &w->frame, &w->err) == AMPHI_OK;
}

static void what_is_no_number_and_no_rotation_is_found(void **state)
{
    (void)state;
    Watched *const w = begin(AMPHI_DOUBLE, NULL);

    assert_true(looks_good(w));
    w->orientation[7][2] += 0.5;
    assert_false(looks_good(w));
    assert_string_equal(w->err.text, "its orientation is no rotation");
    w->orientation[7][2] -= 0.5;
    w->force[9][1] = (double)NAN;
    assert_false(looks_good(w));
    assert_string_equal(w->err.text, "the force on it is not finite");
    w->force[9][1]  = 0;
    w->torque[9][2] = (double)INFINITY;
    assert_false(looks_good(w));
    assert_string_equal(w->err.text, "the torque on it is not finite");
    w->torque[9][2] = 0;
    w->spin[2][1]   = (double)NAN;
    assert_false(looks_good(w));
    assert_string_equal(w->err.text, "its velocity is not finite");
    w->spin[2][1]                         = 0;
    w->frame.term_kJ_mol[AMPHI_TERMS - 1] = (double)NAN;
    assert_false(looks_good(w));
    assert_string_equal(w->err.text, "the energy is not finite");
    w->frame.term_kJ_mol[AMPHI_TERMS - 1] = 0;
    w->frame.work_kJ_mol                  = (double)INFINITY;
    assert_false(looks_good(w));
    assert_string_equal(w->err.text, "the energy is not finite");
    w->frame.work_kJ_mol = 0;
    w->velocity[3][0]    = 101; /* 0.505 nm in 5 fs */
    assert_false(looks_good(w));
    w->velocity[3][0] = 99;
    assert_true(looks_good(w));
    end(w);
}

static bool keeps_momentum(Watched *w)
{
    return amphi_run_check_momentum(w->run, &w->frame, &w->err) == AMPHI_OK;
}

/* Allowed in a step of 5 fs is 2e-5 and 1e-12 of all forces, 100 times some 500 kJ/mol/nm: 5e-3 and
 * 2.5e-10 u nm/ps, where 18 u go faster by 1e-5 and 1e-14 nm/ps. */
static void momentum_from_nowhere_is_found(void **state)
{
    (void)state;
    for (int precision = AMPHI_SINGLE; precision <= AMPHI_DOUBLE; precision++) {
        Watched *const w     = begin((AmphiPrecision)precision, NULL);
        const double   small = precision == AMPHI_SINGLE ? 1e-5 : 1e-14;

        assert_int_equal(w->run->at.has_momentum, 1);
        w->run->at.has_momentum = 0; /* measured anew */
        assert_true(keeps_momentum(w));
        assert_int_equal(w->run->at.has_momentum, 1);
        w->velocity[5][1] += small;
        assert_true(keeps_momentum(w));
        w->velocity[5][1] += 0.1;
        assert_false(keeps_momentum(w));
        assert_non_null(strstr(w->err.text, "the momentum changed by 1.8 u nm/ps"));
        w->frame.has &= ~(uint32_t)AMPHI_NEED_POSITIONS; /* velocities are of another time */
        assert_true(keeps_momentum(w));
        w->frame.has |= AMPHI_NEED_POSITIONS;
        assert_false(keeps_momentum(w));
        w->frame.n_groups = 2; /* scaled apart */
        assert_true(keeps_momentum(w));
        w->frame.n_groups = 1;
        w->frame.freedom[0] += 3; /* Langevin, restraints */
        assert_true(keeps_momentum(w));
        end(w);
    }
}

/* No force now tells of those before: allowed are 2e-5 and 1e-12 of all momenta, which are more
 * than 100 u nm/ps together. */
static void beads_that_are_far_apart_now_may_have_collided(void **state)
{
    (void)state;
    for (int precision = AMPHI_SINGLE; precision <= AMPHI_DOUBLE; precision++) {
        Watched *const w     = begin((AmphiPrecision)precision, NULL);
        const double   small = precision == AMPHI_SINGLE ? 1e-4 : 5e-12;

        memset(w->force, 0, (size_t)w->bench.job->system.n_beads * sizeof *w->force);
        assert_true(keeps_momentum(w));
        w->velocity[5][1] += small;
        assert_true(keeps_momentum(w));
        w->velocity[5][1] += 1e3 * small;
        assert_false(keeps_momentum(w));
        end(w);
    }
}

/* Of a stage, or of the whole run. */
static void restraints_leave_the_momentum_along_the_other_axes(void **state)
{
    (void)state;
#define HELD_Z "<restrain group=\"all\" axes=\"z\" k=\"100 kJ/mol/nm^2\"/>"
    static const char *const in_stage[] = {
        FREE, "<run name=\"free\" ensemble=\"nve\" length=\"0.5 ps\">" HELD_Z "</run>", NULL
    };
    static const char *const in_run[] = { "</interactions>", HELD_Z "</interactions>", NULL };

    for (int k = 0; k < 2; k++) {
        Watched *const w = begin_changed(AMPHI_DOUBLE, k == 0 ? in_stage : in_run);

        assert_int_equal(w->frame.freedom[0], 298);
        assert_int_equal(w->run->at.has_momentum, 1);
        assert_true(keeps_momentum(w));
        w->velocity[5][2] += 0.1;
        assert_true(keeps_momentum(w));
        w->velocity[5][1] += 0.1;
        assert_false(keeps_momentum(w));
        end(w);
    }
}

static void scale(Watched *w, const double factor[3])
{
    for (int32_t i = 0; i < w->bench.job->system.n_beads; i++)
        for (int a = 0; a < 3; a++)
            w->velocity[i][a] *= factor[a];
    for (int a = 0; a < 3; a++)
        w->frame.momentum[a] = llrint((double)w->frame.momentum[a] * factor[a]);
}

/* 18 u faster by 0.1 nm/ps; in fixed precision the sum is counted apart. */
static void kick(Watched *w, int axis, double sign)
{
    w->velocity[5][axis] += sign * 0.1;
    w->frame.momentum[axis] += llrint(sign * 1.8 / FIXED_MOMENTUM_UNIT);
}

/* One of three directions may be that of the momentum itself, along which nothing is known. */
static void check_kicks(Watched *w)
{
    int n_found = 0;

    for (int a = 0; a < 3; a++) {
        kick(w, a, 1);
        n_found += !keeps_momentum(w);
        kick(w, a, -1);
    }
    assert_true(n_found >= 2);
    assert_non_null(strstr(w->err.text, "across its direction"));
}

/* The Langevin stage before gives the whole a momentum. */
static void a_thermostat_changes_the_momentum_along_its_direction_alone(void **state)
{
    (void)state;
    static const double ten[3] = { 10, 10, 10 }, back[3] = { -0.1, -0.1, -0.1 };

    for (int precision = AMPHI_SINGLE; precision <= AMPHI_FIXED; precision++) {
        Watched *const w = begin((AmphiPrecision)precision,
                                 precision == AMPHI_SINGLE ? LAST("nvt", "berendsen", "")
                                                           : LAST("nvt", "velocity-rescale", ""));

        assert_int_equal(w->run->at.has_momentum, precision == AMPHI_FIXED ? 4 : 3);
        assert_int_equal(w->run->momentum_step, 150);
        assert_true(keeps_momentum(w));
        check_kicks(w);
        scale(w, ten);
        check_kicks(w);
        assert_true(keeps_momentum(w));
        scale(w, back);
        assert_true(keeps_momentum(w));
        end(w);
    }
}

/* Cell rescaling divides velocities by what it multiplies edges by; Berendsen's does not. */
static void a_barostat_turns_the_momentum_with_its_edges_alone(void **state)
{
    (void)state;
    static const double edge[3] = { 1.1, 1.1, 0.8 }, slow[3] = { 1 / 1.1, 1 / 1.1, 1 / 0.8 };

    for (int slows = 0; slows < 2; slows++) {
        Watched *const w =
            begin(AMPHI_DOUBLE, slows ? LAST("npt", "velocity-rescale", BAROSTAT("cell-rescale"))
                                      : LAST("npt", "velocity-rescale", BAROSTAT("berendsen")));

        assert_true(keeps_momentum(w));
        for (int a = 0; a < 3; a++)
            w->frame.box_nm[a] *= edge[a];
        assert_int_equal(keeps_momentum(w), !slows);
        scale(w, slow);
        assert_int_equal(keeps_momentum(w), slows);
        end(w);
    }
}

/* From 30 to 298 K in 1 ps: the momentum that noise gave it grows to several times its length. */
static void heating_is_no_fault(void **state)
{
    (void)state;
    for (int precision = AMPHI_SINGLE; precision <= AMPHI_FIXED; precision++) {
        Bench b;

        open_bench(&b, FREE,
                   "<run name=\"cold\" ensemble=\"nvt\" length=\"0.5 ps\"><thermostat temperature="
                   "\"30 K\" type=\"langevin\" time=\"0.05 ps\"/></run>\n"
                   "<run name=\"heat\" ensemble=\"npt\" length=\"1 ps\"><thermostat temperature="
                   "\"298 K\" time=\"0.1 ps\"/>" BAROSTAT("cell-rescale") "</run>");
        const AmphiRunOptions o = options_of(b.dir[0], "cpu", (AmphiPrecision)precision);

        if (run_once(&b, &o, NULL) != AMPHI_OK)
            fail_msg("%s", b.err.text);
        close_bench(&b);
    }
}

/* ---- what is told of the forces ---- */

static double force_on(const Watched *w, int32_t i)
{
    return hypot(hypot(w->force[i][0], w->force[i][1]), w->force[i][2]);
}

/* The bead with the largest force but that one. */
static int32_t find_largest(const Watched *w, int32_t but)
{
    int32_t largest = but == 0 ? 1 : 0;

    for (int32_t i = 0; i < w->bench.job->system.n_beads; i++)
        if (i != but && force_on(w, i) > force_on(w, largest))
            largest = i;
    return largest;
}

/* at: " at step 150", or "" for the step of the fault. */
static void check_forces(const Watched *w, const char *at)
{
    const int32_t first = find_largest(w, -1), second = find_largest(w, first);
    char          text[2][128];

    snprintf(text[0], sizeof text[0], "\n    largest forces in kJ/mol/nm%s: %.3g on bead %d", at,
             force_on(w, first), first + 1);
    snprintf(text[1], sizeof text[1], ", %.3g on bead %d", force_on(w, second), second + 1);
    for (int k = 0; k < 2; k++)
        if (strstr(w->err.text, text[k]) == NULL)
            fail_msg("%s\n    has not: %s", w->err.text, text[k]);
}

static void report(Watched *w, const char *what)
{
    amphi_fail(&w->err, AMPHI_UNSTABLE, "%s", what);
    amphi_run_report(w->run, &w->err);
}

static void the_two_largest_forces_are_told(void **state)
{
    (void)state;
    for (int precision = AMPHI_SINGLE; precision <= AMPHI_FIXED; precision++) {
        Watched *const w = begin((AmphiPrecision)precision, NULL);

        report(w, "what");
        check_forces(w, "");
        end(w);
    }
}

/* A backend whose next frame is the spoilt one of a test. */
static const AmphiBackend *honest;
static const AmphiFrame   *spoilt;

static AmphiStatus read_spoilt(AmphiState *state, uint32_t needs, AmphiFrame *frame,
                               AmphiError *err)
{
    if (spoilt == NULL)
        return honest->read_frame(state, needs, frame, err);
    *frame = *spoilt;
    spoilt = NULL;
    return AMPHI_OK;
}

static void report_spoilt(Watched *w, const char *what)
{
    AmphiBackend backend = *w->run->backend;

    honest             = w->run->backend;
    spoilt             = &w->frame;
    backend.read_frame = read_spoilt;
    w->run->backend    = &backend;
    report(w, what);
    w->run->backend = honest;
}

static void forces_that_are_no_numbers_give_way_to_the_last_good_ones(void **state)
{
    (void)state;
    Watched *const w    = begin(AMPHI_DOUBLE, NULL);
    const double   kept = w->force[9][1];

    w->force[9][1] = (double)NAN;
    report_spoilt(w, "what");
    assert_non_null(strstr(w->err.text, "bead 10 = "));
    assert_null(strstr(w->err.text, "largest")); /* there is no good state */
    assert_int_equal(amphi_run_keep(w->run, false, &w->err), AMPHI_OK);
    amphi_run_trust(w->run);
    report_spoilt(w, "what");
    w->force[9][1] = kept;
    check_forces(w, " at step 150");

    w->frame.culprit = 8; /* a sum of whole numbers that were cut */
    report_spoilt(w, "what");
    check_forces(w, " at step 150");
    w->frame.culprit = 0;
    w->force[4][2]   = 1e200; /* a number still, but not its square */
    report_spoilt(w, "what");
    check_forces(w, "");
    end(w);
}

/* A difference of such places is zero by any box, which would read as an overlap. */
static void beads_out_of_all_boxes_are_near_none(void **state)
{
    (void)state;
    Watched *const w        = begin(AMPHI_DOUBLE, NULL);
    const int32_t  n        = w->bench.job->system.n_beads;
    double(*const place)[3] = calloc((size_t)n, sizeof *place);

    assert_non_null(place);
    memcpy(place, w->frame.position_nm, (size_t)n * sizeof *place);
    w->frame.position_nm = (const double(*)[3])place;
    w->frame.culprit     = 8;
    report_spoilt(w, "what");
    assert_non_null(strstr(w->err.text, "; nearest is bead "));
    place[7][1] = 1e30;
    place[9][1] = 1e30;
    report_spoilt(w, "what");
    assert_null(strstr(w->err.text, "nearest"));
    assert_non_null(strstr(w->err.text, ", more than a million boxes away"));
    w->frame.culprit = 11; /* of those that are left, the nearest */
    report_spoilt(w, "what");
    assert_non_null(strstr(w->err.text, "; nearest is bead "));
    assert_null(strstr(w->err.text, "; nearest is bead 10 "));
    free(place);
    end(w);
}

static void a_line_without_room_is_left_out_as_a_whole(void **state)
{
    (void)state;
    static const char last[] = " kept in fault-150.chk";
    Watched *const    w      = begin(AMPHI_DOUBLE, NULL);
    char              what[220];

    memset(what, 'x', sizeof what - 1);
    what[sizeof what - 1] = '\0';
    assert_int_equal(amphi_run_keep(w->run, false, &w->err), AMPHI_OK);
    amphi_run_trust(w->run);
    w->frame.culprit = 8;
    report_spoilt(w, what);
    check_forces(w, " at step 150");
    assert_string_equal(w->err.text + strlen(w->err.text) - strlen(last), last);
    end(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restraints_leave_the_momentum_along_the_other_axes),
        cmocka_unit_test(what_is_no_number_and_no_rotation_is_found),
        cmocka_unit_test(momentum_from_nowhere_is_found),
        cmocka_unit_test(beads_that_are_far_apart_now_may_have_collided),
        cmocka_unit_test(a_thermostat_changes_the_momentum_along_its_direction_alone),
        cmocka_unit_test(a_barostat_turns_the_momentum_with_its_edges_alone),
        cmocka_unit_test(heating_is_no_fault),
        cmocka_unit_test(the_two_largest_forces_are_told),
        cmocka_unit_test(forces_that_are_no_numbers_give_way_to_the_last_good_ones),
        cmocka_unit_test(beads_out_of_all_boxes_are_near_none),
        cmocka_unit_test(a_line_without_room_is_left_out_as_a_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
