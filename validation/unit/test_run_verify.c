/* Steps computed twice: which they are, that nothing else changes, and that a machine which
 * computes differently is found; and what is told of checkpoints where a machine is lost.
 */
#include "run_bench.h"

#include <string.h>

#include "../../engine/bodies_show.h"

/* A machine that counts its steps, and may change a bit of the state behind one of them, find that
 * state unstable, be asked to stop there, or be lost as it saves one. */
static struct {
    const AmphiBackend   *honest;
    int64_t               n_steps, flips_at, breaks_at, stops_at, lost_at;
    volatile sig_atomic_t stop;
} machine;

/* Of a position, for the sum of momenta is watched. In fixed precision its integers begin the last
 * arrays; else positions come first, of which single precision has no lower bits. */
static AmphiStatus flip_bit(AmphiState *state, AmphiError *err)
{
    AmphiBytes        bytes = { .data = NULL };
    AmphiSavedNumbers numbers;
    AmphiStatus       status = machine.honest->save(state, &bytes, err);

    assert_int_equal(status, AMPHI_OK);
    memcpy(&numbers, bytes.data, sizeof numbers);
    if (machine.honest->precision == AMPHI_FIXED)
        bytes.data[bytes.n - (size_t)numbers.n * sizeof(int64_t[13])] ^= 1;
    else
        bytes.data[sizeof numbers + 4] ^= 1;
    status = machine.honest->restore(state, &bytes, err);
    amphi_release(bytes.data);
    return status;
}

static AmphiStatus drift(AmphiState *state, AmphiError *err)
{
    const AmphiStatus status = machine.honest->drift(state, err);

    machine.n_steps++;
    if (machine.n_steps == machine.stops_at)
        machine.stop = 1;
    if (machine.n_steps == machine.breaks_at)
        return amphi_fail(err, AMPHI_UNSTABLE, "out of range");
    return status == AMPHI_OK && machine.n_steps == machine.flips_at ? flip_bit(state, err)
                                                                     : status;
}

static AmphiStatus save(AmphiState *state, AmphiBytes *bytes, AmphiError *err)
{
    if (machine.lost_at > 0 && machine.n_steps >= machine.lost_at)
        return amphi_fail(err, AMPHI_NO_DEVICE, "the device is lost");
    return machine.honest->save(state, bytes, err);
}

static void change(AmphiBackend *backend)
{
    backend->drift = drift;
    backend->save  = save;
}

/* A run on this machine; 0: neither. */
static AmphiStatus run_on_machine(Bench *b, AmphiRunOptions o, int64_t flips_at, int64_t stops_at)
{
    machine.n_steps  = 0;
    machine.stop     = 0;
    machine.flips_at = flips_at;
    machine.stops_at = stops_at;
    o.stop_requested = &machine.stop;
    return run_on(b, &o, change, &machine.honest);
}

static void check_text(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("%s\n    has not: %s", text, part);
}

#define WATCH "<watch every=\"10 steps\""

static void open_verified(Bench *b, const char *interval)
{
    char watch[96];

    snprintf(watch, sizeof watch, WATCH " verify-every=\"%s\"", interval);
    open_bench(b, WATCH, watch);
}

/* The same run without verification. */
static void run_plain(Bench *b, AmphiRunOptions o)
{
    Bench plain;

    open_bench(&plain, NULL, NULL);
    assert_int_equal(run_once(&plain, &o, NULL), AMPHI_OK);
    assert_int_equal(b->job->physics_hash, plain.job->physics_hash);
    close_bench(&plain);
}

/* Of 50, 50 and 300 steps, checkpoints every 25. */
static void a_healthy_run_is_the_same_to_the_byte(void **state)
{
    (void)state;
    static const struct {
        const char *interval;
        int64_t     n_steps;
    } row[] = { { "150 steps", 400 + 200 }, { "0.1 ps", 400 + 400 }, { "1e6 steps", 400 } };

    for (int precision = AMPHI_SINGLE; precision <= AMPHI_FIXED; precision++)
        for (int k = 0; k < 3; k++) {
            Bench b;

            open_verified(&b, row[k].interval);
            AmphiRunOptions o[2];
            for (int j = 0; j < 2; j++) {
                o[j]         = options_of(b.dir[j], "cpu", (AmphiPrecision)precision);
                o[j].n_steps = 420;
            }
            run_plain(&b, o[0]);
            assert_int_equal(run_on_machine(&b, o[1], 0, 0), AMPHI_OK);
            assert_int_equal(machine.n_steps, row[k].n_steps);
            check_same_run(b.dir[0], b.dir[1]);
            close_bench(&b);
        }
}

/* In the first pass, then in the second: what is saved is from before, and the same command goes on
 * to what it would have been. */
static void a_changed_bit_is_found_and_not_saved(void **state)
{
    (void)state;
    static const int64_t flips_at[] = { 100 + 130, 100 + 150 + 80 };

    for (int precision = AMPHI_SINGLE; precision <= AMPHI_FIXED; precision++)
        for (int k = 0; k < 2; k++) {
            Bench b;

            open_verified(&b, "150 steps");
            AmphiRunOptions o[2];
            for (int j = 0; j < 2; j++) {
                o[j]         = options_of(b.dir[j], "cpu", (AmphiPrecision)precision);
                o[j].n_steps = 420;
                o[j].checkpoint_every_steps = 1000;
            }
            run_plain(&b, o[0]);
            assert_int_equal(run_on_machine(&b, o[1], flips_at[k], 0), AMPHI_NO_DEVICE);
            assert_int_equal(amphi_exit_code(AMPHI_NO_DEVICE), 6);
            check_text(b.err.text, "steps 170 to 270, computed twice, led to different states");
            check_text(b.err.text, "a fault of the hardware");
            check_text(b.err.text, "the last checkpoint, of step 120, is from before");
            assert_int_equal(run_on_machine(&b, o[1], 0, 0), AMPHI_OK);
            check_same_run(b.dir[0], b.dir[1]);
            close_bench(&b);
        }
}

