/* The closest pair by cells against all pairs, and what does not count: excluded pairs, pairs that
 * do not act on each other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "../../engine/arena.h"
#include "../../engine/build_space.h"
#include "../../engine/overlap.h"
#include "../../forcefield/spec.h"

enum { MOST = 400, TYPES = 2 };

/* Beads of two sizes at random places of a box. */
typedef struct {
    AmphiSystem   system;
    AmphiPairRule rule[TYPES][TYPES];
    int32_t       type[MOST];
    double        position[MOST][3];
    int32_t       exclusion[2][2];
} Crowd;

static void make_crowd(Crowd *c, uint64_t seed, int32_t n, const double box_nm[3])
{
    AmphiDraws draws = { .seed = seed, .id = 1, .stream = AMPHI_STREAM_ORIENTATION };

    memset(c, 0, sizeof *c);
    for (int32_t i = 0; i < n; i++) {
        c->type[i] = i % TYPES;
        for (int k = 0; k < 3; k++) /* outside the box as well */
            c->position[i][k] = (3 * amphi_draw(&draws) - 1) * box_nm[k];
    }
    for (int i = 0; i < TYPES; i++)
        for (int j = 0; j < TYPES; j++) {
            c->rule[i][j].n_terms  = 1;
            c->rule[i][j].sigma_nm = 0.3 + 0.05 * (i + j);
        }
    c->system = (AmphiSystem){ .n_types     = TYPES,
                               .n_beads     = n,
                               .pair_rule   = &c->rule[0][0],
                               .bead_type   = c->type,
                               .position_nm = (const double(*)[3])c->position,
                               .exclusion   = (const int32_t(*)[2])c->exclusion };
    memcpy(c->system.box_nm, box_nm, sizeof c->system.box_nm);
}

/* All pairs, one after the other. */
static AmphiClosest by_all_pairs(const AmphiSystem *s)
{
    AmphiClosest out = { { -1, -1 }, 1, 1 };

    for (int32_t i = 0; i < s->n_beads; i++)
        for (int32_t j = 0; j < i; j++) {
            const double sigma =
                s->pair_rule[s->bead_type[i] * s->n_types + s->bead_type[j]].sigma_nm;
            double d[3], r;

            amphi_nearest_image(s->position_nm[i], s->position_nm[j], s->box_nm, d);
            r = sqrt(amphi_dot(d, d));
            if (r < sigma && r / sigma < out.distance_nm / out.sigma_nm &&
                !amphi_is_excluded(s, i, j))
                out = (AmphiClosest){ { i, j }, r, sigma };
        }
    return out;
}

static AmphiClosest closest_of(const AmphiSystem *s)
{
    AmphiClosest out;

    assert_int_equal(amphi_closest_pair(s, &out, NULL), AMPHI_OK);
    return out;
}

static bool is_same(AmphiClosest a, AmphiClosest b)
{
    return a.bead[0] == b.bead[0] && a.bead[1] == b.bead[1] && a.distance_nm == b.distance_nm &&
           a.sigma_nm == b.sigma_nm;
}

static void cells_find_what_all_pairs_find(void **state)
{
    (void)state;
    static const double boxes[][3] = { { 8, 9, 10 }, { 0.35, 20, 20 }, { 0.5, 0.7, 60 } };
    static Crowd        c;
    int                 n_found = 0;

    for (size_t b = 0; b < sizeof boxes / sizeof *boxes; b++)
        for (uint64_t seed = 1; seed < 60; seed++) {
            make_crowd(&c, seed, 10 + (int32_t)seed, boxes[b]);
            const AmphiClosest wanted = by_all_pairs(&c.system), found = closest_of(&c.system);

            if (wanted.distance_nm >= 0.1 * wanted.sigma_nm)
                assert_true(is_same(found, wanted));
            else /* one on the same spot is as good as another */
                assert_true(found.bead[0] >= 0 && found.distance_nm < 0.1 * found.sigma_nm);
            n_found += wanted.bead[0] >= 0;
        }
    assert_in_range(n_found, 60, 176); /* some crowds are close, some are not */
}

static void excluded_pairs_do_not_count(void **state)
{
    (void)state;
    static Crowd c;
    const double box[3] = { 8, 8, 8 };
    int32_t      n      = 0;

    for (uint64_t seed = 1; seed < 40; seed++) {
        make_crowd(&c, seed, 300, box);
        const AmphiClosest first = by_all_pairs(&c.system);

        if (first.distance_nm < 0.1 * first.sigma_nm)
            continue;
        assert_true(first.bead[0] > first.bead[1]);
        c.exclusion[0][0]     = first.bead[1];
        c.exclusion[0][1]     = first.bead[0];
        c.system.n_exclusions = 1;
        assert_true(amphi_is_excluded(&c.system, first.bead[0], first.bead[1]));
        assert_true(amphi_is_excluded(&c.system, first.bead[1], first.bead[0]));
        assert_false(amphi_is_excluded(&c.system, first.bead[0], first.bead[0]));
        assert_false(is_same(closest_of(&c.system), first));
        assert_true(is_same(closest_of(&c.system), by_all_pairs(&c.system)));
        n++;
    }
    assert_true(n > 10);
}

