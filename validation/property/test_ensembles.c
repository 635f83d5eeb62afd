/* Thermostats and barostats against the distributions that they promise, on systems whose exact
 * answer is known. Seeds are fixed; the bounds are standard errors from blocks of the run itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "../../engine/barostat.h"
#include "../../engine/thermostat.h"
#include "body_cases.h"

static Case the_case;

static AmphiBodies *begin(int32_t n, int kind, const AmphiStage *stage)
{
    AmphiBodies *b = NULL;

    make_case(&the_case, n, kind, 3, 298);
    assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
    no_forces(b);
    assert_int_equal(amphi_bodies_begin_stage(b, stage, NULL), AMPHI_OK);
    return b;
}

/* ---- means with their errors ---- */

enum { BLOCKS = 40 };

typedef struct {
    double  sum[BLOCKS];
    int64_t n, block_length;
} Series;

static Series series_of(int64_t n_samples)
{
    return (Series){ .block_length = n_samples / BLOCKS };
}

static void add(Series *s, double x)
{
    s->sum[s->n++ / s->block_length % BLOCKS] += x;
}

static double mean_of(const Series *s)
{
    double sum = 0;

    for (int k = 0; k < BLOCKS; k++)
        sum += s->sum[k];
    return sum / (double)s->n;
}

/* The blocks are longer than any memory of the systems here. */
static double error_of(const Series *s)
{
    const double mean = mean_of(s);
    double       sum  = 0;

    for (int k = 0; k < BLOCKS; k++) {
        const double d = s->sum[k] / (double)s->block_length - mean;

        sum += d * d;
    }
    return sqrt(sum / (BLOCKS * (BLOCKS - 1.0)));
}

/* Within three standard errors, which must be small enough to mean something. */
static bool agrees(const Series *s, double wanted, double most_error)
{
    const double error = error_of(s);

    return error < most_error && fabs(mean_of(s) - wanted) < 3 * error;
}

/* A hundred thousand steps say nothing else to sanitizers, which take ten times as long, than the
 * hundreds of others. */
static void skip_where_brief(void)
{
    if (getenv("BRIEF") != NULL)
        skip();
}

static void the_check_of_means_sees_a_wrong_mean_and_a_large_error(void **state)
{
    (void)state;
    uint64_t seed = 1;
    Series   s    = series_of(4000);

    for (int k = 0; k < 4000; k++)
        add(&s, draw(&seed, 0, 1));
    assert_true(agrees(&s, 0.5, 0.01));
    assert_true(is_near(error_of(&s), sqrt(1.0 / 12 / 4000), 0.3 * sqrt(1.0 / 12 / 4000)));
    assert_false(agrees(&s, 0.5 + 5 * error_of(&s), 0.01));
    assert_false(agrees(&s, 0.5, 0.001));
    s.sum[3] = (double)NAN;
    assert_false(agrees(&s, 0.5, 0.01));
}

static AmphiStage nvt(AmphiThermostatType type, double dt_ps, double time_ps)
{
    return (AmphiStage){ .name       = "nvt",
                         .ensemble   = AMPHI_NVT,
                         .dt_ps      = dt_ps,
                         .seed       = 12,
                         .thermostat = { type, 300, time_ps, 1, 0, NULL } };
}

static const double kT = 300 * AMPHI_BOLTZMANN;

/* ---- thermostats ---- */

/* Free bodies that turn exactly: only the thermostat changes K, which must follow Gamma(f/2, kT):
 * mean f kT/2, variance f kT^2/2. The books hold exactly. K of every action, however rare. */
