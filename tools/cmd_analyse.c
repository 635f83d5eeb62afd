/* amphi analyse: measures a run again, from the frames of its trajectory. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../engine/clock.h"
#include "../engine/version.h"
#include "analyse.h"
#include "analyse_folder.h"
#include "plots.h"
#include "print.h"
#include "report_table.h"
#include "run_find.h"
#include "run_means.h"
#include "stop.h"

/* ---- options ---- */

static AmphiStatus read_frames(const ToolCall *call, AnalysisFrames *frames, AmphiError *err)
{
    *frames =
        (AnalysisFrames){ .to_ps = (double)INFINITY, .has_from = tool_has(call, "from"), .nth = 1 };
    AMPHI_TRY(tool_time(call, "from", 0, "20ns", &frames->from_ps, err));
    AMPHI_TRY(tool_time(call, "to", 0, "20ns", &frames->to_ps, err));
    AMPHI_TRY(tool_whole(call, "every", &frames->nth, err));
    if (frames->nth < 1)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--every 0: 1 is the least\n    write: --every 2");
    if (!(frames->from_ps <= frames->to_ps))
        return amphi_fail(err, AMPHI_BAD_COMMAND, "--from is later than --to");
    return AMPHI_OK;
}

typedef struct {
    char        text[512]; /* the words, cut at the commas */
    int32_t     n;
    const char *name[TOOL_MOST_OBSERVERS];
} Names;

static AmphiStatus add_name(Names *names, const char *word, AmphiError *err)
{
    const AmphiObserverKind *kind = NULL;
    const char              *known[TOOL_MOST_OBSERVERS];
    char                     text[160], all[300] = "of";
    int32_t                  n = 0;

    for (; n < TOOL_MOST_OBSERVERS && (kind = amphi_observer_kind_at(n)) != NULL; n++) {
        const size_t length = strlen(all);

        known[n] = kind->name;
        if (amphi_observer_sees_frames(kind))
            snprintf(all + length, sizeof all - length, " %s", kind->name);
    }
    if (amphi_observer_kind(word) == NULL) {
        snprintf(text, sizeof text, "--observe %.80s: nothing measures that", word);
        return tool_fail_near(err, text, word, known, n, all);
    }
    if (names->n < TOOL_MOST_OBSERVERS)
        names->name[names->n++] = word;
    return AMPHI_OK;
}

static bool is_file(const char *text)
{
    const size_t n = strlen(text);

    return n > 4 && strcmp(text + n - 4, ".xml") == 0;
}

/* A list of names, or a file. */
static AmphiStatus read_observe(const ToolCall *call, Names *names, AmphiLoadOptions *options,
                                AmphiError *err)
{
    const char *const given = tool_value(call, "observe");
    char             *rest  = names->text;

    *names = (Names){ .n = 0 };
    if (given == NULL)
        return AMPHI_OK;
    if (is_file(given)) {
        options->output = given;
        return AMPHI_OK;
    }
    if (snprintf(names->text, sizeof names->text, "%s", given) >= (int)sizeof names->text)
        return amphi_fail(err, AMPHI_BAD_COMMAND, "--observe %.80s...: too long", given);
    for (char *word; (word = strtok_r(rest, ", ", &rest)) != NULL;)
        AMPHI_TRY(add_name(names, word, err));
    if (names->n == 0)
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--observe names nothing\n    write: --observe "
                          "area,order");
    options->observe   = names->name;
    options->n_observe = names->n;
    return AMPHI_OK;
}

/* ---- the run ---- */

/* Is there an error of what is asked for by name that attributes could cure? */
static bool wants_attributes(AmphiNotes *notes)
{
    int64_t                n    = 0;
    const AmphiNote *const note = amphi_notes_sorted(notes, &n);

    for (int64_t k = 0; k < n; k++)
        if (note[k].severity == AMPHI_NOTE_ERROR && note[k].where.file != NULL &&
            strcmp(note[k].where.file, AMPHI_ASKED) == 0 &&
            note[k].id != AMPHI_MSG_OUTPUT_NO_LIPIDS)
            return true;
    return false;
}

