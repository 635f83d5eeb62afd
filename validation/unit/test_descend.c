/* Steepest descent: what it follows, when it ends, and that a step uphill leaves nothing behind. */
#include "opened_bodies.h"

static void wells_and_field(AmphiBodies *b)
{
    clear_forces(b);
    add_wells(b, 4000);
    add_field(b, 30);
}

/* Force and torque (over 0.1 nm) fall under the limit, the energy never rises on the way, and the
 * dipoles look along the field: cos 0.1 nm * 20/30 kJ/mol/nm = 0.9978. */
static void minimising_moves_and_turns_and_stops(void **state)
{
    (void)state;
    const AmphiStage stage = { .name                 = "rest",
                               .ensemble             = AMPHI_MINIMISE,
                               .stop_force_kJ_mol_nm = 20 };
    AmphiBodies     *b     = opened(12, MIXED);
    int              n     = 0;
    double           best;

    wells_and_field(b);
    begin(b, &stage);
    for (int32_t i = 0; i < 12; i++)
        b->position_nm[i][i % 3] += 0.05 * (i % 5);
    wells_and_field(b);
    best = b->potential_kJ_mol;
    for (; !amphi_bodies_descend(b); n++) {
        wells_and_field(b);
        assert_true(b->last_potential_kJ_mol <= best);
        best = b->last_potential_kJ_mol;
        assert_true(n < 2000);
    }
    assert_true(n > 10);
    assert_int_equal(b->stage_step, n);
    assert_true(b->time_ps == 0);

    const double wanted = b->potential_kJ_mol;
    wells_and_field(b); /* the bodies are where the energy says */
    assert_true(is_near(b->potential_kJ_mol, wanted, 1e-9));
    for (int32_t i = 0; i < 12; i++) {
        double axis[3];

        turn_vector(b->orientation[i], (double[3]){ 0, 0, 1 }, axis);
        assert_true(length_of(b->force_kJ_mol_nm[i]) <= 20);
        assert_true(i % KINDS == POINT || axis[2] > 0.9978);
    }
    amphi_bodies_close(b);
}

/* Without forces: torques over 0.1 nm fall under the limit, and nothing moves. */
static void torques_alone_are_followed_to_their_limit(void **state)
{
    (void)state;
    const AmphiStage stage = { .name                 = "rest",
                               .ensemble             = AMPHI_MINIMISE,
                               .stop_force_kJ_mol_nm = 20 };
    AmphiBodies     *b     = opened(6, LINEAR);
    int              n     = 0;

    begin(b, &stage);
    do {
        clear_forces(b);
        add_field(b, 30);
    } while (!amphi_bodies_descend(b) && n++ < 2000);
    assert_in_range(n, 4, 1999);
    for (int32_t i = 0; i < 6; i++) {
        double axis[3];

        turn_vector(b->orientation[i], (double[3]){ 0, 0, 1 }, axis);
        assert_true(length_of(b->torque_kJ_mol[i]) <= 2);
        assert_true(axis[2] > 0.9978);
        assert_memory_equal(b->position_nm[i], the_case.position[i], sizeof b->position_nm[i]);
    }
    amphi_bodies_close(b);
}

/* Energies that only fall: the step grows by a fifth each time, but to no more than 0.03 nm. */
static void no_step_is_longer_than_the_longest(void **state)
{
    (void)state;
    const AmphiStage stage  = { .name = "rest", .ensemble = AMPHI_MINIMISE };
    AmphiBodies     *b      = opened(2, POINT);
    double           length = 0.01;

    b->position_nm[0][0] = 0.1;
    begin(b, &stage);
    for (int n = 0; n < 20; n++) {
        const double x = b->position_nm[0][0];

        clear_forces(b);
        b->force_kJ_mol_nm[0][0] = 100;
        b->potential_kJ_mol      = -n;
        assert_false(amphi_bodies_descend(b));
        assert_true(is_near(b->position_nm[0][0] - x, length, 1e-12));
        length = fmin(1.2 * length, 0.03);
    }
    amphi_bodies_close(b);
}

/* Energies that only rise: the step shrinks until it is below 1e-6 nm, and all that it changed is
 * as before, for a rotor beside a face of the box that every step crosses. */
static void minimising_gives_up_when_no_step_is_short_enough(void **state)
{
    (void)state;
    const AmphiStage stage = { .name = "rest", .ensemble = AMPHI_MINIMISE };
    AmphiBodies     *b     = opened(2, LINEAR);
    double           x[3], q[4];
    int              n = 0;

    b->position_nm[0][0] = b->box_nm[0] - 1e-7;
    memcpy(x, b->position_nm[0], sizeof x);
    memcpy(q, b->orientation[0], sizeof q);
    begin(b, &stage);
    do {
        clear_forces(b);
        b->force_kJ_mol_nm[0][0] = 100 + n; /* not the slopes of this energy */
        b->torque_kJ_mol[0][1]   = 10 + n;
        b->potential_kJ_mol      = n;
        assert_int_equal(b->image[0][0], n > 0);
    } while (n++ < 100 && !amphi_bodies_descend(b));
    assert_int_equal(n, 15); /* 0.01 nm halved 14 times */
    assert_memory_equal(b->position_nm[0], x, sizeof x);
    assert_memory_equal(b->orientation[0], q, sizeof q);
    assert_int_equal(b->image[0][0], 0);
    assert_true(b->force_kJ_mol_nm[0][0] == 100 && b->torque_kJ_mol[0][1] == 10);
    assert_true(b->potential_kJ_mol == 0);
    amphi_bodies_close(b);
}

static void minimising_without_forces_is_done_at_once(void **state)
{
    (void)state;
    const AmphiStage stage = { .name = "rest", .ensemble = AMPHI_MINIMISE };
    AmphiBodies     *b     = opened(2, POINT);

    begin(b, &stage);
    no_forces(b);
    assert_true(amphi_bodies_descend(b));
    amphi_bodies_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimising_moves_and_turns_and_stops),
        cmocka_unit_test(torques_alone_are_followed_to_their_limit),
        cmocka_unit_test(no_step_is_longer_than_the_longest),
        cmocka_unit_test(minimising_gives_up_when_no_step_is_short_enough),
        cmocka_unit_test(minimising_without_forces_is_done_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
