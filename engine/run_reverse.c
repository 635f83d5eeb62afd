/* Reversing time: runs the last stage backwards and compares the state that it reaches with the
 * first state of the stage.
 *
 * Leapfrog in integers is exactly reversible: after the kick of a step all momenta are reversed,
 * the same steps then lead back, and after the kick of the first step momenta are reversed again.
 */
#include <inttypes.h>
#include <string.h>

#include "run_parts.h"

AmphiStatus amphi_run_note_first(AmphiRun *run, AmphiError *err)
{
    AmphiBytes     state = { .data = NULL };
    AmphiStateHash hash  = { 0, 0 };
    AmphiStatus    status;

    memset(run->at.first_hash, 0, sizeof run->at.first_hash);
    if (run->backend->precision != AMPHI_FIXED)
        return AMPHI_OK;
    status = run->backend->save(run->state, &state, err);
    if (status == AMPHI_OK && amphi_state_hash(&state, &hash)) {
        run->at.first_hash[0] = hash.high;
        run->at.first_hash[1] = hash.low;
    }
    amphi_release(state.data);
    return status;
}

AmphiStatus amphi_run_can_reverse(const AmphiRun *run, AmphiError *err)
{
    const AmphiStage *stage = &run->job->stage[run->job->n_stages - 1];

    if (run->backend->precision != AMPHI_FIXED)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--reverse: only whole numbers come back bit for bit\n"
                          "    write: --precision fixed");
    if (stage->ensemble != AMPHI_NVE || stage->remove_drift ||
        stage->thermostat.type != AMPHI_NO_THERMOSTAT)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--reverse: stage %.60s, the last one, is %s, and its steps cannot be "
                          "undone\n"
                          "    write: a last stage with ensemble=\"nve\" and no <thermostat>",
                          stage->name,
                          stage->ensemble != AMPHI_NVE ? "not NVE"
                          : stage->remove_drift        ? "rid of its drift"
                                                       : "with a thermostat");
    return AMPHI_OK;
}

/* Reverses the momenta of the state, which must be between a kick and its drift, and makes it that
 * of `step`. */
static AmphiStatus turn_round(AmphiRun *run, int64_t step, AmphiStateHash *hash, AmphiError *err)
{
    AmphiBytes  state  = { .data = NULL };
    AmphiStatus status = run->backend->save(run->state, &state, err);

    if (status == AMPHI_OK && (!amphi_state_flip(&state, step) || !amphi_state_hash(&state, hash)))
        status = amphi_fail(err, AMPHI_DEFECT, "a saved state has no whole numbers");
    if (status == AMPHI_OK)
        status = run->backend->restore(run->state, &state, err);
    amphi_release(state.data);
    return status;
}

static AmphiStatus kick(AmphiRun *run, AmphiError *err)
{
    const AmphiBackend *be = run->backend;

    AMPHI_TRY(be->find_neighbours(run->state, err));
    AMPHI_TRY(be->compute_forces(run->state, 0, err));
    return be->kick(run->state, 0, err);
}

static AmphiStatus walk(AmphiRun *run, int64_t n_steps, AmphiError *err)
{
    int64_t left;

    AMPHI_TRY(amphi_run_walk(run, n_steps, &left, err));
    return left == 0 ? AMPHI_OK
                     : amphi_fail(err, AMPHI_STOPPED,
                                  "stopped on the way back, %" PRId64 " steps from its end", left);
}

AmphiStatus amphi_run_reverse(AmphiRun *run, AmphiRunReturn *result, AmphiError *err)
{
    const AmphiStateHash first = { run->at.first_hash[0], run->at.first_hash[1] };
    AmphiStateHash       last;

    AMPHI_TRY(amphi_run_can_reverse(run, err));
    if (run->at.stage != run->job->n_stages - 1 || (first.high == 0 && first.low == 0))
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--reverse: this run has not begun its last stage in fixed precision");
    *result = (AmphiRunReturn){ .stage   = amphi_run_stage(run)->name,
                                .n_steps = run->at.step - run->at.stage_began };
    AMPHI_TRY(turn_round(run, run->at.step, &last, err));
    AMPHI_TRY(walk(run, result->n_steps, err));
    AMPHI_TRY(kick(run, err));
    AMPHI_TRY(turn_round(run, run->at.stage_began, &last, err));
    result->came_back = first.high == last.high && first.low == last.low;
    amphi_state_hash_write(&first, result->first);
    amphi_state_hash_write(&last, result->last);
    return AMPHI_OK;
}
