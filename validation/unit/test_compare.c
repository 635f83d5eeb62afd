/* Comparisons: modes that are the same differ by nothing, one that is spoilt shows it, one that
 * fails is told about and leaves the others alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "../../tools/compare_nvt.h"
#include "compare_bench.h"

static double value_of(const CompareBench *b, const char *part, const char *quantity, int32_t mode)
{
    return bench_row(b, part, quantity)->value[mode];
}

static bool has_remark(const CompareBench *b, const char *text)
{
    for (int32_t k = 0; k < b->c.report->n_remarks; k++)
        if (strstr(b->c.report->remark[k], text) != NULL)
            return true;
    return false;
}

/* Everything but the speed and memory, which no two runs share. */
static int32_t count_differences(const CompareBench *b)
{
    const CompareReport *const r = b->c.report;
    int32_t                    n = 0;

    for (int32_t i = 0; i < r->n_rows; i++) {
        const double *const v       = r->row[i].value;
        const bool          is_base = strcmp(r->row[i].quantity, "rms distance after 1 ps") == 0 ||
                             strstr(r->row[i].quantity, "from the base") != NULL;

        if (strcmp(r->part[r->row[i].part].name, "speed") == 0 || r->row[i].has_text)
            continue;
        if (is_base)
            n += v[1] != 0;
        else
            n += !(v[0] == v[1] || (isnan(v[0]) && isnan(v[1])));
    }
    return n;
}

static void modes_that_are_the_same_differ_by_nothing(void **state)
{
    const AmphiBackend *const same = amphi_backend_there("cpu", AMPHI_DOUBLE);
    CompareBench              b;
    (void)state;

    bench_open(&b, same, 4.5);
    assert_int_equal(compare_all(&b.c, &b.err), AMPHI_OK);
    assert_int_equal(count_differences(&b), 0);
    assert_true(value_of(&b, "parting", "rms distance after 1 ps", 1) == 0);
    assert_true(isfinite(value_of(&b, "nve", "drift of the conserved energy", 1)));
    assert_true(value_of(&b, "nve", "drift, standard error", 1) > 0);
    assert_true(isfinite(value_of(&b, "nvt", "temperature, mean", 1)));
    assert_true(value_of(&b, "speed", "steps a second", 1) > 0);
    bench_close(&b);
}

static double square(const double x[3])
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

static double norm_of_virial(const AmphiFrame *f, bool all)
{
    double squares = 0;

    for (int k = 0; k < 9; k++) {
        double sum = 0;

        for (int slot = 0; slot < AMPHI_TERMS; slot++)
            sum += all || slot == AMPHI_LJ ? f->term_virial_kJ_mol[slot][k / 3][k % 3] : 0;
        squares += sum * sum;
    }
    return sqrt(squares);
}

/* Rounding in the sums of two backends in double. */
static void check_near(double value, double exact)
{
    if (!(fabs(value - exact) < 1e-8 * exact))
        fail_msg("%.12g, not %.12g", value, exact);
}

/* Against the forces, the energy and the virials that the reference has at the start. */
static void check_spoilt_rows(CompareBench *b)
{
    AmphiFrame        f;
    AmphiState *const exact   = bench_exact(b, &f);
    const int32_t     n       = b->c.system.n_beads;
    double            squares = 0;

    for (int32_t i = 0; i < n; i++)
        squares += square(f.force_kJ_mol_nm[i]);

    const double force = SPOILT_FORCE * sqrt(square(f.force_kJ_mol_nm[SPOILT_BEAD]));
    const double xx    = SPOILT_VIRIAL * fabs(f.term_virial_kJ_mol[AMPHI_LJ][0][0]);

    check_near(value_of(b, "forces", "force error, relative rms", 1), force / sqrt(squares));
    check_near(value_of(b, "forces", "force error of the worst bead, over the rms", 1),
               force / sqrt(squares / n));
    check_near(value_of(b, "forces", "lj: energy, relative difference", 1), SPOILT_ENERGY);
    check_near(value_of(b, "forces", "lj: virial, relative difference", 1),
               xx / norm_of_virial(&f, false));
    check_near(value_of(b, "forces", "all: virial, relative difference", 1),
               xx / norm_of_virial(&f, true));
    bench_forget(exact);
}

