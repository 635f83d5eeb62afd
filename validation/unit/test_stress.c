/* The flow of momentum by slabs: against the virials of the reference backend, against the forces
 * on beads, against an angle worked out by hand, and a run's table against its pressure.
 */
#include "run_bench.h"

#include "../../engine/stress.h"
#include "mixture.h"
#include "watching.h"

enum { SLABS = 1200, ROOM = 2 * SLABS * AMPHI_DIRECTIONS * (AMPHI_TERMS + 1) };

/* Twelve slabs for ten of the box, so that there are more than it needs. */
static AmphiSlabs slabs_of(const AmphiSystem *s, int axis, int32_t n_slabs)
{
    return (AmphiSlabs){ .axis     = axis,
                         .width_nm = 1.2 * s->box_nm[axis] / n_slabs,
                         .n_below  = n_slabs / 2,
                         .n_slabs  = n_slabs };
}

typedef struct {
    const AmphiBackend *backend;
    AmphiState         *state;
    AmphiFrame          frame;
} Answer;

static Answer ask(const AmphiSystem *system)
{
    const uint32_t needs = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;
    Answer         a     = { .backend = amphi_backend_find("reference", AMPHI_DOUBLE) };

    assert_int_equal(a.backend->open(system, NULL, &a.state, NULL), AMPHI_OK);
    assert_int_equal(a.backend->compute_forces(a.state, needs, NULL), AMPHI_OK);
    assert_int_equal(a.backend->read_frame(a.state, needs, &a.frame, NULL), AMPHI_OK);
    return a;
}

static double sum_of(const double *of, int32_t n)
{
    double sum = 0;

    for (int32_t k = 0; k < n; k++)
        sum += of[k];
    return sum;
}

static double mean_of_others(const double of[3][3], int axis)
{
    const int one = (axis + 1) % 3, other = (axis + 2) % 3;

    return 0.5 * (of[one][one] + of[other][other]);
}

/* Chains that are cut by a box of a few cells, and by one of a single cell. */
static void make_small(Mixture *m, double edge)
{
    double box[3]  = { edge, edge + 0.3, edge + 0.1 };
    double room[3] = { edge, edge + 0.3, edge + 0.1 };

    make_mixture(m, box, room);
}

/* ---- all slabs together ---- */

/* The terms are so many. */
static void check_sums(const AmphiSystem *system, int axis, double shift, int32_t n_wanted)
{
    AmphiArena *const   arena  = amphi_arena_new();
    const AmphiSlabs    slabs  = slabs_of(system, axis, 60);
    AmphiStress *const  stress = amphi_stress_new(system, &slabs, arena);
    const Answer        a      = ask(system);
    const double *const sum = amphi_stress_sum(stress, &a.frame, shift * system->box_nm[axis], 1);
    int32_t             n_terms = 0;

    for (int32_t part = 0; part < amphi_stress_parts(stress); part++) {
        const double *const of = sum + (int64_t)part * AMPHI_DIRECTIONS * slabs.n_slabs;
        const double(*is)[3]   = a.frame.kinetic_kJ_mol;
        double unit            = 2;

        for (int slot = 0; slot < AMPHI_TERMS && part > 0; slot++)
            if (strcmp(amphi_term_name((AmphiTermSlot)slot), amphi_stress_name(stress, part)) ==
                0) {
                is   = a.frame.term_virial_kJ_mol[slot];
                unit = 1;
                n_terms++;
            }
        const double scale = fabs(is[0][0]) + fabs(is[1][1]) + fabs(is[2][2]);

        assert_true(scale > 0);
        assert_true(fabs(sum_of(of + AMPHI_NORMAL * slabs.n_slabs, slabs.n_slabs) -
                         unit * is[axis][axis]) < 1e-11 * scale);
        assert_true(fabs(sum_of(of + AMPHI_LATERAL * slabs.n_slabs, slabs.n_slabs) -
                         unit * mean_of_others(is, axis)) < 1e-11 * scale);
    }
    assert_int_equal(n_terms, n_wanted);
    a.backend->close(a.state);
    amphi_arena_free(arena);
}

