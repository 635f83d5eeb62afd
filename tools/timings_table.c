/* Writes timings.tsv. */
#include "timings_table.h"

#include <inttypes.h>

#include "../engine/formats/sink.h"
#include "../engine/version.h"
#include "command.h"

AmphiStatus tool_timings_write(const char *dir, const char *backend, const AmphiTimings *t,
                               AmphiError *err)
{
    char      path[AMPHI_PATH_SIZE];
    AmphiSink sink;

    if (t->n == 0)
        return AMPHI_OK;
    AMPHI_TRY(tool_join(dir, "timings.tsv", path, err));
    amphi_sink_open(&sink, path);
    amphi_sink_print(&sink, "# where the time of a step goes, one part after another\n# amphi %s\n",
                     AMPHI_VERSION);
    amphi_sink_print(&sink, "# backend: ");
    amphi_sink_text(&sink, backend);
    amphi_sink_print(&sink, "\n# steps: %" PRId64 "\n# whole_step_us: %.6g\n", t->n_steps,
                     t->step_us);
    amphi_sink_print(&sink, "# builds_per_step: %.6g\n", t->builds);
    amphi_sink_print(&sink, "part\tus_per_step\tcalls_per_step\toccupancy\n");
    for (int32_t k = 0; k < t->n; k++) {
        amphi_sink_text(&sink, t->part[k].name);
        amphi_sink_print(&sink, "\t%.6g\t%.6g\t%.6g\n", t->part[k].us, t->part[k].calls,
                         t->part[k].occupancy);
    }
    return amphi_sink_close(&sink, err);
}
