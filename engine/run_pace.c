/* How far a run goes ahead of a device: `advance` returns while the device still works, and whoever
 * asks to stop, or for a checkpoint, is heard only when it has been waited for. So that is done
 * about twice a second, however rarely the run looks at it. Where it is done changes no bit.
 */
#include "run_parts.h"

#include <math.h>

/* A request to stop is to be served within a second, with the last checkpoint in it. */
static const double patience_s = 0.5;

/* Until the pace is known. */
enum { FIRST_STEPS = 10 };

/* Observers who look longer than that hear nothing meanwhile, and a device has work for as long. */
static int64_t most_ahead(const AmphiRun *run)
{
    const double ahead_s = fmax(patience_s, run->looked_s);

    return run->pace_s > 0 ? (int64_t)fmax(1, fmin(ahead_s / run->pace_s, 1e9)) : FIRST_STEPS;
}

/* Few frames are for all observers: the longest look counts for some more frames. */
void amphi_run_looked(AmphiRun *run, double began_s)
{
    run->looked_s = fmax(amphi_clock_s() - began_s, 0.9 * run->looked_s);
}

void amphi_run_waited(AmphiRun *run)
{
    if (run->ahead > 0)
        run->pace_s = (amphi_clock_s() - run->began_ahead_s) / (double)run->ahead;
    run->ahead = 0;
}

AmphiStatus amphi_run_advance(AmphiRun *run, int64_t n, int64_t *made, AmphiError *err)
{
    int64_t room;

    *made = 0;
    if (run->ahead >= most_ahead(run)) {
        if (run->backend->wait != NULL)
            AMPHI_TRY(run->backend->wait(run->state, err));
        amphi_run_waited(run);
    }
    if (run->ahead == 0)
        run->began_ahead_s = amphi_clock_s();
    room  = most_ahead(run) - run->ahead;
    *made = n < room ? n : room;
    AMPHI_TRY(run->backend->advance(run->state, *made, err));
    run->ahead += *made;
    return AMPHI_OK;
}