static void slabs_add_up_to_the_virial_of_each_term(void **state)
{
    (void)state;
    static const double edges[] = { 2.6, 4.1 };
    static Mixture      m;

    for (int k = 0; k < 2; k++) {
        make_small(&m, edges[k]);
        for (int axis = 0; axis < 3; axis++)
            check_sums(&m.system, axis, 0.37 * axis, AMPHI_TERMS - 1); /* no position restraints */
    }
}

/* Without pairs, in a box that is shorter than twice two arms of an angle. */
static void slabs_add_up_where_two_arms_are_longer_than_half_the_box(void **state)
{
    (void)state;
    static Mixture m;

    make_small(&m, 2.6);
    memset(m.pair_rule, 0, sizeof m.pair_rule);
    for (int a = 0; a < 3; a++)
        m.system.box_nm[a] *= 0.5;
    for (int axis = 0; axis < 3; axis++)
        check_sums(&m.system, axis, 0.37 * axis, RULES - 2);
}

/* ---- from slab to slab ---- */

static bool is_between(const double *x, int axis, const AmphiSlabs *slabs, const AmphiSystem *s,
                       double low, double high)
{
    const double place = amphi_slabs_place(slabs, x[axis], 0.5 * s->box_nm[axis], s->box_nm[axis]);

    return place > low && place < high;
}

/* What flows in through a plane below and not out through one above is the force on the beads
 * between. Only a flow along lines between beads that push each other does that. */
static void what_stays_between_two_planes_is_the_force_on_their_beads(void **state)
{
    (void)state;
    static Mixture m;

    make_small(&m, 4.1);
    for (int k = 0; k < RULES; k++) /* no force from outside */
        if (m.bond_rule[k].kind == amphi_spec_find("restrain", "position")->kind)
            memset(m.bond_rule[k].field, 0, sizeof m.bond_rule[k].field);
    for (int axis = 0; axis < 3; axis++) {
        AmphiArena *const   arena  = amphi_arena_new();
        const AmphiSlabs    slabs  = slabs_of(&m.system, axis, SLABS);
        AmphiStress *const  stress = amphi_stress_new(&m.system, &slabs, arena);
        const Answer        a      = ask(&m.system);
        const double *const sum =
            amphi_stress_sum(stress, &a.frame, 0.5 * m.system.box_nm[axis], 1);
        double flow[SLABS] = { 0 }, most = 0;
        int    n_planes = 0, last = -1;

        for (int32_t part = 1; part < amphi_stress_parts(stress); part++) /* not the kinetic */
            for (int k = 0; k < SLABS; k++)
                flow[k] += sum[((int64_t)part * AMPHI_DIRECTIONS + AMPHI_NORMAL) * SLABS + k] /
                           slabs.width_nm;
        for (int32_t i = 0; i < BEADS; i++)
            most = fmax(most, fabs(a.frame.force_kJ_mol_nm[i][axis]));
        for (int k = SLABS / 12 + 1; k < SLABS - SLABS / 12 - 1; k++) { /* inside of the box */
            double force = 0;
            bool   has   = false;

            for (int32_t i = 0; i < BEADS; i++) {
                has |= is_between(m.position[i], axis, &slabs, &m.system, k, k + 1);
                if (last >= 0 &&
                    is_between(m.position[i], axis, &slabs, &m.system, last + 0.5, k + 0.5))
                    force += a.frame.force_kJ_mol_nm[i][axis];
            }
            if (has) /* the flow changes within this slab */
                continue;
            if (last >= 0)
                assert_true(fabs(flow[last] - flow[k] - force) < 1e-9 * most);
            last = k;
            n_planes++;
        }
        assert_true(n_planes > SLABS / 2);
        a.backend->close(a.state);
        amphi_arena_free(arena);
    }
}

/* ---- an angle ---- */

/* Beads at (0 0 1), (0 0 0) and (0 1 0) nm with u = k (cos theta - cos theta0)^2: along the edge
 * from the last to the first acts du/dcos sqrt(2)/nm, of which the flow along y is du/dcos/2 in the
 * lateral mean, spread from z = 0 to 1. From the middle bead to both others it would be none. */
