/* The command line of `amphi run`: how a run is to be made, and where. */
#include "run_options.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "../engine/observe.h"
#include "../engine/units.h"
#include "../engine/xml_check.h"
#include "print.h"
#include "run_find.h"

static AmphiStatus fail_value(const ToolCall *call, const char *name, const char *example,
                              AmphiError *err)
{
    return amphi_fail(err, AMPHI_BAD_COMMAND, "--%s %.80s: not understood\n    write: --%s %s",
                      name, tool_value(call, name), name, example);
}

static AmphiStatus read_until(const ToolCall *call, double *until_ps, AmphiError *err)
{
    AMPHI_TRY(tool_time(call, "until", 0, "50ns", until_ps, err));
    if (tool_has(call, "until") && tool_has(call, "steps"))
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--steps and --until both say how long the run is\n    write: one of "
                          "them");
    return AMPHI_OK;
}

static AmphiStatus read_hours(const ToolCall *call, double *hours, AmphiError *err)
{
    const char *const text = tool_value(call, "max-hours");

    if (text == NULL)
        return AMPHI_OK;
    if (!amphi_units_number(text, hours))
        return fail_value(call, "max-hours", "23.5", err);
    if (!(*hours > 0))
        return amphi_fail(
            err, AMPHI_BAD_COMMAND,
            "--max-hours %.80s: leaves no time; without it a run takes what it needs\n"
            "    write: --max-hours 23.5",
            text);
    return AMPHI_OK;
}

static AmphiStatus read_interval(const ToolCall *call, AmphiRunOptions *o, AmphiError *err)
{
    const double      ps_in_s = 1e12;
    const char *const text    = tool_value(call, "checkpoint-every");
    double            time = 0, steps = 0;

    if (text == NULL)
        return AMPHI_OK;
    if (amphi_units_interval(text, AMPHI_DIM_WALL_TIME, &time, &steps) != AMPHI_UNIT_OK ||
        !(amphi_xml_is_in_range(AMPHI_DIM_WALL_TIME, AMPHI_RANGE_POSITIVE, time) ||
          (steps >= 1 && steps < 9e15)))
        return fail_value(call, "checkpoint-every", "5min", err);
    o->checkpoint_every_s     = time / ps_in_s;
    o->checkpoint_every_steps = (int64_t)steps;
    return AMPHI_OK;
}

static int32_t precision_of(const char *name)
{
    for (int32_t p = 0; name != NULL && p < AMPHI_PRECISIONS; p++)
        if (strcmp(amphi_precision_name((AmphiPrecision)p), name) == 0)
            return p;
    return -1;
}

/* "bilayer.run" for systems/bilayer.xml, in the present folder. */
static AmphiStatus name_folder(const ToolCall *call, char folder[AMPHI_PATH_SIZE], AmphiError *err)
{
    const char *const given  = tool_value(call, "output");
    const char *const system = call->argument[0];
    const char *const slash  = strrchr(system, '/');
    const char *const name   = slash != NULL ? slash + 1 : system;
    const size_t      length = strlen(name);
    const bool        is_xml = length > 4 && strcmp(name + length - 4, ".xml") == 0;
    int               n;

    if (given != NULL)
        n = snprintf(folder, AMPHI_PATH_SIZE, "%s", given);
    else
        n = snprintf(folder, AMPHI_PATH_SIZE, "%.*s.run", (int)(is_xml ? length - 4 : length),
                     name);
    return n < AMPHI_PATH_SIZE
               ? AMPHI_OK
               : amphi_fail(err, AMPHI_BAD_FILE, "%.100s...: %s", folder, strerror(ENAMETOOLONG));
}

AmphiStatus tool_run_options(const ToolCall *call, AmphiRunOptions *o, char folder[AMPHI_PATH_SIZE],
                             AmphiError *err)
{
    *o           = amphi_run_options_default();
    o->precision = precision_of(tool_value(call, "precision"));
    o->backend   = tool_value(call, "backend");
    o->fresh     = tool_has(call, "fresh");
    o->reverse   = tool_has(call, "reverse");
    AMPHI_TRY(tool_whole(call, "steps", &o->n_steps, err));
    AMPHI_TRY(tool_threads(call, &o->compute.threads, err));
    AMPHI_TRY(tool_device(call, &o->compute.device, err));
    AMPHI_TRY(read_until(call, &o->until_ps, err));
    AMPHI_TRY(read_hours(call, &o->max_hours, err));
    AMPHI_TRY(read_interval(call, o, err));
    if (o->reverse && (tool_has(call, "timings") || tool_has(call, "dry-run")))
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--reverse goes with neither --timings nor --dry-run");
    AMPHI_TRY(name_folder(call, folder, err));
    o->dir = folder;
    return AMPHI_OK;
}

static bool is_there(const char *folder, const char *name)
{
    char path[AMPHI_PATH_SIZE];

    return tool_join(folder, name, path, NULL) == AMPHI_OK && access(path, F_OK) == 0;
}

/* Is there anything that --fresh would delete? */
static bool has_run(const char *folder)
{
    static const char *const files[] = { "run.chk", "run.chk.prev", "run.log" };
    const AmphiObserverKind *kind    = NULL;

    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        if (is_there(folder, files[k]))
            return true;
    for (int32_t k = 0; (kind = amphi_observer_kind_at(k)) != NULL; k++) {
        if (is_there(folder, kind->file))
            return true;
        for (int also = 0; kind->also != NULL && kind->also[also] != NULL; also++)
            if (is_there(folder, kind->also[also]))
                return true;
    }
    return false;
}

AmphiStatus tool_confirm_fresh(const ToolCall *call, const char *folder, AmphiError *err)
{
    /* tables of another program may have the names of a run's */
    const char *const what = tool_is_run(folder) ? "the run" : "files that a run would write";
    char              safe[AMPHI_PATH_SIZE], answer[16] = "";

    if (!tool_has(call, "fresh") || tool_has(call, "yes") || !has_run(folder))
        return AMPHI_OK;
    if (isatty(STDIN_FILENO) != 1 || isatty(fileno(call->eye)) != 1)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--fresh throws away %s in %.300s\n    write: --fresh --yes", what,
                          folder);
    fprintf(call->eye, "throw away %s in %s? [y/N] ", what,
            tool_harmless(folder, safe, sizeof safe));
    fflush(call->eye);
    if (fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y'))
        return AMPHI_OK;
    return amphi_fail(err, AMPHI_BAD_COMMAND, "nothing was done");
}
