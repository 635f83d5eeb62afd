/* amphi compare: one system in several modes, from one state. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../engine/clock.h"
#include "command.h"
#include "compare.h"
#include "print.h"
#include "stop.h"

/* ---- progress ---- */

typedef struct {
    FILE  *eye;
    bool   is_moving, is_silent;
    char   part[96]; /* the one that was told last */
    double told_s;
} Show;

/* One line that moves on a terminal; elsewhere a line when a part begins, and one a minute. */
static void on_progress(void *user, const char *part, int64_t done, int64_t of)
{
    Show *const  show   = user;
    const bool   is_new = strcmp(show->part, part) != 0;
    const double wait_s = show->is_moving ? 0.25 : 60;
    char         safe[128];

    if (show->is_silent || (!is_new && amphi_clock_s() - show->told_s < wait_s))
        return;
    show->told_s = amphi_clock_s();
    snprintf(show->part, sizeof show->part, "%s", part);
    fprintf(show->eye, show->is_moving ? "\r\033[K%s  %lld/%lld" : "%s  %lld/%lld\n",
            tool_harmless(part, safe, sizeof safe), (long long)done, (long long)of);
    fflush(show->eye);
}

static Show show_of(const ToolCall *call)
{
    const bool is_silent = tool_has(call, "quiet") || tool_has(call, "json");

    return (Show){ .eye       = call->eye,
                   .is_silent = is_silent,
                   .is_moving =
                       !is_silent && isatty(fileno(call->eye)) == 1 && getenv("NO_COLOR") == NULL };
}

/* ---- options ---- */

static AmphiStatus read_options(const ToolCall *call, Compare *c, AmphiError *err)
{
    AMPHI_TRY(tool_time(call, "length", DBL_MIN, "20ps", &c->length_ps, err));
    AMPHI_TRY(tool_time(call, "settle", 0, "20ps", &c->settle_ps, err));
    AMPHI_TRY(tool_time(call, "timestep", DBL_MIN, "5fs", &c->dt_ps, err));
    AMPHI_TRY(tool_device(call, &c->choice.device, err));
    AMPHI_TRY(tool_threads(call, &c->choice.threads, err));
    c->is_alone = tool_has(call, "alone");
    return compare_choose(c, tool_value(call, "backend"), tool_value(call, "precision"), err);
}

/* The checkpoint of the run directory that is given, by default of the one that `amphi run` would
 * use. */
static AmphiStatus find_checkpoint(const ToolCall *call, Compare *c, char path[AMPHI_PATH_SIZE],
                                   AmphiError *err)
{
    const char *const slash  = strrchr(c->path, '/');
    const char *const name   = slash != NULL ? slash + 1 : c->path;
    const size_t      length = strlen(name);
    const bool        is_xml = length > 4 && strcmp(name + length - 4, ".xml") == 0;
    char              folder[AMPHI_PATH_SIZE];
    struct stat       about;

    c->from     = tool_value(call, "from");
    c->is_guess = c->from == NULL;
    if (c->is_guess)
        snprintf(folder, sizeof folder, "%.*s.run", (int)(is_xml ? length - 4 : length), name);
    else
        snprintf(folder, sizeof folder, "%s", c->from);
    if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode))
        return AMPHI_OK;
    AMPHI_TRY(tool_join(folder, "run.chk", path, err));
    if (!c->is_guess || access(path, R_OK) == 0)
        c->from = path;
    return AMPHI_OK;
}

/* ---- the command ---- */

/* As it can be given again. */
static void command_line(const ToolCall *call, char command[512])
{
    size_t n = (size_t)snprintf(command, 512, "amphi compare %.200s", call->argument[0]);

    for (int k = 0; call->command->option[k].name != NULL && n < 512; k++)
        if (call->value[k] != NULL)
            n += (size_t)snprintf(command + n, 512 - n, " --%s%s%.60s",
                                  call->command->option[k].name,
                                  call->value[k][0] != '\0' ? " " : "", call->value[k]);
}

static AmphiStatus show_report(const ToolCall *call, const CompareReport *r, AmphiError *err)
{
    const char *const folder = tool_value(call, "output");
    char              command[512];

    if (tool_has(call, "json"))
        compare_print_json(r, call->out);
    else
        compare_print(r, call->out);
    if (folder == NULL)
        return AMPHI_OK;
    command_line(call, command);
    AMPHI_TRY(compare_write(r, folder, err));
    AMPHI_TRY(compare_write_page(r, folder, command, err));
    tool_remark(call, "%.400s: compare.html compare.tsv compare.json and %d curves", folder,
                (int)r->n_curves);
    return AMPHI_OK;
}

static AmphiStatus compare_job(const ToolCall *call, Compare *c, AmphiError *err)
{
    const Show *const show   = c->user;
    const char *const folder = tool_value(call, "output");
    bool              on_any = false;
    AmphiStatus       status;

    if (folder != NULL) /* told before hours of measuring, not behind them */
        AMPHI_TRY(tool_make_folder(folder, err));
    c->report->system = c->path;
    c->report->title  = c->job->system.title != NULL && c->job->system.title[0] != '\0'
                            ? c->job->system.title
                            : c->path;
    for (int32_t k = 0; k < c->n_modes; k++)
        on_any = on_any || c->mode[k].backend->is_there != NULL;
    tool_remark_device(call, on_any);
    if (c->choice.device < 0)
        c->choice.device = c->job->compute.choice.device;
    if (c->choice.threads == 0)
        c->choice.threads = c->job->compute.choice.threads;
    c->choice.margin_nm = c->job->compute.choice.margin_nm;
    c->stop             = tool_listen_for_stop();
    status              = compare_all(c, err);
    if (show->is_moving)
        fputs("\r\033[K", call->eye);
    if (c->report->n_parts > 0 &&
        (status == AMPHI_OK || status == AMPHI_STOPPED || status == AMPHI_NOT_HELD))
        AMPHI_TRY(show_report(call, c->report, err));
    else if (status == AMPHI_STOPPED)
        tool_remark(call, "stopped on request, before anything was measured");
    return status;
}

AmphiStatus cmd_compare(const ToolCall *call, AmphiError *err)
{
    static const double default_length_ps = 20, default_settle_ps = 10;
    char                checkpoint[AMPHI_PATH_SIZE];
    Show                show   = show_of(call);
    AmphiJob           *job    = NULL;
    CompareReport      *report = compare_report_new();
    Compare             c      = { .path      = call->argument[0],
                                   .choice    = { .device = -1 },
                                   .length_ps = default_length_ps,
                                   .settle_ps = default_settle_ps,
                                   .report    = report,
                                   .tell      = on_progress,
                                   .user      = &show };
    AmphiStatus         status;

    if (report == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a comparison");
    status = read_options(call, &c, err);
    (void)tool_listen_for_stop(); /* already while a large start is built */
    if (status == AMPHI_OK)
        status = find_checkpoint(call, &c, checkpoint, err);
    if (status == AMPHI_OK)
        status = tool_load(call, &job, err);
    c.job = job;
    if (status == AMPHI_OK)
        status = compare_job(call, &c, err);
    amphi_job_free(job);
    compare_report_free(report);
    return status;
}
