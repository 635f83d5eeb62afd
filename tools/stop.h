/* Being asked to stop: SIGINT, SIGTERM and, without nohup, SIGHUP. */
#ifndef AMPHI_TOOLS_STOP_H
#define AMPHI_TOOLS_STOP_H

#include <signal.h>

/* Listens from now on. The word is not 0 once somebody has asked. Who asks again after more than a
 * second does not wait: the program ends at once, with the exit code of AMPHI_STOPPED. */
const volatile sig_atomic_t *tool_listen_for_stop(void);

#endif
