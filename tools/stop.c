/* The word that signals set, the end of a program that is asked again, and how long it may run. */
#include "stop.h"

#include <math.h>
#include <stdint.h>
#include <unistd.h>

#include "../engine/clock.h"
#include "../engine/error.h"

static volatile sig_atomic_t requested, first_ms; /* all that the handler can reach */

/* Since some time, modulo 2^30. */
static sig_atomic_t clock_ms(void)
{
    return (sig_atomic_t)((int64_t)(amphi_clock_s() * 1000) & 0x3fffffff);
}

/* What comes within a second is the first once more: timeout(1) signals its program, and then the
 * group that the program is in. */
static void ask_to_stop(int signal_number)
{
    const sig_atomic_t now_ms = clock_ms();

    (void)signal_number;
    if (requested != 0 && ((now_ms - first_ms) & 0x3fffffff) > 1000)
        _exit(amphi_exit_code(AMPHI_STOPPED));
    if (requested == 0)
        first_ms = now_ms;
    __atomic_store_n(&requested, 1, __ATOMIC_RELAXED); /* threads of runs read it */
}

/* What whoever started the program has it ignore stays ignored: as nohup does, and a shell script
 * for Ctrl-C where it starts something in the background. */
static void listen_for(int number, const struct sigaction *action)
{
    struct sigaction before;

    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, action, NULL);
}

const volatile sig_atomic_t *tool_listen_for_stop(void)
{
    struct sigaction action = { .sa_handler = ask_to_stop, .sa_flags = SA_RESTART };

    sigemptyset(&action.sa_mask); /* one at a time */
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaddset(&action.sa_mask, SIGHUP);
    listen_for(SIGINT, &action);
    listen_for(SIGTERM, &action);
    listen_for(SIGHUP, &action);
    return &requested;
}

double tool_report_s(double max_hours, int32_t n_beads)
{
    return 10 + 0.2e-3 * n_beads + 1e-3 * 3600 * max_hours;
}

double tool_hours_left(double max_hours, double spent_s, double kept_s)
{
    const double left_s = 3600 * max_hours - spent_s - fmin(kept_s, 0.25 * 3600 * max_hours);

    return fmax(left_s, 1e-6) / 3600;
}

void tool_limit_steps(const ToolCall *call, const AmphiJob *job, double began_s, int n_reports,
                      AmphiRunOptions *o)
{
    const bool has_report = !tool_has(call, "no-report") || tool_has(call, "picture");

    if (!(o->max_hours > 0))
        return;
    o->max_hours = tool_hours_left(
        o->max_hours, amphi_clock_s() - began_s,
        has_report ? n_reports * tool_report_s(o->max_hours, job->system.n_beads) : 0);
}
