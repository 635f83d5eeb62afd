/* Prints the plan of a job: its stages with all that holds, defaults too. */
#ifndef AMPHI_TOOLS_PLAN_SHOW_H
#define AMPHI_TOOLS_PLAN_SHOW_H

#include <stdio.h>

#include "../engine/job.h"

/* Nothing where there are no stages. */
void tool_plan_print(const AmphiJob *job, FILE *out);

#endif
