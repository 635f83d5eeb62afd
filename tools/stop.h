/* Being asked to stop: by SIGINT, SIGTERM and, without nohup, SIGHUP, and by --max-hours. */
#ifndef AMPHI_TOOLS_STOP_H
#define AMPHI_TOOLS_STOP_H

#include <signal.h>
#include <stdint.h>

#include "../engine/run.h"
#include "command.h"

/* Listens from now on. The word is not 0 once somebody has asked. Who asks again after more than a
 * second does not wait: the program ends at once, with the exit code of AMPHI_STOPPED. */
const volatile sig_atomic_t *tool_listen_for_stop(void);

/* What a report is given at the end of a run of so many hours: 10 s, 0.2 s for each thousand beads,
 * of which it has pictures, and a thousandth of the run, whose tables it reads. On two cores it
 * took 10 s with 94 208 beads, and 22 s with half a million lines of energies. */
double tool_report_s(double max_hours, int32_t n_beads);
/* The hours until steps must end in a program that shall end within max_hours and began spent_s
 * ago, with kept_s for what follows on them, but at most a quarter of it all. Above zero. */
double tool_hours_left(double max_hours, double spent_s, double kept_s);
/* --max-hours is for the whole program, which began at began_s: makes it one of the steps of a run
 * of this job, behind which so many reports are made one by one. */
void tool_limit_steps(const ToolCall *call, const AmphiJob *job, double began_s, int n_reports,
                      AmphiRunOptions *options);

#endif
