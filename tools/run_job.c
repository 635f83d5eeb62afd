/* One run: opened, told while it goes on, and its pictures at the end. */
#include "run_job.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../engine/version.h"
#include "draw_run.h"
#include "machine.h"
#include "plots.h"
#include "print.h"
#include "report.h"
#include "report_table.h"
#include "run_clear.h"
#include "run_record.h"
#include "run_show.h"
#include "stop.h"
#include "timings_show.h"
#include "timings_table.h"

/* ---- signals: the only state that handlers can reach ---- */

static volatile sig_atomic_t saves_requested, status_requested; /* how often */

static void ask_to_save(int signal_number)
{
    (void)signal_number;
    __atomic_fetch_add(&saves_requested, 1, __ATOMIC_RELAXED);
}

static void ask_for_status(int signal_number)
{
    (void)signal_number;
    __atomic_fetch_add(&status_requested, 1, __ATOMIC_RELAXED);
}

static void listen_to(int signal_number, void (*handler)(int))
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

void tool_listen_for_requests(void)
{
    listen_to(SIGUSR1, ask_to_save);
    listen_to(SIGUSR2, ask_for_status);
}

/* ---- what is shown ---- */

typedef struct {
    const ToolCall *call;
    const AmphiJob *job;
    AmphiNotes     *notes; /* of reading it */
    const char     *dir;
    ReportStatus    before;  /* status.json as it was */
    bool            is_done; /* before this process began: the record of the run stays */
    ToolLog         log;
    ToolSpeed       speed;
    double          first_ps, shown_s, logged_s, status_s;
    bool            is_moving; /* one line on a terminal, rewritten */
    bool            has_warned;
    sig_atomic_t    statuses;    /* requests that it has met */
    int64_t         n_minimised; /* 1 + the stage of the last minimisation that was told */
    AmphiError      fault;       /* of status.json; it stops nothing */
} Show;

static bool is_terminal(const ToolCall *call)
{
    return isatty(fileno(call->eye)) == 1 && getenv("NO_COLOR") == NULL &&
           !tool_has(call, "quiet") && !tool_has(call, "json");
}

static void clear_line(const Show *show)
{
    if (show->is_moving)
        fputs("\r\033[K", show->call->eye);
}

static void show_line(Show *show, const AmphiRunInfo *info, const char *line)
{
    ToolJson json;

    if (tool_has(show->call, "quiet"))
        return;
    if (!tool_has(show->call, "json")) {
        clear_line(show);
        fprintf(show->call->eye, "%s\n", line);
        return;
    }
    json = tool_json_begin(show->call->out, "progress");
    tool_json_text(&json, "stage", info->stage);
    tool_json_whole(&json, "step", info->step);
    tool_json_whole(&json, "steps", info->n_steps);
    tool_json_number(&json, "time_ps", info->time_ps);
    tool_json_number(&json, "ns_per_day", tool_speed_now(&show->speed));
    tool_json_end(&json);
    fflush(show->call->out);
}

static void write_status(Show *show, const AmphiRunInfo *info, double ns_day, const char *state)
{
    AmphiError err = { .status = AMPHI_OK };

    show->status_s = info->wall_s;
    if (tool_run_status(show->dir, info, ns_day, state, &err) != AMPHI_OK)
        show->fault = err;
}

/* Once: whether to stop for it is the job's to say. */
static void warn_of_drift(Show *show, const AmphiRunInfo *info)
{
    if (!info->drifts || show->has_warned)
        return;
    show->has_warned = true;
    clear_line(show);
    tool_log_line(&show->log, "the conserved energy drifts by %+.2e +- %.1e kT/ns/dof",
                  info->drift_kT_ns_dof, info->drift_error);
    tool_remark(show->call, "%s: the conserved energy drifts by %+.2e +- %.1e kT/ns/dof",
                info->stage, info->drift_kT_ns_dof, info->drift_error);
}