static void check_gamma_distribution(int every)
{
    const int  n     = 40000;
    AmphiStage stage = nvt(AMPHI_VELOCITY_RESCALE, 0.01, 0.01 * every);
    Series     mean = series_of(n), square = series_of(n);
    int64_t    f[2];
    double     first = 0;

    stage.thermostat.every = every;
    AmphiBodies *b         = begin(6, LINEAR, &stage);

    amphi_bodies_freedom(b, 0, f);
    assert_int_equal(f[0] + f[1], 6 * 5 - 3);
    const double freedom = (double)(f[0] + f[1]), middle = 0.5 * freedom * kT;
    for (int k = -100; k < n; k++) {
        step(b, no_forces);
        const double kinetic = b->translation.plus + b->rotation.plus;

        first = k == -100 ? b->conserved_kJ_mol : first;
        assert_true(is_near(b->conserved_kJ_mol, first, 1e-7));
        for (int rest = 1; rest < every; rest++) {
            const double heat = b->heat_kJ_mol;

            step(b, no_forces);
            assert_true(b->heat_kJ_mol == heat);
        }
        if (k < 0)
            continue;
        add(&mean, kinetic);
        add(&square, (kinetic - middle) * (kinetic - middle));
    }
    assert_true(agrees(&mean, middle, 0.01 * middle));
    assert_true(agrees(&square, 0.5 * freedom * kT * kT, 0.02 * 0.5 * freedom * kT * kT));
    amphi_bodies_close(b);
}

static void velocity_rescaling_makes_the_gamma_distribution(void **state)
{
    (void)state;
    skip_where_brief();
    check_gamma_distribution(1);
    check_gamma_distribution(10);
}

/* The same step as a walk of the momentum, with x = sqrt((1 - c) kT/2K): along itself to sqrt(c) +
 * r x of its length, and by x sqrt(s) across. The factor has the new length, and turns round where
 * the momentum does, which happens where little energy is left. */
static void velocity_rescaling_turns_round_as_a_random_walk_does(void **state)
{
    (void)state;
    skip_where_brief();
    uint64_t seed    = 3;
    int      n_round = 0;

    for (int k = 0; k < 1000; k++) {
        Heat        heat = { .kT = kT, .freedom = 5 };
        RescaleDraw d;

        heat.kinetic = draw(&seed, 0.02, 1) * kT;
        heat.share   = draw(&seed, 0.05, 2);
        d.keep       = exp(-heat.share);
        d.normal     = draw(&seed, -3, 3);
        d.squares    = draw(&seed, 0, 4);

        const double x     = sqrt((1 - d.keep) * kT / (2 * heat.kinetic));
        const double along = sqrt(d.keep) + d.normal * x;
        const double a     = velocity_rescale(&heat, &d);

        assert_true(is_near(a, copysign(hypot(along, x * sqrt(d.squares)), along), 1e-9));
        n_round += a < 0;
    }
    assert_in_range(n_round, 100, 900);
}

/* dK/dt = (K0 - K)/tau, translation and rotation apart. */
static void berendsen_relaxes_translation_and_rotation_apart(void **state)
{
    (void)state;
    const AmphiStage stage   = nvt(AMPHI_BERENDSEN_T, 0.001, 0.5);
    AmphiBodies     *b       = begin(30, SPHERE, &stage);
    const double     goal[2] = { 0.5 * 87 * kT, 0.5 * 90 * kT };
    double           start[2];

    for (int i = 0; i < 30; i++)
        for (int a = 0; a < 3; a++)
            b->spin_u_nm2_ps[i][a] *= 2;
    step(b, no_forces);
    start[0] = b->translation.plus;
    start[1] = b->rotation.plus;
    for (int k = 0; k < 500; k++)
        step(b, no_forces);
    /* (1 - dt/tau)^500 against exp(-1): 1e-3 */
    const double left = pow(1 - 0.002, 500);
    assert_true(
        is_near(b->translation.plus, goal[0] + (start[0] - goal[0]) * left, 1e-9 * goal[0]));
    assert_true(is_near(b->rotation.plus, goal[1] + (start[1] - goal[1]) * left, 1e-9 * goal[1]));
    amphi_bodies_close(b);
}

/* Not further than to where it leads. */
static void berendsen_in_steps_longer_than_its_time_stops_at_the_temperature(void **state)
{
    (void)state;
    const Heat   heat   = { .kinetic = 100, .kT = kT, .freedom = 60, .share = 1.5 };
    const double factor = berendsen_rescale(&heat);

    assert_true(is_near(factor * factor * 100, 30 * kT, 1e-9));
}

/* K_half and potential energy a mode over kT/2 in wells with w dt = 0.3, and K_full. */
typedef struct {
    Series half, full, potential, turning;
    double spread, heat; /* of the conserved quantity, of the heat: kT a mode */
} WellRun;

static const double well_dt = 0.01, well_w = 30;

static void wells(AmphiBodies *b)
{
    clear_forces(b);
    add_wells(b, well_w * well_w * body_type[SPHERE].mass_u);
}

