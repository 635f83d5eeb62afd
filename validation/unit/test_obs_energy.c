/* energy.tsv: its columns, numbers with known answers, the mean of the conserved energy, stages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "../../engine/units.h"
#include "../../forcefield/spec.h"
#include "format_cases.h"
#include "toy_systems.h"
#include "watching.h"

/* Water and lipids in two baths, then in one, then in none. */
typedef struct {
    AmphiArena        *arena;
    AmphiSystem        system;
    AmphiGroup         group[3];
    int32_t            bath[2];
    AmphiStage         stage[3];
    AmphiObserverPlace place;
    AmphiObserverPlan  plan;
    AmphiKinetic       kinetic[2][2];
    int64_t            freedom[2][2];
    int32_t            uncounted; /* stage without sums of the conserved energy; -1: none */
} Bench;

static const int64_t stage_steps[3] = { 20, 10, 40 };

static void add_lj(Bench *b)
{
    AmphiPairRule *const rule = amphi_arena_grow(
        b->arena, b->system.pair_rule, TOY_TYPES * TOY_TYPES, TOY_TYPES * TOY_TYPES, sizeof *rule);

    rule[TOY_WAT * TOY_TYPES + TOY_WAT].n_terms = 1;
    rule[TOY_WAT * TOY_TYPES + TOY_WAT].term[0].kind =
        amphi_spec_find("pair", "lennard-jones")->kind;
    /* between types that no bead has */
    rule[TOY_AMI * TOY_TYPES + TOY_AMI].n_terms      = 1;
    rule[TOY_AMI * TOY_TYPES + TOY_AMI].term[0].kind = amphi_spec_find("pair", "gay-berne")->kind;
    b->system.pair_rule                              = rule;
}

static void set_up(Bench *b)
{
    const AmphiPortion       portion[2] = { { TOY_DMPC, 2 }, { TOY_WATER, 5 } };
    static const char *const name[3]    = { "all", "lipids", "water" };

    *b        = (Bench){ .arena = amphi_arena_new(), .bath = { 1, 2 }, .uncounted = 1 };
    b->system = toy_elba(b->arena);
    toy_populate(&b->system, portion, 2, b->arena);
    add_lj(b);
    for (int k = 0; k < 3; k++) {
        b->group[k].name = name[k];
        b->stage[k]      = (AmphiStage){ .name = name[k], .ensemble = AMPHI_NVT, .dt_ps = 0.01 };
    }
    b->system.group                 = b->group;
    b->system.n_groups              = 3;
    b->stage[0].thermostat.group    = b->bath;
    b->stage[0].thermostat.n_groups = 2;
    b->stage[1].thermostat.group    = b->bath;
    b->stage[1].thermostat.n_groups = 1;
    b->stage[2].ensemble            = AMPHI_NVE;
    b->stage[0].conserved_mean = b->stage[2].conserved_mean = true;
    b->place = (AmphiObserverPlace){ .system   = &b->system,
                                     .dir      = folder(),
                                     .heading  = "amphi of a test",
                                     .stage    = b->stage,
                                     .n_stages = 3 };
    b->plan  = (AmphiObserverPlan){ .kind = "energies", .every = 4 };
}

static void tear_down(Bench *b)
{
    amphi_arena_free(b->arena);
}

