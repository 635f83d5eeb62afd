/* The judge of membranes under tension, on tables whose modulus is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../engine/units.h"
#include "../property/draw.h"
#include "cases.h"

static FILE *quiet;
static char  folder[] = "/tmp/amphi-judge-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    quiet = fopen("/dev/null", "w");
    return quiet == NULL || mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    fclose(quiet);
    return rmdir(folder);
}

/* Four seeds of a membrane of 250 mN/m: its area relaxes within 5 ps, and at a constant area it
 * pulls as that tells, or by so much more. */
static void write_tensions(double more, double wider)
{
    const double kT = AMPHI_BOLTZMANN * 303 / (10 * AMPHI_BAR), modulus = 250, area = 44;
    const double deviation = wider * sqrt(kT * area / modulus), keeps = exp(-0.2 * 5);
    uint64_t     seed = 5;
    char         path[64];

    for (int s = 1; s <= 4; s++) {
        const double held = area * (1 + (30. + s) / modulus);
        double       x    = 0;

        snprintf(path, sizeof path, "tension-%d.run", s);
        (void)mkdir(path_in(folder, path), 0777);
        snprintf(path, sizeof path, "tension-%d.run/area.tsv", s);
        FILE *const areas = fopen(path_in(folder, path), "w");
        snprintf(path, sizeof path, "tension-%d.run/energy.tsv", s);
        FILE *const energy = fopen(path_in(folder, path), "w");
        assert_true(areas != NULL && energy != NULL);
        fprintf(areas, "time_ps\tbox_area_nm2\n");
        fprintf(energy, "time_ps\tpressure_xx\tpressure_yy\tpressure_zz\tbox_z\n");
        for (int t = 4050; t <= 42050; t += 5) {
            const bool   stretches = t > 18050 && t <= 32050, stands = t > 32050;
            const double pull = stands ? 30 + s + more : stretches ? 30 : 0;

            x = keeps * x + sqrt(1 - keeps * keeps) * sqrt(12.) * draw(&seed, -0.5, 0.5);
            fprintf(areas, "%d\t%.12g\n", t,
                    stands ? held : area * (stretches ? 1 + 30 / modulus : 1) + deviation * x);
            fprintf(energy, "%d\t%g\t%g\t%g\t6\n", t, 1 - pull / 0.6 + draw(&seed, -99, 99),
                    1 - pull / 0.6 + draw(&seed, -99, 99), 1 + draw(&seed, -99, 99));
        }
        assert_true(fclose(areas) == 0 && fclose(energy) == 0);
    }
}

static Tally tally_tensions(double more, double wider)
{
    Tally tally = { .out = quiet };
    char  path[64];

    write_tensions(more, wider);
    judge_tension(&tally, folder);
    for (int s = 1; s <= 4; s++) {
        snprintf(path, sizeof path, "tension-%d.run/area.tsv", s);
        unlink(path_in(folder, path));
        snprintf(path, sizeof path, "tension-%d.run/energy.tsv", s);
        unlink(path_in(folder, path));
        snprintf(path, sizeof path, "tension-%d.run", s);
        assert_int_equal(rmdir(path_in(folder, path)), 0);
    }
    return tally;
}

static void a_membrane_under_tension_fails_by_what_it_pulls_with(void **state)
{
    (void)state;
    enum { VERDICTS = 10 }; /* the lengths of four runs, and six of all of them */

    const Tally good = tally_tensions(0, 1);
    assert_true(good.passed == VERDICTS && good.failed == 0);
    const Tally pulls = tally_tensions(8, 1);
    assert_true(pulls.passed == VERDICTS - 1 && pulls.failed == 1);
    const Tally wide = tally_tensions(0, 1.3);
    assert_true(wide.passed == VERDICTS - 1 && wide.failed == 1);
}

static void without_runs_nothing_is_judged(void **state)
{
    (void)state;
    Tally none = { .out = quiet };

    judge_tension(&none, folder);
    assert_true(none.passed == 0 && none.failed == 0 && none.skipped == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_membrane_under_tension_fails_by_what_it_pulls_with),
        cmocka_unit_test(without_runs_nothing_is_judged),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