static void a_wrong_force_is_found_with_its_bead(void **state)
{
    const AmphiBackend wrong = bench_wrong_force();
    CompareBench       b;
    (void)state;

    bench_open(&b, &wrong, 0.5);
    assert_int_equal(compare_all(&b.c, &b.err), AMPHI_OK);
    assert_true(count_differences(&b) > 0);
    check_spoilt_rows(&b);
    assert_true(value_of(&b, "forces", "force error, relative rms", 0) < 1e-12);
    assert_string_equal(bench_row(&b, "forces", "force error: the worst bead")->text[1],
                        "water18 8");
    bench_close(&b);
}

static AmphiStatus find_forces(CompareBench *b)
{
    assert_int_equal(compare_find_start(&b->c, &b->err), AMPHI_OK);
    assert_int_equal(compare_open(&b->c, &b->err), AMPHI_OK);
    return compare_forces(&b->c, &b->err);
}

/* Beside a mode that is right, and without one. */
static void a_force_that_is_no_number_is_the_worst_of_all(void **state)
{
    const AmphiBackend nowhere = bench_no_force();
    (void)state;

    for (int alone = 0; alone < 2; alone++) {
        CompareBench b;

        bench_open(&b, &nowhere, 0.5);
        if (alone)
            b.c.mode[0].backend = &nowhere;
        assert_int_equal(find_forces(&b), AMPHI_OK);
        for (int k = 1 - alone; k < 2; k++) {
            assert_true(isnan(value_of(&b, "forces", "force error, relative rms", k)));
            assert_true(
                isinf(value_of(&b, "forces", "force error of the worst bead, over the rms", k)));
            assert_string_equal(bench_row(&b, "forces", "force error: the worst bead")->text[k],
                                "water18 8");
        }
        assert_true(alone || value_of(&b, "forces", "force error, relative rms", 0) < 1e-12);
        assert_true(value_of(&b, "forces", "torque error, relative rms", 1) < 1e-12);
        compare_close(&b.c);
        bench_close(&b);
    }
}

/* The Lyapunov time of a liquid is a fraction of a ps: 1e-6 nm are a tenth of a nm after a few
 * ps. */
static void a_moved_bead_parts_the_trajectories(void **state)
{
    const AmphiBackend moved = bench_moved_start();
    CompareBench       b;
    (void)state;

    bench_open(&b, &moved, 12);
    assert_int_equal(compare_all(&b.c, &b.err), AMPHI_OK);
    const double early = value_of(&b, "parting", "rms distance after 1 ps", 1);
    const double first = value_of(&b, "parting", "rms distance passes 0.01 nm after", 1);
    const double last  = value_of(&b, "parting", "rms distance passes 0.1 nm after", 1);

    assert_true(early > 1e-8 && early < 1e-2);
    assert_true(first > 0 && last > first && last < 12);
    assert_true(isnan(value_of(&b, "parting", "rms distance passes 0.1 nm after", 0)));
    bench_close(&b);
}

static void check_lost(const AmphiBackend *second, const char *why)
{
    CompareBench b;

    bench_open(&b, second, 4.5);
    assert_int_equal(compare_all(&b.c, &b.err), AMPHI_NOT_HELD);
    assert_true(has_remark(&b, why));
    assert_true(isfinite(value_of(&b, "forces", "force error, relative rms", 1)));
    assert_true(isnan(value_of(&b, "nve", "temperature, mean", 1)));
    assert_true(isnan(value_of(&b, "nve", "total energy a bead, deviation", 1)));
    assert_true(value_of(&b, "nve", "temperature, mean", 0) > 0);
    assert_true(isnan(value_of(&b, "nvt", "temperature, mean", 1)));
    assert_true(isnan(value_of(&b, "speed", "steps a second", 1)));
    assert_true(value_of(&b, "nvt", "temperature, mean", 0) > 0);
    assert_true(value_of(&b, "speed", "steps a second", 0) > 0);
    bench_close(&b);
}

static void a_mode_that_fails_is_told_about_and_the_others_go_on(void **state)
{
    AmphiBackend failing;
    (void)state;

    failing = bench_failing_kick();
    check_lost(&failing, "the second was lost: a force of bead 7 is saturated");
    failing = bench_lost_energy();
    check_lost(&failing, "the second was lost: the energy is not finite");
}

/* ---- being stopped ---- */

static volatile sig_atomic_t stop;

static void stop_in_nve(void *user, const char *part, int64_t done, int64_t of)
{
    (void)user;
    (void)of;
    if (strcmp(part, "nve") == 0 && done >= 300)
        stop = 1;
}

static void stop_at_once(void *user, const char *part, int64_t done, int64_t of)
{
    (void)user;
    (void)part;
    (void)done;
    (void)of;
    stop = 1;
}