static void pairs_without_potential_may_share_a_spot(void **state)
{
    (void)state;
    static Crowd c;
    const double box[3] = { 8, 8, 8 };

    make_crowd(&c, 1, 2, box);
    for (int k = 0; k < 3; k++) {
        c.position[0][k] = 1;
        c.position[1][k] = 1;
    }
    assert_int_equal(closest_of(&c.system).bead[0], 1);
    c.rule[0][1].sigma_nm = c.rule[1][0].sigma_nm = 0;
    /* charges alone have no core, but no two of them can be in one place */
    assert_int_equal(closest_of(&c.system).bead[0], 1);
    assert_true(closest_of(&c.system).sigma_nm == 0.001);
    c.position[1][0] = 1.002;
    assert_int_equal(closest_of(&c.system).bead[0], -1);
    c.position[1][0]     = 1;
    c.rule[0][1].n_terms = c.rule[1][0].n_terms = 0;
    assert_int_equal(closest_of(&c.system).bead[0], -1);
}

static void the_list_of_exclusions_is_searched_by_both_numbers(void **state)
{
    (void)state;
    static const int32_t pair[][2] = { { 0, 3 }, { 1, 2 }, { 1, 5 }, { 4, 5 }, { 4, 9 } };
    const AmphiSystem    s         = { .n_exclusions = 5, .exclusion = pair };
    int                  n         = 0;

    for (int32_t i = 0; i < 10; i++)
        for (int32_t j = 0; j < 10; j++)
            n += amphi_is_excluded(&s, i, j);
    assert_int_equal(n, 10);
    for (int k = 0; k < 5; k++)
        assert_true(amphi_is_excluded(&s, pair[k][0], pair[k][1]));
}

/* All in one place: found with the first pair, not after all of them. */
static void a_heap_of_beads_is_found_at_once(void **state)
{
    (void)state;
    enum { HEAP = 200000 };
    static int32_t      type[HEAP];
    static double       position[HEAP][3];
    const AmphiPairRule rule = { .n_terms = 1, .sigma_nm = 0.3 };
    const AmphiSystem   s    = { .n_types     = 1,
                                 .n_beads     = HEAP,
                                 .box_nm      = { 5, 5, 5 },
                                 .pair_rule   = &rule,
                                 .bead_type   = type,
                                 .position_nm = (const double(*)[3])position };

    assert_true(closest_of(&s).distance_nm == 0);
}

static void a_search_without_memory_says_so(void **state)
{
    (void)state;
    static Crowd c;
    AmphiClosest out;
    const double box[3] = { 8, 8, 8 };

    make_crowd(&c, 1, 20, box);
    for (int64_t n = 1; n < 4; n++) {
        amphi_arena_fail_at(n);
        assert_int_equal(amphi_closest_pair(&c.system, &out, NULL), AMPHI_NO_MEMORY);
    }
    amphi_arena_fail_at(0);
}

/* Like ellipsoids of breadth 1 nm. */
static AmphiPairRule rule_of_length(double length_nm)
{
    const AmphiPotential *p    = amphi_spec_find("pair", "gay-berne");
    AmphiPairRule         rule = { .n_terms = 1, .sigma_nm = 1 };

    rule.term[0].kind = p->kind;
    for (int32_t k = 0; k < p->n_fields; k++)
        rule.term[0].field[k] = strncmp(p->field[k].name, "length", 6) == 0 ? length_nm : 1;
    return rule;
}

/* Axes along z: at each other's ends or sides. */
static void ellipsoids_touch_as_they_are_turned(void **state)
{
    static const struct {
        double length_nm, along_nm, aside_nm, contact_nm; /* 0: they do not touch */
    } cases[] = { { 0.2, 0.25, 0, 0 }, { 0.2, 0.15, 0, 0.2 }, { 0.2, 0, 0.9, 1 }, { 3, 2, 0, 3 },
                  { 3, 0, 1.5, 0 },    { 3, 0, 0.5, 1 },      { 1, 0.6, 0.6, 1 } };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const AmphiPairRule rule        = rule_of_length(cases[k].length_nm);
        const int32_t       type[2]     = { 0, 0 };
        const double        turn[2][4]  = { { 1, 0, 0, 0 }, { 1, 0, 0, 0 } };
        const double        x           = 0.1 + cases[k].aside_nm;
        const double        z           = 0.1 + cases[k].along_nm;
        const double        place[2][3] = { { 0.1, 0.1, 0.1 }, { x, 0.1, z } };
        const AmphiSystem   s           = { .n_types     = 1,
                                            .n_beads     = 2,
                                            .box_nm      = { 10, 10, 10 },
                                            .pair_rule   = &rule,
                                            .bead_type   = type,
                                            .position_nm = place,
                                            .orientation = turn };
        const AmphiClosest  closest     = closest_of(&s);

        assert_int_equal(closest.bead[0] >= 0, cases[k].contact_nm > 0);
        if (cases[k].contact_nm > 0)
            assert_true(fabs(closest.sigma_nm - cases[k].contact_nm) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ellipsoids_touch_as_they_are_turned),
        cmocka_unit_test(cells_find_what_all_pairs_find),
        cmocka_unit_test(excluded_pairs_do_not_count),
        cmocka_unit_test(pairs_without_potential_may_share_a_spot),
        cmocka_unit_test(the_list_of_exclusions_is_searched_by_both_numbers),
        cmocka_unit_test(a_heap_of_beads_is_found_at_once),
        cmocka_unit_test(a_search_without_memory_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
