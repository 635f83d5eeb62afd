/* States that a device sets aside for the report of a fault: which of them, and that a run goes on
 * from there to the last check. The device is the cpu with such slots.
 */
#include "run_bench.h"

#include <stdlib.h>
#include <string.h>

#include "../../engine/arena.h"
#include "../../engine/bodies_show.h"

static const AmphiBackend *honest;

static AmphiBytes slot[2];
static int        n_kept;
static int64_t    n_again; /* steps behind the last state that was fetched; -1: none was */
static bool       is_lost;

static AmphiStatus keep(AmphiState *state, int k, AmphiError *err)
{
    n_kept++;
    slot[k].n = 0;
    return honest->save(state, &slot[k], err);
}

static AmphiStatus kept(AmphiState *state, int k, AmphiBytes *bytes, AmphiError *err)
{
    n_again = 0;
    if (!amphi_bytes_add(bytes, slot[k].data, is_lost ? slot[k].n / 2 : slot[k].n) || is_lost)
        return amphi_fail(err, AMPHI_NO_DEVICE, "the device is lost");
    return honest->restore(state, bytes, err);
}

static AmphiStatus advance(AmphiState *state, int64_t n, AmphiError *err)
{
    for (int64_t k = 0; k < n; k++) {
        AMPHI_TRY(honest->find_neighbours(state, err));
        AMPHI_TRY(honest->compute_forces(state, 0, err));
        AMPHI_TRY(honest->kick(state, 0, err));
        AMPHI_TRY(honest->drift(state, err));
    }
    n_again += n_again >= 0 ? n : 0;
    return AMPHI_OK;
}

static void set_aside(AmphiBackend *machine)
{
    machine->keep    = keep;
    machine->kept    = kept;
    machine->advance = advance;
    n_kept           = 0;
    n_again          = -1;
    is_lost          = false;
}

static void set_aside_and_lose(AmphiBackend *machine)
{
    set_aside(machine);
    is_lost = true;
}

static void drop_slots(void)
{
    for (int k = 0; k < 2; k++) {
        amphi_release(slot[k].data);
        slot[k] = (AmphiBytes){ .data = NULL };
    }
}

#define PRESS                                                                                      \
    "<run name=\"press\" ensemble=\"npt\" length=\"0.25 ps\"><thermostat temperature=\"298 K\"\n"  \
    " type=\"langevin\"/><barostat coupling=\"isotropic\"/></run>\n"
/* The box becomes too small some hundred steps behind the beginning of the stage. */
#define SQUEEZE                                                                                    \
    "<run name=\"press\" ensemble=\"npt\" length=\"1 ps\">"                                        \
    "<thermostat temperature=\"298 K\" type=\"langevin\"/>"                                        \
    "<barostat coupling=\"isotropic\" type=\"berendsen\" pressure=\"20000 bar\""                   \
    " time=\"2 ps\" every=\"1\"/></run>\n"

/* The same with a device as without, but for what the slots say. */
static void check_fault(AmphiPrecision precision, const char *watch, bool goes_far)
{
    static const char way[] = "\n    and the steps from there in ";
    Bench             b;
    AmphiError        told;
    char              name[64] = "";
    long long         good = 0, fault = 0;

    open_changed(&b, (const char *const[]){ "0.6 nm", "0.7 nm", PRESS, SQUEEZE,
                                            "<watch every=\"10 steps\"", watch, NULL });
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", precision);
    const AmphiRunOptions p = options_of(b.dir[1], "cpu", precision);

    assert_int_equal(run_once(&b, &o, NULL), AMPHI_UNSTABLE);
    told = b.err;
    assert_int_equal(run_on(&b, &p, set_aside, &honest), AMPHI_UNSTABLE);
    assert_string_equal(b.err.text, told.text);
    assert_int_equal(sscanf(told.text, "fault at step %lld", &fault), 1);
    assert_int_equal(
        sscanf(strstr(told.text, "state of step "), "state of step %lld kept in %63s", &good, name),
        2);
    assert_true(good < fault && strstr(told.text, way) != NULL);
    assert_int_equal(n_again, good - 70); /* where the stage begins */
    assert_int_equal(n_again > 0, goes_far);
    check_same_file(b.dir[0], b.dir[1], name);
    strcpy(strrchr(name, '.'), ".dcd");
    check_same_file(b.dir[0], b.dir[1], name);
    drop_slots();
    close_bench(&b);
}

static void the_state_of_the_last_check_is_found_again(void **state)
{
    (void)state;
    for (int p = AMPHI_SINGLE; p < AMPHI_PRECISIONS; p++)
        check_fault((AmphiPrecision)p, "<watch every=\"10 steps\"", true);
    check_fault(AMPHI_DOUBLE, "<watch every=\"7 steps\"", true);
    check_fault(AMPHI_DOUBLE, "<watch every=\"200 steps\"", false);
}

/* A device that has no state any more: the fault is told without one. */
static void half_a_state_is_none(void **state)
{
    Bench b;

    (void)state;
    open_changed(&b, (const char *const[]){ "0.6 nm", "0.7 nm", PRESS, SQUEEZE, NULL });
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);

    assert_int_equal(run_on(&b, &o, set_aside_and_lose, &honest), AMPHI_UNSTABLE);
    assert_int_equal(n_again, 0);
    assert_non_null(strstr(b.err.text, "fault at step "));
    assert_null(strstr(b.err.text, "kept in"));
    drop_slots();
    close_bench(&b);
}

/* At the beginning of each of four stages, and a thousand steps behind the last: of 2500 steps that
 * begin at step 120, in the checks at steps 1120 and 2120; with rare checks in the next one, and
 * the last is at the end. */
static void a_state_is_set_aside_every_thousand_steps(void **state)
{
    static const struct {
        const char *watch;
        int         n;
    } cases[] = { { "<watch every=\"10 steps\"", 4 + 2 },
                  { "<watch every=\"300 steps\"", 4 + 2 },
                  { "<watch every=\"1200 steps\"", 4 + 2 },
                  { "<watch every=\"3000 steps\"", 4 + 1 } };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Bench b;

        open_changed(&b,
                     (const char *const[]){ "length=\"0.5 ps\"", "length=\"12.5 ps\"",
                                            "<checkpoint every=\"25 steps\"/>", "",
                                            "<watch every=\"10 steps\"", cases[k].watch, NULL });
        const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

        assert_int_equal(run_on(&b, &o, set_aside, &honest), AMPHI_OK);
        assert_int_equal(n_again, -1);
        assert_int_equal(n_kept, cases[k].n);
        drop_slots();
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_state_of_the_last_check_is_found_again),
        cmocka_unit_test(half_a_state_is_none),
        cmocka_unit_test(a_state_is_set_aside_every_thousand_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
