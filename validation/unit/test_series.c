/* The means of a series: every column by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../property/draw.h"
#include "format_cases.h"
#include "hand_bench.h"

enum { PER_LIPID = 13, LIPIDS = 4 };

/* Straight lipids, in a box whose edge along x is drawn. */
static void make_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b      = user;
    uint64_t         seed   = (uint64_t)k + 1;
    const double     box[3] = { draw(&seed, 3, 3.1), 3, 7 };

    for (int32_t i = 0; i < b->system.n_beads; i++) {
        b->position[i][0] = 0.5 * (i / PER_LIPID);
        b->position[i][1] = 1;
        b->position[i][2] = 3.5 + (i / PER_LIPID < 2 ? 1 : -1) * (1.6 - 0.1 * (i % PER_LIPID));
    }
    hand_frame(b, k, box, f);
}

/* All three depend on the box in straight lines: so many samples as one, so many are the others. */
static void columns_that_vary_together_have_the_same_number_of_samples(void **state)
{
    (void)state;
    static const char *const files[] = { "area.tsv", NULL };
    const AmphiPortion       portion = { TOY_DMPC, LIPIDS };
    const double             box[3]  = { 3, 3, 7 };
    const char *const        path    = path_of("area-mean.tsv");
    HandBench                b;

    hand_bench(&b, "area", &portion, 1, box, folder());
    const FrameSource source = { &b.system, 64, make_frame, &b };
    hand_watch(&b, &source, files);
    assert_int_equal(table_lines(path), 3);
    const double n = table_value(path, "independent", 0);
    assert_true(n > 16 && n <= 64);
    for (int32_t line = 1; line < 3; line++)
        assert_true(is_near(table_value(path, "independent", line), n, 0.011 * n));
    hand_bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_that_vary_together_have_the_same_number_of_samples),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
