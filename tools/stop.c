/* The word that two signals set, and the end of a program that is asked again. */
#include "stop.h"

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
    requested = 1;
}

const volatile sig_atomic_t *tool_listen_for_stop(void)
{
    struct sigaction action = { .sa_handler = ask_to_stop, .sa_flags = SA_RESTART };

    sigemptyset(&action.sa_mask); /* one at a time */
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaddset(&action.sa_mask, SIGHUP);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);

    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup */
        sigaction(SIGHUP, &action, NULL);
    return &requested;
}