/* Half-step temperatures 290 + step (lipids) and 310 (water); all else is easily told. */
static void make_frame(void *user, int32_t step, AmphiFrame *f)
{
    Bench *const b     = user;
    int32_t      stage = 0;
    int64_t      at    = step;

    while (at >= stage_steps[stage])
        at -= stage_steps[stage++];
    *f = (AmphiFrame){ .step = step, .has = AMPHI_NEED_ENERGY, .box_nm = { 2, 3, 4 } };

    f->time_ps                              = 0.01 * step;
    f->stage                                = &b->stage[stage];
    f->stage_step                           = at;
    f->heat_kJ_mol                          = 0.5 * (double)at;
    f->work_kJ_mol                          = 0.25;
    f->conserved_kJ_mol                     = 1000 + step;
    f->conserved_count                      = stage == b->uncounted ? 0 : at + 1;
    f->conserved_sum_kJ_mol                 = (1000.1 + stage) * (double)f->conserved_count;
    f->n_groups                             = stage == 0 ? 2 : 1;
    f->group                                = (const AmphiKinetic(*)[2])b->kinetic;
    f->group_freedom                        = (const int64_t(*)[2])b->freedom;
    f->term_kJ_mol[AMPHI_LJ]                = -100 - step;
    f->term_kJ_mol[AMPHI_BOND]              = 10;
    f->term_virial_kJ_mol[AMPHI_LJ][0][0]   = 5;
    f->term_virial_kJ_mol[AMPHI_BOND][2][2] = 7;
    f->kinetic_half_kJ_mol[0][0]            = 3;
    for (int g = 0; g < 2; g++)
        for (int k = 0; k < 2; k++) {
            const double T   = g == 0 ? 290 + step : 310;
            b->freedom[g][k] = 10 * (g + 1) + k;
            b->kinetic[g][k].half =
                0.5 * (double)b->freedom[g][k] * AMPHI_BOLTZMANN * (T + (k == 0 ? 1 : 0));
            b->kinetic[g][k].full = b->kinetic[g][k].half - 0.5;
            f->freedom[k] += b->freedom[g][k];
            *(k == 0 ? &f->translation : &f->rotation) = (AmphiKinetic){
                (k == 0 ? f->translation : f->rotation).half + b->kinetic[g][k].half,
                (k == 0 ? f->translation : f->rotation).full + b->kinetic[g][k].full, 0
            };
        }
}

static void watch_all(Bench *b)
{
    Watch w;

    unlink(path_of("energy.tsv"));
    watch_open(&w, &b->place, &b->plan);
    for (int32_t k = 0; k < 70; k++) {
        AmphiFrame f;
        make_frame(b, k, &f);
        watch_see(&w, &f);
    }
    watch_end(&w);
}

static bool is_value(const char *column, int32_t line, double expected)
{
    const double got = table_value(path_of("energy.tsv"), column, line);

    if (fabs(got - expected) <= 1e-9 * (1 + fabs(expected))) /* ten digits are written */
        return true;
    print_message("%s of line %d: %.17g, expected %.17g\n", column, (int)line, got, expected);
    return false;
}

static void numbers_stand_under_their_names(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    watch_all(&b);
    assert_true(is_value("step", 2, 8));
    assert_false(is_value("step", 2, 9));
    assert_true(is_value("time_ps", 2, 0.08));
    assert_true(is_value("stage", 2, 1));
    assert_true(is_value("stage", 5, 2));
    assert_true(is_value("lj", 2, -108));
    assert_true(is_value("bond", 2, 10));
    assert_true(is_value("angle-cosine", 2, 0));
    assert_true(is_value("potential", 2, -98));
    assert_true(is_value("temperature_lipids", 2, 298 + 10. / 21));
    assert_true(is_value("temperature_water", 2, 310 + 20. / 41));
    assert_true(is_value("temperature_translation", 2, (10 * 298 + 20 * 310) / 30. + 1));
    assert_true(is_value("temperature_rotation", 2, (11 * 298 + 21 * 310) / 32.));
    assert_true(is_value("temperature", 2, (21 * 298 + 41 * 310 + 30) / 62.));
    assert_true(is_value("pressure_xx", 2, 11 / (24 * AMPHI_BAR)));
    assert_true(is_value("pressure_yy", 2, 0));
    assert_true(is_value("pressure_zz", 2, 7 / (24 * AMPHI_BAR)));
    assert_true(is_value("pressure", 2, 6 / (24 * AMPHI_BAR)));
    assert_true(is_value("box_y", 2, 3));
    assert_true(is_value("heat", 2, 4));
    assert_true(is_value("work", 2, 0.25));
    assert_true(is_value("kinetic_half", 2, 0.5 * AMPHI_BOLTZMANN * (21 * 298 + 41 * 310 + 30)));
    assert_true(
        is_value("kinetic_full", 2, 0.5 * AMPHI_BOLTZMANN * (21 * 298 + 41 * 310 + 30) - 2));
    tear_down(&b);
}

