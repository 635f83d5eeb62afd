/* Sections on the computation: speed, and everything needed to repeat it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "report_parts.h"

enum { TEXT = 512, MOST_LISTED = 60000 };

static void tell(Report *r, const char *what, const char *value)
{
    if (value != NULL && value[0] != '\0')
        tool_page_row(&r->page, (const char *const[]){ what, value });
}

/* ---- speed ---- */

static const char *span_text(double s, char text[64])
{
    if (s < 120)
        snprintf(text, 64, "%.0f s", s);
    else if (s < 7200)
        snprintf(text, 64, "%.0f min", s / 60);
    else
        snprintf(text, 64, "%.1f h", s / 3600);
    return text;
}

/* The longest first. */
static void sort_parts(const ReportTable *t, int32_t *order)
{
    for (int32_t k = 0; k < t->n_rows; k++) {
        int32_t at = k;

        for (; at > 0 &&
               report_number(t, order[at - 1], "us_per_step") < report_number(t, k, "us_per_step");
             at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

static void tell_part(Report *r, const ReportTable *t, int32_t row, double sum_us)
{
    const double us = report_number(t, row, "us_per_step");
    char         time[TOOL_NUMBER_SIZE], calls[TOOL_NUMBER_SIZE], share[32];

    snprintf(share, sizeof share, "%.1f %%", sum_us > 0 ? 100 * us / sum_us : 0);
    tool_page_row(&r->page,
                  (const char *const[]){
                      report_cell(t, row, "part"), tool_number(us, 3, time), share,
                      tool_number_short(report_number(t, row, "calls_per_step"), 3, calls) });
}

/* What the last --timings left; a line an operation. */
static void tell_timings(Report *r)
{
    static const char *const head[] = { "operation", "\xC2\xB5s a step", "share", "calls a step" };
    ReportTable              t;
    int32_t                 *order  = NULL;
    double                   sum_us = 0;

    if (!report_table(r->dir, "timings.tsv", r->arena, &t) || !report_has(&t, "us_per_step") ||
        !report_has(&t, "part"))
        return;
    order = AMPHI_TAKE(r->arena, int32_t, t.n_rows);
    if (order == NULL)
        return;
    sort_parts(&t, order);
    for (int32_t k = 0; k < t.n_rows; k++)
        sum_us += report_number(&t, k, "us_per_step");
    tool_page_table_begin(&r->page, "Where the time of a step goes, one operation after another.",
                          "lrrr", head);
    for (int32_t k = 0; k < t.n_rows; k++)
        tell_part(r, &t, order[k], sum_us);
    tool_page_table_end(&r->page);
}

void report_speed(Report *r)
{
    const ReportStatus *const s = &r->status;
    char                      text[TEXT], number[TOOL_NUMBER_SIZE];

    tool_page_section(&r->page, "Speed");
    tool_page_table_begin(&r->page, NULL, "ll", NULL);
    tell(r, "computed by", s->backend);
    if (s->ns_per_day > 0) {
        snprintf(text, sizeof text, "%s ns/day", tool_number(s->ns_per_day, 4, number));
        tell(r, "speed", text);
    }
    if (isfinite(s->wall_s))
        tell(r, "time on the clock, of the last call", span_text(s->wall_s, text));
    if (s->memory_MB > 0) {
        snprintf(text, sizeof text, "%s MB at most", tool_number(s->memory_MB, 3, number));
        tell(r, "memory", text);
    }
    tool_page_table_end(&r->page);
    tell_timings(r);
}

/* ---- the record ---- */

static void tell_list(Report *r, const char *what, const char *const *text, int32_t n)
{
    const char *all = "";

    for (int32_t k = 0; all != NULL && k < n; k++)
        all = amphi_arena_print(r->arena, "%s%s%s", all, k > 0 ? "\n" : "", text[k]);
    tell(r, what, all);
}

static void tell_files(Report *r)
{
    static const char *const head[] = { "file in input/", "SHA-256" };

    if (r->input.n == 0)
        return;
    tool_page_table_begin(&r->page, NULL, "ll", head);
    for (int32_t k = 0; k < r->input.n; k++)
        tool_page_row(&r->page, (const char *const[]){ r->input.name[k], r->input.hash[k] });
    tool_page_table_end(&r->page);
}

static void tell_system(Report *r)
{
    char        name[AMPHI_PATH_SIZE];
    ReportLines lines;
    size_t      n_bytes = 0, at = 0;
    int32_t     n = 0;

    if (r->input.n == 0)
        return;
    snprintf(name, sizeof name, "input/%s", r->input.name[0]);
    lines = report_lines(r->dir, name, r->arena);
    while (n < lines.n && n_bytes + strlen(lines.line[n]) + 1 < MOST_LISTED)
        n_bytes += strlen(lines.line[n++]) + 1;

    char *const text = AMPHI_TAKE(r->arena, char, (int64_t)n_bytes + 1);

    if (text == NULL || n == 0)
        return;
    for (int32_t k = 0; k < n; k++) {
        const size_t length = strlen(lines.line[k]);

        memcpy(text + at, lines.line[k], length);
        text[at + length] = '\n';
        at += length + 1;
    }
    tool_page_part(&r->page, r->input.name[0]);
    tool_page_listing(&r->page, text, n_bytes);
    if (n < lines.n)
        tool_page_remark(&r->page, "The first %d lines; all of them are in %s.", (int)n, name);
}

/* With what is to be cited. */
static void tell_force_fields(Report *r)
{
    char what[TEXT];

    for (int32_t k = 0; r->job != NULL && k < r->job->n_force_fields; k++) {
        const AmphiForceField *const f = &r->job->force_field[k];

        snprintf(what, sizeof what, "force field %.80s, cite", f->name != NULL ? f->name : "");
        tell(r, what, f->cite);
    }
}

void report_record(Report *r)
{
    const ReportLog *const log = &r->log;

    tool_page_section(&r->page, "To repeat it");
    tool_page_table_begin(&r->page, NULL, "ll", NULL);
    tell(r, "program", log->version);
    tell(r, "command", log->command);
    tell_list(r, "options", log->option, log->command[0] == '\0' ? log->n_options : 0);
    tell(r, "began", log->began);
    tell(r, "machine", log->machine);
    tell(r, "backend", r->status.backend);
    tell(r, "input, XXH3-128", log->input);
    tell(r, "last state", log->state);
    tell_list(r, "seeds", log->seed, log->n_seeds);
    tell_list(r, "overrides", log->override, log->n_overrides);
    tell_force_fields(r);
    tool_page_table_end(&r->page);
    tell_files(r);
    tell_system(r);
}