static void a_comparison_that_is_stopped_tells_what_it_has(void **state)
{
    const AmphiBackend *const same = amphi_backend_there("cpu", AMPHI_DOUBLE);
    CompareBench              b;
    (void)state;

    stop = 0;
    bench_open(&b, same, 40);
    b.c.stop = &stop;
    b.c.tell = stop_in_nve;
    assert_int_equal(compare_all(&b.c, &b.err), AMPHI_STOPPED);
    assert_true(has_remark(&b, "stopped early"));
    assert_true(value_of(&b, "nve", "temperature, mean", 0) > 0);
    assert_int_equal(b.c.report->curve[0].n, 16); /* 300 steps by 20, and the first */
    assert_false(bench_has(&b, "nvt", "temperature, mean"));
    bench_close(&b);

    stop = 0;
    bench_open(&b, same, 40);
    b.c.stop = &stop;
    b.c.tell = stop_at_once;
    assert_int_equal(compare_all(&b.c, &b.err), AMPHI_STOPPED);
    assert_int_equal(b.c.report->n_parts, 0);
    bench_close(&b);
}

/* ---- which modes, and where they start ---- */

static void a_double_mode_is_added_where_none_is_asked_for(void **state)
{
    CompareBench b;
    Compare      c = { .report = compare_report_new() };
    (void)state;

    assert_int_equal(compare_choose(&c, "cpu", "single", &b.err), AMPHI_OK);
    assert_int_equal(c.n_modes, 2);
    assert_string_equal(c.mode[c.base].name, "cpu double");
    compare_report_free(c.report);
}

static void a_mode_alone_is_held_against_none(void **state)
{
    CompareBench b;
    Compare      c = { .report = compare_report_new(), .is_alone = true };
    (void)state;

    assert_int_equal(compare_choose(&c, "cpu", "single", &b.err), AMPHI_OK);
    assert_int_equal(c.n_modes, 1);
    assert_int_equal(c.base, -1);
    compare_report_free(c.report);
}

static void check_refused(const char *backends, const char *precisions, const char *why)
{
    Compare    c   = { .report = compare_report_new() };
    AmphiError err = { .status = AMPHI_OK };

    assert_int_equal(compare_choose(&c, backends, precisions, &err), AMPHI_BAD_COMMAND);
    if (strstr(err.text, why) == NULL)
        fail_msg("not in it: %s\n%s", why, err.text);
    compare_report_free(c.report);
}

static void modes_that_are_none_are_refused(void **state)
{
    (void)state;
    check_refused("cpu", "quadruple", "there is no precision \"quadruple\"");
    check_refused("cpu", "singel", "did you mean single?");
    check_refused("gpu", "single", "there is no backend \"gpu\"");
    check_refused("cpu", "single,double,single", "--precision: single is named twice");
    check_refused("cpu", "single,", "there is no precision \"\"");
    check_refused("reference", "single", "none of these modes is there");
}

static void the_start_is_said(void **state)
{
    const AmphiBackend *const same = amphi_backend_there("cpu", AMPHI_DOUBLE);
    CompareBench              b;
    (void)state;

    bench_open(&b, same, 0.5);
    assert_int_equal(compare_find_start(&b.c, &b.err), AMPHI_OK);
    assert_non_null(strstr(b.c.report->start, "relax (20 steps), warm (0.1 of 1 ps)"));
    assert_true(b.c.nve.dt_ps == 0.005 && b.c.nve.conserved_mean);
    assert_int_equal(b.c.nve.thermostat.type, AMPHI_NO_THERMOSTAT);
    assert_int_equal(b.c.nvt.thermostat.type, AMPHI_VELOCITY_RESCALE);
    bench_close(&b);
}

/* ---- temperatures of molecule types ---- */

