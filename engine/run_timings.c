/* Timings of the steps of a run, measured after the run has ended and its files are closed. */
#include "run_parts.h"
#include "timings.h"

AmphiStatus amphi_run_timings(AmphiRun *run, AmphiTimings *timings, AmphiError *err)
{
    const AmphiStage *stage = amphi_run_stage(run);

    *timings = (AmphiTimings){ .n = 0 };
    if (stage == NULL || stage->ensemble == AMPHI_MINIMISE)
        return AMPHI_OK;
    AMPHI_TRY(run->backend->drift(run->state, err)); /* the last frame was read before the drift */
    return amphi_timings_measure(run->backend, run->state, timings, err);
}
