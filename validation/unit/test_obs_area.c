/* The area modulus: of a box whose every edge is known, and in which stages there is one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../engine/units.h"
#include "../property/draw.h"
#include "format_cases.h"
#include "hand_bench.h"

enum { LIPIDS = 4, PER_LIPID = 13, FRAMES = 50, COLUMNS = 3 };

static void box_of(int32_t k, double box[3])
{
    box[0] = 3 + 0.1 * sin(0.3 * k);
    box[1] = 3 - 0.05 * sin(0.3 * k);
    box[2] = 7;
}

/* Upright lipids, every second one head down. */
static void make_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b = user;
    double           box[3];

    box_of(k, box);
    for (int32_t i = 0; i < LIPIDS * PER_LIPID; i++) {
        const int32_t lipid = i / PER_LIPID;
        const double  up    = lipid % 2 == 0 ? 1 : -1;

        b->position[i][0] = 0.7 * lipid;
        b->position[i][1] = 0.3;
        b->position[i][2] = 3.5 + up * (1.9 - 0.14 * (i % PER_LIPID));
    }
    hand_frame(b, k, box, f);
}

typedef enum { FREE, LANGEVIN, BERENDSEN_T, BERENDSEN_P, FLAT, HELD, HOW } How;

static AmphiStage stage_of(How how)
{
    static const AmphiStageRestraint restraint = { .k_kJ_mol_nm2 = 1 };
    AmphiStage s = { .name = "s", .ensemble = AMPHI_NPT, .n_steps = 1000, .dt_ps = 0.01 };

    s.thermostat = (AmphiThermostat){ .type = AMPHI_VELOCITY_RESCALE, .temperature_K = 303 };
    s.barostat   = (AmphiBarostat){ .type                = AMPHI_CELL_RESCALE,
                                    .coupling            = AMPHI_SEMI_ISOTROPIC,
                                    .pressure_kJ_mol_nm3 = AMPHI_BAR };
    if (how == LANGEVIN || how == BERENDSEN_T)
        s.thermostat.type = how == LANGEVIN ? AMPHI_LANGEVIN : AMPHI_BERENDSEN_T;
    if (how == BERENDSEN_P)
        s.barostat.type = AMPHI_BERENDSEN_P;
    if (how == FLAT)
        s.barostat.coupling = AMPHI_CONSTANT_AREA;
    if (how == HELD) {
        s.n_restraints = 1;
        s.restraint    = &restraint;
    }
    return s;
}

/* kT <A>/<dA^2>, with the square from the sample's own mean made larger by (n + 1)/n. */
static void check_modulus(const char *path)
{
    double mean = 0, squares = 0, box[3];

    for (int32_t k = 0; k < FRAMES; k++) {
        box_of(k, box);
        mean += box[0] * box[1] / FRAMES;
        squares += box[0] * box[1] * box[0] * box[1] / FRAMES;
    }
    const double n       = table_value(path, "independent", COLUMNS);
    const double modulus = AMPHI_BOLTZMANN * 303 * mean / (squares - mean * mean) * n / (n + 1);

    assert_true(n >= 2 && n < FRAMES);
    /* the table has three digits of n */
    assert_true(
        is_near(table_value(path, "mean", COLUMNS) * 10 * AMPHI_BAR, modulus, 2e-3 * modulus));
    assert_true(table_value(path, "error", COLUMNS) > 0);
}

static void the_area_modulus_is_that_of_a_box_that_fluctuates_freely(void **state)
{
    (void)state;
    static const AmphiPortion portion[] = { { TOY_DMPC, LIPIDS } };
    const char *const         path      = path_of("area-mean.tsv");
    HandBench                 b;

    for (How how = FREE; how < HOW; how++) {
        FrameSource source = { &b.system, FRAMES, make_frame, &b };
        double      box[3];

        box_of(0, box);
        hand_bench(&b, "area", portion, 1, box, folder());
        b.stage = stage_of(how);
        hand_watch(&b, &source, (const char *const[]){ "area.tsv", NULL });
        assert_int_equal(table_lines(path), COLUMNS + (how == FREE || how == LANGEVIN));
        if (how == FREE || how == LANGEVIN)
            check_modulus(path);
        hand_bench_end(&b);
    }
}

/* Of two stages with the same pressure, tension and temperature, and of the last one alone where
 * the frames of the first are left out. */
static void stages_with_other_parameters_have_no_modulus_together(void **state)
{
    (void)state;
    static const AmphiPortion portion[] = { { TOY_DMPC, LIPIDS } };
    const char *const         path      = path_of("area-mean.tsv");
    HandBench                 b;

    for (int how = 0; how < 5; how++) {
        FrameSource source   = { &b.system, FRAMES, make_frame, &b };
        AmphiStage  stage[2] = { stage_of(FREE), stage_of(FREE) };
        double      box[3];

        if (how == 1 || how == 4)
            stage[0].barostat.tension_kJ_mol_nm2 = 1;
        if (how == 2)
            stage[0].thermostat.temperature_K = 310;
        if (how == 3)
            stage[0].ensemble = AMPHI_MINIMISE;
        box_of(0, box);
        hand_bench(&b, "area", portion, 1, box, folder());
        b.stage             = stage[1];
        b.place.stage       = stage;
        b.place.n_stages    = 2;
        b.place.first_stage = how == 4 ? 1 : 0;
        hand_watch(&b, &source, (const char *const[]){ "area.tsv", NULL });
        assert_int_equal(table_lines(path), COLUMNS + (how == 0 || how >= 3));
        hand_bench_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_area_modulus_is_that_of_a_box_that_fluctuates_freely),
        cmocka_unit_test(stages_with_other_parameters_have_no_modulus_together),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