static void tell_minimum(Show *show, const AmphiRun *run)
{
    const AmphiRunMinimum *const m = amphi_run_minimum(run);
    char                         line[TOOL_MINIMUM_SIZE];

    if (m == NULL || m->stage < show->n_minimised)
        return;
    show->n_minimised = m->stage + 1;
    tool_minimum_line(m, show->job, line);
    clear_line(show);
    tool_log_line(&show->log, "minimised %s", line);
    tool_remark(show->call, "minimised %s", line);
}

static void on_progress(void *user, const AmphiRun *run)
{
    const double line_s = 60, moving_s = 0.5, status_s = 10;
    Show *const  show = user;
    AmphiRunInfo info;
    char         line[TOOL_LINE_SIZE];

    amphi_run_info(run, &info);
    tool_speed_note(&show->speed, &info);

    const double ns_day = tool_speed_now(&show->speed);
    tool_run_line(&info, ns_day, line);
    warn_of_drift(show, &info);
    tell_minimum(show, run);
    if (info.wall_s - show->logged_s >= line_s) {
        show->logged_s = info.wall_s;
        tool_log_line(&show->log, "%s", line);
        if (!show->is_moving)
            show_line(show, &info, line);
    }
    if (show->statuses != amphi_word(&status_requested)) {
        show->statuses = amphi_word(&status_requested);
        show_line(show, &info, line);
    }
    if (show->is_moving && info.wall_s - show->shown_s >= moving_s) {
        show->shown_s = info.wall_s;
        clear_line(show);
        fputs(line, show->call->eye);
        fflush(show->call->eye);
    }
    if (!show->is_done && info.wall_s - show->status_s >= status_s)
        write_status(show, &info, ns_day, "running");
}

/* ---- a run ---- */

/* The line that was typed, put together from its parts, so that a shell takes it again. */
static void log_command(Show *show)
{
    const ToolCall *const call = show->call;
    char                  line[4096], word[1024], machine[512];
    int                   n = snprintf(line, sizeof line, "amphi run %s",
                                       tool_shell_word(call->argument[0], word, sizeof word));

    for (int k = 0; call->command->option[k].name != NULL && n < (int)sizeof line; k++)
        if (call->value[k] != NULL)
            n += snprintf(line + n, sizeof line - (size_t)n, " --%s%s%s",
                          call->command->option[k].name, call->value[k][0] != '\0' ? " " : "",
                          call->value[k][0] != '\0'
                              ? tool_shell_word(call->value[k], word, sizeof word)
                              : "");
    tool_log_line(&show->log, "command %s", line);
    tool_log_line(&show->log, "machine %s", tool_machine(machine, sizeof machine));
}

static void log_beginning(Show *show, const AmphiJob *job, const AmphiRunInfo *info,
                          const char *heading)
{
    const ToolCall *const call = show->call;

    tool_log_line(&show->log, "%s", heading);
    log_command(show);
    for (int k = 0; call->command->option[k].name != NULL; k++)
        if (call->value[k] != NULL)
            tool_log_line(&show->log, "option --%s %s", call->command->option[k].name,
                          call->value[k]);
    tool_log_notes(&show->log, show->notes);
    for (int32_t k = 0; k < job->n_overrides; k++)
        tool_log_line(&show->log, "override %s", job->override[k]);
    for (int32_t k = 0; k < job->n_stages; k++)
        tool_log_line(&show->log, "stage %s, seed %" PRIu64, job->stage[k].name,
                      job->stage[k].seed);
    tool_log_line(&show->log, "%s", info->backend);
    if (info->device >= 0)
        tool_log_line(&show->log, "device %" PRId32, info->device);
    if (info->remark[0] != '\0')
        tool_log_line(&show->log, "%s", info->remark);
    if (info->step > 0)
        tool_log_line(&show->log, "%s step %" PRId64 ", %g ps",
                      show->is_done ? "done already," : "goes on from", info->step, info->time_ps);
}

