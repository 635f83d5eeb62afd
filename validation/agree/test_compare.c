/* The measures and readers of compare.c can fail, and say what they should. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

static void check_near(double a, double b, double off)
{
    assert_true(fabs(a - b) <= off);
}

static void a_bound_is_not_held_by_more_nor_by_what_is_no_number(void **unused)
{
    (void)unused;
    assert_true(holds("below", 0.9e-7, 1e-7));
    assert_false(holds("above, as it should be", 1.1e-7, 1e-7));
    assert_false(holds("no number, as it should be", (double)NAN, 1e-7));
    assert_false(holds("infinite, as it should be", (double)INFINITY, 1e-7));
}

static void relative_differences_are_of_the_second_number(void **unused)
{
    (void)unused;
    check_near(relative(2.2, 2.0), 0.1, 1e-15);
    check_near(relative(-2.0, 2.0), 2, 1e-15);
    check_near(relative(0.3, 0), 0.3, 1e-15);
    assert_true(isnan(relative((double)NAN, 1)));
}

static void one_wrong_component_shows_in_the_rms(void **unused)
{
    const double good[2][3] = { { 3, 0, 0 }, { 0, 4, 0 } };
    const double bad[2][3]  = { { 3, 0, 0 }, { 0, 4, 0.5 } };
    const double zero[2][3] = { { 0 } };

    (void)unused;
    assert_true(relative_rms(good, good, 2) == 0);
    check_near(relative_rms(bad, good, 2), 0.1, 1e-15);
    assert_false(holds("rms of nothing, as it should be", relative_rms(good, zero, 2), 1));
    assert_false(holds("nothing of nothing, as it should be", relative_rms(zero, zero, 2), 1));
}

static void a_tensor_is_compared_where_the_peer_has_it(void **unused)
{
    const bool six[3][3] = { { true, true, true }, { false, true, true }, { false, false, true } };
    const double peer[3][3] = { { 10, 1, 1 }, { 0, 5, 1 }, { 0, 0, 5 } };
    double       ours[3][3];

    (void)unused;
    memcpy(ours, peer, sizeof ours);
    ours[1][0] = 77;
    assert_true(relative_tensor((const double(*)[3])ours, peer, six) == 0);
    ours[1][2] = 2;
    check_near(relative_tensor((const double(*)[3])ours, peer, six), 0.1, 1e-15);
    ours[1][2] = (double)NAN;
    assert_true(isnan(relative_tensor((const double(*)[3])ours, peer, six)));
}

static void a_json_number_is_found_in_its_own_object(void **unused)
{
    const char *text = "{ \"x\": 1, \"s\": \"x: {\", \"a\": { \"deep\": { \"x\": 2 }, "
                       "\"x\": -3.5e-2, \"v\": [ 4, 5,\n 6 ] }, \"b\": { \"x\": 7 } }";

    (void)unused;
    assert_true(json_number(text, "x", NULL) == 1);
    assert_true(json_number("{ \"y\": [ { \"x\": 8 } ], \"x\": 9 }", "x", NULL) == 9);
    assert_true(json_number(text, "a", "x", NULL) == -3.5e-2);
    assert_true(json_number(text, "a", "deep", "x", NULL) == 2);
    assert_true(json_number(text, "b", "x", NULL) == 7);
    assert_true(json_element(text, 0, "a", "v", NULL) == 4);
    assert_true(json_element(text, 2, "a", "v", NULL) == 6);
}

static void a_table_gives_words_and_numbers_without_its_comments(void **unused)
{
    char   folder[PATH_SIZE];
    FILE  *file;
    Table *t;

    (void)unused;
    folder_make(folder);
    file = folder_create(folder, "t.txt");
    fprintf(file, "# 1 2 3\n\nname 1.5 2 -3e2\nother 4\n");
    folder_close(file);
    t = table_open(folder, "t.txt");
    assert_true(table_next(t));
    assert_int_equal(t->n_words, 4);
    assert_string_equal(t->word[0], "name");
    assert_true(table_number(t, 3) == -300);
    assert_true(table_next(t));
    assert_int_equal(t->n_words, 2);
    assert_false(table_next(t));
    table_close(t);
    folder_remove(folder);
}

static void check_turn(double x, double y, double z)
{
    const double v[3] = { x, y, z };
    const double n    = length_of(v);
    double       q[4];

    turn_to(v, q);
    const double axis[3] = { 2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                             1 - 2 * (q[1] * q[1] + q[2] * q[2]) };

    for (int k = 0; k < 3; k++)
        check_near(axis[k], v[k] / n, 1e-15);
    check_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-15);
}

static void a_turn_brings_z_to_every_direction(void **unused)
{
    (void)unused;
    check_turn(0, 0, 1);
    check_turn(0, 0, -1);
    check_turn(1, 0, 0);
    check_turn(0.3, -0.4, 0.5);
    check_turn(0.3, -0.4, -0.5);
    check_turn(1e-9, 1e-9, -1);
}

/* An ion and a dipole: what one term gives is there, and what is switched off is not. */
static void only_the_chosen_terms_act(void **unused)
{
    AmphiJob   *job  = job_of("systems", "pair.xml");
    Evaluation  all  = evaluate(&job->system);
    AmphiSystem part = only_terms(&job->system, 1U << AMPHI_QD, job->arena);
    Evaluation  one  = evaluate(&part);

    (void)unused;
    assert_true(all.energy[AMPHI_LJ] != 0 && all.energy[AMPHI_QD] != 0);
    assert_true(one.energy[AMPHI_LJ] == 0);
    assert_true(one.energy[AMPHI_QD] == all.energy[AMPHI_QD]);
    assert_true(relative_rms((const double(*)[3])one.force, (const double(*)[3])all.force, 2) >
                1e-3);
    evaluation_free(&all);
    evaluation_free(&one);
    amphi_job_free(job);
}

