/* Hashes of saved states in any precision: what they see, what they leave out, and which bytes are
 * no state. Those of fixed precision alone are in test_fixed.c, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/state_hash.h"
#include "../property/fixed_cases.h"

enum { N = 40 };

static Case the_case;

static AmphiBodies *opened(bool is_fixed)
{
    static const AmphiStage stage = { .name = "nve", .ensemble = AMPHI_NVE, .dt_ps = 0.004 };
    AmphiBodies            *b     = NULL;

    make_case(&the_case, N, MIXED, 3, 298);
    assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
    if (is_fixed) {
        assert_int_equal(amphi_fixed_open(b, NULL), AMPHI_OK);
        amphi_fixed_expect(b, &stage);
    }
    assert_int_equal(amphi_bodies_begin_stage(b, &stage, NULL), AMPHI_OK);
    return b;
}

static AmphiBytes packed(const AmphiBodies *b)
{
    AmphiBytes bytes = { .data = NULL };

    assert_true(amphi_bodies_pack(b, &bytes));
    assert_true(b->fixed == NULL || amphi_fixed_pack(b, &bytes));
    return bytes;
}

static AmphiStateHash hash_of(const AmphiBodies *b)
{
    AmphiBytes     bytes = packed(b);
    AmphiStateHash hash;

    assert_true(amphi_motion_hash(&bytes, &hash));
    amphi_release(bytes.data);
    return hash;
}

static bool is_same(AmphiStateHash a, AmphiStateHash c)
{
    return a.high == c.high && a.low == c.low;
}

/* The verification of a run in single or double precision has nothing else to go by. */
static void a_hash_of_doubles_sees_every_part_of_the_motion(void **state)
{
    (void)state;
    AmphiBodies         *b       = opened(false);
    const AmphiStateHash first   = hash_of(b);
    double *const        value[] = { &b->box_nm[0],
                                     &b->box_nm[2],
                                     &b->position_nm[0][0],
                                     &b->position_nm[N - 1][2],
                                     &b->velocity_nm_ps[N - 1][2],
                                     &b->orientation[N - 1][3],
                                     &b->spin_u_nm2_ps[N - 1][2],
                                     &b->anchor_nm[0][0],
                                     &b->anchor_nm[N - 1][2] };

    assert_true(is_same(first, hash_of(b)));
    for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
        const double before = *value[k];

        *value[k] = nextafter(before, 1e9);
        assert_false(is_same(first, hash_of(b)));
        *value[k] = before;
    }
    b->step++;
    assert_false(is_same(first, hash_of(b)));
    b->step--;
    b->image[N - 1][2]++;
    assert_false(is_same(first, hash_of(b)));
    b->image[N - 1][2]--;
    assert_true(is_same(first, hash_of(b)));
    amphi_bodies_close(b);
}

/* Sums whose order depends on the backend; and what says only when. */
static void time_heat_and_work_are_left_out(void **state)
{
    (void)state;
    for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
        AmphiBodies         *b     = opened(is_fixed == 1);
        const AmphiStateHash first = hash_of(b);

        b->time_ps += 1;
        b->heat_kJ_mol += 1;
        b->work_kJ_mol += 1;
        assert_true(is_same(first, hash_of(b)));
        amphi_bodies_close(b);
    }
}

static void in_fixed_precision_both_hashes_are_the_same(void **state)
{
    (void)state;
    AmphiBodies   *b     = opened(true);
    AmphiBytes     bytes = packed(b);
    AmphiStateHash hash;

    assert_true(amphi_state_hash(&bytes, &hash));
    assert_true(is_same(hash, hash_of(b)));
    amphi_release(bytes.data);
    amphi_bodies_close(b);
}

/* With one byte less, none but the numbers, and numbers of more beads than there are or of none. */
static void bytes_that_are_no_state_have_no_hash(void **state)
{
    (void)state;
    static const int32_t wrong[] = { N + 1, -1, INT32_MIN, INT32_MAX };
    AmphiBodies         *b       = opened(false);
    AmphiBytes           bytes   = packed(b);
    AmphiSavedNumbers    numbers;
    AmphiStateHash       hash;
    const size_t         cut[] = { 0, sizeof numbers - 1, sizeof numbers, bytes.n - 1 };

    for (size_t k = 0; k < sizeof cut / sizeof *cut; k++) {
        AmphiBytes less = bytes;

        less.n = cut[k];
        assert_false(amphi_motion_hash(&less, &hash));
    }
    memcpy(&numbers, bytes.data, sizeof numbers);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        numbers.n = wrong[k];
        memcpy(bytes.data, &numbers, sizeof numbers);
        assert_false(amphi_motion_hash(&bytes, &hash));
    }
    amphi_release(bytes.data);
    amphi_bodies_close(b);
}

/* The memory of fixed precision, and as many bytes behind its name as it says, but for another
 * number of beads. */
static void integers_of_too_few_beads_have_no_hash(void **state)
{
    (void)state;
    AmphiBodies   *b     = opened(true);
    AmphiBytes     bytes = { .data = NULL };
    AmphiStateHash hash;
    size_t         began = 0;

    assert_true(amphi_bodies_pack(b, &bytes));
    assert_true(amphi_memory_begin(&bytes, AMPHI_FIXED_MEMORY, &began));
    assert_true(amphi_bytes_add(&bytes, b->fixed->x, (N - 1) * sizeof *b->fixed->x));
    amphi_memory_end(&bytes, began);
    assert_false(amphi_state_hash(&bytes, &hash));
    assert_false(amphi_state_flip(&bytes, 0));
    assert_true(hash.high == 0 && hash.low == 0);
    amphi_release(bytes.data);
    amphi_bodies_close(b);
}

/* Bytes behind the last of them, which the memory counts as its own. */
static void integers_with_more_behind_them_are_no_state(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        const int64_t  tail  = 0;
        AmphiBodies   *b     = opened(true);
        AmphiBytes     bytes = { .data = NULL };
        AmphiStateHash hash;
        size_t         began = 0, at = 0;

        assert_true(amphi_bodies_pack(b, &bytes));
        assert_true(amphi_memory_begin(&bytes, AMPHI_FIXED_MEMORY, &began));
        assert_true(amphi_bytes_add(&bytes, b->fixed->x, N * sizeof *b->fixed->x) &&
                    amphi_bytes_add(&bytes, b->fixed->p, N * sizeof *b->fixed->p) &&
                    amphi_bytes_add(&bytes, b->fixed->q, N * sizeof *b->fixed->q) &&
                    amphi_bytes_add(&bytes, b->fixed->l, N * sizeof *b->fixed->l));
        assert_true(more == 0 || amphi_bytes_add(&bytes, &tail, sizeof tail));
        amphi_memory_end(&bytes, began);
        assert_int_equal(amphi_state_hash(&bytes, &hash), more == 0);
        assert_true(amphi_bodies_unpack(b, &bytes, &at));
        assert_int_equal(amphi_fixed_unpack(b, &bytes, &at), more == 0);
        amphi_release(bytes.data);
        amphi_bodies_close(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hash_of_doubles_sees_every_part_of_the_motion),
        cmocka_unit_test(time_heat_and_work_are_left_out),
        cmocka_unit_test(in_fixed_precision_both_hashes_are_the_same),
        cmocka_unit_test(bytes_that_are_no_state_have_no_hash),
        cmocka_unit_test(integers_of_too_few_beads_have_no_hash),
        cmocka_unit_test(integers_with_more_behind_them_are_no_state),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
