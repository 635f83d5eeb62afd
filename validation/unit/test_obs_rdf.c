/* g(r) of an ideal gas, of a crystal, between two types, and against counting every pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "../property/draw.h"
#include "format_cases.h"
#include "hand_bench.h"

static const char *const water[]  = { "wat", "wat" };
static const char *const no_old[] = { NULL };

static void set_up(HandBench *b, const AmphiPortion *portion, int32_t n, const double box[3],
                   double width, double extent)
{
    hand_bench(b, "rdf", portion, n, box, folder());
    b->plan.name      = water;
    b->plan.n_names   = 2;
    b->plan.width_nm  = width;
    b->plan.extent_nm = extent;
}

static void gas_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b      = user;
    const double     swell  = 1 + 0.02 * sin(k);
    const double     box[3] = { b->system.box_nm[0] * swell, b->system.box_nm[1] * swell,
                                b->system.box_nm[2] * swell };
    uint64_t         seed   = (uint64_t)k + 1000;

    for (int32_t i = 0; i < b->system.n_beads; i++)
        for (int a = 0; a < 3; a++)
            b->position[i][a] = draw(&seed, 0, box[a]);
    hand_frame(b, k, box, f);
}

/* The spread of 20 shells about 1, in their own standard errors (18 blocks: t with 17 freedom), and
 * the error against that of counting: 200 frames of n pairs in a shell. */
static void an_ideal_gas_has_g_one_within_its_errors(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, 150 };
    const double       box[3]  = { 3, 4, 5 };
    const char *const  path    = path_of("rdf.tsv");
    double             chi2    = 0;
    HandBench          b;

    set_up(&b, &portion, 1, box, 0.07, 1.4);
    const FrameSource source = { &b.system, 200, gas_frame, &b };
    hand_watch(&b, &source, no_old);
    assert_int_equal(table_lines(path), 20);
    for (int32_t line = 1; line < 20; line++) {
        const double r     = table_value(path, "r_nm", line);
        const double error = table_value(path, "error", line);
        const double pairs = 200 * 0.5 * 150 * 149 * 12.566 * r * r * 0.07 / 60;
        const double off   = (table_value(path, "g", line) - 1) / error;

        assert_true(error > 0.4 / sqrt(pairs) && error < 2 / sqrt(pairs));
        assert_true(fabs(off) < 5);
        chi2 += off * off;
    }
    assert_true(chi2 > 3 && chi2 < 55); /* 19 values */
    hand_bench_end(&b);
}

/* A simple cubic lattice of 0.5 nm: 6, 12, 8 and 6 neighbours in the first shells, at 1, root 2,
 * root 3 and 2 times that; nothing between. */
static void crystal_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b      = user;
    const double     box[3] = { 3, 3, 3 };

    for (int32_t i = 0; i < 216; i++) {
        const int32_t place[3] = { i % 6, i / 6 % 6, i / 36 };
        for (int a = 0; a < 3; a++)
            b->position[i][a] = 0.5 * place[a] + 0.31 * k;
    }
    hand_frame(b, k, box, f);
}

static void a_crystal_has_its_neighbours_in_their_shells(void **state)
{
    (void)state;
    static const double r[]         = { 0.5, 0.70710678, 0.8660254, 1.0, 1.118034, 1.2247449 };
    static const double neighbour[] = { 6, 12, 8, 6, 24, 24 };
    const AmphiPortion  portion     = { TOY_WATER, 216 };
    const double        box[3]      = { 3, 3, 3 };
    const char *const   path        = path_of("rdf.tsv");
    int                 next        = 0;
    HandBench           b;

    set_up(&b, &portion, 1, box, 0.03, 1.3);
    const FrameSource source = { &b.system, 5, crystal_frame, &b };
    hand_watch(&b, &source, no_old);
    for (int32_t line = 0; line < table_lines(path); line++) {
        const double low = 0.03 * line, high = low + 0.03;
        const double shell    = 4.1887902047863905 * (high * high * high - low * low * low);
        const double found    = table_value(path, "g", line) * 215 * shell / 27;
        double       expected = 0;

        if (next < 6 && r[next] < high)
            expected = neighbour[next++];
        assert_true(is_near(found, expected, 1e-6));
    }
    assert_int_equal(next, 6);
    hand_bench_end(&b);
}

/* Counts of every pair of different molecules, by hand. */
static void count_all(const HandBench *b, const AmphiFrame *f, const int32_t type[2], double width,
                      int32_t n_shells, double *count, double *pairs)
{
    const AmphiSystem *const s = &b->system;

    for (int32_t i = 0; i < s->n_beads; i++)
        for (int32_t j = 0; j < s->n_beads; j++) {
            double r2 = 0;

            if (s->bead_type[i] != type[0] || s->bead_type[j] != type[1] ||
                s->bead_molecule[i] == s->bead_molecule[j])
                continue;
            for (int a = 0; a < 3; a++) {
                const double d =
                    remainder(f->position_nm[i][a] - f->position_nm[j][a], f->box_nm[a]);
                r2 += d * d;
            }
            *pairs += 1;
            if (sqrt(r2) < n_shells * width)
                count[(int)(sqrt(r2) / width)] += 1;
        }
}

