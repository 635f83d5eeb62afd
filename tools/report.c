/* Reads a run and calls the parts of its report in order. */
#include "report.h"

#include <stdio.h>
#include <string.h>

#include "../engine/version.h"
#include "command.h"
#include "report_parts.h"
#include "run_means.h"

static const char *base_of(const char *path)
{
    const char *const slash = strrchr(path, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static void read_run(Report *r)
{
    char      *figures = AMPHI_TAKE(r->arena, char, AMPHI_PATH_SIZE);
    AmphiError err     = { .status = AMPHI_OK };

    r->figures = "";
    if (figures != NULL && tool_join(r->dir, "figures", figures, &err) == AMPHI_OK &&
        tool_make_folder(figures, &err) == AMPHI_OK)
        r->figures = figures;
    r->status = report_status(r->dir, r->arena);
    r->log    = report_log(r->dir, r->arena);
    r->input  = report_input(r->dir, r->arena);
    if (tool_is_written(r->job, "energy.tsv"))
        report_stages(r->dir, r->arena, &r->stages);
}

static void tell_missing(Report *r)
{
    if (r->no_gnuplot.status != AMPHI_OK)
        tool_page_alarm(&r->page, TOOL_DOUBTFUL, r->no_gnuplot.text);
}

static bool wants_snapshot(const Report *r)
{
    return r->job == NULL || !r->job->without_snapshot;
}

static void write_parts(Report *r)
{
    report_verdict(r);
    if (wants_snapshot(r)) {
        tool_page_section(&r->page, "Snapshot");
        report_snapshot(r);
    }
    report_energies(r);
    tell_missing(r);
    report_states(r);
    report_profiles(r);
    report_pressures(r);
    report_results(r);
    report_speed(r);
    report_record(r);
}

static AmphiStatus write_page(Report *r, const char *path, AmphiError *err)
{
    const char *const title = r->job != NULL ? r->job->system.title : NULL;
    char              about[512], foot[256];

    snprintf(about, sizeof about, "%.200s%s%.200s", base_of(r->dir),
             r->status.backend[0] != '\0' ? " \xC2\xB7 " : "", r->status.backend);
    snprintf(foot, sizeof foot,
             "Written by amphi %s from the tables in %.150s; amphi report makes it again.",
             AMPHI_VERSION, base_of(r->dir));
    tool_page_begin(&r->page, path, title != NULL && title[0] != '\0' ? title : base_of(r->dir),
                    about);
    write_parts(r);
    return tool_page_end(&r->page, foot, err);
}

AmphiStatus tool_report_write(const char *dir, const AmphiJob *job, const char *path,
                              AmphiError *err)
{
    AmphiArena *const arena = amphi_arena_new();
    Report *const     r     = arena != NULL ? AMPHI_TAKE(arena, Report, 1) : NULL;
    char              file[AMPHI_PATH_SIZE];
    AmphiStatus       status;

    if (r == NULL) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "report.html: no memory");
    }
    r->dir   = dir;
    r->job   = job;
    r->arena = arena;
    status   = path == NULL ? tool_join(dir, "report.html", file, err) : AMPHI_OK;
    if (status == AMPHI_OK) {
        read_run(r);
        status = write_page(r, path != NULL ? path : file, err);
    }
    amphi_arena_free(arena);
    return status;
}