/* Warnings were told when it was run. */
static AmphiStatus load(const ToolCall *call, const char *run, const AmphiLoadOptions *options,
                        AmphiJob **job, AmphiError *err)
{
    char        path[AMPHI_PATH_SIZE];
    AmphiStatus status = AMPHI_OK;

    AMPHI_TRY(tool_find_input(run, path, err));

    AmphiNotes *const notes = amphi_notes_new();
    if (notes == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", path);
    *job = amphi_job_load(path, options, notes, err);
    if (*job == NULL) {
        tool_show_notes(call, notes, false);
        status = err->status != AMPHI_OK ? err->status : amphi_notes_status(notes, false);
        if (wants_attributes(notes))
            amphi_fail(err, status,
                       "what --observe names needs other attributes than its defaults\n"
                       "    write: --observe FILE.xml, and <output> in that file with the elements "
                       "and their attributes");
    }
    amphi_notes_free(notes);
    return status;
}

/* What is asked for by name and cannot be without attributes, where the run has none of its own: it
 * is left out if anything else is asked for. */
static AmphiStatus check_names(const ToolCall *call, const AmphiJob *job, const Names *names,
                               AmphiError *err)
{
    for (int32_t n = 0; n < names->n; n++) {
        bool is_there = false;
        char text[400];

        for (int32_t k = 0; k < job->n_asked; k++)
            is_there = is_there || strcmp(job->asked[k].kind, names->name[n]) == 0;
        if (is_there)
            continue;
        snprintf(text, sizeof text,
                 "<%s>: %sneeds attributes, and this run has no <%s> of its own\n    write: "
                 "--observe FILE.xml, and <output> in that file with what is to be measured "
                 "(amphi describe %s)",
                 names->name[n], job->n_asked > 0 ? "left out: " : "", names->name[n],
                 names->name[n]);
        if (job->n_asked == 0)
            return amphi_fail(err, AMPHI_BAD_INPUT, "%s", text);
        tool_remark(call, "%s", text);
    }
    return AMPHI_OK;
}

/* The force fields that are read now are those that are installed now. */
static AmphiStatus compare_input(const ToolCall *call, const char *run, const char *hash,
                                 AmphiError *err)
{
    AmphiArena *const arena = amphi_arena_new();

    if (arena == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", run);

    const ReportLog log = report_log(run, arena);
    if (log.input[0] != '\0' && strcmp(log.input, hash) != 0)
        tool_remark(call,
                    "the system is read from other files than those of the run: a force field "
                    "has changed since, or a file in input/");
    amphi_arena_free(arena);
    return AMPHI_OK;
}

static void tell_trajectory(const ToolCall *call, const AmphiReplayInfo *info)
{
    char safe[AMPHI_PATH_SIZE];

    if (info->n_cut > 0)
        tool_remark(call,
                    "%.400s: behind its %" PRId64 " whole frames are %" PRId64
                    " bytes of one that is being written, or is cut; it is left out",
                    tool_harmless(info->path, safe, sizeof safe), info->n_frames, info->n_cut);
    if (info->remark[0] != '\0')
        tool_remark(call, "%s", info->remark);
}

/* ---- progress: a moving line on a terminal ---- */

typedef struct {
    FILE  *eye; /* NULL: not told */
    double told_s;
    bool   is_shown;
} Show;

static Show show_of(const ToolCall *call)
{
    const bool is_moving = isatty(fileno(call->eye)) == 1 && getenv("NO_COLOR") == NULL &&
                           !tool_has(call, "quiet") && !tool_has(call, "json");

    return (Show){ .eye = is_moving ? call->eye : NULL, .told_s = amphi_clock_s() };
}

static void clear_line(Show *show)
{
    if (show->is_shown)
        fputs("\r\033[K", show->eye);
    show->is_shown = false;
}

static void on_progress(void *user, int64_t done, int64_t of)
{
    Show *const show = user;

    if (done == of)
        clear_line(show);
    if (show->eye == NULL || done == of || amphi_clock_s() - show->told_s < 0.5)
        return;
    show->told_s   = amphi_clock_s();
    show->is_shown = true;
    fprintf(show->eye, "\r\033[Kframe %" PRId64 "/%" PRId64 "  %.0f %%", done, of,
            floor(100 * (double)done / (double)of));
    fflush(show->eye);
}

/* ---- results ---- */

static void tell_json(const Analysis *a, const ToolMeans *m, const ToolResults *results)
{
    ToolJson json = tool_json_begin(a->call->out, "analyse");

    tool_json_text(&json, "trajectory", amphi_replay_info(a->replay)->path);
    tool_json_whole(&json, "frames", a->seen.n);
    tool_json_number(&json, "first_ps", a->seen.first_ps);
    tool_json_number(&json, "last_ps", a->seen.last_ps);
    tool_json_number(&json, "area_nm2", m->area_nm2.value);
    tool_json_number(&json, "area_nm2_error", m->area_nm2.error);
    tool_json_number(&json, "volume_nm3", m->volume_nm3.value);
    tool_json_number(&json, "volume_nm3_error", m->volume_nm3.error);
    tool_json_number(&json, "thickness_nm", m->thickness_nm.value);
    tool_json_number(&json, "thickness_nm_error", m->thickness_nm.error);
    tool_json_texts(&json, "files", (const char *const *)results->file, results->n_files);
    tool_json_end(&json);
}

static void tell_results(const Analysis *a, const AmphiJob *measured, const ToolMeans *means,
                         const ToolResults *results)
{
    char safe[AMPHI_PATH_SIZE];

    if (tool_has(a->call, "json")) {
        tell_json(a, means, results);
        return;
    }
    fprintf(a->call->out, "  %-12s %" PRId64 ", %.9g to %.9g ps\n", "frames", a->seen.n,
            a->seen.first_ps, a->seen.last_ps);
    tool_means_print(means, measured, a->call->out);
    for (int32_t k = 0; k < results->n_files; k++)
        fprintf(a->call->out, "  %-12s %s\n", k == 0 ? "files" : "",
                tool_harmless(results->file[k], safe, sizeof safe));
}

/* A table that these frames are too few for is not left as another analysis made it. */
static AmphiStatus drop_old(const Analysis *a, const ToolResults *results, AmphiError *err)
{
    for (int32_t k = 0; k < a->n_observers; k++) {
        const AmphiObserverKind *const kind  = amphi_observer_kind(a->plan[k].kind);
        const AmphiObserverNames       names = amphi_observer_names(kind, &a->plan[k]);
        const char                    *file  = names.file;
        bool                           was_there;

        for (int32_t more = 0; file != NULL; more++) {
            AMPHI_TRY(tool_results_drop(results, file, &was_there, err));
            if (was_there)
                tool_remark(a->call,
                            "%s: removed, as it was of other frames; these are too few for one",
                            file);
            file = kind->also != NULL ? kind->also[more] : NULL;
        }
    }
    return AMPHI_OK;
}

/* The job with only what was measured here. */
static AmphiJob measured_of(const Analysis *a)
{
    AmphiJob job = *a->job;

    job.observer    = a->plan;
    job.n_observers = a->n_observers;
    return job;
}

static AmphiStatus measure(Analysis *a, const char *hash, const char *dir, ToolResults *results,
                           AmphiError *err)
{
    const volatile sig_atomic_t *const stop = tool_listen_for_stop();
    const AmphiJob                     job  = measured_of(a);
    Show                               show = show_of(a->call);
    char                               heading[200];
    AmphiError                         plot_err = { .status = AMPHI_OK };
    ToolMeans                          means;

    snprintf(heading, sizeof heading, "amphi %s, input %s, %s", AMPHI_VERSION, hash,
             strrchr(amphi_replay_info(a->replay)->path, '/') + 1);
    AMPHI_TRY(tool_results_open(results, dir, err));

    const AmphiStatus status =
        analysis_run(a, results->unfinished, heading, stop, on_progress, &show, err);
    clear_line(&show);
    if (status != AMPHI_OK)
        return status;
    tool_means_read(results->unfinished, &job, &means);
    if (tool_plot_run(results->unfinished, &plot_err) != AMPHI_OK)
        tool_remark(a->call, "%s", plot_err.text);
    AMPHI_TRY(tool_results_publish(results, err));
    AMPHI_TRY(drop_old(a, results, err));
    tell_results(a, &job, &means, results);
    return AMPHI_OK;
}

/* ---- the folder ---- */

/* The run's own files have the same names. */
static AmphiStatus choose_folder(const ToolCall *call, const char *run, char dir[AMPHI_PATH_SIZE],
                                 AmphiError *err)
{
    const char *const given = tool_value(call, "output");

    if (given == NULL)
        return tool_join(run, "analysis", dir, err);
    if (snprintf(dir, AMPHI_PATH_SIZE, "%s", given) >= AMPHI_PATH_SIZE)
        return amphi_fail(err, AMPHI_BAD_COMMAND, "-o %.100s...: the path is too long", given);
    if (tool_is_run(dir))
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "-o %.300s: the folder of a run, whose own tables have the same names\n"
                          "    write: -o with another folder",
                          dir);
    return AMPHI_OK;
}

static AmphiStatus analyse(const ToolCall *call, const AmphiJob *job, const char *run,
                           const char *dir, const AnalysisFrames *frames, AmphiError *err)
{
    char        hash[TOOL_HASH_SIZE];
    Analysis    analysis;
    ToolResults results = { .lock = -1 };
    AmphiStatus status;

    AMPHI_TRY(tool_input_hash(job, hash, err));
    AMPHI_TRY(compare_input(call, run, hash, err));
    status = analysis_open(&analysis, call, job, run, frames, err);
    if (analysis.replay != NULL)
        tell_trajectory(call, amphi_replay_info(analysis.replay));
    if (status == AMPHI_OK)
        status = measure(&analysis, hash, dir, &results, err);
    analysis_close(&analysis);
    tool_results_close(&results);
    return status;
}

AmphiStatus cmd_analyse(const ToolCall *call, AmphiError *err)
{
    char             run[AMPHI_PATH_SIZE], dir[AMPHI_PATH_SIZE];
    AmphiLoadOptions options;
    AnalysisFrames   frames;
    Names            names;
    AmphiJob        *job = NULL;
    AmphiStatus      status;

    AMPHI_TRY(tool_load_options(call, &options, err));
    options.is_copy = true;
    AMPHI_TRY(read_frames(call, &frames, err));
    AMPHI_TRY(read_observe(call, &names, &options, err));
    AMPHI_TRY(tool_find_run(call, run, err));
    AMPHI_TRY(choose_folder(call, run, dir, err));
    AMPHI_TRY(load(call, run, &options, &job, err));
    status = check_names(call, job, &names, err);
    if (status == AMPHI_OK)
        status = analyse(call, job, run, dir, &frames, err);
    amphi_job_free(job);
    return status;
}