/* Langevin first, so that the wells are out of phase. The restraints are of no strength: they tell
 * that momentum is not kept. */
static WellRun run_wells(AmphiThermostatType type, int kind, int every)
{
    const int  n = 8000, n_bodies = 60, modes = 3 * n_bodies;
    AmphiStage first = nvt(AMPHI_LANGEVIN, well_dt, 0.05), stage = nvt(type, well_dt, 0.05);
    AmphiStageRestraint restraint[2];
    WellRun             run = { .half = series_of(n), .full = series_of(n) };
    double              sum = 0, sum2 = 0;

    stage.thermostat.every = every;
    run.potential = run.turning = run.half;
    hold_all(&stage, restraint, 1); /* counted, not computed: forces are those of the wells */
    AmphiBodies *b = begin(n_bodies, kind, &first);
    for (int k = 0; k < 100; k++)
        step(b, wells);
    wells(b);
    assert_int_equal(amphi_bodies_begin_stage(b, &stage, NULL), AMPHI_OK);
    for (int k = 0; k < n; k++) {
        step(b, wells);
        const double e = b->conserved_kJ_mol / (modes * kT);

        sum += e;
        sum2 += e * e;
        add(&run.half, 2 * b->translation.half / (modes * kT));
        add(&run.full, 2 * b->translation.full / (modes * kT));
        add(&run.potential, 2 * b->potential_kJ_mol / (modes * kT));
        add(&run.turning, 2 * b->rotation.half / (modes * kT));
        run.heat = worse(run.heat, fabs(b->heat_kJ_mol) / (modes * kT));
    }
    run.spread = sqrt(sum2 / n - sum / n * sum / n);
    amphi_bodies_close(b);
    return run;
}

/* K_full is low by (w dt)^2/4 = 0.0225 of U; friction inside the drift adds some 1e-3. */
static void langevin_has_the_temperature_without_a_bias_of_the_step(void **state)
{
    (void)state;
    skip_where_brief();
    const WellRun run = run_wells(AMPHI_LANGEVIN, SPHERE, 1);

    assert_true(agrees(&run.half, 1, 0.004));
    assert_true(agrees(&run.potential, 1, 0.004));
    assert_true(agrees(&run.turning, 1, 0.004));
    assert_true(is_near(mean_of(&run.full), 1 - 0.0225, 0.006));
    assert_true(run.heat > 0.02 && run.spread < 2e-3);
}

static void velocity_rescaling_has_equal_energies_in_wells(void **state)
{
    (void)state;
    skip_where_brief();
    for (int every = 1; every <= 10; every += 9) {
        const WellRun run = run_wells(AMPHI_VELOCITY_RESCALE, POINT, every);

        assert_true(agrees(&run.half, 1, 0.006));
        assert_true(agrees(&run.potential, 1, 0.006));
        assert_true(is_near(mean_of(&run.full) / mean_of(&run.half), 1 - 0.0225, 1e-3));
        assert_true(run.heat > 0.02 && run.spread < 2e-3);
    }
}

/* Dipoles in a field, w dt = 0.3 about the field: rotors without spin and asymmetric tops. */
static void langevin_turns_rotors_and_tops_at_the_temperature(void **state)
{
    (void)state;
    skip_where_brief();
    for (int kind = LINEAR; kind <= TOP; kind += 2) {
        const int        n     = 4000;
        const double     dt    = kind == LINEAR ? 0.01 : 0.002;
        const AmphiStage stage = nvt(AMPHI_LANGEVIN, dt, 10 * dt);
        AmphiBodies     *b     = begin(60, kind, &stage);
        Series           half  = series_of(n);
        int64_t          f[2];

        amphi_bodies_freedom(b, 0, f);
        for (int k = -400; k < n; k++) {
            no_forces(b);
            add_field(b, 0.09 / (dt * dt) * body_type[kind].inertia_u_nm2[1]);
            amphi_bodies_kick(b, true);
            amphi_bodies_drift(b);
            if (k >= 0)
                add(&half, 2 * b->rotation.half / ((double)f[1] * kT));
            assert_true(kind == TOP || b->spin_u_nm2_ps[7][2] == 0);
        }
        assert_true(agrees(&half, 1, 0.005));
        amphi_bodies_close(b);
    }
}

