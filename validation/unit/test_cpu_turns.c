/* Free rotation side by side in lanes against that of one body, to the bit, for every instruction
 * set that this machine has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/cpu_list.h"
#include "../../engine/cpu_turns.h"
#include "../../engine/fixed_motion.h"
#include "skipping.h"

enum { BODIES = 37, MOVERS = 5, ROUNDS = 400 }; /* no whole number of lanes */

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state ^ *state >> 29;
}

/* Of so many bits, either sign. */
static int64_t draw_long(uint64_t *state, int bits)
{
    return (int64_t)draw(state) >> (64 - bits);
}

static void prepare(Mover mover[MOVERS])
{
    const double inertia[MOVERS][3] = {
        { 0, 0, 0 }, { 2, 2, 0 }, { 10, 10, 10 }, { 0.6, 1.1, 1.8 }, { 0.01, 0.01, 0.003 }
    };

    for (int k = 0; k < MOVERS; k++)
        mover[k] = mover_prepare(40, inertia[k]);
}

/* Quaternions of any length that the range allows; l up to angles that are too large for a step. */
static void fill(uint64_t *state, const Mover mover[MOVERS], AmphiTurned *b)
{
    for (int32_t i = 0; i < BODIES; i++) {
        const Mover *m = &mover[draw(state) % MOVERS];

        for (int k = 0; k < 4; k++)
            b->q[k][i] = draw_long(state, 61);
        for (int k = 0; k < 3; k++) {
            b->l[k][i]    = draw_long(state, 1 + (int)(draw(state) % 50));
            b->rate[k][i] = m->turning == TURNS_NOT ? 0 : fixed_turn_rate(m, k);
        }
        b->sense[i] = fixed_turn_sense(m);
    }
}

static const Mover *mover_of(const Mover mover[MOVERS], const AmphiTurned *b, int32_t i)
{
    for (int k = 1; k < MOVERS; k++)
        if (fixed_turn_rate(&mover[k], 0) == b->rate[0][i])
            return &mover[k];
    return &mover[0];
}

/* Returns how many bodies turned too fast. */
static int hold_same(const Mover mover[MOVERS], const AmphiTurned *before, const AmphiTurned *after,
                     double dt_ps)
{
    int n_fast = 0;

    for (int32_t i = 0; i < BODIES; i++) {
        int64_t q[4], l[3];

        for (int k = 0; k < 4; k++)
            q[k] = before->q[k][i];
        for (int k = 0; k < 3; k++)
            l[k] = before->l[k][i];
        const bool is_good =
            fixed_turn_freely(mover_of(mover, before, i), dt_ps, q, l) == FIXED_GOOD;

        assert_int_equal(after->is_good[i] != 0, is_good);
        n_fast += !is_good;
        for (int k = 0; k < 4; k++)
            assert_int_equal(after->q[k][i], q[k]);
        for (int k = 0; k < 3; k++)
            assert_int_equal(after->l[k][i], l[k]);
    }
    return n_fast;
}

static void hold_set(AmphiTurnBodies *turn)
{
    uint64_t state  = 7;
    int      n_fast = 0;
    Mover    mover[MOVERS];

    prepare(mover);
    for (int round = 0; round < ROUNDS; round++) {
        const double dt_ps  = 0.001 * (double)(1 + round % 20);
        AmphiTurned  before = { .sense = { 0 } }, after;

        fill(&state, mover, &before);
        after = before;
        turn(&after, BODIES, dt_ps);
        n_fast += hold_same(mover, &before, &after, dt_ps);
    }
    assert_in_range(n_fast, 20, ROUNDS * BODIES / 2);
}

static void bodies_side_by_side_turn_as_one_body_does(void **state)
{
    (void)state;
    hold_set(amphi_cpu_turns_v3);
}

static void bodies_side_by_side_turn_as_one_body_does_by_avx_512(void **state)
{
    (void)state;
    if (!amphi_cpu_has_v4())
        SKIP("no AVX-512 here");
    hold_set(amphi_cpu_turns_v4);
}

static void a_body_without_inertia_does_not_turn(void **state)
{
    AmphiTurned before = { .sense = { 0 } }, after;

    (void)state;
    for (int32_t i = 0; i < AMPHI_TURNED; i++) {
        before.q[0][i]  = (int64_t)1 << 60;
        before.l[2][i]  = INT64_MAX >> i;
        before.sense[i] = -1;
    }
    after = before;
    amphi_cpu_turns_v3(&after, AMPHI_TURNED, 0.01);
    for (int32_t i = 0; i < AMPHI_TURNED; i++) {
        assert_int_equal(after.q[0][i], before.q[0][i]);
        assert_int_equal(after.l[2][i], before.l[2][i]);
        assert_true(after.is_good[i] != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_side_by_side_turn_as_one_body_does),
        cmocka_unit_test(bodies_side_by_side_turn_as_one_body_does_by_avx_512),
        cmocka_unit_test(a_body_without_inertia_does_not_turn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
