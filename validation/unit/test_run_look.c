/* A state that was spoilt between two looks: the next one finds it. A device looks by itself, and
 * what it finds is told as elsewhere.
 */
#include "../../engine/arena.h"
#include "run_bench.h"

#include <math.h>
#include <string.h>

static bool is_unit(const double q[4])
{
    return fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1) < 1e-9;
}

/* Makes the first orientation of a state 1 % too long, which motion leaves as it is. */
static void stretch_orientation(AmphiRun *run)
{
    AmphiBytes bytes = { .data = NULL };
    double     q[4];
    size_t     at = 0;

    assert_int_equal(run->backend->save(run->state, &bytes, NULL), AMPHI_OK);
    for (bool is_found = false; !is_found; at += is_found ? 0 : sizeof(double)) {
        assert_true(at + sizeof q <= bytes.n);
        memcpy(q, bytes.data + at, sizeof q);
        is_found = is_unit(q);
    }
    for (int k = 0; k < 4; k++)
        q[k] *= 1.01;
    memcpy(bytes.data + at, q, sizeof q);
    assert_int_equal(run->backend->restore(run->state, &bytes, NULL), AMPHI_OK);
    amphi_release(bytes.data);
}

static void check_stretched(const char *backend, AmphiPrecision precision)
{
    Bench     b;
    AmphiRun *run;

    open_bench(&b, NULL, NULL);
    const AmphiRunOptions o = options_of(b.dir[0], backend, precision);

    assert_int_equal(run_to(&b, o, 150), AMPHI_OK);
    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    stretch_orientation(run);
    assert_int_equal(amphi_run(run, &b.err), AMPHI_UNSTABLE);
    if (strstr(b.err.text, "fault at step 150 (0.65 ps): its orientation is no rotation\n"
                           "    bead 1 = water18 1") == NULL)
        fail_msg("%s %s: %s", backend, amphi_precision_name(precision), b.err.text);
    amphi_run_close(run);
    close_bench(&b);
}

/* States of fixed precision have orientations as whole numbers, which are not spoilt here. */
static void an_orientation_that_is_no_rotation_is_a_fault(void **state)
{
    (void)state;
    check_stretched("cpu", AMPHI_SINGLE);
    check_stretched("cpu", AMPHI_DOUBLE);
}

static void on_a_device_as_well(void **state)
{
    (void)state;
    skip_without_device(AMPHI_SINGLE);
    check_stretched("cuda", AMPHI_SINGLE);
    check_stretched("cuda", AMPHI_DOUBLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_orientation_that_is_no_rotation_is_a_fault),
        cmocka_unit_test(on_a_device_as_well),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