static bool has_text(const char *text)
{
    int64_t     n     = 0;
    char *const bytes = bytes_of_file(path_of("energy.tsv"), &n);
    const bool  found = strstr(bytes, text) != NULL;

    free(bytes);
    return found;
}

static bool has_column(const char *name)
{
    char word[64];

    snprintf(word, sizeof word, "\t%s\t", name);
    return has_text(word);
}

static void a_column_is_there_when_the_system_can_have_the_term(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    watch_all(&b);
    assert_true(has_column("lj"));
    assert_true(has_column("dipole-restraint"));
    assert_false(has_column("gay-berne"));
    assert_false(has_column("qq"));
    assert_false(has_column("position-restraint"));
    b.stage[2].n_restraints = 1;
    watch_all(&b);
    assert_true(has_column("position-restraint"));
    tear_down(&b);
}

/* Stage 0 has 5 lines, stage 1 has 3 (at its steps 0, 4, 8) and no mean, stage 2 the others. */
static void the_conserved_energy_is_a_mean_between_lines_and_begins_anew_with_a_stage(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    watch_all(&b);
    assert_int_equal(table_lines(path_of("energy.tsv")), 5 + 3 + 10);
    for (int32_t line = 0; line < 18; line++)
        assert_true(is_value("conserved", line,
                             line < 5   ? 1000.1
                             : line < 8 ? 1000 + 20 + 4 * (line - 5)
                                        : 1002.1));
    b.stage[0].conserved_mean = b.stage[2].conserved_mean = false;
    watch_all(&b);
    assert_true(is_value("conserved", 1, 1004));
    assert_true(is_value("conserved", 8, 1030));
    tear_down(&b);
}

/* Stage after stage with a mean: none has sums of the one before. */
static void the_first_mean_of_a_stage_is_of_that_stage_alone(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    b.uncounted               = -1;
    b.stage[1].conserved_mean = true;
    watch_all(&b);
    for (int32_t line = 0; line < 18; line++)
        assert_true(is_value("conserved", line, line < 5 ? 1000.1 : line < 8 ? 1001.1 : 1002.1));
    tear_down(&b);
}

/* Two stages whose first lines have as many steps behind them; and bodies that do not turn. */
static void a_stage_with_the_count_of_the_one_before_is_another_all_the_same(void **state)
{
    (void)state;
    Bench b;
    Watch w;

    set_up(&b);
    b.stage[0].conserved_mean = b.stage[1].conserved_mean = true;
    unlink(path_of("energy.tsv"));
    watch_open(&w, &b.place, &b.plan);
    for (int32_t k = 0; k < 2; k++) {
        AmphiFrame f;

        make_frame(&b, 20 * k, &f); /* where each of them begins */
        f.conserved_count      = 4;
        f.conserved_sum_kJ_mol = 4 * (100.0 + k);
        f.rotation             = (AmphiKinetic){ 0, 0, 0 };
        f.freedom[1]           = 0;
        watch_see(&w, &f);
    }
    watch_end(&w);
    for (int32_t k = 0; k < 2; k++) {
        assert_true(is_value("conserved", k, 100 + k));
        assert_true(is_value("temperature_rotation", k, 0));
    }
    tear_down(&b);
}