/* ---- barostats ---- */

static AmphiStage npt(AmphiBarostatType type, AmphiCoupling coupling, double pressure, int every)
{
    AmphiStage stage = nvt(AMPHI_LANGEVIN, 0.01, 0.05);

    stage.ensemble = AMPHI_NPT;
    stage.barostat = (AmphiBarostat){ .type                       = type,
                                      .coupling                   = coupling,
                                      .pressure_kJ_mol_nm3        = pressure,
                                      .time_ps                    = 1,
                                      .compressibility_nm3_mol_kJ = 1 / pressure,
                                      .every                      = every };
    return stage;
}

/* N = 20 free points: V follows V^N exp(-P V/kT), mean and variance N + 1 in kT/P, whichever edges
 * move. Without the factor of the volume element, or with it twice, the mean would be 20 or 22.
 * Euler steps of the noise cost 2e-3 of the mean at this dt/tau. The height alone has a third of
 * the compressibility, and takes longer. */
static void cell_rescaling_of_an_ideal_gas_has_its_volume_and_fluctuation(void **state)
{
    (void)state;
    skip_where_brief();
    for (int how = 0; how < 3; how++) {
        const bool       is_flat = how == 2;
        const int        n       = is_flat ? 300000 : 150000;
        const AmphiStage stage =
            npt(AMPHI_CELL_RESCALE, is_flat ? AMPHI_CONSTANT_AREA : AMPHI_ISOTROPIC, 21 * kT / 27,
                how == 1 ? 2 : 1);
        AmphiBodies        *b    = begin(20, POINT, &stage);
        const double *const edge = b->box_nm;
        Series              mean = series_of(n), square = series_of(n);

        for (int k = -2000; k < n; k++) {
            step(b, no_forces);
            const double v = volume_of(b->box_nm) * 21 / 27;

            if (k < 0)
                continue;
            add(&mean, v);
            add(&square, (v - 21) * (v - 21));
        }
        assert_true(agrees(&mean, 21, is_flat ? 0.3 : 0.25));
        assert_true(agrees(&square, 21, is_flat ? 2.5 : 2));
        assert_true(edge[0] == edge[1] && (is_flat ? edge[0] == 3 : edge[1] == edge[2]));
        amphi_bodies_close(b);
    }
}

/* Without forces nothing of the books is an approximation: what the thermostat scales in each of
 * two groups, and what the box slows of it in the same step, add up to the last digits. */
static void books_of_a_free_gas_are_exact_when_thermostat_and_box_act_together(void **state)
{
    (void)state;
    static const int32_t groups[] = { 0, 1 };

    for (int coupling = AMPHI_ISOTROPIC; coupling <= AMPHI_CONSTANT_AREA; coupling++) {
        AmphiStage stage = npt(AMPHI_CELL_RESCALE, (AmphiCoupling)coupling, 41 * kT / 27, 2);
        double     first = 0, worst = 0, heat = 0;

        stage.thermostat = (AmphiThermostat){ AMPHI_VELOCITY_RESCALE, 298, 0.05, 2, 2, groups };
        AmphiBodies *b   = begin(40, POINT, &stage);
        for (int k = 0; k < 4000; k++) {
            step(b, no_forces);
            first = k == 0 ? b->conserved_kJ_mol : first;
            worst = worse(worst, fabs(b->conserved_kJ_mol - first));
            heat  = worse(heat, fabs(b->heat_kJ_mol));
        }
        assert_int_equal(b->n_groups, 2);
        assert_true(heat > 10 * kT && worst < 1e-9);
        amphi_bodies_close(b);
    }
}

/* The height has a spring, because an ideal gas does not mind its shape. Given the height L the
 * area A follows A^N exp(-(P L - gamma) A/kT): A (P L - gamma)/kT has mean and variance N + 1. */
static const double spring = 400, height = 3;

static void spring_of_height(AmphiBodies *b)
{
    const double x = b->box_nm[2] - height;

    clear_forces(b);
    b->potential_kJ_mol    = 0.5 * spring * x * x;
    b->virial_kJ_mol[2][2] = -spring * x * b->box_nm[2];
}

