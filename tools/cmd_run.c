/* amphi run: runs the plan of a system file, or continues it; of several files, all of them. */
#include "../engine/clock.h"
#include "command.h"
#include "run_case.h"
#include "run_job.h"
#include "run_several.h"
#include "stop.h"

AmphiStatus cmd_run(const ToolCall *call, AmphiError *err)
{
    const double began_s = amphi_clock_s();
    ToolRunCase  one;
    AmphiStatus  status;

    if (call->n_arguments > 1)
        return tool_run_several(call, began_s, err);
    AMPHI_TRY(tool_case_open(call, 0, &one, err));
    if (!tool_has(call, "dry-run")) {
        (void)tool_listen_for_stop(); /* already while a large start is built */
        tool_listen_for_requests();
    }
    status = tool_case_read(&one, err);
    if (status == AMPHI_OK)
        status = tool_case_run(&one, began_s, 1, err);
    tool_case_close(&one);
    return status;
}