static void tell_beginning(const ToolCall *call, const AmphiJob *job, const char *dir,
                           const AmphiRunInfo *info, bool is_done)
{
    const bool ends_moving = job->stage[job->n_stages - 1].ensemble != AMPHI_MINIMISE;
    char       safe[AMPHI_PATH_SIZE];

    tool_harmless(dir, safe, sizeof safe);
    if (info->remark[0] != '\0')
        tool_remark(call, "%s", info->remark);
    tool_remark_device(call, info->device >= 0);
    if (is_done)
        tool_remark(call, "%s: done already, step %" PRId64 ", %g ps%s", safe, info->step,
                    info->time_ps, ends_moving ? "; --until makes it longer" : "");
    else if (info->step > 0)
        tool_remark(call, "%s: goes on from step %" PRId64 ", %g ps", safe, info->step,
                    info->time_ps);
    else
        tool_remark(call, "%s: %s", safe, info->backend);
}

static void log_end(Show *show, const AmphiRunInfo *info, double ns_day, const ToolMeans *means)
{
    tool_log_line(&show->log, "%s", info->finished ? "done" : "stopped early");
    if (info->state_hash[0] != '\0')
        tool_log_line(&show->log, "state %s at step %" PRId64, info->state_hash, info->step);
    if (show->log.file != NULL)
        tool_run_block(info, ns_day, means, show->job, show->dir, show->log.file);
}

static void tell_results(const Show *show, const AmphiRunInfo *info, double ns_day,
                         const ToolMeans *means)
{
    if (tool_has(show->call, "json"))
        tool_run_json(info, ns_day, means, show->dir, show->call->out);
    else
        tool_run_block(info, ns_day, means, show->job, show->dir, show->call->out);
}

/* Of what the outputs found; what the beginning told already is left out. */
static void tell_outputs(Show *show, const AmphiRun *run, const AmphiRunInfo *info)
{
    const char *text = NULL;

    for (int32_t k = 0; (text = amphi_run_output_remark(run, k)) != NULL; k++)
        if (text[0] != '\0' && strstr(info->remark, text) == NULL) {
            tool_log_line(&show->log, "%s", text);
            tool_remark(show->call, "%s", text);
        }
}

static void tell_end(Show *show, const AmphiRun *run, AmphiStatus status, const AmphiError *err)
{
    const bool   ended = status == AMPHI_OK || status == AMPHI_STOPPED;
    AmphiRunInfo info;
    ToolMeans    means;
    char         line[TOOL_LINE_SIZE];

    amphi_run_info(run, &info);
    tool_means_read(show->dir, show->job, &means);
    const double ns_day = tool_speed_mean(&info, show->first_ps);
    tool_run_line(&info, ns_day, line);
    clear_line(show);
    tool_log_line(&show->log, "%s", line);
    tell_outputs(show, run, &info);
    if (ended)
        log_end(show, &info, ns_day, &means);
    else
        tool_log_line(&show->log, "error: %s", err->text);
    write_status(show, &info, ns_day, !ended ? "failed" : info.finished ? "done" : "stopped");
    if (ended)
        tell_results(show, &info, ns_day, &means);
}

/* Was the end told, too? A process that was killed behind its last checkpoint left that to do. */
static bool is_told(const ReportStatus *s)
{
    return strcmp(s->state, "done") == 0 || strcmp(s->state, "stopped") == 0;
}

/* The results of a run with no step left, as they were: with its speed, and what computed it. */
static void tell_again(Show *show, const AmphiRun *run)
{
    const ReportStatus *const before = &show->before;
    const double              ns_day = isfinite(before->ns_per_day) ? before->ns_per_day : 0;
    AmphiRunInfo              info;
    ToolMeans                 means;

    amphi_run_info(run, &info);
    tool_means_read(show->dir, show->job, &means);
    if (before->backend[0] != '\0')
        info.backend = before->backend;
    clear_line(show);
    if (!is_told(before)) {
        log_end(show, &info, ns_day, &means);
        write_status(show, &info, ns_day, "done");
    }
    tell_results(show, &info, ns_day, &means);
}

