/* What observers of a membrane across z say of one that stands otherwise, and of lipids that have
 * gone to the other leaflet.
 */
#include "format_cases.h"
#include "hand_bench.h"

enum { PER_LIPID = 13, LIPIDS = 8 };

static const double edge = 9;

/* A lipid that stands along an axis, with its phosphate 1.6 nm from the middle of the box on the
 * side `up` and the ends of its tails beside that middle. */
static void place(HandBench *b, int32_t m, int axis, double up)
{
    static const double height[PER_LIPID] = { 1.9, 1.6, 1.3, 1.0, 0.8, 0.6, 0.4,
                                              0.2, 1.0, 0.8, 0.6, 0.4, 0.2 };

    for (int32_t i = 0; i < PER_LIPID; i++) {
        double *const to = b->position[m * PER_LIPID + i];

        to[(axis + 1) % 3] = 0.5 + m % 4;
        to[(axis + 2) % 3] = 0.5 + m / 4;
        to[axis]           = 0.5 * edge + up * height[i];
    }
}

static void observe(HandBench *b, const char *kind, Watch *w)
{
    const AmphiPortion portion = { TOY_DMPC, LIPIDS };

    hand_bench(b, kind, &portion, 1, (const double[3]){ edge, edge, edge }, folder());
    watch_open(w, &b->place, &b->plan);
}

static void see(HandBench *b, Watch *w, int32_t k)
{
    AmphiFrame f;

    hand_frame(b, k, (const double[3]){ edge, edge, edge }, &f);
    watch_see(w, &f);
}

static void a_membrane_across_another_axis_is_told(void **state)
{
    static const char *const kind[] = { "area", "thickness", "order" };

    (void)state;
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++) {
            char      told[120] = "";
            HandBench b;
            Watch     w;

            unlink(path_of("area.tsv"));
            unlink(path_of("thickness.tsv"));
            observe(&b, kind[k], &w);
            for (int32_t m = 0; m < LIPIDS; m++)
                place(&b, m, axis, m % 2 == 0 ? 1 : -1);
            see(&b, &w, 0);
            if (axis < 2)
                snprintf(
                    told, sizeof told,
                    "%s.tsv: lipids stand along %c, and it is measured as of a membrane across "
                    "z",
                    kind[k], "xy"[axis]);
            assert_string_equal(amphi_observer_remark(w.observer), told);
            watch_end(&w);
            hand_bench_end(&b);
        }
}

/* As in a vesicle, along every axis alike. */
static void lipids_that_look_everywhere_are_told(void **state)
{
    HandBench b;
    Watch     w;

    (void)state;
    unlink(path_of("area.tsv"));
    observe(&b, "area", &w);
    for (int32_t m = 0; m < 6; m++)
        place(&b, m, m % 3, m < 3 ? 1 : -1);
    for (int32_t m = 6; m < LIPIDS; m++)
        place(&b, m, m % 2, 1);
    see(&b, &w, 0);
    assert_string_equal(amphi_observer_remark(w.observer),
                        "area.tsv: lipids stand along y as much as along z, and it is measured as "
                        "of a membrane across z");
    watch_end(&w);
    hand_bench_end(&b);
}

static void a_lipid_among_the_heads_of_the_other_leaflet_is_told(void **state)
{
    HandBench b;
    Watch     w;

    (void)state;
    unlink(path_of("thickness.tsv"));
    observe(&b, "thickness", &w);
    for (int32_t m = 0; m < LIPIDS; m++)
        place(&b, m, 2, m % 2 == 0 ? 1 : -1);
    see(&b, &w, 0);
    assert_string_equal(amphi_observer_remark(w.observer), "");
    place(&b, 2, 2, 0.1); /* half way */
    see(&b, &w, 1);
    assert_string_equal(amphi_observer_remark(w.observer), "");
    place(&b, 2, 2, -1);
    see(&b, &w, 2);
    assert_string_equal(amphi_observer_remark(w.observer),
                        "thickness.tsv: at step 2 1 of 8 lipids are among the heads of the other "
                        "leaflet; they count for the one that they were in at the first frame");
    watch_end(&w);
    hand_bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_membrane_across_another_axis_is_told),
        cmocka_unit_test(lipids_that_look_everywhere_are_told),
        cmocka_unit_test(a_lipid_among_the_heads_of_the_other_leaflet_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
