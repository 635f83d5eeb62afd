/* How far a run goes ahead of a device. A slow machine of the host stands in for one: it makes many
 * steps at a time, as a device does, and may be asked to stop at any of them.
 */
#include "run_bench.h"

#include <stdlib.h>
#include <time.h>

/* The last stage is longer by 200. */
enum { STEPS = ALL_STEPS + 200 };

static struct {
    const AmphiBackend   *honest;
    long                  step_ms;
    int64_t               n_steps, stops_at, calls;
    volatile sig_atomic_t stop;
} machine;

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

static AmphiStatus advance(AmphiState *state, int64_t n, AmphiError *err)
{
    const AmphiBackend *const be = machine.honest;

    machine.calls++;
    for (; n > 0; n--) {
        if (machine.step_ms > 0)
            sleep_ms(machine.step_ms);
        AMPHI_TRY(be->find_neighbours(state, err));
        AMPHI_TRY(be->compute_forces(state, 0, err));
        AMPHI_TRY(be->kick(state, 0, err));
        AMPHI_TRY(be->drift(state, err));
        machine.n_steps++;
        machine.stop = machine.stop || machine.n_steps == machine.stops_at;
    }
    return AMPHI_OK;
}

/* Stages have nothing to look at but their first step. */
static void open_quiet(Bench *b)
{
    open_changed(
        b, (const char *const[]){ "<watch every=\"10 steps\"", "<watch every=\"1000 steps\"",
                                  "<energies every=\"0.05 ps\"/>", "<energies every=\"5 ps\"/>",
                                  "every=\"25 steps\"", "every=\"1000 steps\"", NULL });
}

static void change(AmphiBackend *backend)
{
    backend->advance = advance;
}

static AmphiStatus run_on_machine(Bench *b, const char *dir, long step_ms, int64_t stops_at)
{
    AmphiRunOptions o = options_of(dir, "cpu", AMPHI_DOUBLE);

    o.stop_requested = &machine.stop;
    o.n_steps        = STEPS;
    machine.step_ms  = step_ms;
    machine.stops_at = stops_at;
    machine.n_steps  = 0;
    machine.calls    = 0;
    machine.stop     = 0;
    return run_on(b, &o, change, &machine.honest);
}

/* Steps of 20 ms each, and 49 of them without a look in each of the first stages. */
static void a_request_to_stop_is_heard_behind_half_a_second_of_steps(void **state)
{
    enum { STEP_MS = 20, STOPS_AT = 111, MOST_BEHIND = 500 / STEP_MS };
    Bench b;

    (void)state;
    open_quiet(&b);
    assert_int_equal(run_to(&b, options_of(b.dir[0], "cpu", AMPHI_DOUBLE), STEPS), AMPHI_OK);
    assert_int_equal(run_on_machine(&b, b.dir[1], STEP_MS, STOPS_AT), AMPHI_STOPPED);
    print_message("note: %d steps behind the request\n", (int)(machine.n_steps - STOPS_AT));
    assert_true(machine.n_steps - STOPS_AT <= MOST_BEHIND);
    assert_int_equal(run_to(&b, options_of(b.dir[1], "cpu", AMPHI_DOUBLE), STEPS), AMPHI_OK);
    check_same_run(b.dir[0], b.dir[1]);
    close_bench(&b);
}

/* Ten steps until the pace is known, and all that are quiet behind them. */
static void a_fast_machine_is_given_all_steps_at_once(void **state)
{
    Bench b;

    (void)state;
    open_quiet(&b);
    assert_int_equal(run_to(&b, options_of(b.dir[0], "cpu", AMPHI_DOUBLE), STEPS), AMPHI_OK);
    assert_int_equal(run_on_machine(&b, b.dir[1], 0, 0), AMPHI_OK);
    print_message("note: %d steps in %d pieces\n", (int)machine.n_steps, (int)machine.calls);
    assert_true(machine.n_steps > STEPS / 2);
    assert_true(machine.calls <= (getenv("BRIEF") != NULL ? 40 : 8));
    check_same_run(b.dir[0], b.dir[1]);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_to_stop_is_heard_behind_half_a_second_of_steps),
        cmocka_unit_test(a_fast_machine_is_given_all_steps_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