static void the_forces_of_an_angle_go_along_its_triangle(void **state)
{
    (void)state;
    static Mixture m;
    AmphiArena    *arena    = amphi_arena_new();
    const double   at[3][3] = { { 2, 2, 3 }, { 2, 2, 2 }, { 2, 3, 2 } };
    double         box[3] = { 8, 8, 8 }, room[3] = { 8, 8, 8 };

    make_mixture(&m, box, room);
    m.system.n_beads      = 3;
    m.system.n_exclusions = 0;
    m.system.n_bonds      = 1;
    m.bond[0]             = (AmphiBond){ .rule = 3, .bead = { 0, 1, 2 } };
    memcpy(m.position, at, sizeof at);
    for (int a = 0; a < TYPES * TYPES; a++)
        m.pair_rule[a / TYPES][a % TYPES].n_terms = 0;

    const AmphiSlabs    slabs  = slabs_of(&m.system, 2, 96); /* of 0.1 nm */
    AmphiStress *const  stress = amphi_stress_new(&m.system, &slabs, arena);
    const Answer        a      = ask(&m.system);
    const double *const sum    = amphi_stress_sum(stress, &a.frame, 2, 1);
    const double        k = m.bond_rule[3].field[0], angle = m.bond_rule[3].field[1];
    bool                found = false;

    for (int32_t part = 1; part < amphi_stress_parts(stress); part++) {
        const double *const row = sum + (int64_t)part * AMPHI_DIRECTIONS * slabs.n_slabs;

        if (strcmp(amphi_stress_name(stress, part), "angle-cosine") != 0)
            continue;
        for (int32_t slab = 0; slab < slabs.n_slabs; slab++) {
            const bool is_in = slab > slabs.n_below && slab < slabs.n_below + 10;

            /* in the first of them is the edge along y besides */
            if (slab != slabs.n_below)
                assert_true(fabs(row[slab] - (is_in ? -0.1 * k * cos(angle) : 0)) < 1e-12 * k);
        }
        found = true;
    }
    assert_true(found);
    a.backend->close(a.state);
    amphi_arena_free(arena);
}

/* ---- threads ---- */

static void the_number_of_threads_changes_no_bit(void **state)
{
    (void)state;
    static Mixture     m;
    AmphiArena *const  arena = amphi_arena_new();
    double            *first;
    const AmphiSlabs   slabs  = (make_small(&m, 4.1), slabs_of(&m.system, 2, 60));
    AmphiStress *const stress = amphi_stress_new(&m.system, &slabs, arena);
    const Answer       a      = ask(&m.system);
    const size_t       n      = (size_t)amphi_stress_parts(stress) * AMPHI_DIRECTIONS * 60;

    first = amphi_arena_take(arena, (int64_t)n, sizeof *first);
    memcpy(first, amphi_stress_sum(stress, &a.frame, 1, 1), n * sizeof *first);
    for (int32_t threads = 2; threads < 5; threads++)
        assert_memory_equal(first, amphi_stress_sum(stress, &a.frame, 1, threads),
                            n * sizeof *first);
    a.backend->close(a.state);
    amphi_arena_free(arena);
}

/* ---- a run ---- */

#define PRESSURES_ALONG(axis)                                                                      \
    "<lateral-pressure from=\"free\" every=\"0.05 ps\" width=\"0.03 nm\" axis=\"" axis "\"/>"
#define PRESSURES PRESSURES_ALONG("z")
/* So that no edge is taken for another. */
#define OBLONG "<box x=\"1.3 nm\" y=\"1.45 nm\" z=\"1.6 nm\"/>"
#define FREE   "<energies from=\"free\" every=\"0.05 ps\"/>"

/* In NVE all slabs have the same volume but the outermost two, so the means of the table are those
 * of the box, to the digits of the tables. */
