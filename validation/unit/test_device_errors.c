/* A device that fails at any of its calls: the run ends with the code of that error, saves nothing
 * of what it cannot trust, and the same command goes on from the last checkpoint, on the processor
 * if need be, to the bits that it would have come to.
 *
 * Without a device a backend of the host stands in for it, whose n-th operation fails and all
 * behind it. With one, the calls of the CUDA runtime fail when told to (engine/failing.h).
 */
#include "run_bench.h"

#include <stdlib.h>
#include <string.h>

#ifdef AMPHI_CUDA
#include "../../engine/failing.h"
#endif

static int fewer(int stride)
{
    return getenv("BRIEF") != NULL ? 8 * stride : stride; /* sanitizers take ten times as long */
}

/* A run that ended so has told where it can go on, if there is a checkpoint. */
static void check_ending(const Bench *b, const char *dir)
{
    const bool has_past = is_there(dir, "run.chk");
    const bool tells    = strstr(b->err.text, "the last checkpoint, of step ") != NULL;

    if (b->err.status == AMPHI_NO_DEVICE && has_past != tells)
        fail_msg("%s checkpoint: %s", has_past ? "a" : "no", b->err.text);
}

/* ---- a backend of the host that is lost ---- */

static struct {
    const AmphiBackend *honest;
    int64_t             n_calls, lost_at;
} machine;

static bool is_lost(AmphiError *err)
{
    machine.n_calls++;
    if (machine.n_calls < machine.lost_at)
        return false;
    amphi_fail(err, AMPHI_NO_DEVICE, "device: gone");
    return true;
}

static AmphiStatus begin_stage(AmphiState *s, const AmphiStage *stage, AmphiError *err)
{
    return is_lost(err) ? AMPHI_NO_DEVICE : machine.honest->begin_stage(s, stage, err);
}

static AmphiStatus find_neighbours(AmphiState *s, AmphiError *err)
{
    return is_lost(err) ? AMPHI_NO_DEVICE : machine.honest->find_neighbours(s, err);
}

static AmphiStatus compute_forces(AmphiState *s, uint32_t needs, AmphiError *err)
{
    return is_lost(err) ? AMPHI_NO_DEVICE : machine.honest->compute_forces(s, needs, err);
}

static AmphiStatus kick(AmphiState *s, uint32_t needs, AmphiError *err)
{
    return is_lost(err) ? AMPHI_NO_DEVICE : machine.honest->kick(s, needs, err);
}

static AmphiStatus drift(AmphiState *s, AmphiError *err)
{
    return is_lost(err) ? AMPHI_NO_DEVICE : machine.honest->drift(s, err);
}

static AmphiStatus descend(AmphiState *s, bool *converged, AmphiError *err)
{
    return is_lost(err) ? AMPHI_NO_DEVICE : machine.honest->descend(s, converged, err);
}

static AmphiStatus read_frame(AmphiState *s, uint32_t needs, AmphiFrame *frame, AmphiError *err)
{
    return is_lost(err) ? AMPHI_NO_DEVICE : machine.honest->read_frame(s, needs, frame, err);
}

static AmphiStatus save(AmphiState *s, AmphiBytes *bytes, AmphiError *err)
{
    return is_lost(err) ? AMPHI_NO_DEVICE : machine.honest->save(s, bytes, err);
}

static AmphiStatus restore(AmphiState *s, const AmphiBytes *bytes, AmphiError *err)
{
    return is_lost(err) ? AMPHI_NO_DEVICE : machine.honest->restore(s, bytes, err);
}

static void change(AmphiBackend *backend)
{
    backend->begin_stage     = begin_stage;
    backend->find_neighbours = find_neighbours;
    backend->compute_forces  = compute_forces;
    backend->kick            = kick;
    backend->drift           = drift;
    backend->descend         = descend;
    backend->read_frame      = read_frame;
    backend->save            = save;
    backend->restore         = restore;
}