/* The mean height of L^N (P L - gamma)^-(N+1) exp(-spring (L - height)^2/2kT). */
static double height_by_quadrature(int n, double pressure, double tension)
{
    double sum = 0, weight = 0;

    for (double l = height - 1.2; l < height + 1.2; l += 1e-4) {
        const double x = l - height;
        const double p = pow(l / height, n) *
                         pow((pressure * l - tension) / (pressure * height), -n - 1) *
                         exp(-0.5 * spring * x * x / kT);

        sum += p * l;
        weight += p;
    }
    return sum / weight;
}

static void semi_isotropic_rescaling_has_the_area_that_pressure_and_tension_set(void **state)
{
    (void)state;
    skip_where_brief();
    const int    n        = 150000;
    const double pressure = 21 * kT / 27, tension = 0.3 * pressure * height;
    AmphiStage   stage = npt(AMPHI_CELL_RESCALE, AMPHI_SEMI_ISOTROPIC, pressure, 1);

    stage.barostat.tension_kJ_mol_nm2 = tension;
    AmphiBodies *b                    = begin(20, POINT, &stage);
    Series       mean = series_of(n), square = series_of(n), tall = series_of(n);

    for (int k = -2000; k < n; k++) {
        step(b, spring_of_height);
        const double y = b->box_nm[0] * b->box_nm[1] * (pressure * b->box_nm[2] - tension) / kT;

        if (k < 0)
            continue;
        add(&mean, y);
        add(&square, (y - 21) * (y - 21));
        add(&tall, b->box_nm[2]);
    }
    assert_true(agrees(&mean, 21, 0.3));
    assert_true(agrees(&square, 21, 2.5));
    assert_true(agrees(&tall, height_by_quadrature(20, pressure, tension), 0.005));
    assert_true(b->box_nm[0] == b->box_nm[1] && b->box_nm[1] != b->box_nm[2]);
    amphi_bodies_close(b);
}

/* d ln V = -(kappa/tau)(P0 - P) dt with P = N kT/V, K kept by the thermostat: V goes to N kT/P0 as
 * exp(-t/tau) once it is near. */
static void berendsen_brings_the_box_to_its_pressure_at_the_stated_rate(void **state)
{
    (void)state;
    for (int coupling = AMPHI_ISOTROPIC; coupling <= AMPHI_SEMI_ISOTROPIC; coupling++) {
        const double pressure = 0.98 * 199 * kT / 27; /* the volume starts 2 % too small */
        AmphiStage   stage    = npt(AMPHI_BERENDSEN_P, (AmphiCoupling)coupling, pressure, 5);
        AmphiBodies *b;

        stage.thermostat.type    = AMPHI_BERENDSEN_T;
        stage.thermostat.time_ps = stage.dt_ps;
        b                        = begin(200, POINT, &stage);
        const double goal        = 199 * kT / pressure;
        for (int k = 0; k < 101; k++) {
            for (int i = 0; i < 200 && k == 1; i++) /* alike along all axes */
                for (int a = 0; a < 3; a++)
                    b->velocity_nm_ps[i][a] =
                        (i / (1 << a) % 2 == 0 ? 1 : -1) * sqrt(kT / 40 * 199 / 200);
            step(b, no_forces);
        }
        /* 20 moves of 5 steps; a move takes 1/20 of what is missing */
        const double left = (goal - volume_of(b->box_nm)) / (goal - 27);
        assert_true(is_near(left, pow(0.95, 20), 0.05));
        amphi_bodies_close(b);
    }
}

/* The rms of the conserved quantity in wells that move with the box, kJ/mol; without the work of
 * the moves when it is not `booked`. */
static double rms_in_wells(AmphiBarostatType type, bool booked)
{
    AmphiStage          stage = npt(type, AMPHI_SEMI_ISOTROPIC, 1, 2);
    AmphiStageRestraint restraint[2];
    const int           n   = 2000;
    double              sum = 0, squares = 0, first = 0;

    stage.thermostat.type                     = AMPHI_NO_THERMOSTAT;
    stage.barostat.compressibility_nm3_mol_kJ = 5e-3;
    hold_all(&stage, restraint, 9000);
    AmphiBodies *b = begin(50, POINT, &stage);
    for (int k = 0; k < n; k++) {
        step(b, restraint_forces);
        const double e = b->conserved_kJ_mol + (booked ? 0 : b->work_kJ_mol);

        first = k == 0 ? e : first;
        sum += (e - first) / n;
        squares += (e - first) * (e - first) / n;
    }
    amphi_bodies_close(b);
    return sqrt(squares - sum * sum);
}

