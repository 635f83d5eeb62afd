/* The cells around a point hold every bead within reach, each once, in boxes of any shape; and the
 * small helpers of build_space.h.
 */
#include "../../engine/build_cells.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { N = 300 };

typedef struct {
    int32_t n_missed, n_twice;
} Tally;

static Tally tally(const AmphiCells *cells, double (*x)[3], double reach_nm)
{
    Tally t = { 0 };

    for (int32_t i = 0; i < N; i++) {
        int32_t       seen[N] = { 0 }, cell[27];
        const int32_t n       = amphi_cells_around(cells, x[i], cell);

        for (int32_t c = 0; c < n; c++)
            for (int32_t j = cells->first[cell[c]]; j >= 0; j = cells->next[j])
                seen[j]++;
        for (int32_t j = 0; j < N; j++) {
            double d[3];

            amphi_nearest_image(x[i], x[j], cells->box_nm, d);
            t.n_missed += amphi_dot(d, d) < reach_nm * reach_nm && seen[j] == 0;
            t.n_twice += seen[j] > 1;
        }
    }
    return t;
}

/* Beads far outside the box too: molecules are whole. */
static void fill(AmphiCells *cells, const double box_nm[3], double reach_nm, double (*x)[3],
                 AmphiArena *arena)
{
    AmphiDraws draws = { .seed = 2, .stream = AMPHI_STREAM_BUILD };

    assert_int_equal(amphi_cells_make(box_nm, reach_nm, N, arena, cells, NULL), AMPHI_OK);
    for (int32_t i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            x[i][k] = (3 * amphi_draw(&draws) - 1) * box_nm[k];
        amphi_cells_put(cells, i, x[i]);
    }
}

static void every_bead_within_reach_is_found_once(void **state)
{
    const double boxes[][3] = { { 5, 5, 5 },        { 1, 5, 9 },   { 2, 2, 2 },
                                { 2.1, 3.1, 1.05 }, { 400, 3, 3 }, { 1.1, 1.1, 1.1 } };

    (void)state;
    for (size_t k = 0; k < sizeof boxes / sizeof boxes[0]; k++) {
        AmphiArena *arena = amphi_arena_new();
        AmphiCells  cells;
        double      x[N][3];

        fill(&cells, boxes[k], 1, x, arena);
        const Tally t = tally(&cells, x, 1);
        assert_int_equal(t.n_missed, 0);
        assert_int_equal(t.n_twice, 0);
        amphi_arena_free(arena);
    }
}

static void the_tally_sees_a_reach_that_is_too_long(void **state)
{
    const double box[3] = { 5, 5, 5 };
    AmphiArena  *arena  = amphi_arena_new();
    AmphiCells   cells;
    double       x[N][3];

    (void)state;
    fill(&cells, box, 1, x, arena);
    assert_true(tally(&cells, x, 2.2).n_missed > 0);
    amphi_arena_free(arena);
}

static void a_vast_box_has_few_cells(void **state)
{
    const double box[3] = { 1e5, 1e5, 1e5 };
    AmphiArena  *arena  = amphi_arena_new();
    AmphiCells   cells;

    (void)state;
    assert_int_equal(amphi_cells_make(box, 0.5, 10, arena, &cells, NULL), AMPHI_OK);
    assert_int_equal(cells.n[0], 3);
    amphi_arena_free(arena);
}

static void cube_roots_are_right(void **state)
{
    (void)state;
    for (double a = 1e-12; a < 1e12; a *= 1.7)
        assert_true(fabs(amphi_cube_root(a) / cbrt(a) - 1) < 1e-15);
}

static void wrapping_never_gives_the_edge_itself(void **state)
{
    (void)state;
    assert_true(amphi_wrap(-1e-18, 3) == 0);
    assert_true(amphi_wrap(3, 3) == 0);
    assert_true(amphi_wrap(-1, 3) == 2);
    assert_true(amphi_wrap(7.5, 3) == 1.5);
}

/* <u_a u_b> of 3000 axes: 1/3 or 0, +- 0.298/sqrt(3000) = 0.0054 at most; five times that. */
static void random_turns_and_directions_have_no_preference(void **state)
{
    AmphiDraws draws   = { .seed = 3, .stream = AMPHI_STREAM_ORIENTATION };
    double     m[2][6] = { { 0 } };

    (void)state;
    for (int n = 0; n < 3000; n++) {
        double q[4], u[2][3];

        amphi_draw_quaternion(&draws, q);
        assert_true(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-14);
        amphi_axis_of(q, u[0]);
        amphi_draw_direction(&draws, u[1]);
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < 6; k++)
                m[s][k] += u[s][k % 3] * u[s][k < 3 ? k : (k + 1) % 3] / 3000;
    }
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 6; k++)
            assert_true(fabs(m[s][k] - (k < 3 ? 1.0 / 3 : 0)) < 0.027);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bead_within_reach_is_found_once),
        cmocka_unit_test(the_tally_sees_a_reach_that_is_too_long),
        cmocka_unit_test(a_vast_box_has_few_cells),
        cmocka_unit_test(cube_roots_are_right),
        cmocka_unit_test(wrapping_never_gives_the_edge_itself),
        cmocka_unit_test(random_turns_and_directions_have_no_preference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