/* The last frame of an earlier end, where the job had a trajectory. */
static void tell_earlier_frame(const Show *show)
{
    char       path[AMPHI_PATH_SIZE];
    AmphiError err = { .status = AMPHI_OK };

    if (tool_is_written(show->job, "trajectory.dcd") ||
        tool_is_written(show->job, "trajectory.xtc"))
        return;
    if (tool_join(show->dir, "final.gro", path, &err) == AMPHI_OK && access(path, F_OK) == 0)
        tool_remark(show->call,
                    "%.300s/final.gro and final.data are of an earlier end: there is no "
                    "<trajectory> now to write them",
                    show->dir);
}

static AmphiStatus run_and_tell(Show *show, const AmphiJob *job, const AmphiRunOptions *o,
                                AmphiRun *run, AmphiError *err)
{
    AmphiRunInfo info;
    AmphiStatus  status, closed;
    AmphiError   log_err = { .status = AMPHI_OK };

    amphi_run_info(run, &info);
    show->first_ps = info.time_ps;
    show->is_done  = info.step > 0 && info.step >= info.n_steps;
    if (o->fresh)
        AMPHI_TRY(tool_run_clear(o->dir, err));

    /* outputs may have joined a run that has no step left: its tables are written again */
    const bool is_new = !show->is_done || !tool_input_is_recorded(job, o->dir);
    if (is_new)
        AMPHI_TRY(tool_record_input(job, o->dir, err));
    AMPHI_TRY(tool_log_open(&show->log, o->dir, err));
    if (is_new)
        log_beginning(show, job, &info, o->heading);
    tell_beginning(show->call, job, o->dir, &info, show->is_done);
    if (!show->is_done)
        write_status(show, &info, 0, "running");

    status = amphi_run(run, err);
    if (show->is_done && status == AMPHI_OK)
        tell_again(show, run);
    else
        tell_end(show, run, status, err);
    if (status == AMPHI_OK)
        tell_earlier_frame(show);
    closed = tool_log_close(&show->log, &log_err);
    if (status == AMPHI_OK && (closed != AMPHI_OK || show->fault.status != AMPHI_OK)) {
        *err   = closed != AMPHI_OK ? log_err : show->fault;
        status = err->status;
    }
    return status;
}

/* --reverse: the steps of the last stage undone, and whether its first state is back. */
static AmphiStatus reverse(Show *show, AmphiRun *run, AmphiError *err)
{
    const ToolCall *const call = show->call;
    AmphiRunReturn        back;
    ToolJson              json;

    AMPHI_TRY(amphi_run_reverse(run, &back, err));
    if (tool_has(call, "json")) {
        json = tool_json_begin(call->out, "reverse");
        tool_json_text(&json, "stage", back.stage);
        tool_json_whole(&json, "steps", back.n_steps);
        tool_json_flag(&json, "came_back", back.came_back);
        tool_json_text(&json, "first", back.first);
        tool_json_text(&json, "last", back.last);
        tool_json_end(&json);
    } else {
        fprintf(call->out,
                "turned round: %" PRId64 " steps back through %s\n  first state  %s\n"
                "  came to      %s\n",
                back.n_steps, back.stage, back.first, back.last);
    }
    if (!back.came_back)
        return amphi_fail(err, AMPHI_NOT_HELD, "%s: its first state did not come back", back.stage);
    if (!tool_has(call, "json"))
        fprintf(call->out, "  the same, bit for bit\n");
    return AMPHI_OK;
}

/* All other files are as they were without. */
static AmphiStatus time_parts(Show *show, AmphiRun *run, AmphiError *err)
{
    AmphiTimings timings;
    AmphiRunInfo info;

    if (!tool_has(show->call, "timings"))
        return AMPHI_OK;
    AMPHI_TRY(amphi_run_timings(run, &timings, err));
    tool_show_timings(show->call, &timings);
    amphi_run_info(run, &info);
    AMPHI_TRY(tool_timings_write(show->dir, info.backend, &timings, err));
    return AMPHI_OK;
}