static void check_table(const char *outputs, const char *place, const char *edge_column,
                        const char *const pressure[3])
{
    Bench b;
    char  path[2][128];

    open_changed(&b,
                 (const char *const[]){ "<energies every=\"0.05 ps\"/>", outputs, "<system>",
                                        "<system>" OBLONG, " density=\"0.997 g/cm^3\"", "", NULL });
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);
    assert_int_equal(run_once(&b, &o, NULL), AMPHI_OK);
    snprintf(path[0], sizeof path[0], "%s/lateral-pressure.tsv", b.dir[0]);
    snprintf(path[1], sizeof path[1], "%s/energy.tsv", b.dir[0]);

    const int32_t n = table_lines(path[1]), n_slabs = table_lines(path[0]);
    const double  edge      = table_value(path[1], edge_column, 0);
    double        of_box[2] = { 0, 0 }, of_slabs[2] = { 0, 0 }, moment[2] = { 0, 0 };

    assert_true(n > 8 && table_note(path[0], "frames:") == n);
    for (int32_t k = 0; k < n; k++) {
        of_box[0] += table_value(path[1], pressure[2], k) / n;
        of_box[1] +=
            0.5 * (table_value(path[1], pressure[0], k) + table_value(path[1], pressure[1], k)) / n;
    }
    for (int32_t k = 0; k < n_slabs; k++) {
        const double z     = fabs(table_value(path[0], place, k));
        const double share = fmin(0.03, 0.5 * edge - (z - 0.015)) / edge;

        of_slabs[0] += table_value(path[0], "normal_bar", k) * share;
        of_slabs[1] += table_value(path[0], "lateral_bar", k) * share;
        moment[table_value(path[0], place, k) < 0] +=
            0.1 * edge * z * share * table_value(path[0], "difference_bar", k);
    }
    assert_true(fabs(of_slabs[0] - of_box[0]) < 1e-5 * fabs(of_box[0]));
    assert_true(fabs(of_slabs[1] - of_box[1]) < 1e-5 * fabs(of_box[1]));
    assert_true(fabs(table_note(path[0], "tension of the whole:") -
                     0.1 * edge * (of_box[0] - of_box[1])) < 1e-4 * fabs(of_box[0]));
    assert_true(fabs(table_note(path[0], "integral of |z| times the difference above the middle:") -
                     moment[0]) < 1e-4 * fabs(of_box[0]));
    assert_true(fabs(table_note(path[0], "the same below:") - moment[1]) < 1e-4 * fabs(of_box[0]));
    close_bench(&b);
}

static void the_table_of_a_run_has_the_pressure_and_tension_of_its_box(void **state)
{
    (void)state;
    check_table(FREE PRESSURES, "z_nm", "box_z",
                (const char *const[]){ "pressure_xx", "pressure_yy", "pressure_zz" });
    check_table(FREE PRESSURES_ALONG("x"), "x_nm", "box_x",
                (const char *const[]){ "pressure_yy", "pressure_zz", "pressure_xx" });
}

static void a_run_that_is_broken_off_and_continued_has_the_same_table(void **state)
{
    (void)state;
    Bench b;

    open_changed(&b,
                 (const char *const[]){ "<energies every=\"0.05 ps\"/>", FREE PRESSURES, NULL });
    AmphiRunOptions       o     = options_of(b.dir[0], "cpu", AMPHI_SINGLE);
    const AmphiRunOptions whole = options_of(b.dir[1], "cpu", AMPHI_SINGLE);

    assert_int_equal(run_to(&b, o, 165), AMPHI_OK);
    assert_int_equal(run_once(&b, &o, NULL), AMPHI_OK);
    assert_int_equal(run_once(&b, &whole, NULL), AMPHI_OK);
    check_same_file(b.dir[0], b.dir[1], "lateral-pressure.tsv");
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slabs_add_up_to_the_virial_of_each_term),
        cmocka_unit_test(slabs_add_up_where_two_arms_are_longer_than_half_the_box),
        cmocka_unit_test(what_stays_between_two_planes_is_the_force_on_their_beads),
        cmocka_unit_test(the_forces_of_an_angle_go_along_its_triangle),
        cmocka_unit_test(the_number_of_threads_changes_no_bit),
        cmocka_unit_test(the_table_of_a_run_has_the_pressure_and_tension_of_its_box),
        cmocka_unit_test(a_run_that_is_broken_off_and_continued_has_the_same_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