static void a_group_outside_the_baths_of_a_stage_has_no_temperature(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    watch_all(&b);
    assert_true(
        is_value("temperature_lipids", 5, 310 + 10. / 21)); /* alone in the bath of stage 1 */
    assert_true(isnan(table_value(path_of("energy.tsv"), "temperature_water", 5)));
    assert_true(isnan(table_value(path_of("energy.tsv"), "temperature_water", 17)));
    assert_true(has_text("\n# temperature_GROUP is nan in stages whose thermostat does not name"));
    b.stage[0].thermostat.n_groups = 0;
    b.stage[0].thermostat.group    = NULL;
    watch_all(&b);
    assert_false(has_column("temperature_lipids")); /* it would be the whole's */
    assert_false(has_text("temperature_GROUP"));
    tear_down(&b);
}

static void broken_and_continued_the_table_has_the_same_bytes(void **state)
{
    (void)state;
    static const char *const files[] = { "energy.tsv", NULL };
    Bench                    b;

    set_up(&b);
    const FrameSource source = { &b.system, 70, make_frame, &b };
    for (int32_t at = 1; at < 70; at += 17)
        for (int32_t lost = 0; lost <= at && lost < 20; lost += 7)
            assert_true(broken_is_the_same(&source, &b.place, &b.plan, folder(), at, lost, files));
    tear_down(&b);
}

static void sums_of_another_observer_are_refused(void **state)
{
    (void)state;
    const AmphiBytes wrong = { .data = (unsigned char[3]){ 1, 2, 3 }, .n = 3 };
    Bench            b;
    Watch            w;

    set_up(&b);
    unlink(path_of("energy.tsv"));
    watch_open(&w, &b.place, &b.plan);
    assert_int_equal(amphi_observer_restore(w.observer, &wrong, &w.err), AMPHI_BAD_FILE);
    assert_non_null(strstr(w.err.text, "sums of another size"));
    watch_end(&w);
    tear_down(&b);
}

static void no_memory_is_an_answer(void **state)
{
    (void)state;
    AmphiStatus status = AMPHI_NO_MEMORY;
    Bench       b;

    set_up(&b);
    unlink(path_of("energy.tsv"));
    b.place.files = amphi_outfiles_new(folder());
    for (int64_t n = 1; status != AMPHI_OK; n++) {
        AmphiObserver *o   = NULL;
        AmphiError     err = { 0 };

        assert_true(n < 20);
        amphi_arena_fail_at(n);
        status = amphi_observer_open(amphi_observer_kind("energies"), &b.place, &b.plan, &o, &err);
        amphi_arena_fail_at(0);
        assert_true(status == AMPHI_OK || (status == AMPHI_NO_MEMORY && o == NULL));
        amphi_observer_close(o);
    }
    amphi_outfiles_free(b.place.files);
    tear_down(&b);
}

static void observers_are_found_by_name(void **state)
{
    (void)state;
    for (int32_t k = 0; amphi_observer_kind_at(k) != NULL; k++)
        assert_ptr_equal(amphi_observer_kind(amphi_observer_kind_at(k)->name),
                         amphi_observer_kind_at(k));
    assert_null(amphi_observer_kind("energy"));
    assert_null(amphi_observer_kind_at(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_stand_under_their_names),
        cmocka_unit_test(a_column_is_there_when_the_system_can_have_the_term),
        cmocka_unit_test(the_conserved_energy_is_a_mean_between_lines_and_begins_anew_with_a_stage),
        cmocka_unit_test(the_first_mean_of_a_stage_is_of_that_stage_alone),
        cmocka_unit_test(a_stage_with_the_count_of_the_one_before_is_another_all_the_same),
        cmocka_unit_test(a_group_outside_the_baths_of_a_stage_has_no_temperature),
        cmocka_unit_test(broken_and_continued_the_table_has_the_same_bytes),
        cmocka_unit_test(sums_of_another_observer_are_refused),
        cmocka_unit_test(no_memory_is_an_answer),
        cmocka_unit_test(observers_are_found_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