/* The run, whose operation number lost_at fails; 0: none. */
static AmphiStatus run_on_machine(Bench *b, const AmphiRunOptions *o, int64_t lost_at)
{
    machine.n_calls = 0;
    machine.lost_at = lost_at > 0 ? lost_at : INT64_MAX;
    return run_on(b, o, change, &machine.honest);
}

/* With steps computed twice, so that states go back, too. */
static const char watch_from[] = "<watch every=\"10 steps\"";
static const char watch_to[]   = "<watch every=\"10 steps\" verify-every=\"60 steps\"";

static void a_run_goes_on_behind_a_device_that_was_lost_at_any_operation(void **state)
{
    Bench   whole;
    int64_t n_calls;

    (void)state;
    open_bench(&whole, watch_from, watch_to);
    const AmphiRunOptions all = options_of(whole.dir[0], "cpu", AMPHI_DOUBLE);
    assert_int_equal(run_on_machine(&whole, &all, 0), AMPHI_OK);
    n_calls = machine.n_calls;
    assert_true(n_calls > ALL_STEPS * 4);
    for (int64_t n = 1; n <= n_calls; n += fewer(13)) {
        Bench b;

        open_bench(&b, watch_from, watch_to);
        const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);
        assert_int_equal(run_on_machine(&b, &o, n), AMPHI_NO_DEVICE);
        assert_int_equal(b.err.status, AMPHI_NO_DEVICE);
        assert_int_equal(amphi_exit_code(b.err.status), 6);
        check_ending(&b, b.dir[0]);
        assert_int_equal(run_once(&b, &o, NULL), AMPHI_OK);
        check_same_run(whole.dir[0], b.dir[0]);
        close_bench(&b);
    }
    close_bench(&whole);
}

/* ---- a device ---- */

#ifdef AMPHI_CUDA

typedef struct {
    AmphiDeviceError error;
    const char      *name;
    AmphiStatus      status;
    int              exit;
    AmphiPrecision   precision;
    const char      *goes_on; /* with this backend */
} Failing;

static const Failing failings[] = {
    { AMPHI_DEVICE_HAS_NO_MEMORY, "no memory", AMPHI_NO_MEMORY, 6, AMPHI_FIXED, "cpu" },
    { AMPHI_DEVICE_IS_LOST, "lost", AMPHI_NO_DEVICE, 6, AMPHI_FIXED, "cpu" },
    { AMPHI_DEVICE_TOOK_TOO_LONG, "too long", AMPHI_NO_DEVICE, 6, AMPHI_FIXED, "cpu" },
    { AMPHI_DEVICE_HAD_A_WRONG_ADDRESS, "a wrong address", AMPHI_DEFECT, 1, AMPHI_FIXED, "cpu" },
    { AMPHI_DEVICE_IS_LOST, "lost, in single", AMPHI_NO_DEVICE, 6, AMPHI_SINGLE, "cuda" },
};

/* The run in b, whose n-th call fails; false: it has fewer calls. */
static bool run_failing(Bench *b, int64_t n, const Failing *f)
{
    const AmphiRunOptions o = options_of(b->dir[0], "cuda", f->precision);
    AmphiStatus           status;

    amphi_device_fail_at(n, f->error);
    status = run_once(b, &o, NULL);
    amphi_device_fail_at(0, f->error);
    if (status == AMPHI_OK)
        return false;
    if (status != f->status || b->err.status != status || b->err.text[0] == '\0')
        fail_msg("%s at call %d: status %d, %s", f->name, (int)n, (int)status, b->err.text);
    assert_int_equal(amphi_exit_code(status), f->exit);
    assert_int_equal(amphi_device_blocks(), 0);
    check_ending(b, b->dir[0]);
    return true;
}

/* Then goes on, to what there would have been without a failure; false: as above. A run that fails
 * behind its last checkpoint has nothing left to do: what it leaves is the device's. */