/* What cannot be written, as on a full disk, also who wants to hear of errors alone is told. */
static void tell_missing(const ToolCall *call, AmphiStatus status, const AmphiError *err)
{
    if (status == AMPHI_OK || (tool_has(call, "quiet") && status != AMPHI_BAD_FILE))
        return;
    if (!tool_has(call, "json")) {
        fprintf(call->eye, "%s\n", err->text);
        return;
    }
    ToolJson json = tool_json_begin(call->out, "remark"); /* the run has no other result by it */
    tool_json_text(&json, "text", err->text);
    tool_json_end(&json);
}

static void write_report(const ToolCall *call, const AmphiJob *job, const char *dir)
{
    AmphiError        err    = { .status = AMPHI_OK };
    const AmphiStatus status = tool_report_write(dir, job, NULL, &err);
    char              safe[AMPHI_PATH_SIZE];

    tell_missing(call, status, &err);
    if (status == AMPHI_OK && !tool_has(call, "json"))
        fprintf(call->out, "  %-12s %s/report.html\n", "report",
                tool_harmless(dir, safe, sizeof safe));
}

/* Failures here do not change the result of the run. */
static void draw(const ToolCall *call, const AmphiJob *job, const AmphiRunOptions *o,
                 AmphiStatus status)
{
    const char *const dir        = o->dir;
    const bool        has_report = !tool_has(call, "no-report");
    AmphiError        err        = { .status = AMPHI_OK };
    char              safe[AMPHI_PATH_SIZE];

    /* who sent a signal is waiting */
    if (amphi_word(o->stop_requested) != 0 && (status == AMPHI_OK || status == AMPHI_STOPPED)) {
        if (has_report && !tool_has(call, "json"))
            fprintf(call->out, "  %-12s amphi report %s makes it\n", "report",
                    tool_harmless(dir, safe, sizeof safe));
        return;
    }
    if (has_report && (status == AMPHI_OK || status == AMPHI_STOPPED || status == AMPHI_UNSTABLE))
        write_report(call, job, dir);
    if (status != AMPHI_OK && status != AMPHI_STOPPED)
        return;
    if (has_report)
        tell_missing(call, tool_plot_run(dir, &err), &err);
    if (tool_has(call, "picture"))
        tell_missing(call, tool_draw_run(&job->system, dir, &err), &err);
}

/* Pictures and report, also after a fault; of several runs one at a time. */
static void draw_in_turn(const ToolCall *call, const AmphiJob *job, const AmphiRunOptions *o,
                         AmphiStatus status)
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&turn);
    draw(call, job, o, status);
    pthread_mutex_unlock(&turn);
}

AmphiStatus tool_run_job(const ToolCall *call, const AmphiJob *job, AmphiNotes *notes,
                         const AmphiRunOptions *given, AmphiError *err)
{
    AmphiRunOptions o    = *given;
    AmphiRun       *run  = NULL;
    Show            show = { .call      = call,
                             .job       = job,
                             .notes     = notes,
                             .dir       = o.dir,
                             .before    = report_status(o.dir, job->arena),
                             .is_moving = is_terminal(call) };
    char            hash[TOOL_HASH_SIZE], heading[128];
    AmphiStatus     status;

    AMPHI_TRY(tool_input_hash(job, hash, err));
    snprintf(heading, sizeof heading, "amphi %s, input %s", AMPHI_VERSION, hash);
    o.heading        = heading;
    o.progress       = on_progress;
    o.user           = &show;
    o.stop_requested = tool_listen_for_stop();
    o.save_requested = &saves_requested;
    AMPHI_TRY(amphi_run_open(job, &o, &run, err));
    status = run_and_tell(&show, job, &o, run, err);
    if (status == AMPHI_OK && o.reverse)
        status = reverse(&show, run, err);
    if (status == AMPHI_OK)
        status = time_parts(&show, run, err);
    amphi_run_release(run);
    draw_in_turn(call, job, &o, status);
    amphi_run_close(run);
    return status;
}