static void kinetic_energies_of_molecule_types_add_up_to_those_of_the_frame(void **state)
{
    const AmphiBackend *const same = amphi_backend_there("cpu", AMPHI_DOUBLE);
    const uint32_t            needs =
        AMPHI_NEED_NUMBERS | AMPHI_NEED_POTENTIAL | AMPHI_NEED_POSITIONS | AMPHI_NEED_FORCES;
    double       kinetic[8] = { 0 }, freedom[8] = { 0 }, sum[2] = { 0 };
    CompareBench b;
    CompareMode *m;
    (void)state;

    bench_open(&b, same, 0.5);
    assert_int_equal(compare_find_start(&b.c, &b.err), AMPHI_OK);
    assert_int_equal(compare_open(&b.c, &b.err), AMPHI_OK);
    m = &b.c.mode[0];
    assert_int_equal(m->backend->begin_stage(m->state, &b.c.nvt, &b.err), AMPHI_OK);
    assert_int_equal(compare_go(m, 10, &b.err), AMPHI_OK);
    assert_int_equal(compare_look(m, needs, &b.err), AMPHI_OK);
    assert_true(b.c.system.n_molecule_types <= 8);
    compare_kinetic(&b.c.system, &m->frame, b.c.nvt.dt_ps, kinetic);
    compare_freedom(&b.c.system, &b.c.nvt, &m->frame, freedom);
    for (int32_t k = 0; k < b.c.system.n_molecule_types; k++) {
        sum[0] += kinetic[k];
        sum[1] += freedom[k];
    }
    const double exact = m->frame.translation.half + m->frame.rotation.half;
    assert_true(fabs(sum[0] - exact) < 1e-9 * exact); /* 100 beads in double */
    assert_true(fabs(m->frame.translation.full + m->frame.rotation.full - exact) > 1e-6 * exact);
    assert_true(fabs(sum[1] - (double)(m->frame.freedom[0] + m->frame.freedom[1])) < 1e-9);
    compare_close(&b.c);
    bench_close(&b);
}

/* Three beads of 10 u and one of 30 u, each a molecule. A momentum of three components, held back,
 * belongs to them by their mass. */
static void a_momentum_that_is_held_back_is_shared_by_mass(void **state)
{
    const AmphiBeadType     type[2]          = { { .mass_u = 10 }, { .mass_u = 30 } };
    const AmphiMoleculeType molecule_type[2] = { { .n_beads = 1 }, { .n_beads = 1 } };
    const AmphiMolecule     molecule[4]      = {
                 { .type = 0 }, { .type = 0 }, { .type = 0 }, { .type = 1 }
    };
    const int32_t     bead_type[4] = { 0, 0, 0, 1 }, bead_molecule[4] = { 0, 1, 2, 3 };
    const int32_t     pair[2]    = { 2, 3 };
    const AmphiGroup  group[1]   = { { .bead = pair, .n_beads = 2 } };
    const int64_t     held[1][2] = { { 3, 0 } };
    const int32_t     all[1]     = { 0 };
    AmphiStage        stage      = { .thermostat = { .group = all } };
    AmphiFrame        frame      = { .freedom = { 9, 0 }, .group_freedom = held };
    double            freedom[2];
    const AmphiSystem s = { .n_types          = 2,
                            .type             = type,
                            .n_molecule_types = 2,
                            .molecule_type    = molecule_type,
                            .n_molecules      = 4,
                            .molecule         = molecule,
                            .n_beads          = 4,
                            .bead_type        = bead_type,
                            .bead_molecule    = bead_molecule,
                            .n_groups         = 1,
                            .group            = group };
    (void)state;

    compare_freedom(&s, &stage, &frame, freedom);
    assert_true(fabs(freedom[0] - (9 - 3 * 30.0 / 60)) < 1e-12);
    assert_true(fabs(freedom[1] - (3 - 3 * 30.0 / 60)) < 1e-12);

    /* of a group of one light bead and the heavy one */
    stage.thermostat.n_groups = 1;
    compare_freedom(&s, &stage, &frame, freedom);
    assert_true(fabs(freedom[0] - (9 - 3 * 10.0 / 40)) < 1e-12);
    assert_true(fabs(freedom[1] - (3 - 3 * 30.0 / 40)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_that_are_the_same_differ_by_nothing),
        cmocka_unit_test(a_wrong_force_is_found_with_its_bead),
        cmocka_unit_test(a_force_that_is_no_number_is_the_worst_of_all),
        cmocka_unit_test(a_moved_bead_parts_the_trajectories),
        cmocka_unit_test(a_mode_that_fails_is_told_about_and_the_others_go_on),
        cmocka_unit_test(a_comparison_that_is_stopped_tells_what_it_has),
        cmocka_unit_test(a_double_mode_is_added_where_none_is_asked_for),
        cmocka_unit_test(a_mode_alone_is_held_against_none),
        cmocka_unit_test(modes_that_are_none_are_refused),
        cmocka_unit_test(the_start_is_said),
        cmocka_unit_test(kinetic_energies_of_molecule_types_add_up_to_those_of_the_frame),
        cmocka_unit_test(a_momentum_that_is_held_back_is_shared_by_mass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
