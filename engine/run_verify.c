/* Verification: some steps are computed a second time from a state that was set aside, and must
 * lead to the same state, bit for bit. They do on a machine that computes rightly; a difference is
 * a fault of the hardware, or of another program that disturbs this one.
 *
 * Every verify_every steps of a stage, the last hundred are repeated, or all if there are fewer; of
 * that observers, files and measurements see nothing. Then the run goes on with the state of the
 * first pass. A checkpoint that falls due on the way is written after the steps up to there were
 * repeated. Only a request to stop does not wait: the steps from there to the stop are saved as
 * they are, and the run that goes on repeats those behind it.
 */
#include <inttypes.h>
#include <string.h>

#include "run_parts.h"

/* A hundred steps cost little beside the usual interval, and are enough for a fault that lasts to
 * show: one changed bit of a force is in every position some tens of steps later. */
enum { MOST_VERIFIED = 100 };

/* Steps from here to the next end of an interval, at least one. */
static int64_t steps_to_end(const AmphiRun *run)
{
    const int64_t every = run->job->compute.verify_every;

    return every - (run->at.step - run->at.stage_began) % every;
}

int64_t amphi_run_steps_to_verify(const AmphiRun *run)
{
    if (run->job->compute.verify_every == 0)
        return INT64_MAX;
    if (run->verifies)
        return run->verify_end - run->at.step;

    const int64_t left = steps_to_end(run);
    return left > MOST_VERIFIED ? left - MOST_VERIFIED : 0;
}

AmphiStatus amphi_run_verify_if_due(AmphiRun *run, AmphiError *err)
{
    if (run->verifies && run->at.step == run->verify_end)
        AMPHI_TRY(amphi_run_verify(run, err));
    if (run->verifies || amphi_run_steps_to_verify(run) > 0)
        return AMPHI_OK;
    run->verify_from.n = 0;
    AMPHI_TRY(run->backend->save(run->state, &run->verify_from, err));
    run->verifies     = true;
    run->verify_began = run->at.step;
    run->verify_end   = run->at.step + steps_to_end(run);
    return AMPHI_OK;
}

static AmphiStatus fail_different(const AmphiRun *run, const AmphiStateHash hash[2],
                                  AmphiError *err)
{
    char text[2][AMPHI_HASH_TEXT];

    for (int k = 0; k < 2; k++)
        amphi_state_hash_write(&hash[k], text[k]);
    return amphi_fail(err, AMPHI_NO_DEVICE,
                      "steps %" PRId64 " to %" PRId64 ", computed twice, led to different states\n"
                      "    first  %s\n    second %s\n"
                      "    a fault of the hardware, or another program that disturbs it: look for "
                      "ECC, MCE and Xid lines in the kernel log, and take another machine",
                      run->verify_began, run->at.step, text[0], text[1]);
}

/* Computes the steps again and takes the hash of where they lead. *is_whole: nobody has asked to
 * stop on the way. A second pass that becomes unstable, as the first did not, has the hash 0. */
static AmphiStatus repeat(AmphiRun *run, AmphiStateHash *hash, bool *is_whole, AmphiError *err)
{
    AmphiBytes  state = { .data = NULL };
    int64_t     left  = 0;
    AmphiStatus status;

    *hash  = (AmphiStateHash){ 0, 0 };
    status = run->backend->restore(run->state, &run->verify_from, err);
    if (status == AMPHI_OK)
        status = amphi_run_walk(run, run->at.step - run->verify_began, &left, err);
    if (status == AMPHI_UNSTABLE) {
        *is_whole = true;
        return AMPHI_OK;
    }
    *is_whole = left == 0;
    if (status == AMPHI_OK && *is_whole)
        status = run->backend->save(run->state, &state, err);
    if (status == AMPHI_OK && *is_whole)
        status = amphi_motion_hash(&state, hash)
                     ? AMPHI_OK
                     : amphi_fail(err, AMPHI_DEFECT, "a saved state has no beads");
    amphi_release(state.data);
    return status;
}

AmphiStatus amphi_run_verify(AmphiRun *run, AmphiError *err)
{
    AmphiBytes     state    = { .data = NULL };
    AmphiStateHash hash[2]  = { { 0, 0 } };
    bool           is_whole = false;
    AmphiStatus    status;

    if (!run->verifies)
        return AMPHI_OK;
    run->verifies = false;
    if (run->at.step == run->verify_began)
        return AMPHI_OK;
    status = run->backend->save(run->state, &state, err);
    if (status == AMPHI_OK && !amphi_motion_hash(&state, &hash[0]))
        status = amphi_fail(err, AMPHI_DEFECT, "a saved state has no beads");
    if (status == AMPHI_OK)
        status = repeat(run, &hash[1], &is_whole, err);
    if (status == AMPHI_OK && is_whole && memcmp(&hash[0], &hash[1], sizeof hash[0]) != 0)
        status = fail_different(run, hash, err);
    if (status == AMPHI_OK)
        status = run->backend->restore(run->state, &state, err);
    amphi_release(state.data);
    return status;
}