/* A scan that is off by one part in a million, or whose row is no number, does not hold. */
static void a_row_that_is_off_is_seen(void **unused)
{
    Worst      worst = { .energy_floor = 1, .force_floor = 1, .torque_floor = 1 };
    Row        row   = { .has_torque = true };
    Pair       pair;
    Evaluation e;

    (void)unused;
    pair_open(job_of("systems", "pair.xml"), &pair);
    e          = evaluate(&pair.system);
    row.energy = total_energy(&e);
    memcpy(row.force, e.force, sizeof row.force);
    memcpy(row.torque, e.torque, sizeof row.torque);
    assert_false(worst_holds("no rows, as it should be", &worst, 1e-9));
    pair_compare(&pair, &row, &worst);
    assert_true(worst_holds("the same", &worst, 1e-15));
    row.force[1][2] += 1e-6 * length_of(row.force[1]);
    pair_compare(&pair, &row, &worst);
    assert_false(worst_holds("off, as it should be", &worst, 1e-7));
    worst.force = 0;
    row.energy  = (double)NAN;
    pair_compare(&pair, &row, &worst);
    assert_false(worst_holds("no number, as it should be", &worst, 1e9));
    evaluation_free(&e);
    pair_close(&pair);
}

static void absent_data_are_told(void **unused)
{
    char path[PATH_SIZE];

    (void)unused;
    assert_false(peer_path("no such folder", path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bound_is_not_held_by_more_nor_by_what_is_no_number),
        cmocka_unit_test(relative_differences_are_of_the_second_number),
        cmocka_unit_test(one_wrong_component_shows_in_the_rms),
        cmocka_unit_test(a_tensor_is_compared_where_the_peer_has_it),
        cmocka_unit_test(a_json_number_is_found_in_its_own_object),
        cmocka_unit_test(a_table_gives_words_and_numbers_without_its_comments),
        cmocka_unit_test(a_turn_brings_z_to_every_direction),
        cmocka_unit_test(only_the_chosen_terms_act),
        cmocka_unit_test(a_row_that_is_off_is_seen),
        cmocka_unit_test(absent_data_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