static bool fails_and_goes_on(const Bench *whole, int64_t n, const Failing *f)
{
    Bench b;
    bool  fails;

    open_bench(&b, watch_from, watch_to);
    fails = run_failing(&b, n, f);
    if (fails) {
        const AmphiRunOptions o = options_of(b.dir[0], f->goes_on, f->precision);

        if (run_once(&b, &o, NULL) != AMPHI_OK)
            fail_msg("%s at call %d: goes on with: %s", f->name, (int)n, b.err.text);
        check_same_run(whole->dir[is_same_file(whole->dir[1], b.dir[0], "run.chk") ? 1 : 0],
                       b.dir[0]);
    }
    close_bench(&b);
    return fails;
}

/* Each of the first calls, and then ever fewer of them. */
static void a_run_goes_on_to_the_same_bits_behind_any_failed_call(void **state)
{
    (void)state;
    skip_without_device(AMPHI_FIXED);
    for (size_t k = 0; k < sizeof failings / sizeof failings[0]; k++) {
        const Failing *const f = &failings[k];
        int64_t              n = 1, last = 0;
        int                  tries = 0;
        Bench                whole;

        open_bench(&whole, watch_from, watch_to);
        const AmphiRunOptions o        = options_of(whole.dir[0], f->goes_on, f->precision);
        const AmphiRunOptions unfailed = options_of(whole.dir[1], "cuda", f->precision);
        assert_int_equal(run_once(&whole, &o, NULL), AMPHI_OK);
        assert_int_equal(run_once(&whole, &unfailed, NULL), AMPHI_OK);
        for (; fails_and_goes_on(&whole, n, f); n += 1 + n / 25, tries++)
            last = n;
        print_message("note: %s: %d runs of which one call failed, the last of them number %d\n",
                      f->name, tries, (int)last);
        assert_true(last > 1000); /* behind the openings: of a whole run */
        close_bench(&whole);
    }
}

/* An opening that fails takes nothing with it, whichever call it is. */
static void a_state_that_cannot_be_opened_leaves_nothing_on_the_device(void **state)
{
    Bench b;

    (void)state;
    skip_without_device(AMPHI_FIXED);
    open_bench(&b, NULL, NULL);
    for (int p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++) {
        const AmphiBackend *const cuda = amphi_backend_there("cuda", (AmphiPrecision)p);
        AmphiState               *opened;
        int64_t                   n = 1;

        for (;; n++) {
            AmphiStatus status;

            amphi_device_fail_at(n, AMPHI_DEVICE_HAS_NO_MEMORY);
            status = cuda->open(&b.job->system, NULL, &opened, &b.err);
            amphi_device_fail_at(0, AMPHI_DEVICE_HAS_NO_MEMORY);
            if (status == AMPHI_OK)
                break;
            assert_int_equal(status, AMPHI_NO_MEMORY);
            assert_null(opened);
            assert_int_equal(amphi_device_blocks(), 0);
        }
        assert_true(amphi_device_blocks() > 0);
        cuda->close(opened);
        assert_int_equal(amphi_device_blocks(), 0);
        print_message("note: %s: each of %d calls of an opening\n",
                      amphi_precision_name((AmphiPrecision)p), (int)n - 1);
        assert_true(n > 50);
    }
    close_bench(&b);
}

#else

static void a_run_goes_on_to_the_same_bits_behind_any_failed_call(void **state)
{
    (void)state;
    print_message("SKIPPED: built without CUDA\n");
    skip();
}

static void a_state_that_cannot_be_opened_leaves_nothing_on_the_device(void **state)
{
    (void)state;
    print_message("SKIPPED: built without CUDA\n");
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_goes_on_behind_a_device_that_was_lost_at_any_operation),
        cmocka_unit_test(a_run_goes_on_to_the_same_bits_behind_any_failed_call),
        cmocka_unit_test(a_state_that_cannot_be_opened_leaves_nothing_on_the_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