/* The first pass through these steps was stable. */
static void a_second_pass_that_breaks_down_is_found(void **state)
{
    (void)state;
    Bench b;

    open_verified(&b, "150 steps");
    AmphiRunOptions o        = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);
    o.n_steps                = 420;
    o.checkpoint_every_steps = 1000;
    machine.breaks_at        = 100 + 150 + 80;
    assert_int_equal(run_on_machine(&b, o, 0, 0), AMPHI_NO_DEVICE);
    machine.breaks_at = 0;
    check_text(b.err.text, "steps 170 to 270, computed twice");
    check_text(b.err.text, "second 00000000000000000000000000000000");
    close_bench(&b);
}

/* One is due at step 195, with a bit changed at step 190. */
static void a_checkpoint_on_the_way_is_verified_first(void **state)
{
    (void)state;
    Bench b;

    open_verified(&b, "150 steps");
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_FIXED);
    o.n_steps         = 420;
    assert_int_equal(run_on_machine(&b, o, 100 + 70, 0), AMPHI_NO_DEVICE);
    check_text(b.err.text, "steps 170 to 195, computed twice");
    check_text(b.err.text, "of step 170,");
    close_bench(&b);
}

/* In the first and in the second pass; a run that goes on verifies what is left of the interval. */
static void a_request_to_stop_does_not_wait(void **state)
{
    (void)state;
    static const int64_t stops_at[] = { 100 + 120, 100 + 150 + 30 };
    static const int64_t then[]     = { 30 + 150 + 30 + 100, 150 + 100 };

    for (int k = 0; k < 2; k++) {
        Bench b;

        open_verified(&b, "150 steps");
        AmphiRunOptions o[2];
        for (int j = 0; j < 2; j++) {
            o[j]                        = options_of(b.dir[j], "cpu", AMPHI_DOUBLE);
            o[j].n_steps                = 420;
            o[j].checkpoint_every_steps = 1000;
        }
        run_plain(&b, o[0]);
        assert_int_equal(run_on_machine(&b, o[1], 0, stops_at[k]), AMPHI_STOPPED);
        assert_in_range(machine.n_steps, stops_at[k], stops_at[k] + 1);
        assert_int_equal(run_on_machine(&b, o[1], 0, 0), AMPHI_OK);
        assert_in_range(machine.n_steps, then[k] - 1, then[k] + 1);
        check_same_run(b.dir[0], b.dir[1]);
        close_bench(&b);
    }
}

/* Five moves, each cut short, in a stage of which all steps are computed twice; and no fewer where
 * a run has stopped between them. */
static void moves_of_the_box_that_are_cut_short_are_counted_once(void **state)
{
    (void)state;
    static const char *const change[] = { WATCH, WATCH " verify-every=\"50 steps\"",
                                          "coupling=\"isotropic\"",
                                          "coupling=\"isotropic\" pressure=\"-1e6 bar\"", NULL };

    for (int precision = AMPHI_SINGLE; precision <= AMPHI_FIXED; precision++) {
        Bench b;

        open_changed(&b, change);
        for (int stops = 0; stops < 2; stops++) {
            AmphiRunOptions o    = options_of(b.dir[stops], "cpu", (AmphiPrecision)precision);
            AmphiRunInfo    info = { .n_limited = 0 };

            if (stops != 0)
                assert_int_equal(run_to(&b, o, 95), AMPHI_OK);
            o.n_steps = 120;
            assert_int_equal(run_once(&b, &o, &info), AMPHI_OK);
            assert_int_equal(info.n_limited, 5);
        }
        check_same_run(b.dir[0], b.dir[1]);
        close_bench(&b);
    }
}

/* Checkpoints every 25 steps, of 50 and 50 steps and those that follow: the one of step 195 is the
 * last that there is. */
static void a_save_that_is_lost_is_no_checkpoint(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, NULL, NULL);
    AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);
    o.n_steps         = 420;
    machine.lost_at   = 200;
    assert_int_equal(run_on_machine(&b, o, 0, 0), AMPHI_NO_DEVICE);
    machine.lost_at = 0;
    check_text(b.err.text, "the device is lost");
    check_text(b.err.text, "the last checkpoint, of step 195, is from before");
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_healthy_run_is_the_same_to_the_byte),
        cmocka_unit_test(a_changed_bit_is_found_and_not_saved),
        cmocka_unit_test(a_second_pass_that_breaks_down_is_found),
        cmocka_unit_test(a_checkpoint_on_the_way_is_verified_first),
        cmocka_unit_test(a_request_to_stop_does_not_wait),
        cmocka_unit_test(moves_of_the_box_that_are_cut_short_are_counted_once),
        cmocka_unit_test(a_save_that_is_lost_is_no_checkpoint),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