/* Boxes that have many cells, one and three along an edge; pairs of one molecule do not count. */
static void shells_hold_what_counting_every_pair_finds(void **state)
{
    (void)state;
    static const double      boxes[][3]  = { { 4, 4, 4 }, { 1.3, 2.5, 9 }, { 1.9, 1.81, 1.85 } };
    static const char *const names[][2]  = { { "tail", "tail" }, { "phos", "wat" } };
    static const int32_t     types[][2]  = { { TOY_TAIL, TOY_TAIL }, { TOY_PHOS, TOY_WAT } };
    const AmphiPortion       portions[2] = { { TOY_DMPC, 20 }, { TOY_WATER, 60 } };
    const char *const        path        = path_of("rdf.tsv");

    for (int c = 0; c < 6; c++) {
        double       count[6] = { 0 }, pairs = 0;
        const double width = 0.1;
        AmphiFrame   f;
        HandBench    b;

        set_up(&b, portions, 2, boxes[c % 3], width, 0.6);
        b.plan.name              = names[c / 3];
        const FrameSource source = { &b.system, 1, gas_frame, &b };
        hand_watch(&b, &source, no_old);
        gas_frame(&b, 0, &f);
        count_all(&b, &f, types[c / 3], width, 6, count, &pairs);
        for (int32_t line = 0; line < 6; line++) {
            const double low = width * line, high = low + width;
            const double shell  = 4.1887902047863905 * (high * high * high - low * low * low);
            const double volume = f.box_nm[0] * f.box_nm[1] * f.box_nm[2];

            assert_true(is_near(table_value(path, "g", line) * pairs * shell / volume, count[line],
                                1e-6 * (1 + count[line])));
        }
        assert_true(count[5] > 0);
        hand_bench_end(&b);
    }
}

/* Half the shortest edge of the small frames is 1.94 nm, of the large ones 2 nm. */
static void beyond_half_the_shortest_edge_a_frame_says_nothing(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, 100 };
    const double       box[3]  = { 4, 4, 4 };
    const char *const  path    = path_of("rdf.tsv");
    HandBench          b;

    set_up(&b, &portion, 1, box, 0.05, 2);
    const FrameSource source = { &b.system, 60, gas_frame, &b };
    hand_watch(&b, &source, no_old);
    assert_int_equal(table_lines(path), 40);
    assert_true(fabs(table_value(path, "g", 39) - 1) < 6 * table_value(path, "error", 39));
    assert_true(fabs(table_value(path, "g", 37) - 1) < 6 * table_value(path, "error", 37));
    hand_bench_end(&b);
}

/* One edge is 3 nm, so that all frames end at 1.5 nm. */
static void shells_that_no_frame_holds_have_no_number(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, 100 };
    const double       box[3]  = { 5, 3, 4 };
    const char *const  path    = path_of("rdf.tsv");
    HandBench          b;

    set_up(&b, &portion, 1, box, 0.1, 2);
    const FrameSource source = { &b.system, 20, gas_frame, &b };
    hand_watch(&b, &source, no_old);
    assert_int_equal(table_lines(path), 20);
    for (int32_t line = 0; line < 20; line++)
        assert_int_equal(isnan(table_value(path, "g", line)), line > 14);
    hand_bench_end(&b);
}

static void broken_and_continued_the_table_has_the_same_bytes(void **state)
{
    (void)state;
    static const char *const files[] = { "rdf.tsv", NULL };
    const AmphiPortion       portion = { TOY_WATER, 50 };
    const double             box[3]  = { 3, 3, 3 };
    HandBench                b;

    set_up(&b, &portion, 1, box, 0.05, 1.4);
    const FrameSource source = { &b.system, 70, gas_frame, &b };
    for (int32_t at = 0; at < 70; at += 23)
        assert_true(broken_is_the_same(&source, &b.place, &b.plan, folder(), at, at / 2, files));
    hand_bench_end(&b);
}

static void no_memory_is_an_answer(void **state)
{
    (void)state;
    const AmphiPortion portion = { TOY_WATER, 5 };
    const double       box[3]  = { 3, 3, 3 };
    AmphiStatus        status  = AMPHI_NO_MEMORY;
    HandBench          b;

    set_up(&b, &portion, 1, box, 0.05, 1.4);
    for (int64_t n = 1; status != AMPHI_OK; n++) {
        AmphiObserver *o   = NULL;
        AmphiError     err = { 0 };

        assert_true(n < 40);
        amphi_arena_fail_at(n);
        status = amphi_observer_open(amphi_observer_kind("rdf"), &b.place, &b.plan, &o, &err);
        amphi_arena_fail_at(0);
        assert_true(status == AMPHI_OK || (status == AMPHI_NO_MEMORY && o == NULL));
        amphi_observer_close(o);
    }
    hand_bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ideal_gas_has_g_one_within_its_errors),
        cmocka_unit_test(a_crystal_has_its_neighbours_in_their_shells),
        cmocka_unit_test(shells_hold_what_counting_every_pair_finds),
        cmocka_unit_test(beyond_half_the_shortest_edge_a_frame_says_nothing),
        cmocka_unit_test(shells_that_no_frame_holds_have_no_number),
        cmocka_unit_test(broken_and_continued_the_table_has_the_same_bytes),
        cmocka_unit_test(no_memory_is_an_answer),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