/* At w dt = 0.15, strains of 1e-3 a move; leapfrog alone: 0.4 kJ/mol. */
static void the_work_of_a_move_is_all_that_it_changes(void **state)
{
    (void)state;
    const double still = rms_in_wells(AMPHI_NO_BAROSTAT, true);

    for (int type = AMPHI_BERENDSEN_P; type <= AMPHI_CELL_RESCALE; type++)
        assert_true(rms_in_wells((AmphiBarostatType)type, true) < 2 * still);
    assert_true(rms_in_wells(AMPHI_CELL_RESCALE, false) > 10 * still); /* it sees the work */
}

static void berendsen_multiplies_the_volume_as_published(void **state)
{
    (void)state;
    for (double x = -0.25; x < 0.3; x += 0.05)
        assert_true(is_near(exp(3 * berendsen_strain(0.5, 2 * x)), 1 - x, 1e-12));
}

static void no_move_is_larger_than_a_tenth_and_no_bad_number_is_hidden(void **state)
{
    (void)state;
    Squeeze squeeze = { .box_nm = { 3, 3, 3 }, .kT = 2.5, .compressibility = 1, .share = 1 };
    double  strain[3];

    for (int sign = -1; sign <= 1; sign += 2) {
        for (int a = 0; a < 3; a++)
            squeeze.pressure[a] = sign * 1e6;
        cell_rescale_isotropic(&squeeze, 0.1, strain);
        assert_true(strain[2] == sign * 0.1);
        cell_rescale_semi_isotropic(&squeeze, (double[2]){ 0.1, -0.1 }, strain);
        assert_true(strain[0] == sign * 0.1 && strain[2] == sign * 0.1);
        berendsen_isotropic(&squeeze, strain);
        assert_true(strain[1] == sign * 0.1);
        assert_true(is_limited(strain));
        for (int a = 0; a < 3; a++) {
            double one[3] = { 0, 0, 0 };

            one[a] = sign * 0.1;
            assert_true(is_limited(one));
        }
        for (double e = 0.101; e < 1; e += 0.05)
            assert_true(limit_strain(sign * e) == sign * 0.1);
        assert_true(limit_strain(sign * 0.099) == sign * 0.099);
        assert_false(is_limited((double[3]){ 0.099, sign * 0.099, 0 }));
    }
    squeeze.pressure[0] = (double)NAN;
    cell_rescale_isotropic(&squeeze, 0.1, strain);
    assert_true(isnan(strain[0]));
    berendsen_semi_isotropic(&squeeze, strain);
    assert_true(isnan(strain[0]) && strain[2] == 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_check_of_means_sees_a_wrong_mean_and_a_large_error),
        cmocka_unit_test(velocity_rescaling_makes_the_gamma_distribution),
        cmocka_unit_test(velocity_rescaling_turns_round_as_a_random_walk_does),
        cmocka_unit_test(berendsen_relaxes_translation_and_rotation_apart),
        cmocka_unit_test(berendsen_in_steps_longer_than_its_time_stops_at_the_temperature),
        cmocka_unit_test(langevin_has_the_temperature_without_a_bias_of_the_step),
        cmocka_unit_test(velocity_rescaling_has_equal_energies_in_wells),
        cmocka_unit_test(langevin_turns_rotors_and_tops_at_the_temperature),
        cmocka_unit_test(cell_rescaling_of_an_ideal_gas_has_its_volume_and_fluctuation),
        cmocka_unit_test(books_of_a_free_gas_are_exact_when_thermostat_and_box_act_together),
        cmocka_unit_test(semi_isotropic_rescaling_has_the_area_that_pressure_and_tension_set),
        cmocka_unit_test(berendsen_brings_the_box_to_its_pressure_at_the_stated_rate),
        cmocka_unit_test(the_work_of_a_move_is_all_that_it_changes),
        cmocka_unit_test(berendsen_multiplies_the_volume_as_published),
        cmocka_unit_test(no_move_is_larger_than_a_tenth_and_no_bad_number_is_hidden),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
